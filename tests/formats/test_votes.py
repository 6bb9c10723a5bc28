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
