"""Which pairs to ask next: against determinants, what asking does, and the command."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import BadParameter
from quorate.panel.pairs import VoteDesign
from quorate.votes.bradley_terry import fitted
from quorate.votes.information import Asked
from quorate.votes.separation import Difference
from tests.reference import votes as reference
from tests.votes.made import panel, simulated


def known(votes):
    return fitted(VoteDesign.of(votes.by_name), "davidson", "auto", 0.5, ())


@pytest.mark.parametrize("seed", range(4))
def test_the_next_pair_is_the_one_that_raises_the_determinant_most(seed):
    rng = np.random.default_rng(seed)
    rows = [
        (f"t{t}", "j", *rng.permutation(list("abcd"))[:2].tolist(), float(rng.choice([1.0, 0.5, 0.0])))
        for t in range(60)
    ]
    found = known(panel(rows))
    asked, size = Asked(found), found.model.players
    pair, gain = reference.next_pair(
        found.found.strengths[0], found.step.inverse[:size, :size], float(found.found.tau[0])
    )
    best = int(np.argmax(asked.gains()))
    assert (asked.first[best], asked.second[best]) == pair
    assert asked.gains()[best] == pytest.approx(gain, rel=1e-6)
    asked.ask(best)
    left = np.linalg.slogdet(found.step.inverse[:size, :size])[1] - np.linalg.slogdet(asked.covariance)[1]
    assert left == pytest.approx(gain, rel=1e-6)


def test_a_pair_of_which_little_is_known_is_asked_about():
    rows = [(f"t{t}", "j", *pair, float(t % 2)) for t in range(40) for pair in (("a", "b"), ("b", "c"))]
    rows += [("t0", "j", "c", "d", 1.0), ("t1", "j", "d", "c", 1.0)]
    found = q.trust(panel(rows), "next_pairs(votes=10)", resamples=0)["next_pairs"]
    assert all("d" in pair.split(" and ") for pair in found.keys["systems"])
    assert sum(found.details["ask"]) == 10
    assert found.overall[0].value > found.overall[0].labels["evenly"] > 0


def difference(gap, variance=0.01, model=0.01, units=400, **how):
    known = {"each": 0.25, "chance": 0.05, "told": None, **how}
    return Difference(gap, variance, model, units=units, **known)


def test_votes_to_separate_fall_with_the_gap_and_have_no_end_where_level():
    votes = [difference(gap).more() for gap in (0.0, 0.1, 0.5, 3.0)]
    assert votes[0] == math.inf
    assert votes == sorted(votes, reverse=True)
    assert votes[-1] == 0


def test_clustered_votes_and_more_open_pairs_take_more():
    assert difference(0.2).more() < difference(0.2, variance=0.02).more()
    assert difference(0.2).more() < difference(0.2, chance=0.05 / 30).more()
    few = difference(3.0, units=3).more()  # two tasks more at least: of five all saying the same has a p of 0.06
    assert few == 3


def test_the_power_of_so_many_votes_is_what_was_asked_for():
    known = difference(0.2, told=False)
    assert known.power(known.more(0.9)) == pytest.approx(0.9, abs=0.005)
    assert known.power(known.more(0.9) - 1) < 0.9
    told = 100 * 0.25 * 0.01  # information of 100 votes, times the variance
    assert known._after(100) == pytest.approx(0.01 / (1 + told))  # votes of which none are clustered


def test_as_many_votes_as_it_says_tell_two_systems_apart_as_often_as_promised():
    gap, rng = 0.5, np.random.default_rng(0)
    votes = difference(gap, 1e9, 1e9, units=1, each=0.235).more()
    won = rng.binomial(votes, 1 / (1 + math.exp(-gap)), size=4000) / votes
    z = np.log(won / (1 - won)) * np.sqrt(votes * won * (1 - won))
    assert (z > 1.96).mean() == pytest.approx(0.8, abs=0.03)


def test_the_command_tells_pairs_and_two_systems(tmp_path):
    path = tmp_path / "v.csv"
    q.write(simulated(tasks=10), path)
    run = CliRunner().invoke(main, ["next", str(path), "--votes", "20"])
    assert run.exit_code == 0
    assert "Of the next 20 votes most is learned by asking about" in run.output
    run = CliRunner().invoke(main, ["next", str(path), "--between", "u+z", "--format", "json"])
    assert json.loads(run.output)["overall"][0]["votes"] == 100
    run = CliRunner().invoke(main, ["next", str(path), "--between", "u+q"])
    assert run.exit_code == 2
    assert "no system 'q'" in run.output


def test_two_names_are_needed_and_one_pair_is_all_there_is():
    votes = panel([(f"t{t}", "j", "a", "b", float(t % 2)) for t in range(8)])
    with pytest.raises(BadParameter, match="are not two systems"):
        q.trust(votes, "next_pairs(between=a)")
    found = q.trust(votes, "next_pairs", resamples=0)
    assert found["next_pairs"].keys["systems"] == ["a and b"]
    said = q.trust(votes, "next_pairs(between=a+b)", resamples=0).sentences[-1]
    assert said == "a and b are level: no number of votes would tell them apart."


PLANTED = np.array([0.9, 0.3, 0.2, -0.2, -0.2, -0.3, -0.3, -0.4])  # strengths: the first leads the next by 0.6


def asked_until_clear(seed, first, most=1200, step=60):
    """Votes until the planted leader is ahead of everybody by two standard errors, asked as told or all pairs alike."""
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(8) for b in range(a)]
    rows, wanted = [], [(a, b, 2) for a, b in pairs]
    while len(rows) < most:
        for pair in [pair for *pair, votes in wanted for _ in range(votes)]:
            a, b = rng.permutation(pair).tolist()
            won = rng.random() < 1 / (1 + np.exp(PLANTED[b] - PLANTED[a]))
            rows.append((f"t{len(rows)}", "j", f"s{a}", f"s{b}", float(won)))
        found = Asked(known(panel(rows)))
        apart = found.strength[found.first] - found.strength[found.second]
        ahead = found.first == 0
        if (apart[ahead] > 2 * np.sqrt(found.variances()[ahead])).all():
            break
        if first:
            side, chosen = found.border(1), np.zeros(len(pairs), int)
            for _ in range(step):
                pair = int(np.argmax(side.gains().round(12)))
                chosen[pair] += 1
                found.ask(pair)
            wanted = [(int(found.first[k]), int(found.second[k]), int(chosen[k])) for k in np.flatnonzero(chosen)]
        else:
            wanted = [(*pairs[k], 1) for k in rng.integers(len(pairs), size=step)]
    return len(rows)


def test_a_leader_is_found_by_fewer_votes_than_all_pairs_alike_take():
    directed, evenly = (np.mean([asked_until_clear(seed, way) for seed in range(5)]) for way in (True, False))
    assert directed < 0.75 * evenly


def test_across_the_border_a_vote_tells_what_the_covariance_after_it_says():
    found = known(simulated(tasks=8))
    side = Asked(found).border(2)
    gains = side.gains()
    for pair in (0, 7):
        after = Asked(found)
        before = after.variances()[side.pairs]
        after.ask(pair)
        open_ = np.exp(-(side.gaps**2) / (2 * before))
        told = open_ / open_.max() @ np.log(before / after.variances()[side.pairs])
        assert gains[pair] == pytest.approx(told, rel=1e-9)


def test_the_command_asks_for_a_leader(tmp_path):
    path = tmp_path / "v.csv"
    q.write(simulated(tasks=10), path)
    run = CliRunner().invoke(main, ["next", str(path), "--votes", "20", "--first", "1"])
    assert run.exit_code == 0
    assert "most is learned about who is first by asking about u and" in " ".join(run.output.split())
    run = CliRunner().invoke(main, ["next", str(path), "--first", "6"])
    assert run.exit_code == 2
    assert "leaves nobody behind" in run.output


def test_where_the_first_is_clear_the_most_open_pair_is_asked_and_it_is_said():
    rows = [(f"q{k}", "ann", "far", "near", "far" if k % 10 else "near") for k in range(400)]
    rows += [(f"q{k}", "ann", "near", "low", "near" if k % 5 else "low") for k in range(400, 600)]
    rows += [(f"q{k}", "ann", "low", "last", "low" if k % 5 else "last") for k in range(600, 700)]
    found = q.trust(q.Votes.from_votes(rows), "next_pairs(first=1, votes=10)")
    asked = {row["systems"]: row["details"]["ask"] for row in found.findings[0].rows()}
    assert asked == {"far and near": 10}
    assert "The votes there are tell far from all behind." in found.text().replace("\n", " ")


@pytest.mark.parametrize("first", [1, 2, 4])
def test_the_best_pair_across_a_border_is_the_one_of_greatest_gain(first):
    asked = Asked(known(simulated(tasks=6, judges=2)))
    side = asked.border(first)
    for _ in range(12):
        assert side.best() == int(np.argmax(side.gains().round(12)))
        asked.ask(side.best(), 3.0)


def test_votes_on_all_pairs_leave_what_they_leave_one_by_one():
    one, all_ = (Asked(known(simulated(tasks=6, judges=2))) for _ in range(2))
    for pair in range(len(one.first)):
        one.ask(pair, 0.7)
    all_.ask_all(0.7)
    assert np.allclose(one.covariance, all_.covariance, rtol=1e-9, atol=1e-12)
