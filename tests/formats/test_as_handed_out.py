"""Files as people and tools hand them out: rankings in lists, verdicts in words, odd numbers, unknown names."""

from __future__ import annotations

import json

import pytest

import quorate as q
from quorate.errors import InputError


@pytest.fixture
def made(tmp_path):
    def write(text, name="t.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def fails(path, **options):
    with pytest.raises(InputError) as error:
        q.read(path, **options)
    return str(error.value)


# -- rankings in one cell ----------------------------------------------------------------------------------------------

RANKED = {"Ann": {"q1": ["a", "b", "c"], "q2": ["d", "f", "e"]}, "Bob": {"q1": ["b", "a", "c"], "q2": ["f", "d", "e"]}}
ROWS = [(judge, task, order) for judge, tasks in RANKED.items() for task, order in tasks.items()]
FORMS = {
    "signs": lambda order: " > ".join(order),
    "json": json.dumps,
    "python": str,
    "semicolons": ";".join,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("task", ["task", "query", "id"])
def test_a_judges_rankings_of_several_tasks(made, form, task):
    cells = [f'{j},{t},"{FORMS[form](order).replace(chr(34), chr(34) * 2)}"\n' for j, t, order in ROWS]
    panel = q.read(made(f"judge,{task},ranking\n" + "".join(cells)))
    assert (panel.kind, panel.judges, panel.tasks) == ("orderings", ("Ann", "Bob"), ("q1", "q2"))
    assert panel.orders("q2")["Bob"] == [["f"], ["d"], ["e"]]


def test_lists_in_json_are_rankings_and_lists_in_them_ties(made):
    lines = [json.dumps({"judge": j, "prompt": t, "ranking": o}) for j, t, o in ROWS]
    lines.append(json.dumps({"judge": "Cat", "prompt": "q1", "ranking": ["a", ["b", "c"]]}))
    panel = q.read(made("\n".join(lines), "t.jsonl"))
    assert panel.tasks == ("q1", "q2")
    assert panel.orders("q1")["Cat"] == [["a"], ["b", "c"]]


def test_rankings_by_judge_in_one_object(made):
    panel = q.read(made(json.dumps({j: tasks["q1"] for j, tasks in RANKED.items()}), "t.json"))
    assert panel.orders() == {"Ann": [["a"], ["b"], ["c"]], "Bob": [["b"], ["a"], ["c"]]}


def test_a_models_rankings_have_the_model_as_their_judge(made):
    panel = q.read(made("model,id,ranking\ngpt,1,a > b\ncl,1,b > a\ngpt,2,c > d\ncl,2,c > d\n"))
    assert (panel.judges, panel.tasks) == (("gpt", "cl"), ("1", "2"))


def test_names_of_records_in_an_object_are_kept(made):
    path = made(json.dumps({"Ann": {"d1": 4, "d2": 3}, "Bob": {"d1": 5, "d2": 2}}), "t.json")
    assert q.read(path, item_columns="d1,d2").judges == ("Ann", "Bob")


# -- votes -------------------------------------------------------------------------------------------------------------

VERDICTS = {
    "A>B": "model_a",
    "[[A>>B]]": "model_a",
    "B > A": "model_b",
    "A<B": "model_b",
    "[[A=B]]": "tie",
    "A is much better": "model_a",
    "Response B is slightly better": "model_b",
    "strongly prefer A": "model_a",
}


@pytest.mark.parametrize("said", VERDICTS)
def test_verdicts_that_say_more_than_who_wins(made, said):
    panel = q.read(made(f"judge,model_a,model_b,winner\nann,x,y,{said}\nbob,x,y,tie\n"))
    assert panel.columns()["winner"][0] == VERDICTS[said]
    assert any("not used" in note for note in panel.notes) == (said in [*VERDICTS][1:2] + [*VERDICTS][5:])


def test_the_place_may_stand_before_the_word_for_systems(made):
    panel = q.read(made("judge,prompt,left_model,right_model,preference\nann,1,x,y,left\nbob,1,y,x,both bad\n"))
    assert (panel.kind, panel.systems, panel.columns()["winner"]) == ("votes", ("x", "y"), ["model_a", "tie"])


def test_codes_that_are_no_votes_are_asked_about(made):
    head = "judge,model_a,model_b,winner\nann,x,y,A\n"
    assert "If C is a tie" in fails(made(head + "bob,x,y,C\n"))
    assert "If 1, 0.5 and 0 are what the first one gets" in fails(made(head + "bob,x,y,0.5\n"))


def test_columns_that_make_the_task_of_votes_are_told_so(made):
    path = made("judge,question_id,turn,model_a,model_b,winner\nann,7,1,x,y,A\nbob,7,1,x,y,B\n", "t.csv")
    assert {c.name: c.role for c in q.read(path).reading.columns}["question_id"] == "task"


# -- scores of systems -------------------------------------------------------------------------------------------------


def test_a_model_that_tells_a_judges_scores_apart_is_the_system(made):
    rows = [f"{j},{t},{m},{s}\n" for j in ("gpt", "cl") for t in ("q1", "q2") for m, s in (("x", 4), ("y", 3))]
    panel = q.read(made("judge,id,model,score\n" + "".join(rows)))
    assert (panel.tasks, panel.labels["system"].ids) == (("q1", "q2"), ("x", "y"))
    pinned = q.read(made("judge,id,model,score\n" + "".join(rows)), rename="id=task,model=system", strict=True)
    assert pinned.columns() == panel.columns()


def test_items_may_be_called_anything_beside_judge_and_score(made):
    assert q.read(made("user,wine,score\nann,w1,4\nann,w2,3\nbob,w1,5\nbob,w2,2\n")).items == ("w1", "w2")


# -- numbers -----------------------------------------------------------------------------------------------------------

WRITTEN = {
    "4/5 3/5 2/5 5/5": [4, 3, 2, 5],
    "−1 2 –2 1": [-1, 2, -2, 1],
    "1 - poor|2|3|5 - good": [1, 2, 3, 5],
    "85 %|72,5 %|90 %|80 %": [85, 72.5, 90, 80],
}


@pytest.mark.parametrize("cells", WRITTEN)
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_numbers_as_people_write_them(made, cells, layout):
    w, x, y, z = cells.split("|" if "|" in cells else None)
    long = f"judge;item;score\nann;a;{w}\nann;b;{x}\nbob;a;{y}\nbob;b;{z}\n"
    wide = f"item;rater1;rater2\na;{w};{y}\nb;{x};{z}\n"
    panel = q.read(made(long if layout == "long" else wide), kind="scores")
    found = dict(zip(zip(panel.judge.values(), panel.item.values(), strict=True), panel.value.tolist(), strict=True))
    assert [found[j, i] for j in panel.judges for i in "ab"] == WRITTEN[cells]


@pytest.mark.parametrize("decimal", [None, ","])
def test_decimal_commas_and_totals_of_a_wide_table(made, decimal):
    text = "item;Anna;Ben;Mittelwert\n1;4,0;5,5;4,75\n2;3,0;3,5;3,25\n3;1,0;2,0;1,5\nGesamt;2,67;3,67;3,17\n"
    panel = q.read(made(text), kind="scores", **({"decimal": decimal} if decimal else {}))
    assert (panel.judges, panel.items, panel.value.sum()) == (("Anna", "Ben"), ("1", "2", "3"), 19.0)
    assert any(g.option == "--decimal ," for g in panel.reading.guesses) == (decimal is None)


def test_decimal_commas_of_criteria(made):
    text = "judge;item;style;content\nann;x;4,5;3\nann;y;2,5;1\nbob;x;4,0;3,5\nbob;y;2;1,5\n"
    assert q.read(made(text)).value.sum() == 22.0


HINTS = {
    "4/5 7/10 3/5 1/5": "not all out of the same number",
    "04-May 03-May 02-May 05-May": "into dates",
    "4 3 score 5": "repeats the names of columns",
    "- ? n/a 5": "--missing-values '-,?,n/a'",
    "1-poor 5-good 3-fair 1-poor": "--scale 1-poor,3-fair,5-good",
}


@pytest.mark.parametrize("cells", HINTS)
def test_what_is_no_number_is_told_with_what_to_do(made, cells):
    w, x, y, z = cells.split()
    assert HINTS[cells] in fails(made(f"judge,item,score\nann,a,{w}\nann,b,{x}\nbob,a,{y}\nbob,b,{z}\n"))


def test_ids_that_a_spreadsheet_rounded_are_told(made):
    path = made("judge,item,score\nann,1.23457E+17,4\nbob,1.23457E+17,3\n")
    assert "a spreadsheet may have rounded long numbers" in str(q.inspect(path))


# -- tables nobody names -----------------------------------------------------------------------------------------------


def test_a_long_table_in_another_language_is_told_how_to_rename(made):
    text = "evaluador,elemento,puntuación\nAna,e1,4\nAna,e2,5\nLuis,e1,3\nLuis,e2,5\n"
    assert "--rename 'evaluador=judge,elemento=item,puntuación=score'" in fails(made(text))


def test_counts_of_labels_are_not_taken_for_judges(made):
    assert "each row adds up to 5" in fails(made("item,good,bad\nx,5,0\ny,2,3\nz,4,1\n"))


def test_a_table_of_markdown(made):
    panel = q.read(made("| judge | item | score |\n|---|:-:|---|\n| Ann | d1 | 4 |\n| Bob | d1 | 5 |\n", "t.md"))
    assert (panel.judges, panel.value.tolist()) == (("Ann", "Bob"), [4, 5])


def test_two_lines_of_names_nothing_at_all_and_places_from_0(made):
    assert "two lines of names" in fails(made(",,good,,style,\njudge,doc,A,B,A,B\nann,d1,4,3,2,1\nbob,d1,5,3,1,1\n"))
    assert "the file is empty" in fails(made("   \n\n"))
    assert "if places count from 0" in fails(made("judge,item,rank\nann,a,0\nann,b,1\nbob,a,1\nbob,b,0\n"))
    assert "every row needs an item" in fails(made("judge,item,score\nann,a,3\nbob,a,4\nMean,,3.5\n"))


def test_ballots_are_judges_and_what_is_no_vote_is_told(made):
    receipt = str(q.inspect(made("ballot_id,First choice,Second choice\nb1,Ada,Bob\nb2,Bob,undervote\nb3,Ada,Bob\n")))
    assert "'ballot_id' is taken as the judge" in receipt
    assert "--missing-values undervote" in receipt


# -- what would be read the wrong way round ----------------------------------------------------------------------------


def test_places_of_systems_in_columns_are_not_taken_for_scores(made):
    path = made("judge,prompt,gpt,claude,llama\nann,p1,1,2,3\nann,p2,2,1,3\nbob,p1,1,3,2\nbob,p2,1,2,3\n")
    said = fails(path)
    assert "are they places?" in said
    assert "--item-columns gpt,claude,llama --kind orderings --rename prompt=task" in said
    panel = q.read(path, item_columns="gpt,claude,llama", kind="orderings", rename="prompt=task")
    assert panel.orders("p2")["ann"] == [["claude"], ["gpt"], ["llama"]]
    assert q.read(path, criteria="gpt,claude,llama").kind == "scores"


@pytest.mark.parametrize(
    ("won", "lost"), [("chosen_model", "rejected_model"), ("winner", "loser"), ("better", "worse"), ("won", "lost")]
)
def test_who_won_and_who_lost_is_a_vote_without_places(made, won, lost):
    """Such tables were refused."""
    rows = "ann,1,x,y\nbob,1,y,x\nann,2,x,z\nbob,2,z,x\n"
    panel = q.read(made(f"judge,prompt,{won},{lost}\n{rows}"))
    assert (panel.kind, panel.systems, len(panel.tasks)) == ("votes", ("x", "y", "z"), 2)
    assert panel.value.tolist() == [1, 0, 1, 0]
    assert any("who was shown first is not said" in g.said for g in panel.reading.guesses) == (won != "won")
    same = made("judge,prompt,model_a,model_b,winner\nann,1,x,y,x\nbob,1,x,y,y\nann,2,x,z,x\nbob,2,x,z,z\n", "b.csv")
    few = {"resamples": 20, "permutations": 9}
    asked = q.quality(panel, "bradley_terry", **few).to_dict()
    assert asked["overall"] == q.quality(q.read(same), "bradley_terry", **few).to_dict()["overall"]
    scan = q.scan(made(f"judge,prompt,{won},{lost}\n{rows}"))
    assert q.quality(scan, "bradley_terry", **few).to_dict()["overall"] == asked["overall"]
    texts = "".join(f"ann,{k},Yes {k}.,No {k}.\n" for k in range(9))
    assert "18 different texts" in fails(made(f"judge,prompt,{won},{lost}\n{texts}"))


def test_a_winner_in_another_case_is_named(made):
    assert "'gpt-4' is not 'GPT-4'" in fails(made("judge,model_a,model_b,winner\nann,GPT-4,Claude,gpt-4\n"))


def test_places_in_words_and_with_points(made):
    for places in (("first", "second"), ("1.", "2."), ("1st place", "2nd place")):
        a, b = places
        panel = q.read(made(f"judge,item,rank\nann,x,{a}\nann,y,{b}\nbob,x,{b}\nbob,y,{a}\n"))
        assert panel.orders()["bob"] == [["y"], ["x"]]


def test_ids_that_a_frame_made_decimals_are_told(made):
    assert "'1.0' and '1'" in str(q.inspect(made("judge,item,score\nann,1.0,3\nbob,1,3\n")))


def test_scores_of_criteria_in_lists_are_named_with_their_criterion(made):
    of = [{"name": "depth", "score": 2}, {"name": "style", "score": 4}]
    record = {"results": [{"case": c, "rater": r, "criteria": of} for c in ("c1", "c2") for r in ("ann", "bob")]}
    path = made(json.dumps(record), "t.json")
    option = "item=case,judge=rater,score=criteria[].score,criterion=criteria[].name"
    assert option in fails(path)
    assert q.read(path, column=option, records="results").labels["criterion"].ids == ("depth", "style")


def test_lists_of_labels_in_json_are_several_labels(made):
    lists = {("1", "ann"): ["x", "y"], ("1", "bob"): ["x"], ("2", "ann"): [], ("2", "bob"): ["y"]}
    lines = [json.dumps({"id": i, "annotator": j, "labels": of}) for (i, j), of in lists.items()]
    panel = q.read(made("\n".join(lines), "t.jsonl"), rename="labels=label", several=";")
    assert panel.labels["criterion"].ids == ("x", "y")
    found = zip(panel.item.values(), panel.judge.values(), panel.labels["criterion"].values(), panel.value, strict=True)
    said = {(i, j, label) for i, j, label, value in found if panel.scale[int(value)] == "yes"}
    assert said == {(i, j, label) for (i, j), of in lists.items() for label in of}
