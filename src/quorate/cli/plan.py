"""The command that says how large a study must be."""

from __future__ import annotations

from copy import copy
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import FORMAT, OUT, SEED, load, read_options, reading_options, show, together

WANTS = ("winner", "top", "difference", "width")
KINDS = ("orderings", "groupings", "scores", "labels", "votes")


def _numbers(_context: Any, _option: Any, text: str | None) -> tuple[int, ...]:
    """Numbers with commas between them."""
    try:
        return tuple(int(word) for word in (text or "").split(",") if word.strip())
    except ValueError:
        raise click.BadParameter(f"'{text}' is no list of numbers; 3,5,10 is one.") from None


@main.command()
@click.option("--want", multiple=True, type=click.Choice(WANTS), help="A goal; may be repeated.  [default: all]")
@click.option("--certainty", type=float, default=0.9, show_default=True, help="Of winner, top, groups or labels.")
@click.option("--top-k", type=click.IntRange(1), help="How many of the first must be the true ones.  [default: 3]")
@click.option("--difference", type=float, help="Of two systems; else that of the first two of FILE, or 0.5.")
@click.option("--power", type=float, default=0.8, show_default=True, help="To find that difference.")
@click.option("--width", type=float, help="Of 95% intervals.  [default: 0.2 where shown]")
@click.option("--alpha", "--agreement", "agreement", type=float, help="Of judges: alpha, tau or adjusted Rand.")
@click.option("--items", type=click.IntRange(2), help="Items, systems or cards; of labels 100.")
@click.option("--points", type=click.IntRange(0), help="Of the scale (0 continuous), 5 without FILE; or labels, 2.")
@click.option("--deviation", type=float, help="Of a system from task to task.")
@click.option("--share", type=float, default=0.6, show_default=True, help="Of votes won against the next system.")
@click.option(
    "--right", type=float, default=0.8, show_default=True, help="Of --labels: how often a careful judge is right."
)
@click.option("--careless", type=float, default=0.1, show_default=True, help="Of --labels: share of judges who guess.")
@click.option("--judges", callback=_numbers, metavar="3,5,10", help="Numbers of judges to look at.")
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="Times each judge judges.")
@click.option("--own", type=float, default=0.5, show_default=True, help="Share of noise that repeats average out.")
@click.option("--cards", type=click.IntRange(2), help="Of a card sort: how many of the cards a person gets.")
@click.option("--groups", type=click.IntRange(2), help="Of a card sort without FILE.  [default: 5]")
@click.option("--cost-judge", type=float, default=0.0, help="What a judge costs.")
@click.option("--cost-task", type=float, default=0.0, help="What a task costs.")
@click.option("--cost-judgment", type=float, default=0.0, help="What an order, a sort, a score or a vote costs.")
@click.option("--studies", type=click.IntRange(100), default=1000, show_default=True, help="Simulated for each size.")
@together(FORMAT, SEED, OUT)
@reading_options
@click.argument("files", nargs=-1, metavar="[FILE]...")
def plan(files: tuple[str, ...], output: str, out: str | None, judges: tuple[int, ...], **given: Any) -> None:
    """How large must a study be? Judges, tasks and repeats for a certainty, a power or a width that is wanted.

    FILE is a pilot study of any kind: what to expect is taken from it. Without one, --kind says what is planned, and
    options what to expect. An --out that ends in .html gets a page with a picture.
    """
    from quorate.inference.decision_study import Costs
    from quorate.reports.plan import JUDGES
    from quorate.reports.plan import plan as planned

    if given["kind"] == "labels":  # scores that are labels
        given |= {"kind": None, "labels": True}
    options = read_options(given)
    costs = Costs(*(given.pop(f"cost_{n}") for n in ("judge", "task", "judgment")))
    panel = load(files, (), options) if files else None
    given["top"], kind = given.pop("top_k"), options["kind"]
    if panel is None and (options.get("labels") or options.get("scale")):
        kind = "labels"
        given["points"] = given["points"] or len((options.get("scale") or "no,yes").split(","))
    found = planned(panel, kind=kind, judges=judges or JUDGES, costs=costs, **given)
    show(found, output, out)


def _or_labels(option: click.Parameter) -> click.Parameter:
    """The option as it is, but for --kind, which all commands share: labels are planned as a kind of their own."""
    if option.name == "kind":
        option = copy(option)
        option.type = click.Choice(KINDS)
    return option


plan.params = [_or_labels(option) for option in plan.params]
