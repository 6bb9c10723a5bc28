"""The page of reproduced papers: every cell, every figure, self-contained, and the same for the same rows."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.document.charts import draw
from quorate.reports.picture import number
from quorate.reproduce import kappa, qsupport
from quorate.reproduce.figures import figures
from quorate.reproduce.rows import How, Reproduced, Row

for package in ("altair", "vl_convert", "jinja2"):
    pytest.importorskip(package)
from quorate.reproduce.page import page  # noqa: E402
from quorate.reproduce.papers import glance, tables  # noqa: E402


@pytest.fixture(scope="module")
def papers(clusters_simulated):
    return [kappa.reproduce(How()), qsupport.reproduce(How()), clusters_simulated]


@pytest.fixture(scope="module")
def written(tmp_path_factory, papers):
    target = tmp_path_factory.mktemp("page") / "papers.html"
    target.write_text(page(papers), encoding="utf-8")
    return target


def test_every_printed_cell_is_in_a_table_with_its_source(papers):
    for paper in papers:
        cells = [row for grid in tables(paper) for row in grid.rows]
        assert len(cells) == sum(r.paper is not None for r in paper.rows)
        assert {row[5] for row in cells} == {r.source for r in paper.rows if r.paper is not None}


def test_titles_of_tables_say_what_came_out(papers):
    titles = [grid.title for grid in tables(papers[0])]
    assert "Table IV, printed: 288 of 288 cells equal to the printed digits" in titles
    assert "Table 1, data: 12 cells need --data" in [grid.title for grid in tables(papers[1])]
    assert any(re.match(r"Table 3, simulation: 96 cells, off by 0\.\d+", g.title) for g in tables(papers[2]))


def test_every_table_and_figure_has_a_line_that_says_from_what_and_how_near(papers, written):
    for paper in papers:
        grid = glance(paper)
        assert {row[:2] for row in grid.rows} == {(r.table, r.source) for r in paper.rows}
    lines = {row[0]: row[2:] for row in glance(papers[0]).rows}
    assert lines["Table IV"] == (288, 288, pytest.approx(0.0002, abs=5e-5), pytest.approx(0.0005, abs=1e-4), None)
    assert lines["Figure 3"] == (2, 2, None, None, 72)
    assert {row[2] for row in glance(papers[1]).rows if row[1] == "data"} == {"needs --data"}
    assert {row[3] for row in glance(papers[2]).rows if row[1] == "simulation"} == {None}  # equality is not expected
    assert written.read_text("utf-8").count("<h3>What came out, and from what</h3>") == len(papers)


def test_where_both_are_drawn_the_paper_is_a_full_line_and_ours_a_dashed_one():
    cells = [(f"frespa, min_sup {x}, original", "0.5", 0.4) for x in (0.0, 0.25)]
    rows = tuple(Row("Table 4", cell, paper, ours, "simulation") for cell, paper, ours in cells)
    [drawn] = figures(Reproduced("frespa", "t", rows))
    assert [(row["whose"], row["line"], row["x"], row["value"]) for row in drawn.rows] == [
        ("paper", "original", 0.0, 0.5),
        ("ours", "original", 0.0, 0.4),
        ("paper", "original", 0.25, 0.5),
        ("ours", "original", 0.25, 0.4),
    ]
    assert drawn.settings["dash"] == "whose"
    assert drawn.settings["along"] == "support, as a share of the judges"
    assert "The paper's in full lines, ours in dashes" in drawn.description


def test_weights_below_one_are_marked_with_their_digits():
    cells = [f"frespa, w_len {x}, original" for x in ("0", "0.25", "100")]
    [drawn] = figures(Reproduced("frespa", "t", tuple(Row("Table 2", c, "0.5", 0.4, "simulation") for c in cells)))
    axis = draw(drawn).to_dict()["layer"][0]["encoding"]["x"]["axis"]
    assert (axis["values"], axis["format"]) == ([0, 0.25, 100], ".3~g")  # not 0, 0 and 100


def test_a_cell_says_whether_it_is_equal_rounded_or_cut():
    rows = tuple(
        Row("T", c, "0.32", ours, "data") for c, ours in (("a", 0.3201), ("b", 0.327), ("c", 0.4), ("d", None))
    )
    [grid] = tables(Reproduced("kappa", "t", rows))
    assert [row[4] for row in grid.rows] == ["yes", "when cut", "no", "-"]
    assert [row[3] for row in grid.rows] == [pytest.approx(0.0001), pytest.approx(0.007), pytest.approx(0.08), None]


def test_the_graph_of_figure_1_leaves_out_what_follows(papers):
    graph = figures(papers[0])[0]
    edges = {row["item"] + row["before"] for row in graph.rows if "before" in row}
    assert edges == {"bc", "bd", "de", "ef"}  # of the seven pairs bc bd be bf de df ef


def test_kappas_figures_have_a_panel_for_each_length_as_in_the_paper(papers):
    for drawn in figures(papers[0])[1:]:
        panels = {(row["of"], row["line"]) for row in drawn.rows}
        assert {of for of, _ in panels} == {"kappa_1 over gamma", "kappa_2 over lambda", "kappa_3 over lambda"}
        assert len(panels) == 6
        assert len(drawn.rows) == 72


def test_figures_hold_every_point_that_is_drawn_only(papers):
    for paper in papers:
        for table in {r.table for r in paper.rows if r.paper is None}:
            [drawn] = [p for p in figures(paper) if p.title.startswith(f"{table}:")]
            ours = {number(r.ours) for r in paper.rows if r.table == table and r.paper is None}
            assert ours <= {row["value"] for row in drawn.rows}, table


def test_what_the_paper_contradicts_and_the_three_sources_are_told(written):
    text = written.read_text("utf-8")
    assert "Where the paper contradicts itself" in text
    assert "Section V-A announces 10 clustering algorithms" in text
    for source in ("printed", "data", "simulation"):
        assert f"<strong>{source}</strong>" in text


def test_the_page_asks_for_nothing_and_is_the_same_again(papers, written):
    text = written.read_text("utf-8")
    plain = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"""<(?:link|img|iframe)\b|\bsrc=|url\(""", plain)
    assert not re.search(r"<script[^>]+src=", text)
    assert page(papers) == text
    assert len(text) < 2_000_000


def test_the_command_writes_the_page_and_tells_the_text(tmp_path):
    target = tmp_path / "kappa.html"
    told = CliRunner().invoke(main, ["reproduce", "kappa", "--no-data", "--out", str(target)])
    assert told.exit_code == 0, told.output
    assert "596 of 597 cells" in told.output
    assert target.read_text("utf-8").rstrip().endswith("</html>")


def test_the_page_names_the_call_that_makes_it_again(tmp_path, monkeypatch):
    monkeypatch.setenv("QUORATE_DATA", str(tmp_path / "nothing"))  # no data, though --no-data was not said
    target = tmp_path / "kappa.html"
    told = CliRunner().invoke(main, ["reproduce", "kappa", "--budget", "5", "--seed", "3", "--out", str(target)])
    assert told.exit_code == 0, told.output
    call = "quorate reproduce kappa --no-data --budget 5 --seed 3 --out papers.html"
    assert f"<code>{call}</code>" in target.read_text("utf-8")
