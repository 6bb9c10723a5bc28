"""How good is a system's clustering, by the judges' lights? Against every judge, or against their consensus.

Any measure of two partitions will do, the judge's being the gold standard; for distances (vi, nvi, entropy) the lowest
is best. The systems come as a panel of their own, whose judges are the systems. What to move so that a clustering
agrees with most judges is in :mod:`~quorate.groupings.moves`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.groupings.against import Beside, Pairing, beside, measured, weighted_mean
from quorate.groupings.drawn_judges import drawn_judges
from quorate.groupings.leaderboard_stability import FEWEST, solvable, stability
from quorate.groupings.moves import Advice, Move, explain
from quorate.groupings.nested import CONSENSUS, MEASURE, settled, solving
from quorate.groupings.partitions import LEFT_OUT
from quorate.groupings.solved_tasks import solved_sheet
from quorate.leaderboard import Board, board, drawn_board
from quorate.leading import leads, too_few
from quorate.panel import many
from quorate.panels import Groupings, Panel
from quorate.resample import Chance, Interval, lots, stream
from quorate.results import Answer, Finding, Options, Overall
from quorate.table import Method, method
from quorate.wording import two, voters

__all__ = ["Advice", "Move", "against_consensus", "against_judges", "answer", "explain"]

Array = NDArray[Any]
SOLVED = 100  # resampled panels, when each needs a consensus of its own
WORK = 10**8  # labels compared for what chance gives, about


@method(
    "groupings",
    "quality",
    "against_judges",
    range=(-1, math.inf),
    higher="closer to the judges, unless the measure is a distance",
    default=True,
    parameters={"measure": MEASURE, "left_out": LEFT_OUT},
    symmetric=True,
    relabelling=True,
)
def against_judges(task: Beside, counts: Array, *, measure: str = "v_beta", left_out: str = "bucket") -> Array:
    """The measure of a system's clusters with every judge's as the gold standard, averaged over the judges.

    ``counts[..., judge]`` says how often each judge counts; values are ``[..., system]``.
    """
    return weighted_mean(measured(task.systems, task.sheet.labels, measure, left_out), np.asarray(counts, float))


@method(
    "groupings",
    "quality",
    "against_consensus",
    range=(-1, math.inf),
    higher="closer to the consensus, unless the measure is a distance",
    default=True,
    parameters={"measure": MEASURE, "left_out": LEFT_OUT, "consensus": CONSENSUS},
    symmetric=True,
    relabelling=True,
    solves=True,
)
def against_consensus(
    task: Beside, counts: Array, *, measure: str = "v_beta", left_out: str = "bucket", consensus: str = "pairs"
) -> Array:
    """The measure of a system's clusters with the consensus of the judges as the gold standard.

    Kinder than the judges one by one to systems in the middle: what judges disagree on is decided once.
    """
    by = solving(consensus)
    if np.ndim(counts) == 1 and np.array_equal(counts, task.sheet.counts):
        return np.asarray(measured(task.systems, solved_sheet(task.sheet, by).labels[None], measure, left_out)[0])
    start = solved_sheet(task.sheet, by).labels
    gold = np.stack([solved_sheet(task.sheet, by, c, start).labels for c in np.atleast_2d(counts)])
    return measured(task.systems, gold, measure, left_out).reshape((*np.shape(counts)[:-1], len(task.systems)))


def answer(panel: Groupings, systems: Panel, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and system, and the leaderboard over tasks, best first."""
    if not isinstance(systems, Groupings):
        raise InputError(f"the systems are {systems.kind}.", "judges' groupings need systems' groupings.")
    pairing = beside(panel, systems)
    findings, steady, ceilings = [], [], []
    notes: list[str] = []
    for done, by in enumerate(methods):
        options.tell("quality", done, len(methods))
        values = _values(pairing, by)
        findings.append(_finding(systems, pairing, by, values, options))
        ceilings += _ceiling(pairing, by)
        steady += stability(pairing.tasks, by, values, sign(by), options)
        notes += _undefined(pairing, by, values)
        notes += filter(None, [too_few(findings[-1].overall)])
        if by.declaration.properties.get("solves") and solvable(pairing.tasks) < FEWEST and options.resamples:
            notes.append(f"{by}: too many tasks or items to find the consensus of resampled judges and items anew")
    options.tell("quality", len(methods), len(methods))
    more: dict[str, Any] = {"judges_against_each_other": ceilings} if ceilings else {}
    if steady:
        more["stability"] = steady
    return Answer(
        "groupings",
        "quality",
        len(pairing.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, systems, pairing, findings, ceilings)),
        (*panel.notes, *systems.notes, *_notes(panel, systems, pairing), *dict.fromkeys(notes)),
        more,
    )


