"""Every command of the assessors' procedure in the documentation runs, in its order, on a made-up collection."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.summaries.rouge import rouge
from quorate.summaries.trained.year import read_year
from quorate.summaries.units.made_up import MadeUp

PAGE = Path(__file__).parents[2] / "docs" / "papers.md"


def commands():
    text = PAGE.read_text("utf-8").partition("### The procedure on your data")[2]
    block = re.search(r"```shell\n(.*?)```", text, re.S)[1]
    return [line for line in block.splitlines() if line.startswith("quorate ")]


def table(path, heads, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([heads, *rows])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("procedure")
    MadeUp(topics=8, systems=5, documents=2).write(base / "tac")
    year = read_year(base / "tac" / "2009", stem=False)
    table(base / "summaries.csv", ("task", "item", "text"), [(*key, text) for key, text in year.peers.items()])
    models = {t: [m for (task, _), m in year.models.items() if task == t] for t, _ in year.peers}
    values = rouge(list(year.peers.values()), [models[t] for t, _ in year.peers], ["2"])["2_R"]
    rows = [(t, who, who, "ROUGE-2", v) for (t, who), v in zip(year.peers, values.tolist(), strict=True)]
    table(base / "rouge.csv", ("task", "item", "system", "judge", "score"), rows)
    return base


def test_there_is_a_command_for_every_table():
    assert len(commands()) == 15


def test_every_command_runs(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for line in commands():
        done = CliRunner().invoke(main, shlex.split(line)[1:])
        assert done.exit_code == 0, f"{line}\n{done.output}"
        if "--out" not in line:
            assert done.stdout.strip(), line
    assert sorted(p.stem for p in Path("lists").iterdir()) == list("ABCD")
