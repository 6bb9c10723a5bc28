"""Content units between DUCView's files and long tables, both ways: what `quorate pyramid convert` does.

A table of units has a row for each mention; rows with a ``model`` in place of an item are the contributors of the
pyramid. A table of texts goes with it: ``task, item, text``, and without an item the text of all models, in which the
contributors' places count.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.errors import InputError
from quorate.formats.ducview import (
    Contributor,
    Part,
    Peer,
    Pyramid,
    Scu,
    annotated,
    read_pyramid,
    sort_of,
    write_peers,
    write_pyramid,
)
from quorate.formats.files import File, PathLike, Sink
from quorate.formats.table_records import TABLES
from quorate.panel.base import many
from quorate.summaries.units.model import COLUMNS, OUTSIDE, ContentUnits, Item, ModelsText, Span, Unit
from quorate.summaries.units.reading import contributed, read_judges, read_units, topic

TEXTS = ("task", "item", "text", "header")
LENGTH = 100  # words that a summary may have, in names of files


def from_pyramids(pyramids: Iterable[tuple[Hashable, Pyramid]]) -> ContentUnits:
    """Pyramids of tasks as a table without items."""
    units: list[Unit] = []
    models: dict[Hashable, tuple[str, ...]] = {}
    texts: dict[Hashable, ModelsText] = {}
    notes: list[str] = []
    for task, pyramid in pyramids:
        if task in texts:
            raise InputError(f"two pyramids of task {task}.", "convert them apart.")
        units += [contributed(task, s, pyramid) for s in pyramid.scus]
        models[task], texts[task] = pyramid.models, ModelsText(pyramid.text, pyramid.header)
        notes += [f"{task}: {n}" for n in pyramid.notes]
    return ContentUnits.nothing(units, models).about(texts=texts, notes=notes)


# -- as tables -------------------------------------------------------------------------------------------------------


def unit_columns(table: ContentUnits) -> dict[str, list[Any]]:
    """Every mention, then every contributor of the pyramids; :meth:`ContentUnits.build` reads them back."""
    out = {**table.columns(), "model": []}
    out["model"] = [None] * len(out["unit"])
    for unit in table.units:
        for number, (model, spans) in enumerate(zip(unit.models, unit.said, strict=False), 1):
            for span in spans or (Span(""),):
                place = [None if v in ("", -1) else v for v in (span.text, span.start, span.end)]
                head = (unit.task, unit.id, None, None, 1.0, unit.weight, unit.text, " ".join(unit.models))
                row = (*head, *place, number, model)
                for name, value in zip((*COLUMNS, "model"), row, strict=True):
                    out[name].append(value)
    return out


def text_columns(table: ContentUnits) -> dict[str, list[Any]]:
    """The texts of models (without an item) and of items."""
    rows: list[tuple[Any, ...]] = [(t, None, m.text, m.header or None) for t, m in table.models_texts.items()]
    rows += [(i.task, i.id, i.text, None) for i in table.items if i.text is not None]
    return {name: [r[k] for r in rows] for k, name in enumerate(TEXTS)}


# -- as DUCView's files ----------------------------------------------------------------------------------------------


def to_pyramids(table: ContentUnits) -> dict[Hashable, Pyramid]:
    """The pyramid of each task; where the models' texts are not known, their units' labels stand for them."""
    by_task: dict[Hashable, list[Unit]] = {task: [] for task in table.tasks}
    for u in table.units:
        if u.id != OUTSIDE:
            by_task[u.task].append(u)
    out = {}
    for task, units in by_task.items():
        bare = next((u for u in units if not u.models and u.weight > 0), None)
        if bare is not None:
            raise InputError(
                f"unit {bare.id} of task {task} has no models.", "a pyramid's units say whose models have them."
            )
        known = table.models_texts.get(task)
        told = [u for u in units if u.models]
        if known and all(len(u.said) == len(u.models) for u in told):
            scus = [Scu(str(u.id), u.text, tuple(_contributor(s) for s in u.said)) for u in told]
            out[task] = Pyramid(known.text, tuple(scus), known.header)
        else:
            out[task] = _stand_in(task, told, table.models.get(task, ()))
    return out


def _stand_in(task: Hashable, units: Sequence[Unit], models: Sequence[str]) -> Pyramid:
    """A pyramid whose models consist of the labels of their units, a line each."""
    text, places = "", {}
    for model in models:
        text += f"-----\n {_name(task, 'X', model)}\n-----\n"
        for u in units:
            for turn in range(u.models.count(model)):
                label = u.text or str(u.id)
                places[model, u.id, turn] = Part(label, len(text), len(text) + len(label))
                text += f"{label}\n"
    scus = []
    for u in units:
        seen: dict[str, int] = {}
        parts = []
        for model in u.models:
            parts.append(places[model, u.id, seen.get(model, 0)])
            seen[model] = seen.get(model, 0) + 1
        scus.append(Scu(str(u.id), u.text or str(u.id), tuple(Contributor(p.label, (p,)) for p in parts)))
    return Pyramid(text, tuple(scus))


def to_peers(table: ContentUnits, pyramids: Mapping[Hashable, Pyramid]) -> list[tuple[Hashable, Hashable, Peer]]:
    """Judge, task and annotated peer for every judged item; its name is that of NIST's files."""
    mentions: dict[tuple[int, int], dict[int, list[tuple[Span, ...]]]] = {}
    for u, i, j, support, spans in table.rows():
        cell = mentions.setdefault((i, j), {})
        if support > 0:
            cell.setdefault(u, []).append(spans)
    by_task: dict[Hashable, list[int]] = {}
    for k, unit in enumerate(table.units):
        by_task.setdefault(unit.task, []).append(k)
    out = []
    for (i, j), found in mentions.items():
        item, judge = table.items[i], table.judges[j]
        text, found = _text(item, found)
        said: dict[str, list[Contributor]] = {}
        for k, listed in found.items():
            said.setdefault(str(table.units[k].id), []).extend(_contributor(s) for s in listed)
        known = [table.units[k] for k in by_task.get(item.task, ()) if table.units[k].id != OUTSIDE]
        told = ((str(u.id), u.weight, u.text or str(u.id)) for u in known)
        name = _name(item.task, judge, item.id)
        out.append((judge, item.task, annotated(pyramids[item.task], text, name, told, said)))
    return out


