"""Building the task: from documents to a set of sentences that a judge can cluster, with the reasons for each choice.

Judges compare every sentence with every other, so a set has at most 15 documents and aims at 150 to 200 sentences.
Documents of a day on which many were published come first, then shorter ones (Geiss, section 3).
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from quorate.errors import BadParameter
from quorate.groupings.documents import Document, Splitter, checked, sentences_of, splitter

FEW = 5  # documents that are all taken, however many sentences they have


@dataclass(frozen=True, slots=True)
class Choice:
    """Why a document is in the set or not."""

    document: str
    date: date | None
    sentences: int
    same_day: int  # documents published on its day, itself included
    taken: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """An item of the set, with the document and the day that it is from."""

    item: str
    source: str
    date: date | None
    text: str


@dataclass(frozen=True)
class SentenceSet:
    """Sentences of the documents taken, by date, and the choice made for every document in the order considered."""

    sentences: tuple[Sentence, ...]
    choices: tuple[Choice, ...]
    notes: tuple[str, ...] = ()

    @property
    def documents(self) -> int:
        """How many documents were taken."""
        return sum(c.taken for c in self.choices)

    def rows(self) -> list[dict[str, Any]]:
        """A row per sentence: item, source, date, text."""
        return [
            {"item": s.item, "source": s.source, "date": s.date.isoformat() if s.date else None, "text": s.text}
            for s in self.sentences
        ]

    def to_csv(self) -> str:
        """The rows as CSV text."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["item", "source", "date", "text"])
        writer.writerows(row.values() for row in self.rows())
        return out.getvalue()

    def to_json_lines(self) -> str:
        """The rows as JSON Lines."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows())


def build_sentence_set(
    documents: Iterable[Document],
    *,
    low: int = 150,
    high: int = 200,
    most: int = 15,
    split: Splitter | None = None,
    language: str = "en",
) -> SentenceSet:
    """A set of ``low`` to ``high`` sentences from at most ``most`` documents; all of five documents or fewer.

    Documents are considered by how many were published on the same day, then by how short they are, then by date and
    id. One that would bring the set above ``high`` is passed over; once ``low`` is reached no more are taken. ``split``
    turns a text into sentences; by default the package sentencex does, for documents that are not split already.

    >>> day = date(1999, 10, 31)
    >>> texts = [Document(f"d{k}", "", day, ("One.", "Two.")) for k in range(3)]
    >>> [(s.item, s.source) for s in build_sentence_set(texts).sentences][:2]
    [('d0.1', 'd0'), ('d0.2', 'd0')]
    """
    if not 1 <= low <= high or most < 1:
        raise BadParameter(f"low={low}, high={high}, most={most} cannot be.", "1 <= low <= high, and most from 1.")
    listed = checked(documents)
    if split is None:
        split = splitter(language) if any(d.sentences is None for d in listed) else str.splitlines
    texts = {d.id: sentences_of(d, split) for d in listed}
    choices = _choose(listed, {k: len(v) for k, v in texts.items()}, low, high, most)
    taken = {c.document for c in choices if c.taken}
    ordered = sorted((d for d in listed if d.id in taken), key=_by_date)
    sentences = tuple(
        Sentence(f"{d.id}.{number}", d.id, d.date, text) for d in ordered for number, text in enumerate(texts[d.id], 1)
    )
    return SentenceSet(sentences, tuple(choices), tuple(_notes(choices, len(sentences), low, high)))


def _by_date(document: Document) -> tuple[bool, date, str]:
    """By date and id, undated ones last."""
    return document.date is None, document.date or date.max, document.id


def _choose(listed: Sequence[Document], size: dict[str, int], low: int, high: int, most: int) -> list[Choice]:
    days = Counter(d.date for d in listed if d.date is not None)
    same = {d.id: days[d.date] if d.date is not None else 1 for d in listed}
    order = sorted(listed, key=lambda d: (-same[d.id], size[d.id], *_by_date(d)))
    everything = len(listed) <= FEW
    total, count, out = 0, 0, []
    for d in order:
        after = total + size[d.id]
        if not size[d.id]:
            taken, reason = False, "it has no sentences"
        elif everything:
            taken, reason = True, f"all documents of a set of at most {FEW} are taken"
        elif count >= most:
            taken, reason = False, f"{most} documents are taken already"
        elif total >= low:
            taken, reason = False, f"{total} sentences are enough"
        elif after > high:
            taken, reason = False, f"its {size[d.id]} sentences would make {after}, above {high}"
        else:
            taken, reason = True, _why(same[d.id], size[d.id], after)
        if taken:
            total, count = after, count + 1
        out.append(Choice(d.id, d.date, size[d.id], same[d.id], taken, reason))
    return out


def _why(same_day: int, size: int, after: int) -> str:
    day = f"{same_day} documents are of its day" if same_day > 1 else "no other document is of its day"
    return f"{day}; with its {size} sentences there are {after}"


def _notes(choices: Sequence[Choice], size: int, low: int, high: int) -> Iterable[str]:
    undated = sum(c.date is None for c in choices)
    if undated:
        yield f"{undated} of {len(choices)} documents have no date: none counts as of the same day, and they come last"
    if size > high:
        yield f"the set has {size} sentences, more than {high}, because all of {len(choices)} documents are taken"
    elif size < low:
        yield f"the set has {size} sentences, fewer than the {low} aimed at"
    if sum(c.taken for c in choices) < 2:
        yield "fewer than two documents are taken: a cluster needs sentences of at least two"
