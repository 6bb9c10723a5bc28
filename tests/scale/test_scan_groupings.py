"""A scan of groupings gives the very bytes that groupings in memory give."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import quorate as q
from quorate import table
from quorate.panel.partitions import absence
from tests.family import some
from tests.scale.made_up import TASKS, files, groupings, here
from tests.scale.test_scan import same

BRIEF = {"resamples": 40, "permutations": 20}


def left_out() -> pl.DataFrame:
    """Items are left out, with a row of their own and without."""
    return groupings()


def complete() -> pl.DataFrame:
    """Nobody left anything out: then it makes no difference what becomes of left-out items."""
    return groupings(3, left_out=0.0)


def in_turns() -> pl.DataFrame:
    """Every judge was shown 6 of 12 items, and put all of them in groups."""
    rng = np.random.default_rng(4)
    rows = []
    for t in rng.permutation(TASKS).tolist():
        for judge in ("ann", "bob", "çelik"):
            shown = rng.choice(12, 6, replace=False).tolist()
            rows += [(f"t{t}", judge, f"i{k}", f"g{(k + int(rng.integers(5)) // 4) % 3}") for k in shown]
    return pl.DataFrame(rows, schema=["task", "judge", "item", "group"], orient="row")


@pytest.mark.parametrize("make", [complete, in_turns])
def test_what_is_guessed_of_items_without_a_row(make, tmp_path):
    pattern = files(make(), tmp_path)
    scan = here(q.scan(pattern, rows=500))
    panel = q.read(*scan.source.files)
    assert absence(panel) == ("not-shown" if make is in_turns else "left-out")
    assert same(q.agreement(panel, "v_beta", **BRIEF), q.agreement(scan, "v_beta", **BRIEF))


def test_judges_and_who_is_off(tmp_path):
    pattern = files(left_out(), tmp_path)
    asked = ("peer_agreement(measure=v_beta)", "together_outliers")
    one = q.judges(q.read(*q.scan(pattern).source.files), *asked, **BRIEF)
    assert [f["judge"] for f in one.more["flagged"]] == ["j9"]  # who answers at random
    assert same(one, q.judges(q.scan(pattern, rows=500, workers=1), *asked, **BRIEF))


def test_every_method_of_agreement(tmp_path):
    pattern = files(left_out(), tmp_path)
    methods = some([str(m) for m in table.methods("groupings", "agreement")], 2)
    brief = {"resamples": 20, "permutations": 0}
    panel = q.read(*q.scan(pattern).source.files)
    assert same(q.agreement(panel, *methods, **brief), q.agreement(here(q.scan(pattern, rows=500)), *methods, **brief))


def test_quality_beside_clusterings_that_lack_a_task(tmp_path):
    rows = complete()
    theirs = groupings(1, judges=("new", "old", "random"), left_out=0.0).filter(pl.col("task") != "t7")
    theirs = theirs.with_columns(pl.col("item").str.replace("文6", "unknown"))
    order = rows.select("task").unique(maintain_order=True).with_row_index()
    theirs = theirs.join(order, on="task", maintain_order="left").sort("index", maintain_order=True).drop("index")
    judged, clustered = files(rows, tmp_path / "judged"), files(theirs, tmp_path / "clustered", 3)
    way = "against_judges(measure=v_beta)"
    one = q.quality(*(q.read(*q.scan(p).source.files) for p in (judged, clustered)), way, **BRIEF)
    assert any("no system's clustering" in note for note in one.notes)
    scans = here(q.scan(judged, rows=600)), here(q.scan(clustered, rows=300))
    assert same(one, q.quality(*scans, way, **BRIEF))


@pytest.mark.long
def test_a_copy_counts_as_one_voice(tmp_path):
    rows = left_out()
    copy = rows.filter(pl.col("judge") == "ann").with_columns(pl.lit("ann again").alias("judge"))
    pattern = files(pl.concat([rows, copy]).sort("task", maintain_order=True), tmp_path)
    one = q.agreement(q.read(*q.scan(pattern).source.files), "v_beta", **BRIEF)
    assert [c["judge"] for c in one.more["one_voice"]] == ["ann again"]
    assert same(one, q.agreement(here(q.scan(pattern, rows=600)), "v_beta", **BRIEF))
