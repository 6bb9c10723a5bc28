"""A made-up collection like those of TAC, for trying everything without licensed data: seeded, in any size.

Invented words make facts, facts make sentences, sentences make documents. Systems take sentences out of the documents,
so that strings are shared and runs of one team are often identical; how badly they write shows in their texts. Models
say the facts in words of their own. A judge's score follows what a text says and how it reads. One judge misses much of
what there is (``careless``: F); one gives erratic scores, and on some summaries marks little of what is there
(``erratic`` and ``lapses``: C). What was planted is what the tools must find: both of them in the pyramid scores, by
alpha over identical summaries and by manual minus automatic scores; C also by alpha on the other two criteria, where F
is like everybody.

Systems are others every year, as in a real collection, where their numbers are given anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from quorate.errors import BadParameter
from quorate.formats.ducview import (
    OUTSIDE,
    Contributor,
    Part,
    Peer,
    Pyramid,
    Scu,
    annotated,
    write_peers,
    write_pyramid,
)
from quorate.kernels.streams import stream
from quorate.summaries.units import made_up_texts as texts
from quorate.summaries.units.made_up_texts import Fact
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.pyramid import Score, model_scores, scores
from quorate.summaries.units.reading import from_peers

LIMIT = 100  # words of a summary
WORST, BEST = 0.25, 0.55  # shares of what matters that summaries say
OLD, NEW, KEPT = 44, 34, 10  # facts of a topic, of its update, and how many of the old ones the update says again
JUDGES = "ABCDEFGH"
MARK = "made-up.json"  # beside the years: how the collection was made, so that nobody takes it for a real one
PAIRS = 40  # identical pairs of a judge in a year; TAC had 30 to 60
LEAST, MOST = 0.18, 0.9  # share of tasks on which two runs are identical: in TAC, and in the smallest collections
LOST = 0.6  # share of what is there that a judge misses in a lapse
PERSON = 4.6  # how people write and what they say, on a scale of 5
CONTENT = 0.6  # of responsiveness; the rest is how a summary reads
HEADER = r"[-]*\n D[0-9]*-[A-Z]\.M\.100\.[A-Z]\.[A-Z]\n[-]*\n"
Generator = np.random.Generator


@dataclass(frozen=True)
class MadeUp:
    """How large the collection is, and what is wrong with its judges.

    >>> small = MadeUp(years=1, topics=2, systems=6)
    >>> [d.name for d in small.docsets(2009)]
    ['D0901-A', 'D0901-B', 'D0902-A', 'D0902-B']
    """

    years: int = 3
    topics: int = 45
    systems: int = 50
    judges: str = ""  # by default A to H; with fewer than 16 topics A to F or G, so that each has two topics
    seed: int = 0
    first: int = 2009
    documents: int = 10
    misses: float = 0.03  # share of what is there that a good judge misses
    careless: Mapping[str, float] = field(default_factory=lambda: {"F": 0.35})
    noise: float = 0.2  # standard deviation of a good judge's scores, on a scale of 5
    erratic: Mapping[str, float] = field(default_factory=lambda: {"C": 1.5})
    lapses: Mapping[str, float] = field(default_factory=lambda: {"C": 0.35})  # share of summaries on which it fails
    identical: float | None = None  # share of tasks on which the second run of a team equals the first; see `alike`

    def __post_init__(self) -> None:
        object.__setattr__(self, "judges", self.judges or JUDGES[: max(6, min(8, self.topics // 2))])
        if min(self.years, self.topics, self.systems, self.documents) < 1 or len(set(self.judges)) < 4:
            raise BadParameter("the collection is too small.", "at least 1 year, topic, system, document and 4 judges.")
        unknown = (set(self.careless) | set(self.erratic) | set(self.lapses)) - set(self.judges)
        if unknown:
            raise BadParameter(f"no judge {', '.join(sorted(unknown))}.", f"judges are {', '.join(self.judges)}.")

    @property
    def alike(self) -> float:
        """The share of tasks on which two runs are identical: as asked, else about 40 pairs a judge and year.

        In a collection of TAC's size that is TAC's share. In a small one it is more, at most 0.9: alpha needs pairs.

        >>> MadeUp().alike, round(MadeUp(topics=24, systems=20).alike, 2), MadeUp(topics=12, systems=12).alike
        (0.18, 0.74, 0.9)
        """
        possible = 2 * self.topics * max((self.systems - 1) // 2, 1) / len(self.judges)
        return min(max(PAIRS / possible, LEAST), MOST) if self.identical is None else self.identical

    def year_names(self) -> range:
        """The years."""
        return range(self.first, self.first + self.years)

    def docsets(self, year: int) -> Iterator[DocSet]:
        """Every doc set of a year: two for each topic, A and the update B."""
        for topic in range(1, self.topics + 1):
            yield from _topic(self, year, topic)

    def table(self, year: int) -> ContentUnits:
        """The year's annotated peers as a table of units."""
        return from_peers((p for d in self.docsets(year) for p in d.annotated.values()), lambda p: p.name.split(".")[3])

    def write(self, folder: str | Path) -> None:
        """The collection on disk, laid out as NIST hands it out, with a file that says how it was made up."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        made = {"made up by": "quorate", **asdict(self), "identical": self.alike}
        Path(folder, MARK).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        for year in self.year_names():
            base = Path(folder, str(year))
            name = f"UpdateSumm{year % 100:02d}_eval" if year < 2010 else f"GuidedSumm{year}_eval"
            manual, rouge = base / name / "manual", base / name / "ROUGE"
            for place in (manual / "pyramids", manual / "peers", rouge / "models", rouge / "peers"):
                place.mkdir(parents=True, exist_ok=True)
            tables: dict[str, list[str]] = {}
            for d in self.docsets(year):
                _write_docset(d, base, manual, rouge)
                for kind, lines in d.tables(year).items():
                    tables.setdefault(kind if year == 2008 else f"{kind}.{d.name[-1]}", []).extend(lines)
            for kind, lines in tables.items():
                (manual / kind).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@dataclass(frozen=True)
class DocSet:
    """One task: documents, models, peers, their pyramid and annotation, and what the judge says of them."""

    name: str
    judge: str
    documents: Mapping[str, Sequence[str]]  # sentences by document
    models: Mapping[str, str]
    peers: Mapping[str, str]
    pyramid: Pyramid
    annotated: Mapping[str, Peer]
    quality: Mapping[str, int]  # linguistic quality, of models and peers
    responsiveness: Mapping[str, int]

    def id(self, summarizer: str) -> str:
        """The identifier of a summary."""
        return f"{self.name}.M.{LIMIT}.{self.judge}.{summarizer}"

    @cached_property
    def units(self) -> ContentUnits:
        """The annotated peers as a table of units."""
        return from_peers(self.annotated.values())

    def scores(self) -> dict[str, Score]:
        """The pyramid scores by peer."""
        return {str(s.item): s for s in scores(self.units)}

    def tables(self, year: int) -> dict[str, list[str]]:
        """Lines of NIST's score tables: ``manual.peer`` and ``manual.model``; one more column from 2009 on."""
        more = [] if year == 2008 else [self.judge]
        peers = []
        for p, s in self.scores().items():
            head = [self.name, p, f"{s.modified:.3f}", str(s.found), str(s.repetitions), self.judge, *more]
            peers.append("\t".join([*head, f"{s.jackknife:.3f}", str(self.quality[p]), str(self.responsiveness[p])]))
        models = []
        for row in model_scores(self.units):
            m = row["model"]
            head = [self.name, m, str(row["found"]), self.judge, *more, f"{row['modified']:.3f}"]
            models.append("\t".join([*head, str(self.quality[m]), str(self.responsiveness[m])]))
        return {"manual.peer": peers, "manual.model": models}


