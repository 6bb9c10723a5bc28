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

from quorate.inference.resample import Interval, centred, mean_interval, resampled_counts, stream
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.kernels.inversions import quicker
from quorate.kernels.precedence_bits import fits
from quorate.orderings.agreement_words import notes as notes_of
from quorate.orderings.agreement_words import sentences
from quorate.orderings.concordance import kendall_w
from quorate.orderings.dealt import chance, sample, thin
from quorate.orderings.kappa import kappa
from quorate.orderings.pairwise import JUDGES, PAIRWISE, tau_b
from quorate.orderings.support import support
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack, padded, stacks, together
from quorate.table import Method

__all__ = ["answer", "kappa", "kendall_w", "support"]

Array = NDArray[Any]
WORK = 3 * 10**8  # judge x item-pair comparisons spent on an interval, about
BATCH = 1 << 25  # of them at a time
LONG = 10**8  # of them in one panel, above which kappa's interval is made from few panels
FEWEST = 20


def answer(panel: Orderings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    parts = list(stacks(panel))
    findings = []
    for done, method in enumerate(methods):
        options.tell("agreement", done, len(methods))
        findings.append(_finding(panel, parts, method, options))
    options.tell("agreement", len(methods), len(methods))
    more = self_agreement(panel, methods)
    notes = [*panel.notes, *notes_of(panel, parts, findings)]
    if options.permutations and (few := sample(options)) < len(panel.tasks):
        notes.append(f"chance and p are from {few:,} of {len(panel.tasks):,} tasks, drawn at random")
    notes += _rough(parts, methods, options)
    return Answer(
        "orderings",
        "agreement",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(sentences(panel, parts, findings, more)),
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
    number = _resamples(method, judges, items, options)
    counts = resampled_counts(part.counts[0], rng, number)
    seen = []
    alike = bool((part.counts > 1).any())
    rankings = np.broadcast_to(part.positions, (number, judges, items))
    once = quicker(part.positions) if method.name in PAIRWISE else _plain_support(method) and fits(rankings)
    pieces = 1 if once else max(1, min(number, number * judges * items * items // BATCH))
    for block in np.array_split(counts, pieces):
        rankings = np.broadcast_to(part.positions, (len(block), judges, items))
        seen.append(method(rankings, block, alike=alike, brief=True).values)
    low, high = method.declaration.range
    units, log = int(part.counts.sum()), high == math.inf  # numbers of patterns
    return centred(float(values[0]), np.concatenate(seen), options.level, "judges", units, (low, high), log=log)


def _plain_support(method: Method) -> bool:
    return method.name == "support" and method["gamma"] == method["lam"] == 1


def _resamples(method: Method, judges: int, items: int, options: Options) -> int:
    """How many panels are drawn for the interval of one task."""
    work = judges * items * items
    least = FEWEST if method.name == "kappa" and work > LONG else 100  # of the others a look at all pairs serves all
    return int(min(options.resamples, max(WORK // max(work, 1), least)))


def _rough(parts: Sequence[Stack], methods: Sequence[Method], options: Options) -> list[str]:
    """Where rankings of a single task are so long that fewer panels were drawn than asked for."""
    part = parts[0]
    if len(parts) > 1 or part.shape[0] > 1 or int(part.counts.sum()) < 3:
        return []
    by_number: dict[int, list[str]] = {}
    for m in methods:
        by_number.setdefault(_resamples(m, *thin(part, m, JUDGES).shape[1:], options), []).append(str(m))
    return [
        f"{', '.join(names)}: long rankings; intervals are of {number:,} resamples, not {options.resamples:,}"
        for number, names in by_number.items()
        if number < options.resamples
    ]


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
    found: dict[Any, dict[int, list[list[list[Any]]]]] = {}
    for a, b in zip(panel.starts[:-1].tolist(), panel.starts[1:].tolist(), strict=True):
        groups: list[list[Any]] = [[] for _ in range(int(panel.value[b - 1]))]
        for row in range(a, b):
            groups[int(panel.value[row]) - 1].append(panel.item.ids[panel.item.codes[row]])
        judge = panel.judge.ids[panel.judge.codes[a]]
        found.setdefault(judge, {}).setdefault(int(panel.task.codes[a]), []).append(groups)
    out: dict[Any, list[float]] = {}
    for judge, tasks in found.items():
        for orders in tasks.values():
            if len(orders) > 1:
                square = index.matrix(orders, **parameters)
                out.setdefault(judge, []).extend(square[np.triu_indices(len(orders), 1)].tolist())
    return out
