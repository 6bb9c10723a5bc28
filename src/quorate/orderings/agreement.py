"""How much do the judges agree on their orderings?

Four families: what all share (:mod:`~quorate.orderings.kappa`), what most share (:mod:`~quorate.orderings.support`),
indices of two rankings (:mod:`~quorate.orderings.pairwise`) and Kendall's W (:mod:`~quorate.orderings.concordance`).
Higher is more agreement throughout. A judge's repeats do not count as agreement between judges: the first is compared
with the other judges, and all of them with one another in a figure of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.orderings.concordance import kendall_w
from quorate.orderings.dealt import chance, sample, thin
from quorate.orderings.kappa import kappa
from quorate.orderings.pairwise import JUDGES, PAIRWISE, tau_b
from quorate.orderings.support import support
from quorate.panels import Orderings
from quorate.resample import Interval, centred, mean_interval, resampled_counts, stream
from quorate.results import Answer, Finding, Options, Overall
from quorate.stacks import Stack, padded, stacks, together
from quorate.table import Method

__all__ = ["answer", "kappa", "kendall_w", "support"]

Array = NDArray[Any]
WORK = 3 * 10**8  # judge x item-pair comparisons spent on an interval, about
BATCH = 1 << 25  # of them at a time
FEW = 10  # tasks, below which an interval over tasks is rough


def answer(panel: Orderings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    parts = list(stacks(panel))
    findings = []
    for done, method in enumerate(methods):
        options.tell("agreement", done, len(methods))
        findings.append(_finding(panel, parts, method, options))
    options.tell("agreement", len(methods), len(methods))
    more = self_agreement(panel, methods)
    notes = [*panel.notes, *_notes(panel, parts, findings)]
    if options.permutations and (few := sample(options)) < len(panel.tasks):
        notes.append(f"chance and p are from {few:,} of {len(panel.tasks):,} tasks, drawn at random")
    return Answer(
        "orderings",
        "agreement",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, findings, more)),
        tuple(notes),
        {"self_agreement": more} if more else {},
    )


def _finding(panel: Orderings, parts: Sequence[Stack], method: Method, options: Options) -> Finding:
    if method.declaration.properties.get("pads"):
        parts = padded(parts)
    elif method.has("missing") and method["missing"] == "unknown":
        parts = together(parts)
    measured = [method(part.positions, part.counts) for part in parts]
    order = np.argsort(np.concatenate([part.tasks for part in parts]), kind="stable")
    values = np.concatenate([m.values for m in measured])[order]
    told = _in_order([m.told for m in measured], order)
    details = {name: _in_order([m.details[name] for m in measured], order) for name in measured[0].details}
    overall = Overall(
        _overall(values, told),
        _interval(parts, method, values, options),
        chance(parts, method, options),
    )
    return Finding(method, {"task": list(panel.tasks)}, told, details, (overall,))


def _in_order(pieces: Sequence[Sequence[Any]], order: Array) -> list[Any]:
    flat = [v for piece in pieces for v in piece]
    return [flat[i] for i in order.tolist()]


def _overall(values: Array, told: Sequence[Any]) -> float | int:
    """The mean over the tasks where the value is defined; of one task the value itself, exact."""
    if len(told) == 1:
        return told[0]  # type: ignore[no-any-return]
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan


def _interval(parts: Sequence[Stack], method: Method, values: Array, options: Options) -> Interval | None:
    """Bootstrap over tasks; with one task, over judges."""
    rng = stream(options.seed, "interval", method)
    if len(values) > 1:
        return mean_interval(values, rng, options.level, options.resamples, range=method.declaration.range)
    part = thin(parts[0], method, JUDGES)
    _, judges, items = part.shape
    if int(part.counts.sum()) < 3:
        return None
    number = int(min(options.resamples, max(WORK // max(judges * items * items, 1), 100)))
    counts = resampled_counts(part.counts[0], rng, number)
    seen = []
    alike = bool((part.counts > 1).any())
    for block in np.array_split(counts, max(1, number * judges * items * items // BATCH)):
        rankings = np.broadcast_to(part.positions, (len(block), judges, items))
        seen.append(method(rankings, block, alike=alike, brief=True).values)
    low, high = method.declaration.range
    units, log = int(part.counts.sum()), high == math.inf  # numbers of patterns
    return centred(float(values[0]), np.concatenate(seen), options.level, "judges", units, (low, high), log=log)


def self_agreement(panel: Orderings, methods: Sequence[Method]) -> list[dict[str, Any]]:
    """How much judges agree with themselves on repeats: the indices asked for (or tau-b), judge by judge."""
    if not panel.repeats:
        return []
    indices = [(str(m), PAIRWISE[m.name], m.parameters) for m in methods if m.name in PAIRWISE]
    out = []
    for name, index, parameters in indices or [("tau_b", tau_b, {})]:
        for judge, values in _repeats(panel, index, parameters).items():
            defined = [v for v in values if not math.isnan(v)]
            mean = sum(defined) / len(defined) if defined else math.nan
            out.append({"judge": judge, "method": name, "value": mean, "pairs": len(values)})
    return out


def _repeats(panel: Orderings, index: Any, parameters: dict[str, Any]) -> dict[Any, list[float]]:
    found: dict[Any, dict[tuple[int, int], list[list[list[Any]]]]] = {}
    for a, b in zip(panel.starts[:-1].tolist(), panel.starts[1:].tolist(), strict=True):
        groups: list[list[Any]] = [[] for _ in range(int(panel.value[b - 1]))]
        for row in range(a, b):
            groups[int(panel.value[row]) - 1].append(panel.item.ids[panel.item.codes[row]])
        judge = panel.judge.ids[panel.judge.codes[a]]
        found.setdefault(judge, {}).setdefault((int(panel.task.codes[a]), 0), []).append(groups)
    out: dict[Any, list[float]] = {}
    for judge, tasks in found.items():
        for orders in tasks.values():
            if len(orders) > 1:
                square = index.matrix(orders, **parameters)
                out.setdefault(judge, []).extend(square[np.triu_indices(len(orders), 1)].tolist())
    return out


def _notes(panel: Orderings, parts: Sequence[Stack], findings: Sequence[Finding]) -> list[str]:
    notes = []
    if panel.repeats:
        notes.append(f"{panel.repeats} repeats are not compared with other judges; see self-agreement")
    single = sum(p.shape[0] for p in parts if int(p.counts.sum(axis=1).max()) == 1)
    if single:
        notes.append(f"{single} of {len(panel.tasks)} tasks have one judge only: there is nothing to agree with")
    if 1 < len(panel.tasks) < FEW:
        notes.append(f"{len(panel.tasks)} tasks are few: the intervals over tasks are rough")
    absent = any((p.positions == 0).any() for p in parts)
    for f in findings:
        undefined = sum(1 for v in f.values if isinstance(v, float) and math.isnan(v))
        if undefined:
            notes.append(
                f"{f.method}: undefined on {undefined} of {len(f.values)} tasks, which are left out of the mean"
            )
    sampled = [str(f.method) for f in findings if "judges_sampled" in f.details]
    if sampled:
        notes.append(f"{', '.join(sampled)}: over {JUDGES:,} judges drawn at random, since there are more")
    policies = sorted({str(f.method["missing"]) for f in findings if f.method.has("missing")})
    if absent and policies:
        notes.append(f"some judges left items out; an absent item means: {', '.join(policies)}")
    return notes


def _sentences(panel: Orderings, findings: Sequence[Finding], repeats: Sequence[dict[str, Any]]) -> list[str]:
    voters = panel.votes if panel.votes != len(panel.starts) - 1 else len(panel.judges)
    out = [f"{_many(voters, 'judge')} ordered {_many(len(panel.items), 'item')} on {_many(len(panel.tasks), 'task')}."]
    for f in findings:
        say = _SAY.get(f.method.name)
        o = f.overall[0]
        if say and isinstance(o.value, int | float) and o.value == o.value:  # not NaN; may be a huge int
            tied = f.method.name == "tau_b" and panel.tied  # then tau-b is no share of pairs
            out.append((_say_tied if tied else say)(f, o) + _certainty(o))
    if repeats:
        judges = {r["judge"] for r in repeats}
        out.append(f"{_many(len(judges), 'judge')} did a task more than once: see self-agreement.")
    return out


def _many(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def _certainty(o: Overall) -> str:
    if o.chance is None:
        return "."
    if o.chance.p <= 0.05:
        return f", more than by chance (p = {o.chance.p:.2g})."
    return f", no more than by chance (p = {o.chance.p:.2g})."


def _say_kappa(f: Finding, o: Overall) -> str:
    longest = max(f.details["longest"], default=0)
    if not longest:
        return "No item is ranked by all judges of a task"
    mean = "on average " if len(f.values) > 1 else ""
    value = f"{o.value:,.4g}" if o.value < 1e15 else f"2^{_log2(f, o):.1f}"
    many = "common subsequence" if value == "1" else "common subsequences"
    return f"All judges share {mean}{value} {many}, the longest of {_many(longest, 'item')}"


def _log2(f: Finding, o: Overall) -> float:
    """Of the overall value, also where a double cannot hold it."""
    if o.value < math.inf:
        return math.log2(o.value)
    return float(max(v for v in f.details["log2"] if v is not None)) - math.log2(len(f.values))


def _say_support(f: Finding, o: Overall) -> str:
    q = f.method["q"]
    most = f"at least {q} judges" if isinstance(q, int) else f"at least {q:.0%} of the judges"
    return f"Of a ranking's ordered pairs, {o.value:.0%} are shared by {most}"


def _say_tau(f: Finding, o: Overall) -> str:
    return f"Two judges order {(1 + o.value) / 2:.0%} of their common pairs of items alike"


def _say_tied(f: Finding, o: Overall) -> str:
    return f"Two judges' orders, ties included, correlate {o.value:.2f} (tau-b; 1 is the same order)"


_SAY = {"kappa": _say_kappa, "support": _say_support, "tau": _say_tau, "tau_b": _say_tau}
