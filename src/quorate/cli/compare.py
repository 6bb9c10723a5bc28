"""Panels side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quorate.cli.group import Question, main
from quorate.cli.shared import answering, has_parameters, load, methods_of, read_options, reading, show
from quorate.cli.systems import systems_of


@main.command(cls=Question)
@answering
@click.option("--by", metavar="COLUMN", help="Groups of one file: a column, or a table of judge (task, item), group.")
@click.option("--systems", multiple=True, metavar="FILE", help="With --question quality: whom the panels judge.")
@click.option(
    "--question",
    type=click.Choice(["agreement", "judges", "quality"]),
    default="agreement",
    show_default=True,
    help="Which figures are compared.",
)
@click.option(
    "--show",
    "view",
    type=click.Choice(["surface", "curve"]),
    help="Instead of the figures: a method of agreement over two of its parameters, and where two panels cross; or "
    "over one, of any number of panels.",
)
@reading
def compare(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """What differs between panels? Each FILE is a panel: two rounds of judging, experts and crowd.

    An --out that ends in .html gets a page with the figures side by side.
    """
    from quorate.comparison import compare as compared

    output, out, by, question, view = (given.pop(n) for n in ("output", "out", "by", "question", "view"))
    lists = given.pop("systems")
    given.pop("progress", None)
    options = read_options(given)
    if by is None and len(files) < 2:
        raise click.UsageError("one FILE has nothing to be compared with: give two, or --by COLUMN.")
    panels: Any = load(files, tasks, options) if by else _named(files, tasks, options)
    if by and by.lower().endswith((".csv", ".tsv")):
        from quorate.formats.nesting import labelled

        panels, by = labelled(panels, by)
    if view:
        from quorate.cli.questions import show_surface
        from quorate.comparison import named_panels

        show_surface(named_panels(panels, by)[0], methods, view, output, out, given)
        return
    kind = (panels if by else next(iter(panels.values()))).kind
    chosen = methods_of(kind, question, methods) if methods or has_parameters() else []
    systems = systems_of(lists, tasks, dict(options)) if lists else None
    found = compared(panels, *chosen, by=by, question=question, systems=systems, **given)
    show(found, output, out)


def _named(files: tuple[str, ...], tasks: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """A panel per file, by the file's name; by its path where two are called the same."""
    names = [Path(f).stem for f in files]
    if len(set(names)) < len(names):
        names = list(files)
    if len(set(names)) < len(names):
        raise click.UsageError("a FILE is named twice: it has nothing to differ from itself.")
    return {name: load((file,), tasks, dict(options)) for name, file in zip(names, files, strict=True)}
