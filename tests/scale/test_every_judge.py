"""Every one of very many judges, told from counts of all: the same as from all at once, in memory and from blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import BadParameter
from quorate.inference.designs import DESIGNS
from quorate.inference.results import Options
from quorate.panel.coefficient import by_counts
from tests.family import some
from tests.scale.made_up import ballots, card_sorts
from tests.scale.test_scan import same
from tests.scale.test_scan_tallies import many, scanned

WAYS = {
    "ties": lambda seed: ballots(60, gaps=0.0, seed=seed),
    "gaps": lambda seed: ballots(60, gaps=0.2, seed=seed),
    "complete": lambda seed: card_sorts(60, seed=seed),
    "left out": lambda seed: card_sorts(60, left_out=0.2, seed=seed),
    "some shown": lambda seed: card_sorts(60, shown=6, seed=seed),
}
METHODS = {
    "orderings": ("support_outliers", "support_outliers(q=0.3, eps2=0.2)", "support_outliers(q=25)"),
    "groupings": ("together_outliers", "together_outliers(q=0.3)", "together_outliers(q=25, left_out=bucket)"),
}


def test_which_methods_are_told_from_counts():
    found = {m.name for kind in METHODS for m in table.methods(kind, "judges") if by_counts(m) is not None}
    assert found == {"support_outliers", "together_outliers"}
    assert by_counts(table.parse("support_outliers(lam=0.9)", "orderings", "judges")) is None


@pytest.mark.parametrize("way", some(WAYS, 3))
@given(seed=st.integers(0, 99), rows=st.integers(9, 300))
def test_files_memory_and_the_formula_say_the_same(tmp_path_factory, way, seed, rows):
    path = tmp_path_factory.mktemp("judges") / "one.parquet"
    WAYS[way](seed).sample(fraction=1, shuffle=True, seed=seed).write_parquet(path)
    panel = q.read(path)
    with pytest.MonkeyPatch.context() as patch:
        many(patch)
        found = q.judges(scanned(path, rows), *METHODS[panel.kind])
        whole = q.judges(q.read(path), *METHODS[panel.kind])
    assert type(found.panel.elsewhere).__name__ == "EveryJudge"
    assert same(whole, found)
    assert (found.judges, len(found.findings[0].overall)) == (60, 60)
    assert any("of all 60 judges" in note for note in found.notes)
    (design,) = DESIGNS[panel.kind](panel.by_name, None)
    for f in found.findings:
        plain = design.values(f.method)  # by the formula, of every judge at once
        assert np.array_equal(plain.array[0], np.array(f.values), equal_nan=True)
        for name, column in plain.details.items():
            assert np.array_equal(np.array(column), np.array(f.details[name]), equal_nan=True), name


def test_methods_that_hold_judges_against_each_other_are_of_some(tmp_path, monkeypatch):
    many(monkeypatch)
    ballots(60, gaps=0.0).write_parquet(tmp_path / "one.parquet")
    for asked in (("support_outliers", "peer_correlation"), ("support_outliers(gamma=0.9)",)):
        found = q.judges(scanned(tmp_path / "one.parquet"), *asked, resamples=20, permutations=9)
        assert found.judges == 12
    card_sorts(60, left_out=0.2).write_parquet(tmp_path / "sorts.parquet")
    asked = "together_outliers(left_out=common)"  # which items nobody left out must be known first
    found = q.judges(scanned(tmp_path / "sorts.parquet"), asked, resamples=20, permutations=9)
    assert found.judges == 12
    assert same(q.judges(q.read(tmp_path / "sorts.parquet"), asked, resamples=20, permutations=9), found)


def test_a_row_for_every_judge_is_forecast(tmp_path, monkeypatch):
    many(monkeypatch)
    ballots(60, gaps=0.0).write_parquet(tmp_path / "one.parquet")
    scan, method = scanned(tmp_path / "one.parquet"), table.parse("support_outliers", "orderings", "judges")
    drawn = table.parse("peer_correlation", "orderings", "judges")
    one, other = (scan.forecast("judges", [m], Options()) for m in (method, drawn))
    assert one.values == 3 * 60
    assert one.memory != other.memory
    with pytest.raises(BadParameter, match=r"about 0\.5 GB are needed, .*\s+Hint: .*one process \(--workers 1\)"):
        q.judges(scanned(tmp_path / "one.parquet", memory="450MB"), "support_outliers")
