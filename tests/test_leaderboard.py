"""Leaderboards: means with gaps, shared resamples, paired tests, letters."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.inference import board as board_module
from quorate.inference.board import (
    ALPHA,
    board,
    differences,
    drawn_differences,
    holm_pairs,
    least_p,
    mean_over_tasks,
    needed_to_differ,
    tasks_needed,
    tie,
)
from quorate.inference.letters import letters
from quorate.kernels.tails import flipped_beyond
from tests import strategies

NAN = math.nan


def made(tasks, gaps, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.random((tasks, 1)) + 0.3 * rng.standard_normal((tasks, len(gaps))) - 0.2 * np.arange(len(gaps))
    for system, share in enumerate(gaps):
        values[rng.random(tasks) < share, system] = NAN
    return values


def test_means_are_over_the_tasks_a_system_has():
    means, tasks = mean_over_tasks(np.array([[1.0, NAN], [3.0, NAN], [NAN, NAN]]))
    assert means[0] == 2
    assert math.isnan(means[1])
    assert tasks.tolist() == [2, 0]


def test_the_same_seed_gives_the_same_board():
    values = made(12, [0, 0.2, 0.4])
    one, two = board(values, "m", seed=1), board(values, "m", seed=1)
    other = board(values, "m", seed=2)
    assert one.intervals == two.intervals != other.intervals
    assert one.p.tobytes() == two.p.tobytes()


@pytest.mark.parametrize("gaps", [[0, 0, 0], [0, 0.3, 0.3], [0.5, 0, 0.2], [0] * 6, [0.2] * 6])
def test_p_values_are_those_of_all_sign_flips(gaps):
    values = made(9, gaps)
    p = differences(values, np.random.default_rng(0))
    for a, b in itertools.combinations(range(3), 2):
        gap = (values[:, a] - values[:, b])[~np.isnan(values[:, a] + values[:, b])]
        signs = np.array(list(itertools.product([-1, 1], repeat=len(gap))))
        exact = (np.abs(signs @ gap) >= abs(gap.sum()) - 1e-9).mean()
        assert p[a, b] == pytest.approx(exact, abs=0.04)
        assert p[a, b] == p[b, a] > 0


def test_systems_without_a_task_are_not_compared():
    assert np.isnan(differences(np.zeros((0, 3)), np.random.default_rng(0))).all()


def test_signs_in_slices_flip_as_signs_at_once(monkeypatch):
    values = made(30, [0, 0.3, 0.1])
    wanted = differences(values, np.random.default_rng(0))
    monkeypatch.setattr(board_module, "SIGNS", 70)
    assert np.array_equal(differences(values, np.random.default_rng(0)), wanted, equal_nan=True)


def test_systems_that_lack_tasks_here_and_there_take_not_much_longer_to_compare():
    def seconds(gap):
        values = made(60, [gap] * 40) + 0.19 * np.arange(40)  # nearly equal systems: signs must be flipped
        begun = time.process_time()
        differences(values, np.random.default_rng(0))
        return time.process_time() - begun

    assert seconds(0.2) < 8 * seconds(0)  # about 4: one product serves all pairs of systems that lack nothing


def test_systems_without_a_task_in_common_are_not_compared():
    values = np.array([[1.0, NAN, 0.5], [NAN, 1.0, 0.5]] * 5)
    found = board(values)
    assert math.isnan(found.p[0, 1])
    assert set(found.letters[0]) & set(found.letters[1])


def test_equal_systems_do_not_differ_and_one_task_says_nothing():
    assert board(np.ones((20, 3))).letters == ("a", "a", "a")
    single = board(np.array([[1.0, 0.0]]))
    assert single.letters == ("a", "a")
    assert single.intervals == (None, None)


def test_clear_differences_need_no_flips_and_are_never_zero():
    values = np.column_stack([np.ones(200), np.zeros(200)]) + 0.01 * np.random.default_rng(0).random((200, 2))
    p = differences(values, np.random.default_rng(0))
    assert 0 < p[0, 1] < 1e-20


def test_many_systems_can_still_differ():
    rng = np.random.default_rng(0)
    values = np.arange(40) * 0.5 + rng.standard_normal((60, 40))
    found = board(values, resamples=100)
    assert found.order == list(range(39, -1, -1))
    assert not set(found.letters[0]) & set(found.letters[39])
    assert found.letters[39].startswith("a")


def test_holm_by_hand():
    p = np.full((3, 3), NAN)
    for (a, b), value in {(0, 1): 0.01, (0, 2): 0.04, (1, 2): 0.03}.items():
        p[a, b] = p[b, a] = value
    found = holm_pairs(p)
    assert [found[0, 1], found[0, 2], found[1, 2]] == pytest.approx([0.03, 0.06, 0.06])


@strategies.examples(40)
@given(data=st.data(), size=st.integers(1, 9))
def test_systems_share_a_letter_exactly_when_they_do_not_differ(data, size):
    differ = np.zeros((size, size), bool)
    for a, b in itertools.combinations(range(size), 2):
        differ[a, b] = differ[b, a] = data.draw(st.booleans())
    order = data.draw(st.permutations(range(size)))
    found = letters(differ, order)
    assert all(found)
    assert found[order[0]].startswith("a")
    for a, b in itertools.combinations(range(size), 2):
        assert bool(set(found[a]) & set(found[b])) != differ[a, b]


def test_more_than_52_groups_still_have_names():
    found = letters(~np.eye(60, dtype=bool), list(range(60)))
    assert found[:2] == ("a", "b")
    assert found[52] == "a2"
    assert len(set(found)) == 60


def test_a_resampled_task_may_leave_a_system_out():
    values = np.array([[1.0, 0.0], [2.0, NAN], [3.0, NAN], [4.0, NAN]])
    found = board(values, resamples=300)
    assert found.intervals[0] is not None
    assert found.intervals[1] is None


def test_systems_on_one_task_are_compared_as_by_a_paired_t_test_over_judges():
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(7)
    judges = rng.normal([0.3, 0.5], 0.2, size=(9, 2))
    times = rng.multinomial(9, np.full(9, 1 / 9), size=40_000) / 9
    p = drawn_differences(judges.mean(axis=0), times @ judges, np.full(2, 9))
    assert p[0, 1] == pytest.approx(ttest_rel(*judges.T).pvalue, rel=0.05)


def test_systems_that_every_judge_tells_apart_alike_are_compared_by_signs():
    drawn = np.tile([0.2, 0.6], (50, 1))
    assert drawn_differences(drawn[0], drawn, np.full(2, 6))[0, 1] == pytest.approx(2 * 0.5**6)
    same = np.tile([0.4, 0.4], (50, 1))
    assert drawn_differences(same[0], same, np.full(2, 6))[0, 1] == 1


def test_no_interval_ends_where_the_values_seen_do():
    """Of two tasks Student's t, however far that is; of tasks that are alike by luck there is none."""
    found = board(np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 5.0]]), resamples=4000)
    assert found.intervals[1] is None
    assert found.intervals[0].low == pytest.approx(1.5 - 12.706 / 2, rel=0.05)
    assert found.intervals[2].high == pytest.approx(4 + 12.706, rel=0.05)


