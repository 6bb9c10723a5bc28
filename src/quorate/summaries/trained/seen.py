"""What a metric has seen, known by its content: a copy of a training year under another name is found out.

A task's mark is a hash of its texts and their scores, sorted; names of years, tasks, systems, judges and files are
not in it, nor are runs of blanks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from quorate.errors import InputError
from quorate.panel.kinds import Scores
from quorate.summaries.trained.year import Year

LENGTH = 16  # of a mark, in hexadecimal digits
Row = tuple[str, str]  # text and score


def marks(panel: Scores) -> list[str]:
    """A mark for all the judgments and one for each task with two or more texts, sorted.

    A task of a single text has none: two years may well both hold "Yes." with the score 1.

    >>> raw = {"task": [1, 1, 2], "judge": ["a"] * 3, "item": ["x", "y", "x"], "score": [1, 2, 1]}
    >>> one = Scores.build({**raw, "text": ["Yes.", "No.", "Yes."]})
    >>> other = Scores.build({**raw, "task": ["new", "new", "more"], "text": ["Yes.", "No.", "Perhaps."]})
    >>> len(marks(one)), len({*marks(one)} & {*marks(other)})
    (2, 1)
    """
    tasks: dict[int, list[Row]] = {}
    for task, row in zip(panel.task.codes.tolist(), _rows(panel), strict=True):
        tasks.setdefault(task, []).append(row)
    several = {_mark(rows) for rows in tasks.values() if len({text for text, _ in rows}) > 1}
    return sorted(several | {_mark(_rows(panel))})


def _rows(panel: Scores) -> list[Row]:
    texts = (" ".join(str(text or "").split()) for text in panel.labels["text"].values())
    return list(zip(texts, map(repr, panel.value.tolist()), strict=True))


def _mark(rows: Iterable[Row]) -> str:
    told = "\n\n".join(f"{text}\n{score}" for text, score in sorted(rows))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def unseen(year: Year, seen: Sequence[str], what: str) -> None:
    """Nothing if the year is new; an error that says how much of it is in ``what`` already."""
    again = set(marks(year.panel)) & set(seen)
    if again:
        number = "1 task" if len(again) == 1 else f"{len(again)} tasks"
        much = "all of it" if _mark(_rows(year.panel)) in again else f"{number} of it"
        hint = "a metric is tested on a year it has not seen, nor chosen on the year it was fitted on."
        raise InputError(f"{year.name}: {much} {what}, by the texts and scores.", hint)
