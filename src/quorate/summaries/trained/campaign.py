"""A campaign's folder as NIST's archives unpack: found by name, read, and an intake list of what became of each file.

A year is a folder called by it (``2010``), or an archive's own (``UpdateSumm09_eval``, ``GuidedSumm2010_eval``) with
that of its documents beside it (``TAC2010_Summarization_Documents``, ``GuidedSumm10_test_docs_files``). Below it are,
by name: ``manual.peer*`` and ``manual.model*`` (scores), ``ROUGE/peers`` and ``ROUGE/models`` (texts), annotated peers
below ``manual``, documents in folders called after their doc sets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quorate.document.blocks import Block, Table, Text, columns
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.formats.ducview import read_peer, sort_of
from quorate.formats.tac import SummaryId
from quorate.panel.base import many
from quorate.summaries.units.reading import WIDTHS, identifier

CRITERIA = ("pyramid", "responsiveness", "readability")  # of NIST's tables
YEARS = 3  # to fit on, to choose on, to test on
YEAR = re.compile(r"(?:19|20)\d\d")
ARCHIVE = re.compile(r"(?:Update|Guided)Summ(?:20)?(\d\d)_(eval|test_docs_files)|TAC20(\d\d)_Summarization_(Documents)")
DEEP = 3  # folders below the one given in which archives are looked for
TAG = re.compile(r"<[^>]*>")
SELECTED = re.compile(r"^(D\d+)[A-Z](-[A-Z])?$")  # D0901A-A holds the documents of D0901-A
Key = tuple[str, str]  # a task, and who wrote the summary


@dataclass(frozen=True)
class Campaign:
    """The folders of one year."""

    name: str
    folders: tuple[Path, ...]

    def files(self) -> list[Path]:
        """Every file below them."""
        return sorted(p for f in self.folders for p in f.rglob("*") if p.is_file())


def campaigns(folder: str | Path) -> list[Campaign]:
    """The years below a folder, in order: folders called by year, or NIST's archives as they unpack."""
    base = Path(folder)
    by_year = sorted(p for p in base.iterdir() if p.is_dir() and YEAR.fullmatch(p.name))
    if by_year:
        return [Campaign(p.name, (p,)) for p in by_year]
    found: dict[str, dict[str, list[Path]]] = {}
    for path in _folders(base, DEEP):
        told = ARCHIVE.fullmatch(path.name)
        if told and not any(ARCHIVE.fullmatch(p.name) for p in path.relative_to(base).parents):
            year, kind = f"20{told[1] or told[3]}", "eval" if told[2] == "eval" else "documents"
            found.setdefault(year, {}).setdefault(kind, []).append(path)
    for year, kinds in sorted(found.items()):
        if len(kinds.get("eval", ())) > 1:
            names = " and ".join(str(p.relative_to(base)) for p in kinds["eval"][:2])
            raise InputError(f"{base}: {year} is there more than once: {names}.", "leave one of them.")
    return [
        Campaign(year, (*kinds["eval"], *kinds.get("documents", ())))
        for year, kinds in sorted(found.items())
        if "eval" in kinds
    ]


def _folders(base: Path, deep: int) -> Iterator[Path]:
    for path in sorted(p for p in base.iterdir() if p.is_dir() and not p.name.startswith((".", "__MACOSX"))):
        yield path
        if deep > 1:
            yield from _folders(path, deep - 1)


def three_years(folder: str | Path) -> list[Campaign]:
    """The last three years below a folder: to fit on, to choose on, to test on."""
    found = campaigns(folder)
    if len(found) < YEARS:
        hint = "three folders called by year (2009), or as NIST's archives unpack (UpdateSumm09_eval)."
        raise InputError(f"{folder}: {len(found)} years.", hint)
    return found[-YEARS:]


def campaign(folder: str | Path) -> Campaign:
    """The one year that a folder is, or holds as an archive."""
    base = Path(folder)
    if not base.is_dir():
        raise InputError(f"{base}: no such folder.", "give the folder of one year, as NIST hands it out.")
    several = campaigns(base)
    if len(several) > 1:  # the test year might be among them
        names = ", ".join(c.name for c in several)
        raise InputError(f"{base}: the folders of {len(several)} years.", f"give one of them: {names}.")
    told = ARCHIVE.fullmatch(plain_name(base))
    beside = campaigns(Path(os.path.abspath(base)).parent) if told and told[2] == "eval" else []
    return next((c for c in beside if c.folders[0].samefile(base)), Campaign(plain_name(base), (base,)))


