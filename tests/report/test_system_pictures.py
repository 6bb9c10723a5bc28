"""Pictures of systems and of what the worst judges do to them: titles that say what came out, and nothing empty."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.document.charts import heat_map
from quorate.reports.pictures import pictures
from quorate.reports.trust_pictures import _changed

pytestmark = pytest.mark.usefixtures("in_small")

QUICK = {"resamples": 100, "permutations": 20}


def scored(levels, tasks, judges="ABC"):
    """Every judge gives a system its level, one more on every other task."""
    rows = [(t, j, s, s, level + t % 2) for t in range(tasks) for j in judges for s, level in levels.items()]
    names = ("task", "judge", "item", "system", "score")
    return q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def leaderboard(panel):
    return [p for p in pictures(panel, q.quality(panel, **QUICK)) if p.name == "leaderboard"]


def test_of_a_single_system_there_is_no_leaderboard():
    assert leaderboard(scored({"only": 3}, tasks=4)) == []


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ({"x": 1, "y": 3, "z": 2}, "y is first"),
        ({"x": 3, "y": 3, "z": 2}, "2 systems share the first place"),
        ({"x": 3, "y": 3, "z": 3}, "all systems are level"),
    ],
)
def test_the_title_says_who_is_first(levels, said):
    [drawn] = leaderboard(scored(levels, tasks=4))
    assert drawn.title == f"Leaderboard: {said}"


def test_without_systems_items_are_spoken_of():
    rows = {"judge": list("AAABBB"), "item": list("xyzxyz"), "score": [1, 3, 2, 1, 3, 2]}
    panel = q.Scores.build(rows)
    [drawn] = [p for p in pictures(panel, q.consensus(panel, **QUICK)) if p.name == "leaderboard-consensus"]
    assert drawn.title == "Leaderboard by the consensus: y is first"
    assert "system" not in drawn.description


def test_the_parameters_of_a_method_are_no_criterion():
    panel = scored({"x": 1, "y": 3, "z": 2}, tasks=4)
    lists = q.Orderings.from_orders({t: {"new": "abc", "old": "cba"} for t in ("t1", "t2")})
    judges = q.Orderings.from_orders({t: {"ann": "abc", "bob": "abc"} for t in ("t1", "t2")})
    answer = q.quality(judges, lists, "weighted_correlation(measure=tau, negative=clip)", **QUICK)
    assert [p.title for p in pictures(judges, answer)] == ["Leaderboard: new is first"]
    answer = q.quality(panel, "mean_score", **QUICK)
    assert [p.title for p in pictures(panel, answer)] == ["Leaderboard: y is first"]


def test_letters_that_cannot_tell_any_systems_apart_are_said_to_say_nothing():
    levels = {f"s{k}": k for k in range(8)}
    [few] = leaderboard(scored(levels, tasks=9))  # 28 pairs, and p is 1/256 at least
    assert {row["letters"] for row in few.rows} == {"a"}
    assert "on 9 tasks no difference can be significant among 28 pairs" in few.description
    [more] = leaderboard(scored(levels, tasks=12))
    assert len({row["letters"] for row in more.rows}) == 8
    assert "Systems that share a letter do not differ significantly." in more.description


def test_the_metric_that_goes_with_the_judges_best_comes_first():
    panel = scored({"x": 1, "y": 3, "z": 2}, tasks=4)
    metrics = {
        "against": {"x": 3, "y": 1, "z": 2},
        "beside": {"x": 1, "y": 2, "z": 4},
        "with": {"x": 10, "y": 30, "z": 20},
    }
    rows = [(t, m, s, s, v) for m, of in metrics.items() for t in range(4) for s, v in of.items()]
    names = ("task", "judge", "item", "system", "score")
    automatic = q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    page = q.report(panel, metrics=automatic, **QUICK)
    [drawn] = [p for p in page.pictures if p.name == "metrics-humans"]
    assert drawn.title == "Metrics against the judges: with correlates most, 1.000"
    assert list(dict.fromkeys(row["shown"].split()[0] for row in drawn.rows)) == ["with", "beside", "against"]


@pytest.mark.parametrize(
    ("value", "low", "said"),
    [
        (0.5, 0.6, "it changes more than by chance on style"),
        (0.7, 0.6, "it changes no more than by chance on style"),
        (1.0, 0.6, "the order stays the same on style"),
        (0.5, None, "a correlation of 0.50 on style"),
        (None, 0.6, "undefined on style"),
    ],
)
def test_leaving_out_the_worst_judge_is_held_against_chance_in_the_title(value, low, said):
    assert _changed({"shown": "spearman, style", "value": value, "random low": low}) == said


def test_small_differences_of_agreement_do_not_get_all_colours():
    pytest.importorskip("altair")
    rows = [{"judge": a, "other": b, "value": v} for a, b, v in (("x", "y", 0.985), ("y", "x", 0.995))]
    chart = heat_map(rows, order=["x", "y"]).to_dict()
    scale = chart["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == pytest.approx([0.795, 0.995])
