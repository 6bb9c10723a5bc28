"""FreSPA of Kim, Zhai and Han: a list is as good as the frequent patterns of the judges that it keeps.

A pattern is a subsequence that enough judges share; long ones and well supported ones weigh more. The score counts them
(:mod:`~quorate.kernels.pattern_weights`) and never lists them; :func:`frequent_patterns` lists them lazily, and
:func:`explain` names the heaviest ones that a list keeps and breaks. Frequent *sets* are the same for selections in
which only membership counts, which the paper names as future work.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, LimitReached, suggest
from quorate.kernels import patterns as kernel
from quorate.kernels.pattern_chains import REDRAWN
from quorate.kernels.pattern_weights import Rule, supported, weights
from quorate.kernels.ranks import repeated
from quorate.orderings.correlation import REFERENCE
from quorate.orderings.rankings import Measured, OneTask, Rankings, need, one_task, with_list
from quorate.panel.kinds import Order
from quorate.table import Method, Note, Parameter, bind, find, method, number, quorum, whole

Array = NDArray[Any]
Pattern = tuple[tuple[Hashable, ...], int]
WHICH = ("all", "maximal", "closed")
LIMIT = 100_000
COUNTED = 6.0  # times what a look at all pairs costs, where patterns of long lists are counted panel by panel
EFFORT = 200_000  # patterns looked at for an explanation
PATTERNS, FEW = 2000.0, 1e9  # numbers looked at for a judge and two items; so few in all need no closer look
ITEMS = 5000  # that enough judges hold, in one task at most: who puts which before which is their square


def _looks(positions: Array, counts: Array, method: Method) -> float:
    """Numbers looked at for the largest task: pairs of the items that enough judges hold; infinite without room."""
    _, judges, items = positions.shape
    if PATTERNS * judges * items**2 > FEW:
        parameters: dict[str, Any] = method.parameters
        kept = supported(positions, counts, need(parameters["min_sup"], counts))
        items = items if kept is None else kept.shape[1]
    return PATTERNS * judges * items**2 if items <= ITEMS else math.inf


def _parameters() -> dict[str, Parameter]:
    return {
        "min_sup": quorum(
            "judges who must hold a pattern: a count (6) or a share (0.75; 1.0 is all, 1 one)", none=True
        ),
        "min_len": whole("items of a pattern, at least"),
        "max_len": whole("items of a pattern, at most", optional=True),
        "w_len": number("how much more each further item weighs; 0: all lengths the same", 0),
        "w_sup": number("how much more each further judge weighs; 0: all supports the same", 0),
    }


def _declare(name: str, default: bool, note: Note) -> Callable[[Callable[..., Measured]], Callable[..., Measured]]:
    return method(
        "orderings",
        "quality",
        name,
        range=(0, 1),
        higher="nearer to the judges",
        chance="above 0: short patterns are kept by chance",
        default=default,
        reference=REFERENCE,
        parameters=_parameters(),
        symmetric=True,
        relabelling=True,
        copies=True,
        membership=name == "frequent_sets",  # by chance other items are chosen, not another order of them
        cost=lambda judges, items: 1.0 if judges <= REDRAWN else COUNTED,
        looks=_looks,
        note=note,
    )


@_declare(
    "frespa",
    default=True,
    note=Note(
        "A score by what judges demonstrably share, robust to bad judges; list length may differ.",
        "Random orders score above 0, by short patterns. With few judges min_sup is a step: 0.75 of 3 is 3.",
        "sum of weights of the patterns that the list contains / sum of weights of all; weight = (1 + w_len (items "
        "- 1)) (1 + w_sup (judges - 1)); patterns are orders of min_len to max_len items that at least min_sup of "
        "the judges hold",
    ),
)
def sequences(
    positions: Array,
    counts: Array,
    systems: Array,
    *,
    brief: bool = False,
    seed: int = 0,
    min_sup: float | int = 0.75,
    min_len: int = 2,
    max_len: int | None = None,
    w_len: float = 1.0,
    w_sup: float = 1.0,
) -> Measured:
    """Weight of the judges' frequent patterns that a system's list contains, over the weight of all of them."""
    rule, least = Rule(min_len, max_len, w_len, w_sup), need(min_sup, counts)
    check(positions, counts, least)
    if repeated(positions) and repeated(systems):  # draws of judges from one task
        positions, systems = positions[:1], systems[:1]
    found = weights(positions, counts, least, systems, rule, brief, seed)
    total = found.total[:, None]
    values = np.divide(found.inside, total, out=np.zeros(found.inside.shape), where=(total > 0) & np.isfinite(total))
    too_large = ~np.isfinite(found.total)
    values[(counts.sum(axis=1) == 0) | too_large] = np.nan  # no judge, no verdict
    values = np.clip(values, 0, 1)
    if brief:
        return Measured(values)
    details = {"patterns": _whole(found.patterns), "no_pattern": found.total == 0}
    if too_large.any():
        details["too_large"] = too_large
    if found.error.any():
        margin = 2.13 * found.error  # Student's t of 16 runs
        details |= {
            "estimated": found.error.any(axis=1),
            "low": np.clip(values - margin, 0, 1),
            "high": np.clip(values + margin, 0, 1),
        }
    return Measured(values, details)


def check(positions: Array, counts: Array, least: Array) -> None:
    """Whether a table of all pairs of the items that enough judges hold has room."""
    if positions.shape[2] <= ITEMS:
        return
    kept = supported(positions, counts, least)
    held = positions.shape[2] if kept is None else kept.shape[1]
    if held > ITEMS:
        raise LimitReached(
            f"{held:,} items that enough judges hold, in one task, are too many for frequent patterns.",
            f"at most {ITEMS:,}; select some items, or raise min_sup.",
        )


def _whole(patterns: Array) -> Array:
    """How many patterns there are: whole numbers as far as a double is one."""
    out = np.empty(len(patterns), object)
    out[:] = [round(p) if p < 2**53 else p for p in patterns.tolist()]
    return out


@_declare(
    "frequent_sets",
    default=False,
    note=Note(
        "What should be in the list at all, whatever the order: content instead of sequence.",
        "A long list contains every set: compare lists of one length.",
        "as frespa, with sets of items that enough judges hold instead of sequences",
    ),
)
def sets(
    positions: Array,
    counts: Array,
    systems: Array,
    *,
    brief: bool = False,
    seed: int = 0,
    min_sup: float | int = 0.75,
    min_len: int = 1,
    max_len: int | None = None,
    w_len: float = 1.0,
    w_sup: float = 1.0,
) -> Measured:
    """Weight of the sets of items that enough judges hold, as far as the system's list holds them, over that of all."""
    given = {"min_sup": min_sup, "min_len": min_len, "max_len": max_len, "w_len": w_len, "w_sup": w_sup}
    return sequences(unordered(positions), counts, unordered(systems), brief=brief, seed=seed, **given)


