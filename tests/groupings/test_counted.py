"""Groupings of very many judges from what they add up to: the same as from every judge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import table
from quorate.groupings.additive_counts import Counts, sums, votes_of
from quorate.groupings.association import Association
from quorate.inference import judge_groups
from quorate.kernels.partition_labels import dense
from quorate.panel.coefficient import additive
from quorate.panel.grouping_design import GroupingDesign

SECTIONS = ("both", "shown", "made", "shares")
CONSENSUS = [m for m in table.methods("groupings", "consensus") if additive(m) is not None]


@st.composite
def partitions(draw):
    """Labels ``[judge, item]``, some left out or not shown."""
    judges, items = draw(st.integers(2, 12)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    labels = rng.integers(0, draw(st.integers(1, 4)), (judges, items))
    for label in draw(st.sampled_from([(), (-1,), (-2,), (-1, -2)])):
        labels[rng.random(labels.shape) < 0.25] = label
    labels[0] = np.maximum(labels[0], 0)
    return dense(labels)


def test_which_methods_add_up():
    assert {m.name for m in CONSENSUS} == {"pairs", "quorum", "linkage"}
    assert [m.name for m in table.methods("groupings", "agreement") if additive(m) is not None] == ["together"]


@pytest.mark.parametrize("missing", ["unknown", "bucket"])
@given(labels=partitions(), data=st.data())
def test_any_split_in_any_order_of_merging(missing, labels, data):
    judges = len(labels)
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=judges, max_size=judges)))
    block = np.array(data.draw(st.lists(st.integers(0, 3), min_size=judges, max_size=judges)))
    whole = sums(labels, group, 3, SECTIONS, missing=missing)
    merged, into = np.zeros_like(whole), None
    for b in data.draw(st.permutations(range(4))):
        own = block == b
        merged = sums(labels[own], group[own], 3, SECTIONS, missing=missing) + merged
        into = sums(labels[own], group[own], 3, SECTIONS, into, missing=missing)
    assert whole.dtype.kind == "i"
    assert (merged == whole).all()
    assert (into == whole).all()


@given(labels=partitions())
def test_sums_are_the_co_association(labels):
    where = Counts(labels.shape[1], SECTIONS)
    found = votes_of(sums(labels, np.zeros(len(labels), np.int64), 1, SECTIONS).astype(float), where)
    whole = Association.of(labels[None])
    for name in ("judges", "together", "both", "shown"):
        assert (getattr(found, name) == getattr(whole, name)).all(), name


@pytest.mark.parametrize("left_out", ["singletons", "bucket", "common"])
@pytest.mark.parametrize("q", [0.5, 0.3, 2])
@given(labels=partitions(), seed=st.integers(0, 99))
def test_what_most_put_together_follows_from_sums(q, left_out, labels, seed):
    method = table.parse("together", "groupings", "agreement").with_(q=q, left_out=left_out)
    names = judge_groups.needed(method, *GroupingDesign.uneven(labels))
    if names is None:
        assert left_out == "common"
        assert (labels == -1).any()
        return
    group, adds = np.random.default_rng(seed).integers(0, 3, len(labels)), additive(method)
    where = Counts(labels.shape[1], names)
    rows = adds.sums(labels, group, 3, names, missing=judge_groups.missing_of(method)).astype(float)
    for often in (np.ones(3), np.array([2.0, 1.0, 3.0])):
        whole = method(labels[None], often[group].astype(np.int64)[None])
        found = adds.of(often[None] @ rows, where, often[None] ** 2 @ rows, **method.parameters)
        assert found.values == pytest.approx(whole.values, abs=1e-8, nan_ok=True)
        for name in ("kappa1", "kappa2", "q"):
            assert found.details[name] == pytest.approx(whole.details[name], abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("method", CONSENSUS, ids=str)
@given(labels=partitions())
def test_what_is_agreed_on_follows_from_sums(method, labels):
    judges, items = labels.shape
    adds, names = additive(method), judge_groups.needed(method, *GroupingDesign.uneven(labels))
    whole = method(labels[None], np.broadcast_to(np.nan, (1, judges, items)), np.ones((1, judges), np.int64))[0]
    numbers = adds.sums(labels, np.zeros(judges, np.int64), 1, names).astype(float)
    found = adds.of(numbers, Counts(items, names), some=lambda size: labels, **method.parameters)[0]
    if method.name == "pairs":  # of several that are as good, another may be found
        assert found.facts["worth"] == whole.facts["worth"]
    if method.name != "pairs" or found.array.tolist() == whole.array.tolist():
        assert found.array.tolist() == whole.array.tolist()
        named = list("abcdef")[:items]
        ours, theirs = (one.details(named, range(judges)) for one in (found, whole))
        assert ours.pop("judges_drawn") == judges
        assert str(ours) == str(theirs)
        assert str(found.items_told(named, None)) == str(whole.items_told(named, None))
        assert str(found.groups_told(None)) == str(whole.groups_told(None))
        assert list(found.pairs_told(named, None)) == list(whole.pairs_told(named, None))
    drawn = adds.of(numbers, Counts(items, names), brief=True, start=found.array, **method.parameters)[0]
    if method.name != "pairs":
        assert dense(drawn.array[None])[0].tolist() == dense(found.array[None])[0].tolist()
