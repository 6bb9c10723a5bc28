"""The only ``answer()`` there is: a question, a panel and methods become findings, the same way for every kind.

The panel becomes one design, or one for each criterion; every method becomes a finding by the shape of its question
(:mod:`~quorate.inference.findings`). What only a cell has, it says in functions of its file: ``fitting`` (the methods
that a panel allows), ``shown`` (whether a finding says anything), ``more`` (repeats, weights of judges), ``unasked``
(methods whose figures are told beside the usual ones).
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from quorate import table
from quorate.inference import consensus_findings, findings, flags
from quorate.inference.copies import JUDGES, copies, one_answer
from quorate.inference.core import Core
from quorate.inference.drawn_judges import drawable, drawn_panel, of_some, with_note
from quorate.inference.engine import sampled
from quorate.inference.judge_groups import adds_up
from quorate.inference.mean_ranks import mean_ranks
from quorate.inference.result_without import result_without
from quorate.inference.results import Answer, Finding, Options, estimate_dict
from quorate.inference.voices import judged, voices
from quorate.panel.base import Panel, remembered
from quorate.panel.clusterings import clustering_design
from quorate.panel.design import Design, PanelDesign
from quorate.panel.group_ranks import RankedDesign
from quorate.panel.kinds import Groupings
from quorate.panel.lists import list_design, with_lists
from quorate.panel.nesting import with_nesting
from quorate.panel.outputs import OutputDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.partitions import GroupingDesign, absence
from quorate.panel.score_design import ScoreDesign
from quorate.panel.score_facts import labels_sorted
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.inference.camp_rows import Parted


def _nested(make: Callable[..., Sequence[Design]]) -> Callable[..., Sequence[Design]]:
    """The same designs, with the units that the panel's tasks belong to."""
    return lambda panel, *more: [with_nesting(design, panel) for design in make(panel, *more)]


_DESIGNS: Mapping[str, Callable[..., Sequence[Design]]] = {
    "orderings": lambda panel, absent: [OrderingDesign.of(panel, absent)],
    "groupings": lambda panel, absent: [GroupingDesign.of(panel, absent)],
    "groupings consensus": lambda panel, absent: [RankedDesign.of(panel, absent)],
    "scores": lambda panel, absent: ScoreDesign.of(panel),
    "votes": lambda panel, absent: [VoteDesign.of(panel)],
    "scores consensus": lambda panel, absent: OutputDesign.every(panel),
    "scores quality": lambda panel, absent: OutputDesign.every(panel),
    "scores trust": lambda panel, absent: OutputDesign.every(panel),
}
_BESIDE: Mapping[str, Callable[..., Sequence[Design]]] = {
    "orderings": lambda panel, systems, seed, absent: [list_design(panel, systems, seed)],
    "orderings trust": lambda panel, systems, seed, absent: [with_lists(panel, systems, seed, absent)],
    "groupings": lambda panel, systems, seed, absent: [clustering_design(panel, systems, seed, absent)],
    "scores": lambda panel, systems, seed, absent: OutputDesign.every(panel, systems, seed),
}
DESIGNS = {name: _nested(make) for name, make in _DESIGNS.items()}
BESIDE = {name: _nested(make) for name, make in _BESIDE.items()}
SHAPES: Mapping[str, Callable[[Method, Any, Options], Finding]] = {
    "agreement": findings.agreement,
    "judges": findings.judges,
    "quality": findings.quality,
    "consensus": consensus_findings.consensus,
    "trust": findings.trust,
    "scores consensus": consensus_findings.unit_consensus,
    "votes consensus": consensus_findings.order_consensus,
}
MISSING = {"below": "below", "left-out": "unknown", "not-shown": "unknown", "unknown": "unknown"}  # of orderings


