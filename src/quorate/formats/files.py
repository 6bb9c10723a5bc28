"""Files in and out: paths, ``-`` for stdin and stdout, gzip, encodings; every failure names the file and what to do.

A file is written whole or not at all: beside its place under another name, and put there when it is complete. Who is
interrupted, or out of room on the disk, keeps the file that was there before.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import stat
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from quorate.errors import InputError, suggest

HEAD = 65_536  # bytes looked at to tell formats apart
BOMS = (b"\xff\xfe", b"\xfe\xff")  # how UTF-16 begins
BUFFER = 2**17
GZIP = b"\x1f\x8b"
FULL = (errno.ENOSPC, errno.EDQUOT)  # no room left
PathLike = str | os.PathLike[str]
Bad = list[tuple[int | None, str]]  # lines, and what is wrong with each


def readable(name: str) -> str:
    """A file's name as text that any output can hold: bytes of it that are no UTF-8 are escaped.

    >>> readable("\\udcff.csv")
    '\\\\udcff.csv'
    """
    return name.encode("utf-8", "backslashreplace").decode()


class _Named:
    """What a path says about a file: its name, stem and extension, with ``.gz`` taken off."""

    def __init__(self, path: PathLike, standard: str) -> None:
        text = os.fspath(path)
        if "\0" in text:
            raise InputError(f"no file is called {text!r}: there is a NUL character in it.", "mend the path.")
        self.path = None if text == "-" else Path(text)
        self.name = standard if self.path is None else readable(text)
        self.zipped = text.lower().endswith(".gz")

    @property
    def base(self) -> str:
        """The file's name without its folder and ``.gz``."""
        if self.path is None:
            return self.name
        return readable(self.path.name[:-3] if self.zipped else self.path.name)

    @property
    def stem(self) -> str:
        """The base without its extension."""
        return Path(self.base).stem

    @property
    def extension(self) -> str:
        """The extension in small letters without its dot."""
        return Path(self.base).suffix[1:].lower()


MOST = 2**31  # bytes that a file may hold after unpacking
UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def size(given: int | str | None) -> int:
    """A number of bytes, also as a text such as 500M, 1.5GB or 8G.

    >>> size("8G"), size("0.5 kB"), size(None) == MOST
    (8589934592, 512, True)
    """
    if given is None:
        return MOST
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", str(given).strip().lower())
    number = int(float(found[1]) * UNITS[found[2]]) if found else 0
    if number < 1:
        raise InputError(f"{given!r} is no number of bytes.", "a size is like 500M, 1.5GB or 8G.")
    return number


