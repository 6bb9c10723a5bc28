"""What a report says, as a document: what came out and what to do, each question, then how it was made.

A question begins with a sentence or two and one picture; what else there is to it is folded on the page, and what only
experts ask for is in a part of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from quorate.document.blocks import Block, Chart, Column, Document, Table, Text
from quorate.document.blocks import Section as Part
from quorate.document.layout import tables
from quorate.formats.inspect import Receipt
from quorate.inference.results import Answer
from quorate.panel.base import ONE_TASK
from quorate.table import Method
from quorate.words.agreement import headline
from quorate.words.facts import Fact, chosen, named
from quorate.words.judges import how
from quorate.words.wording import called

if TYPE_CHECKING:
    from quorate.reports.model import Report
    from quorate.reports.sections import Section

VERDICT, MISSED, NOTES = "verdict", "missed", "notes"  # names of the sections that are no question
EXPERT = (
    "surface",
    "curve-noise",
    "shared-by-all",
    "shared-by-most",
    "curve-sensitivity",
    "q-curve",
)  # charts for experts
CAMPS = ("camps", "camps_part_on")  # tables of the judges that stand open
BOARD = ("leaderboard-consensus", "places")  # of systems that are in a section of their own
AGAIN = "Who leads is told with the systems; here is the same by other ways to put the judgments together."
LEADING = ("stand_in", "judge_kinds")  # facts that come first in a part of its own; else all do
MOST = 6  # of them
ROWS = 15  # rows of a chart that stands open
OPEN = 2  # charts of a page's own part that stand open; with one, of the questions only the leaderboard does


def contents(report: Report) -> Document:
    """The whole report; a note of several sections stands once."""
    noted: set[str] = set()
    parts = [Part("What came out", tuple(_first(report)), VERDICT)]
    own = [Part(part.heading, tuple(_own(part)), part.name) for part in report.parts]
    ranked = any(s.question == "quality" and s.answer for s in report.sections)
    role = bool(own) and "metrics" not in report.panels
    asked = [Part(s.heading, tuple(_blocks(s, ranked, noted, role)), s.question) for s in ordered(report)]
    parts += [*asked, *own] if "metrics" in report.panels else [*own, *asked]
    if report.missed:
        parts.append(Part("What did judges miss?", (Text(tuple(report.missed.lines()), "points"),), MISSED))
    told: list[Block] = [Text((*notes(report), *definitions(report)), "points")]
    told += [Text(("Made by:",)), Text((report.command,), "code")] if report.command else []
    parts.append(Part("Data and methods", tuple(told), NOTES))
    return Document(report.title, tuple(parts), {"kind": report.kind, "about": report.about})


def _own(part: Any) -> Iterator[Block]:
    """What only pages of a role have: what it comes to and pictures, then the rest of what is said, and tables."""
    first = [f.text for f in part.facts if f.name in LEADING][:MOST]
    yield Text(tuple(first) or part.sentences, "lead")
    charts = part.pictures()
    yield from charts[:OPEN]
    rest = tuple(s for s in part.sentences if s not in first) if first else ()
    tables = [b for b in part.blocks() if not (isinstance(b, Text) and b.role == "lead")]
    more = [*([Text(rest)] if rest else []), *charts[OPEN:], *tables]
    if more:
        yield Part(_named(more), tuple(more), f"more-{part.name}", folded=True)


def _first(report: Report) -> Iterator[Block]:
    """The first screen, as a page without pictures has it."""
    screen = report.first_screen
    yield Text((screen.headline,), "lead")
    yield from [Text((screen.sub,))] if screen.sub else []
    yield Text(tuple(map(str, screen.tiles)), "points")
    yield Part("What to do next", (Text(tuple(map(str, screen.steps)), "points"),), "next")


def ordered(report: Report) -> list[Section]:
    """The sections as a reader wants them: votes are about who leads, labels about what to adjudicate, and people and
    models about who may stand in."""
    answers = {s.question: s for s in report.sections}
    panel = report.panels.get("judgments")
    judges = answers["judges"].answer if "judges" in answers else None
    first = "quality" if report.kind == "votes" else "consensus" if getattr(panel, "scale", ()) else "agreement"
    if "metrics" in report.panels:
        order = ["quality", "trust", "agreement", "judges", "consensus"]  # who leads, and which metric says so too
        return sorted(report.sections, key=lambda s: order.index(s.question))
    if judges and named(judges.facts, "stand_in"):
        first = "judges"
    order = [first, "agreement", "judges", "quality", "consensus", "trust"]  # who leads before what it is made of
    return sorted(report.sections, key=lambda s: order.index(s.question))


def leading(answer: Answer, ranked: bool) -> list[Fact]:
    """A sentence or two of an answer, chosen by what they are; ``ranked``: the leaderboard has a section of its own."""
    facts = answer.facts
    if answer.question == "agreement":
        found = chosen(facts, "nothing") or chosen(facts, "agreement")
        told = [*found, *headline(answer, found), *chosen(facts, "confused"), *chosen(facts, "judge_kinds")]
        return [*chosen(facts, "size"), *named(facts, "copies"), *told]
    if answer.question == "judges":
        off = chosen(facts, "nothing", "off", "nobody", most=3)
        judge = [f for f in chosen(facts, "judge", most=9) if "flagged" not in f.data][:1]
        kin = chosen(facts, "own_family", most=2)
        return [*chosen(facts, "stand_in"), *named(facts, "camps"), *off, *kin, *judge]
    if answer.question == "consensus":
        if ranked and answer.kind in ("scores", "votes"):
            return chosen(facts, "nothing") or [Fact("first", AGAIN)]
        most = 2 if any("units" in f.data for f in facts) else 1  # of labels what to adjudicate, too
        return chosen(facts, "first", "leader", "nothing", most=most)
    if answer.question == "quality":
        return chosen(facts, "leader", "nothing") or chosen(facts, "size")
    first = chosen(facts, "repeatable") + chosen(facts, "needed")
    bent = [f for f in named(facts, "effect") if "moved" in f.data]
    return [*bent, *(first + [f for f in named(facts, "trust", "nothing") if not f.expert])[:2]]


def _blocks(section: Section, ranked: bool, noted: set[str], role: bool) -> Iterator[Block]:
    if section.answer is None:
        yield Text((f"No answer: {section.trouble}",))
        return
    facts = leading(section.answer, ranked)
    told = {f.text for f in facts}
    yield Text(tuple(f.text for f in facts), "lead")
    twice = BOARD if ranked and section.answer.kind in ("scores", "votes") else ()
    shown = next((c for c in section.pictures if _small(c) and c.name not in twice), None)
    shown = None if role and section.question != "quality" else shown
    yield from [shown] if shown else []
    camps = [b for b in tables(section.answer) if isinstance(b, Table) and b.name in CAMPS]
    yield from camps
    if section.question == "judges":
        yield from evidence(section.answer.panel, section.answer.more.get("flagged", ()))
    rest = Text(tuple(s for s in section.answer.sentences if s not in told))
    charts = [c for c in section.pictures if c is not shown and c.name not in EXPERT]
    new = tuple(note for note in (*section.answer.notes, *section.notes) if note not in noted)
    noted.update(new)
    folded = [b for b in tables(section.answer) if not (isinstance(b, Table) and b.name in CAMPS)]
    more: list[Block] = [*([rest] if rest.sentences else []), *charts, *folded]
    more += [Text(new, "note")] if new else []
    expert = tuple(c for c in section.pictures if c is not shown and c.name in EXPERT)
    if expert:
        named = "; ".join(c.title.partition(":")[0] for c in expert)
        more.append(Part(f"For experts: {named}", expert, f"expert-{section.question}", folded=True))
    if more:
        yield Part(_named(more), tuple(more), f"more-{section.question}", folded=True)


def _small(chart: Chart) -> bool:
    """Whether a chart is one that stands open: for everybody, and not too high."""
    label = chart.settings.get("label") or ("judge" if chart.form == "heat_map" else "")
    choose = chart.settings.get("choose")
    rows = [r for r in chart.rows if not choose or r.get(choose) == chart.rows[0].get(choose)]
    return chart.name not in EXPERT and (not label or len({r.get(label) for r in rows}) <= ROWS)


def _named(blocks: Sequence[Block]) -> str:
    """What a folded part holds."""
    titles = [b.title.partition(":")[0] for b in blocks if isinstance(b, Chart)]
    number = sum(isinstance(b, Table) for b in blocks)
    return "; ".join(["More", *titles[:3], *(["tables"] if number else [])]).replace("More;", "More:", 1)


def evidence(panel: Any, flagged: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    """For each flagged judge the answers that are most unlike the others'."""
    judges: dict[Any, list[Mapping[str, Any]]] = {}
    for flag in flagged:
        judges.setdefault(flag["judge"], []).append(flag)
    for k, (judge, flags) in enumerate(judges.items(), 1):
        said = tuple(f"{how(panel, judge, f['diagnosis'], f.get('criterion', ''))}." for f in flags)
        found = [row | _criterion(f) for f in flags for row in f["evidence"].get("answers", ())]
        heading = f"{called(judge)}: the answers most unlike the others'"
        yield Part(heading, (Text(said), *_answers(panel, found, heading)), f"off-{k}", folded=True)


