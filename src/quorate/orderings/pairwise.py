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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import kendall, rank_correlation, spearman, top_lists
from quorate.kernels.inversions import quicker
from quorate.kernels.missing import POLICIES
from quorate.kernels.pair_means import mean_of_pairs, mean_without_each, number_of_pairs
from quorate.kernels.ranks import strict
from quorate.orderings.measured import Measured, Rankings, one_task
from quorate.panel.kinds import Order
from quorate.table import Parameter, bind, choice, find, method, number, share

Array = NDArray[Any]
ITEMS = 5000  # up to which a table of all pairs of them has room
JUDGES = 1000  # rows of a task beyond which a mean over pairs is taken over as many judges drawn at random
MISSING = choice("what an absent item means", *POLICIES)


@dataclass(frozen=True, eq=False)
class Pairwise:
    """An index of two rankings: call it with two, or ask for the matrix or the mean of many."""

    name: str
    kernel: Callable[..., Array]  # [task, judge, item] -> [task, judge, judge]
    shortcut: Callable[[Array, Array, bool], Array] | None = None  # the mean over pairs of complete, strict rankings

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

    def square(self, positions: Array, **parameters: Any) -> Array:
        """The index for ``positions[task, judge, item]``: ``[task, judge, judge]``."""
        return self.kernel(positions, **parameters)

    def once(self, positions: Array, **parameters: Any) -> Array:
        """The same; one matrix will do where all rows hold the same rankings, as draws of one task do."""
        return self.square(
            positions[:1] if len(positions) > 1 and positions.strides[0] == 0 else positions, **parameters
        )

    def measure(self, positions: Array, counts: Array, *, alike: bool = True, **parameters: Any) -> Measured:
        """The mean over pairs of judges, per task. Pairs without enough in common are left out and counted."""
        if self.quick(positions):
            pairs = _pairs(counts, alike)
            mean = self.shortcut(positions, counts, alike)  # type: ignore[misc]
            return Measured(mean, {"pairs": pairs.tolist(), "undefined_pairs": [0] * len(pairs)})
        if positions.shape[1] > JUDGES and (len(positions) == 1 or positions.strides[0] > 0):
            return self._sampled(positions, counts, alike, parameters)
        square = self.once(positions, **parameters)
        pairs, defined = _pairs(counts, alike), number_of_pairs(square, counts, alike)
        details = {"pairs": defined.astype(int).tolist(), "undefined_pairs": (pairs - defined).astype(int).tolist()}
        return Measured(mean_of_pairs(square, counts, alike), details)

    def quick(self, positions: Array) -> bool:
        """Whether the mean over pairs of judges is had without looking at pairs of judges."""
        few = positions.shape[2] <= ITEMS and not quicker(positions)
        return self.shortcut is not None and few and strict(positions)

    def _sampled(self, positions: Array, counts: Array, alike: bool, parameters: dict[str, Any]) -> Measured:
        """With very many judges, the mean over the pairs of some of them, drawn at random and said so."""
        found = [
            self.measure(*sample_judges(p[None], c[None]), alike=alike, **parameters)
            for p, c in zip(positions, counts, strict=True)
        ]
        details = {name: [m.details[name][0] for m in found] for name in found[0].details}
        return Measured(
            np.concatenate([m.values for m in found]), {**details, "judges_sampled": [JUDGES] * len(positions)}
        )

    def __repr__(self) -> str:
        return f"<{self.name}: an index of two rankings>"


def sample_judges(positions: Array, counts: Array, most: int = JUDGES) -> tuple[Array, Array]:
    """Of one task with more than ``most`` rows, as many judges drawn without replacement; else all."""
    if positions.shape[1] <= most:
        return positions, counts
    drawn = np.random.default_rng(0).multivariate_hypergeometric(counts[0], most, method="marginals")
    return positions[:, drawn > 0], drawn[None, drawn > 0]


def _pairs(counts: Array, alike: bool) -> Array:
    """Pairs of judges; ``alike``: a row that stands for many judges has pairs of its own."""
    total = counts.sum(axis=1)
    own = counts.sum(axis=1) if alike else (counts**2).sum(axis=1)
    return np.asarray((total**2 - own) // 2)


PAIRWISE: dict[str, Pairwise] = {}


def _declare(
    name: str,
    kernel: Callable[..., Array],
    range: tuple[float, float],
    *,
    default: bool = False,
    gaps: bool = False,  # the measure itself says what absent items mean
    shortcut: Callable[[Array, Array, bool], Array] | None = None,
    reference: str = "",
    parameters: Mapping[str, Parameter] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> Pairwise:
    """Declare an index: the kernel's first sentence is its summary."""
    index = Pairwise(name, kernel, shortcut)
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
        squared=True,
        pads=name == "rbo",  # an item that nobody ranks has no depth
        without=lambda positions, counts, **given: mean_without_each(index.square(positions, **given), counts, True),
    )(measure)
    PAIRWISE[name] = index
    return index


mean_tau = kendall.mean_tau  # without ties the three are one
tau = _declare("tau", kendall.tau, (-1, 1), shortcut=mean_tau, reference="Kendall 1938")
tau_b = _declare("tau_b", rank_correlation.tau_b, (-1, 1), default=True, shortcut=mean_tau, reference="Kendall 1945")
tau_x = _declare("tau_x", kendall.tau_x, (-1, 1), shortcut=mean_tau, reference="Emond and Mason 2002")
tau_ap = _declare(
    "tau_ap",
    kendall.tau_ap,
    (-1, 1),
    reference="Yilmaz, Aslam, Robertson 2008; ties: Urbano and Marrero 2017",
    parameters={"side": choice("whose order is the truth: the mean of both ways, or the first's", "both", "first")},
    defaults={"side": "both"},
)
tau_shieh = _declare("tau_shieh", kendall.tau_shieh, (-1, 1), reference="Shieh 1998")
tau_vigna = _declare("tau_vigna", kendall.tau_vigna, (-1, 1), reference="Vigna 2015")
rho = _declare(
    "rho",
    rank_correlation.rho,
    (-1, 1),
    default=True,
    shortcut=spearman.mean_rho,
    reference="Spearman 1904",
)
rho_top = _declare("rho_top", spearman.rho_top, (-1, 1), reference="Iman and Conover 1987")
footrule = _declare("footrule", spearman.footrule, (0, 1), reference="Diaconis and Graham 1977")
fagin_tau = _declare(
    "fagin_tau",
    top_lists.fagin_tau,
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
    top_lists.fagin_footrule,
    (0, 1),
    gaps=True,
    reference="Fagin, Kumar, Sivakumar 2003",
    parameters={"location": LOCATION},
    defaults={"location": None},
)
fagin_rho = _declare(
    "fagin_rho",
    top_lists.fagin_rho,
    (-1, 1),
    gaps=True,
    reference="Fagin, Kumar, Sivakumar 2003",
    parameters={"location": LOCATION},
    defaults={"location": None},
)
rbo = _declare(
    "rbo",
    top_lists.rbo,
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
