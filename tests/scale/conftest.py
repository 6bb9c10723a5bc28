"""Chance is of 80 tasks, so that small panels have very many; memory and scan draw the same, in small."""

from __future__ import annotations

import importlib

import pytest

from tests.without import in_small

HOMES = (
    "inference.samples",
    "scale.files",
    "scale.all_rows",
    "scale.scanned_panel",
    "scale.forecast",
    "words.notes",
    "words.agreement_notes",
)
FEW = 80


def few(set_to=setattr) -> None:
    """Make 80 tasks the most that chance is estimated on."""
    for home in HOMES:
        set_to(importlib.import_module(f"quorate.{home}"), "TASKS", FEW)


@pytest.fixture(autouse=True, scope="module")
def _few():
    with pytest.MonkeyPatch.context() as patch, in_small():
        few(patch.setattr)
        yield
