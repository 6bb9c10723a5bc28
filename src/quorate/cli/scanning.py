"""Options for panels that stay in their files: memory, workers, a checkpoint, a cluster; and the forecast."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from quorate.cli.group import under

F = TypeVar("F", bound=Callable[..., Any])
_GIVEN = "quorate.scan"  # in the context of a call


def _keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value not in (None, False):
        ctx.meta.setdefault(_GIVEN, {})[parameter.name] = value


def _option(*names: str, **more: Any) -> Callable[[F], F]:
    return click.option(*names, expose_value=False, callback=_keep, **more)


OPTIONS = (
    _option("--memory", metavar="SIZE", help="Scan the files instead of reading them, in this much memory, e.g. 2GB."),
    _option("--workers", type=click.IntRange(1), help="Scan the files in this many processes."),
    _option(
        "--checkpoint",
        type=click.Path(file_okay=False),
        help="Keep finished parts in this folder, to go on after a crash.",
    ),
    _option("--skip-bad", is_flag=True, help="Skip damaged parts of the files, and name them."),
    _option("--cluster", metavar="ADDRESS", help="Scan on a Dask cluster: tcp://host:8786, or local:4."),
    _option("--dry-run", is_flag=True, help="Only estimate what it would take: rows, tasks, CPU, memory, draws."),
)


def scanning(command: F) -> F:
    """The options of a scan."""
    return under("Very many rows", *OPTIONS)(command)


def if_it_fits(command: F) -> F:
    """The options of a command that reads all rows of a scan, if they fit."""
    return under("Very many rows", *OPTIONS[:-1])(command)


def scans(files: Sequence[str]) -> bool:
    """Whether the files are to be scanned: an option says so, or a name is a pattern or a URL."""
    import glob

    given = click.get_current_context().meta.get(_GIVEN, {})
    named = any("://" in f or (glob.has_magic(f) and not os.path.exists(f)) for f in files)
    return bool(given) or named


ROWS = ("json", "csv", "jsonl")  # formats with a row for everything that was asked about
LARGE = {  # bytes of files, from which memory may be short
    **dict.fromkeys((".parquet", ".pq"), 5 * 10**5),
    **dict.fromkeys((".csv", ".tsv", ".jsonl", ".ndjson"), 2 * 10**7),
}


def tell_of_memory(files: Sequence[str]) -> None:
    """A note before large files are read that may not fit: whoever runs out of memory is ended without a word."""
    sizes = [os.path.getsize(f) / LARGE.get(os.path.splitext(f)[1], math.inf) for f in files if os.path.isfile(f)]
    if sum(sizes) < 1:
        return
    from quorate.errors import QuorateError
    from quorate.scale.forecast import short_of_memory

    with contextlib.suppress(QuorateError):  # what is wrong with them is told when they are read
        given = *_size(files), *_asked()
        told = short_of_memory(*given)
        if not told and short_of_memory(*given, items=given[0] // 2):  # were they of one task, two judges of each item
            told = short_of_memory(*given, items=_items(files))
        if told:
            click.echo(f"Note: {told}: this may end for want of memory. --memory 2GB stays in the files.", err=True)


def _size(files: Sequence[str]) -> tuple[int, str]:
    """How many rows there are, and of which kind; of Parquet by the process that will decode it, for loading polars
    here as well takes longer than many a file."""
    if all(os.path.splitext(f)[1] in (".parquet", ".pq") for f in files):
        from quorate.formats.parquet import size

        return size(files)
    from quorate.scale import scan

    return scan(*files).size


def _items(files: Sequence[str]) -> int:
    """How many items there are, where all rows are of one task."""
    from quorate.scale import scan

    return int(scan(*files).items)


def scan_of(files: Sequence[str], tasks: Sequence[str], options: dict[str, Any]) -> Any:
    """The files as a scan, or some of its tasks as a panel in memory."""
    from quorate.errors import UnknownId, suggest
    from quorate.scale import scan
    from quorate.scale.files import tasks_in
    from quorate.scale.free_memory import free_memory

    given = {n: v for n, v in click.get_current_context().meta.get(_GIVEN, {}).items() if n != "dry_run"}
    options = {n: v for n, v in options.items() if v is not None and n != "max_bytes"}
    found = scan(*files, **given, **options)
    free = free_memory()
    if free is not None and found.memory > free:
        allowed = f"Note: up to {found.memory / 1e9:.1f} GB of memory may be used, and {free / 1e9:.1f} GB are free"
        click.echo(f"{allowed}: this may end for want of memory. --memory says how much it may be.", err=True)
    if not tasks:
        return found
    known = {str(t): t for t in found.survey.tasks}
    for task in tasks:
        if task not in known:
            raise UnknownId(f"no task '{task}'.", suggest(task, known, "The panel's tasks"))
    return tasks_in(found, [known[t] for t in tasks])


def whole(panel: Any) -> Any:
    """A panel in memory: of a scan all its rows, if they fit; but a report on very many tasks, or judges of one, shows
    some of them."""
    from quorate.panel.base import is_scan

    command, told = _asked()
    if not is_scan(panel):
        return panel
    panel.told = told
    if command == "report" and not panel.fits(command) and panel.sampled:
        return panel
    return panel.whole(f"'{command}' needs all rows at once", command, told)


def _asked() -> tuple[str, bool]:
    """The command's name, and whether it writes all rows of an answer."""
    context = click.get_current_context()
    name = str(context.params.get("out") or "").rpartition(".")[2]
    return context.command.name or "", (context.params.get("output") or name) in ROWS


def named_files(files: Sequence[str]) -> Sequence[str]:
    """The files that are read: of a scan those that patterns name."""
    if not scans(files):
        return files
    from quorate.scale.source import expanded

    return [file for path in files for file in expanded(path)]


def only_told(panel: Any, question: str, methods: Sequence[Any], given: dict[str, Any], output: str) -> bool:
    """Whether only the forecast was asked for; it is printed then. An output that cannot be held is an error."""
    from quorate.panel.base import is_scan

    if not is_scan(panel):
        return False
    from quorate import table
    from quorate.inference.results import Options

    known = {n: v for n, v in given.items() if n in Options.__dataclass_fields__}
    usual, options = table.methods(panel.kind, question, default=True), Options(**known)
    chosen = list(methods) or usual
    if not panel.unscannable and list(map(str, chosen)) == list(map(str, usual)):
        chosen = list(panel.usual(question, usual, options, ())[0])  # less those that are left out
    if click.get_current_context().meta.get(_GIVEN, {}).get("dry_run"):
        from quorate.document.fitting import wrapped
        from quorate.document.terminal import page_width

        click.echo(wrapped(panel.told_before(question, chosen, options), page_width()))
        return True
    if output != "text":
        panel.check_rows(question, chosen, options)
    return False
