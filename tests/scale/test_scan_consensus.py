"""What judges agree on, task by task: the same bytes from files however they are cut, by every method."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.cli import main
from quorate.errors import BadParameter
from tests.family import LONG, some
from tests.scale.made_up import Here, files, groupings, orderings
from tests.scale.test_scan import same

BRIEF = {"resamples": 20, "permutations": 9}
MAKERS = {"orderings": orderings, "groupings": groupings}


def scanned(pattern: str, rows: int) -> Any:
    scan = q.scan(pattern, rows=rows)
    scan.__dict__["pool"] = Here()
    return scan


@pytest.mark.parametrize("kind", MAKERS)
def test_every_method(kind, tmp_path):
    pattern = files(MAKERS[kind](tasks=90), tmp_path)
    methods = some([str(m) for m in table.methods(kind, "consensus")], 4)
    if kind == "orderings":
        methods += ["rank_sum(outliers=drop)", "copeland(weights=agreement)"]
    scan = scanned(pattern, 500)
    one, other = (q.consensus(p, *methods, **BRIEF) for p in (q.read(*scan.source.files), scan))
    assert other.panel.elsewhere is not None
    assert same(one, other)
    assert ("without_outliers" in other.more) == (kind == "orderings")


def test_two_processes_on_a_terminal(tmp_path):
    pattern = files(orderings(), tmp_path)
    asked = ["consensus", pattern, "--method", "kemeny", "--format", "json", "--resamples", "20"]
    here = CliRunner().invoke(main, [*asked, "--workers", "2"])
    assert here.exit_code == 0, here.output
    paths = q.scan(pattern).source.files
    whole = CliRunner().invoke(main, ["consensus", *paths, *asked[2:]])
    assert here.output == whole.output


@given(seed=st.integers(0, 50), rows=st.integers(60, 900), cut=st.integers(1, 5))
@settings(max_examples=100 if LONG else 2)
def test_any_order_of_tasks_and_any_pieces(tmp_path_factory, seed, rows, cut):
    frame = orderings(seed, tasks=90)
    tasks = np.random.default_rng(seed).permutation(frame.get_column("task").unique(maintain_order=True).to_list())
    order = pl.DataFrame({"task": tasks}).with_row_index("place")
    mixed = frame.join(order, on="task").sort("place", maintain_order=True).drop("place")
    folder = tmp_path_factory.mktemp("cut")
    one, other = (scanned(files(f, folder / name, cut), rows) for f, name in ((frame, "one"), (mixed, "other")))
    found = [q.consensus(p, "copeland", **BRIEF)["copeland"] for p in (q.read(*one.source.files), one, other)]
    by_task = [dict(zip(f.keys["task"], zip(f.values, f.details["first"], strict=True), strict=True)) for f in found]
    assert by_task[0] == by_task[1] == by_task[2]


def test_what_does_not_fit_is_refused_and_told_before(tmp_path):
    pattern = files(groupings(), tmp_path)
    with pytest.raises(BadParameter, match=r"consensus of 90 tasks by 2 methods: about .* are needed"):
        q.consensus(q.scan(pattern, memory="1MB"))
    told = CliRunner().invoke(main, ["consensus", pattern, "--dry-run"])
    assert "of 90 tasks in 2 pieces" in told.output
    assert "at once" not in told.output
