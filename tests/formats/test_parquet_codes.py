"""Ids of a Parquet column as numbers: looked up by their hashes, they are what comparing them gives."""

import random

import numpy as np
import polars as pl
import pytest

from quorate.formats import parquet_decoder
from quorate.formats.parquet_decoder import codes, renumbered

NAMES = [f"q{k}" for k in range(40)] + ["", "a name that is longer than twelve letters", None]


def plain(column):
    """The distinct values in order of first appearance, nulls of texts last, and the place of each."""
    ids = list(dict.fromkeys(column))
    if None in ids and any(isinstance(i, str) for i in ids):
        ids = [i for i in ids if i is not None] + [None]
    return ids, [ids.index(v) for v in column]


@pytest.mark.parametrize("spare", [1, 32])  # cells for each id: of one, many ids share a cell
@pytest.mark.parametrize("names", [NAMES, [None if n is None else len(n) * 2**40 for n in NAMES], NAMES[:1]])
def test_ids_have_the_places_that_comparing_them_gives(names, spare, monkeypatch):
    monkeypatch.setattr(parquet_decoder, "SPARE", spare)
    column = random.Random(1).choices(names, k=2000)
    ids, number = codes(pl, pl.Series(column))
    assert (ids, number.tolist()) == plain(column)


@pytest.mark.parametrize("known", [3, 40])  # names, of which a column may have some
def test_numbers_of_names_are_numbered_by_first_appearance(known):
    number = random.Random(4).choices(range(known), k=30)
    ids, place = renumbered(np.array(number, np.uint16), pl.Series(NAMES[:known]))
    assert (ids, place.tolist()) == plain([NAMES[k] for k in number])


@pytest.mark.parametrize("names", [NAMES, [7, 3, None, 5], ["a", "b", "a", "c"]])
@pytest.mark.parametrize("broken", [None, 1990])  # a row that is another than those before it
def test_ids_in_the_same_order_again_and_again(names, broken):
    column = (names * 2000)[:2001]
    if broken is not None:
        column[broken] = names[0] if column[broken] != names[0] else names[1]
    ids, number = codes(pl, pl.Series(column))
    assert (ids, number.tolist()) == plain(column)


def test_ids_that_seldom_recur_are_compared():
    column = [f"q{k % 700}" for k in random.Random(2).choices(range(10**6), k=2000)]
    assert len(set(column)) * parquet_decoder.RECUR > len(column)
    ids, number = codes(pl, pl.Series(column))
    assert (ids, number.tolist()) == plain(column)


def test_two_ids_of_one_hash_are_compared(monkeypatch):
    column = random.Random(3).choices(NAMES, k=2000)
    expected = plain(column)
    alike = pl.Series.hash
    monkeypatch.setattr(pl.Series, "hash", lambda series: alike(series) // 2**62)
    ids, number = codes(pl, pl.Series(column))
    assert (ids, number.tolist()) == expected
