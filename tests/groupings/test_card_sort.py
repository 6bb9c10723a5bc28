"""Card sorts: the planted truths of the example are found; schools, branches and cards against plain twins."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.cli.group import main
from quorate.document.charts import dendrogram
from quorate.errors import InputError
from quorate.groupings.association import Association
from quorate.groupings.card_agreement import companions, fits, named_groups, placements
from quorate.inference.camp_splits import halved
from quorate.inference.camps import camps
from quorate.inference.designs import DESIGNS
from quorate.inference.results import Options
from quorate.reports.roles import is_card_sort
from tests.without import in_small

CARDS = Path(__file__).resolve().parents[2] / "docs" / "examples" / "cards.csv"
BRIEF = {"resamples": 200, "permutations": 99}
RAND = table.parse("adjusted_rand(left_out=common)", "groupings", "agreement")


@pytest.fixture(scope="module")
def found():
    return q.card_sort(q.read(CARDS), by="role", **BRIEF)


def run(*words):
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, [str(w) for w in words])


def test_the_planted_groups_and_schools_are_found(found):
    groups = {frozenset(g.items): g.called for g in found.groups if len(g.items) > 1}
    assert groups[frozenset({"Apples", "Bananas", "Grapes", "Pears"})] == "Fruit"
    assert groups[frozenset({"Candles", "Soap", "Sponges"})] == "Household"
    assert found.nowhere == ("Gift card",)
    assert found.cards[0].item == "Gift card"
    assert found.schools.number == 2
    assert {j for j, k in found.school_of.items() if k == 1} == {f"p{k:02}" for k in range(1, 16)}
    breakfast = next(set(g) for g in found.school_groups[1] if "Milk" in g)
    assert {"Bread", "Rolls", "Butter", "Bananas"} <= breakfast
    assert [n for n, _ in found.by.answers.items()] == ["shopper", "cook"]
    assert any("shopper and cook judge differently" in fact.text for fact in found.facts)


def test_names_are_suggestions_with_their_spellings(found):
    fruit = next(g for g in found.groups if "Apples" in g.items)
    assert {"Fruit", "Fruits", "fruit"} <= set(fruit.names[0].spellings)
    apples = [p for p in found.placed if p["item"] == "Apples"]
    assert apples[0]["category"] == "Fruit"
    assert sum(p["judges"] for p in apples) == 24
    (said,) = [s for s in found.sentences if "Taken as one name" in s]
    for own in (s.spellings for g in found.groups for s in g.names if len(s.spellings) > 1):
        assert all(f"'{spelling}'" in said for spelling in own)  # none is joined silently


def test_the_square_is_ordered_and_branches_are_firm(found):
    place = {item: k for k, item in enumerate(found.order)}
    assert np.allclose(found.similarity, found.similarity.T)
    assert abs(place["Milk"] - place["Butter"]) == 1
    by = {frozenset(j["items"]): j["stays"] for j in found.joins}
    assert by[frozenset({"Milk", "Butter"})] > 0.8
    assert all(0 <= s <= 1 for s in by.values())
    assert len(found.joins) == 19


def test_every_card_has_its_name_beside_the_tree():
    pytest.importorskip("altair")
    lines = ({"x": 0.0, "y": 0.0, "x2": 0.5, "y2": 0.0}, {"x": 0.5, "y": 0.0, "x2": 0.5, "y2": 1.0, "stays": 0.9})
    spec = dendrogram(lines, order=["a", "b"]).to_dict()
    axes = [layer["encoding"]["y"]["axis"] for layer in spec["layer"]]
    assert axes[0] == axes[1]  # an axis that is left open would leave out names that stand close
    assert axes[0]["labelOverlap"] is False


def test_json_csv_text_and_views(found):
    data = json.loads(found.to_json())
    assert len(data["similarity"]) == len(data["cards"]) == 20
    assert found.to_csv().startswith("item,group,agreement")
    for view, word in {"matrix": "two cards together", "tree": "Branches", "placements": "category"}.items():
        assert word in found.text(show=view)
    said = run("cards", CARDS, "--show", "matrix", "--resamples", 0, "--permutations", 0).output
    assert "two cards together" in said


def test_the_report_knows_a_card_sort_and_says_the_same(found):
    with in_small():
        page = q.report(q.read(CARDS), resamples=50, permutations=99)
    assert page.first_screen.headline == "The 20 cards fall firmly into 5 groups, but not for all judges."
    assert [t.asks for t in page.first_screen.tiles][1] == "Which groups?"
    assert page.cards.schools.number == 2
    assert {p.name for p in page.cards.pictures()} == {"similarity", "tree", "card-agreement"}
    html = page.html()
    assert "but not for all judges" in html
    assert "The tree of cards" in html
    assert not is_card_sort(q.Groupings.from_groups({"ann": {"x": 1}}))


def test_a_chosen_number_of_groups_and_another_loss():
    panel = q.read(CARDS)
    assert len(q.card_sort(panel, groups=3, resamples=0, permutations=0).groups) == 3
    assert q.card_sort(panel, loss="vi", resamples=0, permutations=0).groups
    with pytest.raises(InputError, match="holds orderings"):
        q.card_sort(q.Orderings.from_orders(["ab", "ab"]))


def test_the_order_of_rows_does_not_matter(found):
    columns = q.read(CARDS).columns()
    order = np.random.default_rng(0).permutation(len(columns["judge"])).tolist()
    again = q.card_sort(q.Groupings.build({n: [c[k] for k in order] for n, c in columns.items()}), **BRIEF)
    assert {frozenset(g.items) for g in again.groups} == {frozenset(g.items) for g in found.groups}
    assert again.school_of == found.school_of
    assert again.rows() == found.rows()


@pytest.mark.parametrize(
    "sorts",
    [
        {"ann": {"x": 1}},
        {"ann": {"x": 1, "y": 1}},
        {j: {"x": 1, "y": 2, "z": 3} for j in "abc"},
        {j: {"x": 1, "y": 1, "z": 1} for j in "abc"},
        {"a": {"x": 1, "y": None}, "b": {"x": None, "y": 1}},
        {j: {"é": 1, "文書": 1, "z": 2} for j in "abcd"},
    ],
)
def test_odd_sorts_have_an_answer(sorts):
    sort = q.card_sort(q.Groupings.from_groups(sorts), resamples=10, permutations=10)
    assert sort.text()
    assert sort.pictures() is not None


def plain_companions(labels, item):
    """The slow twin: every two judges who used the card, overlap over union of what they put with it."""
    out = []
    for a, b in itertools.combinations([row for row in labels if row[item] >= 0], 2):
        both = [k for k in range(len(a)) if a[k] >= 0 and b[k] >= 0 and k != item]
        if not both:
            continue
        one, two = {k for k in both if a[k] == a[item]}, {k for k in both if b[k] == b[item]}
        out.append(len(one & two) / len(one | two) if one | two else 1.0)
    return sum(out) / len(out) if out else float("nan")


@given(st.integers(2, 5), st.integers(2, 6), st.integers(0, 999))
def test_agreement_on_a_card_is_that_of_the_plain_twin(judges, items, seed):
    labels = np.random.default_rng(seed).integers(-1, 3, size=(judges, items))
    mean, without = companions(labels, np.ones(judges, int))
    for i in range(items):
        assert mean[i] == pytest.approx(plain_companions(labels.tolist(), i), nan_ok=True)
        for j in range(judges):
            rest = np.delete(labels, j, axis=0).tolist()
            if labels[j, i] >= 0:
                assert without[j, i] == pytest.approx(plain_companions(rest, i), nan_ok=True)


def test_where_a_card_fits_otherwise():
    labels = np.array([[0, 0, 1, 1, 0], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]])
    found = fits(Association.of(labels), np.array([0, 0, 1, 1, 1]))
    assert found.own[4] == pytest.approx(2 / 3)
    assert (found.second[4], found.other[4]) == (0, pytest.approx(1 / 3))


def test_groups_named_by_words_need_no_column():
    panel = q.Groupings.from_groups({"ann": {"x": "Fruit", "y": "fruits"}, "bob": {"x": "Fruit", "y": None}})
    named = named_groups(panel)
    assert [p["judges"] for p in placements(["x", "y"], named)] == [2, 1]
    assert named_groups(q.Groupings.from_groups({"ann": {"x": 1}})) == [{}]


# -- schools -----------------------------------------------------------------------------------------------------------


def made(seed, judges, items, noise, two):
    rng = np.random.default_rng(seed)
    one, other = rng.integers(5, size=(2, items))
    truth = np.where((np.arange(judges) < 0.6 * judges)[:, None], one, other if two else one)
    labels = np.where(rng.random((judges, items)) < noise, rng.integers(5, size=(judges, items)), truth)
    rows = {f"j{k:02}": {f"i{i:02}": int(g) for i, g in enumerate(row)} for k, row in enumerate(labels)}
    return DESIGNS["groupings"](q.Groupings.from_groups(rows).by_name, None)[0]


@pytest.mark.long
def test_two_schools_are_told_from_one():
    """Short form of the simulation: of 100 panels of one mind 2 to 4 were split, of two minds 91 were."""
    one = sum(camps(RAND, made(s, 16, 24, 0.4, False), Options(seed=s)).number > 1 for s in range(8))
    two = sum(camps(RAND, made(s, 20, 24, 0.35, True), Options(seed=s)).number == 2 for s in range(6))
    assert one <= 2
    assert two >= 4


def test_too_few_judges_make_no_school():
    assert camps(RAND, made(0, 6, 10, 0.2, True), Options()) is None


@given(st.integers(6, 9), st.integers(0, 99))
def test_the_split_is_about_the_best_of_all(judges, seed):
    rng = np.random.default_rng(seed)
    side = rng.permutation(np.arange(judges) % 2)
    square = np.where(side[:, None] == side, 0.6, 0.1) + rng.normal(0, 0.03, size=(judges, judges))
    square = (square + square.T) / 2
    half, gap = halved(square[None])
    assert set(map(bool, half[0] == (side == side[0]))) != {True, False} or gap[0] > 0.3
    assert gap[0] > 0.3


def test_the_command_line_knows_every_loss():
    from quorate.cli.cards import LOSSES as told
    from quorate.kernels.median_partition import LOSSES

    assert told == LOSSES


def test_placements_and_similarity_are_counted_as_by_hand():
    """Hybrid sorts: some of the cards each, names in any spelling, some cards set aside."""
    rng, spelt = np.random.default_rng(4), {"fruit": ("Fruit", "fruits", " FRUIT"), "tool": ("Tools", "tool", "tool's")}
    rows = []
    for j in range(9):
        own = {name: str(rng.choice(ways)) for name, ways in spelt.items()}
        for i in rng.choice(10, 7, replace=False).tolist():
            name = "fruit" if (i < 5) ^ (rng.random() < 0.2) else "tool"
            rows.append((f"p{j}", f"card {i}", None if rng.random() < 0.1 else own[name], name))
    judge, item, group, _ = map(list, zip(*rows, strict=True))
    found = q.card_sort(q.Groupings.build({"judge": judge, "item": item, "group": group}), resamples=0, permutations=0)
    put = {(j, i): name for j, i, own, name in rows if own is not None}
    for row in found.placed:
        name = next(n for n, ways in spelt.items() if row["category"].strip() in [w.strip() for w in ways])
        placed = [n for (_, i), n in put.items() if i == row["item"]]
        assert (row["judges"], row["share"]) == (placed.count(name), placed.count(name) / len(placed))
    assert sum(row["judges"] for row in found.placed) == len(put)
    for a, b in itertools.permutations(range(10), 2):
        one, two = found.order[a], found.order[b]
        both = [put[j, one] == put[j, two] for j in dict.fromkeys(judge) if (j, one) in put and (j, two) in put]
        assert found.similarity[a, b] == pytest.approx(np.mean(both))
