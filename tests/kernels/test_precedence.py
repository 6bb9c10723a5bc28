"""Precedence counts and q-support scores against their definitions."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import precedence
from tests import strategies
from tests.reference import orderings as ref


def items_of(orders):
    return list(dict.fromkeys(item for order in orders for group in order for item in group))


@given(strategies.votes(items=(1, 6)))
def test_precedence_and_gaps_count_every_vote(rows):
    orders, counts = [o for o, _ in rows], np.array([[c] for _, c in rows])
    last = precedence.tasks_last(strategies.one_stack(orders))
    before, gaps = precedence.precedence(last, counts), precedence.gap_sums(last, counts)
    there, total = precedence.held(last, counts)
    seats = [ref.places(o) for o in strategies.expanded(rows)]
    items = items_of(orders)
    for i, x in enumerate(items):
        assert there[i, 0] == sum(x in s for s in seats)
        assert total[i, 0] == sum(s.get(x, 0) for s in seats)
        for j, y in enumerate(items):
            own = [s[y] - s[x] for s in seats if x in s and y in s and s[x] < s[y]]
            assert before[i, j, 0] == len(own)
            assert gaps[i, j, 0] == sum(own)


@given(
    strategies.votes(items=(1, 6)),
    st.integers(1, 6),
    st.sampled_from([1.0, 0.9, 0.5]),
    st.sampled_from([1.0, 0.9, 0.5]),
)
def test_support_equals_its_definition_with_votes_one_by_one(rows, q, gamma, lam):
    orders, counts = [o for o, _ in rows], np.array([[c] for _, c in rows])
    k1, k2 = precedence.support(precedence.tasks_last(strategies.one_stack(orders)), counts, np.array([q]), gamma, lam)
    expected = ref.support(strategies.expanded(rows), q, gamma, lam)
    again = np.repeat(np.stack([k1[:, 0], k2[:, 0]], axis=1), counts[:, 0], axis=0)
    assert again == pytest.approx(np.array(expected))


def test_counts_of_more_judges_than_a_byte_holds():
    last = precedence.tasks_last(np.tile(np.array([1, 2]), (1, 600, 1)))
    plain = precedence.precedence(last, np.ones((600, 1), int))
    assert plain[:, :, 0].tolist() == [[0, 600], [0, 0]]
    many = precedence.precedence(np.tile(last, (5, 1, 1)), np.ones((3000, 1), int))
    assert many[:, :, 0].tolist() == [[0, 3000], [0, 0]]
    assert (plain == precedence.precedence(last[:1], np.array([[600]]))).all()


@given(st.integers(0, 10**6), st.sampled_from([1, 1 << 18]), st.sampled_from([np.int8, np.int16]))
def test_many_judges_of_one_task_are_counted_as_side_by_side_with_another(seed, held, kind):
    rng = np.random.default_rng(seed)
    judges, items = int(rng.integers(1, 30)), int(rng.integers(1, 9))
    last = rng.integers(0, items + 1, (judges, items, 2)).astype(kind)  # ties and gaps
    last = np.tile(last, (200, 1, 1)) if rng.random() < 0.1 else last  # more than fit into a word
    ones = np.ones((len(last), 2), int)
    with mock.patch.object(precedence, "BYTES", held):
        alone = [precedence.precedence(last[:, :, t : t + 1], ones[:, :1]) for t in range(2)]
    assert np.concatenate(alone, axis=2).tolist() == precedence.precedence(last, ones).tolist()


def test_tasks_in_blocks_equal_tasks_one_by_one(monkeypatch):
    rng = np.random.default_rng(2)
    positions = rng.permuted(np.tile(np.arange(1, 6), (7, 4, 1)), axis=2)
    counts, need = np.ones((4, 7), int), np.full(7, 2)
    whole = precedence.support(precedence.tasks_last(positions), counts, need, 0.9, 0.8)
    monkeypatch.setattr(precedence, "BLOCK", 50)
    assert len(precedence.blocks(7, 5)) == 4
    parts = precedence.support(precedence.tasks_last(positions), counts, need, 0.9, 0.8)
    for a, b in zip(whole, parts, strict=True):
        assert a == pytest.approx(b)
