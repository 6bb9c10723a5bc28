"""Counts that add up over judges: whatever the blocks and the order in which they are added, the same as of all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import table
from quorate.inference import judge_groups
from quorate.kernels.ranks import dense
from quorate.orderings.additive_counts import Counts, sums
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


def uneven(positions):
    """Whether judges lack items, and whether some tie any."""
    held = positions > 0
    return not held.all(), bool((positions.max(axis=1) < held.sum(axis=1)).any())


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
    adds, names = additive(chosen), judge_groups.needed(chosen, *uneven(positions))
    numbers = adds.sums(positions, np.zeros(judges, np.int64), 1, names, missing=missing)
    found = adds.of(numbers.astype(float), Counts(items, names), **chosen.parameters)[0]
    assert found.array.tolist() == whole.array.tolist()
    assert (found.facts, found.about, list(found.dropped)) == (whole.facts, whole.about, list(whole.dropped))
    if whole.scores is not None:
        assert found.scores == pytest.approx(whole.scores, rel=1e-12)


@pytest.mark.parametrize("missing", ["unknown", "below"])
@given(positions=rankings(), data=st.data())
def test_any_split_in_any_order_of_merging(missing, positions, data):
    """Every section, those that are cut into whole numbers as well."""
    judges = len(positions)
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=judges, max_size=judges)))
    block = np.array(data.draw(st.lists(st.integers(0, 3), min_size=judges, max_size=judges)))
    filled = missing == "below" or (positions > 0).all()
    names = [n for n in ("lengths", "shares", "signs", "ranks", "squares") if filled or n in ("lengths", "shares")]
    whole = sums(positions, group, 3, names, missing=missing)
    merged, into = np.zeros_like(whole), None
    for b in data.draw(st.permutations(range(4))):
        own = block == b
        merged = sums(positions[own], group[own], 3, names, missing=missing) + merged
        into = sums(positions[own], group[own], 3, names, into, missing=missing)
    assert whole.dtype.kind == "i"
    assert (merged == whole).all()
    assert (into == whole).all()
    where = Counts(positions.shape[1], tuple(names))
    for name in names:
        alone = sums(positions, group, 3, (name,), missing=missing)
        assert (where.taken(whole, (name,)) == alone).all()


@given(positions=rankings(), seed=st.integers(0, 99))
def test_panels_drawn_in_groups_are_those_of_their_judges(positions, seed):
    """A panel in which groups come 0, 1 and 2 times is that of their judges, so many times."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, len(positions))
    times = np.array([2, 0, 1]) if group.max() else np.array([2, 1, 1])
    counts = times[group]
    if not counts.any():
        return
    for method in ADDING:
        adds, names = additive(method), judge_groups.needed(method, *uneven(positions))
        panel = times.astype(float) @ adds.sums(positions, group, 3, names)
        found = adds.of(panel[None], Counts(positions.shape[1], names), brief=True, **method.parameters)[0]
        assert found.array.tolist() == method(positions[None], counts[None], brief=True)[0].array.tolist(), str(method)


COUNTED = [m for m in table.methods("orderings", "agreement") if additive(m) is not None]
OTHERS = [
    table.parse(text, "orderings", "agreement") for text in ("support(q=3)", "support(part=items)", "support(q=1)")
]


def test_which_agreement_adds_up():
    assert {m.name for m in COUNTED} == {"tau", "tau_b", "tau_x", "rho", "kendall_w", "support"}
    assert additive(table.parse("support(lam=0.9)", "orderings", "agreement")) is None


def held_to_rankings(method, positions, seed):
    """What sums say is what rankings say; also of panels in which groups of judges come several times, where nobody is
    held against a copy of himself."""
    rng = np.random.default_rng(seed)
    names = judge_groups.needed(method, *uneven(positions))
    if names is None:
        return False
    group, where = rng.integers(0, 3, len(positions)), Counts(positions.shape[1], names)
    adds = additive(method)
    rows = adds.sums(positions, group, 3, names, missing=judge_groups.missing_of(method)).astype(float)
    for often in (np.ones(3), np.array([2.0, 1.0, 3.0])):
        counts = often[group].astype(np.int64)[None]
        pairs = {"alike": False} if method.declaration.properties.get("weighs_pairs") else {}
        whole = method(positions[None], counts, **pairs)
        found = adds.of(often[None] @ rows, where, often[None] ** 2 @ rows, **method.parameters)
        assert found.values == pytest.approx(whole.values, abs=1e-8, nan_ok=True)
        if (often == 1).all():
            for name, column in whole.details.items():
                assert found.details[name] == pytest.approx(column, rel=1e-8, abs=1e-9, nan_ok=True)
    return True


