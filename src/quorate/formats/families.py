"""Families of models, told on reading: whose system is whose, so that a judge's own can be known."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quorate.errors import InputError
from quorate.formats.nesting import read_map
from quorate.panel.base import Panel, listed
from quorate.panel.columns import Coded, encode, narrow
from quorate.panel.vote_columns import FAMILIES
from quorate.panel.votes import Votes

NAME = ("name", "model", "system", "judge")  # what the column of names may be called


def with_families(panel: Panel, families: str | os.PathLike[str] | Mapping[Any, Any] | None) -> Panel:
    """The votes with columns of the judge's and both systems' families; who is named nowhere has none."""
    if families is None:
        return panel
    if not isinstance(panel, Votes):
        raise InputError(f"families are of votes; this panel holds {panel.kind}.", "leave out families.")
    given = families if isinstance(families, Mapping) else read_map(os.fspath(families), NAME, "name", "family")[1]
    known = {str(name): str(family) for name, family in given.items()}
    columns = zip(FAMILIES, (panel.judge, panel.labels["model_a"], panel.labels["model_b"]), strict=True)
    found = {name: _family(column, known) for name, column in columns}
    for name in FAMILIES[:2]:
        if not any(found[name].ids):
            who, ids = ("judge", panel.judges) if name == FAMILIES[0] else ("system", panel.systems)
            raise InputError(f"families name no {who} of the votes.", f"the panel's: {listed(ids)}.")
    return replace(panel, labels={**panel.labels, **found})


def _family(column: Coded, known: Mapping[str, str]) -> Coded:
    family = encode([known.get(str(i)) for i in column.ids])
    return Coded(family.ids, narrow(family.codes[column.codes], len(family.ids)))
