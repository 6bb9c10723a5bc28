"""Who is human, who is a model and what is a metric, by the label ``judge_kind``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import UnknownId, suggest
from quorate.panel.base import Panel, listed
from quorate.panel.columns import Coded, narrow

P = TypeVar("P", bound=Panel)

HUMAN, MODEL = ("human", "person", "people", "expert"), ("llm", "model", "machine", "ai")
METRIC = ("metric", "metrics", "automatic")
NAMED = 3  # metrics in a note


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


def metrics_apart(panel: P) -> tuple[P, P | None]:
    """The panel without the metrics among its judges, and these; None where there are none, or nobody else.

    A metric is nobody's opinion, on a scale of its own: it is held against the judges, never averaged with them.
    """
    if "judge_kind" not in panel.labels or panel.elsewhere is not None:
        return panel, None
    label = panel.labels["judge_kind"]
    named = np.array([str(word).strip().lower() in METRIC for word in label.ids], bool)
    metric = np.isin(np.arange(len(panel.judges)), panel.judge.codes[named[label.codes]])
    if not metric.any() or metric.all():
        return panel, None
    own, others = ([panel.judges[k] for k in np.flatnonzero(some).tolist()] for some in (metric, ~metric))
    who = listed([str(name) for name in own], NAMED)
    what = "is a metric: it is held against the judges, not averaged with them"
    if len(own) > 1:
        what = "are metrics: they are held against the judges, not averaged with them"
    left = panel.drop_judges(*own)
    return replace(left, notes=(*left.notes, f"{who} {what}")), panel.drop_judges(*others)


def with_models(panel: P, models: Sequence[Hashable]) -> P:
    """The panel with a label ``judge_kind``: llm for these judges, human for the others."""
    known = {str(j): c for c, j in enumerate(panel.judges)}
    for name in models:
        if str(name) not in known:
            raise UnknownId(f"no judge '{name}'.", suggest(str(name), known, "The panel's judges"))
    machine = np.isin(np.arange(len(panel.judges)), [known[str(name)] for name in models])
    label = Coded(("human", "llm"), narrow(machine[panel.judge.codes], 2))
    return replace(panel, labels={**panel.labels, "judge_kind": label})
