"""DUCView files: pyramids (.pyr) and annotated peers (.pan), read and written.

A pyramid is the text of the model summaries and units; a unit has contributors, the places of the text that say it. An
annotated peer holds the whole pyramid, the peer's text, and for every unit where the peer says it; what fits no unit is
under the uid 0. Offsets count characters of the lines joined with one newline each; ``end`` is exclusive.

Files in the wild break this in known ways. Offsets are trusted over labels, what had to be repaired is in ``notes``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape

from quorate.errors import InputError
from quorate.formats.files import File, PathLike, Sink
from quorate.formats.plain_xml import Node, parse
from quorate.formats.spans import Repairs

OUTSIDE = "0"  # the uid of what fits no unit
OUTSIDE_LABEL = "All non-matching SCUs go here"
HEADER = r"-+[ \t]*\n\s*\S+\.M\.\d+\.\w+\.\w+[ \t]*\n-+[ \t]*\n"  # where a model begins, when the file does not say
IDENTIFIER = re.compile(r"[\w-]+\.M\.\d+\.\w+\.(\w+)")
_PREFIX, _NOTE = re.compile(r"^\s*\(\d+\)\s*"), re.compile(r"(?:\s*\((?:\d+(?:\.\d+)*|NONE)\))+\s*$")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text: its label as the file has it, and where it is; -1 where it is nowhere."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Contributor:
    """One place where a text says a unit; several parts where the place is interrupted."""

    label: str
    parts: tuple[Part, ...]
    comment: str = ""

    @property
    def start(self) -> int:
        """Where it begins; parts may be stored in any order."""
        return min((p.start for p in self.parts), default=-1)


@dataclass(frozen=True, slots=True)
class Scu:
    """A unit with its contributors, of a pyramid or of a peer (where there may be none)."""

    uid: str
    label: str
    contributors: tuple[Contributor, ...] = ()
    comment: str = ""

    @property
    def bare(self) -> str:
        """The label without the weight in front and notes behind, for matching files whose uids differ.

        >>> Scu("7", "(2) A dam broke (2.1)").bare
        'A dam broke'
        """
        return _NOTE.sub("", _PREFIX.sub("", self.label)).strip()


@dataclass(frozen=True)
class Pyramid:
    """The model summaries in one text, and their units."""

    text: str
    scus: tuple[Scu, ...]
    header: str = ""  # regular expression that finds where each model begins
    notes: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def _begins(self) -> list[tuple[int, str]]:
        found = _begins(self.header or HEADER, self.text)
        names = [_model_name(head, k) for k, (_, head) in enumerate(found, 1)]
        if len(set(names)) < len(names):  # the same writer twice
            names = [str(k) for k in range(1, len(names) + 1)]
        return [(at, name) for (at, _), name in zip(found, names, strict=True)]

    @property
    def models(self) -> tuple[str, ...]:
        """Who wrote the models, in the text's order; empty when the headers are not found."""
        return tuple(name for _, name in self._begins)

    def model(self, contributor: Contributor) -> str:
        """Whose summary the contributor is of: the last header at or before it; empty when there is none."""
        at = contributor.start
        return next((name for start, name in reversed(self._begins) if start <= at), "")


@dataclass(frozen=True)
class Peer:
    """A peer's text, and where it says which units of the pyramid."""

    pyramid: Pyramid
    text: str
    scus: tuple[Scu, ...]  # one for every unit of the pyramid, and one for the uid 0
    name: str = field(default="", compare=False)  # of the file, without .pan
    scores: Mapping[str, float] = field(default_factory=dict)  # DUCView 1.5's own figures, where the file has them
    notes: tuple[str, ...] = field(default=(), compare=False)


def read_pyramid(path: PathLike, *, header: str | None = None) -> Pyramid:
    """The pyramid in a ``.pyr`` file, or inside a ``.pan``; ``header`` is for collections whose files have none."""
    root, notes = parse(File(path))
    node = root if root.tag == "pyramid" else root.child("pyramid")
    if node is None:
        raise InputError(f"{File(path).name}: no pyramid in it.", "a .pyr file has the element 'pyramid' outermost.")
    return _pyramid(node, header, notes, File(path).name)


