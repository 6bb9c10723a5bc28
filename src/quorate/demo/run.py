"""The demo: made-up panels of each kind as files, their first screens here and their pages beside the files."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quorate.demo.panels import MadeUp, film_orders, model_votes, search_runs, sentence_clusters, summary_scores
from quorate.errors import MissingExtra
from quorate.formats import read, write
from quorate.reports import Report, report
from quorate.reports.model import hashed

COLUMNS = "(columns judge, item and position, group or score, or judge, model_a, model_b, winner; task if several)"

DRAWN: dict[str, Any] = {}  # how much is drawn, as for any other file; tests draw less


def told(seed: int, folder: Path, width: int = 80) -> Iterator[str]:
    """The demo's lines, the search runs first and in full."""
    missing: MissingExtra | None = None
    folder.mkdir(parents=True, exist_ok=True)
    yield from textwrap.wrap("Five panels, all made up, with bad judges planted in them: will they be found?", width)
    for number, make in enumerate((search_runs, film_orders, sentence_clusters, summary_scores, model_votes)):
        made = make(seed)
        file = folder / f"{made.name}.csv"
        write(made.panel, file)
        page = _page(file, made.about.partition(".")[0], seed)
        yield ""
        yield from _paragraph(made.about, width)
        yield ""
        for line, indent in page.first_screen.lines(tiles=number == 0):
            yield from _paragraph(line, width, indent)
        yield from _paragraph(_found(made, page), width)
        try:
            yield f"The page: {page.save(file.with_suffix('.html')).as_posix()}, its data: {file.name}"
        except MissingExtra as error:
            missing = error
    yield ""
    if missing is not None:
        yield from _paragraph(f"No page was written. {' '.join(str(missing).split())}", width)
    yield "Next: quorate report YOUR_FILE.csv"
    yield from _paragraph(f"      {COLUMNS}", width, "      ")
    yield "      quorate --help, quorate table, quorate formats"


def _page(file: Path, title: str, seed: int) -> Report:
    """The report that the command on the page makes too."""
    options = {"title": title, "seed": seed, **DRAWN}
    named: dict[str, Any] = {"--title": title, **({"--seed": seed} if seed else {})}
    named |= {f"--{name}": much for name, much in DRAWN.items()}
    words = ["quorate", "report", *(str(word) for option in named.items() for word in option), str(file)]
    return report(read(file), inputs=hashed(file), command=shlex.join(words), **options)


def flagged(page: Report) -> list[str]:
    """The judges whom the report calls off, the worst first."""
    answer = page.section("judges").answer
    return list(dict.fromkeys(str(f["judge"]) for f in answer.more["flagged"])) if answer else []


def _found(made: MadeUp, page: Report) -> str:
    off = flagged(page)
    planted = "; ".join(f"{judge} ({how})" for judge, how in made.planted.items())
    wrong = [judge for judge in off if judge not in made.planted]
    missed = [judge for judge in made.planted if judge not in off]
    said = f"Planted: {planted}. "
    said += f"Not found: {', '.join(missed)}." if missed else "Found."
    return said + (f" Flagged though not planted: {', '.join(wrong)}." if wrong else "")


def _paragraph(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
