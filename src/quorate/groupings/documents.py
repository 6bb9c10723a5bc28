"""Documents, from which sentence sets are built: an id, a date and a text, read from plain text or JSON Lines."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from quorate.errors import InputError, MissingExtra
from quorate.panel.columns import is_blank

Splitter = Callable[[str], Iterable[str]]
IN_NAME = re.compile(r"(?<!\d)(?:(\d{4})-(\d\d)-(\d\d)|(\d{4})(\d\d)(\d\d)|(\d\d)(\d\d)(\d\d))(?!\d)")
HEAD = re.compile(r"\s*date:\s*(\S+)[^\n]*\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Document:
    """A text with an id and, where known, the day it was published; ``sentences`` where it comes split already."""

    id: str
    text: str
    date: date | None = None
    sentences: tuple[str, ...] | None = None


def read_documents(*paths: str | Path) -> list[Document]:
    """Documents from files or folders: ``.jsonl`` has one a line (id, date, text or sentences), all else is plain text.

    A plain text's id is its file name; its date is the one in the name (1999-10-31, 19991031, 991031) or in a first
    line ``date: 1999-10-31``. Two documents of one id are an error.
    """
    out: list[Document] = []
    for path in _files(paths):
        out += _json_lines(path) if path.suffix.lower() in (".jsonl", ".ndjson") else [_plain(path)]
    return checked(out)


def checked(documents: Iterable[Document]) -> list[Document]:
    """The documents if there are some and no two share an id."""
    listed = list(documents)
    if not listed:
        raise InputError("no documents.", "give files of plain text or JSON Lines.")
    seen: set[str] = set()
    for document in listed:
        if document.id in seen:
            raise InputError(f"two documents have the id '{document.id}'.", "ids tell documents apart; rename one.")
        seen.add(document.id)
    return listed


def sentences_of(document: Document, split: Splitter) -> tuple[str, ...]:
    """The document's sentences, blanks squeezed, empty ones left out."""
    pieces = document.sentences if document.sentences is not None else split(document.text)
    return tuple(s for s in (" ".join(piece.split()) for piece in pieces) if s)


def splitter(language: str = "en") -> Splitter:
    """The sentence splitter of the package sentencex (extra ``text``) for a language.

    Blank lines end a sentence; a single line break does not, since newswire breaks lines anywhere.
    """
    try:
        segment = importlib.import_module("sentencex").segment
    except ImportError:
        raise MissingExtra("sentencex", "text", "Splitting text into sentences") from None

    def split(text: str) -> Iterator[str]:
        for paragraph in re.split(r"\n\s*\n", text):
            yield from segment(language, " ".join(paragraph.split()))

    return split


def as_date(text: object) -> date | None:
    """A day written 1999-10-31 (a time may follow) or 19991031; None when there is none.

    >>> as_date("1999-10-31T08:00:00"), as_date("19991031"), as_date("")
    (datetime.date(1999, 10, 31), datetime.date(1999, 10, 31), None)
    """
    if is_blank(text):
        return None
    word = str(text).strip()
    try:
        return date.fromisoformat(word[:10] if "-" in word else word[:8])
    except ValueError:
        raise InputError(f"'{word}' is not a date.", "write days as 1999-10-31 or 19991031.") from None


def _files(paths: Iterable[str | Path]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
        elif path.is_file():
            yield path
        else:
            raise InputError(f"{path}: no such file.", "give files of plain text or JSON Lines, or a folder of them.")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text.", "convert the file to UTF-8.") from None


def _plain(path: Path) -> Document:
    text, day = _text(path), _day_in(path.name)
    head = HEAD.match(text)
    if head:
        day, text = as_date(head.group(1)), text[head.end() :]
    return Document(path.stem, text, day)


def _day_in(name: str) -> date | None:
    for match in IN_NAME.finditer(name):
        groups = match.groups()
        year, month, day = next(groups[k : k + 3] for k in (0, 3, 6) if groups[k] is not None)
        full = int(year) if len(year) == 4 else int(year) + (1900 if int(year) >= 50 else 2000)
        try:
            return date(full, int(month), int(day))
        except ValueError:
            continue
    return None


def _json_lines(path: Path) -> list[Document]:
    out, problems = [], []
    for number, line in enumerate(_text(path).split("\n"), 1):  # a text may hold other line ends
        if not line.strip():
            continue
        try:
            out.append(_record(json.loads(line)))
        except InputError as error:
            problems.append((number, error.fact))
        except (ValueError, RecursionError):
            problems.append((number, "not JSON"))
    if problems:
        hint = 'a line is {"id": "d1", "date": "1999-10-31", "text": "..."}, or with "sentences": [...] for the text.'
        raise InputError(f"not documents ({len(problems)} lines)", hint, source=str(path), problems=problems)
    return out


def _record(record: Any) -> Document:
    if not isinstance(record, Mapping):
        raise InputError("not an object with id, date and text.")
    if is_blank(record.get("id")):
        raise InputError("no id.")
    sentences = record.get("sentences")
    if sentences is None and not isinstance(record.get("text"), str):
        raise InputError("no text.")
    if sentences is not None and not (isinstance(sentences, list) and all(isinstance(s, str) for s in sentences)):
        raise InputError("sentences is not a list of texts.")
    split = None if sentences is None else tuple(sentences)
    return Document(str(record["id"]), record.get("text") or "", as_date(record.get("date")), split)
