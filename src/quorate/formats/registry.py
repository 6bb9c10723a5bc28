"""What a format is: a name, extensions, kinds, a reader, a writer, options, and how to tell it by its first lines.

Documentation tables and command-line help are loops over the formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from quorate.errors import InputError, QuorateError, suggest
from quorate.formats.files import File
from quorate.formats.foreign import refusal
from quorate.formats.inside import ZIP, inside
from quorate.panel.base import many
from quorate.panel.kinds import Panel


@dataclass(frozen=True)
class Option:
    """A keyword of a reader or writer; ``parse`` also takes its text form, as typed on the command line."""

    name: str
    meaning: str
    parse: Callable[[Any], Any]

    def value(self, given: Any) -> Any:
        """The option's value, from Python or from text."""
        try:
            return self.parse(given)
        except QuorateError:  # it knows better what is wrong: a file that is not there
            raise
        except (ValueError, TypeError):
            raise InputError(f"{self.name}={given!r} makes no sense here.", f"{self.name}: {self.meaning}.") from None


@dataclass(frozen=True)
class Format:
    """One format. ``reader(files, kind, **options)`` gives a panel; ``writer(panel, sink, **options)`` writes one."""

    name: str
    extensions: tuple[str, ...]
    description: str
    kinds: tuple[str, ...]
    reader: Callable[..., Panel]
    writer: Callable[..., None]
    sniff: Callable[[File], bool]
    page: str  # documentation
    read_options: tuple[Option, ...] = ()
    write_options: tuple[Option, ...] = ()
    telling: bool = False  # its first line (or its files, of a folder) tells it for sure, whatever the extension
    folders: bool = False  # it may be a folder: sniff and reader then get a File whose path is one


def elsewhere(module: str, name: str) -> Callable[..., Panel]:
    """A reader of a room above this one, known by its name: it is looked up when it is used."""
    return lambda *given, **options: getattr(import_module(module), name)(*given, **options)


def named(wanted: str, formats: Sequence[Format]) -> Format:
    """The format of that name or extension."""
    word = wanted.lower().lstrip(".")
    for format in formats:
        if word == format.name or word in format.extensions:
            return format
    names = [f.name for f in formats]
    raise InputError(f"no format '{wanted}'.", suggest(word, names, "Formats"))


def by_extension(extension: str, formats: Sequence[Format]) -> Format | None:
    """The format that an extension belongs to."""
    return next((f for f in formats if extension in f.extensions), None)


BY_FIRST_LINES = "by its first lines"
JSON_START = re.compile(rb'\s*(\{\s*"|\[\s*[\{\[])')
TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson", "json", "zip")  # extensions that say how, but not what


def recognise(file: File, formats: Sequence[Format]) -> tuple[Format, str]:
    """The format of a file, by its extension or else its first lines, and how it is known."""
    if file.folder:
        for format in formats:
            if format.folders and format.sniff(file):
                return format, "by the files in the folder"
        names = ", ".join(f.name for f in formats if f.folders)
        raise _several(file, "a folder, not a file", f"folders are read of {names}" if names else "")
    found = by_extension(file.extension, formats)
    if found is None or file.extension in TABLES:
        telling = next((f for f in formats if f.telling and f.sniff(file)), None)
        if telling:
            return telling, "by its content"
    if found and file.extension not in TABLES:
        return found, f"by its extension .{file.extension}"
    if file.head.startswith(ZIP):
        raise _several(file, "a zip archive", "unzip it first")
    foreign = refusal(file, xml=found is not None)
    if foreign:
        raise foreign
    if found:
        other = _otherwise(file, found, formats)
        return (other, BY_FIRST_LINES) if other else (found, f"by its extension .{file.extension}")
    if not file.head.strip():
        raise empty(file.name)
    for format in formats:
        if not format.telling and format.sniff(file):
            return format, BY_FIRST_LINES
    raise refusal(file, xml=True) or InputError(
        f"{file.name}: neither its name nor its first lines tell the format.",
        f"say format=... (--input-format); formats: {', '.join(f.name for f in formats)}.",
    )


