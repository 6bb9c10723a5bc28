"""Components from sums that add up are those from all rows at once, whatever the blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import moment_sums
from quorate.kernels.group_sums import crossed, renumbered
from quorate.kernels.moment_sums import Block, components, errors, exact, inexact, pair_components, pair_sums
from quorate.kernels.variance_components import variance_components

JUDGES, SYSTEMS = 4, 3


def made_up(seed: int, tasks: int = 6):
    """Scores of judges, tasks and systems, some of them missing."""
    rng = np.random.default_rng(seed)
    task, judge, system = (x.ravel() for x in np.indices((tasks, JUDGES, SYSTEMS)))
    value = rng.normal(size=tasks)[task] + rng.normal(size=JUDGES)[judge] + rng.normal(size=len(task))
    keep = np.flatnonzero(rng.random(len(task)) < 0.8)
    return value[keep], {"j": judge[keep], "t": task[keep], "s": system[keep]}


def added(parts):
    return {key: sum(part[key] for part in parts) for key in parts[0]}


def sums_of(x, codes, most):
    return Block(x, codes, JUDGES, SYSTEMS, most).sums()


@given(seed=st.integers(0, 1000), small=st.booleans())
def test_components_are_those_of_all_rows(seed, small):
    value, codes = made_up(seed)
    x, most = value - value.min(), float(np.ptp(value))
    names = ["j", "t", "s", "jt", "js", "ts"]
    factors = [crossed(codes[n[0]], codes[n[-1]]) for n in names]
    want = variance_components(value, factors)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moment_sums, "TABLE", 10**6 if small else 0)
        found = components(sums_of(x, codes, most), names, most, float(np.abs(value).max()))
    assert found == pytest.approx(want, rel=1e-9, abs=1e-12, nan_ok=True)


@given(seed=st.integers(0, 1000), cut=st.integers(1, 5))
def test_blocks_of_tasks_in_any_order_add_up_to_the_same(seed, cut):
    value, codes = made_up(seed)
    x, most = value - value.min(), float(np.ptp(value))
    weight = np.random.default_rng(seed).random(len(x))
    unit = crossed(codes["t"], codes["s"])
    sides = [codes["t"] >= cut, codes["t"] < cut, codes["t"] >= 0]
    blocks = [
        {
            **Block(x[rows], own, JUDGES, SYSTEMS, most).sums(),
            **Block(x[rows], own, JUDGES, SYSTEMS, most).weights(weight[rows]),
            **{
                ("pair", *key): v
                for key, v in pair_sums(x[rows], renumbered(unit[rows]), own["j"], JUDGES, most).items()
            },
        }
        for rows in sides
        for own in [{n: renumbered(c[rows]) if n == "t" else c[rows] for n, c in codes.items()}]
    ]
    whole, parts = blocks.pop(), added(blocks)
    assert all((parts[key] == whole[key]).all() for key in whole)


@given(seed=st.integers(0, 1000))
def test_pairs_without_each_judge_are_those_of_the_other_rows(seed):
    value, codes = made_up(seed)
    unit = crossed(codes["t"], codes["s"])
    several = np.bincount(unit)[unit] > 1
    value, unit, judge = value[several], renumbered(unit[several]), codes["j"][several]
    there, place = np.unique(judge, return_inverse=True)
    keep = np.vstack([np.ones(len(there)), 1 - np.eye(len(there))])
    want = variance_components(value, [unit, judge], [(place, keep)])
    x, most = value - value.min(), float(np.ptp(value))
    found, who = pair_components(pair_sums(x, unit, judge, JUDGES, most), most, float(np.abs(value).max()))
    assert who.tolist() == there.tolist()
    assert found == pytest.approx(want, rel=1e-9, abs=1e-12, nan_ok=True)


@given(seed=st.integers(0, 1000))
def test_what_stays_in_a_mean_is_the_sum_of_squared_weights(seed):
    _, codes = made_up(seed)
    weight = 1.0 / np.random.default_rng(seed).integers(1, 4, len(codes["j"]))
    cells = np.array([len(np.unique(codes["t"][codes["s"] == s])) for s in range(SYSTEMS)])
    sums = {
        **sums_of(weight, codes, 1.0),
        **Block(weight, codes, JUDGES, SYSTEMS, 1.0).weights(weight),
        ("cells",): cells,
    }
    names, there = ["js", "ts", "jts", "rows"], np.count_nonzero(cells)
    share, want = weight / cells[codes["s"]], []
    for name in names:
        level = np.arange(len(weight)) if name == "rows" else np.zeros(len(weight), np.int64)
        for letter in name if name != "rows" else "":
            level = crossed(level, codes[letter])
        want.append((np.bincount(level, share) ** 2).sum() / there)
    assert errors(sums, names) == pytest.approx(want)


@pytest.mark.parametrize("most", [1.0, 3e-7, 5e5])
def test_exact_sums_are_the_same_in_any_order_and_close(most):
    values = most * np.random.default_rng(0).random(500)
    parts = exact(values, most)
    orders = [parts[:, order].cumsum(axis=1)[:, -1] for order in (np.arange(500), np.arange(500)[::-1])]
    assert (orders[0] == orders[1]).all()
    assert float(inexact(orders[0], most)) == pytest.approx(values.sum(), rel=1e-14)


def test_no_crossing_has_both_the_task_and_its_item():
    found = moment_sums.words("jtsi")
    assert len(found) == 11
    assert not any({"t", "i"} <= set(name) for name in found)
