"""Support by a threshold and shares with a penalty for length: against plain computation, in Python and on the CLI."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.summaries.units.model import ContentUnits, ModelsText
from quorate.summaries.units.scored import scored
from quorate.summaries.units.shares import lengths, normalised, without_length
from tests.reference import pyramid as reference

SUPPORT = st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=5)


@given(data=st.data(), supports=SUPPORT)
def test_shares_by_a_threshold_and_with_a_penalty_are_what_counting_gives(data, supports):
    threshold = data.draw(st.sampled_from([None, 0.3, 0.5, 1.0]))
    alpha = data.draw(st.sampled_from([None, 0.5, 2.0]))
    words = data.draw(st.lists(st.integers(0, 9), min_size=len(supports), max_size=len(supports)))
    size = data.draw(st.integers(1, 9))
    rows = [(f"u{k}", f"i{i}", s) for i, listed in enumerate(supports) for k, s in enumerate(listed)]
    raw = dict(zip(("unit", "item", "support"), map(list, zip(*rows, strict=True)), strict=True))
    table = ContentUnits.build(raw, texts={f"i{i}": "w " * n for i, n in enumerate(words)})
    table = table.about(texts={"all": ModelsText("r " * size)})
    table = table.decided(threshold) if threshold else table
    found = scored(table, penalty=alpha)
    for i, row in enumerate(found.figures):
        expected = reference.share(supports[i], threshold)
        assert row["share"] == pytest.approx(expected)
        if alpha:
            assert row[found.main] == pytest.approx(reference.with_penalty(expected, words[i], size, alpha))


def test_a_threshold_is_above_0_and_at_most_1():
    table = ContentUnits.build({"unit": ["a"], "item": ["x"], "support": [0.5]})
    for bad in (0, -1, 1.1, float("nan")):
        with pytest.raises(BadParameter, match="threshold"):
            table.decided(bad)


def test_a_model_of_several_is_as_long_as_they_are_on_average():
    head = "-----\n D9901-A.M.100.K.{}\n-----\n\n"
    text = f"{head.format('P')}one two three\n{head.format('Q')}four - five\nsix seven\n"
    table = ContentUnits.build({"unit": ["a"], "item": ["x"], "support": [1]}, texts={"x": "one two"})
    assert [v.tolist() for v in lengths(table.about(texts={"all": ModelsText(text)}))] == [[2.0], [4.0]]


def test_texts_that_are_not_known_are_asked_for():
    bare = ContentUnits.build({"unit": ["a"], "item": ["x"], "support": [1]})
    with pytest.raises(InputError, match="text of item x is not known"):
        lengths(bare)
    told = ContentUnits.build({"unit": ["a"], "item": ["x"], "support": [1]}, texts={"x": "one"})
    with pytest.raises(InputError, match="model of task all is not known"):
        lengths(told)


def test_the_alpha_that_is_looked_for_takes_length_out():
    rng = np.random.default_rng(0)
    words = rng.integers(50, 200, 60).astype(float)
    values = np.clip(0.2 + 0.003 * words + rng.normal(0, 0.05, 60), 0, 1)
    reference_words = np.full(60, 80.0)
    alpha = without_length(values, words, reference_words)
    assert abs(np.corrcoef(normalised(values, words, reference_words, alpha), words)[0, 1]) < 1e-6
    assert np.corrcoef(values, words)[0, 1] > 0.5
    with pytest.raises(InputError, match="no alpha"):
        without_length(1 - values, words, reference_words)


def test_both_are_options_of_the_command(tmp_path):
    (tmp_path / "u.csv").write_text("unit,item,support\na,x,0.9\nb,x,0.4\na,y,0.6\nb,y,0.7\n")
    (tmp_path / "t.csv").write_text("item,text\nx,one two three four\ny,one two\n,one two\n")

    def run(*words, code=0):
        result = CliRunner().invoke(main, ["pyramid", "score", str(tmp_path / "u.csv"), *words])
        assert result.exit_code == code, result.output
        return result

    def means(*words):
        return {s["system"]: s["mean"] for s in json.loads(run(*words, "--format", "json").stdout)["systems"]}

    assert means("--threshold", "0.5") == {"x": 0.5, "y": 1.0}
    assert means() == {"x": pytest.approx(0.65), "y": pytest.approx(0.65)}
    penalty = ("--texts", str(tmp_path / "t.csv"), "--length-penalty", "2")
    assert means(*penalty)["x"] == pytest.approx(reference.with_penalty(0.65, 4, 2, 2))
    assert means(*penalty)["y"] == pytest.approx(0.65)
    assert "alpha 2" in run(*penalty).stdout
    assert "neither a number above 0 nor auto" in run("--length-penalty", "-1", code=2).stderr
    assert "--texts FILE" in run("--length-penalty", "1", code=2).stderr
    assert "no shares" in run("--models", "--scheme", "share", code=2).stderr
