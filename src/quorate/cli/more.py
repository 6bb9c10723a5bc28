"""Commands around the questions: patterns, simulated judges, and building and checking a task of groups."""

from __future__ import annotations

import sys
from typing import Any

import click

from quorate import table
from quorate.cli.group import main
from quorate.cli.shared import (
    FORMAT,
    LEVEL,
    OUT,
    SEED,
    TASKS,
    as_csv,
    load,
    methods_of,
    read_options,
    reading,
    show,
    show_blocks,
    text_width,
    write_out,
)
from quorate.errors import InputError


@main.command()
@click.option(
    "--min-sup", metavar="Q", default="0.75", show_default=True, help="Judges: a count (6) or a share of them (0.5)."
)
@click.option("--min-len", type=click.IntRange(1), help="Items, at least.  [default: 2; of --sets 1]")
@click.option("--max-len", type=click.IntRange(1), help="Items, at most.")
@click.option("--which", type=click.Choice(["all", "maximal", "closed"]), default="all", show_default=True)
@click.option("--sets", is_flag=True, help="Sets of items that most judges hold, whatever their order.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many are shown.")
@SEED
@TASKS
@FORMAT
@OUT
@reading
def patterns(files: tuple[str, ...], tasks: tuple[str, ...], output: str, out: str | None, **given: Any) -> None:
    """The subsequences that most judges share, with how many do; the heaviest first.

    Where there are more than --limit, the answer says so and what would leave fewer.
    """
    from quorate.cli import pattern_views

    panel = load(files, tasks, read_options(given))
    chosen = methods_of("orderings", "quality", ("frequent_sets" if given.pop("sets") else "frespa",))[0]
    known = chosen.declaration.parameters
    given["min_sup"] = known["min_sup"].read(given["min_sup"])
    given["min_len"] = given["min_len"] or known["min_len"].default
    found = pattern_views.patterns(panel, sets=chosen.name == "frequent_sets", **given)
    show(found, output, out)
    if output != "text" or out:
        for note in found.cut_short():
            click.echo(f"Note: {note}.", err=True)


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
@SEED
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
@click.option(
    "--profile", type=click.Choice(["clusters", "cards"]), help="Of which task.  [default: as the file looks]"
)
@click.option("--rule", "rules", multiple=True, metavar="R", help="Only this rule; may be repeated.")
@FORMAT
@OUT
@reading
def check(
    files: tuple[str, ...], rules: tuple[str, ...], profile: str | None, output: str, out: str | None, **given: Any
) -> None:
    """Do the judges' clusters keep the guidelines? Says what to mend; exit code 1 when there is something.

    A cluster has at least two items, from at least two sources (column source); left-out items are explicit; a cluster
    has one label (column label) and a rank (column importance). An item in two clusters is an error of the file.
    Card sorts (profile cards): every card is placed or set aside, no group takes all or the rest, groups have names.
    """
    from quorate.cli.grouping_views import check_blocks
    from quorate.groupings.guidelines import check_panel
    from quorate.reports.roles import is_card_sort

    panel = load(files, (), read_options(given))
    found = check_panel(panel, rules or None, profile or ("cards" if is_card_sort(panel) else "clusters"))
    if output == "text":
        show_blocks(check_blocks(found), out, all_rows=True)
    else:
        write_out(found.to_json() + "\n" if output == "json" else as_csv(found.to_csv()), out)
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
    from quorate.cli.grouping_views import set_blocks
    from quorate.document.terminal import render
    from quorate.groupings.documents import read_documents
    from quorate.groupings.sentence_sets import build_sentence_set

    found = build_sentence_set(read_documents(*documents), **given)
    lines = target.lower().endswith((".jsonl", ".ndjson"))
    write_out(found.to_json_lines() if lines else found.to_csv(), None if target == "-" else target)
    click.echo(render(set_blocks(found), text_width(None), rows=sys.maxsize), nl=False, err=target == "-")


@main.command()
@reading
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@OUT
@LEVEL
def votes(files: tuple[str, ...], output: str, out: str | None, level: float, **given: Any) -> None:
    """Pairwise votes: does the output shown first win, does swapping places change verdicts, do judges agree?"""
    from quorate.cli.vote_views import Places, votes_dict
    from quorate.inference.results import Options
    from quorate.panel.votes import Votes

    panel = load(files, (), {**read_options(given), "kind": None})
    if not isinstance(panel, Votes):
        raise InputError(f"{files[0]}: these are no votes.", "columns of votes are judge, model_a, model_b and winner.")
    show(Places(votes_dict(panel, Options(level=level)), level), output, out)


@main.command(name="next")
@click.option("--votes", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many to ask for.")
@click.option("--between", metavar="A+B", help="Only of these two systems: the votes that it takes to tell them apart.")
@click.option("--first", type=click.IntRange(1), help="Decide who is among the first so many (1: the leader), no more.")
@FORMAT
@OUT
@SEED
@reading
def next_(
    files: tuple[str, ...],
    output: str,
    out: str | None,
    votes: int,
    between: str | None,
    first: int | None,
    seed: int,
    **given: Any,
) -> None:
    """Which pairs to ask about next: where votes are expected to tell most, and how many would tell two apart."""
    from quorate import verbs as ask

    panel = load(files, (), read_options(given))
    if panel.kind != "votes":
        raise InputError(f"{files[0]}: these are {panel.kind}, no votes.", "columns: judge, model_a, model_b, winner.")
    method = table.parse("next_pairs", "votes", "trust").with_(votes=votes, between=between, first=first)
    show(ask.trust(panel, method, seed=seed), output, out)