def _criterion(flag: Mapping[str, Any]) -> dict[str, Any]:
    return {"criterion": flag["criterion"]} if "criterion" in flag else {}


def _answers(panel: Any, rows: Sequence[Mapping[str, Any]], title: str) -> Iterator[Table]:
    own, others = (
        ("place", "mean place of the others") if panel.kind == "orderings" else ("score", "mean of the others")
    )
    columns = (
        Column("criterion", "criterion"),
        Column("task", "task"),
        Column("item", "item"),
        Column("own", own, "place"),
        Column("others", others, "figure"),
        Column("same", "others who answer the same", "share"),
    )
    there = [c for c in columns if any(c.key in r and not (c.key == "task" and r["task"] == ONE_TASK) for r in rows)]
    if rows and there:
        cells = tuple(tuple(r.get(c.key) for c in there) for r in rows)
        yield Table(title, tuple(there), cells, name="evidence", keys=1)


def notes(report: Report) -> list[str]:
    """Data and settings, a line each."""
    out = [f"Panel: {report.about}.", *files(report), *receipt(report)]
    out += [f"While reading: {note}." for note in report.repaired] or [
        "While reading: nothing was skipped or repaired."
    ]
    out.append("Parameters: " + ", ".join(f"{k}={v}" for k, v in report.parameters.items()) + ".")
    out.append("Versions: " + ", ".join(f"{k} {v}" for k, v in report.versions.items()) + ".")
    return out


def files(report: Report) -> list[str]:
    """The files that it was made from, a line each."""
    return [f"File ({i.role}): {i.name}, {i.size:,} bytes, SHA-256 {i.sha256}" for i in report.inputs]


def receipt(report: Report) -> list[str]:
    """What the judgments were read as, a line each, where they come from a file."""
    panel = report.panels.get("judgments")
    told = Receipt(panel).facts() if panel is not None and panel.reading.files else []
    return [f"What is said here of rows is of {report.some}.", *told] if told and report.some else told


def definitions(report: Report) -> list[str]:
    """What every method is, a line each."""
    return [f"{m} ({m.declaration.question}): {definition(m)}" for m in report.methods]


def definition(m: Method) -> str:
    """What a method is, what a higher value means, and where it comes from."""
    said = m.declaration
    after = f" After {said.reference}." if said.reference else ""
    return f"{said.summary} Higher: {said.higher}.{after}"