def answer(
    question: str, panel: Panel, methods: Sequence[Method], options: Options, systems: Panel | None = None
) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    cell = importlib.import_module(f"quorate.{panel.kind}.{question}")
    # Settled once: what the panel means, unless told otherwise; without its copies a panel might look otherwise.
    absent = absence(panel, options.absent) if isinstance(panel, Groupings) else options.absent or panel.absent or None
    options = replace(options, absent=absent)
    if panel.elsewhere is not None:
        panel.elsewhere.expect(question, methods, options, systems)
    copied, heard = _heard(panel, options)
    apart = heard[0][0] if heard else panel
    panel = panel if question == "judges" else apart
    methods = [with_absence(m, absent) for m in methods]
    chosen = fitting(panel, question, methods)
    own = f"{panel.kind} {question}"  # where a cell has a design or a shape of its own
    shape = SHAPES.get(own, SHAPES[question])
    if systems is None:
        designs = designs_of(panel, options.absent, own)
    elif panel.elsewhere is not None:
        designs = panel.elsewhere.designs(own, options.absent, systems, options.seed)
    else:
        designs = BESIDE.get(own, BESIDE[panel.kind])(panel, systems, options.seed, options.absent)
    designs = [design.for_methods(chosen) for design in designs]
    some = _some_judges(panel, designs, chosen, options) if systems is None else None
    ask = Asked(shape, options, () if some is None else designs_of(some, options.absent, own))
    parts = [(designs_of(some, options.absent, own), who) for some, who in heard] if question == "judges" else []
    found = []
    for done, method in enumerate(chosen):
        options.tell(question, done, len(chosen))
        if not parts or method.declaration.properties.get("everyone"):
            found.append(ask(method, designs))
        else:
            first, *rest = ((ask(method, some), who) for some, who in parts)
            found.append(judged(method, first[0], rest))
    options.tell(question, len(chosen), len(chosen))
    if hasattr(cell, "shown") and len(found) > 1:
        found = [f for f in found if cell.shown(f)]
    whom = some or (own == "groupings agreement" and drawn_panel(panel, lambda: designs)) or panel
    more = dict(cell.more(whom, chosen, Core(options))) if hasattr(cell, "more") else {}
    for method in cell.unasked(whom, chosen) if hasattr(cell, "unasked") else ():
        found_of = [shape(method, sampled(design, options.seed) or design, options) for design in ask.some or designs]
        told = findings.joined(method, found_of)
        more[method.name] = [estimate_dict(e, method) for e in told.overall if not math.isnan(e.value)]
    more |= _blocks(found)
    if question == "judges":
        own_names = [] if labels_sorted(panel) else parts[0][0] if parts else designs
        seen = [d for d in own_names if isinstance(d, PanelDesign)]
        method = deciding(apart, options.absent)
        from quorate.inference.camp_rows import parted  # here, for only judges are parted

        minds = [parted(method, sampled(d, options.seed) or d, options, len(seen)) for d in seen]
        more["flagged"] = [row for minded in minds for row in who_is_off(apart, minded, options)]
        more |= _camps(minds)
        more |= _without_flagged(panel, more["flagged"], options)
        ranks = mean_ranks(found, designs[0], options, more.get("description", ())) if designs else []
        more |= {"ranks": ranks} if ranks else {}
    more |= {"one_voice": copied} if copied else {}
    if question == "judges" and (same := one_answer([sampled(d, options.seed) or d for d in designs])):
        more["one_answer"] = same
    there = {str(f.method) for f in found}
    left = tuple(m for m in (*methods, *chosen) if str(m) not in there)
    tasks = panel.tasks if systems is None or question == "trust" else designs[0].tasks
    sizes = len(tasks), len(panel.judges), len(panel.items)
    return Answer(panel.kind, question, *sizes, tuple(found), more=more, options=options, left=left)


