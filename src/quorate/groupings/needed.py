"""How many judges does it take until another panel would make the same groups?

A pair of items is together by the share of the judges who put it together, and the consensus of a panel is found from
these shares: the partition with the highest mean adjusted Rand index with the judges, about. Two panels agree as far as
their partitions do, by the same index. Beyond half of the judges at hand shares are expected to be those of the groups
that two items are of, as distinct as any two judges are alike. An item may be of two groups, as likely as judges' sorts
make it (:mod:`mixed_membership`), and two groups may be nearer than others, as far as that is more than noise.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.mixed_membership import Memberships, memberships_of_each
from quorate.groupings.nested import measuring
from quorate.groupings.pairwise import pair_values
from quorate.groupings.partition_program import LOCAL, search
from quorate.kernels.defined import quotient
from quorate.panel.design import Trusted
from quorate.panel.grouping_design import GroupingDesign
from quorate.table import Note, method, number

Array = NDArray[Any]
TASKS = 10  # at most, drawn at random
PANELS = 40  # made to know how far panels of as many judges are off
MADE = 100  # judges made who err as those at hand do, and not as these few happened to
ROUNDS = 3  # of finding the partition and the bar that it sets
WHOLE = 10_000  # shares are searched as whole numbers
NONE = 1e-9  # a spread nearer to 0 is rounding
DIGITS = 9  # of shares: those that differ by rounding alone are level
CURVE = 60  # judges that the curve is told for, at the most


@method(
    "groupings",
    "trust",
    "judges_needed",
    range=(1, math.inf),
    higher="more judges are needed",
    default=True,
    parameters={
        "target": number("adjusted Rand index of two panels' consensus that is wanted", 0, 0.999, open_low=True)
    },
    relabelling=True,
    note=Note(
        "Planning: how many judges until another panel would make the same groups?",
        "Beyond half of the judges at hand it is an extrapolation: with few of them believe the interval only.",
        "smallest k for which the consensus partitions of two panels of k judges have an adjusted Rand index of target "
        "or more on average; panels drawn without replacement for 2k <= N; beyond, from shares of pairs as those of "
        "groups as distinct as two judges are alike, with items that may be of two, plus residuals; partitions "
        "without a group agree by 0",
    ),
)
def judges_needed(design: GroupingDesign, core: Any, *, target: float = 0.9) -> Trusted:
    """Judges it takes until another panel's consensus partition is as much the same as wanted, by adjusted Rand.

    Judges are always drawn; with ``over=tasks`` tasks are drawn, too.
    """
    over = core.over(design, "judges", "tasks", "tasksxjudges")
    labels: dict[str, Any] = {"target": target, "one_judge": math.nan, "judges": int(np.median(design.judges_of_task))}
    small = np.flatnonzero(_items(design) <= LOCAL)
    some = core.some_tasks(design.some_tasks(small), TASKS, "needed") if len(small) else None
    by_size: dict[int, list[tuple[Array, Array, Array]]] = {}
    for p in some.parts if some is not None else ():
        by_size.setdefault(p.shape[2], []).append((together_or_not(p.labels), p.counts, p.judges))
    keys: dict[str, list[int]] = {"judges": []}
    every = [part for parts in by_size.values() for part in parts]
    found = core.repeatability(every, agreement, "judges_needed", around=expected) if every else None
    if not found:
        return Trusted(keys, [], [core.figure(math.nan, labels)], about=labels)
    needed, labels["one_judge"] = found.needed(target), found.at(1)
    drawn = "tasksxjudges" if "tasks" in over else "judges"
    ends = core.ends(needed.low, needed.high, drawn) if core.options.resamples else None
    most = int(min(max(needed.value if math.isfinite(needed.value) else 0, labels["judges"], 2), CURVE))
    keys["judges"] = sorted({min(round(1.5**k), most) for k in range(12)})
    values = [found.at(k) for k in keys["judges"]]
    about = {**labels, "of_two": _of_two(design)} if len(design.tasks) == 1 else labels
    return Trusted(keys, values, [core.figure(needed.value, labels, ends)], about=about)


def _of_two(design: GroupingDesign) -> list[Hashable]:
    """The items of a design of one task that belong to two groups."""
    (part,) = design.parts
    values, count = together_or_not(part.labels)[:, :, : math.comb(part.shape[2], 2)], part.counts[0].astype(float)
    (found,) = _distinct(values, count)
    items = np.asarray(design.items_of_task[0])
    return [design.items[int(i)] for i in items[found.members.of_two]]


def _items(design: GroupingDesign) -> Array:
    """How many items each task has."""
    return np.array([len(design.items_of_task[t]) for t in range(len(design.tasks))])


def together_or_not(labels: Array) -> Array:
    """1 for every two items that a judge puts together, 0 if apart, NaN unless both are used; then the same of apart.

    ``[task, judge, 2 pair]`` from ``labels[task, judge, item]``. With both the mean is one half, whatever the judges
    say: it can be taken away, and the difference of the two is still the majority for together.
    """
    first, second = np.triu_indices(labels.shape[2], 1)
    a, b = labels[:, :, first], labels[:, :, second]
    same = np.where((a >= 0) & (b >= 0), (a == b).astype(float), np.nan)
    return np.concatenate([same, 1 - same], axis=2)


def expected(answers: Any, rng: np.random.Generator, truths: int) -> tuple[Array, ...]:
    """What the groups of all judges let expect of every pair, ``2 pair`` items: how often any two are together, how
    much more or less often those of one group and of two, and the same of items that may be of two groups, as they are
    drawn; the relative error of that; of which two groups each pair is, for some groups are nearer than others; and
    what judges say who err so.

    Groups found from few judges are partly wrong, which is not seen from how often their items are together. So how
    distinct groups are is told by how alike any two judges are, whichever groups there are; and panels of as many
    judges are made who sort into such groups and err, and nothing else. The errors of few judges, drawn again and
    again, would lead larger panels astray together: those of many such judges do not.
    """
    tasks, _, both = answers.values.shape
    level, more, block = np.empty((tasks, both)), np.empty((tasks, both)), np.empty((tasks, both), np.int64)
    drawn, error = np.empty((tasks, truths, both)), np.empty((tasks, PANELS))
    alike = np.empty((tasks, MADE, both))
    for t in range(tasks):
        values, count = answers.values[t, :, : both // 2], answers.counts[t].astype(float)
        ((members, apart, usual, shape, pair),) = _distinct(values[None], count)
        made = _erring(members, apart, (PANELS, len(count)), rng)
        again = _distinct(np.where(np.isnan(values), np.nan, _pairs(made)), count)
        error[t] = quotient(np.array([other.apart for other in again]), apart, otherwise=0.0) - 1
        level[t], more[t] = np.repeat([usual, 1 - usual], both // 2), _both(apart * shape)
        drawn[t] = _both(apart * _centred(members.drawn(truths, rng), np.isfinite(values).any(axis=0)))
        used = np.isfinite(values)[np.searchsorted(np.cumsum(count), (np.arange(MADE) + 0.5) / MADE * count.sum())]
        sorts = np.where(used, _pairs(_erring(members, apart, (1, MADE), rng)[0]), np.nan)
        alike[t] = np.concatenate([sorts, 1 - sorts], axis=1)
        block[t] = np.concatenate([pair, np.where(pair < 0, -1, pair + pair.max() + 1)])
    return level, more, drawn, error, block, alike


class _Distinct(NamedTuple):
    """What is known of a panel's groups."""

    members: Memberships
    apart: float  # how much more often items of a group are together than others
    usual: float  # how often any two are
    shape: Array  # [pair] how much of that more there is in each, less the mean
    groups: Array  # [pair] a number for the two groups that it is of