def plain_name(folder: str | Path) -> str:
    """What a folder is called, also where it is given as ``.`` or ``..``: a year is known by its name.

    >>> plain_name("tac/2010/ROUGE/..")
    '2010'
    """
    return os.path.basename(os.path.abspath(folder))


# -- reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Collected:
    """What was read of a year; ``used`` and ``lost`` say of files what they were taken for, and why they were not."""

    peers: Mapping[Key, str]
    models: Mapping[Key, str]
    documents: Mapping[str, tuple[str, ...]]
    scores: Mapping[Key, Mapping[str, float]]
    judges: Mapping[str, str]  # by task
    annotated: Path | None
    limits: tuple[int, ...]  # words that summaries may have
    notes: tuple[str, ...]
    used: Mapping[Path, str]
    lost: Mapping[Path, str]


def collect(given: Campaign) -> Collected:
    """The tables, texts and documents of a year."""
    scores: dict[Key, dict[str, float]] = {}
    judges: dict[str, str] = {}
    used: dict[Path, str] = {}
    lost: dict[Path, str] = {}
    texts: dict[str, dict[Key, str]] = {"peers": {}, "models": {}}
    lengths: set[int] = set()
    notes: dict[str, None] = {}
    files = given.files()
    where = given.folders[0]
    for path in files:
        if path.name.startswith(("manual.peer", "manual.model")):
            if path.name.endswith(".avg"):
                lost[path] = "averages of the tables"
                continue
            if not _read(path).strip():
                lost[path] = f"{path.name} is empty"
                notes[f"{given.name}: {lost[path]}"] = None
                continue
            notes |= dict.fromkeys(f"{given.name}: {said}" for said in _read_scores(path, scores, judges))
            used[path] = "tables"
    if "tables" not in used.values():
        raise InputError(f"{where}: no manual.peer.", "NIST's tables of scores are called manual.peer, manual.model.")
    for path in files:
        kind = path.parent.name
        if path.parent.parent.name != "ROUGE" or kind not in texts:
            continue
        try:
            name = SummaryId.parse(path.name)
        except InputError:
            lost[path] = "no summary by its name"
            continue
        texts[kind][name.task, name.summarizer] = _read(path).strip("\n")
        lengths |= {name.length} if kind == "peers" else set()
        used[path] = kind
    if not texts["peers"]:
        raise InputError(f"{where}: no summaries.", "they are in ROUGE/peers, called as D0901-A.M.100.F.7.")
    documents: dict[str, tuple[str, ...]] = {}
    for path in files:
        task = SELECTED.sub(r"\1\2", path.parent.name)
        if task in judges and path not in used and not sort_of_peer(path):
            documents[task] = (*documents.get(task, ()), TAG.sub(" ", _read(path)))
            used[path] = "documents"
    skipped = [p.name for p, why in lost.items() if why == "no summary by its name"]
    said = [*notes] if documents else [*notes, f"{given.name}: no documents, so no features of them"]
    if skipped:
        said.append(f"{given.name}: left aside as no summaries by their names: {len(skipped):,} files ({skipped[0]})")
    kept = (texts["peers"], texts["models"], documents, scores, judges, _annotated(given))
    return Collected(*kept, tuple(sorted(lengths)), tuple(said), used, lost)


def sort_of_peer(path: Path) -> bool:
    """Whether a file is one of DUCView's, told by its name first: few of thousands are looked into."""
    return path.suffix in (".pan", ".pyr") or (identifier(path.name) is not None and sort_of(path) != "")


def _annotated(given: Campaign) -> Path | None:
    """The folder of annotated peers: ``manual/peers``, or else one called so with such files; not those of texts."""
    found = sorted(p for f in given.folders for p in f.rglob("peers") if p.is_dir() and p.parent.name != "ROUGE")
    found.sort(key=lambda p: p.parent.name != "manual")
    return next((p for p in found if any(sort_of_peer(f) for f in p.rglob("*") if f.is_file())), None)


def _read_scores(path: Path, scores: dict[Key, dict[str, float]], judges: dict[str, str]) -> Iterator[str]:
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


