"""Readers and writers: one small file per format, one table of them all.

>>> {"csv", "jsonl", "parquet", "run"} <= {f.name for f in FORMATS}
True
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate.errors import InputError, suggest
from quorate.formats import frames, parquet, vote_tables
from quorate.formats.appraise import APPRAISE
from quorate.formats.argilla import ARGILLA
from quorate.formats.battles import ALPACAEVAL, ARENA, MTBENCH
from quorate.formats.cardsort import CARDSORT
from quorate.formats.crowdkit import CROWDKIT
from quorate.formats.delimited import CSV, TSV
from quorate.formats.doccano import DOCCANO
from quorate.formats.ducview import DUCVIEW
from quorate.formats.files import File, Sink, size
from quorate.formats.harness_logs import HELM, INSPECT, LM_EVAL
from quorate.formats.jsonl import JSON, JSONL
from quorate.formats.labelstudio import LABELSTUDIO
from quorate.formats.lines import LINES
from quorate.formats.metrics import AESOP, ROUGE, read_metrics
from quorate.formats.mqm import MQM
from quorate.formats.mtme import MTME
from quorate.formats.mturk import MTURK
from quorate.formats.nesting import in_units, with_families
from quorate.formats.parquet import PARQUET
from quorate.formats.potato import POTATO
from quorate.formats.preflib import PREFLIB
from quorate.formats.prodigy import PRODIGY
from quorate.formats.recognise import BY_FIRST_LINES, is_of, parts, recognise, unpacked
from quorate.formats.registry import Format, Option, by_extension, named, options, typed
from quorate.formats.schema import checked
from quorate.formats.schema import load as load_schema
from quorate.formats.schema import options as schema_options
from quorate.formats.table_options import OPTIONS
from quorate.formats.tac import TAC
from quorate.formats.trec import QRELS, RUN, TOP_LISTS
from quorate.formats.votes import VOTES
from quorate.formats.workbook import XLSX
from quorate.panel.frames import frame_columns
from quorate.panel.kinds import PANELS, Panel
from quorate.panel.reading import Guess

# In the order they are tried.
ANNOTATION: tuple[Format, ...] = (LABELSTUDIO, ARGILLA, PRODIGY, POTATO, MTURK, CROWDKIT)
EVALUATION: tuple[Format, ...] = (MTBENCH, ARENA, ALPACAEVAL, LM_EVAL, HELM, INSPECT, MQM, MTME, APPRAISE)
EXPORTS = (*ANNOTATION, *EVALUATION, CARDSORT, DOCCANO)  # the last knows its texts by the least
_PACKED, _JSON = (PARQUET, XLSX), (VOTES, JSONL, JSON)
_ORDERS, _SUMMARIES = (TOP_LISTS, PREFLIB, RUN, QRELS, LINES), (ROUGE, AESOP, TAC, DUCVIEW)
FORMATS: tuple[Format, ...] = (*_PACKED, *EXPORTS, *_JSON, *_ORDERS, *_SUMMARIES, TSV, CSV)

__all__ = ["FORMATS", "Format", "Option", "read", "read_metrics", "write"]


def read(
    source: Any,
    *more: Any,
    format: str | None = None,
    kind: str | None = None,
    strict: bool = False,
    schema: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    max_bytes: int | str | None = None,
    nested: str | os.PathLike[str] | Mapping[Any, Any] | None = None,
    among: str | None = None,
    families: str | os.PathLike[str] | Mapping[Any, Any] | None = None,
    **given: Any,
) -> Panel:
    """A panel from a path, ``-`` for stdin, or a data frame; several are put together.

    The format is known by the extension or else the first lines, the kind by the columns; ``format`` and ``kind`` say
    otherwise. Options belong to a format. Several runs are several judges, several PrefLib files several tasks, several
    tables more rows. Files that end in ``.gz`` are unzipped.

    What is guessed is in ``panel.reading`` (``quorate.inspect`` shows it); ``strict`` makes a guess an error.
    ``schema`` is a study's schema, a .toml file or a dict, which the panel is held against. ``max_bytes`` is how much a
    file may hold after unpacking, 2 GiB by default.

    ``nested`` says what tasks belong to: columns, outermost first ("topic/query"), a table of tasks and their units (a
    path), or such a dict. ``among="tasks"`` then holds each judge's answers to the tasks of a unit against one another.
    ``families`` of votes says to which family models belong, as judges and as systems: a table of name and family (a
    path), or such a dict.
    """
    if isinstance(schema, str) and not schema.lower().endswith(".toml"):  # a format's own, by its name
        given["schema"], schema = schema, None
    study = load_schema(schema) if schema is not None else {}
    told = (schema_options(study) if study else {}) | {k: v for k, v in given.items() if v is not None}
    format, kind = format or told.pop("format", None), kind or told.pop("kind", None)
    told.pop("format", None)
    told.pop("kind", None)
    if kind is not None and kind not in PANELS:
        raise InputError(f"no kind '{kind}'.", suggest(str(kind), PANELS, "Kinds"))
    panel = _read([source, *more], format, kind, told, size(max_bytes))
    said = typed({"format": format, "kind": kind, **told})
    panel = replace(panel, reading=replace(panel.reading, options=said))
    if strict:
        panel.reading.refuse_guesses()
    if nested is not None or among is not None:
        panel = in_units(panel, nested, among)
    if families is not None:
        panel = with_families(panel, families)
    return checked(panel, study) if study else panel


def _read(sources: Sequence[Any], format: str | None, kind: str | None, given: Mapping[str, Any], most: int) -> Panel:
    paths = [s for s in sources if isinstance(s, str | os.PathLike)]
    if not paths:
        columns = [frame_columns(s) for s in sources]
        rows = [_export(frames.as_records(c), format, given) for c in columns]
        if None not in rows:
            return _read_files([r for r in rows if r is not None], format, kind, given)
        known = {o.name: o for o in OPTIONS}
        for name in given:
            if name not in known:
                raise InputError(f"a data frame takes no option '{name}'.", suggest(name, known, "Options"))
        panel = frames.read_frames(columns, kind, **{n: known[n].value(v) for n, v in given.items()})
        return _read_as(panel, ("data frame",), "frame", "by its type")
    if len(paths) < len(sources):
        raise InputError("files and data frames cannot be read together.", "read the files first, or write the frames.")
    files = [f for p in paths for f in parts(unpacked(File(p, most), format, FORMATS), FORMATS)]
    held = [parquet.as_records(f) if not f.folder and f.head.startswith(parquet.MAGIC) else None for f in files]
    files = [_export(rows, format, given) or f for rows, f in zip(held, files, strict=True)]
    return _read_files(files, format, kind, given)


def _read_files(files: Sequence[File], format: str | None, kind: str | None, given: Mapping[str, Any]) -> Panel:
    tables = [f for f in FORMATS if f not in EXPORTS]  # where columns are named, it is a table
    known = tables if "column" in given else FORMATS
    found = [(named(format, FORMATS), "as told") if format else recognise(f, known) for f in files]
    chosen, why = found[0]
    for file, (other, _) in zip(files, found, strict=True):
        if other is not chosen:
            raise InputError(
                f"{file.name} is {other.name}, but {files[0].name} is {chosen.name}.",
                "files read together have one format; say format=... if they do.",
            )
    turned = kind in vote_tables.AS_KIND and kind not in chosen.kinds and "votes" in chosen.kinds
    if kind is not None and kind not in chosen.kinds and not turned:
        hint = f"leave out the kind, or give a file of {kind}, such as a table (csv, jsonl, parquet)."
        raise InputError(f"{files[0].name}: {chosen.name} holds {' and '.join(chosen.kinds)}, not {kind}.", hint)
    panel = chosen.reader(files, "votes" if turned else kind, **options(given, chosen, FORMATS))
    panel = vote_tables.as_kind(panel, kind) if turned else panel
    return _read_as(panel, tuple(getattr(f, "archive", f).name for f in files), chosen.name, why)


def _export(rows: File | None, format: str | None, given: Mapping[str, Any]) -> File | None:
    """Rows with lists or objects in their cells, if they are a tool's export whose reader takes these options."""
    if rows is None:
        return None
    likely = [named(format, FORMATS)] if format else [f for f in EXPORTS if is_of(f, rows)]
    fits = any(f in EXPORTS and {o.name for o in f.read_options} >= given.keys() for f in likely[:1])
    return rows if fits else None


