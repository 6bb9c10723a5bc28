"""One year of a collection: summaries, models, documents, judges' scores and annotations.

What is trained on is a sheet: features and scores of one part and population of the year. A year is a folder as NIST
hands it out, or of one's own: judgments in a long table, with columns ``judge, item, score`` and ``text``; ``task``,
``system``, ``criterion`` and ``year`` if there are several. The texts to compare with (references) and the documents
are tables of their own. Several judges may score one text: what a metric is trained on is their mean, and a judge left
out takes away only his scores.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError, suggest
from quorate.formats import read
from quorate.formats.table_records import read_texts
from quorate.kernels.defined import quotient
from quorate.panel.kinds import Scores
from quorate.summaries.declarations import METRIC
from quorate.summaries.trained.campaign import CRITERIA, Campaign, campaign, collect, plain_name
from quorate.summaries.trained.features import chosen, measured
from quorate.summaries.trained.material import Counted, Material
from quorate.summaries.trained.overlap import Seen, unseen
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
    out: Array = quotient(np.nansum(votes, axis=0), (~np.isnan(votes)).sum(axis=0))
    return out


PARTS = {"main": "A", "update": "B"}
POPULATIONS = METRIC["population"].choices
ONE = "score"  # the criterion of a table without that column
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
    """A year from its folder, or from the folders of a campaign.

    >>> import tempfile
    >>> from quorate.summaries.units.made_up import MadeUp
    >>> folder = tempfile.mkdtemp()
    >>> MadeUp(years=1, topics=1, systems=2, documents=1).write(folder)
    >>> read_year(Path(folder, "2009")).sheet("main", "NoModels", ["rouge_2"]).y.shape  # task, system, criterion
    (1, 2, 3)
    """
    given = folder if isinstance(folder, Campaign) else campaign(folder)
    read = collect(given)
    texts = (read.peers, read.models, read.documents, read.scores, read.judges)
    return Year(given.name, *texts, read.annotated, stem, read.notes, read.limits)


def scores_of(years: Sequence[Year]) -> Scores:
    """Judges' scores of the systems' summaries of several years, with the texts."""
    rows = ((year.name, *row) for year in years for row in year.judged_rows())
    return Scores.build(as_columns(("year", *JUDGED), rows))


# -- a year of one's own ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Beside:
    """What stands beside judgments in tables: references, documents, and the words that a text may have."""

    references: str | None = None
    documents: str | None = None
    limit: int | None = None
    stem: bool = True

    def texts(self, tasks: Set[str], name: str) -> tuple[dict[str, dict[str, str]], dict[str, tuple[str, ...]]]:
        """References by task and writer, and documents by task; those that belong to no task are an error."""
        found = []
        for path, who in ((self.references, "model"), (self.documents, "document")):
            by_task: dict[str, dict[str, str]] = {}
            for task, writer, text in read_texts(path, who) if path else []:
                by_task.setdefault(task, {})[writer] = text
            if path and not set(by_task) & tasks:
                ours, theirs = (min(some, default="none") for some in (tasks, by_task))
                fact = f"{Path(path).name}: none of its tasks is one of {name}."
                raise InputError(fact, f"tasks must have the same names: here {theirs}, there {ours}.")
            found.append(by_task)
        return found[0], {task: tuple(some.values()) for task, some in found[1].items()}


@dataclass(frozen=True, eq=False)
class OwnYear(Year):
    """A year from a table of judgments; every task is of the main part."""

    judged: Scores | None = None

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria of the table."""
        return _criteria(self.panel)

    @cached_property
    def panel(self) -> Scores:
        """The judgments as they were read."""
        if self.judged is None:
            raise InputError(f"{self.name}: no judgments.", "build it with own_year.")
        return self.judged

    @property
    def gaps(self) -> Scores:
        """The judgments, if they have the automatic scores beside them."""
        if "auto" not in self.panel.labels:
            raise InputError(f"{self.name}: no column auto.", "worst by gap needs the automatic scores in it.")
        return self.panel

    def tasks(self, part: str) -> list[str]:
        """All of them: a table has no parts."""
        if part != "main":
            raise InputError(f"{self.name}: no part {part}.", "tables are of the main part: leave --part out.")
        return sorted({t for t, _ in (*self.peers, *self.models)} & {t for t, _ in self.scores})

    def sheet(self, part: str, population: str, features: Any = None) -> Sheet:
        """Features and mean scores, with every judge's scores beside them."""
        made = super().sheet(part, population, features)
        found = self.panel
        judges = tuple(map(str, found.judges))
        votes = np.full((len(judges), *made.y.shape), np.nan)
        total, number = np.zeros(votes.shape), np.zeros(votes.shape)
        task, system = ({n: k for k, n in enumerate(names)} for names in (made.tasks, made.systems))
        criterion = {c: k for k, c in enumerate(self.criteria)}
        for judge, (t, who, c, value) in zip(found.judge.codes.tolist(), rows(found), strict=True):
            if t in task and who in system and not np.isnan(value):
                total[judge, task[t], system[who], criterion[c]] += value
                number[judge, task[t], system[who], criterion[c]] += 1
        np.divide(total, number, out=votes, where=number > 0)
        return replace(made, y=mean_vote(votes), votes=votes, judges=judges)


def _criteria(panel: Scores) -> tuple[str, ...]:
    return tuple(map(str, panel.labels["criterion"].ids)) if "criterion" in panel.labels else (ONE,)


