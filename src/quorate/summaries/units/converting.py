"""What `quorate pyramid convert` does: pyramids, annotated peers or tables of units in; tables or DUCView files out."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.errors import InputError
from quorate.formats.ducview import read_pyramid
from quorate.formats.files import File, PathLike, Sink
from quorate.panel.base import many
from quorate.summaries.units.exchange import from_pyramids, text_columns, unit_columns, write_files
from quorate.summaries.units.gathering import topic
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.reading import read_judges, read_units
from quorate.summaries.units.tables import TABLES


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
    tables = [f for f in files if File(f).extension in TABLES]
    if tables and len(tables) < len(files):
        raise InputError("tables and DUCView's files cannot be read together.", "convert one sort at a time.")
    pyramids = [f for f in files if File(f).extension == "pyr"]
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
