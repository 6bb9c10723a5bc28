"""The versions in constraints.txt can be installed with every Python that pyproject.toml allows."""

from __future__ import annotations

import importlib.metadata
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_every_pinned_version_takes_the_oldest_python_that_is_allowed():
    specifiers = pytest.importorskip("packaging.specifiers")
    allowed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    oldest = allowed.removeprefix(">=") + ".0"
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text("utf-8").split() if "==" in line)
    wants = {}
    for name, version in pins.items():
        try:
            found = importlib.metadata.metadata(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        wanted = found.get("Requires-Python")
        if found["Version"] == version and wanted:
            wants[name] = wanted
    assert len(wants) > 20
    assert {n: w for n, w in wants.items() if not specifiers.SpecifierSet(w).contains(oldest)} == {}
