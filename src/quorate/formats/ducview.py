"""DUCView files: pyramids (.pyr) and annotated peers (.pan), read and written.

A pyramid is the text of the model summaries and units; a unit has contributors, the places of the text that say it. An
annotated peer holds the whole pyramid, the peer's text, and for every unit where the peer says it; what fits no unit is
under the uid 0. Offsets count characters of the lines joined with one newline each; ``end`` is exclusive.

Files in the wild break this in known ways. Offsets are trusted over labels, what had to be repaired is in ``notes``.

As panels annotated peers are scores: the modified pyramid score, with what autoPyramid gives as the label ``auto``.
Pyramids of the same models are groupings, whose items are the words of the models and whose groups are units. Neither
can be made from a panel again.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape
from xml.etree.ElementTree import Element

from quorate.errors import InputError
from quorate.formats.ducview_grammar import left_out, units_of
from quorate.formats.ducview_places import Repairs, begins, own, unusable
from quorate.formats.files import File, PathLike, Sink
from quorate.formats.plain_xml import parse, words
from quorate.formats.registry import Format, Option, elsewhere, read_only, text
from quorate.formats.table_records import TABLES
from quorate.panel.base import many

OUTSIDE = "0"  # the uid of what fits no unit
OUTSIDE_LABEL = "All non-matching SCUs go here"
_TAG = re.compile(rb"<([A-Za-z][\w.-]*)")  # declarations begin with <! or <?
_PREFIX, _NOTE = re.compile(r"^\s*\(\d+\)\s*"), re.compile(r"(?:\s*\((?:\d+(?:\.\d+)*|NONE)\))+\s*$")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text: its label as the file has it, and where it is; -1 where it is nowhere.

    DUCView takes line ends out of labels, so the label of a stretch that crosses one has two words in one.
    """

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
        return begins(self.header, self.text)

    @property
    def models(self) -> tuple[str, ...]:
        """Who wrote the models, in the text's order; empty when the headers are not found."""
        return tuple(name for _, name in self._begins)

    def model(self, contributor: Contributor) -> str:
        """Whose summary the contributor is of: the last header at or before it; empty when there is none."""
        before = bisect_right(self._begins, contributor.start, key=lambda b: b[0])
        return self._begins[before - 1][1] if before else ""


@dataclass(frozen=True)
class Peer:
    """A peer's text, and where it says which units of the pyramid."""

    pyramid: Pyramid
    text: str
    scus: tuple[Scu, ...]  # one for every unit of the pyramid, and one for the uid 0
    name: str = field(default="", compare=False)  # of the file, without .pan
    scores: Mapping[str, float] = field(default_factory=dict)  # DUCView 1.5's own figures, where the file has them
    notes: tuple[str, ...] = field(default=(), compare=False)


def annotated(
    pyramid: Pyramid,
    text: str,
    name: str,
    units: Iterable[tuple[str, float, str]],
    found: Mapping[str, Sequence[Contributor]],
) -> Peer:
    """A peer in which units were found: one entry for each unit (uid, weight, label), then one for what fits none.

    >>> made = annotated(Pyramid("", ()), "A dam.", "7", [("1", 2, "A dam broke")], {})
    >>> [s.label for s in made.scus]
    ['(2) A dam broke', 'All non-matching SCUs go here']
    """
    scus = [Scu(uid, f"({weight:g}) {label}", tuple(found.get(uid, ()))) for uid, weight, label in units]
    return Peer(pyramid, text, (*scus, Scu(OUTSIDE, OUTSIDE_LABEL, tuple(found.get(OUTSIDE, ())))), name)


def outermost(file: File) -> str:
    """``pyramid`` or ``peerAnnotation`` where a file is one of DUCView's, whatever it is called; else nothing."""
    found = _TAG.search(file.head)
    name = found[1].decode("ascii", "replace") if found else ""
    return name if name in ("pyramid", "peerAnnotation") else ""


def sort_of(path: PathLike) -> str:
    """``pan``, ``pyr``, ``table`` or nothing: by what is in a file, else by its extension."""
    file = File(path)
    if file.extension in TABLES:
        return "table"
    return {"pyramid": "pyr", "peerAnnotation": "pan"}.get(outermost(file)) or (
        file.extension if file.extension in ("pan", "pyr") else ""
    )


def read_pyramid(path: PathLike, *, header: str | None = None) -> Pyramid:
    """The pyramid in a ``.pyr`` file, or inside a ``.pan``; ``header`` is for collections whose files have none."""
    root, notes = parse(File(path))
    node = root if root.tag == "pyramid" else root.find("pyramid")
    if node is None:
        raise InputError(f"{File(path).name}: no pyramid in it.", "a .pyr file has the element 'pyramid' outermost.")
    return _pyramid(node, header, [*notes, *left_out(node)], File(path).name)


