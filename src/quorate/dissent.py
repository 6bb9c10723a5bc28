"""A page for a judge: what this judge holds that most of the others do not, to look at again.

The q-support paper lets experts adjust what they hold alone. Orderings are compared pair by pair of items, groupings by
what is put together, scores cell by cell. Being alone is not being wrong, and the page says so.
"""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from quorate.document.blocks import Block, Table, Text
from quorate.document.columns import DISSENT
from quorate.document.result import Result
from quorate.errors import InputError, UnknownId, suggest
from quorate.panel.kinds import Panel
from quorate.words.dissent import ALONE, dissent_fact

KINDS = ("orderings", "groupings", "scores")
SHOWN = 40  # rows on the page


@dataclass(frozen=True)
class Dissent(Result):
    """What one judge holds that most of the others do not."""

    all_rows: ClassVar[bool] = True

    kind: str
    judge: Hashable
    compared: int  # pairs or cells that somebody else has too
    found: tuple[dict[str, Any], ...]
    most: int = SHOWN

    @property
    def title(self) -> str:
        """Of the page."""
        return f"For {self.judge}: what most of the other judges see otherwise"

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Every row, those left off the page included."""
        head = {"kind": self.kind, "question": "judges", "judge": self.judge, "compared": self.compared}
        return {**head, "results": list(self.found)}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per pair or cell."""
        return [{"judge": self.judge, **row} for row in self.found]

    def blocks(self, **how: Any) -> Iterator[Block]:
        """How much it is, the rows, and how to read them."""
        worded = any(isinstance(row.get("own"), str) for row in self.found)
        what = "labels" if worded else self.kind
        yield Text((str(dissent_fact(what, self.judge, len(self.found), self.compared)),), "lead")
        if self.found:
            several = len({row["task"] for row in self.found}) > 1
            first = self.found[0]
            names = [n for n in DISSENT[self.kind] if n.key in first and (several or n.key != "task")]
            rows = tuple(tuple(row[c.key] for c in names) for row in self.found[: self.most])
            yield Table("To look at again", tuple(names), rows, of=len(self.found), name="dissent")
            yield Text((ALONE,), "note")


def dissent(panel: Panel, judge: Hashable, *, most: int = SHOWN) -> Dissent:
    """What a judge holds that most of the others do not: pairs of orderings and groupings, cells of scores.

    >>> from quorate import Orderings
    >>> found = dissent(Orderings.from_orders({"ann": "abc", "bob": "abc", "cat": "acb"}), "cat")
    >>> [(row["before"], row["after"], row["other"]) for row in found.found]
    [('c', 'b', 2)]
    """
    if panel.kind not in KINDS:
        raise InputError(f"{panel.kind} hold no pairs or cells of one judge.", f"it is for {', '.join(KINDS)}.")
    known = {str(j): j for j in panel.judges}
    if str(judge) not in known:
        raise UnknownId(f"no judge '{judge}'.", suggest(str(judge), known, "Judges"))
    cell = importlib.import_module(f"quorate.{panel.kind}.dissent")
    who = known[str(judge)]
    return Dissent(panel.kind, who, cell.compared(panel, who), tuple(cell.dissent(panel, who)), most)
