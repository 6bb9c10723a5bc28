"""Pairwise votes, and how large a study must be."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

from quorate import Scores, agreement
from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.kernels.binomial import wilson
from quorate.scores.plan import pilot, plan, simulated
from quorate.scores.votes import Vote, positions, read_votes, vote_agreement


def test_a_judge_who_takes_the_first_flips_every_swapped_pair():
    votes = [Vote("j", t, *pair, pair[0]) for t in range(10) for pair in (("x", "y"), ("y", "x"))]
    found = positions(votes)[0]
    assert (found.first.hits, found.first.of, found.first.value) == (20, 20, 1.0)
    assert (found.flips.hits, found.flips.of) == (10, 10)
    assert found.first.interval[0] > 0.8


def test_a_judge_who_looks_at_the_outputs_flips_none():
    votes = [Vote("j", t, *pair, "x") for t in range(10) for pair in (("x", "y"), ("y", "x"))]
    found = positions(votes)[0]
    assert (found.first.value, found.flips.value, found.ties.value) == (0.5, 0.0, 0.0)


def test_a_tie_once_swapped_is_a_flip_but_no_reversal():
    found = positions([Vote("j", 1, "x", "y", "x"), Vote("j", 1, "y", "x", None)])[0]
    assert (found.flips.hits, found.reversals.hits) == (1, 0)


def test_one_vote_is_never_agreement():
    found = vote_agreement([Vote("a", 1, "x", "y", "x"), Vote("a", 2, "x", "y", "x"), Vote("b", 2, "y", "x", "x")])
    assert (found.agree.value, found.agree.of, found.cells, found.single) == (1.0, 1, 1, 1)
    assert math.isnan(vote_agreement([Vote("a", 1, "x", "y", "x")]).agree.value)


def test_votes_are_read_from_rows_and_bad_ones_refused():
    rows = [
        {"judge": "j", "task": 1, "a": "x", "b": "y", "winner": w} for w in ("a", "model_b", "y", "tie (inconsistent)")
    ]
    assert [v.winner for v in read_votes(rows)] == ["x", "y", "y", None]
    with pytest.raises(InputError, match="neither"):
        read_votes([{**rows[0], "winner": "z"}])
    with pytest.raises(InputError, match="no task"):
        read_votes([{"judge": "j", "a": "x", "b": "y", "winner": "a"}])


def test_mtbench_votes(data):
    with open(data / "mtbench" / "human.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    votes = read_votes(
        {
            "judge": r["judge"],
            "task": (r["question_id"], r["turn"]),
            "a": r["model_a"],
            "b": r["model_b"],
            "winner": r["winner"],
        }
        for r in rows
    )
    found = vote_agreement(votes)
    assert len(votes) == 3355
    assert found.cells + found.single == 1814
    same = total = 0
    cells = {}
    for v in votes:
        cells.setdefault((v.task, *sorted((v.first, v.second))), {}).setdefault(v.judge, v.winner)
    for cell in cells.values():
        said = list(cell.values())
        for i in range(len(said)):
            for k in range(i):
                total, same = total + 1, same + (said[i] == said[k])
    assert (found.agree.hits, found.agree.of) == (same, total)


def test_wilsons_interval_is_scipys():
    scipy = pytest.importorskip("scipy.stats")
    for hits, of in ((0, 5), (3, 10), (10, 10), (500, 1000)):
        peer = scipy.binomtest(hits, of).proportion_ci(method="wilson")
        found = wilson(hits, of)
        assert found == pytest.approx((peer.low, peer.high), abs=1e-12)


# -- plans -------------------------------------------------------------------------------------------------------------


def test_more_certainty_needs_more_and_the_width_is_kept():
    wide, narrow = plan(0.8, 0.2, judges=(3,), studies=300), plan(0.8, 0.1, judges=(3,), studies=300)
    for a, b in zip(wide.needs, narrow.needs, strict=True):
        assert b.needed > 2 * a.needed
        assert a.width <= 0.2
        assert b.width <= 0.1


def test_a_planned_study_has_the_width_that_was_planned():
    from quorate.scores import alpha

    found = plan(0.7, 0.2, points=0, judges=(3,), studies=500).needs[1]
    rng = np.random.default_rng(1)
    studies = simulated(0.7, 0, (300, found.needed, 3), rng)
    values = [alpha(s.T) for s in studies]
    low, high = np.quantile(values, [0.025, 0.975])
    assert high - low == pytest.approx(0.2, abs=0.04)
    assert np.mean(values) == pytest.approx(0.7, abs=0.02)


def test_what_cannot_be_planned_is_refused():
    for wrong in ({"alpha": 1.0}, {"width": 0}, {"points": 1}):
        with pytest.raises(BadParameter):
            plan(**wrong)
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
