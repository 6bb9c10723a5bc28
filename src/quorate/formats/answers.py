"""What answers are, once all of them are known: numbers, labels, choices of several labels, or free text.

Numbers are scores if all answers of all questions are numbers. Else they are labels; a question on which several
options may be chosen becomes a criterion for each option, answered yes or no; free text is left out.

Tables too may have several labels for one item by one judge: in one cell with a sign between them, or a row for each;
lists of labels in JSON are taken as such a cell. A judge who gave an item no label has an empty cell there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.errors import InputError, suggest
from quorate.formats.cells import is_number
from quorate.formats.file_parts import Part
from quorate.formats.wide import number
from quorate.panel.columns import Coded, encode, is_blank, keys, narrow

WORDS = 20  # different answers beyond which labels may be free text, if half of all differ and most have blanks
FEW_WORDS = 6  # the same where nearly all answers differ


def plain(value: Any) -> Hashable:
    """A number, a label, a tuple of labels, or None; anything else is a TypeError.

    >>> plain(" pos "), plain(True), plain([["Animals", "Dogs"], "Plants"]), plain("")
    ('pos', 'true', ('Animals / Dogs', 'Plants'), None)
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        told = (" / ".join(map(str, v)) if isinstance(v, list) else plain(v) for v in value)
        return tuple(v for v in told if v is not None)
    if isinstance(value, dict):
        raise TypeError
    if is_blank(value):
        return None
    return value.strip() if isinstance(value, str) else value


def settled(
    parts: Sequence[Part], criteria: Sequence[str] | None, as_labels: bool, note: Callable[[str], None]
) -> list[Part]:
    """The parts with a column ``score`` or ``label`` instead of ``value``; only the criteria named, where some are."""
    given: dict[Hashable, dict[Any, int]] = {}
    for part in parts:
        part.raw.setdefault("criterion", encode([None] * len(part)))
        pairs, place = _pairs(part)
        for (c, v), n in zip(pairs, np.bincount(place, minlength=len(pairs)).tolist(), strict=True):
            given.setdefault(c, {})[v] = given.get(c, {}).get(v, 0) + n
    kept = _chosen(given, criteria, note)
    if len(kept) < len(given):
        parts = [p for p in (_rows_of(p, kept) for p in parts) if len(p)]
    several = [c for c in kept if any(isinstance(v, tuple) and len(v) != 1 for v in given[c])]
    numeric = [str(c) for c in kept if c not in several and all(_alone(v) for v in given[c])]
    if len(numeric) == len(kept) and not as_labels:
        return [_numbers(p) for p in parts]
    if numeric and not as_labels:
        are = "are numbers" if len(numeric) > 1 else "is a number"
        read = f"--criteria {','.join(numeric)} reads the numbers"
        note(f"{', '.join(numeric)} {are}, the others labels: all are taken as labels; {read}")
    for c in several:
        note(f"{c or 'the answer'} is a choice of several: each option is a criterion, yes or no")
    options = {c: sorted({o for v in given[c] for o in _several(v)}, key=str) for c in several}
    return [_labels(p, options) for p in parts]


def _chosen(
    given: Mapping[Hashable, Mapping[Any, int]], criteria: Sequence[str] | None, note: Callable[[str], None]
) -> list[Hashable]:
    """The criteria that are read: those named, or all whose answers are no free text."""
    if criteria:
        known = {str(c): c for c in given}
        for name in criteria:
            if name not in known:
                raise InputError(f"no question '{name}'.", suggest(name, known, "Questions found"))
        return [known[name] for name in criteria]
    text = [c for c, values in given.items() if _is_text(values)]
    nothing = [c for c, values in given.items() if all(v == () for v in values)]
    for c in nothing:
        note(f"{c or 'the question'} is left out: nobody chose any option")
    kept = [c for c in given if c not in text and c not in nothing]
    if not kept and not text:
        raise InputError("nobody chose any option.", "a panel needs at least one judgment.")
    if not kept:
        names = ", ".join(map(str, text))
        raise InputError(f"only free text is found ({names}).", f"--criteria {names} reads it as labels all the same.")
    for c in text:
        said = f"{sum(given[c].values()):,} answers, {len(given[c]):,} of them different"
        note(f"{c} is left out as free text ({said}); --criteria {c} reads it")
    return kept


def _is_text(values: Mapping[Any, int]) -> bool:
    worded = 2 * sum(isinstance(v, str) and " " in v for v in values) > len(values)
    answers = sum(values.values())
    many = len(values) > WORDS and 2 * len(values) > answers
    return worded and (many or (len(values) >= FEW_WORDS and 10 * len(values) >= 9 * answers))


def _alone(value: Any) -> bool:
    """Whether a number is the answer."""
    return is_number(value[0] if isinstance(value, tuple) and len(value) == 1 else value)


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _pairs(part: Part) -> tuple[list[tuple[Hashable, Any]], Any]:
    """The criteria with their values, each once, and the place of every row among them."""
    criterion, value = part.raw["criterion"], part.raw["value"]
    _, first, place = np.unique(keys(criterion, value), return_index=True, return_inverse=True)
    return [(criterion[r], value[r]) for r in first.tolist()], place.ravel()


