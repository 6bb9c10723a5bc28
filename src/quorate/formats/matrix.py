"""Matrices: one column per judge, one per item, or one per place; which it is, is told by headers and cells.

- ``Rate the talks [Opening]``: a question and one of its items (survey grids); each row is a judge.
- ``rank[1], rank[2], ...`` with names in the cells: one column per place; each row is a judge.
- a column of judges (``voter``) and several columns of like values: each of these is an item.
- anything else: each row is an item, and the columns of like values are judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate.errors import SHOWN, InputError
from quorate.formats import survey, wide
from quorate.formats.cells import is_index, is_numeral
from quorate.formats.column_content import (
    ID_WORDS,
    dates,
    each_its_own,
    is_decided,
    is_rater,
    is_total,
    left_out,
    of_cards,
    of_one_sort,
    share_of_numbers,
    without_notes_below,
    without_total_rows,
    word,
)
from quorate.formats.crossed import crossed
from quorate.formats.file_parts import Part
from quorate.formats.matrix_cells import (
    PLACES,
    asked_about,
    bare,
    check_headers,
    named_rows,
    place_named,
    places_in_columns,
    places_in_rows,
    unclear,
)
from quorate.formats.names import KNOWN, clean, is_confidence, standing_for, stands_for, taken
from quorate.formats.wide_outputs import by_output
from quorate.panel.base import listed
from quorate.panel.columns import encode, is_blank, keys
from quorate.panel.reading import Column, Guess, option

# Known names that may stand beside.
KEPT = ("text", "source", "importance", "system", "year", "judge_kind", "criterion")


@dataclass(frozen=True)
class Cell:
    """What a column across is: the judge or item of its cells, the question it belongs to, or the place in an order."""

    column: str
    name: str
    stem: str = ""
    place: int = 0


@dataclass(frozen=True)
class Layout:
    """Which way a matrix lies."""

    across: str  # what a column is: judge, item or place
    cells: tuple[Cell, ...]
    down: str = ""  # the column that names the rows; none: they are numbered
    survey: bool = False  # its headers say so


def long(part: Part, told: Any) -> Part:
    """The matrix as one row per judge and item, with its kind and what was guessed."""
    check_headers(part, told)
    given = list((part := named_rows(part)).raw)
    part = part if told.item_columns else _by_task(by_output(part))
    guesses: list[Guess] = list(part.guesses)
    notes = list(part.notes)
    layout = _layout(part, told, guesses)
    if layout.across == "judge" and layout.down and told.kind in (None, "scores") and not (told.wide or told.exact):
        part = without_notes_below(part, layout.down, notes)
    part, layout = _without_totals(part, layout, told, guesses)
    if (
        told.kind is None
        and layout.across == "judge"
        and of_cards(layout.down, [encode(part.raw[c.column]) for c in layout.cells])
    ):
        guesses.append(Guess("rows are cards, so the words in their cells are taken as groups", "--kind groupings"))
        told = replace(told, kind="groupings")
    layout = _by_criterion(_like(part, layout, told, guesses, notes), told, guesses)
    if not told.judge_columns and (
        odd := [c.column for c in layout.cells if layout.across == "judge" and is_decided(c.column)]
    ):
        guesses.append(_like_others(odd, layout))
    part = _bare(part, layout, notes)
    notes += survey.unsubmitted(part) if layout.survey else []
    kind = told.kind or _kind(part, layout, guesses, given)
    _check_names(part, layout)
    if layout.across == "place":
        made = _from_places(part, layout)
    else:
        extra = _stems(layout.cells)
        columns, names = [c.column for c in layout.cells], [c.name for c in layout.cells]
        made = wide.melt(part, columns, names, layout.across, extra, layout.down)
        made = wide.valued(made, kind, bool(told.labels or told.scale))
    roles = _roles(part, layout, given)
    return replace(made, kind=kind, guesses=tuple(guesses), notes=[*notes, *made.notes], columns=roles)


# -- headers -----------------------------------------------------------------------------------------------------------


def _layout(part: Part, told: Any, guesses: list[Guess]) -> Layout:
    names = [n for n in part.raw if n not in ("task", "count")]
    if told.judge_columns:
        chosen = tuple(Cell(c, c) for c in map(clean, told.judge_columns))
        return Layout("judge", chosen, _rows_of(part, [c.column for c in chosen], "item", guesses))
    if told.item_columns:
        columns = [clean(c) for c in told.item_columns]
        places = _places(part, columns)
        chosen = places or tuple(_grid(c) or Cell(c, c) for c in columns)
        return Layout(
            "place" if places else "item", chosen, _rows_of(part, [c.column for c in chosen], "judge", guesses)
        )
    if told.wide:  # every other column is a judge
        down = "item" if "item" in names else _items(part, names, guesses)
        return Layout("judge", tuple(Cell(n, n) for n in names if n != down), down)
    places = _places(part, names)
    numbered = [c.column for c in places if c.column.isdigit()]
    if numbered and told.kind is None:
        which = f"so the columns {numbered[0]} to {numbered[-1]} are taken as places"
        guesses.append(Guess(f"each row holds the same words in another order, {which}", option("kind", "orderings")))
    if places and (not numbered or told.kind in (None, "orderings")):
        return Layout("place", places, judges(part, [c.column for c in places], guesses), True)
    grids = [cell for n in names if (cell := _grid(n))]
    stems = {c.stem for c in grids if sum(c.stem == d.stem for d in grids) > 1}
    chosen = tuple(c for c in grids if c.stem in stems)
    if chosen and "item" not in names:
        return Layout("item", chosen, judges(part, [c.column for c in chosen], guesses), True)
    judge = None if "item" in names and "judge" not in names else _voters(part, names)
    if judge:
        if judge != "judge":
            guesses.append(taken(judge, "judge"))
        return Layout("item", tuple(Cell(n, n) for n in names if n != judge), judge)
    rows = _ranked(part, names) if told.kind in (None, "orderings") and "item" not in names else None
    if rows:
        held = places_in_rows([encode(part.raw[c.column]) for c in rows])
        said = f"each row holds {held}, so each is taken as a judge's, and a column as an item"
        guesses.append(Guess(said, option("item-columns", *(c.column for c in rows))))
        down = next((n for n in names if n not in {c.column for c in rows}), "")
        guesses += [taken(down, "judge")] if down else []
        return Layout("item", rows, down)
    down = "item" if "item" in names else _items(part, names, guesses)
    return Layout("judge", tuple(Cell(n, n) for n in names if n != down), down)


def _ranked(part: Part, names: Sequence[str]) -> tuple[Cell, ...] | None:
    """Columns of items, where every row holds the places 1, 2, 3, ... and the columns do not."""
    numbered = len(names) > 1 and is_index(encode(part.raw[names[0]]))
    columns = {n: encode(part.raw[n]) for n in names[numbered:]}
    if len(columns) < 3 or len(part) < 2 or any(share_of_numbers(c) < 1 for c in columns.values()):
        return None
    whole = not any(is_blank(i) for c in columns.values() for i in c.ids)
    found = whole and places_in_rows(list(columns.values())) and not places_in_columns(list(columns.values()))
    return tuple(Cell(n, n) for n in columns) if found else None


def _grid(name: str) -> Cell | None:
    found = asked_about(name)
    return Cell(name, found[1], found[0]) if found else None


def _by_task(part: Part) -> Part:
    """The part with a task, where there is a column for each place, and one other tells a judge's rows apart."""
    places = {c.column for c in _places(part, list(part.raw))}
    free = [n for n in part.raw if n not in places]
    judge = "judge" if "judge" in free else standing_for("judge", free)
    if not places or judge is None or "task" in free or len(encode(part.raw[judge]).ids) == len(part):
        return part
    who, others = encode(part.raw[judge]), {n: encode(part.raw[n]) for n in free if n != judge and n not in KNOWN}
    found = [n for n, c in others.items() if len(np.unique(keys(who, c))) == len(part) > len(c.ids)]
    if len(found) != 1:
        return part
    raw = {"task" if n == found[0] else n: c for n, c in part.raw.items()}
    return replace(part, raw=raw, guesses=(*part.guesses, taken(found[0], "task")), became={found[0]: "task"})


