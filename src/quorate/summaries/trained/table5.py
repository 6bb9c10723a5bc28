"""Metrics trained with all tasks and without those of the worst judges, tested on a third year: Table 5 of the paper.

Every cell has the correlation of systems' means with an interval, a paired test against training on everything, how
stable the choice was, and warnings. Owczarzak, Rankel, Dang, Conroy 2012.

Does training without the worst judges pay? A single Table 5 cannot tell: its cells share one collection and one set of
judges. Over collections the mean gain has an interval (Student's t, collections as units). Two comparisons: with
training on all tasks, and with training without as many *other* judges, which is the fair one: both lost as many tasks.
The study of the documentation was fixed before it was run: seeds 100 to 115, collections of 24 topics and 30 systems
with the generator's own settings, the worst judge of each year left out, and one statistic: the mean over collections
of the mean difference of all metrics against training on all tasks. "Not worse" means that the lower end of its 95 %
interval is above -0.01. The other figures are shown, not tested.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from quorate.document.blocks import Block, Column, Text, with_notes
from quorate.document.pivot import pivot
from quorate.errors import BadParameter
from quorate.inference.estimate import Estimate
from quorate.inference.intervals import interval_of_kind, student_of_mean
from quorate.inference.weights import crossed, stream
from quorate.kernels.correlations import COEFFICIENTS
from quorate.kernels.streams import sample
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import by_criterion
from quorate.scores.metric_correlations import correlation, masked, resampled, units_of
from quorate.scores.metric_differences import permutation_test, williams
from quorate.scores.worst_judges import worst_first
from quorate.summaries.declarations import METRIC
from quorate.summaries.trained import lock
from quorate.summaries.trained.campaign import CRITERIA
from quorate.summaries.trained.features import FEATURES
from quorate.summaries.trained.metric import Metric, refit
from quorate.summaries.trained.search import Progress, search, stability
from quorate.summaries.trained.year import PARTS, POPULATIONS, Sheet, Year, read_year
from quorate.summaries.units.made_up import MadeUp

WAYS = {"pyramid": ("alpha", "gap"), "responsiveness": ("alpha",), "readability": ("alpha",)}
# What each version predicts, and how. That there are two of responsiveness the paper prints, how they differ it does
# not say: here the second is the mix of features that goes best with all human scores together.
VERSIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "CLASSY1": ("pyramid", {}),
    "CLASSY2": ("responsiveness", {}),
    "CLASSY4": ("responsiveness", {"fits": ("canonical",), "responses": CRITERIA}),
    "CLASSY3": ("readability", {}),
}
STUDIED = ("CLASSY1", "CLASSY2", "CLASSY3")  # versions of the study over collections, one for each target


def worst_judges(year: Year, criterion: str, by: str) -> list[tuple[str, float]]:
    """Judges of a year from worst to best, by alpha over identical summaries or by manual minus automatic scores."""
    METRIC["by"].check(by)
    panel = year.panel if by == "alpha" else year.gaps
    units = next((u for u in by_criterion(panel) if u.criterion in (criterion, None)), None)
    if units is None:
        raise BadParameter(f"no order of judges by {by} on {criterion}.", "alpha; on pyramid also gap.")
    found = worst_first(OutputDesign.made(panel, units), by, "tasks")
    return [(str(panel.judges[j]), float(found.value[j])) for j in found.order]


@dataclass(frozen=True, eq=False)
class Trained:
    """A metric with how it was trained: by which judges' tasks being left out (None: all tasks), and how stably.

    ``controls`` are trained without as many other judges drawn at random: fewer tasks alone move a choice.
    """

    metric: Metric
    by: str | None
    stable: Mapping[str, Any]
    controls: tuple[Metric, ...] = ()
    version: str = ""

    @property
    def cell(self) -> tuple[str, str, str, str]:
        """Where it stands in the table: version, target, part and population."""
        return self.version, self.metric.target, self.metric.part, self.metric.population


def train(
    years: tuple[Year, Year],
    sheets: tuple[Sheet, Sheet],
    target: str,
    *,
    by: str | None = None,
    drop: int = 1,
    controls: int = 0,
    again: int = 200,
    seed: int = 0,
    **how: Any,
) -> Trained:
    """Choose and fit a metric on two years, with all tasks or without those of the ``drop`` worst judges of each."""
    dropped: dict[str, list[str]] = {}
    if by is not None:
        if drop < 1:
            raise BadParameter(f"drop={drop} drops nobody.", "a whole number from 1.")
        dropped = {y.name: [j for j, _ in worst_judges(y, target, by)[:drop]] for y in years}
    metric, stable = _trained(years, sheets, target, by, dropped, again, seed, how)
    rng = stream(seed, "other judges", target, by, sheets[0].part, sheets[0].population)
    beside = []
    for _ in range(controls if by is not None else 0):
        others = {s.year: sorted(set(s.judges) - set(dropped[s.year])) for s in sheets}
        if min(map(len, others.values())) <= drop:
            break  # nobody would be left to train on
        drawn = {y: sorted(str(some[k]) for k in sample(rng, len(some), drop).tolist()) for y, some in others.items()}
        beside.append(_trained(years, sheets, target, "random", drawn, 0, seed, how)[0])
    return Trained(metric, by, stable, tuple(beside))


def _trained(
    years: tuple[Year, Year],
    sheets: tuple[Sheet, Sheet],
    target: str,
    by: str | None,
    dropped: Mapping[str, list[str]],
    again: int,
    seed: int,
    how: dict[str, Any],
) -> tuple[Metric, dict[str, Any]]:
    first, second = (s.without(dropped[s.year]) if dropped else s for s in sheets)
    found = search(first, second, target, seed=seed, **how)
    stable = stability(found, second, again, seed) if again else {}
    about: dict[str, Any] = {"fitted_on": first.year, "dropped_by": by, "dropped_judges": dict(dropped), "seed": seed}
    about["seen"] = (years[0].seen | years[1].seen).to_dict()
    about["stability"] = {k: stable[k] for k in ("draws", "same") if k in stable}
    more = {"responses": how["responses"]} if "responses" in how else {}
    year = years[1]
    found = replace(found, notes=(*found.notes, *_nobody(dropped, by)))
    return refit(found, second, stem=year.stem, limit=year.limit, provenance=about, **more), stable


def _nobody(dropped: Mapping[str, list[str]], by: str | None) -> list[str]:
    """Years of which nobody was left out, because there is nothing to order judges by."""
    none = [year for year, judges in dropped.items() if not judges]
    return [f"{', '.join(none)}: no judge has a value by {by}, so that none was left out"] if none else []


def train_all(
    first: Year,
    second: Year,
    *,
    criteria: Sequence[str] = CRITERIA,
    versions: Sequence[str] = tuple(VERSIONS),
    parts: Sequence[str] = tuple(PARTS),
    populations: Sequence[str] = POPULATIONS,
    features: Sequence[str] | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> list[Trained]:
    """Every metric of the table: by version, population and part, with all tasks and without the worst judges'."""
    out = []
    places = [(p, q) for p in populations for q in parts]
    for done, (population, part) in enumerate(places):
        if progress:
            progress("training", done, len(places))
        sheets = (first.sheet(part, population, features), second.sheet(part, population, features))
        for version, (target, more) in VERSIONS.items():
            if version in versions and target in criteria:
                ways: tuple[str | None, ...] = (None, *WAYS[target])
                made = (train((first, second), sheets, target, by=by, **{**how, **more}) for by in ways)
                out += [replace(t, version=version) for t in made]
    return out


