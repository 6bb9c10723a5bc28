"""quorate consensus, quality, trust, check and sentences on groupings: what they print and write."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main

CLUSTERS = """judge,item,group,source,importance,label
ann,a1,x,A,1,War.
ann,b1,x,B,1,War.
ann,a2,y,A,2,Money.
ann,b2,y,B,2,Money.
ann,c1,,C,,
bob,a1,1,A,2,The war.
bob,b1,1,B,2,The war.
bob,a2,2,A,1,The money.
bob,b2,2,B,1,The money.
bob,c1,,C,,
cat,a1,k,A,1,All.
cat,b1,k,B,1,All.
cat,a2,k,A,1,All.
cat,b2,l,B,2,Rest.
cat,c1,l,C,2,Rest.
"""
SYSTEMS = "judge,item,group\n" + "".join(
    f"{s},{i},{g}\n"
    for s, groups in (("new", "11223"), ("old", "12121"))
    for i, g in zip(("a1", "b1", "a2", "b2", "c1"), groups, strict=True)
)
DOCS = "".join(
    json.dumps({"id": f"d{k}", "date": f"1999-10-{10 + k // 2}", "sentences": [f"Fact {k}."] * (k + 1)}) + "\n"
    for k in range(6)
)


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("clusters.csv", CLUSTERS), ("systems.csv", SYSTEMS), ("docs.jsonl", DOCS)):
        (tmp_path / name).write_text(text)

    def invoke(*words, code=0):
        result = CliRunner(env={"NO_COLOR": "1"}).invoke(main, [str(w) for w in words])
        assert result.exit_code == code, result.output
        return result.output

    return invoke


def test_consensus_prints_groups_with_support_and_fits_80_columns(run):
    text = run("consensus", "clusters.csv")
    assert text.split("\n\n", 1)[1].startswith("2 groups of two items or more, 1 left out")
    assert "pairs, proven best" in text
    assert any(line.split()[-2:] == ["a1,", "b1"] for line in text.splitlines())
    assert "Left out: c1" in text
    assert max(map(len, text.splitlines())) <= 80


def test_consensus_as_json_is_the_contract(run):
    rows = json.loads(run("consensus", "clusters.csv", "--method", "pairs", "--format", "json", "--seed", 3))["results"]
    assert set(rows[0]) == {"task", "method", "groups", "left_out", "details"}
    assert sorted(map(sorted, rows[0]["groups"])) == [["a1", "b1"], ["a2", "b2"]]
    assert rows[0]["left_out"] == ["c1"]
    assert rows[0]["details"]["optimal"] is True
    again = json.loads(run("consensus", "clusters.csv", "--method", "pairs", "--format", "json", "--seed", 3))
    assert again["results"] == rows


def test_consensus_as_csv_has_the_groups_in_one_cell(run):
    lines = run("consensus", "clusters.csv", "--method", "quorum(q=3)", "--format", "csv").splitlines()
    assert lines[0].startswith("task,left_out,method,groups,")
    assert lines[1].startswith('all,c1,quorum(q=3),"a1, b1 |')


@pytest.mark.parametrize("name", ["gold.csv", "gold.jsonl"])
def test_out_writes_the_consensus_as_a_table_that_reads_back(run, tmp_path, name):
    assert run("consensus", "clusters.csv", "--method", "pairs", "--out", name) == ""
    gold = q.read(tmp_path / name)
    assert gold.judges == ("pairs",)
    groups = dict(zip(gold.columns()["item"], gold.columns()["group"], strict=True))
    assert groups["a1"] == groups["b1"] != groups["a2"] == groups["b2"]
    assert groups["c1"] is None
    assert "1" in set(map(str, gold.columns()["importance"]))
    text = run("quality", name, "systems.csv", "--method", "against_judges(measure=rand, left_out=common)")
    assert text.index("\nnew ") < text.index("\nold ")  # the board
    assert "None of the 2 systems is better than with its items shuffled" in " ".join(text.split())  # of 4 items


def test_quality_is_a_leaderboard(run):
    found = json.loads(run("quality", "clusters.csv", "systems.csv", "--format", "json"))
    assert [o["system"] for o in found["overall"]] == ["new", "old"] * 5
    assert {"task", "system", "method", "value"} <= set(found["results"][0])
    assert "against_judges(measure=v_beta, left_out=bucket)" in {o["method"] for o in found["overall"]}
    assert max(map(len, run("quality", "clusters.csv", "systems.csv").splitlines())) <= 80


def test_quality_explains_what_to_move(run):
    text = run("quality", "clusters.csv", "systems.csv", "--explain", "new")
    assert "new and a judge agree on" in text
    assert "leave it out" in text
    found = json.loads(run("quality", "clusters.csv", "systems.csv", "--explain", "old", "--format", "json"))
    assert found["explanations"][0]["moves"][0]["do"] == "leave out"
    lines = run("quality", "clusters.csv", "systems.csv", "--explain", "old", "--format", "csv").splitlines()
    assert lines[0] == "task,system,item,do,with,support,now,votes"
    assert "did you mean 'new'" in run("quality", "clusters.csv", "systems.csv", "--explain", "newt", code=2)
    same = run("quality", "clusters.csv", "clusters.csv", "--explain", "ann")
    assert "no move brings it nearer to most judges" in " ".join(same.split())


def test_trust_says_which_measures_to_trust(run):
    text = run("trust", "clusters.csv", "--method", "sensitivity(repetitions=3)", "--method", "agreement_stability")
    assert "fall more for merging" in text
    assert "Agreement of two judges by v_beta" in text
    assert "with other judges like these" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_check_says_what_to_mend_and_ends_with_1(run, tmp_path):
    assert run("check", "clusters.csv", "--rule", "two_items") == "All 3 judgments keep the rules.\n"
    assert run("check", "clusters.csv").startswith("All 3 judgments keep the rules.")
    (tmp_path / "bad.csv").write_text(CLUSTERS.replace("cat,c1,l,C,2,Rest.\n", "") + "cat,d1,m,D,3,\n")
    text = run("check", "bad.csv", code=1)
    assert "mistakes to mend, in 3 of 3 judgments." in text
    assert "cluster 'm' has no label" in text
    found = json.loads(run("check", "bad.csv", "--format", "json", code=1))
    assert {b["rule"] for b in found["breaches"]} == {"two_items", "left_out", "label"}
    assert run("check", "bad.csv", "--format", "csv", code=1).startswith("rule,task,judge,group,message\n")


def test_a_card_sort_is_checked_as_one_unless_told_otherwise(run, tmp_path):
    (tmp_path / "cards.csv").write_text("judge,item,group,category\na,x,1,Fruit\na,y,1,Fruit\na,z,2,Nuts\n")
    assert run("check", "cards.csv") == "All rules are kept.\n"
    assert "cluster '2' has one item (z)" in run("check", "cards.csv", "--profile", "clusters", code=1)


def test_check_knows_its_rules_and_its_kind(run, tmp_path):
    assert "did you mean 'label'" in run("check", "clusters.csv", "--rule", "labels", code=2)
    (tmp_path / "o.csv").write_text("judge,item,position\na,x,1\n")
    assert "the judgments are orderings" in run("check", "o.csv", code=2)
    (tmp_path / "two.csv").write_text("judge,item,group\na,x,1\na,x,2\n")
    assert "an item is in two groups" in run("check", "two.csv", code=2)


def test_sentences_writes_the_set_and_says_why(run, tmp_path):
    text = run("sentences", "docs.jsonl", "set.csv", "--low", 6, "--high", 9)
    assert text.startswith("6 sentences from 3 of 6 documents.")
    assert "6 sentences are enough" in " ".join(text.split())
    assert (tmp_path / "set.csv").read_text().splitlines()[:2] == [
        "item,source,date,text",
        "d0.1,d0,1999-10-10,Fact 0.",
    ]
    run("sentences", "docs.jsonl", "set.jsonl")
    assert json.loads((tmp_path / "set.jsonl").read_text().splitlines()[0])["source"] == "d0"
    assert "no such file" in run("sentences", "absent.txt", "set.csv", code=2)
