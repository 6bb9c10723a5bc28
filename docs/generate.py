"""Writes what the documentation shows of the program: the table of methods, the command line, and outputs of commands.

In any page, a comment ``<!-- run: quorate ... -->`` before a fenced block means that the block is the output of that
command, run in ``docs/examples``. ``python docs/generate.py`` brings all of it up to date; a test fails when it is not.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import click
from click.testing import CliRunner

from quorate import table
from quorate.cli import main

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
RUN = re.compile(r"(<!-- run: (?P<command>.*?) -->\n```\w*\n)(?P<output>.*?)(```)", re.DOTALL)


def output(command: str) -> str:
    """What a command prints, run in the folder of examples."""
    words = shlex.split(command)
    with chdir(DOCS / "examples"):
        result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(main, words[1:], prog_name="quorate")
    lines = (line.rstrip() for line in result.output.splitlines())
    return "\n".join(lines).rstrip() + "\n"


def filled(text: str) -> str:
    """A page with the outputs of its commands."""
    return RUN.sub(lambda m: m.group(1) + output(m.group("command")) + m.group(4), text)


def the_table() -> str:
    """The page of kinds x questions and of every method."""
    out = ["# The table", "", "One rule explains the whole: *a judgment is an ordering, a grouping or a score, and"]
    out += [
        "five questions can be asked of many judgments.* This page is made from the program; so is `quorate table`.",
        "",
    ]
    out += ["| | " + " | ".join(table.KINDS) + " |", "|---" * 4 + "|"]
    for question in table.QUESTIONS:
        cells = [", ".join(f"`{d.name}`" for d in table.declarations(k, question)) or "-" for k in table.KINDS]
        out.append(f"| **{question}**: {table.ASKED[question]} | " + " | ".join(cells) + " |")
    for kind in table.KINDS:
        for question in table.QUESTIONS:
            found = list(table.declarations(kind, question))
            if found:
                out += ["", f"## {kind} x {question}"]
            for d in found:
                out += _method(d)
    return "\n".join(out) + "\n"


def _method(d: table.Declaration) -> Iterator[str]:
    low, high = (("" if abs(x) == float("inf") else f"{x:g}") for x in d.range)
    between = f"from {low}" + (f" to {high}" if high else " up") if low else f"up to {high}" if high else "any number"
    yield from ("", f"### `{d.name}`", "", d.summary, "")
    yield f"- text form: `{d.signature}`{' (used when no method is named)' if d.default else ''}"
    yield f"- value: {between}; higher means {d.higher}"
    for name, p in d.parameters.items():
        yield f"- `{name}`: {p.meaning}; {p.rule()}"
    if d.reference:
        yield f"- after: {d.reference}"


def the_cli() -> str:
    """The page of commands: their help texts."""
    out = ["# Command line", "", "Every command with its options, as `--help` prints them.", ""]
    for path, command in _commands(main, ["quorate"]):
        wide = {"terminal_width": 88, "max_content_width": 88}
        context = click.Context(command, info_name=" ".join(path), help_option_names=["-h", "--help"], **wide)
        text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        out += [f"## {' '.join(path)}", "", "```text", text, "```", ""]
    return "\n".join(out).rstrip() + "\n"


def _commands(command: click.Command, path: list[str]) -> Iterator[tuple[list[str], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, child in sorted(command.commands.items()):
            yield from _commands(child, [*path, name])


def pages() -> dict[Path, str]:
    """Every page as it should be."""
    out = {DOCS / "the-table.md": the_table(), DOCS / "cli.md": the_cli()}
    for page in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]:
        if page not in out:
            out[page] = filled(page.read_text(encoding="utf-8"))
    return out


if __name__ == "__main__":
    os.environ.pop("FORCE_COLOR", None)
    for page, text in pages().items():
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
            print(f"written: {page.relative_to(ROOT)}")
