"""Which judge prefers which label: against plain loops, on a planted preference, and at the edges."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given

import quorate as q
from quorate.cli import main
from quorate.panel.units import from_table
from quorate.scores.label_bias import _beyond, _means, label_bias
from tests.reference import latent_truth as plain
from tests.scores.test_latent_truth import answers, tables


@given(rows=tables())
def test_how_much_more_often_is_that_of_plain_loops(rows):
    _, lists, known = answers(rows)
    units = from_table(rows)
    labels, at, beyond = _beyond(units)
    found = _means(units, at, beyond)
    expected = plain.label_bias(lists, known)
    assert labels.tolist() == known
    for j in range(len(rows)):
        for k, label in enumerate(known):
            value = expected.get((j, label), math.nan)
            np.testing.assert_allclose(found[j, k], value, atol=1e-12)
    most = label_bias(units)
    mine = [[v for (j, _), v in expected.items() if j == judge] for judge in range(len(rows))]
    np.testing.assert_allclose(
        most.of(np.ones((1, units.size)))[0], [max(v, default=math.nan) for v in mine], atol=1e-12
    )


def preferring(seed: int = 1, prefers: float = 0.4) -> q.Scores:
    """Six judges as good as one another, of whom the first says "spam" where he is in doubt."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(120):
        true = int(rng.integers(3))
        for j in rng.choice(6, 4, replace=False).tolist():
            said = true if rng.random() < 0.8 else int(rng.integers(3))
            said = 2 if j == 0 and rng.random() < prefers else said
            rows.append((f"j{j}", f"i{i:03}", ("news", "mail", "spam")[said]))
    return q.Scores.build(dict(zip(("judge", "item", "label"), map(list, zip(*rows, strict=True)), strict=True)))


def test_a_planted_preference_is_found_and_said(tmp_path):
    panel = preferring()
    answer = q.judges(panel, "label_bias", resamples=100)
    first = answer["label_bias"] if "label_bias" in [str(f.method) for f in answer.findings] else None
    assert first is not None
    f = answer.findings[0]
    rows = list(zip(f.keys["judge"], f.keys["label"], f.values, f.details["p_holm"], strict=True))
    assert rows[0][:2] == ("j0", "spam")
    assert rows[0][2] > 0.15
    assert rows[0][3] < 0.01
    assert {r[0] for r in rows if r[3] <= 0.05 and r[2] > 0} == {"j0"}
    low, high = f.details["interval"][0]
    assert low < rows[0][2] < high
    found = q.label_quality(panel, resamples=50)
    assert any("j0 says spam more often than the others" in s for s in found.sentences)
    file = tmp_path / "labels.csv"
    q.write(panel, file)
    run = CliRunner().invoke(main, ["labels", str(file), "--format", "json", "--resamples", "50"])
    assert run.exit_code == 0, run.output
    assert json.loads(run.output)["preferences"][0]["label"] == "spam"


def test_where_all_are_alike_nobody_prefers_a_label():
    named = 0
    for seed in range(12):
        f = q.judges(preferring(seed, prefers=0.0), "label_bias", resamples=0).findings[0]
        named += min(f.details["p_holm"]) <= 0.05
    assert named <= 3


@pytest.mark.parametrize(
    "columns",
    [
        {"judge": ["a"], "item": ["x"], "label": ["yes"]},  # one judge
        {"judge": [*"ab"], "item": [*"xy"], "label": ["ü", "日本"]},  # nothing in common
        {"judge": [*"ab"] * 3, "item": [*"xxyyzz"], "label": ["ja"] * 6},  # all the same
    ],
)
def test_edges(columns):
    found = q.judges(q.Scores.build(columns), "label_bias", resamples=10).findings
    assert all(math.isnan(o.value) or o.value == 0 for f in found for o in f.overall)