def by_patterns(chosen: Method) -> bool:
    """Whether a quality method is one of these two."""
    return chosen.name in ("frespa", "frequent_sets")


def of_sets(chosen: Method) -> bool:
    """Whether only membership counts to a quality method, so that an order and its reverse are the same to it."""
    return bool(chosen.declaration.properties.get("membership"))


def random_sets(positions: Array, counts: Array, size: Array, items: Array, chosen: Method, seed: int = 0) -> Array:
    """What a set of ``size[row]`` of ``items[row]`` items drawn at random scores on average, ``[row]``.

    A frequent set of L items is inside with chance C(items - L, size - L) / C(items, size), so lengths are weighed one
    by one and nothing is drawn.
    """
    p: dict[str, Any] = chosen.parameters
    least = need(p["min_sup"], counts)
    sets = unordered(positions)
    held = ((sets > 0) * counts[:, :, None]).sum(axis=1) >= least[:, None]
    longest = min(int(held.sum(axis=1).max(initial=0)), p["max_len"] or sets.shape[2])
    total, inside = np.zeros((2, len(sets)))
    chance = np.ones(len(sets))
    for length in range(1, longest + 1):
        chance = chance * np.clip(size - length + 1, 0, None) / np.maximum(items - length + 1, 1)
        if length >= p["min_len"]:
            rule = Rule(length, length, p["w_len"], p["w_sup"])
            found = weights(sets, counts, least, sets[:, :1], rule, True, seed).total
            total, inside = total + found, inside + found * chance
    return np.divide(inside, total, out=np.zeros(len(total)), where=(total > 0) & np.isfinite(total))


