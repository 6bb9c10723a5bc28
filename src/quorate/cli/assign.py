"""The command that builds a study: who judges what, and the list that each assessor works through."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import FORMAT, OUT, SEED, declared, show, together
from quorate.summaries.declarations import APART, COPIES, DISTANCE, OVERLAP

BETWEEN = r"[/\\]"  # folders, which a name must not be taken for


@main.command()
@click.option("--judges", required=True, metavar="A,B,...", help="The assessors.")
@declared(OVERLAP, "--overlap", default=1, show_default=True)
@declared(COPIES, "--copies", default=0, show_default=True)
@declared(APART, "--distance", default=DISTANCE, show_default=True)
@click.option("--lists", type=click.Path(file_okay=False), help="Write each assessor's list to a table in this folder.")
@click.option(
    "--criteria", default="score", metavar="A,B,...", show_default=True, help="Of --lists: columns to fill in."
)
@together(FORMAT, SEED, OUT)
@click.argument("items", type=click.Path(exists=True, dir_okay=False), metavar="ITEMS")
def assign(items: str, judges: str, lists: str | None, criteria: str, output: str, out: str | None, **how: Any) -> None:
    """Deal the tasks of ITEMS (a table task, item, text) to assessors, and put each one's items in random order.

    Items shown again, or with the same text, are kept apart, so that `quorate judges` can tell who scores the same
    thing alike.
    """
    from quorate.document.result import csv_text
    from quorate.formats.files import Sink
    from quorate.summaries.assignment import assign as deal
    from quorate.summaries.assignment import read_items

    made = deal(read_items(items), [j.strip() for j in judges.split(",") if j.strip()], **how)
    if lists:
        folder = Path(lists)
        folder.mkdir(parents=True, exist_ok=True)
        for judge in made.judges:
            with Sink(folder / f"{re.sub(BETWEEN, '-', str(judge))}.csv").text() as stream:
                stream.write(csv_text(made.of(judge, [c.strip() for c in criteria.split(",")])))
        click.echo(f"{folder}: a list for each of {len(made.judges)} assessors.", err=True)
    show(made, output, out)
