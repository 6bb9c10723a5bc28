"""Known groups of judges: how often those of one mind are told apart, and those of two."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from quorate.inference.designs import DESIGNS
from quorate.inference.group_agreement import group_agreement
from quorate.inference.results import Options
from quorate.inference.usual_methods import deciding
from quorate.panel.kinds import Panel
from tests.calibration.experiment import Experiment, rng
from tests.calibration.simulated import MAKE
from tests.votes.made import minds

EACH = 6  # judges of a group
HOW: dict[str, dict[str, Any]] = {"orderings": {"items": 8}, "groupings": {}, "scores": {"items": 12}}


def _panel(kind: str, seed: int, two: bool) -> Panel:
    """Twelve judges, of whom the last six may take the items for others."""
    generator = rng(seed)
    if kind == "votes":
        return minds(generator, (EACH, EACH) if two else (2 * EACH,), votes=30)
    panel = MAKE[kind](generator, judges=2 * EACH, **HOW[kind])  # type: ignore[operator]
    if not two:
        return panel
    other = dict(zip(panel.items, generator.permutation(panel.items).tolist(), strict=True))
    columns = panel.columns()
    late = sorted(panel.judges, key=lambda name: int(name[1:]))[EACH:]
    pairs = zip(columns["judge"], columns["item"], strict=True)
    return type(panel).build(columns | {"item": [other[i] if j in late else i for j, i in pairs]})


def told_apart(seed: int, kind: str, two: bool) -> dict[str, float]:
    """Whether the two groups are said to judge differently."""
    panel = _panel(kind, seed, two).by_name
    (design,) = DESIGNS[kind](panel, None)
    order = sorted(range(len(design.judges)), key=lambda k: (design.judges[k][0], int(design.judges[k][1:])))
    second = np.zeros(len(order), bool)
    second[order[EACH:]] = True
    found = group_agreement(deciding(panel), design, second, Options(seed=seed))
    return {"told apart": float(found is not None and found.null.p <= 0.05)}


def judge_groups() -> Iterator[Experiment]:
    """Six and six judges of every kind."""
    for kind in MAKE:
        one, two = (partial(told_apart, kind=kind, two=two) for two in (False, True))
        yield Experiment("null", kind, "two groups of 6 judges of one mind", one, promise=0.05, cheap=True)
        yield Experiment("power", kind, "two groups of 6 judges, each of a mind of its own", two)