def unordered(positions: Array) -> Array:
    """Every list in one and the same order of items: its subsequences are then its subsets."""
    if repeated(positions):
        return np.broadcast_to(unordered(positions[:1]), positions.shape)
    return np.where(positions > 0, np.arange(1, positions.shape[2] + 1), 0)


# -- plain functions ---------------------------------------------------------------------------------------------------


def frespa(
    target: Order,
    rankings: Rankings,
    min_sup: float | int = 0.75,
    min_len: int = 2,
    max_len: int | None = None,
    w_len: float = 1.0,
    w_sup: float = 1.0,
    *,
    seed: int = 0,
) -> float:
    """FreSPA: weight of the judges' frequent patterns that a list contains, over the weight of all of them.

    1 when it keeps every frequent pattern, 0 when it keeps none; also 0 when there is none to keep. Patterns are
    counted, not listed: rankings of 60 items are no trouble; where there are too many to count, some are drawn by
    ``seed``.

    >>> frespa("abcd", ["abcd", "abdc", "bacd", "abcd"])
    1.0
    >>> round(frespa("badc", ["abcd", "abdc", "bacd", "abcd"]), 4)
    0.4
    """
    chosen = _bound("frespa", min_sup, min_len, max_len, w_len, w_sup)
    task, listed = with_list(target, rankings)
    return float(chosen(task.positions, task.counts, listed, seed=seed).values[0, 0])


def frequent_patterns(
    rankings: Rankings,
    min_sup: float | int = 0.75,
    min_len: int = 2,
    max_len: int | None = None,
    which: str = "all",
    limit: int | None = LIMIT,
) -> Iterator[Pattern]:
    """The subsequences that at least a share of the judges have, with how many do; one by one.

    ``maximal``: no frequent pattern contains it; ``closed``: none of the same support does. More than ``limit`` is an
    error; nothing is stored, so ``limit=None`` never fills the memory.

    >>> sorted(frequent_patterns(["abc", "acb", "abc", "bac"]))
    [(('a', 'b'), 3), (('a', 'c'), 4), (('b', 'c'), 3)]
    >>> list(frequent_patterns(["abc", "acb", "abc", "bac"], min_sup=0.5, which="maximal"))
    [(('a', 'b', 'c'), 2)]
    """
    task = one_task(rankings)
    return _listed(task, task.positions, "frespa", min_sup, min_len, max_len, which, limit)


def frequent_sets(
    rankings: Rankings,
    min_sup: float | int = 0.75,
    min_len: int = 1,
    max_len: int | None = None,
    which: str = "all",
    limit: int | None = LIMIT,
) -> Iterator[Pattern]:
    """The sets of items that at least a share of the judges hold, whatever their order, with how many do.

    >>> list(frequent_sets(["ab", "bc", "abd"], min_sup=0.6))
    [(('a',), 2), (('a', 'b'), 2), (('b',), 3)]
    """
    task = one_task(rankings)
    return _listed(task, unordered(task.positions), "frequent_sets", min_sup, min_len, max_len, which, limit)


