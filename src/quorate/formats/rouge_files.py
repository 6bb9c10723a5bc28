"""ROUGE's own files: the set-up (XML) with the texts it names, and the lines that ROUGE prints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree.ElementTree import Element

from quorate.errors import InputError
from quorate.formats.files import Bad, File, PathLike, bad_lines
from quorate.formats.plain_xml import parse, words

SENTENCES = {
    "ISI": re.compile(r'^<S SNTNO="[0-9a-z,]+">([^<]+)</S>', re.M),
    "SEE": re.compile(r'^<a (?:size="\d+" )?name="\d+">\[\d+\]</a>\s+<a href="#\d+" id=\d+>([^<]+)', re.M),
}
STYLES = ("SPL", "SIMPLE", *SENTENCES)  # as they stand: a sentence a line, and a basic element a line
DASHES, DOTS = "-" * 45, "." * 45


# -- the set-up --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """One ``EVAL``: summaries of systems and the models they are compared with, by name and text."""

    id: str
    peers: tuple[tuple[str, str], ...]
    models: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    style: str = "SPL"


def read_setup(source: PathLike) -> list[Evaluation]:
    """The evaluations of a set-up file. Folders in it are looked up beside the file, then from where we are."""
    file = File(source)
    top, notes = parse(file)
    if top.tag.upper() not in ("ROUGE_EVAL", "ROUGE-EVAL"):  # the script looks at neither; programs write both
        raise InputError(f"{file.name}: no ROUGE set-up but <{top.tag}>.", "its outermost element is <ROUGE-EVAL>.")
    read = _Texts(file)
    out = [_evaluation(node, file, read, tuple(notes)) for node in _all(top, "EVAL")]
    if not out:
        raise InputError(f"{file.name}: no <EVAL> in it.", "a set-up lists its evaluations.")
    out = _all_there(out, read, file)
    twice = [i for i, n in Counter(e.id for e in out).items() if n > 1]
    if twice:
        raise InputError(f"{file.name}: two evaluations are called {twice[0]}.", "an ID stands for one evaluation.")
    return out


def _evaluation(node: Element, file: File, read: _Texts, notes: tuple[str, ...]) -> Evaluation:
    name = _attribute(node, "ID", file)
    style = next((_attribute(n, "TYPE", file) for n in _all(node, "INPUT-FORMAT")), "SPL").upper()
    if style not in STYLES:
        raise InputError(f"{file.name}: {name}: input format {style} is not read.", f"{', '.join(STYLES)} are.")
    parts: list[tuple[tuple[str, str], ...]] = []
    for root, group, tag in (("PEER-ROOT", "PEERS", "P"), ("MODEL-ROOT", "MODELS", "M")):
        folder = next((words(n).strip() for n in _all(node, root)), "")
        members = [m for g in _all(node, group) for m in _all(g, tag)]
        found = [(_attribute(m, "ID", file), read(folder, words(m).strip(), style)) for m in members]
        if not found:
            raise InputError(f"{file.name}: {name}: no {group.lower()}.", f"<{group}> holds <{tag} ID=...> elements.")
        twice = [i for i, n in Counter(i for i, _ in found).items() if n > 1]
        if twice:
            raise InputError(f"{file.name}: {name}: <{tag}> {twice[0]} is there twice.", "an ID stands for one text.")
        parts.append(tuple(found))
    return Evaluation(name, parts[0], parts[1], notes, style)


def read_list(source: PathLike, style: str = "SPL", system: str = "X") -> list[Evaluation]:
    """The evaluations of a list of files, as with ``-z``: a line has a summary and its models; ``#`` begins a comment.

    All summaries are of one system. Evaluations are numbered from 1, models are called M.1, M.2, ...
    """
    file = File(source)
    style = style.upper()
    if style not in STYLES:
        raise InputError(f"input format {style} is not read.", f"{', '.join(STYLES)} are.")
    read = _Texts(file)
    out: list[Evaluation] = []
    bad: Bad = []
    with file.text() as stream:
        for number, line in enumerate(stream, 1):
            names = line.split()
            if not names or line.startswith("#"):
                continue
            if len(names) < 2:
                bad.append((number, line.strip()[:60]))
                continue
            peer, *models = (read("", name, style) for name in names)
            listed = tuple((f"M.{k}", text) for k, text in enumerate(models, 1))
            out.append(Evaluation(str(len(out) + 1), ((system, peer),), listed, style=style))
    if bad:
        raise bad_lines(file.name, "no model behind the summary", bad, "a line has a summary and its models.")
    if not out:
        raise InputError(f"{file.name}: nothing in it.", "a line has a summary and its models.")
    return _all_there(out, read, file)


def _all_there(out: list[Evaluation], read: _Texts, file: File) -> list[Evaluation]:
    """The evaluations, with a note on texts of another encoding; texts that are not there are an error."""
    if read.missing:
        raise InputError(
            "texts of the set-up are not there",
            "they are looked up beside the set-up file (in PEER-ROOT and MODEL-ROOT) and in the current folder.",
            source=file.name,
            problems=[(None, m) for m in read.missing],
        )
    if not read.latin:
        return out
    said = f"not UTF-8 and read as Latin-1: {read.latin:,} texts"
    return [replace(out[0], notes=(*out[0].notes, said)), *out[1:]]


class _Texts:
    """Texts by folder and name, each file read once; what is not there is remembered."""

    def __init__(self, setup: File) -> None:
        self.beside = setup.path.parent if setup.path else Path()
        self.missing: list[str] = []
        self.latin = 0
        self._known: dict[tuple[Path, str], str] = {}

    def __call__(self, folder: str, name: str, style: str) -> str:
        path = self.beside / folder / name
        if not path.is_file():
            path = Path(folder) / name
        if not name or not path.is_file():
            self.missing.append(f"{folder}/{name}" if folder else name)
            return ""
        if (path, style) not in self._known:
            with File(path).binary() as stream:
                content = stream.read()
            try:
                text = content.decode("utf-8-sig")
            except UnicodeDecodeError:
                text = content.decode("latin-1")
                self.latin += 1
            if style == "SIMPLE":
                element_fields(text, File(path).name)
            elif style != "SPL":
                text = "\n".join(s.replace("\n", " ") for s in SENTENCES[style].findall(text))
            self._known[path, style] = text
        return self._known[path, style]


def element_fields(text: str, name: str | None = None) -> list[tuple[str, str, str]]:
    """Head, modifier and relation of every line ``HEAD|MODIFIER|RELATION``."""
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
    out = [line.rstrip("|").split("|") for line in lines]  # bars at the end are none, as in Perl
    bad: Bad = [(k, lines[k - 1][:60]) for k, f in enumerate(out, 1) if len(f) != 3]
    if bad:
        hint = "a line is HEAD|MODIFIER|RELATION, with NIL for none; a parser makes them."
        raise bad_lines(name or "a text of basic elements", "not a basic element", bad, hint)
    return [(f[0], f[1], f[2]) for f in out]


def _all(node: Element, tag: str) -> Iterator[Element]:
    return (c for c in node if c.tag.upper() == tag)


def _attribute(node: Element, name: str, file: File) -> str:
    for key, value in node.attrib.items():
        if key.upper() == name:
            return value.strip()
    raise InputError(f"{file.name}: <{node.tag}> without {name}.", f'write <{node.tag} {name}="...">.')


def read_words(source: PathLike) -> dict[str, str]:
    """Lines of a word, and of a stem where there is one: stop words, or WordNet's exception lists."""
    with File(source).text() as stream:
        fields = [line.split() for line in stream if line.strip()]
    return {f[0].lower(): f[-1].lower() for f in fields}


