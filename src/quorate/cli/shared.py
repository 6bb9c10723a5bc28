"""What the commands share: options for reading judgments and for answers, progress, and where output goes."""

from __future__ import annotations

import gc
import io
import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import click

from quorate.cli.group import PARAMETERS, Question, under
from quorate.cli.scanning import scan_of, scanning, scans, tell_of_memory, whole
from quorate.errors import UnknownId, suggest
from quorate.inference.options import Options
from quorate.table import Parameter

F = TypeVar("F", bound=Callable[..., Any])

OUT = click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
_FORMAT = click.option(
    "--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True
)
_RAW = "quorate.raw"  # in the context of a call
_ROWS = "quorate.rows"
MANY = 1000  # steps, from which on their rate is worth telling


def _keep_raw(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    ctx.meta[_RAW] = value


RAW = click.option(
    "--raw",
    is_flag=True,
    expose_value=False,
    callback=_keep_raw,
    help="CSV for programs: keep texts that look like formulas.",
)


def _keep_rows(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    ctx.meta[_ROWS] = value


ROWS = click.option(
    "--rows",
    type=click.IntRange(1),
    expose_value=False,
    callback=_keep_rows,
    metavar="N",
    help="Most rows of a table in text.  [default: 20]",
)


def FORMAT(command: F) -> F:
    """How an answer is written; of CSV also for whom."""
    return _FORMAT(RAW(command))


def declared(parameter: Parameter, *names: str, **more: Any) -> Callable[[F], F]:
    """An option as it is declared: its name (or others), the values it takes, its default, and what it means."""
    p = parameter
    kinds: dict[str, Any] = {"choice": click.Choice(p.choices), "text": str, "quorum": str}
    if p.type in ("whole", "number"):
        low, high = (None if math.isinf(x) else int(x) if p.type == "whole" else x for x in (p.low, p.high))
        ends: dict[str, Any] = {"min": low, "max": high, "min_open": p.open_low, "max_open": p.open_high}
        kinds[p.type] = click.IntRange(**ends) if p.type == "whole" else click.FloatRange(**ends)
    more = {"default": p.default, "show_default": p.default is not None, "help": f"{p.meaning}.", **more}
    return click.option(*(names or (f"--{p.name.replace('_', '-')}",)), type=kinds[p.type], **more)


OPTIONS = {name: under("Statistics", declared(p)) for name, p in Options.declared().items()}
SEED, LEVEL, RESAMPLES = (OPTIONS[name] for name in ("seed", "level", "resamples"))
METHODS = click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="M",
    help="Use this method (`quorate table` lists them); may be repeated.",
)
TASKS = click.option("--task", "tasks", multiple=True, metavar="T", help="Only this task; may be repeated.")


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options at once, shown in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


_READING = (  # options for reading judgments, the last first
    click.option(
        "--among",
        type=click.Choice(["judges", "tasks"]),
        help="Whose agreement: of judges, or of the tasks within a unit.",
    ),
    click.option("--families", metavar="TABLE", help="For votes: a table of name, family (which model is whose)."),
    click.option("--nested", metavar="UNITS", help="Tasks within units: topic/query, or a table of task, unit."),
    click.option("--max-bytes", metavar="N", help="Largest size of a file after unpacking, e.g. 8G. [default: 2G]"),
    click.option("--schema", type=click.Path(), help="Check the files against this study's schema."),
    click.option("--strict", is_flag=True, help="Stop instead of guessing anything."),
    click.option("--top", type=click.IntRange(1), help="For search runs: only the first N documents."),
    click.option("--ties", is_flag=True, help="For search runs: equal scores are ties (else file order)."),
    click.option("--sheet", metavar="NAME", help="For workbooks: this sheet (else the first)."),
    click.option("--exact", is_flag=True, help="Keep cells as they are: blanks, any Unicode form."),
    click.option(
        "--winner",
        type=click.Choice(["name", "place"]),
        help="For votes: whether a winner such as A is a name or a place.",
    ),
    click.option(
        "--totals",
        type=click.Choice(["drop", "keep"]),
        help="What to do with rows and columns called total or mean.",
    ),
    click.option("--header", type=click.Choice(["yes", "no"]), help="Whether the first line names the columns."),
    click.option("--delimiter", metavar="SIGN", help="What separates fields, e.g. ; or tab."),
    click.option("--decimal", type=click.Choice([".", ","]), help="The decimal sign of numbers."),
    click.option("--missing-values", "missing", metavar="A,B,...", help="Texts that stand for an empty cell, e.g. NA."),
    click.option("--item-columns", metavar="A,B,...", help="Columns that are items; each row is a judge."),
    click.option("--judge-columns", metavar="A,B,...", help="Columns that are judges; each row is an item."),
    click.option(
        "--judge", metavar="NAME", help="Whose judgments they are, if no column says so; @file: the file's name."
    ),
    click.option("--wide", is_flag=True, help="One column per judge (needs --kind)."),
    click.option("--scale", metavar="A,B,...", help="Scores are labels in this order, lowest first."),
    click.option("--several", metavar="SIGN", help="Judges may give several labels, separated by this sign."),
    click.option("--labels", is_flag=True, help="Scores are labels, even where they look like numbers."),
    click.option("--encoding", help="Text encoding of the files, e.g. latin-1."),
    click.option("--column", multiple=True, metavar="NEW=FIELD", help="Where to find a column: score=answers[].value."),
    click.option("--rename", multiple=True, metavar="OLD=NEW,...", help="Read column OLD as NEW."),
    click.option("--criteria", metavar="A,B,...", help="Columns of a scores table that are criteria."),
    click.option(
        "--kind",
        type=click.Choice(["orderings", "groupings", "scores", "votes"]),
        help="The kind of judgments, if columns do not tell.",
    ),
    click.option(
        "--input-option",
        "input_options",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the input's format, e.g. columns=map.txt or year=2009; see the format's page.",
    ),
    click.option("--input-format", "input_format", metavar="NAME", help="The format, if name and content do not tell."),
)
reading_options = under("Reading the files", *reversed(_READING))


def reading(command: F) -> F:
    """The files, and options for reading judgments."""
    return click.argument("files", nargs=-1, required=True, metavar="FILE...")(reading_options(command))


PLAIN = (  # options of reading that are handed on as they are typed
    *(
        "top",
        "encoding",
        "scale",
        "several",
        "criteria",
        "missing",
        "delimiter",
        "decimal",
        "header",
        "totals",
        "winner",
        "sheet",
    ),
    *("judge", "judge_columns", "item_columns", "max_bytes", "kind", "nested", "among", "families"),
)
FLAGS = ("ties", "wide", "labels", "exact", "strict")


def read_options(given: dict[str, Any]) -> dict[str, Any]:
    """Take the reading options out of a command's options, as ``read`` has them."""
    from quorate.formats.registry import paths, renaming

    options = {name: value for name in PLAIN if (value := given.pop(name)) is not None}
    options |= {name: True for name in FLAGS if given.pop(name)}
    schema = given.pop("schema")
    if schema is not None:
        options["schema"] = Path(schema)
    for name, read in (("rename", renaming), ("column", paths)):
        pairs: dict[str, str] = {}
        for text in given.pop(name):
            split(text, f"--{name} takes {'OLD=NEW' if name == 'rename' else 'NEW=FIELD'}.")
            pairs |= read(text)
        if pairs:
            options[name] = pairs
    options |= dict(split(pair, "--input-option takes NAME=VALUE.") for pair in given.pop("input_options"))
    options.setdefault("kind", None)
    options["format"] = given.pop("input_format")
    return options


def split(pair: str, hint: str) -> tuple[str, str]:
    """The two sides of OLD=NEW."""
    old, eq, new = pair.partition("=")
    if not eq:
        raise click.UsageError(hint)
    return old, new


answering = together(METHODS, TASKS, FORMAT, ROWS, *OPTIONS.values(), OUT, scanning)  # of all answers


def has_parameters() -> bool:
    """Whether the call names parameters of methods as options."""
    return bool(click.get_current_context().meta.get(PARAMETERS))


def methods_of(
    kind: str, question: str, methods: tuple[str, ...], usual: Sequence[Any] = (), **preset: str | None
) -> list[Any]:
    """The methods named, or the usual ones (the cell's defaults), with the parameters that were given as options.

    A parameter is read as each method declares it, and only where the method's text leaves it open.
    """
    from quorate import table

    chosen = [table.parse(m, kind, question) for m in methods]
    chosen = chosen or list(usual) or table.methods(kind, question, default=True)
    given = click.get_current_context().meta.get(PARAMETERS, {}) | {n: v for n, v in preset.items() if v is not None}
    for name in given:
        if not any(m.has(name) for m in chosen):
            having = [d.name for d in table.declarations(kind, question) if name in d.parameters]
            whose = f"; {', '.join(having)} would" if having else ""
            click.echo(f"Note: none of these methods takes {name}{whose}.", err=True)
    known = [m.declaration.parameters for m in chosen]
    read = [{n: parameters[n].read(text) for n, text in given.items() if n in parameters} for parameters in known]
    return [m.with_default(**values) for m, values in zip(chosen, read, strict=True)]


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Tells how far long work has come: a bar on a terminal, shown once a second has passed."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda what, done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many a second, where there are many."""

        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s" if speed and (task.total or 0) > MANY else "")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    begun = time.monotonic()
    jobs: dict[str, Any] = {}

    def tell(what: str, done: int, of: int) -> None:
        if time.monotonic() - begun < 1:
            return
        if what not in jobs:
            bar.start()
            jobs[what] = bar.add_task(what, total=of)
        bar.update(jobs[what], completed=done, total=of)

    try:
        yield tell
    finally:
        bar.stop()


def load(files: tuple[str, ...], tasks: tuple[str, ...], options: dict[str, Any]) -> Any:
    """The panel in the files, or the part of it that was asked for; a scan of them where that is asked for."""
    from quorate.formats import read

    if scans(files):
        found = scan_of(files, tasks, options)
        return found if isinstance(click.get_current_context().command, Question) else whole(found)

    tell_of_memory(files)
    panel = read(*files, **{k: v for k, v in options.items() if v is not None})
    if not tasks:
        return panel
    known = {str(t): t for t in panel.tasks}
    for task in tasks:
        if task not in known:
            raise UnknownId(f"no task '{task}'.", suggest(task, known, "The panel's tasks"))
    return panel.select(tasks=[known[t] for t in tasks])


def show(found: Any, output: str, out: str | None, **how: Any) -> None:
    """Print an answer or a result, or write it to a file, in the format asked for."""
    from quorate.document.result import Result
    from quorate.inference.results import Answer

    gc.freeze()  # what was found stays to the end: looking through it for garbage takes long
    if output == "json" and isinstance(found, Answer):
        write_out(chain(found.json_pieces(), ["\n"]), out)
    elif output != "text":
        text = getattr(found, f"to_{output}")(**how)
        text = as_csv(text) if output == "csv" else text
        write_out(text if text.endswith("\n") else text + "\n", out)
    elif isinstance(found, Answer):
        from quorate.document.layout import document

        show_blocks(document(found), out)
    elif out and out.lower().endswith((".html", ".htm", ".md")) and isinstance(found, Result):
        write_out(found.to_markdown(**how) if out.lower().endswith(".md") else found.to_html(**how), out)
    elif hasattr(found, "blocks"):
        show_blocks(found.blocks(**how), out, all_rows=found.all_rows)
    else:
        write_out(found.text(text_width(out)), out)


def raw() -> bool:
    """Whether the call asks for CSV as programs want it."""
    return bool(click.get_current_context().meta.get(_RAW))


def as_csv(text: str) -> str:
    """CSV in which no cell is a formula for a spreadsheet, unless the call asks for it raw; numbers stay."""
    import csv

    from quorate.formats.cells import no_formula

    if raw() or not re.search(r"(^|[,\n])\"?'*[=+@\t\r-]", text):
        return text
    out = io.StringIO()
    rows = csv.reader(io.StringIO(text, newline=""))
    csv.writer(out, lineterminator="\n").writerows([no_formula(cell) for cell in row] for row in rows)
    return out.getvalue()


def show_blocks(what: Any, out: str | None = None, *, all_rows: bool = False) -> None:
    """Print blocks, in colour on a terminal, or write them to a file."""
    from quorate.document import terminal
    from quorate.document.terminal import in_colour, render

    told = click.get_current_context().meta.get(_ROWS)
    rows = told or (sys.maxsize if all_rows else terminal.ROWS)
    text = render(what, text_width(out), colour=not out and in_colour(), rows=rows)
    if out:
        write_out(text, out)
    else:
        click.echo(text, nl=False)  # in the terminal's own encoding


def write_out(text: str | Iterable[str], out: str | None) -> None:
    """To a file or to standard output, in UTF-8; a long text piece by piece."""
    pieces = [text] if isinstance(text, str) else text
    if out:
        from quorate.formats.files import Sink

        with Sink(out).text() as file:
            file.writelines(pieces)
    else:
        for piece in pieces:
            click.echo(piece.encode("utf-8", "backslashreplace"), nl=False)


def text_width(out: str | None) -> int:
    """How wide text is: as the page for standard output, always the same in a file."""
    from quorate.document.terminal import USUAL, page_width

    return USUAL if out else page_width()
