"""Who is off: hardly anybody among judges who are all alike, and who was planted. A short form of the calibration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import quorate as q
from quorate.orderings.simulate import simulate
from quorate.panel.design import exchanged_names
from tests.calibration.simulated import columns_of, groupings, scores
from tests.family import few

LONG = pytest.mark.long  # the calibration has more of them


def flagged(panel) -> dict:
    return {f["judge"]: f["diagnosis"] for f in q.judges(panel, resamples=0, permutations=0).more["flagged"]}


@pytest.mark.parametrize(
    ("judges", "tasks", "dispersion"),
    [pytest.param(8, 1, 0.7, marks=LONG), pytest.param(5, 3, 0.6, marks=LONG), (4, 12, 0.8)],
)
def test_of_panels_whose_judges_are_alike_few_have_a_flag(judges, tasks, dispersion):
    made = (simulate(judges=judges, items=7, tasks=tasks, dispersion=dispersion, seed=k) for k in range(few(15, 40)))
    assert sum(bool(flagged(panel)) for panel in made) <= few(4, 7)  # of 15 and of 40 at 5 %: one in a thousand


def test_judges_who_saw_few_items_in_common_are_not_off_because_two_of_them_agree_on_those():
    rng, found = np.random.default_rng(11), []
    for _ in range(20):
        worth = rng.normal(0, 1.2, 7)
        seen = {j: rng.choice(7, 4, replace=False) for j in ("ann", "bob", "cat")}
        orders = {j: sorted(map(str, s), key=lambda i: -worth[int(i)] - rng.gumbel()) for j, s in seen.items()}
        found.append(flagged(q.Orderings.from_orders(orders)))
    assert sum(map(bool, found)) <= 4  # of 20 at 5 %: three in a thousand; 8 were, where it passed for no noise


def test_of_labels_that_are_no_numbers_few_panels_of_alike_judges_have_a_flag():
    rng, found = np.random.default_rng(12), []
    for _ in range(few(6, 12)):
        right = rng.integers(0, 4, 12)
        said = np.where(rng.random((30, 12)) < 0.7, right, rng.integers(0, 4, (30, 12)))
        rows = {"judge": np.repeat(np.arange(30), 12).astype(str).tolist(), "item": [str(k) for k in range(12)] * 30}
        found.append(flagged(q.Scores.build({**rows, "label": ["abcd"[k] for k in said.ravel()]})))
    assert sum(map(bool, found)) <= 1  # of 12 at 5 %; 2 were, where labels were taken for numbers


def test_a_wild_answer_that_any_judge_may_give_is_no_spread_of_a_judge():
    rng, found = np.random.default_rng(13), []
    for _ in range(few(5, 10)):
        value = rng.normal(0, 1.2, (72, 1)) + rng.standard_t(3, (72, 10)) * np.repeat(rng.gamma(2, 0.5, 6), 12)[:, None]
        unit, judge = np.indices((72, 10)).reshape(2, -1)
        names = {"task": unit // 12, "item": unit, "judge": judge}
        rows = {n: x.astype(str).tolist() for n, x in names.items()} | {"score": value.ravel().tolist()}
        found.append(flagged(q.Scores.build(rows)))
    assert sum(map(bool, found)) <= few(2, 3)  # of 5 and of 10 at 5 %: one in a thousand; of 10 4 were


@pytest.mark.parametrize("tasks", [1, 8])
def test_who_goes_the_other_way_is_named_and_told_so(tasks):
    for seed in range(few(2, 5)):
        panel = simulate(judges=6, items=8, tasks=tasks, dispersion=0.5, seed=seed)
        orders = {t: panel.orders(t) for t in panel.tasks}
        orders = {t: {**js, "finn": next(iter(js.values()))[::-1]} for t, js in orders.items()}
        found = flagged(q.Orderings.from_orders(orders))
        assert found.get("finn") == "reversed"


@pytest.mark.parametrize(
    ("tasks", "judges"),
    [pytest.param(1, 9, marks=LONG), pytest.param(5, 5, marks=LONG), (20, 5)],
)
def test_judges_who_group_more_and_less_finely_are_not_off(tasks, judges):
    made = (groupings(np.random.default_rng([3, k]), tasks=tasks, judges=judges, grain=0.35) for k in range(few(8, 15)))
    assert sum(bool(flagged(panel)) for panel in made) <= few(3, 4)  # of 8 and of 15 at 5 %: one in a thousand


@pytest.mark.parametrize("unlike", [{"severity": 1.0}, {"stretch": 0.5}, {"severity": 0.7, "stretch": 0.3}])
def test_judges_of_scores_of_another_level_or_spread_are_not_off(unlike):
    made = (scores(np.random.default_rng([5, k]), tasks=20, judges=8, items=5, **unlike) for k in range(few(8, 15)))
    assert sum(bool(flagged(panel)) for panel in made) <= few(3, 4)  # of 8 and of 15 at 5 %: one in a thousand


def test_among_judges_of_every_level_and_spread_one_who_guesses_is_named_and_else_hardly_anybody():
    how = {"tasks": 6, "judges": 5, "items": 20, "severity": 0.7, "stretch": 0.3, "planted": "random"}
    found = [flagged(scores(np.random.default_rng([6, k]), **how)) for k in range(8)]
    assert sum("j4" in f for f in found) >= 6
    how = {"judges": 6, "items": 12, "severity": 0.7, "stretch": 0.3}
    assert sum(bool(flagged(scores(np.random.default_rng([8, k]), **how))) for k in range(5)) <= 2


@pytest.mark.parametrize("fault", ["shifted", "compressed", "constant", "drifting"])
def test_a_level_a_spread_or_a_drift_unlike_all_others_is_named_as_such(fault):
    found = [flagged(scores(np.random.default_rng([7, k]), tasks=6, judges=6, planted=fault)) for k in range(few(2, 6))]
    assert sum(f.get("j5") == fault for f in found) >= few(1, 4)


def test_a_judge_on_another_level_is_not_hidden_by_one_who_uses_less_of_the_scale():
    found = []
    for k in range(3):
        rng = np.random.default_rng([9, k])
        value = 4 + 1.2 * rng.normal(size=(1, 1, 60)) + 0.6 * rng.normal(size=(1, 8, 60))
        value[:, 6] = 4 + 0.3 * (value[:, 6] - 4)
        value[:, 7] += 1.5
        found.append(flagged(q.Scores.build(columns_of(np.clip(np.rint(value), 1, 7), "score"))))
    assert sum(f.get("j7") == "shifted" for f in found) >= 2  # none was


def test_of_items_that_two_judges_each_scored_who_guesses_is_named_and_else_hardly_anybody():
    """Names exchanged between two answers to the same change nothing: pairs of judges are exchanged, too."""
    for fault, least, most in (("guesses", 4, 5), ("", 0, 1)):
        found = [flagged(scored_by_two(np.random.default_rng([10, k]), fault)) for k in range(5)]
        assert least <= sum("j8" in f if fault else bool(f) for f in found) <= most  # of guessing ones none was


def scored_by_two(rng: np.random.Generator, fault: str) -> q.Scores:
    rows = []
    for item in range(150):
        worth = rng.normal(3, 1)
        for judge in rng.choice(9, 2, replace=False).tolist():
            score = rng.integers(1, 6) if fault and judge == 8 else np.clip(np.rint(worth + rng.normal(0, 0.6)), 1, 5)
            rows.append((f"j{judge}", f"i{item}", float(score)))
    return q.Scores.build(dict(zip(("judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True)))


def test_pairs_of_judges_are_exchanged_where_they_are_linked_and_a_row_of_one_pair_stays_together():
    within = np.repeat(np.arange(8), 2)
    judge = np.array([0, 1, 0, 1, 1, 2, 0, 2, 3, 4, 3, 4, 5, 6, 5, 7])  # of 0, 1 and 2; of 3 and 4; of 5, 6 and 7
    found = exchanged_names(within, judge, np.random.default_rng(0), 200).reshape(200, 8, 2)
    pairs = {tuple(tuple(sorted(pair)) for pair in copy.tolist()) for copy in found}
    assert {p[4:6] for p in pairs} == {((3, 4), (3, 4))}
    assert {p[0] == p[1] for p in pairs} == {True}
    assert {p[0] for p in pairs} == {(0, 1), (1, 2), (0, 2)}
    assert {p[6:] for p in pairs} == {((5, 6), (5, 7)), ((5, 7), (5, 6))}


def test_a_judge_whose_groups_are_far_coarser_or_finer_than_all_others_is_named():
    for fault in ("merges", "splits"):
        found = [
            flagged(groupings(np.random.default_rng([3, k]), judges=10, keep=0.85, planted=fault)) for k in range(3)
        ]
        assert sum(f.get("j9") == fault for f in found) >= 2


def test_of_two_nobody_can_tell_and_copies_of_all_are_fine():
    assert flagged(q.Orderings.from_orders({"ann": "abcd", "bob": "dcba"})) == {}
    assert flagged(q.Orderings.from_orders(dict.fromkeys("wxyz", "abcd"))) == {}


def test_a_flag_says_what_agreement_is_without_the_judge():
    orders = {**{f"j{k}": "abcdefgh" if k % 2 else "abcdefhg" for k in range(6)}, "off": "hgfedcba"}
    (flag,) = q.judges(q.Orderings.from_orders(orders)).more["flagged"]
    assert flag["judge"] == "off"
    assert flag["evidence"]["without"] > flag["evidence"]["value"]
    assert 0 < flag["p"] <= 0.05


def test_the_flag_does_not_depend_on_how_much_is_drawn_for_other_figures():
    panel = simulate(judges=7, items=7, dispersion=0.6, random=1, seed=4)
    found = {str(q.judges(panel, permutations=n, resamples=0).more["flagged"]) for n in (20, 50, 100, 200)}
    assert len(found) == 1


def test_very_many_voters_are_not_looked_through_by_name():
    orders = {f"v{k}": "abcd" if k % 3 else "bacd" for k in range(400)}
    answer = q.judges(q.Orderings.from_orders(orders), "support_outliers", resamples=0, permutations=9)
    assert answer.more["flagged"] == []
    assert "With 400 judges, nobody is singled out: one of so many hardly moves the result." in answer.sentences


def test_hundreds_of_voters_behind_few_orders_have_their_chance_told():
    """More voters than are permuted one by one: rows that still stand for several are not taken apart again."""
    names = ["".join(p) for p in itertools.permutations("abcd")]
    rows = [(f"{k}", item, place, 20 + 3 * k) for k, order in enumerate(names) for place, item in enumerate(order, 1)]
    columns = dict(zip(("judge", "item", "position", "count"), zip(*rows, strict=True), strict=True))
    found = q.judges(q.Orderings.build(columns), "peer_correlation", resamples=0, permutations=50)
    assert all(o.null is not None for o in found.findings[0].overall)
