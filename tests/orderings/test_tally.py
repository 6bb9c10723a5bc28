"""Counts that add up over judges: whatever the blocks and the order in which they are added, the same as of all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import table
from quorate.kernels.ranks import dense
from quorate.orderings.tally import sums, wide
from quorate.panel.coefficient import additive

ADDING = [m for m in table.methods("orderings", "consensus") if additive(m) is not None]


@st.composite
def rankings(draw):
    """Positions ``[judge, item]`` with ties and gaps; every item is ranked by somebody."""
    judges, items = draw(st.integers(1, 12)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    found = dense(rng.integers(1, draw(st.integers(1, 2 * items)) + 1, (1, judges, items)))[0]
    gone = rng.random(found.shape) < draw(st.sampled_from([0.0, 0.4]))
    gone[0] = False
    packed = dense(np.where(gone, 99, found)[None])[0]
    return np.where(gone, 0, packed).astype(np.int16)


def test_which_methods_add_up():
    assert {m.name for m in ADDING} == {"rank_sum", "copeland", "schulze", "kemeny", "supported_order"}
    assert additive(table.parse("rank_sum(outliers=drop)", "orderings", "consensus")) is None
    assert additive(table.parse("copeland(weights=agreement)", "orderings", "consensus")) is None


@pytest.mark.parametrize("method", ADDING, ids=str)
@pytest.mark.parametrize("missing", ["unknown", "below"])
@given(positions=rankings())
def test_what_follows_from_sums_follows_from_rankings(method, missing, positions):
    chosen, (judges, items) = method.with_(missing=missing), positions.shape
    whole = chosen(positions[None], np.ones((1, judges), np.int64))[0]
    adds, gaps = additive(chosen), bool((positions == 0).any())
    numbers = adds.sums(positions, np.zeros(judges, np.int64), 1, gaps, **chosen.parameters)
    found = adds.of(numbers.astype(float), items, **chosen.parameters)[0]
    assert found.array.tolist() == whole.array.tolist()
    assert (found.facts, found.about, list(found.dropped)) == (whole.facts, whole.about, list(whole.dropped))
    if whole.scores is not None:
        assert found.scores == pytest.approx(whole.scores, rel=1e-12)


@pytest.mark.parametrize("missing", ["unknown", "below"])
@given(positions=rankings(), data=st.data())
def test_any_split_in_any_order_of_merging(missing, positions, data):
    judges = len(positions)
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=judges, max_size=judges)))
    block = np.array(data.draw(st.lists(st.integers(0, 3), min_size=judges, max_size=judges)))
    gaps = bool((positions == 0).any())
    whole = sums(positions, group, 3, gaps, missing=missing)
    merged, into = np.zeros_like(whole), None
    for b in data.draw(st.permutations(range(4))):
        own = block == b
        merged = sums(positions[own], group[own], 3, gaps, missing=missing) + merged
        into = sums(positions[own], group[own], 3, gaps, into, missing=missing)
    assert (merged == whole).all()
    assert (into == whole).all()


@given(positions=rankings(), seed=st.integers(0, 99))
def test_panels_drawn_in_groups_are_those_of_their_judges(positions, seed):
    """A panel in which groups come 0, 1 and 2 times is that of their judges, so many times."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, len(positions))
    times = np.array([2, 0, 1]) if group.max() else np.array([2, 1, 1])
    counts = times[group]
    if not counts.any():
        return
    items, gaps = positions.shape[1], bool((positions == 0).any())
    for method in ADDING:
        adds = additive(method)
        panel = times.astype(float) @ adds.sums(positions, group, 3, gaps, **method.parameters)
        found = adds.of(panel[None], items, brief=True, **method.parameters)[0]
        assert found.array.tolist() == method(positions[None], counts[None], brief=True)[0].array.tolist(), str(method)


def test_long_numbers_where_sums_need_them():
    assert not wide(10**6, 1000, gaps=False)
    assert wide(10**7, 1000, gaps=True)
