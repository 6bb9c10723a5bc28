"""Pictures of the judges: each with its interval, and who is flagged."""

from __future__ import annotations

from quorate.panels import Panel
from quorate.reports.picture import Picture, figure, has
from quorate.reports.squares import MOST
from quorate.results import Answer, Options


def each_judge(panel: Panel, answer: Answer, options: Options) -> Picture | None:
    """Every judge with interval, and who is flagged."""
    about = [f for f in answer.findings if any("judge" in o.labels for o in f.overall)]
    if not about:
        return None
    finding = next((f for f in about if f.method.name.startswith("peer")), about[0])
    flagged = flags(answer)
    most = MOST * (10 if "criterion" in finding.overall[0].labels else 1)
    rows = tuple(
        {
            "judge": str(o.labels["judge"]),
            **({"criterion": str(o.labels["criterion"])} if "criterion" in o.labels else {}),
            **figure(o),
            "flag": "flagged" if str(o.labels["judge"]) in flagged else "not flagged",
            "flagged by": ", ".join(flagged.get(str(o.labels["judge"]), [])),
        }
        for o in finding.overall[:most]
    )
    if all(row["value"] is None for row in rows):
        return None
    there = len({row["judge"] for row in rows})
    more = f" The first {there} of {len(panel.judges):,} judges." if len(panel.judges) > there else ""
    higher = finding.method.declaration.higher
    means = "" if higher.startswith("as the measure") else f"; a higher value means {higher}"
    return Picture(
        "each-judge",
        "judges",
        "dots",
        "Each judge against the others",
        f"{finding.method} of each judge with its interval{means}. "
        f"Judges in another colour and shape are flagged by some method.{more}",
        rows,
        {"label": "judge", "value": str(finding.method), "mark": "flag", "choose": has(rows, "criterion")},
    )


def flags(answer: Answer) -> dict[str, list[str]]:
    """The judges that some method flags, and by which."""
    found: dict[str, dict[str, None]] = {}
    for f in answer.findings:
        for o in f.overall:
            if o.labels.get("flag") is True and "judge" in o.labels:
                found.setdefault(str(o.labels["judge"]), {})[str(f.method)] = None
    return {judge: list(methods) for judge, methods in found.items()}
