"""The command line: one command per question, and a few for files. Answers first, then the table.

Exit codes: 0 fine, 2 a mistake in the input or the call.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from quorate.errors import QuorateError, UnknownId, suggest

F = TypeVar("F", bound=Callable[..., Any])


class Group(click.Group):
    """Commands whose users' mistakes end in a message, never in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run, and turn a user's mistake into a message and exit code 2."""
        try:
            return super().invoke(ctx)
        except QuorateError as error:
            click.echo(f"{type(error).__name__}: {error}", err=True)
            sys.exit(2)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            sys.stderr.close()
            sys.exit(0)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="quorate", prog_name="quorate")
def main() -> None:
    """What a panel of judges agrees on, and whether its verdict can be trusted.

    Judges put items in order, in groups, or give them scores; FILE is a table of one row per judge and item, or any
    format that `quorate formats` lists. `-` reads standard input.
    """


def reading(command: F) -> F:
    """The files, and options for reading judgments."""
    return click.argument("files", nargs=-1, required=True, metavar="FILE...")(reading_options(command))


def reading_options(command: F) -> F:
    """Options for reading judgments."""
    for option in (
        click.option("--top", type=click.IntRange(1), help="Of search runs, only the first so many documents."),
        click.option("--ties", is_flag=True, help="In search runs, equal scores are ties (else file order)."),
        click.option("--wide", is_flag=True, help="One column per judge (needs --kind)."),
        click.option("--encoding", help="Text encoding of the files, e.g. latin-1."),
        click.option("--rename", multiple=True, metavar="OLD=NEW", help="Take column OLD of a table for NEW."),
        click.option("--criteria", metavar="A,B,...", help="Columns of a scores table that are criteria."),
        click.option(
            "--kind", type=click.Choice(["orderings", "groupings", "scores"]), help="When columns do not tell."
        ),
        click.option("--input-format", "input_format", metavar="NAME", help="When name and content do not tell."),
    ):
        command = option(command)
    return command


def read_options(given: dict[str, Any]) -> dict[str, Any]:
    """Take the reading options out of a command's options, as ``read`` has them."""
    options = {name: given.pop(name) for name in ("top", "encoding") if given[name] is not None or given.pop(name)}
    for flag in ("ties", "wide"):
        if given.pop(flag):
            options[flag] = True
    rename = given.pop("rename")
    if rename:
        options["rename"] = dict(_split(pair, "--rename takes OLD=NEW.") for pair in rename)
    criteria = given.pop("criteria")
    if criteria:
        options["criteria"] = [c.strip() for c in criteria.split(",")]
    options["kind"] = given.pop("kind")
    options["format"] = given.pop("input_format")
    return options


def _split(pair: str, hint: str) -> tuple[str, str]:
    old, eq, new = pair.partition("=")
    if not eq:
        raise click.UsageError(hint)
    return old, new


