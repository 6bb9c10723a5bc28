"""What the agreement of scores is, in words: sentences, and notes on what a reader must know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.panel.score_design import VALUES
from quorate.panel.units import Units, by_criterion, criteria, repeats
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.generic import between
from quorate.words.limits import fewer_draws
from quorate.words.numbers import two
from quorate.words.scores_labels import left_out
from quorate.words.wording import on, voters

FEW = 20  # units, below which an interval over them is rough
LEAST = (0.667, 0.8)  # Krippendorff's thresholds: tentative conclusions, and reliable ones
COUNTS = ("alpha", "percent", "fleiss", "gwet")  # know of a row that stands for several judges
VOTES = "votes count from both sides; intervals and chance draw the two sides of a pair together"
SHOWN = 6  # criteria that sentences speak of

COMPONENTS = {"unit": "units", "judge": "judges", "residual": "what is left"}  # of the variance


def notes(panel: Scores, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    parts, out = by_criterion(panel), [*panel.notes, *left_out(panel, answer.left)]
    if "shown" in panel.labels and "system" in panel.labels:
        out.append(VOTES)
    missing = int(np.isnan(panel.value).sum())
    if missing:
        out.append(f"{many(missing, 'missing score')} left out")
    again = sum(
        len(mine) - int(unit.max()) - 1 for _, rows in criteria(panel) for _, unit, mine in repeats(panel, rows)
    )
    if again:
        verb = "is" if again == 1 else "are"
        out.append(f"{many(again, 'repeat')} {verb} not compared with other judges; see self-agreement")
    for units in parts:
        out += _about(units, "" if units.criterion is None else f" on {units.criterion}", panel.scale)
    if any(u.count is not None for u in parts):
        apart = [str(f.method) for f in answer.findings if not _counts(f.method)]
        if apart:
            out.append(f"{', '.join(apart)}: a row that stands for several judges is taken as one")
    many_values = any(len(u) > VALUES for u in parts)
    if many_values and any(o.null for f in answer.findings for o in f.overall):
        out.append(f"chance and p are from about {VALUES:,} scores of units drawn at random")
    for f in answer.findings:
        out += _limits(f)
    return list(dict.fromkeys(out + fewer_draws(answer)))


def _limits(f: Finding) -> list[str]:
    """What a method could not use, or only in part."""
    out = []
    undefined = sum(1 for v in f.values if math.isnan(v))
    if undefined and len(f.values) > 1:
        out.append(f"{f.method}: undefined {on(undefined, len(f.values))}")
    for o in f.overall:
        if o.labels.get("components"):
            if not math.isnan(o.value):
                shares = ", ".join(f"{two(v)} of {COMPONENTS[name]}" for name, v in o.labels["components"].items())
                out.append(f"{f.method}{_on(o)}: judges scored different units, so it rests on variances: {shares}")
        elif "complete_units" in o.labels and o.labels["complete_units"] < o.labels["units"]:
            used, of = o.labels["complete_units"], o.labels["units"]
            out.append(f"{f.method}{_on(o)}: rests on the {used:,} of {of:,} units that every judge scored")
        if o.labels.get("pairs_sampled"):
            out.append(f"{f.method}: over {o.labels['pairs']:,} pairs of judges drawn at random")
    return out


def _on(o: Overall) -> str:
    return f" on {o.labels['criterion']}" if "criterion" in o.labels else ""


def _counts(method: Method) -> bool:
    """Whether a method knows of a row that stands for several judges."""
    return method.name in COUNTS or (method.name == "icc" and method["model"] == 1)


def _about(units: Units, where: str, scale: Sequence[Any]) -> list[str]:
    """That units have one score, that scores do not vary, or that units are few."""
    out = []
    held = units.held
    single, shared = int((held == 1).sum()), int((held > 1).sum())
    if single:
        some = "every unit" if single == units.size else f"{single:,} of {many(units.size, 'unit')}"
        has = "has" if single in (1, units.size) else "have"
        out.append(f"{some}{where} {has} one score only: there is nothing to agree with")
    if len(units) and (units.value == units.value[0]).all():
        same = f"'{scale[int(units.value[0])]}'" if scale else f"{units.value[0]:g}"
        out.append(f"no variation{where}: every score is {same}, so agreement beyond chance is undefined")
    elif 1 < shared < FEW:
        out.append(f"{shared} units{where} are few: the intervals are rough")
    return out


def facts(panel: Scores, answer: Answer) -> list[Fact]:
    """How much the judges agree, for people who read no table."""
    parts, repeated = by_criterion(panel), answer.more.get("self_agreement", ())
    size = max((u.size for u in parts), default=0)
    tasks = f" on {many(len(panel.tasks), 'task')}" if len(panel.tasks) > 1 else ""
    by = f" by {len(parts)} criteria" if len(parts) > 1 else ""
    out = [Fact("size", f"{many(voters(panel), 'judge')} scored {many(size, 'unit')}{tasks}{by}.")]
    alphas = [f for f in answer.findings if f.method.name == "alpha"]
    for f in alphas:
        level = f" ({f.method['level']})" if len(alphas) > 1 else ""
        method = str(f.method)
        out += [
            Fact("agreement", _say_alpha(o, level), {"method": method, "estimate": o, "interval": True})
            for o in f.overall[:SHOWN]
        ]
    if any(not math.isnan(o.value) and o.labels["units"] > 1 for f in alphas for o in f.overall):
        asks = f"(Krippendorff asks for {LEAST[0]}, for reliable data for {LEAST[1]}.)"
        out.append(Fact("agreement", asks, expert=True))
    out += [Fact("agreement", said, row) for row, said in _say_kinds(answer)]
    out += _say_confused(answer)
    if repeated:
        judges = many(len({r["judge"] for r in repeated}), "judge")
        said = f"{judges} scored some units more than once: {_say_own(repeated)}see self-agreement."
        out.append(Fact("repeats", said))
    return out


def _say_kinds(answer: Answer) -> list[tuple[dict[str, Any], str]]:
    """Agreement of people, of models and across, criterion by criterion."""
    out = []
    for row in answer.more.get("by_kind", ())[: 3 * SHOWN]:
        of = {"people": "People agree with one another", "models": "Models agree with one another"}
        who = of.get(row["judges"], "Models agree with people")
        on = f" on {row['criterion']}" if "criterion" in row else ""
        ends = f" ({two(row['interval'][0])} to {two(row['interval'][1])})" if row["interval"] else ""
        if not math.isnan(row["value"]):
            out.append((row, f"{who}{on}: alpha {two(row['value'])}{ends}."))
    return out


def _say_confused(answer: Answer) -> list[Fact]:
    """The two labels that are confused most, on each criterion."""
    first: dict[Any, dict[str, Any]] = {}
    for row in answer.more.get("confused", ()):
        first.setdefault(row.get("criterion"), row)
    return [
        Fact(
            "confused",
            f"Most confused{f' on {name}' if name is not None else ''}: {row['label']} and {row['other_label']}. "
            f"Where one judge says {row['label']}, {row['of_label']:.0%} of the others say {row['other_label']}.",
            row,
        )
        for name, row in [*first.items()][:SHOWN]
    ]


def _say_own(repeated: Sequence[dict[str, Any]]) -> str:
    """How far judges agree with themselves, from the least to the most."""
    known = sorted((r for r in repeated if not math.isnan(r["value"])), key=lambda r: r["value"])
    if not known:
        return "their alpha with themselves is undefined; "
    ends = [f"{two(r['value'])} ({r['judge']}{', ' + str(r['criterion']) if 'criterion' in r else ''})" for r in known]
    return f"with themselves they have alpha {ends[0]}{f' to {ends[-1]}' if len(ends) > 1 else ''}; "


def _say_alpha(o: Overall, level: str = "") -> str:
    where = level + _on(o)
    if math.isnan(o.value):
        why = "the scores do not vary" if o.labels["units"] else "no unit has two scores"
        return f"Alpha{where} is undefined: {why}."
    low, high = LEAST
    if o.labels["units"] == 1:
        return f"Alpha{where} is {two(o.value)}, as of any single unit: it tells nothing."
    said = "reliable" if o.value >= high else "for tentative conclusions" if o.value >= low else f"below {low}"
    if o.interval and o.value >= low > o.interval.low:
        said += f", but its interval reaches below {low}"
    return f"Alpha{where} is {two(o.value)}{between(o)}: {said}."
