"""Labels: which are agreed on, which are confused, and by whom."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate.errors import NotDrawn
from tests.reference import scores as plain


def labels(seed=0, judges=4, items=30):
    rng = np.random.default_rng(seed)
    true = rng.choice(list("abc"), items)
    swap = {"a": "a", "b": "c", "c": "b"}
    return [[swap[t] if rng.random() < 0.3 else t for t in true] for _ in range(judges)]


def panel(table):
    rows = [(f"j{j}", f"i{i}", v) for j, row in enumerate(table) for i, v in enumerate(row) if v is not None]
    return q.Scores.build(dict(zip(("judge", "item", "label"), zip(*rows, strict=True), strict=True)))


def test_specific_agreement_and_confusion_equal_their_plain_twins():
    table = labels()
    table[1][3] = table[2][3] = table[3][3] = None
    answer = q.agreement(panel(table), resamples=0, permutations=0)
    met, said = plain.confusion(table)
    for row in answer.more["labels"]:
        assert row["said"] == said[row["label"]]
        assert row["value"] == pytest.approx(met[row["label"], row["label"]] / said[row["label"]])
    for row in answer.more["confused"]:
        a, b = row["label"], row["other_label"]
        assert row["value"] == pytest.approx((met[a, b] + met[b, a]) / (said[a] + said[b]))
    assert {answer.more["confused"][0]["label"], answer.more["confused"][0]["other_label"]} == {"b", "c"}
    assert any(s.startswith("Most confused: b and c.") for s in answer.sentences)


def test_of_each_judge_it_is_told_what_others_say_instead():
    table = labels()
    table[0] = ["c" if v == "b" else v for v in table[0]]  # the first judge knows no b
    rows = [r for r in q.judges(panel(table), resamples=0, permutations=0).more["confusion"] if r["judge"] == "j0"]
    assert rows[0]["label"] == "c"
    assert rows[0]["others_say"] == "b"
    assert rows[0]["same"] < 0.6


def test_numbers_have_no_confusion():
    answer = q.agreement(q.Scores.from_matrix([[1, 2, 3], [1, 2, 2]]), resamples=0, permutations=0)
    assert not {"labels", "confused"} & answer.more.keys()


def test_agreement_label_by_label_has_an_interval_over_judges():
    """It had none, and did not say so."""
    rng = np.random.default_rng(0)
    said = {
        f"j{j}": {i: "abc"[(i + (rng.random() < 0.3)) % 3] for i in range(30) if rng.random() < 0.7} for j in range(5)
    }
    every, *without = (
        {r["label"]: r for r in q.agreement(q.Scores.from_labels(some), over="judges", permutations=0).more["labels"]}
        for some in (said, *({k: v for k, v in said.items() if k != name} for name in said))
    )
    for label, row in every.items():
        values = np.array([panel[label]["value"] for panel in without])
        error = np.sqrt(4 / 5 * ((values - values.mean()) ** 2).sum())
        low, high = row["interval"]
        assert low == pytest.approx(max(row["value"] - 2.776445 * error, 0))
        assert high == pytest.approx(min(row["value"] + 2.776445 * error, 1))


@pytest.mark.parametrize(("ask", "reason"), [(q.consensus, "majority_stability"), (q.trust, "other judges")])
def test_what_has_no_interval_over_judges_says_why(ask, reason):
    panel = q.Scores.from_labels({j: dict(enumerate(row)) for j, row in {"p": "aab", "q": "abb", "r": "aba"}.items()})
    with pytest.raises(NotDrawn) as caught:
        ask(panel, over="judges")
    assert reason in caught.value.hint
