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
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import rank_correlation, top_lists
from quorate.kernels.inversions import quicker
from quorate.kernels.missing import POLICIES
from quorate.kernels.pair_means import mean_of_pairs, mean_without_each, number_of_pairs
from quorate.kernels.ranks import once, repeated, strict
from quorate.kernels.row_marks import marks
from quorate.kernels.streams import some_rows, stream
from quorate.orderings import counted_agreement
from quorate.orderings.counted_agreement import of_complete
from quorate.orderings.rankings import Measured, Rankings, one_task
from quorate.orderings.tally import counted
from quorate.panel.coefficient import Additive
from quorate.panel.kinds import Order
from quorate.table import Note, Parameter, bind, choice, find, method, number, share

Array = NDArray[Any]
ITEMS = 5000  # up to which a table of all pairs of them has room
JUDGES = 1000  # rows of a task beyond which a mean over pairs is taken over as many judges drawn at random
TWO_SIDED = ("tau_b", "rho")  # whose kernels compare other rankings with these
MISSING = choice("what an absent item means", *POLICIES)


@dataclass(frozen=True, eq=False)
class Pairwise:
    """An index of two rankings: call it with two, or ask for the matrix or the mean of many."""

    name: str
    kernel: Callable[..., Array]  # [task, judge, item] -> [task, judge, judge]
    shortcut: Callable[[Array, Array, bool], Array] | None = None  # the mean over pairs of complete, strict rankings
    of_lists: Callable[..., tuple[Array, Array]] | None = None  # the same of tasks that it fits, and which these are

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
        return self.square(once(positions), **parameters)

    def measure(
        self,
        positions: Array,
        counts: Array,
        *,
        alike: bool = True,
        brief: bool = False,
        seed: int = 0,
        **parameters: Any,
    ) -> Measured:
        """The mean over pairs of judges, per task. Pairs without enough in common are left out and counted."""
        pairs = _pairs(counts, alike)
        if self.shortcut is not None and self.quick(positions):
            mean = self.shortcut(positions, counts, alike)
            return Measured(mean, {} if brief else {"pairs": pairs.tolist(), "undefined_pairs": [0] * len(pairs)})
        if self.of_lists is not None and positions.shape[1] <= JUDGES and not repeated(positions):
            return self._of_lists(positions, counts, alike, brief, parameters)
        if positions.shape[1] > JUDGES and not repeated(positions):
            return self._sampled(positions, counts, alike, seed, parameters)
        square = self.once(positions, **parameters)
        mean = mean_of_pairs(square, counts, alike)
        if brief:
            return Measured(mean)
        defined = number_of_pairs(square, counts, alike)
        details = {"pairs": defined.astype(int).tolist(), "undefined_pairs": (pairs - defined).astype(int).tolist()}
        return Measured(mean, details)

    def replaced(self, positions: Array, counts: Array, row: Array, alike: bool, **parameters: Any) -> Array | None:
        """The mean over pairs of judges of copies of tasks, ``positions[task, copy, judge, item]``, which differ in the
        ranking of one judge, ``row[task]``: ``[task, copy]``. None where a shortcut says it as soon.

        For kernels that compare other rankings with those of the judges.
        """
        first, task = positions[:, 0], np.arange(len(positions))
        if self.quick(first):
            return None
        own = self.kernel(positions[task, :, row], first, **parameters)  # [task, copy, judge]
        square = np.repeat(self.square(first, **parameters)[:, None], positions.shape[1], axis=1)
        own[task, :, row] = square[task, :, row, row]
        square[task, :, row] = square[task, :, :, row] = own
        copies = np.repeat(counts, positions.shape[1], axis=0)
        return mean_of_pairs(square.reshape(-1, *square.shape[2:]), copies, alike).reshape(positions.shape[:2])

    def _of_lists(
        self, positions: Array, counts: Array, alike: bool, brief: bool, parameters: dict[str, Any]
    ) -> Measured:
        """The mean over pairs where of some tasks every two judges need not be compared; each decides by itself."""
        mean, fits = self.of_lists(positions, counts, alike, **parameters)  # type: ignore[misc]
        pairs = _pairs(counts, alike)
        undefined, rest = np.zeros(len(pairs), np.int64), np.flatnonzero(~fits)
        if len(rest):
            found = replace(self, of_lists=None).measure(positions[rest], counts[rest], alike=alike, **parameters)
            mean[rest], undefined[rest] = found.values, found.details["undefined_pairs"]
        told = {"pairs": (pairs - undefined).tolist(), "undefined_pairs": undefined.tolist()}
        return Measured(mean, {} if brief else told)

    def quick(self, positions: Array) -> bool:
        """Whether the shortcut holds and pays: where judges are drawn, every two of them need be compared only once."""
        if repeated(positions) and positions.shape[1] <= JUDGES:
            return False
        few = positions.shape[2] <= ITEMS and not quicker(positions)
        return self.shortcut is not None and few and strict(positions)

    def _sampled(self, positions: Array, counts: Array, alike: bool, seed: int, parameters: dict[str, Any]) -> Measured:
        """With very many judges, the mean over the pairs of some of them, drawn at random and said so."""
        found = [
            self.measure(*sample_judges(p[None], c[None], seed), alike=alike, **parameters)
            for p, c in zip(positions, counts, strict=True)
        ]
        details = {name: [m.details[name][0] for m in found] for name in found[0].details}
        return Measured(
            np.concatenate([m.values for m in found]), {**details, "judges_sampled": [JUDGES] * len(positions)}
        )

    def __repr__(self) -> str:
        return f"<{self.name}: an index of two rankings>"


