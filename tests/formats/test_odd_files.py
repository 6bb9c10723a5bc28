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


# -- tables as colleagues have them -----------------------------------------------------------------------------------


@pytest.mark.parametrize("often", ["count", "votes", "frequency", "n"])
def test_counts_beside_orders_are_counted(made, often):
    panel = q.read(made(f"order,{often}\nA>B>C,10\nB>A>C,7\nC>A>B,2\n"))
    assert panel.columns()["count"][::3] == [10, 7, 2]
    assert any(g.role == "count" for g in panel.reading.guesses) == (often != "count")


def test_counts_of_choices_and_of_rows_of_scores(made):
    panel = q.read(made("1st choice,2nd choice,count\nA,B,10\nB,A,7\n"))
    assert panel.columns()["count"][::2] == [10, 7]
    panel = q.read(made("judge,A,B,C,count\nann,5,2,3,4\nbob,2,1,3,2\n"))
    assert (panel.kind, panel.items, panel.columns()["count"][::3]) == ("scores", ("A", "B", "C"), [4, 2])
    with pytest.raises(InputError, match="this one has count"):  # rows are items, of which no judge is counted
        q.read(made("item,rater1,rater2,count\nx,5,2,3\ny,2,1,2\n"))


def test_few_answers_on_one_scale_are_all_read(made):
    text = "respondent,Q1,Q2,Q3\n1,Strongly agree,Agree,Neutral\n2,Agree,Strongly disagree,Undecided\n"
    assert q.read(made(f"{text}3,disagree,Agree,Agree\n")).items == ("Q1", "Q2", "Q3")
    text = "respondent,Q1,Q2,why\n1,Agree,Neutral,it is so\n2,Disagree,Strongly agree,I like it\n"
    assert q.read(made(text)).items == ("Q1", "Q2")


def test_dates_of_a_spreadsheet_are_no_steps_of_a_scale(made):
    with pytest.raises(InputError, match="score '01-Feb'") as caught:
        q.read(made("judge,item,score\na,x,01-Feb\na,y,3\nb,x,2\nb,y,1\n"))
    assert "into dates" in caught.value.hint
    with pytest.raises(InputError, match="01-Feb"):
        q.read(made("item,rater1,rater2\nx,01-Feb,3\ny,2,1\nz,2,2\n"))
    panel = q.read(made("judge,item,score\na,x,5-Decent\na,y,3\nb,x,2\nb,y,1\n"))
    assert panel.value.max() == 5


VOTED = "{},annotator,model_a,model_b,winner\n" + "".join(
    f"{i},{j},m{i % 2},m2,{'model_a' if (i + len(j)) % 3 else 'tie'}\n" for i in range(6) for j in ("al", "bob", "cleo")
)


@pytest.mark.parametrize("name", ["id", "example_id", "instruction"])
def test_what_several_judges_voted_on_is_the_task(made, name):
    panel = q.read(made(VOTED.format(name)))
    assert (len(panel.tasks), panel.repeats) == (6, 0)
    assert panel.reading.guesses[-1].option == f"--rename {name}=task"


def test_a_number_for_every_vote_is_no_task(made):
    lines = VOTED.format("battle").splitlines()
    rows = [f"{k},{line.partition(',')[2]}" for k, line in enumerate(lines[1:])]
    assert q.read(made("\n".join([lines[0], *rows]))).tasks == ("all",)


def test_verdicts_at_the_end_of_a_models_text(made):
    said = ["Both help. [[A]]", "B errs [1]. Verdict: [[B]]", "Equal. [[C]]", "My verdict is [[A>>B]]"]
    rows = "".join(f"q{i},gpt,m1,m2,{t}\n" for i, t in enumerate(said))
    panel = q.read(made("question,judge,model_a,model_b,judgment\n" + rows))
    assert panel.value.tolist() == [1, 0, 0.5, 1]
    assert any("[[A]]" in n for n in panel.notes)
    with pytest.raises(InputError, match="not a vote"):  # which of the two?
        q.read(made("question,judge,model_a,model_b,judgment\nq,gpt,m1,m2,first [[A]] then [[B]]\n"))


