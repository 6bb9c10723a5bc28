"""Several labels for one item by one judge: in one cell with a sign between them, or a row for each.

Lists of labels in JSON are taken as such a cell. Every label becomes a criterion, answered yes or no, as a choice of
several in an annotation tool does. A judge who gave an item no label has an empty cell there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.answers import settled
from quorate.formats.file_parts import Part
from quorate.panel.columns import Coded, encode, is_blank, keys, narrow

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
        if "label" not in part.raw:
            raise InputError(
                f"{part.name}: no column 'label'.", "several labels of an item are labels: --rename X=label."
            )
    notes: list[str] = []
    joined = [_joined(part, separator) for part in parts]
    found = settled(joined, None, True, notes.append)
    return [
        replace(
            new,
            notes=[*old.notes, *(notes if k == 0 else [])],
            scale=(),
            columns=old.columns,
            guesses=old.guesses,
            kind="scores",
        )
        for k, (new, old) in enumerate(zip(found, parts, strict=True))
    ]


def looks_like_several(part: Part) -> Part:
    """The part with a note where labels seem to be several in one cell: most of what a sign parts is a label, too."""
    if "label" not in part.raw:
        return part
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
    kept = np.sort(first)
    raw: dict[str, Any] = {n: encode(c).take(kept) for n, c in part.raw.items() if n != "label"}
    known: dict[tuple[str, ...], int] = {}
    codes = [known.setdefault(tuple(sorted(s)), len(known)) for s in sets]
    raw["value"] = Coded(tuple(known), narrow(np.array(codes), len(known)))
    lines = part.lines[kept] if part.lines is not None else None
    return replace(part, raw=raw, lines=lines)
