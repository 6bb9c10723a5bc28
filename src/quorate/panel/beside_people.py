"""What a method says of scores, of people among people and of each model beside them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.panel.coefficient import Coefficient
from quorate.panel.kinds import Scores
from quorate.panel.units import Units, both_kinds, kinds
from quorate.table import Method

Array = NDArray[Any]


def people_and_models(units: Units) -> list[Array]:
    """The numbers of the people and of the models among the judges."""
    code, panel = {name: k for k, name in enumerate(units.judges)}, cast(Scores, units.panel)
    named = ([panel.judges[j] for j in of.tolist()] for of in kinds(panel))
    return [np.array([code[name] for name in names if name in code], np.int64) for names in named]


def said_beside_people(method: Method, units: Units) -> Coefficient:
    """What a method says of units; where it declares so, of people among people and of each model beside them."""
    if not method.declaration.properties.get("people") or not both_kinds(units.panel):
        return method(units)  # type: ignore[no-any-return]
    people, models = people_and_models(units)
    found: list[Coefficient] = [method(units.of_judges(people))]
    found += [method(units.of_judges(np.append(people, m))) for m in models.tolist()]
    mine = np.zeros(len(units.judges), np.int64)
    mine[models] = 1 + np.arange(len(models))
    each = list(enumerate(mine.tolist()))

    def of(weights: Array) -> Array:
        every = [f.of(weights) for f in found]
        return np.stack([every[k][:, j] for j, k in each], axis=1)

    details = {n: [found[k].details[n][j] for j, k in each] for n in found[0].details}
    rests = {n: np.array([found[k].rests[n][j] for j, k in each]) for n in found[0].rests}
    return Coefficient(of, units.size, details, sum(f.cost for f in found), rests, found[0].about)