def evaluate(
    metric: Metric,
    sheet: Sheet,
    *,
    resamples: int = 500,
    seed: int = 0,
    resample: str = "both",
    kind: str = "percentile",
) -> dict[str, Any]:
    """How a metric goes with the judges' scores of systems on a year it has not seen.

    The interval of Pearson's r is by drawing systems, tasks (``inputs``) or ``both``. Drawing tasks adds noise, so that
    r may lie above its own interval: ``bootstrap_mean`` says where they lie; ``corrected``, ``centred`` allow for it.
    """
    x, z = masked(metric.table(sheet), sheet.y[:, :, sheet.criterion(metric.target)])
    out: dict[str, Any] = {c: correlation(x, z, "system", c) for c in COEFFICIENTS}
    times = crossed(seed, resample, *x.shape, resamples)
    drawn = resampled(x, z, "system", "pearson", *times) if resamples else np.empty(0)
    by = {"both": "systems and tasks", "inputs": "tasks"}.get(resample, resample)
    units = units_of(resample, *x.shape)
    inside = interval_of_kind(kind, out["pearson"], drawn, level=0.95, over=by, units=units, range=(-1.0, 1.0))
    known = drawn[np.isfinite(drawn)]
    out |= {"interval": inside.ends if inside else None, "interval_by": by if inside else None}
    out["bootstrap_mean"] = float(known.mean()) if len(known) else None
    systems = int((~np.isnan(x)).any(axis=0).sum())
    return {**out, "systems": systems, "tasks": int((~np.isnan(x)).any(axis=1).sum())}


