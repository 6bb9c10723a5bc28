"""Frames of every sort, without importing what is not there; fields inside cells by their path."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import quorate as q
from quorate.errors import InputError

COLUMNS = {"judge": ["ann", "ann", "bob", "bob"], "item": ["x", "y", "x", "y"], "score": [1, 2, 3, None]}
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


class Dataset:
    """What a Hugging Face dataset can do, as far as it is used."""

    __module__ = "datasets.arrow_dataset"

    def __init__(self, columns):
        self._columns = columns

    def with_format(self, form):
        assert form is None
        return self

    def __len__(self):
        return len(next(iter(self._columns.values())))

    def __getitem__(self, rows):
        return {n: c[rows] for n, c in self._columns.items()}


class IterableDataset:
    __module__ = "datasets.iterable_dataset"

    def __init__(self, rows):
        self._rows = rows

    def with_format(self, form):
        return self

    def __iter__(self):
        return iter(self._rows)


class DatasetDict(dict):
    __module__ = "datasets.dataset_dict"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        ROWS,
        COLUMNS,
        Dataset(COLUMNS),
        IterableDataset(ROWS),
    ],
    ids=lambda f: type(f).__name__,
)
def test_frames_are_read_alike(frame):
    assert q.read(frame) == q.Scores.build(COLUMNS)
    assert q.inspect(frame).to_dict()["rows"] == 4


def test_a_real_dataset():
    datasets = pytest.importorskip("datasets", reason="Hugging Face datasets are not installed")
    data = datasets.Dataset.from_dict(COLUMNS)
    assert q.read(data) == q.Scores.build(COLUMNS)
    assert len(q.read(data.select([0, 2]))) == 2  # which rows were chosen counts
    with pytest.raises(InputError, match=r"dataset\['train'\]"):
        q.read(datasets.DatasetDict({"train": data}))


def test_what_is_no_table():
    with pytest.raises(InputError, match=r"dataset\['train'\]"):
        q.read(DatasetDict(train=1))
    with pytest.raises(InputError, match="collect it"):
        q.read(pl.DataFrame(COLUMNS).lazy())
    with pytest.raises(InputError, match="lists of one length"):
        q.read({"judge": ["a"], "item": "x"})
    for odd in ([1, 2], 3, [], object()):
        with pytest.raises(InputError, match="is not a table"):
            q.read(odd)


RECORDS = [
    {
        "id": 1,
        "text": "One.",
        "meta": {"lang": "en"},
        "answers": [{"by": "ann", "v": {"n": 3}}, {"by": "bob", "v": {"n": 4}}],
    },
    {
        "id": 2,
        "text": "Two.",
        "meta": {"lang": "de"},
        "answers": [{"by": "ann", "v": {"n": 1}}, {"by": "bob", "v": {"n": 2}}],
    },
]
PATHS = "item=id,judge=answers[].by,score=answers[].v.n"


@pytest.mark.parametrize("form", ["json", "pretty.json", "inside.json", "jsonl", "frame", "polars"])
def test_fields_inside_records_by_their_path(form, tmp_path):
    path = tmp_path / f"a.{form}"
    if form == "jsonl":
        path.write_text("\n".join(map(json.dumps, RECORDS)))
    elif form == "inside.json":
        path.write_text(json.dumps({"version": 1, "data": RECORDS}))
    else:
        path.write_text(json.dumps(RECORDS, indent=1 if form.startswith("pretty") else None))
    given = {"frame": RECORDS, "polars": pl.DataFrame(RECORDS)}.get(form, path)
    paths = PATHS.replace("=answers", "=data[].answers").replace("=id", "=data[].id") if "inside" in form else PATHS
    panel = q.read(given, column=paths)
    assert (panel.judges, panel.items) == (("ann", "bob"), (1, 2))
    assert sorted(panel.value.tolist()) == [1, 2, 3, 4]
    if "inside" not in form:
        assert set(panel.labels["meta.lang"].ids) == {"en", "de"}


def test_the_only_list_of_an_object_holds_the_records(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"version": 1, "rows": ROWS}, indent=1))
    panel = q.read(path)
    assert panel == q.Scores.build(COLUMNS)
    assert [g.option for g in panel.reading.guesses] == ["--input-option records=rows"]
    assert q.read(path, records="rows", strict=True) == panel


@pytest.mark.parametrize(
    ("content", "options", "why"),
    [
        ("[", {}, "not closed"),
        ('[{"judge": 1},', {}, "not closed"),
        ('[{"judge": 1}, {"judge": ]', {}, "line 1"),
        ('[\n{"judge": 1, "judge": 2}]', {}, "line 2: the key 'judge' is there twice"),
        ("[1]", {}, "not an object"),
        ('{"a": [{"x": 1}], "b": [{"y": 1}]}', {}, "no single list"),
        ("[]", {}, "empty"),
        ('[{"i": 1, "a": [1], "b": [1, 2]}]', {"column": "item=i,judge=a[],score=b[]"}, "a (1) and b (2)"),
        (json.dumps(RECORDS), {"column": "item=id,judge=meta[].by,score=meta[].x"}, "is no list"),
        (json.dumps(RECORDS), {"column": "item=id,judge=answers,score=id"}, "holds a list"),
        (json.dumps(RECORDS), {"column": "item=id,judge=answers[[].by,score=id"}, "is no path"),
        ("[" * 100_000, {}, "line 1"),
        ('[{"judge": "\\ud800", "item": "x", "score": 1}]', {}, "half a character"),
    ],
)
def test_json_that_is_wrong(content, options, why, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        q.read(path, **options)
    assert why in str(caught.value)


def test_an_array_is_read_in_pieces_of_any_size(tmp_path, monkeypatch):
    from quorate.formats import json_records

    path = tmp_path / "a.json"
    rows = [{"judge": f"j{k % 3}", "item": "i" * (k % 7) + str(k // 3), "score": k * 1.25e-3} for k in range(60)]
    path.write_text(json.dumps(rows, indent=2))
    whole = q.read(path)
    for size in (1, 2, 7, 100):
        monkeypatch.setattr(json_records, "BLOCK", size)
        assert q.read(path) == whole


def test_json_is_written_and_read_back(tmp_path):
    panel = q.read(ROWS)
    q.write(panel, tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text())[0] == {"judge": "ann", "item": "x", "score": 1.0}
    assert q.read(tmp_path / "a.json") == panel


def test_an_index_of_pandas_that_says_something_is_kept():
    long = pd.DataFrame({"judge": list("aabb"), "item": list("xyxy"), "score": [1, 2, 3, 4]})
    assert q.read(long.set_index(["judge", "item"])).columns() == q.read(long).columns()
    wide = long.pivot(index="item", columns="judge", values="score")
    assert q.read(wide, kind="scores").items == ("x", "y")
    assert q.read(wide.rename_axis(None), kind="scores").items == ("x", "y")
    assert q.read(long[long.score != 2]).items == ("x", "y")  # numbers of rows say nothing


def test_the_missing_value_of_pandas_is_missing():
    frame = pd.DataFrame({"judge": list("aabb"), "item": list("xyxy"), "score": pd.array([1, None, 3, 4], "Int64")})
    assert int(np.isnan(q.read(frame).value).sum()) == 1


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (pd.Series([1, 2]), "reset_index"),
        (np.ones((2, 2)), "from_matrix"),
        ([["a", "b"], ["b", "a"]], "from_orders"),
        ({"ann": {"x": 1}, "bob": {"x": 2}}, "from_labels"),
    ],
)
def test_what_is_no_table_names_the_way(given, hint):
    with pytest.raises(InputError, match=hint):
        q.read(given)
