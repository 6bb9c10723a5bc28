"""Who is off? Each judge against the others, worst first.

Three methods: what most judges share and this one does not (:mod:`~quorate.orderings.outliers`), the correlation with
the others (:mod:`~quorate.orderings.peers`), and what changes without the judge (:mod:`~quorate.orderings.influence`).
A lower value is a worse judge throughout. Of a judge's repeats on a task only the first is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.orderings import outliers, peers
from quorate.orderings.influence import influence, named
from quorate.orderings.influence import overall as influence_overall
from quorate.orderings.judged import Judged, Rows
from quorate.orderings.outliers import support_outliers
from quorate.orderings.peers import peer_correlation
from quorate.panel.base import many
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack, stacks, together
from quorate.table import Method
from quorate.words.numbers import p_is, share, two
from quorate.words.wording import above, listed, on, voters

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
        tuple(_sentences(panel, parts, findings)),
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
        verb = "is" if panel.repeats == 1 else "are"
        notes.append(
            f"{many(panel.repeats, 'repeat')} {verb} left aside: of a judge's repeats on a task the first counts"
        )
    single = sum(int((p.counts.sum(axis=1) == 1).sum()) for p in parts)
    if single and voters(panel) > 1:
        notes.append(f"{on(single, len(panel.tasks))} there is one judge only and nobody to compare with")
    if panel.votes != len(panel.starts) - 1:
        notes.append("a row that stands for several judges is taken out or flagged as a whole")
    for f in findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if 0 < undefined < len(f.overall):  # else a sentence says it
            notes.append(f"{f.method}: undefined for {undefined} of {len(f.overall)} judges")
        if any(o.chance and not o.chance.permutations for o in f.overall):
            notes.append(f"{f.method}: p by the normal distribution of a mean over many tasks, not by permutations")
        tested = [o for o in f.overall if o.chance and "p_holm" in o.labels]
        if tested and 2 * sum(o.labels["p_holm"] <= 0.05 for o in tested) < len(tested):
            dealt = min(o.chance.permutations for o in tested if o.chance)
            few = "fewer than half the judges agree with the others more than by chance"
            if dealt and len(tested) > 0.05 * (dealt + 1):  # no p, however small, stands Holm's correction
                few = f"{dealt:,} permutations are too few to tell {len(tested):,} judges from chance"
            notes.append(f"{f.method}: {few}, so nobody is flagged by it")
    return notes


def flagged(findings: Sequence[Finding]) -> dict[Any, list[str]]:
    """The judges that some method flags, with the methods."""
    out: dict[Any, list[str]] = {}
    for f in findings:
        for o in f.overall:
            if o.labels.get("flag"):
                out.setdefault(o.labels["judge"], []).append(f.method.name)
    return out


def _sentences(panel: Orderings, parts: Sequence[Stack], findings: Sequence[Finding]) -> list[str]:
    if voters(panel) == 1:
        return ["There is one judge only: nobody to compare with."]
    out = []
    most = max(int(p.counts.sum(axis=1).max()) for p in parts)
    for f in findings:
        defined = [o for o in f.overall if not math.isnan(o.value)]
        if not defined:
            out.append(f"{f.method} is undefined for every judge: there is nothing to compare.")
        elif f.method.name != "support_outliers" or _quorum(f.method["q"], most) > 1:
            out.append(_SAY[f.method.name](f.method, defined))
    tested = [o for f in findings for o in f.overall if o.labels.get("flag") is not None]
    return out + ([_said_of_flags(panel, flagged(findings), tested)] if tested else [])


def _quorum(q: Any, judges: int) -> int:
    """How many judges a quorum is; of one everybody shares everything."""
    return q if isinstance(q, int) else max(math.ceil(q * judges - 1e-9), 1)


def _said_of_flags(panel: Orderings, off: Mapping[Any, Any], tested: Sequence[Overall]) -> str:
    number = len(panel.judges)
    rows = number != voters(panel)  # a name stands for several judges
    if off:
        several = f"{voters(panel):,} judges" if len(panel.tasks) == 1 else "several judges each"
        of = f"{number:,} rows, which stand for {several}" if rows else f"{number:,} judges"
        return f"Flagged: {listed([*off], 10)} ({len(off)} of {of})."
    if voters(panel) == 2:
        return "With two judges nobody can tell which of them is off."
    if all(math.isnan(o.value) for o in tested):
        return "Nobody can be told to be off: there is nothing to compare."
    return f"None of the {number:,} {'rows' if rows else 'judges'} is flagged."


def _say_support(method: Method, found: Sequence[Overall]) -> str:
    worst, q = found[0].labels, method["q"]
    most = "most judges" if q == 0.5 else f"at least {q} judges" if isinstance(q, int) else f"{q:.0%} of the judges"
    if len({share(o.labels["kappa2"]) for o in found}) == 1:
        return f"Every judge shares {share(worst['kappa2'])} of the ordered pairs with {most}."
    return (
        f"Judge {worst['judge']} shares {share(worst['kappa2'])} of the ordered pairs with {most}; "
        f"panel mean {share(worst['panel_kappa2'])}."
    )


def _say_peers(method: Method, found: Sequence[Overall]) -> str:
    worst, alike = found[0], len({two(o.value) for o in found}) == 1
    if len(found) == 2 and alike:
        said = f"The two judges correlate {two(worst.value)} with each other"
    else:
        who = "Every judge" if alike and len(found) > 1 else f"Judge {worst.labels['judge']}"
        said = f"{who} correlates {two(worst.value)} with the others"
    if worst.chance is not None:
        p = max(o.labels["p_holm"] for o in found) if alike else worst.labels["p_holm"]
        said += f", {above(p)} than a random order (corrected {p_is(p)})"
    return said + ("." if alike else f"; the mean of the judges is {two(sum(o.value for o in found) / len(found))}.")


def _say_influence(method: Method, found: Sequence[Overall]) -> str:
    worst = found[0]
    tau, changed = worst.labels["tau_b"], worst.labels["consensus_changed"]
    tasks = worst.labels["tasks"]
    before, after = two(tau + worst.value), two(tau)
    moves = f"stays at {after}" if before == after else f"goes from {before} to {after}"
    order = f"changes{f' {on(changed, tasks)}' if tasks > 1 else ''}" if changed else "stays the same"
    return f"Without judge {worst.labels['judge']} the mean tau-b {moves} and the consensus order {order}."


_SAY = {"support_outliers": _say_support, "peer_correlation": _say_peers, "influence": _say_influence}
