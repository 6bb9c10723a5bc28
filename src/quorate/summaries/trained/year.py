"""One year of a collection: summaries, models, documents, judges' scores and annotations.

What is trained on is a sheet: features and scores of one part and population of the year.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError, suggest
from quorate.panel.kinds import Scores
from quorate.summaries.declarations import METRIC
from quorate.summaries.trained.campaign import CRITERIA, Campaign, campaign, collect
from quorate.summaries.trained.features import chosen, measured
from quorate.summaries.trained.material import Counted, Material
from quorate.summaries.trained.overlap import Seen
from quorate.summaries.units.auto_pyramid import auto_pyramid
from quorate.summaries.units.gaps import AutoPyramid
from quorate.summaries.units.reading import read_units

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Sheet:
    """Features ``x`` and scores ``y``; NaN where there is none.

    Where several judges score a task, ``votes`` has their scores and ``y`` is their mean.
    """

    year: str
    part: str
    population: str
    tasks: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]  # of each task; with votes, of each vote's first axis
    features: tuple[str, ...]
    x: Array  # [task, system, feature]
    y: Array  # [task, system, criterion]
    notes: tuple[str, ...] = ()
    criteria: tuple[str, ...] = CRITERIA
    votes: Array | None = None  # [judge, task, system, criterion]

    def criterion(self, name: str) -> int:
        """The place of a criterion."""
        if name not in self.criteria:
            raise BadParameter(f"no criterion '{name}'.", suggest(name, self.criteria, "Criteria"))
        return self.criteria.index(name)

    def without(self, judges: Iterable[str]) -> Sheet:
        """Without these judges: their tasks are gone; where others score the same tasks, only their scores are."""
        gone = set(judges)
        if self.votes is None:
            y, who = self.y, self.judges
            keep = [k for k, j in enumerate(who) if j not in gone]
            who = tuple(who[k] for k in keep)
            votes = None
        else:
            rows = [k for k, j in enumerate(self.judges) if j not in gone]
            votes, who = self.votes[rows], tuple(self.judges[k] for k in rows)
            y = mean_vote(votes) if rows else np.full(self.y.shape, np.nan)
            keep = np.flatnonzero(~np.isnan(y).all(axis=(1, 2))).tolist()
            votes = votes[:, keep]
        if not keep:
            raise InputError(f"{self.year}: no task is left without judges {', '.join(sorted(gone))}.", "drop fewer.")
        tasks = tuple(self.tasks[k] for k in keep)
        return replace(self, tasks=tasks, judges=who, x=self.x[keep], y=y[keep], votes=votes)


def mean_vote(votes: Array) -> Array:
    """The mean over judges of those who gave a score; NaN where nobody did.

    >>> mean_vote(np.array([[1.0, np.nan, np.nan], [2.0, 3.0, np.nan]])).tolist()
    [1.5, 3.0, nan]
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nobody's mean is NaN, which is what is wanted
        return np.asarray(np.nanmean(votes, axis=0))


PARTS = {"main": "A", "update": "B"}
POPULATIONS = METRIC["population"].choices
JUDGED = ("task", "item", "system", "judge", "criterion", "score", "text")


def as_columns(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, list[Any]]:
    """Rows as columns by name."""
    listed = list(rows)
    return {name: [row[k] for row in listed] for k, name in enumerate(names)}


