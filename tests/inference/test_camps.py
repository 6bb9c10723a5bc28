"""Camps of judges: planted ones are found, one mind is left whole, and nobody of a camp is called off."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.inference.camp_splits import LEAST, halved, loadings, parted
from quorate.inference.mixture import fitted, held_out
from quorate.orderings.camp_model import BEFOREHAND, Mallows
from quorate.orderings.models import expected_distance
from quorate.orderings.simulate import as_panel, mallows
from quorate.scores.camp_model import Profiles
from tests.family import few
from tests.reference import camps as slow


def orders(seed, sizes, items=8, phi=0.25, tasks=1, names=None):
    """Judges of several camps, each around orders of its own."""
    rng = np.random.default_rng(seed)
    camps = []
    for size in sizes:
        own = mallows((tasks, size, items), phi, rng)
        camps.append(np.stack([task[:, rng.permutation(items)] for task in own]))
    return as_panel(np.concatenate(camps, axis=1), names)


def scores(seed, sizes, items=15, noise=0.6):
    rng = np.random.default_rng(seed)
    rows = [s for size in sizes for s in (rng.normal(size=items) + noise * rng.normal(size=(size, items))).tolist()]
    return q.Scores.from_matrix(np.clip(np.rint(3 + np.array(rows)), 1, 5))


def camps_of(answer):
    return [set(row["which"]) for row in answer.more.get("camps", ())]


# -- what is planted is found ------------------------------------------------------------------------------------------


def test_two_camps_of_orderings_are_found_and_told():
    answer = q.judges(orders(3, (9, 6)), "support_outliers", resamples=0)
    assert camps_of(answer) == [{str(j) for j in range(1, 10)}, {str(j) for j in range(10, 16)}]
    told = next(f for f in answer.facts if f.name == "camps")
    assert told.text.startswith("The judges fall into two camps, 9 (60%) and 6 (40%): within a camp they agree by ")
    assert told.data["p_value"] < 0.05
    first = answer.more["camps_part_on"][0]
    assert abs(first["camp_1"] - first["camp_2"]) > 2
    assert answer.more["flagged"] == []  # a minority with a mind of its own is not off


def test_camps_that_hide_agreement_are_the_headline():
    rng = np.random.default_rng(5)
    made = np.concatenate([mallows((1, size, 8), 0.3, rng) for size in (9, 7)], axis=1)
    made[0, 9:] = 9 - made[0, 9:]  # the other way round
    screen = q.report(as_panel(made), resamples=20, permutations=99).first_screen
    assert screen.headline.startswith("The judges fall into two camps, 56% and 44%, who taken together agree no more")
    assert "camps" not in screen.sub


def test_three_camps_are_three_and_two_are_two():
    seeds = range(few(2, 4))
    three = [q.judges(orders(s, (9, 7, 6), phi=0.25), "support_outliers", resamples=0).more["camps"] for s in seeds]
    assert [[row["judges"] for row in rows] for rows in three].count([9, 7, 6]) >= few(1, 3)
    two = [q.judges(orders(s, (12, 8), phi=0.4), "support_outliers", resamples=0).more["camps"] for s in seeds]
    assert all(len(rows) == 2 for rows in two)


def test_two_profiles_of_raters_are_found():
    answer = q.judges(scores(1, (8, 6)), "noise", resamples=0)
    assert [row["judges"] for row in answer.more["camps"]] == [8, 6]
    assert "correlation" in next(f.text for f in answer.facts if f.name == "camps")


def test_camps_hold_over_tasks():
    answer = q.judges(orders(1, (6, 6), items=6, phi=0.5, tasks=8), "support_outliers", resamples=0)
    assert sorted(map(len, camps_of(answer))) == [6, 6]


def test_one_mind_is_left_whole_and_a_random_judge_makes_no_camp():
    rng = np.random.default_rng(2)
    positions = mallows((1, 12, 8), 0.4, rng)
    positions[0, -1] = rng.permutation(8) + 1
    answer = q.judges(as_panel(positions), "support_outliers", resamples=0)
    assert "camps" not in answer.more
    assert answer.more["camp_tests"][0]["camps"] == 1


def test_one_mind_is_seldom_split():
    found = [q.judges(orders(s, (12,), phi=0.6), "support_outliers", resamples=0) for s in range(few(6, 12))]
    assert sum("camps" in a.more for a in found) <= few(2, 3)  # 5 of 100 are; make calibration counts


def test_a_judge_off_within_a_camp_is_still_flagged():
    positions = np.concatenate([mallows((1, 9, 10), 0.15, np.random.default_rng(4)) for _ in range(2)], axis=1)
    positions[0, 9:] = positions[0, 9:][:, [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]]
    positions[0, 0] = 11 - positions[0, 0]
    answer = q.judges(as_panel(positions), "support_outliers", resamples=0)
    assert [row["judge"] for row in answer.more["flagged"]] == [1]
    assert len(answer.more["camps"]) == 2


def test_equal_answers_whatever_the_order_of_rows_and_by_the_command(tmp_path):
    panel = orders(3, (9, 6))
    q.write(panel, tmp_path / "camps.csv")
    head, *rows = (tmp_path / "camps.csv").read_text().splitlines()
    (tmp_path / "mixed.csv").write_text("\n".join([head, *rows[::-1]]) + "\n")
    run = [
        CliRunner().invoke(main, ["judges", str(tmp_path / n), "--format", "json"], catch_exceptions=False).output
        for n in ("camps.csv", "mixed.csv")
    ]
    first, second = (json.loads(text) for text in run)
    assert first["camps"] == second["camps"]
    assert first["camp_tests"] == second["camp_tests"]


@pytest.mark.parametrize("sizes", [(1,), (2,), (7,)])
def test_too_few_judges_are_not_looked_at(sizes):
    assert "camp_tests" not in q.judges(orders(0, sizes), "support_outliers", resamples=0).more


@pytest.mark.parametrize(
    "panel",
    [
        q.Orderings.from_orders(["ab"] * 9),
        q.Orderings.from_orders([["abc"]] * 9),
        q.Orderings.from_orders(["a"] * 9),
        q.Scores.from_matrix([[3.0, 3.0, 3.0]] * 9),
    ],
)
def test_judges_who_all_say_the_same_make_one_camp(panel):
    assert "camps" not in q.judges(panel, resamples=0, copies="apart").more


# -- against plain twins -----------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.lists(st.permutations(range(4)), min_size=2, max_size=6), st.data())
def test_the_likelihood_is_that_of_all_orders(rankings, data):
    weights = [data.draw(st.sampled_from([0.0, 0.5, 1.0])) for _ in rankings]
    weights[0] = 1.0
    positions = np.array([[order.index(i) + 1 for i in range(4)] for order in rankings])
    found = Mallows([(np.arange(len(rankings)), positions)], len(rankings)).fit(np.array([weights]))[0]
    _, least = slow.best_centre(rankings, weights)
    wanted = (least + BEFOREHAND * 3.0) / (sum(weights) + BEFOREHAND)  # of 6 pairs a random order contradicts 3
    phis = np.linspace(1e-6, 1, 1001)
    phi = float(phis[np.abs([expected_distance(p, 4, 4) - wanted for p in phis]).argmin()])
    equals = [
        c
        for c in slow.permutations(range(4))
        if abs(sum(w * slow.contradictions(o, c) for o, w in zip(rankings, weights, strict=True)) - least) < 1e-9
    ]
    tried = [[slow.log_likelihood(o, c, phi) for o in rankings] for c in equals]
    assert any(np.allclose(found, t, atol=0.05) for t in tried)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_a_split_is_one_of_those_tried_and_plain_camps_are_found_exactly(seed):
    rng = np.random.default_rng(seed)
    square = rng.normal(size=(8, 8))
    square = (square + square.T) / 2
    _, gap = halved(square[None])
    assert gap[0] <= slow.widest_gap(square, LEAST) + 1e-9
    block = np.add.outer([0] * 5 + [1] * 3, [0] * 5 + [1] * 3) != 1
    half, gap = halved((block + 0.1 * square)[None])
    assert half[0].tolist() == [False] * 5 + [True] * 3
    assert gap[0] == pytest.approx(slow.widest_gap(block + 0.1 * square, LEAST))


def test_shares_of_a_mixture_sum_to_one_and_two_camps_are_likelier_than_one():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=12) + 0.5 * rng.normal(size=(10, 12)) for _ in range(2)])
    x[0, :3] = np.nan
    model, camp = Profiles(x), np.repeat([0, 1], 10)
    found = fitted(model, camp, 2)
    assert np.allclose(found.member.sum(axis=0), 1)
    assert (found.member.argmax(axis=0) == camp).all()

    def starts(kept, number):
        return [np.where(kept, camp if number == 2 else 0, -1)]

    assert held_out(model, starts, 20, 2).mean() > held_out(model, starts, 20, 1).mean()
    nothing = held_out(model, lambda kept, number: [], 20, 2)  # where others cannot be split, by one camp
    assert np.allclose(nothing, held_out(model, starts, 20, 1))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_what_halves_have_in_common_is_that_of_a_plain_loop(seed):
    rng = np.random.default_rng(seed)
    square = np.corrcoef(rng.normal(size=(9, 12)))
    half, gain = parted(square[None])
    if math.isfinite(gain[0]):
        assert gain[0] == pytest.approx(slow.in_common(square, half[0]))
        assert min(half[0].sum(), (~half[0]).sum()) >= LEAST
    camps = np.repeat([0, 1], [5, 4])
    block = np.where(camps[:, None] == camps, 0.5, 0.0)
    assert parted(block[None])[0][0].tolist() == (camps == 1).tolist()


def test_loadings_are_those_whose_products_agreement_is():
    own = np.array([0.9, 0.8, 0.7, 0.5, 0.3, 0.0, 0.6, 0.9])
    square = np.outer(own, own)
    np.fill_diagonal(square, np.nan)
    np.testing.assert_allclose(loadings(square[None])[0], own, atol=0.01)


def test_weak_camps_are_found_though_two_make_judges_held_out_no_likelier():
    """Of few judges a mixture is fitted badly: two camps that their split tells (p = 0.03, 0.01) were left one."""
    for seed in (123, few(123, 144)):
        generator = np.random.default_rng(20_000 + seed)
        alike = [mallows((1, 6, 8), 0.5, generator)[0] for _ in range(2)]
        made = [camp[:, generator.permutation(8)] for camp in alike]
        answer = q.judges(as_panel(np.concatenate(made)[None]), "support_outliers", resamples=0, seed=seed)
        (test,) = answer.more["camp_tests"]
        assert test["p_value"] < 0.05
        assert test["camps"] == 2
        assert test["gain"] < 0


def test_careful_and_careless_judges_of_one_mind_make_no_camp():
    rng, found = np.random.default_rng(1), []
    for seed in range(few(3, 6)):
        said = [np.argsort(np.arange(8) + noise * rng.normal(size=8)) for noise in [0.5] * 6 + [30.0] * 7]
        panel = q.Orderings.from_orders(["".join("abcdefgh"[k] for k in order) for order in said])
        found.append(len(q.judges(panel, "influence", seed=seed, resamples=0).more.get("camps", ())))
    assert sum(n > 1 for n in found) <= 1


def test_judges_of_few_items_make_no_camps_by_luck():
    """Of three items nothing is looked for; of four or five few panels of one mind are split (6 of 100 were)."""
    rng, found = np.random.default_rng(11), 0
    for items in (3, 4, 5) * few(5, 20):
        worth = rng.normal(4, 1.2, items)
        given = np.clip(np.round(worth + rng.normal(0, 1, (16, items))), 1, 7)
        judge, item = (x.ravel() for x in np.indices(given.shape))
        panel = q.Scores.build({"judge": judge, "item": item, "score": given.ravel()})
        rows = q.judges(panel, resamples=0, permutations=99).more.get("camps", ())
        assert not (rows and items == 3)
        found += bool(rows)
    assert found <= few(1, 3)
