"""Panels side by side: two rounds of judging, experts and crowd, or the groups of one file.

Every figure that two panels both have, its difference with an interval and a test, who is off in either, and how far
the panels agree on the verdict. The statistics are in :mod:`quorate.inference.compare`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from quorate.document.blocks import Block, Chart, Column, Table, Text, with_notes
from quorate.document.result import Told
from quorate.errors import InputError, UnknownId, suggest
from quorate.inference.compare import compared
from quorate.inference.designs import BESIDE, DESIGNS
from quorate.inference.estimate import Estimate
from quorate.inference.group_agreement import group_agreement
from quorate.inference.judge_squares import Compared
from quorate.inference.null import holm
from quorate.inference.results import Answer, Options, estimate_dict
from quorate.inference.usual_methods import deciding
from quorate.panel.design import Design
from quorate.panel.kinds import Groupings, Orderings, Panel
from quorate.panel.score_design import ScoreDesign
from quorate.table import Method
from quorate.verbs import SYSTEMS_INSIDE, ask
from quorate.words.comparison import difference_facts, difference_notes, verdict_facts
from quorate.words.facts import Fact

QUESTIONS = ("agreement", "judges", "quality")  # whose answers are figures
GROUPS = 20  # of one file, at most
SHOWN = 5  # items that moved, at most


@dataclass(frozen=True)
class Comparison(Told):
    """Panels side by side: their answers, the differences of what they have in common, and what they agree on."""

    called: ClassVar[str] = "a comparison"

    question: str
    kind: str
    answers: Mapping[str, Answer]
    differences: tuple[tuple[Method, Estimate], ...]
    verdict: tuple[Mapping[str, Any], ...] = ()  # of every two panels how far they agree on the outcome
    flagged: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, method: str) -> tuple[Estimate, ...]:
        """The differences by a method."""
        found = tuple(e for m, e in self.differences if method in (str(m), m.name))
        if not found:
            raise KeyError(
                f"no difference by '{method}'; there are: {', '.join(dict.fromkeys(map(str, self.methods)))}"
            )
        return found

    @property
    def methods(self) -> list[Method]:
        """By what panels were compared."""
        return list({str(m): m for m, _ in self.differences}.values())

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Plain lists and dicts: each panel's figures, and the differences."""
        sizes = ("tasks", "judges", "items")
        panels = [
            {"panel": n, **{s: getattr(a, s) for s in sizes}, "overall": a.to_dict()["overall"]}
            for n, a in self.answers.items()
        ]
        return {
            "kind": self.kind,
            "question": self.question,
            "panels": panels,
            "differences": [estimate_dict(e, m) | self._ratio(m, e) for m, e in self.differences],
            "verdict": [dict(row) for row in self.verdict],
            "flagged": {n: list(rows) for n, rows in self.flagged.items()},
            "facts": [f.to_dict() for f in self.facts],
            "notes": list(self.notes),
        }

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per difference."""
        out = []
        for m, e in self.differences:
            row = estimate_dict(e, m) | self._ratio(m, e)
            low, high = row.pop("interval") or (None, None)
            out.append(
                {k: v for k, v in row.items() if k not in ("chance", "value")}
                | {
                    "difference": e.value,
                    "low": low,
                    "high": high,
                }
            )
        return out

    def blocks(self, **how: Any) -> Iterator[Block]:
        """Sentences, then a row per figure: both panels, their difference, its interval and p."""
        found: list[Block] = [Text(self.sentences, "lead")] if self.sentences else []
        found += [self._table()] if self.differences else []
        if any(row.get("moved") for row in self.verdict):
            rows = [(r["panels"][0], r["panels"][1], *m.values()) for r in self.verdict for m in r.get("moved", ())]
            heads = (Column("first", "first panel"), Column("second", "second panel"), Column("item", "item"))
            places = (Column("from", "place in the first", "place"), Column("to", "in the second", "place"))
            found.append(Table("What moved most", (*heads, *places), tuple(rows), name="moved", keys=3))
        yield from with_notes(found, self.notes)

    def _table(self) -> Table:
        keys = [n for n in ("criterion", "judge", "system") if any(n in e.labels for _, e in self.differences)]
        several = len(self.answers) > 2
        names = list(self.answers)
        columns = [Column("method", "method"), *(Column(k, k) for k in keys)]
        columns += [Column("panels", "panels", "names")] if several else []
        first, second = ("first", "second") if several else names[:2]
        columns += [Column("first", first, "figure"), Column("second", second, "figure")]
        ratios = all(self._ratio(m, e).get("ratio") is not None for m, e in self.differences)
        columns += [Column("ratio", "ratio", "figure", "the second over the first", minor=1)] if ratios else []
        columns += [
            Column("value", "difference", "figure"),
            Column("interval", f"{self._level:.0%} interval", "interval"),
        ]
        columns += [Column("p", "p", "p", "two-sided, corrected for the number of comparisons")]
        rows = []
        for m, e in self.differences:
            own = e.labels
            ratio = [self._ratio(m, e).get("ratio")] if ratios else []
            figures = (own["first"], own["second"], *ratio, e.value, e.interval, own["p_holm"])
            pair = [[own["against"], own["panel"]]] if several else []
            rows.append((str(m), *(own.get(k) for k in keys), *pair, *figures))
        return Table("Differences", tuple(columns), tuple(rows), name="differences", keys=1 + len(keys))

    def _ratio(self, method: Method, e: Estimate) -> dict[str, float | None]:
        """How many times as much the second panel agrees; none where agreement does not begin at 0."""
        first, second = e.labels["first"], e.labels["second"]
        known = method.declaration.range[0] >= 0 and first > 0
        return {"ratio": second / first if known else None} if self.question == "agreement" else {}

    @property
    def _level(self) -> float:
        return next((e.interval.level for _, e in self.differences if e.interval), 0.95)

    def picture(self) -> Chart:
        """Each panel's figures with their intervals, method by method."""
        rows = tuple(
            {
                "method": str(f.method) + (f" {o.labels['system']}" if "system" in o.labels else ""),
                "panel": name,
                "value": float(o.value),
                "low": o.interval.low if o.interval else float(o.value),
                "high": o.interval.high if o.interval else float(o.value),
            }
            for name, a in self.answers.items()
            for f in a.findings
            for o in f.overall
            if np.isfinite(o.value)
        )
        title = f"Side by side: {' and '.join(self.answers)}"
        said = f"Each panel's figure with its {self._level:.0%} interval, one method at a time."
        settings = {"label": "panel", "choose": "method"}
        return Chart("comparison", self.question, "dots", title, said, rows, settings)

    def to_html(self, **how: Any) -> str:
        """A self-contained page: the sentences, the picture, the tables."""
        from quorate.document.charts import specification
        from quorate.document.frame import framed
        from quorate.document.html import Html

        chart, title = self.picture(), f"{' and '.join(self.answers)}, side by side"
        texts = [b for b in self.blocks() if isinstance(b, Text) and b.role == "lead"]
        rest = [b for b in self.blocks() if b not in texts]
        body = Html().blocks([*texts, chart, *rest])
        return framed("document/page/plain.html", {chart.name: specification(chart)}, title=title, body=body)


