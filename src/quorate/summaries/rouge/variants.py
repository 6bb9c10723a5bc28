"""The members of the ROUGE family, as small objects with a name that parses back: 2, L, W-1.2, S4, SU4, SU*."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quorate.errors import BadParameter

FORM = re.compile(
    r"(?:ROUGE-?)?(?:(?P<n>[1-9]\d?)|(?P<l>L(?:-whole)?)|W(?:-?(?P<w>[\d.]+))?|(?P<s>SU?)(?P<gap>\d+|\*)?"
    r"|(?P<be>BE)(?:-(?P<mode>H|HM1?|HMR[12]?))?)",
    re.I,
)
HINT = "there are 1 to 9, L, L-whole, W-1.2, S4, SU4, S*, SU* and, of basic elements, BE-H to BE-HMR2."
NIST = ("1", "2", "3", "4", "L", "W-1.2", "SU4")  # as NIST ran it: -n 4 -w 1.2 -2 4 -u


@dataclass(frozen=True)
class Variant:
    """One ROUGE. Its text form is the name that ROUGE-1.5.5 prints.

    >>> [str(Variant.parse(t)) for t in ("2", "rouge-l", "W", "SU4", "S*")]
    ['ROUGE-2', 'ROUGE-L', 'ROUGE-W-1.2', 'ROUGE-SU4', 'ROUGE-S*']
    """

    family: str  # N, L, W, S, SU, BE
    n: int = 1  # of N
    weight: float = 1.0  # of W
    gap: int = 4  # of S and SU: tokens between two, at most; -1 for any number
    whole: bool = False  # of L: the whole text as one sentence
    mode: str = ""  # of BE: H, HM, HMR, HM1, HMR1, HMR2

    @classmethod
    def parse(cls, text: str) -> Variant:
        """A variant from its text form."""
        found = FORM.fullmatch(text.strip())
        if not found:
            raise BadParameter(f"no ROUGE '{text}'.", HINT)
        if found["n"]:
            return cls("N", n=int(found["n"]))
        if found["l"]:
            return cls("L", whole=len(found["l"]) > 1)
        if found["be"]:
            return cls("BE", mode=(found["mode"] or "HM").upper())
        if found["s"]:
            gap = found["gap"] or "4"
            return cls(found["s"].upper(), gap=-1 if gap == "*" else int(gap))
        try:
            weight = float(found["w"] or 1.2)
        except ValueError:
            weight = 0.0
        if not weight > 0:
            raise BadParameter(f"no ROUGE '{text}': the weight is no number above 0.", HINT)
        return cls("W", weight=weight)

    @property
    def short(self) -> str:
        """The name without what all of them begin with."""
        return str(self).removeprefix("ROUGE-")

    def __str__(self) -> str:
        if self.family == "N":
            return f"ROUGE-{self.n}"
        if self.family == "L":
            return "ROUGE-L-whole" if self.whole else "ROUGE-L"
        if self.family == "W":
            return f"ROUGE-W-{self.weight:g}"
        if self.family == "BE":
            return f"ROUGE-BE-{self.mode}"
        return f"ROUGE-{self.family}{'*' if self.gap < 0 else self.gap}"


def variants(given: Iterable[str | Variant] = NIST) -> tuple[Variant, ...]:
    """Variants from names, each once."""
    found = tuple(dict.fromkeys(Variant.parse(v) if isinstance(v, str) else v for v in given))
    if not found:
        raise BadParameter("no ROUGE was asked for.", HINT)
    if len({v.family == "BE" for v in found}) > 1:
        raise BadParameter(
            "basic elements and other ROUGEs at once.",
            "ask for BE-HM and its like only: they are no sentences.",
        )
    return found
