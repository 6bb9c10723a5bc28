"""What tasks and models belong to, as it is told on reading: columns of the panel, or a table of names and units."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from quorate.errors import BadParameter, InputError
from quorate.formats.cells import mapped
from quorate.formats.files import Bad, File, bad_lines
from quorate.panel.base import Panel, listed
from quorate.panel.columns import encode
from quorate.panel.nesting import among_tasks, nested
from quorate.panel.vote_columns import FAMILIES
from quorate.panel.votes import Votes

ENDINGS = (".csv", ".tsv", ".txt")
TASK = ("task", "query", "question", "item")  # what the column of tasks may be called
MODEL = ("name", "model", "system", "judge")  # what the column of models may be called
Units = str | os.PathLike[str] | Mapping[Any, Any]


def in_units(panel: Panel, units: Units | None, among: str | None) -> Panel:
    """The panel with its tasks nested as told, and turned where the tasks of a unit are held against one another."""
    if units is not None:
        if isinstance(units, Mapping):
            panel = nested(panel, "topic", units)
        elif (text := os.fspath(units)).lower().endswith(ENDINGS):
            levels = read_levels(text)
            for called, unit_of in levels.items():
                panel = nested(panel, called, unit_of)
            panel = nested(panel, list(levels))
        else:
            panel = nested(panel, text)
    if among not in (None, "judges", "tasks"):
        raise BadParameter(f"among={among} is not known.", "agreement is among judges, or among the tasks of a unit.")
    return among_tasks(panel) if among == "tasks" else panel


def labelled(panel: Panel, path: str) -> tuple[Panel, str]:
    """The panel with a label column from a table of judges (or tasks, items) and the group of each, and its name."""
    called, group_of, of = read_map(path, ("judge", "task", "item"))
    column = {"judge": panel.judge, "task": panel.task, "item": panel.item}.get(of)
    if column is None:
        raise InputError(f"{path}: no column judge, task or item.", "the first column says whose groups these are.")
    names = [group_of.get(str(i)) for i in column.ids]
    if not any(names):
        raise InputError(f"{path} names no {of} of the panel.", f"the panel's: {', '.join(map(str, column.ids[:5]))}.")
    ids = encode([names[c] for c in column.codes.tolist()])
    return replace(panel, labels={**panel.labels, called: ids}), called


def with_families(panel: Panel, families: str | os.PathLike[str] | Mapping[Any, Any]) -> Panel:
    """The votes with columns of the judge's and both systems' families; who is named nowhere has none."""
    if not isinstance(panel, Votes):
        raise InputError(f"families are of votes; this panel holds {panel.kind}.", "leave out families.")
    given = families if isinstance(families, Mapping) else read_map(os.fspath(families), MODEL, "name", "family")[1]
    known = {str(name): str(family) for name, family in given.items()}
    columns = zip(FAMILIES, (panel.judge, panel.labels["model_a"], panel.labels["model_b"]), strict=True)
    found = {name: mapped(column, lambda i: known.get(str(i))) for name, column in columns}
    for name in FAMILIES[:2]:
        if not any(found[name].ids):
            who, ids = ("judge", panel.judges) if name == FAMILIES[0] else ("system", panel.systems)
            raise InputError(f"families name no {who} of the votes.", f"the panel's: {listed(ids)}.")
    return replace(panel, labels={**panel.labels, **found})


def read_levels(path: str) -> dict[str, dict[str, str]]:
    """What the units are called, the outermost first, and the unit of each task: a table with names above.

    One column is the task's; of several others the one with fewer units is the outer one, as teams are of topics.
    """
    head, rows = _cells(path)
    if len(head) < 3:
        called, unit_of, _ = read_map(path, TASK)
        return {called: unit_of}
    task = next((k for k, name in enumerate(head) if name.lower() in TASK), 0)
    units = [k for k in range(len(head)) if k != task]
    found: dict[str, dict[str, str]] = {head[k]: {} for k in units}
    bad: Bad = []
    for line, row in rows:
        if len(row) != len(head) or not all(row):
            bad.append((line, f"{len(head)} cells are needed, as in the heading"))
            continue
        for k in units:
            if found[head[k]].setdefault(row[task], row[k]) != row[k]:
                bad.append((line, f"task '{row[task]}' is in {head[k]} '{found[head[k]][row[task]]}' already"))
    if bad:
        raise bad_lines(path, "not a task in its units", bad, "a task belongs to one unit of each column.")
    return dict(sorted(found.items(), key=lambda level: len(set(level[1].values()))))


def _cells(path: str, one: str = "task", of: str = "unit") -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The heading of a table between commas or tabs, and its rows that are not empty, with their lines."""
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file.", f"a table of {one}s and the {of}s that they belong to.")
    with File(path).text("utf-8") as stream:
        text = stream.read()
    mark = "\t" if "\t" in text.partition("\n")[0] else ","
    head, *rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines(), delimiter=mark)] or [[]]
    return head, [(line, row) for line, row in enumerate(rows, 2) if any(row)]


def read_map(path: str, keys: Sequence[str], one: str = "task", of: str = "unit") -> tuple[str, dict[str, str], str]:
    """A table of two columns: what the second is called, the second of each first, and what the first is called.

    The first is the one that is called by one of ``keys``, else the one on the left; ``one`` and ``of`` are what
    messages call the two.
    """
    head, rows = _cells(path, one, of)
    if len(head) != 2:
        raise InputError(f"{path}: {len(head)} columns.", f"two are needed: {one} and the {of} that it belongs to.")
    task = next((k for k, name in enumerate(head) if name.lower() in keys), 0)
    out: dict[str, str] = {}
    bad: Bad = []
    for line, row in rows:
        if len(row) != 2 or not all(row):
            bad.append((line, f"a {one} and its {of} are needed"))
        elif out.setdefault(row[task], row[1 - task]) != row[1 - task]:
            bad.append((line, f"{one} '{row[task]}' is in '{out[row[task]]}' already"))
    if bad:
        raise bad_lines(path, f"not a {one} in a {of}", bad, f"a {one} belongs to one {of}.")
    return head[1 - task], out, head[task].lower()