def sign(by: Method) -> int:
    """1 where higher is better, -1 for distances."""
    return settled(str(by["measure"]))[0].sign


def _values(pairing: Pairing, by: Method) -> Array:
    """``[task, system]``, NaN where a system did not do the task."""
    return np.stack([np.where(t.there, by(t, t.sheet.counts), np.nan) for t in pairing.tasks])


def _finding(systems: Groupings, pairing: Pairing, by: Method, values: Array, options: Options) -> Finding:
    ranking = _board(pairing, by, values, options)
    dealt = _random(pairing, by, options)
    there = np.stack([t.there for t in pairing.tasks])
    t, s = np.nonzero(there)
    overall = [
        Overall(
            sign(by) * float(ranking.means[k]),
            _turned(ranking.intervals[k], sign(by)),
            _chance(sign(by) * float(ranking.means[k]), dealt, sign(by)),
            labels={
                "system": systems.judges[k],
                "group": ranking.letters[k],
                "tasks": int(ranking.tasks[k]),
                "p_best": _p(ranking, k),
            },
            least=ranking.least,
        )
        for k in ranking.order
    ]
    used = [(x.systems >= 0).sum(axis=1) for x in pairing.tasks]
    clusters = [[len(np.unique(row[row >= 0])) for row in x.systems] for x in pairing.tasks]
    details = {
        "items_used": [int(used[a][b]) for a, b in zip(t, s, strict=True)],
        "clusters": [clusters[a][b] for a, b in zip(t, s, strict=True)],
    }
    keys: dict[str, list[Any]] = {
        "task": [pairing.tasks[k].sheet.task for k in t.tolist()],
        "system": [systems.judges[k] for k in s.tolist()],
    }
    return Finding(by, keys, values[t, s].tolist(), details, tuple(overall))


def _p(ranking: Board, system: int) -> float | None:
    p = float(ranking.p[ranking.order[0], system])
    return None if math.isnan(p) else p


def _turned(interval: Interval | None, by: int) -> Interval | None:
    if interval is None or by > 0:
        return interval
    return Interval(-interval.high, -interval.low, interval.level, interval.by, interval.resamples)


def _board(pairing: Pairing, by: Method, values: Array, options: Options) -> Board:
    """Over tasks; of a single task, over judges drawn anew. Distances are turned, so that the best come first."""
    if len(values) > 1:
        return board(sign(by) * values, by, seed=options.seed, level=options.level, resamples=options.resamples)
    task = pairing.tasks[0]
    drawn = np.full((1, values.shape[1]), np.nan)
    if int(task.sheet.counts.sum()) > 2 and options.resamples:
        number = options.resamples
        if by.declaration.properties.get("solves"):
            number = min(number, SOLVED, solvable(pairing.tasks))
        if number:
            judges = drawn_judges(task.sheet.counts, stream(options.seed, "judges", by), number)
            drawn = by(task, judges.times)
    seen = np.append(values[np.isfinite(values)], drawn[np.isfinite(drawn)]) * sign(by)
    inside = (float(seen.min()), float(seen.max())) if len(seen) else None
    number = int(task.sheet.counts.sum())
    return drawn_board(sign(by) * values[0], sign(by) * drawn, options.level, "judges", inside, number)


