"""Pairwise votes: one line per vote, JSON or a table with the columns ``judge, model_a, model_b, winner``.

They are votes unless another kind is asked for. As orderings a vote orders two items, and a tie keeps both in the first
place; its task is the question, the turn and the pair. As scores, the winner of a vote gets 1, the loser 0, and each
side of a tie 0.5; question and turn are the task then, and the pair is the item. The label ``shown`` says which of the
two was shown first.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from quorate.errors import InputError
from quorate.formats.delimited import DELIMITERS, records, whole_ids
from quorate.formats.files import File, Sink, bad_lines
from quorate.formats.jsonl import half
from quorate.formats.limits import as_text, refuse
from quorate.formats.names import clean, panel_columns
from quorate.formats.parts import Part, assemble
from quorate.formats.registry import ENCODING, Format, Option, empty, listed
from quorate.panel.base import listed as in_words
from quorate.panel.columns import Coded, encode
from quorate.panel.kinds import ONE_TASK, Orderings, Panel, Scores, Votes
from quorate.panel.votes import CHANGED, NEEDED

Row = dict[str, Any]
TASK = Option("task", "the columns that make a task; by default question_id and turn, or task", listed)


def read(
    files: Sequence[File], kind: str | None, *, task: Sequence[str] | None = None, encoding: str = "utf-8"
) -> Panel:
    """A panel from files of votes; as orderings of two items, or scores 1, 0.5 and 0, where that is asked for."""
    panel = cast(Votes, assemble("votes", _even([_read_one(f, task, encoding) for f in files])))
    return {"orderings": as_orderings, "scores": as_scores}[kind](panel) if kind in ("orderings", "scores") else panel


def _even(parts: Sequence[Part]) -> list[Part]:
    """The parts with the same columns; a label that a file has not is blank there."""
    names = dict.fromkeys(n for p in parts for n in p.raw)
    return [Part(p.name, {n: p.raw.get(n, encode([None] * len(p))) for n in names}, p.lines, p.notes) for p in parts]


def _read_one(file: File, task: Sequence[str] | None, encoding: str) -> Part:
    rows: list[Row] = []
    lines: list[int] = []
    bad: list[tuple[int | None, str]] = []
    for line, vote in _votes(file, encoding, bad):
        place, used = _task(file, vote, task)
        judge = vote.get("judge") if vote.get("judge") not in (None, "") else file.stem
        row = {n: v for n, v in vote.items() if n not in used} | {"task": place, "judge": judge}
        if len(used) > 1 and "question_id" in used:  # whose turns are drawn together
            row["question"] = vote["question_id"]
        if any(isinstance(row.get(n), list | dict) for n in ("task", "judge", *NEEDED)):
            bad.append((line, "a list or an object where a name belongs"))
        rows.append(row)
        lines.append(line)
    if bad:
        raise bad_lines(file.name, "not a vote", bad, "winner is model_a, model_b, tie, or one of the two names.")
    if not rows:
        raise empty(file.name, "no votes")
    names = dict.fromkeys(n for row in rows for n in row)
    nested = [n for n in names if any(isinstance(row.get(n), list | dict) for row in rows)]
    notes = [f"{file.name}: {in_words(nested)} left aside: no plain values"] if nested else []
    raw: dict[str, Any] = {n: encode([row.get(n) for row in rows]) for n in names if n not in nested}
    if "occasion" in raw:
        raw["occasion"] = whole_ids(raw["occasion"])
    return Part(file.name, raw, np.array(lines, np.int64), notes)


def _votes(file: File, encoding: str, bad: list[tuple[int | None, str]]) -> Iterator[tuple[int, Row]]:
    if not file.head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
        with file.text(encoding, newline="") as stream:
            yield from _table(file, records(file.name, stream), bad)
        return
    with file.text(encoding) as stream:
        for number, text in enumerate(stream, 1):
            if not text.strip():
                continue
            try:
                row = json.loads(text)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                bad.append((number, f"not an object: {text.strip()[:40]}"))
            elif "\\u" in text and any(half(v) for v in row.values() if isinstance(v, str)):
                bad.append((number, "there is half a character, a surrogate without the other one"))
            else:
                yield number, {clean(n): v for n, v in row.items()}


def _table(
    file: File, rows: Iterator[tuple[int, list[str]]], bad: list[tuple[int | None, str]]
) -> Iterator[tuple[int, Row]]:
    names = [clean(n) for n in next((fields for _, fields in rows if fields), [])]
    twice = sorted({n for n in names if n and names.count(n) > 1})
    if twice:
        raise InputError(f"{file.name}: two columns have the same name: {', '.join(twice)}.", "rename one of them.")
    for line, fields in rows:
        if fields and len(fields) != len(names):
            bad.append((line, f"{len(fields)} fields where the first line has {len(names)}"))
        elif fields:
            yield line, dict(zip(names, fields, strict=True))


def _task(file: File, vote: Row, columns: Sequence[str] | None) -> tuple[Any, Sequence[str]]:
    """The task of a vote, and the columns that it is made of."""
    if columns is None:
        columns = [n for n in ("question_id", "turn") if n in vote] or [n for n in ("task", "question") if n in vote][
            :1
        ]
    missing = [n for n in columns if n not in vote]
    if missing:
        raise InputError(f"{file.name}: no column '{missing[0]}'.", f"columns found: {', '.join(map(str, vote))}.")
    if len(columns) == 1:
        return vote[columns[0]], columns
    return ("-".join(str(vote[n]) for n in columns) if columns else ONE_TASK), columns


# -- as other kinds ----------------------------------------------------------------------------------------------------


def as_orderings(votes: Votes) -> Orderings:
    """Each vote as an ordering of two items, on a task of its own pair: judges agree or not about a pair.

    >>> as_orderings(Votes.from_votes([("t", "ann", "x", "y", "y")])).orders()
    {'ann': [['y'], ['x']]}
    """
    task = encode([_of_pair(t, str(pair)) for t, pair in zip(votes.task.values(), votes.item.values(), strict=True)])
    position = np.where(np.stack([votes.value, 1 - votes.value]) >= 0.5, 1.0, 2.0)
    return Orderings.build({**_sides(votes, task), "position": position.T.ravel()}, notes=votes.notes)


def _of_pair(task: Any, pair: str) -> Any:
    """The task of a pair: votes on other pairs are no repeats of this one."""
    if str(task).endswith(pair):
        return task
    return pair if task == ONE_TASK else f"{task}: {pair}"


def as_scores(votes: Votes) -> Scores:
    """Each vote as two scores of the pair: 1 of the winner, 0 of the loser, 0.5 of both in a tie.

    >>> as_scores(Votes.from_votes([("t", "ann", "x", "y", "y")])).value.tolist()
    [0.0, 1.0]
    """
    sides = _sides(votes, votes.task)
    pair = votes.item.take(np.repeat(np.arange(len(votes)), 2))
    score = np.stack([votes.value, 1 - votes.value]).T.ravel()
    return Scores.build({**sides, "item": pair, "system": sides["item"], "score": score}, notes=votes.notes)


def _sides(votes: Votes, task: Coded) -> dict[str, Any]:
    """Two rows of every vote: of the system shown first, and of the other."""
    twice = np.repeat(np.arange(len(votes)), 2)
    kept: Mapping[str, Coded] = {"task": task, "judge": votes.judge, "occasion": votes.occasion}
    both = {**kept, **{n: c for n, c in votes.labels.items() if n == "swapped"}}
    names = zip(votes.labels["model_a"].values(), votes.labels["model_b"].values(), strict=True)
    return {
        **{n: c.take(twice) for n, c in both.items()},
        "item": encode([name for pair in names for name in pair]),
        "shown": encode(np.tile([1, 2], len(votes))),
        "count": votes.count[twice],
    }


# -- out ---------------------------------------------------------------------------------------------------------------


def write(panel: Panel, sink: Sink) -> None:
    """Votes as JSON Lines."""
    refuse(panel, "votes", kinds=("votes",))
    votes = cast(Votes, panel)
    columns = {n: c for n, c in panel_columns(votes).items() if n != "swapped"}
    for name, column in columns.items():
        if isinstance(column, Coded):  # what no file can hold is refused before anything is written
            as_text(column, name, "votes", blank=name in votes.labels and name not in NEEDED)
    values = [c.values() if isinstance(c, Coded) else c.tolist() for c in columns.values()]
    changed = [w == CHANGED for w in votes.labels["swapped"].values()] if "swapped" in votes.labels else []
    with sink.text() as stream:
        for row, cells in enumerate(zip(*values, strict=True)):
            vote = dict(zip(columns, cells, strict=True))
            vote["winner"] = "tie (inconsistent)" if changed and changed[row] else vote["winner"]
            stream.write(json.dumps({n: v for n, v in vote.items() if v is not None}, ensure_ascii=False) + "\n")


def sniff(file: File) -> bool:
    """A first line that names both models and the winner."""
    lines = file.head_lines
    if not lines:
        return False
    if lines[0].lstrip().startswith("{"):
        try:
            row = json.loads(lines[0])
        except (ValueError, RecursionError):
            return False
        return isinstance(row, dict) and set(NEEDED) <= set(row)
    return any(set(NEEDED) <= {clean(n) for n in next(csv.reader([lines[0]], delimiter=d))} for d in DELIMITERS)


VOTES = Format(
    "votes",
    ("votes",),
    "pairwise votes: judge, model_a, model_b, winner",
    ("votes", "orderings", "scores"),
    read,
    write,
    sniff,
    "votes",
    (TASK, ENCODING),
    telling=True,
)
