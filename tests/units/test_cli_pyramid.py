"""The command `quorate pyramid`: scores, what annotators missed, calibration; formats and mistakes."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.units.made_up import MadeUp


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("collection")
    MadeUp(years=1, topics=8, systems=7, documents=4, seed=2).write(base)
    return base / "2009" / "UpdateSumm09_eval" / "manual"


def run(*words, code=0):
    result = CliRunner().invoke(main, ["pyramid", *map(str, words)])
    assert result.exit_code == code, result.output
    return result


def test_scores_come_with_a_sentence_and_fit_the_terminal(folder):
    text = run("score", folder).stdout
    assert text.startswith("112 judged items of 7 systems on 16 tasks: the best system is ")
    assert max(map(len, text.splitlines())) <= 80


def test_scores_as_json_and_csv(folder):
    out = json.loads(run("score", folder, "--format", "json", "--rounding", "floor").stdout)
    assert (out["score"], len(out["systems"]), len(out["items"])) == ("modified", 7, 112)
    rows = list(csv.DictReader(io.StringIO(run("score", folder, "--format", "csv").stdout)))
    assert {"task", "item", "judge", "original", "modified", "jackknife"} <= set(rows[0])


def test_a_table_of_nuggets_is_scored(tmp_path):
    path = tmp_path / "nuggets.csv"
    path.write_text("nugget,run,support,weight\n1,a,full,vital\n2,a,partial,okay\n1,b,none,vital\n2,b,full,okay\n")
    words = ("score", path, "--rename", "nugget=unit", "--rename", "run=item", "--scheme", "vital", "--format", "json")
    systems = json.loads(run(*words).stdout)["systems"]
    assert [(s["system"], s["mean"]) for s in systems] == [("a", 1.0), ("b", 0.0)]


def test_missed_strings_and_the_worst_judge(folder):
    text = run("auto", folder).stdout
    assert text.startswith("Judge F misses most")
    assert max(map(len, text.splitlines())) <= 80
    out = json.loads(run("auto", folder, "--format", "json").stdout)
    assert out["judges"][0]["judge"] == "F"
    assert len(out["judges"][0]["interval"]) == 2
    rows = list(csv.DictReader(io.StringIO(run("auto", folder, "--format", "csv").stdout)))
    assert len(rows) == len(out["missed"])
    assert {"judge", "task", "item", "string", "accepted_in"} <= set(rows[0])


def test_options_of_the_search_are_passed_on(folder, tmp_path):
    teams = tmp_path / "teams"
    teams.write_text("".join(f"{k} {k // 2}\n" for k in range(1, 8)))
    plain = json.loads(run("auto", folder, "--format", "json").stdout)["missed"]
    fewer = json.loads(run("auto", folder, "--teams", teams, "--format", "json").stdout)["missed"]
    more = json.loads(run("auto", folder, "--match", "normalised", "--format", "json").stdout)["missed"]
    assert len(fewer) <= len(plain)
    assert len({(m["task"], m["item"], m["unit"]) for m in more}) >= len(
        {(m["task"], m["item"], m["unit"]) for m in plain}
    )


def test_judges_come_from_a_table_when_given(folder, tmp_path):
    who = tmp_path / "who"
    who.write_text("D0901-A north\n")
    judges = {j["judge"] for j in json.loads(run("auto", folder, "--judges", who, "--format", "json").stdout)["judges"]}
    assert "north" in judges


def test_the_rule_of_published_scores(folder):
    text = run("calibrate", folder, folder / "manual.peer.A").stdout
    assert text.startswith("half_up reproduces 56 of 56 published scores.")
    rules = json.loads(run("calibrate", folder, folder / "manual.peer.A", "--format", "json").stdout)["rules"]
    assert rules[0]["rounding"] == "half_up"
    assert rules[0]["reproduced"] > next(r for r in rules if r["rounding"] == "floor")["reproduced"]


def test_mistakes_are_told_and_end_with_2(tmp_path):
    assert "no annotated peers" in run("score", tmp_path, code=2).stderr
    (tmp_path / "a.pan").write_text("<x/>")
    assert "not an annotated peer" in run("auto", tmp_path / "a.pan", code=2).stderr
    assert "no such file" in run("score", tmp_path / "b.pan", code=2).stderr


def test_models_are_scored_against_the_others(folder):
    out = json.loads(run("score", folder, "--models", "--format", "json").stdout)
    assert (out["score"], len(out["items"])) == ("modified", 16 * 4)
    assert {"task", "item", "found", "modified"} == set(out["items"][0])
    assert run("score", folder, "--models").stdout.startswith("64 judged items")


def test_agreement_on_support_and_on_units(folder, tmp_path):
    path = tmp_path / "units.csv"
    path.write_text("unit,item,judge,support\na,x,ann,1\na,x,bob,1\nb,x,ann,0\nb,x,bob,0\na,y,ann,1\na,y,bob,0\n")
    found = json.loads(run("agreement", path, "--method", "percent", "--format", "json", "--resamples", 100).stdout)
    assert found["overall"][0]["value"] == pytest.approx(2 / 3)
    convert = CliRunner().invoke(main, ["pyramid", "convert", str(folder), str(tmp_path / "files")])
    assert convert.exit_code == 0
    files = []
    for name in ("north", "south"):
        (tmp_path / name).mkdir()
        files.append(tmp_path / name / "D0901-A.pyr")
        files[-1].write_bytes((tmp_path / "files" / "D0901-A.pyr").read_bytes())
    words = ("agreement", *files, "--method", "adjusted_rand", "--format", "json", "--resamples", 100)
    assert json.loads(run(*words).stdout)["overall"][0]["value"] == 1


def test_realsumm_is_known_by_its_files(data):
    out = json.loads(run("score", data / "realsumm", "--format", "json").stdout)
    assert len(out["systems"]) == 25
