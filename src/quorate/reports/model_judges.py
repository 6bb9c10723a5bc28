"""Models as judges beside people, whole: who may stand in and why, what each is worth, favours, and means.

For judgments of any kind: orderings, groupings and votes are taken as scores of items or pairs
(:mod:`quorate.panel.as_scores`). The statistics are methods of scores; here they are put together.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from quorate import table
from quorate.document.blocks import Block, Chart, Column, Table, Text, with_notes
from quorate.document.columns import ci_column
from quorate.document.layout import tables
from quorate.document.result import Told
from quorate.errors import InputError, QuorateError
from quorate.inference.board import ALPHA
from quorate.inference.core import Core
from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer, Finding, Options, clean
from quorate.panel.as_scores import OWN, as_scores, both_sides
from quorate.panel.judge_kinds import metrics_apart, with_models
from quorate.panel.kinds import Panel, Scores, Votes
from quorate.panel.pairs import VoteDesign
from quorate.panel.units import kinds
from quorate.scores.confusion import judge_confusion
from quorate.scores.people_and_models import by_kind
from quorate.scores.prediction_powered import models_alone
from quorate.verbs import ask
from quorate.words.facts import Fact
from quorate.words.model_judges import model_facts

WHAT = {"orderings": "task", "groupings": "task", "votes": "vote", "scores": "item"}  # that a contest is about
ALONE = 0.1  # of the units, scored by models alone, from which on people's part is worth putting right
SHOWN = 30  # rows of a picture


@dataclass(frozen=True)
class Verdict:
    """Whether one model may stand in for people on one criterion, and what else is known of it."""

    judge: Hashable
    criterion: Hashable | None
    what: str  # that a contest is about
    replaces: bool | None  # None: too little was judged
    advantage: float
    ends: tuple[float, float] | None
    won: int
    humans: int
    worth: Estimate | None
    biases: tuple[Estimate, ...]  # that are significant
    level: float | None  # points above people, on average
    spread: float  # of people's scores
    untold: str = ""  # why nobody can say: one person, or people who agree by chance; else too few contests
    margin: float = 0.0  # by how much less often than a person a model may be nearest, and stand in all the same


@dataclass(frozen=True)
class ModelJudges(Told):
    """All that is said of models as judges; ``facts`` say it in words."""

    called: ClassVar[str] = "models as judges"
    heading: ClassVar[str] = "People and models"
    name: ClassVar[str] = "models"

    kind: str
    people: tuple[Hashable, ...]
    models: tuple[Hashable, ...]
    criteria: int
    verdicts: tuple[Verdict, ...]  # those who may stand in first
    agreement: tuple[dict[str, Any], ...]  # of people, of models, across
    trust: Answer | None  # what models are worth, favour and mean
    least: int  # contests that a verdict takes
    confusion: tuple[dict[str, Any], ...] = ()  # of labels what people say where a model says another
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    interval_level: float = 0.95

    @property
    def what(self) -> str:
        """What a contest is about."""
        return WHAT[self.kind]

    @property
    def tested(self) -> tuple[Estimate, ...]:
        """What was looked at for biases."""
        f = self.finding("model_bias")
        return tuple(f.overall) if f else ()

    def finding(self, method: str) -> Finding | None:
        """What one method says."""
        return next((f for f in (self.trust.findings if self.trust else ()) if f.method.name == method), None)

    def untold(self, method: str) -> list[dict[str, Any]]:
        """What a method could not tell, and why."""
        f = self.finding(method)
        return [row for fact in (f.about if f else ()) for row in fact.get("untold", ())]

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Plain lists and dicts."""
        out = {
            "kind": self.kind,
            "people": list(self.people),
            "models": list(self.models),
            "verdicts": self.rows(),
            "agreement": [dict(r) for r in self.agreement],
            "trust": self.trust.to_dict() if self.trust else None,
            "confusion": [dict(r) for r in self.confusion],
            "facts": [f.to_dict() for f in self.facts],
            "notes": list(self.notes),
        }
        return dict(clean(out))

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per model and criterion."""
        return [
            {
                "judge": v.judge,
                **({"criterion": v.criterion} if v.criterion is not None else {}),
                "stands_in": v.replaces,
                "advantage": v.advantage,
                "low": v.ends[0] if v.ends else None,
                "high": v.ends[1] if v.ends else None,
                "won": v.won,
                "people": v.humans,
                "worth": v.worth.value if v.worth else None,
                "worth_low": v.worth.interval.low if v.worth and v.worth.interval else None,
                "worth_high": v.worth.interval.high if v.worth and v.worth.interval else None,
                "level": v.level,
                "favours": [f"{_favoured(o)}{'' if o.value > 0 else ' (less)'}" for o in v.biases],
            }
            for v in self.verdicts
        ]

    def blocks(self, **how: Any) -> Iterator[Block]:
        """Sentences, the verdicts, agreement, and what the methods say."""
        found: list[Block] = [Text(self.sentences, "lead"), self._verdicts(), self._agreement()]
        found += tables(self.trust) if self.trust else []
        found += [self._confused()] if self.confusion else []
        yield from with_notes([b for b in found if not isinstance(b, Table) or b.rows], self.notes)

    def _verdicts(self) -> Table:
        columns = [
            Column("judge", "model"),
            Column("criterion", "criterion"),
            Column("stands_in", "may stand in", "yes"),
            Column("won", "won against", "count", "people whom the model could replace"),
            Column("humans", "people", "count"),
            Column("advantage", "as near", "share", "how often it is at least as near to the others as a person"),
            ci_column(self.interval_level, "interval:share", "ends", minor=2),
            Column("worth", "worth", "figure", "people whose mean is as good"),
            Column("level", "above people", "figure", "points, on average"),
            Column("favours", "favours", "names"),
        ]
        rows = [
            (
                *(v.judge, v.criterion, v.replaces, v.won, v.humans, v.advantage, v.ends and list(v.ends)),
                *(v.worth.value if v.worth else None, v.level, [_favoured(o) for o in v.biases] or None),
            )
            for v in self.verdicts
        ]
        there = [k for k in range(len(columns)) if any(r[k] is not None for r in rows)]
        return Table("Models, those who may stand in first", tuple(columns), tuple(rows), name="verdicts").ordered(
            there
        )

    def _agreement(self) -> Table:
        columns = [
            Column("criterion", "criterion"),
            Column("judges", "among"),
            Column("method", "method"),
            Column("value", "value", "figure"),
            ci_column(self.interval_level),
        ]
        rows = tuple(tuple(r.get(c.key) for c in columns) for r in self.agreement)
        there = [k for k in range(len(columns)) if any(r[k] is not None for r in rows)]
        return Table("Agreement of people, of models, and across", tuple(columns), rows, name="by-kind").ordered(there)

    def _confused(self) -> Table:
        columns = (
            Column("judge", "model"),
            Column("label", "says"),
            Column("said", "times", "count"),
            Column("same", "people say the same", "share"),
            Column("others_say", "or most often"),
            Column("share", "share", "share"),
        )
        rows = tuple(tuple(r.get(c.key) for c in columns) for r in self.confusion)
        return Table("What people say where a model says a label", columns, rows, name="model-confusion")

    def pictures(self) -> tuple[Chart, ...]:
        """How near models come, what they favour, and what their scores mean."""
        return tuple(c for c in (self._near(), self._favours(), self._means()) if c.rows)

    def _near(self) -> Chart:
        rows = tuple(
            {**_on(v.criterion), "model": str(v.judge), "value": v.advantage, **_between(v.ends)}
            for v in self.verdicts[:SHOWN]
            if not math.isnan(v.advantage)
        )
        said = (
            f"Share of the {self.what}s on which a model is at least as near to the other people as the person whose "
        )
        said += "place it takes, on average over people, with its interval."
        settings = {"label": "model", "value": f"share of {self.what}s", "limits": (0.0, 1.0), **_choose(rows)}
        return Chart("as-near", "models", "dots", "How often a model is as near as a person", said, rows, settings)

    def _favours(self) -> Chart:
        rows = tuple(
            {
                **_on(o.labels.get("criterion")),
                "what": f"{o.labels['judge']}: {_favoured(o)}",
                "value": o.value,
                **_between(o.interval and (o.interval.low, o.interval.high)),
            }
            for o in self.tested[:SHOWN]
        )
        said = (
            "Points by which a model scores higher than people where a column has a value, or is a standard deviation "
        )
        said += "higher; 0 where it follows people."
        settings = {"label": "what", "value": "points above people", **_choose(rows)}
        return Chart("favours", "models", "dots", "What models favour beside what people say", said, rows, settings)

    def _means(self) -> Chart:
        f = self.finding("calibration")
        rows = tuple(
            {
                **_on(o.labels.get("criterion")),
                "score": f"{o.labels['judge']}: {o.labels['says']}",
                "value": o.value,
                **_between(o.interval and (o.interval.low, o.interval.high)),
            }
            for o in (f.overall if f else ())[:SHOWN]
        )
        said = "Points by which a model's score lies above the mean of people where the model says so."
        settings = {"label": "score", "value": "points above people", **_choose(rows)}
        return Chart(
            "calibration", "models", "dots", "What a model's scores mean: above people or below", said, rows, settings
        )


def _favoured(o: Estimate) -> str:
    column, value = o.labels["column"], o.labels["favours"]
    return str(column) if value is None else f"{column} {value}"


def _on(criterion: Any) -> dict[str, str]:
    return {} if criterion is None else {"criterion": str(criterion)}


def _choose(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {"choose": "criterion"} if rows and "criterion" in rows[0] else {}


def _between(ends: Any) -> dict[str, float | None]:
    return {"low": ends[0], "high": ends[1]} if ends else {"low": None, "high": None}


def model_judges(
    panel: Panel, *, models: Sequence[Hashable] = (), columns: Sequence[str] = (), **options: Any
) -> ModelJudges:
    """Everything about models as judges: who may stand in for people, what they are worth, favour, and mean.

    ``models`` names the judges that are models, where no column ``judge_kind`` tells; ``columns`` those of the file to
    look at for biases, else all that vary; options as for agreement.
    """
    settings = Options(**options)
    panel, _ = metrics_apart(panel)
    named = with_models(panel, models) if models else panel
    scores = as_scores(named)
    human, machine = kinds(scores)  # an error where nobody is told apart
    labelled = bool(scores.scale)
    core, by_task = Core(replace(settings, progress=None)), panel.kind in ("orderings", "groupings")
    align = "accuracy" if labelled or panel.kind == "votes" else "rmse"
    contest = table.parse("alternative", "scores", "judges").with_(align=align, each="task" if by_task else "unit")
    tested = ask("judges", scores, (contest,), settings)
    nominal = isinstance(named, Votes) or (labelled and not scores.ordered)
    usual = "nominal" if nominal else "ordinal" if labelled else "interval"
    sided = both_sides(named) if isinstance(named, Votes) else scores
    agreement = by_kind(sided.by_name, [table.parse(f"alpha(level={usual})", "scores", "agreement")], core)
    trust, notes = _trust(sided if OWN in columns else _without_own(sided), labelled, panel.kind, columns, settings)
    found = ModelJudges(
        panel.kind,
        tuple(scores.judges[k] for k in human.tolist()),
        tuple(scores.judges[k] for k in machine.tolist()),
        len(scores.labels["criterion"].ids) if "criterion" in scores.labels else 1,
        (),
        tuple(agreement),
        trust,
        int(contest["least"] or 0),
        tuple(_confusion(scores, human.tolist(), machine.tolist())),
        notes=notes,
        interval_level=settings.level,
    )
    own = _own_families(named, settings) if isinstance(named, Votes) else ()
    found = replace(found, verdicts=tuple(_verdicts(found, tested.findings[0], scores, own)))
    return replace(found, facts=tuple(model_facts(found)))


def _confusion(scores: Scores, people: Sequence[int], models: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Of labels what people say where each model says another; models are not held against one another."""
    for m in models if scores.scale else ():
        some = scores.select(judges=[scores.judges[k] for k in (*people, m)])
        yield from (row for row in judge_confusion(some) if row["judge"] == scores.judges[m])


