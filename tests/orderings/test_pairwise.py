"""Indices of two rankings: of two, of every two judges, averaged; with gaps, votes and parameters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import quorate as q
from quorate import BadParameter, InputError, Orderings
from quorate.kernels.pair_means import mean_of_pairs
from quorate.orderings import PAIRWISE, fagin_tau, footrule, rbo, rho, tau, tau_ap, tau_b, tau_x
from quorate.orderings.rankings import one_task
from quorate.orderings.simulate import simulate
from tests import strategies
from tests.reference import orderings as ref

close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
OWN_GAPS = ("fagin_tau", "fagin_footrule", "fagin_rho", "rbo")


def defined(name, everything, missing):
    """The plain index of that name on two rankings with gaps."""
    index = getattr(ref, name)
    if name in OWN_GAPS:
        return index
    return lambda a, b: index(*ref.as_compared(a, b, everything, missing))


def test_there_is_a_plain_twin_of_every_index():
    assert [n for n in PAIRWISE if not hasattr(ref, n)] == []


@pytest.mark.parametrize("name", PAIRWISE)
@given(orders=strategies.orders(judges=(1, 4)), missing=st.sampled_from(["unknown", "below", "top-k"]))
def test_two_rankings_matrix_and_mean_agree_with_the_definition(name, orders, missing):
    index = PAIRWISE[name]
    how = {} if name in OWN_GAPS else {"missing": missing}
    plain = defined(name, {x for o in orders for x in ref.places(o)}, missing)
    square = index.matrix(orders, **how)
    for i, a in enumerate(orders):
        for j, b in enumerate(orders):
            assert square[i, j] == pytest.approx(plain(a, b), **close)
    assert index.mean(orders, **how) == pytest.approx(ref.mean_of_pairs(plain, orders), **close)
    if len(orders) == 2:
        assert index(*orders, **how) == pytest.approx(plain(*orders), **close)


@pytest.mark.parametrize("name", PAIRWISE)
@given(rows=strategies.votes(judges=(1, 3), items=(1, 5)))
def test_the_mean_of_votes_is_that_of_judges_one_by_one(name, rows):
    counted = PAIRWISE[name].mean(Orderings.build(strategies.counted(rows)))
    assert counted == pytest.approx(PAIRWISE[name].mean(strategies.expanded(rows)), **close)


@pytest.mark.parametrize(("index", "plain"), [(tau, ref.tau), (rho, ref.rho)], ids=["tau", "rho"])
@given(rows=strategies.votes(judges=(1, 4), ties=False, gaps=False))
def test_means_of_strict_rankings_count_every_vote(index, plain, rows):
    """Such rankings take a short cut by precedence counts, or by rank sums."""
    counted = index.mean(Orderings.build(strategies.counted(rows)))
    assert counted == pytest.approx(ref.mean_of_pairs(plain, strategies.expanded(rows)), **close)


@pytest.mark.parametrize("index", [tau, rho], ids=["tau", "rho"])
def test_means_of_panels_drawn_from_strict_rankings_are_those_over_pairs(index):
    """The same rankings with other counts; a judge drawn twice is no pair of its own."""
    positions = one_task(simulate(judges=5, items=6, dispersion=0.7)).positions
    counts = np.array([[2, 0, 1, 1, 1], [1, 1, 1, 1, 1], [0, 0, 5, 0, 0]])
    wide = np.broadcast_to(positions, (3, *positions.shape[1:]))
    for alike in (True, False):
        wanted = mean_of_pairs(index.square(positions), counts, alike)
        assert index.measure(wide, counts, alike=alike).values == pytest.approx(wanted, **close)


@pytest.mark.parametrize("seed", range(5))
def test_scipy_has_the_same_values_on_many_items_with_ties(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(1, 9, (2, 40))
    panel = Orderings.from_ranks([x, y])
    assert tau_b.matrix(panel)[0, 1] == pytest.approx(stats.kendalltau(x, y).statistic)
    assert rho.matrix(panel)[0, 1] == pytest.approx(stats.spearmanr(x, y).statistic)
    for name, additive in (("tau_vigna", True), ("tau_shieh", False)):
        expected = stats.weightedtau(-x, -y, additive=additive).statistic
        assert PAIRWISE[name].matrix(panel)[0, 1] == pytest.approx(expected)


def test_tau_of_one_swap_of_neighbours():
    assert tau("abcd", "abdc") == pytest.approx(4 / 6)


def test_tau_ap_punishes_a_swap_at_the_top_more():
    assert tau_ap("abcd", "bacd") < tau_ap("abcd", "abdc")
    assert tau_ap("abcd", "bacd", side="first") == pytest.approx(2 / 3 * (0 + 1 + 1) - 1)


def test_tau_x_counts_a_tie_on_both_sides_as_agreement():
    assert tau_x("a = b > c", "a = b > c") == 1
    assert tau("a = b > c", "a = b > c") == pytest.approx(2 / 3)


def test_footrule_is_normalised_by_the_largest_value():
    assert footrule("abcd", "dcba") == 0
    assert footrule("abc", "cba") == 0
    assert footrule("abcd", "abdc") == 1 - 2 / 8


def test_fagins_penalty_is_the_papers_p_turned_round():
    """The paper sets the sign product of a pair that one list lacks to p: 1 - 2 * penalty."""
    optimistic, neutral = fagin_tau("ab", "cd", penalty=0.0), fagin_tau("ab", "cd", penalty=0.5)
    assert optimistic == pytest.approx((2 * 1 - 4) / 6)
    assert neutral == pytest.approx((2 * 0 - 4) / 6)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9, 0.98, 0.999])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 25])
def test_rbo_of_identical_lists_is_exactly_one_and_never_above(p, size):
    listed = list(range(size))
    assert rbo(listed, listed, p=p) == pytest.approx(1, abs=1e-12)
    assert rbo(listed, listed, p=p) <= 1
    assert rbo.matrix([listed, listed, [*listed, "x"]], p=p).max() <= 1


def test_rbo_of_identical_three_item_lists_is_one():
    """A peer gives 0.27: it stops at the lists' end instead of extrapolating."""
    assert rbo("abc", "abc") == 1.0
    assert rbo("abc", "abc", part="min") == pytest.approx(0.1 * (1 + 0.9 + 0.81) + ref_tail(3, 0.9))


