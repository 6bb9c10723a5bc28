"""The report as plain text: the verdict, each answer as the command line shows it, then notes."""

from __future__ import annotations

import shlex
import textwrap

from quorate.inference.results import Answer
from quorate.reports.model import Report
from quorate.table import Method

MADE_BY = "Made by:"


def render(report: Report, width: int = 80) -> str:
    """The whole report, at most ``width`` columns wide where names allow."""
    from quorate.terminal.fitting import harmless

    out = [*textwrap.wrap(report.title, width), "=" * min(len(report.title), width), ""]
    for sentence in report.verdict:
        out += _wrapped(f"- {sentence}", width)
    for section in report.sections:
        out += ["", "", section.heading, "-" * len(section.heading), ""]
        out += [_answered(section.answer, width)] if section.answer else textwrap.wrap(section.trouble, width)
        for picture in section.pictures:
            if picture.name == "by-task":
                said = picture.description.replace("The dashed line is chance:", "Chance gives")
                out += ["", *textwrap.wrap(said, width)]
    if report.missed:
        out += ["", "", "What did judges miss?", "-" * 21, ""]
        out += [w for line in report.missed.lines() for w in textwrap.wrap(line, width, subsequent_indent="  ")]
    out += ["", "", "Data and methods", "-" * 16, ""]
    for line in notes(report):
        out += _call(line, width) if line.startswith(MADE_BY) else _wrapped(line, width)
    return harmless("\n".join(out).rstrip()) + "\n"


def _wrapped(line: str, width: int) -> list[str]:
    """Lines broken at blanks only, so that names stay whole."""
    return textwrap.wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _call(line: str, width: int) -> list[str]:
    """A command over several lines, as a shell takes it: none is broken inside a quoted name."""
    out = [MADE_BY]
    for word in map(shlex.quote, shlex.split(line.removeprefix(MADE_BY))):
        if len(out[-1]) + len(word) + 3 > width:  # a blank before it, a blank and a backslash after
            out[-1] += " \\"
            out.append(f"  {word}")
        else:
            out[-1] += f" {word}"
    return out


def _answered(answer: Answer, width: int) -> str:
    """As the question's own command shows it; a report has no CSV."""
    return answer.text(width).rstrip().replace("in --format csv", "in --format json")


def notes(report: Report, definitions: bool = True) -> list[str]:
    """Data and method notes, a line each; with or without what every method is."""
    out = [f"Panel: {report.about}."]
    out += [f"File ({i.role}): {i.name}, {i.size:,} bytes, SHA-256 {i.sha256}" for i in report.inputs]
    out += [f"While reading: {note}." for note in report.repaired] or [
        "While reading: nothing was skipped or repaired."
    ]
    out.append("Parameters: " + ", ".join(f"{k}={v}" for k, v in report.parameters.items()) + ".")
    out.append("Versions: " + ", ".join(f"{k} {v}" for k, v in report.versions.items()) + ".")
    if report.command:
        out.append(f"{MADE_BY} {report.command}")
    if report.swap:
        out.append(
            f"Swaps of the top two: {report.swap.draws:,} panels of {report.swap.judges:,} judges, drawn from these "
            f"with putting back; ties count half; by {report.swap.by}."
        )
    if definitions:
        out += [f"{m} ({m.declaration.question}): {definition(m)}" for m in report.methods]
    return out


def definition(m: Method) -> str:
    """What a method is, what a higher value means, and where it comes from."""
    said = m.declaration
    after = f" After {said.reference}." if said.reference else ""
    return f"{said.summary} Higher: {said.higher}.{after}"
