"""Commands for trained metrics: train one on two years, score texts with it, evaluate it on a third year."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main

CRITERIA = ("pyramid", "responsiveness", "readability")
OUTPUT = click.option(
    "--format", "output", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True
)
OUT = click.option("--out", type=click.Path(dir_okay=False, writable=True), help="Write the answer to this file.")
SEED = click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same output.")
FOLDER = click.Path(exists=True, file_okay=False)
FILE = click.Path(exists=True, dir_okay=False)


@main.group()
def metric() -> None:
    """Trained metrics: predict judges' scores from features of texts."""


@metric.command("train")
@click.option("--target", type=click.Choice(CRITERIA), default="pyramid", show_default=True)
@click.option("--part", type=click.Choice(["main", "update"]), default="main", show_default=True)
@click.option("--population", type=click.Choice(["NoModels", "AllPeers"]), default="NoModels", show_default=True)
@click.option("--feature", "features", multiple=True, metavar="NAME", help="Only these; `metric features` lists all.")
@click.option(
    "--fit", "fits", multiple=True, type=click.Choice(["robust", "nonnegative", "canonical"]), help="Only this fit."
)
@click.option("--size", type=click.IntRange(1), default=3, show_default=True, help="Features at most.")
@click.option("--budget", type=click.IntRange(1), default=4000, show_default=True, help="Subsets at most.")
@click.option(
    "--level",
    type=click.Choice(["system", "summary"]),
    default="system",
    show_default=True,
    help="Fit on systems' means or on single summaries.",
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
@click.option("--by", type=click.Choice(["alpha", "gap"]), default="alpha", show_default=True, help="What is worst.")
@click.option("--stem/--no-stem", default=True, show_default=True)
@click.option("--out", type=click.Path(dir_okay=False), required=True, help="The metric's file (JSON).")
@SEED
@click.argument("first", type=FOLDER)
@click.argument("second", type=FOLDER)
def train(first: str, second: str, out: str, **given: Any) -> None:
    """Fit on the year in folder FIRST, choose and fit again on SECOND, and write the metric down.

    Folders are laid out as NIST hands them out. The metric's file has a hash; `evaluate` reads the test year only
    after it was written.
    """
    from quorate.cli.shared import progress
    from quorate.trained import table5
    from quorate.trained.year import read_year

    years = tuple(read_year(f, stem=given["stem"]) for f in (first, second))
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
    click.echo(_told(made, mark), nl=False)


def _told(made: Any, mark: str) -> str:
    from quorate.units.scored import printed

    m = made.metric
    line = " ".join(f"{c:+.3g} {f}" for c, f in zip(m.coefficients, m.features, strict=True))
    said = f"{m.fit} fit of {', '.join(m.features)} predicts {m.target} best on {m.provenance['chosen_on']}: "
    said += f"{m.provenance['coefficient']} {m.provenance['chosen_value']:.3f}, the best of "
    said += f"{m.provenance['candidates']:,}. The same choice is made in {made.stable['same']:.0%} of "
    said += f"{made.stable['draws']} draws of its tasks."
    gone = [f"{y}: {', '.join(j)}" for y, j in m.provenance["dropped_judges"].items()]
    pieces = [said, "", f"standardised: {m.intercept:.3g} {line}", f"sha256 {mark}"]
    pieces += [f"Left out in training, {'; '.join(gone)}."] if gone else []
    return printed([*pieces, *(f"Note: {n}." for n in m.provenance["notes"])], 80)


@metric.command("score")
@OUTPUT
@OUT
@click.option("--peers", type=FILE, help="Table: task, system, text.")
@click.option("--models", type=FILE, help="Table: task, model, text.")
@click.argument("file", type=FILE, metavar="METRIC")
@click.argument("year", type=FOLDER, required=False)
def score(file: str, year: str | None, peers: str | None, models: str | None, output: str, out: str | None) -> None:
    """The METRIC's figure for every summary of a YEAR's folder, or of the table --peers."""
    from quorate.cli.shared import write_out
    from quorate.trained.command import scored
    from quorate.trained.metric import Metric

    write_out(scored(Metric.load(file), year, peers, models, output), out)


@metric.command("evaluate")
@OUTPUT
@OUT
@SEED
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="METRIC...")
@click.argument("year", type=FOLDER)
def evaluate(files: tuple[str, ...], year: str, output: str, out: str | None, seed: int) -> None:
    """How METRICs go with the judges' scores of a YEAR they have not seen; others are tested against the first."""
    from quorate.cli.shared import write_out
    from quorate.trained.command import evaluated

    write_out(evaluated(files, year, output, seed), out)


@metric.command("features")
def features() -> None:
    """List the features."""
    from quorate.trained.features import registry

    for f in registry().values():
        needs = f" [{', '.join(f.needs)}]" if f.needs else ""
        click.echo(f"{f.name:<17} {f.about}{needs}")