def ref_tail(shared: int, p: float) -> float:
    """What the items in common are worth beyond the end of both lists."""
    return sum((1 - p) * p ** (d - 1) * shared / d for d in range(shared + 1, 2000))


def test_rbo_parts_add_up_to_one_where_all_can_agree():
    assert rbo("abc", "abc", part="min") + rbo("abc", "abc", part="res") == pytest.approx(1)


def test_two_rankings_without_a_common_pair_are_undefined_not_an_error():
    assert np.isnan(tau("ab", "bc"))
    assert tau("ab", "bc", missing="below") == pytest.approx(-1 / 3)
    assert rbo("ab", "cd") == 0


def test_an_empty_ranking_is_refused():
    with pytest.raises(InputError, match="judge 2 ranked nothing"):
        tau("abc", "")


@pytest.mark.parametrize(
    ("index", "wrong", "said"),
    [
        (tau, {"missing": "drop"}, "missing=drop is not known"),
        (tau, {"p": 1}, "tau has no parameter 'p'"),
        (rbo, {"p": 1.0}, "p=1 is out of range"),
        (rbo, {"part": "mean"}, "part=mean is not known"),
        (fagin_tau, {"penalty": 2}, "penalty=2 is out of range"),
    ],
)
def test_wrong_parameters_are_named(index, wrong, said):
    with pytest.raises(BadParameter, match=said):
        index("abc", "acb", **wrong)


@pytest.mark.long
def test_of_very_many_rows_with_gaps_the_judges_who_are_compared_are_drawn_and_permuted():
    """All pairs of 1,200 different short lists are too many: value, interval and chance come from the same sample."""
    rng, rows = np.random.default_rng(0), []
    for k in range(1200):
        order = np.argsort(np.arange(7) + 3 * rng.normal(size=7))[: int(rng.integers(3, 8))]
        rows += [(f"v{k}", f"i{i}", place) for place, i in enumerate(order.tolist(), 1)]
    columns = dict(zip(("judge", "item", "position"), zip(*rows, strict=True), strict=True))
    answer = q.agreement(q.Orderings.build(columns), "tau_b", "kendall_w", resamples=200)
    for f in answer.findings:
        (o,) = f.overall
        assert o.interval.low < o.value < o.interval.high
        assert o.interval.draws >= 100
        assert o.null.p < 0.01
