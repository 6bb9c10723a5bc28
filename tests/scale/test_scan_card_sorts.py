"""One task of very many judges who group items: counted a block of judges at a time, the same bytes as in memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.errors import BadParameter
from tests.family import few
from tests.scale.made_up import card_sorts
from tests.scale.test_scan import same
from tests.scale.test_scan_tallies import many, scanned

BRIEF = {"resamples": 20, "permutations": 19}
SORTS = {"complete": {}, "left out": {"left_out": 0.2}, "some shown": {"shown": 6}}
AGREEMENT = ("together", "together(q=5)", "adjusted_rand", "v_beta")
CONSENSUS = ("pairs", "quorum", "quorum(q=0.3, join=cliques)", "linkage", "median_partition")


@pytest.fixture(autouse=True)
def _many(monkeypatch):
    many(monkeypatch)
    monkeypatch.setattr("quorate.groupings.counted_consensus.SOME", 12)


@pytest.mark.parametrize("sorts", SORTS)
def test_agreement_is_counted_or_of_judges_drawn_at_random(tmp_path, sorts):
    card_sorts(**SORTS[sorts]).write_parquet(tmp_path / "one.parquet")
    found = q.agreement(scanned(tmp_path / "one.parquet"), *AGREEMENT, **BRIEF)
    assert type(found.panel.elsewhere).__name__ == "TallyRows"
    assert same(q.agreement(q.read(tmp_path / "one.parquet"), *AGREEMENT, **BRIEF), found)
    drawn = {f.method.name for f in found.findings if f.about and f.about[-1].get("judges_sampled")}
    assert drawn == {"adjusted_rand", "v_beta"}
    assert any("over 12 judges drawn at random" in note for note in found.notes)


@pytest.mark.parametrize("sorts", SORTS)
def test_consensus_is_counted_or_of_judges_drawn_at_random(tmp_path, sorts):
    card_sorts(**SORTS[sorts]).write_parquet(tmp_path / "one.parquet")
    found = q.consensus(scanned(tmp_path / "one.parquet", rows=100), *CONSENSUS, **BRIEF)
    assert type(found.panel.elsewhere).__name__ == "TallyRows"
    assert same(q.consensus(q.read(tmp_path / "one.parquet"), *CONSENSUS, **BRIEF), found)
    assert any(note.startswith("median_partition: over 12 judges drawn at random") for note in found.notes)
    assert any("how much a judge agrees with it is told of 12 judges" in note for note in found.notes)


@given(st.integers(0, 99), st.integers(9, 300), st.sampled_from(sorted(SORTS)))
@settings(max_examples=few(2, 200))
def test_any_blocks(tmp_path_factory, seed, rows, sorts):
    path = tmp_path_factory.mktemp("blocks") / "one.parquet"
    card_sorts(seed=seed, **SORTS[sorts]).sample(fraction=1, shuffle=True, seed=seed).write_parquet(path)
    with pytest.MonkeyPatch.context() as patch:
        many(patch)
        found, whole = scanned(path, rows), q.read(path)
        assert q.agreement(found, "together", **BRIEF).to_json() == q.agreement(whole, "together", **BRIEF).to_json()
        assert q.consensus(found, "pairs", **BRIEF).to_json() == q.consensus(whole, "pairs", **BRIEF).to_json()


@pytest.mark.parametrize("question", [q.judges, q.trust])
def test_judges_and_trust_are_of_some_judges_drawn_at_random(tmp_path, question):
    card_sorts(60, left_out=0.2).write_parquet(tmp_path / "one.parquet")
    brief = {"resamples": 10, "permutations": 9}
    asked = () if question is q.judges else ("agreement_stability",)
    found = question(scanned(tmp_path / "one.parquet", rows=70), *asked, **brief)
    assert found.judges == 12
    assert any("of 12 judges drawn at random: 60 are too many" in note for note in found.notes)
    assert same(question(q.read(tmp_path / "one.parquet"), *asked, **brief), found)


def test_what_needs_every_judge_says_so_before_any_work(tmp_path):
    card_sorts(left_out=0.2).write_parquet(tmp_path / "one.parquet")
    small = scanned(tmp_path / "one.parquet", memory="1MB")
    with pytest.raises(BadParameter, match=r"agreement of 1 task by 1 method: about 0\.\d GB are needed"):
        q.agreement(small, "together")
