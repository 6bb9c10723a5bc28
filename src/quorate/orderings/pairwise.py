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
from quorate.kernels.common import Common
from quorate.kernels.inversions import LONG, quicker
from quorate.kernels.ranks import complete
from quorate.kernels.without import mean_without
from quorate.orderings.measured import Measured, Rankings, one_task
from quorate.panel.kinds import Order
from quorate.panel.stacks import Stack
from quorate.table import Parameter, bind, choice, find, method, number, share

Array = NDArray[Any]
ITEMS = 5000  # up to which a table of all pairs of them has room
JUDGES = 1000  # rows of a task beyond which a mean over pairs is taken over as many judges drawn at random
COMMON = 1 << 21  # cells in common of all pairs of judges that are looked up at a time
HELD = 1 << 24  # of them held, where they are needed again and again
MISSING = choice("what an absent item means", *policy.POLICIES)


@dataclass(frozen=True, eq=False)
class Pairwise:
    """An index of two rankings: call it with two, or ask for the matrix or the mean of many."""

    name: str
    kernel: Callable[..., Array]  # complete rankings -> [task, judge, judge]
    gaps: bool  # the kernel itself says what absent items mean
    shortcut: Callable[[Array, Array, bool], Array] | None = None  # the mean over pairs of complete, strict rankings
    common: str = ""  # what kernels/common.py calls it

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
        if self.common and missing == "unknown":
            return self._in_common(positions)
        return policy.compare(lambda complete: self.kernel(complete, **parameters), positions, missing)

    def once(self, positions: Array, **parameters: Any) -> Array:
        """The same; where all rows hold the same rankings, as draws of one task do, they are compared once."""
        if len(positions) > 1 and positions.strides[0] == 0:
            square = self.square(positions[:1], **parameters)
            return np.broadcast_to(square, (len(positions), *square.shape[1:]))
        return self.square(positions, **parameters)

    def _in_common(self, positions: Array) -> Array:
        """Complete tasks by the kernel, the others over what every two judges both hold."""
        tasks, judges, _ = positions.shape
        longest = int((positions > 0).sum(axis=2).max(initial=0))
        cells = judges * (judges - 1) // 2 * longest
        whole = complete(positions)
        if whole.all() or cells > COMMON or longest >= LONG:
            return policy.compare(self.kernel, positions, "unknown")
        out = np.empty((tasks, judges, judges))
        if whole.any():
            out[whole] = policy.compare(self.kernel, positions[whole], "unknown")
        gaps = np.flatnonzero(~whole)
        step = max(1, COMMON // max(cells, 1))
        for a in range(0, len(gaps), step):
            some = gaps[a : a + step]
            out[some] = Common.of(positions[some]).square(self.common)
        return out

    def measure(self, positions: Array, counts: Array, *, alike: bool = True, **parameters: Any) -> Measured:
        """The mean over pairs of judges, per task. Pairs without enough in common are left out and counted."""
        if self.quick(positions):
            pairs = _pairs(counts, alike)
            mean = self.shortcut(positions, counts, alike)  # type: ignore[misc]
            return Measured(mean, {"pairs": pairs.tolist(), "undefined_pairs": [0] * len(pairs)})
        if len(positions) > 1 and positions.strides[0] == 0:  # the same rankings with other counts: one matrix will do
            return average(self.square(positions[:1], **parameters), counts, alike)
        if positions.shape[1] > JUDGES:
            return self._sampled(positions, counts, alike, parameters)
        return average(self.square(positions, **parameters), counts, alike)

    def quick(self, positions: Array) -> bool:
        """Whether the mean over pairs of judges is had without looking at pairs of judges."""
        few = positions.shape[2] <= ITEMS and not quicker(positions)
        return self.shortcut is not None and few and similar.strict(positions)

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


def average(square: Array, counts: Array, alike: bool) -> Measured:
    """Mean over pairs of judges. ``alike``: a row that stands for many judges has pairs of its own.

    ``square`` has a matrix per task, or one for all rows of ``counts`` (resampled panels).
    """
    defined = ~np.isnan(square)
    total = _over_pairs(np.where(defined, square, 0.0), counts, alike)
    of = _over_pairs(defined.astype(float), counts, alike)
    mean = np.divide(total, of, out=np.full(len(counts), math.nan), where=of > 0)
    skipped = _pairs(counts, alike) - of / 2
    return Measured(mean, {"pairs": (of / 2).astype(int).tolist(), "undefined_pairs": skipped.astype(int).tolist()})


def _over_pairs(square: Array, counts: Array, alike: bool) -> Array:
    """Sum over ordered pairs of different judges, weighted by how many each row stands for."""
    weight = counts.astype(float)
    if len(square) == 1:
        total = ((weight @ square[0]) * weight).sum(axis=1)
    else:
        total = np.matmul(np.matmul(weight[:, None], square), weight[:, :, None])[:, 0, 0]
    own = weight if alike else weight**2
    return np.asarray(total - (np.diagonal(square, axis1=1, axis2=2) * own).sum(axis=1))


PAIRWISE: dict[str, Pairwise] = {}


def _declare(
    name: str,
    kernel: Callable[..., Array],
    range: tuple[float, float],
    *,
    default: bool = False,
    gaps: bool = False,
    shortcut: Callable[[Array, Array, bool], Array] | None = None,
    common: str = "",
    reference: str = "",
    parameters: Mapping[str, Parameter] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> Pairwise:
    """Declare an index: the kernel's first sentence is its summary."""
    index = Pairwise(name, kernel, gaps, shortcut, common)
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
        without=lambda positions, counts, **given: mean_without(index.square(positions, **given), counts),
    )(measure)
    PAIRWISE[name] = index
    return index


mean_tau = similar.mean_tau  # without ties the three are one
tau = _declare("tau", similar.tau, (-1, 1), shortcut=mean_tau, reference="Kendall 1938")
tau_b = _declare(
    "tau_b", similar.tau_b, (-1, 1), default=True, shortcut=mean_tau, common="tau", reference="Kendall 1945"
)
tau_x = _declare("tau_x", similar.tau_x, (-1, 1), shortcut=mean_tau, reference="Emond and Mason 2002")
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
rho = _declare(
    "rho", similar.rho, (-1, 1), default=True, shortcut=similar.mean_rho, common="rho", reference="Spearman 1904"
)
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


def in_pieces(part: Stack) -> list[Stack]:
    """A stack's tasks in pieces, to hold what every two judges have in common; none where that is too much."""
    tasks, judges, _ = part.shape
    each = max(judges**2 // 2 * int((part.positions > 0).sum(axis=2).max(initial=0)), 1)
    if each > COMMON or tasks * each > HELD:
        return []
    return [part.only(some) for some in np.array_split(np.arange(tasks), math.ceil(tasks * each / COMMON))]
