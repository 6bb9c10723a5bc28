"""Copies: told first, one voice, and nobody is off because two others copied."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate.inference import copies
from quorate.inference.results import Options
from quorate.inference.voices import copies_in
from tests.family import some
from tests.without import without_flags


def orderings(rng, judges=5, tasks=4, items=8, noise=1.5):
    orders = {
        f"t{t}": {
            f"j{k}": [f"i{i}" for i in np.argsort(np.arange(items) + noise * rng.normal(size=items))]
            for k in range(judges)
        }
        for t in range(tasks)
    }
    return q.Orderings.from_orders(orders).columns()


def groupings(rng, judges=4, items=30, moved=0.35):
    base = rng.integers(4, size=items)
    label = [np.where(rng.random(items) < moved, rng.integers(4, size=items), base) for _ in range(judges)]
    rows = [(f"j{k}", f"i{i}", f"g{label[k][i]}") for k in range(judges) for i in range(items)]
    return dict(zip(("judge", "item", "group"), map(list, zip(*rows, strict=True)), strict=True))


def scores(rng, judges=4, items=40, noise=0.9):
    base = rng.normal(size=items)
    rows = [
        (f"j{k}", f"i{i}", float(np.clip(round(3 + base[i] + noise * rng.normal()), 1, 5)))
        for k in range(judges)
        for i in range(items)
    ]
    return dict(zip(("judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True))


def votes(rng, judges=4, tasks=60, missed=0.3):
    better = rng.random(tasks) < 0.5
    rows = [
        (f"j{k}", f"t{t}", "x", "y", "model_a" if better[t] == (rng.random() >= missed) else "model_b")
        for k in range(judges)
        for t in range(tasks)
    ]
    names = ("judge", "task", "model_a", "model_b", "winner")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


MAKE = {
    "orderings": (orderings, q.Orderings),
    "groupings": (groupings, q.Groupings),
    "scores": (scores, q.Scores),
    "votes": (votes, q.Votes),
}


def with_copy(columns, of="j0", name="twin"):
    mine = [i for i, judge in enumerate(columns["judge"]) if judge == of]
    out = {n: [*column, *(column[i] for i in mine)] for n, column in columns.items()}
    out["judge"] = [*columns["judge"], *[name] * len(mine)]
    return out


@pytest.mark.parametrize("kind", MAKE)
def test_a_copy_is_found_and_nobody_else_is(kind):
    make, panel = MAKE[kind]
    for seed in some(range(6), 3):
        columns = make(np.random.default_rng(seed))
        assert copies_in(panel.build(columns), Options()) == []
        (found,) = copies_in(panel.build(with_copy(columns)), Options())
        assert (found["judge"], found["copy_of"]) == ("twin", "j0")
        assert found["same"] == found["answers"]


@pytest.mark.parametrize("kind", MAKE)
def test_agreement_is_that_of_the_panel_without_the_copy(kind):
    make, panel = MAKE[kind]
    columns = make(np.random.default_rng(1))
    one, two = (q.agreement(panel.build(c)) for c in (columns, with_copy(columns)))
    assert [o.value for f in two.findings for o in f.overall] == [o.value for f in one.findings for o in f.overall]
    assert two.facts[0].name == "copies"
    assert two.to_dict()["one_voice"][0]["judge"] == "twin"


@pytest.mark.parametrize("kind", MAKE)
@without_flags
def test_judges_are_held_against_the_panel_without_the_copy(kind):
    make, panel = MAKE[kind]
    columns = make(np.random.default_rng(1))
    one, two = (q.judges(panel.build(c)) for c in (columns, with_copy(columns)))
    for alone, both in zip(one.findings, two.findings, strict=True):
        values = {o.labels["judge"]: o.value for o in both.overall}
        twin = values.pop("twin")
        assert values == pytest.approx({o.labels["judge"]: o.value for o in alone.overall}, abs=1e-12, nan_ok=True)
        assert twin == pytest.approx(values["j0"], abs=1e-12, nan_ok=True)
        assert len(both.values) > len(alone.values)


def test_two_groups_of_copies_and_near_copies_have_figures_of_their_own():
    columns = orderings(np.random.default_rng(5))
    near = with_copy(with_copy(columns), "j1", "other")
    answer = q.judges(q.Orderings.build(near))
    names = [o.labels["judge"] for o in answer["peer_correlation"].overall]
    assert sorted(names) == sorted(set(near["judge"]))


def test_of_several_criteria_one_follows_the_other():
    rng = np.random.default_rng(2)
    both = [{**with_copy(scores(rng)), "criterion": [name] * 200} for name in ("form", "content")]
    answer = q.judges(q.Scores.build({n: both[0][n] + both[1][n] for n in both[0]}))
    assert len(answer.more["one_voice"]) == 1
    order = [o.labels["criterion"] for o in answer["peer_correlation"].overall]
    assert order == sorted(order, key=order.index)
    assert len(order) == 10


def test_the_honest_third_is_not_off_because_two_others_copied():
    for seed in some(range(8), 4):
        panel = q.Scores.build(with_copy(scores(np.random.default_rng(seed), judges=2)))
        answer = q.judges(panel)
        assert answer.more["flagged"] == []
        assert answer.facts[0].name == "copies"


def test_where_everybody_agrees_nobody_is_a_copy():
    assert copies_in(q.Orderings.from_orders(dict.fromkeys("wxyz", "abcdefghij")), Options()) == []
    near = {"a": "abcdefghij", "b": "abcdefghij", "c": "abcdefghji", "d": "bacdefghij"}
    assert copies_in(q.Orderings.from_orders(near), Options()) == []


def test_two_judges_counted_ones_and_few_answers_say_nothing():
    assert copies_in(q.Orderings.from_orders({"a": "abcdefghij", "b": "abcdefghij"}), Options()) == []
    assert copies_in(q.Orderings.from_orders({"a": "abcd", "b": "abcd", "c": "dcba"}), Options()) == []


def test_copies_are_told_apart_by_names_alone():
    columns = with_copy(orderings(np.random.default_rng(3)))
    order = np.random.default_rng(0).permutation(len(columns["judge"])).tolist()
    shuffled = {n: [c[i] for i in order] for n, c in columns.items()}
    found = [copies_in(q.Orderings.build(c).by_name, Options()) for c in (columns, shuffled)]
    assert found[0] == found[1] != []


def sparse_labels(rng, items=160, judges=16, each=4):
    truth, right = rng.integers(3, size=items), rng.uniform(0.6, 0.95, judges)
    who = [(i, j) for i in range(items) for j in rng.choice(judges, each, replace=False).tolist()]
    said = [int(truth[i]) if rng.random() < right[j] else int(rng.integers(3)) for i, j in who]
    return {"judge": [f"j{j}" for _, j in who], "item": [f"i{i}" for i, _ in who], "label": ["xyz"[k] for k in said]}


def test_of_many_who_share_few_answers_only_the_copy_is_found():
    columns = sparse_labels(np.random.default_rng(1))
    assert copies_in(q.Scores.build(columns), Options()) == []
    assert [row["judge"] for row in copies_in(q.Scores.build(with_copy(columns)), Options())] == ["twin"]


def test_a_copy_of_ten_items_is_found_where_the_others_agree_by_half():
    named = []
    for seed in range(6):
        seen = orderings(np.random.default_rng(seed), judges=7, tasks=1, items=10, noise=2.5)
        named.append([row["judge"] for row in copies_in(q.Orderings.build(with_copy(seen)), Options())])
    assert sum(names == ["twin"] for names in named) >= 5


def test_of_answers_that_are_nearly_all_the_same_two_alike_are_no_copies():
    rng = np.random.default_rng(0)
    for _ in range(6):
        rare = rng.normal(size=20) + 0.7 * rng.normal(size=(8, 20)) > 1.7
        rows = [(f"j{j}", f"i{i}", int(rare[j, i])) for j in range(8) for i in range(20)]
        panel = q.Scores.build(dict(zip(("judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True)))
        assert copies_in(panel, Options()) == []


def test_answers_that_few_share_are_counted_from_a_list_as_by_products():
    """Many judges with few answers in common; the second panel has other answers, the third other judges."""
    rng = np.random.default_rng(8)
    judge = np.concatenate([np.sort(rng.choice(60, 4, replace=False)) for _ in range(90)])
    cell, value = np.repeat(np.arange(90), 4), rng.integers(3, size=360)
    panels = [(judge, cell, value), (judge, cell, rng.permutation(value)), (np.roll(judge, 4), cell, value)]
    same, both = copies._listed(panels, 60)
    for k, (who, what, said) in enumerate(panels):
        away = ~np.eye(60, dtype=bool)
        assert (both[k][away] == copies._meetings(who, what, 60)[away]).all()
        assert (same[k][away] == copies._meetings(who, what * 3 + said, 60)[away]).all()


def labels_of_few_in_common(rng):
    """Six honest judges: the first two label the same nine items, the others have fewer of these in common."""
    truth, rows = rng.choice(3, size=60, p=(0.7, 0.2, 0.1)), []
    for j in range(6):
        items = list(range(9)) if j < 2 else rng.choice(60, size=20, replace=False).tolist()
        rows += [(f"j{j}", f"i{i}", "abc"[truth[i] if rng.random() < 0.9 else rng.integers(3)]) for i in items]
    return dict(zip(("judge", "item", "label"), map(list, zip(*rows, strict=True)), strict=True))


def test_few_answers_in_common_with_others_are_not_taken_for_disagreement():
    """A judge who met nobody else on eight items seemed to agree with nobody, and with the one he met too much."""
    panels = [q.Scores.build(labels_of_few_in_common(np.random.default_rng(seed))) for seed in (8, 9, 10, 11)]
    assert [copies_in(panel, Options()) for panel in panels] == [[], [], [], []]