def _distinct(values: Array, count: Array) -> list[_Distinct]:
    """Of panels ``[panel, judge, pair]``."""
    of = np.einsum("j,bjp->bp", count, np.isfinite(values))
    share = quotient(np.einsum("j,bjp->bp", count, np.nan_to_num(values)), of)
    found = _partitions(np.concatenate([share, 1 - share], axis=1))
    first, second = np.triu_indices(found.shape[1], 1)
    out = []
    sorts = [_labels(own, found.shape[1]) for own in values]
    each = [_no_finer(*one, count) for one in zip(found, share, sorts, strict=True)]
    every = memberships_of_each(sorts, count, each)
    for members, partition, s, n in zip(every, each, share, of, strict=True):
        usual = float(np.nanmean(s))
        spread = quotient(s * (1 - s), n - 1, otherwise=math.nan)  # what noise adds to the square of a share
        there = np.isfinite(spread)
        mean, square = members.together()
        size = (square * there).sum() - quotient((mean * there).sum() ** 2, there.sum(), otherwise=0.0)
        signal = np.nansum((s - usual) ** 2 - spread) / size if size > NONE else 0.0
        low, high = np.sort([partition[first], partition[second]], axis=0)
        block = np.where(low < high, np.unique(low * found.shape[1] + high, return_inverse=True)[1], -1)
        apart = min(math.sqrt(max(float(signal), 0.0)), 1.0)
        out.append(_Distinct(members, apart, usual, _centred(mean, there), block))
    return out


def _no_finer(partition: Array, share: Array, labels: Array, counts: Array) -> Array:
    """The partition with no more groups than most judges make of what they used: the smallest is dissolved as long as
    there are more. Noise of few judges leaves items alone that no judge does, and groups of few need more judges."""
    first, second = np.triu_indices(len(partition), 1)
    square = np.zeros((len(partition), len(partition)))
    square[first, second] = square[second, first] = np.nan_to_num(share)
    used = labels >= 0
    own = (np.diff(np.sort(labels, axis=1), axis=1, prepend=-1) > 0).sum(axis=1)  # what is not used is -1
    while partition.max() > 1:
        member = partition[:, None] == np.arange(partition.max() + 1)
        if 2 * (counts * ((used @ member).sum(axis=1) > own)).sum() <= counts.sum():
            break
        mean, least = np.round(square @ member / member.sum(axis=0), DIGITS), member.sum(axis=0).argmin()
        mean[:, least] = -1.0
        partition = np.where(partition == least, mean.argmax(axis=1), partition)
        partition -= partition > least
    return partition


