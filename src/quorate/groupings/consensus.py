"""What do the judges agree on? A partition of the items, with how well each item and group is supported.

The methods are declared here; how partitions are found is in :mod:`~quorate.groupings.consensus_partition`, which
tells small from large; the counts that they work on in :mod:`~quorate.groupings.association`, what is behind a
partition in :mod:`~quorate.groupings.consensus_support`, and the order of groups by importance in
:mod:`~quorate.groupings.importance`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import LimitReached
from quorate.groupings.association import ITEMS, Association
from quorate.groupings.consensus_partition import check_room, ends_soon, renumbered, search_cost, solved
from quorate.groupings.consensus_partition import consensus as drawn_consensus
from quorate.groupings.consensus_support import Supported, agreed, stays, supported
from quorate.groupings.counted_consensus import consensus_of
from quorate.groupings.importance import group_ranks, places
from quorate.groupings.pair_partition import groups
from quorate.kernels.median_partition import LOSSES
from quorate.panel.consensus_value import Agreed
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import names, partitions, sheets
from quorate.table import Method, Note, choice, method, number, whole
from quorate.table import quorum as quorum_parameter

__all__ = [
    "Association",
    "as_panel",
    "certainty",
    "consensus_groups",
    "fitting",
    "judge_agreement",
    "linkage",
    "median_partition",
    "pairs",
    "quorum_groups",
]

Array = NDArray[Any]
CALLED, KEYS = "groups", ("left_out",)  # what the answer is, and what stands beside the task
LEFT_OUT = choice("what a judge who left an item out says of its pairs: nothing, or apart", "common", "singletons")
JOIN = choice("a group is what supported pairs connect, or only items that are all supported", "components", "cliques")
SECONDS = number(
    "time for the proof, per task; none: an effort that is the same on every machine", 0, open_low=True, optional=True
)
IMPORTANCE = choice(
    "how the judges' ranks of their groups are put together", "kemeny", "rank_sum", "copeland", "supported_order"
)
GROUPS = whole("groups to make; none: as many as are best", 1, optional=True)


def fitting(panel: Groupings, methods: Sequence[Method]) -> list[Method]:
    """The methods asked for; of the usual ones those that have room, where a task has very many items."""
    if panel.elsewhere is not None or int(sheets(panel).items.max(initial=0)) <= ITEMS:
        return list(methods)
    usual = [str(m) for m in methods] == [str(m) for m in table.methods("groupings", "consensus", default=True)]
    out: list[Method] = []
    why: LimitReached | None = None
    for one in methods:
        try:
            for task in partitions(panel):
                check_room(one, task.labels, task.counts)
            out.append(one)
        except LimitReached as error:
            if not usual:
                raise
            why = error
    if why is not None and not out:
        raise why
    soon = [m for m in out if not usual or all(ends_soon(m, task.labels) for task in partitions(panel))]
    return soon or out


def _moves_cost(judges: int, items: int) -> float:
    return float(
        40.0 * items**0.5 + 2000.0 / max(judges, 1)
    )  # items are moved one by one; of few judges that takes as long


@method(
    "groupings",
    "consensus",
    "median_partition",
    range=(0, 1),
    higher="a consensus that agrees with the judges on more pairs",
    default=True,
    reference="Barthelemy and Leclerc 1995; Hubert and Arabie 1985; Meila 2007",
    parameters={
        "loss": choice("by what the partition is nearest to the judges'", *LOSSES),
        "groups": GROUPS,
        "left_out": LEFT_OUT,
        "importance": IMPORTANCE,
    },
    sampled=True,  # of very many judges some
    symmetric=True,
    relabelling=True,
    draws_up_to=ITEMS,
    cost=_moves_cost,
    room=lambda judges, items: 1 / max(judges, 1),  # panels are drawn some at a time
    note=Note(
        "One clustering that resembles the judges' most, corrected for chance; card sorts, where no pair has a "
        "majority; a chosen number of groups; any number of items.",
        "It is the best that was found, not proven; where judges fall into camps it lies between them.",
        "argmax over partitions of the mean over judges of the adjusted Rand index (or - VI, or pairs alike less "
        "pairs unlike) on the items that each judge used",
    ),
)
def median_partition(
    labels: Array,
    ranks: Array,
    counts: Array,
    *,
    brief: bool = False,
    start: Array | None = None,
    loss: str = "adjusted_rand",
    groups: int | None = None,
    left_out: str = "common",
    importance: str = "kemeny",
) -> Sequence[Agreed]:
    """The partition with the highest mean agreement with the judges, by adjusted Rand index unless told otherwise.

    Items are moved one by one while the mean rises, from the best of many starts: average linkage cut at every number
    of groups, and the judges' own groups. So it is never farther from the judges than average linkage is. By pairs,
    with any number of groups, it is that of ``pairs``, with its proof.
    """
    given = {"loss": loss, "groups": groups, "left_out": left_out, "importance": importance}
    return _found("median_partition", given, labels, ranks, counts, start if brief else None)


@method(
    "groupings",
    "consensus",
    "linkage",
    range=(0, 1),
    higher="a consensus that agrees with the judges on more pairs",
    reference="Sokal and Michener 1958",
    parameters={
        "groups": whole("groups to cut the tree into; none: the median of the judges' numbers", 1, optional=True),
        "importance": IMPORTANCE,
    },
    additive=consensus_of("linkage"),
    symmetric=True,
    relabelling=True,
    draws_up_to=ITEMS,
    cost=search_cost,
    room=lambda judges, items: items,
    note=Note(
        "What most tools for card sorts show: the tree of items, cut.",
        "Ties between joins are broken by the items' order; the cut is at a number that the tree knows nothing of.",
        "join the two groups with the highest mean share of judges who put their items together, until so many are "
        "left",
    ),
)
def linkage(
    labels: Array,
    ranks: Array,
    counts: Array,
    *,
    brief: bool = False,
    start: Array | None = None,
    groups: int | None = None,
    importance: str = "kemeny",
) -> Sequence[Agreed]:
    """Average linkage on the shares of judges who put two items together, cut at the median number of groups."""
    given = {"groups": groups, "importance": importance}
    return _found("linkage", given, labels, ranks, counts, start if brief else None)


@method(
    "groupings",
    "consensus",
    "pairs",
    range=(0, 1),
    higher="a consensus that agrees with the judges on more pairs",
    default=True,
    reference="Mirkin 1974; Groetschel and Wakabayashi 1989",
    parameters={"left_out": LEFT_OUT, "seconds": SECONDS, "importance": IMPORTANCE},
    additive=consensus_of("pairs"),
    symmetric=True,
    relabelling=True,
    draws_up_to=ITEMS,
    cost=search_cost,
    room=lambda judges, items: 1 / max(judges, 1),  # panels are drawn some at a time
    note=Note(
        "One clustering that contradicts the judges' pairs least; proven best, or with a gap.",
        "Between a few coarse and many fine judges the majority of pairs decides, and may please neither.",
        "argmax over partitions of the pairs (together or apart) on which judges and partition agree",
    ),
)
def pairs(
    labels: Array,
    ranks: Array,
    counts: Array,
    *,
    brief: bool = False,
    start: Array | None = None,
    left_out: str = "common",
    seconds: float | None = None,
    importance: str = "kemeny",
) -> Sequence[Agreed]:
    """The partition that agrees with the judges on the most pairs of items, proven best within a limited effort.

    A pair counts by the judges who put it together less those who put it apart. Judges who never put more than half of
    any pair together give groups of one item each: lower the bar with ``quorum``.
    """
    given = {"left_out": left_out, "seconds": seconds, "importance": importance}
    return _found("pairs", given, labels, ranks, counts, start if brief else None)


@method(
    "groupings",
    "consensus",
    "quorum",
    range=(0, 1),
    higher="a consensus that agrees with the judges on more pairs",
    parameters={
        "q": quorum_parameter("judges who must put two items together"),
        "join": JOIN,
        "seconds": SECONDS,
        "importance": IMPORTANCE,
    },
    additive=consensus_of("quorum"),
    symmetric=True,
    relabelling=True,
    draws_up_to=ITEMS,
    cost=search_cost,
    room=lambda judges, items: 1 / max(judges, 1),  # panels are drawn some at a time
    note=Note(
        "A gold standard of what at least q judges agree on; the rest stays out.",
        "By components, chains join items that nobody put together (the answer names them); cliques avoid that.",
        "groups of the graph of pairs that at least q judges put together",
    ),
)
def quorum_groups(
    labels: Array,
    ranks: Array,
    counts: Array,
    *,
    brief: bool = False,
    start: Array | None = None,
    q: float = 0.5,
    join: str = "components",
    seconds: float | None = None,
    importance: str = "kemeny",
) -> Sequence[Agreed]:
    """The groups made of pairs that at least q judges put together; all other pairs count for nothing.

    By ``components`` a chain of supported pairs makes one group, although its ends may never have been together: such
    chains are named. By ``cliques`` every two items of a group are supported, and the groups hold as much support as
    can be.
    """
    given = {"q": q, "join": join, "seconds": seconds, "importance": importance}
    return _found("quorum", given, labels, ranks, counts, start if brief else None)


def _found(
    name: str, given: Mapping[str, Any], labels: Array, ranks: Array, counts: Array, start: Array | None
) -> Sequence[Agreed]:
    """Of every task what is behind its consensus; of draws of one task, which begin somewhere, the partitions alone."""
    by = table.bind(table.find(name, "groupings", "consensus"), given)
    if start is not None:
        one = labels[:1].astype(np.int64)
        return [Agreed(own) for own in drawn_consensus(by, one, counts[:, None], start[None])[:, 0]]
    found = solved(by, labels, counts)
    orders: list[Array | None] = [None] * len(found)
    if ranks.strides[0] != 0 or not np.isnan(ranks[:1]).all():
        for t, each in enumerate(found):
            order = places(group_ranks(labels[t], ranks[t], each.array), counts[t], str(given["importance"]))
            sort = np.lexsort((np.arange(len(order)), np.where(np.isnan(order), np.inf, order)))
            found[t], orders[t] = Agreed(renumbered(each.array, sort), None, each.facts, each.about), order[sort]
    return supported(labels, counts, found, orders)


def told(found: Supported, items: Sequence[Hashable], judges: Sequence[Hashable]) -> tuple[Any, dict[str, Any]]:
    """The groups of items, and what else is worth telling."""
    return [[items[i] for i in group] for group in groups(found.array)], found.details(items, judges)


def certainty(found: Supported, drawn: Array | None, items: Sequence[Hashable], level: float) -> dict[str, Any]:
    """How well items, groups and pairs are supported, and how much of them stays in resampled panels."""
    kept = None if drawn is None else stays(found.array[None], drawn[None])[0]
    return {
        "items": found.items_told(items, kept),
        "group_support": found.groups_told(kept),
        "pairs": found.pairs_told(items, drawn),
        "resamples": 0 if drawn is None else len(drawn),
    }


def judge_agreement(labels: Array, consensus: Array) -> Array:
    """Of the pairs that a judge used and the consensus has, the share on which both agree, ``[judge]``; else NaN."""
    return np.asarray(agreed(labels[None], consensus[None])[0])


def consensus_groups(groupings: Mapping[Any, Any] | Groupings, method: str = "pairs") -> list[list[Hashable]]:
    """The consensus of some groupings of one task by a method, as groups of items, larger ones first.

    >>> consensus_groups({"ann": {"x": 1, "y": 1, "z": 2}, "bob": {"x": 1, "y": 2, "z": 2}, "cat": {"x": 7, "y": 7}})
    [['x', 'y'], ['z']]
    """
    panel = groupings if isinstance(groupings, Groupings) else Groupings.from_groups(groupings)
    task = partitions(panel)[0]
    chosen: Method = table.parse(method, "groupings", "consensus")
    (found,) = solved(chosen, task.labels[None], task.counts[None])
    items = names(panel.items, task.items)
    return [[items[i] for i in group] for group in groups(found.array)]


def as_panel(found: Any) -> Groupings:
    """The consensus as a panel in which every method is a judge; groups are numbered, with their importance if known.

    >>> import quorate as q
    >>> panel = q.Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": None}, "bob": {"x": 1, "y": 1, "z": None}})
    >>> as_panel(q.consensus(panel, "pairs")).columns()
    {'judge': ['pairs', 'pairs', 'pairs'], 'item': ['x', 'y', 'z'], 'group': [1, 1, None]}
    """
    rows: list[tuple[Any, ...]] = []
    for f in found.findings:
        orders = f.details.get("importance", [None] * len(f.values))
        for task, left, named, order in zip(f.keys["task"], f.keys["left_out"], f.values, orders, strict=True):
            for k, group in enumerate(named):
                place = None if order is None or math.isnan(order[k]) else int(order[k])
                rows += [(task, str(f.method), item, k + 1, place) for item in group]
            rows += [(task, str(f.method), item, None, None) for item in left]
    columns = dict(zip(("task", "judge", "item", "group", "importance"), zip(*rows, strict=True), strict=True))
    if not any("importance" in f.details for f in found.findings):
        del columns["importance"]
    return Groupings.build(columns)
