"""How much do the judges agree on their scores?

Krippendorff's alpha (:mod:`~quorate.scores.alpha`), intraclass correlations (:mod:`~quorate.scores.icc`), coefficients
for categories (:mod:`~quorate.scores.chance_corrected`) and Kendall's W (:mod:`~quorate.scores.concordance`). Higher is
more agreement throughout. Criteria are apart: each has its own figure over all units and one per task. Of a judge's
repeats the first is compared with the other judges; all of them with one another in ``self_agreement``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import Chance, stream
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.scores.alpha import alpha, alpha_without, by_group, coefficient
from quorate.scores.chance_corrected import cohen, fleiss, gwet, percent, percent_by_group
from quorate.scores.coefficient import Coefficient
from quorate.scores.concordance import kendall_w
from quorate.scores.icc import icc
from quorate.scores.icc_by_task import icc_by_task
from quorate.scores.labels import fitting
from quorate.scores.units import Units, by_criterion, criteria, repeats
from quorate.table import Method
from quorate.words.numbers import two
from quorate.words.wording import on, voters

__all__ = ["alpha", "alpha_without", "answer", "cohen", "fleiss", "gwet", "icc", "kendall_w", "percent"]

Array = NDArray[Any]
DEALT = 5 * 10**6  # values dealt anew for what chance gives, about
INTERVALS = 200  # tasks up to which each has an interval of its own
ENOUGH = 500  # resamples for that
FEW = 20  # units, below which an interval over them is rough
LEAST = (0.667, 0.8)  # Krippendorff's thresholds: tentative conclusions, and reliable ones
VOTES = "votes count from both sides; intervals and chance draw the two sides of a pair together"
COUNTS = ("alpha", "percent", "fleiss", "gwet")  # know of a row that stands for several judges


def answer(panel: Scores, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every criterion: over all units with its interval and what chance gives, and per task."""
    parts = by_criterion(panel)
    methods, left = fitting(panel, "agreement", methods)
    votes = "shown" in panel.labels and "system" in panel.labels  # each vote is there from both sides
    options.tell("agreement", 0, len(methods) + 1)
    found = [[m(units) for units in parts] for m in methods]
    chances = [_chances(u, methods, [of[k].value for of in found], options, votes) for k, u in enumerate(parts)]
    findings = []
    for done, method in enumerate(methods):
        options.tell("agreement", done + 1, len(methods) + 1)
        by_chance = [of[done] for of in chances]
        findings.append(_finding(parts, method, found[done], by_chance, options, votes))
    options.tell("agreement", len(methods) + 1, len(methods) + 1)
    more = self_agreement(panel, methods, options)
    return Answer(
        "scores",
        "agreement",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, parts, findings, more)),
        (*panel.notes, *left, *([VOTES] if votes else []), *_notes(panel, parts, findings)),
        {"self_agreement": more} if more else {},
    )


def _finding(
    parts: Sequence[Units],
    method: Method,
    coefficients: Sequence[Coefficient],
    chances: Sequence[Chance | None],
    options: Options,
    votes: bool,
) -> Finding:
    keys: dict[str, list[Any]] = {"task": []} | ({"criterion": []} if _named(parts) else {})
    values: list[float] = []
    details: dict[str, list[Any]] = {}
    overall = []
    few = 1 < max(len(np.unique(u.task)) for u in parts) <= INTERVALS
    for units, found, chance in zip(parts, coefficients, chances, strict=True):
        name = {"criterion": units.criterion} if _named(parts) else {}
        rng = stream(options.seed, "interval", method, units.criterion)
        sides = _sides(units) if votes else None
        known = method.declaration.range
        interval = found.interval(rng, options.level, options.resamples, blocks=sides, seed=options.seed, range=known)
        overall.append(Overall(found.value, interval, chance, {**name, **found.details}))
        around = _task_intervals(units, method, options, votes) if few else None
        for task, value, told in _tasks(units, method):
            keys["task"].append(units.tasks[task])
            if name:
                keys["criterion"].append(units.criterion)
            values.append(value)
            for n, v in (told | ({} if around is None else {"interval": around.get(task)})).items():
                details.setdefault(n, []).append(v)
    return Finding(method, keys, values, details, tuple(overall))


def _named(parts: Sequence[Units]) -> bool:
    return parts[0].criterion is not None or len(parts) > 1


