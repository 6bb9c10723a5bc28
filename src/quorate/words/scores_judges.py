"""What is said of the judges of scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quorate.inference.results import Answer, Finding, estimate_dict
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.panel.units import both_kinds, by_criterion, kinds
from quorate.scores.judges import LEVEL, is_votes
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.flags import flag_facts
from quorate.words.limits import fewer_draws
from quorate.words.numbers import two
from quorate.words.scores_labels import left_out
from quorate.words.wording import voters

AS_ONE = ("alternative", "copies", "drift", "independence")  # do not know of a row that stands for several judges
FEW = 30  # units, below which a judge's consistency is rough
SHOWN = 6  # models, or criteria, that a sentence names
NEVER_LEVEL = "what a vote gives to one side it takes from the other, so no judge can be lenient or harsh"

Row = Mapping[str, Any]  # a judge's estimate, as in the JSON output


def notes(panel: Scores, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    parts, methods = by_criterion(panel), [f.method for f in answer.findings]
    out = list(panel.notes)
    alone = sum(int((u.held == 1).sum()) for u in parts)
    if alone:
        them, have = ("it", "has") if alone == 1 else ("them", "have")
        out.append(f"{many(alone, 'unit')} {have} one judge only: there is nobody to compare with on {them}")
    if any(u.count is not None for u in parts):
        out += [f"{m}: a row that stands for several judges is taken as one" for m in methods if m.name in AS_ONE]
    out += left_out(panel, answer.left)
    if is_votes(panel):
        out += [f"{m}: 0 for every judge of votes; {NEVER_LEVEL}" for m in methods if m.name in LEVEL]
    for f in answer.findings:
        out += _NOTES[f.method.name](panel, f) if f.method.name in _NOTES else []
    out += [why for m in answer.left if not (panel.scale and left_out(panel, [m])) for why in _not_shown(panel, m)]
    return list(dict.fromkeys(out + fewer_draws(answer)))


def _not_shown(panel: Scores, method: Method) -> list[str]:
    """Why a method has no table."""
    if method.name in LEVEL and is_votes(panel):
        return [f"{method}: left out of votes; {NEVER_LEVEL}"]
    if method.name == "self_consistency":
        return [NONE_IDENTICAL]
    if method.name == "auto_pyramid" and "auto" not in panel.labels:
        return [NO_AUTO]
    if method.name == "independence":
        humans = "judge_kind" in panel.labels
        return [*([] if humans else [BLIND]), _undefined_independence(humans)]
    return [f"{method}: undefined for every judge, so it is not shown"]


NONE_IDENTICAL = (
    "self_consistency: no judge scored identical outputs of a task (repeats, equal texts, or a column output)"
)
YEARS = (
    "self_consistency: the scores of several years are pooled as they are; if their scales differ, declare them in "
    "columns scale_low and scale_high"
)
NO_AUTO = "auto_pyramid: no column auto, the automatic score of each item (`quorate pyramid auto` computes it)"
BLIND = "independence: without human judges, errors that all share cannot be seen, and near-copies count too little"


def _severity(panel: Scores, f: Finding) -> list[str]:
    if not any(fact["apart"] for fact in f.about):
        return []
    return ["severity: some judges share no unit with the rest, so they are compared among themselves only"]


def _alternative(panel: Scores, f: Finding) -> list[str]:
    out = []
    for fact in f.about:
        if fact["skipped"]:
            names = ", ".join(sorted(map(str, fact["skipped"])))
            out.append(f"alternative: fewer than {fact['least']} shared units, so not tested: {names}")
    return out


def _independence(panel: Scores, f: Finding) -> list[str]:
    out = []
    for fact in f.about:
        out += [] if fact["humans"] else [BLIND]
        out += ["independence: 200 judges drawn at random"] if fact["sampled"] else []
        out += [] if fact["pairs"] else [_undefined_independence(fact["humans"])]
    return out


def _undefined_independence(humans: bool) -> str:
    needs = "two humans beside two models" if humans else "four judges (without humans)"
    return f"independence: undefined; at least {needs} must have scored three of the same items"


def _self_consistency(panel: Scores, f: Finding) -> list[str]:
    out = []
    for fact in f.about:
        mine = [o for o in f.overall if o.labels.get("criterion") == fact.get("criterion")]
        if not any(o.labels["units"] for o in mine):
            out.append(NONE_IDENTICAL)
            continue
        place = {j: k for k, j in enumerate(panel.judges)}
        flat = [o.labels["judge"] for o in mine if math.isnan(o.value) and o.labels["units"]]
        if flat:
            names = ", ".join(str(j) for j in sorted(flat, key=lambda j: place[j]))
            out.append(f"self_consistency: no variation, so no alpha: {names} gave all copies one score")
        if fact["rescaled"]:
            out.append("self_consistency: declared scales differ; pooled figures are of scores brought to 0 to 1")
        elif fact["years"] > 1 and not fact["declared"]:
            out.append(YEARS)
        few = sum(1 for o in mine if 0 < o.labels["units"] < FEW)
        if few:
            out.append(f"self_consistency: {few} judges have fewer than {FEW} units: see the intervals")
    return out


def _auto_pyramid(panel: Scores, f: Finding) -> list[str]:
    out = []
    for fact in f.about:
        if not fact["column"]:
            out.append(NO_AUTO)
        elif fact["without"]:
            out.append(f"auto_pyramid: {fact['without']:,} scores have no number in column auto and are left aside")
    return out


_NOTES = {
    "severity": _severity,
    "alternative": _alternative,
    "independence": _independence,
    "self_consistency": _self_consistency,
    "auto_pyramid": _auto_pyramid,
}


def facts(panel: Scores, answer: Answer) -> list[Fact]:
    """Who is off, for people who read no table."""
    if voters(panel) == 1:
        out = [Fact("nothing", "There is one judge only: nobody to compare with.")]
    elif not answer.findings:
        out = [Fact("nobody", "Nobody can be told to be off: no two judges scored the same unit.")]
    else:
        out = flag_facts(panel, answer)
    said, people = [], {panel.judges[j] for j in kinds(panel)[0].tolist()} if both_kinds(panel) else set()
    for f in answer.findings:
        rows = [estimate_dict(o, f.method) for o in f.overall if not math.isnan(o.value)]
        # Models may outnumber people, who then look noisy though they are the reference.
        said += _said(f.method, [r for r in rows if f.method.name != "noise" or r["judge"] not in people])
    for name in ("copies", "independence"):
        said += _SAY[name](answer.more[name]) if name in answer.more else []
    return [*out, *(Fact("judge", text) for text in said)]


def _said(method: Method, rows: Sequence[Row]) -> list[str]:
    if not rows or method.name not in (*_SAY, "alternative"):
        return []
    return _say_alternative(method, rows) if method.name == "alternative" else _SAY[method.name](rows)


def _on(row: Row) -> str:
    return f" on {row['criterion']}" if "criterion" in row else ""


def _say_noise(rows: Sequence[Row]) -> list[str]:
    worst = max(rows, key=lambda r: r["value"] / max(r["others"] or 1e-9, 1e-9))
    usual = worst["others"]
    if not worst["value"] > 0 or usual is None or two(worst["value"]) == two(usual):  # of two judges both have the same
        return []
    points = f"{two(worst['value'])} points (median of the others {two(usual)})"
    return [f"Most noise: judge {worst['judge']}{_on(worst)}, {points}."]


def _say_self(rows: Sequence[Row]) -> list[str]:
    worst, best = min(rows, key=lambda r: r["value"]), max(rows, key=lambda r: r["value"])
    if worst is best:
        return [f"Judge {worst['judge']} scored identical outputs{_on(worst)} with {_own(worst)}."]
    least = f"{worst['judge']} is least consistent{_on(worst)}"
    out = [f"Of judges who scored identical outputs, {least}: {_own(worst)}."]
    if two(worst["value"]) != two(best["value"]):
        out.append(f"Most consistent is {best['judge']}{_on(best)}: {_own(best)}.")
    named = [f"{r['judge']}{_on(r)}" for r in rows if r.get("flag")]
    if named:
        out.append(f"Clearly less consistent than the others: {', '.join(named)}.")
    elif not any(r.get("flag", True) for r in rows):
        out.append("Nobody is clearly less consistent than the others.")
    return out


def _own(row: Row) -> str:
    """A judge's consistency with interval and the number of units behind it."""
    ends = f" ({two(row['interval'][0])} to {two(row['interval'][1])})" if row["interval"] else ""
    return f"alpha {two(row['value'])}{ends} over {many(row['units'], 'unit')}"


