"""The papers by name, all or one reproduced, as blocks: text, page and JSON show the same."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from quorate.document.blocks import Block, Section, Table, Text, columns
from quorate.document.terminal import render
from quorate.errors import BadParameter, InputError, suggest
from quorate.inference.results import clean
from quorate.reproduce.rows import NEEDS, SOURCES, How, Reproduced, Row, tally

MODULES = {
    "kappa": "kappa",
    "q-support": "qsupport",
    "frespa": "frespa",
    "clusters": "clusters",
    "assessors": "assessors",
}
SHOWN = 5  # of the largest differences
STUDIED = "Over several simulated studies"
SLIPS = "Where the paper contradicts itself or leaves things open"
FITTED = "Set by looking at the paper's numbers, so that closeness there proves nothing"
MISSING = "Not reproduced"
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
    sections = (Section(paper.title, tuple(blocks(paper, cells))) for paper in found)
    shown = "".join(f"{paper.shown}\n" for paper in found if paper.shown)
    return shown + render(sections, rows=sys.maxsize if cells else SHOWN * 8)


def blocks(paper: Reproduced, cells: bool = False) -> Iterator[Block]:
    """What came out of a paper, and from what."""
    yield Text(tuple(sentences(paper)), "lead")
    yield from _listed(STUDIED, paper.studied)
    yield from _listed(FITTED, paper.fitted)
    yield glance(paper)
    for source in paper.counts():
        yield from _differences(paper, source, cells)
    yield from _listed(SLIPS, paper.slips)
    yield from _listed(MISSING, paper.missing)


def sentences(paper: Reproduced) -> list[str]:
    """How much came out, a sentence for each source, then what there is besides and what is wanting."""
    out = [_sentence(paper, source, **counted) for source, counted in paper.counts().items()]
    drawn = sum(r.paper is None and r.table.startswith("Figure") for r in paper.rows)
    if drawn:
        out.append(f"{drawn:,} points of figures have no printed number: ours are in JSON and HTML.")
    absent = sum(r.ours is None for r in paper.rows)
    return [*out, f"{absent:,} printed cells {_wanting(paper.rows)}."] if absent else out


def _sentence(paper: Reproduced, source: str, cells: int, equal: int, cut: int, mean_difference: float | None) -> str:
    basis, mean = paper.basis or BASIS[source], mean_difference
    if source == "simulation":
        return f"{cells:,} cells {basis}" + (f": off by {mean:.3f} on average." if mean is not None else ".")
    said = f"{equal:,} of {cells:,} cells equal to the printed digits, {basis}"
    return said + (f"; {cut} more when digits are cut, not rounded." if cut else ".")


def _listed(title: str, points: Sequence[str]) -> Iterator[Block]:
    if points:
        yield Text((f"{title}:",))
        yield Text(tuple(points), "points")


GLANCE = (
    "table_or_figure",
    "source",
    "cells:count",
    "equal:count",
    "mean_difference:figure",
    "largest:signed",
    "drawn_only:count",
)


def glance(paper: Reproduced) -> Table:
    """A line for each table or figure and source, in the order of the paper: how many cells, and how near ours come."""
    lines = []
    for name in sorted({r.table for r in paper.rows}, key=place):
        for source in SOURCES:
            rows = [r for r in paper.rows if (r.table, r.source) == (name, source)]
            if rows:
                found = tally(rows)
                equal = None if source == "simulation" or not found["cells"] else found["equal"]
                told = found["cells"] or (NEEDS if rows[0].note == NEEDS else "")
                drawn = sum(r.paper is None for r in rows) or None
                lines.append((name, source, told, equal, found["mean_difference"], found["largest"], drawn))
    return Table("What came out, and from what", columns(*GLANCE), tuple(lines), keys=2)


COLUMNS = ("cell", "paper:digits", "ours:digits", "difference:signed", "equal", "source", "note:text")


def tables(paper: Reproduced) -> list[Table]:
    """A table for each of the paper's and each source: the cells with a printed figure, and ours if it is there."""
    out = []
    found = dict.fromkeys((r.table, r.source) for r in paper.rows if r.paper is not None)
    for name, source in sorted(found, key=lambda one: place(one[0])):
        rows = [r for r in paper.rows if (r.table, r.source) == (name, source) and r.paper is not None]
        cells = [(r.cell, r.paper, _ours(r), clean(r.difference), _equal(r), r.source, r.note) for r in rows]
        out.append(Table(f"{name}, {source}: {_count(rows)}", columns(*COLUMNS), tuple(cells)))
    return out


def _differences(paper: Reproduced, source: str, cells: bool) -> Iterator[Table]:
    """Of printed and public data all that differ, up to a limit; of simulations the largest differences.

    With ``cells`` every cell in the paper's order, equal or not.
    """
    rows = [r for r in paper.of(source) if cells or not r.equal]
    numbers, words = ([r for r in rows if (r.difference is None) == word] for word in (False, True))
    if not cells:
        numbers, words = sorted(numbers, key=lambda r: -abs(r.difference or 0))[:SHOWN], words[:SHOWN]
    if rows:
        heads = columns("cell:text", "paper:digits", "ours:digits", "difference:signed")
        lines = tuple((f"{r.table}, {r.cell}", r.paper, _ours(r), clean(r.difference)) for r in (*numbers, *words))
        yield Table(f"{'Every cell' if cells else 'Largest differences'} ({source})", heads, lines)


def place(table: str) -> tuple[int, int, str]:
    """Tables, then figures, then the rest, by number, Roman or not."""
    word, _, number = table.partition(" ")
    value = ROMAN.index(number) if number in ROMAN else int(number) if number.isdigit() else 0
    return {"Table": 0, "Figure": 1}.get(word, 2), value, table


def _count(rows: Sequence[Row]) -> str:
    found = tally(rows)
    mean, cells = found["mean_difference"], found["cells"]
    if rows[0].source == "simulation" and cells:
        return f"{cells} cells" + (f", off by {mean:.3f} on average" if mean is not None else "")
    return (
        f"{found['equal']} of {cells} cells equal to the printed digits"
        if cells
        else f"{len(rows)} cells {_wanting(rows)}"
    )


def _wanting(rows: Sequence[Row]) -> str:
    return "need --data" if any(r.note == NEEDS for r in rows) else "have no figure of ours"


def _ours(row: Row) -> Any:
    """Words as they are, whole numbers without decimals."""
    return row.ours if row.ours is None or isinstance(row.ours, float) else str(row.ours)


def _equal(row: Row) -> str:
    if not row.compared:
        return "-"
    return "yes" if row.equal else "when cut" if row.cut else "no"
