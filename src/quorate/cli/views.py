"""Other views of agreement: judge x judge, the patterns and the order all share, what most share of each ranking.

Also the table of methods.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from quorate import table
from quorate.document.blocks import Block, Column, Table, Text
from quorate.document.result import Result, json_text
from quorate.errors import InputError
from quorate.orderings import PAIRWISE, Kappa, kappa, support
from quorate.orderings.kappa import similarity
from quorate.orderings.rankings import one_task
from quorate.orderings.support import Supported, SupportedPairs
from quorate.panel.base import many
from quorate.panel.kinds import Groupings, Orderings, Panel
from quorate.table import Method
from quorate.words.numbers import figure

MOST = 20  # judges of a matrix
PAIRS = 10**6  # supported pairs of a task listed in JSON
SQUARES: dict[str, Callable[..., Any]] = {**{n: index.square for n, index in PAIRWISE.items()}, "kappa": similarity}


@dataclass(frozen=True)
class Views(Result):
    """One view of agreement for every task: as data, and as blocks."""

    all_rows: ClassVar[bool] = True

    view: str
    found: tuple[tuple[dict[str, Any], list[Block]], ...]

    def to_json(self, **how: Any) -> str:
        """A list with the data of every task."""
        return json_text([data for data, _ in self.found])

    def to_csv(self, **how: Any) -> str:
        """There is none."""
        raise InputError(f"--show {self.view} has no CSV form.", "use --format json.")

    def blocks(self, **how: Any) -> Iterator[Block]:
        """What people are shown of every task."""
        return (block for _, blocks in self.found for block in blocks)

    def graph(self) -> str:
        """The order that all judges share, a graph in DOT for every task.

        Without discounts the edges that follow from others are left out; with them every edge and item has its weight.
        """
        out = []
        for data, _ in self.found:
            out += [f"digraph {_quoted(data['task'])} {{"]
            if "pairs" in data:
                told = [(row["item"], figure(row["weight"])) for row in data["weights"]]
                out += [f"  {_quoted(item)} [label={_quoted(f'{item} {w}')}];" for item, w in told]
                named = [(_quoted(p["from"]), _quoted(p["to"]), figure(p["weight"])) for p in data["pairs"]]
                out += [f'  {a} -> {b} [label="{w}"];' for a, b, w in named]
            else:
                edges = [(_quoted(a), _quoted(b)) for a, b in data["edges"]]
                linked = {name for edge in edges for name in edge}
                out += [f"  {i};" for i in map(_quoted, data["items"]) if i not in linked]
                out += [f"  {a} -> {b};" for a, b in edges]
            out += ["}"]
        return "\n".join(out) + "\n"


def _quoted(name: Any) -> str:
    return json.dumps(str(name), ensure_ascii=False)


def views(panel: Panel, view: str, methods: Sequence[Method], length: int | None, limit: int) -> Views:
    """One view of every task."""
    if isinstance(panel, Groupings) and view == "matrix":
        return Views(view, tuple(group_matrices(panel, methods)))
    if not isinstance(panel, Orderings):
        raise InputError(f"--show {view} is for orderings; this panel holds {panel.kind}.")
    found = (_view(panel.select(tasks=[task]), task, view, methods, length, limit) for task in panel.tasks)
    return Views(view, tuple(found))


def _view(
    panel: Orderings,
    task: Hashable,
    view: str,
    methods: Sequence[Method],
    length: int | None,
    limit: int,
) -> tuple[dict[str, Any], list[Block]]:
    if view == "matrix":
        return _matrix(panel, task, methods)
    if view == "supported":
        return _supported(panel, task, methods)
    weights: dict[str, Any] = next((dict(m.parameters) for m in methods if m.name == "kappa"), {})
    found = kappa(panel, **weights)
    if view == "patterns":
        return _patterns(found, task, length, limit)
    data: dict[str, Any] = {"task": task, "edges": found.graph(), "items": found.items}
    if any({*dict(m.settings)} - {"length"} for m in methods if m.name == "kappa"):
        items, pairs = found.weighted_graph()
        data["weights"] = [{"item": item, "weight": w} for item, w in items.items()]
        data["pairs"] = [{"from": a, "to": b, "weight": w} for (a, b), w in pairs.items()]
    return data, []


def _matrix(panel: Orderings, task: Hashable, methods: Sequence[Method]) -> tuple[dict[str, Any], list[Block]]:
    chosen = [m for m in methods if m.name in SQUARES]
    if not chosen:
        raise InputError("--show matrix needs an index of two rankings.", f"one of {', '.join(SQUARES)}.")
    one = one_task(panel)
    squares = {str(m): SQUARES[m.name](one.positions, **m.parameters)[0].tolist() for m in chosen}
    pieces: list[Block] = [matrix(f"{task}: {name}", one.judges, square) for name, square in squares.items()]
    return {"task": task, "judges": list(one.judges), "matrices": squares}, pieces


def group_matrices(panel: Groupings, methods: Sequence[Method]) -> Iterator[tuple[dict[str, Any], list[Block]]]:
    """Every two judges of every task by measures of two partitions, both ways: rows are clusters, columns classes."""
    from quorate.groupings.pairwise import MEASURES, squares
    from quorate.panel.partitions import names, partitions

    chosen = [m for m in methods if m.name in MEASURES]
    if not chosen:
        raise InputError("--show matrix needs a measure of two groupings.", f"one of {', '.join(MEASURES)}.")
    for p in partitions(panel):
        task, judges = panel.tasks[p.task], names(panel.judges, p.judges)
        found = {str(m): square[0].tolist() for m, square in zip(chosen, squares(chosen, p.labels[None]), strict=True)}
        title = f"{task}: {{}}, clusters of the row against the column's as classes"
        yield (
            {"task": task, "judges": judges, "matrices": found},
            [matrix(title.format(name), judges, square) for name, square in found.items()],
        )


def matrix(title: str, judges: Sequence[Hashable], square: Sequence[Sequence[Any]]) -> Table:
    """Judge x judge; what does not fit a line goes on below."""
    some = judges[:MOST]
    columns = (Column("judge", "judge"), *(Column(str(j), str(j), "figure") for j in some))
    rows = tuple(
        (j, *(None if v is None or v != v else v for v in row[:MOST])) for j, row in zip(some, square, strict=False)
    )
    more = f"The first {MOST} of {len(judges):,} judges; all in --format json." if len(judges) > MOST else ""
    return Table(title, columns, rows, more)


def _patterns(found: Kappa, task: Hashable, length: int | None, limit: int) -> tuple[dict[str, Any], list[Block]]:
    size = found.longest if length is None else length
    shown = list(itertools.islice(found.patterns(size, limit=None), limit)) if size <= found.longest else []
    of = found.by_length[size - 1] if found.by_length and 0 < size <= found.longest else None
    head = f"{task}: patterns of {size} items that all judges share, first {len(shown)}"
    data = {"task": task, "length": size, "longest": found.longest, "weight": of, "patterns": shown}
    return data, [Text((head, *("  " + " > ".join(map(str, p)) for p in shown)))]


def _supported(panel: Orderings, task: Hashable, methods: Sequence[Method]) -> tuple[dict[str, Any], list[Block]]:
    """Of every ranking, and of all, the items (S1) and ordered pairs (S2) that at least q judges share."""
    weights: dict[str, Any] = next((dict(m.parameters) for m in methods if m.name == "support"), {})
    found = support(panel, weights.get("q", 0.5), weights.get("gamma", 1.0), weights.get("lam", 1.0))
    told = [(judge, *found.individual[judge], sets) for judge, sets in found.sets.items()]
    told += [("all rankings", found.kappa1, found.kappa2, found.whole)]
    rows = tuple((name, k1, list(map(str, s.items)), k2, _PairNames(s.pairs)) for name, k1, k2, s in told)
    columns = (
        Column("judge", "judge"),
        Column("kappa1", "kappa_1", "figure"),
        Column("items", "items (S1)", "names"),
        Column("kappa2", "kappa_2", "figure"),
        Column("pairs", "ordered pairs (S2)", "names"),
    )
    pairs = sum(len(s.pairs) for *_, s in told)
    most = None if pairs <= PAIRS else PAIRS // len(told)  # of each
    data = {
        "task": task,
        "q": found.q,
        "judges": [{"judge": judge, **_as_data(k1, k2, s, most)} for judge, k1, k2, s in told[:-1]],
        **_as_data(*told[-1][1:], most),
    }
    title = f"{task}: what at least {many(found.q, 'judge')} share{'s' if found.q == 1 else ''} of each ranking"
    return data, [Table(title, columns, rows, name="supported")]


class _PairNames(Sequence[str]):
    """Ordered pairs as people read them; of two million only those are named that are shown."""

    def __init__(self, pairs: SupportedPairs) -> None:
        self._pairs = pairs

    def __len__(self) -> int:
        return len(self._pairs)

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return [f"{a} > {b}" for (a, b), _ in self._pairs.first(which.stop)[which]]
        return self[: which + 1][which]


def _as_data(kappa1: float, kappa2: float, sets: Supported, most: int | None) -> dict[str, Any]:
    """Everything that is supported, or the first pairs of so many that nobody could read a list of them."""
    return {
        "kappa1": kappa1,
        "kappa2": kappa2,
        "items": [{"item": i, "judges": n} for i, n in sets.items.items()],
        "number_of_pairs": len(sets.pairs),
        "pairs": [{"pair": list(pair), "judges": n} for pair, n in sets.pairs.first(most)],
    }


def method_blocks(kind: str | None, question: str | None) -> Iterator[Block]:
    """The table of methods: an overview, or the methods of a cell with their parameters."""
    if kind is None and question is None:
        yield _overview()
        return
    for d in table.declarations(kind, question):
        rows = [("what", d.summary)]
        rows += [(name, f"{p.meaning}. {p.rule()[0].upper()}{p.rule()[1:]}") for name, p in d.parameters.items()]
        rows += [("after", d.reference)] if d.reference else []
        columns = (Column("name", ""), Column("meaning", "", "text"))
        yield Table(f"{d.kind} x {d.question}: {d.signature}", columns, tuple(rows))


def _overview() -> Table:
    columns = (Column("question", ""), *(Column(kind, kind, "text") for kind in table.KINDS))
    rows = [
        (question, *(", ".join(d.name for d in table.declarations(kind, question)) or None for kind in table.KINDS))
        for question in table.QUESTIONS
    ]
    return Table("Kinds x questions (quorate table --kind K --question Q for the parameters)", columns, tuple(rows))