def compare(one: Metric, other: Metric, sheet: Sheet, *, permutations: int = 1000, seed: int = 0) -> dict[str, float]:
    """The difference of two metrics' Pearson correlations on one year, with Williams' p and that of swapped systems."""
    z = sheet.y[:, :, sheet.criterion(one.target)]
    x, y = one.table(sheet), other.table(sheet)
    gone = np.isnan(x) | np.isnan(y) | np.isnan(z)
    x, y, z = (np.where(gone, np.nan, t) for t in (x, y, z))
    r = [correlation(a, b, "system", "pearson") for a, b in ((x, z), (y, z), (x, y))]
    systems = int((~gone).any(axis=0).sum())
    # Two metrics that are one have nothing to test.
    p = 1.0 if r[2] > 1 - 1e-12 else permutation_test(x, y, z, permutations=permutations, seed=seed)
    wp = 1.0 if r[2] > 1 - 1e-12 else williams(r[0], r[1], r[2], systems)[1]
    return {"difference": r[0] - r[1], "williams_p": wp, "permutation_p": p}


def rows(trained: Sequence[Trained], test: Year, *, seed: int = 0, **how: Any) -> Iterator[dict[str, Any]]:
    """A row for each metric: what it was trained for, its test correlations, and the tests against all tasks."""
    whole = {t.cell: t.metric for t in trained if t.by is None}
    sheets: dict[tuple[str, str], Sheet] = {}
    for t in trained:
        m = t.metric
        place = (m.part, m.population)
        if place not in sheets:
            here = [o for o in trained if (o.metric.part, o.metric.population) == place]
            wanted = {f for o in here for each in (o.metric, *o.controls) for f in each.features}
            sheets[place] = test.sheet(*place, sorted(wanted))
        sheet = sheets[place]
        row: dict[str, Any] = {"version": t.version, "target": m.target}
        row["training"] = "all" if t.by is None else f"new ({t.by})"
        row |= {"population": m.population, "part": m.part, **evaluate(m, sheet, seed=seed)}
        row |= {"fit": m.fit, "features": list(m.features), "chosen_value": m.provenance["chosen_value"]}
        row |= {"dropped": m.provenance["dropped_judges"], "same_choice": t.stable.get("same")}
        if t.by is not None and t.cell in whole:
            row |= compare(m, whole[t.cell], sheet, seed=seed, **how)
        if t.controls:
            beside = [evaluate(c, sheet, resamples=0)["pearson"] for c in t.controls]
            row |= {"random": float(np.mean(beside)), "random_range": [min(beside), max(beside)]}
        yield {**row, "warnings": m.provenance["notes"]}


def blocks(found: Sequence[Mapping[str, Any]]) -> list[Block]:
    """The table for people: a sentence, then the correlations."""
    new = [r for r in found if r.get("difference") is not None]  # none where a metric says the same of every system
    better = sum(r["difference"] > 0 for r in new)
    sure = sum(r["permutation_p"] is not None and r["permutation_p"] < 0.05 for r in new)
    said = f"Without the worst judges' tasks in training, {better} of {len(new)} metrics correlate better with the "
    said += f"judges on the test year; {sure} of the differences have p below 0.05 (by swapping systems, each alone)."
    again = sorted(r["same_choice"] for r in found if r["same_choice"] is not None)
    if again:
        said += f" On resampled tasks the same features and fit are chosen in {again[len(again) // 2]:.0%} of draws "
        said += f"(median of {len(again)} metrics; {again[0]:.0%} to {again[-1]:.0%})."
    keys = [Column("version", "version"), Column("target", "target"), Column("training", "training")]
    figures = (
        Column("pearson", "r", "figure"),
        Column("interval", "95% CI", "interval", minor=1),
        Column("permutation_p", "p", "p"),
        Column("random", "others out", "figure", "as many other judges left out"),
    )
    entries = (
        (
            (r["version"], r["target"], r["training"]),
            f"{r['population']} {r['part']}",
            {c: r.get(c.key) for c in figures},
        )
        for r in found
    )
    table = pivot("Pearson's correlation of systems on the test year", keys, entries)
    notes = list(dict.fromkeys(n for r in found for n in r["warnings"]))
    return with_notes([Text((said,), "lead"), table], notes[:8])


