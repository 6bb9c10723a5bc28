"""The page for people: words that stand on it, notes and the command once, methods in the verdict by their names."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

import quorate as q
from quorate.words.glossary import WORDS, place

for package in ("altair", "vl_convert", "jinja2"):
    pytest.importorskip(package)

pytestmark = pytest.mark.usefixtures("in_small")
QUICK = {"resamples": 100, "permutations": 20}


@pytest.fixture(scope="module")
def page():
    tasks = [f"t{k}" for k in range(8)]
    judges = {"ann": "abcdef", "bob": "abdcfe", "cat": "bacdef", "dan": "fedcba"}
    lists = q.Orderings.from_orders({task: {"new": "abcdef", "old": "fdceba"} for task in tasks})
    return q.report(q.Orderings.from_orders(dict.fromkeys(tasks, judges)), lists, **QUICK)


def test_only_words_that_stand_on_the_page_are_explained_at_its_end(page):
    body = page.html()
    leading = set(re.findall(r'class="word" href="#(word-[^"]+)"', body))
    assert set(re.findall(r'<dt id="(word-[^"]+)"', body)) == leading
    assert place("judge") in leading < set(map(place, WORDS))
    assert place("splitter") not in leading


def test_a_note_of_several_sections_stands_once_and_its_commands_are_code(page):
    note = "look at `quorate judges` again"
    sections = tuple(replace(s, answer=replace(s.answer, notes=(note, "a ` alone"))) for s in page.sections)
    body = re.sub("</?a[^>]*>", "", replace(page, sections=sections).html())
    assert body.count("look at <code>quorate judges</code> again.") == 1
    assert body.count("a ` alone.") == 1


def test_a_system_named_like_a_method_keeps_its_name():
    name = "majority(n=5)"
    systems = q.Orderings.from_orders({name: "abcd", "w": "dcba"})
    found = q.report(q.Orderings.from_orders(dict(zip("uvw", ("abcd", "abdc", "abcd"), strict=True))), systems, **QUICK)
    assert found.first_screen.tiles[2].figure.startswith(f"{name}: ")


def test_where_fewer_tasks_are_tried_the_caption_says_so(page):
    def caption(tried):
        from quorate.reports.pictures import pictures

        answer = page.section("trust").answer
        findings = tuple(replace(f, about=({"tried": tried, "tasks": 8},)) for f in answer.findings)
        answer = replace(answer, findings=findings)
        return next(p.description for p in pictures(page.panels["judgments"], answer) if p.name == "curve-noise")

    assert "Tried on" not in caption(8)
    assert "Tried on 5 of 8 tasks" in caption(5)


def test_a_panel_without_any_order_has_neither_a_curve_of_it_nor_talk_of_methods():
    page = q.report(q.Orderings.from_orders({j: [["a", "b", "c"]] for j in "uvwx"}), **QUICK)
    assert any("reverse alike" in s for s in page.section("trust").answer.sentences)
    assert "q-curve" not in [p.name for p in page.pictures]


def counted(votes):
    """Three orders of abcd with so many votes a task."""
    orders = ("abcd", "abdc", "dcba")
    rows = [
        (task, f"row {k}", item, place, count)
        for task, counts in votes.items()
        for k, (order, count) in enumerate(zip(orders, counts, strict=True))
        for place, item in enumerate(order, 1)
    ]
    names = ("task", "judge", "item", "position", "count")
    return q.Orderings.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def test_votes_of_several_tasks_are_not_added_up_to_judges_who_are_not_there():
    page = q.report(counted({"t1": (20, 9, 1), "t2": (2, 28, 3)}), **QUICK)
    assert page.section("agreement").answer.sentences[0] == "30 to 33 judges a task ordered 4 items on 2 tasks."
    same = q.report(counted({"t1": (20, 9, 1), "t2": (2, 25, 3)}), **QUICK)
    assert same.section("agreement").answer.sentences[0] == "30 judges a task ordered 4 items on 2 tasks."


def test_many_judges_stand_closer_together_on_the_axis_in_whole_numbers():
    from quorate.document.charts import curves

    rows = [{"line": "m", "judges": j, "value": v} for j, v in ((2, 0.5), (20, 0.8), (800, 0.9))]
    axis = curves(rows, x="judges", whole=True, log=True).to_dict()["layer"][0]["encoding"]["x"]["axis"]
    assert (axis["values"], axis["format"]) == ([2, 20, 800], "d")


def test_headings_go_down_one_step_at_a_time(page):
    levels = [int(found) for found in re.findall(r"<h([1-6])[ >]", page.html())]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
