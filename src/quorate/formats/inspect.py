"""What was read as what: the receipt of a panel, before any figure.

A receipt is made from the panel alone, whose :class:`quorate.panel.reading.Reading` says where it comes from; so every
answer can show it.
"""

from __future__ import annotations

import json
import re
import shlex
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any

import numpy as np

from quorate.errors import short
from quorate.formats import read
from quorate.formats.cells import NUMBER, is_missing_code
from quorate.formats.schema import COUNTED, ids_of
from quorate.panel.base import listed, many
from quorate.panel.columns import Coded, keys
from quorate.panel.kinds import Groupings, Panel, Scores, Votes
from quorate.panel.reading import option

ROUNDED = re.compile(r"\d\.\d+E\+\d\d")  # how spreadsheets write a long number
WHOLE = re.compile(r"(\d+)\.0+\Z")  # a number that a spreadsheet or a frame has made a decimal
HIDDEN = {0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD}  # characters without a width
ALIKE = 8  # answers that judges have in common before equal ones are worth a word
BAR = 24  # characters of the longest bar of the picture
BARS = 8  # of them
COLUMNS = 20  # of a wide table, shown at either end
IDLE = 12  # columns that tell nothing, by name
LONGEST = 400  # characters of an option in text; a table may have thousands of columns
DIRECTIONS = {
    "orderings": "position 1 is best",
    "scores": "higher is better",
    "groupings": "names of groups mean nothing beyond their judge",
    "votes": "the winner is better",
}


