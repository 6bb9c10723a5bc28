"""Delete the judges who are off and measure again: before and after, side by side.

Of orderings those go whom the q-support paper calls outliers (``support_outliers``), of other kinds those who are
flagged; ``by="flagged"`` asks for the flagged ones of orderings too. Who is left was chosen by looking at agreement, so
agreement rises even where nobody is off: how much it would rise then is what the flags are held against.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from quorate import table
from quorate.document.blocks import Block, Column, Table, Text
from quorate.document.result import Result
from quorate.errors import BadParameter, suggest
from quorate.inference.estimate import Estimate
from quorate.inference.results import KEYS, Answer, Options, estimate_dict
from quorate.panel.kinds import Panel
from quorate.table import Method
from quorate.verbs import ask
from quorate.words.numbers import shown
from quorate.words.without_outliers import dropped_fact

BY = ("outliers", "flagged")
ORDER = ("task", "method", "judges", "order")


@dataclass(frozen=True)
class WithoutOutliers(Result):
    """The same question asked of all judges and of those who are left."""

    called: ClassVar[str] = "before and after"
    all_rows: ClassVar[bool] = True

    before: Answer
    after: Answer
    dropped: tuple[Hashable, ...]
    by: str  # the method that says who is an outlier, or "flagged"

    @property
    def pairs(self) -> Iterator[tuple[Method, Estimate, Estimate | None]]:
        """Every figure of all judges, and the same without the outliers; None of who was dropped."""
        later = {(str(f.method), *_keys(e)): e for f in self.after.findings for e in f.overall}
        for f in self.before.findings:
            yield from ((f.method, e, later.get((str(f.method), *_keys(e)))) for e in f.overall)

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Who was dropped, by what, and the figures before and after."""
        head = {"kind": self.before.kind, "question": self.before.question}
        figures = [
            {"method": str(m), "before": estimate_dict(a, m), "after": b and estimate_dict(b, m)}
            for m, a, b in self.pairs
        ]
        orders = [dict(zip(ORDER, row, strict=True)) for row in self._orders()]
        return {**head, "by": self.by, "dropped": list(self.dropped), "figures": figures, "orders": orders}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per figure, or per order."""
        out = [{**dict(zip(ORDER, row, strict=True)), "order": shown(row[-1], "order")} for row in self._orders()]
        for m, a, b in self.pairs:
            row: dict[str, Any] = {"method": str(m), **{k: v for k, v in a.labels.items() if k in KEYS}}
            for name, e in (("before", a), ("after", b)):
                ends = (e.interval.low, e.interval.high) if e and e.interval else (None, None)
                row |= {name: e and e.value, f"{name}_low": ends[0], f"{name}_high": ends[1]}
            out.append(row)
        return out

    def blocks(self, **how: Any) -> Iterator[Block]:
        """Who was dropped, then the figures side by side."""
        yield Text((str(dropped_fact(self.before, self.dropped, self.by)),), "lead")
        figures = list(self.pairs)
        if figures:
            yield self._figures(figures)
        orders = tuple(self._orders())
        if orders:
            columns = tuple(Column(name, name, "order" if name == "order" else "name") for name in ORDER)
            yield Table("Before and after", columns, orders, name="orders", keys=3)
        notes = dict.fromkeys([*self.before.notes, *self.after.notes])
        if notes:
            yield Text(tuple(notes), "note")

    def _figures(self, pairs: Sequence[tuple[Method, Estimate, Estimate | None]]) -> Table:
        keys = [n for n in ("criterion", "judge", "system") if any(n in a.labels for _, a, _ in pairs)]
        columns = [Column("method", "method"), *(Column(k, k) for k in keys)]
        for group in ("all judges", "without them"):
            columns += [Column("value", "value", "figure", group=group), Column("ci", "CI", "interval", group=group)]
        rows = []
        for m, a, b in pairs:
            later = (b.value, b.interval) if b else (None, None)
            rows.append((str(m), *(a.labels.get(k) for k in keys), a.value, a.interval, *later))
        return Table("Before and after", tuple(columns), tuple(rows), name="without_outliers", keys=1 + len(keys))

    def _orders(self) -> Iterator[tuple[Any, ...]]:
        """Of a consensus that is an order: what all judges agree on, and what those do who are left."""
        for f, later in zip(self.before.findings, self.after.findings, strict=True):
            if f.called == "ranking":
                left = dict(zip(later.keys["task"], later.values, strict=True))
                for task, order in zip(f.keys["task"], f.values, strict=True):
                    yield task, str(f.method), "all", order
                    yield task, str(f.method), "without them", left.get(task)


def without_outliers(
    panel: Panel,
    *methods: str | Method,
    question: str = "agreement",
    by: str = "outliers",
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 100,
    seconds: float = 0.3,
    absent: str | None = None,
    copies: str = "one",
) -> WithoutOutliers:
    """Agreement, or every judge's figure, of all judges and without those who are off; options as for agreement.

    ``by`` may be ``outliers``, ``flagged``, or a method such as ``support_outliers(q=0.67, eps2=0.5)``.

    >>> from quorate import Orderings
    >>> panel = Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd", "dan": "dcba"})
    >>> found = without_outliers(panel, "support", by="support_outliers(eps2=0.5)")
    >>> found.dropped, [(round(a.value, 3), round(b.value, 3)) for _, a, b in found.pairs]
    (('dan',), [(0.833, 0.889)])
    """
    options = Options(seed, level, resamples, permutations, over, seconds, None, absent, copies)
    rule = rule_of(panel, by)
    brief = replace(options, resamples=0, permutations=0)
    answer = ask("judges", panel, (rule,) if isinstance(rule, Method) else (), brief)
    gone = tuple(dict.fromkeys(_off(answer, rule)))
    left = panel.drop_judges(*gone) if gone else panel
    before = ask(question, panel, tuple(methods), options)
    after = ask(question, left, tuple(methods), options) if gone else before
    return WithoutOutliers(before, after, gone, str(rule))


def rule_of(panel: Panel, by: str) -> str | Method:
    """By what outliers are told: a method whose figures are flagged, or the flags of the answer."""
    if by == "flagged" or (by == "outliers" and panel.kind != "orderings"):
        return "flagged"
    if by == "outliers":
        return table.parse("support_outliers", "orderings", "judges")
    if not by.startswith("support_outliers") or panel.kind != "orderings":
        raise BadParameter(f"outliers cannot be told by '{by}'.", suggest(by, (*BY, "support_outliers"), "Ways"))
    return table.parse(by, "orderings", "judges")


def _off(answer: Answer, rule: str | Method) -> Sequence[Hashable]:
    if isinstance(rule, str):
        return [row["judge"] for row in answer.more.get("flagged", ())]
    return [e.labels["judge"] for e in answer.findings[0].overall if e.labels.get("flag")]


def _keys(e: Estimate) -> tuple[tuple[str, Any], ...]:
    return tuple((k, v) for k, v in e.labels.items() if k in KEYS)