def sample_judges(positions: Array, counts: Array, seed: int) -> tuple[Array, Array]:
    """Of one task with more than JUDGES rows, as many judges drawn without replacement; else all."""
    drawn = sampled_counts(positions, counts, seed)
    return positions[:, drawn > 0], drawn[None, drawn > 0]


def sampled_counts(positions: Array, counts: Array, seed: int, most: int = JUDGES) -> Array:
    """How many judges of every row of one task are compared, ``[judge]``: of more than JUDGES some, drawn at random,
    the same whatever they are called."""
    if counts.shape[1] < JUDGES or counts.shape[1] <= most:  # JUDGES rows are themselves drawn from more
        return np.asarray(counts[0])
    return some_rows(stream(seed, "judges"), marks(positions[0]), counts[0], most)


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
    note: Note,
    default: bool = False,
    gaps: bool = False,  # the measure itself says what absent items mean
    shortcut: Callable[[Array, Array, bool], Array] | None = None,
    of_lists: Callable[..., tuple[Array, Array]] | None = None,
    reference: str = "",
    parameters: Mapping[str, Parameter] | None = None,
    defaults: Mapping[str, Any] | None = None,
    adds: Additive | None = None,  # where all that it needs of complete rankings adds up over judges
) -> Pairwise:
    """Declare an index: the kernel's first sentence is its summary."""
    index = Pairwise(name, kernel, shortcut, of_lists)
    known = dict(parameters or {}) if gaps else {**(parameters or {}), "missing": MISSING}
    preset = {**(defaults or {}), **({} if gaps else {"missing": "unknown"})}

    def measure(
        positions: Array, counts: Array, *, alike: bool = True, brief: bool = False, seed: int = 0, **given: Any
    ) -> Measured:
        return index.measure(positions, counts, alike=alike, brief=brief, seed=seed, **given)

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
        weighs_pairs=True,
        sampled=lambda positions, *some: None if index.quick(positions) else sampled_counts(positions, *some),
        replaced=index.replaced if name in TWO_SIDED else None,
        additive=adds,
        pads=name == "rbo",  # an item that nobody ranks has no depth
        some_items=name in TWO_SIDED,  # by chance it is the same of many items and of few
        note=note,
        without=lambda positions, counts, **given: mean_without_each(index.square(positions, **given), counts, True),
    )(measure)
    PAIRWISE[name] = index
    return index


