"""Numbers as people and spreadsheets write them: ``4/5``, ``5 - very good``, ``−2``, ``4,5``; and what is none.

Each form is one that a whole column has; a single odd cell stays an error with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate.errors import InputError
from quorate.formats.cells import is_missing_code, is_numeral, mapped
from quorate.formats.file_parts import Part
from quorate.panel.columns import Coded, is_blank
from quorate.panel.reading import Guess, option

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NTH = rf"(\d+)(?:st|nd|rd|th|er|re|ème|eme|e|[.]?[ºª°])|({'|'.join(ORDINALS)})"  # in French and Spanish, too
PLACED = r"(?:rank(?:ing)?|choice|preference|priority|place|rang|platz|wahl|choix|rango|puesto|lugar)"
OF_WHAT = rf"(?:[ _-]{PLACED})?"
ORDINAL = re.compile(rf"(?:{NTH}){OF_WHAT}|{PLACED} (\d+)|(\d+)[.=]|(?:T-?|=)(\d+)", re.IGNORECASE)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = re.compile(rf"\d{{1,2}}[-. ]{_MONTH}\.?|{_MONTH}\.?[-. ]\d{{2,4}}", re.IGNORECASE)
# The end of a scale, 5 - very good; but 5-Mar, as a spreadsheet writes what it took for a date, is none.
END = re.compile(rf"(?!(?:{_DATE.pattern})$)(\d+(?:\.\d+)?)\s*(?:[-–—:=.)]|(?=\())\s*\D.*", re.DOTALL | re.IGNORECASE)
FRACTION = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*([1-9]\d*)")
COMMA = re.compile(r"[+-]?\d+,\d+")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def numbers_of(cells: Sequence[str], beside: int) -> tuple[list[float], str] | None:
    """The numbers of cells that are none as they stand, with what is to be said of it; ``beside`` cells are plain ones.

    Scores out of the same number are their first part. Words after some numbers, each its own, name steps of a scale.

    >>> numbers_of(["4/5", "3/5"], 0), numbers_of(["4/5", "3/10"], 0)
    (([4.0, 3.0], 'scores such as 4/5 are taken as the first number; all are out of 5'), None)
    >>> numbers_of(["1 - poor", "5 - good"], 3)
    ([1.0, 5.0], 'cells such as 1 - poor are taken as the number alone')
    """
    parts = [FRACTION.fullmatch(c.strip()) for c in cells]
    if not beside and all(parts) and len({m[2] for m in parts if m}) == 1:
        out_of = next(m[2] for m in parts if m)
        said = f"scores such as {cells[0].strip()} are taken as the first number; all are out of {out_of}"
        return [float(m[1]) for m in parts if m], said
    ends = [END.fullmatch(c.strip()) for c in cells]
    if beside and all(ends) and one_name_each((m[1], m[0]) for m in ends if m):
        return [float(m[1]) for m in ends if m], f"cells such as {cells[0].strip()} are taken as the number alone"
    return None


def places_of(cells: Sequence[Any]) -> list[float] | None:
    """The places that cells such as 1st, First choice or 2. stand for, and of ties T4, =4 and 4=; None where one is
    none.

    >>> places_of(["1st", "second place", "3.", "T4", "=4"]), places_of(["1st", "many"])
    ([1.0, 2.0, 3.0, 4.0, 4.0], None)
    >>> places_of(["1er", "2e", "3º", "Platz 4"])
    [1.0, 2.0, 3.0, 4.0]
    """
    found = [ORDINAL.fullmatch(c.strip()) if isinstance(c, str) else None for c in cells]
    return [float(digits(m)) for m in found if m] if all(found) else None


def digits(found: re.Match[str]) -> str:
    """The number that was found, in figures."""
    text = next(g for g in found.groups() if g)
    return str(ORDINALS.index(text.lower()) + 1) if text.lower() in ORDINALS else text


def one_name_each(named: Iterable[tuple[str, str]]) -> bool:
    """Whether no number has two names."""
    names = set(named)
    return len({n for n, _ in names}) == len(names)


def hint(name: str, cells: Sequence[str]) -> str:
    """What to do about cells of a column that are no numbers, where their form tells; nothing where it does not."""
    texts = [c.strip() for c in cells]
    if any(t.lower() == name.lower() for t in texts):
        return "a line repeats the names of columns: were files put together? Leave that line out."
    if all(map(_DATE.fullmatch, texts)):
        return (
            "a spreadsheet may have turned scores such as 4/5 into dates: format the column as text, and enter them "
            "again."
        )
    if all(map(FRACTION.fullmatch, texts)):
        return "these scores are not all out of the same number: write them as numbers of one scale."
    if all(map(THOUSANDS.fullmatch, texts)):
        return "thousands are written without a sign: 1250. (--decimal , takes the comma as the decimal sign.)"
    if all(map(END.fullmatch, texts)):
        steps = sorted(dict.fromkeys(texts), key=lambda t: float(END.fullmatch(t)[1]))  # type: ignore[index]
        return f"{option('scale', *steps)} takes them as labels in this order; numbers alone would be scores."
    return ""


# -- decimal commas in tables of numbers -------------------------------------------------------------------------------


def without_commas(part: Part, columns: Iterable[str], told: str | None) -> Part:
    """The part with points where whole columns have decimal commas; that is a guess unless it is told.

    Where all commas may part thousands, or other numbers have points, nothing is changed without being told.
    """
    if told == ".":
        return part
    texts = {n: part.raw[n] for n in columns if isinstance(part.raw[n], Coded)}
    found = {n: c for n, c in texts.items() if _with_commas(c)}
    cells = [str(i) for c in found.values() for i in c.ids if isinstance(i, str)]
    commas = [i for i in cells if _with_point(i) != i]
    if not commas:
        return part
    points = [i for c in texts.values() for i in c.ids if isinstance(i, str) and "." in i and is_numeral(i)]
    if told is None and (points or all(THOUSANDS.fullmatch(i.strip()) for i in commas)):
        return part
    if points:
        raise InputError(
            f"{part.name}: numbers with a decimal comma ({commas[0]}) and with a point ({points[0]}).",
            "write all of them with the same sign.",
        )
    guess = Guess(f"numbers such as {commas[0]} have a decimal comma", "--decimal ,")
    changed: Mapping[str, Any] = {n: mapped(c, _with_point) for n, c in found.items()}
    return replace(part, raw={**part.raw, **changed}, guesses=(*part.guesses, *([] if told else [guess])))


def _with_commas(column: Coded) -> bool:
    """Whether all cells are numbers, or would be with a point for the comma."""
    filled = [i for i in column.ids if not is_blank(i) and not is_missing_code(i)]
    plain = (_with_point(i) for i in filled)
    numbers = all(is_numeral(i.strip().removesuffix("%") if isinstance(i, str) else i) for i in plain)
    return numbers and any(isinstance(i, str) and "," in i for i in filled)


def _with_point(cell: Any) -> Any:
    bare = cell.strip().removesuffix("%").strip() if isinstance(cell, str) else ""
    return cell.replace(",", ".") if COMMA.fullmatch(bare) else cell
