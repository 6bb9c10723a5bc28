"""How measures react when a clustering is taken apart or put together at random, and compared with what it was.

From one clustering, random splits go down to singletons and random merges up to one cluster (Figure 1 of Geiss). A
measure for judges who care for homogeneity should fall more for a merge than for a split, and use its range.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError, suggest
from quorate.groupings.nested import MEASURE, measuring, settled
from quorate.groupings.pairwise import MEASURES, Partition, two_partitions
from quorate.kernels.contingency import all_sums
from quorate.kernels.split_merge import merges, splits
from quorate.kernels.streams import stream
from quorate.panel.design import Trusted
from quorate.panel.grouping_design import GroupingDesign
from quorate.table import Note, method, whole

Array = NDArray[Any]
PATHS = 5e5  # numbers looked at for an item, on all paths
ABOVE_CHANCE = ("adjusted_rand", "adjusted_mutual_information")  # 0 is what chance gives: their range in use is 0 to 1
SATURATED = 0.15  # of its range: a measure whose middle values span less hardly tells clusterings apart
FULL = 0.95
MORE = (-1.0, 1.0)  # what merging costs more than splitting, as a share of a measure's range
GRID = np.linspace(0, 1, 11)  # how far a path has come, for clusterings of different sizes
STARTS = 10  # clusterings of a panel that paths begin from
LARGE = 20_000  # items of all of them together, about; but three clusterings at least
WORK = 2 * 10**6  # labels compared on each side of a clustering, about: longer paths are looked at in places
ENDS = 20  # steps at either end of a path that are always looked at: measures jump there
STEEP = 1.2  # of the sizes of made-up clusters: 70 items in 15 then have a Rand index of 0.91 with singletons


@dataclass(frozen=True, eq=False)
class Curve:
    """A measure along the paths: ``split[repetition, step]`` from the clustering itself to singletons, ``merge`` to one
    cluster; ``span`` is the width of the range in use and ``sign`` -1 for distances."""

    measure: str
    split: Array
    merge: Array
    span: float
    sign: int

    def losses(self) -> tuple[Array, Array]:
        """How much of its range the measure loses, on average over as many splits as merges, ``[repetition]`` each."""
        steps = min(self.split.shape[1], self.merge.shape[1])
        lost = [self.sign * (path[:, :1] - path[:, 1:steps]) / self.span for path in (self.split, self.merge)]
        split, merge = (part.mean(axis=1) if part.shape[1] else np.full(len(part), np.nan) for part in lost)
        return split, merge

    @cached_property
    def range_used(self) -> float:
        """Highest less lowest mean value on the paths, as a share of the range."""
        values = self._along()
        return float(values.max() - values.min()) / self.span

    @cached_property
    def middle(self) -> float:
        """What the middle 80% of the steps span, as a share of the range: a single step at the end counts little."""
        low, high = np.quantile(self._along(), [0.1, 0.9])
        return float(high - low) / self.span

    def _along(self) -> Array:
        return np.concatenate([self.split.mean(axis=0), self.merge.mean(axis=0)[1:]])

    def verdict(self) -> dict[str, Any]:
        """What the curves say of the measure."""
        split, merge = self.losses()
        more = merge - split
        error = 2 * float(more.std(ddof=1)) / math.sqrt(len(more)) if len(more) > 1 else math.inf
        return {
            "split_loss": float(split.mean()),
            "merge_loss": float(merge.mean()),
            "difference": float(more.mean()),
            "punishes": _punishes(float(more.mean()) - error, float(more.mean()) + error),
            "at_singletons": float(self.split[:, -1].mean()),
            "at_one": float(self.merge[:, -1].mean()),
            "range_used": self.range_used,
            "middle": self.middle,
            "saturates": self.middle < SATURATED,
            "full_range": self.range_used > FULL,
        }


def _punishes(low: float, high: float) -> str:
    """What costs more, where the interval of the difference is sure of it."""
    return "merging" if low > 1e-9 else "splitting" if high < -1e-9 else "both alike"


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Curves of every measure from one clustering."""

    items: int
    clusters: int
    curves: tuple[Curve, ...]

    def __getitem__(self, measure: str) -> Curve:
        for curve in self.curves:
            if curve.measure == measure:
                return curve
        raise BadParameter(f"no curve of '{measure}'.", suggest(measure, [c.measure for c in self.curves], "Measures"))

    def rows(self, level: float = 0.95) -> list[dict[str, Any]]:
        """A row per measure and number of clusters: the mean and the band over repetitions."""
        out = []
        for curve in self.curves:
            for path, values, step in (("split", curve.split, 1), ("merge", curve.merge, -1)):
                low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
                for k, mean in enumerate(values.mean(axis=0).tolist()):
                    row = {"measure": curve.measure, "path": path, "clusters": self.clusters + step * k, "value": mean}
                    out.append({**row, "low": float(low[k]), "high": float(high[k])})
        return out

    def summary(self) -> list[dict[str, Any]]:
        """A row per measure: what merging and splitting cost, whether it saturates, whether it uses its range."""
        return [{"measure": c.measure, **c.verdict()} for c in self.curves]


