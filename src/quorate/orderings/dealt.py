"""What chance gives for agreement: the same rankings with their places dealt anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import Chance, lots, shuffled, stream
from quorate.inference.results import Options
from quorate.kernels.common_items import Common
from quorate.kernels.ranks import complete
from quorate.orderings.pairwise import PAIRWISE, in_pieces, sample_judges
from quorate.panel.stacks import Stack, padded
from quorate.table import Method

Array = NDArray[Any]
WORK = 3 * 10**8  # judge x item-pair comparisons spent, about
BATCH = 1 << 25  # of them at a time
CELLS = 1 << 22  # numbers held at a time for lists with gaps
SOME = 200  # judges that chance is estimated with, where work grows with their square
MANY = 1000  # where it does not
SAMPLE = 2000  # tasks that chance is estimated on
FEW = 200  # with less effort


def chance(parts: Sequence[Stack], method: Method, options: Options) -> Chance | None:
    """The mean value when every ranking's places are dealt anew, and how often it reaches the one seen."""
    if options.permutations < 1:
        return None
    rng = stream(options.seed, "chance", method)
    drawn_tasks = _sample(parts, rng, sample(options))
    chosen = [thin(p, method, SOME) for part in drawn_tasks for p in one_by_one(part, _most(method))]
    seen = _mean(np.concatenate([method(p.positions, p.counts, brief=True).values for p in chosen]))
    if math.isnan(seen):
        return None
    sparse, dense = _apart(chosen, method)
    cost = sum(_cost(p, method) for p in dense) + sum(c.work for _, c in sparse)
    number = int(min(options.permutations, max(WORK // max(cost, 1), 20)))
    dealt = [_dealt(p, method, rng, number) for p in dense]
    dealt += [_in_common(p, common, method, rng, number) for p, common in sparse]
    drawn = np.array([_mean(row) for row in np.concatenate(dealt, axis=1)])
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return None
    reached = int((drawn >= seen - 1e-12).sum())
    return Chance(float(drawn.mean()), (reached + 1) / (len(drawn) + 1), len(drawn))


def _cost(part: Stack, method: Method) -> int:
    """Comparisons that one deal takes: every judge's item pairs, or every two judges' items where that is more."""
    tasks, judges, items = part.shape
    squared = method.name in PAIRWISE and not PAIRWISE[method.name].quick(part.positions)
    return int(tasks * judges * items * max(items, judges // 2 if squared else 0))


def thin(part: Stack, method: Method, most: int) -> Stack:
    """The part with at most so many judges drawn at random, for methods whose work grows with the square of judges."""
    if part.shape[0] > 1 or part.shape[1] <= most or not method.declaration.properties.get("squared"):
        return part
    positions, counts = sample_judges(part.positions, part.counts, most)
    return Stack(part.tasks, part.judges, part.items, positions, counts)


def one_by_one(part: Stack, most: int) -> list[Stack]:
    """The part with a row for every judge, up to about ``most`` rows: who said the same is dealt anew each alone.

    Dealt as a block, judges of one row would go on agreeing with each other, and chance would look like agreement.
    """
    if (part.counts <= 1).all():
        return [part]
    out = []
    for t in range(part.shape[0]):
        row, counts = lots(part.counts[t], most)
        one = part.only(np.array([t]))
        out.append(Stack(one.tasks, one.judges[:, row], one.items, one.positions[:, row], counts[None]))
    return out


def _most(method: Method) -> int:
    return SOME if method.declaration.properties.get("squared") else MANY


def sample(options: Options) -> int:
    """How many tasks chance is estimated on at most."""
    return SAMPLE if options.effort >= 1 else FEW


def _sample(parts: Sequence[Stack], rng: np.random.Generator, most: int) -> list[Stack]:
    """All tasks, or so many drawn at random that chance is known well enough."""
    total = sum(p.shape[0] for p in parts)
    if total <= most:
        return list(parts)
    keep = np.zeros(total, bool)
    keep[rng.choice(total, most, replace=False)] = True
    out, start = [], 0
    for p in parts:
        mask = keep[start : start + p.shape[0]]
        start += p.shape[0]
        if mask.any():
            out.append(p.only(mask))
    return out


def _mean(values: Array) -> float:
    values = values[np.isfinite(values)]
    return float(values.mean()) if len(values) else math.nan


def _dealt(part: Stack, method: Method, rng: np.random.Generator, number: int) -> Array:
    """Values on rankings dealt anew, ``[permutation, task]``; many permutations at a time."""
    tasks, judges, items = part.shape
    step = max(1, BATCH // max(tasks * judges * max(items * items, judges), 1))
    slots = np.argsort(part.positions == 0, axis=2, kind="stable")
    slots = slots[:, :, : int((part.positions > 0).sum(axis=2).max(initial=0))]  # what the lists hold
    lists = np.take_along_axis(part.positions, slots, axis=2)
    out = []
    for a in range(0, number, step):
        size = min(step, number - a)
        rankings = np.zeros((size * tasks, judges, items), part.positions.dtype)
        dealt = shuffled(np.tile(lists, (size, 1, 1)), rng)
        np.put_along_axis(rankings, np.tile(slots, (size, 1, 1)), dealt, axis=2)
        values = method(rankings, np.tile(part.counts, (size, 1)), brief=True).values
        out.append(values.reshape(size, tasks))
    return np.concatenate(out)


# -- lists with gaps, over what every two judges both hold -------------------------------------------------------------


def _measure(method: Method) -> str:
    """What the method is the mean of over pairs of judges, as Common calls it; W comes from the mean rho."""
    if not method.has("missing") or method["missing"] != "unknown":
        return ""
    return "rho" if method.name == "kendall_w" else PAIRWISE[method.name].common if method.name in PAIRWISE else ""


def _apart(parts: Sequence[Stack], method: Method) -> tuple[list[tuple[Stack, Common]], list[Stack]]:
    """The tasks whose lists have gaps, with what their judges have in common; and the others."""
    if not _measure(method):
        return [], list(parts)
    gaps, dense, sparse = [], [], []
    for p in parts:
        whole = complete(p.positions)
        gaps += [p.only(~whole)] if not whole.all() else []
        dense += [p.only(whole)] if whole.any() else []
    for p in padded(gaps):
        pieces = in_pieces(p)
        sparse += [(piece, Common.of(piece.positions)) for piece in pieces]
        dense += [] if pieces else [p]
    return sparse, dense


def _in_common(part: Stack, common: Common, method: Method, rng: np.random.Generator, number: int) -> Array:
    """The same as :func:`_dealt`."""
    step = max(1, CELLS // max(common.lists.size, len(common.lists) * common.pairs))
    out = []
    for a in range(0, number, step):
        dealt = common.dealt(rng, min(step, number - a))
        out.append(common.means(common.correlate(_measure(method), dealt, dealt), part.counts).T)
    values = np.concatenate(out)
    if method.name != "kendall_w":
        return values
    judges = np.maximum(part.counts.sum(axis=1), 1)
    return np.where(part.counts.sum(axis=1) < 2, np.nan, np.maximum((1 + (judges - 1) * values) / judges, 0.0))
