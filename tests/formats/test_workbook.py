"""Workbooks: the first sheet or the one named, titles above the header, types, surveys, and what is damaged."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import datetime

import pytest

import quorate as q
from quorate.errors import InputError

openpyxl = pytest.importorskip("openpyxl")


@pytest.fixture
def book(tmp_path):
    def make(*sheets, name="a.xlsx"):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for title, rows in sheets:
            sheet = made.create_sheet(title)
            for row in rows:
                sheet.append(row)
        made.save(tmp_path / name)
        return tmp_path / name

    return make


LONG = [["judge", "item", "score"], ["ann", "x", 4], ["ann", "y", 2.5], ["bob", "x", None], ["bob", "y", 3]]


def test_the_first_sheet_is_read_and_told(book):
    path = book(("scores", LONG), ("notes", [["nothing"]]))
    panel = q.read(path)
    assert panel == q.Scores.build(
        {"judge": ["ann", "ann", "bob", "bob"], "item": list("xyxy"), "score": [4, 2.5, None, 3]}
    )
    assert any("of 2 sheets the first, 'scores'" in n for n in panel.notes)
    assert q.inspect(path).to_dict()["format"] == "xlsx"


def test_a_sheet_may_be_named(book):
    path = book(("notes", [["nothing"]]), ("scores", LONG))
    assert len(q.read(path, sheet="scores")) == 4
    with pytest.raises(InputError, match="did you mean 'scores'"):
        q.read(path, sheet="score")


def test_titles_above_the_header_and_empty_rows_and_columns(book):
    rows = [
        ["My study"],
        [],
        [None, "judge", "item", "score"],
        [None, "ann", "x", 4],
        [],
        [None, "bob", "x", 3, None, None],
    ]
    panel = q.read(book(("s", rows)))
    assert panel.judges == ("ann", "bob")
    assert any("1 row above" in n for n in panel.notes)


def test_wide_and_survey_sheets(book):
    panel = q.read(book(("s", [["subject", "rater1", "rater2"], [1, 5, 4], [2, 2, 1], [3, 4, 5]])))
    assert (panel.judges, panel.items) == (("rater1", "rater2"), (1, 2, 3))
    places = q.read(book(("s", [["voter", "p", "q"], ["a", 1, 2], ["b", 2, 1]])))
    assert places.kind == "orderings"
    dated = q.read(book(("s", [[*LONG[0], "day"], ["ann", "x", 1, datetime(2026, 1, 5)], ["bob", "x", True, None]])))
    assert dated.labels["day"].ids == ("2026-01-05", None)


def test_cells_that_do_not_fit_are_told_with_their_row(book):
    with pytest.raises(InputError, match="row 3: score 'many'"):
        q.read(book(("s", [LONG[0], LONG[1], ["bob", "x", "many"]])))
    with pytest.raises(InputError, match="--missing-values '#N/A'"):
        q.read(book(("s", [LONG[0], LONG[1], ["bob", "x", "#N/A"]])))
    with pytest.raises(InputError, match="the sheet is empty"):
        q.read(book(("s", [])))


def test_a_workbook_may_not_unpack_to_more_than_is_allowed(book):
    path = book(("s", [LONG[0], *([["ann", f"i{k}", 1] for k in range(3000)])]))
    with pytest.raises(InputError, match="--max-bytes"):
        q.read(path, max_bytes="20K")


def test_a_damaged_workbook_is_an_error_and_no_more(book):
    path = book(("s", LONG))
    content = path.read_bytes()
    rng = random.Random(1)
    for _ in range(60):
        broken = bytearray(content)
        for _ in range(rng.choice([1, 5, 50])):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        path.write_bytes(bytes(broken[: rng.choice([len(broken), len(broken) // 2])]))
        with suppress(q.QuorateError):
            q.read(path)


def test_it_says_what_is_needed(book, monkeypatch):
    path = book(("s", LONG))
    monkeypatch.setattr("quorate.formats.workbook.find_spec", lambda name: None)
    with pytest.raises(q.MissingExtra, match="quorate\\[tables\\]"):
        q.read(path)
    with pytest.raises(InputError, match="read, not written"):
        q.write(q.Scores.from_matrix([[1, 2]]), "x.xlsx")
