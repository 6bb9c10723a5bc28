"""One page that answers the five questions."""

from __future__ import annotations

import gc
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from quorate.cli.group import main, writable
from quorate.cli.scanning import if_it_fits, named_files, scan_of
from quorate.cli.shared import (
    OPTIONS,
    TASKS,
    load,
    progress,
    read_options,
    reading,
    show_blocks,
    text_width,
    together,
    write_out,
)
from quorate.cli.systems import systems_of
from quorate.errors import InputError


@main.command()
@click.option("--systems", metavar="FILE", help="The systems' own lists or groups, to say how good they are.")
@click.option("--metrics", metavar="FILE", help="For scores: a file of automatic metrics to compare with them.")
@click.option(
    "--units", multiple=True, metavar="PATH", help="Annotated summaries (.pan, folders): what did judges miss?"
)
@click.option("--units-judges", metavar="FILE", help="With --units: manual.peer, or lines of task[, item], judge.")
@click.option(
    "--out", type=click.Path(dir_okay=False, writable=True), help="Write the page here.  [default: report.html]"
)
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--format", "output", type=click.Choice(["html", "json", "text", "md"]), help="[default: by the name of --out]"
)
@click.option("--title", help="Title of the page.")
@TASKS
@together(*OPTIONS.values())
@reading
@if_it_fits
@click.pass_context
def report(
    ctx: click.Context, /, files: tuple[str, ...], tasks: tuple[str, ...], systems: str | None, **given: Any
) -> None:
    """One page about the panel: the verdict, the five questions with pictures, and how it was made.

    HTML needs the extra 'report'; the page asks nothing of the network and can be mailed.
    """
    from quorate.formats import read_metrics
    from quorate.panel.base import is_scan
    from quorate.reports.model import hashed
    from quorate.reports.model import report as make

    out, output, opened, metrics = (given.pop(n) for n in ("out", "output", "opened", "metrics"))
    target, output = _target(out, output, opened)
    command = _command(ctx, output)
    options = read_options(given)
    panel = load(files, tasks, options)
    lists = None
    if systems:  # of what is not in memory, a scan as well
        lists = scan_of((systems,), (), options) if is_scan(panel) else systems_of((systems,), tasks, options)
    beside = read_metrics(metrics, encoding=options.get("encoding")) if metrics else None
    _check_fit(panel.kind, lists, beside)
    units, who = given.pop("units"), given.pop("units_judges")
    missed = _missed(units, who, given["seed"]) if units else None
    inputs = hashed(*named_files(files)) + hashed(*units, role="units")
    for path, role in ((who, "units-judges"), (systems, "systems"), (metrics, "metrics")):
        inputs += hashed(path, role=role) if path else []
    gc.freeze()  # what is loaded by now stays to the end: looking through it for garbage takes a tenth of the time
    with progress() as tell:
        page = make(panel, lists, metrics=beside, missed=missed, inputs=inputs, command=command, progress=tell, **given)
    if output == "text":
        show_blocks(page.document(), target)
    else:
        write_out(page.rendered(output), target)
    if target:
        from quorate.document.fitting import wrapped

        for line, indent in page.first_screen.lines():
            click.echo(wrapped(line, text_width(None), indent), err=True)
        click.echo(f"{target}: {Path(target).stat().st_size:,} bytes", err=True)
    if opened and target:
        _show(target)


def _check_fit(kind: str, lists: Any, metrics: Any) -> None:
    """What cannot be held against the panel is a mistake in the call, not a question without an answer."""
    if metrics is not None and kind != "scores":
        raise InputError(f"metrics are compared with scores, not {kind}.", "leave out --metrics.")
    if lists is not None and lists.kind != kind:
        raise InputError(f"the systems are {lists.kind}, the judgments {kind}.", f"--systems takes {kind}.")


def _show(target: str) -> None:
    """In the browser; where there is none, the page is there all the same."""
    headless = sys.platform == "linux" and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    if headless or click.launch(target):
        click.echo(f"Note: no browser could be opened here. Open {target} by hand, or on another machine.", err=True)


def _missed(units: tuple[str, ...], who: str | None, seed: int) -> Any:
    """What judges missed that they accepted elsewhere."""
    from quorate.summaries.units.auto_pyramid import auto_pyramid
    from quorate.summaries.units.missed_strings import missed_strings
    from quorate.summaries.units.reading import read_judges, read_units

    return missed_strings(auto_pyramid(read_units(*units, judges=read_judges(who) if who else None)), seed=seed)


def _target(out: str | None, output: str | None, opened: bool) -> tuple[str | None, str]:
    """Where to and how: the name tells the format, and HTML goes to a file."""
    from quorate.document.library import check_room
    from quorate.reports.model import FORMATS

    ending = Path(out).suffix.lower() if out else ""
    if output is None and ending not in ("", *FORMATS):
        raise click.UsageError(f"{out}: how should it be written? Name it {', '.join(FORMATS)}, or say --format.")
    chosen = output or FORMATS.get(ending, "html")
    if opened and chosen != "html":
        raise click.UsageError("--open is for HTML.")
    if chosen == "html":
        check_room()  # before the work, not after it
    target = out or ("report.html" if chosen == "html" else None)
    if target:
        writable(target)
    return target, chosen


def _command(ctx: click.Context, output: str) -> str:
    """The call that makes this page again, whatever it was started by; where it was written to is left out."""
    from quorate.formats.files import readable

    words, files = ["quorate", "report"], []
    for parameter in ctx.command.params:
        value = output if parameter.name == "output" else ctx.params.get(parameter.name or "")
        usual = "html" if parameter.name == "output" else parameter.get_default(ctx)
        if parameter.name in ("out", "opened") or value == usual or value is None or value == ():
            continue
        if isinstance(parameter, click.Argument):
            files = [str(v) for v in value]
        elif value is True:
            words.append(parameter.opts[0])
        else:
            for one in value if isinstance(value, tuple) else (value,):
                words += [parameter.opts[0], str(one)]
    dashed = any(name.startswith("-") and name != "-" for name in files)  # which would be taken for options
    return readable(shlex.join([*words, *(["--"] if dashed else []), *files]))