@dataclass(frozen=True)
class Receipt:
    """What a file or frame was read as; ``print`` it, or take :meth:`to_dict`."""

    panel: Panel

    @property
    def strict(self) -> bool:
        """Whether nothing was guessed."""
        return not self.panel.reading.guesses

    @property
    def command(self) -> str:
        """The options that pin everything that was guessed, as one would type them."""
        reading = self.panel.reading
        given = [*reading.options, *dict.fromkeys(g.option for g in reading.guesses)]
        return " ".join(["quorate inspect", *map(shlex.quote, reading.files), *given, "--strict"])

    def to_dict(self) -> dict[str, Any]:
        """The receipt as plain values."""
        panel, reading = self.panel, self.panel.reading
        return {
            "files": list(reading.files),
            "format": reading.format,
            "why": reading.why,
            "kind": panel.kind,
            **{name: len(ids_of(panel, name)) for name in COUNTED},
            "votes": int(panel.count.sum()) if panel.kind == "votes" else 0,
            "rows": len(panel),
            "columns": [{"name": c.name, "role": c.role} for c in reading.columns],
            "scale": self.scale,
            "direction": self.direction,
            "judges_per_item": self.overlap[0],
            "items_per_judge": self.overlap[1],
            "absent": {"cells": self.gaps, "means": panel.absent or "unknown"},
            "missing": int(np.isnan(panel.value).sum()) if isinstance(panel, Scores) else 0,
            "repeats": panel.repeats,
            "near_duplicates": [{"of": of, "ids": list(map(str, ids))} for of, ids in self.near_duplicates],
            "copies": [list(map(str, group)) for group in self.copies],
            "guesses": [{"said": g.said, "option": g.option} for g in reading.guesses],
            "notes": self.notes,
            "command": self.command,
        }

    def to_json(self) -> str:
        """The receipt as JSON."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, default=str)

    # -- what is worth knowing ----------------------------------------------------------------------------------------

    @property
    def scale(self) -> dict[str, Any]:
        """The numbers or labels that judges used."""
        panel = self.panel
        if isinstance(panel, Scores) and panel.scale:
            return {"labels": [str(i) for i in panel.scale], "ordered": panel.ordered}
        if isinstance(panel, Groupings):
            return {"groups": len([i for i in panel.group_ids if i is not None])}
        if isinstance(panel, Votes):
            return {"ties": int(panel.count[panel.value == 0.5].sum())}
        value = np.asarray(panel.value, float)
        value = value[~np.isnan(value)]
        if not len(value):
            return {}
        used = np.unique(value)
        whole = bool((used == np.rint(used)).all())
        return {"low": float(used[0]), "high": float(used[-1]), "distinct": len(used), "whole": whole}

    @property
    def direction(self) -> str:
        """Which end of the scale is the better one."""
        plain = isinstance(self.panel, Scores) and self.panel.scale and not self.panel.ordered
        return "no label is better than another" if plain else DIRECTIONS[self.panel.kind]

    @cached_property
    def overlap(self) -> tuple[dict[str, float], dict[str, float]]:
        """How many judges an item has, and how many items a judge."""
        return _summary(self._judges_of_items), _summary(np.bincount(self._pairs % len(self.panel.judges)))

    @cached_property
    def _things(self) -> tuple[Any, Any]:
        """Every item of a task once, and the number of each row's."""
        found, number = np.unique(keys(self.panel.task, self.panel.item), return_inverse=True)
        return found, number.ravel()

    @cached_property
    def _pairs(self) -> Any:
        """Every item of a task with every judge who has it, once."""
        return np.unique(self._things[1] * np.int64(len(self.panel.judges)) + self.panel.judge.codes)

    @property
    def _judges_of_items(self) -> Any:
        return np.bincount(self._pairs // len(self.panel.judges), minlength=len(self._things[0]))

    @cached_property
    def gaps(self) -> int:
        """Items of a task without a row of a judge who worked on it."""
        panel = self.panel
        items = np.bincount(self._things[0] // len(panel.items), minlength=len(panel.tasks))
        worked = np.unique(keys(panel.task, panel.judge)) // len(panel.judges)
        judges = np.bincount(worked, minlength=len(panel.tasks))
        return int((items * judges).sum() - len(self._pairs))

    @cached_property
    def near_duplicates(self) -> list[tuple[str, tuple[Hashable, ...]]]:
        """Ids that differ in case, blanks, marks without a width or leading zeros only."""
        panel = self.panel
        columns: dict[str, Iterable[Hashable]] = {"judge": panel.judges, "item": panel.items, "task": panel.tasks}
        if isinstance(panel, Votes):
            columns = {"judge": panel.judges, "task": panel.tasks, "system": panel.systems}
        columns |= {n: panel.labels[n].ids for n in ("system", "criterion") if n in panel.labels}
        if isinstance(panel, Scores) and panel.scale:
            columns["label"] = panel.scale
        if isinstance(panel, Groupings):
            columns["group"] = panel.group_ids
        return [(of, group) for of, ids in columns.items() for group in _alike(ids)]

    @cached_property
    def copies(self) -> list[tuple[Hashable, ...]]:
        """Judges with the same answers throughout, on at least eight things, of which two differ."""
        panel = self.panel
        values = panel.value
        said = values.codes if isinstance(values, Coded) else np.nan_to_num(np.asarray(values, float), nan=-1)
        where = self._things[1]
        order = np.lexsort((said, where, panel.judge.codes))
        judge = panel.judge.codes[order]
        found: dict[bytes, list[Hashable]] = {}
        for rows in np.split(order, np.flatnonzero(judge[1:] != judge[:-1]) + 1):
            if len(rows) >= ALIKE and len(np.unique(said[rows])) > 1:
                key = where[rows].tobytes() + _relabelled(panel, said[rows]).tobytes()
                found.setdefault(key, []).append(panel.judge.ids[int(panel.judge.codes[rows[0]])])
        return [tuple(group) for group in found.values() if len(group) > 1]

    @property
    def notes(self) -> list[str]:
        """What was repaired or left aside, and what looks odd."""
        return [*self.panel.notes, *self._odd()]

    def _odd(self) -> Iterator[str]:
        panel, reading = self.panel, self.panel.reading
        numbers = [c.name for c in reading.columns if NUMBER.fullmatch(c.name)]
        if numbers:
            yield f"columns with a number for a name: {listed(numbers, 5)}"
        for of, ids in self.near_duplicates:
            yield f"nearly the same {of}s, kept apart: {listed([repr(i) for i in ids], 5)}"
        for of, ids in (("judge", panel.judges), ("item", panel.items)):
            codes = [i for i in ids if is_missing_code(i)]
            if codes:
                missing = option("missing-values", *map(str, codes))
                yield f"{listed([repr(c) for c in codes])} among the {of}s: if it stands for a missing one, {missing}"
        ids = (*panel.judges, *panel.items, *panel.tasks)
        rounded = [f"'{i}'" for i in ids if ROUNDED.fullmatch(str(i))]
        if rounded:
            yield f"{listed(rounded, 5)}: a spreadsheet may have rounded long numbers, and made several one"
        yield from self._idle()
        if self.overlap[0]["most"] == 1 and len(panel.judges) > 1 and panel.kind != "votes":
            yield "no item has two judges: nothing can be said about their agreement"
        for group in self.copies:
            yield f"{listed([str(j) for j in group], 5)} gave the same answers throughout"

    def _idle(self) -> Iterator[str]:
        """Labels that tell nothing: empty, the same throughout, or different in every row."""
        panel = self.panel
        used = ("system", "criterion", "model_a", "model_b", "question")
        labels = {n: c.ids for n, c in panel.labels.items() if n not in used and len(panel) > 3}
        alone = {n: ids[0] for n, ids in labels.items() if len(ids) == 1}
        empty = [n for n, i in alone.items() if i is None]
        same = [f"{n} ({str(i)[:40]})" for n, i in alone.items() if i is not None]
        every = [n for n, ids in labels.items() if len(ids) == len(panel) and not _is_text(n)]
        for names, said in ((empty, "empty"), (same, "the same throughout"), (every, "different in every row")):
            if names:
                yield f"{many(len(names), 'column')} {said}: {listed(names, IDLE)}"

    # -- as text ------------------------------------------------------------------------------------------------------

    def brief(self) -> tuple[str, str]:
        """Two lines: what was read, and what was guessed."""
        panel, reading = self.panel, self.panel.reading
        guesses = [g.said for g in reading.guesses]
        names = [PurePath(f).name for f in reading.files]
        first = f"Read {listed(names)} ({reading.format}): {panel.kind}, {panel.inside()}."
        if not guesses:
            return first, "Nothing was guessed."
        more = f"; `quorate inspect {' '.join(map(shlex.quote, reading.files[:1]))}` says more"
        return first, f"Guessed: {'; '.join(guesses[:3])}{' and so on' if len(guesses) > 3 else ''}{more}."

    def facts(self) -> list[str]:
        """What else is worth a line: format and direction, overlap, guesses with what settles them, what looks odd."""
        reading = self.panel.reading
        out = [f"Read as {reading.format}, {reading.why}; {_scale_text(self.scale)}{self.direction}."]
        per_item, per_judge = map(_span, self.overlap)
        out.append(f"Judges per item: {per_item}; items per judge: {per_judge}.")
        told = [f"Guessed: {short(g.said, LONGEST)} ({short(g.option, LONGEST)})." for g in reading.guesses]
        out += told or ["Nothing was guessed."]
        return [*out, *(f"Odd: {n}." for n in self._odd())]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        panel, reading = self.panel, self.panel.reading
        yield f"{listed(reading.files)}: {reading.format}, {reading.why}"
        yield f"{panel.kind}: {panel.inside()}; {many(len(panel), 'row')}"
        yield f"{_scale_text(self.scale)}{self.direction}"
        if reading.columns:
            width = max(len(_shown(c.name)) for c in reading.columns)
            shown = [f"  {_shown(c.name):{width}}  {c.role or 'left aside'}" for c in reading.columns]
            if len(shown) > 2 * COLUMNS:
                shown = [*shown[:COLUMNS], f"  ... and {len(shown) - 2 * COLUMNS:,} more", *shown[-COLUMNS:]]
            yield from ("", *shown)
        yield ""
        for title, counts in zip(("judges per item", "items per judge"), self.overlap, strict=True):
            yield f"{title}: {_span(counts)}"
        yield from self._picture()
        if self.gaps:
            means = f"{'it counts' if self.gaps == 1 else 'they count'} as {panel.absent or 'unknown'}"
            yield (
                f"absent: {many(self.gaps, 'judgment')} (a judge worked on the task, but has no row for the item); "
                f"{means} (--absent)"
            )
        for guess in reading.guesses:
            yield f"Guessed: {short(guess.said, LONGEST)}. {short(guess.option, LONGEST)}"
        yield from (f"Note: {n}." for n in self.notes)
        whole = self.command
        if len(whole) > 4 * LONGEST:  # nobody types that
            whole = f"quorate inspect {' '.join(map(shlex.quote, reading.files))} --write-schema study.toml"
        yield from ("", "Nothing was guessed." if self.strict else f"To pin all this: {whole}")

    def _picture(self) -> Iterator[str]:
        """How many items have so many judges, as bars."""
        often = Counter(self._judges_of_items.tolist())
        if len(often) < 2:
            return
        most = max(often.values())
        for judges, items in sorted(often.items(), reverse=True)[:BARS]:
            yield f"  {judges:>5} {'█' * max(round(items / most * BAR), 1)} {many(items, 'item')}"
        if len(often) > BARS:
            yield f"  ... and {len(often) - BARS} more lengths"


def _summary(counts: Any) -> dict[str, float]:
    return {"least": int(counts.min()), "median": float(np.median(counts)), "most": int(counts.max())}


def _span(counts: dict[str, float]) -> str:
    if counts["least"] == counts["most"]:
        return f"{counts['most']:,}"
    return f"{counts['least']:,} to {counts['most']:,}, median {counts['median']:g}"


def _scale_text(scale: dict[str, Any]) -> str:
    if "labels" in scale:
        order = "in order" if scale["ordered"] else "without an order"
        return f"labels, {order}: {listed(scale['labels'], 10)}; "
    if "low" in scale:
        return f"{'whole numbers' if scale['whole'] else 'numbers'} from {scale['low']:g} to {scale['high']:g}; "
    return ""


def _shown(name: str) -> str:
    text = " ".join(name.split()) or "(no name)"
    return text if len(text) <= 48 else text[:45] + "..."


def _is_text(name: str) -> bool:
    return name == "text" or name.endswith(("id", "Id", "ID"))


def _alike(ids: Iterable[Hashable]) -> list[tuple[Hashable, ...]]:
    """Groups of ids that are nearly the same."""
    groups: dict[Hashable, list[Hashable]] = {}
    for i in ids:
        if i is not None:
            groups.setdefault(near(i), []).append(i)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def near(given: Hashable) -> str:
    """What is left of an id when case, blanks, marks without a width, leading zeros and decimals of 0 do not count.

    >>> near(" Ann\u200b"), near("007"), near(7), near("7.0")
    ('ann', '7', '7', '7')
    """
    text = unicodedata.normalize("NFKC", str(given)).translate(dict.fromkeys(HIDDEN))
    text = WHOLE.sub(r"\1", "".join(text.split()).casefold())
    return text.lstrip("0") or "0" if text.isdigit() else text


def _relabelled(panel: Panel, said: Any) -> Any:
    """Groups by the order in which they come, for their names mean nothing."""
    if not isinstance(panel, Groupings):
        return said
    code: dict[Any, int] = {}
    return np.array([code.setdefault(v, len(code)) for v in said.tolist()])


def inspect(source: Any, *more: Any, **options: Any) -> Receipt:
    """What a file, a folder or a data frame is read as; options as for ``read``.

    >>> import pandas as pd
    >>> receipt = inspect(pd.DataFrame({"rater": ["ann", "bob"], "item": ["x", "x"], "score": [3, 4]}))
    >>> receipt.brief()[1]
    "Guessed: the column 'rater' is taken as the judge; `quorate inspect 'data frame'` says more."
    """
    return Receipt(read(source, *more, **options))
