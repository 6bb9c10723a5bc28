"""Who is off? Each judge of scores by several lights, worst first.

Level, noise and step with the others (:mod:`~quorate.scores.judge_effects`), use of the scale and drift
(:mod:`~quorate.scores.scale_use`), consistency with oneself (:mod:`~quorate.scores.self_consistency`), models in place
of humans (:mod:`~quorate.scores.alternative`), and judges who err together (:mod:`~quorate.scores.independence`).
What a higher value means differs from method to method; the worst judge comes first in each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import table
from quorate.inference.results import Answer, Finding, Options, Overall, estimate_dict
from quorate.panel.base import many
from quorate.panel.columns import keys
from quorate.panel.kinds import Scores
from quorate.panel.units import Units, by_criterion
from quorate.scores.alternative import alternative
from quorate.scores.auto_gap import auto_pyramid
from quorate.scores.independence import copies, independence
from quorate.scores.judge_effects import bias, influence, noise, peer_correlation, severity
from quorate.scores.judged import Judged
from quorate.scores.labels import fitting
from quorate.scores.peers import peer_agreement
from quorate.scores.scale_use import drift, scale_use
from quorate.scores.self_consistency import self_consistency
from quorate.table import Method
from quorate.words.wording import two, voters

__all__ = [
    "alternative",
    "answer",
    "auto_pyramid",
    "bias",
    "copies",
    "drift",
    "independence",
    "influence",
    "noise",
    "peer_agreement",
    "peer_correlation",
    "scale_use",
    "self_consistency",
    "severity",
]

JUDGES = 30  # up to which errors made together are looked for unasked, two judges at a time
BRIEF = 100  # resamples of what is told unasked

AS_ONE = ("alternative", "copies", "drift", "independence")  # do not know of a row that stands for several judges
LEVEL = ("bias", "severity")  # 0 by construction for votes

# columns that make a method a default one
WHEN = {"time": "drift", "judge_kind": "alternative", "auto": "auto_pyramid"}


def answer(panel: Scores, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every criterion and judge, worst first."""
    parts = by_criterion(panel)
    chosen, notes = fitting(panel, "judges", _with_more(panel, methods))
    chosen, left = _without_level(panel, chosen, _usual(methods))
    notes += left
    findings = []
    for done, method in enumerate(chosen):
        options.tell("judges", done, len(chosen))
        judged: list[Judged] = [method(panel, units, options) for units in parts]
        notes += [note for j in judged for note in j.notes]
        if all(np.isnan(j.values).all() for j in judged) and len(chosen) > 1:
            if not any(j.notes for j in judged):
                notes.append(f"{method}: undefined for every judge, so it is not shown")
            continue
        findings.append(_finding(panel, parts, method, judged))
    options.tell("judges", len(chosen), len(chosen))
    alike = _alike(panel, parts, options) if _usual(methods) else []
    return Answer(
        "scores",
        "judges",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        (*_sentences(panel, findings), *_said(alike)),
        tuple(dict.fromkeys([*panel.notes, *_notes(parts, chosen), *notes])),
        {f.method.name: [estimate_dict(o, f.method) for o in f.overall] for f in alike},
    )


def _usual(methods: Sequence[Method]) -> bool:
    return [m.name for m in methods] == [m.name for m in table.methods("scores", "judges", default=True)]


def _alike(panel: Scores, parts: Sequence[Units], options: Options) -> list[Finding]:
    """Near-duplicates and the effective number of judges, told in a sentence even if nobody asks for them.

    The number only where humans are the reference: without them copies make one another look right.
    """
    if not 2 < len(panel.judges) <= JUDGES or panel.scale:
        return []
    brief = replace(options, resamples=min(options.resamples, BRIEF), progress=None)
    out = []
    for name in ("copies", "independence") if _humans(panel) else ("copies",):
        method = table.parse(name, "scores", "judges")
        found = _finding(panel, parts, method, [method(panel, units, brief) for units in parts])
        out.append(replace(found, overall=tuple(o for o in found.overall if not math.isnan(o.value))))
    return out


