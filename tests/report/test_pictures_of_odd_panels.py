"""Pictures of panels at the edges: two judges, all tied, many judges, gaps, judges who stand for several."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.document import axes, charts
from quorate.reports.pictures import pictures

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
    columns = [c.key for c in flow.table().columns]
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
    held = {"judge": list("xxyyz"), "item": list("ababa"), "position": [1] * 5}
    curve = drawn(q.Orderings.build(held), "agreement")["q-curve"]
    assert {row["line"] for row in curve.rows} == {"items"}
    assert "No judge puts any two items in order" in curve.description


def test_titles_say_what_is_seen():
    panel = one({"ann": "abcdef", "bob": "abcdfe", "cat": "fedcba"})
    found = {**drawn(panel, "agreement"), **drawn(panel, "judges"), **drawn(panel, "consensus")}
    assert found["judge-by-judge"].title == (
        "Every two judges: most alike are ann and bob (0.87), least ann and cat (-1.00)"
    )
    assert "lowest is cat" in found["each-judge"].title
    alike = one({**dict.fromkeys(("ann", "bob", "cat"), "abc"), "dan": "cba"})
    told = "ann and bob and 2 more pairs (1.00), least ann and dan and 2 more pairs (-1.00)"
    assert told in drawn(alike, "agreement")["judge-by-judge"].title
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


def test_what_all_judges_share_is_none_or_little_but_not_zero_percent():
    from quorate.reports.agreement_pictures import _shared_by_all

    def said(value):
        rows = [{"line": "pairs in order", "q": q, "value": v} for q, v in ((1, 1.0), (9, value))]
        return _shared_by_all(rows, 9)

    assert said(0.004) == "all 9 share under 1% of the pairs in order"
    assert said(0.0) == "all 9 share none of the pairs in order"
    assert said(None) == ""
    assert _shared_by_all([{"line": "pairs in order", "q": 2, "value": 0.5}], 2).startswith("both share 50%")
    assert _shared_by_all([{"line": "pairs in order", "q": 9, "value": 0.0}], 9) == ""


def test_long_intervals_of_places_do_not_crowd_the_dots():
    items = [f"i{k:03d}" for k in range(200)]
    panel = one({f"j{n}": items[n : n + 3] + items[9 * n + 9 : 9 * n + 18] for n in range(8)})
    places = drawn(panel, "consensus")["places"]
    furthest = 2 * max(row["value"] for row in places.rows)
    assert max(row["to"] for row in places.rows) == furthest < max(row["high"] for row in places.rows)
    assert "go on further" in places.description
    assert "to" not in [c.key for c in places.table().columns]
    line = charts.draw(places).to_dict()["layer"][0]["encoding"]
    assert line["x2"]["field"] == "to"


def test_the_line_of_chance_lies_on_a_strip_so_that_it_is_seen_on_bars():
    chart = charts.bars([{"task": "t", "value": 0.5}], label="task", line=0.1).to_dict()
    _, strip, dashes = (layer["mark"] for layer in chart["layer"])
    assert (strip["color"], "strokeDash" in strip, "strokeDash" in dashes) == ("white", False, True)
    assert strip["size"] > dashes["size"]


def test_long_names_of_judges_can_be_told_apart_in_the_heat_map():
    names = [f"a very long name of a judge who is called {end}" for end in ("one", "two", "three")]
    found = drawn(one(dict(zip(names, ("abc", "acb", "bac"), strict=True))), "agreement")["judge-by-judge"]
    axis = charts.draw(found).to_dict()["layer"][0]["encoding"]
    assert all("slice(datum.label, -" in axis[side]["axis"]["labelExpr"] for side in "xy")


def test_the_legend_of_flags_is_there_if_somebody_is_flagged():
    def legend(flag):
        rows = [{"judge": "ann", "value": 0.1, "low": None, "high": None, "flag": flag}]
        return charts.dots(rows, label="judge", mark="flag").to_dict()["layer"][1]["encoding"]["shape"]["legend"]

    assert legend("flagged")["orient"] == "bottom"
    assert legend("not flagged") is None


def test_an_axis_that_comes_near_its_limit_ends_there():
    rows = [{"judge": j, "value": v, "low": None, "high": None} for j, v in (("ann", -0.9), ("bob", 1.0))]
    scale = charts.dots(rows, label="judge", limits=(-1, 1)).to_dict()["layer"][1]["encoding"]["x"]["scale"]
    assert (scale["domainMin"], scale["domainMax"], scale["nice"]) == (-1, 1, False)


def test_long_names_of_items_can_be_told_apart_in_the_legend_of_the_flow():
    names = [f"a very long title of a document that goes on and on, part {end}" for end in ("one", "two", "three")]
    flow = drawn(one({"ann": names, "bob": names[::-1], "cat": names}), "consensus")["flow"]
    legend = charts.draw(flow).to_dict()["layer"][1]["encoding"]["color"]["legend"]
    assert "slice(datum.label, -" in legend["labelExpr"]


@pytest.mark.parametrize(("most", "scale"), [(14, "symlog"), (2e10, "log")])
def test_large_kappas_have_marks_at_powers_of_ten(most, scale):
    rows = [{"task": "t", "gamma": g, "lam": 1, "value": v} for g, v in ((0.5, 0.2), (1, most))]
    assert charts.surface(rows).to_dict()["encoding"]["color"]["scale"]["type"] == scale
