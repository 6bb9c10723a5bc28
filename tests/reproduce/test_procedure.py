"""Every command of the papers' procedures in the documentation runs, in its order, on made-up data."""

from __future__ import annotations

import csv
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.reproduce.procedures import PROCEDURES
from quorate.summaries.trained.year import read_year
from quorate.summaries.units.made_up import MadeUp
from tests.family import LONG, some

pytestmark = pytest.mark.usefixtures("in_small")
PAGE = Path(__file__).parents[2] / "docs" / "papers.md"
EXAMPLES = PAGE.parent / "examples"


PAPERS = {
    "Kappa's": 11,
    "q-support's": 9,
    "q-support's nested": 5,
    "FreSPA's": 9,
    "The Clusters paper's": 13,
    "The Assessors paper's": 15,
}  # heading: commands at least
FEW = {"--resamples": "10", "--permutations": "5"}  # what is drawn, to be quick


def quick(line: str) -> list[str]:
    """The words of a command, and few draws where it has the options and does not say how many."""
    words, command = shlex.split(line)[1:], main
    for word in words:
        if isinstance(command, click.Group):
            command = command.commands[word]
    known = {o for p in command.params for o in p.opts}
    return [*words, *(part for o in FEW if o in known and o not in words for part in (o, FEW[o]))]


def commands(paper="The Assessors paper's"):
    text = PAGE.read_text("utf-8").partition(f"### {paper} procedure on your data")[2]
    block = re.search(r"```shell\n(.*?)```", text, re.S)[1]
    return [line for line in block.splitlines() if line.startswith("quorate ")]


def table(path, heads, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([heads, *rows])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("procedure")
    MadeUp(topics=3, systems=5, documents=1).write(base / "tac")
    year = read_year(base / "tac" / "2009", stem=False)
    table(base / "summaries.csv", ("task", "item", "text"), [(*key, text) for key, text in year.peers.items()])
    return base


def in_python(paper):
    text = PAGE.read_text("utf-8").partition(f"### {paper} procedure on your data")[2].partition("\n### ")[0]
    return re.search(r"```python\n(.*?)```", text, re.S)[1]


@pytest.mark.parametrize("paper", PAPERS)
def test_there_is_a_command_for_every_table(paper):
    assert len(commands(paper)) >= PAPERS[paper]


@pytest.mark.parametrize("paper", ["q-support's nested", "The Clusters paper's"])
def test_every_command_runs_on_the_examples(paper, tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    for line in commands(paper):
        done = CliRunner().invoke(main, quick(line))
        assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception!r}"
    if paper == "The Clusters paper's":
        exec(in_python(paper), {})


def test_every_command_runs(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for line in commands():
        done = CliRunner().invoke(main, quick(line))
        assert done.exit_code == 0, f"{line}\n{done.output}"
        if "--out" not in line:
            assert done.stdout.strip(), line
    python = in_python("The Assessors paper's")
    exec(python if LONG else python.partition("\n\n")[0], {})  # in short: what it imports is there
    assert sorted(p.stem for p in Path("lists").iterdir()) == list("ABCD")


# -- Kappa, q-support, FreSPA -----------------------------------------------------------------------------------------

ORDERS = {"ann": "abcdef", "bob": "abdcef", "cat": "bacdfe", "dan": "fedcba", "eve": "abcdef"}
FILES = {
    "judges.csv": ORDERS,
    "one.csv": {"x": "abcdef", "y": "abcdgf"},
    "two.csv": {"x": "abcfed", "y": "bacdeg", "z": "abcdef"},
    "three.csv": {"x": "abcdef", "y": "fedcba"},
    "candidates.csv": {"GA": "abcdef", "CE": "bacdef"},
    "truth.csv": {"true": "abcdef"},
    "lists.csv": {"good": "abcdef", "bad": "fedcba"},
}


@pytest.fixture(scope="module")
def orders(tmp_path_factory):
    base = tmp_path_factory.mktemp("patterns")
    for name, panel in FILES.items():
        rows = [(judge, item, k) for judge, order in panel.items() for k, item in enumerate(order, 1)]
        table(base / name, ("judge", "item", "position"), rows)
    rows = [(judge, item, ord(item) % 3 + (judge == "ann")) for judge in ORDERS for item in "abcdef"]
    table(base / "scores.csv", ("judge", "item", "score"), rows)
    MadeUp(topics=2, systems=3, documents=2).write(base / "years")
    (base / "years" / "2009").rename(base / "tac")
    return base


@pytest.mark.parametrize(("paper", "number"), [("Kappa", 20), ("q-support", 18), ("FreSPA", 16)])
def test_every_command_of_the_pattern_papers_runs(orders, monkeypatch, paper, number):
    monkeypatch.chdir(orders)
    lines = commands(f"{paper}'s")
    assert len(lines) == number
    for line in lines:
        done = CliRunner().invoke(main, quick(line))
        assert done.exit_code == 0, f"{line}\n{done.output}"
        name = shlex.split(line)[-1] if "--out" in line else ""
        assert (orders / name).stat().st_size if name else done.stdout.strip(), line
    if paper in some(("q-support", "Kappa", "FreSPA"), 3):  # with all the draws that they have unasked
        exec(in_python(f"{paper}'s"), {})


def test_every_table_has_its_command_on_the_page_and_it_is_one_that_runs():
    listed = {line for paper in PAPERS for line in commands(paper)}
    named = {command for each in PROCEDURES.values() for _, command in each}
    assert named <= listed
    text = PAGE.read_text("utf-8").replace("\\|", "|")
    assert all(f"| {what} | `{command}` |" in text for each in PROCEDURES.values() for what, command in each)
