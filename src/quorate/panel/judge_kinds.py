"""Who is human and who is a model, by the label ``judge_kind``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import UnknownId, suggest
from quorate.panel.base import Panel
from quorate.panel.columns import Coded, narrow

P = TypeVar("P", bound=Panel)

HUMAN, MODEL = ("human", "person", "people", "expert"), ("llm", "model", "machine", "ai")


def people(panel: Panel) -> NDArray[Any] | None:
    """Whether each judge is human, ``[judge]``; None unless all are told to be human or not, and some are either."""
    if "judge_kind" not in panel.labels:
        return None
    label = panel.labels["judge_kind"]
    words = [str(word).strip().lower() for word in label.ids]
    known = np.array([1 if w in HUMAN else 2 if w in MODEL else 0 for w in words])[label.codes]
    least, most = np.full(len(panel.judges), 2), np.zeros(len(panel.judges), np.int64)
    np.minimum.at(least, panel.judge.codes, known)
    np.maximum.at(most, panel.judge.codes, known)
    if (least != most).any() or not least.all() or len(np.unique(least)) < 2:
        return None
    return np.asarray(least == 1)


def with_models(panel: P, models: Sequence[Hashable]) -> P:
    """The panel with a label ``judge_kind``: llm for these judges, human for the others."""
    known = {str(j): c for c, j in enumerate(panel.judges)}
    for name in models:
        if str(name) not in known:
            raise UnknownId(f"no judge '{name}'.", suggest(str(name), known, "The panel's judges"))
    machine = np.isin(np.arange(len(panel.judges)), [known[str(name)] for name in models])
    label = Coded(("human", "llm"), narrow(machine[panel.judge.codes], 2))
    return replace(panel, labels={**panel.labels, "judge_kind": label})
