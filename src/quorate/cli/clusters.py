"""Commands around a gold standard of clusters: the judges' sheet, and a standard algorithm to try it with."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import load, read_options, reading_options, write_out
from quorate.errors import InputError


@main.command()
@click.option(
    "--profile", type=click.Choice(["clusters", "cards"]), default="clusters", show_default=True, help="Of which task."
)
@click.option("--items", metavar="FILE", help="A table with item (and text, source, date): listed for the judge.")
@click.argument("target", metavar="OUT")
def sheet(target: str, profile: str, items: str | None) -> None:
    """The guidelines and steps for judges who cluster or sort cards, as a sheet: OUT.md or OUT.html; `-` is Markdown.

    The rules on it are those that `quorate check` checks.
    """
    from quorate.cli.grouping_views import sheet_document
    from quorate.groupings.sheet import sheet as made

    found = sheet_document(made(profile, _rows(items) if items else ()))
    if target.lower().endswith((".html", ".htm")):
        from quorate.document.html import page

        write_out(page(found), target)
    elif target == "-" or target.lower().endswith((".md", ".markdown")):
        from quorate.document.markdown import render

        write_out(render(found), None if target == "-" else target)
    else:
        raise click.UsageError(f"{target}: how should it be written? Name it .md or .html.")


def _rows(path: str) -> list[dict[str, Any]]:
    """The rows of a table of items."""
    from quorate.formats.files import File
    from quorate.formats.table_records import heads
    from quorate.formats.table_records import rows as read

    file = File(path)
    if "item" not in heads(file):
        raise InputError(f"{path}: no column 'item'.", f"columns: {', '.join(heads(file)) or 'none'}.")
    return [dict(row) for _, row in read(file, "utf-8")]


@main.command()
@click.option("--groups", type=click.IntRange(1), help="How many; else as --like has it, or by the number of texts.")
@click.option("--like", metavar="JUDGMENTS", help="As many groups as judges made in this file, the median.")
@click.option("--singletons", is_flag=True, help="Clusters of one text stay clusters; else they are left out.")
@click.argument("texts", metavar="TEXTS")
@click.argument("target", metavar="OUT")
@reading_options
def baseline(texts: str, target: str, groups: int | None, like: str | None, singletons: bool, **given: Any) -> None:
    """A standard algorithm's clusters of TEXTS (a table of item and text), to try a gold standard with.

    Average linkage by TF-IDF and cosine, written as a table of groupings: `quorate quality JUDGMENTS OUT` scores it.
    """
    from quorate.formats import write
    from quorate.groupings.median_partition import median_groups
    from quorate.groupings.text_linkage import text_linkage
    from quorate.panel.base import many
    from quorate.panel.partitions import partitions

    options = read_options(given)
    rows = _rows(texts)
    if "text" not in rows[0]:
        raise InputError(f"{texts}: no column 'text'.", "a table of item and text, as `quorate sentences` writes.")
    if like and groups is None:
        judged = load((like,), (), options)
        if judged.kind != "groupings":
            raise InputError(f"{like} holds {judged.kind}.", "--like takes judgments that are groupings.")
        made = [median_groups(p.labels, p.counts) for p in partitions(judged)]
        groups = sorted(made)[len(made) // 2]
    tasks = [row["task"] for row in rows] if "task" in rows[0] else None
    columns_ = [row["item"] for row in rows], [row["text"] for row in rows]
    found = text_linkage(*columns_, groups, tasks, singletons=singletons)
    write(found, target)
    if target != "-":
        told = found.columns()
        groups_ = {
            (t, g) for t, g in zip(told.get("task", [""] * len(rows)), told["group"], strict=True) if g is not None
        }
        left = sum(g is None for g in told["group"])
        said = f"{many(len(rows) - left, 'text')} in {many(len(groups_), 'group')}, {left:,} left out"
        click.echo(f"{target}: {said}.", err=True)
