"""Orders of least cost: panels solved together against every order there is, and against the plain search."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import kemeny
from quorate.kernels.effort import Effort
from quorate.orderings.kemeny_program import program


@st.composite
def panels(draw, least, most):
    """Pair counts ``[panel, item, item]`` of a few judges; some pairs are compared by nobody."""
    size, items = draw(st.integers(1, 4)), draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    found = rng.integers(0, draw(st.integers(1, 6)), (size, items, items)).astype(float)
    found[rng.random(found.shape) < draw(st.sampled_from([0.0, 0.5]))] = 0
    found[:, np.arange(items), np.arange(items)] = 0
    return found


def least(before):
    """The least cost, by trying every order."""
    return min(kemeny.cost(before, np.array(order)) for order in itertools.permutations(range(len(before))))


@given(panels(1, 5))
def test_orders_by_subsets_cost_the_least(before):
    for one, order in zip(before, kemeny.best_orders(before), strict=True):
        assert sorted(order.tolist()) == list(range(len(one)))
        assert kemeny.cost(one, order) == least(one) == kemeny.by_subsets(one)[0]


@given(panels(1, 8))
def test_panels_drawn_are_exact_where_blocks_are_small(before):
    for one, places in zip(before, kemeny.drawn_places(before), strict=True):
        rng = np.random.default_rng(0)
        for _ in range(3):  # however ties are broken
            order = np.lexsort((rng.random(len(one)), places))
            assert kemeny.cost(one, order) == kemeny.by_subsets(one)[0]
        assert set(places.tolist()) == set(range(1, int(places.max()) + 1))


@given(panels(2, 16))
def test_no_single_move_improves_what_local_search_gives(before):
    margin, start = before.transpose(0, 2, 1) - before, np.tile(np.arange(before.shape[1]), (len(before), 1))
    for one, against, order in zip(before, margin, kemeny.descend_together(margin, start), strict=True):
        assert kemeny.insertions(against[np.ix_(order, order)]).min() >= 0
        assert kemeny.cost(one, order) <= kemeny.cost(one, start[0])


@given(panels(2, 16))
def test_a_panel_alone_goes_the_way_it_goes_among_others(before):
    margin, start = before.transpose(0, 2, 1) - before, np.tile(np.arange(before.shape[1]), (len(before), 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kemeny, "ALONE", 0)
        together = kemeny.descend_together(margin, start)
        patch.setattr(kemeny, "ALONE", len(before))
        assert (kemeny.descend_together(margin, start) == together).all()


@given(panels(3, 10))
def test_the_program_finds_what_subsets_find(before):
    start = np.arange(before.shape[1])
    for one in before:
        least, _, some = kemeny.by_subsets(one)
        order, gap, sure = program(one, start, Effort(1e8))
        assert gap == 0
        assert kemeny.cost(one, order) == least
        assert not (sure & some.T).any()  # what is said of all best orders holds in each
        order, gap, _ = program(one, start, Effort(1e8), some & ~some.T)
        assert gap == 0
        assert kemeny.cost(one, order) == least
