"""One year of a collection as NIST hands it out: summaries, models, documents, judges' scores and annotations.

Found below the year's folder by name: ``manual.peer*`` and ``manual.model*`` (scores), ``ROUGE/peers`` and
``ROUGE/models`` (texts), annotated peers below ``manual``, documents in folders called after their doc sets. What is
trained on is a sheet: features and scores of one part and population of the year. What a metric has seen is known by
its content, so that a copy of a training year under another name is found out.
"""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError, suggest
from quorate.formats.tac import SummaryId
from quorate.panel.kinds import Scores
from quorate.summaries.declarations import METRIC
from quorate.summaries.trained.features import chosen, measured
from quorate.summaries.trained.material import Material
from quorate.summaries.units.auto_pyramid import auto_pyramid
from quorate.summaries.units.gaps import AutoPyramid
from quorate.summaries.units.reading import WIDTHS, read_units

Array = NDArray[Any]
CRITERIA = ("pyramid", "responsiveness", "readability")  # of NIST's tables


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


YEARS = 3  # to fit on, to choose on, to test on
PARTS = {"main": "A", "update": "B"}
POPULATIONS = METRIC["population"].choices
JUDGED = ("task", "item", "system", "judge", "criterion", "score", "text")
TAG = re.compile(r"<[^>]*>")
SELECTED = re.compile(r"^(D\d+)[A-Z](-[A-Z])?$")  # D0901A-A holds the documents of D0901-A


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
    known: dict[str, list[list[str]]] = field(default_factory=dict, repr=False)  # tokens that features share
    kept: dict[str, dict[Any, Any]] = field(default_factory=dict, repr=False)  # and figures by text

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
        shared: dict[str, Any] = {"known": self.known, "kept": self.kept}
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


def read_year(folder: str | Path, *, stem: bool = True) -> Year:
    """A year from its folder."""
    base = Path(folder)
    if not base.is_dir():
        raise InputError(f"{base}: no such folder.", "give the folder of one year, as NIST hands it out.")
    several = [p.name for p in named_by_year(base)]
    if len(several) > 1:  # the test year might be among them
        raise InputError(f"{base}: the folders of {len(several)} years.", f"give one of them: {', '.join(several)}.")
    name = plain_name(base)
    scores: dict[tuple[str, str], dict[str, float]] = {}
    judges: dict[str, str] = {}
    tables = [p for kind in ("manual.peer", "manual.model") for p in sorted(base.rglob(f"{kind}*")) if _is_table(p)]
    if not tables:
        raise InputError(f"{base}: no manual.peer.", "NIST's tables of scores are called manual.peer, manual.model.")
    twice = dict.fromkeys(f"{name}: {said}" for path in tables for said in _read_scores(path, scores, judges))
    peers, lengths, skipped = _texts(base, "peers")
    models, _, more = _texts(base, "models")
    if not peers:
        raise InputError(f"{base}: no summaries.", "they are in ROUGE/peers, called as D0901-A.M.100.F.7.")
    folders = ((SELECTED.sub(r"\1\2", p.name), p) for p in sorted(base.rglob("D*")) if p.is_dir())
    documents = {task: p for task, p in folders if task in judges}
    inside = {t: tuple(_plain(f) for f in sorted(p.iterdir()) if f.is_file()) for t, p in documents.items()}
    annotated = next((p for p in sorted(base.rglob("peers")) if p.is_dir() and p.parent.name != "ROUGE"), None)
    notes = [*twice] if inside else [*twice, f"{name}: no documents, so no features of them"]
    if skipped or more:
        first = (*skipped, *more)[0]
        notes.append(f"{name}: left aside as no summaries by their names: {len(skipped) + len(more):,} files ({first})")
    return Year(*(name, peers, models, inside, scores, judges, annotated, stem, tuple(notes)), tuple(sorted(lengths)))


def plain_name(folder: str | Path) -> str:
    """What a folder is called, also where it is given as ``.`` or ``..``: a year is known by its name.

    >>> plain_name("tac/2010/ROUGE/..")
    '2010'
    """
    return os.path.basename(os.path.abspath(folder))


