"""The only ``answer()`` there is: a question, a panel and methods become findings, the same way for every kind.

The panel becomes one design, or one for each criterion (:mod:`~quorate.inference.designs`); every method becomes a
finding by the shape of its question (:mod:`~quorate.inference.findings`). What only a cell has, it says in functions of
its file: ``fitting`` (the methods that a panel allows), ``shown`` (whether a finding says anything), ``more`` (repeats,
weights of judges), ``unasked`` (methods whose figures are told beside the usual ones).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from quorate import table
from quorate.errors import NotDrawn
from quorate.inference import consensus_findings, findings
from quorate.inference.copies import one_answer
from quorate.inference.core import Core
from quorate.inference.designs import designs_beside, designs_of
from quorate.inference.drawn_judges import drawable, drawn_panel, of_some, with_note
from quorate.inference.every_judge import every_judge, of_every_judge
from quorate.inference.judge_groups import adds_up
from quorate.inference.mean_ranks import mean_ranks
from quorate.inference.result_without import result_without
from quorate.inference.results import Answer, Finding, Options, estimate_dict
from quorate.inference.samples import looked_at, of_some_items, sampled
from quorate.inference.usual_methods import are_usual, cell_of, fitting, variants, with_absence
from quorate.inference.voices import Judges, heard, judged
from quorate.panel.base import Panel
from quorate.panel.design import Design
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import absence
from quorate.panel.score_design import ScoreDesign
from quorate.panel.score_facts import labels_sorted
from quorate.panel.units import both_kinds
from quorate.table import Method

SHAPES: Mapping[str, Callable[[Method, Any, Options], Finding]] = {
    "agreement": findings.agreement,
    "judges": findings.judges,
    "quality": findings.quality,
    "consensus": consensus_findings.consensus,
    "trust": findings.trust,
    "scores consensus": consensus_findings.unit_consensus,
    "votes consensus": consensus_findings.order_consensus,
}


def answer(
    question: str, panel: Panel, methods: Sequence[Method], options: Options, systems: Panel | None = None
) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    # Settled once: what the panel means, unless told otherwise; without its copies a panel might look otherwise.
    absent = absence(panel, options.absent) if isinstance(panel, Groupings) else options.absent or panel.absent or None
    options = replace(options, absent=absent)
    if panel.elsewhere is not None:
        panel.elsewhere.expect(question, methods, options, systems)
    copied, voices = heard(panel, options)
    apart = voices[0][0] if voices else panel
    panel = panel if question == "judges" else apart
    methods = [with_absence(m, absent) for m in methods]
    chosen = fitting(panel, question, methods)
    own = f"{panel.kind} {question}"  # where a cell has a design or a shape of its own
    designs = designs_of(panel, absent, own) if systems is None else designs_beside(panel, systems, options, own)
    if question == "trust":
        designs = [of_some_items(design, options.seed) for design in designs]
    designs = [design.for_methods(chosen) for design in designs]
    some = _some_judges(panel, designs, chosen, options) if systems is None else None
    fewer = () if some is None else designs_of(some, absent, own)
    everyone = question == "judges" and of_every_judge(chosen, panel, designs)
    ask = Asked(_every_judge if everyone else SHAPES.get(own, SHAPES[question]), options, fewer)
    parts = [(designs_of(part, absent, own), who) for part, who in voices] if question == "judges" else []
    found, undrawn = _found(question, panel, chosen, ask, designs, parts)
    if undrawn and not (found and are_usual(panel.kind, question, methods)):
        raise next(iter(undrawn.values()))
    more = ({} if everyone else _more(question, panel, some, chosen, ask, designs)) | _blocks(found)
    if undrawn:
        more["undrawn"] = [{"method": str(m), "over": options.over, "known": e.known} for m, e in undrawn.items()]
    if question == "judges" and not everyone:
        ranks = mean_ranks(found, designs[0], options, more.get("description", ())) if designs else []
        more |= _judges_more(panel, apart, parts[0][0] if parts else designs, options, ranks)
    more |= {"one_voice": copied} if copied else {}
    if question == "judges" and not everyone and (same := one_answer([looked_at(d, options.seed) for d in designs])):
        more["one_answer"] = same
    there = {str(f.method) for f in found}
    left = tuple(m for m in (*methods, *chosen) if str(m) not in there)
    tasks = panel.tasks if systems is None or question == "trust" else designs[0].tasks
    sizes = len(tasks), len(panel.judges), len(panel.items)
    return Answer(panel.kind, question, *sizes, tuple(found), more=more, options=options, left=left)


def _found(
    question: str,
    panel: Panel,
    methods: Sequence[Method],
    ask: Asked,
    designs: Sequence[Design],
    parts: Sequence[tuple[Sequence[Design], Judges]],
) -> tuple[list[Finding], dict[Method, NotDrawn]]:
    """What each method says, and those that cannot be drawn over the units asked for; ``parts``: the panels in which
    copies are heard. Findings that say nothing are left out."""
    found: list[Finding] = []
    undrawn: dict[Method, NotDrawn] = {}
    for done, method in enumerate(methods):
        ask.options.tell(question, done, len(methods))
        try:
            heard = _heard_in(method, parts)
            if not heard:
                found.append(ask(method, designs))
            else:
                first, *rest = ((ask(method, some), who) for some, who in heard)
                found.append(judged(method, first[0], rest))
        except NotDrawn as error:
            undrawn[method] = NotDrawn(method, str(ask.options.over), *error.known, why=error.why)
    ask.options.tell(question, len(methods), len(methods))
    cell = cell_of(panel, question)
    told = [f for f in found if cell.shown(f)] if hasattr(cell, "shown") and len(found) > 1 else found
    return told, undrawn


def _heard_in(method: Method, parts: Sequence[tuple[Sequence[Design], Judges]]) -> Sequence[Any]:
    """The panels in which a method hears copies one at a time: none of methods that are about everyone, and those with
    people and models of one that holds these against each other, for the copy may be the only model."""
    about = method.declaration.properties
    if about.get("everyone"):
        return ()
    if about.get("both_kinds"):
        return [p for p in parts if all(both_kinds(d.scores.panel) for d in p[0] if isinstance(d, ScoreDesign))]
    return parts


def _more(
    question: str, panel: Panel, some: Panel | None, methods: Sequence[Method], ask: Asked, designs: Sequence[Design]
) -> dict[str, Any]:
    """What the cell tells beside its findings; of very many judges, of ``some``."""
    cell, options = cell_of(panel, question), ask.options
    drawn = drawn_panel(panel, lambda: designs) if (panel.kind, question) == ("groupings", "agreement") else None
    whom = some or drawn or panel
    more = dict(cell.more(whom, methods, Core(options))) if hasattr(cell, "more") else {}
    for method in cell.unasked(whom, methods) if hasattr(cell, "unasked") else ():
        every = [sampled(design, options.seed) or design for design in ask.some or designs]
        told = findings.joined(method, [ask.shape(method, design, options) for design in every])
        more[method.name] = [estimate_dict(e, method) for e in told.overall if not math.isnan(e.value)]
    return more


def _judges_more(
    panel: Panel, apart: Panel, voices: Sequence[Design], options: Options, ranks: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Who is off, of which camps judges are, and what comes out without the flagged.

    ``apart`` is the panel without copies, ``voices`` are its designs, and ``ranks`` the judges' mean ranks.
    """
    from quorate.inference.off_judges import off_judges  # here: flags and camps are loaded where judges are asked for

    more = off_judges(apart, [] if labels_sorted(panel) else voices, options)
    more |= _without_flagged(panel, more["flagged"], options)
    return {**more, **({"ranks": ranks} if ranks else {})}


