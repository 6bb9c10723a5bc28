"""Scores in other units say the same: times 1e-9 or plus 1e6 changes no value, interval, p, flag or order."""

from __future__ import annotations

import math
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import QuorateError
from quorate.verbs import agreement, judges
from tests.family import some
from tests.without import no_flags

SIZED = {"bias", "severity", "noise", "drift", "auto_pyramid"}  # in points: they grow with the scale
FIXED = {"alpha(level=ratio)", "percent(tolerance=1)"}  # know where 0 is, or what one point is
CASES = [
    (question, name)
    for question in ("agreement", "judges")
    for name in [str(m) for m in table.methods("scores", question)]
    if name not in FIXED
]
CASES += [("agreement", f"alpha(level={level})") for level in ("ordinal", "nominal")]
CASES += [("agreement", f"{name}(weights={w})") for name in ("gwet", "cohen") for w in ("linear", "quadratic")]
CASES += [
    ("agreement", "icc(model=1)"),
    ("agreement", "icc(model=3, unit=mean)"),
    ("judges", "influence(level=ordinal)"),
]


def columns(seed: int, whole: bool, there: float) -> dict[str, list[object]]:
    rng = np.random.default_rng(seed)
    level = 2 * rng.normal(size=(3, 5, 1))
    scores = level + rng.normal(size=(3, 5, 5)) + 0.3 * rng.normal(size=5)
    scores = np.clip(np.rint(scores) + 3, 1, 7) if whole else scores
    rows = [
        (f"t{t}", f"j{j}", f"{t}-{i}", f"s{i}", float(v), t * 5 + i + j / 9, "model" if j > 2 else "human", v + 0.25)
        for (t, i, j), v in np.ndenumerate(scores)
        if rng.random() < there
    ]
    rows += [(t, j, i + "'", s, v + (j == "j1"), w, k, a) for t, j, i, s, v, w, k, a in rows[::2]]  # identical outputs
    names = ("task", "judge", "item", "system", "score", "time", "judge_kind", "auto")
    out = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    out["text"] = [str(i).rstrip("'") for i in out["item"]]
    return out


def told(question: str, name: str, raw: dict[str, list[object]], by: float, plus: float) -> list[tuple]:
    moved = [float(v) * by + plus for v in raw["score"]]
    panel = q.Scores.build({**raw, "score": moved, "auto": [float(v) * by + plus for v in raw["auto"]]})
    answer = (agreement if question == "agreement" else judges)(panel, name, resamples=40, permutations=30)
    size = by if name.split("(")[0] in SIZED else 1.0
    rows = [
        (
            e.labels.get("judge"),
            e.value / size,
            *((e.interval.low / size, e.interval.high / size) if e.interval else ()),
            e.null.p if e.null else math.nan,
            e.labels.get("p_holm", math.nan),
            e.labels.get("flag"),
        )
        for f in answer.findings
        for e in f.overall
    ]
    return [*rows, *((f["judge"], f["diagnosis"], f["p"]) for f in answer.more.get("flagged", ()))]


@pytest.mark.parametrize(("question", "name"), some(CASES, 3), ids=str)
@given(seed=st.integers(0, 10_000), whole=st.booleans(), there=st.sampled_from([0.7, 1.0]))
@settings(max_examples=2, deadline=None)
def test_other_units_say_the_same(question: str, name: str, seed: int, whole: bool, there: float) -> None:
    raw = columns(seed, whole, there)
    with nullcontext() if name == "bias" else no_flags():  # who is flagged is the same by every method
        same_in_other_units(question, name, raw)


def same_in_other_units(question: str, name: str, raw: dict[str, list[object]]) -> None:
    try:
        plain = told(question, name, raw, 1.0, 0.0)
    except QuorateError:
        return
    for by, plus in ((1e-9, 0.0), (1.0, 1e6)):
        other = told(question, name, raw, by, plus)
        assert len(other) == len(plain)
        for a, b in zip(plain, other, strict=True):
            assert len(a) == len(b)
            for x, y in zip(a, b, strict=True):
                assert y == (pytest.approx(x, rel=1e-5, abs=1e-7, nan_ok=True) if isinstance(x, float) else x), (a, b)


@pytest.mark.parametrize(("by", "plus"), [(1e-9, 0.0), (1.0, 1e6), (1e6, -5.0)])
@pytest.mark.parametrize("name", [str(m) for m in table.methods("scores", "trust", default=True)])
def test_trust_is_the_same_in_other_units(name: str, by: float, plus: float) -> None:
    def figures(by: float, plus: float) -> list[tuple]:
        raw = columns(5, False, 0.9)
        raw = {n: raw[n] for n in ("task", "judge", "item", "system", "score")}
        panel = q.Scores.build({**raw, "score": [float(v) * by + plus for v in raw["score"]]})
        found = q.trust(panel, name, resamples=40, permutations=30).findings[0].overall
        return [(e.value, *((e.interval.low, e.interval.high) if e.interval else ())) for e in found]

    for seen, moved in zip(figures(1.0, 0.0), figures(by, plus), strict=True):
        assert moved == pytest.approx(seen, rel=1e-6, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize(("by", "plus"), [(1e-9, 0.0), (1.0, 1e6)])
def test_a_leaderboard_is_the_same_in_other_units(by: float, plus: float) -> None:
    def board(by: float, plus: float) -> list[tuple]:
        raw = columns(6, False, 0.9)
        panel = q.Scores.build({**raw, "score": [float(v) * by + plus for v in raw["score"]]})
        found = q.quality(panel, "mean_score", resamples=40).findings[0].overall
        return [
            (e.labels["system"], e.labels["group"], *((v - plus) / by for v in (e.value, *_ends(e)))) for e in found
        ]

    for seen, moved in zip(board(1.0, 0.0), board(by, plus), strict=True):
        assert moved[:2] == seen[:2]
        assert moved[2:] == pytest.approx(seen[2:], rel=1e-6, abs=1e-6)


def _ends(e) -> tuple[float, float]:
    return e.interval.low, e.interval.high
