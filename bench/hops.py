"""How many source files a command goes through, from the words typed to a printed figure.

``python -m bench.hops [FILE]`` runs ``quorate agreement FILE`` and ``quorate report FILE`` (the films of the
documentation unless told otherwise) and counts the files of the package of which a function is called, and the
functions; what runs only because a module is imported does not count. ``--method NAME`` asks for one figure, ``--list``
names the files in the order in which they are first entered.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from click.testing import CliRunner

import quorate
from quorate.cli import main as program

SOURCE = Path(quorate.__file__).parent
INSIDE = ("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>")  # parts of a function, which some Pythons call
FILMS = Path(__file__).parents[1] / "docs" / "examples" / "films.csv"


class Hops:
    """The functions that are called, in the order of their first call, but for those that an import calls."""

    def __init__(self) -> None:
        self.functions: dict[CodeType, str] = {}
        self.importing = 0  # module bodies that are being run

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """What ``sys.setprofile`` calls."""
        code = frame.f_code
        if event not in ("call", "return"):
            return
        if code.co_name == "<module>":
            self.importing += 1 if event == "call" else -1
        elif event == "call" and not self.importing and code.co_flags & inspect.CO_OPTIMIZED:  # not a class body
            self.functions.setdefault(code, "" if code.co_name in INSIDE else code.co_filename)

    def files(self) -> dict[str, int]:
        """The package's files, each with the number of its functions that were called."""
        found: dict[str, int] = {}
        for name in self.functions.values():
            if Path(name).is_relative_to(SOURCE):
                short = str(Path(name).relative_to(SOURCE))
                found[short] = found.get(short, 0) + 1
        return found


def traced(words: Sequence[str]) -> dict[str, int]:
    """The files that a command goes through."""
    hops = Hops()
    sys.setprofile(hops)
    try:
        result = CliRunner().invoke(program, list(words))
    finally:
        sys.setprofile(None)
    if result.exit_code:
        raise SystemExit(f"quorate {' '.join(words)}\n{result.output}")
    return hops.files()


def main() -> None:
    """Count, for an answer and for a report."""
    parser = argparse.ArgumentParser(prog="python -m bench.hops", description="Files between a command and a figure.")
    parser.add_argument("file", nargs="?", default=str(FILMS), help="a panel (docs/examples/films.csv)")
    parser.add_argument("--method", action="append", default=[], help="asked of agreement (the usual ones)")
    parser.add_argument("--list", action="store_true", help="name the files in the order in which they are entered")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one = [word for name in asked.method for word in ("--method", name)]
        for words in (
            ["agreement", asked.file, *one],
            ["report", asked.file, "--out", str(Path(folder) / "report.html")],
        ):
            found = traced(words)
            rooms: dict[str, int] = {}
            for name in found:
                room = name.partition("/")[0]
                rooms[room] = rooms.get(room, 0) + 1
            told = ", ".join(f"{room} {n}" for room, n in sorted(rooms.items(), key=lambda r: -r[1]))
            print(f"quorate {words[0]}: {len(found)} files, {sum(found.values())} functions ({told})")
            if asked.list:
                print(*(f"  {name} {n}" for name, n in found.items()), sep="\n")


if __name__ == "__main__":
    main()