def read_peer(path: PathLike, *, header: str | None = None) -> Peer:
    """The annotated peer in a ``.pan`` file (NIST's have no extension)."""
    file = File(path)
    root, notes = parse(file)
    inside, annotation = root.child("pyramid"), root.child("annotation")
    if root.tag != "peerAnnotation" or inside is None or annotation is None:
        raise InputError(f"{file.name}: not an annotated peer.", "a .pan file has a pyramid and an annotation in it.")
    pyramid = _pyramid(inside, header, notes, file.name)
    text = _text(annotation, file.name)
    repairs = Repairs(text)
    scus = tuple(_scu(n, repairs, file.name) for n in annotation.all("peerscu"))
    _refuse_twice(scus, file.name)
    known, said = {s.uid for s in pyramid.scus}, {s.uid for s in scus}
    more = [*pyramid.notes, *repairs.notes("peer")]
    if said - known - {OUTSIDE}:
        more.append(f"{len(said - known - {OUTSIDE})} units of the peer are not in its pyramid and weigh nothing")
    scores = dict(_scores(root.child("score")))
    name = file.base if file.extension not in ("pan", "xml") else file.stem
    return Peer(pyramid, text, scus, name, scores, tuple(more))


# -- reading -----------------------------------------------------------------------------------------------------------


def _text(node: Node, where: str) -> str:
    text = node.child("text")
    if text is None:
        raise InputError(f"{where}: the {node.tag} has no text.", "the element 'text' holds the lines.")
    return "\n".join(line.text for line in text.all("line"))


def _pyramid(node: Node, header: str | None, notes: Sequence[str], where: str) -> Pyramid:
    text = _text(node, where)
    repairs = Repairs(text)
    scus = tuple(_scu(n, repairs, where) for n in node.all("scu"))
    _refuse_twice(scus, where)
    stored = node.child("startDocumentRegEx")
    chosen = header if header is not None else stored.text if stored else ""
    more = [*notes, *repairs.notes("pyramid")]
    why = _unusable(chosen)
    if why:
        chosen, more = "", [*more, f"the expression for where models begin is {why}: the usual one is tried"]
    elif not chosen:
        more.append("no expression for where models begin: the usual one is tried")
    found = Pyramid(text, scus, chosen)
    if not found.models:
        more.append("models not found in the text: no modified score")
    elif any(len(c) > len(set(c)) for c in ([found.model(c) for c in s.contributors] for s in scus)):
        more.append("a model contributes twice to one unit")
    return replace(found, notes=tuple(more))


def _scu(node: Node, repairs: Repairs, where: str) -> Scu:
    uid = node.attributes.get("uid", "").strip()
    if not uid:
        raise InputError(f"{where}: a unit has no uid.", "each scu and peerscu has the attribute 'uid'.")
    contributors = tuple(_contributor(c, repairs, where) for c in node.all("contributor"))
    return Scu(uid, _attribute(node, "label"), contributors, _attribute(node, "comment"))


def _contributor(node: Node, repairs: Repairs, where: str) -> Contributor:
    parts = []
    for part in node.all("part"):
        try:
            start, end = (int(part.attributes.get(n, "")) for n in ("start", "end"))
        except ValueError:
            raise InputError(f"{where}: a part has no whole numbers as start and end.") from None
        label = _attribute(part, "label")
        parts.append(Part(label, *repairs.place(label, start, end)))
    return Contributor(_attribute(node, "label"), tuple(parts), _attribute(node, "comment"))


def _attribute(node: Node, name: str) -> str:
    return node.attributes.get(name, "")


def _refuse_twice(scus: Sequence[Scu], where: str) -> None:
    uids = [s.uid for s in scus]
    twice = sorted({u for u in uids if uids.count(u) > 1}) if len(set(uids)) < len(uids) else []
    if twice:
        raise InputError(f"{where}: two units have the same uid: {', '.join(twice[:10])}.", "give each its own uid.")


def _scores(node: Node | None) -> Iterator[tuple[str, float]]:
    for child in node.children if node else ():
        try:
            yield child.tag, float(child.text.strip() or child.attributes.get("value", ""))
        except ValueError:
            continue  # a figure that DUCView could not compute either


