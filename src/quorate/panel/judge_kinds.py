"""Who is human and who is a model, by the label ``judge_kind``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.base import Panel

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
