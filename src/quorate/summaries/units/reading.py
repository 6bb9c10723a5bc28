"""Tables of content units from files: annotated peers of DUCView, long tables, REALSumm; and who judged which task."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.ducview import OUTSIDE, Contributor, Peer, Pyramid, Scu, read_peer, read_pyramid, said, sort_of
from quorate.formats.ducview_places import IDENTIFIER
from quorate.formats.files import File, PathLike
from quorate.formats.table_records import TABLES, needed, read_columns
from quorate.formats.tac import SCHEMAS, SummaryId
from quorate.panel.base import ONE_TASK, listed
from quorate.summaries.units.model import ONE_JUDGE, ContentUnits, Item, ModelsText, Span, Unit

REALSUMM = "scu_judgements.csv"
ANSWERS = {"p": "yes", "n": "no"}  # of its workers: present, not present
Judges = Mapping[Any, Hashable] | Callable[[Peer], Hashable] | None  # by task or (task, item), or from the peer


def read_units(
    *paths: PathLike,
    judges: Judges = None,
    header: str | None = None,
    rename: Mapping[str, str] | None = None,
    texts: PathLike | None = None,
    encoding: str | None = None,
) -> ContentUnits:
    """The table in ``.pan`` files, folders of them, pyramids alone, or long tables (csv, tsv, jsonl); all of one sort.

    ``texts`` is a table ``task, item, text`` that goes with long tables, ``encoding`` that of tables. A folder of
    REALSumm is known by its files.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "units.csv")
    >>> _ = path.write_text("unit,item,support\\na,x,full\\nb,x,none\\n")
    >>> read_units(path)
    <ContentUnits: 2 units, 1 item, 1 judge, 1 task, 2 rows>
    """
    if len(paths) == 1 and (Path(paths[0]) / REALSUMM).is_file():
        return read_realsumm(paths[0])
    files = [f for p in paths for f in annotated_in(Path(p))]
    tables = [f for f in files if File(f).extension in TABLES]
    if not tables and all(sort_of(f) == "pyr" for f in files):
        return pyramids_of(files, header)
    if not tables:
        found = peers_of(files, header, judges)
        return replace(found, notes=(*found.notes, *_strays(paths, files)))
    if len(tables) < len(files):
        raise InputError("tables and annotated peers cannot be read together.", "read one sort at a time.")
    items, models = read_item_texts(texts, encoding) if texts else ({}, {})
    return ContentUnits.build(*read_columns(tables, rename or {}, encoding), texts=items).about(texts=models)


def pyramids_of(files: Sequence[Path], header: str | None) -> ContentUnits:
    """Pyramids alone: their units and models, and nobody who has looked for them in an item."""
    pyramids = [(File(f).stem, read_pyramid(f, header=header)) for f in files]
    found = from_peers(Peer(p, "", (), name, {}, p.notes) for name, p in pyramids)
    said = "pyramids without an annotated peer: their models are scored, each against the pyramid of the others"
    units = ContentUnits.nothing(found.units, found.models)
    return replace(units, notes=(said, *found.notes), models_texts=found.models_texts)


def peers_of(files: Sequence[Path], header: str | None, judges: Judges) -> ContentUnits:
    """Annotated peers. Where files of one name are in several folders, a folder is a judge."""
    peers = (read_peer(f, header=header) for f in files)
    if len({File(f).base for f in files}) == len(files):
        return from_peers(peers, judges)
    folder = iter(folders(files))
    told = "" if judges is None else ", whatever the list of judges says"
    note = f"files of one name are in several folders: a folder is a judge{told}"
    found = from_peers(peers, lambda _: next(folder))
    return replace(found, notes=(note, *found.notes))


def folders(paths: Sequence[PathLike]) -> list[str]:
    """What tells the folders of files apart: their paths without what all of them begin and end with.

    >>> folders(["north/peers/a.pan", "south/peers/a.pan"])
    ['north', 'south']
    """
    parents = [Path(p).parent.parts for p in paths]
    if len(set(parents)) == 1:
        return [parents[0][-1] if parents[0] else "here"] * len(parents)
    first = min(map(len, parents))
    head = next((k for k in range(first) if len({p[k] for p in parents}) > 1), first)
    tail = next((k for k in range(first - head) if len({p[-1 - k] for p in parents}) > 1), first - head)
    return ["/".join(p[head : len(p) - tail]) or "here" for p in parents]


def read_item_texts(path: PathLike, encoding: str | None = None) -> tuple[dict[Any, str], dict[Hashable, ModelsText]]:
    """Texts of items by (task, item), and of all models by task (rows without an item); no task is one for all."""
    columns, source = read_columns([path], {}, encoding)
    needed(source.name, columns, "item", "text")
    items: dict[Any, str] = {}
    models: dict[Hashable, ModelsText] = {}
    many = len(columns["text"])
    rows = zip(*(columns.get(n, [None] * many) for n in ("task", "item", "text", "header")), strict=True)
    for row, (task, item, text, header) in enumerate(rows):
        said = text or ""
        if item in (None, ""):
            found = ModelsText(said, header or "")
            same = models.setdefault(task if task not in (None, "") else ONE_TASK, found) == found
        else:
            same = items.setdefault(item if task in (None, "") else (task, item), said) == said
        if not same:
            who = f"item {item}" if item not in (None, "") else "the models"
            what = f"{who}{f' of task {task}' if task not in (None, '') else ''}"
            raise source.error("a second text", np.array([row]), [what], "one text an item; of all models in one.")
    return items, models


def annotated_in(path: Path) -> list[Path]:
    """A file, or every annotated peer below a folder, or else every pyramid; score tables are passed."""
    if not path.is_dir():
        return [path]
    found = found_in(path, "pan") or found_in(path, "pyr")
    if not found:
        raise InputError(f"{path}: no annotated peers in this folder.", "they end in .pan, or have no extension.")
    return found


def _strays(paths: Sequence[PathLike], files: Sequence[Path]) -> tuple[str, ...]:
    """What lies among the annotated peers of a folder, is called like one, and is none: cut off, or another file."""
    inside = sorted({f.parent for f in files if f not in map(Path, paths)})
    beside = [p for folder in inside for p in sorted(folder.iterdir()) if p.is_file() and identifier(p.name)]
    strays = [p.name for p in beside if p not in set(files)]
    return (f"left aside, no annotated peers: {listed(strays)}",) if strays else ()


def found_in(folder: Path, sort: str) -> list[Path]:
    """DUCView's files below a folder, of a sort (``pan``, ``pyr``): by extension, or without one by what is in them."""
    inside = sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))
    bare = (p for p in inside if identifier(p.name) or "." not in p.name or p.suffix == ".xml")
    return sorted({*(p for p in inside if p.suffix == f".{sort}"), *(p for p in bare if sort_of(p) == sort)})


