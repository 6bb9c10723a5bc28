"""Blocks hold raw values, and their JSON can be read by others."""

from __future__ import annotations

import json

import pytest

import quorate as q
from quorate.document.blocks import Chart, Column, Document, Section, Table, Text, columns, form_of
from quorate.document.layout import document
from quorate.inference.estimate import Interval


def test_cells_of_the_json_are_raw_and_undefined_is_not_the_same_as_not_applying():
    heads = columns("judge", "value:figure", "within:interval", "who:names", "flag:flag")
    row = ("ann", float("nan"), Interval(0.1, 0.2, 0.95, "tasks", 100), ["x"], True)
    made = Table("t", heads, (row, ("bob", 0.123456789, None, None, None)), of=9).to_dict()
    assert made["rows"] == [["ann", "undefined", [0.1, 0.2], ["x"], True], ["bob", 0.123456789, None, None, None]]
    assert made["columns"][1] | {"key": "value", "form": "figure"} == made["columns"][1]
    assert (made["of"], made["keys"]) == (9, 1)


def test_a_document_is_versioned_and_nests():
    chart = Chart("c", "trust", "bars", "T", "D", ({"x": 1, "to": 2},), hidden=("to",))
    made = json.loads(Document("t", (Section("h", (Text(("s",), "note"), chart), "n"),), {"kind": "scores"}).to_json())
    assert (made["version"], made["title"], made["meta"]) == (1, "t", {"kind": "scores"})
    [section] = made["blocks"]
    assert [b["block"] for b in section["blocks"]] == ["text", "chart"]
    assert section["blocks"][1]["rows"] == [{"x": 1}]


def test_a_group_of_one_column_is_its_heading():
    heads = (Column("j", "judge"), Column("v", "value", group="a"), Column("v", "value", group="b"))
    table = Table("", (*heads, Column("p", "p", group="b")), ())
    assert table.heads() == [("", "judge"), ("", "a"), ("b", "value"), ("b", "p")]
    assert [c.key for c in table.ordered([0, 3]).columns] == ["j", "p"]


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ([1.0, 2.0], "count"),
        ([1.5, None], "figure"),
        ([float("nan"), 0.5], "figure"),
        (["a", 1], "name"),
        ([None], "name"),
        ([["a", "b"], []], "names"),
        ([[0.5, 1]], "interval"),
    ],
)
def test_values_without_a_declared_form_get_the_one_that_suits_them(values, form):
    assert form_of(values) == form


def test_a_gap_in_a_charts_numbers_is_undefined_and_its_names_stay():
    table = Chart("c", "q", "bars", "T", "D", ({"task": "a", "value": None}, {"task": "b", "value": 0.5})).table()
    assert [c.form for c in table.columns] == ["name", "figure"]
    assert str(table.rows[0][1]) == "nan"


def test_an_answer_and_its_document_have_the_same_figures():
    answer = q.judges(q.Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "dcba"}), resamples=100)
    [table] = [b for b in document(answer).to_dict()["blocks"] if b["block"] == "table"]
    assert document(answer).to_dict()["meta"] == {"kind": "orderings", "question": "judges"}
    at = next(k for k, c in enumerate(table["columns"]) if (c["group"], c["key"]) == ("peer_correlation", "value"))
    found = {o["judge"]: o["value"] for o in answer.to_dict()["overall"] if o["method"] == "peer_correlation"}
    assert {row[0]: row[at] for row in table["rows"]} == found
