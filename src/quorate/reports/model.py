"""The report before it is rendered: frozen, and the same whether it becomes HTML, text, Markdown or JSON.

>>> import quorate as q
>>> panel = q.Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd", "dan": "dcba"})
>>> page = report(panel, resamples=100)
>>> [s.question for s in page.sections]
['agreement', 'judges', 'consensus', 'trust']
>>> page.section("judges").answer.facts[0].data["judge"]
'dan'
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import quorate
from quorate import table
from quorate.document.blocks import Chart, Document
from quorate.errors import InputError, QuorateError, UnknownId, suggest
from quorate.formats.files import Sink, readable
from quorate.inference.designs import designs_of
from quorate.inference.json_text import json_text
from quorate.inference.results import Answer, Options, clean
from quorate.panel.base import is_scan
from quorate.panel.judge_kinds import metrics_apart
from quorate.panel.kinds import Orderings, Panel, Votes
from quorate.reports.beyond_memory import beyond_memory
from quorate.reports.roles import has_labels, has_models, is_card_sort
from quorate.reports.sections import Section, answered, asked_of
from quorate.summaries.units.missed_strings import MissedStrings
from quorate.words.card_sort import first_screen as cards_screen
from quorate.words.headline import first_screen
from quorate.words.label_quality import first_screen as labels_screen
from quorate.words.model_screen import first_screen as models_screen
from quorate.words.outcome import outcome
from quorate.words.screen import FirstScreen
from quorate.words.search_runs import first_screen as runs_screen
from quorate.words.shared_task import first_screen as metrics_screen

if TYPE_CHECKING:
    from quorate.reports.card_sort_result import CardSort
    from quorate.reports.label_quality import LabelQuality
    from quorate.reports.model_judges import ModelJudges

    Part = CardSort | LabelQuality | ModelJudges

SCREENS: Mapping[str, Callable[[Any, FirstScreen], FirstScreen]] = {  # of parts, by name
    "cards": cards_screen,
    "models": models_screen,
    "labels": labels_screen,
}
ROLES = {
    "cards": "card sort",
    "models": "model judges beside people",
    "labels": "label quality",
    "votes": "leaderboard of votes",
    "metrics": "shared task with metrics",
    "runs": "search runs",
}
PACKAGES = ("numpy", "scipy", "altair", "vl-convert-python")
FORMATS = {".html": "html", ".htm": "html", ".json": "json", ".txt": "text", ".md": "md"}


@dataclass(frozen=True)
class Input:
    """A file that the report is made from."""

    name: str
    size: int
    sha256: str
    role: str = "judgments"  # or systems, metrics


@dataclass(frozen=True)
class Report:
    """Everything the page says; ``save`` writes it, by the file's ending as HTML, JSON, text or Markdown."""

    title: str
    kind: str
    about: str  # the panel in a line
    first_screen: FirstScreen
    sections: tuple[Section, ...]
    inputs: tuple[Input, ...] = ()
    repaired: tuple[str, ...] = ()  # what was skipped or repaired while reading
    parameters: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    role: str = ""  # what the page is, in words: label quality, leaderboard of votes, ...
    parts: tuple[Part, ...] = ()  # what only a page of its role has: a card sort, labels, models as judges
    missed: MissedStrings | None = None  # units that judges accepted elsewhere, where content units were given
    panels: Mapping[str, Panel] = field(default_factory=dict)  # what it is made from: judgments, systems, metrics
    some: str = ""  # where these are not all there is: how many tasks or judges of how many, in words

    @property
    def cards(self) -> CardSort | None:
        """All about the cards, where the panel is a card sort."""
        found: Any = [p for p in self.parts if p.name == "cards"]
        return found[0] if found else None

    def section(self, question: str) -> Section:
        """The section of a question."""
        for section in self.sections:
            if section.question == question:
                return section
        raise UnknownId(
            f"the report has no section '{question}'.", suggest(question, [s.question for s in self.sections])
        )

    @property
    def verdict(self) -> tuple[str, ...]:
        """What a reader in a hurry takes away: the headline, what it leaves open, and what to do next."""
        screen = self.first_screen
        return tuple(filter(None, (screen.headline, screen.sub, *map(str, screen.steps))))

    @property
    def pictures(self) -> tuple[Chart, ...]:
        """Every picture, in the page's order."""
        return (*(c for part in self.parts for c in part.pictures()), *(p for s in self.sections for p in s.pictures))

    @property
    def charts(self) -> dict[str, Any]:
        """Every picture as an Altair chart with its title and a width of its own, by its name."""
        from quorate.document.charts import alone

        return {p.name: alone(p) for p in self.pictures}

    @property
    def methods(self) -> list[table.Method]:
        """The methods that the report used, each once."""
        found = {
            (m.declaration.question, str(m)): m
            for s in self.sections
            if s.answer
            for m in (f.method for f in s.answer.findings)
        }
        return list(found.values())

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dicts; NaN is None."""
        return {
            "title": self.title,
            "kind": self.kind,
            "about": self.about,
            "role": self.role,
            "verdict": list(self.verdict),
            "first_screen": self.first_screen.to_dict(),
            "sections": {s.question: s.to_dict() for s in self.sections},
            **{part.name: part.to_dict() for part in self.parts},
            **({"missed": clean(self.missed.to_dict())} if self.missed else {}),
            "inputs": [{"name": i.name, "role": i.role, "bytes": i.size, "sha256": i.sha256} for i in self.inputs],
            "repaired": list(self.repaired),
            "parameters": clean(dict(self.parameters)),
            "versions": dict(self.versions),
            "methods": [
                {
                    "question": m.declaration.question,
                    "method": str(m),
                    "what": m.declaration.summary,
                    "reference": m.declaration.reference,
                }
                for m in self.methods
            ],
            "command": self.command,
        }

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json_text(self.to_dict()) + "\n"

    def document(self) -> Document:
        """What the report says, as blocks: the same for text, Markdown and page."""
        from quorate.reports.contents import contents

        return contents(self)

    def html(self) -> str:
        """One self-contained page."""
        from quorate.reports.html import page

        return page(self)

    def text(self, width: int = 80) -> str:
        """For a terminal or a mail."""
        from quorate.document.terminal import render

        return render(self.document(), width)

    def markdown(self) -> str:
        """For an issue, a wiki or a README."""
        from quorate.document.markdown import render

        return render(self.document())

    def rendered(self, form: str) -> str:
        """As html, json, text or md."""
        makers = {"html": self.html, "json": self.to_json, "text": self.text, "md": self.markdown}
        if form not in makers:
            raise InputError(f"a report cannot be written as '{form}'.", suggest(form, makers, "Formats"))
        return makers[form]()

    def save(self, path: str | Path, form: str | None = None) -> Path:
        """Write it to a file; the ending says how (.html, .json, .txt, .md) unless ``form`` does."""
        target = Path(path)
        chosen = form or FORMATS.get(target.suffix.lower())
        if chosen is None:
            raise InputError(f"{target}: how should the report be written?", f"name it {', '.join(FORMATS)}.")
        text = self.rendered(chosen)
        with Sink(target).text() as stream:
            stream.write(text)
        return target

    @cached_property
    def _framed(self) -> str:
        from html import escape

        style = "width:100%;height:80vh;border:0"
        return f'<iframe title="{escape(self.title)}" style="{style}" srcdoc="{escape(self.html())}"></iframe>'

    def _repr_html_(self) -> str:
        return self._framed

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        asked = ", ".join(s.question for s in self.sections)
        return f"<Report: {self.about}; {asked}>"


def _whole(panel: Any) -> Any:
    """A panel in memory; of a scan all its rows, if they fit."""
    if not is_scan(panel):
        return panel
    return panel.whole("the report needs all rows of few tasks at once", "report", panel.told)


def report(
    panel: Panel,
    systems: Panel | None = None,
    *,
    metrics: Panel | None = None,
    missed: MissedStrings | None = None,
    cards: bool | Mapping[str, Any] | None = None,
    models: Mapping[str, Any] | None = None,
    labels: Mapping[str, Any] | None = None,
    title: str | None = None,
    inputs: Sequence[Input] = (),
    command: str = "",
    **options: Any,
) -> Report:
    """One page about a panel: what came out and what to do, then the five questions, then data and method notes.

    ``systems`` is a panel of the same kind whose judges are systems, for their quality; scores with a column 'system'
    need none. ``metrics`` are automatic scores to hold against a panel of scores, ``missed`` the content units that
    judges missed (:func:`quorate.summaries.units.missed_strings.missed_strings`). ``cards`` says that it is a card sort
    (or is not), with what :func:`quorate.reports.card_sort.card_sort` takes; else the panel tells. ``models`` has what
    :func:`quorate.reports.model_judges.model_judges` takes, ``labels`` what
    :func:`quorate.reports.label_quality.label_quality` does. Options as for agreement.
    """
    from quorate import verbs as ask

    beyond = beyond_memory(panel, systems, ask.settled(options))
    if beyond is not None:
        panel, systems = beyond.panel, beyond.lists
    panel, systems, metrics = map(_whole, (panel, systems, metrics))
    for given in (panel, *(beside for beside in (systems, metrics) if beside is not None)):
        if not isinstance(given, Panel):
            raise InputError(f"a {type(given).__name__} is not a panel.", "quorate.read(...) gives one.")
    if systems is not None:
        _check_systems(panel, systems)
    settings = replace(ask.settled(options), progress=None)
    panel, own = metrics_apart(panel)
    metrics = own if metrics is None and own is not None and panel.kind == "scores" else metrics
    panel, systems, metrics = panel.by_name, systems and systems.by_name, metrics and metrics.by_name  # as answers are
    if settings.over is not None and beyond is None:
        designs_of(panel, settings.absent)[0].drawn_as(settings.over)  # a mistake of the call where there are none
    asked = [q for q in table.QUESTIONS if asked_of(q, panel, systems)]
    sections = [answered(q, panel, systems, metrics, options, beyond) for q in asked]
    answers = {s.question: s.answer for s in sections}
    charts = [p.name for s in sections for p in s.pictures]
    whole = beyond.whole if beyond else panel
    screen = first_screen(whole, answers, charts)
    parts, unmade = _parts(panel, cards, models, labels, settings, answers) if whole is panel else ((), [])
    role = role_of(panel, parts, metrics)
    named = {"judgments": panel, "systems": systems, "metrics": metrics}
    every = [s.answer.panel for s in sections if s.answer and s.answer.panel is not None and beyond]
    about = _about(next((p for p in (whole, *every) if p.elsewhere is not None), panel))
    repaired = [n for given in named.values() if given is not None for n in given.notes] + unmade
    repaired += [f"the rows are more than --memory holds: the page shows {beyond.some}"] if beyond else []
    return Report(
        title=title or _title(role, about),
        kind=panel.kind,
        about=about,
        first_screen=_screen(role, parts, screen, whole, answers),
        role=role,
        sections=tuple(sections),
        inputs=tuple(inputs),
        repaired=tuple(repaired),
        parameters={n: getattr(settings, n) for n in ("seed", "level", "resamples", "permutations")},
        versions=dict(_versions()),
        command=command,
        parts=parts,
        missed=missed,
        panels={name: given for name, given in named.items() if given is not None},
        some=beyond.some if beyond else "",
    )


def _parts(
    panel: Panel,
    cards: bool | Mapping[str, Any] | None,
    models: Mapping[str, Any] | None,
    labels: Mapping[str, Any] | None,
    options: Options,
    answers: Mapping[str, Answer | None],
) -> tuple[tuple[Part, ...], list[str]]:
    """What only pages of a role have: by what the panel is, or is said to be; the first of them has the headline.

    Where the panel looks like one but is too little for it, or too much, the questions stand alone; a note says why.
    """
    told = {n: getattr(options, n) for n in Options.declared()}
    found: list[Part] = []
    unmade: list[str] = []
    # Each needs a kind of its own, which takes time to load.
    if cards or (cards is None and is_card_sort(panel)):
        from quorate.reports.card_sort import card_sort

        found.append(card_sort(panel, **(dict(cards) if isinstance(cards, Mapping) else {}), **told))
    if models is not None or has_models(panel):
        from quorate.reports.model_judges import model_judges

        try:
            found.append(model_judges(panel, **(models or {}), **told))
        except QuorateError as error:
            if models is not None:
                raise
            unmade.append(f"nothing is said of people and models: {str(error).splitlines()[0]}")
    if has_labels(panel):
        from quorate.reports.label_quality import label_quality

        found.append(label_quality(panel, **(labels or {}), answers=answers, **told))
    return tuple(found), unmade


def role_of(panel: Panel, parts: Sequence[Part], metrics: Panel | None) -> str:
    """What the page is: what only some pages have tells, metrics beside the scores, or where the lists come from."""
    if metrics is not None:
        return ROLES["metrics"]
    if parts:
        return ROLES[parts[0].name]
    if isinstance(panel, Votes):
        return ROLES["votes"]
    runs = isinstance(panel, Orderings) and (panel.reading.format == "run" or panel.absent == "below")
    return ROLES["runs"] if runs else f"report on {panel.kind}"


def _screen(
    role: str, parts: Sequence[Part], usual: FirstScreen, panel: Panel, answers: Mapping[str, Answer | None]
) -> FirstScreen:
    """The first screen that the page's role has, or else the usual one."""
    if role == ROLES["metrics"]:
        return metrics_screen(outcome(panel, answers), answers.get("trust"), usual)
    if role == ROLES["runs"]:
        return runs_screen(outcome(panel, answers), usual)
    return SCREENS[parts[0].name](parts[0], usual) if parts else usual


