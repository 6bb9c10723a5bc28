"""Answers as data frames: figures are told apart, with their estimates, and no column is mostly empty."""

from __future__ import annotations

from pathlib import Path

import pytest

import quorate as q
from quorate.document.columns import KEYS as SHOWN
from quorate.inference.results import ESTIMATE, KEYS
from tests.without import in_small

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
VERBS = (q.agreement, q.judges, q.consensus, q.trust)
SMALL = {"resamples": 20, "permutations": 9}


@pytest.fixture(scope="module", params=["films.csv", "cards.csv", "llm_judges.csv", "votes.csv"])
def answers(request):
    panel = q.read(EXAMPLES / request.param)
    with in_small():
        found = [verb(panel, **SMALL) for verb in VERBS]
    return [answer for answer in found if any(f.overall for f in answer.findings)]


def test_every_figure_has_a_row_that_no_other_has(answers):
    for answer in answers:
        frame = answer.figures()
        about = [n for n in (*KEYS, "about", "method") if n in frame]
        assert len(set(zip(*(frame[n] for n in about), strict=True))) == len(frame["method"])


def test_intervals_and_p_are_there_and_no_other_column_is_mostly_empty(answers):
    for answer in answers:
        frame, found = answer.figures(), [e for f in answer.findings for e in f.overall]
        assert frame.get("low", [None] * len(found)) == [e.interval.low if e.interval else None for e in found]
        assert frame.get("p", [None] * len(found)) == [e.null.p if e.null else None for e in found]
        for name, column in frame.items():
            assert name in ESTIMATE or 2 * sum(v is not None for v in column) > len(column)


def test_labels_that_say_what_a_figure_is_of_are_the_same_in_tables_and_frames():
    assert {c.key for c in SHOWN} <= set(KEYS)


def test_flagged_judges_are_an_attribute_and_say_whose_agreement_it_is():
    answer = q.judges(q.read(EXAMPLES / "reviews.csv"), **SMALL)
    assert answer.flagged == answer.to_dict()["flagged"]
    assert [(f["judge"], f["evidence"]["among"]) for f in answer.flagged] == [("Kim", "people")]
    assert "Without Kim, agreement of the people goes from 0.51 to 0.72." in " ".join(answer.sentences)
    assert q.agreement(q.read(EXAMPLES / "films.csv"), "tau_b", **SMALL).flagged == []


def test_an_interval_that_holds_the_whole_scale_is_said_to_hold_any_value():
    text = q.trust(q.read(EXAMPLES / "films.csv"), "discriminativeness", "noise", **SMALL).text()
    assert "any value" in text
    assert "-1.000 to 1.000" not in text


@pytest.mark.parametrize(
    ("name", "told"),
    [("films.csv", "place"), ("cards.csv", "group"), ("mails.csv", "value"), ("reviews.csv", "value")],
)
def test_what_is_agreed_on_has_a_row_for_every_item_and_method(name, told):
    panel = q.read(EXAMPLES / name)
    answer = q.consensus(panel, **SMALL)
    frame = answer.agreed()
    asked = set(zip(map(str, panel.task.values()), map(str, panel.item.values()), strict=True))
    rows = list(zip(frame["task"], frame["item"], frame["method"], strict=True))
    assert len(set(rows)) == len(rows)
    assert {(str(t), str(i)) for t, i, _ in rows} == asked
    assert told in frame
    assert all(2 * sum(v is not None for v in column) >= len(rows) for n, column in frame.items() if n != "value")
    assert list(answer.to_frame("pandas").columns) == list(frame)
