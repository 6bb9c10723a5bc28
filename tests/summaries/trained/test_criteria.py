"""How far criteria put judges in the same order, in Python and on the command line."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.errors import InputError
from quorate.inference.results import Options
from quorate.reproduce.rows import facts
from quorate.summaries.trained.criteria import criteria_alike, of_values
from quorate.summaries.trained.year import read_year


def printed():
    """Table 1 as the paper prints it: alpha by judge."""
    out = {}
    for row in facts("assessors_tables"):
        if row["table"] == "1":
            out.setdefault(row["criterion"], {})[row["who"]] = float(row["value"])
    return out


def plain_tau(one, other):
    score = sum((one[a] > one[b]) * 2 - 1 == (other[a] > other[b]) * 2 - 1 for a, b in combinations(one, 2))
    pairs = len(one) * (len(one) - 1) / 2
    return (2 * score - pairs) / pairs


def test_the_orders_of_the_papers_table_1_are_held_together_pair_by_pair():
    values = printed()
    assert {len(v) for v in values.values()} == {7}
    found = of_values(values, Options(resamples=0))
    for e in found.pairs:
        one, other = values[e.labels["criterion"]], values[e.labels["other"]]
        assert e.value == pytest.approx(plain_tau(one, other))
        assert 0 < e.null.p <= 1
    assert found.overall.value == pytest.approx(sum(e.value for e in found.pairs) / 3)


def test_judges_without_a_value_are_left_out_of_what_they_lack():
    found = of_values({"x": {"a": 1.0, "b": 2.0, "c": 3.0}, "y": {"a": 1.0, "b": 2.0}}, Options(resamples=0))
    assert (found.pairs[0].n, found.pairs[0].value) == (2, 1.0)
    assert found.notes == ("not ordered by every criterion, so not in the mean: c",)
    with pytest.raises(InputError, match="1 criteria"):
        of_values({"x": {"a": 1.0, "b": 2.0}, "y": {"a": 1.0}}, Options())
    with pytest.raises(InputError, match="no two judges"):
        of_values({"x": {"a": 1.0, "b": 2.0}, "y": {"c": 1.0, "d": 3.0}}, Options())


def test_a_campaigns_criteria_and_gaps_on_the_command_line(collection):
    year = read_year(collection / "2009", stem=False)
    found = criteria_alike(year.panel, year.gaps, resamples=0)
    assert list(found.values) == ["pyramid", "responsiveness", "readability", "mP-aP"]
    done = CliRunner().invoke(main, ["metric", "criteria", str(collection / "2009"), "--format", "json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["overall"]["tau_b"] == pytest.approx(found.overall.value)
    assert len(told["pairs"]) == 6
    assert {told["criteria"]["mP-aP"][-1][0], told["criteria"]["mP-aP"][-2][0]} == {"C", "F"}
    shown = CliRunner().invoke(main, ["metric", "criteria", str(collection / "2009")]).stdout
    assert shown.startswith("4 criteria put the judges in order with a mean tau_b of ")
    assert all(len(line) <= 80 for line in shown.splitlines())