def compare(
    panels: Panel | Sequence[Panel] | Mapping[str, Panel],
    *methods: str | Method,
    by: str | None = None,
    question: str = "agreement",
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 100,
    seconds: float = 0.3,
    absent: str | None = None,
    copies: str = "one",
    systems: Panel | None = None,
) -> Comparison:
    """Panels side by side, or the groups of one panel ``by`` a column: what differs, and is it more than chance?

    Options are those of :func:`quorate.agreement`. A difference is the second panel's figure less the first's. With
    ``systems``, whose lists or clusters both panels judge, their quality can be compared for orderings and groupings.

    >>> from quorate import Orderings
    >>> before = Orderings.from_orders({"ann": "abcd", "bob": "bacd", "cat": "dcab"})
    >>> after = Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "abcd"})
    >>> round(compare({"before": before, "after": after}, "tau")["tau"][0].value, 3)
    1.111
    """
    options = Options(seed, level, resamples, permutations, over, seconds, None, absent, copies)
    if question not in QUESTIONS:
        raise InputError(f"{question} cannot be compared.", suggest(question, QUESTIONS, "Questions"))
    named, notes = named_panels(panels, by)
    kinds = {p.kind for p in named.values()}
    if len(kinds) > 1:
        raise InputError(f"the panels hold {' and '.join(sorted(kinds))}.", "compare panels of one kind.")
    (kind,) = kinds
    if question == "quality" and kind not in SYSTEMS_INSIDE and systems is None:
        raise InputError(f"{kind} hold no systems.", "give systems, or compare agreement or judges.")
    if systems is not None and (question != "quality" or kind in SYSTEMS_INSIDE or systems.kind != kind):
        raise InputError(f"systems do not go with {question} of {kind}.", "they are for quality, of the panels' kind.")
    beside = () if systems is None else (systems,)
    answers = {n: ask(question, p, tuple(methods), options, *beside) for n, p in named.items()}
    found = [
        (m, e)
        for a, b in combinations(named, 2)
        for m, e in _differences(
            question, (a, named[a]), (b, named[b]), _chosen(answers[a], answers[b]), options, systems
        )
    ]
    corrected = _corrected(found)
    told = tuple(
        (m, replace(e, labels={**e.labels, "p_holm": None if np.isnan(p) else float(p)}))
        for (m, e), p in zip(found, corrected, strict=True)
    )
    brief = replace(options, resamples=0, permutations=0)
    every = [((a, named[a]), (b, named[b])) for a, b in combinations(named, 2)]
    verdict = [row | _minds(*two, options) for two in every if (row := _verdict(*two, brief))]
    for row, p in zip(verdict, holm(np.array([row.get("p_value", np.nan) for row in verdict])), strict=True):
        row |= {"p_holm": float(p)} if "p_value" in row else {}
    off = {n: ask("judges", p, (), brief).more.get("flagged", []) for n, p in named.items()}
    facts = (*difference_facts(question, list(named), told), *verdict_facts(verdict, off))
    return Comparison(
        question, kind, answers, told, tuple(verdict), off, tuple(facts), (*notes, *difference_notes(told))
    )