mean_tau = rank_correlation.mean_tau  # without ties the three are one
tau = _declare(
    "tau",
    rank_correlation.tau,
    (-1, 1),
    shortcut=mean_tau,
    adds=counted(counted_agreement.tau, of_complete()),
    reference="Kendall 1938",
    note=Note(
        "Rankings without ties, when every exchange of two items counts the same.",
        "With ties it cannot reach 1, even between equal rankings: use tau_b or tau_x.",
        "(C - D) / (n (n - 1) / 2)",
    ),
)
tau_b = _declare(
    "tau_b",
    rank_correlation.tau_b,
    (-1, 1),
    default=True,
    shortcut=mean_tau,
    adds=counted(counted_agreement.tau_b, of_complete("signs")),
    reference="Kendall 1945",
    note=Note(
        "The usual choice for rankings with or without ties.",
        "Ties are taken out of the scale, so a judge who ties nearly everything can still reach a high value by the "
        "few pairs left. The last places count as much as the first.",
        "(C - D) / sqrt((C + D + tied in the first only) (C + D + tied in the second only))",
    ),
)
tau_x = _declare(
    "tau_x",
    rank_correlation.tau_x,
    (-1, 1),
    shortcut=mean_tau,
    adds=counted(counted_agreement.tau_x, of_complete()),
    reference="Emond and Mason 2002",
    note=Note(
        "Ties that mean 'equally good': two judges who tie the same items then agree on them.",
        "If ties mean 'I cannot tell', it credits shared ignorance as agreement.",
        "sum over ordered pairs of items of a b / (n (n - 1)); a, b = 1 if the first is not worse in a ranking, "
        "else -1",
    ),
)
tau_ap = _declare(
    "tau_ap",
    rank_correlation.tau_ap,
    (-1, 1),
    reference="Yilmaz, Aslam, Robertson 2008; ties: Urbano and Marrero 2017",
    parameters={"side": choice("whose order is the truth: the mean of both ways, or the first's", "both", "first")},
    defaults={"side": "both"},
    note=Note(
        "Search results and other lists in which errors near the top matter most.",
        "With side=first it depends on which ranking is called the truth. A few swaps at the top outweigh a long tail.",
        "2 / (n - 1) * sum over places i = 2 ... n of (items above place i that the truth puts above too) / (i - 1) "
        "- 1; mean of both ways",
    ),
)
tau_shieh = _declare(
    "tau_shieh",
    rank_correlation.tau_shieh,
    (-1, 1),
    reference="Shieh 1998",
    note=Note(
        "Only the first few places matter, and both items of a pair should be near the top to count.",
        "The product of two small weights makes nearly all pairs worthless: the value hangs on very few of them.",
        "sum of w s over pairs of items / sum of w; w = 1 / (r_i r_j), s = 1 alike, -1 not; ties as in tau_b; mean of "
        "two values, ranks by the first ranking and by the second",
    ),
)
tau_vigna = _declare(
    "tau_vigna",
    rank_correlation.tau_vigna,
    (-1, 1),
    reference="Vigna 2015",
    note=Note(
        "The top matters more, but a fall from the top to the bottom should count too; handles ties.",
        "Values cannot be compared with plain tau: a reversed tail barely shows.",
        "as tau_b, each pair of items weighing 1 / r_i + 1 / r_j; mean of two values, ranks by the first ranking and "
        "by the second",
    ),
)
rho = _declare(
    "rho",
    rank_correlation.rho,
    (-1, 1),
    default=True,
    shortcut=rank_correlation.mean_rho,
    adds=counted(counted_agreement.rho, of_complete("ranks")),
    reference="Spearman 1904",
    note=Note(
        "A quick overall picture, and where large moves should count more than small ones.",
        "One item that jumps from first to last moves it a lot. Of short lists it takes only a few values.",
        "Pearson's r of the ranks; without ties 1 - 6 sum d^2 / (n (n^2 - 1))",
    ),
)
rho_top = _declare(
    "rho_top",
    rank_correlation.rho_top,
    (-1, 1),
    reference="Iman and Conover 1987",
    note=Note(
        "Agreement on who is best, when the order of the rest is mostly noise.",
        "The first item alone carries much of the variance: two judges with the same winner look alike.",
        "Pearson's r of Savage scores S_r = sum from i = r to n of 1 / i",
    ),
)
footrule = _declare(
    "footrule",
    rank_correlation.footrule,
    (0, 1),
    reference="Diaconis and Graham 1977",
    note=Note(
        "A figure that can be explained: how many places items move.",
        "Random orders give about 1/3, not 0; and not only the reverse is farthest: many other orders have 0 too.",
        "1 - sum |r1 - r2| / floor(n^2 / 2)",
    ),
)
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
    note=Note(
        "Top-k lists that hold different items, where being absent says something.",
        "The penalty for pairs that one list lacks is a choice: with 0 short lists without overlap look better than "
        "with 0.5. State it.",
        "1 - 2 K / (pairs of items of the union); K = contradicted pairs + penalty * pairs that one list holds and "
        "the other lacks altogether; an absent item is below all that are listed",
    ),
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
    note=Note(
        "Top-k lists, when the size of moves should count, entering and leaving the list included.",
        "The place given to absent items (location) decides most of it when lists overlap little.",
        "1 - sum over the union of |r1 - r2| / (the same sum for lists without a common item), absent items at "
        "location",
    ),
)
fagin_rho = _declare(
    "fagin_rho",
    top_lists.fagin_rho,
    (-1, 1),
    gaps=True,
    reference="Fagin, Kumar, Sivakumar 2003",
    parameters={"location": LOCATION},
    defaults={"location": None},
    note=Note(
        "Comparison with work that reports rho of top-k lists.",
        "Lists that share few items are strongly negative by construction, since what is high in one is absent in "
        "the other.",
        "Pearson's r of positions over the union, absent items at location",
    ),
)
rbo = _declare(
    "rbo",
    top_lists.rbo,
    (0, 1),
    default=True,
    gaps=True,
    of_lists=top_lists.mean_rbo,
    reference="Webber, Moffat, Zobel 2010",
    parameters={
        "p": share("chance that a reader goes on to the next place", high=0.999999),
        "part": choice("extrapolated, the least it can be, or what is left open", "ext", "min", "res"),
    },
    defaults={"p": 0.9, "part": "ext"},
    note=Note(
        "Search results of any length, cut anywhere, that need not hold the same items.",
        "p decides how deep it looks: at 0.9 the first ten places carry about 86% of the weight. It is not "
        "corrected for chance, so look at the chance column, above all when judges rank the same few items.",
        "(1 - p) sum over depths d of p^(d - 1) * (items shared by the first d of both) / d; beyond the lists' ends "
        "as at the last depth seen (part=ext)",
    ),
)
