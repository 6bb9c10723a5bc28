"""Pictures of how far the result can be trusted: what noise, splits, and leaving out judges do to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from quorate.document.blocks import Chart
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.kinds import Panel
from quorate.reports.picture import figure, number, titled
from quorate.words.numbers import rough, two

MANY = 30  # judges, from which on more of them stand closer together in a curve


def noise(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """What random judges do to every method of quality."""
    f = _finding(answer, "noise")
    if f is None or "ratio" not in f.keys:
        return None
    rows = [
        _point(value, *(interval or (None, None)), line=str(of), ratio=number(ratio))
        for value, interval, of, ratio in zip(
            f.values, f.details["interval"], f.keys["of"], f.keys["ratio"], strict=True
        )
    ]
    able = {row["line"] for row in rows if row["ratio"] == 0 and (row["value"] or 0) > 0}  # before any random judge
    blind = [line for line in dict.fromkeys(row["line"] for row in rows) if line not in able]
    return Chart(
        "curve-noise",
        "trust",
        "curves",
        titled("When random judges join", _withstands(rows, able)),
        "How far a judge's order scores above its reverse (ED) as judges who order at random join the panel, by each "
        f"method{' (intervals are in the data)' if any(row['low'] is not None for row in rows) else ''}. A line that "
        f"stays up is a method that withstands them.{_fewer(f)}"
        + (
            f" Not drawn, because it tells no order from its reverse to begin with: {', '.join(blind)}."
            if blind
            else ""
        ),
        tuple(row for row in rows if row["line"] in able),
        {"x": "ratio", "along": "random judges per judge", "up": "ED"},
    )


def _fewer(finding: Finding) -> str:
    """On which tasks random judges were tried, in words, where the table has other tasks."""
    about = finding.about[0] if finding.about else {}
    tried, tasks = (about.get(n, 0) for n in ("tried", "tasks"))
    if tried == tasks:
        return ""
    return (
        f" Tried on {tried:,} of {tasks:,} tasks, drawn at random to be quick, so that the lines do not begin exactly "
        "where the table below says (discriminativeness)."
    )


def _withstands(rows: Sequence[Mapping[str, Any]], able: Collection[str]) -> str:
    """Which method is highest when most random judges have joined, in words; nothing where several are."""
    known = [row for row in rows if row["line"] in able and row["value"] is not None]
    last = max((row["ratio"] for row in known), default=0)
    ends = sorted(((row["value"], row["line"]) for row in known if row["ratio"] == last), reverse=True)
    if len(ends) < 2 or two(ends[0][0]) == two(ends[1][0]):
        return ""
    return f"{ends[0][1]} stays highest ({two(ends[0][0])})"


def _falls(rows: Sequence[Mapping[str, Any]]) -> str:
    """Where the first measure ends when all is split and when all is merged, in words."""
    first = [row for row in rows if row["measure"] == rows[0]["measure"]]
    ends = {row["line"]: row["value"] for row in sorted(first, key=lambda row: row["share"])}
    if len(ends) < 2 or None in ends.values():
        return ""
    return f"{rows[0]['measure']} ends at {two(ends['split'])} split, at {two(ends['merged'])} merged"


def sensitivity(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """What splitting and merging clusters do to every measure."""
    f = _finding(answer, "sensitivity")
    if f is None:
        return None
    called = {"split": "split", "merge": "merged"}
    rows = [
        _point(value, low, high, measure=str(measure), line=called[str(path)], share=number(share))
        for value, low, high, measure, path, share in zip(
            f.values,
            *(f.details[n] for n in ("low", "high")),
            *(f.keys[n] for n in ("measure", "path", "share")),
            strict=True,
        )
    ]
    usual = sorted(rows, key=lambda row: row["measure"] != "v_beta")  # what the report goes by comes first
    return Chart(
        "curve-sensitivity",
        "trust",
        "curves",
        titled("When clusters are split or merged", _falls(usual)),
        "What each measure does as clusters are split at random down to single items, or merged at random up to one; "
        "the band holds most of the random paths. A good measure falls for both, and more for merging. "
        "Choose a measure.",
        tuple(usual),
        {"x": "share", "along": "share of the way", "up": "agreement with the clusters", "choose": "measure"},
    )


def without_worst(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """The leaderboard without the worst judges, beside as many random tasks or scores dropped."""
    f = _finding(answer, "without_worst")
    if f is None:
        return None
    rows: list[dict[str, Any]] = []
    for o in f.overall:
        about = [str(o.labels["coefficient"]), *([str(o.labels["criterion"])] if "criterion" in o.labels else [])]
        random = {"low": number(o.labels.get("random_low")), "high": number(o.labels.get("random_high"))}
        row = {"shown": ", ".join(about), "left out": number(o.labels["worst"]), "judges": str(o.labels["judges"])}
        rows.append({**row, **figure(o), "random": number(o.labels.get("random")), **_renamed(random)})
    usual = sorted(rows, key=lambda row: not row["shown"].startswith("spearman"))
    if not any(row["value"] is not None for row in usual):
        return None
    between = ", with its interval" if any(row["low"] is not None for row in rows) else ""
    known = [r for r in rows if r["low"] is not None and r["value"] is not None]
    off = any(not r["low"] <= r["value"] <= r["high"] for r in known)
    return Chart(
        "curve-without-worst",
        "trust",
        "beside_random",
        f"The leaderboard without the worst judges: {_changed(usual[0])}",
        f"How the order of systems correlates with the full one when the worst judges are left out{between}; "
        "the grey band is what leaving out as much at random gives. Only a dot below the band is the judges' doing."
        + (" A dot outside its interval: there are too few tasks to say more, go by the band." if off else ""),
        tuple(usual),
        {"x": "left out", "along": "worst judges left out", "choose": "shown", "called": "correlation"},
    )


def _changed(row: Mapping[str, Any]) -> str:
    """What leaving out the worst judge does to the leaderboard, in words."""
    value, low = row["value"], row["random low"]
    on = row["shown"].partition(", ")[2]
    where = f" on {on}" if on else ""
    if value is None:
        return f"undefined{where}"
    if low is None:
        return f"a correlation of {value:.2f}{where}"
    if value < low:
        return f"it changes more than by chance{where}"
    return f"the order stays the same{where}" if value == 1 else f"it changes no more than by chance{where}"


def stability(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Of groupings: agreement with other judges, tasks and items."""
    f = _finding(answer, "agreement_stability")
    if f is None:
        return None
    rows = tuple({"resampled": str(o.labels["by"]), **figure(o)} for o in f.overall if "by" in o.labels)
    wide = {row["resampled"]: row["high"] - row["low"] for row in rows if row["low"] is not None}
    if not any(wide.values()):
        return None  # nothing could come out otherwise
    drawn = _one_of(list(wide))
    most = max(wide, key=lambda name: wide[name])
    alone = len(wide) > 1 and list(wide.values()).count(wide[most]) == 1
    return Chart(
        "stability",
        "trust",
        "dots",
        titled(f"With other {drawn}", f"more {most} would help most" if alone else ""),
        f"How much the judges agree, with the interval in which that would lie if the {drawn} were others like these."
        + (" The longest line says where more data would help most." if len(wide) > 1 else ""),
        rows,
        {"label": "resampled", "value": f"agreement ({f.method['measure']})", "limits": f.method.declaration.range},
    )