def _corrected(found: Sequence[tuple[Method, Estimate]]) -> Any:
    """p of every difference, corrected by Holm for those by the same method."""
    p = np.array([e.null.p if e.null else np.nan for _, e in found])
    names = np.array([str(m) for m, _ in found])
    out = np.full(len(p), np.nan)
    for name in dict.fromkeys(names.tolist()):
        out[names == name] = holm(p[names == name])
    return out


def named_panels(
    panels: Panel | Sequence[Panel] | Mapping[str, Panel], by: str | None
) -> tuple[dict[str, Panel], list[str]]:
    """The panels by name: as they are given, or one for every value of a column."""
    if by is not None:
        if not isinstance(panels, Panel):
            raise InputError("by= splits one panel; several were given.", "leave it out, or give one panel.")
        return _groups(panels, by)
    if isinstance(panels, Panel):
        raise InputError("one panel has nothing to be compared with.", "give two or more, or by='COLUMN'.")
    given = dict(panels) if isinstance(panels, Mapping) else {f"panel {k}": p for k, p in enumerate(panels, 1)}
    if len(given) < 2:
        raise InputError("one panel has nothing to be compared with.", "give two or more, or by='COLUMN'.")
    return {str(n): p for n, p in given.items()}, []


def _groups(panel: Panel, by: str) -> tuple[dict[str, Panel], list[str]]:
    """One panel for every value of a column: the task, or a label."""
    if by != "task" and by not in panel.labels:
        raise UnknownId(f"no column '{by}'.", suggest(by, ("task", *panel.labels), "Columns to split by"))
    column = panel.task if by == "task" else panel.labels[by]
    values = [v for k, v in enumerate(column.ids) if v is not None and (column.codes == k).any()]
    if len(values) < 2:
        raise InputError(f"column '{by}' has one value only: {values[0] if values else 'none'}.", "it takes two.")
    if len(values) > GROUPS:
        hint = f"at most {GROUPS} can be compared; name a column of fewer values."
        raise InputError(f"column '{by}' has {len(values):,} values.", hint)
    out = {str(v): panel.select(**{"tasks" if by == "task" else by: [v]}) for v in values}
    if by == "criterion":  # whose figures are then of one thing
        out = {n: replace(p, labels={c: x for c, x in p.labels.items() if c != by}) for n, p in out.items()}
    blank = int(np.isin(column.codes, [k for k, v in enumerate(column.ids) if v is None]).sum())
    return out, [f"{blank:,} rows without '{by}' are in no group"] if blank else []


