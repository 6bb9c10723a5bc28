"""The command that recomputes the papers' tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import SEED, progress, write_out

PAPERS = ["kappa", "q-support", "frespa", "clusters", "assessors", "all"]


@main.command()
@click.argument("paper", type=click.Choice(PAPERS), default="all")
@click.option(
    "--data", metavar="DIR", help="Public data, or years of TAC; else $QUORATE_DATA or ../shared/data, if there."
)
@click.option("--no-data", is_flag=True, help="Only what needs no data, whatever is there.")
@click.option("--studies", type=click.IntRange(1), default=1, show_default=True, help="Simulated; more takes longer.")
@click.option("--budget", type=click.IntRange(1), help="Assessors: subsets of features tried for a metric, at most.")
@click.option(
    "--choice",
    type=click.Path(dir_okay=False),
    help="Assessors: file for the metrics, written before the last year is read.",
)
@SEED
@click.option("--cells", is_flag=True, help="Text with every cell, the paper's and ours; else where they differ most.")
@click.option(
    "--format", "output", type=click.Choice(["text", "json", "html"]), help="Else by the name of --out, or text."
)
@click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write to this file: .html, .json or text.")
def reproduce(
    paper: str,
    data: str | None,
    no_data: bool,
    studies: int,
    budget: int | None,
    choice: str | None,
    seed: int,
    cells: bool,
    output: str | None,
    out: str | None,
) -> None:
    """The tables and figures of the papers behind the methods, recomputed beside the printed numbers.

    From rankings that a paper prints, from public data, or by simulation: each cell says which. An HTML page has the
    figures redrawn; it needs the extra 'report' and asks nothing of the network.
    """
    from quorate.reproduce import papers

    if data and no_data:
        raise click.UsageError("--data and --no-data exclude one another.")
    folder = None if no_data else papers.data_folder(data)
    with progress() as tell:
        how: dict[str, Any] = {"seed": seed, "studies": studies, "budget": budget, "choice": choice}
        found = papers.reproduce(paper, data=folder, needed=data is not None, progress=tell, **how)
    chosen = output or {".html": "html", ".htm": "html", ".json": "json"}.get(Path(out or "").suffix.lower(), "text")
    if chosen == "html":
        from quorate.reproduce.page import page

        target = out or "papers.html"
        write_out(page(found, _command(paper, folder is None, studies, budget, seed)), target)
        click.echo(papers.to_text(found, cells), nl=False)
        click.echo(f"{target}: {Path(target).stat().st_size:,} bytes", err=True)
    else:
        write_out(papers.to_json(found) if chosen == "json" else papers.to_text(found, cells), out)


def _command(paper: str, no_data: bool, studies: int, budget: int | None, seed: int) -> str:
    """The call that makes the page again; where the data is differs from machine to machine."""
    words = ["quorate", "reproduce", paper, "--no-data" if no_data else "--data DIR"]
    words += [f"--studies {studies}"] if studies > 1 else []
    words += [f"--budget {budget}"] if budget else []
    words += [f"--seed {seed}"] if seed else []
    return " ".join([*words, "--out papers.html"])