def _labels(together: Array, items: int) -> Array:
    """Sorts ``[judge, item]`` that put items together as ``together[judge, pair]`` says: every item has the number of
    the first that is with it, -1 where it is not used."""
    first, second = np.triu_indices(items, 1)
    square = np.full((len(together), items, items), math.nan)
    square[:, first, second] = square[:, second, first] = together
    used, every = np.isfinite(square).any(axis=2), np.arange(items)
    square[:, every, every] = 1.0
    return np.where(used, (square == 1).argmax(axis=2), -1)


def _centred(together: Array, known: Array) -> Array:
    """How often two items go together, ``[..., pair]``, less the mean of those that are known; 0 of the others."""
    mean = quotient((together * known).sum(axis=-1, keepdims=True), known.sum(), otherwise=0.0)
    return np.where(known, together - mean, 0.0)


def _both(more: Array) -> Array:
    """For together, and for apart."""
    return np.concatenate([more, -more], axis=-1)


def _erring(members: Memberships, apart: float, size: tuple[int, int], rng: np.random.Generator) -> Array:
    """Sorts ``[panel, judge, item]`` of judges who know the groups, and put so many items anywhere that it is
    ``apart``."""
    home = members.sorted(size, rng)
    kept = rng.random(home.shape) < math.sqrt(apart)
    anywhere = rng.integers(home.shape[2], size=home.shape)
    return np.where(kept, home, np.take_along_axis(home, anywhere, axis=2))


def _pairs(labels: Array) -> Array:
    """1 for every two items together, 0 if apart, ``[..., pair]``."""
    first, second = np.triu_indices(labels.shape[-1], 1)
    return np.asarray((labels[..., first] == labels[..., second]).astype(float))


def agreement(first: Array, second: Array) -> Array:
    """The adjusted Rand index of the partitions of shares ``[draw, 2 pair]``; 0 where both leave every item alone."""
    one, two = (_partitions(x) for x in (first, second))
    every = np.arange(len(one))
    (found,) = pair_values([measuring("adjusted_rand")], one, two, every, every)
    items = one.shape[1]
    return np.where((one.max(axis=1) == items - 1) & (two.max(axis=1) == items - 1), 0.0, found.forward)


def _partitions(shares: Array) -> Array:
    """The partitions of shares ``[draw, 2 pair]`` whose mean adjusted Rand index with the judges is highest, about.

    Items are put together where judges do so more often than a bar that chance sets: with the mean share of all pairs
    a, and r the index that the partition has, one pair more raises it where its share is above a + r (1/2 - a). So the
    bar is set by the partition, and the partition found anew. Pairs of which nothing is known do not count.
    """
    pairs = shares.shape[1] // 2
    items = round((1 + math.sqrt(1 + 8 * pairs)) / 2)
    share = (1 + shares[:, :pairs] - shares[:, pairs:]) / 2
    known = np.isfinite(share)
    share = np.where(known, np.round(share, DIGITS), 0.0)
    usual = quotient(share.sum(axis=1), known.sum(axis=1), otherwise=0.5)
    first, second = np.triu_indices(items, 1)
    place = np.full((items, items), pairs)  # of every two items; of an item with itself there is a column of zeros
    place[first, second] = place[second, first] = np.arange(pairs)
    found, index = np.zeros((len(shares), items), np.int64), np.zeros(len(shares))
    bar, left = usual, np.arange(len(shares))
    for _ in range(ROUNDS):
        own, there = share[left], known[left]
        margin = np.zeros((len(left), pairs + 1), np.float32)
        margin[:, :pairs] = np.rint(WHOLE * np.round(own - bar[left, None], DIGITS))
        margin[:, :pairs] += np.sign(own - 0.5)  # of equals, the majority
        margin[:, :pairs] *= there
        found[left] = search(margin.take(place, axis=1), np.zeros((len(left), 0, items), np.int64))
        inside = (found[left][:, first] == found[left][:, second]) & there
        index[left] = _index(own, inside, there.sum(axis=1), usual[left])
        before, bar = bar, usual + index * (0.5 - usual)
        left = np.flatnonzero(bar != before)  # where the bar is the same, so is the partition
    return found


def _index(share: Array, inside: Array, pairs: Array, usual: Array) -> Array:
    """The adjusted Rand index of partitions that put the pairs ``inside`` together with judges of these shares."""
    together = inside.sum(axis=1)
    chance = usual * together
    least = (usual * pairs + together) / 2 - chance
    return np.clip(quotient((share * inside).sum(axis=1) - chance, least, otherwise=0.0), 0.0, 1.0)