def _chosen(one: Answer, two: Answer) -> list[Method]:
    """The methods that both panels were answered by."""
    there = {str(f.method) for f in two.findings}
    return [f.method for f in one.findings if str(f.method) in there]


def _differences(
    question: str,
    one: tuple[str, Panel],
    two: tuple[str, Panel],
    methods: Sequence[Method],
    options: Options,
    systems: Panel | None,
) -> Iterator[tuple[Method, Estimate]]:
    """Every figure that both panels have, by every method."""
    (a, first), (b, second) = ((n, p.by_name) for n, p in (one, two))
    absent = options.absent or first.absent or second.absent or None
    make = DESIGNS.get(f"{first.kind} {question}", DESIGNS[first.kind])
    if systems is not None:
        lists, own = systems.by_name, BESIDE.get(f"{first.kind} {question}", BESIDE[first.kind])
        make = lambda panel, absent: own(panel, lists, options.seed, absent)  # noqa: E731
    designs = [list(make(p, absent)) for p in (first, second)]
    other = {tuple(d.labels.items()): d for d in designs[1]}
    pool = Pool(first, second, make, absent)
    for m in methods:
        for design in designs[0]:
            match = other.get(tuple(design.labels.items()))
            if match is None:
                continue
            canonical = design.canonical(m)
            _, found = compared(canonical, design, match, options, lambda d=design: pool.design(d))  # type: ignore[misc]
            yield from ((m, replace(e, labels={"panel": b, "against": a, **e.labels})) for e in found)


@dataclass(eq=False)
class Pool:
    """The judges of two panels in one, where they judged the same items of the same tasks."""

    one: Panel
    two: Panel
    make: Any
    absent: str | None
    made: dict[Any, Any] = field(default_factory=dict)

    def design(self, like: Design) -> tuple[Design, dict[Hashable, tuple[int, Hashable]]] | None:
        """Their design, of the same criterion, and of each of its judges the panel and the name."""
        if set(self.one.items) != set(self.two.items) or set(self.one.tasks) != set(self.two.tasks):
            return None
        if not self.made:
            who: dict[Hashable, tuple[int, Hashable]] = {}
            columns: dict[str, list[Any]] = {}
            for k, panel in enumerate((self.one, self.two)):
                own = {"count": panel.count.tolist(), **panel.columns()}
                own["judge"] = [f"{k} {j}" for j in own["judge"]]
                who |= {f"{k} {j}": (k, j) for j in panel.judges}
                columns = {n: columns.get(n, []) + own.get(n, []) for n in {**columns, **own}}
            size = len(columns["judge"])
            columns = {n: c for n, c in columns.items() if len(c) == size}
            whole = replace(type(self.one).build(columns), absent=self.one.absent).by_name
            self.made = {tuple(d.labels.items()): (d, who) for d in self.make(whole, self.absent)}
        return self.made.get(tuple(like.labels.items()))


