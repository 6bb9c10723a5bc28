"""Numbers as people write them in forms: percentages, places such as 1st or First choice, and ends of a scale.

``1 - not at all`` beside ``2`` and ``3`` is the number 1; where every cell has words after its number, the cells are
labels, for ``4. Neurosis`` is no more than ``2. Schizophrenia``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from quorate.formats.cells import NUMBER, is_numeral, mapped
from quorate.panel.columns import Coded, is_blank

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NTH = rf"(\d+)(?:st|nd|rd|th)|({'|'.join(ORDINALS)})"
OF_WHAT = r"(?:[ _-](?:choice|place|preference|rank|priority))?"
PERCENT = re.compile(rf"({NUMBER.pattern})\s*%")
ORDINAL = re.compile(rf"(?:{NTH}){OF_WHAT}|(?:rank|choice|place) (\d+)", re.IGNORECASE)
PLACE = re.compile(rf"(?:rank(?:ing)?|choice|preference|place)?\s*#?(\d+)|(?:{NTH}){OF_WHAT}", re.IGNORECASE)
PLACES = re.compile(rf"(?:rank|ranking|choice|preference|place)[ _.-]?\d+|(?:{NTH}){OF_WHAT}", re.IGNORECASE)
END = re.compile(r"(\d+(?:\.\d+)?)\s*(?:[-–—:=.)]|(?=\())\s*\D.*", re.DOTALL)  # the end of a scale: 5 - very good


def place_named(form: re.Pattern[str], name: str) -> int | None:
    """The place that a column is for, by its name.

    >>> place_named(PLACE, "Rank 2"), place_named(PLACE, "Third choice"), place_named(PLACE, "apple")
    (2, 3, None)
    """
    found = form.fullmatch(name.strip())
    return int(_digits(found)) if found else None


def bare(columns: Mapping[str, Coded]) -> tuple[dict[str, Coded], str]:
    """The columns with plain numbers where all cells are numbers written so, and what is to be said of it."""
    filled = [i for c in columns.values() for i in c.ids if isinstance(i, str) and not is_blank(i)]
    worded = [i for i in filled if not is_numeral(i)]
    for form, what, among in ((PERCENT, "percentages", filled), (ORDINAL, "places", filled), (END, "cells", worded)):
        if among and all(form.fullmatch(i.strip()) for i in among) and (form is not END or _ends(filled, worded)):
            said = f"{what} such as {among[0]} are taken as the number alone"
            return {n: mapped(c, partial(_number_of, form)) for n, c in columns.items()}, said
    return dict(columns), ""


def _ends(filled: list[str], worded: list[str]) -> bool:
    """Whether cells with words name a few steps of a scale: other cells have none, and no number has two names."""
    names = {(_number_of(END, i), i.strip()) for i in worded}
    return len(worded) < len(filled) and len({n for n, _ in names}) == len(names)


def _number_of(form: re.Pattern[str], cell: Any) -> Any:
    found = form.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return _digits(found) if found else cell


def _digits(found: re.Match[str]) -> str:
    text = next(g for g in found.groups() if g)
    return str(ORDINALS.index(text.lower()) + 1) if text.lower() in ORDINALS else text
