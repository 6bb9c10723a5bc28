"""One command per question."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import (
    answering,
    load,
    methods_of,
    progress,
    read_options,
    reading,
    reading_options,
    show,
    show_blocks,
    text_width,
    write_out,
)
from quorate.cli.systems import systems_of
from quorate.errors import InputError


def _write(found: Any, output: str, out: str | None) -> None:
    """What has a text, JSON and CSV of its own."""
    made = {"json": lambda: found.to_json() + "\n", "csv": found.to_csv}
    write_out(made[output]() if output in made else found.text(text_width(out)), out)


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
    from quorate import table
    from quorate import verbs as ask

    output, out, view = given.pop("output"), given.pop("out"), given.pop("view")
    length, limit = given.pop("length"), given.pop("limit")
    preset = {k: given.pop(k) for k in ("gamma", "lam", "q", "missing")}
    if preset["q"] is not None:
        preset["q"] = replace(table.quorum(""), name="q").read(preset["q"])
    kept = given.pop("criteria_kept")
    panel = load(files, tasks, read_options(given))
    panel = panel.select(criterion=kept) if kept else panel
    chosen = methods_of(panel.kind, "agreement", methods, preset)
    if view:
        _show_view(panel, view, chosen, output, out, length, limit)
        return
    with progress() as tell:
        answer = ask.agreement(panel, *chosen, progress=tell, **given)
    show(answer, output, out)


def _show_view(
    panel: Any, view: str, chosen: list[Any], output: str, out: str | None, length: int | None, limit: int
) -> None:
    """Another view of agreement, as text or JSON."""
    from quorate.cli import views
    from quorate.inference.results import clean

    found = list(views.views(panel, view, chosen, length, limit))
    if output == "csv":
        raise InputError(f"--show {view} has no CSV form.", "use --format json.")
    if output == "json":
        rows = [clean(data) for data, _ in found]
        write_out(json.dumps(rows, ensure_ascii=False, indent=1, default=str) + "\n", out)
    elif view == "graph":
        write_out(views.graph_text(data for data, _ in found), out)
    else:
        show_blocks([block for _, blocks in found for block in blocks], out, all_rows=True)


@main.command()
@answering
@click.option("--weights", type=click.Choice(["uniform", "agreement"]), help="What a judge counts; see the methods.")
@click.option("--without-outliers", is_flag=True, help="Leave out judges who share little of what most share.")
@click.option("--missing", type=click.Choice(["unknown", "below"]), help="What an absent item means.")
@click.option("--candidates", type=click.Path(), help="Hold the orders in this file, and ours, against the judges.")
@reading
def consensus(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """What do the judges agree on? An --out that names a format of orderings gets the orders themselves."""
    from quorate import verbs as ask
    from quorate.cli.orders import evaluation, write_orders

    output, out, candidates = given.pop("output"), given.pop("out"), given.pop("candidates")
    preset = {"weights": given.pop("weights"), "outliers": "drop" if given.pop("without_outliers") else None}
    preset["missing"] = given.pop("missing")
    options = read_options(given)
    panel = load(files, tasks, dict(options))
    chosen = methods_of(panel.kind, "consensus", methods, preset)
    if candidates:
        found = evaluation(panel, candidates, chosen, options)
        _write(found, output, out)
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
    from quorate import verbs as ask

    output, out, models = given.pop("output"), given.pop("out"), given.pop("models")
    kept, preset = given.pop("criteria_kept"), {"same": given.pop("same"), "limit": given.pop("limit_words")}
    compare = given.pop("compare")
    panel = load(files, tasks, read_options(given))
    panel = panel.select(criterion=kept) if kept else panel
    if compare:
        from quorate.cli.grouping_views import comparison

        _write(comparison(panel, compare), output, out)
        return
    if models:
        from quorate.scores.alternative import with_models

        panel = with_models(panel, [m.strip() for m in models.split(",")])
    chosen = methods_of(panel.kind, "judges", methods, preset)
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
@click.argument("systems", metavar="[SYSTEMS]...", nargs=-1)
def quality(
    judgments: str, systems: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any
) -> None:
    """How good are systems, according to the judges? SYSTEMS are files like JUDGMENTS, their judges are the systems.

    Scores need no SYSTEMS: their systems are in the column 'system', or else are the items. Votes are between systems.
    """
    from quorate import table
    from quorate import verbs as ask

    output, out, per_task = given.pop("output"), given.pop("out"), given.pop("per_task")
    explain, most = given.pop("explain"), given.pop("most")
    options = read_options(given)
    panel = load((judgments,), tasks, options)
    if not systems and panel.kind not in ask.SYSTEMS_INSIDE:
        raise click.UsageError(f"Missing argument 'SYSTEMS': {panel.kind} need a file of the systems' lists.")
    if not systems and explain:
        raise click.UsageError("--explain needs SYSTEMS: it shows what a system's list keeps and breaks.")
    lists: Any = systems_of(systems, tasks, options) if systems else None
    chosen = [table.parse(m, panel.kind, "quality") for m in methods]
    if explain and lists is not None and panel.kind == lists.kind == "groupings":
        from quorate.cli.grouping_views import advice_blocks, advice_csv, advice_json
        from quorate.groupings.moves import explain as explained

        advice = explained(panel, lists, explain)
        if output == "text":
            show_blocks(advice_blocks(advice, most), out, all_rows=True)
        else:
            write_out(advice_json(advice) if output == "json" else advice_csv(advice), out)
        return
    if explain:
        from quorate.cli import pattern_views

        if output == "csv":
            raise InputError("--explain has no CSV form.", "use --format json.")
        method, reasons = pattern_views.explained(panel, lists, explain, chosen, most, given["seed"])
        if output == "json":
            write_out(pattern_views.explanation_json(reasons, explain, method), out)
        else:
            show_blocks(pattern_views.explanation_blocks(reasons, explain, method), out, all_rows=True)
        return
    with progress() as tell:
        answer = ask.quality(panel, lists, *chosen, progress=tell, **given)
    show(answer, output, out)
    if per_task and output == "text" and not out:
        from quorate.document.layout import per_task

        click.echo()
        show_blocks(per_task(answer))


@main.command()
@answering
@click.option("--of", metavar="M", help="The quality method in question, e.g. 'frespa(min_sup=0.5)'; else all of them.")
@click.option("--metrics", type=click.Path(), help="Of scores: a file of automatic metrics, to hold against them.")
@click.option(
    "--systems", multiple=True, type=click.Path(), help="Of orderings: systems' lists, for bootstrap(of=...)."
)
@reading
def trust(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """How far can the result be trusted?"""
    from quorate import verbs as ask
    from quorate.formats import read_metrics

    output, out, metrics = given.pop("output"), given.pop("out"), given.pop("metrics")
    systems = given.pop("systems")
    options = read_options(given)
    panel = load(files, tasks, options)
    beside = read_metrics(metrics, encoding=options.get("encoding")) if metrics else None
    lists = systems_of(systems, tasks, options) if systems else None
    with progress() as tell:
        answer = ask.trust(panel, *methods, metrics=beside, systems=lists, progress=tell, **given)
    show(answer, output, out)