def of_places(part: Part) -> bool:
    """Whether there is a column for each place of an order: rank_1, rank_2, ..."""
    return bool(_places(part, list(part.raw)))


def _places(part: Part, names: Sequence[str]) -> tuple[Cell, ...]:
    """Columns of one place each, 1 to so many, whose cells are the names of items."""
    found: dict[str, dict[int, str]] = {}
    for n in names:
        grid = _grid(n)
        place = place_named(grid.name) if grid else place_named(n) if PLACES.fullmatch(n) or n.isdigit() else None
        if place:
            found.setdefault(grid.stem if grid else "", {})[place] = n
    if (numbered := found.get("", {})) and any(n.isdigit() for n in numbered.values()):
        found = found if _once_each([part.raw[n] for n in numbered.values()]) else {k: v for k, v in found.items() if k}
    for stem, columns in found.items():
        cells = [i for n in columns.values() for i in encode(part.raw[n]).ids if not is_blank(i)]
        if sorted(columns) == list(range(1, len(columns) + 1)) and len(columns) > 1 and not any(map(is_numeral, cells)):
            return tuple(Cell(columns[k], str(k), stem, k) for k in sorted(columns))
    return ()


def _once_each(columns: Sequence[Any]) -> bool:
    """Whether each row holds the same words in another order, none of them twice: are columns called 1, 2, 3 places?"""
    cells = [encode(c) for c in columns]
    words = {i for c in cells for i in c.ids if not is_blank(i)}
    if len(words) != len(cells) or not len(cells[0]) > 1:
        return False
    rows = zip(*(c.values() for c in cells), strict=True)
    return all(len({i for i in row if not is_blank(i)}) == len(cells) for row in rows)


