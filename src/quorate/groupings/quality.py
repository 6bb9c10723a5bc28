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
from quorate.groupings.against import Lot, Pairing, beside, lots, measured, weighted_mean
from quorate.groupings.consensus_partition import consensus as consensus_of
from quorate.groupings.drawn_judges import drawn_judges
from quorate.groupings.leaderboard_stability import FEWEST, solvable, stability, too_long
from quorate.groupings.moves import Advice, Move, explain
from quorate.groupings.nested import CONSENSUS, MEASURE, reach, settled, solving
from quorate.groupings.task_consensus import solved_sheets
from quorate.inference.board import Board, board, drawn_board
from quorate.inference.resample import Chance, Interval, stream
from quorate.inference.resample import lots as one_by_one
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.kernels.partition_labels import dense
from quorate.panel.base import many
from quorate.panel.kinds import Groupings, Panel
from quorate.panel.partitions import LEFT_OUT
from quorate.table import Method, method
from quorate.words.leading import leads, too_few
from quorate.words.wording import LEFT_OUT as LEFT_OUT_WORDS
from quorate.words.wording import two, voters

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
def against_judges(lot: Lot, times: Array | None = None, *, measure: str = "v_beta", left_out: str = "bucket") -> Array:
    """The measure of a system's clusters with every judge's as the gold standard, averaged over the judges.

    ``times[task, draw, judge]`` says how often each judge counts, by default as the panel has it, in one draw; values
    are ``[task, draw, system]``.
    """
    weights = lot.counts[:, None] if times is None else times
    return weighted_mean(measured(lot.systems, lot.labels, measure, left_out), weights.astype(float))


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
    lot: Lot,
    times: Array | None = None,
    *,
    measure: str = "v_beta",
    left_out: str = "bucket",
    consensus: str = "pairs",
) -> Array:
    """The measure of a system's clusters with the consensus of the judges as the gold standard.

    Kinder than the judges one by one to systems in the middle: what judges disagree on is decided once.
    """
    by = solving(consensus)
    whole = lot.consensus(by)
    if times is None and lot.items is None:
        return measured(lot.systems, whole[:, None], measure, left_out)
    weights = lot.counts[None] if times is None else times.transpose(1, 0, 2)
    gold = consensus_of(by, lot.labels, weights, whole).transpose(1, 0, 2)
    return measured(lot.systems, gold, measure, left_out)


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
        notes += filter(None, [too_long(pairing.tasks, by, options)])
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
    systems = len(pairing.tasks[0].there)
    if by.declaration.properties.get("solves"):  # all at once: proofs are shared out among the tasks
        solved_sheets([t.sheet for t in pairing.tasks], solving(str(by["consensus"])))
    out = np.empty((len(pairing.tasks), systems))
    for lot in lots(pairing.tasks, systems):
        out[lot.tasks] = np.where(lot.there, by(lot)[:, 0], np.nan)
    return out


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
    clusters = [(dense(x.systems).max(axis=1, initial=-1) + 1).tolist() for x in pairing.tasks]
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
    turned, level, resamples = sign(by) * values, options.level, options.resamples
    low, high = sorted(sign(by) * end for end in reach(str(by["measure"])))
    if len(values) > 1:
        return board(turned, by, seed=options.seed, level=level, resamples=resamples, range=(low, high))
    task = pairing.tasks[0]
    drawn = np.full((1, values.shape[1]), np.nan)
    if int(task.sheet.counts.sum()) > 2 and options.resamples:
        number = options.resamples
        if by.declaration.properties.get("solves"):
            number = min(number, SOLVED, solvable(pairing.tasks))
        if number >= min(FEWEST, options.resamples):
            judges = drawn_judges(task.sheet.counts, stream(options.seed, "judges", by), number)
            drawn = by(next(lots(pairing.tasks)), judges.times[None])[0]
    number = int(task.sheet.counts.sum())
    return drawn_board(turned[0], sign(by) * drawn, level, "judges", (low, high), number)


def _random(pairing: Pairing, by: Method, options: Options) -> Array:
    """What random clusterings like the judges' reach, averaged over tasks, ``[draw]``; few enough tasks to be quick."""
    size = sum(t.sheet.labels.size for t in pairing.tasks)
    number = int(min(options.permutations, max(WORK // max(size, 1), 1)))
    if not number:
        return np.zeros(0)
    rng = stream(options.seed, "chance", by)
    table = np.empty((len(pairing.tasks), number))
    for lot in lots(pairing.tasks, number):
        rows = np.stack([_any_judges(counts, number, rng) for counts in lot.counts])
        some = np.take_along_axis(lot.labels, rows[:, :, None], axis=1)
        table[lot.tasks] = by(lot.with_systems(rng.permuted(some, axis=2)))[:, 0]  # a judge's sizes, dealt anew
    of = (~np.isnan(table)).sum(axis=0)
    means = np.divide(np.nansum(table, axis=0), of, out=np.full(number, np.nan), where=of > 0)
    return np.asarray(means[~np.isnan(means)])


def _any_judges(counts: Array, number: int, rng: np.random.Generator) -> Array:
    """So many judges' rows, each judge as likely, those that one row stands for included."""
    rows = one_by_one(counts)[0]
    return np.asarray(rows[rng.integers(len(rows), size=number)])


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
    for lot in lots(pairing.tasks, max(len(t.sheet.judges) for t in pairing.tasks)):
        others = lot.counts[:, None] - np.eye(lot.counts.shape[1], dtype=np.int64)  # of a row's judges one is looked at
        square = measured(lot.labels, lot.labels, str(by["measure"]), str(by["left_out"]))
        weight = lot.counts[:, :, None] * others
        use = (weight > 0) & ~np.isnan(square)
        total, of = (np.where(use, x, 0.0).sum(axis=(1, 2)) for x in (square * weight, weight))
        means += (total[of > 0] / of[of > 0]).tolist()
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
    gone = any((t.sheet.labels < 0).any() or (t.systems < 0).any() for t in pairing.tasks)
    for f in findings:
        yield _best(f, top.get(str(f.method), math.nan), gone)


def _best(f: Finding, ceiling: float, gone: bool) -> str:
    """Who leads by a method, who cannot be told from the leader, and what a judge reaches."""
    if all(math.isnan(o.value) for o in f.overall):
        return f"{f.method} is undefined for every system."
    judge = "" if math.isnan(ceiling) else f"; a judge against the others has {two(ceiling)}"
    how = _words(f.method, gone)
    return leads(f.overall, f"{f.overall[0].labels['system']} is best by {how}", how, also=judge)


def _words(by: Method, gone: bool) -> str:
    """What a method does, in words; what becomes of left-out items only where there are some."""
    left = f" with left-out items {LEFT_OUT_WORDS[str(by['left_out'])]}" if gone else ""
    if by.name == "against_judges":
        return f"{by['measure']} against every judge{left}"
    made = "" if by["consensus"] == "pairs" else f" by {by['consensus']}"
    return f"{by['measure']} against the consensus{made}{left}"
