"""Content units between DUCView's files, long tables and panels, in Python and on the command line."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError
from quorate.formats.ducview import (
    Contributor,
    Part,
    Peer,
    Pyramid,
    Scu,
    read_peer,
    read_pyramid,
    write_peer,
    write_pyramid,
)
from quorate.summaries.units.convert import to_pyramids
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.reading import read_units

MODELS = "-----\n D9901-A.M.100.K.P\n-----\nThe dam broke.\n-----\n D9901-A.M.100.K.Q\n-----\nA dam, they say, failed."


def part(text, words):
    at = text.index(words)
    return Part(words.replace("\n", ""), at, at + len(words))


def contributor(text, *words):
    parts = tuple(part(text, w) for w in words)
    return Contributor("...".join(p.label for p in parts), parts)


@pytest.fixture
def folder(tmp_path):
    broke = (contributor(MODELS, "The dam broke"), contributor(MODELS, "A dam", "failed"))
    pyramid = Pyramid(
        MODELS, (Scu("1", "A dam broke", broke), Scu("7", "They say", (contributor(MODELS, "they say"),)))
    )
    base = tmp_path / "files"
    base.mkdir()
    for item, text, found in (("3", "So the dam\nbroke: café.", "the dam\nbroke"), ("4", "They say so.", None)):
        scus = (
            Scu("1", "(2) A dam broke", (contributor(text, found),) if found else ()),
            Scu("7", "(1) They say"),
            Scu("0", "All non-matching SCUs go here", (contributor(text, "so"),) if not found else ()),
        )
        write_peer(Peer(pyramid, text, scus), base / f"D9901-A.M.100.K.{item}.pan")
    write_pyramid(pyramid, tmp_path / "D9901-A.pyr")
    return tmp_path


def run(*words, code=0):
    result = CliRunner().invoke(main, list(map(str, words)))
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_annotated_peers_become_tables_and_come_back_to_the_letter(folder, ending):
    units, texts, back = folder / f"u.{ending}", folder / f"t.{ending}", folder / "back"
    run("pyramid", "convert", folder / "files", units, "--texts", texts)
    run("pyramid", "convert", units, back, "--texts", texts)
    for path in sorted((folder / "files").iterdir()):
        assert (back / path.name).read_text() == path.read_text()
    assert (back / "D9901-A.pyr").read_text() == (folder / "D9901-A.pyr").read_text()


def test_a_pyramid_alone_becomes_a_table_and_comes_back(folder):
    units, texts = folder / "u.csv", folder / "t.csv"
    run("pyramid", "convert", folder / "D9901-A.pyr", units, "--texts", texts)
    run("pyramid", "convert", units, folder / "back", "--texts", texts)
    assert read_pyramid(folder / "back" / "D9901-A.pyr") == read_pyramid(folder / "D9901-A.pyr")


def test_rows_of_a_table_say_who_contributed_what(folder):
    run("pyramid", "convert", folder / "files", folder / "u.csv")
    rows = list(csv.DictReader((folder / "u.csv").read_text().splitlines()))
    models = [(r["unit"], r["model"], r["evidence"], r["mention"]) for r in rows if r["model"]]
    assert models == [
        ("1", "P", "The dam broke", "1"),
        ("1", "Q", "A dam", "2"),
        ("1", "Q", "failed", "2"),
        ("7", "Q", "they say", "1"),
    ]
    table = read_units(folder / "u.csv")
    first = next(u for u in table.units if u.id == "1")
    assert (first.weight, first.models, len(first.said[1])) == (2, ("P", "Q"), 2)


def test_a_plain_table_of_weighted_units_becomes_files_whose_scores_are_the_same(tmp_path):
    (tmp_path / "u.csv").write_text(
        "task,unit,item,judge,support,weight,models,text,evidence\n"
        "T1,a,x,ann,1,2,P Q,A dam broke,the dam broke\nT1,b,x,ann,0,1,Q,They say,\n"
        "T1,a,y,ann,0.5,2,P Q,A dam broke,a dam\nT1,b,y,ann,1,1,Q,They say,they say\n"
    )
    told = run("pyramid", "convert", tmp_path / "u.csv", tmp_path / "out").stderr
    assert "labels of their units stand for them" in told
    assert "1 row of partial support" in told

    def modified(path):
        text = run("pyramid", "score", path, "--format", "csv").stdout
        return [(r["item"], r["judge"], r["modified"]) for r in csv.DictReader(text.splitlines())]

    assert modified(tmp_path / "out") == modified(tmp_path / "u.csv")


def test_what_cannot_be_written_is_told(tmp_path, folder):
    bare = ContentUnits.build({"unit": ["a"], "item": ["x"], "support": [1]})
    with pytest.raises(InputError, match="no models"):
        to_pyramids(bare)
    (tmp_path / "u.csv").write_text("task,unit,item,support,models\nT 1,a,x,1,P\n")
    assert (
        "cannot be a piece of a file's name"
        in run("pyramid", "convert", tmp_path / "u.csv", tmp_path / "o", code=2).stderr
    )
    mixed = run("pyramid", "convert", folder / "D9901-A.pyr", tmp_path / "u.csv", tmp_path / "o", code=2)
    assert "cannot be read together" in mixed.stderr


def test_texts_of_a_table_let_missed_strings_be_found(folder):
    units, texts = folder / "u.csv", folder / "t.csv"
    run("pyramid", "convert", folder / "files", units, "--texts", texts)
    assert "texts" in run("pyramid", "auto", units, code=2).stderr
    assert "No judge missed" in run("pyramid", "auto", units, "--texts", texts).stdout


def test_annotated_peers_are_read_as_scores_with_or_without_an_extension(folder):
    files = sorted((folder / "files").iterdir())
    panel = q.read(*files)
    assert (panel.kind, panel.judges, panel.tasks) == ("scores", ("K",), ("D9901-A",))
    assert panel.value.tolist() == [pytest.approx(2 / 3), 0]
    assert "auto" in panel.labels
    bare = []
    for f in files:
        bare.append(Path(str(f).removesuffix(".pan")))
        bare[-1].write_bytes(f.read_bytes())
    assert q.read(*bare) == panel
    with pytest.raises(InputError, match="scores, not groupings"):
        q.read(files[0], kind="groupings")


def test_pyramids_of_several_judges_are_read_as_groupings(folder):
    for name in ("north", "south"):
        (folder / name).mkdir()
        (folder / name / "D9901-A.pyr").write_bytes((folder / "D9901-A.pyr").read_bytes())
    panel = q.read(folder / "north" / "D9901-A.pyr", folder / "south" / "D9901-A.pyr")
    assert (panel.kind, panel.judges) == ("groupings", ("north", "south"))
    assert q.agreement(panel, "v_beta").findings[0].overall[0].value == 1
    with pytest.raises(InputError, match="cannot be read together"):
        q.read(folder / "D9901-A.pyr", folder / "files" / "D9901-A.M.100.K.3.pan")


def test_a_panel_is_not_written_as_annotation(folder):
    panel = q.read(*(folder / "files").iterdir())
    with pytest.raises(InputError, match="quorate pyramid convert"):
        q.write(panel, folder / "x.pan")
    assert not (folder / "x.pan").exists()


def test_labels_and_places_survive_a_line_end(folder):
    run("pyramid", "convert", folder / "files", folder / "u.csv", "--texts", folder / "t.csv")
    run("pyramid", "convert", folder / "u.csv", folder / "back", "--texts", folder / "t.csv")
    (one,) = read_peer(folder / "back" / "D9901-A.M.100.K.3.pan").scus[0].contributors
    assert (one.parts[0].label, one.parts[0].start, one.parts[0].end) == ("the dambroke", 3, 16)


def test_files_without_an_extension_are_known_by_what_is_in_them(folder):
    bare = folder / "bare"
    bare.mkdir()
    (bare / "first").write_bytes((folder / "D9901-A.pyr").read_bytes())
    (bare / "second").write_bytes((folder / "D9901-A.pyr").read_bytes())
    pyramids = [str(bare / name) for name in ("first", "second")]
    assert q.read(*pyramids).kind == "groupings"
    run("pyramid", "convert", bare / "first", folder / "bare.csv")
    run("pyramid", "convert", folder / "D9901-A.pyr", folder / "named.csv")
    assert (folder / "bare.csv").read_text() == (folder / "named.csv").read_text()
    assert "agree" in run("pyramid", "agreement", *pyramids).stdout
    assert (
        run("pyramid", "agreement", bare, "--on", "groupings").stdout == run("pyramid", "agreement", *pyramids).stdout
    )
    (bare / "a peer").write_bytes((folder / "files" / "D9901-A.M.100.K.3.pan").read_bytes())
    (bare / "README").write_text("no annotation")
    assert [i.id for i in read_units(bare).items] == ["a peer"]
    assert q.read(bare / "a peer").kind == "scores"
    assert "1 judged item" in run("pyramid", "score", bare).stdout
    assert (
        "pyramids and annotated peers"
        in run("pyramid", "convert", bare / "first", bare / "a peer", folder / "x", code=2).stderr
    )
