"""What a scan reads: files of one format, and what their columns mean; a piece of them becomes a panel.

Parquet and Arrow are read straight, a range of rows at a time; other tables are first written to Parquet by polars'
streaming engine. A file at an fsspec URL is fetched once by every process that needs it.
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from quorate.errors import InputError, MissingExtra
from quorate.formats.file_parts import Part
from quorate.formats.parquet_decoder import codes, renumbered, values
from quorate.formats.table_options import OPTIONS
from quorate.formats.tables import Plan, plan, together
from quorate.panel.columns import Coded, narrow
from quorate.panel.kinds import Panel

TABLES = {
    **dict.fromkeys(("parquet", "pq"), "parquet"),
    **dict.fromkeys(("arrow", "feather", "ipc"), "arrow"),
    **dict.fromkeys(("jsonl", "ndjson"), "jsonl"),
    **dict.fromkeys(("csv", "tsv"), "csv"),
    **dict.fromkeys(("run", "trec"), "run"),
}
STRAIGHT = ("parquet", "arrow")  # of which a range of rows can be read
LINES = ("csv", "jsonl")  # of which it is told in which line they are damaged
SKIPS = "fetch or write it again; --skip-bad skips it."
NATIVE = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss")  # of which polars reads ranges itself, by these URLs


PART = "{part}"  # in the name of a file, for the number of a part
LOOKED = 1000  # rows by which it is told what was guessed


class Damaged(InputError):
    """A piece of the files that cannot be read."""


@dataclass(frozen=True)
class Piece:
    """Rows of the files that are looked at in one go: of each file the first row and how many."""

    number: int
    ranges: tuple[tuple[str, int, int], ...]

    @property
    def rows(self) -> int:
        """How many rows."""
        return sum(size for _, _, size in self.ranges)

    def __str__(self) -> str:
        return ", ".join(f"{file} rows {first + 1:,} to {first + size:,}" for file, first, size in self.ranges)


@dataclass(frozen=True)
class Source:
    """Files of one format, and how their columns are understood."""

    files: tuple[str, ...]
    format: str
    kind: str | None = None
    layout: Mapping[str, Any] = field(default_factory=dict)
    absent: str = ""
    coded: Mapping[str, str] = field(default_factory=dict)  # columns of numbers, and the files of the names behind them
    sound: tuple[tuple[str, int, int], ...] = ()  # the rows that can be read, where some cannot

    @classmethod
    def of(cls, paths: Sequence[str | os.PathLike[str]], format: str | None, kind: str | None, **given: Any) -> Source:
        """The files that paths and patterns name, of a format that their extension tells."""
        files = tuple(file for path in paths for file in expanded(os.fspath(path)))
        known = {o.name: o for o in OPTIONS}
        for name in given:
            if name not in known:
                raise InputError(f"a scan takes no option '{name}'.", f"options of tables: {', '.join(known)}.")
        told = {TABLES.get(format, format) if format else _by_extension(f) for f in files}
        if len(told) > 1:
            said = ", ".join(sorted(map(str, told)))
            raise InputError(f"the files are of several formats: {said}.", "scan files of one format.")
        found = told.pop()
        if found not in TABLES.values():
            raise InputError(f"{files[0]}: {found} cannot be scanned.", "parquet, arrow, csv, jsonl and run files can.")
        layout = {n: known[n].value(v) if isinstance(v, str) else v for n, v in given.items() if v is not None}
        return cls(files, str(found), kind, layout)

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns of the first file that can be read; the others must have the same."""
        for file in self.files[:-1]:
            with suppress(Damaged):
                return columns_of(file)
        return columns_of(self.files[-1])

    @cached_property
    def meaning(self) -> Plan:
        """What the columns mean."""
        return plan(self.files[0], self.names, self.kind, **self.layout)

    @cached_property
    def first_rows(self) -> Part | None:
        """The first rows as they are understood, where no name but what is in a column may tell what it is; None where
        they cannot be understood, which is told when all are."""
        with suppress(InputError):
            some = rows_at(self.files[0], LOOKED)
            return self.part(Piece(0, ((self.files[0], 0, some),))) if some else None
        return None

    def frames(self) -> list[Any]:
        """The rows as polars' lazy frames; where some cannot be read, those that can."""
        if self.sound:
            return [lazy(file).slice(first, size) for file, first, size in self.sound]
        return [lazy(file) for file in self.files]

    def column(self, role: str) -> str | None:
        """The name in the files of the column that plays a role; None where there is none."""
        pairs = zip(self.names, self.meaning.names, strict=True)
        return next((old for old, new in pairs if new == role), None)

    def part(self, piece: Piece, tasks: Collection[Hashable] | None = None) -> Part:
        """The rows of a piece, or those of some tasks, as columns that have their meaning."""
        pl, names = polars(), self._names_behind(piece)
        frame = rows_of(piece, self.names)
        if tasks is not None:
            frame = frame.filter(self._of_tasks(frame.get_column(str(self.column("task"))), tasks, names))
        numeric = self.meaning.numeric().blank
        raw: dict[str, Any] = {}
        for old, new in zip(self.names, self.meaning.names, strict=True):
            series = frame.get_column(old)
            if series.dtype.is_nested() or series.dtype == pl.Binary:
                continue
            if new in numeric and series.dtype.is_numeric():
                raw[new] = values(pl, series)
            else:
                ids, number = renumbered(series.to_numpy(), names[old]) if old in names else codes(pl, series)
                raw[new] = Coded(tuple(ids), narrow(number, len(ids)))
        made = self.meaning.shape(Part(str(piece), raw))
        guess = next((g for g in made.guesses if g.role == "task" and g not in self.meaning.guesses), None)
        if made.kind == "votes" and guess:  # told by the rows of a piece, which others may not tell
            raise InputError(f"{piece}: {guess.said}.", f"{guess.option} says so of all rows.")
        return made

    def _names_behind(self, piece: Piece) -> dict[str, Any]:
        """The names behind the numbers of columns that were written so: see ``written`` of a survey."""
        part = str(part_of(piece)) if self.coded else ""
        return {own: polars().read_ipc(file.replace(PART, part)).to_series() for own, file in self.coded.items()}

    def _of_tasks(self, column: Any, tasks: Collection[Hashable], names: Mapping[str, Any]) -> Any:
        """Which rows are of some tasks."""
        known = names.get(str(self.column("task")))
        if known is not None:
            return column.is_in(known.is_in(list(tasks)).arg_true().cast(column.dtype).to_list())
        distinct = column.unique()  # few, beside the rows
        return column.is_in(distinct.filter(tidied(distinct, self).is_in(list(tasks))).to_list())

    def panel(self, parts: Sequence[Part]) -> Panel:
        """The panel of the rows of one or more pieces."""
        return together(parts, self.kind)


