"""Pairwise votes in files: as votes, and where asked for as orderings of two items and as scores."""

from __future__ import annotations

import json

import pytest

import quorate as q
from quorate.errors import InputError

VOTES = [
    {"judge": "ann", "model_a": "x", "model_b": "y", "question_id": 1, "turn": 1, "winner": "model_a"},
    {"judge": "ann", "model_a": "x", "model_b": "z", "question_id": 1, "turn": 1, "winner": "tie"},
    {"judge": "bob", "model_a": "y", "model_b": "x", "question_id": 1, "turn": 1, "winner": "model_a"},
]


@pytest.fixture
def file(tmp_path):
    def make(votes, name="v.jsonl"):
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(v) if isinstance(v, dict) else v for v in votes) + "\n")
        return path

    return make


def test_votes_are_votes_unless_told_otherwise(file):
    panel = q.read(file(VOTES))
    assert panel.kind == "votes"
    assert panel.tasks == ("1-1",)
    assert panel.columns()["winner"] == ["model_a", "tie", "model_a"]


def test_a_vote_is_an_ordering_of_two_and_a_tie_is_kept(file):
    panel = q.read(file(VOTES), kind="orderings")
    assert panel.kind == "orderings"
    assert panel.orders("1-1: x vs y") == {"ann": [["x"], ["y"]], "bob": [["y"], ["x"]]}
    assert panel.orders("1-1: x vs z") == {"ann": [["x", "z"]]}


def test_as_scores_the_mean_is_the_win_rate(file):
    panel = q.read(file(VOTES), kind="scores")
    assert panel.tasks == ("1-1",)
    assert panel.items == ("x vs y", "x vs z")
    found = {o.labels["system"]: o.value for o in q.quality(panel).findings[0].overall}
    # x won one and lost one of its votes against y, and tied with z: the mean over items of the means of judges.
    assert found == {"x": 0.5, "y": 0.5, "z": 0.5}


def test_the_label_shown_tells_who_was_first(file):
    panel = q.read(file(VOTES[:1]), kind="orderings")
    assert dict(zip(panel.item.values(), panel.labels["shown"].values(), strict=True)) == {"x": 1, "y": 2}


def test_a_second_vote_on_the_same_pair_is_another_occasion(file):
    swapped = {**VOTES[0], "model_a": "y", "model_b": "x", "winner": "model_b"}
    for kind in (None, "orderings", "scores"):
        assert q.read(file([VOTES[0], swapped]), kind=kind).occasion.ids == (1, 2)


def test_votes_in_a_table_are_known_by_their_columns(file):
    path = file(["judge,model_a,model_b,winner,task", "ann,x,y,x,t", "bob,x,y,tie,t"], "v.csv")
    assert q.read(path, kind="orderings").orders() == {"ann": [["x"], ["y"]], "bob": [["x", "y"]]}
    assert q.read(path).columns()["winner"] == ["model_a", "tie"]


def test_task_columns_may_be_named(file):
    assert q.read(file(VOTES), kind="scores", task=["question_id"]).tasks == (1,)
    with pytest.raises(InputError, match="no column 'nix'"):
        q.read(file(VOTES), task=["nix"])


def test_a_winner_who_did_not_run_is_an_error_with_its_line(file):
    with pytest.raises(InputError, match=r"line 2: winner 'w'"):
        q.read(file([VOTES[0], {**VOTES[0], "winner": "w"}]))


def test_votes_without_a_winner_are_counted(file):
    panel = q.read(file([*VOTES, {**VOTES[0], "winner": "error"}]))
    assert panel.notes == ("1 vote without a winner is left aside",)


def test_votes_are_written_and_read_back(file, tmp_path):
    panel = q.read(file(VOTES))
    q.write(panel, tmp_path / "again.votes")
    assert q.read(tmp_path / "again.votes") == panel


def test_orders_are_no_votes(tmp_path):
    with pytest.raises(InputError, match="votes holds votes, not orderings"):
        q.write(q.Orderings.from_orders(["abc"]), tmp_path / "x.votes")
    assert not (tmp_path / "x.votes").exists()