def answering(command: F) -> F:
    """Options for how an answer is computed and shown."""
    for option in (
        click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file."),
        click.option(
            "--level", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True, help="Of intervals."
        ),
        click.option(
            "--permutations", type=click.IntRange(0), default=100, show_default=True, help="For what chance gives."
        ),
        click.option("--resamples", type=click.IntRange(100), default=1000, show_default=True, help="For intervals."),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output."),
        click.option(
            "--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True
        ),
        click.option("--task", "tasks", multiple=True, metavar="T", help="Only this task; may be repeated."),
        click.option("--method", "methods", multiple=True, metavar="M", help="See `quorate table`; may be repeated."),
    ):
        command = option(command)
    return command


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Tells how far long work has come: a bar on a terminal, shown once a second has passed."""
    if not sys.stderr.isatty():
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
    elif out:
        write_out(answer.text(), out)
    else:
        from quorate.text import show as show_text

        show_text(answer, console())


def write_out(text: str, out: str | None) -> None:
    """To a file or to standard output, in UTF-8."""
    if out:
        with open(out, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    else:
        click.echo(text, nl=False)


def console() -> Any:
    """Standard output: as wide as the terminal up to 120 columns, 80 elsewhere; colour on a terminal only."""
    from rich.console import Console

    plain = Console()
    width = min(plain.width, 120) if sys.stdout.isatty() else 80
    return Console(width=width, highlight=False, markup=False)


@main.command()
@answering
@click.option("--gamma", type=float, help="For methods that have it and do not set it.")
@click.option("--lam", type=float, help="For methods that have it and do not set it.")
@click.option("--q", type=str, help="Quorum for methods that have one: a count (6) or a share (0.5).")
@click.option("--missing", type=click.Choice(["unknown", "below", "top-k"]), help="What an absent item means.")
@click.option(
    "--show",
    "view",
    type=click.Choice(["matrix", "patterns", "graph", "surface"]),
    help="Instead of the figures: every two judges; the patterns or the order (DOT) that all share; gamma x lam.",
)
@click.option("--length", type=click.IntRange(1), help="With --show patterns: their length.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="With --show patterns: how many.")
@click.option("--criterion", "criteria_kept", multiple=True, metavar="C", help="Of scores only this criterion.")
@reading
def agreement(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """How much do the judges agree?"""
    from quorate import ask, table

    output, out, view = given.pop("output"), given.pop("out"), given.pop("view")
    length, limit = given.pop("length"), given.pop("limit")
    preset = {k: given.pop(k) for k in ("gamma", "lam", "q", "missing")}
    if preset["q"] is not None:
        preset["q"] = table.quorum("").read(preset["q"])
    kept = given.pop("criteria_kept")
    panel = load(files, tasks, read_options(given))
    panel = panel.select(criterion=kept) if kept else panel
    chosen = [table.parse(m, panel.kind, "agreement") for m in methods]
    chosen = chosen or table.methods(panel.kind, "agreement", default=True)
    chosen = [m.with_default(**{k: v for k, v in preset.items() if v is not None}) for m in chosen]
    if view:
        from quorate.views import view_text

        write_out(view_text(panel, view, chosen, output, length, limit), out)
        return
    with progress() as tell:
        answer = ask.agreement(panel, *chosen, progress=tell, **given)
    show(answer, output, out)


@main.command()
@answering
@click.option("--weights", type=click.Choice(["uniform", "agreement"]), help="What a judge counts; see the methods.")
@click.option("--without-outliers", is_flag=True, help="Leave out judges who share little of what most share.")
@click.option("--missing", type=click.Choice(["unknown", "below"]), help="What an absent item means.")
@click.option("--candidates", type=click.Path(), help="Hold the orders in this file, and ours, against the judges.")
@reading
def consensus(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """What do the judges agree on? An --out that names a format of orderings gets the orders themselves."""
    from quorate import ask, table
    from quorate.verdicts import evaluation, write_orders

    output, out, candidates = given.pop("output"), given.pop("out"), given.pop("candidates")
    preset = {"weights": given.pop("weights"), "outliers": "drop" if given.pop("without_outliers") else None}
    preset["missing"] = given.pop("missing")
    options = read_options(given)
    panel = load(files, tasks, dict(options))
    chosen = [table.parse(m, panel.kind, "consensus") for m in methods]
    chosen = chosen or table.methods(panel.kind, "consensus", default=True)
    chosen = [m.with_default(**{k: v for k, v in preset.items() if v is not None}) for m in chosen]
    if candidates:
        found = evaluation(panel, candidates, chosen, options)
        write_out({"json": lambda: found.to_json() + "\n", "csv": found.to_csv, "text": found.text}[output](), out)
        return
    with progress() as tell:
        answer = ask.consensus(panel, *chosen, progress=tell, **given)
    if out is None or output != "text" or not write_orders(answer, out):
        show(answer, output, out)


@main.command()
@answering
@click.option("--criterion", "criteria_kept", multiple=True, metavar="C", help="Of scores only this criterion.")
@click.option("--same", type=click.Choice(["repeats", "text", "id"]), help="What makes outputs identical.")
@click.option("--limit-words", type=click.IntRange(1), help="Words of a text that judges saw, for --same text.")
@click.option("--models", metavar="A,B,...", help="Judges that are models; the others are human.")
@click.option("--compare", metavar="A,B", help="Of groupings: what to change in A's groups to get B's.")
@reading
def judges(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """Who is off? Each judge against the others, worst first."""
    from quorate import ask, table

    output, out, models = given.pop("output"), given.pop("out"), given.pop("models")
    kept, preset = given.pop("criteria_kept"), {"same": given.pop("same"), "limit": given.pop("limit_words")}
    compare = given.pop("compare")
    panel = load(files, tasks, read_options(given))
    panel = panel.select(criterion=kept) if kept else panel
    if compare:
        from quorate.grouping_layouts import comparison_text

        write_out(comparison_text(panel, compare, output), out)
        return
    if models:
        from quorate.scores.alternative import with_models

        panel = with_models(panel, [m.strip() for m in models.split(",")])
    chosen = [table.parse(m, panel.kind, "judges") for m in methods]
    chosen = chosen or table.methods(panel.kind, "judges", default=True)
    chosen = [m.with_default(**{k: v for k, v in preset.items() if v is not None}) for m in chosen]
    with progress() as tell:
        answer = ask.judges(panel, *chosen, progress=tell, **given)
    show(answer, output, out)


@main.command()
@answering
@click.option("--per-task", is_flag=True, help="Show every task too.")
@click.option("--explain", metavar="SYSTEM", help="Instead: the heaviest patterns that its lists keep and break.")
@click.option("--most", type=click.IntRange(1), default=10, show_default=True, help="With --explain: patterns of each.")
@reading_options
@click.argument("judgments", metavar="JUDGMENTS")
@click.argument("systems", metavar="[SYSTEMS]", required=False)
def quality(
    judgments: str, systems: str | None, methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any
) -> None:
    """How good are systems by the judges' lights? SYSTEMS is a file like JUDGMENTS, its judges are the systems.

    Scores need no SYSTEMS: their systems are in the column 'system', or else are the items.
    """
    from quorate import ask, table

    output, out, per_task = given.pop("output"), given.pop("out"), given.pop("per_task")
    explain, most = given.pop("explain"), given.pop("most")
    options = read_options(given)
    panel = load((judgments,), tasks, options)
    if systems is None and panel.kind != "scores":
        raise click.UsageError(f"Missing argument 'SYSTEMS': {panel.kind} need a file of the systems' lists.")
    if systems is None and explain:
        raise click.UsageError("--explain needs SYSTEMS: it shows what a system's list keeps and breaks.")
    lists: Any = None if systems is None else load((systems,), (), options)
    if lists is not None and tasks:
        shared = [t for t in lists.tasks if str(t) in tasks]
        if not shared:
            hint = suggest("", map(str, lists.tasks), "There are lists on")
            raise UnknownId(f"no system has a list on {', '.join(tasks)}.", hint)
        lists = lists.select(tasks=shared)
    chosen = [table.parse(m, panel.kind, "quality") for m in methods]
    if explain and lists is not None and panel.kind == lists.kind == "groupings":
        from quorate.groupings.moves import explain as explained
        from quorate.partition_layouts import advice_text

        write_out(advice_text(explained(panel, lists, explain), output, most), out)
        return
    if explain:
        from quorate.pattern_views import explanation_text

        write_out(explanation_text(panel, lists, explain, chosen, output, most), out)
        return
    with progress() as tell:
        answer = ask.quality(panel, lists, *chosen, progress=tell, **given)
    show(answer, output, out)
    if per_task and output == "text" and not out:
        from quorate.layouts import by_task

        for piece in by_task(answer, console().width):
            console().print(piece)


@main.command()
@click.option("--min-sup", type=click.FloatRange(0, 1), default=0.75, show_default=True, help="Share of the judges.")
@click.option("--min-len", type=click.IntRange(1), default=2, show_default=True, help="Items, at least.")
@click.option("--max-len", type=click.IntRange(1), help="Items, at most.")
@click.option("--which", type=click.Choice(["all", "maximal", "closed"]), default="all", show_default=True)
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many are shown.")
@click.option("--task", "tasks", multiple=True, metavar="T", help="Only this task; may be repeated.")
@click.option("--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
@reading
def patterns(files: tuple[str, ...], tasks: tuple[str, ...], output: str, out: str | None, **given: Any) -> None:
    """The subsequences that most judges share, with how many do; the heaviest first."""
    from quorate import pattern_views

    panel = load(files, tasks, read_options(given))
    write_out(pattern_views.patterns_text(pattern_views.patterns(panel, **given), given["which"], output), out)


@main.command()
@answering
@click.option("--of", metavar="M", help="The quality method in question, e.g. 'frespa(min_sup=0.5)'; else all of them.")
@click.option("--metrics", type=click.Path(), help="Of scores: a file of automatic metrics, to hold against them.")
@reading
def trust(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """Can the verdict be believed?"""
    from quorate import ask
    from quorate.formats import read_metrics

    output, out, metrics = given.pop("output"), given.pop("out"), given.pop("metrics")
    options = read_options(given)
    panel = load(files, tasks, options)
    beside = read_metrics(metrics, encoding=options.get("encoding")) if metrics else None
    with progress() as tell:
        answer = ask.trust(panel, *methods, metrics=beside, progress=tell, **given)
    show(answer, output, out)


@main.command("table")
@click.option("--kind", type=click.Choice(["orderings", "groupings", "scores"]))
@click.option("--question", type=click.Choice(["agreement", "judges", "consensus", "quality", "trust"]))
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def table_command(kind: str | None, question: str | None, output: str) -> None:
    """Kinds x questions: which methods there are, and their parameters."""
    from quorate import table
    from quorate.views import method_table

    if output == "json":
        found = table.declarations(kind, question)
        rows = [
            {
                "kind": d.kind,
                "question": d.question,
                "method": d.signature,
                "summary": d.summary,
                "range": [None if abs(x) == float("inf") else x for x in d.range],
                "default": d.default,
                "parameters": {n: {"meaning": p.meaning, "rule": p.rule()} for n, p in d.parameters.items()},
                "reference": d.reference,
            }
            for d in found
        ]
        click.echo(json.dumps(rows, indent=1))
    else:
        for piece in method_table(kind, question):
            console().print(piece)


@main.command()
@reading
@click.argument("target", metavar="OUT")
@click.option("--output-format", metavar="NAME", help="When the name of OUT does not tell.")
def convert(files: tuple[str, ...], target: str, output_format: str | None, **given: Any) -> None:
    """Read judgments in one format and write them in another; `-` is standard input or output."""
    from quorate.formats import write

    panel = load(files, (), read_options(given))
    write(panel, target, format=output_format)
    for note in panel.notes:
        click.echo(f"Note: {note}.", err=True)
    if target != "-":
        click.echo(f"{target}: {panel!r}", err=True)


@main.command()
@click.option("--rule", "rules", multiple=True, metavar="R", help="Only this rule; may be repeated.")
@click.option("--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
@reading
def check(files: tuple[str, ...], rules: tuple[str, ...], output: str, out: str | None, **given: Any) -> None:
    """Do the judges' clusters keep the guidelines? Says what to mend; exit code 1 when there is something.

    A cluster has at least two items, from at least two sources (column source); left-out items are explicit; a cluster
    has one label (column label) and a rank (column importance). An item in two clusters is an error of the file.
    """
    from quorate.groupings.guidelines import RULES, check_panel
    from quorate.partition_layouts import check_text

    found = check_panel(load(files, (), read_options(given)), rules or tuple(RULES))
    write_out(check_text(found, output), out)
    if found.breaches:
        sys.exit(1)


@main.command()
@click.argument("documents", nargs=-1, required=True, metavar="DOCS...")
@click.argument("target", metavar="OUT")
@click.option("--low", type=click.IntRange(1), default=150, show_default=True, help="Sentences to aim at, at least.")
@click.option("--high", type=click.IntRange(1), default=200, show_default=True, help="And at most.")
@click.option("--most", type=click.IntRange(1), default=15, show_default=True, help="Documents, at most.")
@click.option("--language", default="en", show_default=True, help="Of the texts, for splitting them.")
def sentences(documents: tuple[str, ...], target: str, **given: Any) -> None:
    """Documents (plain text, JSON Lines or folders) to a set of sentences for judges to cluster: OUT.csv or OUT.jsonl.

    Documents of one day are preferred, then shorter ones. Says why each document was taken or not.
    """
    from quorate.groupings.documents import read_documents
    from quorate.groupings.sentence_sets import build_sentence_set
    from quorate.partition_layouts import set_text

    found = build_sentence_set(read_documents(*documents), **given)
    lines = target.lower().endswith((".jsonl", ".ndjson"))
    write_out(found.to_json_lines() if lines else found.to_csv(), None if target == "-" else target)
    click.echo(set_text(found), nl=False, err=target == "-")


@main.command("formats")
def formats_command() -> None:
    """The file formats that can be read and written."""
    from quorate.formats import FORMATS
    from quorate.text import plain_table

    table = plain_table()
    for column in ("format", "extensions", "kinds", "what it is"):
        table.add_column(column, overflow="fold")
    for f in FORMATS:
        table.add_row(f.name, " ".join(f.extensions), ", ".join(f.kinds), f.description)
    console().print(table)


@main.command()
@click.argument("target", metavar="OUT")
@click.option("--model", type=click.Choice(["mallows", "plackett_luce"]), default="mallows", show_default=True)
@click.option("--judges", type=click.IntRange(1), default=10, show_default=True, help="Who look for the true order.")
@click.option("--items", type=click.IntRange(1), default=9, show_default=True, help="Numbered in the true order.")
@click.option("--tasks", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--dispersion", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Of mallows: 0 equal, 1 random."
)
@click.option(
    "--steepness", type=click.FloatRange(0), default=1.0, show_default=True, help="Of plackett_luce: 0 random."
)
@click.option("--random", type=click.IntRange(0), default=0, show_default=True, help="Judges who order at random.")
@click.option("--reversed", type=click.IntRange(0), default=0, show_default=True, help="Who give the reverse.")
@click.option("--lazy", type=click.IntRange(0), default=0, show_default=True, help="Who copy the first judge.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same judges.")
@click.option("--output-format", metavar="NAME", help="When the name of OUT does not tell.")
def simulate(target: str, output_format: str | None, **given: Any) -> None:
    """Simulated judges, for planning a study; `-` is standard output."""
    from quorate.formats import write
    from quorate.orderings.simulate import simulate as simulated

    panel = simulated(**given)
    write(panel, target, format=output_format)
    if target != "-":
        click.echo(f"{target}: {panel!r}", err=True)


@main.command()
@click.option("--alpha", type=click.FloatRange(0, 0.99), help="Reliability expected; else that of FILE, or 0.7.")
@click.option("--width", type=click.FloatRange(0.001, 1.99), default=0.2, show_default=True, help="Of the interval.")
@click.option("--points", type=click.IntRange(0), help="Of the scale, 0 continuous; else those of FILE, or 5.")
@click.option("--deviation", type=click.FloatRange(0), help="Of a system's scores from task to task, in points.")
@click.option("--studies", type=click.IntRange(100), default=1000, show_default=True, help="Simulated for each size.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@reading_options
@click.argument("files", nargs=-1, metavar="[FILE]...")
def plan(files: tuple[str, ...], output: str, alpha: float | None, points: int | None, **given: Any) -> None:
    """How large must a study of scores be? Planted duplicates, items and tasks for intervals of a given width.

    FILE is a pilot study: what to expect is then taken from it.
    """
    from quorate.scores import plan as planner

    options = read_options(given)
    if files:
        seen = planner.pilot(load(files, (), {**options, "kind": options["kind"] or "scores"}))
        alpha, points = seen[0] if alpha is None else alpha, seen[1] if points is None else points
    found = planner.plan(0.7 if alpha is None else alpha, points=5 if points is None else points, **given)
    click.echo(json.dumps(found.to_dict(), indent=1) if output == "json" else found.text(), nl=output == "json")


@main.group()
def pyramid() -> None:
    """Content units: pyramid scores and shares, what annotators missed, and how published scores were rounded."""


def units_options(command: F) -> F:
    """Options for reading content units, and for how pyramid scores are computed and shown."""
    for option in (
        click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file."),
        click.option(
            "--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True
        ),
        click.option("--header", help="Regular expression for where models begin, when files have none."),
        click.option("--rename", multiple=True, metavar="OLD=NEW", help="Take column OLD of a table for NEW."),
        click.option(
            "--judges", "who", type=click.Path(exists=True), help="Table manual.peer, or lines of task[, item], judge."
        ),
        click.option(
            "--weight", type=click.Choice(["contributors", "models"]), default="contributors", show_default=True
        ),
        click.option(
            "--rounding",
            type=click.Choice(["half_up", "floor", "ceil", "interpolate"]),
            default="half_up",
            show_default=True,
            help="Of the contributors of an average model.",
        ),
    ):
        command = option(command)
    return command


def load_units(files: tuple[str, ...], given: dict[str, Any]) -> Any:
    """The table of content units in the files."""
    from quorate.units.reading import read_judges, read_units

    who, rename = given.pop("who"), dict(_split(pair, "--rename takes OLD=NEW.") for pair in given.pop("rename"))
    return read_units(*files, judges=read_judges(who) if who else None, header=given.pop("header"), rename=rename)


def show_units(found: Any, output: str, out: str | None, **how: Any) -> None:
    """Print or write what was found about content units."""
    made = {
        "json": lambda: found.to_json(**how) + "\n",
        "csv": lambda: found.to_csv(**how),
        "text": lambda: found.text(**how),
    }
    write_out(made[output](), out)


@pyramid.command("score")
@units_options
@click.option(
    "--scheme", metavar="NAME", help="Shares: share, strict_share, rubric, strict_rubric, vital, vital_strict."
)
@click.option("--cap", is_flag=True, help="Modified scores above 1 are 1, as in DUCView 1.5.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_score(files: tuple[str, ...], output: str, out: str | None, seed: int, **given: Any) -> None:
    """Scores of items from their content units; FILE is a .pan, a folder of them, or a table unit, item, support."""
    from quorate.units.scored import scored

    show_units(scored(load_units(files, given), **given), output, out, seed=seed)


@pyramid.command("auto")
@units_options
@click.option("--sources", type=click.Choice(["peers", "pyramid", "both"]), default="peers", show_default=True)
@click.option("--match", type=click.Choice(["ducview", "normalised"]), default="ducview", show_default=True)
@click.option("--multi-part", type=click.Choice(["skip", "all-parts"]), default="skip", show_default=True)
@click.option("--uid0", type=click.Choice(["ignore", "block"]), default="ignore", show_default=True)
@click.option("--by", type=click.Choice(["same", "all"]), default="same", show_default=True, help="Whose strings.")
@click.option(
    "--teams", type=click.Path(exists=True), help="Lines of item, team: strings of a team are not used for it."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_auto(
    files: tuple[str, ...], output: str, out: str | None, teams: str | None, seed: int, **given: Any
) -> None:
    """What annotators missed: strings accepted elsewhere; manual minus automatic scores by judge. CSV: the strings."""
    from quorate.units.auto import auto_pyramid
    from quorate.units.reading import read_judges

    if teams:
        given |= {"teams": read_judges(teams), "leave_out": "team"}
    show_units(auto_pyramid(load_units(files, given), **given), output, out, seed=seed)


@pyramid.command("calibrate")
@click.option("--header", help="Regular expression for where models begin, when files have none.")
@click.option("--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.argument("pans", nargs=-1, required=True, metavar="PAN...")
@click.argument("published", metavar="PUBLISHED")
def pyramid_calibrate(pans: tuple[str, ...], published: str, header: str | None, output: str) -> None:
    """Which rounding rule gave the PUBLISHED scores: lines of task, item, score, or NIST's manual.peer."""
    from dataclasses import asdict

    from quorate.units.calibrate import calibrate, read_published
    from quorate.units.reading import read_units
    from quorate.units.scored import lines, rules_text

    rules = calibrate(read_units(*pans, header=header), read_published(published))
    rows = [asdict(rule) for rule in rules]
    texts = {"text": lambda: rules_text(rules), "csv": lambda: lines(rows)}
    write_out(texts.get(output, lambda: json.dumps({"rules": rows}, indent=1) + "\n")(), None)


