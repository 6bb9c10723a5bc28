"""An answer as blocks: its sentences, its tables, its notes. The same for terminal, Markdown, page and JSON.

Which labels are shown and how is declared in :mod:`quorate.document.columns`; here it is said what a row is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from quorate.document.agreement import agreement
from quorate.document.blocks import Block, Document, Table, Text, with_notes
from quorate.document.columns import column
from quorate.document.consensus import consensus
from quorate.document.judges import judges
from quorate.document.pivot import MOST
from quorate.document.systems import per_task, systems
from quorate.document.trust import trust
from quorate.inference.results import Answer

__all__ = ["blocks", "document", "per_task", "tables", "telling"]
APART = ("description", "by_task", "by_pair", "ranks", "flagged")  # lists of an answer that have a place of their own
ASIDE = ("interval_by", "resamples", "median_pair")  # which are in the JSON only


def document(answer: Answer) -> Document:
    """The whole answer."""
    return Document("", tuple(blocks(answer)), {"kind": answer.kind, "question": answer.question})


def blocks(answer: Answer) -> list[Block]:
    """Sentences first, then tables, then notes."""
    out: list[Block] = [Text(answer.sentences, "lead")] if answer.sentences else []
    return with_notes([*out, *tables(answer)], answer.notes)


def tables(answer: Answer) -> list[Block]:
    """The tables of an answer, and what is said between them; empty ones are left out."""
    found = [*_LAYOUTS[answer.question](answer), *_more(answer)]
    return [b for b in found if not isinstance(b, Table) or b.rows]


def _more(answer: Answer) -> Iterator[Table]:
    """Tables of the further lists that some answers have."""
    for name, rows in answer.more.items():
        if name not in APART and isinstance(rows, list) and rows and isinstance(rows[0], dict):
            columns = [column(n, (r[n] for r in rows)) for n in telling(name, rows)]
            cells = tuple(tuple(row[c.key] for c in columns) for row in rows[:MOST])
            yield Table(name.replace("_", " ").capitalize(), tuple(columns), cells, name=name, of=len(rows))


def telling(name: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of a list that say something here; all of them are in --format json."""
    silent = {c for c in rows[0] if c in ASIDE or all(row[c] is None or row[c] is False for row in rows)}
    return [c for c in rows[0] if c not in silent and not (c == "method" and all(row[c] == name for row in rows))]


_LAYOUTS: Mapping[str, Callable[[Answer], Iterator[Block]]] = {
    "agreement": agreement,
    "judges": judges,
    "consensus": consensus,
    "quality": systems,
    "trust": trust,
}
