"""The group of all commands, and how a user's mistake ends: a message and exit code 2, never a traceback."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import click

from quorate.errors import QuorateError
from quorate.table import QUESTIONS

# Small matrices are multiplied by the thousand here: on a busy machine threads mostly wait for one another, and the
# last digit would depend on how many there are. Said before numpy is loaded; who has set it keeps it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

PARAMETERS, FOUND = "quorate.parameters", "quorate.found"  # of methods, in the context of a call: texts, options
FILES = ("FILE", "PATH")  # what the help calls files that are read


SECTIONS = ("Statistics", "Very many rows", "Reading the files")  # of options in the help, after a command's own
F = TypeVar("F", bound=Callable[..., Any])


def under(title: str, *options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Several options at once, shown in this order below a title in the help; they are made once for all commands."""
    made: list[Any] = []

    def add(command: F) -> F:
        if not made:
            made.extend(_parameters(title, options))
        command.__click_params__ = [*getattr(command, "__click_params__", ()), *made]  # type: ignore[attr-defined]
        return command

    return add


def _parameters(title: str, options: Sequence[Callable[[Any], Any]]) -> list[Any]:
    """The parameters that decorators add to a command, the last first, each with its title."""

    def command() -> None:
        """Nothing but these options."""

    for option in reversed(options):
        option(command)
    made: list[Any] = command.__click_params__  # type: ignore[attr-defined]
    for parameter in made:
        parameter.section = title
    return made


class Command(click.Command):
    """A command that says before the work, not after it, that its answer cannot be written where it should be."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options first, then those that many commands have, below titles."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for p in self.get_params(ctx):
            record = p.get_help_record(ctx) if isinstance(p, click.Option) else None
            if record is not None:
                rows.setdefault(getattr(p, "section", "Options"), []).append(record)
        for title in ("Options", *SECTIONS):
            if title in rows:
                with formatter.section(title):
                    formatter.write_dl(rows[title])

    def invoke(self, ctx: click.Context) -> Any:
        """Run, once --out can be written and is another file than those that are read."""
        out = ctx.params.get("out")
        if out and out != "-":
            writable(out)
            for name in (p.name for p in self.params if p.name != "out" and _is_file(p)):
                given = ctx.params.get(name or "") or ()
                for one in (given,) if isinstance(given, str) else given:
                    if os.path.isfile(one) and os.path.exists(out) and os.path.samefile(one, out):
                        raise click.UsageError(f"--out {out}: the command reads this file. Write to another one.", ctx)
        return super().invoke(ctx)


class Question(Command):
    """A question: every parameter of its methods is an option too, such as --gamma 0.9 or --min-sup 0.5.

    Which these are the registry knows; it is asked only where an option is none of the command's own.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        listed = f"quorate table --question {self.name}" if self.name in QUESTIONS else "quorate table"
        self.epilog = f"Parameters of methods are options too, such as --gamma 0.9: `{listed}`."

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, with the parameters that are named among the arguments as options."""
        own = {o for p in self.params for o in (*p.opts, *p.secondary_opts)} | set(ctx.help_option_names)
        before = args[: args.index("--")] if "--" in args else args
        words = dict.fromkeys(word.partition("=")[0] for word in before if word.startswith("--"))
        ctx.meta[PARAMETERS] = {}
        ctx.meta[FOUND] = [_parameter(word) for word in words if word not in own and self._is_parameter(word)]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's options, and the parameters that this call names."""
        return [*super().get_params(ctx), *ctx.meta.get(FOUND, [])]

    def _is_parameter(self, word: str) -> bool:
        from quorate.table import declarations

        name = word.removeprefix("--").replace("-", "_")
        asked = self.name if self.name in QUESTIONS else None  # of a command about several, all
        return any(name in d.parameters for d in declarations(question=asked))


def _parameter(word: str) -> click.Option:
    """A parameter of methods as an option: its text is kept for the methods to read."""

    def keep(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
        if value is not None:
            ctx.meta[PARAMETERS][parameter.name] = value

    return click.Option([word], callback=keep, expose_value=False)


def _is_file(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument) or isinstance(parameter.type, click.Path) or parameter.metavar in FILES


def writable(out: str) -> None:
    """An error if a file cannot be written: no folder, or no permission."""
    folder = os.path.dirname(out) or "."
    if not os.path.isdir(folder):
        raise click.UsageError(f"{out}: there is no folder {folder}. Make it, or write elsewhere with --out.")
    if not os.access(out if os.path.exists(out) else folder, os.W_OK):
        raise click.UsageError(f"{out}: no permission to write there. Write elsewhere with --out.")


class Group(click.Group):
    """Commands whose users' mistakes end in a message, never in a traceback."""

    group_class = type  # groups of commands inside are the same
    command_class = Command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The questions first; each command with the whole first sentence of its help, which click would cut off."""
        said = {name: _first_sentence(command.help or "") for name, command in self.commands.items()}
        questions = [(name, said.pop(name)) for name in QUESTIONS if name in said]
        for title, rows in (("The five questions", questions), ("Commands", sorted(said.items()))):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run, and turn a user's mistake into a message and exit code 2."""
        if sys.stdout is None:
            sys.stdout = _Closed()
        if hasattr(sys.stdout, "reconfigure"):  # a name that the terminal has no letters for is no reason to stop
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            with _stoppable():
                return super().invoke(ctx)
        except QuorateError as error:
            from quorate.document.fitting import harmless

            click.echo(harmless(f"{type(error).__name__}: {error}"), err=True)
            sys.exit(2)
        except MemoryError as error:
            click.echo(f"Not enough memory. {error}".strip(), err=True)
            click.echo("\nHint: fewer items, judges or tasks take less, or one --method at a time.", err=True)
            sys.exit(2)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            _hush()
            sys.exit(0)
        except OSError as error:  # such as a disk that is full behind standard output
            said = f": {error.filename}" if error.filename else ""
            click.echo(f"{error.strerror or error}{said}.", err=True)
            click.echo("\nHint: is there room on the disk, and may the file be written?", err=True)
            _hush()
            sys.exit(2)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            sys.exit(130)  # as shells say it


@contextmanager
def _stoppable() -> Iterator[None]:
    """Who is told to stop (SIGTERM, SIGHUP) leaves no half-written file: the signal ends the work as an exit would."""
    caught = []
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _stop)
                caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def _stop(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)  # as shells say it


class _Closed(io.TextIOBase):
    """Standard output that was closed before we began: what needs it is told so."""

    def write(self, text: str) -> int:
        """An error, always."""
        raise OSError(errno.EBADF, "Standard output is closed")


def _hush() -> None:
    """What is still to be written at the end goes nowhere, so that nobody is told of it again."""
    with suppress(OSError):  # a test's standard output has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _first_sentence(text: str) -> str:
    """
    >>> _first_sentence("Who is off? Each judge against the others.")
    'Who is off?'
    """
    return re.split(r"(?<=[.?])\s|;\s|\n\s*\n", text.strip(), maxsplit=1)[0].rstrip(".")


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="quorate", prog_name="quorate")
def main() -> None:
    """What a panel of judges agrees on, and whether its verdict can be trusted.

    Judges put items in order, in groups, give them scores, or vote between two; FILE is a table of one row per judge
    and item, or any format that `quorate formats` lists. `-` reads standard input.
    """
