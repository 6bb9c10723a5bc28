"""What commands about groupings show that is no answer to a question: advice, checked sheets, sentence sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from quorate.document.blocks import Block, Document, Section, Table, Text, columns
from quorate.document.result import Result
from quorate.errors import InputError, UnknownId, suggest
from quorate.inference.results import clean

if TYPE_CHECKING:
    from quorate.groupings.guidelines import Check
    from quorate.groupings.moves import Advice, Move
    from quorate.groupings.sentence_sets import SentenceSet
    from quorate.groupings.sheet import Sheet
    from quorate.groupings.two_judges import Comparison

NAMED = 4  # items of a group that are named
TITLES = {"clusters": "How to cluster", "cards": "How to sort the cards"}


def comparison(panel: Any, names: str, absent: str | None = None) -> Comparison:
    """Two judges of a panel of groupings compared; ``names`` is A,B."""
    from quorate.groupings import compare

    if panel.kind != "groupings":
        raise InputError(f"--compare is for groupings; this panel holds {panel.kind}.")
    known = {str(j): j for j in panel.judges}
    wanted = [n.strip() for n in names.split(",")]
    if len(wanted) != 2:
        raise InputError(f"--compare {names}: two judges are needed.", "write --compare A,B.")
    for n in wanted:
        if n not in known:
            raise UnknownId(f"no judge '{n}'.", suggest(n, known, "The panel's judges"))
    return compare(panel, known[wanted[0]], known[wanted[1]], absent)


@dataclass(frozen=True)
class Moves(Result):
    """What to move in a system's clusterings, so that they come nearer to most judges; so many moves are shown."""

    all_rows: ClassVar[bool] = True

    found: Sequence[Advice]
    most: int

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Every task's moves."""
        return {"explanations": [a.to_dict() for a in self.found]}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row a move."""
        out = []
        for a in self.found:
            for m in a.moves:
                what = {"item": m.item, "do": m.do, "with": " ".join(map(str, m.to))}
                figures = {"support": m.support, "now": m.now, "votes": m.votes}
                out.append({"task": a.task, "system": a.system, **what, **figures})
        return out

    def blocks(self, **how: Any) -> Iterator[Block]:
        """A sentence and a table for each task."""
        heads = columns("item", "what_to_do:text", "judges:share", "now:share")
        for a in self.found:
            head = f"{a.task}: {a.system} and a judge agree on {a.agreement:.0%} of the pairs of items"
            if not a.moves:
                yield Text((f"{head}; no move brings it nearer to most judges.",))
                continue
            many = "1 move makes" if len(a.moves) == 1 else f"{len(a.moves)} moves make"
            yield Text((f"{head}; {many} it {a.after:.0%}.",))
            rows = tuple((m.item, _todo(m), clean(m.support), clean(m.now)) for m in a.moves[: self.most])
            more = f"... and {len(a.moves) - self.most} more moves (--most)." if len(a.moves) > self.most else ""
            yield Table("", heads, rows, more)


def _todo(m: Move) -> str:
    if m.do == "leave out":
        return "leave it out"
    more = f" and {len(m.to) - NAMED} more" if len(m.to) > NAMED else ""
    where = f"with {', '.join(map(str, m.to[:NAMED]))}{more}" if m.to else "in a group of its own"
    return f"{'take it in' if m.do == 'take in' else 'put it'} {where}"


def check_blocks(found: Check) -> list[Block]:
    """The outcome of a check: what was found, and every mistake."""
    rows = tuple((b.task, b.judge, b.message) for b in found.breaches)
    out: list[Block] = [Text(tuple(found.sentences))]
    return [*out, Table("", columns("task", "judge", "mistake:text"), rows, keys=2)] if rows else out


def set_blocks(found: SentenceSet) -> list[Block]:
    """What is in a sentence set, and why."""
    taken = sum(c.taken for c in found.choices)
    head = f"{len(found.sentences)} sentences from {taken} of {len(found.choices)} documents."
    heads = columns("document", "date", "sentences:count", "taken:yes", "because:text")
    rows = tuple((c.document, c.date or None, c.sentences, c.taken, c.reason) for c in found.choices)
    notes: list[Block] = [Text(tuple(found.notes), "note")] if found.notes else []
    return [Text((head,)), Table("", heads, rows), *notes]


def sheet_document(found: Sheet) -> Document:
    """The sheet as a document."""
    return Document(TITLES[found.profile], tuple(_blocks_of_sheet(found)), {})


def _blocks_of_sheet(found: Sheet) -> Iterator[Block]:
    from quorate.groupings.guidelines import NEEDS

    numbered = [f"{k}. {step}" for k, step in enumerate(found.steps, 1)]
    yield Section("What to do", (Text(tuple(numbered), "lead"),))
    yield Section("What to aim at", (Text(found.guidelines, "points"),))
    checked = tuple(f"{says[0].upper()}{says[1:]}." for says in found.rules.values())
    yield Section("What will be checked", (Text(checked, "points"),))
    if found.items:
        names = [n for n in ("item", "source", "date", "text") if n in found.items[0]]
        needed = dict.fromkeys(NEEDS[rule][0] for rule in found.rules if rule in NEEDS)
        asked = ["group", *(n for n in needed if n != "source")]  # what the judge fills in
        heads = columns(*(f"{n}:text" if n == "text" else n for n in names), *asked)
        rows = tuple((*(row.get(n) for n in names), *([""] * len(asked))) for row in found.items)
        yield Section("The items", (Table("", heads, rows),))