MARGIN = 0.01  # of a correlation: a mean loss below this is taken for none
SLOW = ("rouge_l", "rouge_w")  # cost more than all other features together, and say what rouge_1 and rouge_2 say
BESIDES = {"all": "training on all tasks", "random": "training without as many other judges"}


def told(gain: Estimate) -> str:
    """A gain in words: better where the whole interval is above 0, not worse where it is above the margin."""
    about = f" of {gain.labels['target']}" if gain.labels["target"] else ""
    low, high = gain.ends or (math.nan, math.nan)
    said = f"Metrics{about} trained without the worst judges gain {gain.value:+.4f} ({low:+.4f} to {high:+.4f}, "
    said += f"{gain.n} collections) against {BESIDES[gain.labels['beside']]}: "
    return said + ("better." if low > 0 else f"not worse by {MARGIN}." if low > -MARGIN else "not shown.")


def gains(tables: Sequence[Sequence[Mapping[str, Any]]], level: float = 0.95) -> list[Estimate]:
    """The mean difference in Pearson's correlation on the test year over collections: of all metrics, then by target.

    ``tables`` holds the rows of each Table 5; labels are the ``target`` ("" for all) and what it is held against.

    >>> row = {"target": "pyramid", "training": "new (alpha)", "pearson": 0.9, "difference": 0.02, "random": 0.87}
    >>> first = gains([[row], [{**row, "difference": 0.04}]])[0]
    >>> first.labels["beside"], round(first.value, 3), told(first).split()[-1]
    ('all', 0.03, 'shown.')
    """
    kept = [[r for r in rows if "difference" in r] for rows in tables]
    targets = list(dict.fromkeys(str(r["target"]) for rows in kept for r in rows))
    out = []
    for target in ("", *targets):
        for beside in BESIDES:
            means = [_mean([r for r in rows if target in ("", r["target"])], beside) for rows in kept]
            known = np.array([m for m in means if not math.isnan(m)])
            inside = student_of_mean(known, level=level, over="collections")
            labels = {"target": target, "beside": beside}
            out.append(Estimate(float(known.mean()) if len(known) else math.nan, inside, labels=labels, n=len(known)))
    return out


def _mean(rows: Sequence[Mapping[str, Any]], beside: str) -> float:
    found = [r["difference"] if beside == "all" else _less(r["pearson"], r.get("random")) for r in rows]
    known = [d for d in found if d is not None and not math.isnan(d)]
    return float(np.mean(known)) if known else math.nan


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def table_5(made: MadeUp, *, size: int = 2, controls: int = 3, seed: int = 0, **how: Any) -> list[dict[str, Any]]:
    """The rows of Table 5 on a made-up collection: three years, the last one locked until the metrics are written."""
    how = {"features": [f for f in FEATURES if f not in SLOW], "versions": STUDIED, "again": 0, **how}
    with tempfile.TemporaryDirectory() as place:
        made.write(place)
        folders = [Path(place, str(y)) for y in made.year_names()]
        years = [read_year(f) for f in folders[:2]]
        trained = train_all(years[0], years[1], size=size, controls=controls, seed=seed, **how)
        choice = Path(place, "choice.json")
        lock.write(choice, {"metrics": [t.metric.body() for t in trained]})
        test = lock.Sealed(lambda: read_year(folders[2])).open(choice)
        return list(rows(trained, test, seed=seed, permutations=1))  # the collections are the test here
