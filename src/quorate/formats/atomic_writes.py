"""A file is written whole or not at all: beside its place under another name, and put there when it is complete.

Who is interrupted, or out of room on the disk, keeps the file that was there before.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


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
