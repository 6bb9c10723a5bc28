"""Measures of two partitions: their definitions, scikit-learn, the edges, and what each promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import table
from quorate.errors import BadParameter, InputError
from quorate.groupings import MEASURES, adjusted_mutual_information, nmi, rand, v, v_beta, vi
from quorate.kernels.contingency import FIELDS, all_sums, tables
from quorate.kernels.information import expected_information
from quorate.panel.partitions import WAYS, treated
from tests.reference import groupings as plain

every = pytest.mark.parametrize("name", MEASURES)
GROUPS = st.sampled_from(["a", "b", 3, 4.5, None])


@st.composite
def two(draw, least=1, left_out=True):
    """Two groupings; items may be left out, or have no row in one of them."""
    items = range(draw(st.integers(least, 9)))
    groups = GROUPS if left_out else st.sampled_from(["a", "b", 3, 4.5])
    out = []
    for _ in range(2):
        p = {i: draw(groups) for i in items}
        if left_out and draw(st.booleans()) and len(p) > 1:
            del p[draw(st.sampled_from(sorted(p)))]
        out.append(p)
    return out


def parameters_of(name):
    known = table.find(name, "groupings", "agreement").parameters
    drawn = {
        n: st.sampled_from(p.choices) if p.type == "choice" else st.sampled_from([0.25, 0.5, 1.0, 2.0])
        for n, p in known.items()
    }
    return st.fixed_dictionaries(drawn)


@every
@given(data=st.data())
def test_a_measure_is_its_definition(name, data):
    first, second = data.draw(two())
    how = data.draw(parameters_of(name))
    wanted = plain.measure(name, first, second, **how)
    assert MEASURES[name](first, second, **how) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@every
@given(data=st.data())
def test_a_measure_keeps_its_range_and_names_of_groups_do_not_matter(name, data):
    first, second = data.draw(two())
    how = data.draw(parameters_of(name))
    value = MEASURES[name](first, second, **how)
    low, high = table.find(name, "groupings", "agreement").range
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12
    renamed = {i: None if g is None else f"other {g}" for i, g in first.items()}
    assert MEASURES[name](renamed, second, **how) == pytest.approx(value, abs=1e-15, nan_ok=True)


@every
@given(data=st.data())
def test_where_a_measure_says_it_is_symmetric_it_is(name, data):
    first, second = data.draw(two())
    how = data.draw(parameters_of(name))
    if MEASURES[name].symmetric(how):
        there, back = MEASURES[name](first, second, **how), MEASURES[name](second, first, **how)
        assert there == pytest.approx(back, abs=1e-12, nan_ok=True)


def test_some_measures_say_that_they_are_symmetric_and_some_that_they_are_not():
    said = [m.symmetric(table.Method(table.find(n, "groupings", "agreement")).parameters) for n, m in MEASURES.items()]
    assert {True, False} == set(said)


@every
def test_where_a_measure_says_it_is_not_symmetric_it_is_not(name):
    how = table.Method(table.find(name, "groupings", "agreement")).parameters
    if not MEASURES[name].symmetric(how):
        first, second = list("aabbccdd"), list("aaaaabbc")
        assert abs(MEASURES[name](first, second) - MEASURES[name](second, first)) > 0.01


@every
@given(data=st.data())
def test_a_measure_is_best_at_itself(name, data):
    first, second = data.draw(two(least=3, left_out=False))
    if len(set(first.values())) == len(first):
        first[1] = first[0]  # singletons against themselves have no pair: F is 0 by convention
    own, other = MEASURES[name](first, first), MEASURES[name](second, first)
    sign = MEASURES[name].sign
    assert own == (1.0 if sign == 1 else 0.0)
    assert sign * own >= sign * other - 1e-12


@given(two())
def test_nmi_is_v_with_beta_1_and_v_beta_the_weighted_mutual_information(both):
    first, second = both
    assert nmi(first, second) == v(first, second, beta=1)
    L, C = plain.filled(first, second, "singletons")
    beta = len(set(L.values())) / len(set(C.values()))
    below = beta * plain.H(L) + plain.H(C)
    wanted = (1 + beta) * (plain.H(C) - plain.given(C, L)) / below if below > 1e-12 else 1.0
    assert v_beta(first, second) == pytest.approx(wanted, abs=1e-12)


def test_the_paper_on_70_items_in_15_clusters():
    sizes = [15, 9, 8, 6, 5, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2]
    classes = [k for k, n in enumerate(sizes) for _ in range(n)]
    single, one = list(range(70)), [0] * 70
    assert len(classes) == 70
    assert MEASURES["rand"](single, classes) == pytest.approx(0.91, abs=0.005)
    assert MEASURES["f"](single, classes) == 0
    assert MEASURES["purity"](single, classes) == MEASURES["homogeneity"](single, classes) == 1
    assert MEASURES["entropy"](single, classes) == 0
    assert MEASURES["completeness"](one, classes) == 1
    assert MEASURES["nvi"](single, one) == 1
    assert MEASURES["vi"](single, one) == pytest.approx(math.log(70))


def test_edges_have_the_documented_values():
    one, single = ["x"] * 4, list("abcd")
    assert MEASURES["homogeneity"](single, one) == MEASURES["completeness"](one, single) == 1  # H(C) = 0, H(L) = 0
    assert MEASURES["v"](one, single) == MEASURES["v"](single, one) == 0
    assert MEASURES["v"](one, one) == MEASURES["v"](single, single) == 1
    assert MEASURES["entropy"](single, one) == MEASURES["entropy"](one, one) == 0  # |C| = 1
    for name in ("precision", "recall", "f", "fowlkes_mallows"):
        assert MEASURES[name](single, single) == 0  # no pair together
    assert MEASURES["adjusted_rand"](single, single) == MEASURES["adjusted_mutual_information"](single, single) == 1
    assert MEASURES["adjusted_rand"](single, one) == 0
    assert abs(MEASURES["adjusted_mutual_information"](single, one)) < 1e-12


@every
def test_without_items_a_measure_is_undefined_and_with_one_item_pairs_are(name):
    assert math.isnan(MEASURES[name]([], []))
    assert math.isnan(MEASURES[name]({"x": 1}, {"y": 1}, left_out="common"))
    of_pairs = ("rand", "precision", "recall", "f", "adjusted_rand", "fowlkes_mallows", "nvi")
    assert math.isnan(MEASURES[name](["a"], ["a"])) == (name in of_pairs)


def test_an_item_without_a_row_is_left_out_as_one_with_no_group():
    for way in WAYS:
        absent = v_beta({"x": 1, "y": 1, "z": 2}, {"x": 1, "y": 1}, left_out=way)
        assert absent == v_beta({"x": 1, "y": 1, "z": 2}, {"x": 1, "y": 1, "z": None}, left_out=way)


def test_mistakes_are_errors_with_a_hint():
    with pytest.raises(InputError, match="2 and 3 items"):
        rand([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="dicts"):
        rand({"x": 1}, [1])
    with pytest.raises(BadParameter, match="bucket"):
        rand([1, 2], [1, 2], left_out="buckets")
    with pytest.raises(BadParameter):
        vi([1, 2], [1, 2], unit="bytes")


def test_labels_may_be_negative_or_far_apart_in_arrays():
    a = np.array([-1, -1, 10**12, 10**12, 5])
    b = np.array([0, 0, 1, 1, 2])
    assert v_beta(a, b) == rand(a, b) == 1.0


SKLEARN = {
    "homogeneity": "homogeneity_score",
    "completeness": "completeness_score",
    "v": "v_measure_score",
    "nmi": "normalized_mutual_info_score",
    "rand": "rand_score",
    "adjusted_rand": "adjusted_rand_score",
    "adjusted_mutual_information": "adjusted_mutual_info_score",
    "fowlkes_mallows": "fowlkes_mallows_score",
}


@pytest.mark.parametrize("name", SKLEARN)
@given(labels=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 8)), min_size=2, max_size=60))
def test_scikit_learn_agrees(name, labels):
    metrics = pytest.importorskip("sklearn.metrics")
    clusters, classes = map(list, zip(*labels, strict=True))
    peer = getattr(metrics, SKLEARN[name])(classes, clusters)
    assert MEASURES[name](clusters, classes) == pytest.approx(peer, abs=1e-12)


def test_scikit_learn_agrees_on_many_items_and_clusters():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    classes = rng.integers(40, size=20_000)
    clusters = np.where(rng.random(20_000) < 0.4, classes, rng.integers(300, size=20_000))
    for name, peer in SKLEARN.items():
        assert MEASURES[name](clusters, classes) == pytest.approx(getattr(metrics, peer)(classes, clusters), abs=1e-10)


def test_nothing_overflows_at_ten_million_items():
    n = 10**7
    clusters = np.zeros(n, np.int8)
    classes = (np.arange(n) >= n // 4).astype(np.int8)
    s = tables(clusters[None], classes[None]).sums(expected=True)
    both = math.comb(n // 4, 2) + math.comb(3 * n // 4, 2)
    assert MEASURES["precision"].of(s)[0] == pytest.approx(both / math.comb(n, 2), rel=1e-14)
    assert MEASURES["recall"].of(s)[0] == 1
    assert MEASURES["rand"].of(s)[0] == pytest.approx(both / math.comb(n, 2), rel=1e-14)
    assert MEASURES["adjusted_rand"].of(s)[0] == pytest.approx(0, abs=1e-12)
    assert MEASURES["purity"].of(s)[0] == 0.75


# -- kernels -----------------------------------------------------------------------------------------------------------


@given(st.data())
def test_many_pairs_at_once_are_the_pairs_one_by_one(data):
    items = data.draw(st.integers(1, 12))
    row = st.lists(st.integers(-1, 60), min_size=items, max_size=items)
    labels = np.array(data.draw(st.lists(row, min_size=2, max_size=4)))
    left, right = np.indices((len(labels), len(labels))).reshape(2, -1)
    found = all_sums(labels, labels, left, right, expected=True)
    for k, (a, b) in enumerate(zip(left, right, strict=True)):
        alone = tables(labels[a][None], labels[b][None]).sums(expected=True)
        for field in FIELDS:
            assert getattr(found, field)[k] == pytest.approx(getattr(alone, field)[0], nan_ok=True, rel=1e-13)
            assert getattr(found.turned(), field)[k] == pytest.approx(
                getattr(tables(labels[b][None], labels[a][None]).sums(expected=True), field)[0], nan_ok=True, rel=1e-9
            )


def test_treatments_of_left_out_items():
    labels = np.array([[0, -1, 1, -1, -2], [-1, -1, -1, -1, -2]])
    assert treated(labels, "singletons").tolist() == [[0, 2, 1, 3, -2], [0, 1, 2, 3, -2]]
    assert treated(labels, "bucket").tolist() == [[0, 2, 1, 2, -2], [0, 0, 0, 0, -2]]
    assert treated(labels, "common").tolist() == labels.tolist()


def test_the_expectation_does_not_depend_on_the_window():
    """At these sizes the window cuts most of the range off; the whole range in exact fractions gives the same."""
    from fractions import Fraction

    n, a, b = 900, 300, 450
    whole = 0.0
    for k in range(1, 301):
        chance = Fraction(math.comb(a, k) * math.comb(n - a, b - k), math.comb(n, b))
        whole += float(chance) * k / n * math.log(n * k / (a * b))
    from quorate.kernels.information import part

    assert part(np.array([a]), np.array([b]), n)[0, 0] == pytest.approx(whole, rel=1e-11)
    assert expected_information(np.array([[5, 0]]), np.array([[0, 5]]), np.array([5]))[0] == 0


def test_equal_partitions_are_equal_to_the_last_bit():
    rng = np.random.default_rng(1)
    for n in (7, 300, 100_000):
        labels = rng.integers(n // 3, size=n)
        other = rng.permutation(n // 3)[labels]
        assert vi(labels, other) == 0
        assert nmi(labels, other) == v_beta(labels, other) == adjusted_mutual_information(labels, other) == 1
