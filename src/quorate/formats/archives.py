"""Files inside a folder or a zip archive, in the order of their names; hidden ones are passed over."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from quorate.errors import InputError
from quorate.formats.files import File, counted

ZIP = b"PK\x03\x04"
ZSTD = 93  # the number of the method in a zip archive
MANY = 200_000  # files; more are no export


class Member(File):
    """A file inside a zip archive, unpacked while it is read."""

    def __init__(self, archive: File, inner: str) -> None:
        super().__init__(Path(archive.name) / inner, archive.most)
        self.archive, self.inner = archive, inner

    @property
    def folder(self) -> bool:
        """Never: folders of an archive have no entry of their own here."""
        return False

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """The file's bytes, unpacked."""
        with _opened(self.archive) as archive, _member(archive, self.archive.name, self.inner) as stream:
            yield counted(stream, self.name, self.most)


@contextmanager
def _member(archive: zipfile.ZipFile, where: str, name: str) -> Iterator[IO[bytes]]:
    """A file of an archive; Zstandard is unpacked by Python from 3.14 on, or else by the package ``zstandard``."""
    found = archive.getinfo(name)
    if found.compress_type != ZSTD or hasattr(zipfile, "ZIP_ZSTANDARD"):
        with archive.open(found) as stream:
            yield stream
        return
    if find_spec("zstandard") is None:
        fact = f"{where}: its files are packed with Zstandard, which Python unpacks from 3.14 on"
        raise InputError(f"{fact}.", "pip install zstandard; or pack the archive anew with deflate.")
    import zstandard

    packed = copy(found)  # its bytes as they are in the archive
    packed.compress_type, packed.file_size, packed.CRC = zipfile.ZIP_STORED, found.compress_size, None  # type: ignore[assignment]
    try:
        with archive.open(packed) as raw, zstandard.ZstdDecompressor().stream_reader(raw) as stream:
            yield stream
    except zstandard.ZstdError as error:
        raise InputError(f"{where}: {name} cannot be unpacked ({error}).", "fetch the archive again.") from None


@contextmanager
def _opened(file: File) -> Iterator[zipfile.ZipFile]:
    try:
        with file.binary() as raw, _listed(raw) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{file.name}: this zip archive cannot be read ({error}).", "unzip it yourself.") from None


def _listed(raw: IO[bytes]) -> zipfile.ZipFile:
    """The archive; a damaged list of its files may fail in other ways than those of a damaged archive."""
    try:
        return zipfile.ZipFile(raw)
    except (ValueError, struct.error, OverflowError) as error:  # the first has texts of another encoding, too
        raise zipfile.BadZipFile(f"the list of its files is damaged: {error}") from None


@lru_cache(maxsize=4)
def inside(file: File) -> tuple[File, ...]:
    """The files in a folder or an archive; of any other file itself."""
    if file.folder and file.path is not None:
        root = file.path
        found = [p for p in sorted(root.rglob("*")) if p.is_file() and not _hidden(str(p.relative_to(root)))]
        return tuple(File(p, file.most) for p in found[:MANY])
    if not file.folder and file.head.startswith(ZIP):
        with _opened(file) as archive:
            names = sorted(i.filename for i in archive.infolist() if not i.is_dir())
        return tuple(Member(file, n) for n in names[:MANY] if not _hidden(n))
    return (file,)


def _hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in Path(name).parts)


def holds(file: File, sniff: Callable[[File], bool]) -> bool:
    """Whether a file is of a format, or a folder or archive has such a file among its first hundred."""
    return any(sniff(f) for f in inside(file)[:100])
