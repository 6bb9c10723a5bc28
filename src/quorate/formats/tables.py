"""Long tables, one row per judge and item, whatever file or frame they come from: column names decide what they mean.

A :class:`Plan` is made from the column names alone, before any row is read: the kind, which columns are numbers, and
whether the table is long, wide (one column per judge) or has one column per criterion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate.errors import InputError, suggest
from quorate.formats import wide as wide_tables
from quorate.formats.names import KNOWN, clean, understood
from quorate.formats.parts import Part, assemble
from quorate.formats.registry import Option, flag, listed, renaming
from quorate.panel.columns import encode, is_blank
from quorate.panel.frames import frame_columns
from quorate.panel.kinds import PANELS, Panel, infer_kind

RENAME = Option("rename", "columns to take under another name, for example doc=task", renaming)
WIDE = Option("wide", "one row per item and one column per judge; needs kind", flag)
CRITERIA = Option("criteria", "columns that each hold the scores of one criterion", listed)
LABELS = Option("labels", "the scores are labels, such as yes and no, even where they look like numbers", flag)
SCALE = Option("scale", "the labels in order, lowest first, for example low,medium,high", listed)
OPTIONS = (RENAME, WIDE, CRITERIA, LABELS, SCALE)


@dataclass(frozen=True)
class Plan:
    """What a table's columns mean."""

    where: str
    names: list[str]  # as understood, in the table's order
    rename: Mapping[str, str]
    kind: str
    wide: bool
    criteria: list[str]
    notes: tuple[str, ...] = ()
    labels: bool = False  # scores are labels
    scale: tuple[str, ...] = ()  # and this is their order

    @property
    def numeric(self) -> dict[str, bool]:
        """Columns of numbers, and whether a cell may be blank."""
        if self.wide:
            return {}
        if self.criteria:
            return {} if self.labels else dict.fromkeys(self.criteria, True)
        value = (
            {}
            if self.kind in ("groupings", "votes") or self.labels
            else {PANELS[self.kind].value_column: self.kind == "scores"}
        )
        return {**value, "count": False}

    def shape(self, part: Part) -> Part:
        """The part's columns as one row per judge and item."""
        if not len(part):
            raise InputError(f"{self.where}: no rows below the column names.", "a panel needs at least one judgment.")
        if self.wide:
            part = wide_tables.melt_judges(part, self.kind, self.labels)
        elif self.criteria:
            part = wide_tables.melt_criteria(part, self.criteria, self.labels)
        raw = dict(part.raw)
        if self.kind == "scores" and "item" not in raw and "system" in raw:
            raw["item"] = raw["system"]
        if self.scale:
            _check_scale(part, self.scale)
        return Part(part.name, raw, part.lines, [*part.notes, *self.notes], self.scale)


def plan(
    where: str,
    columns: Sequence[object],
    kind: str | None = None,
    *,
    rename: Mapping[str, str] | None = None,
    wide: bool | None = None,
    criteria: Sequence[str] | None = None,
    labels: bool | None = None,
    scale: Sequence[str] | None = None,
) -> Plan:
    """What these columns mean; impossible wishes are errors."""
    names = understood(where, columns, rename or {})
    wanted = bool(labels or scale)
    if wanted and kind not in (None, "scores"):
        raise InputError(f"labels are scores, not {kind}.", "leave out labels and scale, or say kind=scores.")
    kind = "scores" if wanted else kind
    if wanted and "label" not in names:
        names = ["label" if n == "score" else n for n in names]
    as_labels = wanted or ("label" in names and "score" not in names)
    chosen = [clean(c) for c in criteria or ()]
    notes: tuple[str, ...] = ()
    if not chosen and not wide and kind in (None, "scores"):
        names, chosen, notes = _by_elimination(where, names)
    for criterion in chosen:
        if criterion not in names:
            raise InputError(f"{where}: no column '{criterion}'.", suggest(criterion, names, "Columns found"))
    if wanted and not wide and not chosen and "label" not in names and "judge" in names:
        raise InputError(f"{where}: no column 'score' or 'label'.", f"columns found: {', '.join(names[:40])}.")
    if chosen and kind not in (None, "scores"):
        raise InputError(f"criteria are for scores, not {kind}.", "leave out kind, or criteria.")
    is_wide = _is_wide(where, names, kind, wide, bool(chosen))
    if chosen:
        kind = "scores"
    kind = kind or _infer(names, where)
    as_labels = as_labels and kind == "scores"
    return Plan(where, names, rename or {}, kind, is_wide, chosen, notes, as_labels, tuple(scale or ()))


