"""Labels: one command for all that a team which labels data asks."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import FORMAT, OPTIONS, OUT, TASKS, load, read_options, reading, show, together, write_out


@main.command()
@click.option("--gold", type=click.Path(), help="Write every item's label and its certainty to this CSV.")
@click.option("--adjudicate", type=click.Path(), help="Write the items to decide, most gain first.")
@click.option("--by", metavar="COLUMN", help="Groups of judges side by side: the values of this column.")
@TASKS
@FORMAT
@together(*OPTIONS.values())
@OUT
@reading
def labels(files: tuple[str, ...], tasks: tuple[str, ...], output: str, out: str | None, **given: Any) -> None:
    """Label quality: how many labels are right, what to decide by hand, which labels and judges are confused.

    An --out that ends in .html gets the page of labels, one that ends in .csv the gold standard: a row per item, its
    label and how certain it is.
    """
    from quorate.cli.orders import write_labels
    from quorate.reports.label_quality import label_quality

    gold, to_decide, by = (given.pop(n) for n in ("gold", "adjudicate", "by"))
    panel = load(files, tasks, read_options(given))
    found = label_quality(panel, by=by, **given)
    write_labels(found.consensus, gold, to_decide)
    if out and out.endswith((".html", ".htm")) and output == "text":
        from quorate.reports.model import hashed, report

        write_out(report(panel, labels={"by": by}, inputs=hashed(*files), **given).html(), out)
        return
    table = out is not None and out.endswith(".csv") and output == "text"
    show(found, "csv" if table else output, out)
