"""Card sorts: one command for all that their teams ask."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import FORMAT, OPTIONS, OUT, TASKS, load, read_options, reading, show, together, write_out

LOSSES = ("adjusted_rand", "vi", "pairs")  # as median_partition knows them, which takes numpy to load


@main.command()
@click.option("--groups", type=click.IntRange(1), help="How many groups to make; else as many as are best.")
@click.option(
    "--loss", type=click.Choice(LOSSES), default=LOSSES[0], show_default=True, help="By what groups are nearest to all."
)
@click.option("--by", metavar="COLUMN", help="Compare groups of judges: the values of this column.")
@click.option("--show", "view", type=click.Choice(["matrix", "tree", "cards", "placements"]), help="Only this part.")
@TASKS
@FORMAT
@together(*OPTIONS.values())
@OUT
@reading
def cards(files: tuple[str, ...], tasks: tuple[str, ...], output: str, out: str | None, **given: Any) -> None:
    """A card sort: groups with names from the judges' own, the tree, cards that belong nowhere, camps of judges.

    An --out that ends in .html gets the page of a card sort. CSV has a row per card.
    """
    from quorate.card_sorts import card_sort, compared

    view, by, groups, loss = (given.pop(n) for n in ("view", "by", "groups", "loss"))
    panel = load(files, tasks, read_options(given))
    if out and out.endswith((".html", ".htm")) and output == "text":
        from quorate.reports.model import hashed, report

        beside = compared(panel, by, **given)
        page = report(panel, cards={"by": beside, "groups": groups, "loss": loss}, inputs=hashed(*files), **given)
        write_out(page.html(), out)
        return
    found = card_sort(panel, groups=groups, loss=loss, by=by, **given)
    show(found, output, out, **({"show": view} if view and output == "text" else {}))
