"""Hypothesis strategies: orders with ties and gaps, votes with multiplicities, panels of several tasks."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from tests.family import LONG

NAMES = ("a", "b", "c", "ä ö", "文書", "🎲", "x=y", "7")  # item names are anything
Order = list[list[object]]


def examples(number: int) -> settings:
    """So many examples of a test that is quick, a third of them in the short form; never fewer than of the others."""
    return settings(max_examples=max(number if LONG else number // 3, settings.default.max_examples))


@st.composite
def order(draw, items, ties: bool = True) -> Order:
    """An order of these items as tie groups, best first."""
    shuffled = draw(st.permutations(list(items)))
    groups: Order = [[shuffled[0]]]
    for item in shuffled[1:]:
        if ties and draw(st.booleans()):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


@st.composite
def orders(draw, judges=(1, 5), items=(1, 6), ties: bool = True, gaps: bool = True, names=NAMES) -> list[Order]:
    """Orders of one task, one a judge. With gaps a judge may leave out any items but not all."""
    some = list(names[: draw(st.integers(*items))])
    out = []
    for _ in range(draw(st.integers(*judges))):
        own = draw(st.lists(st.sampled_from(some), min_size=1, unique=True)) if gaps else some
        out.append(draw(order(own, ties)))
    return out


@st.composite
def votes(draw, **how) -> list[tuple[Order, int]]:
    """Orders, each with how many judges gave it."""
    return [(o, draw(st.integers(1, 3))) for o in draw(orders(**how))]


@st.composite
def panels(draw, tasks=(1, 3), **how) -> dict[object, dict[object, Order]]:
    """Several tasks as ``{task: {judge: order}}``, the form that Orderings.from_orders takes."""
    out = {}
    for task in range(draw(st.integers(*tasks))):
        found = draw(orders(**how))
        out[f"t{task}"] = {f"j{k}": o for k, o in enumerate(found)}
    return out


def complete(**how):
    """Orders in which every judge ranks every item."""
    return orders(gaps=False, **how)


def strict(**how):
    """Orders without ties or gaps."""
    return orders(gaps=False, ties=False, **how)


def counted(rows: list[tuple[Order, int]], task: str = "t") -> dict[str, list[object]]:
    """Votes as the columns of a panel with counts."""
    out: dict[str, list[object]] = {n: [] for n in ("task", "judge", "item", "position", "count")}
    for judge, (order, count) in enumerate(rows, 1):
        for position, group in enumerate(order, 1):
            for item in group:
                for name, value in zip(out, (task, judge, item, position, count), strict=True):
                    out[name].append(value)
    return out


def expanded(rows: list[tuple[Order, int]]) -> list[Order]:
    """Votes one by one."""
    return [order for order, count in rows for _ in range(count)]


@st.composite
def pairwise_votes(draw, judges=(1, 4), systems=(2, 4), tasks=(1, 4), most=20) -> list[tuple[object, ...]]:
    """Pairwise votes: task, judge, the one shown first, the other, and what the first gets."""
    names = NAMES[: draw(st.integers(*systems))]
    pair = st.permutations(list(names)).map(lambda order: tuple(order[:2]))
    who = st.sampled_from([f"j{k}" for k in range(draw(st.integers(*judges)))])
    what = st.sampled_from([f"t{k}" for k in range(draw(st.integers(*tasks)))])
    vote = st.tuples(what, who, pair, st.sampled_from([1.0, 0.5, 0.0]))
    return [(t, j, *p, o) for t, j, p, o in draw(st.lists(vote, min_size=1, max_size=most))]


def one_stack(orders: list[Order]) -> np.ndarray:
    """A few orders as a stack of one task: ``positions[0, judge, item]``."""
    codes: dict[object, int] = {}
    for order in orders:
        for group in order:
            for item in group:
                codes.setdefault(item, len(codes))
    positions = np.zeros((1, len(orders), len(codes)), np.int32)
    for j, order in enumerate(orders):
        for position, group in enumerate(order, 1):
            for item in group:
                positions[0, j, codes[item]] = position
    return positions
