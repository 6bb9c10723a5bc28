"""Who is off? Each judge's groupings against the others'.

Agreement with the others (:func:`~quorate.groupings.peers.peer_agreement`), splitters and generalisers
(:func:`~quorate.groupings.peers.leaning`), and who shares little of what most put together
(:func:`~quorate.groupings.peers.together_outliers`). Asked without a measure, ``peer_agreement`` comes for the three
measures of the Clusters paper. For two judges, :func:`~quorate.groupings.two_judges.compare` shows where they differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate.groupings.agreement import COUNTED, description
from quorate.groupings.comparisons import with_treatments
from quorate.groupings.nested import settled
from quorate.groupings.partitions import Partitions, partitions
from quorate.groupings.peers import Judged, chance, intervals, is_flagged, prepare
from quorate.groupings.two_judges import compare
from quorate.panel import many
from quorate.panels import Groupings
from quorate.resample import percentiles, stream
from quorate.results import Answer, Finding, Options, Overall
from quorate.table import Method

__all__ = ["answer", "compare"]

PAPER = ("v_beta", "v_half", "nvi")  # the measures that the Clusters paper recommends


def answer(panel: Groupings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and judge, and over the tasks of each judge, worst first."""
    parts = partitions(panel)
    findings = []
    chosen = with_treatments(_with_measures(methods))
    wanted = [(m["measure"], m["left_out"]) for m in chosen if m.name == "peer_agreement"]
    ready = prepare(wanted, parts, options) if wanted else None
    for done, m in enumerate(chosen):
        options.tell("judges", done, len(chosen))
        once = {"prepared": ready} if m.name == "peer_agreement" else {}
        findings.append(_finding(panel, parts, m, m(parts, options, **once), options))
    options.tell("judges", len(chosen), len(chosen))
    more = {"ranks": ranks(panel, parts, findings, options), "description": description(panel, parts)}
    return Answer(
        "groupings",
        "judges",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, findings, more["ranks"])),
        (*panel.notes, *_notes(panel, parts, findings)),
        more,
    )


def _with_measures(methods: Sequence[Method]) -> list[Method]:
    out = []
    for m in methods:
        open_ = m.name == "peer_agreement" and "measure" not in dict(m.settings)
        out += [m.with_(measure=name) for name in PAPER] if open_ else [m]
    return out


def _places(parts: Sequence[Partitions]) -> dict[int, list[tuple[int, int]]]:
    """Of each judge the tasks done, and the judge's number in them."""
    out: dict[int, list[tuple[int, int]]] = {}
    for t, p in enumerate(parts):
        for k, j in enumerate(p.judges.tolist()):
            out.setdefault(j, []).append((t, k))
    return dict(sorted(out.items()))


def _finding(
    panel: Groupings, parts: Sequence[Partitions], method: Method, judged: Judged, options: Options
) -> Finding:
    of = _places(parts)
    between = intervals(judged, of, options)
    overall = []
    for j, at in of.items():
        value = _mean([float(judged.values[t][k]) for t, k in at])
        told = {
            n: _mean([float(column[t][k]) for t, k in at]) for n, column in judged.details.items() if n != "outlier"
        }
        tested = chance(judged, at, value)
        labels: dict[str, Any] = {"judge": panel.judges[j], "tasks": len(at), **told}
        if method.name == "leaning":
            labels["leans"] = _leans(between[j])
        else:
            # Of two judges nobody can tell which one is off.
            labels["flag"] = len(panel.judges) > 2 and is_flagged(method, told, tested)
        overall.append(Overall(value, between[j], tested, labels))
    keys = {
        "task": [panel.tasks[p.task] for p in parts for _ in p.judges],
        "judge": [panel.judges[j] for p in parts for j in p.judges.tolist()],
    }
    details = {n: np.concatenate(column).tolist() for n, column in judged.details.items()}
    order = sorted(overall, key=lambda o: _worst_first(o, judged.sign))
    return Finding(method, keys, np.concatenate(judged.values).tolist(), details, tuple(order))


def _leans(interval: Any) -> str:
    if interval is None or interval.low <= 0 <= interval.high:
        return ""
    return "splitter" if interval.low > 0 else "generaliser"


def _worst_first(o: Overall, sign: int) -> tuple[int, float]:
    return (1, 0.0) if math.isnan(o.value) else (0, sign * float(o.value))


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if not math.isnan(v)]
    return sum(known) / len(known) if known else math.nan


