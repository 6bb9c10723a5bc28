"""Frequent patterns: listed, counted and estimated, against plain enumeration."""

import contextlib
import itertools
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import pattern_chains, pattern_states, pattern_weights, patterns
from quorate.kernels.pattern_weights import Rule, Weights
from tests.reference import patterns as plain
from tests.strategies import orders, votes

NAMES = "abcde"
WAYS = {  # both engines, and patterns put together by last item and judges from the first on
    "chains": {"pattern_weights.SHORT": 0},
    "one by one": {"pattern_weights.MORE": 99, "pattern_states.ALIKE": 99},
    "by state": {"pattern_weights.MORE": 99, "pattern_states.ALIKE": 0},
}
rules = st.builds(
    Rule,
    min_len=st.integers(1, 3),
    max_len=st.one_of(st.none(), st.integers(1, 5)),
    w_len=st.sampled_from([0.0, 0.5, 1.0, 5.0]),
    w_sup=st.sampled_from([0.0, 1.0, 5.0]),
)
shares = st.sampled_from([0.0, 0.3, 0.5, 0.75, 1.0])


def by_each_way(*given, **more):
    """The weights by every engine."""
    found = []
    for names in WAYS.values():
        with contextlib.ExitStack() as stack:
            for name, value in names.items():
                stack.enter_context(mock.patch(f"quorate.kernels.{name}", value))
            found.append(pattern_weights.weights(*given, **more))
    return found


def arrays(rankings, items=NAMES):
    out = np.zeros((len(rankings), len(items)), np.int16)
    for k, order in enumerate(rankings):
        for item, place in plain.places(order).items():
            out[k, items.index(item)] = place
    return out


def counts_of(rows):
    return np.array([count for _, count in rows])


@given(rows=votes(names=NAMES, items=(1, 5)), lists=orders(names=NAMES, items=(1, 5)), share=shares, rule=rules)
def test_weights_are_those_of_the_patterns_one_by_one(rows, lists, share, rule):
    found = plain.frequent(rows, share, rule.min_len, rule.max_len)
    weight = {p: plain.weight(p, s, rule.w_len, rule.w_sup) for p, s in found.items()}
    positions, counts, listed = arrays([o for o, _ in rows]), counts_of(rows), arrays(lists)
    need = plain.quorum(rows, share)
    wanted = [sum(w for p, w in weight.items() if plain.holds(plain.places(o), p)) for o in lists]
    for found_so in by_each_way(positions[None], counts[None], np.array([need]), listed[None], rule):
        assert found_so.patterns[0] == len(found)
        assert not found_so.error.any()
        assert found_so.total[0] == pytest.approx(sum(weight.values()), rel=1e-10)
        assert found_so.inside[0] == pytest.approx(wanted, rel=1e-10, abs=1e-9)


@given(
    rows=votes(names=NAMES, items=(1, 5)),
    lists=orders(names=NAMES, items=(1, 5)),
    share=shares,
    rule=rules,
    data=st.data(),
)
def test_weights_of_panels_drawn_from_one_are_those_of_each_alone(rows, lists, share, rule, data):
    drawn = st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))
    counts = np.array(data.draw(st.lists(drawn, min_size=2, max_size=4)))
    panels = [[(order, int(n)) for (order, _), n in zip(rows, row, strict=True) if n] for row in counts]
    need = np.array([plain.quorum(panel, share) for panel in panels])
    positions = arrays([o for o, _ in rows])
    ways = by_each_way(positions[None], counts, need, arrays(lists)[None], rule)
    for k, panel in enumerate(panels):
        found = plain.frequent(panel, share, rule.min_len, rule.max_len)
        weight = {p: plain.weight(p, s, rule.w_len, rule.w_sup) for p, s in found.items()}
        wanted = [sum(w for p, w in weight.items() if plain.holds(plain.places(o), p)) for o in lists]
        for got in ways:
            assert got.patterns[k] == pytest.approx(len(found), abs=1e-9)
            assert got.total[k] == pytest.approx(sum(weight.values()), rel=1e-10, abs=1e-9)
            assert got.inside[k] == pytest.approx(wanted, rel=1e-10, abs=1e-9)


