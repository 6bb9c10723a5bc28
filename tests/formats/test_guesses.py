"""What a reader guesses is told, and what it tells pins it: the options alone give the same panel without a guess."""

from __future__ import annotations

import json
import shlex

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError
from quorate.formats import schema

QUALTRICS = (
    "StartDate,ResponseId,Q1_1,Q1_2,Q1_3,Q2\n"
    "Start Date,Response ID,Rank these - apple,Rank these - pear,Rank these - plum,Any comments?\n"
    '"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1_1""}",'
    '"{""ImportId"":""QID1_2""}","{""ImportId"":""QID1_3""}","{""ImportId"":""QID2_TEXT""}"\n'
    "2026-01-05,R_1,1,2,3,none\n2026-01-05,R_2,2,1,3,\n2026-01-06,R_3,3,1,2,\n"
)
FORMS = {  # name -> content, kind, judges, items
    "synonyms.csv": ("annotator,document,rating\na,x,1\na,y,2\nb,x,2\nb,y,3\n", "scores", "ab", "xy"),
    "ids.csv": ("Worker_ID,Item ID,label\na,x,pos\na,y,neg\nb,x,pos\nb,y,pos\n", "scores", "ab", "xy"),
    "crowd.csv": ("task,worker,label\nx,a,pos\nx,b,neg\ny,a,pos\ny,b,pos\n", "scores", "ab", "xy"),
    "ranks.csv": ("coder,item,rank\na,x,1\na,y,2\nb,y,1\nb,x,2\n", "orderings", "ab", "xy"),
    "cards.csv": ("Participant,Card,Category\na,x,p\na,y,q\nb,x,r\nb,y,r\n", "groupings", "ab", "xy"),
    "criteria.csv": (
        "judge,item,mood,fluency,focus\na,x,fine,1,2\na,y,,2,3\nb,x,,3,3\nb,y,,2,1\n",
        "scores",
        "ab",
        "xy",
    ),
    "raters.csv": ("subject,rater1,rater2\nx,4,5\ny,2,2\nz,5,4\n", "scores", ["rater1", "rater2"], "xyz"),
    "no-items.csv": ("rater1,rater2\n4,5\n2,2\n5,4\n", "scores", ["rater1", "rater2"], "123"),
    "words.csv": ("id,rater_a,rater_b\nx,yes,no\ny,yes,yes\n", "scores", ["rater_a", "rater_b"], "xy"),
    "aged.csv": (
        "subject,age,rater1,rater2,rater3,comment\nx,31,4,5,4,good\ny,45,2,2,1,\nz,29,5,4,4,\n",
        "scores",
        ["rater1", "rater2", "rater3"],
        "xyz",
    ),
    "totals.csv": (
        "id,rater1,rater2,mean\nx,4,5,4.5\ny,2,2,2\nMean,3,3.5,3.25\n",
        "scores",
        ["rater1", "rater2"],
        "xy",
    ),
    "voters.csv": ("voter,p,q,r\na,1,2,3\nb,2,1,3\nc,1,3,2\n", "orderings", "abc", "pqr"),
    "rated.csv": ("respondent,p,q,r\na,5,2,3\nb,4,1,3\nc,5,3,3\n", "scores", "abc", "pqr"),
    "grid.csv": (
        "Timestamp,Email Address,Rate [Opening],Rate [Panel]\n1,a,4,3\n1,b,5,3\n2,c,4,3\n",
        "scores",
        "abc",
        ["Opening", "Panel"],
    ),
    "nameless.csv": ("Timestamp,Rate [P],Rate [Q]\n1,4,3\n1,5,3\n2,4,3\n", "scores", "123", "PQ"),
    "likert.csv": ("username,Q [P],Q [Q]\na,Agree,Disagree\nb,Agree,Neutral\n", "scores", "ab", "PQ"),
    "words-in-order.csv": ("rater,doc,rating\na,x,Good\na,y,poor\nb,x,good\nb,y,fair\n", "scores", "ab", "xy"),
    "cards-by-judges.csv": ("Card,P1,P2\nx,Fruit,Food\ny,Fruit,Food\nz,Veg,Food\n", "groupings", ["P1", "P2"], "xyz"),
    "ab.csv": ("rater,left,right,choice\na,A,B,A\nb,B,A,A\n", "votes", "ab", ["A vs B"]),
    "lime.csv": ("id,submitdate,rank[1],rank[2],rank[3]\na,1,p,q,r\nb,1,q,p,r\nc,1,p,r,\n", "orderings", "abc", "pqr"),
    "lime-long.csv": ("id,Which? [Rank 1],Which? [Rank 2]\na,p,q\nb,q,p\n", "orderings", "ab", "pq"),
    "choices.csv": ("voter,1st choice,2nd choice\na,p,q\nb,q,p\n", "orderings", "ab", "pq"),
    "qualtrics.csv": (QUALTRICS, "orderings", ["R_1", "R_2", "R_3"], ["apple", "pear", "plum"]),
    "decimal.csv": ("judge;item;score\na;x;4,5\na;y;3,25\nb;x;2\nb;y;1,5\n", "scores", "ab", "xy"),
    "sep.csv": ("sep=;\njudge;item;score\na;x;4\nb;x;3\n", "scores", "ab", "x"),
    "pipes.csv": ("judge|item|score\na|x|4\nb|x|3\n", "scores", "ab", "x"),
    "r.csv": ('"","judge","item","score"\n"1","a","x",4\n"2","b","x",3\n', "scores", "ab", "x"),
    "r-matrix.csv": ('"","rater1","rater2"\n"x",4,5\n"y",2,2\n"z",5,4\n', "scores", ["rater1", "rater2"], "xyz"),
    "r-names.csv": ('"rater1","rater2"\n"x",4,5\n"y",2,2\n"z",5,4\n', "scores", ["rater1", "rater2"], "xyz"),
    "consrank.csv": ('"","p","q","r"\n"1",1,2,3\n"2",2,1,3\n"3",1,2,2\n', "orderings", "123", "pqr"),
    "first.csv": ("Timestamp,Rank [First],Rank [Second]\n1,p,q\n2,q,p\n", "orderings", "12", "pq"),
    "ends.csv": ("voter,Rate [p],Rate [q]\na,1 - bad,2\nb,3,5 - good\n", "scores", "ab", "pq"),
    "long-total.csv": ("judge,item,score\na,x,1\na,total,1\nb,x,2\nb,total,2\n", "scores", "ab", ["x", "total"]),
    "hollow.csv": ("judge,item,score,,\na,x,4,,\nb,x,3,,\n,,,,\n", "scores", "ab", "x"),
    "crlf.csv": ("judge,item,score\r\na,x,4\r\nb,x,3\r\n", "scores", "ab", "x"),
    "data.txt": ("judge,item,score\na,x,4\nb,x,3\n", "scores", "ab", "x"),
    "queries.csv": (
        "judge,query,item,position\na,q1,x,1\na,q1,y,2\na,q2,x,2\na,q2,y,1\nb,q1,y,1\nb,q1,x,2\nb,q2,x,1\nb,q2,y,2\n",
        "orderings",
        "ab",
        "xy",
    ),
    "prompts.csv": ("rater,prompt_id,model,score\na,1,x,4\na,1,y,3\nb,1,x,5\nb,1,y,2\n", "scores", "ab", "xy"),
    "ranked.csv": ("rater,prompt,model,rank\na,1,x,1\na,1,y,2\nb,1,x,2\nb,1,y,1\n", "orderings", "ab", "xy"),
    "aspects.csv": (
        "judge,item,aspect,score\na,x,tone,1\na,x,style,2\na,y,tone,3\na,y,style,4\nb,x,tone,1\nb,x,style,2\n",
        "scores",
        "ab",
        "xy",
    ),
    "segments.csv": (
        "rater,system,doc,seg_id,score\na,x,d1,1,4\na,x,d1,2,3\na,x,d2,1,2\nb,x,d1,1,4\nb,x,d1,2,3\nb,y,d2,1,2\n",
        "scores",
        "ab",
        "xy",
    ),
    "things.csv": ("worker,thing,verdict\na,x,1\na,y,2\nb,x,1\nb,y,2\n", "scores", "ab", "xy"),
    "hits.csv": ("worker_id,hit_id,answer\na,x,yes\na,y,no\nb,x,yes\nb,y,no\n", "scores", "ab", "xy"),
    "outputs.csv": (
        "judge,output_id,tone,style,remark\na,x,1,2,ok\na,y,2,3,\nb,x,2,2,\nb,y,1,3,\n",
        "scores",
        "ab",
        "xy",
    ),
    "judge-models.csv": ("judge_model,prompt,model,score\na,1,x,4\na,1,y,3\nb,1,x,5\nb,1,y,2\n", "scores", "ab", "xy"),
    "parts.csv": (
        "rater,doc,seg,score\na,d1,s,4\na,d1,t,3\na,d2,s,2\nb,d1,s,4\nb,d1,t,3\nb,d2,s,2\n",
        "scores",
        "ab",
        "st",
    ),
}


