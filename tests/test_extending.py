"""A method in a package of its own, as docs/extending.md shows it, asked in every way."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
FILMS = str(ROOT / "docs" / "examples" / "films.csv")


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> dict[str, str]:
    """The environment of a process that has the documentation's package, laid out as pip leaves it."""
    site = tmp_path_factory.mktemp("site")
    blocks = BLOCK.findall((ROOT / "docs" / "extending.md").read_text("utf-8"))
    source = next(text for language, text in blocks if language == "python")
    project = next(text for language, text in blocks if language == "toml")
    point = re.search(r'\[project.entry-points."quorate.methods"\]\n(.*)', project)
    assert point
    (site / "quorate_same_first").mkdir()
    (site / "quorate_same_first" / "__init__.py").write_text(source)
    info = site / "quorate_same_first-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: quorate-same-first\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[quorate.methods]\n" + point[1].replace('"', "") + "\n")
    path = os.pathsep.join([str(site), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def run(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_from_python_with_value_interval_null_and_sentence(installed):
    told = run(
        installed,
        "-c",
        "import quorate as q\n"
        "orders = dict(zip('abcd', ('xyz', 'xzy', 'yxz', 'xyz')))\n"
        "panel = q.Orderings.from_orders({'s': orders, 't': orders})\n"
        "answer = q.agreement(panel, 'same_first', over='judges')\n"
        "f = answer['same_first']\n"
        "print(f.value, f.interval.low <= f.value <= f.interval.high, 0 < f.null.p <= 1)\n"
        "print(*answer.sentences, sep='\\n')",
    )
    first, *sentences = told.splitlines()
    assert first == "0.5 True True"
    assert any(s.startswith("Agreement by same_first is 0.50 (") for s in sentences), sentences


def test_on_the_command_line_as_text_and_json(installed):
    text = run(installed, "-m", "quorate", "agreement", FILMS)
    assert "same_first" in text
    found = json.loads(
        run(installed, "-m", "quorate", "agreement", FILMS, "--method", "same_first", "--format", "json")
    )
    (overall,) = found["overall"]
    assert overall["method"] == "same_first"
    assert 0 <= overall["value"] <= 1
    assert overall["p_value"] > 0
    assert len(found["results"]) == 2


def test_in_a_report_with_its_definition(installed, tmp_path):
    run(installed, "-m", "quorate", "report", FILMS, "--out", str(tmp_path / "r.md"))
    page = (tmp_path / "r.md").read_text("utf-8").replace("\\", "")
    assert "same_first" in page
    assert "Share of pairs of judges who put the same item first" in page


def test_in_the_table_and_the_method_reference(installed):
    told = run(installed, "-m", "quorate", "table", "--kind", "orderings", "--question", "agreement")
    assert "same_first" in told
    page = run(
        installed,
        "-c",
        "import sys; sys.path.insert(0, 'docs')\n"
        "from generate import _method\n"
        "from quorate import table\n"
        "print(*_method(table.find('same_first', 'orderings', 'agreement')), sep='\\n')",
    )
    assert "It sees nothing below the first place." in page


def test_a_package_that_cannot_be_loaded_is_warned_of_and_the_rest_works(installed, tmp_path):
    info = tmp_path / "broken-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[quorate.methods]\nbroken = no_such_module\n")
    path = os.pathsep.join([str(tmp_path), installed["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "quorate", "agreement", FILMS],
        env={**installed, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert "the methods of 'no_such_module' cannot be loaded" in done.stderr
