"""DUCView files as panels: annotated peers (.pan) as scores, pyramids of the same models (.pyr) as groupings.

Of peers the score is the modified pyramid score, with what autoPyramid gives as the label ``auto``. Of pyramids the
items are the words of the models, a group is a unit. Neither can be made from a panel again.
"""

from __future__ import annotations

from typing import Any

from quorate.errors import InputError
from quorate.formats.ducview import outermost
from quorate.formats.files import File, Sink
from quorate.formats.registry import Format, Option, elsewhere, text
from quorate.panel.kinds import Panel

HEADER = Option("header", "regular expression for where models begin, when files have none", text)
JUDGES = Option("judges", "of peers: a file that says who judged what (manual.peer, or task[, item], judge)", text)


def write_annotated(panel: Panel, sink: Sink, **options: Any) -> None:
    """Refused: a panel has no units, and no places where they are said."""
    raise InputError(
        f"a panel of {panel.kind} cannot be written as a pyramid or an annotated peer.",
        "quorate pyramid convert makes .pan and .pyr files from a table of units.",
    )


def sniff_annotated(file: File) -> bool:
    """By the outermost element: NIST's peers have no extension."""
    return bool(outermost(file))


DUCVIEW = Format(
    "ducview",
    ("pan", "pyr"),
    "DUCView: annotated peers (.pan) as scores, pyramids (.pyr) as groupings",
    ("groupings", "scores"),
    elsewhere("quorate.summaries.units.panels", "read_annotated"),
    write_annotated,
    sniff_annotated,
    "ducview",
    (HEADER, JUDGES),
)