def _without_flagged(panel: Panel, flagged: Sequence[Mapping[str, Any]], options: Options) -> dict[str, Any]:
    """What came out, beside what comes out without those who are flagged."""
    usual = fitting(panel, "consensus", table.methods(panel.kind, "consensus", default=True))[:1] if flagged else ()
    plain = replace(options, resamples=0, permutations=0, over=None, progress=None)

    def consensus(some: Panel) -> Finding | None:
        return next(iter(answer("consensus", some, usual, plain).findings), None)

    found = result_without(panel, list(dict.fromkeys(row["judge"] for row in flagged)), consensus)
    return {"without_flagged": [found]} if found else {}


def _some_judges(panel: Panel, designs: Sequence[Design], methods: Sequence[Method], options: Options) -> Panel | None:
    """Some of very many judges of one task, where methods of agreement or consensus need no more of them."""
    drawn = [m for m in methods if drawable(m) and m.question in ("agreement", "consensus")]
    if len(designs) != 1 or not drawn or all(adds_up(m, designs[0], options) for m in drawn):
        return None
    return drawn_panel(panel, lambda: designs)


@dataclass
class Asked:
    """Methods of designs; those that say the same of a design are computed once."""

    shape: Callable[[Method, Any, Options], Finding]
    options: Options
    some: Sequence[Design] = ()  # of some judges, where there are very many
    made: dict[tuple[str, int], tuple[Design, Finding]] = field(default_factory=dict)

    def __call__(self, method: Method, designs: Sequence[Design]) -> Finding:
        """What a method says of one design, or of several, such as criteria."""
        if self.some and drawable(method) and not adds_up(method, designs[0], self.options):
            return of_some(Asked(self.shape, self.options, made=self.made)(method, self.some))
        found = [self._of(design.canonical(method), design) for design in designs]
        return replace(findings.joined(method, found), method=method)

    def _of(self, method: Method, design: Design) -> Finding:
        key = str(method), id(design)
        if key not in self.made:
            self.made[key] = design, self.shape(method, design, self.options)  # kept, so that no other has its id
        return self.made[key][1]


def of_some_judges(question: str, panel: Panel, options: Options) -> Panel:
    """The panel that a question is asked of: of very many judges on one task some, where each is held against the
    others."""
    if question not in ("judges", "trust") or panel.elsewhere is not None:
        return panel
    some = drawn_panel(panel, lambda: designs_of(panel, options.absent))
    return panel if some is None else with_note(some, len(panel.judges))


def designs_of(panel: Panel, absent: str | None, own: str = "") -> Sequence[Design]:
    """The designs of a panel, one for each criterion: of its kind, or of a cell that has one of its own."""
    if panel.elsewhere is not None:
        found: Sequence[Design] = panel.elsewhere.designs(own, absent)
        return found
    return DESIGNS.get(own, DESIGNS[panel.kind])(panel, absent)


def with_absence(method: Method, absent: str | None) -> Method:
    """The method as an absent item is meant, unless the method says so itself."""
    return method.with_default(missing=MISSING[absent]) if absent else method


def fitting(panel: Panel, question: str, methods: Sequence[Method]) -> Sequence[Method]:
    """The methods that a panel allows, of those asked for or instead of them."""
    cell = importlib.import_module(f"quorate.{panel.kind}.{question}")
    found = cell.fitting(panel, methods) if hasattr(cell, "fitting") else methods
    return list({str(m): m for given in found for m in _variants(given)}.values())


def _variants(method: Method) -> Sequence[Method]:
    """The method; where it leaves a parameter open that it declares to be worth trying in several ways, each."""
    out = [method]
    for name, values in method.declaration.properties.get("variants", {}).items():
        if name not in dict(method.settings):
            out = [m.with_(**{name: value}) for m in out for value in values]
    return out


def _blocks(found: Sequence[Finding]) -> dict[str, Any]:
    """The rows of further blocks, those of all methods together."""
    out: dict[str, Any] = {}
    for f in found:
        for name, rows in f.blocks.items():
            out.setdefault(name, []).extend({**row, "method": row.get("method", str(f.method))} for row in rows)
    return out


