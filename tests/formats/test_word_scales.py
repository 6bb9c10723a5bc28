"""Words of a well-known order in a column of ratings are labels in that order, and that is told; others are asked."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.errors import InputError
from quorate.formats.word_scales import SCALES, in_order


@pytest.fixture
def table(tmp_path):
    def make(*words, name="t.csv", column="rating"):
        rows = [f"{judge},x{k // 2},{word}" for k, word in enumerate(words) for judge in [("ann", "bob")[k % 2]]]
        path = tmp_path / name
        path.write_text("\n".join([f"judge,item,{column}", *rows]) + "\n", encoding="utf-8")
        return path

    return make


@pytest.mark.parametrize(
    ("given", "scale"),
    [
        (("good", "poor", "fair", "good"), ("poor", "fair", "good")),
        (("Agree", "Strongly agree", "neutral", "Disagree"), ("Disagree", "neutral", "Agree", "Strongly agree")),
        (("high", "low", "medium", "low"), ("low", "medium", "high")),
        (("always", "never", "often", "rarely"), ("never", "rarely", "often", "always")),
        (("good", "bad", "poor", "fair"), ("bad", "poor", "fair", "good")),
    ],
)
def test_words_of_a_known_order_are_labels_in_that_order(table, given, scale):
    panel = q.read(table(*given))
    assert panel.scale == scale
    assert sorted(panel.columns()["label"]) == sorted(given)
    assert panel.reading.guesses[-1].option.startswith("--scale ")
    with pytest.raises(InputError, match="labels in this order"):
        q.read(table(*given), strict=True)


def test_the_option_that_is_told_reads_the_same(table):
    path = table("Strongly  agree", "disagree", "Disagree", "")
    panel = q.read(path)
    told = q.read(path, rename={"rating": "score"}, scale=list(panel.scale), strict=True)
    assert told.columns()["label"] == panel.columns()["label"] == ["Strongly  agree", "Disagree", "Disagree", None]
    assert any("differ in case and blanks alone" in n for n in panel.notes)


@pytest.mark.parametrize(
    "words",
    [
        ("good", "pos"),  # one of them is of no scale
        ("good", "3"),  # a number
        ("good", "good"),  # no order of one word
        ("neutral", "undecided"),  # two words of one place
        ("good", "high"),  # of two scales
        ("good", "NA"),
    ],
)
def test_other_words_are_asked_about(table, words):
    with pytest.raises(InputError) as caught:
        q.read(table(*words))
    assert any(option in caught.value.hint for option in ("--labels", "--missing-values"))


def test_labels_are_left_as_they_are(table):
    path = table("low", "high", "medium", "low", column="label")
    assert q.read(path).scale == ("high", "low", "medium")
    assert not q.read(path, strict=True).ordered


def test_files_share_a_scale(table):
    panel = q.read(table("good", "fair", name="a.csv"), table("poor", "good", name="b.csv"))
    assert panel.scale == ("poor", "fair", "good")
    assert sum("labels in this order" in g.said for g in panel.reading.guesses) == 1


def test_frames_and_lines_are_read_alike(table, tmp_path):
    rows = [{"judge": j, "item": "x", "score": s} for j, s in (("ann", "good"), ("bob", "poor"))]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"judge": "{r["judge"]}", "item": "x", "score": "{r["score"]}"}}\n' for r in rows))
    assert q.read(rows).scale == q.read(path).scale == ("poor", "good")


def test_the_grid_of_a_survey(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Timestamp,Email,Rate [A],Rate [B]\n1/2/26,a@x,Good,Poor\n1/2/26,b@x,Fair,Poor\n")
    assert q.read(path).scale == ("Poor", "Fair", "Good")


def test_no_scale_has_a_word_twice():
    for scale in SCALES:
        words = [word for place in scale for word in place]
        assert len(set(words)) == len(words)
        assert in_order(place[0] for place in scale) == tuple(place[0] for place in scale)
