"""A card sort, whole: which cards belong together and how firmly, what to call the groups, which cards belong nowhere,
how far judges agree card by card, and whether they are of one mind.

The statistics are in :mod:`quorate.inference` and the groupings' own files; here they are put together.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.groupings.association import ITEMS, Association
from quorate.groupings.card_agreement import astray, companions, fits, named_groups, placements
from quorate.groupings.consensus import consensus_groups
from quorate.groupings.group_names import suggested
from quorate.groupings.linkage_tree import Tree
from quorate.groupings.median_partition import tree_of
from quorate.groupings.mixed_membership import memberships
from quorate.groupings.partition_program import LOCAL
from quorate.inference.branches import branch_stability
from quorate.inference.camps import Camps, camps
from quorate.inference.intervals import jackknife
from quorate.inference.results import Answer, Options, clean
from quorate.inference.usual_methods import deciding
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.kinds import Groupings, Panel
from quorate.panel.partitions import names, partitions
from quorate.reports.card_sort_result import Card, CardSort, Group
from quorate.verbs import ask
from quorate.words.card_sort import card_facts

Array = NDArray[Any]
MEASURE = "adjusted_rand(left_out=common)"
TREE = 500  # cards, of more no tree is drawn
LIKELIER = 1 / 5  # of the number of cards: so many times likelier nowhere than in any group a card must be
NOWHERE = 1 / 3  # of the judges who were shown a card and left it out, from which on it belongs nowhere


def card_sort(
    panel: Panel,
    *,
    groups: int | None = None,
    loss: str = "adjusted_rand",
    by: Result | None = None,
    **options: Any,
) -> CardSort:
    """Everything about a card sort: groupings of one task, whose groups may have names (column category or label).

    ``groups`` is how many groups to make, else as many as are best; ``loss`` by what the consensus is nearest to the
    judges (adjusted_rand, vi, pairs); ``by`` a comparison of groups of judges, to be told with it.

    >>> sorts = {"ann": {"x": 1, "y": 1, "z": 2}, "bob": {"x": 1, "y": 1, "z": 2}, "cat": {"x": 1, "y": 2, "z": 2}}
    >>> found = card_sort(Groupings.from_groups(sorts))
    >>> [g.items for g in found.groups], found.cards[0].item
    ([('x', 'y'), ('z',)], 'x')
    """
    settings = Options(**options)
    if not isinstance(panel, Groupings):
        raise InputError(f"the panel holds {panel.kind}.", "a card sort is groupings: judge, item, group.")
    if len(panel.tasks) > 1:
        raise InputError(f"{len(panel.tasks):,} tasks are several card sorts.", "choose one with --task.")
    named = panel.by_name
    method = table.parse("median_partition", "groupings", "consensus").with_(loss=loss, groups=groups)
    consensus = ask("consensus", panel, (method,), settings)
    agreement = ask("agreement", panel, (MEASURE,), settings)
    absent, voices = consensus.options.absent, _voices(named, consensus)
    (part,) = partitions(voices, absent)
    items, finding = names(voices.items, part.items), consensus.findings[0]
    known, found = named_groups(voices), _cards_of(part, items, finding, settings)
    made = tuple(
        Group(k + 1, tuple(g), clean(told["support"]), told["stays"], tuple(suggested(g, known)) if len(g) > 1 else ())
        for k, (g, told) in enumerate(zip(finding.values[0], finding.details["group_support"][0], strict=True))
    )
    tree, order, square, joins, drawn = _tree(part, items, settings)
    (design,) = (GroupingDesign.of(voices, absent),)
    minds = camps(deciding(voices, absent), design, settings)  # the same camps as where judges are looked at
    school_of, school_groups = _schools(voices, minds, method)
    left = set(finding.keys["left_out"][0])
    alone = {g.items[0] for g in made if len(g.items) == 1}
    lost = _astray(part, items, finding.values[0])
    nowhere = tuple(c.item for c in found if (c.item in left | alone or c.left_out >= NOWHERE) and c.item in lost)
    notes = list(consensus.notes)
    notes += [f"the tree's branches are from {drawn} resampled panels"] if drawn else []
    notes += [f"no tree of more than {TREE:,} cards"] if tree is None else []
    sort = CardSort(
        len(voices.judges),
        consensus,
        agreement.findings[0].overall[0],
        made,
        tuple(sorted(found, key=lambda c: (math.isnan(c.agreement), c.agreement, str(c.item)))),
        nowhere,
        order,
        square,
        joins,
        tree,
        tuple(placements(items, known)),
        minds,
        school_of,
        school_groups,
        by,
        notes=tuple(dict.fromkeys(notes)),
    )
    return _with_facts(sort)


def _with_facts(sort: CardSort) -> CardSort:
    return replace(sort, facts=tuple(card_facts(sort)))


def _voices(panel: Groupings, answer: Answer) -> Groupings:
    """The panel without judges who count as one voice with another."""
    copied = [row["judge"] for row in answer.more.get("one_voice", ())]
    return panel.drop_judges(*copied) if copied else panel


def _cards_of(part: Any, items: Sequence[Hashable], finding: Any, options: Options) -> list[Card]:
    """What is known of every card."""
    place = {item: k for k, g in enumerate(finding.values[0]) for item in g}
    labels = np.array([place.get(i, -1) for i in items], np.int64)
    mean, without = companions(part.labels, part.counts)
    level, inside = options.level, (0.0, 1.0)
    shown, used = (part.counts @ (part.labels >= low).astype(float) for low in (-1, 0))
    told = finding.details["items"][0]
    fit = fits(Association.of(part.labels, part.counts), labels) if len(items) <= ITEMS else None
    two = _of_two(part, labels)
    out = []
    for k, item in enumerate(items):
        ends = None
        if options.resamples and int(part.counts.sum()) > 2:
            ends = jackknife(float(mean[k]), without[:, k], part.counts, level=level, over="judges", range=inside)
        group = int(labels[k]) + 1 if labels[k] >= 0 else None
        own = clean(fit.own[k]) if fit is not None else clean(told[str(item)]["support"])
        other = int(fit.second[k]) + 1 if fit is not None and fit.second[k] >= 0 else None
        share_ = float(fit.other[k]) if fit is not None else 0.0
        left = float(1 - used[k] / shown[k]) if shown[k] else math.nan
        stays = told[str(item)]["stays"] if str(item) in told else None
        out.append(Card(item, group, float(mean[k]), ends, own, other, share_, left, stays, bool(two[k])))
    return out


def _of_two(part: Any, labels: Array) -> Array:
    """Cards that belong to two groups, as where judges needed are told, ``[item]``; none of many cards."""
    out, placed = np.zeros(len(labels), bool), labels >= 0
    if placed.any() and len(labels) <= LOCAL:
        groups = np.unique(labels[placed], return_inverse=True)[1]
        out[placed] = memberships(part.labels[:, placed], part.counts.astype(float), groups).of_two
    return out


def _astray(part: Any, items: Sequence[Hashable], groups: Sequence[Sequence[Hashable]]) -> set[Hashable]:
    """Cards that are clearly likelier to belong nowhere than to any group; the more cards, the more clearly."""
    place = {item: k for k, g in enumerate(groups) for item in g}
    labels = np.array([place.get(i, -1) for i in items], np.int64)
    clearly = astray(part.labels, part.counts, labels) >= math.log(LIKELIER * len(items))
    return {items[k] for k in np.flatnonzero(clearly).tolist()}


def _tree(
    part: Any, items: Sequence[Hashable], options: Options
) -> tuple[Tree | None, tuple[Hashable, ...], Array, tuple[Mapping[str, Any], ...], int]:
    """The tree, the cards in its order, their similarities, the joins with their stability, and how many were drawn."""
    if len(items) > TREE:
        return None, tuple(items), np.zeros((0, 0)), (), 0
    tree = tree_of(part.labels, part.counts)
    leaves = tree.leaves()
    square = Association.of(part.labels, part.counts).share[np.ix_(leaves, leaves)]
    stays, drawn = branch_stability(tree, part.labels, part.counts, options)
    place = {item: k for k, item in enumerate(leaves)}
    joins = tuple(
        {
            "items": [items[i] for i in sorted(branch.tolist(), key=lambda i: place[i])],
            "height": float(height),
            "stays": None if stays is None else float(stays[k]),
        }
        for k, (branch, height) in enumerate(zip(tree.branches(), tree.heights, strict=True))
    )
    return tree, tuple(items[i] for i in leaves), square, joins, drawn


def _schools(
    panel: Groupings, found: Camps | None, method: table.Method
) -> tuple[dict[str, int], tuple[tuple[tuple[Hashable, ...], ...], ...]]:
    """Who is of which school, and what each agrees on; nothing where there is one."""
    if found is None or found.number < 2:
        return {}, ()
    who = {str(j): int(k) + 1 for j, k in zip(panel.judges, found.camp.tolist(), strict=True)}
    each = []
    for k in range(found.number):
        mine = [j for j, s in zip(panel.judges, found.camp.tolist(), strict=True) if s == k]
        each.append(tuple(tuple(g) for g in consensus_groups(panel.select(judges=mine), str(method))))
    return who, tuple(each)