def test_mtbench_has_the_cells_its_readme_counts(data):
    panel = q.read(data / "mtbench" / "human.jsonl", kind="orderings")
    assert (len(panel.judges), len(panel.items), len(panel.tasks)) == (65, 6, 1814)


def test_a_winner_that_is_a_place_and_the_other_model_too_is_refused(file):
    votes = [{"judge": "ann", "model_a": "b", "model_b": "a", "winner": w} for w in ("model_a", "a")]
    with pytest.raises(InputError, match=r"line 2: winner 'a' of 'b' and 'a'"):
        q.read(file(votes))


def test_column_names_in_quotes_are_known_too(file):
    panel = q.read(file(['"judge";"model_a";"model_b";"winner"', '"ann";"x";"y";"tie"'], "v.csv"))
    assert panel.columns()["winner"] == ["tie"]


@pytest.mark.parametrize(
    "word",
    [
        "tie",
        "Tie",
        "TIE ",
        "draw",
        "Equally good",
        "about the same",
        "equal",
        "both bad",
        "both_good",
        "tie (bothbad)",
        "neither",
        "no preference",
        "Same",
    ],
)
def test_ties_of_all_spellings(file, word):
    assert q.read(file([{**VOTES[0], "winner": word}])).value.tolist() == [0.5]


@pytest.mark.parametrize("word", ["model_a", "Model A", "A", "[[A]]", "a", 1, "1", "left", "assistant_a", "Response 1"])
def test_the_first_of_all_spellings(file, word):
    assert q.read(file([{**VOTES[0], "winner": word}])).value.tolist() == [1.0]


def test_a_model_called_inconsistent_is_a_model(file):
    votes = [
        {"judge": "ann", "model_a": "inconsistent-7b", "model_b": "y", "winner": w}
        for w in ("inconsistent-7b", "y", "tie (inconsistent)")
    ]
    panel = q.read(file(votes))
    assert panel.value.tolist() == [1.0, 0.0, 0.5]
    assert panel.labels["swapped"].values() == ["same", "same", "changed"]
    assert "swapped" not in q.read(file(votes[:2])).labels


def test_parquet_and_json_votes_read_like_those_of_a_table(file, tmp_path):
    import polars as pl

    lines = q.read(file(VOTES))
    pl.DataFrame(VOTES).write_parquet(tmp_path / "v.parquet")
    (tmp_path / "v.json").write_text(json.dumps(VOTES))
    for kind in (None, "orderings", "scores"):
        wanted = q.read(file(VOTES), kind=kind)
        for other in (tmp_path / "v.parquet", tmp_path / "v.json", pl.DataFrame(VOTES)):
            assert q.read(other, kind=kind) == wanted, (kind, other)
    assert lines.tasks == ("1-1",)


def test_true_and_one_are_two_ids(file):
    votes = [{**VOTES[0], "judge": j} for j in (True, 1, "1", False, 0)]
    assert len(q.read(file(votes)).judges) == 5


def test_a_long_text_does_not_fill_a_message(file):
    with pytest.raises(InputError) as caught:
        q.read(file([{**VOTES[0], "winner": "word " * 10_000}]))
    assert len(str(caught.value)) < 1000


HEAD = "judge,task,model_a,model_b,winner"
SWAPPED = [HEAD, "ann,1,A,B,A", "bob,1,B,A,B", "ann,2,B,A,A", "bob,2,A,B,tie"]
MIXED = [HEAD, "ann,1,A,C,A", "bob,1,B,A,A", "ann,2,C,B,A"]  # of C and B, A is a place


def test_systems_called_a_and_b_in_their_own_places_are_no_question(file):
    panel = q.read(file([HEAD, "ann,1,A,B,A", "bob,1,A,B,B", "ann,2,A,B,tie"], "v.csv"), strict=True)
    assert panel.columns()["winner"] == ["model_a", "model_b", "tie"]