@main.command("rouge")
@click.argument("setup", required=False, metavar="[SETUP.xml]", type=click.Path(exists=True, dir_okay=False))
@click.option("--peers", type=click.Path(exists=True), help="Table of task, system, text; with --models.")
@click.option("--models", type=click.Path(exists=True), help="Table of task, model, text.")
@click.option("--n", type=click.IntRange(1, 9), default=4, show_default=True, help="ROUGE-1 to this, then L, W, SU4.")
@click.option("--rouge", "kinds", multiple=True, metavar="R", help="Only this: 2, L, W-1.2, SU*, ...; may be repeated.")
@click.option("--by", metavar="R_X", help="What the leaderboard is by: ROUGE-2_R unless told.")
@click.option("--stem", is_flag=True, help="Porter's stemmer (-m).")
@click.option("--exceptions", type=click.Path(exists=True), help="Lines of word, stem that go before the stemmer.")
@click.option("--stop-words", is_flag=True, help="Leave out English function words (-s).")
@click.option("--stop-words-file", type=click.Path(exists=True), help="Leave out these.")
@click.option("--unicode", is_flag=True, help="Letters of all scripts; else, as ROUGE does, a-z and 0-9 only.")
@click.option("--references", "mode", type=click.Choice(["pooled", "best"]), default="pooled", help="-f A or -f B.")
@click.option("--jackknife", is_flag=True, help="Mean over leaving out one reference after the other.")
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Of F: 1 precision (-p).")
@click.option("--limit-words", type=click.IntRange(1), help="Only so many words of every text (-l).")
@click.option("--limit-bytes", type=click.IntRange(1), help="Only so many bytes (-b).")
@click.option("--format", "output", type=click.Choice(["text", "json", "csv", "perl"]), default="text")
@click.option("--level", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True, help="Of intervals (-c).")
@click.option("--resamples", type=click.IntRange(100), default=1000, show_default=True, help="For intervals (-r).")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
@click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
def rouge_command(setup: str | None, output: str, out: str | None, **given: Any) -> None:
    """ROUGE of systems' summaries against models; SETUP.xml as for ROUGE-1.5.5, or tables of texts.

    `--format perl` prints the lines of ROUGE-1.5.5.
    """
    from quorate.rouge.command import scored

    write_out(scored(setup, given.pop("peers"), given.pop("models"), output, **given), out)


@main.command()
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
def demo(seed: int) -> None:
    """Real rankings from a paper: what Google and Bing agree on about James Bond films, and the answer explained."""
    from quorate.demo import run

    run(console(), seed)


if __name__ == "__main__":
    main()
