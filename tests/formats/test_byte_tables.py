"""The quick way of reading CSV gives what the slow one gives: the same panels, the same lines, the same messages."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import InputError
from quorate.formats import byte_tables, delimited
from quorate.formats.byte_tables import NotPlain, _Block, _decimals, alike
from quorate.formats.column_builder import Numeric, collect
from tests import strategies

cells = st.one_of(
    st.text(alphabet="ab,;\n\r\"' é語", max_size=5),
    st.sampled_from(
        ["", "1", "2.5", "-3", "+4", "0.1", "1e3", "007", " 5 ", "nan", "inf", "x" * 20, '"', '""', "a\nb"]
    ),
)


def ways(content: bytes, tmp, monkeypatch, block=2**20):
    path = tmp / "a.csv"
    path.write_bytes(content)
    out = []
    for least in (0, 10**9):
        monkeypatch.setattr(delimited, "LEAST", least)
        monkeypatch.setattr(byte_tables, "BLOCK", block)
        try:
            panel = q.read(path, exact=True)
        except q.QuorateError as error:
            out.append(str(error))
        else:
            out.append(repr((panel.columns(), panel.notes, panel.reading)))
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bytes")


@strategies.examples(40)
@given(
    rows=st.lists(st.tuples(cells, cells, cells, cells), min_size=1, max_size=8),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    block=st.sampled_from([1, 7, 64, 2**20]),
)
def test_tables_that_are_written_well(rows, end, last, block, folder):
    held = io.StringIO(newline="")
    writer = csv.writer(held, lineterminator=end)
    writer.writerow(["judge", "item", "score", "text"])
    writer.writerows(rows)
    content = held.getvalue() if last else held.getvalue().removesuffix(end)
    with pytest.MonkeyPatch.context() as patch:
        quick, slow = ways(content.encode("utf-8", "surrogatepass"), folder, patch, block)
    assert quick == slow


@strategies.examples(40)
@given(content=st.text(alphabet='ab12.,;"\n\r\x00é -', max_size=60), block=st.sampled_from([1, 5, 2**20]))
def test_anything_below_a_header(content, block, folder):
    with pytest.MonkeyPatch.context() as patch:
        quick, slow = ways(f"judge,item,score\n{content}".encode(), folder, patch, block)
    assert quick == slow


@strategies.examples(40)
@given(st.lists(st.binary(max_size=20).filter(lambda b: b"\0" not in b), min_size=1, max_size=50))
def test_rows_with_the_same_bytes_have_the_same_number(texts):
    data = b"".join(texts)
    end = np.cumsum([len(t) for t in texts]).astype(np.int32)
    start = end - np.array([len(t) for t in texts], np.int32)
    own, place = alike(np.frombuffer(data + bytes(byte_tables.AFTER), np.uint8), start, end - start)
    assert [texts[k] for k in own[place].tolist()] == texts
    assert len(own) == len(set(texts))
    assert own.tolist() == sorted(own.tolist())


@pytest.mark.parametrize("often", [1, 2, 3, 50])
def test_equal_ids_that_follow_one_another_are_one(often):
    texts = [name for k in range(200) for name in [f"a long name of {k % 7}, and more".encode()] * often]
    end = np.cumsum([len(t) for t in texts]).astype(np.int32)
    start = end - np.array([len(t) for t in texts], np.int32)
    own, place = alike(np.frombuffer(b"".join(texts) + bytes(byte_tables.AFTER), np.uint8), start, end - start)
    assert own.tolist() == [k * often for k in range(7)]
    assert [texts[k] for k in own[place].tolist()] == texts


def test_ids_that_meet_in_one_slot_are_told_apart(monkeypatch):
    monkeypatch.setattr(byte_tables, "SLOTS", 2)
    texts = [str(k % 97).encode() for k in range(500)]
    end = np.cumsum([len(t) for t in texts]).astype(np.int32)
    start = end - np.array([len(t) for t in texts], np.int32)
    own, place = alike(np.frombuffer(b"".join(texts) + bytes(byte_tables.AFTER), np.uint8), start, end - start)
    assert [texts[k] for k in own[place].tolist()] == texts


@strategies.examples(40)
@given(
    st.lists(
        st.one_of(
            st.integers(-(10**15), 10**15).map(str),
            st.decimals(allow_nan=False, allow_infinity=False, places=4).map(str),
        ),
        min_size=1,
    )
)
def test_decimals_are_the_nearest_numbers(texts):
    data = "".join(texts).encode()
    end = np.cumsum([len(t) for t in texts]).astype(np.int32)
    start = end - np.array([len(t) for t in texts], np.int32)
    values, odd = _decimals(np.frombuffer(data + bytes(byte_tables.AFTER), np.uint8), start, end)
    for text, value, other in zip(texts, values.tolist(), odd.tolist(), strict=True):
        assert other or value == float(text)
    assert not all(odd) or all(len(t.strip("+-").replace(".", "")) > 15 or "E" in t for t in texts)


@pytest.mark.parametrize("content", [b'a,"b\n', b'a"b,"c"d\n', b"a,b\rc,d\n", b"a,b\n\nc,d\n", b"a,b\nc\n", b"a\0,b\n"])
def test_what_is_odd_is_left_to_the_csv_module(content):
    with pytest.raises(NotPlain):
        _Block(content, ord(","), 2)


def test_lines_of_records_are_kept(tmp_path):
    content = b'x,"a\nb\nc",1\ny,d,2\n"z",e,3\n'
    quick = byte_tables.read("f", io.BytesIO(content), 1, ",", ["judge", "item", "score"], Numeric({"score": True}))
    rows = list(delimited.records("f", io.StringIO(content.decode(), newline=""), ","))
    slow = collect("f", rows, ["judge", "item", "score"], {"score": True})
    assert quick.lines.tolist() == slow.lines.tolist() == [1, 4, 5]
    assert quick.raw["item"].values() == slow.raw["item"].values()


def test_a_large_file_with_a_mistake_names_its_line(tmp_path):
    path = tmp_path / "a.csv"
    good = "".join(f"j{k % 7},i{k},{k % 5}\n" for k in range(20_000))
    path.write_text("judge,item,score\n" + good + "j1,last,many\n")
    with pytest.raises(InputError, match="line 20002: score 'many'"):
        q.read(path)
    path.write_text("judge,item,score\n" + good + "j1,last\n")
    with pytest.raises(InputError, match="line 20002: 2 fields"):
        q.read(path)
    path.write_text("judge,item,score\n" + good)
    assert len(q.read(path)) == 20_000