class _Counted(io.RawIOBase):
    """Pieces of bytes as a stream, as many bytes as are allowed; one more is an error."""

    def __init__(self, pieces: Iterator[bytes], name: str, most: int) -> None:
        self._pieces, self._name, self._most, self._read, self._rest = pieces, name, most, 0, b""

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As many bytes as there is room for."""
        self._rest = self._rest or next(self._pieces, b"")
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        self._read += size
        if self._read > self._most:
            raise too_large(self._name, self._most)
        return size


def counted(source: IO[bytes] | Iterator[bytes], name: str, most: int) -> io.BufferedReader:
    """What is unpacked, from a stream or piece by piece, as many bytes as are allowed."""
    pieces = iter(lambda: source.read(BUFFER), b"") if hasattr(source, "read") else source
    return io.BufferedReader(_Counted(pieces, name, most), BUFFER)


def too_large(name: str, most: int) -> InputError:
    """More bytes than are allowed."""
    units = (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10), ("", 1))
    shown = next(f"{most / unit:.3g} {word}B" for word, unit in units if most >= unit)
    return InputError(f"{name}: more than {shown} after unpacking.", "--max-bytes 8G (max_bytes) allows more.")


class File(_Named):
    """A file to read; it may be opened more than once, stdin and pipes too. It may hold ``most`` bytes, unpacked."""

    def __init__(self, path: PathLike, most: int = MOST) -> None:
        super().__init__(path, "stdin")
        self.most = most

    @cached_property
    def _kept(self) -> bytes | None:
        """The content of what can be read only once."""
        if self.path is None:
            if sys.stdin is None:
                raise InputError("standard input is closed.", "pipe the judgments in, or name a file.")
            return self._all(sys.stdin.buffer)
        if self.path.exists() and not self.path.is_file() and not self.path.is_dir():
            with self.path.open("rb") as stream:
                return self._all(stream)
        return None

    def _all(self, stream: IO[bytes]) -> bytes:
        content = stream.read(self.most + 1)
        if len(content) > self.most:
            raise too_large(self.name, self.most)
        return content

    def _open(self) -> IO[bytes]:
        if self._kept is not None:
            return io.BytesIO(self._kept)
        if self.path is None or self.path.is_dir():
            raise IsADirectoryError
        return self.path.open("rb")

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """The file's bytes, unzipped."""
        try:
            with self._open() as raw:
                start = raw.read(2)
                raw.seek(0)
                if self.zipped or start == GZIP:
                    with gzip.open(raw) as unzipped:
                        yield counted(unzipped, self.name, self.most)
                else:
                    if self.path is not None and self._kept is None and os.fstat(raw.fileno()).st_size > self.most:
                        raise too_large(self.name, self.most)
                    yield raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"{self.name}: not a whole gzip file ({error}).", "unzip it, or fetch it again.") from None
        except OSError as error:
            raise _os_error(self, error) from None

    @contextmanager
    def text(self, encoding: str = "utf-8", newline: str | None = None) -> Iterator[IO[str]]:
        """The file's text; a byte order mark is taken off."""
        chosen = "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding
        try:
            "".encode(chosen)
        except (LookupError, UnicodeError):  # the latter of the encoding called undefined
            raise InputError(f"no encoding '{encoding}'.", "common ones: utf-8, latin-1, cp1252, utf-16.") from None
        if chosen == "utf-8-sig" and self.head[:2] in BOMS:  # the mark says so
            chosen = "utf-16"
        wide = chosen.lower().startswith(("utf-16", "utf-32", "utf_16", "utf_32"))
        if b"\0" in self.head.split(b"\n")[0] and not wide:  # further down one may be part of a name
            likely = "utf-16-be" if self.head[:1] == b"\0" else "utf-16-le"
            hint = f"is it a text at all? Perhaps in another encoding: encoding={likely} (--encoding {likely})."
            raise bad_lines(self.name, "there are NUL bytes, which no text has", [(1, "the first one")], hint)
        try:
            with self.binary() as raw:
                yield io.TextIOWrapper(raw, chosen, newline=newline)
        except UnicodeError:
            raise self._encoding_error(chosen, encoding) from None

    def _encoding_error(self, chosen: str, encoding: str) -> InputError:
        bad: Bad = []
        windows = False  # bytes that only Windows uses for letters and marks
        with self.binary() as raw:
            for number, line in enumerate(raw, 1):
                try:
                    line.decode(chosen)
                except UnicodeError as error:
                    at = getattr(error, "start", 0)
                    bad.append((number, f"byte 0x{line[at]:02x} at place {at + 1}"))
                    windows = windows or any(0x80 <= byte < 0xA0 for byte in line)
        likely = "utf-16" if self.head[:2] in BOMS else "cp1252" if windows else "latin-1"
        hint = f"pass the file's encoding, for example encoding={likely} (--encoding {likely})."
        return bad_lines(self.name, f"the text is not {encoding}", bad, hint)

    @property
    def local(self) -> Path | None:
        """The path, if the file can be read in place."""
        return None if self.zipped or self._kept is not None else self.path

    @property
    def folder(self) -> bool:
        """Whether it is a folder, which has no bytes of its own."""
        return self.path is not None and self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unzipped."""
        with self.binary() as raw:
            return raw.read(HEAD)

    @property
    def start(self) -> bytes:
        """The first bytes without a byte order mark and blanks."""
        return self.head.lstrip(b"\xef\xbb\xbf \r\n\t")

    @cached_property
    def head_lines(self) -> list[str]:
        """The whole lines among the first bytes, blank ones left out."""
        text = self.head.decode("utf-16" if self.head[:2] in BOMS else "utf-8-sig", errors="replace")
        lines = text.splitlines()
        if len(self.head) == HEAD and len(lines) > 1:
            lines.pop()
        return [line for line in lines if line.strip()]


class Sink(_Named):
    """Where a file is written to; a name that ends in ``.gz`` is zipped."""

    def __init__(self, path: PathLike) -> None:
        super().__init__(path, "stdout")
        self.type = self.extension  # may be set where the path has none

    @contextmanager
    def binary(self) -> Iterator[IO[bytes]]:
        """A stream for bytes."""
        if self.path is None:
            yield from _stdout()
            return
        try:
            with whole(self.path) as raw:
                if self.zipped:  # no time, no name: the same panel gives the same bytes
                    with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                        yield packed  # type: ignore[misc]
                else:
                    yield raw
        except OSError as error:
            raise _os_error(self, error, "written") from None

    @contextmanager
    def text(self) -> Iterator[IO[str]]:
        """A stream for text, in UTF-8 with plain line ends; names of files that are no UTF-8 are escaped."""
        with self.binary() as raw:
            stream = io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="", write_through=False)
            try:
                yield stream
            finally:
                stream.detach()  # flushes, and leaves stdout open


def _stdout() -> Iterator[IO[bytes]]:
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    held = io.BytesIO()  # a notebook or a test: stdout takes text only
    yield held
    try:
        sys.stdout.write(held.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError("stdout takes text only here.", "write to a file.") from None


def _os_error(file: _Named, error: OSError, verb: str = "read") -> InputError:
    path = file.path or Path()
    if isinstance(error, FileNotFoundError):
        if path.parent.is_dir():
            near = suggest(path.name, sorted(p.name for p in path.parent.iterdir()), "The folder has")
            return InputError(f"{file.name}: no such file.", near)
        return InputError(f"{file.name}: no such folder.", "make the folder first, or mend the path.")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{file.name}: this is a folder, not a file.", "give the files in it, by name.")
    if isinstance(error, PermissionError):
        return InputError(f"{file.name}: may not be {verb}.", "ask for the permission, or use a copy.")
    hint = "free some space, or write elsewhere." if error.errno in FULL else "mend the path, or use a copy elsewhere."
    return InputError(f"{file.name}: cannot be {verb} ({error.strerror or error}).", hint)


def bad_lines(name: str, fact: str, problems: Bad, hint: str = "") -> InputError:
    """An error about lines of a file: the first ten are shown, all counted."""
    n = len(problems)
    counted = f" ({n} line{'s' if n != 1 else ''})" if n else ""
    return InputError(f"{fact}{counted}", hint, source=name, problems=problems)


def distinct(files: Sequence[File], wanted: Sequence[str]) -> list[str]:
    """A name for each file: the one wanted where no other file wants it, else the stem, the base or the whole path."""
    often = Counter(wanted)
    stems = [f.stem if often[w] > 1 or not w else w for f, w in zip(files, wanted, strict=True)]
    names: list[str] = []
    for names in (list(wanted), stems, [f.base for f in files], [f.name for f in files]):
        if all(names) and len(set(names)) == len(names):
            return names
    again = next(n for n in names if names.count(n) > 1)
    raise InputError(f"{again}: the same file twice.", "give each file once.")


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A stream for the bytes of a file, which is there once the stream is closed without an error.

    What is no plain file (a pipe, a terminal) and what lies in a folder that takes no new files is written in place.

    >>> target = Path(tempfile.mkdtemp(), "page.html")
    >>> try:
    ...     with whole(target) as stream:
    ...         _ = stream.write(b"half of it")
    ...         raise KeyboardInterrupt
    ... except KeyboardInterrupt:
    ...     print(target.exists(), os.listdir(target.parent))
    False []
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    mode = _mode(path)
    if mode is None or not os.access(target.parent, os.W_OK):
        with path.open("wb") as stream:
            yield stream
        return
    number, made = tempfile.mkstemp(".part", ".quorate-", target.parent)
    try:
        with os.fdopen(number, "wb") as stream:
            yield stream
        os.chmod(made, mode)
        os.replace(made, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(made)
        raise


def _mode(path: Path) -> int | None:
    """The permissions that the file has or would get; nothing where it cannot be replaced by a new one."""
    try:
        found = path.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    plain = stat.S_ISREG(found.st_mode) and os.access(path, os.W_OK)
    return stat.S_IMODE(found.st_mode) if plain else None
