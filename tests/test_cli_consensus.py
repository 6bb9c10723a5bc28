"""quorate consensus: what it prints and writes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main

JUDGMENTS = """task,judge,item,position
t,ann,x,1
t,ann,y,2
t,ann,z,3
t,bob,x,1
t,bob,z,2
t,bob,y,3
t,cat,y,1
t,cat,x,2
t,cat,z,3
"""


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text(JUDGMENTS)

    def invoke(*words, code=0):
        result = CliRunner(env={"NO_COLOR": "1"}).invoke(main, ["consensus", str(path), *map(str, words)])
        assert result.exit_code == code, result.output
        return result.output

    return invoke


def test_it_says_who_is_first_and_shows_every_item(run):
    text = run()
    said = " ".join(text.split())
    assert "All 3 judges together put x first (rank_sum, copeland, supported_order, kemeny); x stays first in" in said
    assert [line.split()[0] for line in text.splitlines() if line[:1] in "xyz" and line[1:3] == "  "] == ["x", "y", "z"]


def test_json_is_the_contract_and_the_same_for_the_same_seed(run):
    one, again = run("--format", "json", "--seed", 5), run("--format", "json", "--seed", 5)
    assert one == again
    results = json.loads(one)["results"]
    assert [r["method"] for r in results] == ["rank_sum", "copeland", "supported_order", "kemeny"]
    for row in results:
        assert set(row) == {"task", "method", "ranking", "details"}
        assert row["ranking"] == [["x"], ["y"], ["z"]]
        assert set(row["details"]["rank_interval"]) == {"x", "y", "z"}


def test_options_reach_the_methods(run):
    found = json.loads(
        run(
            "--method",
            "schulze",
            "--weights",
            "agreement",
            "--without-outliers",
            "--missing",
            "below",
            "--format",
            "json",
        )
    )
    assert [r["method"] for r in found["results"]] == ["schulze(missing=below, weights=agreement, outliers=drop)"]


def test_csv_has_the_order_in_one_cell(run):
    lines = run("--method", "kemeny", "--format", "csv").splitlines()
    assert lines[0].startswith("task,method,ranking,")
    assert lines[1].startswith("t,kemeny,x > y > z,")


@pytest.mark.parametrize("name", ["o.csv", "o.jsonl", "o.run", "o.soc", "o.toi", "o.rankings"])
def test_out_writes_any_format_of_orderings(run, tmp_path, name):
    out = tmp_path / name
    assert run("--method", "kemeny", "--out", out) == ""
    made = q.read(out)
    assert list(made.orders().values()) == [[["x"], ["y"], ["z"]]]
    if name not in ("o.soc", "o.toi"):  # which have no names for judges
        assert "kemeny" in out.read_text()


def test_out_writes_qrels_of_one_method(run, tmp_path):
    out = tmp_path / "gold.qrels"
    run("--method", "kemeny", "--out", out)
    assert out.read_text().splitlines() == ["t 0 x 3", "t 0 y 2", "t 0 z 1"]
    assert "qrels hold one order" in run("--out", out, code=2)


def test_out_writes_the_answer_elsewhere(run, tmp_path):
    out = tmp_path / "answer.txt"
    run("--out", out)
    assert "judges together put x first" in out.read_text()
    as_json = tmp_path / "answer.json"
    run("--out", as_json, "--format", "json")
    assert json.loads(as_json.read_text())["question"] == "consensus"


def test_ties_do_not_fit_a_strict_format(run, tmp_path):
    tied = tmp_path / "tied.csv"
    tied.write_text("judge,item,position\na,x,1\na,y,2\nb,y,1\nb,x,2\n")
    result = CliRunner().invoke(main, ["consensus", str(tied), "--method", "kemeny", "--out", str(tmp_path / "o.soc")])
    assert result.exit_code == 2
    assert "cannot hold ties" in result.output


def test_candidates_are_held_against_the_judges(run, tmp_path):
    given = tmp_path / "given.csv"
    given.write_text("judge,item,position\nmine,x,1\nmine,z,2\nmine,y,3\n")
    text = run("--candidates", given, "--method", "kemeny")
    lines = [line.split()[0] for line in text.splitlines() if line.startswith(("mine", "kemeny"))]
    assert lines == ["mine", "kemeny"] * 2  # kappa, and how near they come to the judges
    found = json.loads(run("--candidates", given, "--method", "kemeny", "--format", "json"))["candidates"]
    assert [(c["candidate"], c["distance"]) for c in found] == [("mine", 3), ("kemeny", 2)]
    assert len(found[0]["surface"]) == 144
    assert run("--candidates", given, "--format", "csv").splitlines()[0].startswith("task,candidate,kappa_before,kappa")


def test_mistakes_end_with_a_hint(run, tmp_path):
    assert "did you mean 'kemeny'" in run("--method", "kemony", code=2)
    scores = tmp_path / "scores.csv"
    scores.write_text("judge,item,score\na,x,1\n")
    assert "candidates are orders" in run("--candidates", scores, code=2)
