"""Qualtrics' questions of the sort pick, group and rank: who put which items into which group, as a long table.

``Q1_0_GROUP`` holds the items of the first group, with commas between them, or ``Q1_0_GROUP_1`` one of them;
``Q1_0_2_RANK`` is the rank of the second item there. What a group and an item are called is told by the questions in
the second row: ``Sort these - Ranks - Good - apple - Rank``. Of several groups the groups are read; with one alone
("your first three"), the ranks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

Rows = Iterator[tuple[int, list[Any]]]
GROUP = re.compile(r"(?P<tag>.+)_(?P<group>\d+)_GROUP(?:_\d+)?")
RANK = re.compile(r"(?P<tag>.+)_(?P<group>\d+)_(?P<item>\d+)_RANK")
OF_GROUP = re.compile(r"(?P<stem>.*) - Groups - (?P<group>.*?)(?: - .*)?", re.DOTALL)
OF_RANK = re.compile(r"(?P<stem>.*) - Ranks - (?P<group>.*) - (?P<item>.*)", re.DOTALL)
JUDGES = ("ResponseId", "ResponseID")


class Place(NamedTuple):
    """A column of a question: its number, the question's tag, and the group, or the item whose rank it holds."""

    column: int
    tag: str
    name: str


def asked(names: Sequence[str]) -> bool:
    """Whether columns are those of such a question."""
    return any(GROUP.fullmatch(n) for n in names)


def long(names: Sequence[str], questions: Sequence[Any], rows: Rows) -> tuple[list[str], Rows, str]:
    """Names and rows of a long table, a row for each judge and item, and what is to be said of it."""
    groups, ranks = _columns(names, questions)
    who = next((k for k, n in enumerate(names) if n in JUDGES), None)
    judged = ((line, f[who] if who is not None else str(k), f) for k, (line, f) in enumerate(rows, 1))
    several = len({(g.tag, g.name) for g in groups}) > len({g.tag for g in groups})
    if ranks and not several:
        said = "items picked and ranked (the columns ..._RANK): a row for each participant and item picked"
        return ["judge", "task", "item", "position"], _ranked(ranks, judged), f"{said}; other columns are left aside"
    said = "items put into groups (the columns ..._GROUP, at their commas): a row for each participant and item"
    return ["judge", "task", "item", "group"], _grouped(groups, ranks, judged), f"{said}; other columns are left aside"


def _columns(names: Sequence[str], questions: Sequence[Any]) -> tuple[list[Place], list[Place]]:
    groups, ranks = [], []
    for k, (name, question) in enumerate(zip(names, questions, strict=True)):
        group, rank, text = GROUP.fullmatch(name), RANK.fullmatch(name), str(question or "").strip()
        if group:
            said = OF_GROUP.fullmatch(text)
            groups.append(Place(k, group["tag"], said["group"].strip() if said else group["group"]))
        elif rank:
            said = OF_RANK.fullmatch(text.removesuffix(" - Rank"))
            ranks.append(Place(k, rank["tag"], said["item"].strip() if said else rank["item"]))
    return groups, ranks


def _ranked(ranks: Sequence[Place], judged: Iterator[tuple[int, Any, list[Any]]]) -> Rows:
    for line, judge, fields in judged:
        for k, tag, item in ranks:
            if _cell(fields, k):
                yield line, [judge, tag, item, _cell(fields, k)]


def _grouped(groups: Sequence[Place], ranks: Sequence[Place], judged: Iterator[tuple[int, Any, list[Any]]]) -> Rows:
    """Items that a judge put nowhere have no group; of a judge who put none at all there is no row."""
    known: dict[str, dict[str, None]] = {g.tag: {} for g in groups}
    for _, tag, item in ranks:
        known.setdefault(tag, {})[item] = None
    for line, judge, fields in judged:
        put: dict[str, dict[str, str]] = {}
        for k, tag, group in groups:
            for item in _items(_cell(fields, k), known[tag]):
                put.setdefault(tag, {})[item] = group
        for tag, placed in put.items():
            for item in dict.fromkeys((*known[tag], *placed)):
                yield line, [judge, tag, item, placed.get(item, "")]


def _cell(fields: Sequence[Any], column: int) -> str:
    return str(fields[column] if column < len(fields) and fields[column] is not None else "").strip()


def _items(cell: str, known: dict[str, None]) -> list[str]:
    """The items of a cell; those that are known may have commas of their own.

    >>> _items("salt, pepper,oil", {"salt, pepper": None})
    ['salt, pepper', 'oil']
    """
    out = [""]
    for piece in cell.split(","):
        out[-1] += f",{piece}" if out[-1] else piece
        so_far = out[-1].strip()
        if so_far in known or not any(k.startswith(f"{so_far},") for k in known):
            out.append("")
    return [i for item in out if (i := item.strip())]
