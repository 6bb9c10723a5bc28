"""Damaged exports: cut short, with keys taken out or values of another type; read or refused, never a traceback."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import quorate as q
from quorate.errors import QuorateError
from quorate.formats.files import File
from quorate.formats.inspect import Receipt
from quorate.formats.json_records import records
from tests.family import LONG, some
from tests.formats.made_after_sources import EXPORTS
from tests.formats.made_exports import J, choice, ls_done, ls_task, table

ODD: tuple[Any, ...] = (None, 7, "x", "", [], {}, [[]], [{}], True, 1e400, "\ud800")
GONE = object()


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something can be put in the place of something else: of lists the first two."""
    below = node.items() if isinstance(node, dict) else enumerate(node[:2]) if isinstance(node, list) else ()
    for key, value in below:
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(node: Any, path: tuple[Any, ...], odd: Any) -> Any:
    new = deepcopy(node)
    inside = new
    for key in path[:-1]:
        inside = inside[key]
    if odd is GONE:
        del inside[path[-1]]
    else:
        inside[path[-1]] = odd
    return new


def survives(path: Any, made: Any) -> None:
    """It is read or refused with words; either way nothing else happens, and the panel can be told."""
    try:
        panel = q.read(path, **made.options)
        assert Receipt(panel).to_json().encode()
    except QuorateError:
        pass


def parsed(name: str) -> tuple[str, Any, bool]:
    """The first file of an export, its records, and whether they are lines; None where it is no JSON."""
    file, text = next(iter(EXPORTS[name].files.items()))
    try:
        return file, json.loads(text), False
    except ValueError:
        try:
            return file, [json.loads(line) for line in text.splitlines()], True
        except ValueError:
            return file, None, False


@pytest.mark.parametrize("name", [n for n in EXPORTS if parsed(n)[1] is not None])
def test_keys_that_are_gone_and_values_of_another_type(name, tmp_path):
    made = EXPORTS[name]
    path = made.put(tmp_path)
    file, held, by_line = parsed(name)
    whole = held if isinstance(held, list) else [held]
    short = whole[:2]
    for at in some(places(short), 16):
        for odd in (GONE, ODD[sum(map(ord, str(at))) % len(ODD)]):
            new = changed(short, at, odd)
            text = "".join(json.dumps(r) + "\n" for r in new) if by_line else json.dumps(new)
            (tmp_path / file).write_text(text if isinstance(held, list) else json.dumps(new[0] if new else None))
            survives(path, made)


