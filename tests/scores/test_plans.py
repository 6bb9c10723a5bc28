"""How large a study of scores must be."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from quorate import Scores, agreement
from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.kernels.binomial import wilson
from quorate.scores.plan import pilot, simulated, widths


def test_wilsons_interval_is_scipys():
    scipy = pytest.importorskip("scipy.stats")
    for hits, of in ((0, 5), (3, 10), (10, 10), (500, 1000)):
        peer = scipy.binomtest(hits, of).proportion_ci(method="wilson")
        found = wilson(hits, of)
        assert found == pytest.approx((peer.low, peer.high), abs=1e-12)


# -- plans -------------------------------------------------------------------------------------------------------------


def test_more_certainty_needs_more_and_the_width_is_kept():
    wide, narrow = widths(0.8, 0.2, judges=(3,), studies=300), widths(0.8, 0.1, judges=(3,), studies=300)
    for a, b in zip(wide.needs, narrow.needs, strict=True):
        assert b.needed > 2 * a.needed
        assert a.width <= 0.2
        assert b.width <= 0.1


def test_a_planned_study_has_the_width_that_was_planned():
    from quorate.scores import alpha

    found = widths(0.7, 0.2, points=0, judges=(3,), studies=500).needs[1]
    rng = np.random.default_rng(1)
    studies = simulated(0.7, 0, (300, found.needed, 3), rng)
    values = [alpha(s.T) for s in studies]
    low, high = np.quantile(values, [0.025, 0.975])
    assert high - low == pytest.approx(0.2, abs=0.04)
    assert np.mean(values) == pytest.approx(0.7, abs=0.02)


def test_what_cannot_be_planned_is_refused():
    for wrong in ({"alpha": 1.0}, {"width": 0}, {"points": 1}):
        with pytest.raises(BadParameter):
            widths(**wrong)
    with pytest.raises(InputError, match="no alpha"):
        pilot(Scores.from_matrix([[1, 2, 3]]))


def test_the_command_plans_from_a_guess_and_from_a_pilot(tmp_path):
    runner = CliRunner()
    one = runner.invoke(
        main, ["plan", "--alpha", "0.8", "--studies", "100", "--format", "json"], catch_exceptions=False
    )
    assert json.loads(one.output)["needs"][0]["what"] == "duplicates"
    assert runner.invoke(main, ["plan", "--alpha", "0.8", "--studies", "100", "--format", "json"]).output == one.output
    file = tmp_path / "pilot.csv"
    file.write_text(
        "judge,item,score\n"
        + "".join(f"{j},{i},{(i + (i % 3 == 0) * (j == 'b')) % 5}\n" for j in "ab" for i in range(20))
    )
    text = runner.invoke(main, ["plan", str(file), "--studies", "100"], catch_exceptions=False).output
    assert "Planted duplicates" in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_pilot_with_criteria_says_which_one_is_planned_for(tmp_path):
    lines = [f"t{t},s,{j},{t % 5 + 1},{(t * (2 if j == 'b' else 3)) % 5 + 1}" for t in range(20) for j in "ab"]
    path = tmp_path / "pilot.csv"
    path.write_text("task,system,judge,easy,hard\n" + "\n".join(lines) + "\n")
    result = CliRunner().invoke(main, ["plan", str(path), "--studies", "100", "--width", "0.5"])
    assert "(of hard, the lowest of 2 criteria)" in " ".join(result.output.split())
    assert max(map(len, result.output.splitlines())) <= 80


def test_both_sides_of_a_vote_are_drawn_together():
    # With 0 and 1 on two sides, agreement of a pair is agreement of either side: the interval is that of the pairs.
    rng = np.random.default_rng(0)
    votes = rng.random((2, 40)) < 0.7
    rows = [
        (f"p{i}", j, side, i, float(votes[j, i] == (side == "x"))) for i in range(40) for j in (0, 1) for side in "xy"
    ]
    names = ("item", "judge", "system", "task", "score")
    columns = {n: [r[k] for r in rows] for k, n in enumerate(names)}
    once = {n: [v for v, r in zip(c, rows, strict=True) if r[2] == "x"] for n, c in columns.items()}
    both = Scores.build({**columns, "shown": [1 if r[2] == "x" else 2 for r in rows]})
    wide = agreement(both, "percent", seed=1).findings[0].overall[0]
    single = agreement(Scores.build(once), "percent", seed=1).findings[0].overall[0]
    assert wide.value == single.value
    ends = (single.interval.low, single.interval.high)  # pairs drawn apart, a thousand times: nearly the same
    assert (wide.interval.low, wide.interval.high) == pytest.approx(ends, abs=0.005)
