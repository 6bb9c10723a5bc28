"""Features of texts: each against a plain twin or a value by hand, and laws that all of them keep."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.errors import BadParameter, InputError
from quorate.summaries.rouge import rouge
from quorate.summaries.trained.features import FEATURES, chosen, measured
from quorate.summaries.trained.material import Material
from quorate.summaries.trained.sentences import sentences
from tests.reference import trained as plain

WORDS = st.lists(
    st.sampled_from(["dam", "broke", "on", "monday", "nine", "died", "flood", "town"]), min_size=0, max_size=12
)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(lambda some: "\n".join(" ".join(w) for w in some))


def one(name, text, **more):
    return float(measured(Material((text,), stem=False, **more), [name])[0, 0])


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.sampled_from([1, 2]))
def test_coverage_is_the_share_of_models_that_have_an_n_gram(words, models, n):
    held = (tuple(" ".join(m) for m in models),)
    assert one(f"coverage_{n}", " ".join(words), models=held) == pytest.approx(plain.coverage(words, models, n))


@given(WORDS, WORDS)
def test_divergence_equals_the_sum_over_all_words(left, right):
    found = one("divergence", " ".join(left), documents=((" ".join(right),),))
    assert found == pytest.approx(plain.jensen_shannon(left, right), abs=1e-12)
    assert 0 <= found <= 1


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=2, max_size=5))
def test_redundancy_is_the_mean_cosine_of_pairs_and_neighbours_that_of_next_ones(lines):
    text = "\n".join(" ".join(x) for x in lines)
    pairs = [plain.cosine(a, b) for k, a in enumerate(lines) for b in lines[k + 1 :]]
    beside = [plain.cosine(a, b) for a, b in itertools.pairwise(lines)]
    assert one("redundancy", text) == pytest.approx(sum(pairs) / len(pairs))
    assert one("neighbours", text) == pytest.approx(sum(beside) / len(beside))


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_rouge_features_are_the_recall_of_rouge(text, models):
    material = Material((text,), (tuple(models),), stem=False)
    for name, kind in (("rouge_2", "2"), ("rouge_l", "L"), ("rouge_su4", "SU4")):
        expected = rouge([text], [models], [kind])[f"{kind}_R"][0]
        assert measured(material, [name])[0, 0] == pytest.approx(expected)


def test_stemming_before_rouge_is_stemming_in_rouge():
    text, models = "The dams were breaking.\nTowns flooded", ["A dam breaks, flooding towns", "Dams broke"]
    found = measured(Material((text,), (tuple(models),)), ["rouge_1", "rouge_l"])[0]
    expected = rouge([text], [models], ["1", "L"], stem=True)
    assert found.tolist() == pytest.approx([expected["1_R"][0], expected["L_R"][0]])


def test_people_are_not_jackknifed_and_systems_are():
    models = ("a b c", "a d e", "f g h")
    both = Material(("a b", "a b"), (models, models[1:]), own=(False, True), jackknife=True, stem=False)
    alone = rouge(["a b"], [models[1:]], ["1"])["1_R"][0]
    assert measured(both, ["rouge_1"])[:, 0].tolist() == pytest.approx(
        [rouge(["a b"], [models], ["1"], jackknife=True)["1_R"][0], alone]
    )


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("sentences", "A dam broke. Nine died.", 2),
        ("log_sentences", "a\nb\nc\nd", 2),
        ("mean_length", "a b\nc d e f", 3),
        ("longest", "a b\nc d e f", 4),
        ("length_spread", "a b\nc d e f", 1),
        ("over_limit", " ".join("a" * 103), 3),
        ("entropy", "a b c d", 2),
        ("evenness", "a b c d", 1),
        ("evenness", "a a", 0),
        ("redundancy", "a b\na b", 1),
        ("dominance", "a b\na b", 1),
        ("dominance", "a b\nc d", 0.5),
        ("type_token", "a a b b", 0.5),
        ("repeated_bigrams", "a b a b", 1 / 3),
        ("cut_off", "A dam broke on", 1),
        ("unended", "A dam broke\nNine died.", 0.5),
        ("cut_off", 'He said "no."', 0),
        ("dateline", "BEIJING (AP) -- A dam broke.", 1),
        ("dateline", "A dam broke.", 0),
        ("quotes", 'He said "no.', 1),
        ("quotes", 'He said "no".', 0),
        ("capitals", "THE BIG DAM broke.", 1),
        ("leading", "But it broke. Nine died.", 0.5),
    ],
)
def test_a_linguistic_feature_by_hand(name, text, value):
    assert one(name, text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A dam broke. Nine died.\nIt rained! Why?", ["A dam broke.", "Nine died.", "It rained!", "Why?"]),
        ("A dam\nbroke. Nine\ndied.", ["A dam broke.", "Nine died."]),
        (
            "The army of General\nPoe, which was\nlarge, won\nit. It left.",
            ["The army of General Poe, which was large, won it.", "It left."],
        ),
        ("Dam breaks in town\nA dam broke.\nNine died", ["Dam breaks in town", "A dam broke.", "Nine died"]),
        ("A dam\n\nbroke.", ["A dam", "broke."]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("Mr. J. Poe of the U.S. Army, No. 5, left at 3 p.m. on Jan. 5.", None),
        ("It cost 3.5 dollars. 4 died.", ["It cost 3.5 dollars.", "4 died."]),
        ("Yes... and no. But", ["Yes... and no.", "But"]),
        ("a dam\nnine died", ["a dam", "nine died"]),
        ("", []),
    ],
)
def test_sentences_end_where_they_end_whatever_the_lines_do(text, expected):
    assert sentences(text) == ([text] if expected is None else expected)


@given(
    st.lists(st.sampled_from(["A dam broke.", "Nine died!", "Why is it so?", 'He said "no."']), min_size=1), st.data()
)
def test_line_breaks_inside_of_sentences_change_nothing(told, data):
    words = " ".join(told).split(" ")
    breaks = [data.draw(st.sampled_from(" \n" if w[0].islower() or v.endswith((".", "!", "?", '"')) else " "))
              for v, w in itertools.pairwise(words)]  # fmt: skip
    assert sentences("".join(w + b for w, b in zip(words, [*breaks, ""], strict=True))) == told


def test_nouveau_rouge_pays_for_new_and_charges_for_old_content():
    held = {"models": (("new fact here",),) * 2, "earlier": (("old fact there",),) * 2}
    old, new = measured(Material(("old fact there", "new fact here"), stem=False, **held), ["nouveau_1"])[:, 0]
    assert new > old


@pytest.mark.parametrize("name", list(FEATURES))
@given(st.lists(TEXTS, min_size=2, max_size=4))
def test_a_feature_is_of_one_text_whatever_stands_beside_it(name, texts):
    held = (("dam broke", "nine died on monday"),)
    every = {"models": held, "earlier": held, "documents": held}
    together = Material(tuple(texts), *(h * len(texts) for h in every.values()), stem=False)
    found = measured(together, [name])[:, 0]
    apart = [one(name, t, **every) for t in texts]
    assert found.tolist() == pytest.approx(apart, nan_ok=True)
    assert np.isfinite(found).all()


@pytest.mark.parametrize("feature", list(FEATURES.values()), ids=lambda f: f.name)
def test_a_feature_says_what_it_is_and_is_missing_without_what_it_needs(feature):
    assert feature.about.endswith(".")
    assert feature.better in (-1, 0, 1)
    value = one(feature.name, "A dam broke.")
    assert math.isnan(value) == bool(feature.needs)


def test_an_empty_text_has_every_linguistic_feature():
    free = [f.name for f in FEATURES.values() if not f.needs]
    assert measured(Material(("", " \n")), free).tolist() == [[0.0] * len(free)] * 2


def test_unknown_features_and_lists_of_another_length_are_refused():
    with pytest.raises(BadParameter, match="rouge_2"):
        chosen(["rouge2"])
    with pytest.raises(InputError, match="models"):
        Material(("a", "b"), (("c",),))
    assert sentences("") == []


def test_the_page_on_trained_metrics_names_every_feature():
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs" / "kinds" / "trained-metrics.md").read_text("utf-8")
    assert [n for n in FEATURES if f"`{n}`" not in page] == []


def test_figures_kept_from_another_population_are_those_computed_anew():
    texts, models = (
        ("A dam broke. Nine died.", "It rained.\nA dam", "A dam broke. Nine died."),
        ("A dam broke.", "Rain."),
    )
    systems = Material(texts, (models,) * 3, stem=False)
    measured(systems)
    people = {"models": (models, models, models, models[1:]), "own": (False, False, False, True), "jackknife": True}
    texts = (*texts, models[0])
    kept = measured(Material(texts, stem=False, known=systems.known, counted=systems.counted, **people))
    assert np.array_equal(kept, measured(Material(texts, stem=False, **people)), equal_nan=True)