def _unusable(header: str) -> str:
    """What is wrong with a regular expression, or nothing; repeated groups can take for ever and are not tried."""
    if len(header) > 500 or re.search(r"\)[*+{?]", header):
        return "too involved"
    try:
        re.compile(header)
    except (re.error, OverflowError, RecursionError):
        return "not understood"
    return ""


def _begins(header: str, text: str) -> list[tuple[int, str]]:
    return [(m.start(), m.group()) for m in re.finditer(header, text) if m.group()]


def _model_name(head: str, number: int) -> str:
    found = IDENTIFIER.search(head)
    return found.group(1) if found else str(number)


# -- writing -----------------------------------------------------------------------------------------------------------

_INNER = """ <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED start CDATA #REQUIRED end CDATA #REQUIRED>
"""
_OUTER = """ <!ELEMENT peerAnnotation (pyramid,annotation,score?)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
 <!ELEMENT score ANY>
"""
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_pyramid(pyramid: Pyramid, path: PathLike) -> None:
    """A pyramid as a ``.pyr`` file in UTF-8. As DUCView does it, line ends inside labels are lost."""
    _write(f"<!DOCTYPE pyramid [\n{_INNER}]>\n{pyramid_xml(pyramid)}", path)


def write_peer(peer: Peer, path: PathLike, *, inside: str | None = None) -> None:
    """A peer as a ``.pan`` file; ``inside`` is ``pyramid_xml(peer.pyramid)`` where many peers share it."""
    out = [f"<!DOCTYPE peerAnnotation [\n{_OUTER}{_INNER}]>\n<peerAnnotation>\n", inside or pyramid_xml(peer.pyramid)]
    out += ["<annotation>\n", *_lines(peer.text), *(x for s in peer.scus for x in _unit("peerscu", s))]
    out.append("</annotation>\n")
    if peer.scores:
        out += ["<score>\n", *(f" <{n}>{v!r}</{n}>\n" for n, v in peer.scores.items()), "</score>\n"]
    _write("".join([*out, "</peerAnnotation>\n"]), path)


def pyramid_xml(pyramid: Pyramid) -> str:
    """The element ``pyramid`` as text."""
    out = ["<pyramid>\n"]
    if pyramid.header:
        out.append(f"<startDocumentRegEx>{_escaped(pyramid.header)}</startDocumentRegEx>\n")
    out += _lines(pyramid.text)
    for scu in pyramid.scus:
        out += _unit("scu", scu)
    return "".join([*out, "</pyramid>\n"])


def _lines(text: str) -> Iterator[str]:
    yield " <text>\n"
    yield from (f"  <line>{_escaped(line)}</line>\n" for line in text.split("\n"))
    yield " </text>\n"


def _unit(tag: str, scu: Scu) -> Iterator[str]:
    yield f' <{tag} uid="{_quoted(scu.uid)}" label="{_quoted(scu.label)}"{_comment(scu.comment)}>\n'
    for c in scu.contributors:
        yield f'  <contributor label="{_quoted(c.label)}"{_comment(c.comment)}>\n'
        yield from (f'   <part label="{_quoted(p.label)}" start="{p.start}" end="{p.end}"/>\n' for p in c.parts)
        yield "  </contributor>\n"
    yield f" </{tag}>\n"


def _comment(text: str) -> str:
    return f' comment="{_quoted(text)}"' if text else ""


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def _quoted(text: str) -> str:
    plain = _escaped(text.replace("\n", ""))
    return plain.replace('"', "&quot;").replace("\t", "&#9;")


def _write(xml: str, path: PathLike) -> None:
    bad = _ILLEGAL.search(xml)
    if bad:
        raise InputError(f"XML cannot hold the character U+{ord(bad.group()):04X}.", "take it out of the text.")
    with Sink(path).text() as stream:
        stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{xml}')


def said(part: Part, text: str) -> str:
    """What a part says: the text at its place, or its label where it has none."""
    return text[part.start : part.end] if part.start >= 0 else unescape(part.label)