@pytest.fixture
def made(tmp_path):
    def make(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_read_for_what_it_holds(name, made):
    content, kind, judges, items = FORMS[name]
    panel = q.read(made(name, content))
    assert panel.kind == kind
    assert sorted(panel.judges) == sorted(judges)
    assert sorted(panel.items) == sorted(items)


@pytest.mark.parametrize("name", FORMS)
def test_what_the_receipt_says_pins_every_guess(name, made):
    path = made(name, FORMS[name][0])
    receipt = q.inspect(path)
    options = schema.pins([g.option for g in receipt.panel.reading.guesses])
    assert q.read(path, strict=True, **options) == receipt.panel
    done = CliRunner().invoke(main, [*shlex.split(receipt.command)[1:], "--format", "json"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", FORMS)
def test_a_schema_that_is_written_reads_the_same(name, made, tmp_path):
    path = made(name, FORMS[name][0])
    panel = q.read(path)
    target = tmp_path / "study.toml"
    target.write_text(schema.written(panel), encoding="utf-8")
    again = q.read(path, schema=target)
    assert again == panel
    assert not again.reading.guesses


SURE = ("sep.csv", "pipes.csv", "r.csv", "hollow.csv", "crlf.csv", "crowd.csv", "cards.csv")  # their header tells


@pytest.mark.parametrize("name", [n for n in FORMS if n not in SURE])
def test_strict_stops_at_a_guess_and_says_the_options(name, made):
    path = made(name, FORMS[name][0])
    guesses = q.read(path).reading.guesses
    assert guesses
    with pytest.raises(InputError) as caught:
        q.read(path, strict=True)
    assert all(g.said in str(caught.value) and g.option in str(caught.value) for g in guesses[:10])


ASKED = {
    "numbers.csv": ("4,5,3\n2,2,2\n", "--header no"),
    "headless.csv": ("ann,x,4\nbob,x,3\n", "--header no"),
    "kind.csv": ("item,ann,bob\nx,1,2\ny,3,1\n", "--kind"),
    "names.csv": ("subject,ann,bob\nx,4,2\ny,3,1\n", "--kind"),
    "na.csv": ("judge,item,score\na,x,NA\nb,x,3\n", "--missing-values NA"),
    "nan.csv": ("judge,item,score\na,x,nan\nb,x,3\n", "--missing-values nan"),
    "label.csv": ("judge,item,label\na,x,NA\nb,x,yes\n", "--missing-values NA"),
    "group.csv": ("judge,item,group\na,x,-\nb,x,yes\n", "--missing-values -"),
    "cells.csv": ("subject,rater1,rater2\nx,4,NA\ny,2,3\n", "--missing-values NA"),
    "both.csv": ("judge,item,score\na,x,NA\na,y,.\nb,x,3\n", "--missing-values NA,."),
    "thousands.csv": ("judge;item;score\na;x;1,234\nb;x;2,345\n", "--decimal ,"),
    "mixed.csv": ("judge;item;score\na;x;1,5\nb;x;2.5\n", "decimal sign or between thousands"),
    "underscore.csv": ("judge,item,score\na,x,1_000\nb,x,2\n", "numbers such as"),
    "workers.csv": ("worker,thing,where,verdict\na,x,p,1\na,y,q,2\nb,x,q,1\nb,y,p,3\n", "--rename COLUMN=item"),
    "words.csv": ("judge,item,verdict\na,x,fine\nb,x,poor\n", "--rename verdict=label"),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_not_clear_is_asked_with_the_option_that_settles_it(name, made):
    content, hint = ASKED[name]
    with pytest.raises(InputError) as caught:
        q.read(made(name, content))
    assert hint in str(caught.value)


def test_numbers_in_a_row_may_name_judges(made):
    panel = q.read(made("a.csv", "item,1,2,3\nx,4,5,4\ny,1,2,2\n"), kind="scores")
    assert panel.judges == ("1", "2", "3")
    assert any("number for a name" in n for n in q.inspect(made("a.csv", "item,1,2\nx,4,5\n"), kind="scores").notes)


def test_a_table_without_names(made):
    path = made("a.csv", "4,5,3\n2,2,2\n5,5,4\n")
    assert q.read(path, header=False, kind="scores").value.size == 9
    assert q.read(path, header="yes", kind="scores").judges == ("4", "5", "3")
    done = CliRunner().invoke(main, ["inspect", str(path), "--header", "no", "--kind", "scores", "--format", "json"])
    assert '"items": 3' in done.output


def test_a_long_table_without_names_is_told_how_to_read_it(made):
    path = made("a.csv", "".join(f"{j},{i},{k}\n" for j in ("ann", "bob", "cat") for k, i in enumerate("wxyz")))
    with pytest.raises(InputError) as caught:
        q.read(path)
    told, _, _ = caught.value.hint.partition(" if ")
    done = CliRunner().invoke(main, ["inspect", str(path), *shlex.split(told), "--strict", "--format", "json"])
    assert done.exit_code == 0, done.output
    assert '"judges": 3' in done.output


def test_what_is_told_of_a_file_fits_the_terminal_but_for_options_to_copy(made, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    names = [f"a label of {k} words or so" for k in range(9)]
    text = "".join(f"{j},{i},{names[(i + j) % 9]}\n" for j in range(3) for i in range(9))
    shown = CliRunner().invoke(main, ["inspect", str(made("a.csv", "judge,item,label\n" + text))]).output
    assert max(len(line) for line in shown.splitlines() if " --" not in line and "a.csv" not in line) <= 60
    assert "a label of 8 words or so" in " ".join(shown.split())


def test_a_score_that_python_wrote_as_none_may_be_missing(made):
    path = made("a.csv", "judge,item,score\na,x,None\na,y,n/a\nb,x,3\nb,y,2\n")
    with pytest.raises(InputError) as caught:
        q.read(path)
    told = shlex.split(caught.value.hint.partition(" (")[0])
    assert CliRunner().invoke(main, ["inspect", str(path), *told, "--strict"]).exit_code == 0


def test_lists_in_a_list_of_records_are_told_with_an_option_that_reads_them(made):
    rows = [{"item": i, "judgments": [{"judge": j, "score": k} for k, j in enumerate("abc")]} for i in "xyz"]
    path = made("a.json", json.dumps({"results": rows}))
    with pytest.raises(InputError) as caught:
        q.read(path)
    told = shlex.split(caught.value.hint.partition(" takes")[0])
    done = CliRunner().invoke(main, ["inspect", str(path), *told, "--strict", "--format", "json"])
    assert done.exit_code == 0, done.output
    assert '"items": 3' in done.output


def test_blanks_and_unicode_forms_are_mended_with_a_note(made):
    path = made("a.csv", "judge,item,score\n ann ,x,1\nann,y,2\nJose\u0301,x,1\nJosé,y,3\n")
    panel = q.read(path)
    assert panel.judges == ("ann", "José")
    assert any("which is mended" in n and "became equal" in n for n in panel.notes)
    assert len(q.read(path, exact=True).judges) == 4


def test_missing_values_may_be_told_for_every_kind_of_table(made):
    import pandas as pd

    path = made("a.csv", "judge,item,label\na,x,NA\nb,x,yes\n")
    assert q.read(path, missing="NA").columns()["label"] == [None, "yes"]
    assert q.read(path, missing="none").scale == ("NA", "yes")
    lines = made("a.jsonl", '{"judge": "a", "item": "x", "score": "NA"}\n{"judge": "b", "item": "x", "score": 2}\n')
    assert q.read(lines, missing=["NA"]).value[1] == 2
    frame = pd.DataFrame({"judge": ["a", "b"], "item": ["x", "x"], "score": ["NA", "2"]})
    assert q.read(frame, missing="NA").value[1] == 2


def test_totals_may_be_kept(made):
    path = made("totals.csv", FORMS["totals.csv"][0])
    assert "mean" in q.read(path, totals="keep", kind="scores").judges


def test_rename_takes_several_at_once_and_takes_part_in_telling_the_kind(made):
    path = made("a.csv", "who,what,how much\na,x,1\nb,x,2\n")
    text = "who=judge,what=item,how much=score"
    assert q.read(path, rename=text).kind == "scores"
    done = CliRunner().invoke(main, ["inspect", str(path), "--rename", text, "--strict", "--format", "json"])
    assert done.exit_code == 0, done.output
    twice = ["--rename", "who=judge,what=item", "--rename", "how much=position"]
    done = CliRunner().invoke(main, ["inspect", str(path), *twice, "--strict", "--format", "json"])
    assert '"kind": "orderings"' in done.output


def test_an_item_of_every_row_is_no_item(made):
    with pytest.raises(InputError, match="--rename"):
        q.read(made("a.csv", "id,annotator,label\n1,a,yes\n2,a,no\n3,b,yes\n4,b,no\n"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_mark_at_the_beginning_tells_the_encoding(made, encoding):
    path = made("a.csv", "judge,item,score\nJürgen,x,1\nb,x,2\n".encode(encoding))
    assert q.read(path).judges == ("Jürgen", "b")


def test_breaches_of_a_schema_are_told_one_by_one(made, tmp_path):
    path = made("a.csv", "judge,item,score\na,x,1\nb,x,7\n")
    target = tmp_path / "s.toml"
    target.write_text('kind = "scores"\n[scale]\nlow = 1\nhigh = 5\n[expected]\njudges = ["a", "c"]\nitems = 2\n')
    with pytest.raises(InputError) as caught:
        q.read(path, schema=target)
    said = str(caught.value)
    assert "4 breaches" in said
    for breach in ("not expected: b", "not there: c", "items: 1, not 2", "1 score above 5: 7"):
        assert breach in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("kind = ", "not TOML"),
        ('colums = "x"', "did you mean 'columns'"),
        ('kind = "order"', "no kind 'order'"),
        ("columns = 3", "is no table"),
        ("[expected]\njugdes = 3", "did you mean 'judges'"),
        ('[scale]\ndirection = "lower"', "both ends"),
        ('absent = "gone"', "no absent 'gone'"),
    ],
)
def test_a_schema_that_is_none(text, why, made):
    with pytest.raises(InputError, match=why):
        q.read(made("a.csv", "judge,item,score\na,x,1\n"), schema=made("s.toml", text))


def test_scores_of_which_lower_is_better_are_turned_round(made):
    path = made("a.csv", "judge,item,score\na,x,1\na,y,5\nb,x,2\nb,y,4\n")
    panel = q.read(path, schema={"scale": {"low": 1, "high": 5, "direction": "lower"}, "absent": "not-shown"})
    assert panel.value.tolist() == [5, 1, 4, 2]
    assert panel.absent == "not-shown"
    assert any("turned round" in n for n in panel.notes)


def test_a_receipt_names_what_looks_odd(made):
    rows = "".join(f"{j},{i},{n},x\n" for j in ("Ann", "ann", "cat") for n, i in enumerate("pqrstuvwx"))
    path = made("a.csv", "judge,item,score,mood\n" + rows + "cat,007,9,x\ncat,7,3,x\n")
    said = " ".join(q.inspect(path).notes)
    for odd in ("nearly the same judges", "'007'", "same throughout", "gave the same answers"):
        assert odd in said
    assert "judges per item: 1 to 3" in str(q.inspect(path))
    assert q.inspect(path).to_dict()["absent"]["cells"] == 4


@pytest.mark.parametrize("read", [q.read, q.scan])
def test_a_number_that_is_often_written_for_none_is_asked_about_where_no_other_comes_near(made, read):
    """Scores of 1 to 5 and 99 had a mean of 20."""

    def panel(path, **options):
        found = read(path, **options)
        return found if read is q.read else found.whole()

    rows = "".join(f"{j},{i},{1 + n % 5 if n else 99}\n" for j in ("ann", "bob", "cat") for n, i in enumerate("pqrst"))
    for value, code in (("score", 99), ("rank", -999), ("quality", 9999)):
        path = made(f"{value}.csv", f"judge,item,{value}\n" + rows.replace("99", str(code)))
        with pytest.raises(
            InputError, match=f"is {code} a (score|position), or does it mean that there is none"
        ) as told:
            panel(path)
        assert f"--missing-values {code} " in told.value.hint
        found = panel(path, missing=[str(code)])
        assert found.missing == 3 if found.kind == "scores" else len(found.items) == 4
    assert panel(made("b.csv", "judge,item,score\n" + rows), missing=["none"]).value.max() == 99
    near = panel(made("c.csv", "judge,item,score\n" + "".join(f"a,{k},{k}\nb,{k},{k}\n" for k in range(60, 100))))
    assert near.value.max() == 99


@pytest.mark.parametrize(
    ("text", "meant", "kind"),
    [
        (
            "judge,item,rank,group\na,x,1,p\na,y,2,p\nb,x,2,r\nb,y,1,r\n",
            "group=team,rank=position",
            "orderings",
        ),
        ("judge,item,rating,group\na,x,1,p\na,y,2,r\nb,x,2,p\nb,y,1,r\n", "group=team,rating=score", "scores"),
        ("judge,item,label,group\na,x,yes,old\na,y,no,old\nb,x,no,new\nb,y,no,new\n", "group=team", "scores"),
    ],
)
def test_groups_of_judges_or_of_items_are_not_taken_for_what_judges_made(text, meant, kind, made):
    file = made("groups.csv", text)
    with pytest.raises(InputError, match="has one group only") as told:
        q.read(file)
    assert f"--rename {meant};" in told.value.hint
    renamed = dict(pair.split("=") for pair in meant.split(","))
    assert q.read(file, rename=renamed).kind == kind
    assert q.read(file, kind="groupings").kind == "groupings"


def test_a_table_without_judges_is_one_judges_called_after_the_file(made):
    files = [made(f"{name}.csv", f"item,rank\nx,{a}\ny,{b}\n") for name, a, b in (("ann", 1, 2), ("bob", 2, 1))]
    panel = q.read(*files)
    assert (panel.kind, panel.judges) == ("orderings", ("ann", "bob"))
    assert sum("one judge's" in note for note in map(str, q.inspect(*files).to_dict()["guesses"])) == 1
    assert q.read(files[0], judge="gold").judges == ("gold",)
    assert q.read(made("words.csv", "id,label\nx,yes\ny,no\n")).judges == ("words",)
    with pytest.raises(InputError, match="no column 'judge'"):  # columns that may be judges are asked about
        q.read(made("wide.csv", "item,ann,bob\nx,1,2\ny,2,2\n"))
