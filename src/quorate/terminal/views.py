"""Other views of agreement: judge x judge, the patterns all share, the order all share, the gamma x lam surface.

Also the table of methods as text.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from rich.table import Table

from quorate import table
from quorate.errors import InputError
from quorate.inference.results import clean
from quorate.orderings import PAIRWISE, Kappa, kappa
from quorate.orderings.kappa import GRID
from quorate.orderings.measured import one_task
from quorate.panel.kinds import Orderings, Panel
from quorate.table import Method
from quorate.terminal.page import USUAL, page_text
from quorate.terminal.text import figure, matrix_table, plain_table


def view_text(
    panel: Panel,
    view: str,
    methods: Sequence[Method],
    output: str,
    length: int | None,
    limit: int,
    width: int = USUAL,
) -> str:
    """One view of every task, as text or JSON."""
    if not isinstance(panel, Orderings):
        raise InputError(f"--show {view} is for orderings; this panel holds {panel.kind}.")
    if output == "csv":
        raise InputError(f"--show {view} has no CSV form.", "use --format json.")
    views = [_view(panel.select(tasks=[t]), t, view, methods, length, limit, width) for t in panel.tasks]
    if output == "json":
        return json.dumps([clean(data) for data, _ in views], ensure_ascii=False, indent=1, default=str) + "\n"
    return page_text((piece for _, pieces in views for piece in pieces), width, whole=True)


def _view(
    panel: Orderings,
    task: Hashable,
    view: str,
    methods: Sequence[Method],
    length: int | None,
    limit: int,
    width: int,
) -> tuple[dict[str, Any], list[Any]]:
    if view == "matrix":
        return _matrix(panel, task, methods, width)
    weights: dict[str, Any] = next((dict(m.parameters) for m in methods if m.name == "kappa"), {})
    found = kappa(panel, **weights)
    if view == "patterns":
        return _patterns(found, task, length, limit)
    if view == "graph":
        edges = found.graph()
        quoted = [tuple(json.dumps(str(x), ensure_ascii=False) for x in edge) for edge in edges]
        dot = [f"digraph {json.dumps(str(task), ensure_ascii=False)} {{", *(f"  {a} -> {b};" for a, b in quoted), "}"]
        return {"task": task, "edges": edges}, ["\n".join(dot)]
    return _surface(found, task)


def _matrix(
    panel: Orderings, task: Hashable, methods: Sequence[Method], width: int
) -> tuple[dict[str, Any], list[Any]]:
    chosen = [m for m in methods if m.name in PAIRWISE]
    if not chosen:
        raise InputError("--show matrix needs an index of two rankings.", f"one of {', '.join(PAIRWISE)}.")
    one = one_task(panel)
    squares = {str(m): PAIRWISE[m.name].square(one.positions, **m.parameters)[0].tolist() for m in chosen}
    pieces = [matrix_table(f"{task}: {name}", one.judges, square, width) for name, square in squares.items()]
    return {"task": task, "judges": list(one.judges), "matrices": squares}, pieces


def _patterns(found: Kappa, task: Hashable, length: int | None, limit: int) -> tuple[dict[str, Any], list[Any]]:
    size = found.longest if length is None else length
    shown = list(itertools.islice(found.patterns(size, limit=None), limit)) if size <= found.longest else []
    of = found.by_length[size - 1] if found.by_length and 0 < size <= found.longest else None
    head = f"{task}: patterns of {size} items that all judges share, first {len(shown)}"
    data = {"task": task, "length": size, "longest": found.longest, "weight": of, "patterns": shown}
    return data, [head, *("  " + " > ".join(map(str, p)) for p in shown)]


def _surface(found: Kappa, task: Hashable) -> tuple[dict[str, Any], list[Any]]:
    surface = found.surface()
    grid = plain_table(f"{task}: kappa, gamma down, lam across")
    grid.add_column("gamma", justify="right")
    lams = GRID[::2]
    for lam in lams:
        grid.add_column(f"{lam:g}", justify="right")
    for gamma in GRID:
        grid.add_row(f"{gamma:g}", *(figure(surface[gamma, lam]) for lam in lams))
    rows = [{"gamma": g, "lam": lam, "kappa": v} for (g, lam), v in surface.items()]
    return {"task": task, "surface": rows}, [grid]


def method_table(kind: str | None, question: str | None) -> Iterator[Table]:
    """The table of methods: an overview, or the methods of a cell with their parameters."""
    if kind is None and question is None:
        yield _overview()
    for d in table.declarations(kind, question):
        if kind is not None or question is not None:
            rows = plain_table(f"{d.kind} x {d.question}: {d.signature}")
            rows.add_column("", overflow="fold", style="dim")
            rows.add_column("", overflow="fold")
            rows.add_row("what", d.summary)
            for name, p in d.parameters.items():
                rows.add_row(name, f"{p.meaning}. {p.rule()[0].upper()}{p.rule()[1:]}")
            if d.reference:
                rows.add_row("after", d.reference)
            yield rows


def _overview() -> Table:
    grid = plain_table("Kinds x questions (quorate table --kind K --question Q for the parameters)")
    grid.add_column("")
    for kind in table.KINDS:
        grid.add_column(kind, overflow="fold")
    for question in table.QUESTIONS:
        cells = [", ".join(d.name for d in table.declarations(kind, question)) or "-" for kind in table.KINDS]
        grid.add_row(question, *cells)
    return grid
