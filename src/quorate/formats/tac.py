"""NIST's tables of manual scores: TAC 2008 to 2011, split by docset or not, averages, DUC 2005 to 2007; MultiLing.

Plain fields between blanks, no header. Which field is what is a :class:`Schema`; the number of fields tells which one,
and a user may give another: a list of names, or a file of them. Tables without a judge take the assessors of topics
from a list of topics by assessor, as NIST's ``topic_per_assessor.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quorate.errors import InputError, suggest
from quorate.formats.cells import is_number
from quorate.formats.column_builder import between_blanks, collect
from quorate.formats.file_parts import Part, assemble
from quorate.formats.files import Bad, File, bad_lines
from quorate.formats.registry import ENCODING, Format, Option, listed, read_only, text
from quorate.formats.wide import melt_criteria
from quorate.panel.columns import encode
from quorate.panel.kinds import Panel

SCORES = (
    *("pyramid", "pyramid_jackknife", "readability", "responsiveness", "scus", "repetitions"),
    *("grade", "length_aware_grade", "score"),
)
USUAL = ("pyramid", "readability", "responsiveness", "grade", "length_aware_grade", "score")
NOBODY = "assessors"  # the judge where a table names none


@dataclass(frozen=True)
class Schema:
    """Which field of a table is what; ``-`` is passed over, unknown names become labels."""

    name: str
    fields: tuple[str, ...]


SCHEMAS = (
    Schema(
        "tac2008.peer",
        (
            *("task", "system", "pyramid", "scus", "repetitions", "judge"),
            *("pyramid_jackknife", "readability", "responsiveness"),
        ),
    ),
    Schema(
        "tac2009.peer",
        (
            *("task", "system", "pyramid", "scus", "repetitions", "judge", "second_judge"),
            *("pyramid_jackknife", "readability", "responsiveness"),
        ),
    ),
    Schema("tac2008.model", ("task", "system", "scus", "judge", "pyramid", "readability", "responsiveness")),
    Schema(
        "tac2009.model",
        ("task", "system", "scus", "judge", "second_judge", "pyramid", "readability", "responsiveness"),
    ),
)

# Told by the file's name, not by the number of fields alone.
OTHERS = (
    Schema(
        "tac.avg",
        ("system", "pyramid", "scus", "repetitions", "pyramid_jackknife", "readability", "responsiveness"),
    ),
    Schema("duc.modified", ("task", "system", "pyramid", "scus", "repetitions")),
    Schema("duc.table", ("task", "-", "-", "system", "score")),
    Schema("duc.quality", ("task", "-", "-", "system", "question", "score")),
    Schema("multiling2011", ("task", "system", "length", "judge", "grade", "true_length", "length_aware_grade")),
)
ALL = (*SCHEMAS, *OTHERS)


@dataclass(frozen=True)
class SummaryId:
    """The pieces of a summary's name, such as ``D9901-A.M.100.K.7``.

    >>> SummaryId.parse("D9901-A.M.100.K.7")
    SummaryId(topic='D9901', docset='A', kind='M', length=100, selector='K', summarizer='7')
    >>> SummaryId.parse("D9901-A.M.100.K.P").human
    True
    """

    topic: str
    docset: str | None
    kind: str
    length: int
    selector: str
    summarizer: str

    @property
    def human(self) -> bool:
        """Whether a person wrote it: letters are people, digits are systems."""
        return self.summarizer.isalpha()

    @property
    def task(self) -> str:
        """Topic and docset, as NIST's tables write them."""
        return f"{self.topic}-{self.docset}" if self.docset else self.topic

    @classmethod
    def parse(cls, name: str) -> SummaryId:
        """Five pieces between dots; anything else is an error."""
        pieces = name.strip().split(".")
        if len(pieces) != 5 or not pieces[2].isdigit() or not all(pieces):
            raise InputError(f"'{name}' is not the name of a summary.", "D9901-A.M.100.K.7: five pieces between dots.")
        topic, _, docset = pieces[0].partition("-")
        return cls(topic, docset or None, pieces[1], int(pieces[2]), pieces[3], pieces[4])


# -- who judged which topic --------------------------------------------------------------------------------------------
#
# A line names an assessor and topics in any order, or one topic and its assessor; an assessor alone on a line is a
# heading for the topics below. Topics are told by their form (D0801, D0801-A); the words *assessor* and *topic* mean
# nothing.

TOPIC = re.compile(r"[A-Za-z]\d{3,5}[A-Za-z]?(-[A-Z])?")
EMPTY_WORDS = {"assessor", "assessors", "topic", "topics", "id", "docset", "docsets"}


def read_assessors(given: Any) -> dict[str, str]:
    """Assessor by topic, from a file or a mapping.

    >>> read_assessors({"D0801": "A"})
    {'D0801': 'A'}
    """
    if isinstance(given, Mapping):
        return {str(topic): str(assessor) for topic, assessor in given.items()}
    file = File(Path(given))
    with file.text() as stream:
        return by_topic(file.name, stream)


