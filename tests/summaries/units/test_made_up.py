"""The made-up collection: what was planted is there, and what scores depend on shows in the texts."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.errors import BadParameter
from quorate.summaries.trained.linguistic import dateline, leading, quotes, unended
from quorate.summaries.units import made_up_texts as texts
from quorate.summaries.units.made_up import MARK, MadeUp

NEVER = {**dict.fromkeys(texts.SEVERITY, 0.0), "end": 0.0}
SENTENCES = ["Ab ce di fo gu ha.", "Je ki lo mu na pe.", "Qui ro sa te vu wo.", "Xa ye zi bo cu da."]


@given(st.integers(0, 10_000), st.integers(4, 30))
def test_a_system_without_bad_habits_prints_whole_sentences_within_the_limit(seed, limit):
    made = texts.write(np.random.default_rng(seed), SENTENCES, NEVER, limit)
    assert made.text.splitlines() == SENTENCES[: limit // 6]
    assert made.readability == texts.FLAWLESS


@pytest.mark.parametrize(
    ("kind", "shows"), [("leading", leading), ("dateline", dateline), ("quote", quotes), ("bare", unended)]
)
def test_a_flaw_shows_in_the_feature_that_looks_for_it(kind, shows):
    rng = np.random.default_rng(0)
    made = texts.write(rng, SENTENCES[:3], {**NEVER, kind: 1.0}, 100)
    assert shows(made.text) == 1
    assert made.readability == pytest.approx(texts.readability({kind: 1.0}))
    assert made.readability < texts.FLAWLESS


def test_sentences_are_said_again_and_broken_off():
    rng = np.random.default_rng(0)
    again = texts.write(rng, SENTENCES, {**NEVER, "repeated": 1.0}, 18).text.splitlines()
    assert again == [SENTENCES[0]] * 3
    broken = texts.write(rng, SENTENCES, {**NEVER, "broken": 1.0}, 100).text
    assert "." not in broken
    assert len(texts.write(rng, SENTENCES, {**NEVER, "end": 1.0}, 10).text.split()) == 10


@given(
    st.dictionaries(st.sampled_from(list(texts.SEVERITY)), st.floats(0, 1)),
    st.sampled_from(list(texts.SEVERITY)),
)
def test_more_flaws_are_never_more_readable(shares, kind):
    more = {**shares, kind: 1.0}
    assert texts.UNREADABLE <= texts.readability(more) <= texts.readability(shares) <= texts.FLAWLESS


def test_what_a_text_says_counts_once_and_by_importance():
    known = [texts.Fact(("a", "dam"), 1.0), texts.Fact(("nine", "died"), 0.5)]
    assert texts.share_said("A dam. A dam.", known) == pytest.approx(2 / 3)
    assert texts.share_said("", known) == 0
    assert texts.share_said("Nine died, and a dam.", known) == 1


def test_scores_follow_what_shows_in_the_texts_and_identical_texts_are_equally_good():
    made = MadeUp(years=1, topics=3, systems=24, documents=5, identical=0.9, noise=0.0, erratic={}, careless={})
    flawed, scores = [], []
    for d in made.docsets(2010):
        seen = {}
        for p, text in d.peers.items():
            assert seen.setdefault(text, (d.quality[p], d.responsiveness[p])) == (d.quality[p], d.responsiveness[p])
            flawed.append(unended(text) + leading(text) + dateline(text) + quotes(text))
            scores.append(d.quality[p])
        assert len(seen) < len(d.peers)
    assert np.corrcoef(flawed, scores)[0, 1] < -0.6


def test_systems_are_others_every_year():
    made = MadeUp(years=2, topics=1, systems=3, documents=3)
    first, second = (next(iter(made.docsets(y))) for y in (2009, 2010))
    assert set(first.peers) == set(second.peers)
    assert set(first.peers.values()).isdisjoint(second.peers.values())


def test_a_collection_on_disk_says_that_it_is_made_up(tmp_path):
    MadeUp(years=1, topics=1, systems=2, documents=2, seed=7).write(tmp_path)
    told = json.loads((tmp_path / MARK).read_text("utf-8"))
    assert (told["made up by"], told["seed"], told["topics"]) == ("quorate", 7, 1)
    assert set(told["careless"]) | set(told["lapses"]) == {"C", "F"}


def test_a_small_collection_has_fewer_judges_and_more_identical_runs():
    small, large = MadeUp(topics=12, systems=12), MadeUp()
    assert (small.judges, large.judges) == ("ABCDEF", "ABCDEFGH")
    assert small.alike > large.alike == 0.18
    assert MadeUp(identical=0.4).alike == 0.4
    with pytest.raises(BadParameter, match="no judge Z"):
        MadeUp(lapses={"Z": 0.5})
