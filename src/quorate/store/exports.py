"""Judgments of a study in any format that panels are written in."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from quorate.errors import InputError
from quorate.store import panels, submissions
from quorate.store.definition import PANELS
from quorate.store.figures import reading


def panel(connection: Connection, study_id: str, kind: str | None = None) -> Any:
    """The panel of one kind of a study's judgments; the first kind that has some if none is named."""
    found = submissions.submitted(connection, study_id)
    there = [k for k in PANELS if any(j["kind"] == k and j["role"] != "training" for j in found)]
    named = {**{p: k for k, p in PANELS.items()}, **{k: k for k in PANELS}}
    if kind is not None and kind not in named:
        raise InputError(f"there is no kind '{kind}'.", f"kinds: {', '.join(PANELS.values())}.")
    chosen = named[kind] if kind else next(iter(there), None)
    if chosen is None or chosen not in there:
        raise InputError("nothing of that kind has been submitted yet.", f"submitted: {', '.join(there) or 'nothing'}.")
    return panels.panel(panels.columns(found, submissions.names(connection, study_id), chosen), chosen)


def written(address: str, study_id: str, format: str, kind: str | None, raw: bool) -> bytes:
    """The judgments as a file's bytes; texts that a spreadsheet would take for formulas are escaped unless ``raw``."""
    from quorate.formats import write

    with reading(address) as connection:
        made = panel(connection, study_id, kind)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "judgments"
        write(made, file, format=format, for_people=not raw)
        return file.read_bytes()
