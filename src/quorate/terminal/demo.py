"""The demo: reports on made-up panels of each kind, their verdicts in the terminal and their pages in a folder."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quorate.errors import MissingExtra
from quorate.reports import Report, report
from quorate.terminal.demo_panels import MadeUp, film_orders, search_runs, sentence_clusters, summary_scores

FOLDER = "quorate-demo"
COLUMNS = "(columns judge, item and position, group or score; task if several)"
QUICK: dict[str, Any] = {"resamples": 200, "permutations": 100}


def run(console: Any, seed: int, folder: str = FOLDER) -> None:
    """Print the verdicts and write the pages; without the extra `report`, say how to get them."""
    for line in told(seed, Path(folder), console.width):
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def told(seed: int, folder: Path, width: int = 80) -> Iterator[str]:
    """The demo's lines, the search runs first and in full."""
    missing: MissingExtra | None = None
    yield from textwrap.wrap("Four panels, all made up, with bad judges planted in them: will they be found?", width)
    for number, make in enumerate((search_runs, film_orders, sentence_clusters, summary_scores)):
        made = make(seed)
        page = report(made.panel, title=made.about.partition(".")[0], seed=seed, **QUICK)
        yield ""
        yield from _paragraph(made.about, width)
        yield ""
        for sentence in page.verdict if number == 0 else page.verdict[:4]:
            yield from _paragraph(f"- {sentence}", width, "  ")
        yield from _paragraph(_found(made, page), width)
        try:
            yield f"The page: {_written(page, folder, made.name)}"
        except MissingExtra as error:
            missing = error
    yield ""
    if missing is not None:
        yield from _paragraph(f"No page was written. {' '.join(str(missing).split())}", width)
    yield "Next: quorate report YOUR_FILE.csv"
    yield from _paragraph(f"      {COLUMNS}", width, "      ")
    yield "      quorate --help, quorate table, quorate formats"


def flagged(page: Report) -> list[str]:
    """The judges whom a method of the report calls off, in the order of the answer."""
    answer = page.section("judges").answer
    overall = [o for f in answer.findings for o in f.overall] if answer else []
    return list(dict.fromkeys(str(o.labels["judge"]) for o in overall if o.labels.get("flag") is True))


def _found(made: MadeUp, page: Report) -> str:
    off = flagged(page)
    planted = "; ".join(f"{judge} ({how})" for judge, how in made.planted.items())
    wrong = [judge for judge in off if judge not in made.planted]
    missed = [judge for judge in made.planted if judge not in off]
    said = f"Planted: {planted}. "
    said += f"Not found: {', '.join(missed)}." if missed else "Found."
    return said + (f" Flagged though not planted: {', '.join(wrong)}." if wrong else "")


def _written(page: Report, folder: Path, name: str) -> str:
    text = page.html()  # before the folder is made: without the extra nothing is left behind
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}.html"
    target.write_text(text, encoding="utf-8", newline="\n")
    return target.as_posix()


def _paragraph(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
