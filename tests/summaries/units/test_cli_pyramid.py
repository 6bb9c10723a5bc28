"""The command `quorate pyramid`: scores, what annotators missed, calibration; formats and mistakes."""

import csv
import io
import json
from functools import cache

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.summaries.units.made_up import MadeUp


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("collection")
    MadeUp(years=1, topics=8, systems=7, documents=4, seed=2).write(base)
    return base / "2009" / "UpdateSumm09_eval" / "manual"


def run(*words, code=0):
    result = CliRunner().invoke(main, ["pyramid", *map(str, words)])
    assert result.exit_code == code, result.output
    return result


once = cache(run)  # of the folder, which stays as it is


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
    text = once("auto", folder).stdout
    assert text.startswith(("Judge F misses most", "Judge C misses most"))  # the two who were made to
    assert max(map(len, text.splitlines())) <= 80
    out = json.loads(once("auto", folder, "--format", "json").stdout)
    assert {j["judge"] for j in out["judges"][:2]} == {"C", "F"}
    assert len(out["judges"][0]["interval"]) == 2
    rows = list(csv.DictReader(io.StringIO(run("auto", folder, "--format", "csv").stdout)))
    assert len(rows) == len(out["missed"])
    assert {"judge", "task", "item", "string", "accepted_in"} <= set(rows[0])


def test_options_of_the_search_are_passed_on(folder, tmp_path):
    teams = tmp_path / "teams"
    teams.write_text("".join(f"{k} {k // 2}\n" for k in range(1, 8)))
    plain = json.loads(once("auto", folder, "--format", "json").stdout)["missed"]
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


def test_gaps_by_task_are_shown_with_intervals(folder):
    text = once("auto", folder).stdout
    shown = text.partition("By task, lowest first")[2].partition("\n\n")[0].splitlines()[2:]
    tasks = json.loads(once("auto", folder, "--format", "json").stdout)["tasks"]
    lowest = min(tasks, key=lambda t: t["gap"])
    assert shown[0].split()[:3] == [lowest["task"], lowest["judge"], f"{lowest['gap']:.3f}"]
    assert f"{lowest['interval'][0]:.3f} to {lowest['interval'][1]:.3f}" in shown[0]
    assert len(shown) == len(tasks) == 16


def test_every_table_of_gaps_can_be_written(folder):
    plain = json.loads(once("auto", folder, "--format", "json").stdout)
    for rows in ("judges", "tasks", "items"):
        listed = list(csv.DictReader(io.StringIO(run("auto", folder, "--format", "csv", "--rows", rows).stdout)))
        assert [float(r["gap"]) for r in listed] == [p["gap"] for p in plain[rows]]
        if rows != "items":
            assert [[float(r["low"]), float(r["high"])] for r in listed] == [p["interval"] for p in plain[rows]]


def test_rows_are_for_csv(folder):
    assert "--format csv" in run("auto", folder, "--rows", "tasks", code=2).stderr


def test_the_rule_is_found_from_scores_of_models_too(folder):
    text = run("calibrate", folder, folder / "manual.model.A").stdout
    assert text.startswith("half_up reproduces 32 of 32 published scores.")


def test_the_weight_of_units_and_the_cap_hold_for_models_too(tmp_path):
    (tmp_path / "u.csv").write_text("unit,item,support,models\na,x,1,P P Q\nb,x,0,P Q\nc,x,0,Q\n")
    by = []
    for words in ((), ("--weight", "models"), ("--cap",)):
        out = json.loads(run("score", tmp_path / "u.csv", "--models", "--format", "json", *words).stdout)
        by.append([r["modified"] for r in out["items"]])
    # Against Q: a, b and c weigh 1, three on average, P has two. Against P: a weighs 2 and b 1, so three on average but
    # two are there, and Q has both; when a model counts once, a and b weigh 1, two on average.
    assert by == [[2 / 3, 1.0], [2 / 3, 1.0], [2 / 3, 1.0]]
    (tmp_path / "u.csv").write_text("unit,item,support,models\na,x,1,P Q R\nb,x,0,P Q\nc,x,0,P R\n")
    plain, capped = (
        json.loads(run("score", tmp_path / "u.csv", "--models", "--format", "json", *w).stdout)["items"][0]["modified"]
        for w in ((), ("--cap",))
    )
    # Against Q and R: a weighs 2, b and c 1; 4 / 2 = 2 on average, the best is 3, and P has all: 4.
    assert (plain, capped) == (4 / 3, 1.0)


def test_a_unit_without_a_weight_weighs_its_models(tmp_path):
    (tmp_path / "u.csv").write_text("unit,item,support,models\na,x,1,P Q\nb,x,0,Q\n")
    (row,) = json.loads(run("score", tmp_path / "u.csv", "--format", "json").stdout)["items"]
    assert (row["observed"], row["modified"]) == (2, 2 / 3)  # 3 contributors, 1.5 of a model, 2 rounded: best 3


def test_files_whose_models_are_not_found_still_have_the_original_score(tmp_path):
    from tests.formats.test_ducview import PEER, REGEX

    path = tmp_path / "D9901-A.M.100.K.7.pan"
    path.write_text(PEER.replace(REGEX, "").replace("<line>-----</line>", "<line></line>"))
    out = json.loads(run("score", path, "--format", "json").stdout)
    assert out["score"] == "original"
    assert out["items"][0]["original"] == pytest.approx(4 / 6)
    assert out["items"][0]["modified"] is None
