"""How much judges agree, as tables: by method, every two judges, by task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quorate.document.blocks import Block, Table
from quorate.document.columns import column
from quorate.document.description import description
from quorate.document.pivot import (
    MOST,
    VALUE,
    Entry,
    Key,
    distinct,
    every,
    figures,
    headings,
    interval_column,
    number,
    pivot,
    row_keys,
    undefined_last,
)
from quorate.inference.results import Answer, Finding


def agreement(answer: Answer) -> Iterator[Block]:
    """A row per method and criterion; below it every two judges, the tasks, and what the judges made."""
    found = distinct(answer)
    overall = every(found)
    inside = interval_column(overall)
    keys = [*(["criterion"] if any("criterion" in o.labels for o in overall) else []), "method"]
    entries = [
        (
            tuple(str(f.method) if k == "method" else o.labels[k] for k in keys),
            "",
            {inside if c.key == inside.key else c: v for c, v in cells.items()},  # one column, whatever its ends are
        )
        for f in found
        for o, cells in figures(f, inside, labels=())
    ]
    yield pivot("", [column(k) for k in keys], entries, name="overall")
    yield from _pairs(found)
    if answer.tasks > 1:
        yield from _by_task(answer, found)
    if "description" in answer.more:
        yield description(answer.more["description"])


def _by_task(answer: Answer, found: Sequence[Finding]) -> Iterator[Table]:
    """Tasks with the values of all methods, least agreement by the first one first."""
    keys = ["task"]
    if "by_task" in answer.more:
        values: dict[str, dict[Key, Any]] = {str(f.method): {} for f in found}
        for r in answer.more["by_task"]:
            values.get(r["method"], {})[r["task"],] = r["value"]
    else:
        keys = [k for k in ("task", "criterion") if k in found[0].keys]
        values = {str(f.method): dict(zip(row_keys(f, keys), f.values, strict=True)) for f in found}
    lead, names = values[str(found[0].method)], headings(found)
    order = sorted(lead, key=lambda key: undefined_last(lead[key], _sign(found[0])))
    entries = [(k, names[m], {VALUE: number(of.get(k))}) for m, of in values.items() for k in order[:MOST]]
    by = f" by {found[0].method}" if len(found) == 1 else ""
    title = f"By task, least agreement{by} first"
    yield pivot(title, [column(k) for k in keys], entries, name="by-task", of=len(order))


def _sign(f: Finding) -> int:
    return -1 if f.method.declaration.higher == "less agreement" else 1


def _pairs(found: Sequence[Finding]) -> Iterator[Table]:
    """Every two judges, those who agree least first, below what chance gives; of two ways the mean."""
    found = [f for f in found if "pair" in f.keys and len(f.values)]
    if not found:
        return
    first, ways, names = found[0], _ways(found[0]), headings(found)
    values = {str(f.method): _both_ways(f) for f in found}
    lead = values[str(first.method)]
    order = np.argsort(np.where(np.isnan(lead), np.inf, _sign(first) * lead), kind="stable")[:MOST].tolist()
    tasks = len(set(first.keys["task"])) > 1
    about_rows = [(first.keys["task"][k * ways], tuple(map(str, first.keys["pair"][k * ways]))) for k in order]
    keys: list[Key] = [key if tasks else key[1:] for key in about_rows]
    entries: list[Entry] = []
    for f in found:
        chance = f.overall[0].chance if f.overall else None
        if chance:
            entries.append((("", "chance") if tasks else ("chance",), names[str(f.method)], {VALUE: chance.value}))
    for m, of in values.items():
        entries += [(key, names[m], {VALUE: v}) for key, v in zip(keys, of[order].tolist(), strict=True)]
    both = "; mean of both ways" if any(_ways(f) > 1 for f in found) else ""
    heads = [*([column("task")] if tasks else []), column("pair")]
    yield pivot(f"Every two judges, least agreement first{both}", heads, entries, name="pairs", of=len(lead))


def _both_ways(f: Finding) -> Any:
    """The value of each task and pair, the mean of both ways: there may be millions."""
    return np.asarray(f.values, float).reshape(-1, _ways(f)).mean(axis=1)


def _ways(f: Finding) -> int:
    """How many rows a pair has, one below the other: two where it matters which judge comes first."""
    pairs = f.keys["pair"]
    return 2 if len(pairs) > 1 and list(pairs[0]) == list(pairs[1])[::-1] else 1
