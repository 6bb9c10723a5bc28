"""Measures what Quorate and its extras take on the disk: ``python docs/sizes.py`` prints the table of docs/why.md.

Sizes are those of the files that each installed distribution lists, without compiled bytecode; packages that a
dependency brings along count with it, once, in the order of the table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
EXTRAS = ("", "tables", "text", "report", "web", "postgres", "cluster", "docs")
NAME = re.compile(r"[A-Za-z0-9._-]+")
AFTER = re.compile(r"[<>=!~; (]")


def key(name: str) -> str:
    """A distribution's name as packaging compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def wanted(found: Distribution) -> list[str]:
    """What a distribution requires, extras left aside."""
    return names(line for line in found.requires or () if "extra" not in line.partition(";")[2])


def names(requirements: Iterable[str]) -> list[str]:
    """The names in requirements such as 'numpy>=2.0'; of 'dask[distributed]' both, since that extra is a package."""
    return [key(name) for line in requirements for name in NAME.findall(AFTER.split(line)[0])]


def size(found: Distribution) -> int:
    """Bytes of a distribution's files."""
    paths = [p.locate() for p in found.files or () if p.suffix != ".pyc"]
    return sum(p.stat().st_size for p in paths if p.is_file())  # type: ignore[attr-defined]


def closure(asked: list[str], done: dict[str, int]) -> dict[str, int]:
    """The distributions that these bring along and that are not counted yet, with their sizes."""
    out: dict[str, int] = {}
    todo = list(asked)
    while todo:
        name = todo.pop()
        if name in done or name in out:
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:  # another platform's, or an extra that is not installed
            continue
        out[name] = size(found)
        todo += wanted(found)
    return out


def table() -> Iterator[str]:
    """The lines of the table."""
    yield "| install | MB | of it |"
    yield "|---|---|---|"
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    done: dict[str, int] = {}
    for extra in EXTRAS:
        asked = names(project["optional-dependencies"][extra] if extra else project["dependencies"])
        found = closure(asked, done)
        missing = [n for n in asked if n not in found and n not in done]
        done |= found
        largest = ", ".join(f"{n} {s / 1e6:.1f}" for n, s in sorted(found.items(), key=lambda p: -p[1])[:5])
        note = f"; not installed: {', '.join(missing)}" if missing else ""
        what = f"extra `{extra}`" if extra else "`quorate`"
        yield f"| {what} | {sum(found.values()) / 1e6:.1f} | {largest}{note} |"


if __name__ == "__main__":
    print("\n".join(table()))