def _verdict(one: tuple[str, Panel], two: tuple[str, Panel], options: Options) -> dict[str, Any]:
    """How far two panels agree on the outcome: the correlation of their consensuses, and what moved most."""
    (a, first), (b, second) = one, two
    if first.kind == "groupings":
        return _same_groups(one, two, options)
    orders = [_order(p, options) for p in (first, second)]
    shared = [t for t in orders[0] if t in orders[1]]
    items = {t: [i for i in orders[0][t] if i in orders[1][t]] for t in shared}
    several = [t for t in shared if len(items[t]) > 1]
    rows = [(t, str(k), i, orders[k][t][i]) for t in several for k in (0, 1) for i in items[t]]
    if not rows:
        return {}
    columns = dict(zip(("task", "judge", "item", "position"), map(list, zip(*rows, strict=True)), strict=True))
    alike = ask("agreement", Orderings.build(columns), ("tau_b",), options)["tau_b"].value
    places = [(t, i, orders[0][t][i], orders[1][t][i]) for t in shared for i in items[t]]
    places = sorted((row for row in places if row[2] != row[3]), key=lambda row: (-abs(row[3] - row[2]), str(row[1])))
    moved = [
        {"item": i if len(shared) == 1 else f"{t}: {i}", "from": before, "to": after} for t, i, before, after in places
    ]
    firsts = [[i for i, place in o[shared[0]].items() if place == min(o[shared[0]].values())] for o in orders]
    same = {"first": firsts} if len(shared) == 1 else {}
    return {"panels": [a, b], "by": "tau_b", "value": alike, "tasks": len(shared), **same, "moved": moved[:SHOWN]}


def _minds(one: tuple[str, Panel], two: tuple[str, Panel], options: Options) -> dict[str, Any]:
    """How much two judges of a panel agree, and one of each, and p of the difference; nothing where their judges did
    not judge the same, or are the same."""
    first, second = one[1].by_name, two[1].by_name
    absent = options.absent or first.absent or second.absent or None
    if first.elsewhere is not None or set(first.judges) & set(second.judges):
        return {}
    pool = Pool(first, second, DESIGNS[first.kind], absent)
    designs = list(DESIGNS[first.kind](first, absent))
    whole = pool.design(designs[0]) if len(designs) == 1 else None
    design, who = whole or (None, {})
    if not isinstance(design, Compared):
        return {}
    member = np.array([who[judge][0] == 1 for judge in design.judges])
    found = group_agreement(deciding(first, absent), design, member, options)
    if found is None:
        return {}
    levelled = isinstance(design, ScoreDesign) and design.measured
    return {"within": list(found.within), "across": found.across, "p_value": found.null.p, "levelled": levelled}


def _order(panel: Panel, options: Options) -> dict[Hashable, dict[Hashable, float]]:
    """The place of every item, or system, by the first consensus method, task by task; ties share the middle place."""
    if panel.kind == "scores":
        found = ask("quality", panel, (), options)
        values = {o.labels["system"]: float(o.value) for o in found.findings[0].overall} if found.findings else {}
        ranked = sorted(values.items(), key=lambda pair: -pair[1])
        return {"all": {name: float(k) for k, (name, _) in enumerate(ranked, 1)}}
    f = ask("consensus", panel, (), options).findings[0]
    out: dict[Hashable, dict[Hashable, float]] = {}
    for task, ranking in zip(f.keys["task"], f.values, strict=True):
        place, places = 1, out.setdefault(task, {})
        for group in ranking:
            places |= {item: place + (len(group) - 1) / 2 for item in group}
            place += len(group)
    return out


def _same_groups(one: tuple[str, Panel], two: tuple[str, Panel], options: Options) -> dict[str, Any]:
    """How alike two consensus partitions are."""
    rows = []
    for who, panel in (one, two):
        f = ask("consensus", panel, (), options).findings[0]
        for task, groups in zip(f.keys["task"], f.values, strict=True):
            rows += [(task, who, item, k) for k, group in enumerate(groups) for item in group]
    columns = dict(zip(("task", "judge", "item", "group"), map(list, zip(*rows, strict=True)), strict=True))
    shared = set(one[1].tasks) & set(two[1].tasks)
    if not shared:
        return {}
    alike = ask("agreement", Groupings.build(columns), ("adjusted_rand(left_out=common)",), options)
    return {"panels": [one[0], two[0]], "by": "adjusted_rand", "value": alike.findings[0].value, "tasks": len(shared)}
