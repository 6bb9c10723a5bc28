"""The receipt: what a file was read as, before any figure."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import OUT, read_options, reading, text_width, write_out


@main.command("inspect")
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--write-schema", "target", type=click.Path(dir_okay=False), metavar="OUT.toml", help="For --schema.")
@OUT
@reading
def inspect_command(files: tuple[str, ...], output: str, out: str | None, target: str | None, **given: Any) -> None:
    """What was read as what: format, kind, columns, judges, items, and every guess with what would settle it."""
    from quorate.formats.inspect import inspect
    from quorate.formats.schema import written

    options = {k: v for k, v in read_options(given).items() if v is not None}
    found = inspect(*files, **options)
    if target:
        write_out(written(found.panel), None if target == "-" else target)
    if target != "-":
        write_out((found.to_json() if output == "json" else _fitting(str(found), out)) + "\n", out)


def _fitting(text: str, out: str | None) -> str:
    """The text in lines that fit, but for those with options, which are there to be copied."""
    from quorate.document.fitting import harmless, wrapped

    room = text_width(out)
    return "\n".join(harmless(x) if " --" in x else wrapped(x, room) for x in text.split("\n"))
