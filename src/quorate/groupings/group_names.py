"""What judges call their groups: names that differ in case, blanks, marks or number count as one; and what to call a
group of the consensus, suggested from the names of the groups that it overlaps."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST = 3  # suggestions of a group
ALSO = 0.2  # overlap of a judge's group with that of the consensus, from which on its name counts


def normal_name(name: str) -> str:
    """A name without case, marks, blanks around it and the s of a plural: names that are equal so count as one.

    A name of marks alone, such as a picture, stays as it is.

    >>> normal_name(" Fresh  Fruits "), normal_name("fresh-fruit"), normal_name("Boxes"), normal_name("Berries")
    ('fresh fruit', 'fresh fruit', 'box', 'berry')
    """
    text = unicodedata.normalize("NFKC", name).casefold().replace("'", "").replace("\u2019", "").replace("&", " and ")
    return " ".join(_singular(word) for word in re.sub(r"[\W_]+", " ", text).split()) or text.strip()


def are_words(groups: Iterable[Any]) -> bool:
    """Whether groups are told by names, not by numbers.

    >>> are_words([1, "2", None]), are_words(["Fruit", None])
    (False, True)
    """
    return any(isinstance(g, str) and g.strip() and not g.strip().lstrip("-").isdigit() for g in groups)


def _singular(word: str) -> str:
    """A word without the ending of a plural. What a plural ends in may belong to the word: "cookies" are a cookie,
    "berries" a berry. So the last letters of either are taken for the same."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    one = word[:-1] if plural else word
    if len(one) > 3 and one.endswith("ie"):
        return one[:-2] + "y"
    return one[:-1] if len(one) > 3 and one.endswith(("xe", "che", "she", "sse", "oe")) else one


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name for a group: as most judges write it, how many judges use it there, and the spellings taken as one."""

    name: str
    judges: int
    overlap: float  # how much the groups so called share with this one: overlap over union, mean over all named ones
    spellings: tuple[str, ...]


Named = Mapping[Hashable, tuple[str, frozenset[Hashable]]]  # a judge's groups: name and items


def suggested(group: Sequence[Hashable], judges: Sequence[Named], most: int = MOST) -> list[Suggestion]:
    """Names for a group of items, best first: those of judges' groups that overlap it, by overlap over union.

    >>> ann = {1: ("Fruits", frozenset("ab")), 2: ("Tools", frozenset("c"))}
    >>> bob = {1: ("fruit", frozenset("abc"))}
    >>> [(s.name, s.judges, s.spellings) for s in suggested("ab", [ann, bob])]
    [('Fruits', 2, ('Fruits', 'fruit'))]
    """
    wanted, named = frozenset(group), sum(bool(own) for own in judges)
    total: dict[str, float] = {}
    who: dict[str, int] = {}
    written: dict[str, dict[str, int]] = {}
    for own in judges:
        best: dict[str, float] = {}
        for name, items in own.values():
            overlap = len(wanted & items) / len(wanted | items)
            key = normal_name(name)
            if overlap >= ALSO and key:
                best[key] = max(best.get(key, 0.0), overlap)
                spelling = written.setdefault(key, {})
                spelling[name] = spelling.get(name, 0) + 1
        for key, overlap in best.items():
            total[key] = total.get(key, 0.0) + overlap
            who[key] = who.get(key, 0) + 1
    order = sorted(total, key=lambda key: (-total[key], key))[:most]
    out = []
    for key in order:
        spellings = sorted(written[key], key=lambda name: (-written[key][name], name))
        out.append(Suggestion(spellings[0], who[key], total[key] / named, tuple(spellings)))
    return out
