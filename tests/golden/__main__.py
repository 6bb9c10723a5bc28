"""Recompute the golden outputs and tell on one screen what changed: ``python -m tests.golden [--panels NAME...]``.

``--all`` has a line for every panel, ``--words`` compares texts too, ``--write`` stores what is computed now.
"""

from __future__ import annotations

import argparse
import fnmatch
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby

from tests.golden import stored, work
from tests.golden.compare import Change, Comparison, is_number
from tests.golden.panels import PANELS

FIRST = ("demo-search-runs", "public-dots", "example-runs", "orderings-many-judges")  # which take longest
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # read when numpy is loaded
SCREEN = {"changed": 24, "moved": 12, "gone": 6, "added": 6}  # lines of each sort
TOLD = {
    "changed": "point figures changed",
    "moved": "drawn figures moved further than chance moves them",
    "gone": "rows or fields are gone",
    "added": "rows or fields are added",
}


def main() -> int:
    """Compare or write; 1 when a point figure changed."""
    asked = _parser().parse_args()
    names = [n for n in PANELS if not asked.panels or any(fnmatch.fnmatch(n, p) for p in asked.panels)]
    if not names:
        print(f"no such panel; there are: {', '.join(PANELS)}", file=sys.stderr)
        return 2
    job = work.write if asked.write else partial(work.check, seed=asked.seed, words=asked.words)
    for threads in THREADS:
        os.environ.setdefault(threads, "1")
    with ProcessPoolExecutor(asked.processes, multiprocessing.get_context("spawn")) as pool:
        results = sorted(pool.map(job, sorted(names, key=lambda n: n not in FIRST)), key=lambda r: names.index(r.panel))
    for line in _written(results) if asked.write else told(results, asked.added, asked.words, every=asked.all):
        print(line)
    return int(any(r.only("changed") for r in results))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="Golden outputs: what changed?")
    parser.add_argument("--panels", nargs="+", metavar="NAME", help="names, * and ? allowed (all)")
    parser.add_argument("--all", action="store_true", help="a line for every panel, method and field that changed")
    parser.add_argument("--write", action="store_true", help="store what is computed now")
    parser.add_argument("--words", action="store_true", help="compare texts too, and show how they changed")
    parser.add_argument("--added", action="store_true", help="list what is new too")
    parser.add_argument("--seed", type=int, default=0, help="another seed moves drawn figures only (0)")
    parser.add_argument("--processes", type=int, default=2, help="at a time (2)")
    return parser


def _written(results: Iterable[Comparison]) -> Iterator[str]:
    for result in results:
        size = "" if result.skipped else f"{stored.path(result.panel).stat().st_size:,} bytes"
        yield f"{result.panel}: {result.skipped or size}"


def told(results: list[Comparison], added: bool = False, words: bool = False, every: bool = True) -> Iterator[str]:
    """What changed, by sort, question, method and field, and with ``every`` by panel; texts apart; and the sums."""
    for what, title in TOLD.items():
        if what == "added" and not added:
            continue
        changes = [(result.panel, change) for result in results for change in result.only(what)]
        lines = list(_lines(changes, _of_panel if every else _of_all))
        if lines:
            cut = len(lines) if every else SCREEN[what]
            more = [f"  and {len(lines) - cut} more lines (--all)"] if len(lines) > cut else []
            yield from (f"{title}:", *lines[:cut], *more, "")
    if words and any(result.words for result in results):
        yield "words changed:"
        yield from (line for result in results for line in _words(result))
        yield ""
    skipped = [result for result in results if result.skipped]
    if skipped and not every:
        yield f"skipped {len(skipped)} panels: {skipped[0].skipped}"
    for result in skipped if every else ():
        yield f"skipped {result.panel}: {result.skipped}"
    yield from _sums(results)


Found = tuple[str, Change]  # with its panel


def _lines(changes: Iterable[Found], group: Callable[[Found], tuple[str, ...]]) -> Iterator[str]:
    """A line for each group: how many figures, on how many panels, and the one that differs most."""
    for key, some in groupby(sorted(changes, key=group), group):
        found = list(some)
        panel, worst = max(found, key=lambda one: _distance(one[1]))
        panels = len({name for name, _ in found})
        on = f" on {panels} panels" if panels > 1 else ""
        number = f" ({len(found)}{on}, the most:)" if len(found) > 1 else ""
        values = "" if worst.field == "(row)" else f" {_shown(worst.old)} -> {_shown(worst.new)}"
        where = f" {panel}" if panel not in key else ""
        yield f"  {' / '.join(key)}{number}{where} {_about(worst)}{values}"


def _of_all(found: Found) -> tuple[str, ...]:
    change = found[1]
    return change.question, change.method, change.field.partition(".")[0]


def _of_panel(found: Found) -> tuple[str, ...]:
    return found[0], *_of_all(found)


def _about(change: Change) -> str:
    """The row and the place in it, without what the line says already."""
    inside = change.field.partition(".")[2]
    return f"[{change.row}{': ' + inside if inside else ''}]"


def _distance(change: Change) -> float:
    if is_number(change.old) and is_number(change.new):
        return float(abs(change.new - change.old) / max(abs(change.old), abs(change.new), 1e-300))
    return 2.0


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _words(result: Comparison) -> Iterator[str]:
    for question, lines in result.words.items():
        yield from (f"  {result.panel} / {question}", *(f"    {line}" for line in lines))


def _sums(results: list[Comparison]) -> Iterator[str]:
    done = [r for r in results if not r.skipped]
    point, drawn, redrawn = (sum(r.counts[n] for r in done) for n in ("point", "drawn", "redrawn"))
    number = {what: sum(len(r.only(what)) for r in done) for what in TOLD}
    words, texts = sum(len(r.words) for r in done), sum(r.counts["texts"] for r in done)
    yield (
        f"{len(done)} panels: {point:,} point figures, {number['changed']:,} changed; {drawn:,} drawn figures, "
        f"{redrawn:,} drawn anew, {number['moved']:,} of them moved too far; {number['gone']:,} gone, "
        f"{number['added']:,} added; {texts:,} texts differ, {words:,} in more than numbers "
        f"({sum(r.seconds for r in done):.0f} CPU s)"
    )


if __name__ == "__main__":
    sys.exit(main())
