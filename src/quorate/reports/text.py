"""The report as plain text: the verdict, each answer as the command line shows it, then notes."""

from __future__ import annotations

import textwrap

from quorate.reports.model import Report


def render(report: Report, width: int = 80) -> str:
    """The whole report, at most ``width`` columns wide where names allow."""
    out = [report.title, "=" * min(len(report.title), width), ""]
    for sentence in report.verdict:
        out += textwrap.wrap(sentence, width, initial_indent="- ", subsequent_indent="  ", break_long_words=False)
    for section in report.sections:
        out += ["", "", section.heading, "-" * len(section.heading), ""]
        out.append(section.answer.text(width).rstrip() if section.answer else section.trouble)
        for picture in section.pictures:
            if picture.name == "by-task":
                out += ["", *textwrap.wrap(picture.description, width)]
    out += ["", "", "Data and methods", "-" * 16, ""]
    for line in notes(report):
        out += textwrap.wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(out).rstrip() + "\n"


def notes(report: Report) -> list[str]:
    """Data and method notes, a line each."""
    out = [f"Panel: {report.about}."]
    out += [f"File ({i.role}): {i.name}, {i.size:,} bytes, SHA-256 {i.sha256}" for i in report.inputs]
    out += [f"While reading: {note}." for note in report.repaired] or [
        "While reading: nothing was skipped or repaired."
    ]
    out.append("Parameters: " + ", ".join(f"{k}={v}" for k, v in report.parameters.items()) + ".")
    out.append("Versions: " + ", ".join(f"{k} {v}" for k, v in report.versions.items()) + ".")
    if report.command:
        out.append(f"Made by: {report.command}")
    for m in report.methods:
        after = f" After {m.declaration.reference}." if m.declaration.reference else ""
        out.append(f"{m} ({m.declaration.question}): {m.declaration.summary}{after}")
    return out