# -- the smallest p there could be -------------------------------------------------------------------------------------


def smallest(values):
    """The smallest corrected p of all sign flips, were every system better than the next on every task."""
    systems = values.shape[1]
    common = [
        [t for t in range(len(values)) if not math.isnan(values[t, a] + values[t, b])]
        for a, b in itertools.combinations(range(systems), 2)
    ]
    tested = [c for c in common if c]
    alone = [
        sum(abs(sum(signs)) == len(c) for signs in itertools.product([-1, 1], repeat=len(c))) / 2 ** len(c)
        for c in tested
    ]
    return min(min(alone) * len(tested), 1) if tested else NAN


@given(st.data())
def test_the_smallest_p_is_that_of_a_system_better_on_every_task(data):
    tasks, systems = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 5))
    cell = st.sampled_from([1.0, 1.0, 1.0, NAN])
    values = np.array(
        data.draw(st.lists(st.lists(cell, min_size=systems, max_size=systems), min_size=tasks, max_size=tasks))
    )
    assert least_p(values) == pytest.approx(smallest(values), nan_ok=True)


def test_p_is_not_floored_by_the_number_of_flips():
    """Systems that differ on each of 30 tasks: two of 2^30 flips get as far, many times fewer than are tried."""
    values = np.arange(3) + np.random.default_rng(1).normal(0, 0.05, (30, 3))
    assert board(values).p[0, 1] == pytest.approx(3 * 2.0**-29)
    assert least_p(np.ones((60, 200))) < 1e-10


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=11), st.integers(0, 12))
def test_the_bound_where_no_flip_was_seen_to_get_as_far_is_never_too_small(gaps, steps):
    apart = np.array(gaps)
    sums = np.abs(np.array(list(itertools.product([-1, 1], repeat=len(apart)))) @ apart)
    exact = (sums >= abs(apart.sum()) - 1e-9).mean()
    bound = float(flipped_beyond(apart[None], np.abs(apart.sum(keepdims=True)), steps)[0])
    assert exact * (1 - 1e-9) <= bound <= 1


@pytest.mark.parametrize("systems", [2, 3, 8])
def test_systems_that_differ_on_every_task_differ_significantly_once_there_are_as_many_tasks_as_needed(systems):
    enough = tasks_needed(systems)
    assert least_p(np.ones((enough, systems))) < ALPHA <= least_p(np.ones((enough - 1, systems)))
    few = board(np.tile(np.arange(systems) * 1.0, (enough - 3, 1)))  # so few that no luck of the flips does it
    assert set(few.letters) == {"a"}
    assert few.least >= ALPHA
    many = board(np.tile(np.arange(systems) * 1.0, (enough + 2, 1)))
    assert len(set(many.letters)) == systems
    assert many.least < ALPHA


