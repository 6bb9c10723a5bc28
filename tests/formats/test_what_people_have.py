"""Tables as people have them, and files that are none: read right, with a word of what was done, or refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
import struct
import tarfile
import zipfile
import zlib

import pytest

import quorate as q

ROWS = [[f"j{j}", f"i{i}", 1 + (i + 2 * j) % 5] for j in range(3) for i in range(4)]
NAMES = ["judge", "item", "score"]


def table(rows=ROWS, names=NAMES, mark=","):
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows([names, *rows])
    return out.getvalue()


PLAIN = table()


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, text in files.items():
            packed.writestr(name.replace("_dot_", "."), text)
    return out.getvalue()


def tarred():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as packed:
        info = tarfile.TarInfo("a.csv")
        info.size = len(PLAIN)
        packed.addfile(info, io.BytesIO(PLAIN.encode()))
    return out.getvalue()


RECORDS = [dict(zip(NAMES, r, strict=True)) for r in ROWS]
SAME = {
    "title.csv": ("My study,,\n,,\n" + PLAIN, "1 line above the names"),
    "comments.csv": ("# exported, 2026\n# by us\n" + PLAIN, "2 lines above the names"),
    "hash.csv": ("#" + PLAIN, ""),
    "trailing.csv": (PLAIN.replace("\n", ",\n").replace(",\n", "\n", 1), "12 lines end in empty fields"),
    "one.zip": (zipped(a_dot_csv=PLAIN), ""),
    "two.csv.zip": (zipped(a_dot_csv=PLAIN, **{"__MACOSX/._a.csv": "x"}), ""),
    "lines.csv": ("".join(json.dumps(r) + "\n" for r in RECORDS), ""),
    "array.csv": (json.dumps(RECORDS), ""),
    "table.json": (PLAIN, ""),
    "by_column.json": (json.dumps({n: [r[n] for r in RECORDS] for n in NAMES}), "12 records by column"),
    "pandas.json": (json.dumps({n: {str(k): r[n] for k, r in enumerate(RECORDS)} for n in NAMES}), "12 records"),
    "split.json": (json.dumps({"columns": NAMES, "index": list(range(12)), "data": ROWS}), "12 records"),
    "by_name.json": (json.dumps({f"row {k}": r for k, r in enumerate(RECORDS)}), "12 records"),
    "arrays.json": (json.dumps([NAMES, *ROWS]), "names the columns"),
    "wrapped.json": (json.dumps({"meta": {"by": "us"}, "data": RECORDS}), ""),
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_table_in_another_dress(name, tmp_path):
    content, note = SAME[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    panel = q.read(path)
    assert {(j, i): v for j, i, v in zip(*(panel.columns()[n] for n in NAMES), strict=True)} == {
        (j, i): v for j, i, v in ROWS
    }
    assert not note or any(note in n for n in panel.notes), panel.notes
    assert q.read(path, **pinned(panel)).reading.guesses == ()


def pinned(panel):
    """The options that the receipt names, as keywords."""
    out = {}
    for guess in panel.reading.guesses:
        option, _, value = guess.option.removeprefix("--").partition(" ")
        key, _, value = value.partition("=") if option == "input-option" else (option, "", value)
        out["format" if key == "input-format" else key.replace("-", "_")] = value
    return out


OTHERS = {
    "a.csv": (
        b"<!DOCTYPE html>\n<html><title>404 Not Found</title>",
        "a web page, '404 Not Found'",
        "fetch the file again",
    ),
    "b.json": (b"\n <html><body>Sign in", "a web page", "sign in"),
    "c.csv": (b'<?xml version="1.0"?><Error/>', "this is XML", "CSV or JSON"),
    "d.csv": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "Git LFS", "git lfs pull"),
    "e.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "old workbook", "save it as .xlsx"),
    "f.pdf": (b"%PDF-1.7", "a PDF", "CSV"),
    "g.sav": (b"$FL2@(#) SPSS DATA FILE", "SPSS", "pandas"),
    "h.rds": (gzip.compress(b"X\n\0\0\0\2"), "an object of R", "write.csv"),
    "i.csv.xz": (b"\xfd7zXZ\0\0", "packed with xz", "xz -d"),
    "j.tsv.tar.gz": (tarred(), "tar archive", "tar -xf"),
    "k.zip": (zipped(a_dot_csv=PLAIN, b_dot_csv=PLAIN), "(2 files: a.csv, b.csv)", "unzip"),
    "l.xlsx": (PLAIN.encode(), "text, and no workbook", "--input-format csv"),
    "m.parquet": (PLAIN.encode(), "not a Parquet file", "--input-format csv"),
    "n.json": (b'[{"judge": "a", "item": "x", "score": 1,}]', "a comma stands before }", "whole"),
    "o.json": (b"[{'judge': 'a'}]", "double quotes", "whole"),
    "p.csv": (PLAIN.replace(",", ":").encode(), "a single field, 'judge:item:score'", "--delimiter"),
    "q.csv": (
        PLAIN.replace("\n", ",x\n").replace(",x\n", "\n", 1).encode(),
        "number of fields",
        "row names, as R writes",
    ),
    "r.csv": ("judge,item,score\nZoë – x,a,1\n".encode("cp1252"), "not utf-8", "--encoding cp1252"),
    "s.csv": (table([["a", "x", "50%"], ["b", "x", "50"]]).encode(), "score '50%'", "takes numbers"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_table_says_what_it_is_and_what_to_do(name, tmp_path):
    content, fact, hint = OTHERS[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(q.InputError) as caught:
        q.read(tmp_path / name)
    assert fact in caught.value.fact
    assert hint in caught.value.hint


def test_a_folder_names_its_files(tmp_path):
    (tmp_path / "a.csv").write_text(PLAIN)
    (tmp_path / "about.txt").write_text("what this is")
    with pytest.raises(q.InputError, match=r"a folder, not a file \(2 files: a.csv, about.txt\)"):
        q.read(tmp_path)


def test_percentages_and_places_are_numbers(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(table([[j, i, f"{v * 10} %"] for j, i, v in ROWS]))
    panel = q.read(path)
    assert panel.value.max() == 50
    assert any("percentages of 'score', such as" in n for n in panel.notes)
    path.write_text(
        "Timestamp,Rank them [x],Rank them [y],Rank them [z]\n2026/01/01,1st,3rd,2nd\n2026/01/01,2nd,1st,3rd\n"
    )
    panel = q.read(path)
    assert panel.orders() == {"1": [["x"], ["z"], ["y"]], "2": [["y"], ["x"], ["z"]]}
    assert any("places such as" in n for n in panel.notes)


def test_rows_that_are_orders_are_judges_and_their_columns_items(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y,z\n1,2,3\n1,3,2\n2,1,3\n3,1,2\n")
    panel = q.read(path)
    assert (panel.kind, len(panel.judges), panel.items) == ("orderings", 4, ("x", "y", "z"))
    assert any("each is taken as a judge's" in g.said for g in panel.reading.guesses)


def test_scores_that_happen_to_count_up_are_no_row_numbers(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("judge,x,y,z\na,5,1,4\nb,2,2,1\nc,3,3,3\nd,1,4,5\n")
    assert q.read(path).items == ("x", "y", "z")


def test_a_wide_table_of_thousands_of_columns_has_a_short_receipt(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        table(
            [[f"j{j}", *[(i + j) % 5 + 1 for i in range(1500)]] for j in range(4)],
            ["voter", *[f"i{i}" for i in range(1500)]],
        )
    )
    receipt = q.inspect(path)
    assert len(receipt.panel.items) == 1500
    assert len(str(receipt)) < 5000


def test_rows_of_one_document_are_asked_about(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("doc,begin,ann,bob\nd1,0,PER,PER\nd1,4,LOC,PER\nd2,0,PER,LOC\n")
    with pytest.raises(q.InputError, match="'doc' names several rows") as caught:
        q.read(path, judge_columns="ann,bob", kind="scores")
    assert "--rename doc=task,COLUMN=item" in caught.value.hint
    panel = q.read(path, judge_columns="ann,bob", kind="scores", rename="doc=task,begin=item")
    assert (panel.tasks, panel.items, len(panel.judges)) == (("d1", "d2"), ("0", "4"), 2)


QUALTRICS = [
    ["Status", "ResponseId", "Q1_1", "Q1_2"],
    ["Response Type", "Response ID", "How good? - Apple", "How good? - Pear"],
    ['{"ImportId":"status"}', '{"ImportId":"_recordId"}', '{"ImportId":"QID1_1"}', '{"ImportId":"QID1_2"}'],
]


def survey(tmp_path, rows, heads=QUALTRICS):
    path = tmp_path / "a.csv"
    path.write_text(table([*heads[1:], *rows], heads[0]))
    return path


def test_previews_of_a_survey_are_left_out_and_told(tmp_path):
    answers = [["IP Address", "R1", 4, 5], ["Survey Preview", "R2", 1, 1], ["IP Address", "R3", 3, 2]]
    path = survey(tmp_path, answers)
    panel = q.read(path)
    assert panel.judges == ("R1", "R3")
    assert any("1 answer of the survey's preview left out" in n for n in panel.notes)
    assert len(q.read(path, previews=True).judges) == 3
    with pytest.raises(q.InputError, match="given in the survey's preview"):
        q.read(survey(tmp_path, answers[1:2]))


def test_a_survey_without_a_question_of_several_items_is_asked_about(tmp_path):
    heads = [[*h[:2], h[2]] for h in QUALTRICS]
    with pytest.raises(q.InputError, match="no question has several items") as caught:
        q.read(survey(tmp_path, [["IP Address", "R1", "yes"], ["IP Address", "R2", "no"]], heads))
    assert "--item-columns" in caught.value.hint


def test_codes_before_the_questions_of_a_survey(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        table([[1, "x", "y"], [2, "y", "x"]], ["id. Response ID", "Q[1]. Rank [Rank 1]", "Q[2]. Rank [Rank 2]"], ";")
    )
    assert q.read(path).orders() == {"1": [["x"], ["y"]], "2": [["y"], ["x"]]}


def test_fields_inside_lists_are_named_in_the_hint(tmp_path):
    path = tmp_path / "stats.json"
    path.write_text(json.dumps([{"id": i, "stats": [{"name": {"name": "f1"}, "mean": i / 4}]} for i in range(4)]))
    with pytest.raises(q.InputError) as caught:
        q.read(path)
    assert "--column" in caught.value.hint
    assert "stats[].name.name" in caught.value.hint
    panel = q.read(path, column="item=id,judge=stats[].name.name,score=stats[].mean")
    assert panel.value.tolist() == [0.0, 0.25, 0.5, 0.75]


# -- rows with lists in their cells -----------------------------------------------------------------------------------

BATTLES = [
    {
        "question_id": f"q{i}",
        "model_a": "x",
        "model_b": "y",
        "winner": w,
        "judge": f"u{i % 2}",
        "conversation_a": [{"role": "user", "content": "hi"}],
    }
    for i, w in enumerate(["model_a", "tie (bothbad)", "model_b", "tie"])
]
ANNOTATED = [
    {"id": f"r{i}", "text": "t", "mood.responses": ["pos", "neg"], "mood.responses.users": ["ann", "bob"]}
    for i in range(3)
]


@pytest.mark.parametrize(("rows", "format", "judges"), [(BATTLES, "arena", 2), (ANNOTATED, "argilla", 2)])
@pytest.mark.parametrize("way", ["file", "polars", "pandas", "list"])
def test_parquet_and_frames_are_the_exports_they_hold(rows, format, judges, way, tmp_path):
    polars = pytest.importorskip("polars")
    path = tmp_path / "train-00000-of-00001.parquet"
    polars.DataFrame(rows).write_parquet(path)
    if way == "pandas":
        pandas = pytest.importorskip("pandas")
    given = {
        "file": lambda: path,
        "polars": lambda: polars.read_parquet(path),
        "pandas": lambda: pandas.read_parquet(path),
        "list": lambda: rows,
    }[way]()
    panel = q.read(given)
    assert (panel.reading.format, len(panel.judges)) == (format, judges)
    lines = tmp_path / "a.jsonl"
    lines.write_text("".join(json.dumps(r) + "\n" for r in rows))
    assert panel.columns() == q.read(lines).columns()


def test_options_of_tables_still_read_parquet_as_a_table(tmp_path):
    polars = pytest.importorskip("polars")
    polars.DataFrame(BATTLES).write_parquet(tmp_path / "a.parquet")
    panel = q.read(tmp_path / "a.parquet", task="judge")
    assert panel.reading.format == "parquet"


# -- logs of Inspect ---------------------------------------------------------------------------------------------------

LOG = {"eval": {"task": "t", "model": "m"}, "status": "success"}


def sample(i):
    return json.dumps({"id": i, "epoch": 1, "scores": {"match": {"value": "CI"[i % 2]}}})


def test_a_log_in_pieces(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as packed:
        packed.writestr("header.json", json.dumps(LOG))
        for i in range(3):
            packed.writestr(f"samples/{i}_epoch_1/sample.json", sample(i))
            packed.writestr(f"samples/{i}_epoch_1/events/0.json", "[]")
            packed.writestr(f"samples/{i}_epoch_1/skeleton.json", "{}")
    assert q.read(tmp_path / "a.eval").value.tolist() == [1.0, 0.0, 1.0]


def zstandard_archive(path, files):
    """A zip archive whose files are packed with Zstandard, as Python writes it from 3.14 on."""
    zstandard = pytest.importorskip("zstandard")
    body, index = b"", b""
    for name, text in files.items():
        raw, at = text.encode(), len(body)
        packed = zstandard.ZstdCompressor().compress(raw)
        sizes = (zlib.crc32(raw), len(packed), len(raw), len(name), 0)
        body += struct.pack("<IHHHHHIIIHH", 0x04034B50, 63, 0, 93, 0, 33, *sizes) + name.encode() + packed
        index += (
            struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 63, 63, 0, 93, 0, 33, *sizes, 0, 0, 0, 0, at) + name.encode()
        )
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(files), len(files), len(index), len(body), 0)
    path.write_bytes(body + index + end)


def test_a_log_packed_with_zstandard(tmp_path, monkeypatch):
    path = tmp_path / "a.eval"
    zstandard_archive(
        path, {"header.json": json.dumps(LOG), **{f"samples/{i}_epoch_1.json": sample(i) for i in range(3)}}
    )
    assert q.read(path).value.tolist() == [1.0, 0.0, 1.0]
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        return
    monkeypatch.setattr("quorate.formats.archives.find_spec", lambda name: None)
    with pytest.raises(q.InputError, match="packed with Zstandard") as caught:
        q.read(path)
    assert "pip install zstandard" in caught.value.hint
