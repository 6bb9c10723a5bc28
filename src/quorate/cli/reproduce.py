"""The command that recomputes the papers' tables and figures."""

from __future__ import annotations

import click

from quorate.cli.group import main
from quorate.cli.shared import write_out

PAPERS = ["kappa", "q-support", "frespa", "clusters", "assessors", "all"]


@main.command()
@click.argument("paper", type=click.Choice(PAPERS), default="all")
@click.option("--data", metavar="DIR", help="Public data; else $QUORATE_DATA or ../shared/data, if there.")
@click.option("--no-data", is_flag=True, help="Only what needs no data, whatever is there.")
@click.option("--studies", type=click.IntRange(1), default=1, show_default=True, help="Simulated; more takes longer.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
def reproduce(
    paper: str, data: str | None, no_data: bool, studies: int, seed: int, output: str, out: str | None
) -> None:
    """The tables and figures of the papers behind the methods, recomputed beside the printed numbers.

    From rankings that a paper prints, from public data, or by simulation: each cell says which.
    """
    from quorate.reproduce import papers

    if data and no_data:
        raise click.UsageError("--data and --no-data exclude one another.")
    folder = None if no_data else papers.data_folder(data)
    found = papers.reproduce(paper, data=folder, seed=seed, studies=studies)
    write_out(papers.to_json(found) if output == "json" else papers.to_text(found), out)
