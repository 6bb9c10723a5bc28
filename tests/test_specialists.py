"""Figures that other packages print of their own small examples come out here."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate import groupings
from quorate.kernels import latent_labels as kernel
from quorate.panel.pairs import VoteDesign
from quorate.scores import alpha
from quorate.votes import ratings
from tests.votes.made import figures, panel

BRIEF = {"resamples": 0, "permutations": 0}
LETTERS = {"l": 1.0, "r": 0.0, "t": 0.5}
MEALS = {"P": "Pizza", "S": "Sushi", "B": "Burger", "A": "Pasta", "T": "Tacos"}
# The 30 votes of evalica's file of meals: the left one, the right one, and who won.
FOOD = [
    "PSl",
    "BAr",
    "TPl",
    "STr",
    "BPl",
    "ASr",
    "TBl",
    "PAt",
    "SBr",
    "ATl",
    "BSr",
    "TPl",
    "SAt",
    "BTl",
    "PBr",
    "ATr",
    "BSr",
    "TAl",
    "PTr",
    "SBl",
    "APr",
    "BSr",
    "TAl",
    "PSl",
    "SBr",
    "ATr",
    "TPl",
    "BAr",
    "STl",
    "PBr",
]


@pytest.fixture(scope="module")
def meals():
    return panel([(f"t{k:02}", "j", MEALS[a], MEALS[b], LETTERS[w]) for k, (a, b, w) in enumerate(FOOD)])


def test_evalica_s_strengths_of_meals(meals):
    found = figures(q.quality(meals, "bradley_terry(ties=half, place=no)", **BRIEF), "bradley_terry", "system")
    weight = {name: np.exp(value) for name, value in found.items()}
    shares = {name: value / sum(weight.values()) for name, value in weight.items()}
    printed = {"Tacos": 0.43428983, "Sushi": 0.19060028, "Burger": 0.14797665, "Pasta": 0.12815341, "Pizza": 0.09897983}
    assert shares == pytest.approx(printed, abs=1e-6)


def test_evalica_s_counts_and_elo_of_meals(meals):
    design = VoteDesign.of(meals)
    won = dict.fromkeys(design.systems, 0.0)
    rate = figures(q.quality(meals, "win_rate", **BRIEF), "win_rate", "system")
    for a, b, _ in FOOD:
        won[MEALS[a]] += rate[MEALS[a]]
        won[MEALS[b]] += rate[MEALS[b]]
    assert won == pytest.approx({"Tacos": 10.0, "Sushi": 6.5, "Burger": 6.0, "Pasta": 4.0, "Pizza": 3.5})
    elo = ratings.in_order(design, np.arange(len(FOOD))[None], np.ones((1, len(FOOD))), 4.0)[0].tolist()
    printed = {"Tacos": 1013.35878, "Sushi": 1002.09806, "Burger": 998.02609, "Pasta": 994.19131, "Pizza": 992.32576}
    assert dict(zip(design.systems, elo, strict=True)) == pytest.approx(printed, abs=1e-5)


def test_choix_s_strengths_of_a_cycle():
    """0 beats 1 twice, 1 beats 2 and 2 beats 0: the estimate in choix's own test, which adds up to 3."""
    rows = [(f"t{k}", "j", a, b, 1.0) for k, (a, b) in enumerate(["01", "01", "12", "20"])]
    found = figures(q.quality(panel(rows), "bradley_terry(place=no)", **BRIEF), "bradley_terry", "system")
    weight = np.exp([found[name] for name in "012"])
    assert (3 * weight / weight.sum()).tolist() == pytest.approx([1.43586088, 0.62035049, 0.94378863], abs=1e-7)


@pytest.mark.parametrize(
    ("units", "level", "printed"),
    [
        ([[1, 2], [2, 3], [3, 4]], "nominal", -0.1538462),
        ([[1, 2], [2, 3], [3, 4]], "interval", 0.5454545),
        ([[1, 2], [2, 4]], "ratio", 0.1712707),
    ],
)
def test_evalica_s_alphas(units, level, printed):
    assert alpha(np.array(units, float).T.tolist(), level) == pytest.approx(printed, abs=1e-7)


# Five workers on five tasks in crowd-kit's tests, y and n; the third did not do the first task.
TOY = {"t1": "ny-yn", "t2": "yyynn", "t3": "ynnyn", "t4": "yyyyy", "t5": "ynnnn"}


@pytest.fixture(scope="module")
def toy():
    said = [(t, f"w{k + 1}", label) for t, row in TOY.items() for k, label in enumerate(row) if label != "-"]
    return dict(zip(("item", "judge", "label"), map(list, zip(*said, strict=True)), strict=True))


def test_crowd_kit_s_first_step_of_dawid_and_skene(toy):
    code = {name: k for k, name in enumerate("ny")}
    units, judges = ([*map(int, [x[1] for x in toy[n]])] for n in ("item", "judge"))
    label = np.array([code[x] for x in toy["label"]])
    rows = kernel.Answers(np.array(units) - 1, np.array(judges) - 1, label, np.ones(len(label)), 5, 5, 2)
    begin = rows.shares()
    assert begin[:, 1] == pytest.approx([0.5, 0.6, 0.4, 1.0, 0.2])
    said = kernel.shrunk_confusion(rows, begin, 0.0)
    assert said[:, 0, 0].round(2).tolist() == [0.22, 0.61, 0.78, 0.52, 1.00]  # says no where it is no
    assert said[:, 1, 1].round(2).tolist() == [0.81, 0.78, 0.73, 0.70, 0.37]
    likely = kernel.logs(said).transpose(0, 2, 1)[rows.judge, rows.label]
    belief = kernel.normalised(kernel.logs(begin.mean(axis=0)) + rows.by_unit(likely))
    assert belief[:, 1].round(2).tolist() == [0.65, 0.74, 0.13, 1.00, 0.05]


@pytest.mark.parametrize("method", ["dawid_skene(prior=0)", "one_coin(prior=0)", "mace", "glad"])
def test_crowd_kit_s_labels_of_its_toy(toy, method):
    """All but of the first task, on which two say yes and two no, and only the first model's label is printed."""
    answer = q.consensus(q.Scores.build(toy), method, **BRIEF)
    found = dict(zip(answer.findings[0].keys["item"], answer.findings[0].values, strict=True))
    printed = {"t2": "y", "t3": "n", "t4": "y", "t5": "n"}
    printed |= {"t1": "y"} if method == "dawid_skene(prior=0)" else {}
    assert found == {"t1": found["t1"], **printed}


def test_scikit_learn_s_measures_of_six_items():
    """Figures of its user guide: three and three items, found as two, two and two."""
    true, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]
    printed = {"rand": 0.66, "adjusted_rand": 0.24, "homogeneity": 0.66, "completeness": 0.42, "v": 0.516}
    for name, value in {**printed, "fowlkes_mallows": 0.47140}.items():
        digits = len(str(value).split(".")[1])  # as printed, which is cut off or rounded
        assert getattr(groupings, name)(found, true) == pytest.approx(value, abs=10**-digits), name
    assert groupings.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]) == pytest.approx(4 / 7)


def test_scikit_learn_s_kappa_of_five_texts():
    first = ["negative", "positive", "negative", "neutral", "positive"]
    second = ["negative", "positive", "negative", "neutral", "negative"]
    said = {"judge": ["a"] * 5 + ["b"] * 5, "item": [*"12345"] * 2, "label": first + second}
    found = q.agreement(q.Scores.build(said), "cohen", **BRIEF, copies="apart")["cohen"].value
    assert found == pytest.approx(0.6875)
