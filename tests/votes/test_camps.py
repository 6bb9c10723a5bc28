"""Camps of votes: planted ones are found and told, one mind is left whole, and the counts are those of plain loops."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.panel.pairs import VoteDesign
from quorate.votes.camp_model import BradleyTerry, alike, steadiness
from tests.reference import camps as slow
from tests.votes.made import minds, panel


def judged(votes, **options):
    return q.judges(votes, "place", resamples=0, **options)


def test_two_camps_are_found_told_and_by_the_command(tmp_path):
    votes = minds(np.random.default_rng(3), (9, 6), spread=1.5)
    answer = judged(votes)
    which = [set(row["which"]) for row in answer.more["camps"]]
    assert which == [{f"a{k}" for k in range(9)}, {f"b{k}" for k in range(6)}]
    told = next(f for f in answer.facts if f.name == "camps")
    assert told.text.startswith(
        "The judges fall into two camps, 9 (60%) and 6 (40%): two votes on the same two systems "
    )
    assert "They part most on s" in told.text
    assert told.data["p_value"] < 0.02
    first = answer.more["camps_part_on"][0]
    assert abs(first["camp_1"] - first["camp_2"]) > 0.3
    q.write(votes, tmp_path / "votes.csv")
    run = CliRunner().invoke(main, ["judges", str(tmp_path / "votes.csv"), "--format", "json"], catch_exceptions=False)
    assert [row["judges"] for row in json.loads(run.output)["camps"]] == [9, 6]


def test_many_judges_are_looked_at_by_all_their_votes():
    """Of so many judges only some of the tasks were, so that sixty had fewer camps than twenty."""
    found = [judged(minds(np.random.default_rng(s), (36, 24), votes=30)).more.get("camps", []) for s in range(2)]
    assert [[row["judges"] for row in rows] for rows in found] == [[36, 24]] * 2


def test_one_mind_is_left_whole_on_tasks_of_all_sorts():
    found = [judged(minds(np.random.default_rng(s), (12,), tasks=t, votes=15)) for s in range(4) for t in (0, 1, 8)]
    assert sum("camps" in answer.more for answer in found) <= 2
    assert all(answer.more["camp_tests"] for answer in found)


@pytest.mark.parametrize(
    "votes",
    [
        [(f"t{k}", f"j{k % 9}", "x", "y", 0.5) for k in range(40)],  # all tied
        [(f"t{k}", f"j{k % 9}", "x", "y", 1.0) for k in range(40)],  # all of one mind
        [(f"t{k}", f"j{k}", "x", "y", float(k % 2)) for k in range(9)],  # one vote each
        [(f"t{k}", f"j{k}", f"x{k}", f"y{k}", 1.0) for k in range(9)],  # nothing in common
        [(f"t{k}", f"j{k % 2}", "x", "y", 1.0) for k in range(9)],  # two judges
    ],
)
def test_where_nothing_can_be_told_there_is_one_camp(votes):
    assert "camps" not in judged(panel(votes), copies="apart").more


# -- against plain twins -----------------------------------------------------------------------------------------------

VOTES = st.lists(
    st.tuples(
        st.sampled_from("tu"),
        st.sampled_from("abc"),
        st.sampled_from([*"xyz"]).flatmap(
            lambda x: st.tuples(st.just(x), st.sampled_from([s for s in "xyz" if s != x]))
        ),
        st.sampled_from([0.0, 0.5, 1.0]),
    ),
    min_size=2,
    max_size=14,
)


@given(VOTES)
def test_pairs_of_votes_are_those_of_loops(votes):
    rows = [(t, j, *pair, o) for t, j, pair, o in votes]
    design = VoteDesign.of(panel(rows))
    same, number = (each[0] for each in alike(design))
    wanted = slow.votes_alike(rows)
    for a, one in enumerate(design.judges):
        for b, two in enumerate(design.judges):
            assert (same[a, b], number[a, b]) == wanted.get((one, two), (0, 0))
    assert 0 <= steadiness(same, number) <= 1


@given(VOTES)
def test_the_likelihood_is_that_of_every_vote(votes):
    rows = [(t, j, *pair, o) for t, j, pair, o in votes]
    design = VoteDesign.of(panel(rows))
    model = BradleyTerry.of(design)
    found = model.fit(np.ones((1, len(design.judges))))[0]
    strength = dict(zip(design.systems, _twice(model), strict=True))
    for judge, value in zip(design.judges, found.tolist(), strict=True):
        wanted = 0.0
        for _, _, x, y, o in (r for r in rows if r[1] == judge):
            chance = 1 / (1 + math.exp(strength[y] - strength[x]))
            wanted += o * math.log(chance) + (1 - o) * math.log(1 - chance)
        assert value == pytest.approx(wanted, abs=1e-6)


def _twice(model):
    """The strengths of all judges, who count once more as what is known beforehand."""
    usual = model.asked.mean(axis=0)
    odds = model.strengths[model.low] - model.strengths[model.high]
    return model._strengths(np.ones((1, len(model.won))), usual / (1 + np.exp(-odds)), usual)[0].tolist()


def test_steady_judges_repeat_themselves():
    rows = [(f"t{k}", j, "x", "y", float(j < "e")) for j in "abcdefgh" for k in range(3)]
    assert steadiness(*(each[0] for each in alike(VoteDesign.of(panel(rows))))) == 1.0
    rng = np.random.default_rng(0)
    rows = [(f"t{k}", j, "x", "y", float(rng.random() < 0.7)) for j in "abcdefgh" for k in range(200)]
    assert steadiness(*(each[0] for each in alike(VoteDesign.of(panel(rows))))) < 0.05
