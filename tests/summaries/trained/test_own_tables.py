"""Metrics trained on judgments in a long table: an evaluation team's own data, no folders of NIST's."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner

from quorate.cli.metric import metric as commands
from quorate.errors import InputError
from quorate.panel.kinds import Scores
from quorate.summaries.trained.table5 import worst_judges
from quorate.summaries.trained.year import Beside, own_year, read_source, two_years

WORDS = [
    "the",
    "dam",
    "broke",
    "on",
    "monday",
    "and",
    "nine",
    "villages",
    "were",
    "flooded",
    "before",
    "help",
    "came",
    "from",
    "the",
    "city",
]
FEW = ("--no-stem", "--feature", "rouge_1", "--feature", "type_token", "--feature", "sentences", "--size", "1")


def sentence(rng, good):
    """A text that has more of the reference the better its system is."""
    return " ".join(w if rng.random() < good else f"x{k}" for k, w in enumerate(WORDS)) + "."


@pytest.fixture
def folder(tmp_path):
    """Three years, 6 tasks each, 8 systems, 3 judges of whom cyd scores at random; helpful follows the content."""
    rng = np.random.default_rng(7)
    rows = []
    for year in ("2023", "2024", "2025"):
        for task in range(6):
            for system in range(8):
                good = (system + 1) / 9
                text = sentence(rng, good)
                for judge in ("ann", "bob", "cyd"):
                    value = rng.uniform(1, 5) if judge == "cyd" else 1 + 4 * good + 0.3 * rng.normal()
                    name = f"{year}-{task}", f"s{system}", f"s{system}", judge
                    rows.append((*name, "helpful", round(value, 2), text, year))
                    rows.append((*name, "short", int(rng.integers(1, 6)), text, year))
    heads = ["task", "item", "system", "judge", "criterion", "score", "text", "year"]
    with (tmp_path / "judged.csv").open("w", newline="") as file:
        csv.writer(file).writerows([heads, *rows])
    with (tmp_path / "references.csv").open("w", newline="") as file:
        tasks = sorted({r[0] for r in rows})
        csv.writer(file).writerows([["task", "model", "text"], *((t, "P", " ".join(WORDS)) for t in tasks)])
    for year in ("2023", "2024"):
        with (tmp_path / f"{year}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([heads[:-1], *(r[:-1] for r in rows if r[-1] == year)])
    return tmp_path


def run(*arguments):
    done = CliRunner().invoke(commands, [str(a) for a in arguments])
    return done.exit_code, done.output, done.exception


def refused(*arguments):
    """What a user is told whose command ends with exit code 2."""
    code, shown, _ = run(*arguments)
    assert code == 2
    return shown


def test_a_metric_is_trained_scored_and_evaluated_on_one_table_with_years(folder):
    beside = ("--references", folder / "references.csv")
    metric = folder / "m.json"
    code, shown, _ = run("train", *FEW, *beside, "--target", "helpful", "--out", metric, folder / "judged.csv")
    assert code == 0
    assert "fit of rouge_1 predicts helpful best on 2024" in " ".join(shown.split())
    body = json.loads(metric.read_text())
    assert body["provenance"]["fitted_on"] == "2023"
    assert body["limit"] is None
    code, shown, _ = run("evaluate", *beside, "--year", 2025, "--format", "json", metric, folder / "judged.csv")
    found = json.loads(shown)
    assert code == 0
    assert found["year"] == "2025"
    assert found["metrics"][0]["pearson"] > 0.9
    assert found["metrics"][0]["systems"] == 8
    code, shown, _ = run("score", *beside, "--format", "csv", metric, folder / "judged.csv")
    assert code == 0
    assert len(shown.splitlines()) == 1 + 3 * 6 * 8


def test_two_tables_are_two_years(folder):
    how = (*FEW, "--references", folder / "references.csv", "--target", "helpful", "--out", folder / "m.json")
    assert run("train", *how, folder / "2023.csv", folder / "2024.csv")[0] == 0
    assert json.loads((folder / "m.json").read_text())["provenance"]["chosen_on"] == "2024"
    assert "was trained on" in refused("evaluate", folder / "m.json", folder / "2024.csv")


def test_round_9_is_before_round_10(folder):
    heads, *rows = csv.reader((folder / "judged.csv").read_text().splitlines())
    known = {"2023": "10", "2024": "9", "2025": "x"}
    with (folder / "rounds.csv").open("w", newline="") as file:
        csv.writer(file).writerows([heads, *((*r[:-1], known[r[-1]]) for r in rows)])
    years = two_years(folder / "rounds.csv", None, Beside())
    assert [y.name for y in years] == ["9", "10"]


def test_the_year_to_evaluate_on_must_be_named_and_new(folder):
    how = (*FEW, "--target", "helpful", "--out", folder / "m.json", folder / "judged.csv")
    assert run("train", *how)[0] == 0
    last = (folder / "m.json", folder / "judged.csv")
    assert "several years" in refused("evaluate", *last)
    assert "was trained on" in refused("evaluate", "--year", "2023", *last)
    assert "no year '1999'" in refused("evaluate", "--year", "1999", *last)


def test_a_judge_left_out_takes_away_only_his_scores(folder):
    year = read_source(folder / "judged.csv", Beside(stem=False), "2023")
    sheet = year.sheet("main", "NoModels", ["sentences"])
    left = sheet.without(["cyd"])
    assert left.tasks == sheet.tasks
    rows = [
        r
        for r in csv.DictReader((folder / "judged.csv").read_text().splitlines())
        if r["task"] == "2023-0" and r["system"] == "s3"
    ]
    mine = [float(r["score"]) for r in rows if r["criterion"] == "helpful"]
    assert sheet.y[0, 3, sheet.criterion("helpful")] == pytest.approx(np.mean(mine))
    assert left.y[0, 3, sheet.criterion("helpful")] == pytest.approx(np.mean(mine[:2]))
    with pytest.raises(InputError, match="no task is left"):
        sheet.without(["ann", "bob", "cyd"])


def test_the_judge_at_odds_with_the_others_is_worst_and_can_be_left_out(folder):
    year = read_source(folder / "judged.csv", Beside(stem=False), "2023")
    assert worst_judges(year, "helpful", "alpha")[0][0] == "cyd"
    how = (*FEW, "--target", "helpful", "--without-worst", 1, "--out", folder / "m.json", folder / "judged.csv")
    shown = run("train", "--references", folder / "references.csv", *how)[1]
    assert "Left out in training, 2023: cyd; 2024: cyd." in shown


def test_a_criterion_that_few_texts_have_does_not_cost_the_others(folder):
    panel = read_source(folder / "judged.csv", Beside(stem=False), "2023").panel
    rows = panel.columns()
    keep = [k for k, c in enumerate(rows["criterion"]) if c == "helpful" or k < 12]
    few = Scores.build({n: [v[k] for k in keep] for n, v in rows.items()})
    sheet = own_year(few, Beside(stem=False), "few").sheet("main", "NoModels", ["sentences", "longest", "type_token"])
    from quorate.summaries.trained.search import search

    found = search(sheet, sheet, "helpful", size=1)
    assert found.responses == ("helpful",)
    assert len(found.prepared.x) == 8


def test_tables_without_what_is_needed_are_refused_with_a_hint(folder):
    plain = folder / "plain.csv"
    plain.write_text("judge,item,score\na,x,1\n")
    with pytest.raises(InputError, match="no column 'text'"):
        read_source(plain, Beside())
    plain.write_text("judge,item,position\na,x,1\n")
    with pytest.raises(InputError, match="not scores"):
        read_source(plain, Beside())
    plain.write_text("judge,item,system,score,text\na,x,s,1,one\na,y,s,1,two\n")
    with pytest.raises(InputError, match="two texts on one task"):
        read_source(plain, Beside())
    with pytest.raises(InputError, match="no column 'year'"):
        two_years(str(plain), None, Beside())
    with pytest.raises(InputError, match="go with tables"):
        read_source(folder, Beside(references="r.csv"))
    assert "2 criteria" in refused("train", *FEW, "--out", folder / "m.json", folder / "judged.csv")


def test_texts_in_a_table_are_scored_with_their_documents(folder):
    from quorate.summaries.trained.metric import Metric

    one = Metric("helpful", "main", "NoModels", "robust", "system", ("divergence",), (0.0,), (1.0,), 0.0, (1.0,), False)
    one.save(folder / "m.json")
    (folder / "peers.csv").write_text("task,system,text\nt,1,a b\nt,2,c d\n")
    (folder / "documents.csv").write_text("task,document,text\nt,1,a\nt,2,b\n")
    tables = ("--peers", folder / "peers.csv", "--documents", folder / "documents.csv")
    code, shown, _ = run("score", "--format", "csv", *tables, folder / "m.json")
    assert code == 0
    assert [line.split(",")[-1] for line in shown.splitlines()[1:]] == ["0.0", "1.0"]


def test_a_row_that_stands_for_several_judges_is_said_to_be_taken_as_one():
    raw = {"judge": ["a", "b"], "item": ["x", "x"], "score": [1, 2], "text": ["Yes.", "Yes."]}
    assert not any("several" in note for note in own_year(Scores.build(raw), Beside(), "first").notes)
    year = own_year(Scores.build({**raw, "count": [3, 1]}), Beside(), "first")
    assert "first: a row that stands for several judges is taken as one" in year.notes
    assert year.sheet("main", "NoModels", ["sentences"]).y.tolist() == [[[1.5]]]


def test_references_that_match_no_task_and_nobody_left_to_evaluate_are_errors(folder):
    wrong = folder / "wrong.csv"
    wrong.write_text("task,model,text\nother,P,a dam\n")
    how = (*FEW, "--target", "helpful", "--out", folder / "m.json")
    shown = refused("train", *how, "--references", wrong, folder / "judged.csv")
    assert "wrong.csv: none of its tasks is one of 2023" in shown
    assert "here other, there 2023-0" in shown
    right = ("--references", folder / "references.csv")
    some = ("--no-stem", "--feature", "rouge_1", "--size", "1", "--target", "helpful", "--out", folder / "m.json")
    assert run("train", *some, *right, folder / "judged.csv")[0] == 0
    last = (folder / "m.json", folder / "judged.csv")
    assert "none of its tasks" in refused("evaluate", "--references", wrong, "--year", "2025", *last)
    shown = " ".join(refused("evaluate", "--year", "2025", *last).split())
    assert "2025: 0 systems are left to evaluate m.json on." in shown
    assert "scores of helpful and, on the same task, models" in shown
    (folder / "peers.csv").write_text("task,system,text\nt,1,a b\n")
    assert "none of its tasks" in refused("score", "--peers", folder / "peers.csv", *right, folder / "m.json")
    (folder / "documents.csv").write_text("task,document,text\nelsewhere,1,a\n")
    with pytest.raises(InputError, match="none of its tasks"):
        read_source(folder / "judged.csv", Beside(documents=str(folder / "documents.csv")), "2023")