def _trust(
    scores: Scores, labelled: bool, kind: str, columns: Sequence[str], options: Options
) -> tuple[Answer | None, tuple[str, ...]]:
    """What models are worth, favour and mean, as far as the judgments allow; and what they do not."""
    names = ["people_worth"]
    if not labelled:
        names += [f"model_bias(columns={'|'.join(columns)})" if columns else "model_bias"]
        names += ["calibration"] if kind == "scores" else []
        names += ["prediction_powered"] if kind == "scores" and models_alone(scores) >= ALONE else []
    elif columns:
        raise InputError("biases are looked for in numbers; these are labels.", "leave out the columns.")
    try:
        found = ask("trust", scores, tuple(names), options)
        return (_of_votes(found) if kind == "votes" else found), ()
    except QuorateError as error:
        if columns:
            raise
        return None, (str(error).splitlines()[0],)


def _of_votes(answer: Answer) -> Answer:
    """What is told of votes that were seen from both of their sides: each is one unit all the same."""

    def once(o: Estimate) -> Estimate:
        return replace(o, labels={**o.labels, "units": o.labels["units"] // 2})

    return replace(answer, findings=tuple(replace(f, overall=tuple(map(once, f.overall))) for f in answer.findings))


def _without_own(scores: Scores) -> Scores:
    """Scores without the judges' own families of votes: the model of votes tells of them, from more."""
    return replace(scores, labels={n: c for n, c in scores.labels.items() if n != OWN})


def _own_families(panel: Votes, options: Options) -> tuple[Estimate, ...]:
    """Judges whose votes favour their own family, by the model of votes: other judges' votes tell more of systems than
    what people share of one pair does."""
    if VoteDesign.of(panel).own_family is None:
        return ()
    rows = ask("judges", panel, ("self_preference",), replace(options, progress=None)).findings[0].overall
    clear = (o for o in rows if o.labels.get("p_holm", 1.0) < ALPHA and o.value > 0)
    return tuple(replace(o, labels={**o.labels, "column": OWN, "favours": None, "odds": True}) for o in clear)


def _verdicts(found: ModelJudges, tested: Finding, scores: Scores, own: Sequence[Estimate]) -> Iterator[Verdict]:
    """Every model on every criterion, those who may stand in first, then those nearest."""
    told = {(str(o.labels["judge"]), o.labels.get("criterion")): o for o in tested.overall}
    human, _ = kinds(scores)
    spread = float(np.nanstd(scores.value[np.isin(scores.judge.codes, human)])) if not scores.scale else 0.0
    on = list(dict.fromkeys(criterion for _, criterion in told)) or [None]
    out = []
    for name in found.models:
        for criterion in on:
            o = told.get((str(name), criterion))
            known = o is not None and not math.isnan(o.value)
            untold = _untold(found, criterion) if known or len(found.people) < 2 else ""
            labels = o.labels if o is not None and known else {}
            ends = labels.get("advantage_interval")
            out.append(
                Verdict(
                    name,
                    criterion,
                    found.what,
                    bool(labels["replaces"]) if known and not untold else None,
                    float(labels["advantage"]) if known else math.nan,
                    (float(ends[0]), float(ends[1])) if ends else None,
                    int(labels.get("won", 0)),
                    int(labels.get("humans", 0)),
                    next(iter(_about(found, "people_worth", name, criterion)), None),
                    (
                        *(o for o in own if str(o.labels["judge"]) == str(name)),
                        *(o for o in _about(found, "model_bias", name, criterion) if o.labels["p_holm"] < ALPHA),
                    ),
                    _level(_about(found, "calibration", name, criterion)),
                    spread,
                    untold,
                    float(str(tested.method["epsilon"])),
                )
            )
    order = {True: 0, False: 1, None: 2}
    return iter(sorted(out, key=lambda v: (order[v.replaces], -np.nan_to_num(v.advantage), str(v.judge))))


def _untold(found: ModelJudges, criterion: Hashable | None) -> str:
    """Why the people do not tell who may stand in: to be as near to them as one of them is says nothing then."""
    if len(found.people) < 2:
        return "one person"
    rows = [r for r in found.agreement if r["judges"] == "people" and r.get("criterion") == criterion]
    known = [r for r in rows if not math.isnan(r["value"])]
    return "chance" if known and all((r["interval"] or (r["value"],))[0] <= 0 for r in known) else ""


def _about(found: ModelJudges, method: str, judge: Hashable, criterion: Hashable | None) -> list[Estimate]:
    f = found.finding(method)
    rows = f.overall if f else ()
    return [o for o in rows if str(o.labels["judge"]) == str(judge) and o.labels.get("criterion") == criterion]


def _level(rows: Sequence[Estimate]) -> float | None:
    """Points above people, on average over all units."""
    units = sum(o.labels["units"] for o in rows)
    return sum(o.value * o.labels["units"] for o in rows) / units if units else None
