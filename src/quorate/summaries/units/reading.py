"""Tables of content units from files: annotated peers of DUCView, long tables, REALSumm; and who judged which task."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.ducview import Peer, read_peer, read_pyramid, sort_of
from quorate.formats.files import File, PathLike
from quorate.formats.table_records import TABLES, needed, read_columns
from quorate.formats.tac import SCHEMAS
from quorate.panel.base import ONE_TASK, listed
from quorate.summaries.units.model import ContentUnits, ModelsText
from quorate.summaries.units.peers import Judges, from_peers, identifier

REALSUMM = "scu_judgements.csv"
ANSWERS = {"p": "yes", "n": "no"}  # of its workers: present, not present


def read_units(
    *paths: PathLike,
    judges: Judges = None,
    header: str | None = None,
    rename: Mapping[str, str] | None = None,
    texts: PathLike | None = None,
    encoding: str | None = None,
) -> ContentUnits:
    """The table in ``.pan`` files, folders of them, pyramids alone, or long tables (csv, tsv, jsonl); all of one sort.

    ``texts`` is a table ``task, item, text`` that goes with long tables, ``encoding`` that of tables. A folder of
    REALSumm is known by its files.
    """
    if len(paths) == 1 and (Path(paths[0]) / REALSUMM).is_file():
        return read_realsumm(paths[0])
    files = [f for p in paths for f in annotated_in(Path(p))]
    tables = [f for f in files if File(f).extension in TABLES]
    if not tables and all(sort_of(f) == "pyr" for f in files):
        return pyramids_of(files, header)
    if not tables:
        found = peers_of(files, header, judges)
        return replace(found, notes=(*found.notes, *_strays(paths, files)))
    if len(tables) < len(files):
        raise InputError("tables and annotated peers cannot be read together.", "read one sort at a time.")
    items, models = read_item_texts(texts, encoding) if texts else ({}, {})
    return ContentUnits.build(*read_columns(tables, rename or {}, encoding), texts=items).about(texts=models)


def pyramids_of(files: Sequence[Path], header: str | None) -> ContentUnits:
    """Pyramids alone: their units and models, and nobody who has looked for them in an item."""
    pyramids = [(File(f).stem, read_pyramid(f, header=header)) for f in files]
    found = from_peers(Peer(p, "", (), name, {}, p.notes) for name, p in pyramids)
    said = "pyramids without an annotated peer: their models are scored, each against the pyramid of the others"
    units = ContentUnits.nothing(found.units, found.models)
    return replace(units, notes=(said, *found.notes), models_texts=found.models_texts)


def peers_of(files: Sequence[Path], header: str | None, judges: Judges) -> ContentUnits:
    """Annotated peers. Where files of one name are in several folders, a folder is a judge."""
    peers = (read_peer(f, header=header) for f in files)
    if len({File(f).base for f in files}) == len(files):
        return from_peers(peers, judges)
    folder = iter(folders(files))
    told = "" if judges is None else ", whatever the list of judges says"
    note = f"files of one name are in several folders: a folder is a judge{told}"
    found = from_peers(peers, lambda _: next(folder))
    return replace(found, notes=(note, *found.notes))


def folders(paths: Sequence[PathLike]) -> list[str]:
    """What tells the folders of files apart: their paths without what all of them begin and end with.

    >>> folders(["north/peers/a.pan", "south/peers/a.pan"])
    ['north', 'south']
    """
    parents = [Path(p).parent.parts for p in paths]
    if len(set(parents)) == 1:
        return [parents[0][-1] if parents[0] else "here"] * len(parents)
    first = min(map(len, parents))
    head = next((k for k in range(first) if len({p[k] for p in parents}) > 1), first)
    tail = next((k for k in range(first - head) if len({p[-1 - k] for p in parents}) > 1), first - head)
    return ["/".join(p[head : len(p) - tail]) or "here" for p in parents]


def read_item_texts(path: PathLike, encoding: str | None = None) -> tuple[dict[Any, str], dict[Hashable, ModelsText]]:
    """Texts of items by (task, item), and of all models by task (rows without an item); no task is one for all."""
    columns, source = read_columns([path], {}, encoding)
    needed(source.name, columns, "item", "text")
    items: dict[Any, str] = {}
    models: dict[Hashable, ModelsText] = {}
    many = len(columns["text"])
    rows = zip(*(columns.get(n, [None] * many) for n in ("task", "item", "text", "header")), strict=True)
    for row, (task, item, text, header) in enumerate(rows):
        said = text or ""
        if item in (None, ""):
            found = ModelsText(said, header or "")
            same = models.setdefault(task if task not in (None, "") else ONE_TASK, found) == found
        else:
            same = items.setdefault(item if task in (None, "") else (task, item), said) == said
        if not same:
            who = f"item {item}" if item not in (None, "") else "the models"
            what = f"{who}{f' of task {task}' if task not in (None, '') else ''}"
            raise source.error("a second text", np.array([row]), [what], "one text an item; of all models in one.")
    return items, models


def annotated_in(path: Path) -> list[Path]:
    """A file, or every annotated peer below a folder, or else every pyramid; score tables are passed."""
    if not path.is_dir():
        return [path]
    found = found_in(path, "pan") or found_in(path, "pyr")
    if not found:
        raise InputError(f"{path}: no annotated peers in this folder.", "they end in .pan, or have no extension.")
    return found


def _strays(paths: Sequence[PathLike], files: Sequence[Path]) -> tuple[str, ...]:
    """What lies among the annotated peers of a folder, is called like one, and is none: cut off, or another file."""
    inside = sorted({f.parent for f in files if f not in map(Path, paths)})
    beside = [p for folder in inside for p in sorted(folder.iterdir()) if p.is_file() and identifier(p.name)]
    strays = [p.name for p in beside if p not in set(files)]
    return (f"left aside, no annotated peers: {listed(strays)}",) if strays else ()


def found_in(folder: Path, sort: str) -> list[Path]:
    """DUCView's files below a folder, of a sort (``pan``, ``pyr``): by extension, or without one by what is in them."""
    inside = sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))
    bare = (p for p in inside if identifier(p.name) or "." not in p.name or p.suffix == ".xml")
    return sorted({*(p for p in inside if p.suffix == f".{sort}"), *(p for p in bare if sort_of(p) == sort)})


