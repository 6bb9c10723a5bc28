"""Who is off? Each judge's groupings against the others'.

Agreement with the others (:func:`~quorate.groupings.peers.peer_agreement`), splitters and generalisers
(:func:`~quorate.groupings.peers.leaning`), and who shares little of what most put together
(:func:`~quorate.groupings.peers.together_outliers`). Asked without a measure, ``peer_agreement`` comes for the three
measures of the Clusters paper. For two judges, :func:`~quorate.groupings.two_judges.compare` shows where they differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.groupings.agreement import description
from quorate.groupings.agreement_words import COUNTED
from quorate.groupings.comparisons import with_treatments
from quorate.groupings.nested import settled
from quorate.groupings.over_tasks import TaskDraws
from quorate.groupings.partitions import Partitions, partitions
from quorate.groupings.peers import Judged, below_most, chance, intervals, is_flagged, most_agree, prepare, shuffles
from quorate.groupings.two_judges import compare
from quorate.inference.resample import centred
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.panel.base import many
from quorate.panel.kinds import Groupings
from quorate.table import Method
from quorate.words.wording import on, voters

__all__ = ["answer", "compare"]

PAPER = ("v_beta", "v_half", "nvi")  # the measures that the Clusters paper recommends
WORTH = 0.05  # of leaning, to be named: about two of ten clusters cut in halves


def answer(panel: Groupings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and judge, and over the tasks of each judge, worst first."""
    parts = partitions(panel)
    findings = []
    chosen = with_treatments(_with_measures(methods), parts, options)
    wanted = [(m["measure"], m["left_out"]) for m in chosen if m.name == "peer_agreement"]
    ready = prepare(wanted, parts, options) if wanted else None
    who, draws = _Who(panel, parts), TaskDraws(options)
    for done, m in enumerate(chosen):
        options.tell("judges", done, len(chosen))
        once = {"prepared": ready} if m.name == "peer_agreement" else {}
        findings.append(_finding(panel, who, m, m(parts, options, **once), draws))
    options.tell("judges", len(chosen), len(chosen))
    more = {"ranks": ranks(panel, parts, who, findings, draws), "description": description(panel, parts)}
    return Answer(
        "groupings",
        "judges",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, findings, more["ranks"])),
        (*panel.notes, *_notes(panel, parts, findings, options)),
        more,
    )


def _with_measures(methods: Sequence[Method]) -> list[Method]:
    out = []
    for m in methods:
        open_ = m.name == "peer_agreement" and "measure" not in dict(m.settings)
        out += [m.with_(measure=name) for name in PAPER] if open_ else [m]
    return out


class _Who:
    """Whose each value is, where those of all tasks stand one after the other."""

    def __init__(self, panel: Groupings, parts: Sequence[Partitions]) -> None:
        self.codes = np.concatenate([p.judges for p in parts])
        self.judges = np.unique(self.codes).tolist()
        order = np.argsort(self.codes, kind="stable")
        self.mine = np.split(order, np.flatnonzero(np.diff(self.codes[order])) + 1)  # [judge] places of the values
        tasks = [panel.tasks[p.task] for p in parts for _ in p.judges]
        self.keys = {"task": tasks, "judge": [panel.judges[j] for j in self.codes.tolist()]}


def _finding(panel: Groupings, who: _Who, method: Method, judged: Judged, draws: TaskDraws) -> Finding:
    values = np.concatenate(judged.values)
    columns = {n: np.concatenate(column) for n, column in judged.details.items()}
    seen = [_mean(values[at]) for at in who.mine]
    between = intervals(judged, who.mine, values, draws)
    tested = chance(judged, who.mine, seen, draws.options)
    overall = []
    crowd = [True] * len(seen)
    if method.name == "peer_agreement":
        crowd = below_most(judged.sign, seen) if most_agree(tested) else [False] * len(seen)
    for k, (j, at) in enumerate(zip(who.judges, who.mine, strict=True)):
        told = {n: _mean(column[at]) for n, column in columns.items() if n != "outlier"}
        labels: dict[str, Any] = {"judge": panel.judges[j], "tasks": len(at), **told}
        if method.name == "leaning":
            labels["leans"] = _leans(seen[k], between[k])
        else:
            # Of two judges nobody can tell which one is off.
            labels["flag"] = len(panel.judges) > 2 and crowd[k] and is_flagged(method, told, tested[k])
        overall.append(Overall(seen[k], between[k], tested[k], labels))
    details = {n: column.tolist() for n, column in columns.items()}
    order = sorted(overall, key=lambda o: _worst_first(o, judged.sign))
    return Finding(method, dict(who.keys), values.tolist(), details, tuple(order))


def _leans(value: float, interval: Any) -> str:
    """Which way a judge leans, if that is both sure and worth telling: with many items the least leaning is sure."""
    if interval is None or interval.low <= 0 <= interval.high or abs(value) < WORTH:
        return ""
    return "splitter" if interval.low > 0 else "generaliser"


def _worst_first(o: Overall, sign: int) -> tuple[int, float]:
    return (1, 0.0) if math.isnan(o.value) else (0, sign * float(o.value))


