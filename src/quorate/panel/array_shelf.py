"""Arrays that are made piece by piece and put together: in memory, or on disk where there are too many for it.

On disk they are mapped back into memory, of which the system then holds what it has room for; whoever has gone through
some of a mapped array lets go of it.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Shelf:
    """Pieces of an array, in memory."""

    def __init__(self) -> None:
        self._pieces: list[Any] = []

    def put(self, piece: Array) -> int:
        """Another piece; its number."""
        self._pieces.append(self._kept(np.ascontiguousarray(piece)))
        return len(self._pieces) - 1

    def piece(self, number: int) -> Array:
        """A piece by its number."""
        return np.asarray(self._pieces[number])

    def __iter__(self) -> Iterator[Array]:
        return map(self.piece, range(len(self._pieces)))

    def _kept(self, piece: Array) -> Any:
        return piece

    def joined(self) -> Array:
        """All pieces, which are of one type, one after the other."""
        return np.concatenate(self._pieces) if self._pieces else np.zeros(0, np.uint8)


class DiskShelf(Shelf):
    """The same in a file without a name, which goes when nobody uses it."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        super().__init__()
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  (it stays open as long as the shelf is there)
        weakref.finalize(self, self._file.close)
        self._end = 0

    def piece(self, number: int) -> Array:
        """A piece by its number, read again."""
        begin, size, dtype = self._pieces[number]
        self._file.seek(begin)
        return np.frombuffer(self._file.read(size * dtype.itemsize), dtype)

    def _kept(self, piece: Array) -> Any:
        self._file.seek(self._end)
        self._file.write(piece.data)
        begin, self._end = self._end, self._end + piece.nbytes
        return begin, len(piece), piece.dtype

    def joined(self) -> Array:
        """All pieces, which are of one type, as one array that is mapped, not read."""
        self._file.flush()
        if not self._end:
            return super().joined() if not self._pieces else np.zeros(0, self._pieces[0][2])
        return np.memmap(self._file, self._pieces[0][2], "r")


def let_go(*arrays: Array) -> None:
    """What was read of mapped arrays need not stay in memory."""
    for array in arrays:
        mapped = getattr(array, "_mmap", None)
        if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            mapped.madvise(mmap.MADV_DONTNEED)
