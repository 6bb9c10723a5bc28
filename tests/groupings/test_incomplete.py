"""Items without a row: left out by a judge who saw them, or never shown to the judge."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.groupings import compare, explain
from quorate.groupings.card_agreement import placed
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.partitions import absence, partitions
from tests.reference import groupings
from tests.without import in_small

ITEMS = [f"c{k:02}" for k in range(30)]


def card_sort(judges=20, seen=12, items=ITEMS, keep=1.0, seed=0):
    """A card sort in which everybody is shown some of the cards: who is shown both puts two together alike."""
    rnd = random.Random(seed)
    rows = []
    for j in range(judges):
        for x in rnd.sample(items, seen if isinstance(seen, int) else rnd.randint(*seen)):
            group = items.index(x) % 5 if rnd.random() < keep else rnd.randrange(5)
            rows.append((f"j{j:02}", x, group))
    return q.Groupings.build(dict(zip(("judge", "item", "group"), zip(*rows, strict=True), strict=True)))


def fussy(judges=12, odd=12, seed=0):
    """Judges who saw all items and have no row for those that fit nowhere, which are mostly the same."""
    rnd = random.Random(seed)
    rows = []
    for j in range(judges):
        for k, x in enumerate(ITEMS):
            if rnd.random() > (0.9 if k < odd else 0.05):
                rows.append((f"j{j:02}", x, k % 5))
    return q.Groupings.build(dict(zip(("judge", "item", "group"), zip(*rows, strict=True), strict=True)))


def test_a_card_is_said_to_belong_nowhere_only_where_judges_say_so():
    made = [q.card_sort(card_sort(20, (12, 15), keep=0.6, seed=s), resamples=0, permutations=0) for s in range(6)]
    assert sum(len(g.items) == 1 for found in made for g in found.groups) >= 2  # alone, for want of judges
    assert sum(bool(found.nowhere) for found in made) <= 1
    sorts = card_sort(30, (14, 20), keep=0.8, seed=9)
    rows = list(zip(sorts.judge.values(), sorts.item.values(), sorts.value.values(), strict=True))
    own = [(j, i, f"own {j}" if i == "c07" else str(g)) for j, i, g in rows]
    alone = q.Groupings.build(dict(zip(("judge", "item", "group"), map(list, zip(*own, strict=True)), strict=True)))
    assert q.card_sort(alone, resamples=0, permutations=0).nowhere == ("c07",)


@given(st.integers(0, 999), st.integers(1, 6), st.integers(1, 8))
def test_where_judges_put_an_item_is_counted_as_by_hand(seed, judges, items):
    rng = np.random.default_rng(seed)
    labels, counts = rng.integers(-2, 3, (judges, items)), rng.integers(1, 4, judges)
    partition = rng.integers(-1, 3, items)
    assert np.allclose(placed(labels, counts, partition), groupings.placed(labels, counts, partition))


@pytest.mark.parametrize("question", ["agreement", "judges"])
def test_who_agrees_on_what_both_saw_agrees(question):
    for answer in (
        getattr(q, question)(card_sort(), absent=absent, resamples=20, permutations=9) for absent in (None, "not-shown")
    ):
        for f in answer.findings:
            if any(n in str(f.method) for n in ("v_beta", "adjusted_rand", "together(")):
                assert all(o.value == pytest.approx(1) for o in f.overall), str(f.method)
    low = q.agreement(card_sort(), "v_beta(left_out=bucket)", absent="left-out", resamples=20)
    assert low.findings[0].value < 0.7


def test_judges_who_were_shown_nothing_in_common_are_not_compared():
    rows = [("a", "x", 1), ("a", "y", 1), ("a", "z", 2), ("b", "x", 1), ("b", "y", 1), ("b", "z", 2), ("b", "u", 3)]
    rows += [("c", "u", 1), ("c", "v", 1), ("c", "w", 2), ("b", "v", 3), ("b", "w", 4)]
    panel = q.Groupings.build(dict(zip(("judge", "item", "group"), zip(*rows, strict=True), strict=True)))
    answer = q.agreement(panel, "adjusted_rand", absent="not-shown", resamples=0)
    pairs = {tuple(p): v for p, v in zip(answer.findings[0].keys["pair"], answer.findings[0].values, strict=True)}
    assert pairs["a", "b"] == pairs["b", "c"] == 1
    assert np.isnan(pairs["a", "c"])
    assert answer.findings[0].value == 1
    assert any("undefined for 1 of 3 pairs" in n for n in answer.notes)


def test_the_consensus_is_of_the_judges_who_were_shown_both():
    answer = q.consensus(card_sort(judges=40), "pairs", resamples=20)
    (groups,) = answer.findings[0].values
    assert sorted(map(sorted, groups)) == sorted(sorted(ITEMS[k::5]) for k in range(5))
    rows = answer.findings[0].details["pairs"][0].tolist()
    assert all(r["together"] == r["both"] for r in rows)
    assert 1 < np.mean([r["both"] for r in rows]) < 15  # of 40 judges


def test_two_judges_and_a_system_are_compared_on_what_was_shown():
    panel = q.Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": 2}, "bob": {"y": 1, "z": 2, "u": 2}})
    found = {absent: compare(panel, "ann", "bob", absent).tasks for absent in ("not-shown", "left-out")}
    assert [d.total for d in found["not-shown"].values()] == [0]
    assert [d.number("add") for d in found["left-out"].values()] == [1]
    system = q.Groupings.from_groups({"new": {i: 1 if i in "xy" else 2 for i in "xyzu"}})
    moves = {absent: explain(panel, system, "new", absent)[0].moves for absent in ("not-shown", "left-out")}
    assert moves["not-shown"] == ()
    doubtful = q.Groupings.from_groups(
        {j: {"x": 1, "y": 1, "z": 2} for j in ("ann", "bob")} | {"cat": {"u": 1, "x": 2}}
    )
    told = {a: [m.do for m in explain(doubtful, system, "new", a)[0].moves] for a in ("not-shown", "left-out")}
    assert told == {"not-shown": [], "left-out": ["leave out"]}


def test_trust_is_of_what_was_shown():
    panel = card_sort(judges=10, keep=0.8)
    shown, left = (q.trust(panel, "agreement_stability", absent=a, resamples=20) for a in ("not-shown", "left-out"))
    for answer, absent in ((shown, "not-shown"), (left, "left-out")):
        asked = q.agreement(panel, "v_beta(left_out=bucket)", absent=absent, resamples=0).findings[0].value
        assert answer.findings[0].overall[0].value == pytest.approx(asked)
    assert shown.findings[0].overall[0].value > left.findings[0].overall[0].value + 0.2


def test_pairs_that_nobody_saw_are_unknown_and_said_so():
    rows = [("a", "x", 1), ("a", "y", 1), ("b", "u", 1), ("b", "v", 1), ("c", "x", 1), ("c", "y", 1), ("c", "u", 2)]
    panel = q.Groupings.build(dict(zip(("judge", "item", "group"), zip(*rows, strict=True), strict=True)))
    answer = q.consensus(panel, "pairs", absent="not-shown", resamples=0)
    assert answer.findings[0].details["unseen"] == [2]  # x-v and y-v
    assert any("2 pairs of items were shown to no judge" in n for n in answer.notes)
    assert not any("shown to no judge" in n for n in q.consensus(panel, "pairs", absent="left-out", resamples=0).notes)


def test_a_system_is_held_against_what_each_judge_was_shown():
    truth = q.Groupings.from_groups({"s": {x: k % 5 for k, x in enumerate(ITEMS)}})
    board = q.quality(card_sort(judges=40), truth, resamples=20)
    assert all(f.overall[0].value == pytest.approx(float(f.method.sign > 0), abs=1e-9) for f in board.findings)


@in_small()
def test_all_questions_and_the_report_say_what_an_item_without_a_row_is():
    panel = card_sort(keep=0.8)
    for answer in (
        getattr(q, name)(panel, resamples=20, permutations=9) for name in ("agreement", "judges", "consensus")
    ):
        assert any("--absent left-out" in n for n in answer.notes)
    sections = q.report(panel, resamples=20, permutations=19, absent="left-out").to_dict()["sections"]
    for section in sections.values():
        assert any("--absent not-shown" in n for n in section["answer"]["notes"])
    full = q.Groupings.from_groups({j: dict.fromkeys(ITEMS, 1) for j in "abc"})
    assert not any("--absent" in n for n in q.agreement(full, resamples=20).notes)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "how", [{"seen": 12}, {"seen": (8, 18)}, {"seen": 20, "judges": 6}, {"seen": 16, "judges": 60}]
)
def test_a_design_that_shows_some_of_the_items_is_known(how, seed):
    assert absence(card_sort(keep=0.8, seed=seed, **how)) == "not-shown"


@pytest.mark.parametrize("seed", range(5))
def test_items_that_fit_nowhere_are_left_out(seed):
    assert absence(fussy(seed=seed)) == "left-out"


@pytest.mark.parametrize(("seen", "said"), [(12, "not-shown"), ((6, 18), "left-out")])
def test_where_some_items_are_left_out_in_rows_of_their_own_only_lists_as_long_for_all_are_a_design(seen, said):
    columns = card_sort(seen=seen).columns()
    more = {n: [*c, extra] for (n, c), extra in zip(columns.items(), ("j00", "c99", None), strict=True)}
    assert absence(q.Groupings.build(more)) == said
    assert absence(q.Groupings.build(more), "not-shown") == "not-shown"


def test_a_row_without_a_group_is_left_out_even_where_others_are_not_shown():
    rows = [("a", "x", 1), ("a", "y", None), ("b", "x", 1), ("b", "y", 1), ("b", "z", 1)]
    panel = q.Groupings.build(dict(zip(("judge", "item", "group"), zip(*rows, strict=True), strict=True)))
    assert partitions(panel, "not-shown")[0].labels.tolist() == [[0, -1, -2], [0, 0, 0]]
    assert partitions(panel, "left-out")[0].labels.tolist() == [[0, -1, -1], [0, 0, 0]]
    (block,) = GroupingDesign.of(panel, "not-shown").parts
    assert block.labels.min() == -2