def read_realsumm(folder: PathLike) -> ContentUnits:
    """REALSumm's judgments: 100 documents are tasks, 25 systems items, the unnamed workers judges 1 to 4.

    ``scu_judgements.csv`` and ``SCUs_list.csv`` are in the folder. The number of a worker is only a place in a batch,
    so judge 1 of two documents need not be the same person.
    """
    base = Path(folder)
    listed, _ = read_columns([base / "SCUs_list.csv"], {})
    words = dict(zip(zip(listed["eventId"], listed["questionId"], strict=True), listed["questionText"], strict=True))
    raw, source = read_columns([base / REALSUMM], {})
    task, unit = raw["event_id"], raw["question_id"]
    return ContentUnits.build(
        {
            "task": task,
            # A unit that happens to have the number 0 is not what fits no unit.
            "unit": [f"q{u}" for u in unit],
            "item": raw["file_system"],
            "judge": raw["assessor_row"],
            "support": [ANSWERS.get(a, a) for a in raw["answer"]],
            "text": [words.get(pair, "") for pair in zip(task, unit, strict=True)],
        },
        source,
    )


WIDTHS = {len(s.fields): {n: k for k, n in enumerate(s.fields)} for s in SCHEMAS}


def read_judges(path: PathLike) -> dict[Any, str]:
    """Who judged what, from a table of NIST's (``manual.peer``, ``manual.model``) or lines of task[, item], judge.

    Keys are (task, item), or the task where a line has only task and judge.
    """
    out: dict[Any, str] = {}
    with File(path).text() as stream:
        for number, line in enumerate(stream, 1):
            fields = line.replace(",", " ").split()
            if fields in ([], ["task", "judge"], ["task", "item", "judge"]):
                continue
            key: Any
            if len(fields) in WIDTHS:
                key, judge = (fields[0], fields[1]), fields[WIDTHS[len(fields)]["judge"]]
            elif len(fields) in (2, 3):
                key, judge = fields[0] if len(fields) == 2 else (fields[0], fields[1]), fields[-1]
            else:
                raise InputError(
                    f"{len(fields)} fields",
                    f"{', '.join(map(str, WIDTHS))} fields as NIST has them, or: task, item, judge.",
                    source=File(path).name,
                    problems=[(number, line.strip()[:60])],
                )
            if out.setdefault(key, judge) != judge:
                raise InputError(
                    f"the judge was {out[key]} before",
                    "one judge for a task, or for an item of it.",
                    source=File(path).name,
                    problems=[(number, line.strip()[:60])],
                )
    return out
