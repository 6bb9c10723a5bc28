"""Where text goes: how wide a page is, and plain text for pipes.

On a terminal a page is as wide as the terminal, up to 120 columns; elsewhere 80; a variable COLUMNS decides in either
case. Nothing is cut off (see :mod:`~quorate.terminal.fitting`).
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table

from quorate.terminal.fitting import fit, longest_word, meek, plain, wrapped

WIDEST = 120  # a terminal may be wider, lines are not: they could not be read
USUAL = 80  # in files and pipes
NARROWEST = 20


def page_width() -> int:
    """How many columns there are for standard output."""
    said = os.environ.get("COLUMNS", "").strip()
    if said.isdecimal() and int(said) > 0:
        return max(int(said), NARROWEST)
    if not sys.stdout.isatty():
        return USUAL
    return max(min(shutil.get_terminal_size((USUAL, 24)).columns, WIDEST), NARROWEST)


class Page(Console):
    """A console that never cuts anything off; names in brackets are names, not markup."""

    def __init__(self, file: Any = None, width: int = USUAL, *, plain: bool = False) -> None:
        bare = plain or bool(os.environ.get("NO_COLOR"))
        super().__init__(
            file=file,
            width=width,
            color_system=None if bare else "auto",
            force_terminal=False if plain else None,
            force_jupyter=False,  # in a notebook it would show the text there, and return none
            highlight=False,
            markup=False,
            emoji=False,
        )

    def print(self, *objects: Any, **how: Any) -> None:
        """Print things, each table fitted to the page; a word longer than a line stays whole."""
        how = {"crop": False, **how}
        page = self.width
        if not how.get("soft_wrap"):
            objects = tuple(wrapped(o, page) if isinstance(o, str) else o for o in objects)
        objects = tuple(map(meek, objects))
        if len(objects) == 1:
            one = objects[0]
            self.width = max(page, fit(one, page) if isinstance(one, Table) else longest_word(plain(one)))
        try:
            super().print(*objects, **how)
        finally:
            self.width = page

    def on_broken_pipe(self) -> None:
        """The reader has gone, as `head` does: the command line ends quietly."""
        self.quiet = True
        raise BrokenPipeError


class Stripped:
    """A text file whose lines end without blanks, for what is piped."""

    encoding = "utf-8"

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.rest = ""

    def write(self, text: str) -> int:
        """Write the lines that are complete."""
        *lines, self.rest = (self.rest + text).split("\n")
        if lines:
            self.file.write("".join(f"{line.rstrip()}\n" for line in lines))
        return len(text)

    def flush(self) -> None:
        """Pass on what was written."""
        self.file.flush()

    def isatty(self) -> bool:
        """A pipe is no terminal."""
        return False


def page_text(pieces: Iterable[Any], width: int = USUAL, *, whole: bool = False) -> str:
    """Sentences and tables as plain text, without blanks at the ends of lines; ``whole`` lines are not wrapped."""
    out = io.StringIO()
    page = Page(out, width, plain=True)
    for piece in pieces:
        page.print(piece, soft_wrap=whole and isinstance(piece, str))
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines()) + "\n"


def standard_output() -> Page:
    """Standard output: with bold headings on a terminal, plain without trailing blanks elsewhere."""
    if sys.stdout.isatty():
        return Page(width=page_width())
    return Page(Stripped(sys.stdout), page_width(), plain=True)
