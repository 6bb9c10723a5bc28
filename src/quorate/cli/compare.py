"""Panels side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quorate.cli.group import Question, main
from quorate.cli.shared import answering, load, methods_of, read_options, reading, show


@main.command(cls=Question)
@answering
@click.option("--by", metavar="COLUMN", help="Compare the groups of one file: the values of this column.")
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
    type=click.Choice(["surface"]),
    help="Instead of the figures: a method of agreement over two of its parameters, and where the panels cross.",
)
@reading
def compare(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """What differs between panels? Each FILE is a panel: two rounds of judging, experts and crowd.

    An --out that ends in .html gets a page with the figures side by side.
    """
    from quorate.comparison import compare as compared

    output, out, by, question, view = (given.pop(n) for n in ("output", "out", "by", "question", "view"))
    given.pop("progress", None)
    options = read_options(given)
    if by is None and len(files) < 2:
        raise click.UsageError("one FILE has nothing to be compared with: give two, or --by COLUMN.")
    panels: Any = load(files, tasks, options) if by else _named(files, tasks, options)
    if view == "surface":
        from quorate.cli.questions import show_surface
        from quorate.comparison import named_panels

        show_surface(named_panels(panels, by)[0], methods, output, out, given)
        return
    kind = (panels if by else next(iter(panels.values()))).kind
    chosen = methods_of(kind, question, methods) if methods else []
    found = compared(panels, *chosen, by=by, question=question, **given)
    show(found, output, out)


def _named(files: tuple[str, ...], tasks: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """A panel per file, by the file's name; by its path where two are called the same."""
    names = [Path(f).stem for f in files]
    if len(set(names)) < len(names):
        names = list(files)
    if len(set(names)) < len(names):
        raise click.UsageError("a FILE is named twice: it has nothing to differ from itself.")
    return {name: load((file,), tasks, dict(options)) for name, file in zip(names, files, strict=True)}
