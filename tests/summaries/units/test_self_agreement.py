"""The same text annotated again: equal scores may come from different units."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.errors import InputError
from quorate.summaries.units.made_up import MadeUp
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.self_agreement import self_agreement


def table(found, texts, judge="K"):
    """found: {item: units}; every unit weighs one."""
    units = "abcdef"
    rows = [(u, i, int(u in some)) for i, some in found.items() for u in units]
    raw = {"unit": [r[0] for r in rows], "item": [r[1] for r in rows], "support": [r[2] for r in rows]}
    raw |= {"models": ["P Q"] * len(rows), "judge": [judge if isinstance(judge, str) else judge[r[1]] for r in rows]}
    return ContentUnits.build(raw, texts=texts)


def test_equal_scores_from_different_units_are_told():
    texts = {"1": "A dam broke.", "2": "A dam\nbroke.", "3": "It rained.", "4": "A dam broke."}
    found = self_agreement(table({"1": "ab", "2": "bc", "3": "ab", "4": "ab"}, texts), resamples=0)
    pairs = {(p.first, p.second): p for p in found.pairs}
    assert set(pairs) == {("1", "2"), ("1", "4"), ("2", "4")}  # 3 says something else
    one = pairs["1", "2"]
    assert (one.equal, one.same, one.only_first, one.only_second) == (True, False, ("a",), ("c",))
    assert one.overlap == pytest.approx(1 / 3)
    assert pairs["1", "4"].same
    (row,) = found.by_judge()
    assert (row["pairs"], row["equal_scores"], row["other_units"]) == (3, 3, 2)
    text = " ".join(found.text().split())
    assert "Of 3 pairs of identical items 3 have equal scores, 2 of these from different units." in text


def test_alpha_over_units_is_krippendorffs_of_the_yes_and_no():
    """By hand: units a to f of two copies, found or not; nominal alpha is 1 less the disagreement over chance."""
    texts = {"1": "x y", "2": "x y"}
    found = self_agreement(table({"1": "ab", "2": "bc"}, texts), resamples=0)
    values = [(1, 0), (1, 1), (0, 1), (0, 0), (0, 0), (0, 0)]
    flat = [v for pair in values for v in pair]
    n, ones = len(flat), sum(flat)
    expected = 1 - (n - 1) * sum(a != b for a, b in values) / (ones * (n - ones))  # 2 of 12 ordered pairs differ
    assert found.judges[0].value == pytest.approx(expected)


def test_copies_of_other_judges_and_cut_texts():
    texts = {"1": "a b c", "2": "a b d"}
    with pytest.raises(InputError, match="no judge annotated two identical items"):
        self_agreement(table({"1": "ab", "2": "ab"}, texts))
    assert len(self_agreement(table({"1": "ab", "2": "ab"}, texts), limit=2, resamples=0).pairs) == 1
    with pytest.raises(InputError, match="no judge"):
        self_agreement(table({"1": "a", "2": "a"}, {"1": "x", "2": "x"}, judge={"1": "K", "2": "L"}))
    with pytest.raises(InputError, match="texts"):
        self_agreement(ContentUnits.build({"unit": ["a"], "item": ["1"], "support": [1]}))


def test_the_careless_judges_of_a_made_up_collection_agree_with_themselves_least(tmp_path):
    MadeUp(years=1, topics=8, systems=9, documents=3).write(tmp_path)
    peers = tmp_path / "2009" / "UpdateSumm09_eval" / "manual" / "peers"
    words = ["pyramid", "self-agreement", str(peers), "--resamples", "50"]
    done = CliRunner().invoke(main, [*words, "--format", "json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {r["judge"] for r in found["judges"][:2]} == {"C", "F"}
    assert found["judges"][0]["interval"][0] < found["judges"][0]["alpha"]
    shown = CliRunner().invoke(main, words).stdout
    assert shown.startswith("Of ")
    assert all(len(line) <= 80 for line in shown.splitlines())
