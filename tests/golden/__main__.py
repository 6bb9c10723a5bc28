"""Recompute the golden outputs and tell what changed: ``python -m tests.golden [PANEL]... [--write]``."""

from __future__ import annotations

import argparse
import fnmatch
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby

from tests.golden import stored, work
from tests.golden.compare import Change, Comparison, is_number
from tests.golden.panels import PANELS

FIRST = ("demo-search-runs", "public-dots", "example-runs", "orderings-many-judges")  # which take longest
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # read when numpy is loaded
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
    job = work.write if asked.write else partial(work.check, seed=asked.seed)
    for threads in THREADS:
        os.environ.setdefault(threads, "1")
    with ProcessPoolExecutor(asked.processes, multiprocessing.get_context("spawn")) as pool:
        results = sorted(pool.map(job, sorted(names, key=lambda n: n not in FIRST)), key=lambda r: names.index(r.panel))
    for line in _written(results) if asked.write else told(results, asked.added, asked.words):
        print(line)
    return int(any(r.only("changed") for r in results))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="Golden outputs: what changed?")
    parser.add_argument("panels", nargs="*", metavar="PANEL", help="names, * and ? allowed (all)")
    parser.add_argument("--write", action="store_true", help="store what is computed now")
    parser.add_argument("--words", action="store_true", help="show how texts changed")
    parser.add_argument("--added", action="store_true", help="list what is new too")
    parser.add_argument("--seed", type=int, default=0, help="another seed moves drawn figures only (0)")
    parser.add_argument("--processes", type=int, default=2, help="at a time (2)")
    return parser


def _written(results: Iterable[Comparison]) -> Iterator[str]:
    for result in results:
        size = "" if result.skipped else f"{stored.path(result.panel).stat().st_size:,} bytes"
        yield f"{result.panel}: {result.skipped or size}"


def told(results: list[Comparison], added: bool = False, words: bool = False) -> Iterator[str]:
    """What changed, by sort, panel, question, method and field; texts apart; and the sums."""
    for what, title in TOLD.items():
        if what == "added" and not added:
            continue
        lines = [line for result in results for line in _of_panel(result, what)]
        if lines:
            yield from (f"{title}:", *lines, "")
    if any(result.words for result in results):
        yield f"words changed{'' if words else ' (--words shows how)'}:"
        yield from (line for result in results for line in _words(result, words))
        yield ""
    for result in results:
        if result.skipped:
            yield f"skipped {result.panel}: {result.skipped}"
    yield from _sums(results)


def _of_panel(result: Comparison, what: str) -> Iterator[str]:
    """A line for each method and field, with how many figures and the one that differs most."""
    changes = sorted(result.only(what), key=_group)
    for (question, method, name), some in groupby(changes, _group):
        group = list(some)
        worst = max(group, key=_distance)
        number = f" ({len(group)}, the most:)" if len(group) > 1 else ""
        values = "" if worst.field == "(row)" else f" {_shown(worst.old)} -> {_shown(worst.new)}"
        yield f"  {result.panel} / {question} / {method} / {name}{number} {_about(worst)}{values}"


def _group(change: Change) -> tuple[str, str, str]:
    return change.question, change.method, change.field.partition(".")[0]


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


def _words(result: Comparison, whole: bool) -> Iterator[str]:
    if result.words and not whole:
        number = (f"{q} {sum(line[0] == '+' for line in lines)}" for q, lines in result.words.items())
        yield f"  {result.panel}: lines of {', '.join(number)}"
        return
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