def _random(pairing: Pairing, by: Method, options: Options) -> Array:
    """What random clusterings like the judges' reach, averaged over tasks, ``[draw]``; few enough tasks to be quick."""
    size = sum(t.sheet.labels.size for t in pairing.tasks)
    number = int(min(options.permutations, max(WORK // max(size, 1), 1)))
    if not number:
        return np.zeros(0)
    rng = stream(options.seed, "chance", by)
    drawn = []
    for t in pairing.tasks:
        labels = t.sheet.labels[lots(t.sheet.counts)[0]]
        some = rng.permuted(labels[rng.integers(len(labels), size=number)], axis=1)  # a judge's sizes, dealt anew
        drawn.append(by(t.with_systems(some), t.sheet.counts))
    table = np.stack(drawn)
    of = (~np.isnan(table)).sum(axis=0)
    means = np.divide(np.nansum(table, axis=0), of, out=np.full(number, np.nan), where=of > 0)
    return np.asarray(means[~np.isnan(means)])


def _chance(value: float, dealt: Array, by: int) -> Chance | None:
    if not len(dealt) or math.isnan(value):
        return None
    reached = int((by * dealt >= by * value - 1e-12).sum())
    return Chance(float(dealt.mean()), (reached + 1) / (len(dealt) + 1), len(dealt))


def _ceiling(pairing: Pairing, by: Method) -> list[dict[str, Any]]:
    """What a judge reaches against the other judges: as good as a system can be expected to be."""
    if by.name != "against_judges":
        return []
    means = []
    for t in pairing.tasks:
        square = measured(t.sheet.labels, t.sheet.labels, str(by["measure"]), str(by["left_out"]))
        weight = np.outer(t.sheet.counts, t.sheet.counts) - np.diag(t.sheet.counts)
        use = (weight > 0) & ~np.isnan(square)
        if use.any():
            means.append(float(np.average(square[use], weights=weight[use])))
    return [{"method": str(by), "value": sum(means) / len(means) if means else math.nan}]


# -- words -------------------------------------------------------------------------------------------------------------


def _undefined(pairing: Pairing, by: Method, values: Array) -> Iterator[str]:
    there = np.stack([t.there for t in pairing.tasks])
    undefined = int(np.isnan(values[there]).sum())
    if 0 < undefined < int(there.sum()):  # else a sentence says it
        yield f"{by}: undefined for {undefined:,} of {int(there.sum()):,} clusterings, which are left out of the means"


def _notes(panel: Groupings, systems: Groupings, pairing: Pairing) -> Iterator[str]:
    for what, ids in (("no system's clustering", pairing.undone), ("clusterings but no judge", pairing.unjudged)):
        if ids:
            one = len(ids) == 1
            shown = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
            yield f"{len(ids)} task{'' if one else 's'} ({shown}) {'has' if one else 'have'} {what} and left aside"
    if pairing.unknown:
        yield f"{pairing.unknown:,} of {pairing.rows:,} items in systems' groups are known to no judge and left aside"
    done = np.stack([t.there for t in pairing.tasks]).sum(axis=0)
    partly = [(s, int(n)) for s, n in zip(systems.judges, done, strict=True) if n < len(pairing.tasks)]
    for system, n in partly[:5]:
        yield f"system {system} did {n} of {len(pairing.tasks)} tasks; its mean is over those"
    if len(partly) > 5:
        yield f"{len(partly) - 5} more systems did not do every task"
    for name, repeats in (("judges", panel.repeats), ("systems", systems.repeats)):
        if repeats:
            yield f"{many(repeats, 'repeat')} of the {name} left aside: on a task the first grouping counts"
    if len(pairing.tasks) == 1:
        yield "one task only: intervals and differences are over judges, not tasks"


def _sentences(
    panel: Groupings,
    systems: Groupings,
    pairing: Pairing,
    findings: Sequence[Finding],
    ceilings: Sequence[dict[str, Any]],
) -> Iterator[str]:
    said = f"{many(len(systems.judges), 'system')} on {many(len(pairing.tasks), 'task')}"
    yield f"{said}, judged by {many(voters(panel), 'judge')}."
    top = {c["method"]: c["value"] for c in ceilings}
    for f in findings:
        yield _best(f, top.get(str(f.method), math.nan))


def _best(f: Finding, ceiling: float) -> str:
    """Who leads by a method, who cannot be told from the leader, and what a judge reaches."""
    judge = "" if math.isnan(ceiling) else f"; a judge against the others has {two(ceiling)}"
    return leads(f.overall, f"{f.overall[0].labels['system']} is best by {f.method}", str(f.method), also=judge)
