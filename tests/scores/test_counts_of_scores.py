"""A row that stands for several judges (column ``count``) says the same as those judges one by one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import QuorateError
from quorate.scores.labels import LATENT
from tests.reference import score_trust as plain
from tests.reference import scores as twins
from tests.reference import votes as reference
from tests.without import without_flags

score = st.one_of(st.none(), st.integers(1, 5))
AS_ONE = ("cohen", "kendall_w", "icc(model=2, unit=single)")  # and they say so


@st.composite
def counted(draw):
    """Rows of judge, task, system, score and how many judges gave it; every judge stands for as many throughout."""
    stand = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    cells = [(j, t, s) for j in range(len(stand)) for t in range(draw(st.integers(1, 3))) for s in "xyz"]
    scores = [draw(score) for _ in cells]
    return [(f"j{j}", f"t{t}", s, v, stand[j]) for (j, t, s), v in zip(cells, scores, strict=True) if v is not None]


def panel_of(rows):
    names = ("judge", "task", "system", "score", "count")[: len(rows[0])]
    raw = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    items = [f"{task}-{system}" for task, system in zip(raw["task"], raw["system"], strict=True)]
    return q.Scores.build({**raw, "item": items})


@given(rows=counted().filter(bool))
def test_consensus_and_quality_are_those_of_the_judges_one_by_one(rows):
    each = plain.written_out(rows)
    for question in ("consensus", "quality"):
        for m in table.methods("scores", question):
            if m.name in LATENT:
                continue  # models of what each judge is like: one name is one judge there
            once, again = (getattr(q, question)(panel_of(r), str(m), resamples=0).findings[0] for r in (rows, each))
            values = [
                {tuple(str(f.keys[n][k]) for n in f.keys): v for k, v in enumerate(f.values)} for f in (once, again)
            ]
            assert values[0] == pytest.approx(values[1], abs=1e-9, nan_ok=True), str(m)
            means = [{o.labels["system"]: o.value for o in f.overall} for f in (once, again)]
            assert means[0] == pytest.approx(means[1], abs=1e-6, nan_ok=True), str(m)


@given(rows=counted().filter(lambda rows: len({system for _, _, system, _, _ in rows}) > 1))
def test_strengths_are_those_of_every_two_systems_that_one_judge_compared(rows):
    systems = sorted({system for _, _, system, _, _ in rows})
    wins = plain.wins(plain.written_out(rows), systems)
    games = {s: sum(wins[k]) + sum(w[k] for w in wins) for k, s in enumerate(systems)}
    cells = [(s, o, wins[a][b]) for a, s in enumerate(systems) for b, o in enumerate(systems)]
    votes = [("", "", s, other, 1.0) for s, other, won in cells for _ in range(int(2 * won))]
    found = q.quality(panel_of(rows), "bradley_terry(prior=0.5)", resamples=0)
    given = found.findings[0].about[0]["prior"]
    expected = reference.bradley_terry(votes, "half", prior=2 * given)[0] if votes else {}  # all counted twice
    assert {o.labels["system"]: o.value for o in found.findings[0].overall} == pytest.approx(expected, abs=1e-5)
    assert f"{int(sum(games.values()) / 2):,} comparisons" in " ".join(found.notes)


@given(rows=counted().filter(bool))
def test_agreement_is_that_of_the_judges_one_by_one(rows):
    each = plain.written_out(rows)
    methods = [
        str(m) for m in table.methods("scores", "agreement") if str(m) not in (*AS_ONE, "across(level=interval)")
    ]
    for name in (*methods, "icc(model=1)", "alpha(level=nominal)", "percent(tolerance=1)"):
        once, again = (
            q.agreement(panel_of(r), name, resamples=30, permutations=0, copies="apart") for r in (rows, each)
        )
        for one, two in zip(once.findings[0].overall, again.findings[0].overall, strict=True):
            assert one.value == pytest.approx(two.value, nan_ok=True), name
            assert (one.interval is None) == (two.interval is None), name
            plain_labels = ({k: v for k, v in o.labels.items() if not isinstance(v, list)} for o in (one, two))
            assert next(plain_labels) == pytest.approx(next(plain_labels), nan_ok=True), name
        assert once.findings[0].values == pytest.approx(again.findings[0].values, nan_ok=True), name
        units = [{k: v for k, v in f.findings[0].details.items() if k in ("units", "judges")} for f in (once, again)]
        assert units[0] == units[1]
        assert not any("taken as one" in note for note in once.notes)


@given(rows=counted().filter(bool))
@without_flags
def test_every_judge_stands_as_one_of_so_many(rows):
    each = plain.written_out(rows)
    for name in ("bias", "severity", "noise", "peer_correlation", "peer_agreement", "scale_use"):
        once, again = (q.judges(panel_of(r), name, resamples=30).findings for r in (rows, each))
        wanted = {o.labels["judge"]: o for f in again for o in f.overall}
        for o in (o for f in once for o in f.overall):
            other = wanted[f"{o.labels['judge']}/0"]
            assert o.value == pytest.approx(other.value, nan_ok=True, abs=1e-9), name
            ends = [None if i is None else pytest.approx((i.low, i.high), abs=1e-9) for i in (other.interval,)]
            assert ends[0] == (None if o.interval is None else (o.interval.low, o.interval.high)), name
            for detail in ("units", "p_holm", "others"):
                mine, theirs = (x.labels.get(detail) for x in (o, other))
                assert mine == (theirs if theirs is None else pytest.approx(theirs, nan_ok=True)), (name, detail)


def test_influence_takes_the_judges_behind_a_row_out_together():
    rows = [("a", "t", "x", 1, 2), ("b", "t", "x", 2, 1), ("c", "t", "x", 1, 3)]
    rows += [("a", "t", "y", 5, 2), ("b", "t", "y", 3, 1), ("c", "t", "y", 4, 3), ("a", "t", "z", 2, 2)]
    found = {o.labels["judge"]: o for o in q.judges(panel_of(rows), "influence", resamples=50).findings[0].overall}
    nan = math.nan
    spread = {"a": [[1, 5, 2]] * 2, "b": [[2, 3, nan]], "c": [[1, 4, nan]] * 3}
    whole = twins.alpha([r for of in spread.values() for r in of])
    for judge, o in found.items():
        left = twins.alpha([r for j, of in spread.items() if j != judge for r in of])
        assert o.value == pytest.approx(whole - left)
        assert o.interval.low <= o.value <= o.interval.high


def test_methods_that_take_a_row_as_one_judge_say_so():
    rows = [(j, f"t{k}", "x", k + (j == "b"), 2) for j in "abcd" for k in range(6)]
    for name in AS_ONE:
        notes = q.agreement(panel_of(rows), name, resamples=10, permutations=0).notes
        assert f"{name}: a row that stands for several judges is taken as one" in notes
    for name in ("copies", "independence"):
        notes = q.judges(panel_of(rows), name, resamples=10).notes
        assert f"{name}: a row that stands for several judges is taken as one" in notes


def test_a_single_row_of_many_judges_is_no_single_judge():
    panel = panel_of([("crowd", f"t{k}", "x", k, 12) for k in range(6)])
    assert not any("one score only" in note for note in q.agreement(panel, resamples=10, permutations=0).notes)
    said = q.judges(panel, resamples=10)
    assert not any("one judge" in text for text in (*said.sentences, *said.notes))


def test_an_unknown_consensus_is_an_error_with_a_hint():
    with pytest.raises(QuorateError, match="no method 'medien'"):
        q.scores.consensus_scores([[1, 2]], "medien")
