"""The data inside the page: what goes in comes out, what does not fit is named, and the same bytes every time."""

from __future__ import annotations

import gzip
import json
import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import quorate as q
from quorate.groupings.consensus_support import Rows
from quorate.inference.results import clean
from quorate.orderings.simulate import simulate
from quorate.reports.download import download
from quorate.reports.packing import Packer
from tests import strategies
from tests.reference import unpacked

pytestmark = pytest.mark.usefixtures("in_small")

QUICK = {"resamples": 100, "permutations": 20}
NUMBERS = st.floats(allow_nan=True, width=64) | st.floats(-1, 1) | st.just(0.1 + 0.2)
SCALARS = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | NUMBERS | st.text(max_size=6)
VALUES = st.recursive(
    SCALARS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=3), inside, max_size=4),
    max_leaves=12,
)
COLUMNS = (
    st.lists(VALUES, max_size=12)
    | st.lists(st.integers(-(2**60), 2**60), max_size=12)
    | st.lists(NUMBERS, max_size=12)
    | st.lists(st.sampled_from(["ann", "anne", "bob", "Ωmega", "🙂🙂"]), max_size=30)
    | st.lists(st.none() | st.fixed_dictionaries({"a": NUMBERS, "b": st.lists(st.integers(0, 9))}), max_size=8)
)


def back(packer, place):
    shared, rest = packer.listed()
    columns = [json.loads(text) for text in packer.columns]
    return unpacked.column(place, columns, unpacked.names_of(shared, rest))


def alike(given, found, digits=4):
    """The same but for digits; what JSON cannot hold is None."""
    if isinstance(given, float) and not math.isfinite(given):
        return found is None
    if isinstance(given, list | tuple):
        return len(given) == len(found) and all(map(alike, given, found))
    if isinstance(given, dict):
        return list(given) == list(found) and all(alike(given[k], found[k]) for k in given)
    if isinstance(given, float) or (isinstance(given, int) and not isinstance(given, bool)):
        return math.isclose(given, found, rel_tol=0.51 * 10 ** (1 - digits), abs_tol=1.1e-15)
    return type(given) is type(found) and given == found


@strategies.examples(40)
@given(st.lists(COLUMNS, min_size=1, max_size=3))
def test_what_goes_in_comes_out_to_four_digits(columns):
    packer = Packer()
    places = [packer.column(values) for values in columns]
    for values, place in zip(columns, places, strict=True):
        assert alike(values, back(packer, place))


@given(COLUMNS, COLUMNS)
def test_what_is_taken_back_leaves_no_trace(kept, tried):
    alone, other = Packer(), Packer()
    alone.column(kept)
    other.column(kept)
    mark = other.mark()
    other.column(tried)
    other.back(mark)
    assert (other.columns, other.names) == (alone.columns, alone.names)
    assert other.column(tried) == alone.column(tried)


EXACT = st.one_of(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20),
    st.lists(st.decimals(-9999, 9999, places=3).map(float), min_size=1, max_size=20),
    st.lists(st.one_of(st.text(max_size=3), st.integers(-99, 99), st.floats(0, 1)), min_size=1, max_size=20),
)


@strategies.examples(40)
@given(EXACT)
def test_judgments_keep_all_their_digits(values):
    packer = Packer(3)
    assert back(packer, packer.exact(values)) == values


def test_scores_with_few_decimals_are_kept_as_whole_numbers():
    packer = Packer(3)
    packer.exact([12.3456, 7.25])
    whole, column = map(json.loads, packer.columns)
    assert whole["low"] == 72500
    assert column == {"numbers": 0, "power": -4}


def test_equal_columns_are_kept_once():
    packer = Packer()
    assert packer.column([0.1, 0.25, 0.5]) == packer.column(np.array([0.1, 0.25, 0.5]))


def test_true_is_not_one_and_digits_of_large_numbers_stay():
    packer = Packer()
    assert back(packer, packer.column([True, "True", None, 1])) == [True, "True", None, 1]
    assert back(packer, packer.column([10**40, 1])) == [10**40, 1]
    assert back(packer, packer.column([5e-300, 0.5])) == [5e-300, 0.5]


@pytest.fixture(scope="module")
def page():
    return q.report(simulate(judges=5, items=7, tasks=8, dispersion=0.6), **QUICK)


def read(found):
    data = json.loads(gzip.decompress(found.data))
    names = unpacked.names_of(unpacked.column(data["packed"], data["columns"], []), data["names"])
    return data, lambda place: unpacked.column(place, data["columns"], names)


