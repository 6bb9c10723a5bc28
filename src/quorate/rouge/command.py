"""What `quorate rouge` does, apart from its options: read the texts, score, and print in one of four forms."""

from __future__ import annotations

from typing import Any

from quorate.errors import InputError
from quorate.formats.rouge_files import read_setup, read_texts, read_words
from quorate.rouge.board import rouge_board
from quorate.rouge.score import rouge
from quorate.rouge.texts import Texts
from quorate.rouge.tokens import STOP_WORDS


def scored(
    setup: str | None,
    peers: str | None,
    models: str | None,
    output: str,
    *,
    n: int = 4,
    kinds: tuple[str, ...] = (),
    by: str | None = None,
    stop_words: bool = False,
    stop_words_file: str | None = None,
    exceptions: str | None = None,
    seed: int = 0,
    level: float = 0.95,
    resamples: int = 1000,
    **options: Any,
) -> str:
    """The scores of a set-up file, or of a table of peers and one of models, as text, json, csv or perl."""
    if bool(setup) == bool(peers or models) or bool(peers) != bool(models):
        raise InputError("no texts to score.", "give SETUP.xml, or --peers FILE and --models FILE.")
    if setup:
        texts = Texts.of_evaluations(read_setup(setup))
    else:
        texts = Texts.of_rows(read_texts(str(peers), "system"), read_texts(str(models), "model"))
    chosen = kinds or (*(str(k) for k in range(1, n + 1)), "L", "W-1.2", "SU4")
    stop = read_words(stop_words_file) if stop_words_file else STOP_WORDS if stop_words else ()
    found = rouge(
        texts, (), chosen, stop_words=stop, exceptions=read_words(exceptions) if exceptions else None, **options
    )
    board = rouge_board(found, by, seed=seed, level=level, resamples=resamples)
    made = {"json": board.to_json, "csv": board.to_csv, "perl": board.to_perl}
    return made.get(output, board.text)()