def test_systems_named_beside_their_responses_and_ties_in_words(made):
    text = "prompt,response_a_model,response_b_model,annotator,preference\np,m1,m2,ann,A\np,m1,m2,bob,Both are bad\n"
    panel = q.read(made(text))
    assert (panel.kind, panel.systems, panel.value.tolist()) == ("votes", ("m1", "m2"), [1, 0.5])


def test_two_systems_without_a_winner_are_asked_about(made):
    with pytest.raises(InputError, match="which column says who won") as caught:
        q.read(made("question_id,judge,model_1,model_2,said\n1,g,x,y,x is better\n2,g,x,y,y is better\n"))
    assert "--rename COLUMN=winner" in caught.value.hint
    assert q.read(made("judge,system_1,system_2\nann,3,4\nbob,2,5\n")).kind == "scores"


MONKEY = (
    "Respondent ID,Collector ID,Rate these,,,Anything else?\n,,Apple,Pear,Other (please specify),Open-Ended Response\n"
)


def test_two_header_rows_of_surveymonkey(made):
    panel = q.read(made(MONKEY + "118,42,4,3,,no\n119,42,5,2,fig,\n"))
    assert (panel.kind, panel.judges, panel.items) == ("scores", ("118", "119"), ("Apple", "Pear"))
    assert any("two header rows" in n for n in panel.notes)
    with pytest.raises(InputError, match="no question has several items"):
        q.read(made("Respondent ID,Which?\n,Response\n118,x\n119,y\n"))


def test_a_numbered_list_in_a_cell(made):
    panel = q.read(made('judge,ranking\na,"1. x\n2. y\n3. z"\nb,"1. y\n2. x\n3. z"\n'))
    assert panel.orders()["b"] == [["y"], ["x"], ["z"]]


def test_judges_with_several_rows_have_items_and_occasions_or_are_asked_about(made):
    """They were read as a judge's occasions, and the columns, the round among them, as items."""
    rows = "".join(f"{j},{c},{r},{7 + len(c)},{r + 5}\n" for j in "AB" for c in ("c1", "c22") for r in (1, 2))
    panel = q.read(made("Judge,Contestant,Round,Technique,Presentation\n" + rows))
    assert (panel.items, panel.occasion.ids) == (("c1", "c22"), ("1", "2"))
    assert panel.label("criterion").ids == ("Technique", "Presentation")
    with pytest.raises(InputError, match="which column names the items"):
        q.read(made("judge,foo,bar,score\na,1,x,3\nb,2,y,3\na,2,z,4\n"))
    assert q.read(made("Judge,Technique,Presentation\nA,8,7\nB,6,9\n")).items == ("Technique", "Presentation")


def test_three_numbered_columns_are_no_pair_and_best_and_worst_are_asked_about(made):
    head = "annotator,tuple,item1,item2,item3,"
    with pytest.raises(InputError, match="the middle is tied") as caught:
        q.read(made(f"{head}best,worst\na,t1,w,x,y,w,y\nb,t1,w,x,y,x,y\n"))
    assert "position" in caught.value.hint
    with pytest.raises(InputError):  # were votes between the first two
        q.read(made(f"{head}choice\na,t1,w,x,y,w\na,t2,w,x,z,x\nb,t1,w,x,y,w\nb,t2,w,x,z,w\n"))


def test_gold_beside_the_judges_is_told(made):
    path = made("doc,annotator1,annotator2,adjudicated\nd1,pos,pos,pos\nd2,neg,pos,neg\n")
    panel = q.read(path, kind="scores")
    assert len(panel.judges) == 3
    assert any("--judge-columns annotator1,annotator2)" in g.said for g in panel.reading.guesses)
    assert len(q.read(path, kind="scores", judge_columns="annotator1,annotator2").judges) == 2
    with pytest.raises(InputError) as caught:
        q.read(path)
    assert "annotator1=judge" not in caught.value.hint  # columns of the same labels are no judge and item


def test_a_star_for_a_missing_score_is_asked_about(made):
    path = made("observer,u1,u2\nA,1,2\nB,*,3\n")
    with pytest.raises(InputError) as caught:
        q.read(path)
    assert "--missing-values '*'" in caught.value.hint
    assert q.read(path, missing="*").judges == ("A", "B")
