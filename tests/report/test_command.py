"""The command that a report names makes it again, to the byte; and the page opens, or says why not."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner

from quorate.cli import main
from tests.family import some

pytestmark = pytest.mark.usefixtures("in_small")

ROWS = [(t, j, i) for t in "tu" for j in ("ann", "bob", "cat") for i in "xyz"]
CSV = {
    "position": "".join(f"{t},{j},{i},{1 + (k * 7 + n) % 3}\n" for n, (t, j, i) in enumerate(ROWS) for k in [n // 3]),
    "group": "".join(f"{t},{j},{i},{n % 4 % 2}\n" for n, (t, j, i) in enumerate(ROWS)),
    "score": "".join(f"{t},{j},{i},{1 + n % 5}\n" for n, (t, j, i) in enumerate(ROWS)),
}
QUICK = ["--resamples", "20"]


def run(*words):
    done = CliRunner().invoke(main, ["report", *words])
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for package in ("altair", "vl_convert", "jinja2"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made_by(text, form):
    if form == "json":
        return json.loads(text)["command"]
    if form == "html":
        (found,) = re.findall('<pre tabindex="0" aria-label="Command"><code>(.*?)</code>', text, re.DOTALL)
        return unescape(found)
    if form == "md":
        return re.search("Made by: *\n\n(`+)(.*?)\\1$", text, re.MULTILINE)[2]
    return re.search(r"Made by:\n\n(.*?[^\\])$", text, re.MULTILINE | re.DOTALL)[1].replace("\\\n", " ")


OPTIONS = {
    "position": ["--title", 'A "q" & <b> `y` $HOME it\'s', "--seed", "7"],
    "group": ["--level", "0.9", "--task", "u", "--permutations", "0"],
    "score": ["--scale", "1,2,3,4,5", "--over", "items"],
}
EVERY = [("html", c) for c in OPTIONS] + [(form, "position") for form in ("json", "txt", "md")]


@pytest.mark.parametrize(
    ("form", "column"),
    [*some(EVERY, 2), *(pytest.param(*more, marks=pytest.mark.long) for more in (("txt", "group"), ("md", "score")))],
)
def test_the_command_in_a_report_makes_it_again(folder, column, form):
    name = 'my "file" o\'k, which has a rather long name for a file of judgments.csv'
    Path(name).write_text(f"task,judge,item,{column}\n{CSV[column]}")
    run(*QUICK, "--out", f"first.{form}", *OPTIONS[column], name)
    first = Path(f"first.{form}").read_text("utf-8")
    program, verb, *words = shlex.split(made_by(first, form))
    assert (program, verb) == ("quorate", "report")
    again = run(*words)
    assert (Path("report.html").read_text("utf-8") if form == "html" else again.stdout) == first


def test_the_format_is_in_the_command_however_it_was_said(folder):
    Path("in.csv").write_text(f"task,judge,item,score\n{CSV['score']}")
    said = run(*QUICK, "--format", "json", "in.csv").stdout
    run(*QUICK, "--out", "named.json", "in.csv")
    assert Path("named.json").read_text("utf-8") == said
    assert json.loads(said)["command"] == "quorate report --format json --resamples 20 in.csv"


def test_a_file_whose_name_begins_with_a_dash_is_no_option(folder):
    Path("-in.csv").write_text(f"task,judge,item,score\n{CSV['score']}")
    said = json.loads(run(*QUICK, "--format", "json", "--", "-in.csv").stdout)["command"]
    assert said.endswith(" -- -in.csv")


@pytest.mark.parametrize("where", ["no display", "no browser"])
def test_where_no_browser_opens_the_page_is_named(folder, monkeypatch, where):
    Path("in.csv").write_text(f"task,judge,item,score\n{CSV['score']}")
    tried = []
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("click.launch", lambda target: tried.append(target) or 1)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if where == "no browser":
        monkeypatch.setenv("DISPLAY", ":0")
    said = run(*QUICK, "--open", "--out", "page.html", "in.csv").stderr
    assert "no browser could be opened here. Open page.html by hand" in said
    assert tried == ([] if where == "no display" else ["page.html"])


def test_the_verdict_beside_a_file_steers_no_terminal_and_fits_it(folder):
    Path("in.csv").write_text(f"task,judge,item,score\n{CSV['score']}".replace("cat", "\x1b[31mcat"))
    said = CliRunner().invoke(main, ["report", *QUICK, "--out", "page.md", "in.csv"], env={"COLUMNS": "60"}).stderr
    assert "\x1b" not in said
    assert max(map(len, said.splitlines())) <= 60