def _rows_of(part: Part, criteria: Sequence[Hashable]) -> Part:
    """The rows of some criteria."""
    column = part.raw["criterion"]
    return part.take(np.flatnonzero(np.array([c in criteria for c in column.ids], bool)[column.codes]))


def _numbers(part: Part) -> Part:
    value = part.raw.pop("value")
    part.raw["score"] = np.array([float(_several(v)[0]) for v in value.ids])[value.codes]
    return part


def _labels(part: Part, options: Mapping[Hashable, Sequence[Any]]) -> Part:
    """Every row as a label, or as yes and no on each option of its criterion."""
    pairs, place = _pairs(part)
    told: list[list[tuple[Hashable, str]]] = [
        [(f"{c}: {o}" if c else o, "yes" if o in _several(v) else "no") for o in options[c]]
        if c in options
        else [(c, _text(_several(v)[0]))]
        for c, v in pairs
    ]
    size = np.array([len(one) for one in told])
    begin = np.cumsum(size) - size
    each = np.repeat(np.arange(len(place)), size[place])
    within = np.arange(len(each)) - np.repeat(np.cumsum(size[place]) - size[place], size[place])
    made = part.take(each)
    raw = {n: c for n, c in made.raw.items() if n not in ("value", "criterion")}
    flat = [pair for one in told for pair in one]
    for name, column in zip(("criterion", "label"), zip(*flat, strict=True), strict=True):
        coded = encode(column)
        raw[name] = Coded(coded.ids, narrow(coded.codes[begin[place][each] + within], len(coded.ids)))
    return replace(made, raw=raw)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else number(value)


# -- several labels in tables ------------------------------------------------------------------------------------------

SIGNS = (";", "|", ",", "+", "/")  # that may stand between labels
APART = ("task", "judge", "item", "criterion", "system", "year", "occasion")  # columns that say what a row is about
LISTS = re.compile(r"(.*[\W_])?(labels?|tags?|categories|classes)", re.IGNORECASE)  # names of fields of several labels
SIGN = ";"


def one_cell(name: str, value: Any) -> Any:
    """A list of labels under a name for labels, as the text of one cell; anything else as it is.

    >>> one_cell("labels", ["sports", "health"]), one_cell("labels", []), one_cell("texts", ["a"])
    ('sports;health', None, ['a'])
    """
    if not isinstance(value, list) or not LISTS.fullmatch(name) or not all(isinstance(v, str) for v in value):
        return value
    return SIGN.join(value) or None if all(SIGN not in v for v in value) else value


def several_labels(parts: Sequence[Part], separator: str) -> list[Part]:
    """The parts with a criterion for each label, yes or no."""
    for part in parts:
        for name in ("label",) if set(APART) & part.raw.keys() else ("label", "judge"):
            if name not in part.raw:
                hint = f"several labels of an item are labels: --rename X={name}."
                raise InputError(f"{part.name}: no column '{name}'.", hint)
    notes: list[str] = []
    found = settled([_joined(part, separator) for part in parts], None, True, notes.append)
    found = [replace(part, scale=(), kind="scores") for part in found]
    return [replace(found[0], notes=[*found[0].notes, *notes]), *found[1:]]


def looks_like_several(part: Part) -> Part:
    """The part with a note where labels seem to be several in one cell: most of what a sign parts is a label, too."""
    known = {str(i).strip() for i in encode(part.raw["label"]).ids if not is_blank(i)}
    for sign in SIGNS:
        both = sorted(label for label in known if sign in label)
        pieces = {piece.strip() for label in both for piece in label.split(sign)}
        if len(both) > 1 and 2 * len(pieces & known) > len(pieces):
            note = f"labels such as '{both[0]}' look like several in one: --several \"{sign}\" takes them apart"
            return replace(part, notes=[*part.notes, note])
    return part


def _joined(part: Part, separator: str) -> Part:
    """A row for every judge and item, with all labels together as a tuple."""
    label = encode(part.raw["label"])
    split = [
        () if is_blank(i) else tuple(s for piece in str(i).split(separator) if (s := piece.strip())) for i in label.ids
    ]
    about = [encode(part.raw[n]) for n in APART if n in part.raw]
    _, first, place = np.unique(keys(*about), return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    new = np.empty(len(order), np.int64)
    new[order] = np.arange(len(order))
    row = new[place.ravel()]
    sets: list[dict[str, None]] = [{} for _ in first]
    for at, code in zip(row.tolist(), label.codes.tolist(), strict=True):
        sets[at] |= dict.fromkeys(split[code])
    made = part.take(np.sort(first))
    known: dict[tuple[str, ...], int] = {}
    codes = [known.setdefault(tuple(sorted(s)), len(known)) for s in sets]
    raw: dict[str, Any] = {n: encode(c) for n, c in made.raw.items() if n != "label"}
    return replace(made, raw=raw | {"value": Coded(tuple(known), narrow(np.array(codes), len(known)))})
