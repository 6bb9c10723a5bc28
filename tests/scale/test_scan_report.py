"""A report on one task of very many judges that stays in its files: the figures of the commands, pictures of some."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.scale.files import Scan
from tests.scale.made_up import ballots, card_sorts
from tests.scale.test_scan_tallies import many, scanned

BRIEF = {"resamples": 20, "permutations": 9}
MADE = {"orderings": lambda: ballots(60, gaps=0.0), "groupings": lambda: card_sorts(40, left_out=0.2)}


@pytest.fixture(autouse=True)
def _many(monkeypatch):
    many(monkeypatch)
    monkeypatch.setattr("quorate.groupings.counted_consensus.SOME", 12)
    monkeypatch.setattr(Scan, "fits", lambda scan, question: False)


@pytest.mark.parametrize("kind", MADE)
def test_sections_are_the_answers_of_the_commands(tmp_path, kind):
    MADE[kind]().write_parquet(tmp_path / "one.parquet")
    judges = {"orderings": 60, "groupings": 40}[kind]
    page = q.report(scanned(tmp_path / "one.parquet"), **BRIEF)
    assert page.title.startswith(f"Report on {kind}: {judges} judges")
    assert page.some == f"12 of {judges} judges, drawn at random"
    told = page.to_dict()["sections"]
    assert set(told) == {"agreement", "judges", "consensus", "trust"}
    for question, section in told.items():
        alone = getattr(q, question)(scanned(tmp_path / "one.parquet"), **BRIEF)
        assert json.dumps(section["answer"], default=str) == json.dumps(alone.to_dict(), default=str), question
        assert section["sentences"] == list(alone.sentences)
    text = page.html()
    assert f"the judgments of {page.some}" in text
    assert "every judgment" not in text


def test_pictures_of_some_judges_say_so_and_those_from_counts_are_of_all(tmp_path):
    ballots(60, gaps=0.0).write_parquet(tmp_path / "one.parquet")
    page = q.report(scanned(tmp_path / "one.parquet"), **BRIEF)
    for section in page.sections:
        of_some = [p.description.endswith("Of 12 of 60 judges, drawn at random.") for p in section.pictures]
        assert of_some
        assert all(of_some) if section.question != "consensus" else not any(of_some)
    graph = next(p for p in page.pictures if p.name == "shared-by-most")
    assert {row["judges"].partition(" of ")[2] for row in graph.rows if "before" in row} == {"60"}
    whole = q.report(q.read(tmp_path / "one.parquet"), **BRIEF)
    assert page.first_screen == whole.first_screen
    assert graph.rows == next(p for p in whole.pictures if p.name == "shared-by-most").rows
    judges = page.section("judges").answer
    assert any("(--method support_outliers, asked alone, is of all)" in note for note in judges.notes)


def test_what_cannot_be_answered_is_left_out_with_why(tmp_path):
    ballots(60, gaps=0.0).write_parquet(tmp_path / "one.parquet")
    lists = q.Orderings.from_orders({"new": [f"文{k}" for k in range(6)], "old": [f"文{5 - k}" for k in range(6)]})
    scan = scanned(tmp_path / "one.parquet", memory="1MB")
    page = q.report(scan, lists, **BRIEF)
    trouble = {s.question: s.trouble for s in page.sections}
    assert trouble["quality"].startswith("a table without a column 'task' is read at once: about")
    assert "Hint: allow 0.2GB (--memory)" in trouble["quality"]
    assert "are needed, and --memory is 0.0 GB" in trouble["consensus"]
    assert page.first_screen.headline.startswith("Agreement was not computed here, so nobody can say")


def test_methods_without_room_are_left_out_with_a_note(tmp_path, monkeypatch):
    card_sorts(60, left_out=0.2).write_parquet(tmp_path / "one.parquet")
    scan = scanned(tmp_path / "one.parquet", memory="700MB")
    monkeypatch.setattr("quorate.scale.tallies.EVERY_TWO", 10**9)
    answer = q.report(scan, **BRIEF).section("agreement").answer
    assert {f.method.name for f in answer.findings} == {"together"}
    assert answer.notes[-1].endswith("left out, for want of memory")


def test_the_command_line(tmp_path):
    ballots(60, gaps=0.0).write_parquet(tmp_path / "one.parquet")
    asked = ["report", str(tmp_path / "*.parquet"), "--memory", "2GB", "--resamples", "20", "--permutations", "9"]
    found = CliRunner().invoke(main, [*asked, "--format", "text"])
    assert found.exit_code == 0, found.output
    assert "What is said here of rows is of 12 of 60 judges, drawn at random." in " ".join(found.output.split())
