"""Rows of every two judges: the same whether they are kept as names and floats or, where they are many, as numbers."""

from __future__ import annotations

from array import array

import numpy as np
import pytest

import quorate as q
from quorate.inference import judge_pairs
from quorate.inference.judge_pairs import Named
from quorate.panel.columns import Coded
from quorate.reports.packing import Packer

FULL = {"ann": {"a": 1, "b": 1, "c": 2}, "bob": {"a": 1, "b": 2, "c": 2}, "é": {"a": 1, "b": 2, "c": 1}}
GAPS = {**FULL, "dan": {"a": 1, "b": None, "c": None}}


@pytest.mark.parametrize("judges", [{"t": FULL}, {"t": GAPS, "u": FULL}], ids=["one task", "gaps, two tasks"])
def test_many_rows_are_kept_as_numbers_and_say_the_same(monkeypatch, judges):
    panel = q.Groupings.from_groups(judges)
    few = q.agreement(panel, permutations=5, resamples=20)
    monkeypatch.setattr(judge_pairs, "MANY", 2)
    many = q.agreement(panel, permutations=5, resamples=20)
    assert isinstance(few.findings[0].values, list)
    assert isinstance(many.findings[0].values, array)
    assert isinstance(many.findings[0].keys["pair"], Named)
    assert many.to_json() == few.to_json()
    assert many.to_csv() == few.to_csv()
    assert many.text() == few.text()


def test_pairs_of_names_are_a_sequence(monkeypatch):
    monkeypatch.setattr(judge_pairs, "MANY", 2)  # they are gone through in pieces
    pairs = Named(["ann", "bob", "é"], np.array([[0, 1], [0, 2], [1, 2]]))
    assert list(pairs) == [["ann", "bob"], ["ann", "é"], ["bob", "é"]] == pairs[:]
    assert pairs[-1] == ["bob", "é"]
    assert len(pairs) == 3
    assert pairs.numbered({"é": 0, "bob": 5, "ann": 7}).tolist() == [[7, 5], [7, 0], [5, 0]]


@pytest.mark.parametrize("values", [[0.25, float("nan"), 1 / 3], [3, 3, 4], [1.0, 2.0]], ids=str)
def test_a_column_of_numbers_is_packed_like_a_list(values):
    one, other = Packer(), Packer()
    assert one.column(values) == other.column(array("d" if isinstance(values[0], float) else "q", values))
    assert one.columns == other.columns


def test_treatments_of_left_out_items_share_figures_only_where_nothing_is_left_out():
    found = q.agreement(q.Groupings.from_groups({"t": FULL}), "adjusted_rand", permutations=5)
    assert found.findings[0].values is found.findings[1].values
    assert [r["method"] for r in found.more["by_task"]] == [str(f.method) for f in found.findings]
    found = q.agreement(q.Groupings.from_groups({"t": GAPS}), "adjusted_rand", permutations=5)
    assert found.findings[0].values != found.findings[1].values


@pytest.mark.parametrize("ids", [("b", "a", "c"), (3, 1, 2), ("b", None, "c")], ids=str)
def test_a_column_of_numbered_names_is_packed_like_the_names(ids):
    one, other, column = Packer(), Packer(), Coded(ids, np.array([2, 0, 2, 1, 0], np.int8))
    assert one.column(["a", "z"]) == other.column(["a", "z"])  # some are known already
    assert one.column(column) == other.column(column.values())
    assert one.exact(column) == other.exact(column.values())
    assert (one.columns, one.names) == (other.columns, other.names)
