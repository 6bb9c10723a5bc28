"""DUCView files as panels: annotated peers (.pan) as scores, pyramids of the same models (.pyr) as groupings.

Of peers the score is the modified pyramid score, with what autoPyramid gives as the label ``auto``. Of pyramids the
items are the words of the models, a group is a unit. Neither can be made from a panel again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.errors import InputError
from quorate.formats.files import File, Sink
from quorate.formats.registry import Format, Option, text
from quorate.panel.kinds import Panel

HEADER = Option("header", "regular expression for where models begin, when files have none", text)
JUDGES = Option("judges", "of peers: a file that says who judged what (manual.peer, or task[, item], judge)", text)


def read_annotated(
    files: Sequence[File], kind: str | None, *, header: str | None = None, judges: str | None = None
) -> Panel:
    """Scores of annotated peers, or groupings of pyramids; all files of one sort."""
    peers = [_is_peer(f) for f in files]
    if len(set(peers)) > 1:
        raise InputError("pyramids and annotated peers cannot be read together.", "read .pan and .pyr files apart.")
    found = "scores" if peers[0] else "groupings"
    if kind not in (None, found):
        raise InputError(
            f"{files[0].name}: {'annotated peers give' if peers[0] else 'pyramids give'} {found}, not {kind}.",
            f"leave out the kind, or say kind={found} (--kind {found}).",
        )
    from quorate.summaries.units.panels import (  # units build on formats, so only when it is needed
        groupings_of,
        scores_of,
    )

    paths = [f.path or "-" for f in files]
    return scores_of(paths, header, judges) if peers[0] else groupings_of(paths, header)


def _is_peer(file: File) -> bool:
    head = file.head
    if b"<peerAnnotation" not in head and b"<pyramid" not in head and file.extension in ("pan", "pyr"):
        return file.extension == "pan"
    return b"<peerAnnotation" in head


def write_annotated(panel: Panel, sink: Sink, **options: Any) -> None:
    """Refused: a panel has no units, and no places where they are said."""
    raise InputError(
        f"a panel of {panel.kind} cannot be written as a pyramid or an annotated peer.",
        "quorate pyramid convert makes .pan and .pyr files from a table of units.",
    )


def sniff_annotated(file: File) -> bool:
    """NIST's peers have no extension."""
    return b"<peerAnnotation" in file.head or (b"<pyramid" in file.head and b"<text" in file.head)


DUCVIEW = Format(
    "ducview",
    ("pan", "pyr"),
    "DUCView: annotated peers (.pan) as scores, pyramids (.pyr) as groupings",
    ("groupings", "scores"),
    read_annotated,
    write_annotated,
    sniff_annotated,
    "ducview",
    (HEADER, JUDGES),
)