def read_realsumm(folder: PathLike) -> ContentUnits:
    """REALSumm's judgments: 100 documents are tasks, 25 systems items, the unnamed workers judges 1 to 4.

    ``scu_judgements.csv`` and ``SCUs_list.csv`` are in the folder. The number of a worker is only a place in a batch,
    so judge 1 of two documents need not be the same person.
    """
    base = Path(folder)
    listed, _ = read_columns([base / "SCUs_list.csv"], {})
    words = dict(zip(zip(listed["eventId"], listed["questionId"], strict=True), listed["questionText"], strict=True))
    raw, source = read_columns([base / REALSUMM], {})
    task, unit = raw["event_id"], raw["question_id"]
    return ContentUnits.build(
        {
            "task": task,
            # A unit that happens to have the number 0 is not what fits no unit.
            "unit": [f"q{u}" for u in unit],
            "item": raw["file_system"],
            "judge": raw["assessor_row"],
            "support": [ANSWERS.get(a, a) for a in raw["answer"]],
            "text": [words.get(pair, "") for pair in zip(task, unit, strict=True)],
        },
        source,
    )


WIDTHS = {len(s.fields): {n: k for k, n in enumerate(s.fields)} for s in SCHEMAS}


def read_judges(path: PathLike) -> dict[Any, str]:
    """Who judged what, from a table of NIST's (``manual.peer``, ``manual.model``) or lines of task[, item], judge.

    Keys are (task, item), or the task where a line has only task and judge.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "judges")
    >>> _ = path.write_text("D1, K\\nD2, 7, L\\n")
    >>> read_judges(path)
    {'D1': 'K', ('D2', '7'): 'L'}
    """
    out: dict[Any, str] = {}
    with File(path).text() as stream:
        for number, line in enumerate(stream, 1):
            fields = line.replace(",", " ").split()
            if fields in ([], ["task", "judge"], ["task", "item", "judge"]):
                continue
            key: Any
            if len(fields) in WIDTHS:
                key, judge = (fields[0], fields[1]), fields[WIDTHS[len(fields)]["judge"]]
            elif len(fields) in (2, 3):
                key, judge = fields[0] if len(fields) == 2 else (fields[0], fields[1]), fields[-1]
            else:
                raise InputError(
                    f"{len(fields)} fields",
                    f"{', '.join(map(str, WIDTHS))} fields as NIST has them, or: task, item, judge.",
                    source=File(path).name,
                    problems=[(number, line.strip()[:60])],
                )
            if out.setdefault(key, judge) != judge:
                raise InputError(
                    f"the judge was {out[key]} before",
                    "one judge for a task, or for an item of it.",
                    source=File(path).name,
                    problems=[(number, line.strip()[:60])],
                )
    return out