# -- what ROUGE prints -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Average:
    """A system's figures by one variant: R, P and F, each with the ends of its interval; and those of its summaries."""

    system: str
    variant: str
    figures: Sequence[tuple[float, float, float]]  # mean, low, high of R, P, F
    each: Sequence[tuple[str, Sequence[float]]]  # name of the summary, and R, P, F
    counts: tuple[float, float, float] | None = None  # by tokens: in references, in summaries, in both; so is ``each``


def output_lines(averages: Iterable[Average], level: float = 0.95, *, raw: bool = False) -> str:
    """What ROUGE-1.5.5 prints with ``-d``, to the letter; ``raw`` counts as with ``-t 2``."""
    out: list[str] = []
    for a in averages:
        out.append(DASHES)
        if raw and a.counts:
            named = zip(("M_count", "P_count", "H_count"), a.counts, strict=True)
            out.append(f"{a.system} {a.variant} " + " ".join(f"{name}: {int(n)}" for name, n in named))
        for letter, (mean, low, high) in zip("RPF", () if raw else a.figures, strict=not raw):
            inside = f"({level * 100:g}%-conf.int. {low:7.5f} - {high:7.5f})"
            out.append(f"{a.system} {a.variant} Average_{letter}: {mean:7.5f} {inside}")
        out.append(DOTS)
        for name, values in a.each:
            form = "7.5f" if a.counts is None else ".15g"  # counts are printed as they are, under the same letters
            cells = " ".join(f"{letter}:{v:{form}}" for letter, v in zip("RPF", values, strict=True))
            out.append(f"{a.system} {a.variant} Eval {name} {cells}")
    return "".join(f"{line}\n" for line in out)
