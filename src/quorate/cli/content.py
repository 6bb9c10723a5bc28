"""Commands for content: pyramids and ROUGE."""

from __future__ import annotations

import json
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import F, split, write_out


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
        click.option("--texts", type=click.Path(exists=True), help="Of a table of units: task, item, text."),
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

    who, rename = given.pop("who"), dict(split(pair, "--rename takes OLD=NEW.") for pair in given.pop("rename"))
    how = {"header": given.pop("header"), "texts": given.pop("texts"), "rename": rename}
    return read_units(*files, judges=read_judges(who) if who else None, **how)


def show_units(found: Any, output: str, out: str | None, **how: Any) -> None:
    """Print or write what was found about content units."""
    made = {
        "json": lambda: found.to_json(**how) + "\n",
        "csv": lambda: found.to_csv(**how),
        "html": lambda: found.to_html(**how),
        "text": lambda: found.text(**how),
    }
    write_out(made[output](), out)


@pyramid.command("score")
@units_options
@click.option(
    "--scheme", metavar="NAME", help="Shares: share, strict_share, rubric, strict_rubric, vital, vital_strict."
)
@click.option("--cap", is_flag=True, help="Modified scores above 1 are 1, as in DUCView 1.5.")
@click.option("--models", is_flag=True, help="The models instead, each against the pyramid of the others.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_score(files: tuple[str, ...], output: str, out: str | None, seed: int, models: bool, **given: Any) -> None:
    """Scores of items from their content units; FILE is a .pan, a folder of them, or a table unit, item, support."""
    from quorate.units.scored import scored, scored_models

    table = load_units(files, given)
    found = scored_models(table, given["rounding"]) if models else scored(table, **given)
    show_units(found, output, out, seed=seed)


@pyramid.command("agreement")
@click.option("--method", "methods", multiple=True, metavar="M", help="Only this method; may be repeated.")
@click.option("--rename", multiple=True, metavar="OLD=NEW", help="Take column OLD of a table for NEW.")
@click.option(
    "--judges", "who", type=click.Path(exists=True), help="Table manual.peer, or lines of task[, item], judge."
)
@click.option("--header", help="Regular expression for where models begin, when files have none.")
@click.option("--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@click.option("--resamples", type=click.IntRange(100), default=1000, show_default=True, help="For intervals.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
@click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def pyramid_agreement(
    files: tuple[str, ...],
    methods: tuple[str, ...],
    output: str,
    out: str | None,
    resamples: int,
    seed: int,
    **given: Any,
) -> None:
    """Do annotators agree? Of .pyr files on which words share a unit, else on how far units are said in items."""
    from quorate import ask
    from quorate.cli.shared import show
    from quorate.formats.files import File
    from quorate.units.agreement import as_scores
    from quorate.units.as_panels import groupings_of

    if all(File(f).extension == "pyr" for f in files):
        panel: Any = groupings_of(files, given["header"])
    else:
        panel = as_scores(load_units(files, given | {"texts": None}))
    show(ask.agreement(panel, *methods, resamples=resamples, seed=seed), output, out)


@pyramid.command("auto")
@units_options
@click.option("--html", "page", is_flag=True, help="One page to mail to judges: what they missed. With --out FILE.")
@click.option("--judge", "only", multiple=True, metavar="J", help="Of --html: only this judge; may be repeated.")
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
    files: tuple[str, ...],
    output: str,
    out: str | None,
    teams: str | None,
    seed: int,
    page: bool,
    only: tuple[str, ...],
    **given: Any,
) -> None:
    """What annotators missed: strings accepted elsewhere; manual minus automatic scores by judge. CSV: the strings.

    `--html --out missed.html` makes a page to send to them, `--judge NAME` of one judge only.
    """
    from quorate.units.auto import auto_pyramid
    from quorate.units.reading import read_judges

    if teams:
        given |= {"teams": read_judges(teams), "leave_out": "team"}
    if only and not page:
        raise click.UsageError("--judge is for --html.")
    found = auto_pyramid(load_units(files, given), **given)
    if page:
        show_units(found, "html", out, seed=seed, judges=only)
    else:
        show_units(found, output, out, seed=seed)


@pyramid.command("convert")
@click.option("--texts", metavar="FILE", help="The table task, item, text: read, or written, beside that of the units.")
@click.option("--header", help="Regular expression for where models begin, when files have none.")
@click.option("--rename", multiple=True, metavar="OLD=NEW", help="Take column OLD of a table for NEW.")
@click.option(
    "--judges", "who", type=click.Path(exists=True), help="Table manual.peer, or lines of task[, item], judge."
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.argument("target", metavar="OUT")
def pyramid_convert(files: tuple[str, ...], target: str, texts: str | None, **given: Any) -> None:
    """DUCView's files as a table of units (OUT.csv, .tsv, .jsonl; `--texts` also the texts), or a table as DUCView's.

    OUT without such an ending is a folder: a .pyr for every task and a .pan for every judged item.
    """
    from quorate.units.converting import convert_units

    rename = dict(split(pair, "--rename takes OLD=NEW.") for pair in given.pop("rename"))
    for line in convert_units(files, target, texts, rename=rename, **given):
        click.echo(line, err=True)


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
@click.argument("setup", required=False, metavar="[SETUP]", type=click.Path(exists=True, dir_okay=False))
@click.option("--peers", type=click.Path(exists=True), help="Table of task, system, text; with --models.")
@click.option("--models", type=click.Path(exists=True), help="Table of task, model, text.")
@click.option("--n", type=click.IntRange(1, 9), default=4, show_default=True, help="ROUGE-1 to this, then L, W, SU4.")
@click.option("--rouge", "kinds", multiple=True, metavar="R", help="Only this: 2, L, W-1.2, SU*, ...; may be repeated.")
@click.option("--by", metavar="R_X", help="What the leaderboard is by: ROUGE-2_R unless told; of --nouveau 1 or 2.")
@click.option("--list", "style", type=click.Choice(["SPL", "ISI", "SEE"]), help="SETUP lists files, not XML (-z).")
@click.option("--system", default="X", show_default=True, help="Of --list: whose summaries they are.")
@click.option(
    "--count-by",
    type=click.Choice(["summary", "token", "raw"]),
    default="summary",
    show_default=True,
    help="Means over summaries, figures of all tokens, or raw counts (-t 0, 1, 2).",
)
@click.option("--nouveau", metavar="EARLIER", type=click.Path(exists=True), help="Earlier models: Nouveau-ROUGE.")
@click.option(
    "--fit", "judged", metavar="SCORES", type=click.Path(exists=True), help="Refit it to task, system, score."
)
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

    `--format perl` prints the lines of ROUGE-1.5.5. With `--nouveau EARLIER` what is new counts, and what the models of
    the earlier tasks (a table or set-up of its own) said already costs.
    """
    from quorate.rouge.command import scored

    write_out(scored(setup, given.pop("peers"), given.pop("models"), output, **given), out)