@pytest.mark.parametrize("method", [*COUNTED, *OTHERS], ids=str)
@given(judges=st.integers(3, 12), items=st.integers(2, 6), seed=st.integers(0, 999))
def test_agreement_of_rankings_without_ties_follows_from_sums(method, judges, items, seed):
    positions = np.random.default_rng(seed).random((judges, items)).argsort(axis=1).astype(np.int16) + np.int16(1)
    assert held_to_rankings(method, positions, seed)


@pytest.mark.parametrize("missing", ["unknown", "below"])
@pytest.mark.parametrize("method", [*COUNTED, *OTHERS], ids=str)
@given(positions=rankings(), seed=st.integers(0, 999))
def test_agreement_of_rankings_with_ties_and_gaps_follows_from_sums(method, missing, positions, seed):
    """Of every method where absent items are below; of support also where nothing is known of them."""
    if len(positions) < 2 or positions.shape[1] < 2:
        return
    chosen = method.with_(missing=missing) if method.has("missing") else method
    gaps = bool((positions == 0).any())
    held = held_to_rankings(chosen, positions, seed)
    assert held == (not gaps or missing == "below" or method.name == "support" or not method.has("missing"))


def test_chance_of_many_judges_is_known_from_some():
    """Sums of 900 judges who rank at random, and those of 100 spread as of 900: as far from half, and as often even."""
    rng, made = np.random.default_rng(3), {}
    for some in (100, 900):
        before = []
        for _ in range(400):
            positions = rng.random((some, 4)).argsort(axis=1).astype(np.int16) + np.int16(1)
            seen = sums(positions, np.zeros(some, np.int64), 1)[0].astype(float)
            every = np.array([900.0, *[900.0] * 4, *(450.0 * (1 - np.eye(4))).ravel()])
            before.append(Counts(4).square(Counts(4).spread(seen, every, rng.random(6)), "before"))
        square = np.array(before)
        assert (square + square.transpose(0, 2, 1) == 900 * (1 - np.eye(4))).all()
        lead = square[:, *np.triu_indices(4, 1)] - 450
        made[some] = lead.std(), (lead == 0).mean(), (lead[:, 0] * lead[:, 1]).mean() / lead.var()
    assert made[900][0] == pytest.approx(15, rel=0.06)  # half the root of 900
    assert made[100][0] == pytest.approx(15, rel=0.06)
    assert made[100][1] == pytest.approx(made[900][1], abs=0.02)
    assert made[100][2] == pytest.approx(1 / 3, abs=0.1)  # two pairs that share their first item
    assert made[900][2] == pytest.approx(1 / 3, abs=0.1)


@pytest.mark.parametrize("text", ["tau_b", "tau_x", "rho", "kendall_w"])
def test_chance_of_tied_rankings_spreads_as_of_all_judges(text):
    """300 judges with ties who rank at random, and 60 of them spread as of 300: about the same mean and spread."""
    method, rng = table.parse(text, "orderings", "agreement"), np.random.default_rng(5)
    profile = dense(rng.integers(1, 4, (1, 300, 5)))[0].astype(np.int16)
    adds, names = additive(method), judge_groups.needed(method, False, True)
    where, made = Counts(5, names), {}
    every = adds.sums(profile, np.zeros(300, np.int64), 1, names)[0].astype(float)
    for some in (60, 300):
        values = []
        for _ in range(300):
            permuted = rng.permuted(profile[rng.choice(300, some, replace=False)], axis=1)
            seen = adds.sums(permuted, np.zeros(some, np.int64), 1, names)[0].astype(float)
            numbers = where.spread(seen, every, rng.random(where.steps))[None] if some < 300 else seen[None]
            values.append(adds.of(numbers, where, numbers, **method.parameters).values[0])
        made[some] = np.mean(values), np.std(values)
    assert made[60][0] == pytest.approx(made[300][0], abs=0.25 * made[300][1] + 1e-4)
    assert made[60][1] == pytest.approx(made[300][1], rel=0.3)


def test_long_numbers_where_sums_need_them():
    assert not Counts(1000).wide(10**6)
    assert Counts(1000, ("lengths",)).wide(10**7)
    assert all(Counts(2, (name,)).wide(1) for name in Counts.cut)
    assert set(Counts.cut) < set(Counts.sizes)
