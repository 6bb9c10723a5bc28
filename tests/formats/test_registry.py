"""The table of formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.formats import FORMATS
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
