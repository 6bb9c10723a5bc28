"""One command per question."""

from __future__ import annotations

from typing import Any

import click

from quorate import table
from quorate.cli.group import Question, main
from quorate.cli.scanning import only_told, whole
from quorate.cli.shared import (
    answering,
    has_parameters,
    load,
    methods_of,
    progress,
    read_options,
    reading,
    reading_options,
    show,
    show_blocks,
    write_out,
)
from quorate.cli.systems import systems_of


def show_surface(
    panels: Any, methods: tuple[str, ...], view: str, output: str, out: str | None, given: dict[str, Any]
) -> None:
    """A method over two of its parameters, or over one (a curve); --out PAGE.html gets the picture."""
    from quorate.surfaces import surface

    kind = (next(iter(panels.values())) if isinstance(panels, dict) else panels).kind
    if len(methods) > 1:
        raise click.UsageError(f"--show {view} is of one --method.")
    text = methods[0] if methods and "|" in methods[0] else None
    usual = [] if methods or kind != "orderings" else [table.parse("kappa", kind, "agreement")]
    method = text or methods_of(kind, "agreement", methods, usual)[0]
    number = 1 if view == "curve" else 2
    found = surface(panels, method, parameters=number, **{n: v for n, v in given.items() if n != "progress"})
    show(found, output, out)


DROP = click.option(
    "--drop",
    metavar="WHO",
    help="Compare before and after leaving out judges: outliers (for orderings by support_outliers, or e.g. "
    "'support_outliers(q=0.67)'), or flagged.",
)


def without(question: str, panel: Any, methods: list[Any], by: str, given: dict[str, Any]) -> Any:
    """The same question of all judges and without those who are off."""
    from quorate.without_outliers import without_outliers

    return without_outliers(panel, *methods, question=question, by=by, **given)