# -- doc sets ----------------------------------------------------------------------------------------------------------


def _topic(made: MadeUp, year: int, topic: int) -> Iterator[DocSet]:
    rng = stream(made.seed, "made_up", year, topic)
    number = f"D{year % 100:02d}{topic:02d}"
    judge = made.judges[(topic - 1 + year) % len(made.judges)]
    old = texts.facts(rng, OLD)
    systems = {str(k): _behaviour(made, year, str(k)) for k in range(1, made.systems + 1)}
    for part in "AB":
        known = old if part == "A" else [*texts.facts(rng, NEW), *old[:KEPT]]
        yield _docset(made, rng, f"{number}-{part}", judge, known, systems, 10 if year == 2009 else 5)


def _docset(
    made: MadeUp, rng: Generator, name: str, judge: str, known: list[Fact], systems: Mapping[str, Behaviour], scale: int
) -> DocSet:
    pool = texts.sentences(rng, known, 6 * made.documents)
    documents = {}
    for k in range(made.documents):
        chosen = rng.choice(len(pool), min(12, len(pool)), replace=False)
        documents[f"NEWS_{name}_{k + 1:02d}"] = [pool[c][0] for c in chosen]
    others = [str(j) for j in rng.permutation([j for j in made.judges if j != judge])]
    said = {w: _chosen(rng, known) for w in sorted([judge, *others[:3]])}
    models = {w: _model(rng, w, listed) for w, listed in said.items()}
    missed = made.careless.get(judge, made.misses)
    seen = {w: [f for f in listed if rng.random() >= missed] for w, listed in said.items()}
    pyramid = _pyramid(f"{name}.M.{LIMIT}.{judge}", seen, models, known)
    peers = dict(_peers(made, rng, pool, documents, systems))
    units = {s.label: s.uid for s in pyramid.scus}
    annotated, quality, responsiveness = {}, {}, {}
    spread = made.erratic.get(judge, made.noise)
    for p, written in peers.items():
        lapse = rng.random() < made.lapses.get(judge, 0.0)
        found = _annotate(rng, LOST if lapse else missed * float(rng.uniform(0, 2)), written.text, known, units)
        annotated[p] = _peer(pyramid, written.text, f"{name}.M.{LIMIT}.{judge}.{p}", found)
    for who in (*models, *peers):
        readable, content = (PERSON, PERSON) if who in models else _true(peers[who], known)
        quality[who] = _grade(rng, readable, spread, scale)
        responsiveness[who] = _grade(rng, CONTENT * content + (1 - CONTENT) * readable, spread, scale)
    said_by = {p: w.text for p, w in peers.items()}
    return DocSet(name, judge, documents, models, said_by, pyramid, annotated, quality, responsiveness)


