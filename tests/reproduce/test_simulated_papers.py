"""The two long simulations, in small."""

from __future__ import annotations

import pytest

from quorate.reproduce import assessors, frespa, papers
from quorate.reproduce.rows import How


@pytest.fixture(scope="module")
def small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assessors, "TOPICS", 5)
        patch.setattr(assessors, "SYSTEMS", 6)
        patch.setattr(assessors, "TRAINING", {"size": 1, "again": 0, "features": ("rouge_2", "sentences")})
        return assessors.reproduce(How())


def test_every_cell_of_the_assessors_tables_is_filled_by_simulation(small):
    tables = [r for r in small.rows if r.paper is not None]
    assert len(tables) == 97
    assert {r.source for r in tables} == {"simulation"}
    assert len({(r.table, r.cell) for r in tables}) == 97
    # A judge without identical summaries has no alpha; everything else has a figure.
    assert not [r for r in tables if r.ours is None and r.table != "Table 1"]


def test_one_judge_misses_most(small):
    gaps = [r.ours for r in small.rows if r.table == "Figure 1"]
    assert len(gaps) == 5
    assert gaps == sorted(gaps)


def test_several_studies_add_whether_leaving_out_judges_pays(monkeypatch):
    seeds = []

    def table_5(made, seed):
        seeds.append((made.seed, seed, made.topics, made.systems))
        row = {"target": "pyramid", "training": "new (alpha)", "pearson": 0.9, "difference": 0.02 + seed / 100}
        return [{**row, "random": 0.8}]

    monkeypatch.setattr(assessors, "table_5", table_5)
    found = assessors._studied(How(seed=3, studies=2))
    assert seeds == [(3, 3, 24, 30), (4, 4, 24, 30)]
    assert found[0].ours == pytest.approx(0.055)
    assert found[0].paper is None
    assert "2 collections" in found[0].note


def test_what_several_studies_say_is_in_text_page_and_json(monkeypatch):
    row = {"target": "pyramid", "training": "new (alpha)", "pearson": 0.9, "random": 0.8}
    monkeypatch.setattr(assessors, "table_5", lambda made, seed: [{**row, "difference": 0.02 + seed / 100}])
    monkeypatch.setattr(assessors, "_made_up", lambda how: [])
    found = assessors.reproduce(How(studies=2))
    assert len(found.studied) == 4  # all targets and pyramid, against all tasks and against other judges
    said = "Metrics trained without the worst judges gain +0.0250"
    assert said in papers.to_text([found])
    assert any(line.startswith(said) for line in found.to_dict()["studied"])
    assert "points of figures" not in papers.to_text([found])
    for package in ("altair", "vl_convert", "jinja2"):
        pytest.importorskip(package)
    from quorate.reproduce.page import page

    assert said in page([found])


@pytest.mark.long  # the page of the papers shows these figures, and a test brings it up to date
def test_frespas_tables_by_simulation_have_every_printed_cell():
    found = frespa.reproduce(How())
    assert found.counts()["simulation"]["cells"] == 119 + 10
    first = next(r for r in found.of("simulation") if r.table == "Table 1")
    assert abs(first.difference) < 0.03  # fitted
    best = [r for r in found.rows if r.cell.startswith("order by tau")]
    assert all(str(r.ours).startswith("AC < WCA") for r in best)