@main.command(cls=Question)
@answering
@click.option(
    "--show",
    "view",
    type=click.Choice(["matrix", "patterns", "graph", "supported", "surface", "curve"]),
    help="Show instead of the figures: every two judges (matrix); the patterns that all share, or their order as a "
    "graph (DOT); what most share of each ranking (supported); a method over two of its parameters (surface) or "
    "one (curve).",
)
@click.option("--length", type=click.IntRange(1), help="With --show patterns: only those of this length.")
@DROP
@click.option("--without-outliers", is_flag=True, help="The same as --drop outliers.")
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="With --show patterns: at most this many."
)
@click.option(
    "--criterion", "criteria_kept", multiple=True, metavar="C", help="For scores: only this criterion; may be repeated."
)
@click.option("--on", type=click.Choice(["importance"]), help="For groupings: how judges rank the consensus groups.")
@reading
def agreement(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """How much do the judges agree?"""
    from quorate import verbs as ask

    output, out, view = given.pop("output"), given.pop("out"), given.pop("view")
    length, limit = given.pop("length"), given.pop("limit")
    kept, on = given.pop("criteria_kept"), given.pop("on")
    drop, outliers = given.pop("drop"), given.pop("without_outliers")
    drop = drop or ("outliers" if outliers else None)
    panel = load(files, tasks, read_options(given))
    panel = whole(panel) if view or kept or on or drop else panel
    panel = panel.select(criterion=kept) if kept else panel
    if on:
        from quorate.groupings.importance import importance_orders

        panel = importance_orders(panel)
    if view in ("surface", "curve"):
        show_surface(panel, methods, view, output, out, given)
        return
    chosen = methods_of(panel.kind, "agreement", methods)
    if drop:
        show(without("agreement", panel, chosen if methods else [], drop, given), output, out)
        return
    if view:
        from quorate.cli.views import views

        found = views(panel, view, chosen, length, limit)
        if view == "graph" and output == "text":
            write_out(found.graph(), out)
        else:
            show(found, output, out)
        return
    if only_told(panel, "agreement", chosen, given, output):
        return
    with progress() as tell:
        answer = ask.agreement(panel, *(chosen if methods or has_parameters() else ()), progress=tell, **given)
    show(answer, output, out)


@main.command(cls=Question)
@answering
@DROP
@click.option("--without-outliers", is_flag=True, help="The same as --drop outliers.")
@click.option(
    "--gold", type=click.Path(), help="For labels: write each item's label and its certainty to this CSV file."
)
@click.option("--adjudicate", type=click.Path(), help="For labels: write the items to decide by hand, most gain first.")
@click.option("--by", metavar="COLUMN", help="Compare the consensus of groups of judges: a column of the file.")
@click.option(
    "--candidates", type=click.Path(), help="Compare the orders in this file, and the consensus, with the judges."
)
@click.option(
    "--show",
    "view",
    type=click.Choice(["surface", "curve"]),
    help="With --candidates: agreement by --method (kappa) with each one added, over two parameters, or over one.",
)
@reading
def consensus(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """What do the judges agree on? An --out that names a format of orderings gets the orders themselves."""
    from quorate import verbs as ask
    from quorate.cli.orders import candidates_of, evaluation, write_labels, write_orders
    from quorate.reports.candidates import with_candidates
    from quorate.without_outliers import rule_of

    output, out, candidates, view = (given.pop(n) for n in ("output", "out", "candidates", "view"))
    if view and not candidates:
        raise click.UsageError(f"--show {view} is of --candidates; of the judges alone it is in `quorate agreement`.")
    drop, outliers = given.pop("drop"), given.pop("without_outliers")
    drop = drop or ("outliers" if outliers else None)
    gold, to_decide = given.pop("gold"), given.pop("adjudicate")
    by, options = given.pop("by"), read_options(given)
    panel = load(files, tasks, dict(options))
    panel = whole(panel) if candidates or by or drop else panel
    if view:  # a candidate is no judge to be drawn: no interval
        added = with_candidates(*candidates_of(panel, candidates, options))
        show_surface(added, methods, view, output, out, {**given, "resamples": 0})
        return
    rule = rule_of(panel, drop) if drop else None
    chosen = methods_of(panel.kind, "consensus", methods, outliers=None if rule in (None, "flagged") else str(rule))
    if rule == "flagged":
        if candidates or by:
            raise click.UsageError(f"--drop {drop} does not go with {'--candidates' if candidates else '--by'}.")
        found = without("consensus", panel, chosen if methods else [], "flagged", given)
        write_labels(found.after, gold, to_decide)
        if out is None or output != "text" or not write_orders(found.after, out):
            show(found, output, out)
        return
    if candidates:
        found = evaluation(panel, candidates, chosen, options, given["seed"], given["level"])
        show(found, output, out)
        return
    if by:
        from quorate.reports.consensus_groups import consensus_groups

        show(consensus_groups(panel, by, *(chosen if methods else ()), **given), output, out)
        return
    if only_told(panel, "consensus", chosen, given, output):
        return
    with progress() as tell:
        named = methods or has_parameters() or rule
        answer = ask.consensus(panel, *(chosen if named else ()), progress=tell, **given)
    write_labels(answer, gold, to_decide)
    if out is None or output != "text" or not write_orders(answer, out):
        show(answer, output, out)


@main.command(cls=Question)
@answering
@click.option(
    "--criterion", "criteria_kept", multiple=True, metavar="C", help="For scores: only this criterion; may be repeated."
)
@click.option("--limit-words", metavar="N", help="With --same text: how many words of a text judges saw.")
@click.option("--models", metavar="A,B,...", help="Judges that are models; the others are people.")
@click.option("--compare", metavar="A,B", help="For groupings: what to change in A's groups to get B's.")
@click.option(
    "--explain",
    metavar="JUDGE",
    help="Show what this judge thinks and most others do not; --out PAGE.html or .md to send.",
)
@DROP
@click.option("--truth", type=click.Path(), help="For orderings: a file with the true order; how near do judges come?")
@click.option(
    "--index", metavar="M", default="rho", show_default=True, help="With --truth: how two rankings are compared."
)
@click.option(
    "--most", type=click.IntRange(1), default=40, show_default=True, help="With --explain: at most this many rows."
)
@reading
def judges(files: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any) -> None:
    """Who is off? Each judge against the others, worst first."""
    from quorate import verbs as ask

    output, out, models = given.pop("output"), given.pop("out"), given.pop("models")
    kept, limit, compare = given.pop("criteria_kept"), given.pop("limit_words"), given.pop("compare")
    panel = load(files, tasks, read_options(given))
    views = (given[n] for n in ("explain", "drop", "truth"))
    panel = whole(panel) if kept or compare or models or any(views) else panel
    panel = panel.select(criterion=kept) if kept else panel
    explain, most = given.pop("explain"), given.pop("most")
    drop, truth, index = given.pop("drop"), given.pop("truth"), given.pop("index")
    if truth:
        from quorate.cli.orders import beside_truth

        show(beside_truth(panel, truth, index, given), output, out)
        return
    if drop:
        chosen = methods_of(panel.kind, "judges", methods) if methods or has_parameters() else []
        show(without("judges", panel, chosen, drop, given), output, out)
        return
    if explain is not None:
        from quorate.dissent import dissent

        show(dissent(panel, explain, most=most), output, out)
        return
    if compare:
        from quorate.cli.grouping_views import comparison

        show(comparison(panel, compare, given.get("absent")), output, out)
        return
    if models:
        from quorate.panel.judge_kinds import with_models

        panel = with_models(panel, [m.strip() for m in models.split(",")])
    chosen = methods_of(panel.kind, "judges", methods, limit=limit)
    if only_told(panel, "judges", chosen, given, output):
        return
    with progress() as tell:
        answer = ask.judges(panel, *chosen, progress=tell, **given)
    show(answer, output, out)


@main.command(cls=Question)
@answering
@click.option("--per-task", is_flag=True, help="Show every task as well.")
@click.option(
    "--tune", is_flag=True, help="First choose the method's settings on JUDGMENTS; SYSTEMS are scored by them."
)
@click.option("--explain", metavar="SYSTEM", help="Show the heaviest patterns that this system keeps and breaks.")
@click.option(
    "--most",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="With --explain: at most this many patterns of each.",
)
@reading_options
@click.argument("judgments", metavar="JUDGMENTS")
@click.argument("systems", metavar="[SYSTEMS]...", nargs=-1)
def quality(
    judgments: str, systems: tuple[str, ...], methods: tuple[str, ...], tasks: tuple[str, ...], **given: Any
) -> None:
    """How good are systems, according to the judges? SYSTEMS are files like JUDGMENTS, their judges are the systems.

    Scores need no SYSTEMS: their systems are in the column 'system', or else are the items. Votes are between systems.
    """
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
    panel, lists = (whole(panel), whole(lists)) if explain or given["tune"] else (panel, lists)
    chosen: list[Any] = list(methods)  # values to try stand between bars
    if given["tune"] and explain:
        raise click.UsageError("--explain and --tune do not go together: explain by the settings that --tune found.")
    if not given["tune"]:
        chosen = methods_of(panel.kind, "quality", methods) if methods or has_parameters() else []
    if explain and lists is not None and panel.kind == lists.kind == "groupings":
        from quorate.cli.grouping_views import Moves
        from quorate.groupings.moves import explain as explained

        show(Moves(explained(panel, lists, explain, given.get("absent")), most), output, out)
        return
    if explain:
        from quorate.cli import pattern_views

        show(pattern_views.explained(panel, lists, explain, chosen, most, given["seed"]), output, out)
        return
    if only_told(panel, "quality", chosen, given, output):
        return
    with progress() as tell:
        answer = ask.quality(panel, lists, *chosen, progress=tell, **given)
    show(answer, output, out)
    if per_task and output == "text" and not out:
        from quorate.document.layout import per_task

        click.echo()
        show_blocks(per_task(answer))


@main.command(cls=Question)
@answering
@click.option("--of", metavar="M", help="The quality method to examine, e.g. 'frespa(min_sup=0.5)'; else all.")
@click.option("--metrics", type=click.Path(), help="For scores: a file of automatic metrics to compare with them.")
@click.option(
    "--systems", multiple=True, type=click.Path(), help="For orderings: systems' lists, for bootstrap(of=...)."
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
    usual = ask.usual("trust", panel.kind, metrics=beside is not None)
    chosen = methods_of(panel.kind, "trust", methods, usual) if methods or has_parameters() else []
    if only_told(panel, "trust", chosen, given, output):
        return
    with progress() as tell:
        answer = ask.trust(panel, *chosen, metrics=beside, systems=lists, progress=tell, **given)
    show(answer, output, out)
