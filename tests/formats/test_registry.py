"""The table of formats."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quorate.formats import FORMATS
from quorate.formats.files import File
from quorate.formats.recognise import recognise
from quorate.panel.kinds import PANELS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "formats"


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_formats_are_declared_in_full(format):
    assert format.extensions or format.telling
    assert format.description
    assert set(format.kinds) <= set(PANELS)
    assert all(o.meaning and o.name for o in (*format.read_options, *format.write_options))


def test_no_two_formats_share_an_extension():
    extensions = [e for f in FORMATS for e in f.extensions]
    assert len(set(extensions)) == len(extensions)


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_formats_and_options_are_documented(format):
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    page = (DOCS / f"{format.page}.md").read_text(encoding="utf-8")
    wide = (DOCS / "wide.md").read_text(encoding="utf-8")
    assert f"`{format.name}`" in index
    for option in (*format.read_options, *format.write_options):
        assert f"`{option.name}`" in page or (format.page == "tables" and f"`{option.name}`" in wide)


@pytest.mark.parametrize("columns", ["judge,item,score", "task,judge,item,position", "item,judge,label,system"])
def test_a_table_in_our_own_words_ends_the_search_for_a_format(columns, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"{columns}\n" + ",".join("1" for _ in columns.split(",")) + "\n")
    own = [f for f in FORMATS if f.name == "csv"]
    asked = replace(own[0], name="asked", extensions=(), telling=True, columns=(), sniff=lambda file: 1 / 0 > 0)
    assert recognise(File(path), [asked, *own]) == (own[0], "by its extension .csv")


def test_a_format_whose_name_was_declared_wins_over_the_extension(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("WorkerId,HITId,Answer.mood\nann,h1,glad\n")
    assert recognise(File(path), FORMATS)[0].name == "mturk"
    path.write_text("worker,task,label,judge\nann,1,glad,bob\n")  # a judge's column: not crowd-kit's
    assert recognise(File(path), FORMATS)[0].name == "csv"