def _voters(part: Part, names: Sequence[str]) -> str | None:
    """A column of judges, by its name, each of whom has one row of a task; else the items must be named."""
    found = "judge" if "judge" in names else standing_for("judge", names)
    rows = [encode(part.raw[n]) for n in (found, "task") if n and n in part.raw]
    if found and len(np.unique(keys(*rows))) < len(part):
        others = [n for n in names if n != found]
        raise InputError(
            f"{part.name}: the column '{found}' names judges, but which column names the items?",
            f"--rename COLUMN=item, and the column of scores, labels or places likewise. Columns: {', '.join(others)}.",
        )
    return found


def judges(part: Part, taken_up: Sequence[str], guesses: list[Guess], told: bool = False) -> str:
    """The column that names the judges of a survey: by its name, else its ids, else none."""
    if "judge" in part.raw:
        return "judge"
    free = [n for n in part.raw if n not in taken_up and n != "task"]
    free = [n for n in free if len(encode(part.raw[n]).ids) > 1] or free  # forms write "anonymous" throughout
    alone = [n for n in free if word(n) in ID_WORDS and len(encode(part.raw[n]).ids) == len(part)]
    found = standing_for("judge", free) or next(iter(alone), None)
    if found:
        guesses.append(taken(found, "judge"))
    elif not told:
        said = "no column names the judges, so each row is a judge, numbered from 1"
        guesses.append(Guess(said, option("item-columns", *taken_up)))
    return found or ""


def _rows_of(part: Part, taken_up: Sequence[str], role: str, guesses: list[Guess]) -> str:
    """The column that names the rows, where the others were told."""
    if role in part.raw:
        return role
    if role == "judge":
        return judges(part, taken_up, guesses, told=True)
    return _items(part, [n for n in part.raw if n not in taken_up and n != "task"], guesses)


def _items(part: Part, names: Sequence[str], guesses: list[Guess]) -> str:
    """A first column that names the items: by its own name, or because its texts are all different."""
    if not names:
        return ""
    first = names[0]
    column = encode(part.raw[first])
    alone = len(column.ids) == len(part) > 1
    worded = stands_for(first, "item") is not None or word(first) in ID_WORDS
    texts = alone and not any(is_numeral(i) for i in column.ids)
    if not (worded or texts or (alone and len(part) > 2 and is_index(column))) or len(names) < 2:
        return ""
    once = len(np.unique(keys(*(encode(part.raw[n]) for n in ("task", first) if n in part.raw)))) == len(part)
    if not once:
        others = ", ".join(n for n in names[1:])
        raise InputError(
            f"{part.name}: the column '{first}' names several rows; which column names the items?",
            f"{option('rename', f'{first}=task', 'COLUMN=item')} if '{first}' holds several items, "
            f"{option('rename', f'{first}=item')} if these are answers to one item again, "
            f"{option('rename', f'{first}=judge', 'COLUMN=item')} if '{first}' answered. Other columns: {others}.",
        )
    guesses.append(taken(first, "item"))
    return first