@dataclass(frozen=True, eq=False)
class Year:
    """The summaries of a year with all that is known of them, keyed by (task, who wrote it)."""

    name: str
    peers: Mapping[tuple[str, str], str]
    models: Mapping[tuple[str, str], str]
    documents: Mapping[str, tuple[str, ...]]
    scores: Mapping[tuple[str, str], Mapping[str, float]]
    judges: Mapping[str, str]  # by task
    annotated: Path | None = None
    stem: bool = True
    notes: tuple[str, ...] = ()
    limits: tuple[int, ...] = (100,)  # words that summaries may have
    known: dict[str, list[str]] = field(default_factory=dict, repr=False)  # tokens that features share
    counted: Counted = field(default_factory=dict, repr=False)  # and counts of ROUGE

    @property
    def limit(self) -> int | None:
        """Words that a summary may have: the number in the summaries' names; None where they differ."""
        return self.limits[0] if len(self.limits) == 1 else None

    @property
    def criteria(self) -> tuple[str, ...]:
        """What is scored."""
        return CRITERIA

    @cached_property
    def panel(self) -> Scores:
        """Judges' scores of the systems' summaries, with the texts, by which identical ones are known."""
        return Scores.build(as_columns(JUDGED, self.judged_rows()))

    def judged_rows(self) -> Iterator[tuple[Any, ...]]:
        """A row for every score of a system's summary: see JUDGED."""
        for (task, who), found in self.scores.items():
            if (task, who) in self.peers:
                yield from ((task, who, who, self.judges[task], c, found[c], self.peers[task, who]) for c in CRITERIA)

    @cached_property
    def seen(self) -> Seen:
        """What a metric that is trained on the year has seen."""
        return Seen.of(str(text or "") for text in self.panel.labels["text"].values())

    @cached_property
    def auto(self) -> AutoPyramid:
        """Manual against automatic pyramid scores of the systems' summaries."""
        if self.annotated is None:
            raise InputError(f"{self.name}: no annotated peers.", "they are below manual/ in NIST's layout.")
        return auto_pyramid(read_units(self.annotated, judges=dict(self.judges)))

    @property
    def gaps(self) -> Scores:
        """Pyramid scores with the automatic ones beside them."""
        return self.auto.panel()

    def tasks(self, part: str) -> list[str]:
        """The tasks of a part: main or update."""
        METRIC["part"].check(part)
        every = sorted({t for t, _ in self.peers})
        return [t for t in every if t.rpartition("-")[2] == PARTS[part] or ("-" not in t and part == "main")]

    def material(self, part: str, population: str) -> tuple[list[tuple[str, str]], Material]:
        """The summaries of a part as (task, who), and what features are computed from."""
        METRIC["population"].check(population)
        people = population == "AllPeers"
        tasks = self.tasks(part)
        by_task: dict[str, dict[str, str]] = {}
        for (task, who), text in self.models.items():
            by_task.setdefault(task, {})[who] = text
        wanted = set(tasks)
        keys = [k for k in self.peers if k[0] in wanted] + [k for k in self.models if people and k[0] in wanted]
        keys.sort(key=lambda k: (k[0], k[1].isalpha(), k[1].zfill(6)))
        texts, models, earlier, documents, own = [], [], [], [], []
        for task, who in keys:
            mine = (task, who) in self.models
            texts.append(self.models[task, who] if mine else self.peers[task, who])
            models.append(tuple(t for m, t in by_task.get(task, {}).items() if m != who))
            before = by_task.get(task.removesuffix("-B") + "-A", {}) if task.endswith("-B") else {}
            earlier.append(tuple(before.values()))
            documents.append(self.documents.get(task, ()))
            own.append(mine)
        columns = (tuple(texts), tuple(models), tuple(earlier), tuple(documents), tuple(own))
        shared: dict[str, Any] = {"known": self.known, "counted": self.counted}
        return keys, Material(*columns, jackknife=people, limit=self.limit, stem=self.stem, **shared)

    def sheet(self, part: str, population: str, features: Iterable[str] | None = None) -> Sheet:
        """Features and scores of a part; people are held against the others' models, systems jackknifed with them."""
        keys, material = self.material(part, population)
        if not keys:
            raise InputError(f"{self.name}: no summaries of part {part}.", "doc sets are called D0901-A, D0901-B.")
        names = tuple(f.name for f in chosen(features))
        found = measured(material, names)
        tasks, systems = list(dict.fromkeys(t for t, _ in keys)), list(dict.fromkeys(w for _, w in keys))
        systems.sort(key=lambda s: (s.isalpha(), s.zfill(6)))
        x = np.full((len(tasks), len(systems), len(names)), np.nan)
        y = np.full((len(tasks), len(systems), len(self.criteria)), np.nan)
        row, column = {t: k for k, t in enumerate(tasks)}, {s: k for k, s in enumerate(systems)}
        alone = 0
        for n, (task, who) in enumerate(keys):
            x[row[task], column[who]] = found[n]
            scores = self.scores.get((task, who))
            if scores is None:
                alone += 1
                continue
            y[row[task], column[who]] = [scores[c] for c in self.criteria]
            if population == "AllPeers" and "pyramid_jackknife" in scores:
                y[row[task], column[who], 0] = scores["pyramid_jackknife"]  # people have three models too
        notes = (*self.notes, *([f"{self.name}: {alone:,} summaries have no scores"] if alone else []))
        judges = tuple(self.judges.get(t, "?") for t in tasks)
        about = (self.name, part, population, tuple(tasks), tuple(systems), judges, names)
        return Sheet(*about, x, y, notes, self.criteria)


def read_year(folder: str | Path | Campaign, *, stem: bool = True) -> Year:
    """A year from its folder, or from the folders of a campaign."""
    given = folder if isinstance(folder, Campaign) else campaign(folder)
    read = collect(given)
    texts = (read.peers, read.models, read.documents, read.scores, read.judges)
    return Year(given.name, *texts, read.annotated, stem, read.notes, read.limits)