def _read(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


# -- the intake list ---------------------------------------------------------------------------------------------------

BASIC = "basic elements (BE)"
KINDS = {
    "tables": "tables of scores",
    "peers": "summaries of systems",
    "models": "models",
    "annotated": "annotated peers",
    "documents": "documents",
    "pyramids": "pyramids",
    "other": "other files",
}


@dataclass(frozen=True)
class Intake(Result):
    """Of each kind of file of a campaign how many were found, matched with the others, repaired, and ignored."""

    lists: tuple[dict[str, Any], ...]  # year, what, found, matched, repaired, ignored, about

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """The list."""
        return {"intake": self.rows()}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for each year and kind of file."""
        return list(self.lists)

    def blocks(self, **how: Any) -> list[Block]:
        """What was found in a sentence, then the list."""
        years = list(dict.fromkeys(r["year"] for r in self.lists))
        total = {n: sum(r[n] for r in self.lists) for n in ("found", "matched", "repaired", "ignored")}
        said = f"{many(total['found'], 'file')} of {', '.join(years)}: {total['matched']:,} matched, "
        said += f"{total['repaired']:,} repaired, {total['ignored']:,} ignored."
        counts = ("found:count", "matched:count", "repaired:count", "ignored:count")
        heads = columns("year", "what", *counts, "about:text")
        rows = tuple(tuple(r[c.key] for c in heads) for r in self.lists)
        return [Text((said,), "lead"), Table("Intake: what became of each file", heads, rows, keys=2)]


def intake(years: Sequence[Campaign]) -> Intake:
    """What became of every file of some years; annotated peers are read for it.

    >>> import tempfile
    >>> from quorate.summaries.units.made_up import MadeUp
    >>> folder = tempfile.mkdtemp()
    >>> MadeUp(years=1, topics=1, systems=1, documents=1).write(folder)
    >>> [(row["what"], row["found"]) for row in intake(campaigns(folder))][1:3]
    [('summaries of systems', 2), ('models', 8)]
    """
    return Intake(tuple(row for given in years for row in _listed(given)))


def _listed(given: Campaign) -> Iterator[dict[str, Any]]:
    read = collect(given)
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in given.files():
        inside = read.annotated is not None and read.annotated in path.parents
        pyramid = path.suffix == ".pyr" or (not inside and path not in read.used and _is_pyramid(path))
        kind = read.used.get(path) or ("pyramids" if pyramid else "annotated" if inside else "other")
        found["peers" if read.lost.get(path) == "no summary by its name" else kind].append(path)
    written = {**read.peers, **read.models}
    told = {kind: _Told(paths) for kind, paths in found.items()}
    told["tables"].about = f"{sum(key in written for key in read.scores):,} of {len(read.scores):,} scores have a text"
    told["tables"].matched = len(found["tables"])
    for kind in ("peers", "models"):
        for path in found[kind]:
            name = identifier(path.name)
            if name is None:
                told[kind].ignored.append("no summary by its name")
            elif (name.task, name.summarizer) in read.scores:
                told[kind].matched += 1
            else:
                told[kind].about = "the others have no scores"
    for path in found["annotated"]:
        told["annotated"].annotated(path, read.peers)
    told["documents"].matched = len(found["documents"])
    told["documents"].about = f"of {len(read.documents):,} of {len(read.judges):,} tasks" if read.documents else ""
    told["pyramids"].ignored = ["every annotated peer holds its own"] * len(found["pyramids"])
    told["other"].ignored = [
        read.lost.get(p, BASIC if p.parent.parent.name == "BE" else p.name) for p in found["other"]
    ]
    for kind, what in KINDS.items():
        if found[kind]:
            yield {"year": given.name, "what": what, **told[kind].row()}


def _is_pyramid(path: Path) -> bool:
    """Whether a file below ``manual`` without an extension is a pyramid: NIST's have none."""
    return "manual" in (p.name for p in path.parents) and path.suffix == "" and sort_of(path) == "pyr"


@dataclass
class _Told:
    """Counts of one kind of file."""

    paths: list[Path]
    matched: int = 0
    about: str = ""

    def __post_init__(self) -> None:
        self.ignored: list[str] = []
        self.repairs: list[str] = []

    def annotated(self, path: Path, peers: Mapping[Key, str]) -> None:
        """Count an annotated peer."""
        name = identifier(path.name.removesuffix(".pan"))
        try:
            notes = read_peer(path).notes
        except InputError as why:
            self.ignored.append(why.fact.partition(": ")[2].rstrip("."))
            return
        if notes:
            self.repairs.append(notes[0])
        if name is not None and (name.task, name.summarizer) in peers:
            self.matched += 1
        else:
            self.ignored.append("no summary of that name")

    def row(self) -> dict[str, Any]:
        """The counts, and in words what was repaired and why something was ignored, the first of each."""
        counts = {"matched": self.matched, "repaired": len(self.repairs), "ignored": len(self.ignored)}
        reasons = dict.fromkeys(self.ignored)
        first = ", ".join(list(reasons)[:3]) + (", ..." if len(reasons) > 3 else "")
        said = [self.about, *(f"repaired: {r}" for r in self.repairs[:1]), *([f"ignored: {first}"] if reasons else [])]
        return {"found": len(self.paths), **counts, "about": "; ".join(s for s in said if s)}
