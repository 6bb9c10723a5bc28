"""Agreement between annotators from the command line: on units as groupings, and on support as scores."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.summaries.units.reading import folders, read_units
from tests.formats.test_ducview import PEER, PYRAMID

NAMES = ("D9901-A.M.100.K.7.pan", "D9901-A.M.100.K.8.pan")


def run(*words, code=0):
    result = CliRunner().invoke(main, ["pyramid", *map(str, words)])
    assert result.exit_code == code, result.output
    return result


def overall(*words):
    found = json.loads(run("agreement", *words, "--format", "json", "--resamples", 100).stdout)
    return found["overall"][0]["value"], found["notes"]


@pytest.fixture
def judges(tmp_path):
    """North finds units 1 and 3 in both peers; south finds 3 only in the second."""
    for judge in ("north", "south"):
        place = tmp_path / judge / "peers"
        place.mkdir(parents=True)
        for name in NAMES:
            (place / name).write_text(PEER)
    lost = re.sub(r'(<peerscu uid="1".*?>).*?(</peerscu>)', r"\1\2", PEER, flags=re.S)
    (tmp_path / "south" / "peers" / NAMES[0]).write_text(lost)
    return tmp_path / "north", tmp_path / "south"


def test_support_by_several_judges_is_in_folders_of_files_with_one_name(judges):
    value, notes = overall(*judges, "--method", "percent")
    assert value == 7 / 8  # 4 units in 2 peers, one of them seen differently
    assert notes[0] == "files of one name are in several folders: a folder is a judge"
    north, south = 1 - 2 / 8, 1 - 3 / 8
    spread = (4 / 8 * (1 - 4 / 8) + 3 / 8 * (1 - 3 / 8)) / 2 + ((1 - north) - (1 - south)) ** 2 / 4
    alpha = 1 - (1 / 8) / (2 * spread * 16 / 15)
    assert overall(*judges, "--method", "alpha")[0] == pytest.approx(alpha)
    assert read_units(*judges).judges == ("north", "south")


def test_one_peer_of_two_judges_in_one_folder_is_refused(judges):
    other = judges[0] / "more"
    other.mkdir()
    (other / NAMES[0]).write_text(PEER)
    (other / NAMES[0].removesuffix(".pan")).write_text(PEER)
    assert "folder of their own" in run("score", *other.iterdir(), code=2).stderr


def test_units_are_groupings_of_words_or_of_contributors(judges, tmp_path):
    assert overall(*judges, "--on", "groupings", "--method", "adjusted_rand")[0] == 1
    other = re.sub(r'<contributor label="flooding nine villages">.*?</contributor>', "", PYRAMID, flags=re.S)
    for judge, xml in zip(judges, (PYRAMID, other), strict=True):
        (judge / "D9901-A.pyr").write_text(xml)
    files = [j / "D9901-A.pyr" for j in judges]
    words = overall(*files, "--method", "v_beta(left_out=bucket)")[0]
    assert 0 < words < 1
    assert overall(*judges, "--on", "groupings", "--method", "v_beta(left_out=bucket)")[0] == words
    selected = overall(*files, "--items", "contributors", "--method", "v_beta(left_out=bucket)")[0]
    assert 0 < selected < 1
    assert selected != words
    assert "says nothing of items" in run("agreement", *files, "--on", "support", code=2).stderr


def test_contributors_without_a_place_are_no_items(judges):
    bare = PYRAMID.replace('<part label="The dam broke" start="32" end="45"/>', "")
    for judge in judges:
        (judge / "D9901-A.pyr").write_text(bare)
    files = [j / "D9901-A.pyr" for j in judges]
    for items in ("words", "contributors"):
        value, notes = overall(*files, "--items", items, "--method", "adjusted_rand")
        assert value == 1
        assert any("1 contributor without a place" in n for n in notes)


def test_scores_of_several_judges_are_read_as_a_panel(judges):
    files = [j / "peers" / n for j in judges for n in NAMES]
    panel = q.read(*files)
    assert panel.judges == ("north", "south")
    assert len(panel) == 4


def test_a_threshold_makes_support_yes_or_no(tmp_path):
    path = tmp_path / "u.csv"
    path.write_text("unit,item,judge,support\na,x,ann,0.9\na,x,bob,0.6\nb,x,ann,0.2\nb,x,bob,0.1\n")
    assert overall(path, "--method", "percent")[0] == 0
    assert overall(path, "--method", "percent", "--threshold", 0.5)[0] == 1


def test_folders_are_told_apart_by_what_differs():
    assert folders(["a/n/x.pan", "a/s/x.pan", "a/s/y.pan"]) == ["n", "s", "s"]
    assert folders(["x.pan", "s/x.pan"]) == ["here", "s"]
    assert folders(["a/x.pan", "a/y.pan"]) == ["a", "a"]


@pytest.mark.long
def test_the_page_shows_what_realsumm_gives(data, monkeypatch):
    page = Path(__file__).parents[3] / "docs" / "kinds" / "pyramids.md"
    shown = page.read_text(encoding="utf-8").partition("## A real example")[2].partition("```\n")[2].partition("```")[0]
    blocks = [b.strip().splitlines() for b in shown.split("$ quorate pyramid ")[1:]]
    assert len(blocks) == 2
    monkeypatch.chdir(data)
    for command, *lines in blocks:
        assert run(*command.split()).stdout.startswith("\n".join(lines))


@pytest.mark.long
def test_realsumm_is_scored_and_its_workers_agree_as_counted_plainly(data):
    with (data / "realsumm" / "scu_judgements.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    by_judge, by_unit = {}, {}
    for r in rows:
        said = float(r["answer"] == "p")
        by_judge.setdefault((r["file_system"], r["event_id"], r["assessor_row"]), []).append(said)
        by_unit.setdefault((r["file_system"], r["event_id"], r["question_id"]), []).append(said)
    by_item = {}
    for (system, task, _), said in by_judge.items():
        by_item.setdefault((system, task), []).append(sum(said) / len(said))
    means = {}
    for (system, _), shares in by_item.items():
        means.setdefault(system, []).append(sum(shares) / len(shares))
    found = json.loads(run("score", data / "realsumm", "--format", "json").stdout)["systems"]
    assert {s["system"]: s["mean"] for s in found} == {s: pytest.approx(sum(m) / len(m)) for s, m in means.items()}

    pooled = [v for said in by_unit.values() for v in said]
    inside = sum(len(s) * 2 * sum(s) * (len(s) - sum(s)) / len(s) / (len(s) - 1) for s in by_unit.values())
    yes = sum(pooled) / len(pooled)
    alpha = 1 - (inside / len(pooled)) / (2 * yes * (1 - yes) * len(pooled) / (len(pooled) - 1))
    assert overall(data / "realsumm", "--method", "alpha")[0] == pytest.approx(alpha)
