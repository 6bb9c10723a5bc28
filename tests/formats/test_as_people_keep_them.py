"""Files as people have them on their disks: what one reading would get wrong is asked about, or told."""

from __future__ import annotations

import json

import pytest

import quorate as q
from quorate.errors import InputError


@pytest.fixture
def made(tmp_path):
    """A file of this name that holds this text, or these values as JSON."""

    def write(held, name="t.csv"):
        path = tmp_path / name
        path.write_text(held if isinstance(held, str) else json.dumps(held), encoding="utf-8")
        return path

    return write


# -- votes -------------------------------------------------------------------------------------------------------------


def test_signed_numbers_are_no_places(made):
    with pytest.raises(InputError, match="winner '-2'") as caught:
        q.read(made("id,rater,model_a,model_b,preference\np,ann,x,y,-2\np,bob,x,y,1\n"))
    assert "0 as tie" in caught.value.hint
    assert q.read(made("id,rater,model_a,model_b,winner\np,ann,x,y,model-2\n")).value.tolist() == [0]


VOTES = "id,judge,model_a,model_b,winner\n1,{0},x,y,model_a\n2,{1},x,y,model_b\n3,{0},x,y,tie\n4,{0},x,z,model_b\n"


def test_the_only_judges_numbered_votes_are_tasks_and_others_again_on_a_pair_are_told(made):
    panel = q.read(made(VOTES.format("gpt", "gpt")))
    assert (len(panel.tasks), panel.repeats) == (4, 0)
    assert panel.reading.guesses[-1].option == "--rename id=task"
    panel = q.read(made(VOTES.format("ann", "bob")))
    assert len(panel.tasks) == 1
    assert any("1 vote on a pair that the judge has voted on before" in n and "id=task" in n for n in panel.notes)


def test_the_two_games_of_arena_hard_are_votes_in_their_own_order(made):
    games = [{"score": "A>>B", "judgment": "[[A>>B]]"}, {"score": "B>A", "judgment": "[[B>A]]"}]
    panel = q.read(made([{"question_id": "q", "model": "mine", "judge": "gpt", "games": games}], "t.json"))
    rows = zip(*(panel.labels[n].values() for n in ("model_a", "model_b")), panel.value.tolist(), strict=True)
    assert list(rows) == [("baseline", "mine", 1), ("mine", "baseline", 0)]
    assert any("called baseline" in n for n in panel.notes)


# -- places ------------------------------------------------------------------------------------------------------------

BALLOTS = "voter,ada,bo,cy\nv1,2,1,0\nv2,0,2,1\nv3,1,2,0\n"


@pytest.mark.parametrize("text", [BALLOTS, "item,v1,v2\nada,2,0\nbo,1,2\ncy,0,1\n"])
def test_places_from_0_in_a_matrix_are_asked_about_and_other_zeros_told(made, text):
    kind = None if text is BALLOTS else "orderings"
    with pytest.raises(InputError, match="is 0 a place") as caught:
        q.read(made(text), kind=kind)
    assert "--kind scores" in caught.value.hint
    assert q.read(made(text), kind="scores").value.min() == 0
    some = q.read(made("voter,ada,bo,cy\nv1,2,1,0\nv2,0,0,1\nv3,1,2,3\n"), kind="orderings")
    assert any("0 is taken as no place (3 cells)" in n for n in some.notes)


# -- JSON --------------------------------------------------------------------------------------------------------------


def hinted(error):
    """The columns that a hint says."""
    return error.value.hint.partition("--column '")[2].partition("'")[0]


def test_lists_of_judges_and_labels_side_by_side_are_told_how_to_read(made):
    path = made([{"text": t, "annotators": ["ann", "bob"], "labels": ["yes", "no"]} for t in "xy"], "t.json")
    with pytest.raises(InputError, match="seem to lie in lists") as caught:
        q.read(path)  # no file of doccano, whose judge would be the file
    panel = q.read(path, column=hinted(caught))
    assert panel.judges == ("ann", "bob")
    assert set(zip(panel.judge.values(), panel.label_column.values(), strict=True)) == {("ann", "yes"), ("bob", "no")}