def _say_missed(rows: Sequence[Row]) -> list[str]:
    return [
        f"Judge {r['judge']}{_on(r)} clearly misses more than the others: {two(r['value'])} on average."
        for r in rows
        if r.get("flag")
    ]


def _say_alternative(method: Method, rows: Sequence[Row]) -> list[str]:
    fit = [f"{r['judge']}{_on(r)}" for r in rows if r["replaces"]]
    shown = ", ".join(fit[:SHOWN]) + (", ..." if len(fit) > SHOWN else "")
    if not fit:
        return [f"No model may replace a human (epsilon {method['epsilon']})."]
    return [f"May replace a human (epsilon {method['epsilon']}): {shown} ({len(fit)} of {len(rows)})."]


def _say_independence(rows: Sequence[Row]) -> list[str]:
    out = []
    for r in {r.get("criterion"): r for r in rows}.values():
        ends = r["effective_interval"]
        between = f" ({ends[0]:.1f} to {ends[1]:.1f})" if ends else ""
        worth = f"{r['effective_judges']:.1f}{between} independent judges"
        if r["against"] == "humans":
            are = "is" if r["panel"] == 1 else "are"
            out.append(f"Measured against the humans, {many(r['panel'], 'model')} {are} worth {worth}{_on(r)}.")
        else:
            out.append(f"At best, {r['panel']} judges are worth {worth}{_on(r)}: there are no humans to tell.")
    return out[:SHOWN]


def _say_copies(rows: Sequence[Row]) -> list[str]:
    out = []
    for name in dict.fromkeys(r.get("criterion") for r in rows):
        here = [r for r in rows if r.get("criterion") == name]
        alike: dict[frozenset[Any], Row] = {}
        for r in here:
            if r["flag"]:
                alike.setdefault(frozenset((r["judge"], r["nearest"])), r)
        for r in [*alike.values()][:3]:
            out.append(
                f"Judges {r['judge']} and {r['nearest']} give {r['value']:.0%} equal scores{_on(r)}: near-copies."
            )
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
    "auto_pyramid": _say_missed,
    "independence": _say_independence,
    "copies": _say_copies,
}
