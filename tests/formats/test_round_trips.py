"""Any panel, any format: what is written reads back equal, or is refused before anything is written."""

from __future__ import annotations

import gzip
import io
import re
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quorate.errors import InputError
from quorate.formats import read, write
from quorate.panel.kinds import Groupings, Orderings, Scores

TABLES = ["x.csv", "x.tsv", "x.jsonl", "x.parquet", "x.csv.gz", "x.parquet.gz"]
ORDERS = ["x.soc", "x.soi", "x.toc", "x.toi", "x.run", "x.rankings", "x.rankings.gz"]

wild_ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(str.strip)
tame_ids = st.text("abcäß語🎲123-_.", min_size=1, max_size=4)


@st.composite
def orderings(draw, ids, occasions=True, counts=True, tasks=3, judges=None):
    raw = {n: [] for n in ("task", "judge", "item", "position", "count", "occasion")}
    items = draw(st.lists(ids, min_size=1, max_size=5, unique=True))
    names = judges or draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    for task in draw(st.lists(ids, min_size=1, max_size=tasks, unique=True)):
        for judge in names:
            for occasion in range(1, 1 + (draw(st.integers(1, 2)) if occasions else 1)):
                count = draw(st.integers(1, 900)) if counts else 1
                for item in draw(st.lists(st.sampled_from(items), min_size=1, unique=True)):
                    position = draw(st.integers(1, 4))
                    for name, value in zip(raw, (task, judge, item, position, count, occasion), strict=True):
                        raw[name].append(value)
    return Orderings.build(raw)


def again(panel, name, reading=None, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        try:
            write(panel, path, **options)
        except InputError:
            assert not path.exists(), "half a file"
            raise
        return read(path, **(reading or {}))


@pytest.mark.parametrize("name", TABLES)
@given(panel=orderings(wild_ids))
def test_tables_hold_any_orderings(name, panel):
    assert again(panel, name, {"exact": True}) == panel


@pytest.mark.parametrize("name", ORDERS)
@given(panel=st.one_of(orderings(wild_ids), orderings(wild_ids, False, False, 1, ["1", "2"])))
def test_formats_of_orders_hold_or_refuse(name, panel):
    reading = {"ties": True, "tags": True} if name == "x.run" else {}
    try:
        back = again(panel, name, reading)
    except InputError:
        return
    assert back == panel


@given(panel=orderings(tame_ids, occasions=False, tasks=1, judges=["1", "2", "3"]))
def test_preflib_holds_counts_and_ties(panel):
    assert again(panel, "x.toi") == panel


@given(panel=orderings(tame_ids, occasions=False))
def test_lines_hold_counts_ties_and_tasks(panel):
    assert again(panel, "x.rankings") == panel


@given(panel=orderings(tame_ids, occasions=False, counts=False))
def test_runs_hold_ties_and_tasks(panel):
    assert again(panel, "x.run", {"ties": True, "tags": True}) == panel


@given(panel=orderings(tame_ids, occasions=False, counts=False))
def test_wide_tables_hold_orderings(panel):
    assert again(panel, "x.csv", {"kind": "orderings", "wide": True, "exact": True}, wide=True) == panel


@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet"])
@given(panel=orderings(st.integers(-9, 9)))
def test_ids_keep_their_type(name, panel):
    back = again(panel, name, {"exact": True})
    assert back == panel
    assert all(type(i) is int for i in (*back.tasks, *back.judges, *back.items))


@pytest.mark.parametrize("name", TABLES)
@given(data=st.data())
def test_tables_hold_groupings(name, data):
    items = data.draw(st.lists(wild_ids, min_size=1, max_size=5, unique=True))
    judges = data.draw(st.lists(wild_ids, min_size=1, max_size=3, unique=True))
    groups = {j: {i: data.draw(st.one_of(st.none(), wild_ids)) for i in items} for j in judges}
    panel = Groupings.from_groups(groups)
    assert again(panel, name, {"exact": True}) == panel


@given(data=st.data())
def test_wide_tables_hold_groupings(data):
    items = data.draw(st.lists(tame_ids, min_size=1, max_size=5, unique=True))
    judges = data.draw(st.lists(tame_ids, min_size=1, max_size=3, unique=True))
    panel = Groupings.from_groups({j: {i: data.draw(st.one_of(st.none(), tame_ids)) for i in items} for j in judges})
    assert again(panel, "x.tsv", {"kind": "groupings", "wide": True, "exact": True}, wide=True) == panel


@pytest.mark.parametrize("name", TABLES)
@given(data=st.data())
def test_tables_hold_scores_and_labels(name, data):
    score = st.one_of(st.just(float("nan")), st.floats(-1e150, 1e150))
    rows = data.draw(
        st.lists(st.tuples(wild_ids, wild_ids, wild_ids, score, st.one_of(st.none(), wild_ids)), min_size=1, max_size=8)
    )
    columns = zip(*rows, strict=True)
    panel = Scores.build(dict(zip(("judge", "item", "criterion", "score", "Word of mouth"), columns, strict=True)))
    assert again(panel, name, {"exact": True}) == panel


@pytest.mark.parametrize("name", TABLES)
@given(score=st.one_of(st.floats(1e150, 1e308, exclude_min=True), st.floats(-1e308, -1e150, exclude_max=True)))
def test_a_score_beyond_what_can_be_squared_is_refused_with_file_place_and_hint(name, score):
    rows = [("ann", "x", 1.0), ("bob", "x", score), ("bob", "y", 1e150)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        table = pl.DataFrame(rows, schema=["judge", "item", "score"], orient="row")
        raw = io.BytesIO()
        form = name.removesuffix(".gz")
        {
            "x.csv": table.write_csv,
            "x.tsv": lambda out: table.write_csv(out, separator="\t"),
            "x.jsonl": table.write_ndjson,
            "x.parquet": table.write_parquet,
        }[form](raw)
        path.write_bytes(gzip.compress(raw.getvalue()) if name.endswith(".gz") else raw.getvalue())
        with pytest.raises(InputError) as refused:
            read(path)
    place = {"x.jsonl": "line 2", "x.parquet": "row 2"}.get(form, "line 3")
    assert name in str(refused.value)
    assert f"{place}: score {score:g}" in str(refused.value)
    assert re.search(r"score is too large \(1 (line|row)\)", str(refused.value))  # the limit itself is allowed
    assert "divide them" in refused.value.hint


@given(matrix=st.lists(st.lists(st.floats(-5, 5), min_size=2, max_size=2), min_size=1, max_size=4))
def test_wide_tables_hold_scores(matrix):
    panel = Scores.from_matrix(matrix, items=["x", "y"], judges=[f"j{k}" for k in range(len(matrix))])
    assert again(panel, "x.csv", {"kind": "scores", "wide": True, "exact": True}, wide=True) == panel


@given(grades=st.dictionaries(tame_ids, st.integers(-2, 9), min_size=1))
def test_qrels_hold_one_judges_grades(grades):
    assume(all(i.split() == [i] for i in grades))
    panel = Scores.build(
        {"judge": ["x"] * len(grades), "item": list(grades), "score": [float(g) for g in grades.values()]}
    )
    assert again(panel, "x.qrels") == panel
