"""Pictures of the documentation are drawn again when what draws them has changed."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

import quorate.reports

DOCS = Path(__file__).parents[2] / "docs"


def test_a_picture_is_outdated_once_the_report_draws_otherwise(tmp_path):
    pytest.importorskip("altair")
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    example, target = tmp_path / "some.csv", tmp_path / "some.svg"
    example.touch()
    module.__file__ = str(example)  # only what draws is newer
    os.utime(example, (0, 0))
    assert module.outdated(target, example)
    target.touch()
    newest = max(p.stat().st_mtime for p in Path(quorate.reports.__file__).parent.glob("*.py"))
    os.utime(target, (newest + 1, newest + 1))
    assert not module.outdated(target, example)
    os.utime(target, (newest - 1, newest - 1))
    assert module.outdated(target, example)
