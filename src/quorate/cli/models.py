"""Models as judges beside people: one command for all that is asked of them."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import FORMAT, OPTIONS, OUT, TASKS, load, read_options, reading, show, together, write_out


@main.command()
@click.option("--models", metavar="A,B,...", help="Judges that are models; else by the column judge_kind.")
@click.option("--bias", metavar="A,B,...", help="Columns to look at for biases; else all that vary.")
@TASKS
@FORMAT
@together(*OPTIONS.values())
@OUT
@reading
def models(files: tuple[str, ...], tasks: tuple[str, ...], output: str, out: str | None, **given: Any) -> None:
    """Models as judges: may they stand in for people, how many people are they worth, what do they favour?

    For judgments of any kind. An --out that ends in .html gets the page of models and people. CSV has a row per model.
    """
    from quorate.reports.model_judges import model_judges

    names, columns = (_listed(given.pop(n)) for n in ("models", "bias"))
    panel = load(files, tasks, read_options(given))
    if out and out.endswith((".html", ".htm")) and output == "text":
        from quorate.panel.judge_kinds import with_models
        from quorate.reports.model import hashed, report

        panel = with_models(panel, names) if names else panel
        write_out(report(panel, models={"columns": columns}, inputs=hashed(*files), **given).html(), out)
        return
    show(model_judges(panel, models=names, columns=columns, **given), output, out)


def _listed(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]
