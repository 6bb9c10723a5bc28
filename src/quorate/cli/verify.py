"""The command that recomputes a frozen gold standard."""

from __future__ import annotations

import sys

import click

from quorate.cli.group import main


@main.command()
@click.argument("gold", type=click.Path(dir_okay=False), metavar="GOLD")
def verify(gold: str) -> None:
    """Recompute a frozen gold standard from its raw judgments; exit code 1 and what differs if it is another one."""
    from quorate import __version__
    from quorate.store.bundle import seal, verified

    manifest, differs = verified(gold)
    methods = ", ".join(manifest["methods"].values())
    about = f"gold standard {manifest['number']} of '{manifest['title']}', as of event {manifest['as_of']}"
    click.echo(f"{about}: {manifest['judges']} judges, {manifest['items']} items, consensus by {methods}.")
    click.echo(f"sha256 {seal(manifest)}")
    if manifest["quorate"] != __version__:
        click.echo(f"Frozen by Quorate {manifest['quorate']}, recomputed by {__version__}.")
    for line in differs:
        click.echo(f"differs: {line}")
    if differs:
        click.echo(f"{len(differs)} {'thing differs' if len(differs) == 1 else 'things differ'}.")
        sys.exit(1)
    click.echo("Nothing differs: files, chain of events, judgments, consensus and agreement are as frozen.")
