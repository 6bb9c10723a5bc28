"""Votes as columns, whatever file they come from: what makes a task, who the judge is, and votes as other kinds.

Several columns make one task (``question_id`` and ``turn``: 81-1); questions whose turns are drawn together are kept in
the label ``question``.

Where systems are called as places are (``a``, ``left``, ``1``), a winner may be a name or a place. Where every winner
is one of the two names of its vote, winners are names; that is told as a guess where a place would say otherwise. Where
some winners can only be places, those that could be either are asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.cells import mapped
from quorate.formats.file_parts import Part
from quorate.formats.names import WINS, WON
from quorate.formats.registry import Option, choice
from quorate.panel.base import constant
from quorate.panel.columns import Coded, encode, is_blank, keys, narrow, numbers
from quorate.panel.kinds import ONE_TASK, Orderings, Panel, Scores, Votes
from quorate.panel.reading import Guess
from quorate.panel.votes import NEEDED, by_name, by_place

WINNER = Option(
    "winner",
    "what a winner such as a or b is: name (of a system) or place (the first of the two)",
    choice("name", "place"),
)
TASKS = ("question_id", "turn")  # together


def shape(part: Part, columns: Sequence[str] = (), winner: str | None = None) -> Part:
    """The part with a task and a judge for every vote; ``winner`` says whether winners are names or places."""
    part = with_winners(part, winner)
    usual = [n for n in TASKS if n in part.raw] or [n for n in ("task", "question") if n in part.raw][:1]
    raw = with_task(part, columns or usual)
    raw["judge"], said = _judged(part, raw)
    became = {**part.became, **dict.fromkeys(columns or usual, "task")}
    return replace(part, raw=raw, notes=[*part.notes, *said], became=became)


def named_winners(part: Part) -> Part:
    """Votes with a winner, of those who won and who lost, or of how often each won."""
    return of_counts(part) if WINS[0] in part.raw else of_winners(part)


def of_counts(part: Part) -> Part:
    """Votes that are counted: a row for either system that won, and for ties."""
    known = [n for n in WINS if n in part.raw]
    often = np.concatenate([numbers(part.raw[n], n, part.source) for n in known])
    bad = np.flatnonzero((often < 0) | (often != np.floor(often)))
    if len(bad):
        said = (f"{known[k // len(part)]} {often[k]:g}" for k in bad.tolist())
        raise part.source.error("not how often a system won", bad % len(part), said, "counts are 0, 1, 2, ...")
    rows = np.flatnonzero(often)
    made = part.take(rows % len(part))
    winner = np.array([*NEEDED[:2], "tie"], object)[rows // len(part)]
    raw = {n: c for n, c in made.raw.items() if n not in WINS}
    raw |= {"winner": encode(winner.tolist()), "count": often[rows]}
    return replace(made, raw=raw, became={**part.became, **dict.fromkeys(known, "winner")})


def of_winners(part: Part) -> Part:
    """Votes that name who won and who lost: who was shown first is not known, so the two stand in the order of their
    names, where no place can be told from the systems."""
    won, lost = (encode(part.raw[n]) for n in WON[0])
    systems = len({*won.ids, *lost.ids})
    if systems > len(part):
        raise InputError(
            f"{part.name}: the columns of who won and who lost hold {systems:,} different texts in {len(part):,} rows.",
            "votes name systems, each of which is in several; name them in columns won and lost (--rename).",
        )
    rows = list(zip(won.values(), lost.values(), strict=True))
    sides = [(a, b) if str(a) <= str(b) else (b, a) for a, b in rows]
    raw = {n: c for n, c in part.raw.items() if n not in WON[0]}
    raw |= {"model_a": encode([a for a, _ in sides]), "model_b": encode([b for _, b in sides]), "winner": won}
    return replace(part, raw=raw, became={**part.became, **dict.fromkeys(WON[0], "winner")})


def with_task(part: Part, columns: Sequence[str]) -> dict[str, Any]:
    """The columns with a task that these make."""
    raw = dict(part.raw)
    for name in columns:
        if name not in raw:
            raise InputError(f"{part.name}: no column '{name}'.", f"columns found: {', '.join(map(str, raw))}.")
    if not columns:
        return raw
    task = joined([encode(raw[n]) for n in columns])
    if "question_id" in columns and len(columns) > 1:
        raw["question"] = raw["question_id"]
    return {n: c for n, c in raw.items() if n not in columns} | {"task": task}


def joined(columns: Sequence[Coded]) -> Coded:
    """Several columns as one, their ids joined by a dash."""
    if len(columns) == 1:
        return columns[0]
    _, first, place = np.unique(keys(*columns), return_index=True, return_inverse=True)
    ids = encode(["-".join(str(c[r]) for c in columns) for r in first.tolist()])
    return Coded(ids.ids, narrow(ids.codes[place.ravel()], len(ids.ids)))


def _judged(part: Part, raw: dict[str, Any]) -> tuple[Coded, list[str]]:
    """The judges; where none is named it is the file."""
    name = PurePath(part.name.removesuffix(".gz")).stem
    if "judge" not in raw:
        return constant(name, len(part)), [f"{part.name}: no column names the judge, so it is the file: {name}"]
    judge = encode(raw["judge"])
    if not any(map(is_blank, judge.ids)):
        return judge, []
    said = f"{part.name}: where no judge is named it is the file: {name}"
    return mapped(judge, lambda i: name if is_blank(i) else i), [said]


def even(parts: Sequence[Part]) -> list[Part]:
    """The parts with the same columns; a label that a file has not is blank there."""
    names = dict.fromkeys(n for p in parts for n in p.raw)
    return [replace(p, raw={n: p.raw[n] if n in p.raw else constant(None, len(p)) for n in names}) for p in parts]


def with_winners(part: Part, told: str | None) -> Part:
    """The part with winners that are names wherever they could be names or places."""
    first, second, winner = (encode(part.raw[n]) for n in ("model_a", "model_b", "winner"))
    place, name = by_place(winner), by_name(first, second, winner)
    if told == "place":
        return replace(part, raw=part.raw | {"winner": _names(first, second, winner, place)})
    only_places = np.isnan(name) & ((place == 0) | (place == 1))
    if told == "name" and only_places.any():
        rows = np.flatnonzero(only_places)
        what = (f"winner {winner[r]!r} of {first[r]!r} and {second[r]!r}" for r in rows.tolist())
        raise part.source.error("not the name of a system", rows, what, "--winner place: a is the first of the two.")
    two = (name == 1) & (place == 0) | (name == 0) & (place == 1)
    if told or not two.any() or only_places.any():  # the panel asks about the last
        return part
    row = int(np.flatnonzero(two)[0])
    said = f"the winner is taken as a name, not as a place: '{winner[row]}' of '{first[row]}' and '{second[row]}'"
    other = " (if it is a place: --winner place)"
    return replace(part, guesses=(*part.guesses, Guess(said + other, "--winner name")))


def _names(first: Coded, second: Coded, winner: Coded, place: np.ndarray) -> list[object]:
    """The name of the one in the winning place; ties, and winners that are told otherwise, as they stand."""
    rows = zip(first.values(), second.values(), winner.values(), place.tolist(), strict=True)
    return [w if is_blank(w) else a if p == 1 else b if p == 0 else w for a, b, w, p in rows]


# -- as other kinds --------------------------------------------------------------------------------------------------


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


AS_KIND: Mapping[str, Callable[[Votes], Panel]] = {"orderings": as_orderings, "scores": as_scores}


def as_kind(panel: Panel, kind: str | None) -> Panel:
    """Votes as another kind, if that is asked for."""
    if kind is None or kind not in AS_KIND or not isinstance(panel, Votes):
        return panel
    return replace(AS_KIND[kind](panel), reading=panel.reading)
