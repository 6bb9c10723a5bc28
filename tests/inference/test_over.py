"""``over`` is obeyed by every cell: an interval is over what was asked for, or there is an error, or no interval."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pytest

import quorate as q
from quorate import table
from quorate.errors import BadParameter, NotDrawn, QuorateError
from tests.family import some

SMALL = {"resamples": 5, "permutations": 0}
OVER = ("tasks", "judges", "items", "tasksxjudges")
CALLED = {"items": ("items", "votes"), "tasks": ("tasks", "tasksxjudges")}  # judges_needed draws judges in any case
EXACT = "Wilson"  # the interval of a share, by its formula
SLOW = ("sweep", "tune", "noise", "bootstrap")


def made_up(kind):
    rng, rows = np.random.default_rng(3), []
    for task in range(3):
        for judge in range(4):
            seen = np.arange(6) + rng.normal(size=6)
            places = {"orderings": seen.argsort().argsort() + 1, "groupings": (seen // 2).astype(int), "scores": seen}
            if kind == "votes":
                for a, b in ((0, 1), (1, 2), (2, 0), (1, 0)):
                    rows.append(
                        (f"t{task}", f"j{judge}", f"s{a}", f"s{b}", "model_a" if seen[a] > seen[b] else "model_b")
                    )
            else:
                rows += [(f"t{task}", f"j{judge}", f"i{k}", v) for k, v in enumerate(places[kind].tolist())]
    value = {"orderings": ["position"], "groupings": ["group"], "scores": ["score"]}.get(kind)
    names = ["task", "judge", "item", *value] if value else ["task", "judge", "model_a", "model_b", "winner"]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    if kind == "scores":
        columns["system"] = columns["item"]
    return getattr(q, kind.capitalize()).build(columns)


@pytest.fixture(scope="module")
def panels():
    return {kind: made_up(kind) for kind in table.KINDS}


METHODS = [m for m in table.methods() if m.question != "quality" and m.name not in SLOW]


@pytest.mark.parametrize("method", some(METHODS, 3), ids=repr)
@pytest.mark.filterwarnings("ignore::quorate.QuorateWarning")
def test_an_interval_is_over_what_was_asked_for(method, panels):
    ask = getattr(q, method.question)
    for over in OVER:
        found = []
        with suppress(QuorateError):  # what cannot be drawn is refused
            found = ask(panels[method.declaration.kind], method, over=over, **SMALL).findings
        intervals = [e.interval for f in found for e in f.overall if e.interval]
        assert {i.over for i in intervals} <= {*CALLED.get(over, (over,)), EXACT}


@pytest.mark.parametrize("kind", ["orderings", "groupings"])
@pytest.mark.parametrize("over", ["items", "tasksxitems", "judgesxitems"])
def test_items_of_orderings_and_groupings_can_be_drawn(kind, over, panels):
    method = {"orderings": "tau_b", "groupings": "adjusted_rand"}[kind]
    found = q.agreement(panels[kind], method, over=over, resamples=40, permutations=0)[method]
    assert found.interval.over == over
    assert found.interval.low < found.value < found.interval.high
    judges = q.judges(panels[kind], over=over, resamples=20, permutations=0)
    assert {e.interval.over for f in judges.findings for e in f.overall if e.interval} == {over}


def test_patterns_grow_with_the_items_and_have_no_interval_over_them(panels):
    assert q.agreement(panels["orderings"], "kappa", over="items", **SMALL)["kappa"].interval is None


def test_of_lists_with_gaps_halves_that_lack_a_judge_or_a_system_are_left_aside():
    orders = {"t": {"ann": "abcdef", "bob": "ab", "cat": "fedcba", "dan": "cd"}}
    judges, lists = q.Orderings.from_orders(orders), q.Orderings.from_orders({"t": {"x": "ba", "y": "abcdef"}})
    assert q.judges(judges, "peer_correlation", over="items", **SMALL).findings[0].overall
    board = q.quality(judges, lists, "average_correlation", over="items", resamples=30, permutations=0)
    assert {e.labels["system"] for e in board.findings[0].overall} == {"x", "y"}


@pytest.mark.parametrize("over", ["items", "systems"])
def test_a_consensus_has_no_panels_of_items_or_systems(over, panels):
    for kind in ("orderings", "groupings"):
        with pytest.raises(q.BadParameter, match=f"over={over}"):
            q.consensus(panels[kind], over=over, **SMALL)


def test_agreement_with_a_consensus_is_over_the_judges_of_all_tasks(panels):
    answer = q.consensus(panels["groupings"], "median_partition", over="judges", resamples=200)
    assert answer.findings[0].interval.over == "judges"
    two = q.consensus(panels["groupings"], "median_partition", over="tasksxjudges", resamples=200).findings[0].interval
    assert two.high - two.low > 0


def test_intervals_over_items_hold_the_truth():
    """Judges who see normal items with normal noise; at length 94 to 99 times in 100 (docs/calibration.md)."""
    rng, true, held = np.random.default_rng(5), 2 / math.pi * math.asin(0.5), 0
    for seed in range(30):
        ranks = (rng.normal(size=15) + rng.normal(size=(5, 15))).argsort(axis=1).argsort(axis=1)
        panel = q.Orderings.from_orders([np.argsort(row).tolist() for row in ranks])
        found = q.agreement(panel, "tau_b", over="items", resamples=60, permutations=0, seed=seed)["tau_b"].interval
        held += found.low <= true <= found.high
    assert held >= 25


def test_usual_methods_without_such_an_interval_are_left_out_with_a_note_and_named_ones_refused(panels):
    found = q.trust(panels["groupings"], over="items", **SMALL)
    assert [row["method"] for row in found.more["undrawn"]] == ["judges_needed", "sensitivity"]
    assert "judges_needed is left out: it has no interval over items, but over judges or tasks" in found.notes[-2]
    assert "judges_needed" not in {f.method.name for f in found.findings}
    with pytest.raises(NotDrawn, match="over=items: judges_needed has no interval over that"):
        q.trust(panels["groupings"], "judges_needed", over="items", **SMALL)
    with pytest.raises(NotDrawn, match="over=items: rank_sum has no interval over that"):
        q.consensus(panels["orderings"], over="items", **SMALL)
    with pytest.raises(NotDrawn, match="over=systems: mean_score has no interval over that"):
        q.quality(panels["scores"], over="systems", **SMALL)


def test_a_report_over_items_has_every_section_and_units_that_there_are_not_are_an_error(panels):
    page = q.report(panels["orderings"], over="items", **SMALL)
    assert all(s.answer is not None for s in page.sections)
    assert "there is no interval over items here, but over tasks or judges" in page.sections[2].notes[-1]
    for over in ("systems", "weeks"):
        with pytest.raises(BadParameter, match=f"over={over}"):
            q.report(panels["orderings"], over=over, **SMALL)


def test_few_tasks_are_told_where_intervals_are_over_tasks(panels):
    told = {over: " ".join(q.agreement(panels["orderings"], "tau_b", over=over, **SMALL).notes) for over in OVER}
    assert {over for over, notes in told.items() if "3 tasks are few" in notes} == {"tasks", "tasksxjudges"}
