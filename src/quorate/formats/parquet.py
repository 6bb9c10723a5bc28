"""Parquet, by polars: one column at a time, texts straight to codes; millions of rows never are Python objects.

It is decoded in a process of its own, which stays for the next file: one that is damaged ends that process, not ours.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import numpy as np

from quorate.errors import InputError, MissingExtra
from quorate.formats.file_parts import Part
from quorate.formats.files import File, Sink, counted, too_large
from quorate.formats.names import KNOWN, panel_columns
from quorate.formats.parquet_decoder import send
from quorate.formats.registry import Format
from quorate.formats.table_options import OPTIONS
from quorate.formats.tables import plan, together
from quorate.panel.base import listed
from quorate.panel.columns import Coded, narrow
from quorate.panel.kinds import PANELS, Panel

MAGIC = b"PAR1"
AT_ONCE = 20_000  # rows that are decoded together as records


def _polars() -> Any:
    if find_spec("polars") is None:
        raise MissingExtra("polars", "tables", "Parquet")
    import polars

    return polars


class Died(Exception):
    """The decoder has gone."""


class _Decoder:
    """The process that decodes; begun when it is first asked, and anew when it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def __call__(self, *question: Any) -> Any:
        """An answer; a ValueError says what is wrong with the file, :class:`Died` that asking ended the process."""
        with self._lock:
            process = self._running()
            try:
                send(process.stdin, question)
                how, found = pickle.load(process.stdout)  # type: ignore[arg-type]
            except (EOFError, OSError, pickle.UnpicklingError):
                self.stop()
                raise Died(process.returncode) from None
        if how == "error":
            raise ValueError(found)
        return found

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None or self._owner != os.getpid():
            script = Path(__file__).with_name("parquet_decoder.py")
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            self._owner = os.getpid()
            atexit.register(self.stop)
        return self._process

    def stop(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
            if process.returncode is None:
                process.kill()
                process.wait()


_decoder = _Decoder()


def read(files: Sequence[File], kind: str | None, **layout: Any) -> Panel:
    """A panel from Parquet files."""
    if find_spec("polars") is None:
        raise MissingExtra("polars", "tables", "Parquet")
    return together([_read_one(f, kind, layout) for f in files], kind)


class Rows(File):
    """The rows of a Parquet file as JSON Lines, for readers of records; they are decoded some at a time."""

    def __init__(self, file: File, size: int) -> None:
        super().__init__(file.name, file.most)
        self._file, self._size = file, size

    @property
    def extension(self) -> str:
        """That of JSON Lines."""
        return "jsonl"

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """The rows' bytes."""
        yield counted(self._lines(), self.name, self.most)

    def _lines(self) -> Iterator[bytes]:
        with _decoding(self._file):
            for start in range(0, self._size, AT_ONCE):
                _decoder("open", _source(self._file))  # another file may have been asked for in between
                yield _decoder("rows", start, AT_ONCE)


def as_records(file: File) -> File | None:
    """The rows of a Parquet file whose cells hold lists or objects, as records; None of any other."""
    if find_spec("polars") is None:
        return None
    with _decoding(file):
        _, rows, nested = _decoder("open", _source(file))
    return Rows(file, rows) if nested else None


def size(paths: Sequence[str]) -> tuple[int, str]:
    """How many rows files have, and of which kind they are; scores, where their columns do not tell."""
    rows = 0
    for file in map(File, paths):
        with _decoding(file):
            names, more, _ = _decoder("open", _source(file))
        rows += more
    return rows, plan(file.name, names).kind or "scores"


@contextmanager
def _decoding(file: File) -> Iterator[None]:
    """What goes wrong while a file is decoded, told."""
    try:
        yield
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{file.name}: cannot be read ({error}).", "is it a whole Parquet file?") from None
    except Died as error:
        fact = f"{file.name}: damaged, or too large for the memory (decoding it ended the decoder, code {error})."
        raise InputError(fact, "fetch or write it again; --memory 2GB reads a large one piece by piece.") from None


def _read_one(file: File, kind: str | None, layout: dict[str, Any]) -> Part:
    if file.head[:4] != MAGIC:
        text = "--input-format csv reads text, whatever it is called." if b"\0" not in file.head else ""
        raise InputError(f"{file.name}: not a Parquet file.", text or "its first four bytes are not PAR1.")
    with _decoding(file):
        names, rows, _ = _decoder("open", _source(file))
        if rows * max(len(names), 1) > file.most:
            raise too_large(file.name, file.most)
        meant = plan(file.name, names, kind, **layout)
        numeric = meant.numeric().blank
        raw: dict[str, Any] = {}
        aside: list[str] = []
        size = 0
        for old, new in zip(names, meant.names, strict=True):
            what, found, more = _decoder("column", old, new in numeric)
            size += more
            if size > file.most:
                raise too_large(file.name, file.most)
            if what == "nested" and new in KNOWN:
                raise InputError(f"{file.name}: the column '{old}' holds {found}.", "a column holds texts or numbers.")
            if what == "nested":
                aside.append(old)
            else:
                raw[new] = found if what == "numbers" else Coded(tuple(found[0]), narrow(found[1], len(found[0])))
    notes = [f"{file.name}: left aside, for they are lists or objects: {listed(aside, 10)}"] if aside else []
    return meant.shape(Part(file.name, raw, notes=notes))


def _source(file: File) -> str | bytes:
    """A path, or the bytes of what has none or is packed."""
    if file.local is not None:
        if file.local.stat().st_size > file.most:
            raise too_large(file.name, file.most)
        return str(file.local.resolve())
    with file.binary() as stream:
        return stream.read()


# -- out -------------------------------------------------------------------------------------------------------------


def write(panel: Panel, sink: Sink) -> None:
    """A panel as Parquet."""
    pl = _polars()
    columns = {
        name: _series(pl, name, column) if isinstance(column, Coded) else _numbers(pl, column)
        for name, column in panel_columns(panel).items()
    }
    with sink.binary() as stream:
        pl.DataFrame(columns).write_parquet(stream)


def _numbers(pl: Any, values: Any) -> Any:
    return (
        pl.Series(values=np.ascontiguousarray(values)).fill_nan(None)
        if values.dtype.kind == "f"
        else pl.Series(values=values)
    )


def _series(pl: Any, name: str, column: Coded) -> Any:
    """The ids of a column row by row; they must be of one type."""
    types = {type(i) for i in column.ids if i is not None}
    if len(types) > 1 or not types <= {str, int, float, bool}:
        said = ", ".join(sorted(t.__name__ for t in types))
        raise InputError(
            f"parquet holds one type per column, texts or numbers; the column '{name}' has {said}.",
            "jsonl holds texts and numbers side by side.",
        )
    try:
        ids = pl.Series(name, list(column.ids), dtype=None if types else pl.String)
    except (OverflowError, UnicodeEncodeError, pl.exceptions.PolarsError) as error:
        raise InputError(f"parquet cannot hold the column '{name}': {error}.", "jsonl can.") from None
    return ids.gather(column.codes.astype(np.uint32))


def sniff(file: File) -> bool:
    """The four bytes PAR1."""
    return file.head[:4] == MAGIC


PARQUET = Format(
    "parquet",
    ("parquet", "pq"),
    "long table in columns, for many rows; ids keep their type",
    tuple(PANELS),
    read,
    write,
    sniff,
    "tables",
    OPTIONS,
)