def test_panels_whose_sums_would_cancel_out_are_counted_by_states(monkeypatch):
    monkeypatch.setattr(pattern_weights, "SHORT", 0)
    positions, lists = noisy(5, 7, 2)[None], noisy(2, 7, 3, 5)[None]
    counts, need = np.array([[1, 2, 0, 1, 1], [3, 0, 1, 1, 0]]), np.array([3, 4])
    by_sets = pattern_weights.weights(positions, counts, need, lists, Rule())
    monkeypatch.setattr(pattern_chains, "CANCELLING", 0.0)
    by_states = pattern_weights.weights(positions, counts, need, lists, Rule())
    assert by_states.total == pytest.approx(by_sets.total, rel=1e-12)
    assert by_states.inside == pytest.approx(by_sets.inside, rel=1e-12)
    assert by_states.patterns == pytest.approx(by_sets.patterns, rel=1e-12)


def test_countless_chains_of_some_judges_leave_panels_without_them_alone():
    """Two judges who order 1,100 items alike share more patterns than a double can count; a third shares few."""
    row = np.arange(1, 1101)
    positions = np.stack([row, row, row[::-1]])
    counts, need = np.array([[1, 1, 1], [1, 0, 1]]), np.array([2, 2])
    found = pattern_weights.weights(positions[None], counts, need, row[None, None], Rule(min_len=1), brief=True)
    assert not np.isfinite(found.total[0])
    assert found.total[1] == 2 * 1100  # each item alone, by two judges


@given(rows=votes(names=NAMES, items=(1, 5)), share=shares, lengths=st.tuples(st.integers(1, 3), st.integers(1, 5)))
def test_patterns_are_listed_once_each(rows, share, lengths):
    positions, counts = arrays([o for o, _ in rows]), counts_of(rows)
    task = patterns.bitsets(positions, counts, plain.quorum(rows, share))
    everything = plain.frequent(rows, share, 1)
    for which, wanted in (
        ("all", everything),
        ("maximal", plain.maximal(everything)),
        ("closed", plain.closed(everything)),
    ):
        found = list(patterns.walk(task, lengths[0], lengths[1], which))
        named = {tuple(NAMES[i] for i in p): s for p, s in found}
        assert len(named) == len(found)
        assert named == {p: s for p, s in wanted.items() if lengths[0] <= len(p) <= lengths[1]}, which


@given(rows=votes(names=NAMES, items=(2, 5)), lists=orders(judges=(1, 1), names=NAMES), share=shares, rule=rules)
def test_the_heaviest_are_the_heaviest(rows, lists, share, rule):
    positions, counts, row = arrays([o for o, _ in rows]), counts_of(rows), arrays(lists)[0]
    task = patterns.bitsets(positions, counts, plain.quorum(rows, share))
    inside = (row[:, None] > 0) & (row[:, None] < row)
    np.fill_diagonal(inside, row > 0)
    longest = len(NAMES) if rule.max_len is None else rule.max_len
    weigh = lambda length, support: rule.by_length(length) * rule.by_support(support)  # noqa: E731
    found = plain.frequent(rows, share, rule.min_len, rule.max_len)
    for contained in (True, False):
        got, done = patterns.heaviest(task, inside, contained, weigh, (rule.min_len, longest), 4, 10**6)
        wanted = [
            plain.weight(p, s, rule.w_len, rule.w_sup)
            for p, s in found.items()
            if plain.holds(plain.places(lists[0]), p) == contained
        ]
        assert done
        assert [w for _, w in got] == pytest.approx(sorted(wanted, reverse=True)[:4])


@given(rows=votes(names=NAMES, items=(2, 5)), share=shares)
def test_a_judge_who_counts_twice_is_two_judges(rows, share):
    positions, counts = arrays([o for o, _ in rows]), counts_of(rows)
    need = np.array([plain.quorum(rows, share)])
    apart = np.repeat(positions, counts, axis=0)
    one = pattern_weights.weights(positions[None], counts[None], need, positions[None, :1], Rule())
    two = pattern_weights.weights(apart[None], np.ones((1, len(apart)), int), need, positions[None, :1], Rule())
    assert one.total == pytest.approx(two.total)
    assert one.inside == pytest.approx(two.inside)


def noisy(judges, items, noise, seed=0):
    rng = np.random.default_rng(seed)
    return (np.arange(items) + noise * rng.standard_normal((judges, items))).argsort(axis=1).argsort(axis=1) + 1


