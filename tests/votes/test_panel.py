"""Votes as a panel: columns in and out, spellings of the winner, repeats, counts, and mistakes with their lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import InputError, UnknownId
from tests.reference import votes as reference
from tests.strategies import pairwise_votes
from tests.votes.made import panel

RAW = {"judge": ["ann", "bob"], "model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["x", "tie"]}


def test_columns_come_out_as_they_went_in():
    votes = q.Votes.build({**RAW, "task": ["q", "q"], "judge_kind": ["human", "model"], "text": ["", "why"]})
    assert votes.columns() == {
        "task": ["q", "q"],
        "judge": ["ann", "bob"],
        "model_a": ["x", "y"],
        "model_b": ["y", "x"],
        "winner": ["model_a", "tie"],
        "judge_kind": ["human", "model"],
        "text": [None, "why"],
    }
    assert repr(votes) == "<Votes: 2 judges, 2 systems, 1 task, 2 votes, 1 tie>"
    assert votes.systems == ("x", "y")
    assert votes.items == ("x vs y",)


@pytest.mark.parametrize("word", ["model_a", "a", "A", "1", "left", "x"])
def test_every_spelling_of_the_first(word):
    assert q.Votes.from_votes([("j", "x", "y", word)]).value.tolist() == [1.0]


@pytest.mark.parametrize("word", ["tie", "Tie", "draw", "both", "bothbad", "tie (bothbad)"])
def test_every_spelling_of_a_tie(word):
    assert q.Votes.from_votes([("j", "x", "y", word)]).value.tolist() == [0.5]


def test_votes_as_tuples_with_a_task_and_as_dicts():
    votes = [("t", "j", "x", "y", "b"), {"task": "t", "judge": "k", "model_a": "x", "model_b": "y", "winner": "y"}]
    assert q.Votes.from_votes(votes).value.tolist() == [0.0, 0.0]
    with pytest.raises(InputError, match="'no' is not a vote"):
        q.Votes.from_votes(["no"])


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(InputError, match="no column 'winner'"):
        q.Votes.build({n: v for n, v in RAW.items() if n != "winner"})


def test_a_bad_winner_is_told_with_its_row():
    with pytest.raises(
        InputError, match=r"not a vote \(1 row\)\n  row 2: winner 'z' of 'y' and 'x'\n\nHint: winner is"
    ):
        q.Votes.build({**RAW, "winner": ["x", "z"]})
    with pytest.raises(InputError, match=r"winner 'x' of 'x' and 'x'\n\nHint: model_a and model_b are the same"):
        q.Votes.from_votes([("j", "x", "x", "x")])


def test_lines_stay_right_after_votes_without_a_winner(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("judge,model_a,model_b,winner,count\na,x,y,,1\na,x,y,x,1\nb,x,y,x,-1\n")
    with pytest.raises(InputError, match="line 4: count -1"):
        q.read(path)
    for name, last in (("one", "x,1"), ("two", "x,-1")):
        (tmp_path / f"{name}.csv").write_text(
            f"judge,model_a,model_b,winner,count\n{name},x,y,error,1\nb{name},x,y,{last}\n"
        )
    with pytest.raises(InputError, match=r"two\.csv, line 3: count -1"):
        q.read(tmp_path / "one.csv", tmp_path / "two.csv")


def test_votes_without_a_winner_are_left_aside_and_counted():
    votes = q.Votes.build({**RAW, "winner": ["x", None]})
    assert len(votes) == 1
    assert votes.notes == ("1 vote without a winner is left aside",)


def test_the_same_pair_again_is_another_occasion_whichever_comes_first():
    votes = q.Votes.from_votes([("j", "x", "y", "x"), ("j", "y", "x", "x"), ("j", "x", "z", "x")])
    assert votes.columns()["occasion"] == [1, 1, 2]
    assert votes.repeats == 1
    with pytest.raises(InputError, match="a pair is voted on twice on one occasion"):
        q.Votes.build({**RAW, "judge": ["j", "j"], "occasion": [1, 1]})


def test_counts_belong_to_votes():
    votes = q.Votes.build({**RAW, "judge": ["j", "j"], "model_a": ["x", "x"], "model_b": ["y", "z"], "count": [3, 2]})
    assert votes.count.tolist() == [3, 2]
    assert "5 votes" in repr(votes)


def test_a_verdict_that_changed_with_the_order_is_a_tie_and_marked():
    rows = [("m", "x", "y", "tie (inconsistent)"), ("m", "x", "z", "x"), ("h", "x", "y", "y")]
    votes = q.Votes.from_votes(rows)
    assert votes.columns()["swapped"] == ["changed", "same", None]
    assert votes.notes == ("1 of 3 verdicts changed when places were swapped; it is a tie",)


def test_parts_of_a_panel_are_votes_too():
    votes = q.Votes.from_votes([("t1", "j", "x", "y", "x"), ("t2", "k", "y", "z", "tie (inconsistent)")])
    assert votes.select(tasks=["t2"]).columns()["swapped"] == ["changed"]
    assert votes.select(model_a=["x"]).systems == ("x", "y")
    assert votes.drop_judges("j").judges == ("k",)
    with pytest.raises(UnknownId, match="no judge 'nix'"):
        votes.select(judges=["nix"])


@given(pairwise_votes())
def test_names_in_another_order_are_the_same_panel(votes):
    given_ = panel(votes)
    assert given_.by_name == given_
    assert panel(votes).by_name.systems == given_.systems


@pytest.mark.parametrize("ending", ["votes", "csv", "tsv", "jsonl", "parquet"])
@given(votes=pairwise_votes())
def test_what_is_written_is_read_back(ending, votes, tmp_path_factory):
    path = tmp_path_factory.mktemp("votes") / f"v.{ending}"
    q.write(panel(votes), path)
    assert q.read(path) == panel(votes)


@pytest.mark.parametrize("backend", ["polars", "pandas", "pyarrow"])
def test_frames_in_and_out(backend):
    pytest.importorskip(backend)
    votes = q.Votes.build({**RAW, "judge_kind": ["human", None]})
    assert q.Votes.from_frame(votes.to_frame(backend)) == votes
    assert q.read(votes.to_frame(backend)) == votes


def test_files_put_together_keep_their_labels(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"judge": "a", "model_a": "x", "model_b": "y", "winner": "x"}))
    more = {"judge": "b", "model_a": "x", "model_b": "y", "winner": "x", "lang": "de", "turns": [1, 2]}
    (tmp_path / "b.jsonl").write_text(json.dumps(more))
    votes = q.read(tmp_path / "a.jsonl", tmp_path / "b.jsonl", format="votes")
    assert votes.columns()["lang"] == [None, "de"]
    assert [n.endswith("b.jsonl: left aside, for they are lists: turns[]") for n in votes.notes] == [True]


def test_a_table_with_only_a_winner_is_no_table_of_votes(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("judge,item,score,winner\na,x,1,yes\nb,x,2,no\n")
    assert q.read(path).kind == "scores"


WORDS = st.sampled_from(["a", "b", "model_a", "Model B", "tie", "x", "y"])


@given(st.lists(st.tuples(WORDS, st.sampled_from("abxy"), st.sampled_from("abxy")), min_size=1, max_size=8))
def test_what_the_first_gets_is_that_of_a_plain_reading(votes):
    winner, first, second = zip(*votes, strict=True)
    columns = {"judge": list(range(len(votes))), "model_a": first, "model_b": second, "winner": winner}
    wanted, unclear = reference.outcomes(votes)
    if None in wanted:
        with pytest.raises(InputError, match="not a vote"):
            q.Votes.build(columns)
    elif unclear:
        with pytest.raises(InputError, match="a name or a place"):
            q.Votes.build(columns)
    else:
        found = q.Votes.build(columns)
        assert dict(zip(found.judge.values(), found.value.tolist(), strict=True)) == dict(enumerate(wanted))
