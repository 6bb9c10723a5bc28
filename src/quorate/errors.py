"""What can go wrong, as a tree.

QuorateError
├── InputError         a file, frame or list that cannot be read as it stands (also a ValueError)
├── UnknownMethod      no such method in this cell of the table (also a LookupError)
├── BadParameter       a method's parameter is unknown or out of range (also a ValueError)
│   └── NotDrawn       a method has no interval over the units asked for
├── UnknownId          no such task, judge, item or column in the panel (also a LookupError)
├── MissingExtra       an optional package is needed (also an ImportError)
└── LimitReached       a search was stopped before it filled the memory (also a RuntimeError)

QuorateWarning
└── Degenerate         a value is undefined on these data and is reported as missing

A message is the fact, a blank line, then ``Hint:`` and what exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SHOWN = 10  # bad lines listed in a message; all are counted
ENDLESS = re.compile(r"(\S{120})\S{180,}")  # a word that would fill the screen; names come from files
LONGEST = 240  # characters of a line of a message, before its middle is left out: a cell may hold a whole text


class QuorateError(Exception):
    """Any mistake that the user can mend; the command line prints it and exits with 2."""

    def __init__(self, fact: str, hint: str = "") -> None:
        self.fact = "\n".join(short(line) for line in ENDLESS.sub(r"\1...", fact).split("\n"))
        self.hint = short(ENDLESS.sub(r"\1...", hint), 6 * LONGEST)
        super().__init__(f"{self.fact}\n\nHint: {self.hint}" if hint else self.fact)


class InputError(QuorateError, ValueError):
    """Input that cannot be read as it stands: where, what, and what to do.

    ``problems`` are pairs of a line number (or None) and a fact; ``count`` is how many there are in all.
    """

    def __init__(
        self,
        fact: str,
        hint: str = "",
        *,
        source: str = "",
        problems: Sequence[tuple[int | None, str]] = (),
        count: int | None = None,
    ) -> None:
        self.source = source
        self.problems = tuple(problems[:SHOWN])
        self.count = len(problems) if count is None else count
        head = f"{source}: {fact}" if source else fact
        lines = [f"  line {line}: {what}" if line is not None else f"  {what}" for line, what in self.problems]
        if self.count > len(self.problems):
            lines.append(f"  ... and {self.count - len(self.problems)} more")
        super().__init__("\n".join([head, *lines]), hint)


class UnknownMethod(QuorateError, LookupError):
    """No method of that name for this kind and question."""


class BadParameter(QuorateError, ValueError):
    """A parameter that the method does not have, or a value outside its range."""


class NotDrawn(BadParameter):
    """Intervals of a method over units that it cannot be drawn over, and ``why``; ``known`` are those that it can."""

    def __init__(self, method: object, over: str, *known: str, why: str = "") -> None:
        self.known, self.why = known, why
        self.instead = f"there is no interval over {over} here, but over {' or '.join(known)}"
        able = f"it has one over {' or '.join(known)}"
        super().__init__(f"over={over}: {method} has no interval over that.", f"{able}; {why}." if why else f"{able}.")


class UnknownId(QuorateError, LookupError):
    """A task, judge, item or column that the panel does not hold."""


class MissingExtra(QuorateError, ImportError):
    """An optional package is needed for this; no ``extra`` brings it where that is empty."""

    def __init__(self, package: str, extra: str, what: str) -> None:
        wanted = f"'quorate[{extra}]'" if extra else package
        super().__init__(f"{what} needs the package '{package}'.", f"pip install {wanted}")


class LimitReached(QuorateError, RuntimeError):
    """A search was stopped before it filled the memory; the message says how far it came."""


class QuorateWarning(UserWarning):
    """Anything worth knowing that does not stop the work."""


class Degenerate(QuorateWarning):
    """A value is undefined on these data and is reported as missing."""


def short(text: str, most: int = LONGEST) -> str:
    """A text of at most so many characters; of a longer one the middle is left out.

    >>> short("a name that is too long", 15)
    'a name... long'
    """
    return text if len(text) <= most else f"{text[: most - most // 3 - 4]}...{text[-(most // 3) :]}"


def suggest(wanted: str, known: Iterable[str], what: str = "Available") -> str:
    """A hint that names the nearest known word, then all of them."""
    import difflib  # not needed where nothing is misspelt

    names = list(known)
    near = difflib.get_close_matches(wanted, names, n=1, cutoff=0.6)
    shown = ", ".join(names[:40]) + (f", ... ({len(names)} in all)" if len(names) > 40 else "")
    return (f"did you mean '{near[0]}'? " if near else "") + f"{what}: {shown or 'none'}."
