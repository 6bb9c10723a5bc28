"""The papers' cells come out, each says where it is from, and the command tells it."""

from __future__ import annotations

import csv
import json
import math
import statistics

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.reproduce import clusters, frespa, kappa, papers, qsupport
from quorate.reproduce.rows import CUT, NEEDS, How, Reproduced, Row, facts

KEYS = {"table", "cell", "paper", "ours", "difference", "equal", "source", "note"}


def run(*words: str):
    return CliRunner().invoke(main, ["reproduce", *words])


def by_table(found: Reproduced, table: str) -> list[Row]:
    return [r for r in found.rows if r.table == table and r.compared]


# -- a row -------------------------------------------------------------------------------------------------------------


@given(st.floats(-100, 100), st.integers(1, 4))
def test_a_figure_has_the_digits_it_is_printed_with_and_no_others(value, digits):
    printed = f"{value:.{digits}f}"
    assert Row("t", "c", printed, value, "printed").equal
    off = value + math.copysign(1.01 * 10**-digits, value)
    assert not Row("t", "c", printed, off, "printed").equal


def test_cut_digits_are_told_from_rounded_ones():
    assert Row("t", "c", "0.32", 0.3269, "data").cut
    assert Row("t", "c", "-0.32", -0.3269, "data").cut
    assert not Row("t", "c", "0.32", 0.3169, "data").cut
    assert not Row("t", "c", "0.33", 0.3269, "data").cut
    assert not Row("t", "c", "0.32", 0.3301, "data").cut


def test_a_row_without_one_side_is_neither_equal_nor_compared():
    for row in (Row("t", "c", None, 1.0, "data"), Row("t", "c", "1", None, "data", NEEDS)):
        assert not row.compared
        assert row.difference is None
        assert row.to_dict()["equal"] is None


def test_what_is_undefined_is_null_in_json():
    found = Row("t", "c", "1", math.nan, "simulation").to_dict()
    assert (found["ours"], found["difference"]) == (None, None)
    json.dumps(found, allow_nan=False)


# -- from what is printed ----------------------------------------------------------------------------------------------


def test_kappa_has_all_576_cells_and_one_sentence_that_its_own_table_contradicts():
    found = kappa.reproduce(How())
    tables = [*by_table(found, "Table IV"), *by_table(found, "Table VI")]
    assert (len(tables), sum(r.equal for r in tables)) == (576, 576)
    assert [r.cell for r in found.of("printed") if not r.equal] == ["largest gamma with Google's kappa_1 above Bing's"]


def test_what_kappas_text_reads_off_its_figures_holds():
    found = kappa.reproduce(How())
    claims = [r for table in ("Figure 3", "Figure 4") for r in by_table(found, table)]
    assert len(claims) == 5
    assert all(r.equal for r in claims)


def test_an_item_far_down_in_one_ranking_may_still_be_above_the_cut_off():
    """The formula of kappa's Section IV-D4 against the sentence after it."""
    places = [1, 1, 1, 10]
    assert statistics.mean(places) + statistics.pstdev(places) < 8 < max(places)


def test_the_contradiction_about_gamma_follows_from_printed_numbers_alone():
    """Table VI at lambda 1: what is above single items does not depend on gamma."""
    at = {(r["ranking_set"], r["gamma"]): float(r["kappa"]) for r in facts("kappa_tables") if r["lambda"] == "1"}
    alone = {g: (at["google", g] - 33 + 7, at["bing", g] - 23 + 8) for g in ("0.85", "0.8")}
    assert alone["0.85"][0] < alone["0.85"][1]
    assert alone["0.8"][0] > alone["0.8"][1]


