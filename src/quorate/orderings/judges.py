"""Who is off? Each judge against the others, worst first.

Three methods: what most judges share and this one does not (:mod:`~quorate.orderings.outliers`), the correlation with
the others (:mod:`~quorate.orderings.peers`), and what changes without the judge (:mod:`~quorate.orderings.influence`).
A lower value is a worse judge throughout. Of a judge's repeats on a task only the first is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quorate.orderings import outliers, peers
from quorate.orderings.influence import influence, named
from quorate.orderings.influence import overall as influence_overall
from quorate.orderings.judged import Judged, Rows
from quorate.orderings.outliers import support_outliers
from quorate.orderings.peers import peer_correlation
from quorate.panels import Orderings
from quorate.results import Answer, Finding, Options, Overall
from quorate.stacks import Stack, stacks, together
from quorate.table import Method

__all__ = ["answer", "influence", "peer_correlation", "support_outliers"]

_OVERALL: Mapping[str, Callable[..., list[Overall]]] = {
    "support_outliers": outliers.overall,
    "peer_correlation": peers.overall,
    "influence": influence_overall,
}


def answer(panel: Orderings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and judge, and over the tasks of each judge, worst first."""
    parts = together(list(stacks(panel)))
    findings = []
    for done, method in enumerate(methods):
        options.tell("judges", done, len(methods))
        findings.append(_finding(panel, parts, method, options))
    options.tell("judges", len(methods), len(methods))
    return Answer(
        "orderings",
        "judges",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, findings)),
        (*panel.notes, *_notes(panel, parts, findings)),
    )


def _finding(panel: Orderings, parts: Sequence[Stack], method: Method, options: Options) -> Finding:
    judged: list[Judged] = [method(part.positions, part.counts) for part in parts]
    rows = Rows.of(parts, judged)
    overall = sorted(_OVERALL[method.name](panel, parts, rows, method, options), key=_worst_first)
    details = {name: column.tolist() for name, column in rows.details.items()}
    if method.name == "influence":
        details["consensus"] = _named(panel, parts, rows, details["consensus"])
    return Finding(method, rows.keys(panel), rows.values.tolist(), details, tuple(overall))


def _worst_first(o: Overall) -> tuple[int, float]:
    return (1, 0.0) if math.isnan(o.value) else (0, float(o.value))


def _named(panel: Orderings, parts: Sequence[Stack], rows: Rows, orders: Sequence[Any]) -> list[Any]:
    """Orders of a task's items as tie groups of their ids."""
    items = {
        t: [panel.items[i] for i in row]
        for part in parts
        for t, row in zip(part.tasks.tolist(), part.items.tolist(), strict=True)
    }
    return [named(order, items[t]) for t, order in zip(rows.task.tolist(), orders, strict=True)]


def _notes(panel: Orderings, parts: Sequence[Stack], findings: Sequence[Finding]) -> list[str]:
    notes = []
    if panel.repeats:
        notes.append(f"{panel.repeats} repeats are left aside: of a judge's repeats on a task the first counts")
    single = sum(p.shape[0] for p in parts if int(p.counts.sum(axis=1).max()) == 1)
    if single:
        notes.append(f"{single} of {len(panel.tasks)} tasks have one judge only: there is nobody to compare with")
    if panel.votes != len(panel.starts) - 1:
        notes.append("a row that stands for several judges is taken out or flagged as a whole")
    for f in findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if undefined:
            notes.append(f"{f.method}: undefined for {undefined} of {len(f.overall)} judges")
        if any(o.chance and not o.chance.permutations for o in f.overall):
            notes.append(f"{f.method}: p by the normal distribution of a mean over many tasks, not by permutations")
        tested = [o.labels["p_holm"] for o in f.overall if o.chance and "p_holm" in o.labels]
        if tested and 2 * sum(p <= 0.05 for p in tested) < len(tested):
            notes.append(
                f"{f.method}: fewer than half the judges agree with the others more than by chance: nobody is flagged"
            )
    return notes


def flagged(findings: Sequence[Finding]) -> dict[Any, list[str]]:
    """The judges that some method flags, with the methods."""
    out: dict[Any, list[str]] = {}
    for f in findings:
        for o in f.overall:
            if o.labels.get("flag"):
                out.setdefault(o.labels["judge"], []).append(f.method.name)
    return out


def _sentences(panel: Orderings, findings: Sequence[Finding]) -> list[str]:
    out = []
    for f in findings:
        defined = [o for o in f.overall if not math.isnan(o.value)]
        if defined:
            out.append(_SAY[f.method.name](f.method, defined))
        else:
            out.append(f"{f.method} is undefined for every judge: there is nothing to compare.")
    off = flagged(findings)
    if off:
        names = ", ".join(map(str, list(off)[:10])) + (", ..." if len(off) > 10 else "")
        out.append(f"Flagged: {names} ({len(off)} of {len(panel.judges)} judges).")
    elif any(o.labels.get("flag") is False for f in findings for o in f.overall):
        many = len(panel.judges)
        out.append(f"None of the {many} judges is flagged." if many > 1 else "The only judge is not flagged.")
    return out


def _say_support(method: Method, found: Sequence[Overall]) -> str:
    worst, q = found[0].labels, method["q"]
    most = "most judges" if q == 0.5 else f"at least {q} judges" if isinstance(q, int) else f"{q:.0%} of the judges"
    return (
        f"Judge {worst['judge']} shares {worst['kappa2']:.0%} of the ordered pairs with {most}; "
        f"panel mean {worst['panel_kappa2']:.0%}."
    )


def _say_peers(method: Method, found: Sequence[Overall]) -> str:
    worst = found[0]
    mean = sum(o.value for o in found) / len(found)
    said = f"Judge {worst.labels['judge']} correlates {worst.value:.2f} with the others; mean of the judges {mean:.2f}"
    if worst.chance is None:
        return said + "."
    p = worst.labels["p_holm"]
    return said + f"; {'more' if p <= 0.05 else 'no more'} than a random order would (corrected p = {p:.2g})."


def _say_influence(method: Method, found: Sequence[Overall]) -> str:
    worst = found[0]
    tau, changed = worst.labels["tau_b"], worst.labels["consensus_changed"]
    tasks = worst.labels["tasks"]
    order = "changes" if changed else "stays the same"
    where = f" on {changed} of {tasks} tasks" if changed and tasks > 1 else ""
    return (
        f"Without judge {worst.labels['judge']} the mean tau-b goes from {tau + worst.value:.2f} to {tau:.2f} "
        f"and the consensus order {order}{where}."
    )


_SAY = {"support_outliers": _say_support, "peer_correlation": _say_peers, "influence": _say_influence}
