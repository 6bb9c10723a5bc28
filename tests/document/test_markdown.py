"""Blocks as Markdown: tables with their sides, and names that are taken for nothing else."""

from quorate.document.blocks import Column, Document, Section, Table, Text, columns
from quorate.document.markdown import ROWS, render


def test_a_document_in_markdown():
    heads = (Column("judge", "judge"), Column("v", "value", "figure", group="tau"), Column("p", "p", "p", group="tau"))
    blocks = (
        Text(("One.", "Two."), "lead"),
        Section("Who?", (Table("By judge", heads, (("a|b", 0.5, 0.0001),)), Text(("so",), "note"))),
        Text(("quorate report `x`.csv",), "code"),
    )
    assert render(Document("A *title*", blocks)).splitlines() == [
        "# A \\*title\\*",
        "",
        "One.  ",
        "Two.  ",
        "",
        "## Who?",
        "",
        "**By judge**",
        "",
        "| judge | tau, value | tau, p |",
        "|---|---:|---:|",
        "| a\\|b | 0.500 | \\< 0.001 |",
        "",
        "> Note: so.",
        "",
        "`` quorate report `x`.csv ``",
    ]


def test_a_long_table_says_how_many_rows_there_are():
    rows = tuple((f"t{k}",) for k in range(ROWS + 5))
    text = render(Document("", (Table("", columns("task"), rows),)))
    assert f"The first {ROWS} of {ROWS + 5} rows." in text
    assert text.count("| t") == ROWS + 1
