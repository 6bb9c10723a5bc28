"""A small disk that can be filled: a tmpfs where tests may mount one, else processes whose files may not grow."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

NONE_MORE = 4096  # bytes of a file, of a process that may write no more


@dataclass(frozen=True)
class Disk:
    """A folder, and whether it is a disk of its own."""

    folder: Path
    real: bool

    @contextmanager
    def full(self, *pids: int) -> Iterator[None]:
        """Nothing more fits on the disk until the end; where there is none, no file of these processes grows."""
        if self.real:
            filler = self.folder / "filler"
            _fill(filler)
            try:
                yield
            finally:
                filler.unlink()
            return
        for pid in pids or (os.getpid(),):
            _limit(pid, NONE_MORE)
        try:
            yield
        finally:
            for pid in pids or (os.getpid(),):
                _limit(pid, resource.RLIM_INFINITY)


def _fill(file: Path) -> None:
    """Write to the last byte."""
    with file.open("wb", buffering=0) as stream:
        for size in (2**20, 2**12, 1):
            with suppress(OSError):
                while True:
                    stream.write(bytes(size))


def _limit(pid: int, size: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@contextmanager
def small_disk(megabytes: int) -> Iterator[Disk]:
    """A disk of this size, where tests may mount one."""
    folder = tempfile.mkdtemp(prefix="quorate-disk-")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "tmpfs", folder]
    try:
        real = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        real = False
    try:
        yield Disk(Path(folder), real)
    finally:
        if real:
            subprocess.run(["umount", "-l", folder], capture_output=True, check=False)
        shutil.rmtree(folder, ignore_errors=True)
