"""How much do voters agree: against plain loops, against alpha of scores, and on odd panels."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

import quorate as q
from quorate.formats.vote_tables import as_scores
from quorate.inference.engine import Figures
from quorate.inference.flags import rises
from quorate.inference.results import Options
from quorate.panel.design import Weights
from quorate.panel.pairs import VoteDesign
from quorate.table import parse
from tests.reference import votes as reference
from tests.strategies import pairwise_votes
from tests.votes.made import panel, simulated

BRIEF = {"resamples": 20, "permutations": 19}


def same(a, b):
    return a == pytest.approx(b, abs=1e-12, nan_ok=True)


@given(pairwise_votes())
def test_figures_are_those_of_plain_loops(votes):
    found = q.agreement(panel(votes), **BRIEF)
    assert same(found["same_choice"].value, reference.same_choice(votes))
    assert same(found["alpha"].value, reference.alpha(votes))


def test_alpha_is_that_of_scores_seen_from_both_sides():
    votes = simulated(tasks=10)
    scores = q.agreement(as_scores(votes), "alpha(level=nominal)", **BRIEF)["alpha"].value
    assert same(q.agreement(votes, "alpha", **BRIEF)["alpha"].value, scores)


@given(pairwise_votes())
def test_counts_are_judges_who_chose_the_same(votes):
    once = [
        v for k, v in enumerate(votes) if (v[0], v[1], {*v[2:4]}) not in [(u[0], u[1], {*u[2:4]}) for u in votes[:k]]
    ]
    twice = [(t, f"{j}{copy}", *rest) for t, j, *rest in once for copy in "ab"]
    counted = q.Votes.build({**panel(once).columns(), "count": [2] * len(once)})
    for method in ("same_choice", "alpha"):
        a, b = (q.agreement(p, method, copies="apart", **BRIEF)[method].value for p in (counted, panel(twice)))
        assert same(a, b)


@given(pairwise_votes(judges=(2, 4)))
def test_the_closed_form_without_each_judge_is_the_formula_without_that_judge(votes):
    design, method = VoteDesign.of(panel(votes).by_name), parse("alpha", "votes", "agreement")
    judges = len(design.judges)
    left = design.values(method, Weights(judges, judges=1.0 - np.eye(judges))).array[:, 0]
    np.testing.assert_allclose(design.without_each(method)[0], left, atol=1e-12)
    copies = rises(method, design.permuted_by(0, np.random.default_rng(0), 3), 3)
    assert copies.rise.shape == (3, judges)
    exchanged = design.exchanged(np.random.default_rng(0), 3)
    np.testing.assert_allclose(exchanged.values(method).array, np.repeat(design.values(method).array, 3, axis=0))
    assert exchanged.names.shape == (3, len(votes))
    within = design.exchanged(np.random.default_rng(1), 3, cells=True).names
    for place, copies in ((design.task, exchanged.names), (design.cell, within)):
        for names in copies:  # who voted there still does, or two others do for two
            for here in (place == k for k in set(place)):
                own, others = set(design.judge[here]), set(names[here])
                assert others == own or len(others) == len(own) == 2


def test_a_task_drawn_twice_counts_twice():
    votes = simulated(tasks=4)
    design, often = VoteDesign.of(votes.by_name), np.array([[2.0, 1.0, 0.0, 3.0]])
    rows = [
        (v, int(often[0, design.task[k]])) for k, v in enumerate(zip(*votes.by_name.columns().values(), strict=True))
    ]
    names = list(votes.by_name.columns())
    copies = [dict(zip(names, v, strict=True)) | {"task": f"{v[0]}-{c}"} for v, times in rows for c in range(times)]
    again = VoteDesign.of(q.Votes.from_votes(copies).by_name)
    for name in ("alpha",):
        method = parse(name, "votes", "agreement")
        drawn = design.values(method, Weights(1, tasks=often)).array
        np.testing.assert_allclose(drawn, again.values(method).array, atol=1e-12)


def test_random_voters_give_chance_and_like_minds_more():
    random = q.agreement(simulated(noise=0.5, tasks=60), seed=1)["alpha"]
    alike = q.agreement(simulated(noise=0.1), seed=1)["alpha"]
    assert abs(random.value) < 0.1
    assert random.null.p > 0.01
    assert abs(random.null.value) < 0.02
    assert alike.null.p < 0.001
    assert alike.interval.low > 0.3
    assert alike.interval.over == "tasks"


def test_one_judge_has_nobody_to_agree_with():
    found = q.agreement(q.Votes.from_votes([("j", "x", "y", "x")]))
    assert math.isnan(found["same_choice"].value)
    assert found.sentences[-1] == "There is one judge only: nobody to agree with."


def test_all_ties_are_alike_but_beyond_chance_nothing_is_told():
    found = q.agreement(q.Votes.from_votes([(j, "x", "y", "tie") for j in "abc"]))
    assert found["same_choice"].value == 1.0
    assert math.isnan(found["alpha"].value)


def test_without_tasks_intervals_are_over_judges():
    votes = [(j, *pair, pair[k % 2]) for k, j in enumerate("abcdef") for pair in (("x", "y"), ("y", "z"))]
    assert q.agreement(q.Votes.from_votes(votes))["alpha"].interval.over == "judges"


def test_what_voters_of_single_pairs_agree_on_is_nothing():
    found = q.agreement(q.Votes.from_votes([("a", "x", "y", "x"), ("b", "x", "z", "x")]))
    assert found.sentences[-1] == "No pair of systems has two judges on a task: there is nothing to agree on."


def test_mtbench_agrees_as_its_votes_one_by_one_do(data):
    votes = q.read(data / "mtbench" / "human.jsonl")
    columns = votes.columns()
    rows = list(zip(*(columns[n] for n in ("task", "judge", "model_a", "model_b")), votes.value.tolist(), strict=True))
    found = q.agreement(votes, "same_choice", **BRIEF)["same_choice"]
    assert found.value == pytest.approx(reference.same_choice(rows), abs=1e-12)
    cells = reference.cells(rows)
    assert len(cells) == 1814
    assert sum(found.details["pairs"]) == sum(len(c) * (len(c) - 1) // 2 for c in cells.values())


@pytest.mark.parametrize("method", ["alpha", pytest.param("same_choice", marks=pytest.mark.long)])
def test_chance_reaches_random_votes_as_often_as_p_says(method):
    rng, small = np.random.default_rng(12), 0
    for k in range(80):
        rows = [(f"t{t}", j, "x", "y", float(rng.choice([0, 0.5, 1]))) for t in range(8) for j in "abcd"]
        found = Figures.of(parse(method, "votes", "agreement"), VoteDesign.of(panel(rows).by_name))
        small += found.nulls(Options(seed=k, permutations=199))[0].p <= 0.05
    assert small <= 10  # of 80 at 5 %: one in a hundred has more


def test_intervals_over_tasks_hold_what_many_tasks_say():
    rng, held, names = np.random.default_rng(13), Counter(), ("alpha", "same_choice")

    def votes(tasks):
        rows = []
        for t in range(tasks):
            p = rng.beta(0.7, 0.7)
            rows += [(f"t{t}", j, "x", "y", float(rng.random() < p)) for j in "abc"]
        return VoteDesign.of(panel(rows).by_name)

    methods = [parse(name, "votes", "agreement") for name in names]
    many = votes(4000)
    wanted = {m.name: Figures.of(m, many).value[0] for m in methods}
    for k in range(60):
        design = votes(15)
        for m in methods:
            inside = Figures.of(m, design).intervals(Options(seed=k, resamples=200))[0]
            held[m.name] += inside.low <= wanted[m.name] <= inside.high
    assert min(held.values()) >= 51  # of 60 at 95 %


def test_people_and_models_are_told_apart():
    rng, rows = np.random.default_rng(14), []
    for t in range(60):
        truth, fashion = rng.random() < 0.5, rng.random() < 0.5  # models follow one another more than people do
        for j, kind in (("ann", "human"), ("bob", "human"), ("m1", "llm"), ("m2", "llm")):
            own = truth if kind == "human" else fashion
            right = rng.random() < (0.75 if kind == "human" else 0.9)
            vote = {"task": f"t{t}", "judge": j, "model_a": "x", "model_b": "y", "judge_kind": kind}
            rows.append({**vote, "winner": "x" if own == right else "y"})
    found = q.agreement(q.Votes.from_votes(rows), "same_choice", **BRIEF)
    told = {r["judges"]: r for r in found.more["judge_kinds"]}
    assert {name: r["pairs"] for name, r in told.items()} == {"people": 60, "models": 60, "across": 240}
    kind = {"ann": "p", "bob": "p", "m1": "m", "m2": "m"}
    wanted = Counter()
    for said in reference.cells([(r["task"], r["judge"], "x", "y", float(r["winner"] == "x")) for r in rows]).values():
        for a, b in combinations(said, 2):
            wanted["".join(sorted(kind[a] + kind[b]))] += said[a] == said[b]
    assert {n: told[k]["alike"] for n, k in (("pp", "people"), ("mm", "models"), ("mp", "across"))} == wanted
    assert told["models"]["interval"][0] > told["across"]["interval"][1]
    assert found.sentences[-1].startswith("How often they choose alike: two people ")
    alone = [{n: v for n, v in r.items() if n != "judge_kind"} for r in rows]
    assert "judge_kinds" not in q.agreement(q.Votes.from_votes(alone), "same_choice", **BRIEF).more


def test_votes_of_nobody_known_are_not_said_to_be_of_one_judge(tmp_path):
    rows = [f"q{k % 8},x,y,{'model_a' if k % 3 else 'tie'}" for k in range(24)]
    (tmp_path / "arena.csv").write_text("\n".join(["task,model_a,model_b,winner", *rows]))
    panel = q.read(tmp_path / "arena.csv")
    assert panel.nameless
    found = q.agreement(panel, resamples=0, permutations=0)
    assert found.sentences[-1] == "The file does not say who voted: nobody to agree with."
    assert "By task" not in str(found)  # a table without a figure
    screen = q.report(panel, resamples=20, permutations=9).first_screen
    assert screen.headline.startswith("The file does not say who voted")
    assert screen.steps[0].do.startswith("Add a col")
    (tmp_path / "judged.csv").write_text("\n".join(["judge,task,model_a,model_b,winner", *(f"ann,{r}" for r in rows)]))
    assert not q.read(tmp_path / "judged.csv").nameless