def _with_more(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """The methods asked for; to the defaults those are added that the panel's columns allow."""
    if not _usual(methods):
        return list(methods)
    more = [name for column, name in WHEN.items() if column in panel.labels and _of_both_kinds(panel, column)]
    return [*methods, *(table.parse(name, "scores", "judges") for name in more)]


def _without_level(panel: Scores, methods: Sequence[Method], usual: bool) -> tuple[list[Method], list[str]]:
    """The methods without those that are 0 for every judge of votes, unless asked for by name; and a note on them."""
    level = [m for m in methods if m.name in LEVEL]
    if not level or not _votes(panel):
        return list(methods), []
    why = "what a vote gives to one side it takes from the other, so no judge can be lenient or harsh"
    if not usual:
        return list(methods), [f"{m}: 0 for every judge of votes; {why}" for m in level]
    return [m for m in methods if m not in level], [f"{m}: left out of votes; {why}" for m in level]


def _votes(panel: Scores) -> bool:
    """Whether every score is one side of a vote whose other side is there too: together they are 1."""
    if not {"shown", "system"} <= panel.labels.keys() or panel.scale or not len(panel):
        return False
    group = np.unique(keys(panel.task, panel.item, panel.judge), return_inverse=True)[1]
    total, size = (np.bincount(group.ravel(), w) for w in (panel.value, np.ones(len(panel))))
    return bool(np.allclose(total, size / 2))


def _humans(panel: Scores) -> bool:
    return "judge_kind" in panel.labels and _of_both_kinds(panel, "judge_kind")


def _of_both_kinds(panel: Scores, column: str) -> bool:
    return column != "judge_kind" or len(panel.labels[column].ids) > 1


def _finding(panel: Scores, parts: Sequence[Units], method: Method, judged: Sequence[Judged]) -> Finding:
    named = parts[0].criterion is not None
    rows: list[dict[str, Any]] = []
    overall = []
    for units, found in zip(parts, judged, strict=True):
        name = {"criterion": units.criterion} if named else {}
        order = np.argsort(np.where(np.isnan(found.bad), np.inf, -found.bad), kind="stable").tolist()
        for j in order:
            told = {n: column[j] for n, column in found.details.items()}
            if math.isnan(found.values[j]) and all(v is None for v in told.values()):
                continue  # not a judge that the method is about
            flag = {} if found.flags is None else {"flag": bool(found.flags[j])}
            labels = {"judge": panel.judges[j], **name, **told, **flag}
            overall.append(Overall(float(found.values[j]), found.intervals[j], None, labels))
            if found.rows is None:
                rows.append({"judge": panel.judges[j], **name, "value": float(found.values[j]), **told, **flag})
        rows += [{"judge": row["judge"], **name, **row} for row in found.rows or ()]
    keys = [k for k in ("judge", "criterion", "year", "human") if rows and k in rows[0]]
    details = [k for k in rows[0] if k not in (*keys, "value")] if rows else []
    return Finding(
        method,
        {k: [row[k] for row in rows] for k in keys},
        [row["value"] for row in rows],
        {k: [row[k] for row in rows] for k in details},
        tuple(overall),
    )


def flagged(findings: Sequence[Finding]) -> dict[Any, list[str]]:
    """The judges that some method flags, with what for; those with most against them first."""
    out: dict[Any, list[str]] = {}
    for f in findings:
        for o in f.overall:
            if o.labels.get("flag"):
                on = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
                out.setdefault(o.labels["judge"], []).append(f"{f.method.name}{on}")
    return dict(sorted(out.items(), key=lambda pair: -len(pair[1])))


def _notes(parts: Sequence[Units], methods: Sequence[Method]) -> list[str]:
    notes = []
    alone = sum(int((u.held == 1).sum()) for u in parts)
    if alone:
        them, have = ("it", "has") if alone == 1 else ("them", "have")
        notes.append(f"{many(alone, 'unit')} {have} one judge only: there is nobody to compare with on {them}")
    if any(u.count is not None for u in parts):
        notes += [f"{m}: a row that stands for several judges is taken as one" for m in methods if m.name in AS_ONE]
    return notes


def _sentences(panel: Scores, findings: Sequence[Finding]) -> list[str]:
    off = flagged(findings)
    out = []
    for judge, why in list(off.items())[:3]:
        out.append(f"Judge {judge} is off: {', '.join(why[:4])}{f' and {len(why) - 4} more' if len(why) > 4 else ''}.")
    if len(off) > 3:
        out.append(f"{len(off)} of {many(len(panel.judges), 'judge')} are flagged in all.")
    if not off:
        out += _nobody(panel, findings)
    out += _said(findings)
    if not out and findings:
        known = any(not math.isnan(o.value) for f in findings for o in f.overall)
        names = ", ".join(str(f.method) for f in findings)
        out.append(f"{names} of {many(len(panel.judges), 'judge')}{'' if known else ': undefined on these scores'}.")
    return out


def _nobody(panel: Scores, findings: Sequence[Finding]) -> list[str]:
    """That nobody is off, or why that cannot be told."""
    judges = voters(panel)
    if judges == 1:
        return ["There is one judge only: nobody to compare with."]
    tested = [o for f in findings for o in f.overall if "flag" in o.labels]
    if any(not math.isnan(o.value) for o in tested):
        if judges == 2:
            return ["With two judges nobody can tell which of them is off."]
        return [f"None of the {many(judges, 'judge')} is flagged."]
    return [] if findings else ["Nobody can be told to be off: no two judges scored the same unit."]


def _said(findings: Sequence[Finding]) -> list[str]:
    out = []
    for f in findings:
        defined = [o for o in f.overall if not math.isnan(o.value)]
        if defined and f.method.name in _SAY:
            out += _SAY[f.method.name](f, defined)
    return out


def _on(o: Overall) -> str:
    return f" on {o.labels['criterion']}" if "criterion" in o.labels else ""


def _say_noise(f: Finding, found: Sequence[Overall]) -> list[str]:
    worst = max(found, key=lambda o: o.value / max(o.labels["others"] or 1e-9, 1e-9))
    usual = worst.labels["others"]
    if not worst.value > 0 or two(worst.value) == two(usual):  # of two judges both have the same
        return []
    return [
        f"Most noise: judge {worst.labels['judge']}{_on(worst)}, {two(worst.value)} points "
        f"(median of the others {two(usual)})."
    ]


def _say_self(f: Finding, found: Sequence[Overall]) -> list[str]:
    worst, best = min(found, key=lambda o: o.value), max(found, key=lambda o: o.value)
    if worst is best:
        return [f"Judge {worst.labels['judge']} scored identical outputs{_on(worst)} with {_own(worst)}."]
    least = f"{worst.labels['judge']} is least consistent{_on(worst)}"
    out = [f"Of judges who scored identical outputs, {least}: {_own(worst)}."]
    if two(worst.value) != two(best.value):
        out.append(f"Most consistent is {best.labels['judge']}{_on(best)}: {_own(best)}.")
    if not any(o.labels.get("flag", True) for o in found):
        out.append("Nobody is clearly less consistent than the others.")
    return out


def _own(o: Overall) -> str:
    """A judge's consistency with interval and the number of units behind it."""
    ends = f" ({two(o.interval.low)} to {two(o.interval.high)})" if o.interval else ""
    return f"alpha {two(o.value)}{ends} over {many(o.labels['units'], 'unit')}"


def _say_alternative(f: Finding, found: Sequence[Overall]) -> list[str]:
    fit = [f"{o.labels['judge']}{_on(o)}" for o in found if o.labels["replaces"]]
    shown = ", ".join(fit[:6]) + (", ..." if len(fit) > 6 else "")
    if not fit:
        return [f"No model may replace a human (epsilon {f.method['epsilon']})."]
    return [f"May replace a human (epsilon {f.method['epsilon']}): {shown} ({len(fit)} of {len(found)})."]


def _say_independence(f: Finding, found: Sequence[Overall]) -> list[str]:
    out = []
    for o in {o.labels.get("criterion"): o for o in found}.values():
        ends = o.labels["effective_interval"]
        between = f" ({ends[0]:.1f} to {ends[1]:.1f})" if ends else ""
        worth = f"{o.labels['effective_judges']:.1f}{between} independent judges"
        if o.labels["against"] == "humans":
            models = many(o.labels["panel"], "model")
            are = "is" if o.labels["panel"] == 1 else "are"
            out.append(f"Measured against the humans, {models} {are} worth {worth}{_on(o)}.")
        else:
            out.append(f"At best, {o.labels['panel']} judges are worth {worth}{_on(o)}: there are no humans to tell.")
    return out[:6]


def _say_copies(f: Finding, found: Sequence[Overall]) -> list[str]:
    out = []
    for name in dict.fromkeys(o.labels.get("criterion") for o in found):
        here = [o for o in found if o.labels.get("criterion") == name]
        alike: dict[frozenset[Any], Overall] = {}
        for o in here:
            if o.labels["flag"]:
                alike.setdefault(frozenset((o.labels["judge"], o.labels["nearest"])), o)
        for o in [*alike.values()][:3]:
            pair = f"{o.labels['judge']} and {o.labels['nearest']}"
            out.append(f"Judges {pair} give {o.value:.0%} equal scores{_on(o)}: near-copies.")
        if alike:
            out.append(f"The {len(here)} judges are then worth {len(here) - _extra(alike)} at most{_on(here[0])}.")
    return out[:8]


def _extra(pairs: Iterable[frozenset[Any]]) -> int:
    """How many judges fewer there are once near-copies count as one."""
    groups: list[set[Any]] = []
    for pair in pairs:
        joined = [g for g in groups if g & pair]
        groups = [g for g in groups if not g & pair] + [set(pair).union(*joined)]
    return sum(len(g) - 1 for g in groups)


_SAY = {
    "noise": _say_noise,
    "self_consistency": _say_self,
    "alternative": _say_alternative,
    "independence": _say_independence,
    "copies": _say_copies,
}
