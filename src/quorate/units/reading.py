"""Tables of content units from files: annotated peers of DUCView, long tables, REALSumm; and who judged which task."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quorate.columns import Source
from quorate.errors import InputError
from quorate.formats.delimited import fitting
from quorate.formats.ducview import IDENTIFIER, OUTSIDE, Contributor, Peer, Pyramid, Scu, read_peer, said
from quorate.formats.files import File, PathLike
from quorate.formats.names import understood
from quorate.formats.tac import SCHEMAS, SummaryId
from quorate.panel import ONE_TASK
from quorate.units.model import ONE_JUDGE, ContentUnits, Item, ModelsText, Span, Unit

REALSUMM = "scu_judgements.csv"
TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson")


Judges = Mapping[Any, Hashable] | Callable[[Peer], Hashable] | None  # by task or (task, item), or from the peer


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
        found = _identifier(peer.name)
        name, item = (found.task, found.summarizer) if found else (_topic(peer), peer.name)
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
                "read one of them, or tell the judges apart.",
            )
        self._seen.add((task.name, item, judge))
        number = self.items.setdefault((task.name, item), len(self.items))
        if number == len(self.texts):
            self.texts.append(peer.text)
        who = self.judges.setdefault(judge, len(self.judges))
        for scu in peer.scus:
            self._mentions(scu, self._unit(task, scu, peer), number, who, peer.text)

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


def _identifier(name: str) -> SummaryId | None:
    try:
        return SummaryId.parse(name)
    except InputError:
        return None


def _topic(peer: Peer) -> str:
    """What the models' headers say the task is; else all peers are of one task."""
    found = IDENTIFIER.search(peer.pyramid.text)
    return found.group().split(".")[0] if found else "all"


# -- files -------------------------------------------------------------------------------------------------------------


def read_units(
    *paths: PathLike,
    judges: Judges = None,
    header: str | None = None,
    rename: Mapping[str, str] | None = None,
    texts: PathLike | None = None,
) -> ContentUnits:
    """The table in ``.pan`` files, folders of them, or long tables (csv, tsv, jsonl); all of one sort.

    ``texts`` is a table ``task, item, text`` that goes with long tables. A folder of REALSumm is known by its files.
    """
    if len(paths) == 1 and (Path(paths[0]) / REALSUMM).is_file():
        return read_realsumm(paths[0])
    files = [f for p in paths for f in _files(Path(p))]
    tables = [f for f in files if File(f).extension in TABLES]
    if not tables:
        return from_peers((read_peer(f, header=header) for f in files), judges)
    if len(tables) < len(files):
        raise InputError("tables and annotated peers cannot be read together.", "read one sort at a time.")
    items, models = read_item_texts(texts) if texts else ({}, {})
    return ContentUnits.build(*read_columns(tables, rename or {}), texts=items).about(texts=models)


def read_item_texts(path: PathLike) -> tuple[dict[Any, str], dict[Hashable, ModelsText]]:
    """Texts of items by (task, item), and of all models by task (rows without an item); no task is one for all."""
    columns, source = read_columns([path], {})
    for name in ("item", "text"):
        if name not in columns:
            raise InputError(f"{source.name}: no column '{name}'.", "its columns are task, item, text.")
    items: dict[Any, str] = {}
    models: dict[Hashable, ModelsText] = {}
    many = len(columns["text"])
    rows = zip(*(columns.get(n, [None] * many) for n in ("task", "item", "text", "header")), strict=True)
    for task, item, text, header in rows:
        if item in (None, ""):
            models[task if task not in (None, "") else ONE_TASK] = ModelsText(text or "", header or "")
        else:
            items[item if task in (None, "") else (task, item)] = text or ""
    return items, models


def _files(path: Path) -> list[Path]:
    """A file, or every annotated peer below a folder: NIST's have no extension, so .pyr and score tables are passed."""
    if not path.is_dir():
        return [path]
    inside = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
    found = [p for p in inside if p.suffix == ".pan"] or [p for p in inside if _identifier(p.name) and _is_peer(p)]
    if not found:
        raise InputError(f"{path}: no annotated peers in this folder.", "they end in .pan, or are called as in TAC.")
    return found


def _is_peer(path: Path) -> bool:
    with path.open("rb") as stream:
        return b"<peerAnnotation" in stream.read(4096)


def read_columns(paths: Sequence[PathLike], rename: Mapping[str, str]) -> tuple[dict[str, list[Any]], Source]:
    """The columns of csv, tsv or jsonl files, one below the other, and the line of each row."""
    columns: dict[str, list[Any]] = {}
    lines: list[int] = []
    for path in paths:
        file = File(path)
        with file.text(newline="") as stream:
            rows = list(_json(stream, file.name) if "json" in file.extension else _csv(stream))
        heads = list(dict.fromkeys(k for _, row in rows for k in row))
        names = dict(zip(heads, understood(file.name, heads, rename), strict=True))
        for head, name in names.items():
            filled = columns.setdefault(name, [None] * len(lines))
            filled += [row.get(head) for _, row in rows]
        lines += [line for line, _ in rows]
        for column in columns.values():
            column += [None] * (len(lines) - len(column))
    name = File(paths[0]).name if len(paths) == 1 else "tables"
    return columns, Source(name, np.array(lines, np.int64) if len(paths) == 1 else None)


def _csv(stream: Any) -> Iterable[tuple[int, dict[str, Any]]]:
    text = stream.read()
    reader = csv.DictReader(text.splitlines(keepends=True), delimiter=fitting(text.partition("\n")[0]))
    for row in reader:
        row.pop(None, None)
        yield reader.line_num, row


def _json(stream: Any, where: str) -> Iterable[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(stream, 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                raise InputError("not JSON Lines", source=where, problems=[(number, "not an object")])
            yield number, row


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
            "support": ["yes" if a == "p" else "no" for a in raw["answer"]],
            "text": [words.get(pair, "") for pair in zip(task, unit, strict=True)],
        },
        source,
    )


WIDTHS = {len(s.fields): {n: k for k, n in enumerate(s.fields)} for s in SCHEMAS}


def read_judges(path: PathLike) -> dict[Any, str]:
    """Who judged what, from a table of NIST's (``manual.peer``, ``manual.model``) or lines of task[, item], judge.

    Keys are (task, item), or the task where a line has only task and judge.
    """
    out: dict[Any, str] = {}
    with File(path).text() as stream:
        for number, line in enumerate(stream, 1):
            fields = line.replace(",", " ").split()
            if fields in ([], ["task", "judge"], ["task", "item", "judge"]):
                continue
            if len(fields) in WIDTHS:
                out[fields[0], fields[1]] = fields[WIDTHS[len(fields)]["judge"]]
            elif len(fields) in (2, 3):
                out[fields[0] if len(fields) == 2 else (fields[0], fields[1])] = fields[-1]
            else:
                raise InputError(
                    f"{len(fields)} fields",
                    f"{', '.join(map(str, WIDTHS))} fields as NIST has them, or: task, item, judge.",
                    source=File(path).name,
                    problems=[(number, line.strip()[:60])],
                )
    return out
