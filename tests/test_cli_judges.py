"""`quorate judges`, `quorate trust` and `quorate simulate`: answers, formats, and what users get wrong."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main

QUICK = ("--resamples", "100", "--permutations", "20")


def run(*words, code=0):
    result = CliRunner().invoke(main, [str(w) for w in words])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def panel(tmp_path_factory):
    path = tmp_path_factory.mktemp("panel") / "judges.csv"
    run("simulate", path, "--judges", 6, "--items", 7, "--tasks", 4, "--dispersion", 0.4, "--reversed", 1)
    return path


# -- simulate ---------------------------------------------------------------------------------------------------------


def test_simulate_writes_a_panel_that_is_read_back(panel):
    found = q.read(panel)
    assert (len(found.judges), len(found.items), len(found.tasks)) == (7, 7, 4)
    assert "reversed-1" in found.judges


def test_simulate_is_the_same_with_the_same_seed(tmp_path):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        run("simulate", "--model", "plackett_luce", "--seed", seed, tmp_path / f"{name}.csv")
    a, b, c = ((tmp_path / f"{name}.csv").read_bytes() for name in "abc")
    assert a == b != c


def test_simulate_to_standard_output():
    rows = list(csv.DictReader(io.StringIO(run("simulate", "-", "--judges", 2, "--items", 3).stdout)))
    assert {r["judge"] for r in rows} == {"1", "2"}


def test_simulate_refuses_what_cannot_be():
    assert "--dispersion" in run("simulate", "-", "--dispersion", 2, code=2).output


# -- judges -----------------------------------------------------------------------------------------------------------


def test_judges_are_listed_from_worst_to_best_after_plain_sentences(panel):
    text = run("judges", panel, *QUICK).stdout
    rest = text.split("\n\n", 1)[1]  # below what was read
    assert rest.startswith("reversed-1's order is nearly the reverse of the others'.")
    assert "the mean of the judges is" in " ".join(text.split())
    table = rest[rest.index("By judge, flagged ones first") :].split("\n\n")[0]
    rows = [line.split() for line in table.splitlines() if "-" in line.split(" ")[0]]
    assert rows[0][:2] == ["reversed-1", "reversed"]  # what is wrong with it
    lines = [line for line in table.splitlines() if re.match(r"(reversed-)?\d", line)]
    values = [float(re.search(r"-?\d\.\d{3}", line)[0]) for line in lines]  # by the first method
    assert len(values) == 7
    assert values == sorted(values)
    assert max(map(len, text.splitlines())) <= 80


def test_judges_as_json_keep_the_contract(panel):
    told = json.loads(run("judges", panel, "--format", "json", *QUICK).stdout)
    assert (told["kind"], told["question"], told["tasks"], told["judges"]) == ("orderings", "judges", 4, 7)
    assert len(told["results"]) == 3 * 4 * 7
    assert {"task", "judge", "method", "value", "details"} == set(told["results"][0])
    assert len(told["overall"]) == 3 * 7
    assert {"judge", "method", "value", "interval", "flag", "p_value"} <= set(told["overall"][0])
    consensus = next(r["details"]["consensus"] for r in told["results"] if r["method"] == "influence")
    assert sorted(i for group in consensus for i in group) == [str(i) for i in range(1, 8)]


def test_judges_as_csv_have_a_row_per_task_judge_and_method(panel):
    rows = list(csv.DictReader(io.StringIO(run("judges", panel, "--format", "csv", *QUICK).stdout)))
    assert len(rows) == 3 * 4 * 7
    assert {"task", "judge", "method", "value", "v1", "v2", "outlier"} <= set(rows[0])


def test_one_method_shows_its_interval(panel):
    text = run("judges", panel, "--method", "support_outliers(q=0.75, lam=0.5)", *QUICK).stdout
    assert "75% of the judges" in " ".join(text.split())
    assert "95% CI (tasks)" in text


@pytest.mark.parametrize(
    ("method", "said"),
    [("outlier", "UnknownMethod"), ("support_outliers(eps3=1)", "eps2"), ("support_outliers(eps2=0)", "above 0")],
)
def test_wrong_methods_are_told_with_a_hint(panel, method, said):
    assert said in run("judges", panel, "--method", method, code=2).output


# -- trust ------------------------------------------------------------------------------------------------------------


def test_trust_says_what_tells_good_from_bad_first(panel):
    text = run("trust", panel, "--task", "1", *QUICK).stdout
    assert "above its reverse" in " ".join(text.split())
    for name in ("discriminativeness", "noise", "split_half", "judges_needed"):
        assert name in text
    assert max(map(len, text.splitlines())) <= 80


def test_trust_in_one_quality_method(panel):
    told = json.loads(run("trust", panel, "--of", "frespa(min_sup=0.5, w_len=0)", "--format", "json", *QUICK).stdout)
    assert {o["of"] for o in told["overall"] if "of" in o} == {"frespa(min_sup=0.5, w_len=0)"}
    assert "discriminativeness(of=frespa(min_sup=0.5; w_len=0))" in {o["method"] for o in told["overall"]}


def test_a_nested_text_form_from_the_output_can_be_asked_again(panel):
    method = "discriminativeness(of=frespa(min_sup=0.5; w_len=0))"
    told = json.loads(run("trust", panel, "--method", method, "--format", "json", *QUICK).stdout)
    assert {o["method"] for o in told["overall"]} == {method}
    assert [r["task"] for r in told["results"]] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("method", ["sweep(repeats=1)", "tune"])
def test_longer_tables_fit_the_page(panel, method):
    text = run("trust", panel, "--task", "1", "--method", method, *QUICK).stdout
    assert max(map(len, text.splitlines())) <= 80


def test_a_wrong_quality_method_is_told_with_a_hint(panel):
    assert "did you mean 'frespa'" in run("trust", panel, "--of", "frespaa", code=2).output


def test_trust_as_csv(panel):
    rows = list(csv.DictReader(io.StringIO(run("trust", panel, "--task", "1", "--format", "csv", *QUICK).stdout)))
    assert {"discriminativeness", "noise", "split_half", "judges_needed"} == {r["method"] for r in rows}
