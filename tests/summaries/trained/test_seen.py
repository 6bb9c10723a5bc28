"""What a metric was trained on is known by its content, not by its name; and how sure its test is."""

from __future__ import annotations

import json
import random
import shutil

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from quorate.cli.metric import metric as commands
from quorate.inference.weights import crossed
from quorate.scores.metric_correlations import resampled
from quorate.summaries.trained.metric import Metric
from quorate.summaries.trained.overlap import Seen
from quorate.summaries.trained.table5 import evaluate
from quorate.summaries.trained.year import read_year
from tests.family import some

SOME = ("--no-stem", "--feature", "rouge_2", "--feature", "type_token", "--size", "1")


def run(*arguments):
    done = CliRunner().invoke(commands, [str(a) for a in arguments])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def trained(collection, tmp_path_factory):
    out = tmp_path_factory.mktemp("metric") / "m.json"
    assert run("train", *SOME, "--out", out, collection / "2009", collection / "2010")[0] == 0
    return out


@pytest.mark.parametrize("year", some(["2009", "2010"], 2))
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


LONG = "The dam above the town broke on Monday after a week of rain, and nine villages in the valley were flooded"


def test_a_text_is_known_whatever_its_blanks_case_and_punctuation():
    seen = Seen.of([LONG, "Nine villages were flooded, said the mayor.", "Yes."])
    assert seen.holds(LONG.upper().replace(" ", "\n") + "!") == "same"
    assert seen.holds(LONG + " fell") == "near"  # a word more
    other = LONG.replace("nine", "ten").replace("rain", "snow")
    assert seen.holds(other) == "near"  # 10 of 17 runs are as they were
    assert seen.holds(other.replace("broke", "burst")) == ""  # 5 of 17
    assert seen.holds("Yes.") == ""  # too short to say anything
    assert seen.holds("A very different text that is long enough to be held against all others that were seen") == ""


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=40), min_size=1, max_size=4), st.data())
def test_what_is_near_is_so_by_counting_runs_plainly(texts, data):
    seen = Seen.of([" ".join(t) for t in texts])
    asked = data.draw(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=40))
    runs = [tuple(asked[k : k + 5]) for k in range(len(asked) - 4)]
    known = {tuple(t[k : k + 5]) for t in texts for k in range(len(t) - 4)}
    near = len(asked) >= 20 and sum(r in known for r in runs) >= 0.5 * len(runs)
    expected = "same" if asked in texts and len(asked) >= 8 else "near" if near else ""
    assert seen.holds(" ".join(asked)) == expected
    assert Seen.read(json.loads(json.dumps(seen.to_dict()))).holds(" ".join(asked)) == expected


def test_of_many_texts_some_runs_are_kept_and_suffice():
    rng = random.Random(1)
    texts = [" ".join(str(rng.randrange(10**6)) for _ in range(100)) for _ in range(400)]
    seen = Seen.of(texts) | Seen.of(["x"])
    assert len(seen.runs) < 2 * 2**14
    assert {seen.holds(t + " end") for t in texts} == {"near"}
    assert seen.holds(" ".join(str(rng.randrange(10**6)) for _ in range(100))) == ""


def test_a_year_with_nearly_the_same_texts_is_no_test(collection, trained, tmp_path):
    copy = shutil.copytree(collection / "2010", tmp_path / "2031")
    for path in copy.rglob("ROUGE/peers/*"):
        path.write_text(path.read_text() + " And so on.\n")  # cut off elsewhere, say
    code, shown = run("evaluate", trained, copy)
    assert code == 2
    assert "2031: all of it was trained on, by the texts: " in " ".join(shown.split())


def test_a_few_texts_that_were_seen_are_told_and_no_error(collection, trained, tmp_path):
    copy = shutil.copytree(collection / "2011", tmp_path / "2031")
    old = sorted((collection / "2010").rglob("ROUGE/peers/D1001-A.*"))[0]
    new = sorted(copy.rglob("ROUGE/peers/D1101-A.*"))[0]
    new.write_text(old.read_text())
    code, shown = run("evaluate", trained, copy)
    assert code == 0
    assert "2031: part of it was trained on: 1 text the same, 0 nearly the same, of " in " ".join(shown.split())


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
