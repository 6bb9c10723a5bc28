"""Sections of a report: a question, its answer with pictures, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quorate import table
from quorate.document.blocks import Chart
from quorate.errors import NotDrawn, QuorateError
from quorate.inference.designs import designs_of
from quorate.inference.drawn_judges import drawn_panel
from quorate.inference.results import Answer, Options
from quorate.inference.usual_methods import too_large
from quorate.panel.kinds import Orderings, Panel, Scores, Votes
from quorate.reports.beyond_memory import Beyond
from quorate.reports.pictures import pictures

HEADINGS = {
    "agreement": "How much do the judges agree?",
    "judges": "Who is off?",
    "consensus": "What do the judges agree on?",
    "quality": "How good are the systems?",
    "trust": "How far can the result be trusted?",
}
OF_COUNTS = ("consensus",)  # questions whose pictures need no more of very many judges than counts of all
TASKS = 1000  # beyond which the supported order, found task by task, is left out


@dataclass(frozen=True)
class Section:
    """One question: its answer with pictures, or why there is none."""

    question: str
    answer: Answer | None
    pictures: tuple[Chart, ...] = ()
    trouble: str = ""
    notes: tuple[str, ...] = ()  # what the page says beside the answer's own: what was left out, what pictures are of

    @property
    def heading(self) -> str:
        """The question as people ask it."""
        return HEADINGS[self.question]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        if self.answer is None:
            return {"answer": None, "trouble": self.trouble}
        drawn = [
            {"name": p.name, "title": p.title, "description": p.description, "rows": p.data} for p in self.pictures
        ]
        notes = {"notes": list(self.notes)} if self.notes else {}
        return {"sentences": list(self.answer.sentences), "answer": self.answer.to_dict(), **notes, "pictures": drawn}


def asked_of(question: str, panel: Panel, systems: Panel | None) -> bool:
    """Whether a question is asked: how good systems are, only where there are some."""
    inside = isinstance(panel, Votes) or (isinstance(panel, Scores) and panel.of_systems)
    return question != "quality" or systems is not None or inside


def answered(
    question: str,
    panel: Panel,
    systems: Panel | None,
    metrics: Panel | None,
    options: Mapping[str, Any],
    beyond: Beyond | None = None,
) -> Section:
    """A question that cannot be answered on these data is said so; the rest of the report stands.

    Where no figure has an interval over the units asked for, as ranks have none over items, there is the usual one.
    """

    def ask(options: Mapping[str, Any]) -> Answer:
        return _asked(question, methods, panel, systems, metrics, options, beyond)

    try:
        methods, notes = chosen(question, beyond.whole if beyond else panel)
        try:
            answer = ask(options)
        except NotDrawn as error:
            answer = ask({**options, "over": None})
            notes = (*notes, error.instead)
        notes = (*notes, *(beyond.notes(question, answer) if beyond else ()))
    except QuorateError as error:
        return Section(question, None, trouble=" ".join(str(error).split()))
    drawn = _drawn(beyond.whole if beyond else panel, answer, Options(**options), metrics)
    return Section(question, answer, tuple(drawn), notes=notes)


def _asked(
    question: str,
    methods: Sequence[table.Method],
    panel: Panel,
    systems: Panel | None,
    metrics: Panel | None,
    options: Mapping[str, Any],
    beyond: Beyond | None,
) -> Answer:
    """The answer of the question's verb, or from what is beyond memory."""
    from quorate import verbs as ask

    if beyond and (found := beyond.answer(question, methods, options)) is not None:
        return found
    if question == "quality":
        return ask.quality(panel, systems, *methods, **options)
    beside = {"metrics": metrics} if question == "trust" else {}
    return getattr(ask, question)(panel, *methods, **beside, **options)  # type: ignore[no-any-return]


def _drawn(panel: Panel, answer: Answer, options: Options, metrics: Panel | None) -> list[Chart]:
    """The pictures of an answer; of one task of very many judges, those of single ones are of some and say so."""
    some = drawn_panel(panel, lambda: designs_of(panel, None))
    if some is None or answer.question in OF_COUNTS:
        return pictures(panel, answer, options, metrics)
    told = f" Of {len(some.judges):,} of {len(panel.judges):,} judges, drawn at random."
    return [replace(p, description=p.description + told) for p in pictures(some, answer, options, metrics)]


def chosen(question: str, panel: Panel) -> tuple[tuple[table.Method, ...], tuple[str, ...]]:
    """The methods to ask by (none: the usual ones), and which are left out because they take long."""
    if question != "consensus" or not isinstance(panel, Orderings):
        return (), ()
    from quorate.orderings.kemeny import soon_proven

    usual = table.methods(panel.kind, question, default=True)
    slow = [] if soon_proven(panel) else ["kemeny"]
    slow += ["supported_order"] if len(panel.tasks) > TASKS else []
    large = [m.name for m in usual if m.name not in slow and too_large(panel, m)]
    said = tuple(f"{m} is left out, to be quick; `quorate consensus --method {m}` has it" for m in slow)
    said += tuple(f"{m} is left out: a task has too many items for it" for m in large)
    return tuple(m for m in usual if m.name not in (*slow, *large)), said