def unpacked(file: File, format: str | None, formats: Sequence[Format]) -> File:
    """The file; of a zip archive that is no format of its own and holds one file, that file."""
    if file.folder or not file.head.startswith(ZIP) or (format and named(format, formats).telling):
        return file
    known = by_extension(file.extension, formats)
    members = inside(file) if known is None and not any(f.telling and f.sniff(file) for f in formats) else ()
    return members[0] if len(members) == 1 else file


def _several(file: File, what: str, more: str) -> InputError:
    """A folder or an archive that is no export: the files in it are to be named."""
    names = [f.base for f in inside(file)]
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    held = f" ({many(len(names), 'file')}: {shown})" if names else " (with nothing in it)"
    return InputError(
        f"{file.name}: this is {what}{held}.", f"give the files in it, by name{f'; {more}' * bool(more)}."
    )


def _otherwise(file: File, found: Format, formats: Sequence[Format]) -> Format | None:
    """The format of a table whose content says otherwise than its extension: JSON called .csv, or the reverse."""
    start = file.head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    json = "json" in found.name
    if not start or b"\0" in file.head or json == (start in (b"{", b"[", b"/")):
        return None
    if not json and not JSON_START.match(file.head.removeprefix(b"\xef\xbb\xbf")):
        return None
    wanted = ("csv", "tsv") if json else ("json", "jsonl")
    return next((f for f in formats if f.name in wanted and f.sniff(file)), None)


def empty(name: str, what: str = "the file is empty") -> InputError:
    """Nothing to read."""
    return InputError(f"{name}: {what}.", "a panel needs at least one judgment.")


def options(
    given: Mapping[str, Any], format: Format, formats: Iterable[Format], *, writing: bool = False
) -> dict[str, Any]:
    """The options with their values; one that the format does not take is an error."""

    def taken(f: Format) -> dict[str, Option]:
        return {o.name: o for o in (f.write_options if writing else f.read_options)}

    own = taken(format)
    for name in given:
        if name not in own:
            others = [f.name for f in formats if name in taken(f)]
            verb = "writing" if writing else "reading"
            hint = (
                f"it belongs to {', '.join(others)}."
                if others
                else suggest(name, own, f"Options for {verb} {format.name}")
            )
            raise InputError(f"{verb} {format.name} takes no option '{name}'.", hint)
    return {name: own[name].value(value) for name, value in given.items() if value is not None}


# -- how options are read --------------------------------------------------------------------------------------------


def flag(value: Any) -> bool:
    """Yes or no."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    word = str(value).lower()
    if word not in words:
        raise ValueError
    return words[word]


def choice(*words: str) -> Callable[[Any], str]:
    """One of these words."""

    def chosen(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return chosen


def whole(value: Any) -> int:
    """A whole number from 1."""
    number = int(value)
    if number < 1 or number != float(value):
        raise ValueError
    return number


def text(value: Any) -> str:
    """A text, not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError
    return value


def listed(value: Any) -> list[str]:
    """A list of names, or a text with commas."""
    names = [v.strip() for v in value.split(",")] if isinstance(value, str) else [text(v) for v in value]
    if not all(names) or not names or len(set(names)) < len(names):
        raise ValueError
    return names


def renaming(value: Any) -> dict[str, str]:
    """A mapping from old to new names, or a text: ``doc=task,rater=judge``; a name may have commas in it.

    >>> renaming("doc=task,Rate, please=score")
    {'doc': 'task', 'Rate, please': 'score'}
    """
    if isinstance(value, str):
        pairs: list[str] = []
        for piece in value.split(","):
            if pairs and "=" not in pairs[-1]:
                pairs[-1] += f",{piece}"
            else:
                pairs.append(piece)
        value = {old.strip(): new.strip() for old, _, new in (p.rpartition("=") for p in pairs)}
    return {text(a): text(b) for a, b in dict(value).items()}


def paths(value: Any) -> dict[str, str]:
    """A mapping from names to fields, or a text: ``score=answers[].value,judge=by``."""
    if isinstance(value, str):
        pairs = [p.partition("=") for p in value.split(",")]
        value = {new.strip(): field.strip() for new, _, field in pairs}
    return {text(a): text(b) for a, b in dict(value).items()}


ENCODING = Option("encoding", "the text's encoding: utf-8 (default), latin-1, cp1252, utf-16, ...", text)
