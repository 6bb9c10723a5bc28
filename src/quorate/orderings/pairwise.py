"""Indices of two rankings. Each is declared once and has three faces: of two rankings, of every two judges, averaged.

>>> tau("abcd", "abdc")
0.6666666666666666
>>> tau.matrix(["abc", "acb"]).tolist()
[[1.0, 0.3333333333333333], [0.3333333333333333, 1.0]]
>>> round(tau.mean(["abc", "acb", "abc"]), 4)
0.5556

``missing`` says what an absent item means: ``unknown`` (only items both ranked are compared), ``below`` (tied below all
ranked ones) or ``top-k`` (as below, over the items that at least one of the two ranked).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import missing as policy
from quorate.kernels import similar
from quorate.orderings.measured import Measured, Rankings, one_task
from quorate.panels import Order
from quorate.table import Parameter, bind, choice, find, method, number, share

Array = NDArray[Any]
MISSING = choice("what an absent item means", *policy.POLICIES)


@dataclass(frozen=True, eq=False)
class Pairwise:
    """An index of two rankings: call it with two, or ask for the matrix or the mean of many."""

    name: str
    kernel: Callable[..., Array]  # complete rankings -> [task, judge, judge]
    gaps: bool  # the kernel itself says what absent items mean

    def __call__(self, a: Order, b: Order, **parameters: Any) -> float:
        """The index of two rankings."""
        return float(self.matrix([a, b], **parameters)[0, 1])

    def matrix(self, rankings: Rankings, **parameters: Any) -> Array:
        """The index of every two judges, in one pass; NaN where two have too little in common."""
        return np.asarray(self.square(one_task(rankings).positions, **self._checked(parameters))[0])

    def mean(self, rankings: Rankings, **parameters: Any) -> float:
        """The mean over all pairs of judges."""
        task = one_task(rankings)
        return float(self.measure(task.positions, task.counts, **self._checked(parameters)).values[0])

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return dict(bind(find(self.name, "orderings", "agreement"), parameters).parameters)

    def square(self, positions: Array, missing: str = "unknown", **parameters: Any) -> Array:
        """The index for ``positions[task, judge, item]``: ``[task, judge, judge]``."""
        if self.gaps:
            return self.kernel(positions, **parameters)
        return policy.compare(lambda complete: self.kernel(complete, **parameters), positions, missing)

    def measure(self, positions: Array, counts: Array, *, alike: bool = True, **parameters: Any) -> Measured:
        """The mean over pairs of judges, per task. Pairs without enough in common are left out and counted."""
        if len(positions) > 1 and positions.strides[0] == 0:  # the same rankings with other counts: one matrix will do
            square = np.broadcast_to(self.square(positions[:1], **parameters), (len(counts), *positions.shape[1:2] * 2))
        else:
            square = self.square(positions, **parameters)
        return average(square, counts, alike)

    def __repr__(self) -> str:
        return f"<{self.name}: an index of two rankings>"


def average(square: Array, counts: Array, alike: bool) -> Measured:
    """Mean over pairs of judges. ``alike``: a row that stands for many judges has pairs of its own."""
    weight = counts[:, :, None] * counts[:, None, :].astype(float)
    diagonal = np.arange(counts.shape[1])
    weight[:, diagonal, diagonal] = counts * (counts - 1) if alike else 0
    defined = ~np.isnan(square)
    total = np.where(defined, square, 0.0) * weight
    of = (weight * defined).sum(axis=(1, 2))
    mean = np.divide(total.sum(axis=(1, 2)), of, out=np.full(len(counts), math.nan), where=of > 0)
    skipped = (weight * ~defined).sum(axis=(1, 2)) / 2
    return Measured(mean, {"pairs": (of / 2).astype(int).tolist(), "undefined_pairs": skipped.astype(int).tolist()})


PAIRWISE: dict[str, Pairwise] = {}


def _declare(
    name: str,
    kernel: Callable[..., Array],
    range: tuple[float, float],
    *,
    default: bool = False,
    gaps: bool = False,
    reference: str = "",
    parameters: Mapping[str, Parameter] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> Pairwise:
    """Declare an index: the kernel's first sentence is its summary."""
    index = Pairwise(name, kernel, gaps)
    known = dict(parameters or {}) if gaps else {**(parameters or {}), "missing": MISSING}
    preset = {**(defaults or {}), **({} if gaps else {"missing": "unknown"})}

    def measure(positions: Array, counts: Array, *, alike: bool = True, brief: bool = False, **given: Any) -> Measured:
        return index.measure(positions, counts, alike=alike, **given)

    measure.__doc__ = (kernel.__doc__ or "").strip().split("\n")[0]
    method(
        "orderings",
        "agreement",
        name,
        range=range,
        higher="more agreement",
        default=default,
        reference=reference,
        parameters=known,
        defaults=preset,
        symmetric=True,
        relabelling=True,
        pairwise=True,
    )(measure)
    PAIRWISE[name] = index
    return index


tau = _declare("tau", similar.tau, (-1, 1), reference="Kendall 1938")
tau_b = _declare("tau_b", similar.tau_b, (-1, 1), default=True, reference="Kendall 1945")
tau_x = _declare("tau_x", similar.tau_x, (-1, 1), reference="Emond and Mason 2002")
tau_ap = _declare(
    "tau_ap",
    similar.tau_ap,
    (-1, 1),
    reference="Yilmaz, Aslam, Robertson 2008; ties: Urbano and Marrero 2017",
    parameters={"side": choice("whose order is the truth: the mean of both ways, or the first's", "both", "first")},
    defaults={"side": "both"},
)
tau_shieh = _declare("tau_shieh", similar.tau_shieh, (-1, 1), reference="Shieh 1998")
tau_vigna = _declare("tau_vigna", similar.tau_vigna, (-1, 1), reference="Vigna 2015")
rho = _declare("rho", similar.rho, (-1, 1), default=True, reference="Spearman 1904")
rho_top = _declare("rho_top", similar.rho_top, (-1, 1), reference="Iman and Conover 1987")
footrule = _declare("footrule", similar.footrule, (0, 1), reference="Diaconis and Graham 1977")
fagin_tau = _declare(
    "fagin_tau",
    similar.fagin_tau,
    (-1, 1),
    gaps=True,
    reference="Fagin, Kumar, Sivakumar 2003",
    parameters={
        "penalty": number("of a pair that one list holds and the other lacks: 0 optimistic, 0.5 neutral", 0, 1)
    },
    defaults={"penalty": 0.5},
)
LOCATION = number("place given to absent items; none: just after the list's end", 0, optional=True)
fagin_footrule = _declare(
    "fagin_footrule",
    similar.fagin_footrule,
    (0, 1),
    gaps=True,
    reference="Fagin, Kumar, Sivakumar 2003",
    parameters={"location": LOCATION},
    defaults={"location": None},
)
fagin_rho = _declare(
    "fagin_rho",
    similar.fagin_rho,
    (-1, 1),
    gaps=True,
    reference="Fagin, Kumar, Sivakumar 2003",
    parameters={"location": LOCATION},
    defaults={"location": None},
)
rbo = _declare(
    "rbo",
    similar.rbo,
    (0, 1),
    default=True,
    gaps=True,
    reference="Webber, Moffat, Zobel 2010",
    parameters={
        "p": share("chance that a reader goes on to the next place", high=0.999999),
        "part": choice("extrapolated, the least it can be, or what is left open", "ext", "min", "res"),
    },
    defaults={"p": 0.9, "part": "ext"},
)
