"""Pictures of panels at the edges: two judges, all tied, many judges, gaps, judges who stand for several."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.reports import axes, charts
from quorate.reports.pictures import pictures
from quorate.reports.tables import of_picture

for package in ("altair", "vl_convert", "jinja2"):
    pytest.importorskip(package)

QUICK = {"resamples": 100, "permutations": 20}


def drawn(panel, question):
    answer = getattr(q, question)(panel, **QUICK)
    return {p.name: p for p in pictures(panel, answer)}


def one(orders):
    return q.Orderings.from_orders({"t": orders})


def short_lists():
    """Every judge holds another part of many items, so that intervals of places reach far down."""
    items = [f"i{k:02d}" for k in range(40)]
    return one({f"j{n}": items[n : n + 3] + items[4 * n + 4 : 4 * n + 8] for n in range(8)})


def test_lines_of_intervals_end_with_the_places_and_the_table_has_them_whole():
    flow = drawn(short_lists(), "consensus")["flow"]
    lowest = max(row["value"] for row in flow.rows)
    lines = [row for row in flow.rows if "low" in row]
    assert max(row["to"] for row in lines) <= lowest + 0.5 < max(row["high"] for row in lines)
    assert "go on further" in flow.description
    assert "left the item out" in flow.description
    columns = of_picture(flow).columns
    assert "high" in columns
    assert not {"to", "offset"} & set(columns)


def test_whole_lines_and_full_lists_are_told_without_exceptions():
    flow = drawn(one(dict.fromkeys("wxyz", "abcd")), "consensus")["flow"]
    assert "go on further" not in flow.description
    assert "left the item out" not in flow.description


def test_what_has_no_interval_does_not_speak_of_one():
    few = drawn(one({"x": "abc", "y": "acb"}), "consensus")
    assert "other judges like these" not in few["places"].description + few["flow"].description
    assert "interval" not in drawn(one({"x": "abc", "y": "acb"}), "judges")["each-judge"].description


def test_of_two_judges_more_than_half_are_all():
    found = drawn(one({"x": "abc", "y": "abc"}), "consensus")
    assert "shared-by-all" in found
    assert "shared-by-most" not in found
    assert "shared-by-most" in drawn(one(dict.fromkeys("xyz", "abc")), "consensus")


def test_tasks_without_a_shared_order_are_counted():
    panel = q.Orderings.from_orders({"t1": {"x": "ab", "y": "ab", "z": "ab"}, "t2": {"x": "ab", "y": "ba", "z": "ab"}})
    graph = drawn(panel, "consensus")["shared-by-all"]
    assert {row["task"] for row in graph.rows} == {"t1"}
    assert "On 1 of 2 tasks there is no such line. Task: t1." in graph.description


def test_without_any_order_no_share_of_pairs_is_drawn():
    panel = q.Orderings.build({"judge": list("xxyyzz"), "item": list("ababab"), "position": [1] * 6})
    curve = drawn(panel, "agreement")["q-curve"]
    assert {row["line"] for row in curve.rows} == {"items"}
    assert "No judge puts any two items in order" in curve.description


def test_titles_say_what_is_seen():
    panel = one({"ann": "abcdef", "bob": "abcdfe", "cat": "fedcba"})
    found = {**drawn(panel, "agreement"), **drawn(panel, "judges"), **drawn(panel, "consensus")}
    assert found["judge-by-judge"].title == (
        "Every two judges: most alike are ann and bob (0.87), least ann and cat (-1.00)"
    )
    assert "lowest is cat" in found["each-judge"].title
    assert found["places"].title == "Places in the consensus: a is first"
    long = one({"x" * 80 + str(n): order for n, order in enumerate(("abc", "abc", "cba"))})
    assert len(drawn(long, "agreement")["judge-by-judge"].title) < 180


def test_a_judge_who_stands_for_several_is_explained():
    rows = {
        "judge": list("xxyyzz"),
        "item": list("ababab"),
        "position": [1, 2, 1, 2, 2, 1],
        "count": [3, 3, 1, 1, 2, 2],
    }
    alone = {name: column for name, column in rows.items() if name != "count"}
    said = "Each judge here stands for all who gave the same order."
    assert said in drawn(q.Orderings.build(rows), "agreement")["judge-by-judge"].description
    assert said not in drawn(q.Orderings.build(alone), "agreement")["judge-by-judge"].description


def test_many_judges_get_the_width_that_they_need():
    many = one({f"j{n:02d}": "abc" if n % 2 else "acb" for n in range(20)})
    assert drawn(many, "agreement")["judge-by-judge"].least > 360 - 40
    assert drawn(many, "consensus")["flow"].least > 20 * len(many.judges)
    assert drawn(one(dict.fromkeys("xyz", "abc")), "consensus")["flow"].least == 0


@pytest.mark.parametrize(
    ("high", "marks"),
    [(4, [1, 2, 3, 4]), (22, [1, 5, 10, 15, 20]), (105, [1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])],
)
def test_marks_at_whole_numbers_are_those_that_people_use(high, marks):
    assert axes.whole(charts.altair(), [1, high])["values"] == marks
    assert axes.whole(charts.altair(), [2, 795])["values"] == [2, 100, 200, 300, 400, 500, 600, 700]


def test_an_axis_of_one_value_is_not_marked_as_1():
    rows = [{"judge": j, "value": 0.636, "low": None, "high": None} for j in "xy"]
    scale = charts.dots(rows, label="judge").to_dict()["layer"][1]["encoding"]["x"]["scale"]
    assert scale["domain"] == pytest.approx([0.536, 0.736])
    assert axes.same([{"value": 1.0}], "value")["domain"] == [0.9, 1.0]
    assert axes.same([{"value": 0.0}], "value")["domain"] == [0.0, 0.1]


def test_judges_who_agree_in_full_are_dark():
    rows = [{"judge": a, "other": b, "value": 1.0} for a in "xyz" for b in "xyz" if a != b]
    colour = charts.heat_map(rows, order="xyz").to_dict()["layer"][0]["encoding"]["color"]
    assert colour["scale"]["domain"] == [0, 1]


def test_a_missing_interval_is_told_as_none():
    rows = [{"item": "a", "value": 1, "low": 1, "high": 2}, {"item": "b", "value": 2, "low": None, "high": None}]
    spec = charts.dots(rows, label="item").to_dict()
    tips = [tip["field"] for tip in spec["layer"][1]["encoding"]["tooltip"]]
    assert tips == ["item", "value", "interval"]
    assert ": 'none'" in spec["layer"][1]["transform"][0]["calculate"]