def _without_flagged(panel: Panel, flagged: Sequence[Mapping[str, Any]], options: Options) -> dict[str, Any]:
    """What came out, beside what comes out without those who are flagged."""
    usual = fitting(panel, "consensus", table.methods(panel.kind, "consensus", default=True))[:1] if flagged else ()
    plain = replace(options, resamples=0, permutations=0, over=None, progress=None, brief=True)

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


def of_some_judges(question: str, panel: Panel, methods: Sequence[Method], options: Options) -> Panel:
    """The panel that a question is asked of: of very many judges on one task some, where each is held against the
    others."""
    if question not in ("judges", "trust") or panel.elsewhere is not None:
        return panel
    some = drawn_panel(panel, lambda: designs_of(panel, options.absent))
    meant = [m for given in methods for m in variants(with_absence(given, options.absent))]
    if some is None or of_every_judge(meant, panel, designs_of(panel, options.absent)):
        return panel
    return with_note(some, len(panel.judges), question)


def _every_judge(method: Method, design: Any, options: Options) -> Finding:
    return every_judge(method, design)


def _blocks(found: Sequence[Finding]) -> dict[str, Any]:
    """The rows of further blocks, those of all methods together."""
    out: dict[str, Any] = {}
    for f in found:
        for name, rows in f.blocks.items():
            out.setdefault(name, []).extend({**row, "method": row.get("method", str(f.method))} for row in rows)
    return out
