"""Metrics among the judges of a file are held against people and never averaged with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import quorate as q


def columns(*kinds: tuple[str, str], tasks: int = 12) -> dict[str, list]:
    """Scores of two systems by judges of these names and kinds; a metric's are a hundred times as large."""
    rng, rows = np.random.default_rng(3), []
    for t in range(tasks):
        for system in ("ours", "theirs"):
            true = rng.normal() + (system == "ours")
            for judge, kind in kinds:
                said = (true + 0.3 * rng.normal()) * (100 if kind == "metric" else 1)
                rows.append((f"t{t}", f"t{t}-{system}", system, judge, kind, said))
    names = ("task", "item", "system", "judge", "judge_kind", "score")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


PEOPLE = [("ann", "human"), ("bob", "human")]
GIVEN = columns(*PEOPLE, ("bleu", "metric"), ("chrf", "metric"))


def alone() -> q.Scores:
    keep = [k for k, kind in enumerate(GIVEN["judge_kind"]) if kind == "human"]
    return q.Scores.build({n: [c[k] for k in keep] for n, c in GIVEN.items()})


@pytest.mark.parametrize("ask", [q.agreement, q.judges, q.consensus, q.quality])
def test_figures_are_those_of_the_people_and_it_is_said(ask):
    found, people = (ask(p, resamples=20, permutations=9) for p in (q.Scores.build(GIVEN), alone()))
    assert [f.overall for f in found.findings] == [f.overall for f in people.findings]
    assert "bleu and chrf are metrics: they are held against the judges, not averaged with them" in found.notes
    assert not any("metric" in note for note in people.notes)


def test_trust_holds_the_metrics_of_the_file_against_the_people():
    found = q.trust(q.Scores.build(GIVEN), resamples=20, permutations=9)
    assert {e.labels["metric"] for e in found["metrics"].overall} == {"bleu", "chrf"}
    beside = q.Scores.build(GIVEN).drop_judges("ann", "bob")
    same = q.trust(alone(), metrics=beside, resamples=20, permutations=9)
    assert found["metrics"].overall == same["metrics"].overall


def test_a_file_of_metrics_alone_is_a_panel_as_any_other():
    found = q.agreement(q.Scores.build(columns(("bleu", "metric"), ("chrf", "metric"))), resamples=0)
    assert not any("not averaged" in note for note in found.notes)
    assert found.findings[0].overall


@pytest.mark.parametrize("ask", [q.agreement, q.consensus, q.quality])
def test_people_and_models_count_alike_and_it_is_said(ask):
    found = ask(q.Scores.build(columns(*PEOPLE, ("gpt", "llm"))), resamples=20, permutations=9)
    said = "figures are of all judges alike, 2 people and 1 model (gpt); quorate models tells them apart"
    assert said in found.notes


def test_metrics_of_an_mt_metrics_eval_folder_are_told_apart():
    folder = Path(__file__).parents[2] / "docs" / "examples" / "exports" / "wmt"
    found = q.consensus(q.read(folder), "mean", resamples=0)
    assert "BLEU-refA is a metric: it is held against the judges, not averaged with them" in found.notes
    people = q.consensus(q.read(folder, who="people"), "mean", resamples=0)
    assert found.findings[0].values == people.findings[0].values
