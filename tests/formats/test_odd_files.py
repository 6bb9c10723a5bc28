"""Odd files: orders in one cell, comments, long lines, many columns, sheets, merged cells, formulas."""

from __future__ import annotations

import time

import openpyxl
import pytest

import quorate as q
from quorate.errors import InputError

ROWS = "judge,item,score\nann,x,4\nbob,x,3\n"


@pytest.fixture
def made(tmp_path):
    def write(text, name="t.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def book(tmp_path):
    def write(*sheets):
        made = openpyxl.Workbook()
        for k, (title, rows) in enumerate(sheets):
            sheet = made.active if k == 0 else made.create_sheet()
            sheet.title = title
            for row in rows:
                sheet.append(row)
        path = tmp_path / "t.xlsx"
        made.save(path)
        return path

    return write


# -- orders in one cell ------------------------------------------------------------------------------------------------


def test_orders_with_ties_in_a_cell(made):
    panel = q.read(made("voter,ranking\nann,x > y > z\nbob,y > x = z\n"))
    assert panel.orders() == {"ann": [["x"], ["y"], ["z"]], "bob": [["y"], ["x", "z"]]}
    assert [g.option for g in panel.reading.guesses] == ["--rename voter=judge", "--kind orderings"]


FORM = "ID,Start time,Email,Rank the fruits,Rank the trees\n{}"


def test_questions_to_rank_of_a_form_are_tasks_and_anonymous_judges_are_numbered(made):
    rows = "1,1/5/26,anonymous,a;b;c;,p;q;r;\n2,1/5/26,anonymous,b;a;c;,q;p;r;\n3,1/6/26,anonymous,,r;q;p;\n"
    panel = q.read(made(FORM.format(rows)))
    assert panel.judges == ("1", "2", "3")
    assert panel.orders("Rank the fruits") == {"1": [["a"], ["b"], ["c"]], "2": [["b"], ["a"], ["c"]]}
    assert panel.orders("Rank the trees")["3"] == [["r"], ["q"], ["p"]]
    assert q.read(made(FORM.format(rows)), rename={"ID": "judge"}, kind="orderings", strict=True).judges == panel.judges


@pytest.mark.parametrize(
    "cells",
    [
        ("a;b;c", "a;b;c"),  # boxes that were ticked stand in the order of the form
        ("a;b", "b;a"),  # two are too few to tell
        ("a;b;c", "b;a"),
        ("a;b;b", "b;a;b"),
    ],
)
def test_other_cells_with_signs_are_no_orders(made, cells):
    panel = q.read(made("respondent,which\n" + "".join(f"{k},{c}\n" for k, c in enumerate(cells))))
    assert panel.kind == "scores"


# -- tables ------------------------------------------------------------------------------------------------------------


def test_several_lines_of_comments_above_the_names(made):
    panel = q.read(made("# my study\n# 2026\n" + ROWS))
    assert panel.judges == ("ann", "bob")
    assert any("2 lines above the names of columns left aside" in n for n in panel.notes)
    assert q.read(made("#judge,item,score\n" + ROWS.partition("\n")[2])).judges == ("ann", "bob")


def test_places_as_people_write_them(made):
    panel = q.read(made("voter,candidate,rank\nann,x,1st\nann,y,2nd\nbob,x,2ND\nbob,y,1\n"))
    assert panel.orders() == {"ann": [["x"], ["y"]], "bob": [["y"], ["x"]]}
    assert any("places such as 1st are taken as the number alone" in n for n in panel.notes)
    with pytest.raises(InputError, match="position 'x2nd'"):
        q.read(made("voter,candidate,rank\nann,x,1st\nann,y,x2nd\n"))


def test_the_column_of_answers_in_words_is_named_and_the_line_works(made):
    path = made("Respondent,Item,At what time,My answer\na,x,noon,Agree\nb,x,night,Disagree\na,y,noon,Agree\n")
    with pytest.raises(InputError, match="no column of scores") as caught:
        q.read(path)
    assert caught.value.hint.startswith("--rename 'My answer=score' takes")
    assert q.read(path, rename={"My answer": "score"}).scale == ("Disagree", "Agree")


def test_groups_without_a_judge_are_asked_for_the_judge(made):
    with pytest.raises(InputError, match="no column 'judge'"):
        q.read(made("tie,item,group\nann,x,1\nann,y,1\nbob,x,p\nbob,y,q\n"))


def test_a_table_without_an_extension_is_called_by_what_stands_between_its_fields(made):
    assert q.read(made(ROWS, "noext")).reading.format == "csv"
    assert q.read(made(ROWS.replace(",", "\t"), "noext")).reading.format == "tsv"


def test_a_line_of_megabytes_and_thousands_of_columns_take_seconds(made):
    begun = time.process_time()
    panel = q.read(made(f"judge,item,score\nann,{'x' * 5_000_000},4\nbob,y,3\n"))
    assert len(panel) == 2
    heads = ",".join(f"rater{k}" for k in range(2_000))
    wide = q.read(made(f"item,{heads}\n" + "".join(f"x{i}{',3' * 1_999},{i}\n" for i in range(4))))
    assert len(wide.judges) == 2_000
    assert time.process_time() - begun < 8


# -- options and columns that do not fit -------------------------------------------------------------------------------


def test_labels_that_are_asked_for_and_not_there_are_named(made):
    votes = made("judge,model_a,model_b,winner\nann,x,y,x\nbob,x,y,y\n")
    with pytest.raises(InputError, match="no column 'label'"):
        q.read(votes, scale="poor,good")
    with pytest.raises(InputError, match="no column 'judge'"):
        q.read(made("label,mood\na;b,1\na,2\n"), several=";")


@pytest.mark.parametrize("name", ["judge", "item", "position"])
def test_a_card_sort_may_have_a_column_that_is_called_as_others_are(made, name):
    path = made(f"participant,card,category,{name}\nann,x,a,odd\nann,y,b,odd\nbob,x,a,odd\nbob,y,a,odd\n")
    panel = q.read(path, format="cardsort")
    assert panel.judges == ("ann", "bob")
    assert panel.items == ("x", "y")


# -- workbooks ---------------------------------------------------------------------------------------------------------


def test_the_sheet_that_is_meant_is_named_where_the_first_is_none(book):
    path = book(("Notes", [["My study"]]), ("Data", [["judge", "item", "score"], ["ann", "x", 4], ["bob", "x", 3]]))
    with pytest.raises(InputError, match="Of 2 sheets the first, 'Notes', is read"):
        q.read(path)
    assert len(q.read(path, sheet="Data")) == 2


def test_merged_cells_and_formulas_without_a_value_are_told(book):
    path = book(("S", [["judge", "item", "score"], ["ann", "x", 4], [None, "y", 3]]))
    merged = openpyxl.load_workbook(path)
    merged.active.merge_cells("A2:A3")
    merged.save(path)
    with pytest.raises(InputError, match="Cells are merged, of which only the first has the value"):
        q.read(path)
    panel = q.read(book(("S", [["judge", "item", "score"], ["ann", "x", 4], ["bob", "x", "=1+2"]])))
    assert any("formulas without a value are empty" in n for n in panel.notes)
