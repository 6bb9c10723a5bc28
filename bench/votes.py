"""Strengths of systems from pairwise votes: evalica (Rust) and choix (numpy), and ours without and with intervals."""

from __future__ import annotations

import resource
from typing import Any

import numpy as np

from bench import peers
from bench.clock import Row, cpu

SIZES = {"evalica": (1_000_000, 200, 100_000, 0.1), "choix": (100_000, 50, 10_000, 0.0)}  # votes, systems, tasks, ties
METHOD = "bradley_terry(place=no, ties=half)"  # the peers' model


def run(quick: bool) -> list[Row]:
    rows = []
    for peer, (votes, systems, tasks, ties) in SIZES.items():
        votes, tasks = (votes // 20, tasks // 20) if quick else (votes, tasks)
        columns = made(votes, systems, tasks, ties)
        rows += _beside(peer, columns, systems, f"{votes:,} votes, {systems} systems, {tasks:,} tasks")
    return rows


def made(votes: int, systems: int, tasks: int, ties: float) -> dict[str, Any]:
    """Votes between systems of evenly spread strengths, numbered: first, second, outcome, task and judge."""
    rng = np.random.default_rng(0)
    strength = np.linspace(1.5, -1.5, systems)
    first = rng.integers(systems, size=votes)
    second = (first + rng.integers(1, systems, size=votes)) % systems
    won = rng.random(votes) < 1 / (1 + np.exp(strength[second] - strength[first]))
    outcome = np.where(rng.random(votes) < ties, 1, np.where(won, 0, 2))
    more = {"task": rng.integers(tasks, size=votes), "judge": rng.integers(1000, size=votes)}
    return {"first": first, "second": second, "outcome": outcome, **more}


def panel_of(columns: dict[str, Any], systems: int) -> Any:
    """The votes as a panel."""
    import quorate as q
    from quorate.panel.columns import Coded

    names, said = tuple(f"s{k:03d}" for k in range(systems)), ("model_a", "tie", "model_b")
    sides = {"model_a": Coded(names, columns["first"]), "model_b": Coded(names, columns["second"])}
    return q.Votes.build(
        {**sides, "winner": Coded(said, columns["outcome"]), "task": columns["task"], "judge": columns["judge"]}
    )


def frame_of(columns: dict[str, Any], systems: int) -> Any:
    """The votes as a pandas frame of texts, as a file of them would be."""
    import pandas

    texts = {"task": "q{}", "judge": "j{}", "first": "s{:03d}", "second": "s{:03d}"}
    named = {n: [form.format(k) for k in columns[n].tolist()] for n, form in texts.items()}
    winner = [("model_a", "tie", "model_b")[k] for k in columns["outcome"].tolist()]
    return pandas.DataFrame(named | {"winner": winner}).rename(columns={"first": "model_a", "second": "model_b"})


def _beside(peer: str, columns: dict[str, Any], systems: int, size: str) -> list[Row]:
    import quorate as q

    def ask(panel: Any, **options: Any) -> dict[Any, float]:
        found = q.quality(panel, METHOD, **options)["bradley_terry"].overall
        return {o.labels["system"]: float(o.value) for o in found}

    given = {n: columns[n].tolist() for n in ("first", "second", "outcome")}
    try:
        theirs = peers.run(f"peer_{peer}.py", {**given, "systems": systems}, peer)
    except peers.NotAvailable as error:
        return [Row(f"strengths, {size}, {peer}", note=str(error))]
    ask(panel_of({n: c[:1000] for n, c in columns.items()}, systems), resamples=0)  # imports do not count
    alone, found = float("inf"), {}
    for _ in range(3):  # each of a panel that has not been asked yet
        panel = panel_of(columns, systems)
        took, found = cpu(lambda panel=panel: ask(panel, resamples=0), 1)
        alone = min(alone, took)
    ours, _ = cpu(lambda: ask(panel_of(columns, systems), resamples=0))
    whole, _ = cpu(lambda: ask(panel_of(columns, systems)), 2)
    values = theirs["values"]
    mean = sum(values.values()) / len(values)
    apart = max(abs(found[s] - (x - mean)) for s, x in values.items())
    same = f"strengths differ by at most {apart:.0e} ({'agree' if apart < 1e-6 else 'DIFFER'})"
    name, kept = f"strengths, {size}", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    table, held = "from columns to strengths, tasks and judges too", f"peak {kept // 1024} MiB"
    rows = [
        Row(f"{name}, {peer}", alone, theirs["seconds"], 2, at_most=True, note=f"{peer} {theirs['version']}; {same}"),
        Row(f"{name}, with the table, {peer}", ours, theirs["seconds"], 2, at_most=True, note=table),
        Row(f"{name}, with intervals, {peer}", whole, theirs["seconds"], 20, at_most=True, note=held),
    ]
    if "frame" in theirs:
        frame = frame_of(columns, systems)
        q.read(frame.head(1000))
        read, _ = cpu(lambda: ask(q.read(frame), resamples=0), 2)
        both = "both from a pandas frame of texts, ours with tasks and judges"
        rows.append(Row(f"{name}, from a frame, {peer}", read, theirs["frame"], 2, at_most=True, note=both))
    return rows