def _check_systems(panel: Panel, systems: Panel) -> None:
    """Systems that cannot be held against the judges are a mistake of the call, not a gap in the page."""
    if panel.kind == "scores":
        raise InputError(
            "scores of systems need no second panel (--systems).",
            "name their column 'system'; or else the items are taken.",
        )
    if panel.kind == "votes":
        raise InputError("votes are between systems already (--systems).", "leave out the second panel.")
    if systems.kind != panel.kind:
        raise InputError(
            f"the systems are {systems.kind}, the judgments {panel.kind}.",
            f"judges' {panel.kind} need systems' {panel.kind}.",
        )


def hashed(*paths: str | Path, role: str = "judgments") -> list[Input]:
    """Files with their size and SHA-256; of folders the files inside. Standard input cannot be read again: left out."""
    out = []
    for path in paths:
        given = Path(path)
        for file in sorted(p for p in given.rglob("*") if p.is_file()) if given.is_dir() else [given]:
            if str(path) != "-" and file.is_file():
                with file.open("rb") as opened:
                    digest = hashlib.file_digest(opened, "sha256").hexdigest()
                out.append(Input(readable(str(file)), file.stat().st_size, digest, role))
    return out


def _title(role: str, about: str) -> str:
    if role not in ROLES.values():
        return f"Report on {about}"
    return f"{role[:1].upper()}{role[1:]}: {about.partition(': ')[2]}"


def _about(panel: Panel) -> str:
    return f"{panel.kind}: {panel.inside()}"


@cache
def _versions() -> Mapping[str, str]:
    """Of what is installed, loaded or not: the page must not depend on what ran before."""
    found = {"quorate": quorate.__version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
