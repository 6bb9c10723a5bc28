"""The judgments and the consensus of a gold standard in every format that can hold them. No database is needed.

What a format cannot hold is not written in it: qrels have whole numbers, a card sort one task. PrefLib has a file per
task, and no names of judges.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.errors import InputError, MissingExtra, QuorateError, suggest
from quorate.panel.kinds import PANELS as CLASSES

FOLDER = "formats/"
PREFLIB = ("soc", "soi", "toc", "toi")  # the tightest first
Panels = Mapping[str, Any]  # by the names of their files


def gold_panel(found: Iterable[Mapping[str, Any]], name: str) -> Any:
    """A consensus as a panel of one judge, of the file's name: an ordering (of systems, too), a grouping or scores."""
    rows: list[dict[str, Any]] = []
    kind = "scores"
    for row in found:
        about = {"task": row["task"], "judge": name}
        if "ranking" in row or "groups" in row:
            kind, column = ("orderings", "position") if "ranking" in row else ("groupings", "group")
            for number, together in enumerate(row.get("ranking") or row.get("groups") or (), 1):
                rows += [about | {"item": one, column: number} for one in together]
        elif (value := row.get("value", row.get("label"))) is not None:
            criterion = {"criterion": row["criterion"]} if row.get("criterion") is not None else {}
            rows.append(about | {"item": row["item"], **criterion, "score": value})
    return CLASSES[kind].build({n: [r[n] for r in rows] for n in rows[0]}).by_name if rows else None


def written(panels: Panels, wanted: Sequence[str] | None = None) -> dict[str, dict[str, bytes]]:
    """The files by format and name: of every format, or of those named, each of which has to hold one of the panels."""
    from quorate.formats import FORMATS

    known = {f.name: f for f in FORMATS if f.name != "csv"}  # of which the bundle has its own
    for name in wanted or ():
        if name not in known:
            raise InputError(f"there is no format '{name}' to freeze in.", suggest(name, known, "Formats"))
    out: dict[str, dict[str, bytes]] = {}
    for name in known if wanted is None else wanted:
        made: dict[str, bytes] = {}
        why = None
        for called, panel in panels.items():
            try:
                made |= dict(_files(panel, called, known[name]))
            except QuorateError as error:
                why = error
        if not made and wanted is not None and why is not None:
            raise why
        if made:
            out[name] = made
    return out


def joined(made: Mapping[str, Mapping[str, bytes]]) -> dict[str, bytes]:
    """The files of all formats."""
    return {name: data for own in made.values() for name, data in own.items()}


def _files(panel: Any, name: str, format: Any) -> Iterator[tuple[str, bytes]]:
    if format.name != "preflib":
        extension = format.extensions[0] if format.extensions else f"{format.name}.json"
        yield f"{FOLDER}{name}.{extension}", _bytes(panel, f"{name}.{extension}", format.name)
        return
    tasks = panel.tasks
    for number, task in enumerate(tasks, 1):
        part, called = (panel, name) if len(tasks) == 1 else (panel.select(tasks=[task]), f"{name}-{number}")
        for extension in PREFLIB:
            try:
                data = _bytes(part, f"{called}.{extension}", "preflib", anonymous=True)
            except InputError:
                if extension == PREFLIB[-1]:
                    raise
                continue
            yield f"{FOLDER}{called}.{extension}", data
            break


def _bytes(panel: Any, name: str, format: str, **options: Any) -> bytes:
    from quorate.formats import write

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        write(panel, file, format=format, **options)
        return file.read_bytes()


def differing(files: Mapping[str, Any], panels: Panels, formats: Sequence[str]) -> Iterator[str]:
    """What is not as it would be written now; Parquet, whose bytes depend on who wrote it, by what it says."""
    try:
        again = joined(written(panels, formats))
    except MissingExtra as error:
        yield f"{FOLDER}: not recomputed: {error.fact} {error.hint}"
        return
    for name in sorted({*again, *(n for n in files if n.startswith(FOLDER))}):
        if name not in again or name not in files:
            yield f"{name}: {'not what is frozen' if name in files else 'missing'}"
        elif files[name] != again[name] and not (name.endswith(".parquet") and _same(files[name], again[name])):
            yield f"{name}: recomputed, it is another one"


def _same(frozen: bytes, again: bytes) -> bool:
    from quorate.formats import read

    with tempfile.TemporaryDirectory() as folder:
        told = []
        for name, data in (("frozen", frozen), ("again", again)):
            file = Path(folder) / f"{name}.parquet"
            file.write_bytes(data)
            try:
                told.append(read(file).columns())
            except QuorateError:
                return False
    return bool(told[0] == told[1])