def ranks(
    panel: Groupings, parts: Sequence[Partitions], findings: Sequence[Finding], options: Options
) -> list[dict[str, Any]]:
    """Each judge's place by agreement with the others (1 is most), averaged over measures and treatments.

    The interval is over tasks; the places are taken among the judges as they stand.
    """
    used = [f for f in findings if f.method.name == "peer_agreement"]
    if not used:
        return []
    of = _places(parts)
    table = np.full((len(used), len(parts), len(panel.judges)), np.nan)  # 1 is best throughout
    for m, f in enumerate(used):
        sign = settled(str(f.method["measure"]))[0].sign
        values = iter(f.values)
        for t, p in enumerate(parts):
            for j in p.judges.tolist():
                table[m, t, j] = sign * next(values)
    judges = list(of)
    seen = _mean_places(_over_tasks(table, np.ones(len(parts))), judges)
    drawn = []
    if len(parts) > 1:
        rng = stream(options.seed, "ranks")
        for times in rng.multinomial(len(parts), np.full(len(parts), 1 / len(parts)), size=min(options.resamples, 500)):
            drawn.append(_mean_places(_over_tasks(table, times.astype(float)), judges))
    left = {j: _mean([float((parts[t].labels[k] < 0).mean()) for t, k in at]) for j, at in of.items()}
    out = []
    for n, j in enumerate(judges):
        between = percentiles(np.stack(drawn)[:, n], options.level, "tasks") if drawn else None
        row = {"judge": panel.judges[j], "mean_rank": float(seen[n]), "tasks": len(of[j]), "left_out": left[j]}
        out.append({**row, "interval": [between.low, between.high] if between else None})
    return sorted(out, key=lambda r: math.inf if math.isnan(r["mean_rank"]) else -r["mean_rank"])


def _over_tasks(table: Any, times: Any) -> Any:
    there = ~np.isnan(table)
    number = np.einsum("mtj,t->mj", there.astype(float), times)
    total = np.einsum("mtj,t->mj", np.where(there, table, 0.0), times)
    return np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0)


def _mean_places(values: Any, judges: Sequence[int]) -> Any:
    """Places of the judges by each measure, equal ones sharing theirs, averaged over measures."""
    some = values[:, judges]
    above = (some[:, None, :] > some[:, :, None]).sum(axis=2)
    equal = (some[:, None, :] == some[:, :, None]).sum(axis=2)
    places = np.where(np.isnan(some), np.nan, above + (equal + 1) / 2)
    there = ~np.isnan(places)
    number = there.sum(axis=0)
    return np.divide(np.where(there, places, 0).sum(axis=0), number, out=np.full(len(number), np.nan), where=number > 0)


# -- in words ----------------------------------------------------------------------------------------------------------


def _notes(panel: Groupings, parts: Sequence[Partitions], findings: Sequence[Finding]) -> list[str]:
    notes = []
    if panel.repeats:
        notes.append(f"{panel.repeats} repeats are left aside: of a judge's repeats on a task the first counts")
    if (panel.count != 1).any():
        notes.append(COUNTED)
    single = sum(len(p.judges) == 1 for p in parts)
    if single:
        notes.append(f"{single} of {len(parts)} tasks have one judge only: there is nobody to compare with")
    empty = dict.fromkeys(str(panel.judges[j]) for p in parts for j in p.judges[p.used == 0].tolist())
    if empty:
        notes.append(f"every item of a task was left out by: {_few([*empty])}")
    if not any((p.labels < 0).any() for p in parts):
        notes.append("no judge left an item out: singletons, bucket and common are the same")
    for f in findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if undefined:
            notes.append(f"{f.method}: undefined for {undefined} of {len(f.overall)} judges")
    return notes


def _sentences(panel: Groupings, findings: Sequence[Finding], places: Sequence[dict[str, Any]]) -> list[str]:
    out = []
    known = [r for r in places if not math.isnan(r["mean_rank"])]
    if len(known) > 2:
        worst, best = known[0], known[-1]
        of = len({f.method["measure"] for f in findings if f.method.name == "peer_agreement"})
        if worst["mean_rank"] == best["mean_rank"]:
            out.append(f"All {len(known)} judges agree equally with the others (over {many(of, 'measure')}).")
        else:
            out.append(
                f"Judge {best['judge']} agrees most with the others (mean rank {best['mean_rank']:.1f} of {len(known)} "
                f"over {many(of, 'measure')}), judge {worst['judge']} least ({worst['mean_rank']:.1f})."
            )
    for f in findings:
        if f.method.name == "leaning":
            for kind in ("splitter", "generaliser"):
                names = [str(o.labels["judge"]) for o in f.overall if o.labels["leans"] == kind]
                if names:
                    out.append(f"{kind.capitalize()}{'s' if len(names) > 1 else ''}: {_few(names)}.")
    off = {o.labels["judge"]: None for f in findings for o in f.overall if o.labels.get("flag")}
    if off:
        out.append(f"Flagged: {_few([*map(str, off)])} ({len(off)} of {many(len(panel.judges), 'judge')}).")
    elif len(panel.judges) == 1:
        out.append("One judge only: there is nobody to compare with.")
    elif len(panel.judges) == 2:
        out.append("With two judges nobody can tell which of them is off.")
    elif findings:
        out.append(f"None of the {many(len(panel.judges), 'judge')} is flagged.")
    return out


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
