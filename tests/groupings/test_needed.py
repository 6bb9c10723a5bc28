"""How many judges it takes until another panel would make the same groups."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.groupings import adjusted_rand
from quorate.groupings.mixed_membership import memberships, memberships_of_each
from quorate.groupings.needed import _no_finer, _partitions, agreement, together_or_not
from tests.family import LONG, few

pytestmark = [] if LONG else [pytest.mark.usefixtures("in_small")]


def people(judges, keep, items=15, groups=4, seed=0):
    """Judges who put an item where it belongs, or anywhere."""
    rng = np.random.default_rng(seed)
    truth = np.arange(items) % groups
    return np.where(rng.random((judges, items)) < keep, truth, rng.integers(groups, size=(judges, items)))


def panel(labels):
    return q.Groupings.from_groups({f"j{j}": dict(enumerate(row)) for j, row in enumerate(labels.tolist())})


@pytest.mark.parametrize("keep", [0.35, 0.6, 0.8])
def test_the_partition_of_shares_is_nearly_as_near_to_the_judges_as_the_consensus(keep):
    judges = people(9, keep, seed=1)
    (found,) = _partitions(together_or_not(judges[None]).mean(axis=1))
    best = q.consensus(panel(judges), "median_partition", resamples=0, permutations=0).findings[0].values[0]
    place = {i: k for k, group in enumerate(best) for i in group}
    own, wanted = (
        np.mean([adjusted_rand(p, j) for j in judges.tolist()]) for p in (found, [place[i] for i in range(15)])
    )
    assert own >= wanted - 0.03


def test_two_panels_agree_as_their_partitions_do():
    shares = [together_or_not(people(7, 0.6, seed=s)[None]).mean(axis=1) for s in (1, 2)]
    found = agreement(*shares)[0]
    assert found == pytest.approx(adjusted_rand(*(_partitions(x)[0] for x in shares)))
    assert agreement(shares[0] - 0.3, shares[1] + 2)[0] == pytest.approx(found)  # whatever is taken away


def test_partitions_without_a_group_agree_on_nothing():
    apart = together_or_not(np.arange(6)[None, None])[0]
    assert agreement(apart, apart).tolist() == [0.0]
    one = together_or_not(np.zeros((1, 1, 6), int))[0]
    assert agreement(one, one).tolist() == [1.0]


def test_the_number_is_near_that_of_panels_drawn_from_the_population():
    wide = together_or_not(people(3000, 0.75, seed=5)[None])[0]
    rng = np.random.default_rng(1)

    def drawn(k):
        shares = [np.stack([wide[rng.integers(3000, size=k)].mean(axis=0) for _ in range(100)]) for _ in range(2)]
        return agreement(*shares).mean()

    assert drawn(6) < 0.9 <= drawn(24)
    (o,) = q.trust(panel(people(60, 0.75, seed=6)), "judges_needed", resamples=100).findings[0].overall
    assert 6 < o.value < 40
    assert o.interval.low <= o.value <= o.interval.high


def test_few_people_do_not_ask_for_hundreds_where_a_dozen_is_enough():
    real = 8  # two panels of eight such people agree by 0.9: tests/calibration counts
    seeds = range(few(2, 3))
    said = [q.trust(panel(people(20, 0.7, items=20, seed=s)), "judges_needed").findings[0].overall[0] for s in seeds]
    assert all(real / 2 <= o.value <= 2 * real for o in said)
    assert all(o.interval.low <= real + 1 <= o.interval.high for o in said)


def test_a_pilot_of_eight_noisy_people_asks_for_tens_not_hundreds():
    """Two panels of 22 such people agree by 0.9: tests/calibration/needed.py makes panels of the planned size."""
    seeds = range(few(3, 5))
    said = [q.trust(panel(people(8, 0.5, items=20, seed=s)), "judges_needed").findings[0].overall[0] for s in seeds]
    assert 13 <= np.median([o.value for o in said]) <= 90
    assert all(o.interval.low <= 22 <= o.interval.high for o in said)


def test_eight_people_cannot_tell_whether_cards_are_of_two_groups_and_the_interval_says_so():
    """Where 4 of 20 cards are elsewhere by 40 % it takes 62 people; where none is 8, pilots of 8 look much alike."""
    torn = [sorts_of_two_minds(8, torn=4, keep=0.7, other=0.4, seed=s) for s in range(few(2, 3))]
    said = [q.trust(panel(labels), "judges_needed").findings[0].overall[0].interval for labels in torn]
    assert all(o.low <= 62 <= o.high for o in said)
    assert all(o.high > 10 * o.low for o in said)


def test_items_that_noise_left_alone_are_put_where_most_judges_put_them():
    labels = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], [0, 0, 1, 1, 1, 1]])
    share = together_or_not(labels[None])[0, :, :15].mean(axis=0)
    finer = np.array([0, 0, 2, 1, 1, 1])
    assert _no_finer(finer, share, labels, np.ones(3)).tolist() == [0, 0, 0, 1, 1, 1]
    alone = np.array([[0, 0, 2, 1, 1, 1]] * 3)  # three of four judges leave it alone
    assert _no_finer(finer, share, np.concatenate([labels[:1], alone]), np.ones(4)).tolist() == finer.tolist()


def test_judges_who_share_nothing_never_make_the_same_groups_for_sure():
    noise = np.random.default_rng(3).integers(5, size=(8, 12))
    (o,) = q.trust(panel(noise), "judges_needed", resamples=100).findings[0].overall
    assert math.isinf(o.interval.high)


def test_more_judges_agree_more_and_it_is_said_how_many_there_are():
    answer = q.trust(panel(people(20, 0.8)), "judges_needed", resamples=100)
    curve = answer.findings[0].values
    assert curve[0] < curve[-1]
    assert any("it takes about" in str(s) and str(s).endswith("there are 20.") for s in answer.sentences)


@pytest.mark.parametrize("labels", [np.zeros((1, 5), int), np.arange(6).reshape(3, 2) % 2])
def test_of_too_few_judges_or_items_it_cannot_be_told(labels):
    (o,) = q.trust(panel(labels), "judges_needed", resamples=100).findings[0].overall
    assert math.isnan(o.value) or math.isinf(o.value) or o.value >= 1
    assert q.report(panel(labels), resamples=20, permutations=19).to_dict()


def test_a_page_of_judges_who_share_nothing_says_so():
    noise = np.random.default_rng(3).integers(5, size=(8, 12))
    assert "it takes" in q.report(panel(noise), resamples=50, permutations=19).to_json()


def sorts_of_two_minds(judges, torn=3, keep=0.8, items=20, groups=4, other=0.5, seed=0):
    """The same, but half of the judges, or another share of them, put the first items into the next group."""
    rng = np.random.default_rng(seed)
    truth = np.arange(items) % groups
    next_one = np.where(np.arange(items) < torn, (truth + 1) % groups, truth)
    home = np.where(rng.random((judges, items)) < other, next_one, truth)
    return np.where(rng.random((judges, items)) < keep, home, rng.integers(groups, size=(judges, items)))


def test_items_of_two_groups_are_named_and_ask_for_more_judges():
    answer = q.trust(panel(sorts_of_two_minds(30)), "judges_needed", resamples=100)
    plain = q.trust(panel(people(30, 0.8, items=20)), "judges_needed", resamples=100)
    assert answer.findings[0].about[0]["of_two"] == [0, 1, 2]
    assert plain.findings[0].about[0]["of_two"] == []
    assert answer.findings[0].overall[0].value > 2 * plain.findings[0].overall[0].value
    assert any("of two minds about item 0, item 1 and item 2" in sentence for sentence in answer.sentences)
    found = q.plan(panel(sorts_of_two_minds(30)), want=["winner"], certainty=0.9)
    assert found.cards[0].row()["of_two"] == [0, 1, 2]


def test_few_items_of_two_groups_are_seen_where_there_are_none():
    named = [
        q.trust(panel(people(12, 0.6, items=20, seed=s)), "judges_needed", resamples=20).findings[0].about[0]["of_two"]
        for s in range(few(4, 8))
    ]
    assert sum(map(bool, named)) <= few(1, 2)


@given(st.integers(0, 999), st.integers(2, 9), st.integers(3, 8))
def test_memberships_are_of_judges_whatever_their_order(seed, judges, items):
    rng = np.random.default_rng(seed)
    labels, partition = (
        rng.integers(-1, 3, (judges, items)),
        np.unique(rng.integers(0, 3, items), return_inverse=True)[1],
    )
    counts = rng.integers(1, 4, judges)
    found = memberships(labels, counts.astype(float), partition)
    assert np.allclose(found.likely.sum(axis=1), 1)
    other = memberships(np.repeat(labels, counts, axis=0)[::-1], np.ones(counts.sum()), partition)
    assert np.allclose(found.likely, other.likely, atol=1e-6)
    another = np.unique(rng.integers(0, 4, items), return_inverse=True)[1]
    told = memberships_of_each([labels, labels], counts.astype(float), [another, partition])[1]
    assert np.allclose(found.likely, told.likely)


@pytest.mark.parametrize(("seed", "judges", "tasks", "items", "share"), [(13, 8, 3, 2, 0.6), (5, 2, 4, 8, 0.45)])
def test_incomplete_sorts_by_judges_of_whom_some_say_nothing_are_answered(seed, judges, tasks, items, share):
    """In the first a judge never uses two items; in the second all pairs are together as often."""
    rng = np.random.default_rng(seed)
    rows = [(t, j, i) for t in range(tasks) for j in range(judges) for i in range(items) if rng.random() < share]
    columns = dict(zip(("task", "judge", "item"), map(list, zip(*rows, strict=True)), strict=True))
    columns["group"] = [str(g) for g in rng.integers(3, size=len(rows))]
    found = q.trust(q.Groupings.build(columns), "judges_needed", resamples=20)["judges_needed"]
    assert found.overall[0].value > 1 or math.isnan(found.overall[0].value)
