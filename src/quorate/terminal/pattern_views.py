"""Frequent patterns for people: the ones of a panel, and why a system's list scores as it does by FreSPA."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from quorate import table
from quorate.errors import BadParameter, InputError
from quorate.kernels import patterns as kernel
from quorate.kernels.pattern_weights import Rule, weights
from quorate.orderings.frespa import EFFORT, Explanation, frequent_patterns
from quorate.orderings.measured import need, one_task
from quorate.orderings.quality import explanations
from quorate.panels import Orderings, Panel
from quorate.results import clean
from quorate.table import Method
from quorate.terminal.text import figure, plain_console, plain_table

BY_PATTERNS = ("frespa", "frequent_sets")


@dataclass(frozen=True, slots=True)
class Shown:
    """Patterns of one task: how many there are (None: not counted), and the first or heaviest ones."""

    task: Hashable
    count: int | float | None
    patterns: tuple[tuple[tuple[Hashable, ...], int], ...]


def patterns(panel: Panel, min_sup: float, min_len: int, max_len: int | None, which: str, limit: int) -> list[Shown]:
    """The frequent patterns of every task: of all the heaviest by FreSPA's weights, of the others the first found."""
    if not isinstance(panel, Orderings):
        raise InputError(f"patterns are of orderings; this panel holds {panel.kind}.")
    out = []
    for task in panel.tasks:
        one = panel.select(tasks=[task])
        if which == "all":
            out.append(_heaviest(one, task, min_sup, min_len, max_len, limit))
        else:
            lazily = frequent_patterns(one, min_sup, min_len, max_len, which, limit=None)
            found = tuple(itertools.islice(lazily, limit + 1))
            out.append(Shown(task, len(found) if len(found) <= limit else None, found[:limit]))
    return out


def _heaviest(panel: Orderings, task: Hashable, min_sup: float, min_len: int, max_len: int | None, limit: int) -> Shown:
    given = {"min_sup": min_sup, "min_len": min_len, "max_len": max_len}
    table.bind(table.find("frespa", "orderings", "quality"), given)  # checks them
    one, rule = one_task(panel), Rule(min_len, max_len)
    quorum = need(float(min_sup), one.counts)
    found = weights(one.positions, one.counts, quorum, np.zeros((1, 0, len(one.items)), np.int16), rule)
    bitsets = kernel.bitsets(one.positions[0], one.counts[0], int(quorum[0]))
    lengths = (min_len, len(one.items) if max_len is None else max_len)

    def weigh(length: int, support: int) -> float:
        return float(length * support)

    heavy, _ = kernel.heaviest(bitsets, None, True, weigh, lengths, limit, EFFORT)
    count = float(found.patterns[0])
    shown = tuple((tuple(one.items[i] for i in pattern), support) for (pattern, support), _ in heavy)
    return Shown(task, round(count) if count < 2**53 else count, shown)


def patterns_text(found: Sequence[Shown], which: str, output: str) -> str:
    """Patterns as text, JSON or CSV."""
    rows = [(s.task, p, support) for s in found for p, support in s.patterns]
    if output == "json":
        results = [{"task": t, "pattern": list(p), "support": n, "length": len(p)} for t, p, n in rows]
        overall = [{"task": s.task, "which": which, "patterns": s.count, "shown": len(s.patterns)} for s in found]
        return _json({"kind": "orderings", "results": results, "overall": overall})
    if output == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("task", "pattern", "support", "length"))
        writer.writerows((t, " > ".join(map(str, p)), n, len(p)) for t, p, n in rows)
        return out.getvalue()
    pieces: list[Any] = []
    for s in found:
        pieces += [*([""] if pieces else []), _headline(s, which)]
        if s.patterns:
            pieces.append(_table(s.patterns))
    return _text(pieces)


def _headline(s: Shown, which: str) -> str:
    word = "frequent" if which == "all" else f"{which} frequent"
    if s.count == 0:
        return f"{s.task}: no {word} pattern. A lower --min-sup finds more."
    if s.count is None:
        return f"{s.task}: more than {len(s.patterns)} {word} patterns, the first ones (--limit shows more)."
    many = f"{figure(s.count)} {word} pattern{'' if s.count == 1 else 's'}"
    return f"{s.task}: {many}{', the heaviest:' if len(s.patterns) < s.count else '.'}"


def _table(rows: Sequence[tuple[tuple[Hashable, ...], int]]) -> Any:
    out = plain_table()
    out.add_column("judges", justify="right")
    out.add_column("items", justify="right")
    out.add_column("pattern", overflow="fold")
    for pattern, support in rows:
        out.add_row(f"{support:,}", str(len(pattern)), " > ".join(map(str, pattern)))
    return out


def explanation_text(
    panel: Panel, systems: Panel, system: str, methods: Sequence[Method], output: str, most: int = 10
) -> str:
    """Why a system's lists score as they do: the heaviest patterns kept and broken, as text or JSON."""
    if not isinstance(panel, Orderings) or not isinstance(systems, Orderings):
        raise InputError("--explain is for orderings.")
    if output == "csv":
        raise InputError("--explain has no CSV form.", "use --format json.")
    chosen = [m for m in methods if m.name in BY_PATTERNS] or ([] if methods else [_frespa()])
    if not chosen:
        raise BadParameter("--explain needs a method of patterns.", f"one of {', '.join(BY_PATTERNS)}.")
    found = explanations(panel, systems, system, chosen[0], most)
    if output == "json":
        results = [{"task": t, "system": system, "method": str(chosen[0]), **asdict(e)} for t, e in found.items()]
        return _json({"kind": "orderings", "question": "quality", "results": results})
    return _text(_explained(found, system, chosen[0]))


def _frespa() -> Method:
    return table.bind(table.find("frespa", "orderings", "quality"), {})


def _explained(found: Mapping[Hashable, Explanation], system: str, method: Method) -> list[Any]:
    pieces: list[Any] = []
    for task, e in found.items():
        head = f"{system} on {task}: {method} {e.value:.2f}; {figure(e.patterns)} frequent patterns."
        pieces += [*([""] if pieces else []), head]
        for words, side in (("The heaviest it contains", e.contained), ("The heaviest it misses", e.missed)):
            if side:
                pieces += ["", f"{words}:", _table([(h.pattern, h.support) for h in side])]
            else:
                pieces += ["", f"{words}: none."]
        if not e.complete:
            pieces.append("Note: there are too many patterns to be sure that these are the heaviest.")
    return pieces


def _json(data: Any) -> str:
    return json.dumps(clean(data), ensure_ascii=False, indent=1, default=str) + "\n"


def _text(pieces: Sequence[Any]) -> str:
    out = io.StringIO()
    console = plain_console(out, 80)
    for piece in pieces:
        console.print(piece, markup=False)
    return out.getvalue()