def test_the_packaged_numbers_of_kappa_are_those_written_down_from_the_paper(data):
    """The same cells in other columns: task, judge, item, position for ranking_set, ranking, position, item."""
    written = data.parent / "papers_facts"
    if not written.is_dir():
        pytest.skip("needs papers_facts beside the data")
    ours = {(r["task"], r["judge"], r["position"]): r["item"] for r in facts("kappa_rankings")}
    theirs = list(csv.DictReader((written / "rankings.csv").read_text("utf-8").splitlines()))
    assert ours == {(r["ranking_set"], r["ranking"], r["position"]): r["item"] for r in theirs}
    assert len(ours) == len(facts("kappa_rankings")) == len(theirs) == 390
    assert facts("kappa_tables") == list(csv.DictReader((written / "kappa_tables.csv").read_text("utf-8").splitlines()))


def test_example_1_of_q_support_comes_out_without_data_and_the_rest_says_what_it_needs():
    found = qsupport.reproduce(How())
    assert found.counts() == {"printed": found.counts()["printed"]}
    assert (found.counts()["printed"]["cells"], found.counts()["printed"]["equal"]) == (10, 10)
    rest = [r for r in found.rows if r.table != "Example 1"]
    assert len(rest) == 175
    assert {r.note for r in rest} == {NEEDS}


def test_every_fact_of_a_paper_has_a_row(clusters_simulated):
    found = clusters_simulated
    wanted = [r for r in facts("clusters_tables") if r["table"] == "3"]
    assert len(by_table(found, "Table 3")) == len(wanted) == 96
    assert len(by_table(found, "Table 2")) == 13


# -- from data ---------------------------------------------------------------------------------------------------------


def test_q_support_from_public_data(q_support_of_data):
    found = q_support_of_data
    off = {(r.table, r.cell) for r in found.of("data") if not r.equal and not r.cut}
    slips = {("Section 6.1", f"data set {k}, kappa_1 without weights") for k in (1, 2, 3, 4)}
    assert off == slips | {("Figure 6", "queries with kappa_2 above 0.15")}
    assert {r.note for r in found.of("data") if r.cut} == {CUT}
    assert sum(r.cut for r in found.of("data")) == 3
    assert [r.ours for r in by_table(found, "Figure 1")] == ["falls", "rises", "rises"]
    assert not [r for r in found.rows if r.ours is None]


def test_the_figures_of_q_support_are_there_as_numbers(q_support_of_data):
    found = q_support_of_data
    for k in range(1, 9):
        assert [r for r in found.rows if r.table == f"Figure {k}" and r.paper is None], k
    tau = {r.cell: r.ours for r in found.rows if r.table == "Figure 4"}
    assert len(tau) == 2 * 66
    assert all(-1 <= v <= 1 for v in tau.values())
    for q in qsupport.QUERIES:  # the optimist counts what is not known as agreement
        assert tau[f"query {q}, tau, p = 1 (optimistic)"] >= tau[f"query {q}, tau, p = 0 (neutral)"]
    for k in (1, 2, 3, 4):
        shares = [r.ours for r in found.rows if r.table == "Figure 1" and r.cell.startswith(f"data set {k},")]
        assert sum(shares) == pytest.approx(1)


def test_with_public_data_all_eight_figures_of_q_support_are_drawn(q_support_of_data):
    pytest.importorskip("altair")
    from quorate.reproduce.figures import figures

    drawn = figures(q_support_of_data)
    assert [p.title.partition(":")[0] for p in drawn] == [f"Figure {k}" for k in range(1, 9)]


# -- by simulation -----------------------------------------------------------------------------------------------------


def test_simulated_cells_are_labelled_and_what_was_fitted_is_told(clusters_simulated):
    found = clusters_simulated
    assert {r.source for r in found.rows if r.table in ("Table 3", "Figure 1")} == {"simulation"}
    assert found.fitted
    assert "proves nothing" in papers.to_text([found])
    assert found.to_dict()["fitted"] == list(found.fitted)


def test_the_simulation_of_clusters_keeps_the_shape_of_table_3(clusters_simulated):
    """Left-out items as singletons make judges look more alike than in a bucket, as the paper finds."""
    ours = {r.cell: r.ours for r in by_table(clusters_simulated, "Table 3")}
    pairs = {c.partition(",")[0] for c in ours}
    assert len(pairs) == 16
    for pair in pairs:
        assert ours[f"{pair}, v_beta, singletons"] > ours[f"{pair}, v_beta, bucket"]