def read_peer(path: PathLike, *, header: str | None = None) -> Peer:
    """The annotated peer in a ``.pan`` file (NIST's have no extension)."""
    file = File(path)
    root, notes = parse(file)
    inside, annotation = root.find("pyramid"), root.find("annotation")
    if root.tag != "peerAnnotation":
        hint = f"its outermost element is '{root.tag}', not 'peerAnnotation'."
        if root.tag == "pyramid":
            hint = "it is a pyramid alone: quorate agreement ANN.pyr BOB.pyr compares the units of several judges."
        raise InputError(f"{file.name}: not an annotated peer.", hint)
    if inside is None or annotation is None:
        lost = "its pyramid" if inside is None else "its annotation"
        raise InputError(
            f"{file.name}: not an annotated peer: {lost} is not there.",
            "a .pan file has the whole pyramid and an annotation in it.",
        )
    pyramid = _pyramid(inside, header, [*notes, *left_out(root)], file.name)
    text = _text(annotation, file.name)
    repairs = Repairs(text)
    scus = tuple(_scu(n, repairs, file.name) for n in units_of(annotation, "peerscu"))
    _refuse_twice(scus, file.name)
    more = [*pyramid.notes, *repairs.notes("peer"), *_placeless(scus, "peer")]
    more += _unlike({s.uid for s in pyramid.scus} - {OUTSIDE}, {s.uid for s in scus} - {OUTSIDE})
    scores = dict(_scores(root.find("score")))
    name = file.base if file.extension not in ("pan", "xml") else file.stem
    return Peer(pyramid, text, scus, name, scores, tuple(more))


def _unlike(known: set[str], said: set[str]) -> Iterator[str]:
    """Notes on units that are in the pyramid or in the peer only."""
    if said - known:
        are = "is" if len(said - known) == 1 else "are"
        weigh = "weighs" if len(said - known) == 1 else "weigh"
        yield f"{many(len(said - known), 'unit')} of the peer {are} not in its pyramid and {weigh} nothing"
    if known - said:
        yield f"{many(len(known - said), 'unit')} of the pyramid not listed in the peer, and so not found there"


# -- reading -----------------------------------------------------------------------------------------------------------


def _text(node: Element, where: str) -> str:
    text = node.find("text")
    if text is None:
        raise InputError(f"{where}: the {node.tag} has no text.", "the element 'text' holds the lines.")
    return "\n".join(words(line) for line in text.findall("line"))


def _pyramid(node: Element, header: str | None, notes: Sequence[str], where: str) -> Pyramid:
    text = _text(node, where)
    repairs = Repairs(text)
    scus = tuple(_scu(n, repairs, where) for n in units_of(node, "scu"))
    _refuse_twice(scus, where)
    stored = node.find("startDocumentRegEx")
    found = Pyramid(text, scus, header if header is not None else words(stored) if stored is not None else "")
    more = [*notes, *repairs.notes("pyramid"), *_placeless(scus, "pyramid"), *_about_models(found)]
    if any(s.uid == OUTSIDE for s in scus):
        more.append("a unit of the pyramid has the uid 0, which is for what fits no unit: it weighs nothing")
    return replace(found, notes=tuple(more))


def _about_models(pyramid: Pyramid) -> Iterator[str]:
    """Notes on how models were found, and on what they say twice."""
    why = unusable(pyramid.header)
    if why:
        yield f"the expression for where models begin is {why}: the usual one is tried"
    elif not pyramid.header:
        yield "no expression for where models begin: the usual one is tried"
    elif not own(pyramid.header, pyramid.text):
        yield "the expression for where models begin finds none: the usual one is tried"
    if not pyramid.models:
        yield "models not found in the text: no modified score"
    elif any(len(c) > len(set(c)) for c in ([pyramid.model(c) for c in s.contributors] for s in pyramid.scus)):
        yield "a model contributes twice to one unit"


def _placeless(scus: Sequence[Scu], what: str) -> list[str]:
    bare = sum(not c.parts for s in scus for c in s.contributors)
    return [f"{what}: {many(bare, 'contributor')} without a place"] if bare else []


def _scu(node: Element, repairs: Repairs, where: str) -> Scu:
    uid = node.attrib.get("uid", "").strip()
    if not uid:
        raise InputError(f"{where}: a unit has no uid.", "each scu and peerscu has the attribute 'uid'.")
    contributors = tuple(_contributor(c, repairs, where) for c in node.findall("contributor"))
    return Scu(uid, _attribute(node, "label"), contributors, _attribute(node, "comment"))


