"""How many judges it takes until another panel would make the same groups."""

from __future__ import annotations

import math

import numpy as np
import pytest

import quorate as q
from quorate.groupings import adjusted_rand, consensus_groups
from quorate.groupings.needed import agreement, together_or_not


def people(judges, keep, items=15, groups=4, seed=0):
    """Judges who put an item where it belongs, or anywhere."""
    rng = np.random.default_rng(seed)
    truth = np.arange(items) % groups
    return np.where(rng.random((judges, items)) < keep, truth, rng.integers(groups, size=(judges, items)))


def panel(labels):
    return q.Groupings.from_groups({f"j{j}": dict(enumerate(row)) for j, row in enumerate(labels.tolist())})


def test_two_panels_agree_as_their_consensus_partitions_do():
    first, second = people(7, 0.6, seed=1), people(7, 0.6, seed=2)
    shares = [together_or_not(x[None])[0].mean(axis=0) for x in (first, second)]
    groups = [{i: k for k, g in enumerate(consensus_groups(panel(x))) for i in g} for x in (first, second)]
    found = agreement(shares[0][None], shares[1][None])[0]
    assert found == pytest.approx(adjusted_rand(*groups))
    assert agreement(shares[0][None] - 0.3, shares[1][None] + 2)[0] == pytest.approx(found)  # whatever is taken away


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
