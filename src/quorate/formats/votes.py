"""Pairwise votes: one line per vote, JSON or a table with the columns ``judge, model_a, model_b, winner``.

A vote is an ordering of two items; a tie keeps both in the first place. Its task is the question, the turn and the
pair: judges agree or not about a pair. As scores, the winner of a vote gets 1, the loser 0, and each side of a tie 0.5;
their mean is the win rate. Question and turn are the task then, and the pair is the item. The label ``shown`` says
which of the two was shown first. Of judges who give one verdict on both orders together ("tie (inconsistent)" where
they differ), the label ``swapped`` says whether the verdict changed.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from quorate.errors import InputError
from quorate.formats.delimited import DELIMITERS, records
from quorate.formats.files import File, Sink, bad_lines
from quorate.formats.jsonl import half
from quorate.formats.limits import as_text, refuse
from quorate.formats.parts import Part, assemble, judgments
from quorate.formats.registry import ENCODING, Format, Option, empty, listed
from quorate.panel.columns import encode
from quorate.panel.kinds import ONE_TASK, Orderings, Panel

NEEDED = ("model_a", "model_b", "winner")
FIRST = ("model_a", "a", "A", "1", "left")
SECOND = ("model_b", "b", "B", "2", "right")
TIES = ("tie", "both", "draw", "bothbad")  # and "tie" with a reason, such as "tie (inconsistent)"
LEFT_ASIDE = ("error", "", None)
TASK = Option("task", "the columns that make a task; by default question_id and turn, or task", listed)


def read(
    files: Sequence[File], kind: str | None, *, task: Sequence[str] | None = None, encoding: str = "utf-8"
) -> Panel:
    """A panel from files of votes: orderings of two items, or scores 1, 0.5 and 0."""
    return assemble(kind or "orderings", [_read_one(f, kind or "orderings", task, encoding) for f in files])


def _read_one(file: File, kind: str, task: Sequence[str] | None, encoding: str) -> Part:
    rows: list[tuple[Any, ...]] = []
    bad: list[tuple[int | None, str]] = []
    seen: dict[tuple[Any, ...], int] = {}
    aside = 0
    changed: set[int] = set()  # numbers of the votes
    for line, vote in _votes(file, encoding, bad):
        place = _task(file, vote, task)
        judge = vote.get("judge") if vote.get("judge") not in (None, "") else file.stem
        a, b, winner = (vote.get(n) for n in NEEDED)
        if any(isinstance(v, list | dict) for v in (place, judge, a, b, winner)):
            bad.append((line, "a list or an object where a name belongs"))
            continue
        if winner in LEFT_ASIDE:
            aside += 1
            continue
        score = _score(winner, a, b)
        if score is None or a in (None, "") or b in (None, "") or a == b:
            bad.append((line, f"winner {winner!r} of {a!r} and {b!r}"))
            continue
        pair = " vs ".join(sorted((str(a), str(b))))
        if kind == "orderings" and not str(place).endswith(pair):  # votes on other pairs are no repeats of this one
            place = pair if place == ONE_TASK else f"{place}: {pair}"
        if "inconsistent" in str(winner).lower():
            changed.add(len(rows) // 2)
        key = (place, judge, pair)
        occasion = seen[key] = seen.get(key, 0) + 1
        for item, mine, shown in ((a, score, 1), (b, 1 - score, 2)):
            position = 1.0 if mine >= 0.5 else 2.0
            rows.append((place, judge, item, pair, position if kind == "orderings" else mine, occasion, shown, line))
    if bad:
        raise bad_lines(file.name, "not a vote", bad, "winner is model_a, model_b, tie, or one of the two names.")
    if not rows:
        raise empty(file.name, "no votes")
    task_, judge_, item_, pair_, value, occasion_, shown_, lines = zip(*rows, strict=True)
    raw: dict[str, Any] = {"task": encode(task_), "judge": encode(judge_), "occasion": encode(occasion_)}
    raw["shown"] = encode(shown_)
    if changed:
        both = {judge_[2 * k] for k in changed}  # who give one verdict on both orders
        said = ["changed" if k in changed else "same" if judge_[2 * k] in both else None for k in range(len(rows) // 2)]
        raw["swapped"] = encode([word for word in said for _ in range(2)])
    if kind == "orderings":
        raw |= {"item": encode(item_), "position": np.array(value, np.float64)}
    else:
        raw |= {"item": encode(pair_), "system": encode(item_), "score": np.array(value, np.float64)}
    notes = [f"{aside:,} votes without a winner are left aside"] if aside else []
    if changed:
        notes.append(f"{len(changed):,} of {len(rows) // 2:,} verdicts changed when places were swapped; they are ties")
    return Part(file.name, raw, np.array(lines, np.int64), notes)


def _votes(file: File, encoding: str, bad: list[tuple[int | None, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
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
                yield number, row


def _table(
    file: File, rows: Iterator[tuple[int, list[str]]], bad: list[tuple[int | None, str]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    names = [n.strip() for n in next((fields for _, fields in rows if fields), [])]
    twice = sorted({n for n in names if n and names.count(n) > 1})
    if twice:
        raise InputError(f"{file.name}: two columns have the same name: {', '.join(twice)}.", "rename one of them.")
    for line, fields in rows:
        if fields and len(fields) != len(names):
            bad.append((line, f"{len(fields)} fields where the first line has {len(names)}"))
        elif fields:
            yield line, dict(zip(names, fields, strict=True))


def _task(file: File, vote: dict[str, Any], columns: Sequence[str] | None) -> Any:
    if columns is None:
        columns = [n for n in ("question_id", "turn") if n in vote] or [n for n in ("task", "question") if n in vote][
            :1
        ]
    missing = [n for n in columns if n not in vote]
    if missing:
        raise InputError(f"{file.name}: no column '{missing[0]}'.", f"columns found: {', '.join(map(str, vote))}.")
    if len(columns) == 1:
        return vote[columns[0]]
    return "-".join(str(vote[n]) for n in columns) if columns else ONE_TASK


def _score(winner: Any, a: Any, b: Any) -> float | None:
    """What the first one gets; None where nobody can tell: a model called 'a' that stands second."""
    first, second = winner in FIRST or winner == a, winner in SECOND or winner == b
    if first or second:
        return None if first and second else float(first)
    word = str(winner).lower()
    return 0.5 if word in TIES or word.startswith("tie (") else None


def write(panel: Panel, sink: Sink) -> None:
    """Orderings of two items as votes, one JSON object per line; the first is the one shown first, if that is known."""
    refuse(panel, "votes", kinds=("orderings",), counts=True)
    extra = set(panel.labels) - {"shown", "swapped"}
    if extra:
        raise InputError(f"votes cannot hold the labels {', '.join(sorted(extra))}.", "csv holds them.")
    panel = cast(Orderings, panel)
    tasks, judges, items = (
        as_text(c, n, "votes") for c, n in zip(_columns(panel), ("task", "judge", "item"), strict=True)
    )
    shown = panel.labels["shown"].values() if "shown" in panel.labels else [0] * len(panel)
    out = []
    for row, groups in judgments(panel):
        flat = [i for g in groups for i in g]
        if len(flat) != 2:
            raise InputError(f"a vote has two items, an ordering here has {len(flat)}.", "csv holds it.")
        first, second = (row, row + 1) if str(shown[row]) <= str(shown[row + 1]) else (row + 1, row)
        same = panel.value[first] == panel.value[second]
        changed = "swapped" in panel.labels and panel.labels["swapped"][row] == "changed"
        tie = "tie (inconsistent)" if changed else "tie"
        winner = tie if same else "model_a" if panel.value[first] < panel.value[second] else "model_b"
        vote = {"judge": judges[panel.judge.codes[row]], "model_a": items[panel.item.codes[first]]}
        vote |= {"model_b": items[panel.item.codes[second]], "winner": winner}
        if panel.tasks != (ONE_TASK,):
            vote["task"] = tasks[panel.task.codes[row]]
        out.append(json.dumps(vote, ensure_ascii=False))
    with sink.text() as stream:
        stream.writelines(line + "\n" for line in out)


def _columns(panel: Orderings) -> tuple[Any, Any, Any]:
    return panel.task, panel.judge, panel.item


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
    return any(set(NEEDED) <= {n.strip() for n in next(csv.reader([lines[0]], delimiter=d))} for d in DELIMITERS)


VOTES = Format(
    "votes",
    ("votes",),
    "pairwise votes: judge, model_a, model_b, winner",
    ("orderings", "scores"),
    read,
    write,
    sniff,
    "votes",
    (TASK, ENCODING),
    telling=True,
)