# -- which columns -----------------------------------------------------------------------------------------------------


def _without_totals(part: Part, layout: Layout, told: Any, guesses: list[Guess]) -> tuple[Part, Layout]:
    """Without rows, and columns, of totals or means."""
    if told.totals == "keep" or (told.wide and told.totals is None):
        return part, layout
    said = []
    odd = [c.column for c in layout.cells if is_total(c.column) and layout.across != "place"]
    if odd and len(odd) < len(layout.cells) and not (told.judge_columns or told.item_columns):
        layout = replace(layout, cells=tuple(c for c in layout.cells if c.column not in odd))
        said.append(f"the column{'s' if len(odd) > 1 else ''} {', '.join(odd)}")
    part, rows = without_total_rows(part, layout.down, told.totals)
    said += [rows] if rows else []
    if said and told.totals is None:
        guesses.append(left_out(" and ".join(said)))
    return part, layout


def _like(part: Part, layout: Layout, told: Any, guesses: list[Guess], notes: list[str]) -> Layout:
    """The layout with columns of like values alone; the others are labels, and that is a guess."""
    if told.judge_columns or told.item_columns or told.wide or layout.across == "place":
        return layout
    columns = {c.column: encode(part.raw[c.column]) for c in layout.cells if c.column not in KEPT}
    empty = [n for n, c in columns.items() if all(map(is_blank, c.ids))]
    kept = [n for n in columns if n not in empty]
    if told.kind == "groupings":
        kept = [n for n in kept if not each_its_own(columns[n])] or kept
    elif layout.survey:
        kept = list(columns)
        empty = []
    else:
        sure = [n for n in kept if is_confidence(n)]  # beside what judges say
        beside = [n for n in kept if n in survey.BESIDE or dates(columns[n]) or (n in sure and len(sure) < len(kept))]
        kept = of_one_sort({n: columns[n] for n in kept if n not in beside}, not layout.down)
    if empty:
        notes.append(f"{part.name}: nothing at all from {layout.across} {listed(empty, SHOWN)} (an empty column)")
    odd = [n for n in columns if n not in kept and n not in empty]
    if odd:
        are = "columns {} are" if len(odd) > 1 else "column {} is"
        said = f"the {are.format(', '.join(odd))} not like the others, and kept beside"
        guesses.append(Guess(said, option(f"{layout.across}-columns", *kept)))
    if not kept:
        hint = f"a wide table has one column per judge or item; columns found: {', '.join(part.raw)}."
        raise InputError(f"{part.name}: no {layout.across}'s column.", hint)
    return replace(layout, cells=tuple(c for c in layout.cells if c.column in kept))


def _by_criterion(layout: Layout, told: Any, guesses: list[Guess]) -> Layout:
    """The layout with criteria that are part of the names of columns, where they are told or the names tell them."""
    named = (told.judge_columns or told.item_columns) and not told.criteria
    asked = named or told.wide or layout.survey or told.kind not in (None, "scores")
    of = {} if asked or layout.across == "place" else crossed([c.column for c in layout.cells], told.criteria)
    if of and not told.criteria:
        what = dict.fromkeys(criterion for _, criterion in of.values())
        first = next(iter(of))
        said = f"columns such as '{first}' are taken as one {layout.across}'s scores by one criterion ({of[first][1]})"
        guesses.append(Guess(said, option("criteria", *what)))
    return replace(layout, cells=tuple(Cell(c, *pair) for c, pair in of.items())) if of else layout


def _like_others(odd: Sequence[str], layout: Layout) -> Guess:
    """That columns called as what was decided after the judges are read as judges."""
    rest = option("judge-columns", *(c.column for c in layout.cells if c.column not in odd))
    are = f"the column '{odd[0]}' is" if len(odd) == 1 else f"the columns {listed(odd)} are"
    said = f"{are} read as a judge's like the others (if it was decided after them: {rest})"
    return Guess(said, option("judge-columns", *(c.column for c in layout.cells)))


