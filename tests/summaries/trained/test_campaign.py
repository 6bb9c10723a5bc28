"""A campaign's folder as NIST's archives unpack: found, read like a folder called by year, and listed file by file."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.errors import InputError
from quorate.summaries.trained.campaign import campaign, campaigns, intake, three_years
from quorate.summaries.trained.year import read_year
from quorate.summaries.units.made_up import MadeUp

EVAL = {"2009": "UpdateSumm09_eval", "2010": "GuidedSumm2010_eval", "2011": "GuidedSumm2011_eval"}
DOCS = {"2009": "UpdateSumm09_test_docs_files", "2010": "GuidedSumm10_test_docs_files"}


def run(*words, code=0):
    done = CliRunner().invoke(main, [str(w) for w in words])
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture(scope="module")
def by_year(tmp_path_factory):
    base = tmp_path_factory.mktemp("years")
    MadeUp(topics=2, systems=4, documents=2).write(base)
    return base


@pytest.fixture(scope="module")
def unpacked(by_year, tmp_path_factory):
    """The same as the archives unpack: those of scores beside those of documents, with more in them than is used."""
    base = tmp_path_factory.mktemp("archives")
    for year, name in EVAL.items():
        archive = shutil.copytree(by_year / year / name, base / f"TAC{year}" / name)
        for kind in ("models", "peers"):  # basic elements are called like summaries, and come first by name
            (archive / "BE" / kind).mkdir(parents=True)
            (archive / "BE" / kind / "D0901-A.M.100.B.1").write_text("dam|NIL|NIL\n")
        (archive / "README_EVAL.txt").write_text("See the web page.")
        (archive / "manual" / "manual.peer.A.avg").write_text("1 0.5\n")
        documents = (
            base / f"TAC{year}" / f"TAC{year}_Summarization_Documents" / DOCS.get(year, "GuidedSumm11_test_docs_files")
        )
        for folder in sorted(p for p in (by_year / year / "docs").glob("*/*") if p.is_dir()):
            topic, part = folder.name.split("-")
            shutil.copytree(folder, documents / f"{topic}A" / f"{topic}A-{part}")  # D0901A/D0901A-A
    return base


def test_archives_are_found_wherever_they_lie_and_read_as_years(by_year, unpacked):
    found = campaigns(unpacked)
    assert [c.name for c in found] == ["2009", "2010", "2011"]
    assert [c.name for c in campaigns(unpacked / "TAC2009")] == ["2009"]
    for one in found:
        year, plain = read_year(one, stem=False), read_year(by_year / one.name, stem=False)
        assert (year.name, year.peers, year.models, year.scores) == (one.name, plain.peers, plain.models, plain.scores)
        assert {t: sorted(d) for t, d in year.documents.items()} == {t: sorted(d) for t, d in plain.documents.items()}
        assert len(year.documents) == 4
        assert year.annotated == one.folders[0] / "manual" / "peers"  # not the basic elements
        assert [g.gap for g in year.auto.items] == [g.gap for g in plain.auto.items]


def test_too_few_years_and_no_campaign_are_errors(unpacked, tmp_path):
    with pytest.raises(InputError, match="1 years"):
        three_years(unpacked / "TAC2009")
    with pytest.raises(InputError, match="the folders of 3 years"):
        campaign(unpacked)
    with pytest.raises(InputError, match="no such folder"):
        campaign(tmp_path / "none")
    assert campaigns(tmp_path) == []


def test_the_intake_list_accounts_for_every_file(unpacked, tmp_path):
    copy = shutil.copytree(unpacked / "TAC2009", tmp_path / "2009" / "TAC2009")
    peers = copy / EVAL["2009"] / "manual" / "peers"
    first, second, third, *_ = sorted(peers.iterdir())
    text = first.read_text()
    at = text.index("<annotation>")
    start = text.index('start="', at) + len('start="')
    end = text.index('"', start)
    moved = str(int(text[start:end]) + 1)
    first.write_text(text[:start] + moved + text[end:])  # an offset that does not fit its label
    second.write_text("not XML")
    third.rename(third.with_name("D0999-A.M.100.B.1"))
    (copy / EVAL["2009"] / "ROUGE" / "peers" / "notes.txt").write_text("no summary")
    listed = {r["what"]: r for r in intake([campaign(tmp_path / "2009")]).lists}
    assert sum(r["found"] for r in listed.values()) == sum(p.is_file() for p in copy.rglob("*"))
    got = {w: tuple(r[n] for n in ("found", "matched", "repaired", "ignored")) for w, r in listed.items()}
    assert got["tables of scores"] == (4, 4, 0, 0)
    assert got["summaries of systems"] == (17, 16, 0, 1)
    assert got["models"] == (16, 16, 0, 0)
    assert got["annotated peers"] == (16, 14, 1, 2)
    assert got["documents"] == (8, 8, 0, 0)
    assert got["pyramids"] == (4, 0, 0, 4)
    assert got["other files"] == (4, 0, 0, 4)
    about = listed["annotated peers"]["about"]
    assert "moved to where the label is" in about or "not what the text has" in about
    assert "not a file of DUCView" in about
    assert "no summary of that name" in about
    shown = run("metric", "intake", tmp_path / "2009")
    assert "annotated peers" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    rows = json.loads(run("metric", "intake", unpacked, "--format", "json"))["intake"]
    assert {r["year"] for r in rows} == set(EVAL)


def test_an_archive_itself_is_a_year_with_the_documents_beside_it(by_year, unpacked, monkeypatch):
    archive = unpacked / "TAC2009" / EVAL["2009"]
    year = read_year(archive, stem=False)
    assert year.name == "2009"
    assert len(year.documents) == 4
    monkeypatch.chdir(archive)
    assert campaign(".").name == "2009"
    assert campaign(by_year / "2009" / EVAL["2009"]).folders[0].name == EVAL["2009"]


def test_archives_twice_folders_of_a_mac_and_empty_tables(unpacked, tmp_path):
    copy = shutil.copytree(unpacked / "TAC2009", tmp_path / "tac" / "TAC2009")
    (tmp_path / "tac" / "__MACOSX" / EVAL["2009"] / "manual").mkdir(parents=True)
    assert len(campaigns(tmp_path / "tac")) == 1
    manual = copy / EVAL["2009"] / "manual"
    for path in (manual / "pyramids").glob("*.pyr"):
        path.rename(path.with_suffix(""))  # as NIST has them
    (manual / "manual.peer.A").write_text("\n")
    listed = {r["what"]: r for r in intake(campaigns(tmp_path / "tac")).lists}
    assert (listed["tables of scores"]["found"], listed["pyramids"]["found"]) == (3, 4)
    assert "manual.peer.A is empty" in listed["other files"]["about"]
    assert "basic elements (BE)" in listed["other files"]["about"]
    assert "Note: TAC2009: manual.peer.A is empty." in run("metric", "judgments", copy, "--out", tmp_path / "j.csv")
    shutil.copytree(copy / EVAL["2009"], tmp_path / "tac" / "again" / EVAL["2009"])
    assert "2009 is there more than once" in run("metric", "intake", tmp_path / "tac", code=2)


def test_a_peer_that_is_cut_off_is_told(unpacked, tmp_path):
    peers = shutil.copytree(unpacked / "TAC2009" / EVAL["2009"] / "manual" / "peers", tmp_path / "peers")
    first = min(peers.iterdir())
    first.write_text(first.read_text()[:200])
    for what in ("score", "auto", "self-agreement"):
        assert f"left aside, no annotated peers: {first.name}" in " ".join(run("pyramid", what, peers).split())


def test_metrics_are_trained_and_tested_on_archives(unpacked, tmp_path):
    some = ("--no-stem", "--feature", "longest", "--size", 1, "--out", tmp_path / "m.json")
    run("metric", "train", *some, unpacked / "TAC2009", unpacked / "TAC2010")
    assert "On TAC2011 m.json correlates" in run("metric", "evaluate", tmp_path / "m.json", unpacked / "TAC2011")


def test_reproduce_finds_archives_and_says_so_where_there_is_nothing(unpacked, tmp_path, monkeypatch):
    from quorate.reproduce import assessors as paper

    asked = []
    monkeypatch.setattr(paper, "tables", lambda folder, **how: asked.append(folder) or [])
    found = json.loads(run("reproduce", "assessors", "--data", unpacked, "--format", "json"))["papers"][0]
    assert asked == [unpacked]
    assert found["basis"] == f"from the data in {unpacked}"
    assert {r["what"] for r in found["tables"] if r["table"] == "intake"} >= {"tables of scores", "annotated peers"}
    (tmp_path / "empty").mkdir()
    for what in ("assessors", "q-support", "all"):
        shown = " ".join(run("reproduce", what, "--data", tmp_path / "empty", code=2).split())
        assert "empty: nothing in it that" in shown
        assert "simulat" not in shown.partition("Hint")[0]
    assert asked == [unpacked]
