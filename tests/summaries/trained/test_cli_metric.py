"""`quorate metric` as its user runs it: train, score, evaluate, made-up, judgments, features."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.cli.metric import metric as commands


def run(*arguments):
    done = CliRunner().invoke(commands, [str(a) for a in arguments])
    return done.exit_code, done.output


def refused(*arguments):
    """What a user is told whose command ends with exit code 2."""
    code, shown = run(*arguments)
    assert code == 2
    return shown


def test_train_score_and_evaluate_on_the_command_line(collection, tmp_path):
    some = ("--no-stem", "--feature", "rouge_2", "--feature", "type_token", "--size", 1)
    years = (collection / "2009", collection / "2010")
    for name, more in (("all", ()), ("new", ("--without-worst", 1, "--by", "gap"))):
        code, shown = run("train", *some, *more, "--out", tmp_path / f"{name}.json", *years)
        assert code == 0
        assert "predicts pyramid best on 2010" in shown
        assert "sha256" in shown
    assert "Left out in training, 2009: F; 2010: F." in shown
    code, shown = run("evaluate", "--format", "json", tmp_path / "all.json", tmp_path / "new.json", collection / "2011")
    found = json.loads(shown)["metrics"]
    assert code == 0
    assert found[0]["systems"] == 12
    assert 0 < found[1]["permutation_p"] <= 1
    code, shown = run("evaluate", tmp_path / "all.json", collection / "2011")
    assert code == 0
    assert shown.startswith("On 2011 all.json correlates")
    scored = [run("score", "--format", "csv", tmp_path / "all.json", collection / "2011")[1] for _ in range(2)]
    assert scored[0] == scored[1]
    assert len(scored[0].splitlines()) == 1 + 8 * 12


def test_a_year_is_known_by_its_name_and_all_years_together_are_none(collection, tmp_path, monkeypatch):
    some = ("--feature", "longest", "--size", 1, "--out", tmp_path / "m.json")
    assert "both years are called 2009" in refused("train", *some, collection / "2009", collection / "2009")
    assert "the folders of 3 years" in refused("train", *some, collection, collection / "2010")
    assert run("train", *some, collection / "2009", collection / "2010")[0] == 0
    monkeypatch.chdir(collection / "2010")
    assert "2010 was trained on" in refused("evaluate", tmp_path / "m.json", ".")


def test_few_systems_to_test_on_are_told(tmp_path):
    assert run("made-up", "--topics", 2, "--systems", 4, tmp_path / "tac")[0] == 0
    years = [tmp_path / "tac" / y for y in ("2009", "2010", "2011")]
    how = ("--feature", "longest", "--size", 1, "--out", tmp_path / "m.json")
    assert run("train", *how, *years[:2])[0] == 0
    told = "m.json: 4 systems are few to test on: at least 10 are wanted"
    assert f"Note: {told}." in run("evaluate", tmp_path / "m.json", years[2])[1]
    found = json.loads(run("evaluate", "--format", "json", tmp_path / "m.json", years[2])[1])
    assert found["notes"] == [told]


def test_where_no_judge_can_be_called_worst_none_is_left_out_and_a_note_says_so(tmp_path):
    assert run("made-up", "--topics", 4, "--systems", 5, "--identical", 0, tmp_path / "tac")[0] == 0
    how = ("--feature", "longest", "--size", 1, "--without-worst", 1, "--out", tmp_path / "m.json")
    code, shown = run("train", *how, tmp_path / "tac" / "2009", tmp_path / "tac" / "2010")
    assert code == 0
    assert "2009, 2010: no judge has a value by alpha, so that none was left out" in " ".join(shown.split())
    assert "Left out in training" not in shown


def test_a_metric_scores_a_table_of_texts(tmp_path):
    from quorate.summaries.trained.metric import Metric

    one = Metric("pyramid", "main", "NoModels", "robust", "system", ("rouge_1",), (0.0,), (1.0,), 0.0, (1.0,), False)
    one.save(tmp_path / "m.json")
    (tmp_path / "peers.csv").write_text("task,system,text\nt,1,a b\nt,2,c d\n")
    (tmp_path / "models.csv").write_text("task,model,text\nt,P,a b\nt,Q,a c\n")
    tables = ("--peers", tmp_path / "peers.csv", "--models", tmp_path / "models.csv")
    code, shown = run("score", "--format", "csv", *tables, tmp_path / "m.json")
    assert code == 0
    assert [line.split(",")[-1] for line in shown.splitlines()] == ["predicted pyramid", "0.75", "0.25"]
    assert "no summary can be scored" in refused("score", *tables[:2], tmp_path / "m.json")


def test_a_year_that_was_trained_on_is_no_test(collection, tmp_path):
    how = ("--no-stem", "--feature", "rouge_2", "--size", 1, "--out", tmp_path / "m.json")
    assert run("train", *how, collection / "2009", collection / "2010")[0] == 0
    assert "was trained on" in refused("evaluate", tmp_path / "m.json", collection / "2010")


def test_the_test_year_stays_shut_without_a_choice_and_when_the_choice_was_changed(collection, tmp_path, monkeypatch):
    from quorate.summaries.trained import evaluation as command

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
    assert "the hash does not fit" in refused("evaluate", changed, collection / "2011")
    assert "the hash does not fit" in refused("evaluate", file, changed, collection / "2011")  # one is enough
    years = collection / "2009", collection / "2010"
    assert "another choice" in refused("train", *how, "--fit", "nonnegative", "--target", "readability", *years)
    assert read == []
    assert run("evaluate", file, collection / "2011")[0] == 0
    assert len(read) == 1


@pytest.mark.long
def test_the_bad_judges_of_a_made_up_collection_are_found_on_the_command_line(tmp_path):
    folder = tmp_path / "tac"
    code, shown = run("made-up", "--years", 1, "--topics", 18, "--systems", 15, folder)
    assert code == 0
    assert "Judge F misses much" in " ".join(shown.split())
    assert run("judgments", "--out", tmp_path / "judged.csv", folder / "2009")[0] == 0
    asked = ["judges", "--method", "self_consistency", "--format", "json", str(tmp_path / "judged.csv")]
    flagged: dict[str, set[str]] = {}
    for found in json.loads(CliRunner().invoke(main, asked).output)["overall"]:
        if found["flag"]:
            flagged.setdefault(found["criterion"], set()).add(found["judge"])
    assert flagged == {"pyramid": {"C", "F"}, "responsiveness": {"C"}, "readability": {"C"}}
    base = next((folder / "2009").glob("*_eval")) / "manual"
    asked = ["pyramid", "auto", "--judges", str(base / "manual.peer.A"), str(base / "peers")]
    assert "Clearly below the other judges: F, C." in " ".join(CliRunner().invoke(main, asked).output.split())


def test_features_are_listed():
    code, shown = run("features")
    assert code == 0
    assert "rouge_2" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_a_fit_that_has_not_converged_is_told_and_noted_in_the_file(collection, tmp_path, monkeypatch):
    how = ("--no-stem", "--feature", "longest", "--feature", "entropy", "--fit", "robust", "--size", 1)
    years = (collection / "2009", collection / "2010")
    assert run("train", *how, "--out", tmp_path / "good.json", *years)[0] == 0
    assert json.loads((tmp_path / "good.json").read_text())["provenance"]["converged"] is True
    monkeypatch.setattr("quorate.summaries.trained.fits.ROUNDS", 1)
    code, shown = run("train", *how, "--out", tmp_path / "m.json", *years)
    assert code == 0
    assert "the robust fit on 2010 has not converged: do not trust its weights" in " ".join(shown.split())
    assert "of 2 fits have not converged" in shown
    assert json.loads((tmp_path / "m.json").read_text())["provenance"]["converged"] is False