def by_topic(where: str, lines: Iterable[str]) -> dict[str, str]:
    """Assessor by topic, from lines.

    >>> by_topic("list", ["A: D0801, D0802", "D0803 B", "Assessor C", "D0804"])
    {'D0801': 'A', 'D0802': 'A', 'D0803': 'B', 'D0804': 'C'}
    """
    out: dict[str, str] = {}
    bad: Bad = []
    heading: str | None = None
    for number, line in enumerate(lines, 1):
        words = [w for w in re.split(r"[\s,:;|]+", line.partition("#")[0]) if w and w.lower() not in EMPTY_WORDS]
        topics = [w for w in words if TOPIC.fullmatch(w)]
        names = [w for w in words if not TOPIC.fullmatch(w)]
        if len(names) > 1:
            bad.append((number, f"which of {', '.join(names)} is the assessor?"))
            continue
        heading = names[0] if names and not topics else heading
        assessor = names[0] if names else heading
        if topics and assessor is None:
            bad.append((number, f"no assessor for {topics[0]}"))
            continue
        for topic in topics:
            if out.setdefault(topic, str(assessor)) != assessor:
                bad.append((number, f"{topic} was {out[topic]}'s before"))
    if bad:
        raise bad_lines(where, "topics by assessor", bad, "a line names one assessor and topics: A D0801 D0802.")
    if not out:
        raise InputError(f"{where}: no topic found.", "a line names one assessor and topics: A D0801 D0802.")
    return out


def assessor_of(task: object, known: Mapping[str, str]) -> str | None:
    """The assessor of a task: by its whole name, or by the topic before the docset letter."""
    name = str(task)
    return known.get(name) or known.get(name.partition("-")[0])


def assessors_of(tasks: Sequence[object], known: Mapping[str, str], where: str) -> list[str]:
    """The assessor of each task; one that is not listed is an error."""
    found = {t: assessor_of(t, known) for t in dict.fromkeys(tasks)}
    gone = [str(t) for t, a in found.items() if a is None]
    if gone:
        shown = ", ".join(gone[:5]) + (", ..." if len(gone) > 5 else "")
        raise InputError(f"{where}: no assessor is listed for {len(gone)} topics: {shown}.", "add them to the list.")
    return [str(found[t]) for t in tasks]


# -- tables ------------------------------------------------------------------------------------------------------------


def _columns(value: Any) -> tuple[str, ...]:
    """Names of fields: a list, a text with commas or blanks, or a file that holds them."""
    if isinstance(value, str):
        path = Path(value)
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
            value = " ".join(line.partition("#")[0] for line in lines)
        value = value.replace(",", " ").split()
    names = tuple(text(v) for v in value)
    used = [n for n in names if n != "-"]
    if "system" not in used or len(set(used)) < len(used) or set(used) <= {"task", "system", "judge"}:
        raise ValueError
    return names


COLUMNS = Option(
    "columns",
    "names of the fields, or a file of them: system, task, judge, and scores such as "
    f"{', '.join(SCORES[:4])}; - passes a field over",
    _columns,
)
SCHEMA = Option("schema", f"which of {', '.join(s.name for s in ALL)}; by default the one that fits", text)
CRITERIA = Option("criteria", f"which scores to read; by default those of {', '.join(USUAL)}", listed)
ASSESSORS = Option("assessors", "who judged which topic: a file such as topic_per_assessor.txt", read_assessors)
YEAR = Option("year", "the year of these tables, kept as a label", lambda v: int(str(v)))


def read(
    files: Sequence[File],
    kind: str | None,
    *,
    columns: tuple[str, ...] | None = None,
    schema: str | None = None,
    criteria: Sequence[str] | None = None,
    assessors: Mapping[str, str] | None = None,
    year: int | None = None,
    encoding: str = "utf-8",
) -> Panel:
    """A panel of scores: tasks are docsets, items and systems the peers or models, criteria the kinds of score."""
    parts = [_read_one(f, columns, schema, criteria, year, encoding) for f in files]
    return assemble("scores", [_judged(p, assessors) for p in parts])


def _judged(part: Part, assessors: Mapping[str, str] | None) -> Part:
    """The part with a judge in every row: the table's own, the topic's assessor, or one for all."""
    raw, notes = dict(part.raw), list(part.notes)
    if "judge" not in raw:
        if assessors and "task" in raw:
            raw["judge"] = encode(assessors_of(encode(raw["task"]).values(), assessors, part.name))
        else:
            raw["judge"] = encode([NOBODY] * len(part))
            notes.append(f"{part.name}: no judge is named, so all scores are by '{NOBODY}'; assessors=... names them")
    elif assessors and "task" in raw:
        said = zip(encode(raw["task"]).values(), encode(raw["judge"]).values(), strict=True)
        other = {str(t) for t, j in said if assessor_of(t, assessors) not in (None, str(j))}
        if other:
            notes.append(f"{part.name}: the table and the list of assessors differ on {len(other)} topics; the table's")
    return Part(part.name, raw, part.lines, notes)


