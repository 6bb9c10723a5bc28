"""Results that are no answers: one way to text, JSON, CSV, frame and notebook; a page without a script."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass

import pytest

from quorate import Groupings, Orderings, agreement, card_sort
from quorate.document.blocks import Column, Document, Section, Table, Text
from quorate.document.html import page, whiskers
from quorate.document.markdown import render as markdown
from quorate.document.result import Result, csv_text, json_text
from quorate.document.terminal import render
from quorate.errors import InputError
from quorate.inference.estimate import Estimate, Interval

WORSE = Estimate(-0.5, Interval(-0.75, -0.25, 0.95, "tasks", 99))
ALONE = Estimate(0.25)


@dataclass(frozen=True)
class Found(Result):
    """A result with all three parts."""

    values: tuple[float, ...]

    def to_dict(self, **how):
        return {"values": list(self.values), "notes": []}

    def rows(self, **how):
        return [{"name": f"n{k}", "value": v} for k, v in enumerate(self.values)]

    def blocks(self, **how):
        rows = tuple((r["name"], r["value"]) for r in self.rows())
        return [Text(("Found.",), "lead"), Table("T", (Column("name", "name"), Column("value", "v", "figure")), rows)]


def test_a_result_is_printed_as_text_and_named_in_a_line():
    found = Found((1.0,) * 10_000)
    assert str(found) == found.text()
    assert repr(found) == "<Found>"
    sort = card_sort(Groupings.from_groups({k: {"x": 1, "y": 1, "z": 2} for k in "abc"}), permutations=9)
    assert repr(sort) == f"<CardSort: {sort.sentences[0]}>"
    finding = agreement(Orderings.from_orders({"a": "xyz", "b": "xyz"}), "tau", permutations=9)["tau"]
    assert repr(finding) == "<tau 1>"


def test_all_forms_come_from_three_parts():
    found = Found((0.5, math.nan))
    assert json.loads(found.to_json()) == {"values": [0.5, None], "notes": []}
    assert found.to_csv() == "name,value\nn0,0.5\nn1,\n"
    assert found.text().splitlines()[0] == "Found."
    assert "undefined" in found.text()
    assert "<table>" in found._repr_html_()
    assert found.to_frame("pandas")["name"].tolist() == ["n0", "n1"]


def test_a_long_table_is_cut_unless_the_result_is_shown_whole():
    class Whole(Found):
        all_rows = True

    assert len(Found((0.5,) * 50).text().splitlines()) < 30
    assert len(Whole((0.5,) * 50).text().splitlines()) > 50


def test_what_has_no_rows_says_so():
    class Bare(Result):
        called = "--explain"

    with pytest.raises(InputError, match="--explain has no CSV form"):
        Bare().to_csv()


def test_csv_and_json_are_read_back():
    rows = [{"a": 'x, "y"', "b": 1.5}, {"b": math.inf}]
    assert list(csv.DictReader(io.StringIO(csv_text(rows)))) == [{"a": 'x, "y"', "b": "1.5"}, {"a": "", "b": ""}]
    assert csv_text([], ["a", "b"]) == "a,b\n"
    assert json.loads(json_text({"a": (1, math.nan)})) == {"a": [1, None]}


TABLE = Table(
    "Gaps",
    (Column("judge", "judge"), Column("gap", "gap", "whisker"), Column("said", "said", "marked")),
    (("<ann>", WORSE, [("So ", "<a> dam", " broke.")]), ("bob", ALONE, [])),
)


def test_an_estimate_in_a_cell_is_told_and_drawn():
    assert "-0.500 (-0.750 to -0.250)" in render([TABLE])
    assert "-0.500 (-0.750 to -0.250)" in markdown(Document("", (TABLE,)))
    assert TABLE.to_dict()["rows"][0][1] == {"value": -0.5, "interval": [-0.75, -0.25]}
    assert TABLE.to_dict()["rows"][1][1] == {"value": 0.25, "interval": None}
    first, second = whiskers([WORSE, ALONE])
    assert (first.count("<line"), second.count("<line")) == (2, 1)  # of one without an interval only where 0 is
    assert "circle" not in whiskers([Estimate(math.nan)])[0]


def test_marked_words_are_marked_and_names_are_text():
    assert "So [<a> dam] broke." in " ".join(render([TABLE]).split())
    made = page(Document("A & B", (Section("S", (TABLE,), "s"),)))
    assert "<p>So <mark>&lt;a&gt; dam</mark> broke.</p>" in made
    assert "<ann>" not in made
    assert "A &amp; B" in made


def test_a_page_has_all_rows_open_and_no_script():
    many = Table("T", (Column("name", "name"),), tuple((f"n{k}",) for k in range(100)))
    made = page(Document("D", (many, Section("S", (many, many), "s"))))
    assert made.count("<td>n99</td>") == 3
    assert made.count("<details open>") == made.count("<details") == 3
    assert "<script" not in made