def deciding(panel: Panel, absent: str | None = None) -> Method:
    """The method of agreement by which it is told who is off: the one declared for it, or the first default one."""
    usual = fitting(panel, "agreement", table.methods(panel.kind, "agreement", default=True))
    chosen = next((m for m in usual if m.declaration.properties.get("flags")), usual[0])
    return with_absence(chosen, absent or panel.absent)


def _heard(panel: Panel, options: Options) -> tuple[list[dict[str, Any]], list[tuple[Panel, set[Hashable]]]]:
    """The copies, and the panels in which nobody is one: made once for all questions."""
    name = f"_heard {options.copies} {options.absent} {options.seed}"

    def make(panel: Panel) -> tuple[list[dict[str, Any]], list[tuple[Panel, set[Hashable]]]]:
        copied = copies_in(panel, options)
        return copied, voices(panel, copied) if copied else []

    return remembered(panel, name, make)


def copies_in(panel: Panel, options: Options) -> list[dict[str, Any]]:
    """The judges who count as one voice with another; of several criteria those who do on all of them."""
    if options.copies == "apart" or not 3 <= len(panel.judges) <= JUDGES or labels_sorted(panel):
        return []
    method, found = deciding(panel, options.absent), dict[Hashable, list[dict[str, Any]]]()
    designs = [design for design in designs_of(panel, options.absent) if isinstance(design, PanelDesign)]
    for whole in designs:
        design = sampled(whole, options.seed) or whole
        for c in copies(method, design, options.seed):
            row = {"judge": design.judges[c.judge], "copy_of": design.judges[c.of], "same": c.same, "answers": c.cells}
            found.setdefault(row["judge"], []).append(row)
    rows = [of for of in found.values() if len(of) == len(designs) and len({r["copy_of"] for r in of}) == 1]
    return [{**of[0], **{n: sum(r[n] for r in of) for n in ("same", "answers")}} for of in rows]


def _camps(minds: Sequence[Parted]) -> dict[str, Any]:
    """Camps of judges, what they part on, and what speaks for them."""
    rows, items = [row for m in minds for row in m.rows()], [row for m in minds for row in m.items()]
    tests = [test for m in minds if (test := m.test())]
    out: dict[str, Any] = {"camps": rows, "camps_part_on": items} if rows else {}
    return {**out, "camp_tests": tuple(tests)} if tests else out


def who_is_off(panel: Panel, minds: Parted, options: Options) -> list[dict[str, Any]]:
    """The judges who are off: who, how, how surely, and where it shows; where there are camps, in their own camp."""
    design, method = minds.design, deciding(panel, options.absent)
    seen = minds.designs()
    found = dict[Hashable, tuple[PanelDesign, flags.Flag, str]]()  # of several of one name, once
    for some, wanted, among in seen:
        for f in flags.flagged(method, some, options.seed):
            times = len(seen) if minds.several else max(1, len(seen) - 1)  # held against the same reference
            p = min(1.0, f.p * times)
            if f.judge in wanted and (len(seen) == 1 or p <= flags.LEVEL):
                found[some.judges[f.judge]] = some, replace(f, p=p), among
    return [
        {
            "judge": some.judges[f.judge],
            **design.labels,
            "diagnosis": f.diagnosis,
            "p": f.p,
            "evidence": {
                "method": str(method),
                "value": f.value,
                "without": f.without,
                "among": among,
                "tasks": [some.tasks[t] for t in f.tasks],
                "answers": [_answer(some, *told) for told in f.answers],
            },
        }
        for some, f, among in found.values()
    ]


def _answer(design: PanelDesign, task: int, item: int, own: float, theirs: float) -> dict[str, Any]:
    """An answer that is unlike the others': a number beside their mean, or the share of those who say the same."""
    where = {"task": design.tasks[task], **({"item": design.items[item]} if item >= 0 else {})}
    return {**where, "own": own, "others": theirs} if design.measured else {**where, "same": theirs}