def _check_scale(part: Part, scale: Sequence[str]) -> None:
    """Every label must be on the scale; those that are not are told with their lines."""
    coded = encode(part.raw["label"])
    off = np.array([not is_blank(i) and str(i) not in scale for i in coded.ids], bool)[coded.codes]
    if off.any():
        rows = np.flatnonzero(off)
        said = (f"label {coded[r]!r}" for r in rows.tolist())
        raise part.source.error("a label is not on the scale", rows, said, f"the scale is {', '.join(scale)}.")


PLACE_WORDS = ("rank", "ranking", "place")  # a small one is the best, a small score is not
TASK_WORDS = ("doc", "document", "topic", "query", "question", "prompt", "input", "docset")


def _by_elimination(where: str, names: list[str]) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Names, criteria and what is said of them, for a table of judges and systems in which nothing is called a score.

    Then every column without a meaning of its own is a criterion, and the document, topic or prompt is the task.
    """
    values = {"label", *(p.value_column for p in PANELS.values())}
    if "judge" not in names or not {"item", "system"} & set(names) or values & set(names):
        return names, [], ()
    task = next((n for n in names if n.lower() in TASK_WORDS), None) if "task" not in names else None
    said = [f"the column '{task}' is taken as the task"] if task else []
    found = [n for n in names if n not in KNOWN and n != task]
    for n in found:
        if n.lower() in PLACE_WORDS:
            raise InputError(
                f"{where}: is the column '{n}' a place in an order or a score?",
                f"rename={n}=position (--rename) makes it orderings, {n}=score scores; or say criteria={n}.",
            )
    if not found:
        return names, [], ()
    said.append(f"the columns {', '.join(found)} are taken as criteria; say criteria=... (--criteria) if they are not")
    return ["task" if n == task else n for n in names], found, tuple(said)


def _infer(names: list[str], where: str) -> str:
    try:
        return infer_kind(names, where)
    except InputError as error:
        more = "kind=... settles it, rename=... gives a column another name, criteria=... takes columns of scores."
        raise InputError(error.fact, f"{error.hint}. {more}") from None


def _is_wide(where: str, names: list[str], kind: str | None, wide: bool | None, criteria: bool) -> bool:
    if wide and criteria:
        raise InputError("wide and criteria exclude each other.", "a wide table has one column per judge.")
    if wide and "judge" in names:
        raise InputError(f"{where}: a table with a column 'judge' is long, not wide.", "leave out wide.")
    if wide is None and kind and not criteria:
        wide = "judge" not in names and not {PANELS[kind].value_column, "label"} & set(names)
    if wide and kind is None:
        raise InputError(
            f"{where}: a wide table does not say its kind.", "pass kind=orderings, groupings or scores (--kind)."
        )
    if (
        not wide
        and "judge" not in names
        and not {"label", *(p.value_column for p in PANELS.values())} & set(names)
        and not criteria
    ):
        raise InputError(
            f"{where}: no column 'judge'.",
            "a long table has one row per judge and item; if this one has a column per judge, pass "
            f"kind=orderings, groupings or scores (--kind). Columns found: {', '.join(names[:40])}.",
        )
    if wide:
        wide_tables.check_judges(where, names)
    return bool(wide)


def read_frames(frames: Sequence[Any], kind: str | None, **options: Any) -> Panel:
    """A panel from data frames."""
    parts, kinds = [], []
    for number, frame in enumerate(frames, 1):
        where = "data frame" if len(frames) == 1 else f"data frame {number}"
        columns = frame_columns(frame)
        meant = plan(where, list(columns), kind, **options)
        raw = dict(zip(meant.names, columns.values(), strict=True))
        parts.append(meant.shape(Part(where, raw)))
        kinds.append(meant.kind)
    return together(kinds, parts)


def together(kinds: Sequence[str], parts: Sequence[Part]) -> Panel:
    """One panel of the tables, which must be of one kind."""
    for kind, part in zip(kinds, parts, strict=True):
        if kind != kinds[0]:
            raise InputError(
                f"{part.name}: {kind}, but {parts[0].name} has {kinds[0]}.", "read the two kinds as two panels."
            )
    return assemble(kinds[0], parts)
