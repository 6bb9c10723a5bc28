"""TAC's tables of manual scores, made up here: the real ones are licensed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError
from quorate.formats.tac import SCHEMAS, SummaryId, by_topic


def peers(width, judges="AB"):
    """Two docsets x three peers, as NIST writes them: nine fields in 2008, ten later."""
    lines = []
    for k, judge in enumerate(judges):
        for peer in (1, 2, 30):
            middle = [judge] if width == 9 else [judge, "X"]
            lines.append(
                " ".join([f"D990{k}-A", str(peer), f"0.{peer}", "4", "1", *middle, "0.25", str(peer % 5), "3"])
            )
    return "\n".join(lines) + "\n"


@pytest.fixture
def file(tmp_path):
    def make(text, name="manual.peer"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return make


@pytest.mark.parametrize("width", [9, 10])
def test_nine_and_ten_fields_are_told_apart(file, width):
    panel = q.read(file(peers(width)))
    assert panel.kind == "scores"
    assert panel.tasks == ("D9900-A", "D9901-A")
    assert panel.judges == ("A", "B")
    assert set(panel.labels["criterion"].ids) == {"pyramid", "readability", "responsiveness"}
    assert panel.labels["system"].ids == ("1", "2", "30")
    first = panel.select(tasks=["D9900-A"], items=["30"], criterion=["pyramid"])
    assert first.value.tolist() == [0.3]


def test_files_split_by_docset_are_known_by_their_content(file):
    panel = q.read(file(peers(10), "manual.peer.A"))
    assert len(panel.tasks) == 2


@pytest.mark.parametrize("width", [7, 8])
def test_tables_of_models_say_that_people_wrote_them(file, width):
    middle = "A" if width == 7 else "A X"
    panel = q.read(file(f"D9901-A P 5 {middle} 0.7 5 4\nD9901-A Q 6 {middle} 0.8 5 5\n", "manual.model"))
    assert panel.labels["system_kind"].ids == ("human",)
    assert panel.select(criterion=["pyramid"]).value.tolist() == [0.7, 0.8]


def test_all_scores_of_the_table_can_be_had(file):
    panel = q.read(file(peers(9)), criteria="scus,repetitions,pyramid_jackknife", year=2008)
    assert panel.labels["criterion"].ids == ("scus", "repetitions", "pyramid_jackknife")
    assert panel.labels["year"].ids == (2008,)


def test_the_column_map_can_be_given_as_a_list_or_a_file(file, tmp_path):
    path = file("x D1 7 5\nx D1 8 3\n", "own.txt")
    names = ["judge", "task", "system", "responsiveness"]
    given = q.read(path, format="tac", columns=names)
    assert given.value.tolist() == [5, 3]
    (tmp_path / "map.txt").write_text("judge task  # who and where\nsystem responsiveness\n")
    assert q.read(path, format="tac", columns=str(tmp_path / "map.txt")) == given
    assert q.read(file(peers(9)), schema="tac2008.peer") == q.read(file(peers(9)))


def test_a_width_that_fits_no_schema_is_an_error_that_lists_them(file):
    with pytest.raises(InputError, match=r"5 fields(.|\n)*tac2008.peer \(9\)"):
        q.read(file("D9901-A 1 0.5 3 4\n"))
    with pytest.raises(InputError, match="no schema 'tac'"):
        q.read(file(peers(9)), schema="tac")
    with pytest.raises(InputError, match="no score 'nix'"):
        q.read(file(peers(9)), criteria="nix")
    with pytest.raises(InputError, match="columns"):
        q.read(file(peers(9)), columns="task,system")


def test_schemas_name_the_fields_that_a_panel_needs():
    for schema in SCHEMAS:
        assert {"task", "system", "judge", "pyramid", "readability", "responsiveness"} <= set(schema.fields)
    assert len({len(s.fields) for s in SCHEMAS}) == len(SCHEMAS)


def test_names_of_summaries_are_split_into_five():
    found = SummaryId.parse("D9901-B.M.100.K.7")
    assert (found.task, found.docset, found.length, found.selector, found.human) == ("D9901-B", "B", 100, "K", False)
    assert SummaryId.parse("d0601.M.250.A.C").human
    assert SummaryId.parse("d0601.M.250.A.C").task == "d0601"
    for bad in ("D9901-A.M.100.K", "D9901-A.M.x.K.7", ""):
        with pytest.raises(InputError, match="five pieces"):
            SummaryId.parse(bad)


def test_tables_are_not_written(tmp_path):
    with pytest.raises(InputError, match="not written"):
        q.write(q.Scores.from_matrix([[1]]), tmp_path / "x.peer")


def test_the_papers_tables_come_out_of_made_up_ones(file):
    import numpy as np

    rng = np.random.default_rng(0)
    lines = []
    for task in range(24):
        judge = "ABCD"[task % 4]
        for peer in range(1, 13):
            noise = rng.normal() * (3 if judge == "D" else 0.3)
            lines.append(
                f"D99{task:02}-A {peer} {peer / 20 + rng.normal() / 50:.3f} 5 0 {judge} 0.2 3 {peer / 3 + noise:.2f}"
            )
    panel = q.read(file("\n".join(lines) + "\n"), criteria="responsiveness")
    answer = q.trust(panel, "without_worst(by=noise, worst=2)", resamples=100)
    assert answer.findings[0].details["judges"][0] == ["D"]
    assert answer.findings[0].details["dropped"][0] == 6


def test_averages_of_peers_have_one_judge_who_stands_for_all(file):
    panel = q.read(file("1 0.31 4.2 0.5 0.30 3.1 2.9\n2 0.25 3.1 0.2 0.24 2.0 2.2\n", "manual.peer.avg"))
    assert panel.judges == ("assessors",)
    assert panel.select(criterion=["pyramid"]).value.tolist() == [0.31, 0.25]
    assert any("no judge is named" in note for note in panel.notes)


def test_tables_of_duc_are_told_by_their_names(file, tmp_path):
    quality = file("D0601 M 250 7 1 4\nD0601 M 250 7 2 5\nD0602 M 250 H 1 2\n", "linguistic_quality.table")
    panel = q.read(quality)
    assert panel.labels["criterion"].ids == ("linguistic_quality_1", "linguistic_quality_2")
    assert panel.labels["system_kind"].ids == ("system", "human")
    (tmp_path / "topic_per_assessor.txt").write_text("Assessor  Topics\nA: D0601, D0603\nD0602 B\n")
    named = q.read(quality, assessors=str(tmp_path / "topic_per_assessor.txt"))
    assert named.columns()["judge"] == ["A", "A", "B"]
    content = q.read(file("D0601 M 250 7 4\n", "content.table"))
    assert content.labels["criterion"].ids == ("content",)
    modified = q.read(file("D0601 7 0.31 4 1\n", "2006_modified_scores.txt"), assessors={"D0601": "A"})
    assert (modified.judges, modified.value.tolist()) == (("A",), [0.31])


def test_grades_of_multiling_are_told_by_the_length_aware_grade(file):
    rows = [("M001", "1", "245", "e1", 4, 245), ("M001", "1", "230", "e2", 3, 200), ("M002", "2", "250", "e1", 5, 310)]
    cut = [g * (1 - max(240 - x, x - 250, 0) / 240) for *_, g, x in rows]
    text = "\n".join(" ".join(map(str, [*r, f"{c:.4f}"])) for r, c in zip(rows, cut, strict=True))
    panel = q.read(file(text + "\n", "human.scores"))
    assert panel.judges == ("e1", "e2")
    assert panel.labels["criterion"].ids == ("grade", "length_aware_grade")
    assert panel.select(criterion=["grade"]).value.tolist() == [4, 3, 5]


def test_assessors_may_be_headings_and_mistakes_are_shown_with_their_lines():
    assert by_topic("x", ["# who", "A", "D0601", "D0602-B", "", "B", "D0603"]) == {
        "D0601": "A",
        "D0602-B": "A",
        "D0603": "B",
    }
    with pytest.raises(InputError, match=r"line 2: which of A, B(.|\n)*line 3: D0601 was A's before"):
        by_topic("x", ["A D0601", "A B D0602", "C D0601"])
    with pytest.raises(InputError, match="no assessor for D0601"):
        by_topic("x", ["D0601"])
    with pytest.raises(InputError, match="no topic"):
        by_topic("x", [])


def test_a_list_of_assessors_must_hold_every_topic_and_a_table_with_judges_keeps_them(file):
    with pytest.raises(InputError, match="no assessor is listed for 1 topics: D0601"):
        q.read(file("D0601 M 250 7 4\n", "content.table"), assessors={"D0602": "A"})
    panel = q.read(file(peers(9)), assessors={"D9900": "A", "D9901": "Z"})
    assert panel.judges == ("A", "B")
    assert any("differ on 1 topics" in note for note in panel.notes)


def test_the_column_map_can_be_given_on_the_command_line(file, tmp_path):
    path = file("x D1 7 5 0.2\nx D1 8 3 0.1\ny D2 7 4 0.3\ny D2 8 2 0.3\n", "own.txt")
    (tmp_path / "map.txt").write_text("judge task system fluency -\n")
    more = ["--input-option", f"columns={tmp_path / 'map.txt'}", "--input-option", "criteria=fluency"]
    found = CliRunner().invoke(main, ["quality", str(path), "--input-format", "tac", *more, "--format", "json"])
    assert found.exit_code == 0, found.output
    assert [(o["system"], o["criterion"], o["value"]) for o in json.loads(found.output)["overall"]] == [
        ("7", "fluency", 4.5),
        ("8", "fluency", 2.5),
    ]
    wrong = CliRunner().invoke(main, ["quality", str(path), "--input-format", "tac", "--input-option", "columns"])
    assert wrong.exit_code == 2


def test_a_list_of_assessors_that_is_not_there_or_cannot_be_read_is_told_as_such(file, tmp_path):
    table = file(peers(9))
    with pytest.raises(InputError, match=r"none\.txt: no such file"):
        q.read(table, assessors=str(tmp_path / "none.txt"))
    with pytest.raises(InputError, match="line 1: which of A, B is the assessor"):
        q.read(table, assessors=str(file("A B D9901\n", "who.txt")))
