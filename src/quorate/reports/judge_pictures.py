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
from quorate.words.wording import brief, figure_of


def each_judge(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Every judge with interval, and who is flagged."""
    finding = against_others(answer)
    if finding is None:
        return None
    flagged = {on: _flags(answer, on) for on in dict.fromkeys(o.labels.get("criterion") for o in finding.overall)}
    most = MOST * (10 if "criterion" in finding.overall[0].labels else 1)
    rows = tuple(
        {
            "judge": str(o.labels["judge"]),
            **({"criterion": str(o.labels["criterion"])} if "criterion" in o.labels else {}),
            **figure(o, finding.method),
            "state": "flagged" if str(o.labels["judge"]) in flagged[o.labels.get("criterion")] else "not flagged",
            "diagnosis": flagged[o.labels.get("criterion")].get(str(o.labels["judge"]), ""),
        }
        for o in finding.overall[:most]
    )
    if all(row["value"] is None for row in rows):
        return None
    there = len({row["judge"] for row in rows})
    more = f" The first {there} of {len(panel.judges):,} judges." if len(panel.judges) > there else ""
    between = ", with its interval" if any(row["low"] is not None for row in rows) else ""
    few = not between and any(o.interval for o in finding.overall)  # each holds every value there can be
    any_fits = " There are too few tasks or judges for intervals: any value fits." if few else ""
    where = " on this criterion" if has(rows, "criterion") else ""
    alone = finding.method.name == "self_consistency"  # each judge with its own scores of identical outputs
    if alone:
        own = {(str(o.labels["judge"]), o.labels.get("criterion")) for o in finding.overall if o.labels.get("flag")}
        for row in rows:
            row["state"] = "flagged" if (row["judge"], row.get("criterion")) in own else "not flagged"
    some = any(row["state"] == "flagged" for row in rows)
    flag = f" Judges in another colour and shape are flagged{where}." if some else " Nobody is flagged."
    what = figure_of(finding.method)
    return Chart(
        "each-judge",
        "judges",
        "dots",
        titled("Each judge on identical outputs" if alone else "Each judge against the others", _ends(rows)),
        f"{what[0].upper()}{what[1:]}{between}{_higher(finding.method)}.{flag}{any_fits}{more}{many_alike(panel)}",
        rows,
        {
            "label": "judge",
            "value": what,
            "mark": "state",
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
    ends = (f"{brief(row['judge'], what='judge')} ({two(row['value'])})" for row in (low, high))
    on = f" on {brief(low['criterion'])}" if "criterion" in low else ""
    return "lowest is {}, highest {}".format(*ends) + on


def _higher(method: Method) -> str:
    """What a higher value means, in words; of a method that goes by a measure as that measure says."""
    said = method.declaration.higher
    if said.startswith("as the measure"):
        return "; a higher value means more agreement" if "nvi" not in str(method) else ""
    return f"; a higher value means {said}"


def _flags(answer: Answer, criterion: Any = None) -> dict[str, str]:
    """The judges who are off, and how; of a criterion, those flagged on it or on no single one."""
    off = answer.more.get("flagged", ())
    mine = [f for f in off if criterion is None or f.get("criterion", criterion) == criterion]
    return {str(f["judge"]): str(f["diagnosis"]) for f in mine}
