"""The report as Markdown: the verdict, then the figures of each question as tables, then notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from quorate.reports.model import Report
from quorate.reports.tables import Grid, overall, shown
from quorate.reports.text import MADE_BY, notes

MOST = 60  # rows of a table


def render(report: Report) -> str:
    """The whole report."""
    out = [f"# {_plain(report.title)}", "", *(f"- {_plain(s)}" for s in report.verdict)]
    for section in report.sections:
        out += ["", f"## {section.heading}", ""]
        if section.answer is None:
            out.append(_plain(section.trouble))
            continue
        out += [_plain(s) + "  " for s in section.answer.sentences]
        for grid in overall(section.answer):
            out += ["", *_grid(grid.short(MOST))]
        out += ["", *(f"> Note: {_plain(n)}." for n in section.answer.notes)] if section.answer.notes else []
    if report.missed:
        out += ["", "## What did judges miss?", "", *(f"- {_plain(line)}" for line in report.missed.lines())]
    out += ["", "## Data and methods", "", *(f"- {_note(line)}" for line in notes(report))]
    return "\n".join(out).rstrip() + "\n"


def _grid(grid: Grid) -> list[str]:
    def row(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(_plain(shown(c)) for c in cells) + " |"

    lines = [row(grid.columns), "|" + "---|" * len(grid.columns), *(row(r) for r in grid.rows)]
    return [*lines, "", grid.left] if grid.left else lines


def _note(line: str) -> str:
    """The command as code, to be copied as it is; anything else as text."""
    if not line.startswith(MADE_BY) or not line.isprintable():
        return _plain(line)
    command = line.removeprefix(MADE_BY).strip()
    fence = "`" * (max(map(len, re.findall("`+", command)), default=0) + 1)
    return f"{MADE_BY} {fence} {command} {fence}" if "`" in command else f"{MADE_BY} `{command}`"


def _plain(text: str) -> str:
    """Names stay names: nothing in them is taken for Markdown."""
    if not text.isprintable():
        from quorate.terminal.fitting import harmless

        text = " ".join(harmless(text).splitlines())  # a row is a line
    for mark in "\\|*_<>`[]#&":
        text = text.replace(mark, "\\" + mark)
    return text