def _tasks(units: Units, method: Method) -> Sequence[tuple[int, float, dict[str, Any]]]:
    """Code, value and details of every task; of the methods that can, of all tasks at once."""
    codes, group = np.unique(units.task, return_inverse=True)
    group, size = group.ravel(), len(codes)
    more: Sequence[dict[str, Any]] = [{}] * size
    if method.name == "alpha":
        values = by_group(units, group, size, str(method["level"]))
    elif method.name == "percent":
        values = percent_by_group(units, group, size, float(str(method["tolerance"])))
    elif method.name == "icc" and method["model"] != 1:
        values, more = icc_by_task(units, int(str(method["model"])), str(method["unit"]))
    else:
        found = [(task, method(part)) for task, part in units.by_task()]
        return [(task, c.value, dict(c.details)) for task, c in found]
    n = units.held
    pairs, single = np.bincount(group, n > 1, size), np.bincount(group, n == 1, size)
    seen, place = np.unique(group[units.unit] * np.int64(len(units.judges)) + units.judge, return_inverse=True)
    behind = np.zeros(len(seen))
    np.maximum.at(behind, place.ravel(), units.mass)
    judges = np.bincount(seen // max(len(units.judges), 1), behind, size)
    counts = (x.astype(np.int64).tolist() for x in (pairs, single, judges, np.bincount(group, n, size)))
    columns = zip(codes.tolist(), values.tolist(), *counts, more, strict=True)
    return [
        (task, value, {"units": p, "single": s, "judges": j, "values": h, **told})
        for task, value, p, s, j, h, told in columns
    ]


def _sides(units: Units) -> Array:
    """The pair that each unit is a side of, numbered from 0."""
    pair = units.task * np.int64(int(units.item.max(initial=0)) + 1) + units.item
    return np.unique(pair, return_inverse=True)[1].ravel()


def _task_intervals(units: Units, method: Method, options: Options, votes: bool) -> dict[int, list[float] | None]:
    """The interval of every task by its code, over its units."""
    out: dict[int, list[float] | None] = {}
    for task, part in units.by_task():
        rng = stream(options.seed, "task", method, units.criterion, units.tasks[task])
        blocks = _sides(part) if votes else None
        number, known = min(options.resamples, ENOUGH), method.declaration.range
        ends = method(part).interval(rng, options.level, number, blocks=blocks, range=known)
        out[task] = None if ends is None else [ends.low, ends.high]
    return out


def _chances(
    units: Units, methods: Sequence[Method], seen: Sequence[float], options: Options, votes: bool
) -> list[Chance | None]:
    """Each judge's values dealt anew among the units that judge scored: the mean, and how often it gets that far.

    All methods see the same deals.
    """
    asked = [k for k, value in enumerate(seen) if not math.isnan(value)]
    if options.permutations < 1 or not asked:
        return [None] * len(methods)
    rng = stream(options.seed, "chance", units.criterion)
    number = int(min(options.permutations, max(DEALT // max(len(units), 1), 20)))
    mine = [rows for rows in units.by_judge() if len(rows) > 1]  # one value can be dealt in one way only
    drawn: list[list[float]] = [[] for _ in methods]
    for _ in range(number):
        value = units.value.copy()
        for rows in mine:
            if votes and len(rows) % 2 == 0:  # the two sides of a vote stay together
                rows = rows.reshape(-1, 2)
            value[rows] = rng.permutation(value[rows])
        dealt = replace(units, value=value)
        for k in asked:
            drawn[k].append(methods[k](dealt).value)
    return [_chance(value, np.array(of)) for value, of in zip(seen, drawn, strict=True)]


def _chance(seen: float, drawn: Array) -> Chance | None:
    known = drawn[np.isfinite(drawn)]
    if not len(known):
        return None
    reached = int((known >= seen - 1e-12).sum())
    return Chance(float(known.mean()), (reached + 1) / (len(known) + 1), len(known))


def self_agreement(panel: Scores, methods: Sequence[Method], options: Options) -> list[dict[str, Any]]:
    """How much judges agree with themselves on units they scored more than once: alpha, judge by judge."""
    levels = list(dict.fromkeys(str(m["level"]) for m in methods if m.name == "alpha"))
    levels = levels or ["interval" if not panel.scale else "ordinal" if panel.ordered else "nominal"]
    out = []
    for criterion, rows in criteria(panel):
        for judge, unit, mine in repeats(panel, rows):
            size, nobody = int(unit.max()) + 1, np.zeros(len(unit), np.int64)
            units = Units(unit, nobody, panel.value[mine], size, ("",), np.zeros(size, np.int64), np.arange(size))
            for level in levels:
                found = coefficient(units, level)
                rng = stream(options.seed, "self-agreement", level, criterion, panel.judges[judge])
                ends = found.interval(rng, options.level, options.resamples)
                row = {"judge": panel.judges[judge]} | ({} if criterion is None else {"criterion": criterion})
                row |= {"method": f"alpha(level={level})", "value": found.value, "units": size}
                out.append({**row, "interval": None if ends is None else [ends.low, ends.high]})
    return out


# -- in words ----------------------------------------------------------------------------------------------------------


def _notes(panel: Scores, parts: Sequence[Units], findings: Sequence[Finding]) -> list[str]:
    notes = []
    missing = int(np.isnan(panel.value).sum())
    if missing:
        notes.append(f"{many(missing, 'missing score')} left out")
    again = sum(
        len(mine) - int(unit.max()) - 1 for _, rows in criteria(panel) for _, unit, mine in repeats(panel, rows)
    )
    if again:
        verb = "is" if again == 1 else "are"
        notes.append(f"{many(again, 'repeat')} {verb} not compared with other judges; see self-agreement")
    for units in parts:
        notes += _about(units, f" on {units.criterion}" if _named(parts) else "", panel.scale)
    if any(u.count is not None for u in parts):
        apart = [str(f.method) for f in findings if not _counts(f.method)]
        if apart:
            notes.append(f"{', '.join(apart)}: a row that stands for several judges is taken as one")
    for f in findings:
        undefined = sum(1 for v in f.values if math.isnan(v))
        if undefined and len(f.values) > 1:
            notes.append(f"{f.method}: undefined {on(undefined, len(f.values))}")
        for o in f.overall:
            if "complete_units" in o.labels and o.labels["complete_units"] < o.labels["units"]:
                where = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
                notes.append(_incomplete(f.method, o, where))
            if o.labels.get("pairs_sampled"):
                notes.append(f"{f.method}: over {o.labels['pairs']:,} pairs of judges drawn at random")
    return list(dict.fromkeys(notes))


def _counts(method: Method) -> bool:
    """Whether a method knows of a row that stands for several judges."""
    return method.name in COUNTS or (method.name == "icc" and method["model"] == 1)


def _incomplete(method: Method, o: Overall, where: str) -> str:
    used, of = o.labels["complete_units"], o.labels["units"]
    return f"{method}{where}: rests on the {used:,} of {of:,} units that every judge scored"


def _about(units: Units, where: str, scale: Sequence[Any] = ()) -> list[str]:
    notes = []
    n = units.held
    single = int((n == 1).sum())
    if single:
        some = "every unit" if single == units.size else f"{single:,} of {many(units.size, 'unit')}"
        has = "has" if single in (1, units.size) else "have"
        notes.append(f"{some}{where} {has} one score only: there is nothing to agree with")
    if len(units) and (units.value == units.value[0]).all():
        same = f"'{scale[int(units.value[0])]}'" if scale else f"{units.value[0]:g}"
        notes.append(f"no variation{where}: every score is {same}, so agreement beyond chance is undefined")
    elif 1 < int((n > 1).sum()) < FEW:
        notes.append(f"{int((n > 1).sum())} units{where} are few: the intervals are rough")
    return notes


def _sentences(
    panel: Scores, parts: Sequence[Units], findings: Sequence[Finding], repeated: Sequence[dict[str, Any]]
) -> list[str]:
    size = max((u.size for u in parts), default=0)
    tasks = f" on {many(len(panel.tasks), 'task')}" if len(panel.tasks) > 1 else ""
    by = f" by {len(parts)} criteria" if len(parts) > 1 else ""
    out = [f"{many(voters(panel), 'judge')} scored {many(size, 'unit')}{tasks}{by}."]
    alphas = [f for f in findings if f.method.name == "alpha"]
    for f in alphas:
        level = f" ({f.method['level']})" if len(alphas) > 1 else ""
        out += [_say_alpha(o, level) for o in f.overall[:6]]
    if any(not math.isnan(o.value) and o.labels["units"] > 1 for f in alphas for o in f.overall):
        out.append(f"(Krippendorff asks for {LEAST[0]}, for reliable data for {LEAST[1]}.)")
    if repeated:
        judges = {r["judge"] for r in repeated}
        out.append(
            f"{many(len(judges), 'judge')} scored some units more than once: {_say_own(repeated)}see self-agreement."
        )
    return out


def _say_own(repeated: Sequence[dict[str, Any]]) -> str:
    """How far judges agree with themselves, from the least to the most."""
    known = sorted((r for r in repeated if not math.isnan(r["value"])), key=lambda r: r["value"])
    if not known:
        return "their alpha with themselves is undefined; "
    ends = [f"{two(r['value'])} ({r['judge']}{', ' + str(r['criterion']) if 'criterion' in r else ''})" for r in known]
    return f"with themselves they have alpha {ends[0]}{f' to {ends[-1]}' if len(ends) > 1 else ''}; "


def _say_alpha(o: Overall, level: str = "") -> str:
    where = level + (f" on {o.labels['criterion']}" if "criterion" in o.labels else "")
    if math.isnan(o.value):
        return f"Alpha{where} is undefined: " + (
            "the scores do not vary." if o.labels["units"] else "no unit has two scores."
        )
    ends = f" ({two(o.interval.low)} to {two(o.interval.high)})" if o.interval else ""
    low, high = LEAST
    if o.labels["units"] == 1:
        return f"Alpha{where} is {two(o.value)}, as of any single unit: it tells nothing."
    said = "reliable" if o.value >= high else "for tentative conclusions" if o.value >= low else "low"
    if o.interval and o.value >= low > o.interval.low:
        said += f", but its interval reaches below {low}"
    return f"Alpha{where} is {two(o.value)}{ends}: {said}."
