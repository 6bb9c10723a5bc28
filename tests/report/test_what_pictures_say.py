"""Titles and descriptions of pictures of groupings, scores, labels and curves: true of the rows that are drawn."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

import quorate as q
from quorate.document import axes, charts
from quorate.document.layout import tables
from quorate.reports.model import report
from quorate.reports.pictures import pictures

pytestmark = pytest.mark.usefixtures("in_small")

pytest.importorskip("altair")

QUICK = {"resamples": 100, "permutations": 20}


def drawn(panel, question, *more):
    answer = getattr(q, question)(panel, *more, **QUICK)
    return {p.name: p for p in pictures(panel, answer)}


def scores(judges="ABC", items="xyz", tasks=(1,), criteria=(None,), seed=0):
    rng = random.Random(seed)
    rows = [(t, j, i, c, rng.randint(1, 5)) for t in tasks for j in judges for i in items for c in criteria]
    names = ("task", "judge", "item", "criterion", "score")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return q.Scores.build(columns if criteria != (None,) else {n: v for n, v in columns.items() if n != "criterion"})


def groups(judges="ABCD", items="stuvwxyz", tasks=(1,), seed=0):
    rng = random.Random(seed)
    rows = [(t, j, i, rng.randint(1, 3)) for t in tasks for j in judges for i in items]
    return q.Groupings.build(
        dict(zip(("task", "judge", "item", "group"), map(list, zip(*rows, strict=True)), strict=True))
    )


def labels(*given):
    """A judge a string, an item a letter of it: the label."""
    return q.Scores.from_labels({f"j{j}": {f"i{i}": x for i, x in enumerate(said)} for j, said in enumerate(given)})


def test_the_agreement_of_two_judges_is_a_mean_over_tasks_only_where_it_is_taken_so():
    assert (
        "by Pearson's correlation over all units. "
        in drawn(scores(tasks=(1, 2)), "agreement")["judge-by-judge"].description
    )
    several = drawn(scores(tasks=(1, 2), criteria=("c", "d")), "agreement")["judge-by-judge"]
    assert "over all units, criteria together. " in several.description
    assert ", mean over tasks. " in drawn(groups(tasks=(1, 2)), "agreement")["judge-by-judge"].description
    assert "mean over tasks" not in drawn(groups(), "agreement")["judge-by-judge"].description


def test_a_task_of_several_criteria_is_told_by_their_mean():
    panel = scores(tasks=(1, 2, 3), criteria=("c", "d"))
    answer = q.agreement(panel, **QUICK)
    by_task = next(p for p in pictures(panel, answer) if p.name == "by-task")
    assert "mean over 2 criteria, least first" in by_task.description
    chance = [o.chance.value for o in answer.findings[0].overall]
    assert by_task.settings["line"] == pytest.approx(sum(chance) / 2, abs=1e-6)
    assert "criteria" not in drawn(scores(tasks=(1, 2, 3)), "agreement")["by-task"].description


def test_of_one_item_no_agreement_of_groupings_is_drawn_or_told():
    panel = groups(items="x")
    assert drawn(panel, "agreement") == {}
    assert "stability" not in drawn(panel, "trust")
    assert report(panel, **QUICK).first_screen.tiles[0].word == "Cannot be told"


def test_only_what_is_drawn_anew_is_named():
    one, two = (drawn(groups(tasks=tasks), "trust")["stability"] for tasks in ((1,), (1, 2)))
    assert one.title.startswith("With other judges or items")
    assert "the judges or items were others" in one.description
    assert two.title.startswith("With other judges, tasks or items")
    wide = {row["resampled"]: row["high"] - row["low"] for row in two.rows}
    assert two.title.endswith(f": more {max(wide, key=wide.get)} would help most")


def test_titles_of_curves_say_where_they_end():
    split = drawn(groups(), "trust")["curve-sensitivity"]
    last = {r["line"]: r["value"] for r in split.rows if r["measure"] == "v_beta" and r["share"] == 1}
    assert split.title.endswith(f": v_beta ends at {last['split']:.2f} split, at {last['merged']:.2f} merged")


def test_the_title_of_kappa_says_how_much_the_discounts_leave():
    found = drawn(q.Orderings.from_orders({"t": {"ann": "abcdef", "bob": "xyzwvabcdef"}}), "agreement")["surface"]
    value = {(r["gamma"], r["lam"]): r["value"] for r in found.rows}
    low = min(value)
    assert low[0] == low[1]
    left = value[low] / value[1, 1]
    assert found.title == f"Kappa by its two weights: {left:.0%} is left when both are {low[0]:g}"


def test_all_tasks_that_can_be_chosen_are_not_called_the_ones_with_most_in_common():
    panel = q.Orderings.from_orders({t: {"ann": "abcd", "bob": "abdc"} for t in ("t1", "t2")})
    assert drawn(panel, "agreement")["surface"].description.endswith("places. Choose a task.")


def test_where_nothing_can_be_tested_letters_and_intervals_are_not_explained_as_if_it_could():
    alone = drawn(scores(judges="A"), "consensus")["leaderboard-consensus"]
    assert "interval" not in alone.description
    assert "too few judges or tasks" in alone.description
    assert "with its interval" in drawn(scores(judges="ABCDEF"), "consensus")["leaderboard-consensus"].description


def test_the_item_that_keeps_least_of_its_group_is_named():
    kept = drawn(groups(), "consensus")["kept"]
    low = min(kept.rows, key=lambda row: row["value"])
    assert kept.title.endswith(f": {low['item']} keeps least, {low['value']:.0%}")


def test_disputed_labels_are_named_or_counted():
    few = drawn(labels("aab", "aab", "aac"), "consensus")["disputed"]
    assert few.title == "Where judges give different labels: most on i2"
    assert few.rows[0] == {"item": "i2", "label": "b", "judges": "2 of 3", "value": 0.666667}
    many = drawn(labels("aaaa", "bbbb"), "consensus")["disputed"]
    assert many.title.endswith("on 4 items only 50% of the judges agree")
    assert {row["label"] for row in many.rows} == {"undecided"}
    assert "disputed" not in drawn(labels("ab", "ab", "ab"), "consensus")


def test_why_a_question_has_no_answer_is_told_in_its_section(monkeypatch):
    def stopped(*_, **__):
        raise q.LimitReached("the search was stopped.", "allow more --memory.")

    monkeypatch.setattr("quorate.verbs.consensus", stopped)
    page = report(q.Orderings.from_orders(["abc", "acb"]), **QUICK)
    assert [s.question for s in page.sections if s.answer is None] == ["consensus"]
    assert "No answer: the search was stopped. Hint: allow more --memory." in " ".join(page.text().split())


def test_an_axis_ends_where_values_must():
    rows = [
        {"judge": "a", "value": 0.9, "low": -1.0, "high": 1.0},
        {"judge": "b", "value": 0.1, "low": -1.0, "high": 1.0},
    ]
    scale = charts.dots(rows, label="judge", limits=(-1, 1)).to_dict()["layer"][0]["encoding"]["x"]["scale"]
    assert (scale["domainMin"], scale["domainMax"]) == (-1, 1)
    middle = [{"value": 0.4}, {"value": 0.5}]
    assert axes.within(middle, (0, 1), "value") == {}
    assert axes.within(middle, None, "value") == {}


def test_long_names_can_be_told_apart():
    vega = pytest.importorskip("vl_convert")
    names = [f"the same long beginning of a name {k} and the same long end of it as well, and more" for k in (1, 2)]
    other = 'another "name" that is so long \u2028 that it will lose its middle here'
    rows = [{"task": name, "value": 0.5 + k / 10} for k, name in enumerate([*names, other, "short"])]
    drawn = vega.vegalite_to_svg(charts.bars(rows, label="task").properties(width=300).to_dict())
    begin = names[0].index("1") - 3
    parts = [f"\u2026{name[begin : begin + 43]}\u2026" for name in names]
    for name in ("short", f"{other[:22]}\u2026{other[-22:]}", *parts):
        assert f">{name}<" in drawn, name


def test_tables_of_what_is_drawn_anew_have_a_title_that_can_be_read():
    [table] = tables(q.trust(groups(), "agreement_stability", **QUICK))
    assert table.columns[0].head == "resampled"
    assert [row[0] for row in table.rows] == ["judges", "items"]


def test_items_that_stand_for_systems_are_called_items_in_every_sentence():
    said = " ".join(q.trust(scores(judges="ABCD", items="wxyz"), **QUICK).sentences)
    assert said.startswith("4 items on 1 task, scored by 4 judges.")
    assert "system" not in said


def test_names_from_right_to_left_do_not_carry_numbers_along():
    pytest.importorskip("jinja2")
    pytest.importorskip("vl_convert")
    name = "\u05d3\u05df"
    rows = [(j, i, s) for j, said in ((name, "12345"), ("ann", "12354"), ("bob", "54321")) for i, s in enumerate(said)]
    panel = q.Scores.build(dict(zip(("judge", "item", "score"), ([r[k] for r in rows] for k in range(3)), strict=True)))
    text = re.sub(
        "<script.*?</script>|<t[dr].*?</t[dr]>|<pre.*?</pre>|<[^>]*>", "", report(panel, **QUICK).html(), flags=re.S
    )
    assert f"\u2068{name}\u2069" in text
    assert text.count(name) == text.count(f"\u2068{name}\u2069")


def test_long_names_of_methods_can_be_broken_in_tables_so_that_figures_fit_a_phone():
    pytest.importorskip("jinja2")
    pytest.importorskip("vl_convert")
    page = report(groups(), **QUICK).html()
    assert ">adjusted_rand(<wbr>left_out=singletons)</a></td>" in page


def test_a_judge_is_marked_only_on_the_criterion_on_which_they_are_flagged():
    panel = scores(judges="ABCD", items="stuvwxyz", criteria=("c", "d"))
    answer = q.judges(panel, "noise", "peer_correlation", **QUICK)
    off = {"judge": "B", "criterion": "d", "diagnosis": "differs"}
    [each] = pictures(panel, replace(answer, more={**answer.more, "flagged": [off]}))
    assert {(row["judge"], row["criterion"]) for row in each.rows if row["state"] == "flagged"} == {("B", "d")}
    on_first = {row["value"]: row["judge"] for row in each.rows if row["criterion"] == "c"}
    assert each.title.endswith(f"highest {on_first[max(on_first)]} ({max(on_first):.2f}) on c")


def test_a_few_systems_are_named_beside_their_dots():
    def marks(systems):
        rows = [{"system": f"s{k}", "human": float(k), "metric": k * 0.1} for k in range(systems)]
        return [layer["mark"]["type"] for layer in charts.scatter(rows).to_dict()["layer"]]

    assert marks(10) == ["line", "text", "point", "text"]
    assert marks(11) == ["line", "point"]