def test_paths_may_be_those_of_records_in_an_object_as_hints_tell_them(made):
    records = [{"post": t, "annotators": [{"annotator_id": k, "label": "a" * k} for k in (1, 2)]} for t in "xyz"]
    for held in ({"posts": records, "more": []}, {f"p{k}": r for k, r in enumerate(records)}):
        path = made(held, "t.json")
        with pytest.raises(InputError) as caught:
            q.read(path)
        assert hinted(caught) == "item=post,judge=annotators[].annotator_id,label=annotators[].label"
        panel = q.read(path, column=hinted(caught))
        assert (panel.judges, panel.items) == ((1, 2), ("x", "y", "z"))


def test_the_list_of_records_may_lie_deeper_and_its_members_may_be_numbered(made):
    rows = [{"id": t, "experts": [{"focus": 3}, {"focus": 4}]} for t in "xy"]
    held = {"results": {"prompts": [{"raw": "p"}], "rows": rows}, "version": 3}
    path = made(json.dumps(held, indent=1), "t.json")
    with pytest.raises(InputError, match="no single list") as caught:
        q.read(path)
    assert "(results.prompts or results.rows)" in caught.value.hint
    columns = "item=id,judge=experts[#],score=experts[].focus"
    for form in (path, made(held, "in_a_line.json")):
        assert sorted(q.read(form, records="results.rows", column=columns).value.tolist()) == [3, 3, 4, 4]


# -- matrices ----------------------------------------------------------------------------------------------------------


def test_notes_below_a_matrix_are_no_items_and_a_mean_above_them_is_the_last_row(made):
    text = "item,ann,bob\nx,4,5\ny,2,3\nMean,3,4\n* bob joined later,,\nn=2,,\n"
    panel = q.read(made(text), kind="scores")
    assert panel.items == ("x", "y")
    assert any("'* bob joined later' and 'n=2'" in n for n in panel.notes)
    assert q.read(made("item,ann,bob\nx,4,5\nnote,,\ny,2,3\n"), kind="scores").items == ("x", "note", "y")


@pytest.mark.parametrize(
    "text",
    [
        "Horodateur,Classez [a],Classez [b],Classez [c]\n2026/01/05,2e,1er,3e\n2026/01/05,1er,3e,2e\n",
        "Datum;Ordnen [Rang 1];Ordnen [Rang 2];Ordnen [Rang 3]\n2026/01/05;b;a;c\n2026/01/05;a;c;b\n",
        "voter,a,b,c\n1,2.º,1.º,3.º\n2,1.º,3.º,2.º\n",
    ],
)
def test_places_in_other_languages(made, text):
    panel = q.read(made(text))
    assert panel.orders() == {"1": [["b"], ["a"], ["c"]], "2": [["a"], ["c"], ["b"]]}


def test_places_under_another_name_are_told_to_be_places(made):
    rows = "".join(f"{j};{i};{p}\n" for j, o in (("A", "xyz"), ("B", "yxz"), ("C", "xzy")) for p, i in enumerate(o, 1))
    path = made("Beurteiler;Objekt;Stelle\n" + rows)
    with pytest.raises(InputError, match="nothing says what the columns are") as caught:
        q.read(path)
    assert "--rename Beurteiler=judge,Objekt=item,Stelle=position;" in caught.value.hint


# -- search runs as tables ---------------------------------------------------------------------------------------------

RUN = "{},{},{},rank,score\n" + "".join(
    f"{q},{s},d{d},{k},{9 - k}.5\n"
    for q in "12"
    for s, docs in (("a", (1, 2)), ("b", (2, 3)))
    for k, d in enumerate(docs, 1)
)


@pytest.mark.parametrize("names", [("query", "run", "doc"), ("topic", "system", "docno"), ("qid", "run_id", "doc_id")])
def test_runs_with_ranks_and_scores_are_orders_and_that_is_told(made, names):
    panel = q.read(made(RUN.format(*names)))
    assert (panel.kind, panel.judges, panel.tasks, panel.absent) == ("orderings", ("a", "b"), ("1", "2"), "below")
    assert any("the places are read" in g.said for g in panel.reading.guesses)
    assert {c.name: c.role for c in panel.reading.columns}["score"] == "beside"


def test_scores_of_judges_beside_ranks_are_read_and_that_is_told(made):
    panel = q.read(made(RUN.format("task", "judge", "item")))
    assert panel.kind == "scores"
    assert [g.option for g in panel.reading.guesses] == ["--kind scores"]


