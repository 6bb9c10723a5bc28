"""How a panel was read: format, columns and what each became, and every guess with the option that would settle it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from quorate.errors import InputError


@dataclass(frozen=True)
class Guess:
    """What the reader took to be so without having been told, and what one would say on the command line."""

    said: str  # "the column 'worker' is taken as the judge"
    option: str  # "--rename worker=judge"
    column: str = field(default="", compare=False)  # of a column that is taken as something
    role: str = field(default="", compare=False)


def option(name: str, *values: str) -> str:
    """An option as one would type it.

    >>> option("rename", "Email Address=judge"), option("criteria", "a", "b")
    ("--rename 'Email Address=judge'", '--criteria a,b')
    """
    return f"--{name} {shlex.quote(','.join(values))}"


@dataclass(frozen=True)
class Column:
    """A column of the input (or a field, a control, a question) and what it became."""

    name: str
    role: str  # judge, item, score, ...; "beside" of one that is kept; "" of one that is left aside


@dataclass(frozen=True)
class Reading:
    """Where a panel comes from."""

    files: tuple[str, ...] = ()
    format: str = ""
    why: str = ""  # how the format was known
    columns: tuple[Column, ...] = ()
    guesses: tuple[Guess, ...] = ()
    options: tuple[str, ...] = ()  # what the reader was told, as on the command line

    def refuse_guesses(self) -> None:
        """An error that names every guess, where there are any."""
        if self.guesses:
            number, more = len(self.guesses), len(self.files) - 3
            raise InputError(
                f"{'1 thing is' if number == 1 else f'{number} things are'} not said but guessed",
                f"say so: {' '.join(dict.fromkeys(g.option for g in self.guesses))}",
                source=", ".join(self.files[:3]) + (f" and {more:,} more" if more > 0 else ""),
                problems=[(None, g.said) for g in self.guesses],
            )
