"""ROUGE against known values, a slow plain twin, and the package rouge-score where the definitions coincide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.errors import BadParameter, InputError, UnknownId
from quorate.summaries.rouge import STOP_WORDS, Texts, Tokeniser, Variant, rouge, variants
from tests.family import LONG
from tests.reference import rouge as plain

NAMES = ("1", "2", "3", "4", "L", "L-whole", "W-1.2", "W-2", "S4", "SU4", "S0", "SU*", "S*")
words = st.sampled_from(["a", "b", "c", "dé", "E,", "f-g"])
line = st.tuples(st.sampled_from(["", "", " "]), st.lists(words, max_size=9).map(" ".join)).map("".join)
text = st.lists(line, max_size=4).map("\n".join)
task = st.tuples(text, st.lists(text, min_size=1, max_size=4))


def figures(found, k=0):
    return found.values[0, k].round(5).tolist()


def test_rouge_2_of_the_known_example_is_what_the_perl_script_printed():
    assert figures(rouge(["1 2 1 2"], [["1 2 3 4 5 1 2 6"]], ["2"])) == [0.28571, 0.66667, 0.4]


def test_pooled_references_add_up_hits_and_lengths_and_best_takes_the_highest_recall():
    references = [["a b c d e", "a b x"]]
    # Bigrams: a-b is in both; 1 + 1 hits of 4 + 2, and twice the summary's 2.
    assert figures(rouge(["a b y"], references, ["2"])) == pytest.approx([2 / 6, 2 / 4, 0.4], abs=1e-5)
    assert figures(rouge(["a b y"], references, ["2"], mode="best")) == [0.5, 0.5, 0.5]
    # Neither the mean of the recalls (0.375) nor the highest.
    assert rouge(["a b y"], references, ["2"])["2_R"][0] != pytest.approx(0.375)


def test_jackknife_is_the_mean_over_leaving_out_each_reference():
    found = rouge(["a b y"], [["a b c d e", "a b x"]], ["2"], jackknife=True)
    assert found["2_R"][0] == pytest.approx((1 / 4 + 1 / 2) / 2)


def test_with_one_reference_there_is_nothing_to_jackknife_and_a_note_says_so():
    found = rouge(["a b"], [["a b c"]], ["1"], jackknife=True)
    assert found["1_R"][0] == pytest.approx(2 / 3)
    assert "not jackknifed" in found.notes[0]


@pytest.mark.parametrize("mode", ["pooled", "best"])
@pytest.mark.parametrize("jackknife", [False, True])
@given(tasks=st.lists(task, min_size=1, max_size=4), alpha=st.sampled_from([0.5, 0.2, 1.0]))
def test_all_variants_agree_with_the_plain_twin(mode, jackknife, tasks, alpha):
    found = rouge(*zip(*tasks, strict=True), NAMES, mode=mode, jackknife=jackknife, alpha=alpha)
    for v, name in enumerate(NAMES):
        for k, (summary, references) in enumerate(tasks):
            wanted = plain.rouge(name, summary, references, mode, jackknife, alpha)
            assert found.values[v, k] == pytest.approx(wanted, abs=1e-9), (name, summary, references)


@given(task=task, limit=st.integers(1, 12))
def test_limits_in_words_and_bytes_agree_with_the_plain_twin(task, limit):
    summary, references = task
    for how, other in (({"limit_words": limit}, {"words": limit}), ({"limit_bytes": limit}, {"size": limit})):
        names = ("1", "L", "W-1.2", "L-whole")
        found = rouge([summary], [references], names, **how)
        for v, name in enumerate(names):
            assert found.values[v, 0] == pytest.approx(plain.rouge(name, summary, references, **other)), how


@given(task=task)
def test_figures_lie_between_0_and_1_and_recall_against_oneself_is_1(task):
    summary, references = task
    found = rouge([summary], [[*references, summary]], NAMES, mode="best")
    assert (found.values >= 0).all()
    assert (found.values[:5] <= 1 + 1e-12).all()
    if Tokeniser().tokens(summary):
        assert rouge([summary], [[summary]], ["1", "L", "L-whole"]).values == pytest.approx(1.0)


@given(tasks=st.lists(task, min_size=2, max_size=4))
def test_summaries_do_not_touch_one_another_and_references_have_no_order(tasks):
    together = rouge(*zip(*tasks, strict=True), NAMES)
    for k, (summary, references) in enumerate(tasks):
        alone = rouge([summary], [references[::-1]], NAMES)
        assert together.values[:, k] == pytest.approx(alone.values[:, 0])


def test_an_empty_summary_and_a_reference_shorter_than_the_gram_give_0_as_in_rouge_and_a_note():
    found = rouge(["", "a b", "... !"], [["a b c"], ["a"], [""]], ["1", "2", "L", "W", "SU4"])
    assert found.values[:, 0].max() == 0
    assert found["2_R"][1] == 0
    assert not np.isnan(found.values).any()
    assert any(n.startswith("summaries without a word: 2") for n in found.notes)
    assert any(n.startswith("references without a word: 1") for n in found.notes)


def test_a_token_longer_than_3_letters_is_stemmed_and_a_shorter_one_is_not():
    pytest.importorskip("snowballstemmer")
    assert Tokeniser(stem=True).tokens("Running cats ran dogs, gas ass hopping ties") == (
        ["run", "cat", "ran", "dog", "gas", "ass", "hop", "ti"]
    )
    assert Tokeniser(stem=True).tokens("agreements") == ["agreem"]  # ROUGE's slip, not Porter's
    assert Tokeniser(stem="porter").tokens("agreements") == ["agreement"]
    assert Tokeniser(stem=True, exceptions={"mice": "mouse"}).tokens("mice") == ["mouse"]
    assert Tokeniser(stem="german", unicode=True).tokens("Häuser") == ["haus"]
    with pytest.raises(BadParameter, match="no stemmer"):
        Tokeniser(stem="klingon").tokens("word")


def test_without_the_stemmer_the_message_says_what_to_install(monkeypatch):
    import importlib

    from quorate.errors import MissingExtra

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"quorate\[text\]"):
        rouge(["words"], [["words"]], stem=True)


def test_ascii_and_unicode_tokens_differ_just_where_rouge_1_5_5_is_blind():
    mixed = "Ärger über İstanbul: naïve \u212a, \u0939\u093f\u0928\u094d\u0926\u0940 soft\u00adly"
    assert Tokeniser().tokens(mixed) == ["rger", "ber", "stanbul", "na", "ve", "soft", "ly"]
    assert Tokeniser(unicode=True).tokens(mixed)[:2] == ["ärger", "über"]
    assert Tokeniser(unicode=True).tokens(mixed)[-2:] == ["\u0939\u093f\u0928\u094d\u0926\u0940", "softly"]
    assert Tokeniser(unicode=True).tokens("e\u0301t\u00e9 \u00e9te\u0301") == ["été", "été"]
    assert Tokeniser(unicode=True).tokens("東京タワー2024") == ["東", "京", "タ", "ワ", "ー", "2024"]
    assert rouge(["日本語"], [["日本人"]], ["1"], unicode=True)["1_R"][0] == pytest.approx(2 / 3)
    assert rouge(["日本語"], [["日本人"]], ["1"])["1_R"][0] == 0


def test_stop_words_are_left_out_before_grams_are_made():
    assert figures(rouge(["the cat of a mat"], [["cat mat"]], ["2"], stop_words=STOP_WORDS)) == [1, 1, 1]
    assert Tokeniser(stop_words=STOP_WORDS).tokens("To be, or not to be: that is the question") == ["question"]


def test_a_byte_limit_may_cut_a_word_and_a_letter_and_counts_no_line_ends():
    assert Tokeniser(limit_bytes=5).tokens("abc\ndef") == ["abc", "de"]
    assert Tokeniser(limit_bytes=3, unicode=True).tokens("aéé") == ["aé"]
    assert Tokeniser(limit_words=2).tokens("don't stop-me now") == ["don", "t", "stop", "me"]
    with pytest.raises(BadParameter, match="one of the two"):
        rouge(["a"], [["a"]], limit_words=1, limit_bytes=1)


def test_a_writer_is_compared_with_the_other_models_and_jackknifing_leaves_people_alone():
    peers = [("T1", "7", "a b"), ("T1", "P", "a b c"), ("T2", "7", "x"), ("T3", "7", "y")]
    models = [("T1", "P", "a b c"), ("T1", "Q", "a d"), ("T1", "S", "a"), ("T2", "7", "x"), ("T4", "P", "z")]
    texts = Texts.of_rows(peers, models)
    assert texts.systems == ("7", "P")
    assert [n.split(":")[0] for n in texts.notes if ":" in n] == [
        "left aside, with nothing to compare with",
        "models without a summary",
    ]
    found = rouge(texts, kinds=["1"], jackknife=True)
    assert found["1_R"][1] == pytest.approx(2 / 3)  # a and a, of a-d and a
    assert found["1_R"][0] == pytest.approx((2 / 3 + 3 / 4 + 3 / 5) / 3)


def test_mistakes_are_told_with_a_hint():
    with pytest.raises(InputError, match="no summary has a reference"):
        Texts.of_rows([("A", "7", "x")], [("B", "P", "y")])
    with pytest.raises(InputError, match="two texts"):
        Texts.of_rows([("A", "7", "x"), ("A", "7", "z")], [("A", "P", "y")])
    with pytest.raises(InputError, match="lists of references: 0"):
        rouge(["x"], [])
    with pytest.raises(BadParameter, match="no ROUGE 'X'"):
        rouge(["x"], [["x"]], ["X"])
    with pytest.raises(BadParameter, match="mode=mean is not known"):
        rouge(["x"], [["x"]], mode="mean")
    with pytest.raises(UnknownId, match="no figure '3_R'"):
        rouge(["x"], [["x"]], ["2"])["3_R"]


def test_names_of_variants_parse_back():
    for name in NAMES:
        assert Variant.parse(str(Variant.parse(name))) == Variant.parse(name)
    assert [str(v) for v in variants()][-2:] == ["ROUGE-W-1.2", "ROUGE-SU4"]
    assert str(Variant.parse("su")) == "ROUGE-SU4"


def test_grams_of_large_vocabularies_do_not_overflow():
    from quorate.kernels.ngrams import bags, ngrams, shared

    tokens = np.array([3_000_000, 1, 2, 3, 4, 3_000_000, 1, 2, 3, 5])
    found = bags(*ngrams(tokens, np.array([0, 5, 10]), 4), 2)
    assert shared(found, np.array([0]), np.array([1])).tolist() == [1]
    assert found.totals.tolist() == [2, 2]


def test_very_many_summaries_are_scored_at_once():
    number = 100_000 if LONG else 20_000
    sayings = ["a b c d", "b c d e", "x y", "a c e g i"]
    summaries = [sayings[k % 4] for k in range(number)]
    found = rouge(summaries, [["a b c d"]] * number, ["2"])
    assert found["2_R"][:4].tolist() == pytest.approx([1, 2 / 3, 0, 0])
    assert (found["2_R"].reshape(-1, 4) == found["2_R"][:4]).all()


# -- the peer ----------------------------------------------------------------------------------------------------------


@given(summary=text, reference=text)
def test_rouge_score_gives_the_same_for_one_reference(summary, reference):
    scorer = pytest.importorskip("rouge_score.rouge_scorer")
    peer = scorer.RougeScorer(["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum"])
    wanted = peer.score(reference, summary)
    found = rouge([summary], [[reference]], ["1", "2", "3", "4", "L-whole", "L"])
    for v, name in enumerate(wanted):
        theirs = wanted[name]
        assert found.values[v, 0] == pytest.approx([theirs.recall, theirs.precision, theirs.fmeasure]), name