def test_tasks_together_are_the_tasks_one_by_one():
    positions = np.stack([noisy(6, 7, 2, seed) for seed in range(5)])
    lists = np.stack([noisy(3, 7, 3, 9 + seed) for seed in range(5)])
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, (5, 6))
    counts[:, 0] = 1
    need = np.maximum(np.ceil(0.6 * counts.sum(axis=1)), 1).astype(int)
    together = pattern_weights.weights(positions, counts, need, lists, Rule())
    for t in range(5):
        one = slice(t, t + 1)
        alone = pattern_weights.weights(positions[one], counts[one], need[one], lists[one], Rule())
        assert together.inside[t] == pytest.approx(alone.inside[0])
        assert together.total[t] == pytest.approx(alone.total[0])


def test_a_judge_taken_out_is_not_there():
    positions, counts = noisy(6, 7, 2), np.array([1, 0, 1, 1, 0, 1])
    lists = noisy(2, 7, 3, 5)
    left = counts > 0
    with_zeros = pattern_weights.weights(positions[None], counts[None], np.array([3]), lists[None], Rule())
    without = pattern_weights.weights(positions[left][None], counts[left][None], np.array([3]), lists[None], Rule())
    assert with_zeros.total == pytest.approx(without.total)
    assert with_zeros.inside == pytest.approx(without.inside)


@pytest.mark.parametrize(("judges", "share"), [(13, 0.75), (16, 0.8), (14, 0.6)])
def test_sets_and_states_agree_for_many_judges(judges, share):
    positions, lists = noisy(judges, 12, 1.5), noisy(3, 12, 3, 1)
    need = int(np.ceil(share * judges))
    ones = np.ones(judges, int)
    by_sets = pattern_weights.weights(positions[None], ones[None], np.array([need]), lists[None], Rule())
    by_states = of_states(positions, ones, need, lists, Rule())
    assert by_sets.total == pytest.approx(by_states.total, rel=1e-9)
    assert by_sets.inside == pytest.approx(by_states.inside, rel=1e-9)
    assert by_sets.patterns == pytest.approx(by_states.patterns, rel=1e-9)


def of_states(positions, counts, need, lists, rule, **more):
    """The weights of one task by states."""
    return Weights(*pattern_states.weights(positions[None], counts[None], np.array([need]), lists[None], rule, **more))


def test_more_than_64_judges():
    positions, lists = noisy(70, 6, 1.5), noisy(2, 6, 2, 1)
    votes_of = [([[i] for i in np.argsort(row)], 1) for row in positions]
    found = pattern_weights.weights(positions[None], np.ones((1, 70), int), np.array([53]), lists[None], Rule())
    wanted = [plain.frespa([[i] for i in np.argsort(row)], votes_of) for row in lists]
    assert found.inside[0] / found.total[0] == pytest.approx(wanted)


def test_sixty_equal_rankings_have_two_to_the_sixtieth_patterns():
    row = np.arange(1, 61)
    found = pattern_weights.weights(
        np.tile(row, (1, 10, 1)), np.ones((1, 10), int), np.array([8]), np.stack([row, row[::-1]])[None], Rule()
    )
    assert found.patterns[0] == pytest.approx(2**60 - 61, rel=1e-12)
    assert (found.inside[0] / found.total[0]).tolist() == [pytest.approx(1), 0]


def test_drawn_states_estimate_what_is_counted(monkeypatch):
    positions, lists = noisy(10, 24, 3), noisy(4, 24, 4, 1)
    ones = np.ones(10, int)
    exact = of_states(positions, ones, 6, lists, Rule())
    monkeypatch.setattr(pattern_states, "STATES", 10)
    monkeypatch.setattr(pattern_states, "DRAWN", 200)
    about, again = (of_states(positions, ones, 6, lists, Rule()) for _ in range(2))
    assert not exact.error.any()
    assert (about.error > 0).all()
    off = about.inside / about.total[:, None] - exact.inside / exact.total[:, None]
    assert (np.abs(off) < 4 * about.error).all()
    assert about.patterns == pytest.approx(exact.patterns, rel=0.1)
    assert again.inside.tolist() == about.inside.tolist()


