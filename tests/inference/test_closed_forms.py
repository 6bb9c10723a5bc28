"""Every closed form that a method declares says what the same method says with the closed form switched off.

Declared are: agreement without each judge (``without``), figures task by task (``by_task``), pairs of judges compared
once for all draws of judges (``weighs_pairs``), units' values where judges count so often (``weighted``), the mean over
pairs without pairs (``shortcut``), many permuted copies of a panel (``at_once``), tasks padded with items that nobody
ranks (``pads``), numbers of tasks that add up to those of all (``additive``), copies of a panel in which one judge's
answers are others (``replaced``), and every two judges compared once for several methods (``pairs``). The tests are
loops over the registry: a new method is held to its general path too. One closed form is not declared: FreSPA of each
judge's order by the others, of short lists, which is ED's.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import quorate as q
from quorate import table
from quorate.inference.designs import DESIGNS
from quorate.inference.weights import leave_one_out
from quorate.kernels.ranks import dense
from quorate.orderings import discriminativeness
from quorate.orderings.pairwise import PAIRWISE
from quorate.panel.coefficient import additive
from quorate.panel.design import ONCE, Weights
from quorate.panel.outputs import OutputDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.score_design import ScoreDesign
from quorate.panel.task_design import TaskDesign
from tests.family import some

FORMS = (
    *("without", "by_task", "weighs_pairs", "pads", "weighted", "at_once", "additive", "by_judge", "replaced"),
    "pairs",
)
SEEDS = some(range(4), 2)
NEAR = {"rtol": 1e-9, "atol": 1e-9, "equal_nan": True}


def declaring(form: str) -> list[table.Method]:
    """Every method that declares this closed form, with the settings under which it may differ."""
    out = []
    for d in table.declarations():
        if d.properties.get(form):
            base = table.Method(d)
            out.append(base)
            for name in ("missing", "left_out", "level", "weights"):
                if base.has(name):
                    out += [base.with_(**{name: c}) for c in d.parameters[name].choices if c != base[name]]
    return out


def switched_off(method: table.Method, *forms: str) -> table.Method:
    """The same method without these closed forms."""
    left = {n: p for n, p in method.declaration.properties.items() if n not in forms}
    return replace(method, declaration=replace(method.declaration, properties=left))


def columns(kind: str, seed: int) -> dict[str, list[object]]:
    """Answers with gaps and ties; with odd seeds some rows stand for several judges, where a kind has that."""
    rng = np.random.default_rng(seed)
    tasks, judges, items = int(rng.integers(1, 4)), int(rng.integers(3, 6)), int(rng.integers(3, 7))
    out: dict[str, list[object]] = {"task": [], "judge": [], "item": [], "value": []}
    for t in range(tasks):
        number = items - (t > 0 and seed > 1)  # tasks of several sizes
        truth = rng.random(number)
        for j in range(judges):
            there = np.flatnonzero(rng.random(number) < (1.0 if seed == 0 else 0.8))
            there = there if len(there) > 1 else np.arange(number)
            seen = np.round((truth + rng.normal(0, 0.3, number)) * (4 if seed % 2 else 1000)).astype(int)
            for i in there.tolist():
                out["task"].append(f"t{t}")
                out["judge"].append(f"j{j}")
                out["item"].append(f"i{i}")
                out["value"].append(int(seen[i]))
    if kind in ("orderings", "groupings") and seed % 2:
        out["count"] = [1 + (hash_of(j) % 2) for j in out["judge"]]
    return out


def hash_of(name: object) -> int:
    return int(str(name)[1:])


def panel_of(kind: str, seed: int) -> q.Orderings | q.Groupings | q.Scores | q.Votes:
    given = columns(kind, seed)
    value = given.pop("value")
    if kind == "orderings":
        return q.Orderings.build({**given, "position": [int(v) + 5000 for v in value]})
    if kind == "groupings":
        return q.Groupings.build({**given, "group": [f"g{int(v) % 3}" for v in value]})  # type: ignore[call-overload]
    if kind == "scores":
        return q.Scores.build({**given, "score": [int(v) % 5 for v in value]})  # type: ignore[call-overload]
    rng = np.random.default_rng(seed)
    rows = [(f"t{t}", f"j{j}", "ab"[k], "bc"[k]) for t in range(4) for j in range(4) for k in range(2)]
    votes = {n: [r[k] for r in rows] for k, n in enumerate(("task", "judge", "model_a", "model_b"))}
    return q.Votes.build({**votes, "winner": rng.choice(["model_a", "model_b", "tie"], len(rows)).tolist()})


def designs(method: table.Method, seed: int) -> list:
    kind = method.declaration.kind
    return list(DESIGNS[kind](panel_of(kind, seed).by_name, None))


def test_every_declared_closed_form_is_known_here():
    assert {m.declaration.kind for m in declaring("without")} == {"orderings", "groupings", "scores", "votes"}
    assert len(declaring("without")) > 30
    assert all(declaring(form) for form in FORMS)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", declaring("without"), ids=str)
def test_agreement_without_each_judge(method, seed):
    for design in designs(method, seed):
        if isinstance(design, VoteDesign):  # a figure of all votes together: weights of 0
            general = design.values(method, leave_one_out(design)).array.T
        else:
            general = design.without_each(switched_off(method, "without"))
        closed = design.without_each(method)
        there = np.isfinite(closed) | np.isfinite(general)
        assert np.allclose(closed[there], general[there], **NEAR)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", declaring("at_once"), ids=str)
def test_copies_of_a_panel_at_once_are_the_copies_one_by_one(method, seed):
    for design in designs(method, seed):
        copies = design.permuted(np.random.default_rng(seed), 3)
        one_by_one = [replace(design, parts=(part,), known={}) for part in copies.parts]
        plain = switched_off(method, "at_once", "without")
        assert np.allclose(
            copies.values(method).array, np.concatenate([d.values(plain).array for d in one_by_one]), **NEAR
        )
        without = np.concatenate([d.without_each(plain) for d in one_by_one])
        assert np.allclose(copies.without_each(method), without, **NEAR)


@pytest.mark.parametrize("seed", [*SEEDS, 1])
@pytest.mark.parametrize("method", declaring("replaced"), ids=str)
def test_one_judge_permuted(method, seed):
    for design in designs(method, seed):
        for judge in range(len(design.judges)):
            closed, general = (
                design.values_permuted_by(m, judge, np.random.default_rng(seed), 3)
                for m in (method, switched_off(method, "replaced"))
            )
            assert np.array_equal(closed.keys["task"], general.keys["task"])
            assert np.array_equal(closed.array, general.array, equal_nan=True)  # to the last digit


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "method", [m for m in declaring("by_task") if callable(m.declaration.properties["by_task"])], ids=str
)
def test_figures_task_by_task(method, seed):
    for design in designs(method, seed):
        closed = design.by_task(method)
        if isinstance(design, ScoreDesign):
            general = design.by_task(switched_off(method, "by_task", "additive")).array
        else:
            alone = [design.some_tasks(np.array([t])) for t in range(len(design.tasks))]
            general = np.concatenate([d.values(method).array for d in alone], axis=1)
        assert np.allclose(closed.array, general, **NEAR)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", [m for m in declaring("additive") if m.declaration.kind == "scores"], ids=str)
def test_numbers_of_tasks_add_up(method, seed):
    plain, rng = switched_off(method, "additive"), np.random.default_rng(seed)
    for design in designs(method, seed):
        weights = Weights(5, tasks=rng.integers(0, 3, (5, len(design.tasks))).astype(float))
        for often in (Weights(), weights):
            assert np.allclose(design.values(method, often).array, design.values(plain, often).array, **NEAR)
        assert np.allclose(design.by_task(method).array, design.by_task(plain).array, **NEAR)
        adds = additive(method)
        if adds is None:  # not with these settings
            continue
        parts = [np.array([t for t in range(len(design.tasks)) if (t + seed) % 2 == k]) for k in range(2)]
        for keep in parts:  # of any tasks the very numbers that they have among all
            if len(keep):
                some = design.some_tasks(keep)
                assert np.array_equal(some.sums(method, adds), design.sums(method, adds)[keep])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", declaring("by_judge"), ids=str)
def test_numbers_of_judges_on_tasks_add_up(method, seed):
    plain, rng = switched_off(method, "by_judge"), np.random.default_rng(seed)
    for design in designs(method, seed):
        weights = Weights(5, tasks=rng.integers(0, 3, (5, len(design.tasks))).astype(float))
        for often in (Weights(), weights):
            found, general = design.values(method, often), design.values(plain, often)
            assert np.allclose(found.array, general.array, **NEAR)
        found, general = design.values(method), design.values(plain)
        assert [*found.details] == [*general.details]
        assert found.rests.keys() == general.rests.keys()
        assert all(np.array_equal(found.rests[n], general.rests[n]) for n in found.rests)


@pytest.mark.parametrize("dense", [0, 100])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", declaring("weighted"), ids=str)
def test_units_where_judges_count_so_often(method, seed, dense, monkeypatch):
    monkeypatch.setattr("quorate.scores.averages.DENSE", dense)  # tables of judges and units, or sums over rows
    (design,) = OutputDesign.every(panel_of("scores", seed))
    weights = Weights(3, np.random.default_rng(seed).integers(0, 3, (3, len(design.judges))).astype(float))
    general = design.values(switched_off(method, "weighted"), weights).array
    assert np.allclose(design.values(method, weights).array, general, **NEAR)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", [m for m in declaring("weighs_pairs") if m.question == "agreement"], ids=str)
def test_draws_of_judges_are_panels_in_which_they_count_so_often(method, seed):
    for design in designs(method, seed):
        assert isinstance(design, TaskDesign)
        for part in design.parts_for(method):
            drawn = np.random.default_rng(seed).integers(0, 3, (3, part.counts.shape[1]))
            drawn[:, 0] = 2
            for t in range(len(part.tasks)):
                same = np.broadcast_to(part.given[0][t], (3, *part.given[0].shape[1:]))
                once = method(same, drawn, alike=True, brief=True).values
                for row, counts in zip(once, drawn, strict=True):
                    judges = np.repeat(np.arange(len(counts)), counts)
                    apart = method(
                        part.given[0][t][judges][None], np.ones((1, len(judges)), np.int64), alike=True
                    ).values
                    assert np.allclose(row, apart[0], **NEAR)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", declaring("pairs"), ids=str)
def test_judges_who_are_compared_once_for_all_methods_that_are_asked(method, seed):
    for design in designs(method, seed):
        asked = design.for_methods([*declaring("pairs")[::7], method])
        chosen = design.canonical(method)
        known = Weights(judges=np.random.default_rng(seed).integers(0, 3, (4, len(design.judges))).astype(float))
        for weights in (known, ONCE):
            kept, general = asked.values(chosen, weights), design.values(chosen, weights)
            assert np.allclose(kept.array, general.array, **NEAR)
            assert np.array_equal(kept.keys["task"], general.keys["task"])
        assert asked.every_two(chosen) is not None
        assert design.every_two(chosen) is None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("index", [i for i in PAIRWISE.values() if i.shortcut], ids=repr)
def test_the_mean_over_pairs_without_pairs(index, seed):
    rng = np.random.default_rng(seed)
    strict = rng.permuted(np.tile(np.arange(1, 7, dtype=np.int16), (3, 5, 1)), axis=2)
    for alike in (True, False):
        counts = rng.integers(0 if seed else 1, 4, (3, 5))
        short = index.measure(strict, counts, alike=alike)
        general = replace(index, shortcut=None).measure(strict, counts, alike=alike)
        assert index.quick(strict)
        assert np.allclose(short.values, general.values, **NEAR)
        assert short.details == general.details


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("length", [6, 4, 0])
@pytest.mark.parametrize("index", [i for i in PAIRWISE.values() if i.of_lists], ids=repr)
def test_the_mean_over_pairs_of_lists_without_pairs(index, length, seed):
    rng = np.random.default_rng(seed)
    listed = rng.permuted(np.tile(np.arange(1, 7, dtype=np.int16), (3, 5, 1)), axis=2)
    listed[listed > length] = 0
    for alike in (True, False):
        for counts in (np.ones((3, 5), np.int64), rng.integers(0, 4, (3, 5))):
            short = index.measure(listed, counts, alike=alike)
            general = replace(index, of_lists=None).measure(listed, counts, alike=alike)
            assert np.allclose(short.values, general.values, **NEAR)
            assert short.details == general.details
            listed[1, 0] = np.where(listed[1, 0] == length, 1, listed[1, 0])  # a tie, of which every two are compared
    assert length < 2 or index.of_lists(listed, np.ones((3, 5)), True)[1].tolist() == [True, False, True]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", declaring("pads"), ids=str)
def test_items_that_nobody_ranks_change_nothing(method, seed):
    for design in designs(method, seed):
        padded, plain = design.values(method), design.values(switched_off(method, "pads"))
        assert np.allclose(padded.array, plain.array, **NEAR)
        assert np.array_equal(padded.keys["task"], plain.keys["task"])


@pytest.mark.parametrize("shape", [(4, 10, 9), (1, 3, 4), (2, 5, 2), (3, 8, 10)])
@pytest.mark.parametrize("text", ["frespa(min_sup=0.5)", "frespa", "frespa(w_len=0, w_sup=3)"])
def test_frespa_of_short_lists_without_each_judge(shape, text, monkeypatch):
    rng = np.random.default_rng(3)
    positions = rng.integers(1, 2 + shape[2], size=shape)  # with ties
    positions = np.where(rng.random(shape) < 0.1, 0, dense(positions))
    counts, of = np.ones(shape[:2], np.int64), table.parse(text, "orderings", "quality")
    closed = discriminativeness.differences(positions, counts, of)
    monkeypatch.setattr(discriminativeness, "SHORT", 0)
    general = discriminativeness.differences(positions, counts, of)
    assert np.array_equal(closed, general, equal_nan=True)  # to the last digit
