"""Labels, whole: the gold standard with its certainty, what to decide by hand, which labels and who confuses them.

The statistics are in :mod:`quorate.inference.adjudication` and the scores' own files; here they are put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from quorate.document.blocks import Block, Chart, Column, Table, Text, with_notes
from quorate.document.columns import ci_column
from quorate.document.result import Told
from quorate.errors import InputError, NotDrawn
from quorate.inference.adjudication import adjudication, differ, gold
from quorate.inference.results import Answer, Options, clean
from quorate.panel.kinds import Panel, Scores
from quorate.panel.score_facts import labels_sorted
from quorate.reports.consensus_groups import ConsensusGroups, consensus_groups
from quorate.scores.confusion import confused
from quorate.verbs import ask
from quorate.words.agreement_notes import rare_labels
from quorate.words.facts import Fact
from quorate.words.label_quality import label_facts
from quorate.words.outcome import ENOUGH, graded

SHOWN = 30  # judges of a picture
BARS = 15  # items of one
LITTLE = 0.01  # chance of being wrong that a picture leaves out
FEW = 0.1  # of the items: about as many as are worth deciding by hand first
PREFERRED = 0.05  # share of answers, from which on a preference for a label matters
WORTH = 0.05  # chance of being wrong, below which a label is not worth deciding


@dataclass(frozen=True)
class LabelQuality(Told):
    """All that is said of labels; ``facts`` say it in words."""

    called: ClassVar[str] = "label quality"
    heading: ClassVar[str] = "Labels"
    name: ClassVar[str] = "labels"
    downloads: ClassVar[Mapping[str, str]] = {"gold": "The gold standard", "adjudicate": "The items to decide by hand"}

    consensus: Answer
    agreement: Answer
    criteria: int
    flagged: tuple[str, ...]  # judges who are off
    preferences: tuple[Mapping[str, Any], ...] = ()  # labels that judges say more or less often than the others
    by: ConsensusGroups | None = None  # groups of judges side by side
    sorted: bool = False  # whether the labels of each item were sorted, so that who gave which is lost
    labels_of: Mapping[Any, float] = field(default_factory=dict)  # how many labels each judge gave
    camps: int = 1  # of judges, each with a mind of its own
    mixed: tuple[Mapping[str, Any], ...] = ()  # every two labels that judges who are not off confuse, the most first
    reversed: bool = False  # whether some judge labels against the others, who agree then
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def gold(self) -> dict[str, list[Any]]:
        """Every item's label with its certainty, as columns."""
        return gold(self.consensus)

    @cached_property
    def disputes(self) -> list[dict[str, Any]]:
        """The items worth a decision, those first where it gains most."""
        columns = adjudication(self.consensus)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @property
    def method(self) -> str:
        """By what labels are chosen."""
        return self.gold["method"][0].partition("(")[0] if self.gold["method"] else "majority"

    @property
    def items(self) -> int:
        """Labels that are given, one for each item and criterion."""
        return len(self.gold["label"])

    @property
    def certainty(self) -> list[float]:
        """How likely every label is right; else the share of judges who gave it."""
        columns = self.gold
        if "certainty" in columns:
            return list(columns["certainty"])
        return [v / j if j else 1.0 for v, j in zip(columns["votes"], columns["judges"], strict=True)]

    @property
    def right(self) -> float:
        """The share of labels that are expected to be right."""
        sure = self.certainty
        return sum(sure) / len(sure) if sure else 1.0

    @property
    def doubtful(self) -> bool:
        """Whether the judges do not clearly agree more than by chance: then no model knows which labels are right.

        Where one of them labels against the others, what they mean is known all the same.
        """
        if self.alone:
            return True
        first = self.agreement.findings[0].overall if self.agreement.findings else ()
        p = [e.null.p for e in first if e.null]
        return bool(p) and min(p) > 1 - self.agreement.options.level and not self.reversed

    @property
    def alone(self) -> bool:
        """Whether no two judges labelled the same item."""
        return not self.shared

    @property
    def disputed(self) -> int:
        """Items on which judges differ."""
        return sum(differ(self.consensus.findings))

    @property
    def shared(self) -> int:
        """Items that two or more judges labelled."""
        return sum(number > 1 for number in self.gold.get("judges", [2] * self.items))

    @property
    def first(self) -> int:
        """How many items to decide by hand: those likely enough to be wrong, a tenth of all at most."""
        worth = sum(row["gain"] >= WORTH for row in self.disputes)
        return max(1, min(worth, round(FEW * self.items))) if self.disputes else 0

    @property
    def gain(self) -> float:
        """Right labels that deciding these is expected to add."""
        return float(sum(row["gain"] for row in self.disputes[: self.first]))

    def after(self, decided: int) -> float:
        """The share of labels expected to be right when so many are decided by hand."""
        return float(min(self.right + sum(row["gain"] for row in self.disputes[:decided]) / max(self.items, 1), 1.0))

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many items have each label, the most frequent first."""
        told: dict[str, int] = {}
        for label in self.gold["label"]:
            if label is not None:
                told[str(label)] = told.get(str(label), 0) + 1
        return sorted(told.items(), key=lambda pair: (-pair[1], pair[0]))

    @property
    def categories(self) -> list[Mapping[str, Any]]:
        """Of every label how often another judge gives it too, the least agreed on first."""
        rows = self.agreement.more.get("labels", ())
        if self.several:  # no is what is left
            rows = [{**r, "label": r["criterion"], "criterion": None} for r in rows if str(r["label"]) == "yes"]
        return sorted(rows, key=lambda r: r["value"]) if self.several else list(rows)

    @property
    def confused(self) -> list[Mapping[str, Any]]:
        """Every two labels that judges gave to one item, the most often confused first."""
        rows = () if self.several else self.agreement.more.get("confused", ())
        return sorted(rows, key=lambda row: -row["value"])

    @property
    def judges(self) -> list[Mapping[str, Any]]:
        """How often each judge is right, the least first; nothing where no method tells."""
        rows = () if self.alone else self.consensus.more.get("weights_and_effects_of_judges", ())
        return sorted((r for r in rows if r["is"] == "accuracy"), key=lambda r: (r["value"], str(r["judge"])))

    @property
    def confusion(self) -> list[Mapping[str, Any]]:
        """What each judge says where each label is believed, the worst mistakes first."""
        return list(self.consensus.more.get("confusion_by_truth", ()))

    @property
    def several(self) -> bool:
        """Whether judges may give an item several labels, each of which is a criterion then."""
        return "label_sets" in self.agreement.more

    @property
    def sets(self) -> list[dict[str, Any]]:
        """Where judges may give several labels: those that each item has, and how likely all of them are right."""
        out: dict[tuple[Any, Any], dict[str, Any]] = {}
        for row, sure in zip(self.rows() if self.several else (), self.certainty, strict=False):
            about = {"task": row["task"], "item": row["item"], "labels": [], "certainty": 1.0}
            one = out.setdefault((row["task"], row["item"]), about)
            one["labels"] += [row["criterion"]] if str(row["label"]) == "yes" else []
            one["certainty"] *= sure
        return list(out.values())

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Plain lists and dicts."""
        columns = self.gold
        out = {
            "method": self.method,
            "items": self.items,
            "right": self.right,
            "gold": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
            "adjudicate": self.disputes,
            **({"sets": self.sets} if self.several else {}),
            "labels": [dict(r) for r in self.categories],
            "confused": [dict(r) for r in self.confused],
            "judges": [dict(r) for r in self.judges],
            "confusion": [dict(r) for r in self.confusion],
            "preferences": [dict(r) for r in self.preferences],
            "by": self.by.to_dict() if self.by else None,
            "facts": [f.to_dict() for f in self.facts],
            "notes": list(self.notes),
        }
        return dict(clean(out))

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per item: its label, and how certain it is."""
        columns = self.gold
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def blocks(self, **how: Any) -> Iterator[Block]:
        """Sentences, what to decide, labels and judges with what they confuse, the gold standard, groups."""
        found: list[Block] = [Text(self.sentences, "lead"), self._list(), self._categories(), self._confused()]
        found += [self._judges(), self._preferences(), self._sets(), self._gold()]
        found = [b for b in found if not isinstance(b, Table) or b.rows]
        found += [b for b in self.by.blocks() if isinstance(b, Table)] if self.by else []
        yield from with_notes(found, self.notes)

    def _list(self) -> Table:
        columns = (
            Column("criterion", "criterion"),
            Column("task", "task"),
            Column("item", "item"),
            Column("label", "label"),
            Column("gain", "chance it is wrong", "share", "right labels that a decision is expected to add"),
            Column("said", "what judges said", "text"),
        )
        return _table("Decide by hand, most gain first", columns, self.disputes, "adjudicate")

    def _categories(self) -> Table:
        columns = (
            Column("criterion", "criterion"),
            Column("label", "label"),
            Column("said", "times", "count"),
            Column("value", "agreement", "share", "of the other judges of an item, who give it too"),
            ci_column(self.agreement.options.level, "interval:share"),
        )
        return _table("Agreement label by label, least first", columns, self.categories, "by-label")

    def _confused(self) -> Table:
        columns = (
            Column("criterion", "criterion"),
            Column("label", "label"),
            Column("other_label", "confused with"),
            Column("value", "of either", "share", "answers beside which another judge says the other"),
            Column("of_label", "of the first", "share"),
            Column("of_other", "of the second", "share"),
        )
        return _table("Labels that are confused", columns, self.confused, "confused")

    def _judges(self) -> Table:
        worst: dict[Any, Mapping[str, Any]] = {}
        for row in self.confusion:
            if row["truth"] != row["label"]:
                worst.setdefault((row.get("criterion"), row["judge"]), row)
        columns = (
            Column("criterion", "criterion"),
            Column("judge", "judge"),
            Column("value", "right", "share", "how often the judge gives the label that is believed"),
            Column("of", "of", "count", "labels that the judge gave"),
            Column("truth", "where it is"),
            Column("label", "says"),
            Column("share", "share", "share"),
        )
        rows = []
        for r in self.judges:
            mix = worst.get((r.get("criterion"), r["judge"]), {})
            of = None if "criterion" in r else self.labels_of.get(r["judge"])
            rows.append({**{n: mix.get(n) for n in ("truth", "label", "share")}, "of": of, **r})
        return _table(
            "Judges, least often right first, with the mistake each makes most", columns, rows, "label-judges"
        )

    def _preferences(self) -> Table:
        columns = (
            Column("criterion", "criterion"),
            Column("judge", "judge"),
            Column("label", "label"),
            Column("said", "says it", "share"),
            Column("value", "beyond the others", "share", "how much more often than other judges of the same items"),
            ci_column(self.agreement.options.level, "interval:share"),
            Column("p_holm", "p (Holm)", "p"),
        )
        return _table("Labels that judges prefer or avoid", columns, self.preferences, "label-preferences")

    def _gold(self) -> Table:
        columns = (
            Column("criterion", "criterion"),
            Column("task", "task"),
            Column("item", "item"),
            Column("label", "label"),
            Column("certainty", "certainty", "share"),
            Column("votes", "votes", "count"),
            Column("judges", "of", "count"),
        )
        return _table("The gold standard", columns, self.rows(), "gold")

    def _sets(self) -> Table:
        columns = (
            Column("task", "task"),
            Column("item", "item"),
            Column("labels", "labels", "names"),
            Column("certainty", "all right", "share", "how likely every label, given or not, is right"),
        )
        return _table("The labels of each item", columns, self.sets, "label-sets")

    def pictures(self) -> tuple[Chart, ...]:
        """What to decide, and what each judge says where each label is believed."""
        return tuple(c for c in (self._wrong(), self._matrix()) if c.rows)

    def _wrong(self) -> Chart:
        rows = tuple(
            {
                "item": _named(r),
                "label": "undecided" if r["label"] is None else str(r["label"]),
                "value": r["gain"],
            }
            for r in self.disputes[:BARS]
            if r["gain"] >= LITTLE
        )
        said = "The chance that an item's label is wrong, as far as the judges' labels tell; the most first."
        settings = {"label": "item", "value": "chance that the label is wrong", "colour": "label"}
        return Chart("to-decide", "labels", "bars", "What to decide by hand first", said, rows, settings)

    def _matrix(self) -> Chart:
        """Of the judges least often right what they say where each label is believed."""
        judges = [r["judge"] for r in self.judges[:SHOWN]]
        labels = list(dict.fromkeys(str(r["truth"]) for r in sorted(self.confusion, key=lambda r: str(r["truth"]))))
        some = [r for r in self.confusion if r["judge"] in judges and len(labels) <= 20 and "criterion" not in r]
        place = {judge: k for k, judge in enumerate(judges)}
        rows = tuple(
            {"judge": str(r["judge"]), "believed": str(r["truth"]), "said": str(r["label"]), "value": r["share"]}
            for r in sorted(some, key=lambda r: (place[r["judge"]], str(r["truth"]), str(r["label"])))
        )
        said = (
            "Down the label that is believed, across what the judge says. Choose a judge; the least often right first."
        )
        settings = {"order": labels, "value": "share", "down": "believed", "across": "said", "choose": "judge"}
        return Chart("judge-confusion", "labels", "heat_map", "What each judge says for what", said, rows, settings)


def _table(title: str, columns: tuple[Column, ...], rows: Any, name: str) -> Table:
    """Rows as a table, without columns that say nothing: no criterion, one task."""
    listed = list(rows)
    told = [c for c in columns if any(r.get(c.key) is not None for r in listed)]
    told = [c for c in told if c.key != "task" or len({r["task"] for r in listed}) > 1]
    cells = tuple(tuple(r.get(c.key) for c in told) for r in listed)
    return Table(title, tuple(told), cells, name=name)


def _preferred(judges: Answer) -> Iterator[dict[str, Any]]:
    """The labels that a judge says more or less often than the others do, beyond doubt and by so much as matters."""
    for f in judges.findings:
        if f.method.name == "label_bias":
            columns = {**f.keys, "value": f.values, **f.details}
            for row in (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)):
                if abs(row["value"]) >= PREFERRED and row.get("p_holm", 1.0) <= 1 - judges.options.level:
                    yield row


def _named(row: Mapping[str, Any]) -> str:
    return f"{row['criterion']} of {row['item']}" if row.get("criterion") is not None else str(row["item"])


def label_quality(
    panel: Panel, *, by: str | None = None, answers: Mapping[str, Answer | None] | None = None, **options: Any
) -> LabelQuality:
    """Everything about labels: gold standard with certainty, what to decide by hand, confusions of labels and judges.

    ``by`` names a column of judges (crowd, expert) whose groups' labels are put side by side; ``answers`` are those to
    the usual questions, where they are known already; options as for agreement.

    >>> labels = {"ann": dict(a="x", b="y"), "bob": dict(a="x", b="y"), "cat": dict(a="x", b="x")}
    >>> found = label_quality(Scores.from_labels(labels), resamples=0, permutations=0)
    >>> [(row["item"], row["label"]) for row in found.rows()], found.disputes[0]["item"]
    ([('a', 'x'), ('b', 'y')], 'b')
    """
    if not isinstance(panel, Scores) or not panel.scale:
        held = "scores that are numbers" if isinstance(panel, Scores) else panel.kind
        raise InputError(f"the panel holds {held}.", "labels have a column label; --labels takes numbers as labels.")
    settings = Options(**options)
    known = {question: answer for question, answer in (answers or {}).items() if answer is not None}
    consensus, instead = (known["consensus"], ()) if "consensus" in known else _gold(panel, settings)
    agreement = known.get("agreement") or ask("agreement", panel, (), settings)
    judges = known.get("judges") or ask("judges", panel, ("label_bias",), replace(settings, resamples=0))
    off = judges.more["flagged"]
    others = panel.drop_judges(*{f["judge"] for f in off}) if off and panel.elsewhere is None else None
    mixed = agreement.more.get("confused", ()) if others is None else confused(others)
    found = LabelQuality(
        consensus,
        agreement,
        len(panel.labels["criterion"].ids) if "criterion" in panel.labels else 1,
        tuple(dict.fromkeys(str(f["judge"]) for f in off)),
        () if (lost := labels_sorted(panel)) else tuple(_preferred(judges)),
        consensus_groups(panel, by, **options) if by else None,
        lost,
        dict(zip(panel.judges, np.bincount(panel.judge.codes, panel.count, len(panel.judges)).tolist(), strict=True)),
        max((test["camps"] for test in judges.more.get("camp_tests", ())), default=1),
        () if "label_sets" in agreement.more else tuple(sorted(mixed, key=lambda row: -row["value"])),
        any(f["diagnosis"] == "reversed" and graded(f["evidence"]["without"]) in ENOUGH for f in off),
        notes=(*consensus.notes, *instead, *rare_labels(panel, agreement)),
    )
    return replace(found, facts=tuple(label_facts(found)))


def _gold(panel: Panel, settings: Options) -> tuple[Answer, tuple[str, ...]]:
    """What judges agree on; with its usual intervals, and a note, where it has none over the units asked for."""
    try:
        return ask("consensus", panel, (), settings), ()
    except NotDrawn as error:
        return ask("consensus", panel, (), replace(settings, over=None)), (error.instead,)
