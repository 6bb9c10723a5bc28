"""Language models as judges: may they replace a human, and do they err together?"""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given

from quorate import Scores, judges
from quorate.cli import main
from quorate.errors import InputError, UnknownId
from quorate.panel.judge_kinds import with_models
from quorate.scores.alternative import yekutieli
from tests.reference import scores as plain
from tests.scores.test_judges_of_scores import of, simulated, tables
from tests.without import without_flags


@pytest.mark.parametrize("align", ["rmse", "accuracy"])
@given(scores=tables(judges=(3, 4), items=(3, 8)))
@without_flags
def test_advantages_equal_the_plain_twin(align, scores):
    panel = with_models(Scores.from_matrix(scores), [1])
    found = judges(panel, f"alternative(align={align}, least=2)", resamples=100)
    rows = {r["human"]: r for r in found.to_dict()["results"]}
    for human, won in enumerate(plain.advantages(scores[0], scores[1:], align), 2):
        if len(won) >= 2:
            assert rows[human]["value"] == pytest.approx(np.mean([a for a, _ in won]))
            assert rows[human]["details"]["human_advantage"] == pytest.approx(np.mean([b for _, b in won]))
        else:
            assert human not in rows


def test_a_good_model_may_replace_a_human_and_a_bad_one_not():
    panel = with_models(simulated(["random"], judges=6, items=150), ["j0", "j1"])
    found = of(panel, "alternative")
    assert set(found) == {"j0", "j1"}
    assert (found["j1"].value, found["j1"].labels["replaces"]) == (1.0, True)
    assert (found["j0"].value, found["j0"].labels["replaces"]) == (0.0, False)
    low, high = found["j1"].labels["advantage_interval"]
    assert low < found["j1"].labels["advantage"] < high


def test_who_is_human_must_be_told():
    panel = simulated()
    with pytest.raises(InputError, match="judge_kind"):
        judges(panel, "alternative")
    with pytest.raises(UnknownId, match="no judge 'gpt'"):
        with_models(panel, ["gpt"])
    with pytest.raises(InputError, match="no human"):
        judges(with_models(panel, panel.judges), "alternative")


def test_false_discoveries_are_corrected_by_benjamini_and_yekutieli():
    scipy = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(0)
    for _ in range(20):
        p = rng.random(7) ** 3
        assert yekutieli(p, 0.05).tolist() == (scipy.false_discovery_control(p, method="by") <= 0.05).tolist()


def test_models_that_err_together_are_worth_fewer():
    rng = np.random.default_rng(9)
    items = 800
    truth = rng.normal(size=items)
    humans = truth + 0.5 * rng.normal(size=(3, items))
    together = 0.6 * rng.normal(size=items)
    alike = truth + together + 0.6 * rng.normal(size=(4, items))
    apart = truth + 0.85 * rng.normal(size=(4, items))
    names = ["h1", "h2", "h3", *"abcd"]
    for models, low, high in ((alike, 0.4, 0.6), (apart, -0.1, 0.1)):
        panel = with_models(Scores.from_matrix(np.concatenate([humans, models]), judges=names), list("abcd"))
        found = of(panel, "independence")["a"]
        assert low < found.value < high
        worth = found.labels["effective_judges"]
        assert (1.3 < worth < 2) if low > 0 else worth > 3.2
        assert found.labels["effective_interval"][0] <= worth <= found.labels["effective_interval"][1]


@without_flags
def test_the_command_line_knows_models_criteria_and_limits(data):
    folder = data / "summeval"
    command = [
        "judges",
        str(folder / "summeval_experts.csv"),
        str(folder / "summeval_llm_judges.csv"),
        "--rename",
        "doc=task",
    ]
    command += [
        "--criteria",
        "coherence,fluency",
        "--criterion",
        "coherence",
        "--models",
        "gpt-4o,gpt-4o-mini,llama-31,gemini_pro,gemini_flash,mistral-v03",
    ]
    out = CliRunner().invoke(main, [*command, "--method", "alternative", "--format", "json"], catch_exceptions=False)
    rows = json.loads(out.output)["overall"]
    assert len(rows) == 6
    assert {r["judge"]: r["value"] for r in rows}["gpt-4o"] == 1.0
    text = CliRunner().invoke(main, [*command, "--resamples", "50"], catch_exceptions=False).output
    assert max(map(len, text.splitlines())) <= 80
    wrong = CliRunner().invoke(main, [*command[:-1], "gpt-5"])
    assert wrong.exit_code == 2


def test_humans_with_few_units_are_skipped_by_name_and_the_limit_is_a_parameter():
    rng = np.random.default_rng(0)
    rows = [(j, f"i{k}", float(rng.integers(1, 6))) for j in ("ann", "bob", "gpt") for k in range(40)]
    rows += [("cat", f"i{k}", float(rng.integers(1, 6))) for k in range(10)]
    judge, item, score = zip(*rows, strict=True)
    panel = with_models(Scores.build({"judge": judge, "item": item, "score": score}), ["gpt"])
    usual = judges(panel, "alternative")
    assert "alternative: fewer than 30 shared units, so not tested: cat" in usual.notes
    assert usual.findings[0].overall[0].labels["humans"] == 2
    all_of_them = judges(panel, "alternative(least=10)")
    assert not any("not tested" in note for note in all_of_them.notes)
    assert all_of_them.findings[0].overall[0].labels["humans"] == 3