# -- annotated peers: tasks, items and judges from names, units from pyramids ------------------------------------------


def from_peers(peers: Iterable[Peer], judges: Judges = None) -> ContentUnits:
    """The table of annotated peers. A unit weighs its contributors.

    Task and item are in a peer's name (``D9901-A.M.100.K.7``). The judge is looked up in ``judges`` by (task, item) or
    task, or asked of it; without it the name's selector is taken, which is usually right. Peers of a task whose uids
    differ are matched by label; a task annotated against two pyramids becomes two tasks.
    """
    made = _Making()
    notes: dict[str, list[str]] = {}
    for peer in peers:
        made.add(peer, judges)
        for note in peer.notes:
            notes.setdefault(note, []).append(peer.name)
    if not made.items:
        raise InputError("no annotated peers.", "give .pan files, or a folder of them.")
    told = [f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {n}" for n, names in notes.items()]
    return made.done([*told, *made.notes])


@dataclass
class _Task:
    """A pyramid's place in the table being made."""

    name: Hashable
    first: Pyramid
    numbers: dict[str, int]  # unit by uid
    labels: dict[tuple[str, int], int]  # unit by bare label and which one of that label it is
    signature: Any


class _Making:
    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.items: dict[tuple[Hashable, Hashable], int] = {}
        self.texts: list[str] = []
        self.judges: dict[Hashable, int] = {}
        self.models: dict[Hashable, tuple[str, ...]] = {}
        self.models_texts: dict[Hashable, ModelsText] = {}
        self.rows: list[tuple[int, int, int, float]] = []
        self.spans: list[tuple[Span, ...]] = []
        self.tasks: dict[str, list[_Task]] = {}
        self.notes: list[str] = []
        self._seen: set[tuple[Hashable, Hashable, Hashable]] = set()

    def add(self, peer: Peer, judges: Judges) -> None:
        found = identifier(peer.name)
        name, item = (found.task, found.summarizer) if found else (topic(peer.pyramid.text) or ONE_TASK, peer.name)
        task = self._task(name, peer)
        judge: Hashable
        if callable(judges):
            judge = judges(peer)
        else:
            fallback = found.selector if found else ONE_JUDGE
            judge = (judges or {}).get((name, item), (judges or {}).get(name, fallback))
        if (task.name, item, judge) in self._seen:
            raise InputError(
                f"{peer.name}: judge {judge} has annotated item {item} of task {name} twice.",
                "read one of them, or put each judge's files into a folder of their own.",
            )
        self._seen.add((task.name, item, judge))
        number = self.items.setdefault((task.name, item), len(self.items))
        if number == len(self.texts):
            self.texts.append(peer.text)
        elif self.texts[number] != peer.text:
            self._note(f"{peer.name}: its text is not the same for all judges; the first is shown")
        who = self.judges.setdefault(judge, len(self.judges))
        listed = {scu.uid for scu in peer.scus} | {OUTSIDE}
        for scu in (*peer.scus, *(Scu(s.uid, s.label) for s in peer.pyramid.scus if s.uid not in listed)):
            self._mentions(scu, self._unit(task, scu, peer), number, who, peer.text)
        if not peer.scus and not peer.pyramid.scus:  # looked through all the same
            self.rows.append((task.numbers[OUTSIDE], number, who, 0.0))
            self.spans.append(())

    def _task(self, name: str, peer: Peer) -> _Task:
        known = self.tasks.setdefault(name, [])
        for task in known:
            if task.first is peer.pyramid or task.first == peer.pyramid:
                return task
        signature = sorted((s.bare, len(s.contributors)) for s in peer.pyramid.scus)
        for task in known:
            if task.signature == signature:
                self._note(f"{name}: uids differ between files and are matched by label")
                return _Task(task.name, peer.pyramid, self._aligned(task, peer.pyramid), task.labels, signature)
        called: Hashable = name if not known else f"{name} ({len(known) + 1})"
        if known:
            self._note(f"{name}: annotated against {len(known) + 1} pyramids, which are kept apart as tasks")
        task = self._new(called, peer.pyramid, signature)
        known.append(task)
        return task

    def _aligned(self, task: _Task, pyramid: Pyramid) -> dict[str, int]:
        found = {s.uid: task.labels[key] for s, key in zip(pyramid.scus, _by_label(pyramid), strict=True)}
        return {**found, OUTSIDE: task.numbers[OUTSIDE]}

    def _new(self, name: Hashable, pyramid: Pyramid, signature: Any) -> _Task:
        numbers, labels = {}, {}
        for s, key in zip(pyramid.scus, _by_label(pyramid), strict=True):
            numbers[s.uid] = labels[key] = len(self.units)
            self.units.append(contributed(name, s, pyramid))
        numbers[OUTSIDE] = len(self.units)
        self.units.append(Unit(name, OUTSIDE, "", 0.0))
        self.models[name] = pyramid.models
        self.models_texts[name] = ModelsText(pyramid.text, pyramid.header)
        return _Task(name, pyramid, numbers, labels, signature)

    def _unit(self, task: _Task, scu: Scu, peer: Peer) -> int:
        if scu.uid not in task.numbers:  # not in its own pyramid: it weighs nothing
            task.numbers[scu.uid] = len(self.units)
            self.units.append(Unit(task.name, scu.uid, scu.bare, 0.0))
        return task.numbers[scu.uid]

    def _mentions(self, scu: Scu, unit: int, item: int, judge: int, text: str) -> None:
        for contributor in scu.contributors:
            self.rows.append((unit, item, judge, 1.0))
            self.spans.append(_spans(contributor, text))
        if not scu.contributors and scu.uid != OUTSIDE:
            self.rows.append((unit, item, judge, 0.0))
            self.spans.append(())

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def done(self, notes: Sequence[str]) -> ContentUnits:
        items = tuple(Item(t, i, text) for (t, i), text in zip(self.items, self.texts, strict=True))
        models = {t: m for t, m in self.models.items() if m}
        none = np.zeros(0, np.int64)
        empty = (none, none, none, np.zeros(0), ())
        about = ContentUnits(tuple(self.units), items, tuple(self.judges), *empty, models, tuple(notes))
        return about.with_rows(self.rows, self.spans).about(texts=self.models_texts)


def contributed(task: Hashable, scu: Scu, pyramid: Pyramid) -> Unit:
    """A unit of a pyramid, with which models say it and how."""
    models = tuple(pyramid.model(c) for c in scu.contributors)
    how = tuple(_spans(c, pyramid.text) for c in scu.contributors)
    return Unit(task, scu.uid, scu.label, float(len(models)), models, how)


def _by_label(pyramid: Pyramid) -> list[tuple[str, int]]:
    """Each unit's label, and how many of the same label are before it."""
    seen: dict[str, int] = {}
    out = []
    for s in pyramid.scus:
        out.append((s.bare, seen.get(s.bare, 0)))
        seen[s.bare] = seen.get(s.bare, 0) + 1
    return out


def _spans(contributor: Contributor, text: str) -> tuple[Span, ...]:
    out = []
    for p in contributor.parts:
        words = said(p, text)
        out.append(Span(words, p.start, p.end, None if words == p.label else p.label))
    return tuple(out)


def identifier(name: str) -> SummaryId | None:
    """What the name of a file says, if it is one of TAC's."""
    try:
        return SummaryId.parse(name)
    except InputError:
        return None


def topic(models: str) -> str | None:
    """What the headers in the text of a pyramid's models say the task is."""
    found = IDENTIFIER.search(models)
    return found.group().split(".")[0] if found else None
