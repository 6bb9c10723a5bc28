"""Frequent patterns for people: the ones of a panel, and why a system's list scores as it does by FreSPA."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from quorate import table
from quorate.errors import BadParameter, InputError, LimitReached
from quorate.inference.results import clean
from quorate.kernels import patterns as kernel
from quorate.kernels.pattern_rule import Rule
from quorate.kernels.pattern_weights import weights
from quorate.orderings.frespa import EFFORT, Explanation, check, frequent_patterns
from quorate.orderings.measured import need, one_task
from quorate.orderings.quality import explanations
from quorate.panel.kinds import Orderings, Panel
from quorate.table import Method
from quorate.terminal.page import USUAL, page_text
from quorate.terminal.text import figure, plain_table

BY_PATTERNS = ("frespa", "frequent_sets")
MOST = 200_000  # patterns held in memory
FEWER = "raise --min-sup or lower --max-len for fewer patterns"


@dataclass(frozen=True, slots=True)
class Shown:
    """Patterns of one task: how many there are (None: not counted), and the first or heaviest ones."""

    task: Hashable
    count: int | float | None
    patterns: tuple[tuple[tuple[Hashable, ...], int], ...]
    sure: bool = True  # False: there are too many to be sure that these are the heaviest
    estimated: bool = False  # whether the count is an estimate

    @property
    def complete(self) -> bool:
        """Whether these are all there are."""
        return self.count == len(self.patterns)


def patterns(
    panel: Panel, min_sup: float, min_len: int, max_len: int | None, which: str, limit: int, seed: int = 0
) -> list[Shown]:
    """The frequent patterns of every task: of all the heaviest by FreSPA's weights, of the others the first found.

    They are held in memory, so that more than ``MOST`` are an error, whatever the limit. Where there are too many to
    count, their number is estimated by ``seed``.
    """
    if not isinstance(panel, Orderings):
        raise InputError(f"patterns are of orderings; this panel holds {panel.kind}.", "give a file of orderings.")
    given = {"min_sup": min_sup, "min_len": min_len, "max_len": max_len}
    table.bind(table.find("frespa", "orderings", "quality"), given)  # checks them
    out: list[Shown] = []
    room = MOST
    for task in panel.tasks:
        one = panel.select(tasks=[task])
        if which == "all":
            out.append(_heaviest(one, task, min_sup, min_len, max_len, limit, room, seed))
        else:
            lazily = frequent_patterns(one, min_sup, min_len, max_len, which, limit=None)
            found = tuple(itertools.islice(lazily, min(limit, room) + 1))
            if len(found) > room:
                raise _too_many(None)
            out.append(Shown(task, len(found) if len(found) <= limit else None, found[:limit]))
        room -= len(out[-1].patterns)
    return out


def _too_many(count: float | None) -> LimitReached:
    of = "there are more" if count is None else f"there are {figure(count)}"
    return LimitReached(f"stopped after {MOST:,} patterns; {of}.", f"{FEWER}, or lower --limit to see the first ones.")


def _heaviest(
    panel: Orderings,
    task: Hashable,
    min_sup: float,
    min_len: int,
    max_len: int | None,
    limit: int,
    room: int,
    seed: int,
) -> Shown:
    one, rule = one_task(panel), Rule(min_len, max_len)
    quorum = need(float(min_sup), one.counts)
    check(one.positions, one.counts, quorum)
    order = one.positions[:, :1]  # any, to see the error
    found = weights(one.positions, one.counts, quorum, order, rule, seed=seed)
    count = float(found.patterns[0])
    if min(limit, count) > room:
        raise _too_many(count)
    bitsets = kernel.bitsets(one.positions[0], one.counts[0], int(quorum[0]))
    lengths = (min_len, len(one.items) if max_len is None else max_len)

    def weigh(length: int, support: int) -> float:
        return float(length * support)

    heavy, sure = kernel.heaviest(bitsets, None, True, weigh, lengths, limit, max(EFFORT, 2 * limit))
    shown = tuple((tuple(one.items[i] for i in pattern), support) for (pattern, support), _ in heavy)
    return Shown(task, round(count) if count < 2**53 else count, shown, sure, bool(found.error.any()))


def patterns_text(found: Sequence[Shown], which: str, output: str, width: int = USUAL) -> str:
    """Patterns as text, JSON or CSV."""
    rows = [(s.task, p, support) for s in found for p, support in s.patterns]
    if output == "json":
        results = [{"task": t, "pattern": list(p), "support": n, "length": len(p)} for t, p, n in rows]
        overall = [
            {
                "task": s.task,
                "which": which,
                "patterns": s.count,
                "shown": len(s.patterns),
                "complete": s.complete,
                "estimated": s.estimated,
            }
            for s in found
        ]
        return _json({"kind": "orderings", "results": results, "overall": overall, "notes": cut_short(found)})
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
    pieces += [p for note in cut_short(found) for p in ("", f"Note: {note}.")]
    return page_text(pieces, width)


def cut_short(found: Sequence[Shown]) -> list[str]:
    """What to do where not all patterns are shown; how many are so far."""
    cut = [s for s in found if not s.complete]
    if not cut:
        return []
    held = sum(len(s.patterns) for s in cut)
    where = f" on {len(cut)} of {len(found)} tasks" if len(found) > 1 else ""
    return [f"stopped after {held:,} patterns{where}, there are more: {FEWER}, or raise --limit"]


def _headline(s: Shown, which: str) -> str:
    word = "frequent" if which == "all" else f"{which} frequent"
    if s.count == 0:
        return f"{s.task}: no {word} pattern. A lower --min-sup finds more."
    if s.count is None:
        return f"{s.task}: more than {len(s.patterns):,} {word} patterns, the first ones:"
    which_ones = ", the heaviest:" if s.sure else ", heavy ones among them:"
    many = f"{figure(s.count)} {word} pattern{'' if s.count == 1 else 's'}"
    about = "about " if s.estimated else ""
    return f"{s.task}: {about}{many}{which_ones if len(s.patterns) < s.count else '.'}"


def _table(rows: Sequence[tuple[tuple[Hashable, ...], int]]) -> Any:
    out = plain_table()
    out.add_column("judges", justify="right")
    out.add_column("items", justify="right")
    out.add_column("pattern", overflow="fold")
    for pattern, support in rows:
        out.add_row(f"{support:,}", str(len(pattern)), " > ".join(map(str, pattern)))
    return out


def explanation_text(
    panel: Panel,
    systems: Panel,
    system: str,
    methods: Sequence[Method],
    output: str,
    most: int = 10,
    width: int = USUAL,
    seed: int = 0,
) -> str:
    """Why a system's lists score as they do: the heaviest patterns kept and broken, as text or JSON."""
    if not isinstance(panel, Orderings) or not isinstance(systems, Orderings):
        raise InputError("--explain is for orderings.")
    if output == "csv":
        raise InputError("--explain has no CSV form.", "use --format json.")
    chosen = [m for m in methods if m.name in BY_PATTERNS] or ([] if methods else [_frespa()])
    if not chosen:
        raise BadParameter("--explain needs a method of patterns.", f"one of {', '.join(BY_PATTERNS)}.")
    found = explanations(panel, systems, system, chosen[0], most, seed)
    if output == "json":
        results = [{"task": t, "system": system, "method": str(chosen[0]), **asdict(e)} for t, e in found.items()]
        return _json({"kind": "orderings", "question": "quality", "results": results})
    return page_text(_explained(found, system, chosen[0]), width)


def _frespa() -> Method:
    return table.bind(table.find("frespa", "orderings", "quality"), {})


def _explained(found: Mapping[Hashable, Explanation], system: str, method: Method) -> list[Any]:
    pieces: list[Any] = []
    for task, e in found.items():
        word = "pattern" if e.patterns == 1 else "patterns"
        head = f"{system} on {task}: {method} {e.value:.2f}; {figure(e.patterns)} frequent {word}."
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
