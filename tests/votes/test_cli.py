"""Pairwise votes from the command line: rates with numerator, denominator and interval."""

import json

from click.testing import CliRunner

from quorate.cli import main

VOTES = [
    ("j", 1, "x", "y", "model_a"),
    ("j", 1, "y", "x", "model_a"),  # the first shown wins again: swapping places changed the verdict
    ("j", 2, "x", "y", "tie"),
    ("k", 1, "x", "y", "x"),
    ("k", 3, "x", "y", "tie (inconsistent)"),
]


def run(tmp_path, *words):
    path = tmp_path / "votes.jsonl"
    names = ("judge", "question_id", "model_a", "model_b", "winner")
    path.write_text("\n".join(json.dumps(dict(zip(names, v, strict=True))) for v in VOTES))
    result = CliRunner().invoke(main, ["votes", str(path), *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_rates_say_what_they_are_of(tmp_path):
    found = json.loads(run(tmp_path, "--format", "json"))
    j = next(x for x in found["judges"] if x["judge"] == "j")
    assert (j["first"]["hits"], j["first"]["of"]) == (2, 2)
    assert (j["flips"]["hits"], j["flips"]["of"]) == (1, 1)
    assert (j["ties"]["hits"], j["ties"]["of"]) == (1, 3)
    assert found["agreement"]["single"] == 2
    assert (found["agreement"]["agree"]["hits"], found["agreement"]["agree"]["of"]) == (1, 1)
    assert any("1 of 5 verdicts changed" in note for note in found["notes"])
    k = next(x for x in found["judges"] if x["judge"] == "k")  # whose verdicts are on both orders together
    assert (k["flips"]["hits"], k["flips"]["of"]) == (1, 2)
    assert (k["first"]["value"], k["first"]["of"]) == (None, 0)  # nobody knows which was shown first


def test_text_fits_and_one_vote_is_no_agreement(tmp_path):
    out = run(tmp_path)
    assert out.startswith("5 votes by 2 judges.")
    assert "2 pairs have one judge only" in out
    assert max(map(len, out.splitlines())) <= 80


def test_intervals_are_named_after_their_level(tmp_path):
    out = run(tmp_path, "--level", "0.9")
    assert "90% CI" in out
    assert "90% CI  flips" in out  # a heading of the table
    assert "95%" not in out


def test_a_file_that_is_no_votes_is_told(tmp_path):
    path = tmp_path / "rankings.csv"
    path.write_text("judge,item,position\na,x,1\na,y,2\na,z,3\n")
    result = CliRunner().invoke(main, ["votes", str(path)])
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
