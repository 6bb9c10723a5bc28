"""Pairwise votes: one line per vote, JSON or a table with the columns ``judge, model_a, model_b, winner``.

They are votes unless another kind is asked for. As orderings a vote orders two items, and a tie keeps both in the first
place; its task is the question, the turn and the pair. As scores, the winner of a vote gets 1, the loser 0, and each
side of a tie 0.5; question and turn are the task then, and the pair is the item. The label ``shown`` says which of the
two was shown first.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from typing import Any, cast

from quorate.formats import delimited, jsonl
from quorate.formats.delimited import DELIMITERS
from quorate.formats.files import File, Sink
from quorate.formats.limits import as_text, refuse
from quorate.formats.names import clean, panel_columns
from quorate.formats.registry import ENCODING, Format
from quorate.formats.table_options import OPTIONS
from quorate.panel.columns import Coded
from quorate.panel.kinds import Panel, Votes
from quorate.panel.votes import CHANGED, NEEDED


def read(files: Sequence[File], kind: str | None, **options: Any) -> Panel:
    """A panel from files of votes, which may be JSON Lines or tables."""
    lines = files[0].start.startswith(b"{")
    return (jsonl.read if lines else delimited.read)(files, kind, **options)


# -- out ---------------------------------------------------------------------------------------------------------------


def write(panel: Panel, sink: Sink) -> None:
    """Votes as JSON Lines."""
    refuse(panel, "votes", kinds=("votes",))
    votes = cast(Votes, panel)
    columns = {n: c for n, c in panel_columns(votes).items() if n != "swapped"}
    for name, column in columns.items():
        if isinstance(column, Coded):  # what no file can hold is refused before anything is written
            as_text(column, name, "votes", blank=name in votes.labels and name not in NEEDED)
    values = [c.values() if isinstance(c, Coded) else c.tolist() for c in columns.values()]
    changed = [w == CHANGED for w in votes.labels["swapped"].values()] if "swapped" in votes.labels else []
    with sink.text() as stream:
        for row, cells in enumerate(zip(*values, strict=True)):
            vote = dict(zip(columns, cells, strict=True))
            vote["winner"] = "tie (inconsistent)" if changed and changed[row] else vote["winner"]
            stream.write(json.dumps({n: v for n, v in vote.items() if v is not None}, ensure_ascii=False) + "\n")


def sniff(file: File) -> bool:
    """A first line that names both models and the winner."""
    lines = file.head_lines
    if not lines:
        return False
    if lines[0].lstrip().startswith("{"):
        try:
            row = json.loads(lines[0])
        except (ValueError, RecursionError):
            return False
        return isinstance(row, dict) and set(NEEDED) <= set(row)
    return any(set(NEEDED) <= {clean(n) for n in next(csv.reader([lines[0]], delimiter=d))} for d in DELIMITERS)


VOTES = Format(
    "votes",
    ("votes",),
    "pairwise votes: judge, model_a, model_b, winner",
    ("votes", "orderings", "scores"),
    read,
    write,
    sniff,
    "votes",
    (*OPTIONS, ENCODING),
    telling=True,
)