def _mean(values: Any) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def ranks(
    panel: Groupings, parts: Sequence[Partitions], who: _Who, findings: Sequence[Finding], draws: TaskDraws
) -> list[dict[str, Any]]:
    """Each judge's place by agreement with the others (1 is most), averaged over measures and treatments.

    The interval is over tasks; the places are taken among the judges as they stand. A judge of one task has none.
    """
    used = [f for f in findings if f.method.name == "peer_agreement"]
    if not used:
        return []
    task = np.repeat(np.arange(len(parts)), [len(p.judges) for p in parts])
    table = np.full((len(parts), len(used), len(panel.judges)), np.nan)  # 1 is best throughout
    for m, f in enumerate(used):
        table[task, m, who.codes] = settled(str(f.method["measure"]))[0].sign * np.array(f.values, float)
    table = table[:, :, who.judges]
    there = ~np.isnan(table)
    number, total = there.mean(axis=0), np.where(there, table, 0.0).mean(axis=0)
    seen = _mean_places(_divided(total, number)[None])[0]
    drawn = None
    if len(parts) > 1:
        flat = np.concatenate([np.where(there, table, 0.0), there], axis=1).reshape(len(parts), -1)
        means = draws.means(flat).reshape(-1, 2, *table.shape[1:])
        drawn = _mean_places(_divided(means[:, 0], means[:, 1]))
    left = np.concatenate([(p.labels < 0).mean(axis=1) for p in parts])
    out = []
    for n, (j, at) in enumerate(zip(who.judges, who.mine, strict=True)):
        between = None
        if drawn is not None:
            ends = (1.0, float(len(who.judges)))
            between = centred(float(seen[n]), drawn[:, n], draws.options.level, "tasks", len(at), ends)
        row = {"judge": panel.judges[j], "mean_rank": float(seen[n]), "tasks": len(at), "left_out": _mean(left[at])}
        out.append({**row, "interval": [between.low, between.high] if between else None})
    return sorted(out, key=lambda r: math.inf if math.isnan(r["mean_rank"]) else -r["mean_rank"])


def _divided(total: Any, number: Any) -> Any:
    return np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)


def _mean_places(values: Any) -> Any:
    """Places of the judges by each measure, ``values[draw, measure, judge]``, equal ones sharing theirs, on average."""
    above = (values[..., None, :] > values[..., :, None]).sum(axis=-1)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    places = np.where(np.isnan(values), np.nan, above + (equal + 1) / 2)
    there = ~np.isnan(places)
    return _divided(np.where(there, places, 0).sum(axis=1), there.sum(axis=1))


# -- in words ----------------------------------------------------------------------------------------------------------


def _notes(panel: Groupings, parts: Sequence[Partitions], findings: Sequence[Finding], options: Options) -> list[str]:
    notes = []
    number, usual = (shuffles(parts, o) for o in (options, replace(options, effort=1.0)))
    if number < usual and any(f.method.name == "peer_agreement" for f in findings):
        less = f"peer_agreement: a judge's items are dealt anew {number} times a task instead of {usual}"
        notes.append(f"{less} to keep the page quick; `--effort 1` draws all")
    if panel.repeats:
        notes.append(f"{many(panel.repeats, 'repeat')} left aside: of a judge's repeats on a task the first counts")
    if (panel.count != 1).any():
        notes.append(COUNTED)
    single = sum(int(p.counts.sum()) == 1 for p in parts)
    if single and len(panel.judges) > 1:
        notes.append(f"{on(single, len(parts))} there is one judge only and nobody to compare with")
    empty = dict.fromkeys(str(panel.judges[j]) for p in parts for j in p.judges[p.used == 0].tolist())
    if empty:
        notes.append(f"every item of a task was left out by: {_few([*empty])}")
    if not any((p.labels < 0).any() for p in parts):
        notes.append("no judge left an item out: singletons, bucket and common are the same")
    for f in findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if undefined == len(f.overall) > 1:
            notes.append(f"{f.method}: undefined for every judge")
        elif undefined and len(f.overall) > 1:
            notes.append(f"{f.method}: undefined for {undefined} of {len(f.overall)} judges")
    peers = [[o.chance for o in f.overall] for f in findings if f.method.name == "peer_agreement"]
    if any(any(tested) and not most_agree(tested) for tested in peers) and len(panel.judges) > 2:
        few = "fewer than half the judges agree with the others more than by chance"
        notes.append(f"peer_agreement: {few}, so nobody is flagged by it")
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
            beside = "the other" if len(panel.judges) == 2 else "the others"
            for kind, how in (("splitter", "finer"), ("generaliser", "coarser")):
                names = [str(o.labels["judge"]) for o in f.overall if o.labels["leans"] == kind]
                if names:
                    said = f"{kind.capitalize()}{'s' if len(names) > 1 else ''}, with {how} groups than {beside}"
                    out.append(f"{said}: {_few(names)}.")
    return [*out, *_said_of_flags(panel, findings)]


def _said_of_flags(panel: Groupings, findings: Sequence[Finding]) -> list[str]:
    """Who is flagged, or why nobody is."""
    tested = [o for f in findings for o in f.overall if "flag" in o.labels]
    off = list(dict.fromkeys(str(o.labels["judge"]) for o in tested if o.labels["flag"]))
    rows, stand_for = len(panel.judges), voters(panel)
    if off:
        of = f"{rows:,} rows, which stand for {stand_for:,} judges" if stand_for > rows else many(rows, "judge")
        return [f"Flagged: {_few(off)} ({len(off)} of {of})."]
    if stand_for == 1:
        return ["There is one judge only: nobody to compare with."]
    if rows == 2:
        return [f"With two {'judges' if stand_for == 2 else 'rows'} nobody can tell which of them is off."]
    if not tested:
        return []
    if all(math.isnan(o.value) for o in tested):
        return ["Nobody can be told to be off: there is nothing to compare."]
    return [f"None of the {rows:,} {'judges' if stand_for == rows else 'rows'} is flagged."]


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