@pytest.mark.parametrize("name", ["v.csv", "v.jsonl"])
def test_where_every_winner_is_one_of_its_names_it_is_a_name_and_that_is_told(file, name):
    rows = (
        SWAPPED
        if name.endswith("csv")
        else [dict(zip(HEAD.split(","), r.split(","), strict=True)) for r in SWAPPED[1:]]
    )
    panel = q.read(file(rows, name))
    assert [(r["task"], r["judge"], r["winner"]) for r in _rows(panel)] == [
        ("1", "ann", "model_a"),
        ("1", "bob", "model_a"),
        ("2", "ann", "model_b"),
        ("2", "bob", "tie"),
    ]
    assert [g.option for g in panel.reading.guesses] == ["--winner name"]
    with pytest.raises(InputError, match="taken as a name, not as a place: 'B' of 'B' and 'A'"):
        q.read(file(rows, name), strict=True)


def test_told_places_are_places_and_told_names_are_names(file):
    places = q.read(file(SWAPPED, "v.csv"), winner="place", strict=True)
    assert [r["winner"] for r in _rows(places)] == ["model_a", "model_b", "model_a", "tie"]
    assert not q.read(file(SWAPPED, "v.csv"), winner="name", strict=True).reading.guesses


def test_a_winner_who_may_be_a_name_beside_one_who_must_be_a_place_is_asked_about(file):
    with pytest.raises(
        InputError, match=r"a name or a place\? \(1 line\)\n  line 3: winner 'A' of 'B' and 'A'"
    ) as caught:
        q.read(file(MIXED, "v.csv"))
    assert "--winner name" in caught.value.hint
    assert "--winner place" in caught.value.hint
    assert [r["winner"] for r in _rows(q.read(file(MIXED, "v.csv"), winner="place"))] == ["model_a"] * 3
    with pytest.raises(InputError, match=r"not the name of a system \(1 line\)\n  line 4"):
        q.read(file(MIXED, "v.csv"), winner="name")


def test_a_name_in_another_case_is_no_place_without_a_word(file):
    panel = q.read(file([HEAD, "ann,1,a,b,A", "bob,1,b,a,B"], "v.csv"))
    assert panel.columns()["winner"] == ["model_a", "model_a"]
    assert panel.reading.guesses


def test_crowd_kits_label_is_a_name(file):
    panel = q.read(file(["worker,left,right,label", "ann,A,B,A", "bob,B,A,A"], "v.csv"), strict=True)
    assert [r["winner"] for r in _rows(panel)] == ["model_a", "model_b"]


@pytest.mark.parametrize("pair", ["system_a,system_b", "left,right", "Option 1,Option 2", "first,second"])
def test_votes_under_other_words_are_votes_and_that_is_told(file, pair):
    panel = q.read(file([f"rater,query,{pair},preference", "ann,1,x,y,x", "bob,1,y,x,tie"], "v.csv"))
    assert (panel.kind, panel.judges, panel.systems) == ("votes", ("ann", "bob"), ("x", "y"))
    assert panel.tasks == ("1",)
    assert len(panel.reading.guesses) == 5


@pytest.mark.parametrize("odd", ["model-a", "Model A", "model]_a"])
def test_a_name_that_is_nearly_there_twice_is_one_column(file, odd):
    panel = q.read(file([f"judge,{odd},model_a,model_b,winner", "ann,p,x,y,x", "bob,p,y,x,tie"], "v.csv"))
    assert (panel.systems, panel.labels[odd].ids) == (("x", "y"), ("p",))


def test_one_side_alone_makes_no_pair(file):
    with pytest.raises(InputError):
        q.read(file(["judge,model_a,model 2,winner", "ann,x,y,x"], "v.csv"))
    late = [{"judge": "ann", "model]_a": "x", "model_b": "y", "winner": "x"}, {**VOTES[0]}]
    with pytest.raises(InputError, match="no model_a"):
        q.read(file(late))


def test_texts_that_were_shown_are_no_systems(file):
    with pytest.raises(InputError):
        q.read(
            file(["judge,task,response_a,response_b,preference", "ann,1,Hello.,Hi!,A", "bob,1,Hello.,Hi!,B"], "v.csv")
        )


def _rows(panel):
    columns = panel.columns()
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