def _read_as(panel: Panel, files: tuple[str, ...], format: str, why: str) -> Panel:
    """The panel with where it comes from."""
    guesses = panel.reading.guesses
    if why == BY_FIRST_LINES:
        guesses = (Guess(f"the first lines look like {format}", f"--input-format {format}"), *guesses)
    return replace(panel, reading=replace(panel.reading, files=files, format=format, why=why, guesses=guesses))


def write(panel: Panel, path: str | os.PathLike[str], *, format: str | None = None, **given: Any) -> None:
    """Writes a panel to a path, or to stdout for ``-`` (as CSV unless ``format`` says otherwise).

    What the format cannot hold is an error before anything is written. A name that ends in ``.gz`` is zipped.
    """
    sink = Sink(path)
    chosen = named(format, FORMATS) if format else by_extension(sink.extension, FORMATS)
    if chosen is None:
        if sink.path is not None:
            raise InputError(
                f"{sink.name}: the extension tells no format.",
                f"extensions: {', '.join('.' + e for f in FORMATS for e in f.extensions)}; or say format=....",
            )
        chosen = CSV
    if format and format.lower() in chosen.extensions:
        sink.type = format.lower()
    if "for_people" not in {o.name for o in chosen.write_options}:  # no spreadsheet reads it
        given.pop("for_people", None)
    chosen.writer(panel, sink, **options(given, chosen, FORMATS, writing=True))
