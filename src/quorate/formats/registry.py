"""What a format is: a name, extensions, kinds, a reader, a writer, options, and what tells it.

Documentation tables and command-line help are loops over the formats.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from quorate.errors import InputError, QuorateError, suggest
from quorate.formats.files import File, Sink
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
    sniff: Callable[[File], bool] | None  # by its first lines
    page: str  # documentation
    read_options: tuple[Option, ...] = ()
    write_options: tuple[Option, ...] = ()
    telling: bool = False  # its content tells it for sure, whatever the extension
    keys: tuple[str, ...] = ()  # of its first record, as :mod:`quorate.formats.recognise` has them
    columns: tuple[str, ...] = ()  # of its table, likewise
    packed: Callable[[File], bool] | None = None  # by the files of a folder or an archive
    of_one_judge: bool = False  # a file holds one judge's, so a folder those of several
    folders: bool = False  # it may be a folder: the reader then gets a File whose path is one


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


def read_only(fact: str, hint: str = "write csv, jsonl or parquet.") -> Callable[..., None]:
    """The writer of a format that is only read; ``{kind}`` in what it says is the panel's."""

    def write(panel: Panel, sink: Sink, **options: Any) -> None:
        raise InputError(fact.format(kind=panel.kind), hint)

    return write


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


# -- how options are typed ---------------------------------------------------------------------------------------------

READING = (  # options of readers that a schema may hold
    *("missing", "decimal", "header", "wide", "judge_columns", "item_columns", "criteria", "labels", "totals", "exact"),
    *("several", "winner", "encoding", "delimiter", "sheet", "column", "top", "ties", "judge"),
)
FLAGS = ("wide", "labels", "exact", "ties")
TYPED = (*READING, "kind", "format", "scale", "rename")  # which have an option of their own on the command line
SPELT = {"missing-values": "missing", "input-format": "format"}  # options of the command line by another name


def pins(given: Sequence[str]) -> dict[str, Any]:
    """Options as they are typed, as a schema has them.

    >>> pins(["--rename worker=judge", "--rename doc=item", "--missing-values NA,-", "--kind scores"])
    {'rename': {'worker': 'judge', 'doc': 'item'}, 'missing': ['NA', '-'], 'kind': 'scores'}
    """
    out: dict[str, Any] = {}
    for words in map(shlex.split, given):
        if not words or not words[0].startswith("--"):
            continue
        name = words[0][2:]
        value: Any = " ".join(words[1:])
        if name == "input-option":
            name, _, value = value.partition("=")
        name = SPELT.get(name, name).replace("-", "_")
        if name in ("rename", "column"):
            old, _, new = value.rpartition("=") if name == "rename" else value.partition("=")
            out.setdefault(name, {})[old] = new
        elif name in ("missing", "criteria", "judge_columns", "item_columns"):
            out[name] = value.split(",")
        else:
            out[name] = value if len(words) > 1 else True
    return out


def typed(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Options of a reader as one would type them.

    >>> typed({"rename": {"Email Address": "judge"}, "missing": ["NA"], "wide": True, "prefix": 3})
    ("--rename 'Email Address=judge'", '--missing-values NA', '--wide', '--input-option prefix=3')
    """
    out = []
    spelt = {name: word for word, name in SPELT.items()}
    for name, value in given.items():
        if value is None or (value is False and name != "header"):
            continue
        if isinstance(value, Mapping):
            out += [f"--{name} {shlex.quote(f'{old}={new}')}" for old, new in value.items()]
            continue
        text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        word = spelt.get(name, name).replace("_", "-")
        if name not in TYPED:
            out.append(f"--input-option {shlex.quote(f'{name}={text}')}")
        elif name in FLAGS:
            out.append(f"--{word}")
        else:
            text = {"True": "yes", "False": "no"}.get(text, text)
            out.append(f"--{word} {shlex.quote(text)}")
    return tuple(out)