@pytest.mark.long
def test_same_seed_same_rows_and_another_seed_others(monkeypatch):
    monkeypatch.setattr(clusters, "STUDIES", 1)
    one, again, other = (clusters.reproduce(How(seed=s)).rows for s in (1, 1, 2))
    assert one == again
    assert one != other


def test_the_last_rows_of_frespas_table_1_follow_from_the_others():
    found = list(frespa._from_printed())
    assert len(found) == 14
    assert all(abs(r.difference) < 0.0015 for r in found)  # the rounding of three numbers


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_text_gives_the_count_first_and_fits_80_columns():
    told = run("kappa", "--no-data")
    assert told.exit_code == 0, told.output
    assert told.output.splitlines()[3].startswith("596 of 597 cells equal to the printed digits")
    tables = [line.split() for line in told.output.splitlines() if " printed " in line]
    assert ["Table", "IV", "printed", "288", "288", "0.000", "+0.0005", "-"] in tables
    assert [words[1] for words in tables if words[0] == "Table"] == ["II", "III", "IV", "V", "VI"]
    assert max(map(len, told.output.splitlines())) <= 80


def test_every_cell_is_shown_beside_the_papers_when_asked_for():
    told = run("q-support", "--no-data", "--cells").output
    lines = [line for line in told.splitlines() if line.startswith("Example 1, ")]
    assert [line.split()[-3:] for line in lines][-1] == ["0.60", "0.6000", "+0.0000"]
    assert len(lines) == 10
    assert max(map(len, told.splitlines())) <= 80


def test_json_has_every_row_with_its_source(tmp_path):
    out = tmp_path / "rows.json"
    assert run("q-support", "--no-data", "--format", "json", "--out", str(out)).exit_code == 0
    [paper] = json.loads(out.read_text("utf-8"))["papers"]
    assert len(paper["rows"]) == 185
    assert all(set(r) == KEYS for r in paper["rows"])
    assert {r["source"] for r in paper["rows"]} == {"printed", "data"}
    assert paper["contradictions"]


def test_a_folder_that_is_not_there_is_a_mistake_of_the_user(tmp_path):
    assert run("kappa", "--data", str(tmp_path / "nothing")).exit_code == 2
    assert run("kappa", "--data", str(tmp_path), "--no-data").exit_code == 2
    assert run("lambda").exit_code == 2
    with pytest.raises(InputError):
        papers.data_folder(tmp_path / "nothing")
    with pytest.raises(BadParameter, match="kapa"):
        papers.reproduce("kapa")


def test_a_data_folder_in_which_nothing_is_found_is_an_error_where_it_was_asked_for(tmp_path):
    for paper in ("q-support", "assessors"):
        with pytest.raises(InputError, match="nothing in it"):
            papers.reproduce(paper, data=tmp_path)
    assert papers.reproduce("q-support", data=tmp_path, needed=False) == papers.reproduce("q-support")
    assert papers.reproduce("kappa", data=tmp_path) == papers.reproduce("kappa")  # it needs none


def test_search_runs_with_a_line_too_few_are_named(tmp_path):
    folder = tmp_path / "consensus-papers" / "top20_CLEFeHealth_data"
    folder.mkdir(parents=True)
    for team in qsupport.TEAMS:
        (folder / f"TOP20_{team}_EN.dat").write_text("a b\n" * 65, "utf-8")
    told = run("q-support", "--data", str(tmp_path))
    assert told.exit_code == 2
    assert "TOP20_CUNI_EN.dat: 65 lines." in told.output


def test_data_is_found_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("QUORATE_DATA", str(tmp_path))
    assert papers.data_folder() == tmp_path
    monkeypatch.setenv("QUORATE_DATA", str(tmp_path / "nothing"))
    assert papers.data_folder() is None