# -- criteria in the names of columns ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "judges"),
    [
        ("style_r1,style_r2,focus_r1,focus_r2", ("r1", "r2")),
        ("expert_1_style,turker_1_style,expert_1_focus,turker_1_focus", ("expert_1", "turker_1")),
    ],
)
def test_criteria_by_judge_in_the_names_of_columns(made, names, judges):
    path = made(f"system,doc,{names}\nA,d,1,2,3,4\nB,d,2,2,5,3\nA,e,1,1,4,4\nB,e,3,2,4,5\n")
    panel = q.read(path)
    assert (panel.judges, panel.labels["criterion"].ids) == (judges, ("style", "focus"))
    assert [g.option for g in panel.reading.guesses][-1] == "--criteria style,focus"
    assert q.read(path, rename={"doc": "task"}, criteria=["style", "focus"], strict=True) == panel


def test_criteria_by_item_in_the_names_of_columns(made):
    path = made(
        "participant,age,text1 style,text1 focus,text2 style,text2 focus\np,31,1,2,3,4\nq,60,2,2,5,3\nr,25,1,1,4,4\n"
    )
    panel = q.read(path)
    assert (panel.judges, panel.items, panel.labels["criterion"].ids) == (
        ("p", "q", "r"),
        ("text1", "text2"),
        ("style", "focus"),
    )
    columns = ["text1 style", "text1 focus", "text2 style", "text2 focus"]
    assert len(q.read(path, item_columns=columns).items) == 4
    named = made("doc,ann style,bob style,ann focus,bob focus\nd,1,2,3,4\ne,2,2,5,3\n")
    assert q.read(named, criteria="style,focus").judges == ("ann", "bob")
    with pytest.raises(InputError, match="no column"):
        q.read(named, criteria="style,tone")


def test_a_word_for_scores_may_be_labels_and_criteria_may_be_of_one_judge_who_is_told(made):
    stars = made("reviewer,product,stars\na,p,**\na,q,*+\nb,p,**\nb,q,*+\n")
    assert q.read(stars, labels=True).kind == "scores"
    assert q.read(stars, scale="*+,**").scale == ("*+", "**")
    panel = q.read(made("id,question,right,short\n7,why,1,0.5\n8,how,0,0.25\n"), criteria="right,short", judge="gpt")
    assert (panel.judges, panel.items, panel.labels["criterion"].ids) == (("gpt",), ("7", "8"), ("right", "short"))


@pytest.mark.parametrize("code", ["-9", "88"])
def test_numbers_for_none_are_asked_about(made, code):
    with pytest.raises(InputError, match=f"is {code} a score") as caught:
        q.read(made(f"judge,item,score\na,x,1\na,y,5\nb,x,{code}\nb,y,3\n"))
    assert f"--missing-values {code} " in caught.value.hint


def test_how_sure_judges_are_is_no_score_where_they_gave_labels(made):
    rows = "".join(f"{k},{w},{s},0.9,1\n" for k in range(4) for w, s in (("a", "yes"), ("b", "yn"[k % 2])))
    assert q.read(made("_unit_id,_worker_id,mood,_trust,_id\n" + rows)).label_column.ids
    wide = made("file,rater1_label,rater1_confidence,rater2_label,rater2_confidence\nf,A,3,B,4\ng,A,2,A,4\nh,B,1,B,2\n")
    panel = q.read(wide)
    assert panel.judges == ("rater1_label", "rater2_label")
    assert set(panel.label_column.values()) == {"A", "B"}


def test_other_words_for_columns(made):
    assert q.read(made("listener,clip,score\na,x,3\nb,x,4\n")).judges == ("a", "b")
    text = "worker,question,option_1,option_2,selected\na,k,x,y,x\nb,k,x,y,y\n"
    assert q.read(made(text)).value.tolist() == [1, 0]
    rows = "".join(f"{d},{s},1,{d % 2}\n" for d in range(3) for s in "AB")
    panel = q.read(made("doc_id,system_name,annotator_1,annotator_2\n" + rows))
    assert (panel.tasks, panel.items) == (("0", "1", "2"), ("A", "B"))
