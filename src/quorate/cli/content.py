"""The command for ROUGE."""

from __future__ import annotations

from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import LEVEL, OUT, RESAMPLES, SEED, declared, show, together
from quorate.summaries.declarations import ROUGE


@main.command("rouge")
@click.argument("setup", required=False, metavar="[SETUP]", type=click.Path(exists=True))
@click.option("--peers", type=click.Path(exists=True), help="Table of task, system, text; with --models.")
@click.option("--models", type=click.Path(exists=True), help="Table of task, model, text.")
@click.option("--n", type=click.IntRange(1, 9), default=4, show_default=True, help="ROUGE-1 to this, then L, W, SU4.")
@click.option("--rouge", "kinds", multiple=True, metavar="R", help="Only this: 2, L, W-1.2, SU*, ...; may be repeated.")
@click.option("--by", metavar="R_X", help="What the leaderboard is by: ROUGE-2_R unless told; of --nouveau 1 or 2.")
@click.option("--list", "style", type=click.Choice(["SPL", "ISI", "SEE", "SIMPLE"]), help="SETUP lists files (-z).")
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
@click.option("--stem", is_flag=True, help="Porter's stemmer as ROUGE-1.5.5 has it (-m).")
@click.option("--stemmer", metavar="NAME", help="Another one of snowballstemmer's: porter as he wrote it, german, ...")
@click.option("--stem-models", is_flag=True, help="Stem the models only, as -M: to compare with the script.")
@click.option("--exceptions", type=click.Path(exists=True), help="Lines of word, stem that go before the stemmer.")
@click.option("--stop-words", is_flag=True, help="Leave out English function words (-s).")
@click.option("--stop-words-file", type=click.Path(exists=True), help="Leave out these.")
@click.option("--unicode", is_flag=True, help="Letters of all scripts; else, as ROUGE does, a-z and 0-9 only.")
@declared(ROUGE["mode"], "--references", "mode")
@together(*(declared(ROUGE[n]) for n in ("alpha", "limit_words", "limit_bytes")))
@click.option("--jackknife", is_flag=True, help="Mean over leaving out one reference after the other.")
@click.option("--format", "output", type=click.Choice(["text", "json", "csv", "perl"]), default="text")
@together(LEVEL, RESAMPLES, SEED, OUT)
def rouge_command(setup: str | None, output: str, out: str | None, **given: Any) -> None:
    """ROUGE of systems' summaries against models; SETUP.xml as for ROUGE-1.5.5, a year's folder, or tables.

    `--format perl` prints the lines of ROUGE-1.5.5. With `--nouveau EARLIER` what is new counts, and what the models of
    the earlier tasks (a table or set-up of its own) said already costs.
    """
    from quorate.summaries.rouge.command import scored

    texts = setup, given.pop("peers"), given.pop("models")
    drawn = {name: given.pop(name) for name in ("level", "resamples", "seed")}
    if output == "perl" and given["count_by"] == "raw":
        drawn["raw"] = True
    show(scored(*texts, perl=output == "perl", **given), output, out, **drawn)