def year_folders(folder: str | Path) -> list[Path]:
    """The folders of years below a folder, in order."""
    found = named_by_year(folder)
    if len(found) < YEARS:
        raise InputError(f"{folder}: {len(found)} years.", "three folders called by year: 2009, 2010, 2011.")
    return found


def named_by_year(folder: str | Path) -> list[Path]:
    """Folders called 2009, 2010, ... in a folder."""
    return sorted(p for p in Path(folder).iterdir() if p.is_dir() and re.fullmatch(r"(19|20)\d\d", p.name))


def _is_table(path: Path) -> bool:
    return path.is_file() and not path.name.endswith(".avg")


def _read_scores(path: Path, scores: dict[tuple[str, str], dict[str, float]], judges: dict[str, str]) -> Iterator[str]:
    """Put the scores of a table with the others; a task's second judge is told, since a year knows one of each."""
    for number, line in enumerate(_read(path).splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        try:
            place = WIDTHS[len(fields)]
            wanted = [n for n in (*CRITERIA, "pyramid_jackknife") if n in place]
            found = {n: float(fields[place[n]]) for n in wanted}
        except (KeyError, ValueError):
            fact = "a line that fits no table of NIST's"
            raise InputError(fact, source=path.name, problems=[(number, line[:60])]) from None
        scores[fields[0], fields[1]] = found
        judge = fields[place["judge"]]
        if judges.setdefault(fields[0], judge) != judge:
            yield f"task {fields[0]} has judges {judges[fields[0]]} and {judge}: the first is taken for its judge"


def _texts(base: Path, kind: str) -> tuple[dict[tuple[str, str], str], set[int], list[str]]:
    """Summaries by task and who wrote them, how many words they may have, and files that are none by their names."""
    out, lengths, skipped = {}, set(), []
    for folder in sorted(base.rglob(kind)):
        if folder.parent.name == "ROUGE" and folder.is_dir():
            for path in sorted(p for p in folder.iterdir() if p.is_file()):
                try:
                    name = SummaryId.parse(path.name)
                except InputError:
                    skipped.append(path.name)
                    continue
                out[name.task, name.summarizer] = _read(path).strip("\n")
                lengths.add(name.length)
    return out, lengths, skipped


def _plain(path: Path) -> str:
    return TAG.sub(" ", _read(path))


def _read(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


LENGTH = 16  # of a mark, in hexadecimal digits
Row = tuple[str, str]  # text and score


def marks(panel: Scores) -> list[str]:
    """A mark for all the judgments and one for each task with two or more texts, sorted.

    A task of a single text has none: two years may well both hold "Yes." with the score 1.

    >>> raw = {"task": [1, 1, 2], "judge": ["a"] * 3, "item": ["x", "y", "x"], "score": [1, 2, 1]}
    >>> one = Scores.build({**raw, "text": ["Yes.", "No.", "Yes."]})
    >>> other = Scores.build({**raw, "task": ["new", "new", "more"], "text": ["Yes.", "No.", "Perhaps."]})
    >>> len(marks(one)), len({*marks(one)} & {*marks(other)})
    (2, 1)
    """
    tasks: dict[int, list[Row]] = {}
    for task, row in zip(panel.task.codes.tolist(), _rows(panel), strict=True):
        tasks.setdefault(task, []).append(row)
    several = {_mark(rows) for rows in tasks.values() if len({text for text, _ in rows}) > 1}
    return sorted(several | {_mark(_rows(panel))})


def _rows(panel: Scores) -> list[Row]:
    texts = (" ".join(str(text or "").split()) for text in panel.labels["text"].values())
    return list(zip(texts, map(repr, panel.value.tolist()), strict=True))


def _mark(rows: Iterable[Row]) -> str:
    told = "\n\n".join(f"{text}\n{score}" for text, score in sorted(rows))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def unseen(year: Year, seen: Sequence[str], what: str) -> None:
    """Nothing if the year is new; an error that says how much of it is in ``what`` already."""
    again = set(marks(year.panel)) & set(seen)
    if again:
        number = "1 task" if len(again) == 1 else f"{len(again)} tasks"
        much = "all of it" if _mark(_rows(year.panel)) in again else f"{number} of it"
        hint = "a metric is tested on a year it has not seen, nor chosen on the year it was fitted on."
        raise InputError(f"{year.name}: {much} {what}, by the texts and scores.", hint)
