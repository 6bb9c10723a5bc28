"""A discrimination of every judge: against a slow twin, planted careless judges, few votes, draws, and its limits."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.errors import LimitReached
from quorate.inference.weights import drawn
from quorate.kernels.bradley_terry import TIES, Model
from quorate.kernels.discrimination import Judged, JudgedStep, fit_judged
from quorate.votes import bradley_terry
from tests.calibration.vote_effects import CARE, discrimination_held
from tests.reference import votes as reference
from tests.votes.made import careful, figures, panel, simulated

BY_JUDGE = "bradley_terry(discrimination=judge)"
CARELESS = CARE["2 of 6 judges careless"]


def table_of(votes, prior=0.5, ties="davidson"):
    """The cells of votes, of one judge each, and the votes on them."""
    systems, judges = (sorted({n for v in votes for n in of(v)}) for of in (lambda v: v[2:4], lambda v: v[1:2]))
    cells = sorted({v[1:4] for v in votes})
    judge, first, second = (
        np.array([names.index(c[k]) for c in cells]) for k, names in enumerate((judges, systems, systems))
    )
    model = Model(first, second, np.zeros((len(cells), 0)), len(systems), ties, prior)
    return Judged(model, judge, len(judges)), counted(votes, cells)[None]


def counted(votes, cells):
    """Wins, ties and losses of the first of every cell."""
    out = np.zeros((len(cells), 3))
    for _, *cell, outcome in votes:
        out[cells.index(tuple(cell)), round(2 - 2 * outcome)] += 1
    return out


OUTCOMES = st.lists(st.sampled_from([1.0, 0.5, 0.0]), min_size=18, max_size=18)


@pytest.mark.parametrize("ties", TIES)
@given(outcomes=OUTCOMES, prior=st.sampled_from([0.5, 1.0]))
@settings(deadline=None)
def test_strengths_and_discriminations_are_those_of_a_search_without_derivatives(ties, outcomes, prior):
    asked = [("t", judge, a, b) for judge in "jkl" for a in "abc" for b in "abc" if a != b]
    votes = [(*ask, o) for ask, o in zip(asked, outcomes, strict=True)]
    votes += [("t", "j", "a", "b", 1.0), ("t", "k", "b", "a", 0.0), ("t", "l", "a", "b", 0.5)]  # never all ties
    found, d = fit_judged(*table_of(votes, prior, ties))
    strengths, wanted = reference.discriminating(votes, ties, prior)
    assert found.settled[0]
    np.testing.assert_allclose(found.strengths[0], [strengths[s] for s in "abc"], atol=1e-4)
    np.testing.assert_allclose(d, [wanted[j] for j in "jkl"], atol=1e-4)
    assert d.mean() == pytest.approx(1.0)


def test_strengths_come_nearer_to_the_truth_where_judges_are_careless():
    found = [discrimination_held(seed, 25, CARELESS) for seed in range(10)]
    assert sum(f["nearer"] for f in found) >= 8
    assert np.mean([f["strengths"] for f in found]) >= 0.8  # of 50 intervals at 95 %


def test_careless_and_reversed_judges_are_told_in_answers_and_on_the_board(tmp_path):
    made = simulated(judges=6, random=1, reversed_=1)
    d = figures(q.judges(made, "discrimination", resamples=200, permutations=0), "discrimination")
    assert d["j4"] < 0 < d["j5"] < 0.7 < min(d[j] for j in ("j0", "j1", "j2", "j3"))
    board = q.quality(made, BY_JUDGE, resamples=0)
    assert board.findings[0].about[0]["discrimination"] == pytest.approx(d)
    assert any("judges count as their votes follow the strengths" in note for note in board.notes)
    file = tmp_path / "votes.csv"
    q.write(made, file)
    out = CliRunner().invoke(main, ["judges", str(file), "--method", "discrimination", "--permutations", "0"]).output
    assert "j4 votes against the strengths of the systems" in out
    out = CliRunner().invoke(main, ["quality", str(file), "--discrimination", "judge", "--resamples", "0"]).output
    assert BY_JUDGE in out
    order = q.consensus(made, "strengths(discrimination=judge)", resamples=0, permutations=0).findings[0].values[0]
    assert [name for place in order for name in place] == list("uvwxyz")


def test_judges_who_are_alike_lose_nothing_and_a_judge_of_five_votes_stays_near_one():
    rows = careful(np.random.default_rng(0), 60, (1.0,) * 5)
    few = [("t0", "new", "north-1", "east", 0.0)] * 5  # all against everybody's favourite
    made = panel([*rows, *few])
    d = q.quality(made, BY_JUDGE, resamples=0).findings[0].about[0]["discrimination"]
    assert 0 < d["new"] < min(d[f"j{k}"] for k in range(5))
    plain, by_judge = (
        figures(q.quality(panel(rows), m, resamples=0), "bradley_terry", "system") for m in ("bradley_terry", BY_JUDGE)
    )
    assert by_judge == pytest.approx(plain, abs=0.08)


def by_task(rows, cells):
    """The votes of every task on cells."""
    return np.stack([counted([r for r in rows if r[0] == t], cells) for t in sorted({r[0] for r in rows})])


def stepped(step, model, n):
    """Strengths and discriminations of votes counted otherwise, by one step."""
    pull = (n * step.step.pull).sum(axis=1)
    slope = np.concatenate([model.at(step.d).sides(pull[None])[0], [(n * step.step.tie).sum()]])
    fit, turned = step.fit(slope[None], np.bincount(model.judge, pull * step.gap)[None], None)
    return np.array([*fit.strengths[0], *turned[0]])


def fully(model, n):
    fit, turned = fit_judged(model, n[None])
    return np.array([*fit.strengths[0], *turned])


def test_draws_by_one_step_spread_as_full_fits_do():
    rows = careful(np.random.default_rng(2), 80, CARELESS)
    model, own = table_of(rows, prior=0.0)
    table = by_task(rows, sorted({r[1:4] for r in rows}))
    found, d = fit_judged(model, own)
    step = JudgedStep.of(found, d, model, own)
    np.testing.assert_allclose(stepped(step, model, own[0]), [*found.strengths[0], *d], atol=1e-7)  # who is there stays
    draws = np.einsum("dt,tco->dco", drawn(len(table), 60, np.random.default_rng(1)), table)
    quick = np.std([stepped(step, model, n) for n in draws], axis=0)
    full = np.std([fully(model, n) for n in draws], axis=0)
    np.testing.assert_allclose(quick, full, rtol=0.2)


@pytest.mark.parametrize("care", CARE.values(), ids=CARE)
def test_strengths_move_apart_by_one_step_as_far_as_by_full_fits(care):
    """As what is not known of judges makes strengths smaller, the less the further apart these are."""
    rows = careful(np.random.default_rng(2), 40, care)
    model, own = table_of(rows, prior=0.0)
    found, d = fit_judged(model, own)
    step, s, little = JudgedStep.of(found, d, model, own), found.strengths[0], 1e-3
    counts = [own[0] + little * n for n in by_task(rows, sorted({r[1:4] for r in rows}))]
    quick, full = (np.array([fit(n)[: len(s)] - s for n in counts]) @ s for fit in (
        lambda n: stepped(step, model, n), lambda n: fully(model, n)
    ))  # fmt: skip
    assert (quick @ full) / (full @ full) == pytest.approx(1.0, abs=0.02)


def test_the_order_of_rows_makes_no_difference():
    rows = careful(np.random.default_rng(3), 12, CARELESS)
    one, other = (q.quality(panel(r), BY_JUDGE, resamples=50).to_dict() for r in (rows, rows[::-1]))
    assert one == other


def test_one_judge_has_the_strengths_of_the_plain_model():
    rows = careful(np.random.default_rng(4), 40, (1.0,))
    plain, by_judge = (
        figures(q.quality(panel(rows), m, resamples=0), "bradley_terry", "system")
        for m in ("bradley_terry(place=no)", "bradley_terry(place=no, discrimination=judge)")
    )
    assert by_judge == pytest.approx(plain, abs=1e-9)


def test_too_many_judges_are_refused(monkeypatch):
    monkeypatch.setattr(bradley_terry, "BY_JUDGES", 10)
    with pytest.raises(LimitReached, match="6 judges of 6 systems"):
        q.quality(simulated(), BY_JUDGE, resamples=0)
