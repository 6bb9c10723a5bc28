"""How many people is a model worth? As many as whose mean tells as well what another person would say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from quorate.kernels import people_worth as kernel
from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import both_kinds, kinds
from quorate.scores.people_and_models import coordinates, hardly_agree, usual_over
from quorate.scores.trust_method import labelled, trust_method
from quorate.table import Note

if TYPE_CHECKING:
    from quorate.inference.core import Core

FEW = 10  # units of a model and two people, of fewer nothing is told
HALF = 0.5  # a person: of a model that may be worth less, or any number, nothing is told


@trust_method(
    "people_worth",
    range=(0, math.inf),
    higher="a model worth more people",
    labels=True,
    note=Note(
        "How many people does a model save? Beside the alternative-annotator test, which says yes or no.",
        "A model's level and spread are taken as put right (see calibration), a person's are not. Models that learnt "
        "from these people's answers look worth more than they are.",
        "k with 1 / k = r (1 - R) / (R (1 - r)); r = c_pp / v_p, R = c_pm^2 / (v_m c_pp); c_pp covariance of two "
        "people on a unit, c_pm of a person and the model, v variances",
    ),
)
def people_worth(made: OutputDesign, core: Core) -> Trusted:
    """How many people a model is worth: the mean of so many goes as well with what people share.

    1 is as good as a person; ``with_people`` is its correlation with one, ``two_people`` that of two people. Where it
    is not sure that these agree, or nearly any number fits, there is no figure.
    """
    units = made.scores
    if not both_kinds(units.panel):
        return Trusted({"judge": []}, [], [], notes=("people_worth: who is human, who is a model? --models A,B",))
    over = core.over(made, "tasks", "items", usual=usual_over(made))
    people, models = kinds(units.panel)
    x, mine = coordinates(units, "nominal" if units.panel and units.panel.scale else "interval"), units.judge
    human = np.isin(mine, people)
    estimates, untold = [], []
    for m in models.tolist():
        own = np.full((units.size, x.shape[1]), math.nan)
        own[units.unit[mine == m]] = x[mine == m]
        sums, there = kernel.features(units.unit[human], x[human], own)
        if there.sum() < FEW:
            continue
        often = made.often(
            core.bootstrap(made, over, core.budget.draws(units.size * 4), core.stream("worth", made.judges[m]))
        )
        found, drawn = kernel.covariances(sums.sum(axis=0, keepdims=True)), kernel.covariances(often @ sums)
        number = len(np.unique(made.place[there])) if over == "tasks" else int(there.sum())
        person, shared, across, judge = found[:, 0].tolist()
        value = float(kernel.share(found)[0])
        labels = {
            **made.labels,
            "judge": made.judges[m],
            "with_people": across / math.sqrt(person * judge) if person * judge > 0 else 0.0,
            "two_people": shared / person if person > 0 else 0.0,
            "units": int(there.sum()),
        }
        if math.isnan(value) or hardly_agree(shared, drawn[1], core, made.called_over(over), number):
            untold.append({**labels, "why": "people"})
            continue
        between = core.interval(value, kernel.share(drawn), made.called_over(over), number)
        ends = between and core.changed(between, kernel.number)
        if ends and ends.low < HALF and math.isinf(ends.high):
            untold.append({**labels, "why": "few"})
            continue
        ends = None if ends and math.isinf(ends.low) else ends  # more than can be told in all draws
        estimates.append(core.figure(kernel.number(value), labels, ends))
    estimates.sort(key=lambda e: (-float(e.value), str(e.labels["judge"])))
    keys = {**labelled(made, len(estimates)), "judge": [e.labels["judge"] for e in estimates]}
    return Trusted(keys, [float(e.value) for e in estimates], estimates, about={"untold": untold})
