"""Commands for trained metrics: train one on two years, score texts with it, evaluate it on a third year."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import FORMAT, OUT, SEED, declared, progress, show, show_blocks, together
from quorate.summaries.declarations import EVALUATION, METRIC

SOURCE = click.Path(exists=True)
FILE = click.Path(exists=True, dir_okay=False)
REFERENCES = click.option(
    "--references", "--models", "references", type=FILE, help="Table of texts to compare with: task, model, text."
)
DOCUMENTS = click.option("--documents", type=FILE, help="Table of what was summarised: task, document, text.")


@main.group()
def metric() -> None:
    """Trained metrics: predict judges' scores from features of texts."""


@metric.command("train")
@click.option("--target", metavar="CRITERION", help="What to predict.  [default: pyramid, or a table's only one]")
@together(*(declared(METRIC[n]) for n in ("part", "population", "size", "budget", "level")))
@click.option("--feature", "features", multiple=True, metavar="NAME", help="Only these; `metric features` lists all.")
@click.option(
    "--fit", "fits", multiple=True, type=click.Choice(["robust", "nonnegative", "canonical"]), help="Only this fit."
)
@click.option(
    "--without-worst",
    "drop",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    show_default=True,
    help="Train without the tasks of each year's N worst judges.",
)
@declared(METRIC["by"])
@click.option("--stem/--no-stem", default=True, show_default=True)
@click.option("--out", type=click.Path(dir_okay=False), required=True, help="The metric's file (JSON).")
@SEED
@REFERENCES
@DOCUMENTS
@click.option("--limit", type=click.IntRange(1), help="Words that a text of a table may have.")
@click.option("--years", metavar="FIRST,SECOND", help="Of one table.  [default: the first two in it]")
@click.argument("first", type=SOURCE)
@click.argument("second", type=SOURCE, required=False)
def train(first: str, second: str | None, out: str, **given: Any) -> None:
    """Fit on the year FIRST, choose and fit again on SECOND, and write the metric down.

    Years are folders as NIST hands them out, or tables with columns judge, item (or system), score, text and, if there
    are several, task and criterion; one table will do if it has a column year. The metric's file has a hash;
    `evaluate` reads the test year only after it was written.
    """
    from quorate.summaries.trained import lock, table5
    from quorate.summaries.trained.year import Beside, default_target, two_years

    lock.ready(out)
    beside = Beside(given["references"], given["documents"], given["limit"], given["stem"])
    named = tuple(y.strip() for y in given["years"].split(",")) if given["years"] else ()
    years = two_years(first, second, beside, named)
    given["target"] = given["target"] or default_target(years[0])
    names = given["features"] or None
    sheets = tuple(y.sheet(given["part"], given["population"], names) for y in years)
    fits = {"fits": given["fits"]} if given["fits"] else {}
    drop = given["drop"]
    with progress() as tell:
        made = table5.train(
            (years[0], years[1]),
            (sheets[0], sheets[1]),
            given["target"],
            by=given["by"] if drop else None,
            drop=max(drop, 1),
            progress=tell,
            **{k: given[k] for k in ("size", "budget", "level", "seed")},
            **fits,
        )
    mark = made.metric.save(out)
    show_blocks(_told(made, mark))


def _told(made: Any, mark: str) -> list[Any]:
    from quorate.document.blocks import Text

    m = made.metric
    line = " ".join(f"{c:+.3g} {f}" for c, f in zip(m.coefficients, m.features, strict=True))
    said = f"{m.fit} fit of {', '.join(m.features)} predicts {m.target} best on {m.provenance['chosen_on']}: "
    said += f"{m.provenance['coefficient']} {m.provenance['chosen_value']:.3f}, the best of "
    said += f"{m.provenance['candidates']:,}. The same choice is made in {made.stable['same']:.0%} of "
    said += f"{made.stable['draws']} draws of its tasks."
    gone = [f"{y}: {', '.join(j)}" for y, j in m.provenance["dropped_judges"].items() if j]
    lines = [f"standardised: {m.intercept:.3g} {line}", f"sha256 {mark}"]
    lines += [f"Left out in training, {'; '.join(gone)}."] if gone else []
    return [Text((said,), "lead"), Text(tuple(lines)), Text(tuple(m.provenance["notes"]), "note")]


@metric.command("score")
@FORMAT
@OUT
@click.option("--peers", type=FILE, help="Table: task, system, text.")
@REFERENCES
@DOCUMENTS
@click.argument("file", type=FILE, metavar="METRIC")
@click.argument("year", type=SOURCE, required=False)
def score(file: str, year: str | None, peers: str | None, output: str, out: str | None, **beside: Any) -> None:
    """The METRIC's figure for every text of a YEAR (a folder or a table of judgments), or of the table --peers."""
    from quorate.summaries.trained.evaluation import scored
    from quorate.summaries.trained.metric import Metric
    from quorate.summaries.trained.year import Beside

    show(scored(Metric.load(file), year, peers, Beside(**beside)), output, out)


