"""Votes that are counted: a row stands for several voters, none of whom is named."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate.errors import InputError
from quorate.words.agreement import size

ROWS = [("x", "y", "x", 10), ("x", "y", "y", 5), ("x", "z", "tie", 3), ("y", "z", "z", 4)]
FEW = {"resamples": 99, "permutations": 99}


def counted(rows=ROWS, **more):
    return q.Votes.build(
        dict(zip(("model_a", "model_b", "winner", "count"), zip(*rows, strict=True), strict=True)) | more
    )


def one_each(judge):
    """The same votes, a row each, by so many judges."""
    rows = [row[:3] for row in ROWS for _ in range(row[3])]
    columns = dict(zip(("model_a", "model_b", "winner"), zip(*rows, strict=True), strict=True))
    return q.Votes.build({**columns, "judge": [judge(k) for k in range(len(rows))]})


@pytest.fixture
def votes():
    return counted(judge=["poll"] * len(ROWS))


def test_a_leaderboard_is_of_single_votes(votes):
    """Voters behind one name were drawn as judges: each draw was the whole, and all systems differed significantly."""
    found, plain = (
        q.quality(panel, "bradley_terry", **FEW).findings[0].overall for panel in (votes, one_each(lambda k: 1))
    )
    assert [o.value for o in found] == pytest.approx([o.value for o in plain])
    assert [o.labels["group"] for o in found] == [o.labels["group"] for o in plain] == ["a", "ab", "b"]
    for one, other in zip(found, plain, strict=True):
        assert one.interval.over == "votes"
        assert np.allclose([one.interval.low, one.interval.high], [other.interval.low, other.interval.high], atol=0.35)


def test_voters_of_one_name_agree_as_judges_with_names_do(votes):
    """Of their votes on a pair only the first row counted, and the judges agreed fully."""
    found, named = (q.agreement(p, "alpha", "same_choice", **FEW) for p in (votes, one_each(lambda k: k)))
    for one, other in zip(found.findings, named.findings, strict=True):
        assert one.overall[0].value == pytest.approx(other.overall[0].value)
        assert one.overall[0].null.value < one.overall[0].value  # each voter by chance, not a row at a time
    assert found["same_choice"].value == pytest.approx((45 + 10 + 3 + 6) / (105 + 3 + 6))
    assert votes.repeats == 0


def test_one_name_has_nobody_to_be_compared_with(votes):
    assert np.isnan(q.judges(votes, "with_others", **FEW).findings[0].values).all()
    two = counted([*ROWS, ("x", "y", "x", 8)], judge=["poll"] * len(ROWS) + ["panel"])
    found = q.judges(two, "with_others", **FEW).findings[0]
    alike = dict(zip(found.keys["judge"], found.values, strict=True))
    assert alike == pytest.approx({"panel": 1.0, "poll": 10 / 15})


def test_where_nobody_is_named_no_number_of_judges_is_told(tmp_path):
    text = "\n".join(["model_a,model_b,winner,count", *(",".join(map(str, row)) for row in ROWS)])
    (tmp_path / "poll.csv").write_text(text)
    assert size(q.read(tmp_path / "poll.csv")).text == "22 votes between 3 systems on 1 task."


def test_a_table_of_wins_is_votes(tmp_path):
    text = "system_1,system_2,wins_1,wins_2,draws\nx,y,10,5,0\nx,z,0,0,3\ny,z,0,4,0"
    (tmp_path / "wins.csv").write_text(text)
    panel = q.read(tmp_path / "wins.csv")
    same = q.quality(counted(judge=["poll"] * 4), "bradley_terry", **FEW).findings[0].overall
    found = q.quality(panel, "bradley_terry", **FEW).findings[0].overall
    assert [o.value for o in found] == pytest.approx([o.value for o in same])
    (tmp_path / "bad.csv").write_text("model_a,model_b,wins_a,wins_b\nx,y,3,-1\nx,z,2,1")
    with pytest.raises(InputError, match="not how often a system won") as told:
        q.read(tmp_path / "bad.csv")
    assert "line 2: wins_b -1" in str(told.value)
