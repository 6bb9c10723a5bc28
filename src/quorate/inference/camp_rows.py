"""Camps as rows: who is of which, how much each agrees, and what they part on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.camps import Camps, camps
from quorate.inference.results import Options
from quorate.panel.design import PanelDesign
from quorate.table import Method

Array = NDArray[Any]
TOLD = 5  # answers that are told
MANY = 200  # judges, of more none is named


@dataclass(frozen=True, eq=False)
class Parted:
    """A design, and the camps of its judges; none were looked for where judges are too few, or the kind has no way."""

    design: PanelDesign
    found: Camps | None

    @property
    def several(self) -> bool:
        """Whether judges are of several camps."""
        return self.found is not None and self.found.number > 1

    def designs(self) -> Sequence[tuple[PanelDesign, Array, str]]:
        """Every camp as a panel of its own, with the judges who are looked for in it; models beside the people, as
        they always are. The last says whose agreement it is: of all, of people, of one model and the people, or of
        a camp."""
        (people, who), *models = self.design.looked_for()
        beside = [(design, one, "model") for design, one in models]
        if self.found is None or not self.several:
            return [(people, who, "people" if models else "all"), *beside]
        mine = (np.flatnonzero(self.found.camp == k) for k in range(self.found.number))
        return [*((people.some_judges(of), np.arange(len(of)), "camp") for of in mine), *beside]

    def rows(self) -> list[dict[str, Any]]:
        """A row per camp."""
        if self.found is None or not self.several:
            return []
        people, _ = self.design.looked_for()[0]
        out = []
        for k, (share, within) in enumerate(zip(self.found.share.tolist(), self.found.within.tolist(), strict=True)):
            mine = np.flatnonzero(self.found.camp == k)
            judges = int(people.voters[mine].sum())
            named = [str(people.judges[j]) for j in mine.tolist()] if len(people.judges) <= MANY else None
            row = {"camp": k + 1, "judges": judges, "share": share, "agreement": within, "which": named}
            out.append({**self.design.labels, **row})
        return out

    def test(self) -> dict[str, Any]:
        """What speaks for several camps."""
        found = self.found
        if found is None:
            return {}
        told = {"camps": found.number, "p_value": found.null.p if found.null else None, "gap": found.gap}
        return {**self.design.labels, **told, "across": found.across, "gain": found.gain}

    def items(self) -> list[dict[str, Any]]:
        """What camps part on most: a row per answer with what each camp says on average."""
        people, _ = self.design.looked_for()[0]
        opinions = people.opinions() if self.several else None
        if self.found is None or opinions is None:
            return []
        judge, cell, value, keys = opinions
        mean, number, spread = _by_camp(self.found.camp[judge], people.voters[judge], cell, value, self.found.number)
        known = (number > 1).all(axis=0)
        low, high = mean.argmin(axis=0), mean.argmax(axis=0)
        at = np.arange(mean.shape[1])
        error = np.sqrt(spread * (1 / np.maximum(number[low, at], 1) + 1 / np.maximum(number[high, at], 1)))
        far = np.where(known, (mean[high, at] - mean[low, at]) / np.maximum(error, 1e-9), -math.inf)
        names = {"task": people.tasks, "item": people.items, "system": people.systems}
        out = []
        for c in np.argsort(-far, kind="stable")[:TOLD].tolist():
            if math.isfinite(far[c]):
                where = {key: names[key][int(of[c])] for key, of in keys.items() if of[c] >= 0}
                said = {f"camp_{k + 1}": float(mean[k, c]) for k in range(len(mean))}
                out.append({**self.design.labels, **where, **said})
        return out


def _by_camp(camp: Array, weight: Array, cell: Array, value: Array, number: int) -> tuple[Array, Array, Array]:
    """Of every camp and answer the mean and how many judges gave one, ``[camp, cell]``; and the spread in camps."""
    size = int(cell.max(initial=-1)) + 1
    at = camp * size + cell
    many = np.bincount(at, weight, number * size)
    total = np.bincount(at, weight * value, number * size)
    mean = total / np.maximum(many, 1e-300)
    square = np.bincount(at, weight * (value - mean[at]) ** 2, number * size)
    shape = (number, size)
    spread = float(square.sum() / max(float(many.sum()) - float((many > 0).sum()), 1.0))
    mean, many = np.where(many > 0, mean, 0.0).reshape(shape), many.reshape(shape)
    return mean, many, np.full(size, max(spread, 1e-12))


def parted(method: Method, design: PanelDesign, options: Options, designs: int = 1) -> Parted:
    """The camps of a design's judges; of people, where there are models beside them. Of several criteria each is
    looked at, and all of them together have the level."""
    people, _ = design.looked_for()[0]
    found = camps(method, people, options)
    if found is not None and found.null is not None and found.null.p * designs > found.level and found.number > 1:
        one = np.zeros(len(found.camp), np.int64)
        mean = np.array([math.nan])
        found = replace(found, camp=one, share=np.ones(1), within=mean, across=math.nan, member=None)
    return Parted(design, found)
