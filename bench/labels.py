"""The label behind crowds' labels: crowd-kit (numpy and pandas) and ours, by the same models."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench import peers
from bench.clock import Row, cpu

MODELS = {"dawid_skene": "dawid_skene(prior=0)", "one_coin": "one_coin(prior=0)", "mace": "mace", "glad": "glad"}
NEAR = 0.01
EXACT = ("dawid_skene", "one_coin")  # the same likelihood, climbed from the same place


def run(quick: bool) -> list[Row]:
    shapes = [(400, 20, 5)] if quick else [(4_000, 50, 5), (4_000, 200, 5)]
    return [row for shape in shapes for row in _shape(*shape)]


def _shape(items: int, judges: int, each: int) -> list[Row]:
    columns = made(items, judges, each)
    size = f"{items * each:,} labels, {items:,} items, {judges} judges"
    try:
        theirs = peers.run("peer_crowdkit.py", {**columns, "models": list(MODELS)}, "crowd-kit")
    except peers.NotAvailable as error:
        return [Row(f"latent labels, {size}, crowd-kit", note=str(error))]
    return [*(_beside(name, columns, theirs, size) for name in MODELS), *(_whole(n, columns, size) for n in MODELS)]


def made(items: int, judges: int, each: int) -> dict[str, list[str]]:
    """Labels of judges who are right in 50 to 95 of 100 cases and else say any label."""
    rng = np.random.default_rng(0)
    skill = rng.uniform(0.5, 0.95, judges)
    out: dict[str, list[str]] = {"item": [], "judge": [], "label": []}
    for i in range(items):
        true = int(rng.integers(4))
        for j in np.sort(rng.choice(judges, each, replace=False)).tolist():
            said = true if rng.random() < skill[j] else int(rng.integers(4))
            for name, value in zip(out, (f"i{i:06}", f"w{j:03}", "abcd"[said]), strict=True):
                out[name].append(value)
    return out


def _whole(name: str, columns: dict[str, list[str]], size: str) -> Row:
    """All that the question answers: copies, certainty by simulated panels, what to adjudicate. No peer has it."""
    import quorate as q

    seconds, _ = cpu(lambda: q.consensus(q.Scores.build(columns), name), 1)
    return Row(f"{name}, {size}, whole answer", seconds)


def _beside(name: str, columns: dict[str, list[str]], theirs: Any, size: str) -> Row:
    import quorate as q
    from quorate.panel.units import by_criterion
    from quorate.table import parse

    method = parse(MODELS[name], "scores", "consensus")

    def ask() -> Any:
        (units,) = by_criterion(q.Scores.build(columns).by_name)
        return method(units).facts["belief"]

    ask()  # imports do not count
    seconds, ours = cpu(ask, 2)
    peer = theirs["models"][name]
    belief = np.array(peer["belief"])
    apart = float(np.abs(ours - belief).max())
    same = float((ours.argmax(axis=1) == belief.argmax(axis=1)).mean())
    told = f"{same:.1%} of labels are the same"
    if name in EXACT:
        many = int((np.abs(ours - belief).max(axis=1) > NEAR).sum())
        told += f", probabilities differ by at most {apart:.0e}, of {many:,} items by more than {NEAR}"
    note = f"crowd-kit {theirs['version']}; {told}"
    return Row(f"{name}, {size}, crowd-kit", seconds, peer["seconds"], 1, note=note)
