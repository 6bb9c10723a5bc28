"""What a metric was trained on is known by its content, not by its name; and how sure its test is."""

from __future__ import annotations

import csv
import json
import random
import shutil

import numpy as np
import pytest
from click.testing import CliRunner

from quorate.cli.metric import metric as commands
from quorate.inference.weights import crossed
from quorate.panel.kinds import Scores
from quorate.scores.levels import resampled
from quorate.summaries.trained.metric import Metric
from quorate.summaries.trained.own_year import Beside, read_source
from quorate.summaries.trained.table5 import evaluate
from quorate.summaries.trained.year import marks, read_year

SOME = ("--no-stem", "--feature", "rouge_2", "--feature", "type_token", "--size", "1")


def run(*arguments):
    done = CliRunner().invoke(commands, [str(a) for a in arguments])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def trained(collection, tmp_path_factory):
    out = tmp_path_factory.mktemp("metric") / "m.json"
    assert run("train", *SOME, "--out", out, collection / "2009", collection / "2010")[0] == 0
    return out


@pytest.mark.parametrize("year", ["2009", "2010"])
def test_a_renamed_copy_of_a_training_year_is_no_test(collection, trained, tmp_path, year):
    shutil.copytree(collection / year, tmp_path / "2030")
    code, shown = run("evaluate", trained, tmp_path / "2030")
    assert code == 2
    assert "2030: all of it was trained on" in shown


def test_a_task_of_a_training_year_among_new_ones_is_found(collection, trained, tmp_path):
    mixed = shutil.copytree(collection / "2011", tmp_path / "2030")
    for path in (collection / "2010").rglob("ROUGE/peers/D1001-A.*"):
        shutil.copy(path, next(mixed.rglob("ROUGE/peers")) / path.name)
    lines = next((collection / "2010").rglob("manual.peer.A")).read_text().splitlines()
    with next(mixed.rglob("manual.peer.A")).open("a") as table:
        table.writelines(f"{line}\n" for line in lines if line.startswith("D1001-A"))
    code, shown = run("evaluate", trained, mixed)
    assert code == 2
    assert "1 task of it was trained on" in shown


def test_a_year_is_not_chosen_on_its_own_copy(collection, tmp_path):
    shutil.copytree(collection / "2009", tmp_path / "2030")
    code, shown = run("train", *SOME, "--out", tmp_path / "m.json", collection / "2009", tmp_path / "2030")
    assert code == 2
    assert "all of it is in 2009 too" in shown


def test_marks_do_not_depend_on_names_blanks_or_the_order_of_rows():
    rows = [("t1", "a", "x", 1.0, "One two."), ("t1", "a", "y", 2.0, "Three."), ("t2", "b", "x", 3.0, "Four.")]
    rows += [("t2", "b", "y", 1.0, "Five.")]

    def panel(rows):
        return Scores.build(dict(zip(("task", "judge", "item", "score", "text"), zip(*rows, strict=True), strict=True)))

    renamed = [(t + "!", j.upper(), i * 2, s, x.replace(" ", "  ") + "\n") for t, j, i, s, x in rows]
    random.Random(1).shuffle(renamed)
    assert marks(panel(rows)) == marks(panel(renamed))
    other = [(t, j, i, s + (t == "t2"), x) for t, j, i, s, x in rows]
    assert len({*marks(panel(rows))} & {*marks(panel(other))}) == 1  # the task that is the same


def test_a_single_text_with_its_score_is_not_enough_to_call_a_task_seen(tmp_path):
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["task", "judge", "item", "score", "text"], [1, "a", "x", 1, "Yes."]])
    assert len(marks(read_source(tmp_path / "t.csv", Beside()).panel)) == 1  # of the whole, not of the task


def test_the_interval_of_a_test_comes_with_the_mean_of_its_draws(collection, trained):
    sheet = read_year(collection / "2011", stem=False).sheet("main", "NoModels")
    metric = Metric.load(trained)
    x, z = metric.table(sheet), sheet.y[:, :, sheet.criterion(metric.target)]
    for resample in ("both", "systems", "inputs"):
        found = evaluate(metric, sheet, resample=resample)
        drawn = resampled(x, z, "system", "pearson", *crossed(0, resample, *x.shape, 500))
        assert found["bootstrap_mean"] == pytest.approx(np.nanmean(drawn))
        assert found["interval"] == pytest.approx(np.nanquantile(drawn, [0.025, 0.975]).tolist())
    assert found["interval_by"] == "tasks"


def test_drawing_tasks_pulls_the_test_down_and_the_corrected_interval_allows_for_it(collection, trained):
    year = collection / "2011"
    shown = [run("evaluate", "--format", "json", *o, trained, year)[1] for o in ((), ("--interval", "corrected"))]
    plain, corrected = (json.loads(s)["metrics"][0] for s in shown)
    assert plain["bootstrap_mean"] < plain["pearson"]
    assert corrected["interval"][1] > plain["interval"][1]
    assert corrected["pearson"] == plain["pearson"]
    assert "average" in run("evaluate", trained, year)[1]