def _contributor(node: Element, repairs: Repairs, where: str) -> Contributor:
    parts = []
    for part in node.findall("part"):
        try:
            start, end = (int(part.attrib.get(n, "")) for n in ("start", "end"))
        except ValueError:
            said = ", ".join(f"{n}={part.attrib.get(n, '')[:20]!r}" for n in ("start", "end"))
            raise InputError(
                f"{where}: a part has no whole numbers as start and end ({said}).",
                "they are the places of its first character and of the one after its last in the text.",
            ) from None
        label = _attribute(part, "label")
        parts.append(Part(label, *repairs.place(label, start, end)))
    return Contributor(_attribute(node, "label"), tuple(parts), _attribute(node, "comment"))


def _attribute(node: Element, name: str) -> str:
    return node.attrib.get(name, "")


def _refuse_twice(scus: Sequence[Scu], where: str) -> None:
    uids = [s.uid for s in scus]
    twice = sorted(u for u, n in Counter(uids).items() if n > 1)
    if twice:
        raise InputError(f"{where}: two units have the same uid: {', '.join(twice[:10])}.", "give each its own uid.")


def _scores(node: Element | None) -> Iterator[tuple[str, float]]:
    for child in node if node is not None else ():
        try:
            value = float(words(child).strip() or child.attrib.get("value", ""))
        except ValueError:  # a figure that DUCView could not compute either
            value = math.nan
        yield child.tag, math.nan if math.isnan(value) else value  # one object, so that equal files are equal


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
    """A pyramid as a ``.pyr`` file in UTF-8; what :func:`read_pyramid` makes of it is the same pyramid."""
    _write(f"<!DOCTYPE pyramid [\n{_INNER}]>\n{pyramid_xml(pyramid)}", path)


def write_peer(peer: Peer, path: PathLike, *, inside: str | None = None) -> None:
    """A peer as a ``.pan`` file; ``inside`` is ``pyramid_xml(peer.pyramid)`` where many peers share it."""
    out = [f"<!DOCTYPE peerAnnotation [\n{_OUTER}{_INNER}]>\n<peerAnnotation>\n", inside or pyramid_xml(peer.pyramid)]
    out += ["<annotation>\n", *_lines(peer.text), *(x for s in peer.scus for x in _unit("peerscu", s))]
    out.append("</annotation>\n")
    if peer.scores:
        figures = (f" <{n}>{'-' if math.isnan(v) else repr(v)}</{n}>\n" for n, v in peer.scores.items())
        out += ["<score>\n", *figures, "</score>\n"]
    _write("".join([*out, "</peerAnnotation>\n"]), path)


def write_peers(peers: Iterable[tuple[Peer, PathLike]]) -> None:
    """Peers as ``.pan`` files; those with one and the same pyramid are quicker together than each alone."""
    last: tuple[Pyramid, str] | None = None
    for peer, path in peers:
        if last is None or last[0] is not peer.pyramid:
            last = peer.pyramid, pyramid_xml(peer.pyramid)
        write_peer(peer, path, inside=last[1])


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
    return _escaped(text).replace('"', "&quot;").replace("\t", "&#9;").replace("\n", "&#10;")


def _write(xml: str, path: PathLike) -> None:
    bad = _ILLEGAL.search(xml)
    if bad:
        raise InputError(f"XML cannot hold the character U+{ord(bad.group()):04X}.", "take it out of the text.")
    with Sink(path).text() as stream:
        stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{xml}')


def said(part: Part, text: str) -> str:
    """What a part says: the text at its place, or its label where it has none."""
    return text[part.start : part.end] if part.start >= 0 else unescape(part.label)


# -- as panels ---------------------------------------------------------------------------------------------------------

HEADER = Option("header", "regular expression for where models begin, when files have none", text)
JUDGES = Option("judges", "of peers: a file that says who judged what (manual.peer, or task[, item], judge)", text)


def sniff_annotated(file: File) -> bool:
    """By the outermost element: NIST's peers have no extension."""
    return bool(outermost(file))


DUCVIEW = Format(
    "ducview",
    ("pan", "pyr"),
    "DUCView: annotated peers (.pan) as scores, pyramids (.pyr) as groupings",
    ("groupings", "scores"),
    elsewhere("quorate.summaries.units.panels", "read_annotated"),
    read_only(
        "a panel of {kind} cannot be written as a pyramid or an annotated peer.",
        "quorate pyramid convert makes .pan and .pyr files from a table of units.",
    ),
    sniff_annotated,
    "ducview",
    (HEADER, JUDGES),
)
