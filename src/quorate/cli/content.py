"""The command for ROUGE."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from quorate.cli.group import main
from quorate.cli.shared import LEVEL, OUT, RESAMPLES, SEED, declared, show, together
from quorate.errors import InputError
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
    from quorate.formats.rouge_files import read_words
    from quorate.summaries.rouge import STOP_WORDS, rouge
    from quorate.summaries.rouge.nouveau import updates

    asked = {name: given.pop(name) for name in ("peers", "models", "style", "system", "nouveau", "judged")}
    drawn = {name: given.pop(name) for name in ("level", "resamples", "seed")}
    by, count_by, n, kinds = (given.pop(name) for name in ("by", "count_by", "n", "kinds"))
    if asked["judged"] and not asked["nouveau"]:
        raise InputError("--fit is for --nouveau.", "give the models of the earlier tasks: --nouveau FILE.")
    words, stop = given.pop("stop_words_file"), given.pop("stop_words")
    given["stop_words"] = read_words(words) if words else STOP_WORDS if stop else ()
    given["exceptions"] = read_words(given["exceptions"]) if given["exceptions"] else None
    given["stem"] = given.pop("stemmer") or given["stem"]
    texts, before, kinds = _texts(setup, asked, kinds, output != "perl" and count_by == "summary")
    if before is not None:
        if by not in (None, "1", "2"):
            raise InputError(f"no Nouveau-ROUGE '{by}'.", "--by 1 or --by 2.")
        judged = _scores(asked["judged"]) if asked["judged"] else None
        show(updates(texts, before, judged=judged, by=int(by or 2), **given), output, out, **drawn)
        return
    found = rouge(texts, (), kinds or (*map(str, range(1, n + 1)), "L", "W-1.2", "SU4"), **given).by(by)
    raw = {"raw": True} if output == "perl" and count_by == "raw" else {}
    show(found if count_by == "summary" else found.by_token(), output, out, **drawn, **raw)


def _texts(
    setup: str | None, asked: dict[str, Any], kinds: tuple[str, ...], means: bool
) -> tuple[Any, Any, tuple[str, ...]]:
    """The texts to score, the same with the models of earlier tasks where these are given, and the ROUGEs that fit."""
    from quorate.formats.rouge_files import read_list, read_setup
    from quorate.formats.table_records import read_texts
    from quorate.summaries.rouge.nouveau import earlier_evaluations, earlier_rows
    from quorate.summaries.rouge.score import Texts
    from quorate.summaries.trained.campaign import campaign, collect

    peers, models, style, nouveau = (asked[name] for name in ("peers", "models", "style", "nouveau"))
    if bool(setup) == bool(peers or models) or bool(peers) != bool(models):
        raise InputError("no texts to score.", "give SETUP.xml, a year's folder, or --peers FILE and --models FILE.")
    year = setup and Path(setup).is_dir()
    if style and (not setup or year):
        raise InputError("--list is for a list of files.", "quorate rouge LIST --list SPL.")
    if setup and not year:
        listed = read_list(setup, style, asked["system"]) if style else read_setup(setup)
        kinds = _fitting({e.style for e in listed}, kinds)
        means &= all(e.style != "SIMPLE" for e in listed)
    if nouveau and not means:
        hint = "--format text, json or csv, of texts, without --count-by."
        raise InputError("Nouveau-ROUGE is no figure of ROUGE-1.5.5.", hint)
    if setup and not year:
        before = earlier_evaluations(listed, read_setup(nouveau)) if nouveau else None
        return Texts.of_evaluations(listed), before, kinds
    if setup:
        read = collect(campaign(setup))
        rows, held = ([(*key, text) for key, text in some.items()] for some in (read.peers, read.models))
    else:
        rows, held = read_texts(peers, "system"), read_texts(models, "model")
    return Texts.of_rows(rows, held), earlier_rows(rows, read_texts(nouveau, "model")) if nouveau else None, kinds


def _fitting(styles: set[str], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """What was asked for; of files of basic elements BE-HM unless told, and nothing else of them."""
    from quorate.summaries.rouge import variants

    simple = "SIMPLE" in styles
    if simple and len(styles) > 1:
        raise InputError("basic elements (SIMPLE) and sentences in one set-up.", "give two set-ups.")
    if any((v.family == "BE") != simple for v in (variants(kinds) if kinds else ())):
        hint = "--rouge BE-HM (or BE-H, BE-HMR, BE-HM1, BE-HMR1, BE-HMR2) with files of the format SIMPLE."
        raise InputError("basic elements are compared by ROUGE-BE, and nothing else is.", hint)
    return kinds or (("BE-HM",) if simple else ())


def _scores(path: str) -> dict[tuple[str, str], float]:
    """Judges' scores by task and system, means where there are several: a table of task, system (or item), score."""
    import numpy as np

    from quorate.formats.table_records import needed, read_columns

    columns, source = read_columns([path], {})
    who = "system" if "system" in columns else "item"
    needed(source.name, columns, "task", who, "score")
    found: dict[tuple[str, str], list[float]] = {}
    for row, (task, system, score) in enumerate(zip(columns["task"], columns[who], columns["score"], strict=True)):
        try:
            found.setdefault((str(task).strip(), str(system).strip()), []).append(float(score))
        except (TypeError, ValueError):
            told = [f"score {score!r}"]
            raise source.error("score is not a number", np.array([row]), told, "scores are numbers.") from None
    return {cell: sum(values) / len(values) for cell, values in found.items()}