def part_of(piece: Piece) -> int:
    """The number of the part of rows rewritten that is a piece."""
    return int(Path(piece.ranges[0][0]).name.split("-")[1])


def polars() -> Any:
    """The engine that reads."""
    if find_spec("polars") is None:
        raise MissingExtra("polars", "tables", "a scan")
    import polars as pl

    return pl


def tidied(column: Any, source: Source) -> Any:
    """A column's names, or an expression of them, as a panel has them: stripped, in Unicode's form NFC."""
    dtype = getattr(column, "dtype", None)
    if source.layout.get("exact") or dtype not in (None, polars().String):
        return column
    if dtype is not None and _tidy(names := column.unique()).equals(names):  # names are few, beside rows
        return column
    return _tidy(column)


def _tidy(column: Any) -> Any:
    return column.str.strip_chars().str.normalize("NFC")


def expanded(path: str) -> list[str]:
    """The files that a path or a pattern names, in the order of their names."""
    if _native(path):
        names = _matching(path) if glob.has_magic(path) else [path]
    elif "://" in path:
        fs, inside = _remote(path)
        found = sorted(fs.glob(inside)) if glob.has_magic(inside) else [inside]
        names = [fs.unstrip_protocol(f) for f in found]
    elif glob.has_magic(path):
        names = sorted(glob.glob(path, recursive=True))
    elif os.path.isdir(path):
        names = sorted(str(f) for f in Path(path).rglob("*") if f.is_file() and _by_extension(str(f)) in STRAIGHT)
    else:
        names = [path]
    if not names:
        raise InputError(f"no file fits {path}.", "a pattern in quotes is expanded here: 'judgments/*.parquet'.")
    for name in names:
        if "://" not in name and not os.path.exists(name):
            raise InputError(f"{name}: no such file.", "check the path.")
    return names


def _native(url: str) -> bool:
    return url.split("://")[0] in NATIVE and "://" in url


def _matching(pattern: str) -> list[str]:
    """The objects of a bucket that fit a pattern, in the order of their names."""
    pl, column = polars(), "quorate_file"
    with reading(pattern):
        found = pl.scan_parquet(pattern, include_file_paths=column).select(pl.col(column).unique().sort()).collect()
    return [f if "://" in f else f"{pattern.split('://')[0]}://{f}" for f in found.to_series().to_list()]


def _remote(url: str) -> tuple[Any, str]:
    if find_spec("fsspec") is None:
        raise MissingExtra("fsspec", "cluster", f"reading {url.split('://')[0]}://")
    from fsspec.core import url_to_fs

    try:
        fs, inside = url_to_fs(url)
    except ImportError as error:
        raise InputError(f"{url}: {error}.", "install the package that fsspec names.") from None
    return fs, inside