def test_where_room_is_short_everything_is_there_to_four_digits(page):
    whole = download(page)
    assert whole.left_out == ()
    assert "all digits" in whole.said
    short = download(page, len(whole.data) - 1)
    assert len(short.data) < len(whole.data)
    assert short.left_out == ()
    data, column = read(short)
    for question, findings in data["results"].items():
        for packed, finding in zip(findings, page.section(question).answer.findings, strict=True):
            assert packed["method"] == str(finding.method)
            for name, values in {**finding.keys, finding.called: finding.values}.items():
                assert alike(list(clean(list(values))), column(packed["columns"][name]))
            assert set(packed["details"]) == set(finding.details)
    rows = {name: column(place) for name, place in data["input"]["judgments"].items()}
    assert q.Orderings.build(rows) == page.panels["judgments"]


def test_what_does_not_fit_is_named(page):
    least = download(page, download(page, 1_000_000).data.__len__() // 4)
    assert any(line.startswith("consensus by ") and "rows (task)" in line for line in least.left_out)
    data, _ = read(least)
    assert data["left_out"] == list(least.left_out)
    said = page.html()
    assert "too large for one page" not in said


def test_with_little_room_figures_lose_a_digit_before_any_is_left_out():
    rng = np.random.default_rng(0)
    task, judge, item = (x.ravel() for x in np.indices((30, 4, 40)))
    scores = {"task": task, "judge": judge, "item": item, "score": rng.normal(size=task.size).round(1)}
    page = q.report(q.Scores.build(scores), **QUICK)
    four = download(page, len(download(page).data) - 1)
    assert "to 4 digits" in four.said
    three = download(page, int(len(four.data) * 0.97))
    assert "figures to 3 digits" in three.said
    assert three.left_out == ()


def test_rows_of_pairs_on_tasks_are_the_first_to_go_and_their_means_stay(monkeypatch):
    monkeypatch.setattr("quorate.reports.download.SHORT", 80)  # of so few tasks every row would be short
    groups = {"ann": [1, 1, 2, 2, 3, 3], "bob": [1, 1, 2, 2, 2, 3], "cat": [1, 2, 2, 1, 3, 3]}
    judges = {j: dict(zip("uvwxyz", g, strict=True)) for j, g in groups.items()}
    page = q.report(q.Groupings.from_groups({f"t{k}": judges for k in range(40)}), resamples=20, permutations=5)
    whole = download(page, 10**9)
    few, enough = len(whole.data) // 12, len(whole.data)
    while enough - few > 300:  # so much room that the first rows are left out, and no others
        room = (few + enough) // 2
        gone = any(not f["columns"] for f in read(download(page, room))[0]["results"]["agreement"])
        few, enough = (room, enough) if gone else (few, room)
    some = download(page, few)
    data, column = read(some)
    without_rows = [f for f in data["results"]["agreement"] if not f["columns"]]
    assert without_rows
    assert some.only_pairs
    assert all(line.startswith("agreement by ") and "(task, pair)" in line for line in some.left_out)
    assert not any(f["details"] for f in without_rows)  # which would be of nothing
    assert [r["pair"] for r in column(data["more"]["agreement"]["by_pair"])[0]][:3] == [
        ["ann", "bob"],
        ["ann", "cat"],
        ["bob", "cat"],
    ]


def test_the_page_names_what_is_left_out_and_the_command_that_gives_it(page, monkeypatch):
    from dataclasses import replace

    from quorate.reports import html

    for package in ("altair", "vl_convert", "jinja2"):
        pytest.importorskip(package)
    monkeypatch.setattr(html, "DATA", 4_000)
    body = replace(page, command="quorate report in.csv").html()
    assert "too large for one page" in body
    assert "the command below with <code>--format json --out report.json</code>" in body
    assert body.count("quorate report in.csv") == 1


def test_an_item_may_be_called_like_a_place_in_the_page():
    for package in ("altair", "vl_convert", "jinja2"):
        pytest.importorskip(package)
    orders = {j: ["<!--data-->", "(the data)", "<!--in the data-->"] for j in ("ann", "bob")}
    assert q.report(q.Orderings.from_orders(orders), **QUICK).html().count("data:application/gzip;base64,H4s") == 1


def test_the_same_input_gives_the_same_bytes(page):
    assert download(page).data == download(page).data
    assert download(page, 6_000).data == download(page, 6_000).data


def test_records_of_more_than_a_hundred_keys_come_back():
    rows = [{f"judge{k}": k + row for k in range(150)} for row in range(3)]
    packer = Packer()
    assert back(packer, packer.column(rows)) == rows


def test_rows_made_when_looked_at_and_arrays_inside_of_dicts_are_packed_as_plain_lists():
    rows = [{"pair": ["ann", "bob"], "stays": math.nan, "n": np.arange(2)}, {"pair": [], "stays": 0.5, "n": []}]
    given = [Rows(lambda: rows), Rows(list), [*rows, {"x": np.float64(1.5)}]]
    plain, packed = Packer(), Packer()
    assert back(packed, packed.column(given)) == back(plain, plain.column(clean(given)))
    assert back(packed, packed.column(["a", math.nan, math.inf, 1.0])) == ["a", None, None, 1.0]
