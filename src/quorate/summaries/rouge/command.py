"""What `quorate rouge` does, apart from its options: read the texts, and score them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.rouge_files import Evaluation, read_list, read_setup, read_words
from quorate.formats.table_records import needed, read_columns, read_texts
from quorate.summaries.rouge.nouveau import Updates, earlier_evaluations, earlier_rows, updates
from quorate.summaries.rouge.score import Rouge, Row, Texts, TokenRouge, rouge
from quorate.summaries.rouge.tokens import STOP_WORDS
from quorate.summaries.rouge.variants import variants
from quorate.summaries.trained.campaign import campaign, collect


def scored(
    setup: str | None,
    peers: str | None,
    models: str | None,
    *,
    perl: bool = False,
    n: int = 4,
    kinds: tuple[str, ...] = (),
    by: str | None = None,
    stop_words: bool = False,
    stop_words_file: str | None = None,
    exceptions: str | None = None,
    stem: bool = False,
    stemmer: str | None = None,
    style: str | None = None,
    system: str = "X",
    count_by: str = "summary",
    nouveau: str | None = None,
    judged: str | None = None,
    **options: Any,
) -> Rouge | TokenRouge | Updates:
    """The scores of a set-up file, a year's folder, or tables of peers and models; ``perl``: as the script does."""
    if bool(setup) == bool(peers or models) or bool(peers) != bool(models):
        raise InputError("no texts to score.", "give SETUP.xml, a year's folder, or --peers FILE and --models FILE.")
    year = bool(setup) and Path(str(setup)).is_dir()
    if style and (not setup or year):
        raise InputError("--list is for a list of files.", "quorate rouge LIST --list SPL.")
    if judged and not nouveau:
        raise InputError("--fit is for --nouveau.", "give the models of the earlier tasks: --nouveau FILE.")
    options["stop_words"] = read_words(stop_words_file) if stop_words_file else STOP_WORDS if stop_words else ()
    options["exceptions"] = read_words(exceptions) if exceptions else None
    options["stem"] = stemmer or stem
    listed: list[Evaluation] = []
    rows: list[Row] = []
    if year:
        read = collect(campaign(str(setup)))
        rows = [(task, system, text) for (task, system), text in read.peers.items()]
        texts = Texts.of_rows(rows, [(task, model, text) for (task, model), text in read.models.items()])
    elif setup:
        listed = read_list(setup, style, system) if style else read_setup(setup)
        texts = Texts.of_evaluations(listed)
        kinds = _fitting(listed, kinds)
    else:
        rows = list(read_texts(str(peers), "system"))
        texts = Texts.of_rows(rows, read_texts(str(models), "model"))
    if nouveau:
        if perl or count_by != "summary" or any(e.style == "SIMPLE" for e in listed):
            raise InputError(
                "Nouveau-ROUGE is no figure of ROUGE-1.5.5.",
                "--format text, json or csv, of texts, without --count-by.",
            )
        before = earlier_evaluations(listed, read_setup(nouveau)) if listed else earlier_rows(rows, _models(nouveau))
        scores = read_scores(judged) if judged else None
        return updates(texts, before, judged=scores, by=_size(by), **options)
    chosen = kinds or (*(str(k) for k in range(1, n + 1)), "L", "W-1.2", "SU4")
    found = rouge(texts, (), chosen, **options).by(by)
    return found if count_by == "summary" else found.by_token()


def _fitting(listed: list[Evaluation], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """What was asked for; of files of basic elements BE-HM unless told, and nothing else of them."""
    styles = {e.style for e in listed if e.style == "SIMPLE"} | {"text" for e in listed if e.style != "SIMPLE"}
    simple = "SIMPLE" in styles
    if simple and len(styles) > 1:
        raise InputError("basic elements (SIMPLE) and sentences in one set-up.", "give two set-ups.")
    if any((v.family == "BE") != simple for v in (variants(kinds) if kinds else ())):
        raise InputError(
            "basic elements are compared by ROUGE-BE, and nothing else is.",
            "--rouge BE-HM (or BE-H, BE-HMR, BE-HM1, BE-HMR1, BE-HMR2) with files of the format SIMPLE.",
        )
    return kinds or (("BE-HM",) if simple else ())


def _models(path: str) -> list[Row]:
    return list(read_texts(path, "model"))


def _size(by: str | None) -> int:
    if by in (None, "1", "2"):
        return int(by or 2)
    raise InputError(f"no Nouveau-ROUGE '{by}'.", "--by 1 or --by 2.")


def read_scores(path: str) -> dict[tuple[str, str], float]:
    """Judges' scores by task and system, means where there are several: a table of task, system (or item), score."""
    columns, source = read_columns([path], {})
    who = "system" if "system" in columns else "item"
    needed(source.name, columns, "task", who, "score")
    found: dict[tuple[str, str], list[float]] = {}
    for row, (task, system, score) in enumerate(zip(columns["task"], columns[who], columns["score"], strict=True)):
        try:
            found.setdefault((str(task).strip(), str(system).strip()), []).append(float(score))
        except (TypeError, ValueError):
            raise source.error(
                "score is not a number", np.array([row]), [f"score {score!r}"], "scores are numbers."
            ) from None
    return {cell: sum(values) / len(values) for cell, values in found.items()}
