"""The papers by name, all or one reproduced, and told in text or JSON."""

from __future__ import annotations

import json
import math
import os
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from quorate.errors import BadParameter, InputError, suggest
from quorate.reproduce.rows import NEEDS, SOURCES, How, Reproduced, Row

MODULES = {
    "kappa": "kappa",
    "q-support": "qsupport",
    "frespa": "frespa",
    "clusters": "clusters",
    "assessors": "assessors",
}
WIDTH = 80
SHOWN = 5  # of the largest differences
STUDIED = "Over several simulated studies"
ROMAN = ("", "I", "II", "III", "IV", "V", "VI")
BASIS = {**SOURCES, "simulation": "by simulation (the paper's data is not at hand; equality is not expected)"}


def data_folder(named: str | Path | None = None) -> Path | None:
    """Where the public data is: as named, else $QUORATE_DATA, else ../shared/data if that is there."""
    if named is not None:
        if not Path(named).is_dir():
            raise InputError(f"{named}: no such folder.", "--data is laid out as preflib/..., consensus-papers/...")
        return Path(named)
    default = Path(os.environ.get("QUORATE_DATA") or Path("..", "shared", "data"))
    return default if default.is_dir() else None


def reproduce(
    name: str = "all",
    *,
    data: Path | None = None,
    seed: int = 0,
    studies: int = 1,
    progress: Callable[[str, int, int], None] | None = None,
    budget: int | None = None,
    choice: str | Path | None = None,
    needed: bool = True,
) -> list[Reproduced]:
    """One paper or all of them; ``data`` in which no paper asked for finds anything is an error if it is ``needed``.

    >>> [found] = reproduce("kappa")
    >>> sum(r.equal for r in found.rows if r.table in ("Table IV", "Table VI"))
    576
    """
    if name != "all" and name not in MODULES:
        raise BadParameter(f"no paper '{name}'.", suggest(name, [*MODULES, "all"], "Papers"))
    if studies < 1:
        raise BadParameter(f"studies={studies} is out of range.", "studies is a whole number from 1.")
    how = How(data, seed, studies, progress, budget, choice)
    chosen = MODULES if name == "all" else {name: MODULES[name]}
    modules = [import_module(f"quorate.reproduce.{m}") for m in chosen.values()]
    wanting = [m for m in modules if hasattr(m, "WANTED")]  # those that use data, and what they look for
    if data is not None and needed and wanting and not any(m.has_data(how) for m in wanting):
        hint = f"{'; '.join(m.WANTED for m in wanting)}. Without --data, or with --no-data, tables are simulated."
        raise InputError(f"{data}: nothing in it that {' or '.join(chosen)} could be computed from.", hint)
    return [m.reproduce(how) for m in modules]


def to_json(found: Sequence[Reproduced]) -> str:
    """Everything: all rows, counts, contradictions, what could not be had."""
    return json.dumps({"papers": [p.to_dict() for p in found]}, indent=1, allow_nan=False) + "\n"


def to_text(found: Sequence[Reproduced], cells: bool = False) -> str:
    """For people: a sentence for each source, the tables, the largest differences (or all cells), contradictions."""
    return "\n".join(line for paper in found for line in (*_paper(paper, cells), ""))


def sentences(paper: Reproduced) -> list[str]:
    """How much came out, a sentence for each source, then what there is besides and what is wanting."""
    out = [_sentence(paper, source, c["cells"], c["equal"], c["cut"]) for source, c in paper.counts().items()]
    drawn = sum(r.paper is None and r.table.startswith("Figure") for r in paper.rows)
    if drawn:
        out.append(f"{drawn:,} points of figures have no printed number: ours are in JSON and HTML.")
    absent = sum(r.ours is None for r in paper.rows)
    if absent:
        wanting = "need --data" if any(r.note == NEEDS for r in paper.rows) else "have no figure of ours"
        out.append(f"{absent:,} printed cells {wanting}.")
    return out


def _paper(paper: Reproduced, cells: bool) -> Iterator[str]:
    yield paper.title
    yield from paper.shown.splitlines()
    for sentence in sentences(paper):
        yield from _wrapped(sentence)
    yield from _listed(STUDIED + ":", paper.studied)
    yield from _listed("Set by looking at the paper's numbers, so that closeness there proves nothing:", paper.fitted)
    yield from _tables(paper)
    for source in paper.counts():
        yield from _differences(paper, source, cells)
    yield from _listed("Where the paper contradicts itself or leaves things open:", paper.slips)
    yield from _listed("Not reproduced:", paper.missing)