@metric.command("evaluate")
@FORMAT
@OUT
@SEED
@REFERENCES
@DOCUMENTS
@click.option("--year", "name", metavar="NAME", help="Which year of a table that has several.")
@together(*map(declared, EVALUATION.values()))
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="METRIC...")
@click.argument("year", type=SOURCE)
def evaluate(
    files: tuple[str, ...], year: str, name: str | None, output: str, out: str | None, seed: int, **more: Any
) -> None:
    """How METRICs go with the judges' scores of a YEAR they have not seen; others are tested against the first."""
    from quorate.summaries.trained.evaluation import evaluated
    from quorate.summaries.trained.year import Beside

    how = {"resample": more.pop("resample"), "kind": more.pop("interval")}
    show(evaluated(files, year, Beside(**more), name, seed, **how), output, out)


@metric.command("features")
def features() -> None:
    """List the features."""
    from quorate.document.blocks import Column, Table, columns
    from quorate.summaries.trained.features import FEATURES

    rows = tuple(
        (f.name, {1: "+", -1: "-"}.get(f.better, ""), list(f.needs) or ["text"], f.about) for f in FEATURES.values()
    )
    title = "Features; + more is better, - less is, in a fit without negative weights"
    heads = columns("feature", Column("better", ""), "needs:names", "what_it_is:text")
    show_blocks([Table(title, heads, rows)], all_rows=True)


@metric.command("made-up")
@click.option("--years", type=click.IntRange(1), default=3, show_default=True)
@click.option("--topics", type=click.IntRange(1, 99), default=45, show_default=True, help="Two tasks each.")
@click.option("--systems", type=click.IntRange(1), default=50, show_default=True)
@click.option(
    "--identical",
    type=click.FloatRange(0, 1),
    help="Share of tasks on which a team's two runs are the same.  [default: about 40 pairs a judge and year]",
)
@SEED
@click.argument("folder", type=click.Path(file_okay=False))
def made_up(folder: str, years: int, topics: int, systems: int, **more: Any) -> None:
    """Write a made-up collection to FOLDER, laid out as NIST hands out its own; two judges in it are bad."""
    from quorate.document.blocks import Text
    from quorate.errors import InputError
    from quorate.summaries.units.made_up import MadeUp

    if Path(folder).exists() and any(Path(folder).iterdir()):
        raise InputError(f"{folder}: not empty.", "give a new folder: two collections would be mixed.")
    made = MadeUp(years=years, topics=topics, systems=systems, **more)
    made.write(folder)
    said = (
        f"{years} years of {2 * topics} tasks, {systems} systems and judges {made.judges[0]} to {made.judges[-1]} are "
    )
    said += f"in {folder}. Judge {', '.join(made.careless)} misses much of what summaries say, judge "
    said += (
        f"{', '.join(made.erratic)} gives erratic scores and marks little on some. On {made.alike:.0%} of tasks two "
    )
    show_blocks([Text((said + "runs of a team are identical.",))])


@metric.command("criteria")
@FORMAT
@OUT
@SEED
@click.argument("year", type=SOURCE)
def criteria(year: str, output: str, out: str | None, seed: int) -> None:
    """Do criteria rank judges alike? Judges by alpha on each criterion of a YEAR, and by manual minus automatic scores.

    YEAR is a campaign's folder, or a table of scores with texts (and a column auto, if there is one).
    """
    from quorate.summaries.trained.criteria import criteria_alike
    from quorate.summaries.trained.year import Beside, read_source

    read = read_source(year, Beside())
    with_gaps = read.annotated is not None or "auto" in read.panel.labels
    show(criteria_alike(read.panel, read.gaps if with_gaps else None, seed=seed), output, out)


@metric.command("intake")
@FORMAT
@OUT
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
def intake(folder: str, output: str, out: str | None) -> None:
    """What was found in a campaign's FOLDER, of one year or of several, matched, repaired and ignored, kind by kind."""
    from quorate.summaries.trained.campaign import campaign, campaigns
    from quorate.summaries.trained.campaign import intake as listed

    show(listed(campaigns(folder) or [campaign(folder)]), output, out)


@metric.command("judgments")
@click.option("--out", type=click.Path(dir_okay=False), required=True, help="A table: .csv, .jsonl, .parquet.")
@click.argument("years", type=click.Path(exists=True, file_okay=False), nargs=-1, required=True, metavar="YEAR...")
def judgments(years: tuple[str, ...], out: str) -> None:
    """The scores in YEARs' folders as one table with the texts: identical ones tell `quorate judges` who is off."""
    from quorate.formats import write
    from quorate.summaries.trained.year import read_year, scores_of

    read = [read_year(y) for y in years]
    panel = read[0].panel if len(read) == 1 else scores_of(read)
    write(panel, out)
    click.echo(f"{len(panel):,} scores of {len(panel.judges)} judges are in {out}.")
    for note in dict.fromkeys(n for year in read for n in year.notes if "no documents" not in n):
        click.echo(f"Note: {note}.")
