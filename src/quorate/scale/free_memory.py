"""How much memory is free here: what the machine has, or what is left to the group of processes that this one is in.

Containers, batch systems and service managers put a limit on a group of processes (a *cgroup*, of the first or the
second version). It binds all groups below, so every group from this process's own up to the root is asked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

GROUPS, PROCESSES = Path("/sys/fs/cgroup"), Path("/proc")
FILES = {1: ("memory.limit_in_bytes", "memory.usage_in_bytes"), 2: ("memory.max", "memory.current")}


def free_memory() -> int | None:
    """Bytes of memory that are free here; None where nobody tells."""
    found = []
    with contextlib.suppress(OSError, ValueError, KeyError):
        found.append(1024 * int(_table(PROCESSES / "meminfo")["MemAvailable"].split()[0]))
    for version, group in _groups():
        with contextlib.suppress(OSError, ValueError, KeyError):  # "max", where there is no limit, is no number
            limit, used = (int((group / name).read_text()) for name in FILES[version])
            cached = int(_table(group / "memory.stat", " ").get("inactive_file", 0))  # given back when it is wanted
            found.append(max(0, limit - used + cached))
    return min(found, default=None)


def _table(file: Path, mark: str = ":") -> dict[str, str]:
    """A file's lines of a name and a value."""
    return dict(line.split(mark, 1) for line in file.read_text().splitlines() if mark in line)


def _groups() -> Iterator[tuple[int, Path]]:
    """The groups that this process is in, with the version of their kind: its own, and those above.

    Within a container the path is often the host's, which is not to be seen; the root is then the container's group.
    """
    lines = [":memory:/", "::/"]
    with contextlib.suppress(OSError):
        lines += (PROCESSES / "self" / "cgroup").read_text().splitlines()
    for kinds, _, path in (line.partition(":")[2].partition(":") for line in lines):
        version = 1 if "memory" in kinds.split(",") else 2 if not kinds else 0
        root = GROUPS / "memory" if version == 1 else GROUPS
        parts = path.strip("/").split("/") if path.strip("/") else []
        for depth in range(len(parts), -1, -1) if version else ():
            yield version, root.joinpath(*parts[:depth])
