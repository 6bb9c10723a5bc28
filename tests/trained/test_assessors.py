"""The paper from end to end on a small made-up collection in which two judges are bad."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from quorate.cli.metric import metric as commands
from quorate.errors import InputError
from quorate.trained import lock, table5
from quorate.trained.assessors import reproduce, text
from quorate.trained.sheet import CRITERIA
from quorate.trained.year import read_year
from quorate.units.made_up import MadeUp

FEATURES = ("rouge_1", "rouge_2", "coverage_2", "divergence", "type_token", "mean_length", "redundancy")
HOW = {"features": FEATURES, "size": 2, "stem": False, "resamples": 50, "again": 20, "controls": 2, "parts": ("main",)}
CARELESS, ERRATIC = "F", "C"


@pytest.fixture(scope="session")
def collection(tmp_path_factory):
    """Three years; judge F misses what there is, judge C gives erratic scores."""
    folder = tmp_path_factory.mktemp("tac")
    bad = {"careless": {CARELESS: 0.4}, "erratic": {ERRATIC: 2.0}}
    MadeUp(topics=10, systems=18, documents=5, judges="ABCDF", identical=0.7, **bad).write(folder)
    return folder


@pytest.fixture(scope="session")
def rows(collection, tmp_path_factory):
    return reproduce(collection, choice=tmp_path_factory.mktemp("choice") / "choice.json", **HOW)


def of(rows, table, **wanted):
    return [r for r in rows if r["table"] == table and all(r[k] == v for k, v in wanted.items())]


def test_the_careless_judge_is_found_by_alpha_and_by_the_gap(rows):
    assert of(rows, "1", criterion="pyramid")[0]["judge"] == CARELESS
    assert of(rows, "figure 1")[0]["judge"] == CARELESS
    assert of(rows, "figure 1")[0]["interval"][1] < min(r["gap"] for r in of(rows, "figure 1")[1:])


@pytest.mark.parametrize("criterion", ["responsiveness", "readability"])
def test_the_erratic_judge_is_found_by_alpha(rows, criterion):
    assert of(rows, "1", criterion=criterion)[0]["judge"] == ERRATIC


def test_table_2_drops_the_judges_that_table_1_and_figure_1_name(rows):
    for criterion in (*CRITERIA, "mP-aP"):
        named = of(rows, "figure 1") if criterion == "mP-aP" else of(rows, "1", criterion=criterion)
        found = of(rows, "2", criterion=criterion, worst=1, coefficient="pearson")
        assert found[0]["judges"] == named[0]["judge"]
        assert found[0]["random"] is not None


def test_summaries_of_the_careless_judge_go_with_rouge_least(rows):
    before, after = (of(rows, "4", criterion="mP-aP", worst=k)[0]["pearson"] for k in (0, 1))
    assert after > before
    assert {r["criterion"] for r in of(rows, "3")} == {*CRITERIA, "mP-aP"}


def test_table_5_has_every_cell_with_tests_stability_and_the_judges_left_out(rows):
    found = of(rows, "5")
    assert len(found) == 2 * 7
    for r in found:
        assert -1 <= r["pearson"] <= 1
        assert 0 <= r["same_choice"] <= 1
        assert set(r["features"]) <= set(FEATURES)
        assert (r["dropped"] == {}) == (r["training"] == "all") == ("random" not in r)
    by_gap = of(rows, "5", training="new (gap)", population="NoModels")[0]
    assert by_gap["dropped"] == {"2009": [CARELESS], "2010": [CARELESS]}


def test_people_are_among_all_peers_only(rows):
    sizes = {r["population"]: r["systems"] for r in of(rows, "5")}
    assert sizes == {"NoModels": 18, "AllPeers": 23}


def test_the_text_names_the_worst_first_and_fits_a_terminal(rows):
    shown = text(rows)
    assert shown.startswith("Least consistent: F on pyramid")
    assert "Table 5" not in shown.splitlines()[0]
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "responsiveness" in shown.split("Pearson's correlation of systems")[1]


def test_the_last_year_is_not_read_before_the_choice_is_written(collection, tmp_path, monkeypatch):
    from quorate.trained import assessors

    events = []
    real_read, real_write = assessors.read_year, lock.write
    monkeypatch.setattr(assessors, "read_year", lambda f, **k: events.append(f.name) or real_read(f, **k))
    monkeypatch.setattr(lock, "write", lambda *a: events.append("choice") or real_write(*a))
    how = {**HOW, "features": ("rouge_2", "type_token"), "size": 1, "populations": ("NoModels",), "again": 0}
    path = tmp_path / "choice.json"
    assessors.reproduce(collection, choice=path, **how)
    assert events == ["2009", "2010", "choice", "2011"]
    assert len(lock.read(path)["metrics"]) == 7
    with pytest.raises(InputError, match="another choice"):  # with other features the choice would be another one
        assessors.reproduce(collection, choice=path, **{**how, "features": ("type_token", "longest")})
    assert events[-1] == "choice"


def test_judges_are_ordered_by_gap_on_pyramid_scores_only(collection):
    year = read_year(collection / "2009", stem=False)
    assert table5.worst_judges(year, "pyramid", "gap")[0][0] == CARELESS
    with pytest.raises(ValueError, match="no order"):
        table5.worst_judges(year, "readability", "gap")


def test_a_folder_without_what_is_needed_is_refused(tmp_path):
    with pytest.raises(InputError, match="years"):
        reproduce(tmp_path)
    with pytest.raises(InputError, match="manual"):
        read_year(tmp_path)
    (tmp_path / "manual.peer").write_text("D1-A 1 x\n")
    with pytest.raises(InputError, match="line 1"):
        read_year(tmp_path)


def test_reproduce_runs_the_paper_on_a_folder_of_years_and_shows_every_table(collection, rows, tmp_path, monkeypatch):
    from quorate.cli import main
    from quorate.reproduce import assessors as paper

    asked = []
    monkeypatch.setattr(paper.assessors, "reproduce", lambda folder, **how: asked.append(folder) or rows)
    shown = CliRunner().invoke(main, ["reproduce", "assessors", "--data", str(collection)])
    assert shown.exit_code == 0
    assert asked == [collection]
    for title in ("Table 1:", "Figure 1:", "Table 2:", "Table 3:", "Table 4:", "Pearson's correlation of systems on"):
        assert title in shown.output
    assert all(len(line) <= 80 for line in shown.output.splitlines())
    (tmp_path / "tac").symlink_to(collection)
    again = CliRunner().invoke(main, ["reproduce", "assessors", "--data", str(tmp_path), "--format", "json"])
    body = json.loads(again.output)["papers"][0]
    assert {r["table"] for r in body["tables"]} == {"1", "2", "3", "4", "5", "figure 1"}
    assert {r["source"] for r in body["rows"]} == {"data"}
    assert asked[1] == tmp_path / "tac"


# -- the commands ------------------------------------------------------------------------------------------------------


def run(*arguments):
    done = CliRunner().invoke(commands, [str(a) for a in arguments])
    return done.exit_code, done.output, done.exception


def test_train_score_and_evaluate_on_the_command_line(collection, tmp_path):
    some = ("--no-stem", "--feature", "rouge_2", "--feature", "type_token", "--size", 1)
    years = (collection / "2009", collection / "2010")
    for name, more in (("all", ()), ("new", ("--without-worst", 1, "--by", "gap"))):
        code, shown, _ = run("train", *some, *more, "--out", tmp_path / f"{name}.json", *years)
        assert code == 0
        assert "predicts pyramid best on 2010" in shown
        assert "sha256" in shown
    assert "Left out in training, 2009: F; 2010: F." in shown
    code, shown, _ = run(
        "evaluate", "--format", "json", tmp_path / "all.json", tmp_path / "new.json", collection / "2011"
    )
    found = json.loads(shown)["metrics"]
    assert code == 0
    assert found[0]["systems"] == 18
    assert 0 < found[1]["permutation_p"] <= 1
    code, shown, _ = run("evaluate", tmp_path / "all.json", collection / "2011")
    assert code == 0
    assert shown.startswith("On 2011 all.json correlates")
    scored = [run("score", "--format", "csv", tmp_path / "all.json", collection / "2011")[1] for _ in range(2)]
    assert scored[0] == scored[1]
    assert len(scored[0].splitlines()) == 1 + 10 * 18


def test_a_metric_scores_a_table_of_texts(tmp_path):
    from quorate.trained.metric import Metric

    one = Metric("pyramid", "main", "NoModels", "robust", "system", ("rouge_1",), (0.0,), (1.0,), 0.0, (1.0,), False)
    one.save(tmp_path / "m.json")
    (tmp_path / "peers.csv").write_text("task,system,text\nt,1,a b\nt,2,c d\n")
    (tmp_path / "models.csv").write_text("task,model,text\nt,P,a b\nt,Q,a c\n")
    tables = ("--peers", tmp_path / "peers.csv", "--models", tmp_path / "models.csv")
    code, shown, _ = run("score", "--format", "csv", *tables, tmp_path / "m.json")
    assert code == 0
    assert [line.split(",")[-1] for line in shown.splitlines()] == ["predicted pyramid", "0.75", "0.25"]
    assert isinstance(run("score", *tables[:2], tmp_path / "m.json")[2], InputError)


def test_a_year_that_was_trained_on_is_no_test(collection, tmp_path):
    how = ("--no-stem", "--feature", "rouge_2", "--size", 1, "--out", tmp_path / "m.json")
    assert run("train", *how, collection / "2009", collection / "2010")[0] == 0
    assert "was trained on" in str(run("evaluate", tmp_path / "m.json", collection / "2010")[2])


def test_the_test_year_stays_shut_without_a_choice_and_when_the_choice_was_changed(collection, tmp_path, monkeypatch):
    from quorate.trained import command

    read = []
    real = command.read_source
    monkeypatch.setattr(command, "read_source", lambda *a: read.append(a) or real(*a))
    file = tmp_path / "m.json"
    assert run("evaluate", file, collection / "2011")[0] == 2  # there is no choice yet
    how = ("--no-stem", "--feature", "rouge_2", "--feature", "type_token", "--size", 1, "--out", file)
    assert run("train", *how, collection / "2009", collection / "2010")[0] == 0
    changed = tmp_path / "changed.json"
    body = json.loads(file.read_text())
    changed.write_text(json.dumps({**body, "coefficients": [9.0]}))
    refused = run("evaluate", changed, collection / "2011")[2]
    assert isinstance(refused, InputError)
    assert "the hash does not fit" in str(refused)
    assert isinstance(run("evaluate", file, changed, collection / "2011")[2], InputError)  # one of several is enough
    other = run(
        "train", *how, "--fit", "nonnegative", "--target", "readability", collection / "2009", collection / "2010"
    )
    assert "another choice" in str(other[2])
    assert read == []
    assert run("evaluate", file, collection / "2011")[0] == 0
    assert len(read) == 1


def test_a_collection_is_made_up_and_its_judges_are_found_on_the_command_line(tmp_path):
    from quorate.cli import main

    folder = tmp_path / "tac"
    size = ("--years", 1, "--topics", 16, "--systems", 18, "--identical", 0.7)
    code, shown, _ = run("made-up", *size, folder)
    assert code == 0
    assert "Judge F misses much" in shown
    code, _, _ = run("judgments", "--out", tmp_path / "judged.csv", folder / "2009")
    assert code == 0
    asked = ["judges", "--method", "self_consistency", "--format", "json", str(tmp_path / "judged.csv")]
    worst = {}
    for found in json.loads(CliRunner().invoke(main, asked).output)["results"]:
        alpha, criterion = found["value"], found["criterion"]
        if alpha is not None and alpha < worst.get(criterion, (2.0, ""))[0]:
            worst[criterion] = (alpha, found["judge"])
    assert {c: j for c, (_, j) in worst.items()} == {"pyramid": "F", "responsiveness": "C", "readability": "C"}
    base = next((folder / "2009").glob("*_eval")) / "manual"
    asked = ["pyramid", "auto", "--format", "json", "--judges", str(base / "manual.peer.A"), str(base / "peers")]
    judges = json.loads(CliRunner().invoke(main, asked).output)["judges"]
    assert min(judges, key=lambda j: j["gap"])["judge"] == "F"


def test_features_are_listed():
    code, shown, _ = run("features")
    assert code == 0
    assert "rouge_2" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
