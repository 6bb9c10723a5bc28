"""Pictures of the judges: each with its interval, and who is flagged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.document.blocks import Chart
from quorate.inference.results import Answer, Options
from quorate.panel.kinds import Panel
from quorate.reports.picture import figure, has, many_alike, titled
from quorate.reports.squares import MOST
from quorate.table import Method
from quorate.words.numbers import two
from quorate.words.outcome import against_others
from quorate.words.wording import brief


def each_judge(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Every judge with interval, and who is flagged."""
    finding = against_others(answer)
    if finding is None:
        return None
    flagged = {on: flags(answer, on) for on in dict.fromkeys(o.labels.get("criterion") for o in finding.overall)}
    most = MOST * (10 if "criterion" in finding.overall[0].labels else 1)
    rows = tuple(
        {
            "judge": str(o.labels["judge"]),
            **({"criterion": str(o.labels["criterion"])} if "criterion" in o.labels else {}),
            **figure(o),
            "flag": "flagged" if str(o.labels["judge"]) in flagged[o.labels.get("criterion")] else "not flagged",
            "flagged by": ", ".join(flagged[o.labels.get("criterion")].get(str(o.labels["judge"]), [])),
        }
        for o in finding.overall[:most]
    )
    if all(row["value"] is None for row in rows):
        return None
    there = len({row["judge"] for row in rows})
    more = f" The first {there} of {len(panel.judges):,} judges." if len(panel.judges) > there else ""
    between = " with its interval" if any(row["low"] is not None for row in rows) else ""
    looked = any("flag" in o.labels for f in answer.findings for o in f.overall)
    nobody = " Nobody is flagged." if looked else ""
    where = " on this criterion" if has(rows, "criterion") else ""
    some = any(row["flag"] == "flagged" for row in rows)
    flag = f" Judges in another colour and shape are flagged by some method{where}." if some else nobody
    return Chart(
        "each-judge",
        "judges",
        "dots",
        titled("Each judge against the others", _ends(rows)),
        f"{finding.method} of each judge{between}{_higher(finding.method)}.{flag}{more}{many_alike(panel)}",
        rows,
        {
            "label": "judge",
            "value": str(finding.method),
            "mark": "flag",
            "choose": has(rows, "criterion"),
            "limits": finding.method.declaration.range,
        },
    )


def _ends(rows: Sequence[Mapping[str, Any]]) -> str:
    """Who is lowest and who highest, in words; of several criteria on the first, because each has its own."""
    known = [row for row in rows if row["value"] is not None and row.get("criterion") == rows[0].get("criterion")]
    if len({row["value"] for row in known}) < 2:
        return ""
    low, high = (find(known, key=lambda row: row["value"]) for find in (min, max))
    ends = (f"{brief(row['judge'])} ({two(row['value'])})" for row in (low, high))
    on = f" on {brief(low['criterion'])}" if "criterion" in low else ""
    return "lowest is {}, highest {}".format(*ends) + on


def _higher(method: Method) -> str:
    """What a higher value means, in words; of a method that goes by a measure as that measure says."""
    said = method.declaration.higher
    if said.startswith("as the measure"):
        return "; a higher value means more agreement" if "nvi" not in str(method) else ""
    return f"; a higher value means {said}"


def flags(answer: Answer, criterion: Any = None) -> dict[str, list[str]]:
    """The judges who are off, and how; of a criterion, those flagged on it or on no single one."""
    if "flagged" in answer.more:
        mine = [f for f in answer.more["flagged"] if criterion is None or f.get("criterion", criterion) == criterion]
        return {str(f["judge"]): [str(f["diagnosis"])] for f in mine}
    found: dict[str, dict[str, None]] = {}
    for f in answer.findings:
        for o in f.overall:
            here = criterion is None or o.labels.get("criterion", criterion) == criterion
            if o.labels.get("flag") is True and "judge" in o.labels and here:
                found.setdefault(str(o.labels["judge"]), {})[str(f.method)] = None
    return {judge: list(methods) for judge, methods in found.items()}