@pytest.mark.parametrize("name", EXPORTS)
def test_files_that_are_cut_short(name, tmp_path):
    made = EXPORTS[name]
    path = made.put(tmp_path)
    file, text = next(iter(made.files.items()))
    data = text.encode()
    for k in some(range(1, 12), 3):
        (tmp_path / file).write_bytes(data[: len(data) * k // 12])
        survives(path, made)


@pytest.mark.parametrize("name", [n for n in EXPORTS if parsed(n)[1] is None])
def test_tables_with_cells_that_are_empty_or_odd(name, tmp_path):
    made = EXPORTS[name]
    path = made.put(tmp_path)
    file, text = next(iter(made.files.items()))
    mark = "\t" if file.endswith((".tsv", ".score")) else ","
    rows = [line.split(mark) for line in text.splitlines()]
    for column in range(len(rows[0])):
        for odd in some(("", "{", "1e999", "x", "[1", "true"), 3):
            new = [[odd if c == column and k else cell for c, cell in enumerate(row)] for k, row in enumerate(rows)]
            (tmp_path / file).write_text("\n".join(mark.join(row) for row in new) + "\n")
            survives(path, made)


def test_a_truncated_array_names_the_record(tmp_path):
    path = tmp_path / "cut.json"
    path.write_text(EXPORTS["labelstudio/choices"].files["ls.json"][:-600])
    with pytest.raises(QuorateError, match=r"not JSON \(1 line\)\n  line \d+: .*\n\nHint: is the file whole"):
        q.read(path)


def test_bad_records_are_counted_and_named(tmp_path):
    path = tmp_path / "ls.json"
    path.write_text(json.dumps([ls_task(i % 4, [ls_done(0, choice(0, 0))] if i % 2 else "nothing") for i in range(40)]))
    with pytest.raises(QuorateError, match=r"\(20 records\)\n  record 1: no list of annotations") as error:
        q.read(path)
    assert "... and 10 more" in str(error.value)


def test_the_same_judge_again_is_another_occasion(tmp_path):
    path = tmp_path / "ls.json"
    path.write_text(json.dumps([ls_task(i, [ls_done(0, choice(0, i)), ls_done(0, choice(1, i))]) for i in range(3)]))
    panel = q.read(path)
    assert panel.occasion.ids == (1, 2)
    assert any("repeated scores" in n for n in panel.notes)


def test_an_archive_of_doccano_is_read_like_its_folder(tmp_path):
    made = EXPORTS["doccano/folder"]
    folder = made.put(tmp_path)
    with zipfile.ZipFile(tmp_path / "d.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
        archive.writestr("__MACOSX/._x", "rubbish")
    assert q.read(tmp_path / "d.zip") == q.read(folder)
    with pytest.raises(QuorateError, match="more than 100 B after unpacking"):
        q.read(tmp_path / "d.zip", max_bytes=100)
    broken = (tmp_path / "d.zip").read_bytes()
    (tmp_path / "broken.zip").write_bytes(broken[: len(broken) // 2])
    with pytest.raises(QuorateError, match="zip archive"):
        q.read(tmp_path / "broken.zip")


def test_an_eval_archive_is_read_like_its_json(tmp_path):
    log = json.loads(EXPORTS["inspect/json"].files["log.json"])
    path = EXPORTS["inspect/json"].put(tmp_path)
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("header.json", json.dumps({k: v for k, v in log.items() if k != "samples"}))
        for s in log["samples"]:
            archive.writestr(f"samples/{s['id']}_epoch_{s['epoch']}.json", json.dumps(s))
    assert q.read(tmp_path / "log.eval") == q.read(path)


def test_very_many_records(tmp_path):
    number = 100_000 if LONG else 10_000
    path = tmp_path / "big.json"
    with path.open("w") as file:
        for i in range(number):
            task = {"id": i, "data": {}, "annotations": [ls_done(j, choice(j, i % 4)) for j in range(2)]}
            file.write(("," if i else "[") + json.dumps(task))
        file.write("]")
    panel = q.read(path)
    assert (len(panel.items), len(panel.judges)) == (number, 2)


def test_an_array_is_read_in_pieces(tmp_path):
    path = tmp_path / "long.json"
    text = "word " * 20_000  # 100 kB in each of 300 records
    path.write_text("[" + ",".join(json.dumps({"k": i, "text": text}) for i in range(300)) + "]")
    tracemalloc.start()
    assert sum(1 for _ in records(File(path))) == 300
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < path.stat().st_size / 2


def test_a_table_of_very_many_rows(tmp_path):
    number = 100_000 if LONG else 20_000
    path = tmp_path / "c.csv"
    path.write_text(table(["task", "worker", "label"], [[i, J[i % 3], i % 5] for i in range(number)]))
    assert len(q.read(path)) == number


def test_empty_lines_above_the_names_of_an_exports_table(tmp_path):
    path = tmp_path / "crowd.csv"
    path.write_text("\n\ntask,worker,label\nt1,ann,yes\nt1,bob,no\n")
    assert q.read(path).judges == ("ann", "bob")
    path.write_text("\ntask,worker,label\n")
    with pytest.raises(q.InputError, match="no judgment in it"):
        q.read(path)


def test_an_archive_with_a_damaged_list_of_files(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("größe.jsonl", '{"id": 1, "text": "t", "label": ["a"]}\n')
    path.write_bytes(path.read_bytes().replace("ö".encode(), b"\xc9\xff"))
    with pytest.raises(q.InputError, match="the list of its files is damaged"):
        q.read(path)