def test_maximal_patterns_of_long_equal_rankings_are_found_at_once():
    row = np.arange(1, 61)
    task = patterns.bitsets(np.tile(row, (10, 1)), np.ones(10, int), 8)
    for which in ("maximal", "closed"):
        assert list(patterns.walk(task, 2, None, which)) == [(tuple(range(60)), 10)]
    assert len(list(itertools.islice(patterns.walk(task, 2, None, "all"), 1000))) == 1000


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(2, 5), st.sampled_from([3, 14]))
def test_copies_of_tasks_with_other_lists_weigh_what_each_does_alone(seed, tasks, copies, judges):
    rng = np.random.default_rng(seed)
    items = int(rng.integers(5, 7))  # few, or not
    own = np.argsort(rng.random((tasks, judges, items)), axis=2) + 1
    own = np.concatenate([own, own[: rng.integers(2)]])  # two tasks may be alike without being copies
    positions = np.tile(own, (copies, 1, 1))
    lists = np.argsort(rng.random((len(positions), 2, items)), axis=2) + 1
    counts = np.ones(positions.shape[:2], np.int64)
    need = np.full(len(positions), judges // 2 + 1)
    every = pattern_weights.weights(positions, counts, need, lists, Rule())
    for t in range(len(positions)):
        one = slice(t, t + 1)
        alone = pattern_weights.weights(positions[one], counts[one], need[one], lists[one], Rule())
        assert every.total[t] == pytest.approx(alone.total[0])
        assert every.inside[t] == pytest.approx(alone.inside[0])
        assert every.patterns[t] == pytest.approx(alone.patterns[0])


@given(st.integers(0, 10**6), st.booleans(), rules)
def test_every_way_weighs_alike(seed, drawn, rule):
    rng = np.random.default_rng(seed)
    rows, judges, items, listed = rng.integers(1, (5, 14, 8, 4)).tolist()
    tasks = 1 if drawn else rows
    positions, lists = (rng.integers(0, items + 1, (tasks, size, items)) for size in (judges, listed))  # ties and gaps
    lists *= int(rng.choice([1, 30]))  # places of items among many others
    counts = rng.integers(0, 4, (rows, judges))
    need = np.maximum(counts.sum(axis=1) * rng.integers(1, 4) // 4, 1)
    first, *others = by_each_way(positions, counts, need, lists, rule)
    for way in others:
        for name in ("total", "inside", "patterns", "error"):
            assert getattr(way, name) == pytest.approx(getattr(first, name), rel=1e-10, abs=1e-9)


def test_many_panels_drawn_are_counted_together_as_each_alone(monkeypatch):
    rng = np.random.default_rng(5)
    positions, lists = noisy(20, 7, 2)[None], noisy(2, 7, 3, 5)[None]
    counts = rng.multinomial(20, np.full(20, 0.05), 5)
    need = np.full(5, 12)
    every = pattern_weights.weights(positions, counts, need, lists, Rule())
    for change in ({"PANELS": 2}, {"ROOM": 3}, {"CHUNK": 40}):  # fewer at once, one by one, in several lots
        with mock.patch.multiple(pattern_states, **change):
            found = pattern_weights.weights(positions, counts, need, lists, Rule())
        if change == {"ROOM": 3}:  # an estimate
            assert (np.abs(found.inside / found.total[:, None] - every.inside / every.total[:, None]) < 0.2).all()
        else:
            assert found.inside.tolist() == every.inside.tolist()
            assert found.total.tolist() == every.total.tolist()


@pytest.mark.parametrize("brief", [False, True])
@pytest.mark.parametrize("times", [1, 3, "some"])
def test_tasks_counted_side_by_side_are_counted_as_each_alone(times, brief, monkeypatch):
    rng = np.random.default_rng(7)
    seats = np.argsort(rng.random((9, 7, 6)), axis=2).astype(np.int16) + 1
    seats[seats > 4] = 0  # each judge holds four of six items
    often = rng.integers(1, 4, (9, 7)) if times == "some" else times
    counts = often * (rng.random((9, 7)) < 0.8).astype(np.int64)
    counts[:, 0] = 1 if times == "some" else times
    need, lists = rng.integers(1, 4, 9) * np.max(counts), np.argsort(rng.random((9, 2, 6)), axis=2) + 1
    rule = Rule(2, None, 1.0, 0.5)
    alone = [of_states(*one, rule, brief=brief) for one in zip(seats, counts, need.tolist(), lists, strict=True)]
    for side, states in ((1 << 19, 150_000), (3 * 7 * 36, 150_000), (1 << 19, 30 * (20 if brief else 1))):
        monkeypatch.setattr(pattern_states, "SIDE", side)
        monkeypatch.setattr(pattern_states, "STATES", states)  # too many together: one by one
        found = pattern_states.weights(seats, counts, need, lists, rule, brief=brief)
        for way, own in zip(found, zip(*(vars(a).values() for a in alone), strict=True), strict=True):
            assert way == pytest.approx(np.concatenate(own))