@pytest.mark.parametrize(("effect", "equal"), [(0.5, 0), (0.8, 3)])
def test_so_many_tasks_tell_two_systems_apart_in_four_of_five_cases(effect, equal):
    """Beside the two of interest stand systems that are all the same: their pairs are corrected for as well."""
    systems = 2 + equal
    tasks = needed_to_differ(effect, systems * (systems - 1) // 2 - (2 * equal if equal else 0))
    rng, found = np.random.default_rng(3), 0
    for seed in range(100):
        own = rng.normal(size=(tasks, systems)) / math.sqrt(2)
        own[:, 0] += effect
        own[:, 2:] -= 9
        found += board(own, seed=seed).p[0, 1] < ALPHA
    assert 68 <= found <= 92  # of 100 at 80 %: one run in five hundred is outside


def test_a_tie_is_that_of_the_leaders_or_else_of_those_behind():
    values = np.random.default_rng(1).normal(size=(30, 4)) + np.array([0, 0.2, 5, 5.1])
    found = board(values)
    at_the_top = tie(values, found.p, found.order)
    assert {at_the_top.first, at_the_top.second} == {2, 3}
    assert at_the_top.needed > at_the_top.tasks == 30
    behind = tie(values[:, :3], found.p[:3, :3], [2, *sorted((0, 1), key=lambda k: -values[:, k].mean())])
    assert {behind.first, behind.second} == {0, 1}


def test_no_tie_is_told_of_equal_values_of_one_task_or_of_systems_that_differ():
    assert tie(np.ones((9, 2)), np.ones((2, 2)), [0, 1]) is None
    assert tie(np.array([[1.0, 2.0]]), np.ones((2, 2)), [1, 0]) is None
    assert tie(np.array([[1.0, np.nan], [np.nan, 2.0]]), np.full((2, 2), np.nan), [1, 0]) is None
    assert tie(np.array([[1.0, 2.0], [1.0, 2.5]]), np.zeros((2, 2)), [1, 0]) is None


def test_how_many_more_tasks_it_takes_is_said_by_command_and_page():
    rng = np.random.default_rng(2)
    level = {"a": 3.0, "b": 2.2, "c": 2.0}
    rows = [
        (f"t{t}", f"j{j}", s, s, float(level[s] + rng.normal() * 0.4))
        for t in range(12)
        for s in level
        for j in range(3)
    ]
    panel = q.Scores.build(
        dict(zip(("task", "judge", "item", "system", "score"), zip(*rows, strict=True), strict=True))
    )
    answer = q.quality(panel)
    told = next(f for f in answer.facts if f.name == "needed")
    assert told.data["systems"] == ["b", "c"]
    more = told.data["needed"] - told.data["tasks"]
    assert f"about {more} more tasks would show it" in told.text
    page = q.report(panel)
    assert any(f"Have about {more} more tasks judged" in step.do for step in page.first_screen.steps)


def test_every_two_of_many_systems_are_compared_by_fewer_flips_and_a_note_says_so():
    rng = np.random.default_rng(1)
    table = rng.normal(size=(12, 80)) + np.linspace(0, 4, 80)
    rows = [("ann", f"t{t}", f"s{s}", table[t, s]) for t in range(12) for s in range(80)]
    columns = dict(zip(("judge", "task", "system", "score"), zip(*rows, strict=True), strict=True))
    answer = q.quality(q.Scores.build({**columns, "item": [f"{r[1]} {r[2]}" for r in rows]}), resamples=20)
    assert any("every two of 80 systems: p is from 79,113 flips" in note for note in answer.notes)
    assert not any("every two of" in note for note in q.quality(answer.panel.select(tasks=["t1"]), resamples=20).notes)


def test_p_of_fewer_flips_is_that_of_many_or_larger(monkeypatch):
    table = np.random.default_rng(4).normal(size=(40, 12)) + np.linspace(0, 2, 12)
    many = differences(table, np.random.default_rng(2))
    monkeypatch.setattr(board_module, "ALL_PAIRS", 0)
    monkeypatch.setattr(board_module, "FEWEST", 500)
    few = differences(table, np.random.default_rng(2))
    off = np.triu_indices(12, 1)
    assert (few[off] > 0.7 * many[off] - 1e-3).all()
    assert (few[off] <= 12 * many[off] + 0.1).all()


@pytest.mark.parametrize(("tasks", "apart"), [(20, 1.0), (20, 8.0), (9, 2.0)])
def test_of_very_many_systems_flips_would_change_no_p(tasks, apart, monkeypatch):
    rng = np.random.default_rng(5)
    table = rng.normal(size=(tasks, 60)) + apart * rng.normal(size=60)
    table[0, :3] = np.nan
    monkeypatch.setattr(board_module, "ALL_PAIRS", 0)  # so that 60 systems are as many as a thousand are
    monkeypatch.setattr(board_module, "MOST", 1000)
    quick = holm_pairs(differences(table, np.random.default_rng(2)))
    monkeypatch.setattr(board_module._Pairs, "without_flips", lambda *_: None)
    np.testing.assert_allclose(quick, holm_pairs(differences(table, np.random.default_rng(2))), rtol=0.02)