def _listed(
    task: OneTask,
    positions: Array,
    name: str,
    min_sup: float | int,
    min_len: int,
    max_len: int | None,
    which: str,
    limit: int | None,
) -> Iterator[Pattern]:
    _bound(name, min_sup, min_len, max_len, 1.0, 1.0)
    if which not in WHICH:
        raise BadParameter(f"which={which} is not known.", suggest(which, WHICH, "Choices"))
    least = need(min_sup, task.counts)
    check(positions, task.counts, least)
    bitsets = kernel.bitsets(positions[0], task.counts[0], int(least[0]))

    def one_by_one() -> Iterator[Pattern]:
        for found, (pattern, support) in enumerate(kernel.walk(bitsets, min_len, max_len, which)):
            if found == limit:
                raise LimitReached(
                    f"stopped after {found:,} patterns; there are more.",
                    "raise min_sup= or lower max_len= for fewer patterns, or raise limit=.",
                )
            yield tuple(task.items[i] for i in pattern), support

    return one_by_one()


# -- why a list scores as it does --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Heavy:
    """A frequent pattern: its items, how many judges hold it, and what it weighs."""

    pattern: tuple[Hashable, ...]
    support: int
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a list scores as it does by FreSPA: the heaviest patterns it contains and misses."""

    value: float
    patterns: int | float  # how many there are in all
    weight: float  # of all patterns together
    contained: tuple[Heavy, ...]
    missed: tuple[Heavy, ...]
    complete: bool  # False: there were too many patterns to be sure that these are the heaviest


def explain(
    target: Order,
    rankings: Rankings,
    min_sup: float | int = 0.75,
    min_len: int = 2,
    max_len: int | None = None,
    w_len: float = 1.0,
    w_sup: float = 1.0,
    *,
    most: int = 10,
    seed: int = 0,
) -> Explanation:
    """The heaviest frequent patterns that a list contains, and the heaviest it misses.

    >>> e = explain("badc", ["abcd", "abdc", "bacd", "abcd"], most=2)
    >>> [h.pattern for h in e.missed], [(h.pattern, h.support) for h in e.contained]
    ([('a', 'b', 'c'), ('a', 'b', 'd')], [(('a', 'c'), 4), (('a', 'd'), 4)])
    """
    chosen = _bound("frespa", min_sup, min_len, max_len, w_len, w_sup)
    task, listed = with_list(target, rankings)
    return explained(task, listed, chosen, most, seed)


def explained(task: OneTask, listed: Array, chosen: Method, most: int, seed: int = 0) -> Explanation:
    """The same for arrays: one task, ``listed[1, 1, item]``, and the method with its parameters."""
    p: dict[str, Any] = chosen.parameters
    if chosen.name == "frequent_sets":
        task = OneTask(unordered(task.positions), task.counts, task.judges, task.items)
        listed = unordered(listed)
    rule = Rule(p["min_len"], p["max_len"], p["w_len"], p["w_sup"])
    least = need(p["min_sup"], task.counts)
    check(task.positions, task.counts, least)
    found = weights(task.positions, task.counts, least, listed, rule, seed=seed)
    bitsets = kernel.bitsets(task.positions[0], task.counts[0], int(least[0]))
    row = listed[0, 0]
    inside = (row[:, None] > 0) & (row[:, None] < row)
    np.fill_diagonal(inside, row > 0)
    lengths = (rule.min_len, len(row) if rule.max_len is None else rule.max_len)

    def weigh(length: int, support: int) -> float:
        return float(rule.by_length(length) * rule.by_support(support))

    sides = [kernel.heaviest(bitsets, inside, kept, weigh, lengths, most, EFFORT) for kept in (True, False)]
    kept, missed = (
        tuple(Heavy(tuple(task.items[i] for i in pattern), support, w) for (pattern, support), w in side)
        for side, _ in sides
    )
    total = float(found.total[0])
    value = min(max(float(found.inside[0, 0]) / total, 0.0), 1.0) if total else 0.0
    return Explanation(value, _whole(found.patterns)[0], total, kept, missed, all(done for _, done in sides))


def _bound(name: str, min_sup: float | int, min_len: int, max_len: int | None, w_len: float, w_sup: float) -> Method:
    """The method with these parameters, each checked."""
    given = {"min_sup": min_sup, "min_len": min_len, "max_len": max_len, "w_len": w_len, "w_sup": w_sup}
    return bind(find(name, "orderings", "quality"), given)
