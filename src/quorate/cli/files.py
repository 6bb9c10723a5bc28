"""Commands for files and for finding one's way: the table of methods, formats, conversion, the demo."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import RAW, SEED, TASKS, load, raw, read_options, reading, show_blocks, text_width
from quorate.table import KINDS, QUESTIONS


@main.command("table")
@click.option("--kind", type=click.Choice(KINDS))
@click.option("--question", type=click.Choice(QUESTIONS))
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def table_command(kind: str | None, question: str | None, output: str) -> None:
    """Kinds x questions: which methods there are, and their parameters."""
    from quorate import table
    from quorate.cli.views import method_blocks

    if output == "json":
        found = table.declarations(kind, question)
        rows = [
            {
                "kind": d.kind,
                "question": d.question,
                "method": d.signature,
                "summary": d.summary,
                "range": [None if abs(x) == float("inf") else x for x in d.range],
                "default": d.default,
                "parameters": {n: {"meaning": p.meaning, "rule": p.rule()} for n, p in d.parameters.items()},
                "reference": d.reference,
            }
            for d in found
        ]
        click.echo(json.dumps(rows, indent=1))
    else:
        show_blocks(method_blocks(kind, question))


@main.command()
@reading
@click.argument("target", metavar="OUT")
@click.option("--output-format", metavar="NAME", help="When the name of OUT does not tell.")
@TASKS
@RAW
def convert(
    files: tuple[str, ...], target: str, output_format: str | None, tasks: tuple[str, ...], **given: Any
) -> None:
    """Read judgments in one format and write them in another; `-` is standard input or output.

    {task} in OUT stands for the task's name: a file for each, as PrefLib has it. PrefLib has no names of judges.
    """
    from quorate.formats import FORMATS, write
    from quorate.formats.files import Sink
    from quorate.formats.registry import by_extension, named

    panel = load(files, tasks, read_options(given))
    format = named(output_format, FORMATS) if output_format else by_extension(Sink(target).extension, FORMATS)
    more: dict[str, Any] = {"anonymous": True} if format is not None and format.name == "preflib" else {}
    parts = {target: panel}
    if "{task}" in target:
        parts = {target.replace("{task}", _file_name(t)): panel.select(tasks=[t]) for t in panel.tasks}
        if len(parts) < len(panel.tasks):
            raise click.UsageError("two tasks would have the same file: rename one, or write each with --task.")
    for path, part in parts.items():
        write(part, path, format=output_format, for_people=None if raw() else True, **more)
        if path != "-":
            click.echo(f"{path}: {part!r}", err=True)
    if more:
        click.echo("Note: PrefLib has no names of judges: they are left out, and equal orders are counted.", err=True)
    for note in panel.notes:
        click.echo(f"Note: {note}.", err=True)


def _file_name(task: object) -> str:
    """A task's name as part of a file's: what a file system may not like is a hyphen."""
    return re.sub(r"[^\w.-]+", "-", str(task)).strip(".-") or "task"


@main.command("formats")
def formats_command() -> None:
    """The file formats that can be read and written."""
    from quorate.document.blocks import Table, columns
    from quorate.formats import FORMATS

    heads = columns("format", "extensions:text", "kinds:names", "what_it_is:text")
    rows = tuple((f.name, " ".join(f.extensions), list(f.kinds), f.description) for f in FORMATS)
    show_blocks([Table("", heads, rows)], all_rows=True)


@main.command()
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False),
    metavar="DIR",
    default="quorate-demo",
    show_default=True,
    help="Where they go.",
)
@SEED
def demo(folder: str, seed: int) -> None:
    """Reports on made-up panels of each kind, with bad judges planted: verdicts here, panels and pages in a folder."""
    from quorate.demo.run import told

    for line in told(seed, Path(folder), text_width(None)):
        click.echo(line)
