"""What a report says, as a document: the verdict, each question with its charts and tables, then how it was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quorate.document.blocks import Block, Document, Text
from quorate.document.blocks import Section as Part
from quorate.document.layout import tables
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.reports.model import Report, Section

VERDICT, MISSED, NOTES = "verdict", "missed", "notes"  # names of the sections that are no question


def contents(report: Report) -> Document:
    """The whole report; a note of several sections stands once."""
    noted: set[str] = set()
    parts = [Part("The verdict", (Text(report.verdict, "points"),), VERDICT)]
    parts += [Part(s.heading, tuple(_blocks(s, noted)), s.question) for s in report.sections]
    if report.missed:
        parts.append(Part("What did judges miss?", (Text(tuple(report.missed.lines()), "points"),), MISSED))
    told: list[Block] = [Text((*notes(report), *definitions(report)), "points")]
    told += [Text(("Made by:",)), Text((report.command,), "code")] if report.command else []
    parts.append(Part("Data and methods", tuple(told), NOTES))
    return Document(report.title, tuple(parts), {"kind": report.kind, "about": report.about})


def _blocks(section: Section, noted: set[str]) -> Iterator[Block]:
    if section.answer is None:
        yield Text((f"No answer: {section.trouble}",))
        return
    yield Text(section.answer.sentences, "lead")
    yield from section.pictures
    yield from tables(section.answer)
    new = tuple(note for note in section.answer.notes if note not in noted)
    noted.update(new)
    if new:
        yield Text(new, "note")


def notes(report: Report) -> list[str]:
    """Data and settings, a line each."""
    out = [f"Panel: {report.about}.", *files(report)]
    out += [f"While reading: {note}." for note in report.repaired] or [
        "While reading: nothing was skipped or repaired."
    ]
    out.append("Parameters: " + ", ".join(f"{k}={v}" for k, v in report.parameters.items()) + ".")
    out.append("Versions: " + ", ".join(f"{k} {v}" for k, v in report.versions.items()) + ".")
    if report.swap:
        out.append(
            f"Swaps of the top two: {report.swap.draws:,} panels of {report.swap.judges:,} judges, drawn from these "
            f"with putting back; ties count half; by {report.swap.by}."
        )
    return out


def files(report: Report) -> list[str]:
    """The files that it was made from, a line each."""
    return [f"File ({i.role}): {i.name}, {i.size:,} bytes, SHA-256 {i.sha256}" for i in report.inputs]


def definitions(report: Report) -> list[str]:
    """What every method is, a line each."""
    return [f"{m} ({m.declaration.question}): {definition(m)}" for m in report.methods]


def definition(m: Method) -> str:
    """What a method is, what a higher value means, and where it comes from."""
    said = m.declaration
    after = f" After {said.reference}." if said.reference else ""
    return f"{said.summary} Higher: {said.higher}.{after}"
