"""What a metric has seen, known by its texts: a year that holds the same texts, or nearly the same, is no test.

Of every text a mark of its words is kept, and marks of its runs of five words, from which no text can be read. A text
is *the same* where its words are, whatever its blanks, case and punctuation; *nearly the same* where half of its runs
were seen, as they are when one word in eight is another. A task was seen where half of its texts or more were: one text
that two years share proves nothing.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel.base import many
from quorate.panel.kinds import Scores

WORD = re.compile(r"\w+")
RUN = 5  # words
FEW = 8  # words below which the same text says nothing: two years may well both hold "Yes."
LONG = 20  # words from which on texts may be nearly the same
NEAR = 0.5  # share of a text's runs
KEPT = 1 << 14  # runs of a metric's texts that are kept, about; of more those whose marks are multiples of a power of 2


@dataclass(frozen=True, eq=False)
class Seen:
    """Marks of texts, and of runs of words in them that are multiples of ``every``."""

    texts: frozenset[int]
    runs: frozenset[int]
    every: int = 1

    @classmethod
    def of(cls, texts: Iterable[str]) -> Seen:
        """What is kept of texts.

        >>> one = Seen.of(["The dam broke on Monday, and nine villages were flooded."])
        >>> one.holds("the dam broke on monday and  nine villages were flooded"), one.holds("A dam broke.")
        ('same', '')
        """
        words = {tuple(_words(text)) for text in texts}
        runs = {_mark(run) for some in words for run in _runs(some)}
        every = 1
        while len(runs) > KEPT * every:
            every *= 2
        return cls(frozenset(map(_mark, words)), frozenset(r for r in runs if r % every == 0), every)

    def __or__(self, other: Seen) -> Seen:
        """What was seen in either."""
        every = max(self.every, other.every)
        return Seen(self.texts | other.texts, frozenset(r for r in self.runs | other.runs if r % every == 0), every)

    def holds(self, text: str) -> str:
        """``same`` or ``near`` where a text was seen, else nothing."""
        words = _words(text)
        if len(words) >= FEW and _mark(words) in self.texts:
            return "same"
        runs = [r for r in map(_mark, _runs(words)) if r % self.every == 0]
        near = len(words) >= LONG and runs and sum(r in self.runs for r in runs) >= NEAR * len(runs)
        return "near" if near else ""

    def to_dict(self) -> dict[str, Any]:
        """For a metric's file."""
        return {"texts": _packed(self.texts), "runs": _packed(self.runs), "every": self.every}

    @classmethod
    def read(cls, body: Any) -> Seen:
        """From a metric's file; of one that does not say, nothing."""
        if not isinstance(body, Mapping):
            return cls(frozenset(), frozenset())
        return cls(_unpacked(body["texts"]), _unpacked(body["runs"]), int(body["every"]))


def texts_by_task(panel: Scores) -> dict[Any, set[str]]:
    """The different texts of every task."""
    out: dict[Any, set[str]] = {}
    for task, text in zip(panel.task.values(), panel.labels["text"].values(), strict=True):
        out.setdefault(task, set()).add(str(text or ""))
    return out


def unseen(name: str, panel: Scores, seen: Seen, what: str) -> list[str]:
    """Notes on texts of a year that were seen; an error where whole tasks of it were, ``what`` says in what."""
    tasks = texts_by_task(panel)
    found = {task: [kind for text in texts if (kind := seen.holds(text))] for task, texts in tasks.items()}
    again = [task for task, kinds in found.items() if kinds and 2 * len(kinds) >= len(tasks[task])]
    kinds = [kind for some in found.values() for kind in some]
    told = f"{many(kinds.count('same'), 'text')} the same, {kinds.count('near'):,} nearly the same"
    if again:
        much = "all of it" if len(again) == len(tasks) else f"{many(len(again), 'task')} of it"
        hint = "a metric is tested on a year it has not seen, nor chosen on the year it was fitted on."
        raise InputError(f"{name}: {much} {what}, by the texts: {told}.", hint)
    return [f"{name}: part of it {what}: {told}, of {sum(map(len, tasks.values())):,}"] if kinds else []


def _words(text: str) -> list[str]:
    return [w.lower() for w in WORD.findall(text)]


def _runs(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[k:] for k in range(RUN)), strict=False)


def _mark(words: Sequence[str]) -> int:
    """32 bits that stand for words."""
    told = " ".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=4).digest(), "little")


def _packed(marks: Iterable[int]) -> str:
    return base64.b64encode(np.array(sorted(marks), "<u4").tobytes()).decode("ascii")


def _unpacked(text: str) -> frozenset[int]:
    found: NDArray[Any] = np.frombuffer(base64.b64decode(text), "<u4")
    return frozenset(found.tolist())