def _read_one(
    file: File,
    columns: tuple[str, ...] | None,
    schema: str | None,
    criteria: Sequence[str] | None,
    year: int | None,
    encoding: str,
) -> Part:
    names = columns or _schema(file, schema).fields
    kept = [n if n != "-" else f"-{k}" for k, n in enumerate(names)]
    numeric = dict.fromkeys((n for n in kept if n in SCORES or n in (criteria or ())), True)
    with file.text(encoding) as stream:
        part = collect(file.name, between_blanks(stream), kept, numeric)
    wanted = list(criteria or [n for n in USUAL if n in kept] or [n for n in SCORES if n in kept])
    for name in wanted:
        if name not in numeric:
            raise InputError(f"{file.name}: no score '{name}'.", suggest(name, list(numeric), "Scores here"))
    system = encode(part.raw["system"])
    if not wanted:
        raise InputError(f"{file.name}: none of its columns is a score.", "say criteria=..., the columns of scores.")
    raw = {n: c for n, c in part.raw.items() if not n.startswith("-") and (n not in numeric or n in wanted)}
    raw["item"] = raw["system"] = system
    who = encode(["human" if str(s).isalpha() else "system" for s in system.values()])
    raw["system_kind"] = who
    if year is not None:
        raw["year"] = encode([year] * len(part))
    if wanted == ["score"]:
        raw["criterion"] = encode(_named_by_file(file, raw.pop("question", None), len(part)))
        return Part(part.name, raw, part.lines, part.notes)
    return melt_criteria(Part(part.name, raw, part.lines, part.notes), wanted)


def _named_by_file(file: File, question: Any, size: int) -> list[str]:
    """What a table of one score is about: its file's name, with the number of the question where there is one."""
    about = file.stem
    return [about] * size if question is None else [f"{about}_{w}" for w in encode(question).values()]


def _schema(file: File, name: str | None) -> Schema:
    if name is not None:
        found = next((s for s in ALL if s.name == name), None)
        if found is None:
            raise InputError(f"no schema '{name}'.", suggest(name, [s.name for s in ALL], "Schemas"))
        return found
    lines = file.head_lines
    width = len(lines[0].split()) if lines else 0
    other = _other(file)
    if other is not None and len(other.fields) == width:
        return other
    fitting = next((s for s in SCHEMAS if len(s.fields) == width), None)
    if fitting is None:
        known = ", ".join(f"{s.name} ({len(s.fields)})" for s in ALL)
        raise InputError(f"{file.name}: {width} fields, which fit no schema.", f"say columns=...; schemas: {known}.")
    return fitting


def _other(file: File) -> Schema | None:
    """The layout that a file's name tells, or a grade that follows from another and a length."""
    schema = {s.name: s for s in OTHERS}
    if file.extension == "avg":
        return schema["tac.avg"]
    if "modified_scores" in file.base:
        return schema["duc.modified"]
    rows = [line.split() for line in file.head_lines[:20]]
    if file.extension == "table" and rows:
        return schema["duc.quality" if len(rows[0]) == 6 else "duc.table"]
    return schema["multiling2011"] if rows and all(_length_aware(r) for r in rows) else None


def _length_aware(row: Sequence[str]) -> bool:
    """Seven fields, the last the grade cut by how far the true length lies outside 240 to 250 words."""
    if len(row) != 7 or not all(map(is_number, row[4:])):
        return False
    grade, length, cut = map(float, row[4:])
    return abs(grade * (1 - max(240 - length, length - 250, 0) / 240) - cut) < 0.01 and length > 10


_SET = re.compile(r"[A-Z]\d{3,5}(-[A-Z])?")


def sniff(file: File) -> bool:
    """Seven to ten fields, the first a docset and the last two numbers; or another layout told by its name."""
    rows = [line.split() for line in file.head_lines[:20]]
    other = _other(file)
    if other is not None and rows and all(len(r) == len(other.fields) for r in rows):
        return True
    return bool(rows) and all(
        7 <= len(r) <= 10 and _SET.fullmatch(r[0]) is not None and all(map(is_number, r[-2:])) for r in rows
    )


TAC = Format(
    "tac",
    ("peer", "model", "avg", "table"),
    "TAC and DUC tables of manual scores: manual.peer, manual.model",
    ("scores",),
    read,
    read_only("TAC tables are read, not written.", "csv holds all that is in them."),
    sniff,
    "tac",
    (COLUMNS, SCHEMA, CRITERIA, ASSESSORS, YEAR, ENCODING),
)