def _chosen(rng: Generator, known: Sequence[Fact]) -> list[Fact]:
    """The facts that a writer thinks worth a place."""
    weight = np.array([f.importance for f in known])
    order = np.argsort(-(np.log(weight) + 0.6 * rng.gumbel(size=len(known))), kind="stable")
    out, words = [], 0
    for k in order.tolist():
        if words + len(known[k].words) > LIMIT:
            break
        out.append(known[k])
        words += len(known[k].words)
    return out[: int(rng.integers(10, 16))]


def _model(rng: Generator, writer: str, listed: Sequence[Fact]) -> str:
    """A person's summary: sentences of one to three facts, in the writer's own words."""
    lines, left = [], list(listed)
    while left:
        size = int(rng.integers(1, 4))
        lines.append(", and ".join(f.by(writer) for f in left[:size]).capitalize() + ".")
        left = left[size:]
    return "\n".join(lines)


def _true(written: texts.Written, known: Sequence[Fact]) -> tuple[float, float]:
    """How readable a summary is and how much it says, from 1 to 5: what a judge without error would see."""
    share = (texts.share_said(written.text, known) - WORST) / (BEST - WORST)
    return written.readability, 1 + 4 * min(max(share, 0.0), 1.0)


def _grade(rng: Generator, true: float, spread: float, scale: int) -> int:
    value = true + spread * float(rng.normal())
    return int(np.clip(round(value * scale / 5), 1, scale))


# -- systems -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Behaviour:
    """How well a system chooses sentences, from 0 to 1, and how badly it writes."""

    skill: float
    habits: Mapping[str, float]


def _behaviour(made: MadeUp, year: int, system: str) -> Behaviour:
    """Runs of one team are alike, not equal."""
    both, own = (stream(made.seed, "made_up", *of) for of in (("team", year, team(system)), ("run", year, system)))
    skill, careless = (float(both.random()) for _ in range(2))
    skill, careless = (min(max(t + float(own.uniform(-0.2, 0.2)), 0.0), 1.0) for t in (skill, careless))
    return Behaviour(0.15 + 0.8 * skill, texts.habits(own, careless))