def _sentence(paper: Reproduced, source: str, cells: int, equal: int, cut: int) -> str:
    basis = paper.basis or BASIS[source]
    said = f"{equal:,} of {cells:,} cells equal to the printed digits, {basis}"
    if source == "simulation":
        mean = paper.counts()[source]["mean_difference"]
        said = f"{cells:,} cells {basis}"
        return said + (f": off by {mean:.3f} on average." if mean is not None else ".")
    return said + (f"; {cut} more when digits are cut, not rounded." if cut else ".")


@dataclass(frozen=True)
class Overview:
    """A table or figure in a line: from what, how many cells, how many equal, how far off, how many drawn only."""

    table: str
    source: str
    cells: int
    equal: int | None  # of a simulation None: equality is not expected
    mean: float | None
    largest: float | None
    drawn: int
    wanting: bool  # whether it needs data


def overview(paper: Reproduced) -> Iterator[Overview]:
    """A line for each table or figure and source, in the order of the paper."""
    for name in sorted({r.table for r in paper.rows}, key=place):
        for source in SOURCES:
            rows = [r for r in paper.rows if (r.table, r.source) == (name, source)]
            if not rows:
                continue
            both = [r for r in rows if r.compared]
            off = [r.difference for r in both if r.difference is not None and not math.isnan(r.difference)]
            mean, most = (sum(map(abs, off)) / len(off), max(off, key=abs)) if off else (None, None)
            equal = None if source == "simulation" or not both else sum(r.equal for r in both)
            drawn = sum(r.paper is None for r in rows)
            yield Overview(name, source, len(both), equal, mean, most, drawn, rows[0].note == NEEDS)


def _tables(paper: Reproduced) -> Iterator[str]:
    """The overview as lines of text."""
    yield f"  {'':14}{'source':12}{'cells':>6}{'equal':>7}{'mean diff':>11}{'largest':>10}{'drawn only':>12}"
    for o in overview(paper):
        equal = "" if o.equal is None else str(o.equal)
        line = f"  {o.table:14}{o.source:12}{o.cells or ('--data' if o.wanting else ''):>6}{equal:>7}"
        line += f"{o.mean:>11.3f}" if o.mean is not None else f"{'':11}"
        line += f"{signed(o.largest):>10}" if o.largest is not None else f"{'':10}"
        yield (line + (f"{o.drawn:>12}" if o.drawn else "")).rstrip()


def signed(difference: float) -> str:
    """A difference with its sign, but for one that is nothing with these digits.

    >>> signed(-0.0049), signed(0.25), signed(-0.0001)
    ('-0.005', '+0.250', '0.000')
    """
    return "0.000" if abs(difference) < 0.0005 else f"{difference:+.3f}"


def place(table: str) -> tuple[int, int, str]:
    """Tables, then figures, then the rest, by number, Roman or not."""
    word, _, number = table.partition(" ")
    value = ROMAN.index(number) if number in ROMAN else int(number) if number.isdigit() else 0
    return {"Table": 0, "Figure": 1}.get(word, 2), value, table


def _differences(paper: Reproduced, source: str, cells: bool) -> Iterator[str]:
    """Of printed and public data all that differ, up to a limit; of simulations the largest differences.

    With ``cells`` every cell in the paper's order, equal or not.
    """
    rows = [r for r in paper.of(source) if cells or not r.equal]
    if not rows:
        return
    numbers, words = ([r for r in rows if (r.difference is None) == word] for word in (False, True))
    if not cells:
        numbers, words = sorted(numbers, key=lambda r: -abs(r.difference or 0))[:SHOWN], words[:SHOWN]
    yield f"  {'Every cell' if cells else 'Largest differences'} ({source}):"
    yield f"    {'':46}{'paper':>8}{'ours':>9}{'diff':>9}"
    for r in numbers:
        yield from _line(r)
    for r in words:
        yield from _wrapped(f"{r.table}, {r.cell}: paper {r.paper}; ours {r.ours}.", "    ", "      ")


def _line(r: Row) -> Iterator[str]:
    name = textwrap.wrap(f"{r.table}, {r.cell}", 44, subsequent_indent="  ")
    for part in name[:-1]:
        yield f"    {part}"
    yield f"    {name[-1]:46}{r.paper:>8}{r.ours:>9.3f}{signed(r.difference or 0.0):>9}"


def _listed(title: str, points: Sequence[str]) -> Iterator[str]:
    if points:
        yield f"  {title}"
        for point in points:
            yield from _wrapped(point, "  - ", "    ")


def _wrapped(text: str, first: str = "  ", rest: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest)
