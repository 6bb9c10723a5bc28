"""The paper from end to end, as its user runs it, on a small made-up collection in which two judges are bad."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.errors import InputError
from quorate.reproduce import assessors
from quorate.reproduce.assessors import tables, text
from quorate.summaries.trained import lock, table5
from quorate.summaries.trained.year import CRITERIA, read_year

CARELESS, ERRATIC = "F", "C"
BOTH = {CARELESS, ERRATIC}
QUICK = {"stem": False, "resamples": 50, "again": 0, "controls": 0, "parts": ("main",), "populations": ("NoModels",)}


@pytest.fixture(scope="session")
def body(collection, tmp_path_factory):
    """What `quorate reproduce assessors` answers: nothing is left out, but few subsets of features are tried."""
    out = tmp_path_factory.mktemp("out")
    asked = ["reproduce", "assessors", "--data", collection, "--budget", 20, "--choice", out / "choice.json"]
    done = CliRunner().invoke(main, [*map(str, asked), "--out", str(out / "found.json")])
    assert done.exit_code == 0
    found = json.loads((out / "found.json").read_text("utf-8"))["papers"][0]
    return {**found, "choice": out / "choice.json"}


@pytest.fixture(scope="session")
def rows(body):
    return body["tables"]


def of(rows, table, **wanted):
    return [r for r in rows if r["table"] == table and all(r[k] == v for k, v in wanted.items())]


def named(rows, route, criterion):
    return {r["judge"] for r in of(rows, "named", route=route, criterion=criterion) if r["named"]}


@pytest.mark.long
def test_both_bad_judges_are_named_by_alpha_and_by_the_gap_and_nobody_else_is(rows):
    assert named(rows, "alpha", "pyramid") == BOTH
    assert named(rows, "mP-aP", "pyramid") == BOTH
    for criterion in ("responsiveness", "readability"):
        assert named(rows, "alpha", criterion) == {ERRATIC}
    for r in of(rows, "named"):
        assert (r["p"] <= 0.05) or not r["named"]
        assert r["years"] == ["2009", "2010", "2011"]


@pytest.mark.long
def test_bad_judges_are_first_in_the_tables_of_the_last_year(rows):
    for criterion, bad in zip(CRITERIA, (BOTH, {ERRATIC}, {ERRATIC}), strict=True):
        assert of(rows, "1", criterion=criterion)[0]["judge"] in bad
    assert [r["judge"] for r in of(rows, "figure 1")[:2]] == [CARELESS, ERRATIC]
    assert of(rows, "figure 1")[0]["interval"][1] < min(r["gap"] for r in of(rows, "figure 1")[2:])


@pytest.mark.long
def test_table_2_drops_the_judges_that_table_1_and_figure_1_have_first(rows):
    for criterion in (*CRITERIA, "mP-aP"):
        first = of(rows, "figure 1") if criterion == "mP-aP" else of(rows, "1", criterion=criterion)
        found = of(rows, "2", criterion=criterion, worst=1, coefficient="pearson")
        assert found[0]["judges"] == first[0]["judge"]
        assert found[0]["random"] is not None


@pytest.mark.long
def test_summaries_of_the_careless_judge_go_with_rouge_least(rows):
    before, after = (of(rows, "4", criterion="mP-aP", worst=k)[0]["pearson"] for k in (0, 1))
    assert after > before
    assert {r["criterion"] for r in of(rows, "3")} == {*CRITERIA, "mP-aP"}


@pytest.mark.long
def test_table_5_has_every_cell_with_tests_stability_and_the_judges_left_out(rows):
    found = of(rows, "5")
    assert len(found) == 4 * 9  # two populations, two parts; 4 metrics on all tasks, 5 without some
    both = of(rows, "5", target="responsiveness", training="all", population="NoModels", part="main")
    assert [r["version"] for r in both] == ["CLASSY2", "CLASSY4"]
    assert {r["fit"] for r in of(rows, "5", version="CLASSY4")} == {"canonical"}
    for r in found:
        assert -1 <= r["pearson"] <= 1
        assert r["interval"][0] <= r["interval"][1]
        assert 0 <= r["same_choice"] <= 1
        assert (r["dropped"] == {}) == (r["training"] == "all") == ("random" not in r)
        if r["training"] != "all":
            assert 0 < r["permutation_p"] <= 1
            assert 0 <= r["williams_p"] <= 1
        assert any("the budget ends" in n for n in r["warnings"])
    by_gap = of(rows, "5", training="new (gap)", population="NoModels")[0]
    assert by_gap["dropped"] == {"2009": [CARELESS], "2010": [CARELESS]}


@pytest.mark.long
def test_people_are_among_all_peers_only(rows):
    assert {r["population"]: r["systems"] for r in of(rows, "5")} == {"NoModels": 12, "AllPeers": 18}


@pytest.mark.long
def test_the_choice_is_left_behind_with_its_hash(body, rows):
    written = lock.read(body["choice"])
    assert written["years"] == ["2009", "2010", "2011"]
    assert len(written["metrics"]) == len(of(rows, "5"))


@pytest.mark.long
def test_the_answer_says_that_the_collection_is_made_up(body, collection):
    assert body["basis"] == f"from the made-up collection in {collection}"
    assert {r["source"] for r in body["rows"]} == {"simulation"}
    assert set(body["counts"]) == {"simulation"}


@pytest.mark.long
def test_another_folder_is_called_by_its_name(rows, collection, tmp_path, monkeypatch):
    (tmp_path / "tac").mkdir()
    for year in ("2009", "2010", "2011"):
        (tmp_path / "tac" / year).symlink_to(collection / year)
    monkeypatch.setattr(assessors, "tables", lambda folder, **how: list(rows))
    asked = ["reproduce", "assessors", "--data", str(tmp_path)]
    found = json.loads(CliRunner().invoke(main, [*asked, "--format", "json"]).output)["papers"][0]
    assert found["basis"] == f"from the data in {tmp_path / 'tac'}"
    assert {r["source"] for r in found["rows"]} == {"data"}
    shown = CliRunner().invoke(main, asked).output
    assert "cells equal to the printed digits, from the data in" in " ".join(shown.split())
    assert "public data" not in shown
    assert "made-up" not in shown


@pytest.mark.long
def test_the_text_says_who_stands_out_first_and_fits_a_terminal(rows):
    shown = text(rows)
    flat = " ".join(shown.split())
    assert flat.startswith("By alpha over identical summaries, 2009 to 2011: on pyramid ")
    assert "stand out; on responsiveness C" in flat
    assert "By manual minus automatic scores, 2009 to 2011: on pyramid F" in flat
    assert all(len(line) <= 80 for line in shown.splitlines())
    for title in ("Table 1:", "Figure 1:", "Table 2:", "Table 3:", "Table 4:", "Pearson's correlation of systems on"):
        assert title in shown


@pytest.mark.long
def test_where_nobody_stands_out_the_text_says_so(rows):
    alike = [{**r, "named": False} if r["table"] == "named" else r for r in rows]
    flat = " ".join(text(alike).split())
    assert "nobody stands out on pyramid (lowest: " in flat
    assert "stands out;" not in flat.replace("nobody stands out", "")


def test_the_last_year_is_not_read_before_the_choice_is_written(collection, tmp_path, monkeypatch):
    events = []
    real_read, real_write = assessors.read_year, lock.write
    monkeypatch.setattr(assessors, "read_year", lambda f, **k: events.append(f.name) or real_read(f, **k))
    monkeypatch.setattr(lock, "write", lambda *a: events.append("choice") or real_write(*a))
    monkeypatch.setattr(assessors, "named", lambda *a: [])
    how = {**QUICK, "features": ("rouge_2", "type_token"), "size": 1, "criteria": ("readability",)}
    path = tmp_path / "choice.json"
    tables(collection, choice=path, **how)
    assert events == ["2009", "2010", "choice", "2011"]
    assert len(lock.read(path)["metrics"]) == 2
    with pytest.raises(InputError, match="another choice"):  # with other features the choice would be another one
        tables(collection, choice=path, **{**how, "features": ("longest",)})
    assert events[-1] == "choice"


def test_judges_are_ordered_by_gap_on_pyramid_scores_only(collection):
    year = read_year(collection / "2009", stem=False)
    assert table5.worst_judges(year, "pyramid", "gap")[0][0] == CARELESS
    with pytest.raises(ValueError, match="no order"):
        table5.worst_judges(year, "readability", "gap")


def test_a_folder_without_what_is_needed_is_refused(tmp_path):
    with pytest.raises(InputError, match="years"):
        tables(tmp_path)
    with pytest.raises(InputError, match="manual"):
        read_year(tmp_path)
    (tmp_path / "manual.peer").write_text("D1-A 1 x\n")
    with pytest.raises(InputError, match="line 1"):
        read_year(tmp_path)


def test_a_tasks_second_judge_and_files_that_are_no_summaries_are_told(collection, tmp_path):
    folder = tmp_path / "2009"
    shutil.copytree(collection / "2009", folder)
    table = next(p for p in sorted(folder.rglob("manual.peer*")) if p.is_file() and not p.name.endswith(".avg"))
    plain = read_year(folder, stem=False)
    lines = table.read_text().splitlines()
    task, judge = lines[0].split()[0], plain.judges[lines[0].split()[0]]
    again = [word if word != judge else "Z" for word in lines[0].split()]
    table.write_text("\n".join([*lines, " ".join(again)]) + "\n")
    (next(p for p in folder.rglob("peers") if p.parent.name == "ROUGE") / "README.txt").write_text("Not a summary.")
    year = read_year(folder, stem=False)
    assert year.judges == plain.judges
    assert f"2009: task {task} has judges {judge} and Z: the first is taken for its judge" in year.notes
    assert "2009: left aside as no summaries by their names: 1 files (README.txt)" in year.notes
    assert not any("judges" in note or "left aside" in note for note in plain.notes)
