"""Exports of tools are read for what they hold, told without options, and nothing is left out without a word."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.formats.exports import EXPORTS as FORMATS
from tests.formats.made_exports import EXPORTS


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_read_for_what_it_holds(name, tmp_path):
    made = EXPORTS[name]
    panel = q.read(made.put(tmp_path), **made.options)
    assert panel.reading.format == name.partition("/")[0]
    held = (panel.kind, len(panel.judges), len(panel.items), len(panel.tasks))
    assert held == (made.kind, made.judges, made.items, made.tasks), (panel, panel.notes)
    for part in made.notes:
        assert any(part in note for note in panel.notes), panel.notes


def test_every_format_has_an_export():
    assert {f.name for f in FORMATS} == {name.partition("/")[0] for name in EXPORTS}