def sensitivity(
    clustering: Partition | None = None,
    measures: Iterable[str] | None = None,
    *,
    repetitions: int = 100,
    seed: int = 0,
) -> Sensitivity:
    """Curves of measures from a clustering, ``{item: group}`` or one label per item; items left out are no part of it.

    Measures are names or text forms such as ``v(beta=0.5)``. Without a clustering, from a made-up one of 70 items in 15
    clusters, as many as in the paper.

    >>> found = sensitivity([0, 0, 0, 1, 1, 2, 2], ["f", "rand", "v_beta"], repetitions=5)
    >>> float(found["f"].split[0, -1]), float(found["v_beta"].merge[0, -1]), found["rand"].split.shape
    (0.0, 0.0, (5, 5))
    """
    labels = made_up() if clustering is None else two_partitions(clustering, clustering)[0]
    labels = np.unique(labels[labels >= 0], return_inverse=True)[1]
    clusters = int(labels.max(initial=-1)) + 1
    if len(labels) < 2:
        raise InputError("a clustering of at least two items is needed.")
    if repetitions < 1:
        raise BadParameter(f"repetitions={repetitions} is out of range.", "repetitions is a whole number from 1.")
    rng = stream(seed, "sensitivity")
    places = max(WORK // (len(labels) * repetitions), 2 * ENDS)
    down, up = (_looked_at(steps, places) for steps in (len(labels) - clusters + 1, clusters))
    split = np.stack([splits(labels, rng, down) for _ in range(repetitions)])
    merge = np.stack([merges(labels, rng, up) for _ in range(repetitions)])
    return Sensitivity(len(labels), clusters, tuple(_curves(labels, split, merge, down, up, _chosen(measures))))


def _looked_at(steps: int, places: int) -> Array:
    """Steps of a path at which measures are computed: all of them, or some, between which they are interpolated."""
    if steps <= places:
        return np.arange(steps)
    ends = np.concatenate([np.arange(ENDS), np.arange(steps - ENDS, steps)])
    return np.unique(np.concatenate([ends, np.linspace(0, steps - 1, max(places - 2 * ENDS, 2)).astype(np.int64)]))


def _every_step(at: Array, values: Array) -> Array:
    """A measure at every step, ``[repetition, step]``, from its values at some of them."""
    if len(at) == int(at[-1]) + 1:
        return values
    return np.stack([np.interp(np.arange(int(at[-1]) + 1), at, row) for row in values])


def made_up(items: int = 70, clusters: int = 15) -> Array:
    """A clustering of a few large and many small clusters, all of two items or more."""
    if not 1 <= clusters <= items // 2:
        raise BadParameter(f"{items} items do not make {clusters} clusters of two.", "1 <= clusters <= items / 2.")
    spare = items - 2 * clusters
    share = np.arange(1, clusters + 1) ** -STEEP
    share *= spare / share.sum()
    sizes = np.floor(share).astype(np.int64)
    sizes[np.argsort(sizes - share, kind="stable")[: spare - int(sizes.sum())]] += 1
    return np.repeat(np.arange(clusters), sizes + 2)


def _chosen(measures: Iterable[str] | None) -> list[str]:
    if measures is None:
        return list(MEASURES)
    return [name if name in MEASURES else str(MEASURE.check(name)) for name in measures]  # b_cubed stays as written


def _curves(
    labels: Array, split: Array, merge: Array, down_at: Array, up_at: Array, names: Sequence[str]
) -> Iterable[Curve]:
    """The clustering is the gold standard, what became of it is judged."""
    expected = any(settled(n)[0].expected for n in names)
    sums = []
    for paths in (split, merge):
        flat = paths.reshape(-1, len(labels))
        every = np.arange(len(flat))
        sums.append(all_sums(flat, labels[None], every, np.zeros(len(flat), np.int64), expected=expected))
    for name in names:
        measure, how = settled(name)
        low, high = measuring(name).declaration.range
        most = math.log(len(labels)) / (math.log(2) if how.get("unit") == "bits" else 1.0)
        span = 1.0 if measure.name in ABOVE_CHANCE else high - low if math.isfinite(high) else most
        down, up = (np.asarray(measure.of(s, **how)) for s in sums)
        down, up = down.reshape(split.shape[:2]), up.reshape(merge.shape[:2])
        yield Curve(name, _every_step(down_at, down), _every_step(up_at, up), span, measure.sign)


@method(
    "groupings",
    "trust",
    "sensitivity",
    range=(-1, 1),
    higher="a measure that falls more for merging than for splitting",
    default=True,
    reference="Geiss: a gold standard for sentence clustering, section 5.7",
    parameters={"repetitions": whole("random paths from each clustering", 2, 10_000)},
    relabelling=True,
    looks=lambda labels, counts, method: PATHS * labels.shape[2],
    note=Note(
        "Choosing a measure: which punishes merging unlike items more than splitting like ones?",
        "Random splits and merges are kinder than what real systems do.",
        "(mean loss by merging - mean loss by splitting, over as many operations of each) / range of the measure",
    ),
)
def panel_sensitivity(design: GroupingDesign, core: Any, *, repetitions: int = 20) -> Trusted:
    """How every measure reacts when the judges' own clusterings are split down to singletons and merged up to one.

    The value is what merging costs more than splitting, as a share of the measure's range, over as many operations.
    """
    over = core.over(design, "judges", "tasks", "tasksxjudges") if core.options.over else None
    starts = _starts(design, core)
    keys: dict[str, list[Any]] = {"measure": [], "path": [], "share": []}
    band: dict[str, list[float]] = {"low": [], "high": []}
    if not starts:
        return Trusted(keys, [], [], band, about={"clusterings": 0})
    known: dict[tuple[int, int], Sensitivity] = {}  # a row may stand for several judges
    for done, (task, judge, labels, _) in enumerate(starts):
        core.tell("sensitivity", done, len(starts))
        if (task, judge) not in known:  # a seed of its own, so that one more clustering does not change the others
            known[task, judge] = sensitivity(
                labels, repetitions=repetitions, seed=core.seed("sensitivity", task, judge)
            )
    core.tell("sensitivity", len(starts), len(starts))
    found = [known[task, judge] for task, judge, *_ in starts]
    units = {"tasks": [task for task, *_ in starts], "judges": [who for *_, who in starts]}
    drawn_by = [np.unique(units[unit], return_inverse=True)[1].ravel() for unit in over.split("x")] if over else []
    values: list[float] = []
    estimates = []
    for k, name in enumerate(c.measure for c in found[0].curves):
        curves = [f.curves[k] for f in found]
        for path in ("split", "merge"):
            drawn = np.concatenate([_on_grid(getattr(c, path)) for c in curves])
            level = core.options.level
            ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
            keys["measure"] += [name] * len(GRID)
            keys["path"] += [path] * len(GRID)
            keys["share"] += [round(float(g), 2) for g in GRID]
            values += drawn.mean(axis=0).tolist()
            band["low"] += ends[0].tolist()
            band["high"] += ends[1].tolist()
        estimates.append(_summed(name, curves, core, over, drawn_by))
    return Trusted(keys, values, estimates, band, about={"clusterings": len(found)})


def _starts(design: GroupingDesign, core: Any) -> list[tuple[int, int, Array, int]]:
    """Clusterings that can be split and merged, by task and row, and whose, at most so many, drawn at random."""
    found, most = [np.zeros((5, 0), np.int64)], 1
    for n, p in enumerate(design.parts):
        used = (p.labels >= 0).sum(axis=2)
        clusters = p.labels.max(axis=2, initial=-1) + 1  # labels are dense
        k, j = np.nonzero((clusters > 1) & (clusters < used))
        found.append(np.stack([p.tasks[k], j, np.full(len(k), n), k, np.minimum(p.counts[k, j], STARTS)]))
        most = max(most, int(used[k, j].max(initial=0)))
    task, row, part, place, times = np.concatenate(found, axis=1)
    order = np.repeat(*(x[np.lexsort((row, task))] for x in (np.arange(len(task)), times)))
    chosen = order[core.sample(len(order), min(STARTS, max(LARGE // most, 3)), "starts")]
    out = []
    for c in chosen.tolist():
        p, k, j = design.parts[part[c]], place[c], row[c]
        own = p.labels[k, j]
        out.append((int(task[c]), int(j), own[own >= 0].astype(np.int64), int(p.judges[k, j])))
    return out


def _on_grid(path: Array) -> Array:
    """Values at equal shares of the path, ``[repetition, share]``."""
    steps = np.linspace(0, 1, path.shape[1])
    at = np.clip(np.searchsorted(steps, GRID, side="right") - 1, 0, max(len(steps) - 2, 0))
    if len(steps) == 1:
        return np.repeat(path, len(GRID), axis=1)
    low, high = path[:, at], path[:, at + 1]
    return np.where(steps[at + 1] == GRID, high, (high - low) / (steps[at + 1] - steps[at]) * (GRID - steps[at]) + low)


def _summed(name: str, curves: Sequence[Curve], core: Any, over: str | None, drawn_by: Sequence[Array]) -> Any:
    """The mean verdict over clusterings; its interval over repetitions, or over clusterings when there are several.

    ``drawn_by`` has the number of each clustering's judge, or task, where these are to be drawn with all they have.
    """
    told = [c.verdict() for c in curves]
    each = np.array([t["difference"] for t in told])
    value, called = float(each.mean()), over or "clusterings"
    if len(curves) == 1 and not over:
        split, merge = curves[0].losses()
        each, called = merge - split, "repetitions"
    some = np.isfinite(each)
    units = [np.unique(number[some], return_inverse=True)[1] for number in drawn_by] or [np.arange(int(some.sum()))]
    each, interval = each[some], None
    fewest = min(int(number.max(initial=-1)) + 1 for number in units)
    if fewest > 1:
        sizes = {k: int(number.max()) + 1 for k, number in enumerate(units)}
        every = core.drawn_each(sizes, 1.0, "sensitivity", name)
        times = np.prod([often[:, number] for often, number in zip(every, units, strict=True)], axis=0)
        means = times @ each / np.maximum(times.sum(axis=1), 1)
        interval = core.interval(float(each.mean()), means[times.any(axis=1)], called, fewest, MORE)
    numbers = ("split_loss", "merge_loss", "at_singletons", "at_one", "range_used", "middle")
    labels: dict[str, Any] = {"measure": name, **{n: float(np.mean([t[n] for t in told])) for n in numbers}}
    labels["punishes"] = _punishes(interval.low, interval.high) if interval else "both alike"
    labels["saturates"] = labels["middle"] < SATURATED
    labels["full_range"] = labels["range_used"] > FULL
    return core.figure(value, labels, interval)