def _bare(part: Part, layout: Layout, notes: list[str]) -> Part:
    """The part with plain numbers where people wrote them otherwise."""
    if layout.across == "place":
        return part
    plain, said = bare({c.column: encode(part.raw[c.column]) for c in layout.cells})
    if said:
        notes.append(f"{part.name}: {said}")
    return replace(part, raw=part.raw | plain) if said else part


# -- which kind --------------------------------------------------------------------------------------------------------


def _kind(part: Part, layout: Layout, guesses: list[Guess], given: Sequence[str]) -> str:
    """The kind of the cells, where headers and cells tell; else it is asked."""
    if layout.across == "place":
        return "orderings"
    cells = [encode(part.raw[c.column]) for c in layout.cells]
    numbers = all(share_of_numbers(c) >= 0.5 for c in cells)
    if layout.across == "item":
        if numbers and len(cells) > 1 and (held := places_in_rows(cells)):
            said = f"each row holds {held}, so they are taken as places in an order"
            guesses.append(Guess(said, "--kind orderings"))
            return "orderings"
        kind = "scores" if numbers else "labels (if they are groups: --kind groupings)"
        guesses.append(Guess(f"the cells are taken as {kind}", "--kind scores"))
        return "scores"
    if all(c.stem for c in layout.cells):
        return "scores"
    if all(is_rater(c.column) for c in layout.cells) and not (numbers and places_in_columns(cells)):
        names = f"{layout.cells[0].column} to {layout.cells[-1].column}" if len(cells) > 1 else layout.cells[0].column
        guesses.append(Guess(f"the columns {names} are taken as judges, their cells as scores", "--kind scores"))
        return "scores"
    raise unclear(part, [c.column for c in layout.cells], given)


# -- long --------------------------------------------------------------------------------------------------------------


def _check_names(part: Part, layout: Layout) -> None:
    odd = [c.column for c in layout.cells if c.column in KNOWN and c.column not in KEPT and not layout.survey]
    odd += ["count"] if layout.across == "judge" and "count" in part.raw else []  # rows are no judges
    if odd:
        raise InputError(
            f"{part.name}: a wide table has the columns task, item and judges, but this one has {', '.join(odd)}.",
            "write a long table, or rename the column if it is a judge.",
        )


def _stems(cells: Sequence[Cell]) -> dict[str, list[str]]:
    """The question that each column belongs to, where there are several: a criterion if all have the same items."""
    stems = dict.fromkeys(c.stem for c in cells)
    if len(stems) < 2:
        return {}
    items = [sorted(c.name for c in cells if c.stem == stem) for stem in stems]
    role = "criterion" if all(i == items[0] for i in items) else "task"
    return {role: [c.stem for c in cells]}


def _from_places(part: Part, layout: Layout) -> Part:
    """Orders from columns of places: the cell is the item, the column its position; an empty cell is nothing."""
    columns = [c.column for c in layout.cells]
    made = wide.melt(part, columns, [str(c.place) for c in layout.cells], "place", {}, layout.down)
    cells = made.raw.pop("cell")
    place = made.raw.pop("place")
    there = np.flatnonzero(~np.array([is_blank(i) for i in cells.ids], bool)[cells.codes])
    positions = np.array([float(p) for p in place.ids])[place.codes]
    made = replace(made, raw={**made.raw, "item": cells, "position": positions}).take(there)
    of = [encode(made.raw[n]) for n in ("judge", "task") if n in made.raw]
    gone = len(part) - len(np.unique(keys(*of)))
    said = [f"{part.name}: {gone} judge{'s' if gone > 1 else ''} put nothing in order"] if gone else []
    return replace(made, notes=[*made.notes, *said])


def _roles(part: Part, layout: Layout, given: Sequence[str]) -> tuple[Column, ...]:
    by = {c.column: f", {c.stem}" * (layout.across == "judge") for c in layout.cells if c.stem}
    across = {c.column: f"{layout.across} {c.name}{by.get(c.column, '')}" for c in layout.cells}
    down = {"judge": "item", "item": "judge", "place": "judge"}[layout.across]
    own = {n: n for n in ("task", "item", "judge", "count")} | {layout.down: down}
    return tuple(Column(n, part.became.get(n) or across.get(n) or own.get(n, "beside")) for n in given)
