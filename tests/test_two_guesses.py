"""A reader finds the declaration of any method, and its formula below it, in one file of its kind, or in two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import quorate
from quorate import table

SOURCE = Path(quorate.__file__).parent
OURS = [d for d in table.declarations() if d.function.__module__.startswith("quorate.")]


def declared(kind: str, name: str) -> list[str]:
    """The files that ``grep -A1 '^    "NAME",'`` finds in the folder of a kind, but for lists of names."""
    files = sorted((SOURCE / kind).glob("*.py"))
    here = re.compile(rf'^    "{name}",\n    [a-z]', re.MULTILINE)
    return [p.stem for p in files if here.search(p.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("kind", table.KINDS)
def test_a_method_is_found_in_two_guesses(kind):
    found = {d.name: declared(kind, d.name) for d in OURS if d.kind == kind}
    assert {name: files for name, files in found.items() if not 1 <= len(files) <= 2} == {}


@pytest.mark.parametrize(
    ("what", "where", "name"),
    [
        ("a CSV becomes a panel", "panel/kinds.py", "def infer_kind"),
        ("a CSV becomes columns", "formats/tables.py", "def "),
        ("an interval is made", "inference/intervals.py", "def intervals"),
        ("draws are made", "inference/weights.py", "def bootstrap"),
        ("chance is made", "inference/null.py", "def sequential"),
        ("a design is permuted", "panel/design.py", "def permuted"),
        ("a sentence is made", "words/agreement.py", "def facts"),
        ("a number is formatted", "words/numbers.py", "def figure"),
        ("who is off", "inference/flags.py", "class Flag"),
        ("how much is drawn", "inference/budget.py", "class Budget"),
    ],
)
def test_where_to_look_is_where_contributing_says(what, where, name):
    text = (SOURCE / where).read_text(encoding="utf-8")
    assert name in text, what
    told = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    general = where.replace("words/agreement.py", "words/QUESTION.py")
    assert general in told