def rows(panel: Scores) -> list[tuple[str, str, str, float]]:
    """Task, system (else item), criterion and score of every judgment."""
    who = panel.labels.get("system", panel.item)
    names = panel.labels["criterion"].values() if "criterion" in panel.labels else [ONE] * len(panel)
    columns = (map(str, panel.task.values()), map(str, who.values()), map(str, names), panel.value.tolist())
    return list(zip(*columns, strict=True))


def own_year(panel: Scores, beside: Beside, name: str) -> OwnYear:
    """A year from judgments that have their texts.

    >>> made = Scores.build({"judge": ["a", "b"], "item": ["x", "x"], "score": [1, 2], "text": ["Yes.", "Yes."]})
    >>> own_year(made, Beside(), "first").sheet("main", "NoModels", ["sentences"]).y.tolist()
    [[[1.5]]]
    """
    if "text" not in panel.labels:
        raise InputError(f"{name}: no column 'text'.", suggest("text", panel.labels, "Other columns"))
    references, documents = beside.texts(set(map(str, panel.tasks)), name)
    models = {(t, w): text for t, some in references.items() for w, text in some.items()}
    peers: dict[tuple[str, str], str] = {}
    problems: list[tuple[int | None, str]] = []
    scores: dict[tuple[str, str], dict[str, float]] = {}
    for (task, who, _, _), text in zip(rows(panel), panel.labels["text"].values(), strict=True):
        scores[task, who] = dict.fromkeys(_criteria(panel), np.nan)  # sheets take the means of votes instead
        if (task, who) not in models and peers.setdefault((task, who), str(text or "")) != str(text or ""):
            problems.append((None, f"task {task}, {who}"))
    if problems:
        fact = "one system has two texts on one task"
        raise InputError(fact, "number the tasks, or name systems apart.", source=name, problems=problems[:10])
    notes = [f"{name}: no references, so no features of them"] if not models else []
    if (panel.count != 1).any():
        notes.append(f"{name}: a row that stands for several judges is taken as one")
    limits = (beside.limit,) if beside.limit is not None else ()
    judges: Mapping[str, str] = dict.fromkeys(map(str, panel.tasks), "?")
    about = (name, peers, models, documents, scores, judges, None, beside.stem, tuple(notes), limits)
    return OwnYear(*about, judged=panel)


def read_source(path: str | Path, beside: Beside, year: str | None = None) -> Year:
    """A year from NIST's folder, or from a table: the rows of ``year``, or the whole table."""
    if Path(path).is_dir():
        if beside.references or beside.documents or year:
            raise InputError(f"{path} is a folder.", "--references, --documents and --year go with tables.")
        return read_year(path, stem=beside.stem)
    panel = judgments(path)
    if year is None:
        return own_year(panel, beside, Path(path).stem)
    known = years_of(panel, path)
    if year not in known:
        raise InputError(f"{Path(path).name}: no year '{year}'.", suggest(year, known, "Years"))
    return own_year(panel.select(year=[known[year]]), beside, year)


def judgments(path: str | Path) -> Scores:
    """The judgments in a table."""
    panel = read(str(path))
    if not isinstance(panel, Scores):
        raise InputError(f"{Path(path).name}: {panel.kind}, not scores.", "columns judge, item, score and text.")
    return panel


def years_of(panel: Scores, path: str | Path) -> dict[str, Hashable]:
    """The years of a table, in order."""
    if "year" not in panel.labels:
        raise InputError(f"{Path(path).name}: no column 'year'.", "give a table for each year, or that column.")
    return {str(y): y for y in sorted(panel.labels["year"].ids, key=_in_time)}


def _in_time(year: Hashable) -> tuple[int, str]:
    """Round 9 is before round 10; what is no number stands behind, by name."""
    name = str(year)
    return (int(name), name) if name.isdecimal() else (2**63, name)


def two_years(first: str, second: str | None, beside: Beside, years: tuple[str, ...] = ()) -> tuple[Year, Year]:
    """The year to fit on and the year to choose on: two folders, two tables, or two years of one table."""
    if second is not None:
        if years:
            raise InputError("two files and --years.", "years are of one table.")
        called = [plain_name(p) if Path(p).is_dir() else Path(p).stem for p in (first, second)]
        if called[0] == called[1]:
            raise InputError(f"both years are called {called[0]}.", "two years, with names that tell them apart.")
        return _apart(read_source(first, beside), read_source(second, beside))
    if Path(first).is_dir():
        raise InputError("one folder.", "give the folders of two years; or a table with a column year.")
    names = years or tuple(years_of(judgments(first), first))[:2]
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"{Path(first).name}: two years are needed.", "--years FIRST,SECOND names them.")
    return _apart(read_source(first, beside, names[0]), read_source(first, beside, names[1]))


def _apart(first: Year, second: Year) -> tuple[Year, Year]:
    """Two years, if they are two: one chosen on what it was fitted on would be chosen for fitting too closely."""
    unseen(second.name, second.panel, first.seen, f"is in {first.name} too")
    return first, second


def default_target(year: Year) -> str:
    """The only criterion of a year; of NIST's, pyramid."""
    if len(year.criteria) > 1 and "pyramid" not in year.criteria:
        raise InputError(f"{year.name} has {len(year.criteria)} criteria.", f"--target: {', '.join(year.criteria)}.")
    return "pyramid" if "pyramid" in year.criteria else year.criteria[0]