def _text(item: Item, found: dict[int, list[tuple[Span, ...]]]) -> tuple[str, dict[int, list[tuple[Span, ...]]]]:
    """The item's text; where it is not known, what was noted down of it, a line each."""
    if item.text is not None:
        return item.text, found
    text = ""
    placed: dict[int, list[tuple[Span, ...]]] = {}
    for unit, listed in found.items():
        for spans in listed:
            here = []
            for words in [s.text for s in spans if s.text] or ["-"]:
                here.append(Span(words, len(text), len(text) + len(words)))
                text += f"{words}\n"
            placed.setdefault(unit, []).append(tuple(here))
    return text, placed


def _contributor(spans: Sequence[Span]) -> Contributor:
    parts = tuple(Part(s.noted.replace("\n", ""), s.start, s.end) for s in spans)  # as DUCView notes them down
    in_order = sorted(parts, key=lambda p: p.start)
    return Contributor("...".join(p.label for p in in_order), parts)


def _name(task: Hashable, judge: Hashable, item: Hashable) -> str:
    pieces = [str(p) for p in (task, judge, item)]
    bad = next((p for p in pieces if not p or "/" in p or "." in p or any(c.isspace() for c in p)), None)
    if bad is not None:
        raise InputError(
            f"'{bad}' cannot be a piece of a file's name.", "task, judge and item without blanks, dots, /."
        )
    return f"{pieces[0]}.M.{LENGTH}.{pieces[1]}.{pieces[2]}"


def write_files(table: ContentUnits, folder: Path) -> list[Path]:
    """A ``.pyr`` for every task and a ``.pan`` for every judged item, in a folder that is made."""
    pyramids = to_pyramids(table)
    peers = to_peers(table, pyramids)
    names = [p.name for _, _, p in peers]
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for task, pyramid in pyramids.items():
        out.append(folder / f"{_name(task, 'X', 'X').split('.')[0]}.pyr")
        write_pyramid(pyramid, out[-1])
    files = [folder / f"{name}.pan" for name in names]
    write_peers((peer, path) for (_, _, peer), path in zip(peers, files, strict=True))
    return out + files


def convert_units(
    files: Sequence[str],
    target: str,
    texts: str | None = None,
    *,
    header: str | None = None,
    rename: Mapping[str, str] | None = None,
    who: str | None = None,
    encoding: str | None = None,
) -> list[str]:
    """Convert, and say what was written and repaired, a line each."""
    sorts = ["" if Path(f).is_dir() else sort_of(f) for f in files]
    tables, pyramids = ([f for f, sort in zip(files, sorts, strict=True) if sort == of] for of in ("table", "pyr"))
    if tables and len(tables) < len(files):
        raise InputError("tables and DUCView's files cannot be read together.", "convert one sort at a time.")
    judges = read_judges(who) if who else None
    if tables:
        table = read_units(*files, rename=rename, texts=texts, encoding=encoding)
    elif len(pyramids) == len(files):
        table = from_pyramids(
            (topic(p.text) or File(f).stem, p) for f in files for p in [read_pyramid(f, header=header)]
        )
    elif pyramids:
        raise InputError("pyramids and annotated peers cannot be read together.", "a .pan file has its pyramid in it.")
    else:
        table = read_units(*files, judges=judges, header=header)
    out = [f"Note: {n}." for n in table.notes]
    if Sink(target).extension not in TABLES and target != "-":
        written = write_files(table, Path(target))
        peers = sum(p.suffix == ".pan" for p in written)
        return [
            *out,
            *_lost(table),
            f"{target}: {many(len(written) - peers, 'pyramid')}, {many(peers, 'annotated peer')}",
        ]
    write_table(unit_columns(table), target)
    out.append(f"{target}: {table!r}")
    if texts and not tables:
        write_table(text_columns(table), texts)
        out.append(f"{texts}: the texts of models and items")
    return out


def _lost(table: ContentUnits) -> list[str]:
    """What DUCView's files cannot hold, or what had to stand in for something."""
    out = []
    partial = int(((table.support > 0) & (table.support < 1)).sum())
    if partial:
        out.append(f"Note: {many(partial, 'row')} of partial support became mentions like all others.")
    if any(t not in table.models_texts for t in table.tasks):
        out.append("Note: texts of models are not known: the labels of their units stand for them.")
    if any(i.text is None for i in table.items):
        out.append("Note: texts of items are not known: what was noted down of them stands for them.")
    return out


def write_table(columns: Mapping[str, Sequence[Any]], path: PathLike) -> None:
    """Columns as CSV, TSV or JSON Lines, by the name; what is missing is empty."""
    sink = Sink(path)
    rows = zip(*columns.values(), strict=True)
    with sink.text() as stream:
        if sink.extension in ("jsonl", "ndjson"):
            for row in rows:
                stream.write(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False, default=str) + "\n")
            return
        writer = csv.writer(stream, delimiter="\t" if sink.extension in ("tsv", "tab") else ",", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(["" if v is None else v for v in row] for row in rows)