def _by_extension(name: str) -> str:
    extension = Path(name.removesuffix(".gz")).suffix[1:].lower()
    return TABLES.get(extension, extension or "a file without extension")


def size_of(file: str) -> tuple[int, str]:
    """A file's size, and what changes when it does; of one in a bucket its rows."""
    if _native(file):
        return length_of(file), ""
    if "://" in file:
        fs, inside = _remote(file)
        info = fs.info(inside)
        return int(info["size"]), str(info.get("ETag", info.get("mtime", info["size"])))
    stat = os.stat(file)
    return stat.st_size, str(stat.st_mtime_ns)


def local(file: str) -> str:
    """The path of a file here: its own, or that of a copy which this process fetched from its URL."""
    if _native(file):
        return file
    if "://" not in file:
        if not os.path.exists(file):
            raise FileNotFoundError(f"{file} is not on this machine")
        return file
    fs, inside = _remote(file)
    named = hashlib.blake2b(f"{file} {size_of(file)}".encode(), digest_size=12).hexdigest()
    folder = Path(tempfile.gettempdir()) / f"quorate-fetched-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    copy = folder / f"{named}{Path(inside).suffix}"
    if not copy.exists():
        part = copy.with_suffix(f".{os.getpid()}")
        fs.get(inside, str(part))
        part.replace(copy)
    return str(copy)


def lazy(file: str) -> Any:
    """A file as polars' lazy frame; of delimited text every cell is text."""
    pl, path = polars(), local(file)
    form = _by_extension(file)
    if form == "parquet":
        return pl.scan_parquet(path)
    if form == "arrow":
        return pl.scan_ipc(path)
    if form == "jsonl":
        return pl.scan_ndjson(path)
    return pl.scan_csv(path, infer_schema=False, separator=_separator(path))


def _separator(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as stream:
        head = stream.readline()
    return max("\t;,", key=head.count)


def columns_of(file: str) -> list[str]:
    """The names of a file's columns."""
    with reading(file):
        return list(lazy(file).collect_schema().names())


def length_of(file: str) -> int:
    """How many rows a file has."""
    with reading(file):
        return int(lazy(file).select(polars().len()).collect().item())


def rows_of(piece: Piece, names: Sequence[str]) -> Any:
    """The rows of a piece, these columns."""
    pl, found = polars(), []
    for file, first, size in piece.ranges:
        with reading(f"{file} rows {first + 1:,} to {first + size:,}", file):
            frame = lazy(file).slice(first, size).select(names).collect()
        if frame.height != size:
            raise Damaged(f"{file}: {frame.height:,} rows where there were {size:,}.", "it was changed; scan it again.")
        found.append(frame)
    return found[0] if len(found) == 1 else pl.concat(found, how="vertical_relaxed")


def rows_at(file: str, most: int) -> int:
    """How many rows a file begins with, up to so many."""
    with reading(file):
        return int(lazy(file).head(most).select(polars().len()).collect().item())


class reading:
    """Whatever goes wrong while a file is read is said of the file."""

    def __init__(self, what: str, *files: str) -> None:
        self.what, self.files = what, files or (what,)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, FileNotFoundError) and "://" in self.what:  # which is so on every machine
            raise InputError(f"{self.what}: not there.", "check the URL, and whose keys it is read with.") from None
        if error is None or isinstance(error, InputError | MissingExtra | KeyboardInterrupt | FileNotFoundError):
            return
        said = " ".join(str(error).split())[:200]
        texts = [f for f in self.files if "://" not in f and _by_extension(f) in LINES]
        line = next((f"{f} line {n:,}" for f in texts if (n := bad_line(f))), self.what)
        hint = "mend the line, or leave it out; --skip-bad is for parts of Parquet and Arrow files." if texts else SKIPS
        raise Damaged(f"{line}: cannot be read ({said}).", hint) from None


def bad_line(file: str) -> int:
    """The number of the first line that is no text in UTF-8, no JSON, or has more cells than the first; 0: of none."""
    form, cells = _by_extension(file), 0
    separator = "" if form == "jsonl" else _separator(file)
    with (gzip.open if file.endswith(".gz") else open)(file, "rb") as lines:
        for number, raw in enumerate(lines, 1):
            try:
                line = raw.decode("utf-8")
                if not separator:
                    json.loads(line) if line.strip() else None
                elif '"' in line:  # a quoted cell may have separators, and line ends
                    break
                elif number == 1:
                    cells = line.count(separator)
                elif line.count(separator) > cells:
                    return number
            except ValueError:
                return number
    return 0
