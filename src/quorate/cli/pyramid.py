"""Commands for content units: scores, agreement, what annotators missed, other formats, published rounding."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import FORMAT, OUT, RESAMPLES, SEED, declared, show, split, together
from quorate.summaries.declarations import AUTO, GROUPED, RULES

WHO = click.option(
    "--judges", "who", type=click.Path(exists=True), help="Table manual.peer, or lines of task[, item], judge."
)
HEADER = click.option("--header", help="Regular expression for where models begin, when files have none.")
RENAME = click.option("--rename", multiple=True, metavar="OLD=NEW", help="Take column OLD of a table for NEW.")
ENCODING = click.option("--encoding", help="Of tables that are not in UTF-8, e.g. latin-1.")
THRESHOLD = click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    help="Support is yes from here on, else no: labels from a model's probabilities, as in Lite3Pyramid.",
)
TEXTS = click.option("--texts", type=click.Path(exists=True), help="Of a table of units: task, item, text.")
WEIGHING = tuple(map(declared, RULES.values()))


@main.group()
def pyramid() -> None:
    """Content units: pyramid scores and shares, what annotators missed, and how published scores were rounded."""


def load_units(files: tuple[str, ...], given: dict[str, Any]) -> Any:
    """The table of content units in the files; takes the options for reading out of ``given``."""
    from quorate.summaries.units.reading import read_judges, read_units

    who, rename = given.pop("who"), dict(split(pair, "--rename takes OLD=NEW.") for pair in given.pop("rename"))
    how = {"texts": given.pop("texts", None), **{name: given.pop(name) for name in ("header", "encoding")}}
    table = read_units(*files, judges=read_judges(who) if who else None, rename=rename, **how)
    threshold = given.pop("threshold", None)
    return table if threshold is None else table.decided(threshold)


def alpha(ctx: click.Context, param: click.Parameter, value: str | None) -> float | str | None:
    """A number above 0, or auto."""
    if value in (None, "auto"):
        return value
    try:
        number = float(str(value))
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise click.BadParameter(f"{value} is neither a number above 0 nor auto.")
    return number


@pyramid.command("score")
@together(*WEIGHING, WHO, TEXTS, RENAME, ENCODING, HEADER, FORMAT, OUT)
@click.option(
    "--scheme", metavar="NAME", help="Shares: share, strict_share, rubric, strict_rubric, vital, vital_strict."
)
@THRESHOLD
@click.option(
    "--length-penalty",
    "penalty",
    callback=alpha,
    metavar="ALPHA",
    help="Shares times exp(min(0, 1 - words / words of a model) / ALPHA); auto takes out what length explains.",
)
@click.option("--cap", is_flag=True, help="Modified scores above 1 are 1, as in DUCView 1.5.")
@click.option("--models", is_flag=True, help="The models instead, each against the pyramid of the others.")
@SEED
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_score(files: tuple[str, ...], output: str, out: str | None, seed: int, models: bool, **given: Any) -> None:
    """Scores of items from their content units; FILE is a .pan, a folder of them, or a table unit, item, support.

    Of a .pyr alone the models are scored, each against the pyramid of the others.
    """
    from quorate.summaries.units.scored import scored, scored_models

    table = load_units(files, given)
    if models or not len(table):
        if given.pop("scheme") or given.pop("penalty"):
            raise click.UsageError("--models has pyramid scores, no shares.")
        found = scored_models(table, **given)
    else:
        found = scored(table, **given)
    show(found, output, out, seed=seed)


@pyramid.command("agreement")
@click.option("--method", "methods", multiple=True, metavar="M", help="Only this method; may be repeated.")
@click.option(
    "--on",
    type=click.Choice(["groupings", "support"]),
    help="What models' words share a unit, or how far units are said in items; .pyr files have the first only.",
)
@together(declared(GROUPED["items"]), THRESHOLD, RENAME, ENCODING, WHO, HEADER, FORMAT, RESAMPLES, SEED, OUT)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_agreement(
    files: tuple[str, ...],
    methods: tuple[str, ...],
    on: str | None,
    items: str,
    output: str,
    out: str | None,
    resamples: int,
    seed: int,
    **given: Any,
) -> None:
    """Do annotators agree? Of .pyr files on which words share a unit, else on how far units are said in items.

    A table names its judges. Files of one name in several folders are the work of several judges, a folder each:
    `quorate pyramid agreement north south`.
    """
    from pathlib import Path

    from quorate import verbs as ask
    from quorate.formats.ducview import sort_of
    from quorate.summaries.units.panels import as_scores, files_for, groupings_of

    alone = not any(Path(f).is_dir() for f in files) and all(sort_of(f) == "pyr" for f in files)
    if alone and on == "support":
        raise click.UsageError("a pyramid says nothing of items; give .pan files or a table.")
    if alone or on == "groupings":
        panel: Any = groupings_of(files_for(files, grouped=True), given["header"], items)
    else:
        panel = as_scores(load_units(files, given))
    show(ask.agreement(panel, *methods, resamples=resamples, seed=seed), output, out)


@pyramid.command("auto")
@together(*WEIGHING, WHO, TEXTS, RENAME, ENCODING, HEADER, FORMAT, OUT)
@click.option("--html", "page", is_flag=True, help="One page to mail to judges: what they missed. With --out FILE.")
@click.option("--judge", "only", multiple=True, metavar="J", help="Of --html: only this judge; may be repeated.")
@click.option(
    "--rows",
    type=click.Choice(["missed", "judges", "tasks", "items"]),
    default="missed",
    show_default=True,
    help="Of --format csv: missed strings, or manual minus automatic scores.",
)
@together(*map(declared, AUTO.values()))
@click.option(
    "--teams", type=click.Path(exists=True), help="Lines of item, team: strings of a team are not used for it."
)
@SEED
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_auto(
    files: tuple[str, ...],
    output: str,
    out: str | None,
    teams: str | None,
    seed: int,
    page: bool,
    only: tuple[str, ...],
    rows: str,
    **given: Any,
) -> None:
    """What annotators missed: strings accepted elsewhere; manual minus automatic scores by judge. CSV: the strings.

    `--html --out missed.html` makes a page to send to them, `--judge NAME` of one judge only.
    """
    from quorate.summaries.units.auto_pyramid import auto_pyramid
    from quorate.summaries.units.reading import read_judges

    if teams:
        given |= {"teams": read_judges(teams), "leave_out": "team"}
    if only and not page:
        raise click.UsageError("--judge is for --html.")
    if rows != "missed" and output != "csv":
        raise click.UsageError("--rows is for --format csv; --format json has all tables.")
    found = auto_pyramid(load_units(files, given), **given)
    if page:
        show(found, "html", out, seed=seed, judges=only)
    else:
        show(found, output, out, seed=seed, **({"rows": rows} if output == "csv" else {}))


@pyramid.command("self-agreement")
@together(*WEIGHING, WHO, TEXTS, RENAME, ENCODING, HEADER, FORMAT, OUT)
@click.option("--limit", type=click.IntRange(1), help="Words that judges saw of each text; the rest is cut off.")
@together(RESAMPLES, SEED)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_self_agreement(files: tuple[str, ...], output: str, out: str | None, **given: Any) -> None:
    """Does a judge find the same units in identical items? Equal scores from different units are listed."""
    from quorate.summaries.units.self_agreement import self_agreement

    show(self_agreement(load_units(files, given), **given), output, out)


@pyramid.command("convert")
@click.option("--texts", metavar="FILE", help="The table task, item, text: read, or written, beside that of the units.")
@together(HEADER, RENAME, ENCODING, WHO)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.argument("target", metavar="OUT")
def pyramid_convert(files: tuple[str, ...], target: str, texts: str | None, **given: Any) -> None:
    """DUCView's files as a table of units (OUT.csv, .tsv, .jsonl; `--texts` also the texts), or a table as DUCView's.

    OUT without such an ending is a folder: a .pyr for every task and a .pan for every judged item.
    """
    from quorate.summaries.units.convert import convert_units

    rename = dict(split(pair, "--rename takes OLD=NEW.") for pair in given.pop("rename"))
    for line in convert_units(files, target, texts, rename=rename, **given):
        click.echo(line, err=True)


@pyramid.command("calibrate")
@together(HEADER, FORMAT)
@click.argument("pans", nargs=-1, required=True, metavar="PAN...")
@click.argument("published", metavar="PUBLISHED")
def pyramid_calibrate(pans: tuple[str, ...], published: str, header: str | None, output: str) -> None:
    """Which rounding rule gave the PUBLISHED scores: lines of task, item, score, or NIST's manual.peer or .model."""
    from quorate.summaries.units.reading import read_units
    from quorate.summaries.units.scored import calibrate, read_published

    show(calibrate(read_units(*pans, header=header), read_published(published)), output, None)


@pyramid.command("sets")
@click.option(
    "--method", metavar="M", default="frequent_sets", show_default=True, help="Values to try stand between bars: 1|2."
)
@click.option("--tune", is_flag=True, help="Choose the settings on the models first.")
@click.option("--models-out", type=click.Path(), help="Write who of the models holds which units, as judgments.")
@click.option("--systems-out", type=click.Path(), help="Write which units each item says, as systems' lists.")
@together(WHO, TEXTS, RENAME, ENCODING, HEADER, FORMAT, OUT)
@THRESHOLD
@RESAMPLES
@SEED
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_sets(
    files: tuple[str, ...],
    method: str,
    models_out: str | None,
    systems_out: str | None,
    output: str,
    out: str | None,
    **given: Any,
) -> None:
    """Items by the sets of content units that enough models hold, beside their pyramid scores; FILE as for score."""
    from quorate.content_sets import content_sets
    from quorate.formats import write

    how = {name: given.pop(name) for name in ("tune", "seed", "resamples")}
    found = content_sets(load_units(files, given), method, **how)
    for path, panel in ((models_out, found.judges), (systems_out, found.systems)):
        if path:
            write(panel, path)
    show(found, output, out)