def team(system: str) -> str:
    """Whose run it is: 2 and 3, 4 and 5, ... are of one team."""
    return str(int(system) // 2)


def _peers(
    made: MadeUp,
    rng: Generator,
    pool: Sequence[tuple[str, float]],
    documents: Mapping[str, Sequence[str]],
    systems: Mapping[str, Behaviour],
) -> Iterator[tuple[str, texts.Written]]:
    """Summaries of systems 1, 2, ...: 1 takes the first sentences; 2 and 3, 4 and 5, ... are runs of one team."""
    worth = dict(pool)
    sentences = list(dict.fromkeys(s for d in documents.values() for s in d))
    before = texts.Written("", texts.FLAWLESS)
    for k in range(1, made.systems + 1):
        who = systems[str(k)]
        if k % 2 and k > 1 and rng.random() < made.alike:
            yield str(k), before
            continue
        order = list(next(iter(documents.values())))
        if k > 1:
            seen = [who.skill * worth[s] + (1 - who.skill) * float(rng.random()) for s in sentences]
            order = [sentences[n] for n in np.argsort(np.negative(seen), kind="stable").tolist()]
        before = texts.write(rng, order, who.habits, LIMIT)
        yield str(k), before


# -- annotation --------------------------------------------------------------------------------------------------------


def _pyramid(
    head: str, said: Mapping[str, Sequence[Fact]], models: Mapping[str, str], known: Sequence[Fact]
) -> Pyramid:
    text, begins = "", {}
    for writer, model in models.items():
        text += f"-----\n {head}.{writer}\n-----\n\n"
        begins[writer] = len(text)
        text += model + "\n\n"
    scus: list[Scu] = []
    for fact in known:
        mine = [w for w in models if fact in said[w]]
        if mine:
            contributors = tuple(_contributor(text, fact.by(w), begins[w]) for w in mine)
            scus.append(Scu(str(len(scus) + 1), fact.clause.capitalize(), contributors))
    return Pyramid(text, tuple(scus), HEADER)


def _contributor(text: str, words: str, after: int) -> Contributor:
    at = text.lower().index(words, after)
    found = text[at : at + len(words)]
    return Contributor(found, (Part(found, at, at + len(words)),))


def _annotate(
    rng: Generator, missed: float, text: str, known: Sequence[Fact], units: Mapping[str, str]
) -> dict[str, list[Contributor]]:
    """What the judge finds: every fact that the text says in full, unless the judge misses it.

    Attention comes and goes: of one summary nothing is missed, of the next twice as much as on average.
    """
    low = text.lower()
    found: dict[str, list[Contributor]] = {}
    for fact in known:
        uid = units.get(fact.clause.capitalize(), OUTSIDE)
        at = low.find(fact.clause)
        while at >= 0:
            end = at + len(fact.clause)
            if rng.random() >= (missed if uid != OUTSIDE else 0.4):
                found.setdefault(uid, []).append(Contributor(text[at:end], (Part(text[at:end], at, end),)))
            at = low.find(fact.clause, end)
    return found


def _peer(pyramid: Pyramid, text: str, name: str, found: Mapping[str, Sequence[Contributor]]) -> Peer:
    return annotated(pyramid, text, name, ((s.uid, len(s.contributors), s.label) for s in pyramid.scus), found)


# -- on disk -----------------------------------------------------------------------------------------------------------


def _write_docset(d: DocSet, base: Path, manual: Path, rouge: Path) -> None:
    place = base / "docs" / d.name.partition("-")[0] / d.name
    place.mkdir(parents=True, exist_ok=True)
    for name, sentences in d.documents.items():
        inside = "".join(f"<P>\n{s}\n</P>\n" for s in sentences)
        (place / name).write_text(f'<DOC id="{name}">\n<TEXT>\n{inside}</TEXT>\n</DOC>\n', encoding="utf-8")
    write_pyramid(d.pyramid, manual / "pyramids" / f"{d.name}.pyr")
    every: dict[str, Any] = {"models": d.models, "peers": d.peers}
    for kind, summaries in every.items():
        for who, text in summaries.items():
            (rouge / kind / d.id(who)).write_text(text + "\n", encoding="utf-8")
    write_peers((peer, manual / "peers" / peer.name) for peer in d.annotated.values())