def judges_needed(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """How good the consensus of so many judges would be."""
    f = _finding(answer, "judges_needed")
    if f is None or len(f.values) < 2:
        return None
    rows = [
        {"line": str(f.method), "judges": number(j), "value": number(v)}
        for j, v in zip(f.keys["judges"], f.values, strict=True)
        if number(v) is not None
    ]
    if len({row["value"] for row in rows}) < 2:
        return None  # a level line says nothing
    return Chart(
        "curve-judges-needed",
        "trust",
        "curves",
        titled("How many judges are needed", _needed(f)),
        _CURVE.get(_sort(f), "How well the consensus of so many judges correlates with that of as many others."),
        tuple(rows),
        {
            "x": "judges",
            "along": "judges",
            "up": _UP.get(_sort(f), "correlation"),
            "whole": True,
            "log": max(f.keys["judges"]) > MANY,
        },
    )


_CURVE = {
    "groupings": "How like the consensus groups of so many judges are to those of as many others, by adjusted Rand.",
    "votes": "How often the majority of so many judges on a pair of a task is that of all such judges.",
    "labels": "On how many items the majority of so many judges is that of all such judges.",
}
_UP = {"groupings": "adjusted Rand", "votes": "right majorities", "labels": "right majorities"}


def _sort(f: Finding) -> str:
    """What the judges gave: groups, votes, labels, or what correlates."""
    return "labels" if any(fact.get("labels") for fact in f.about) else f.method.declaration.kind


def _needed(finding: Finding) -> str:
    """How many it takes for the correlation that is wanted, in words."""
    o = finding.overall[0]
    needed = number(o.value)
    if needed is None:
        return ""
    target = float(str(finding.method["target"]))
    up = _UP.get(_sort(finding), "a correlation")
    wanted = f"{target:.0%} {up}" if up == "right majorities" else f"{up} of {target:g}"
    return f"about {rough(needed):,} for {wanted}"


def _one_of(names: Sequence[str]) -> str:
    """Names in a row: 'judges, tasks or items'."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _finding(answer: Answer, name: str) -> Finding | None:
    return next((f for f in answer.findings if f.method.name == name and len(f.values)), None)


def _point(value: Any, low: Any, high: Any, **named: Any) -> dict[str, Any]:
    """A point of a curve, with the ends of its band."""
    return {**named, "value": number(value), "low": number(low), "high": number(high)}


def _renamed(ends: dict[str, Any]) -> dict[str, Any]:
    return {f"random {name}": value for name, value in ends.items()}
