"""What the commands share: options for reading judgments and for answers, progress, and where output goes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from quorate.errors import UnknownId, suggest

F = TypeVar("F", bound=Callable[..., Any])

OUT = click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
FORMAT = click.option(
    "--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True
)
SEED = click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
LEVEL = click.option(
    "--level", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True, help="Of intervals."
)
RESAMPLES = click.option(
    "--resamples", type=click.IntRange(100), default=1000, show_default=True, help="For intervals."
)
PERMUTATIONS = click.option(
    "--permutations", type=click.IntRange(0), default=100, show_default=True, help="For what chance gives."
)
OVER = click.option(
    "--over", metavar="UNITS", help="To what figures generalise: tasks, judges, items, or two crossed (tasksxjudges)."
)
ABSENT = click.option(
    "--absent",
    type=click.Choice(["below", "left-out", "not-shown", "unknown"]),
    help="What an item without a row means: a list's tail; seen and put nowhere; never offered; nothing.",
)
SECONDS = click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=0.3,
    show_default=True,
    help="About what one figure may take.",
)
METHODS = click.option("--method", "methods", multiple=True, metavar="M", help="See `quorate table`; may be repeated.")
TASKS = click.option("--task", "tasks", multiple=True, metavar="T", help="Only this task; may be repeated.")


def reading(command: F) -> F:
    """The files, and options for reading judgments."""
    return click.argument("files", nargs=-1, required=True, metavar="FILE...")(reading_options(command))


def reading_options(command: F) -> F:
    """Options for reading judgments."""
    for option in (
        click.option("--top", type=click.IntRange(1), help="Of search runs, only the first so many documents."),
        click.option("--ties", is_flag=True, help="In search runs, equal scores are ties (else file order)."),
        click.option("--wide", is_flag=True, help="One column per judge (needs --kind)."),
        click.option("--scale", metavar="A,B,...", help="Scores are labels in this order, lowest first."),
        click.option("--labels", is_flag=True, help="Scores are labels, even where they look like numbers."),
        click.option("--encoding", help="Text encoding of the files, e.g. latin-1."),
        click.option("--rename", multiple=True, metavar="OLD=NEW", help="Take column OLD of a table for NEW."),
        click.option("--criteria", metavar="A,B,...", help="Columns of a scores table that are criteria."),
        click.option(
            "--kind", type=click.Choice(["orderings", "groupings", "scores", "votes"]), help="When columns do not tell."
        ),
        click.option(
            "--input-option",
            "input_options",
            multiple=True,
            metavar="NAME=VALUE",
            help="An option of the input's format, e.g. columns=map.txt or year=2009; see the format's page.",
        ),
        click.option("--input-format", "input_format", metavar="NAME", help="When name and content do not tell."),
    ):
        command = option(command)
    return command


def read_options(given: dict[str, Any]) -> dict[str, Any]:
    """Take the reading options out of a command's options, as ``read`` has them."""
    options = {name: value for name in ("top", "encoding") if (value := given.pop(name)) is not None}
    for flag in ("ties", "wide", "labels"):
        if given.pop(flag):
            options[flag] = True
    scale = given.pop("scale")
    if scale:
        options["scale"] = scale
    rename = given.pop("rename")
    if rename:
        options["rename"] = dict(split(pair, "--rename takes OLD=NEW.") for pair in rename)
    criteria = given.pop("criteria")
    if criteria:
        options["criteria"] = [c.strip() for c in criteria.split(",")]
    options |= dict(split(pair, "--input-option takes NAME=VALUE.") for pair in given.pop("input_options"))
    options["kind"] = given.pop("kind")
    options["format"] = given.pop("input_format")
    return options


def split(pair: str, hint: str) -> tuple[str, str]:
    """The two sides of OLD=NEW."""
    old, eq, new = pair.partition("=")
    if not eq:
        raise click.UsageError(hint)
    return old, new


def answering(command: F) -> F:
    """Options for how an answer is computed and shown."""
    for option in (OUT, SECONDS, LEVEL, PERMUTATIONS, RESAMPLES, SEED, ABSENT, OVER, FORMAT, TASKS, METHODS):
        command = option(command)
    return command


def methods_of(kind: str, question: str, methods: tuple[str, ...], preset: dict[str, Any]) -> list[Any]:
    """The methods named, or the cell's defaults, with the parameters of ``preset`` where the text left them open."""
    from quorate import table

    chosen = [table.parse(m, kind, question) for m in methods] or table.methods(kind, question, default=True)
    given = {name: value for name, value in preset.items() if value is not None}
    for name in given:
        if not any(m.has(name) for m in chosen):
            having = [d.name for d in table.declarations(kind, question) if name in d.parameters]
            whose = f"; {', '.join(having)} would" if having else ""
            click.echo(f"Note: none of these methods takes {name}{whose}.", err=True)
    return [m.with_default(**given) for m in chosen]


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Tells how far long work has come: a bar on a terminal, shown once a second has passed."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda what, done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
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
    """The panel in the files, or the part of it that was asked for."""
    from quorate.formats import read

    panel = read(*files, **{k: v for k, v in options.items() if v is not None})
    if not tasks:
        return panel
    known = {str(t): t for t in panel.tasks}
    for task in tasks:
        if task not in known:
            raise UnknownId(f"no task '{task}'.", suggest(task, known, "The panel's tasks"))
    return panel.select(tasks=[known[t] for t in tasks])


def show(answer: Any, output: str, out: str | None) -> None:
    """Print an answer, or write it to a file, in the format asked for."""
    if output == "json":
        write_out(answer.to_json() + "\n", out)
    elif output == "csv":
        write_out(answer.to_csv(), out)
    else:
        from quorate.document.layout import document

        show_blocks(document(answer), out)


def show_blocks(what: Any, out: str | None = None, *, all_rows: bool = False) -> None:
    """Print blocks, in colour on a terminal, or write them to a file."""
    from quorate.document.terminal import ROWS, in_colour, render

    rows = sys.maxsize if all_rows else ROWS
    text = render(what, text_width(out), colour=not out and in_colour(), rows=rows)
    if out:
        write_out(text, out)
    else:
        click.echo(text, nl=False)  # in the terminal's own encoding


def write_out(text: str, out: str | None) -> None:
    """To a file or to standard output, in UTF-8."""
    if out:
        from quorate.formats.files import Sink

        with Sink(out).text() as file:
            file.write(text)
    else:
        click.echo(text.encode("utf-8", "backslashreplace"), nl=False)


def text_width(out: str | None) -> int:
    """How wide text is: as the page for standard output, always the same in a file."""
    from quorate.document.terminal import USUAL, page_width

    return USUAL if out else page_width()
