"""A year of one's own: judgments in a long table, with the texts, instead of folders as NIST hands them out.

Columns ``judge, item, score`` and ``text``; ``task``, ``system``, ``criterion`` and ``year`` if there are several. The
texts to compare with (references) and the documents are tables of their own. Several judges may score one text: what a
metric is trained on is their mean, and a judge left out takes away only his scores.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from quorate.errors import InputError, suggest
from quorate.formats import read
from quorate.formats.table_records import read_texts
from quorate.panel.kinds import Scores
from quorate.summaries.trained.campaign import plain_name
from quorate.summaries.trained.overlap import unseen
from quorate.summaries.trained.year import Sheet, Year, mean_vote, read_year

ONE = "score"  # the criterion of a table without that column


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
        labels = self.panel.labels
        return tuple(map(str, labels["criterion"].ids)) if "criterion" in labels else (ONE,)

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
        scores[task, who] = {}
        if (task, who) not in models and peers.setdefault((task, who), str(text or "")) != str(text or ""):
            problems.append((None, f"task {task}, {who}"))
    if problems:
        fact = "one system has two texts on one task"
        raise InputError(fact, "number the tasks, or name systems apart.", source=name, problems=problems[:10])
    criteria = tuple(map(str, panel.labels["criterion"].ids)) if "criterion" in panel.labels else (ONE,)
    for found in scores.values():
        found.update(dict.fromkeys(criteria, np.nan))  # sheets take the means of votes instead
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
