"""What stands in a panel's place while its rows are in files: names, facts, and what methods say of the pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.results import Options
from quorate.inference.samples import TASKS
from quorate.inference.usual_methods import fitting, with_absence
from quorate.kernels.streams import sample, stream
from quorate.panel.base import Panel, many
from quorate.panel.by_name import MANY, by_name, name_order
from quorate.panel.clusterings import clustering_design
from quorate.panel.columns import Coded
from quorate.panel.design import Design, Values
from quorate.panel.grouping_design import GroupingDesign, without_treatment
from quorate.panel.kinds import Groupings, Orderings, Scores
from quorate.panel.lists import list_design
from quorate.panel.partitions import UNSHOWN
from quorate.panel.sheets import Sheets
from quorate.panel.stacks import OrderingDesign
from quorate.panel.votes import Votes
from quorate.scale.consensus import ConsensusRows
from quorate.scale.designs import (
    Scanned,
    ScannedClusterings,
    ScannedGroupings,
    ScannedLists,
    ScannedOrderings,
    put_together,
    renumbered,
)
from quorate.scale.jobs import (
    Ask,
    Facts,
    Found,
    NamedSheets,
    numbers,
    sheets_of,
    some_tasks,
    together,
    work,
)
from quorate.scale.pool import Job
from quorate.scale.scores import ScoreRows
from quorate.scale.survey import beside
from quorate.scale.votes import VoteRows
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.scale.files import Scan

Array = NDArray[Any]
NOTHING = np.zeros(0, np.uint8)


class Elsewhere(ConsensusRows):
    """The rows of a scan, and what is asked of them: one pass over the files answers all methods of a question."""

    def __init__(self, scan: Scan, without: tuple[Hashable, ...] = (), beside: Any = None) -> None:
        self.scan = scan
        self.without = without
        self.beside = beside  # systems' lists, a scan too
        self.asked = Ask(scan.kind, "agreement", ())
        self._found: dict[Ask, list[Found]] = {}
        self._values: dict[str, Values] = {}

    # -- names ---------------------------------------------------------------------------------------------------------

    @property
    def survey(self) -> Any:
        """What is in the files."""
        return self.scan.survey

    @property
    def of_systems(self) -> bool:
        """Whether there is a column of systems."""
        return self.scan.survey.source.column("system") is not None

    @cached_property
    def tasks(self) -> tuple[Hashable, ...]:
        """In the order of their names, those that still have a judge."""
        names = self.scan.survey.tasks
        if self.without or self.scan.skipped:
            there = {t for one in self.pieces() for t in one.tasks}
            names = tuple(t for t in names if t in there)
        return tuple(names[k] for k in name_order(names))

    @cached_property
    def judges(self) -> tuple[Hashable, ...]:
        """In the order of their names."""
        names = [j for j in self.scan.survey.judges if j not in self.without]
        return tuple(names[k] for k in name_order(names))

    @cached_property
    def number(self) -> dict[Hashable, int]:
        """The number of every task."""
        return {t: k for k, t in enumerate(self.tasks)}

    @cached_property
    def facts(self) -> Facts:
        """What sentences need to know."""
        found = self.pieces()
        return together([f.facts for f in found], [numbers(f.tasks, self.number) for f in found], len(self.tasks))

    @property
    def panel(self) -> Panel:
        """What stands in the panel's place."""
        return facade(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was repaired while pieces were read: the first of such notes, and how many there are."""
        told = self.facts.notes
        return told if len(told) < 2 else (f"{told[0]}; and so in {len(told) - 1:,} more pieces",)

    def less(self, judges: Sequence[Hashable]) -> Elsewhere:
        """The same without some judges."""
        other = type(self)(self.scan, (*self.without, *judges), self.beside)
        other.asked, other.agreeing = replace(self.asked, without=other.without), self.agreeing
        return other

    # -- what is asked -------------------------------------------------------------------------------------------------

    def expect(self, question: str, methods: Sequence[Method], options: Options, systems: Any) -> None:
        """What will be asked, so that one pass answers it."""
        chosen = fitting(self.panel, question, [with_absence(m, options.absent) for m in methods])
        wanted = {name for names in (self.tasks, self.listed) for name in _drawn(names, options.seed)}
        if self.scan.kind == "groupings" and self.complete_with(options.absent):
            plain = [without_treatment(m) for m in chosen]
            chosen = [*plain, *chosen] if self.beside else plain  # systems may have left something out
        texts, sample = tuple(dict.fromkeys(map(str, chosen))), frozenset(wanted)
        more = (options.absent, self._plain, self.without, options.seed, sample)
        if question == "consensus":  # by a pass of its own, when it is known how much to draw
            self.agreeing, texts = texts, ()
        self.asked = Ask(self.scan.kind, question, texts, *more)

    @cached_property
    def _plain(self) -> tuple[str, ...]:
        """Columns with so many ids that their letters alone decide how they are sorted."""
        found = [self.scan.survey, *([self.beside.survey] if self.beside else [])]
        many = {"item": any(s.many_items for s in found), "judge": len(self.judges) > MANY}
        return tuple(n for n, much in many.items() if much)

    def pieces(self, ask: Ask | None = None) -> list[Found]:
        """What every piece gives."""
        ask = ask or self.asked
        if ask not in self._found:
            found = self.scan.survey
            others = [None] * len(found.pieces) if self.beside is None else beside(found, self.beside.survey)
            given = [other and (self.beside.survey.source, other) for other in others]
            self._found[ask] = self._run("work", work, ask, given)
        return self._found[ask]

    def _run(self, stage: str, function: Callable[..., Any], ask: Ask, beside: Sequence[Any] = ()) -> list[Any]:
        """What a function gives of every piece that could be read."""
        found = dict(self._each(stage, function, ask, beside))
        return [found[k] for k in sorted(found)]

    def _each(
        self, stage: str, function: Callable[..., Any], ask: Ask, beside: Sequence[Any] = ()
    ) -> Iterator[tuple[int, Any]]:
        """The same as pieces are done, with their numbers."""
        found, of = self.scan.survey, self.beside and self.beside.fingerprint
        more: list[tuple[Any, ...]] = [(other,) for other in beside] or [()] * len(found.pieces)
        jobs = [Job(function, (found.source, p, ask, *m), str(p)) for p, m in zip(found.pieces, more, strict=True)]
        text = repr((replace(ask, sample=frozenset()), len(ask.sample), of))
        named = f"{stage}-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"
        given = self.scan.each(named, jobs, [p.rows for p in found.pieces])
        return ((k, one) for k, one in given if one is not None)

    def values(self, method: Method) -> Values:
        """The rows of a method; of one that nobody expected by another pass."""
        text = str(method)
        if text in self._values:
            return self._values[text]
        ask = self.asked if text in self.asked.methods else replace(self.asked, methods=(text,), sample=frozenset())
        judges, systems = (_numbered(names) for names in (self.judges, self.systems))
        tasks = self.number if self.beside is None else _numbered(self.listed)
        self._values[text] = put_together(self.pieces(ask), text, tasks, judges, systems)
        return self._values[text]

    # -- groupings -----------------------------------------------------------------------------------------------------

    @cached_property
    def sheets(self) -> Sheets:
        """What judges made of their tasks, in numbers: by a pass of its own, before anything is asked."""
        ask = Ask(self.scan.kind, "", (), plain=self._plain, without=self.without)
        found: list[NamedSheets] = self._run("sheets", sheets_of, ask)
        judges = _numbered(self.judges)
        task = np.concatenate([numbers(f.tasks, self.number)[f.sheets.task] for f in found])
        judge = np.concatenate([numbers(f.judges, judges)[f.sheets.judge] for f in found])
        order = np.lexsort((judge, task))
        rest = ("used", "rows", "clusters", "items", "uneven")
        columns = {n: np.concatenate([getattr(f.sheets, n) for f in found])[order] for n in rest}
        return Sheets(task[order], judge[order], **columns)

    def complete_with(self, absent: str | None) -> bool:
        """Whether nobody left an item out."""
        return not self.sheets.left_out(absent == UNSHOWN)

    @property
    def complete(self) -> bool:
        """The same, as it was settled what an item without a row is."""
        return self.complete_with(self.asked.absent)

    # -- systems' lists ------------------------------------------------------------------------------------------------

    @cached_property
    def systems(self) -> tuple[Hashable, ...]:
        """Systems whose lists are held against the judges'."""
        return () if self.beside is None else Elsewhere(self.beside).judges

    @cached_property
    def listed(self) -> tuple[Hashable, ...]:
        """Tasks that have both judges and systems' lists."""
        if self.beside is None:
            return ()
        there = set(self.beside.survey.tasks)
        return tuple(t for t in self.tasks if t in there)

    @cached_property
    def lists(self) -> ListsElsewhere:
        """What of the systems' lists does not fit the judges'."""
        there, own = set(self.listed), [f.lists for f in self.pieces() if f.lists is not None]
        done = np.array([sum(f.done.get(s, 0) for f in own) for s in self.systems])
        undone = [t for t in self.tasks if t not in there]
        unjudged = [t for t in Elsewhere(self.beside).tasks if t not in there]
        return ListsElsewhere(
            len(there),
            undone,
            unjudged,
            sum(f.unknown for f in own),
            sum(f.rows for f in own),
            done,
            all(f.complete for f in own),
        )

    # -- designs -------------------------------------------------------------------------------------------------------

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all tasks, without their rows."""
        given: dict[str, Any] = {"judges": self.judges, "items": (), "parts": (), "elsewhere": self}
        beside: dict[str, Any] = {"systems": self.systems, "seed": seed}
        if self.scan.kind == "groupings":
            if systems is None:
                return [ScannedGroupings(self.tasks, **given)]
            return [ScannedClusterings(self.listed, **given, **beside)]
        if systems is None:
            return [ScannedOrderings(self.tasks, **given, absent=absent or "")]
        return [ScannedLists(self.listed, **given, **beside)]

    def _sample(self, names: frozenset[Hashable], *, of_systems: bool = False) -> Any:
        """Some tasks as a panel in the order of names."""
        parts = [part for one in self.pieces() for part in (one.sample_beside if of_systems else one.sample)]
        source = self.beside.survey.source if of_systems else self.scan.survey.source
        panel = source.panel([some_tasks(p, names) for p in parts if names.intersection(p.raw["task"].ids)])
        gone = [] if of_systems else [j for j in self.without if j in panel.judges]
        return by_name(panel.drop_judges(*gone) if gone else panel, self.asked.plain)

    def sample_design(self, whole: Scanned, keep: Array) -> Any:
        """The design of the tasks of these numbers."""
        names = frozenset(whole.tasks[k] for k in keep.tolist())
        panel, absent = self._sample(names), self.asked.absent
        if isinstance(whole, ScannedOrderings):
            return renumbered(OrderingDesign.of(panel, whole.absent or None), self.judges)
        if isinstance(whole, ScannedGroupings):
            return renumbered(GroupingDesign.of(panel, absent), self.judges)
        other = self._sample(names, of_systems=True)
        if isinstance(whole, ScannedClusterings):
            found: Design = clustering_design(panel, other, whole.seed, absent)
        else:
            found = list_design(panel, other, whole.seed)
        return renumbered(found, self.judges, self.systems)


def _drawn(names: Sequence[Hashable], seed: int) -> list[Hashable]:
    """The tasks that are looked at themselves: those that a design in memory draws."""
    return [names[k] for k in sample(stream(seed, "tasks"), len(names), TASKS).tolist()]


def _numbered(names: Sequence[Hashable]) -> dict[Hashable, int]:
    return {name: k for k, name in enumerate(names)}


@dataclass(frozen=True, eq=False)
class ListsElsewhere:
    """What notes say of systems' lists: as of those in memory."""

    judged: int
    undone: Sequence[Hashable]
    unjudged: Sequence[Hashable]
    unknown: int
    rows: int
    done: Array
    complete: bool


class _Facade(Panel):
    """A panel without its rows."""

    @property
    def repeats(self) -> int:
        """Repeats are not scanned."""
        return 0

    @cached_property
    def by_name(self) -> Self:
        """The same with names in their order."""
        return replace(self, task=Coded(self.elsewhere.tasks, NOTHING), judge=Coded(self.elsewhere.judges, NOTHING))

    @property
    def items(self) -> Any:
        """As many as there are; their names are in the files."""
        return range(len(self.elsewhere.facts.items))

    def drop_judges(self, *judges: Hashable) -> Any:
        """The panel without these judges."""
        return facade(self.elsewhere.less(judges)).by_name

    def __len__(self) -> int:
        own = self.elsewhere
        return int(own.facts.rows if own.without else own.survey.rows)


@dataclass(frozen=True, eq=False, repr=False)
class OrderingsElsewhere(_Facade, Orderings):
    """Orderings whose rows are in files."""

    kind: ClassVar[str] = "orderings"

    @cached_property
    def starts(self) -> Any:
        """No judgment stands for several."""
        return range(1)

    @property
    def votes(self) -> int:
        """As many as judgments."""
        return 0

    @property
    def tied(self) -> bool:
        """Whether any judge put two items in one place."""
        return bool(self.elsewhere.facts.tied)


@dataclass(frozen=True, eq=False, repr=False)
class GroupingsElsewhere(_Facade, Groupings):
    """Groupings whose rows are in files."""

    kind: ClassVar[str] = "groupings"

    @property
    def items_left_out(self) -> int:
        """How many rows are left-out items."""
        found = self.elsewhere.sheets
        return int((found.rows - found.used).sum())


class ScoresRows(ScoreRows, Elsewhere):
    """The rows of scores, and what is asked of them."""

    def less(self, judges: Sequence[Hashable]) -> ScoresRows:
        """The same without some judges."""
        other = cast(ScoresRows, super().less(judges))
        other.rated, other.rated_for, other.judged_by = self.rated, self.rated_for, self.judged_by
        return other


@dataclass(frozen=True, eq=False, repr=False)
class ScoresElsewhere(_Facade, Scores):
    """Scores whose rows are in files."""

    kind: ClassVar[str] = "scores"

    @property
    def missing(self) -> int:
        """How many scores are missing."""
        return int(self.elsewhere.missing)


class VotesRows(VoteRows, Elsewhere):
    """Votes in small integers, and what is asked of them."""


@dataclass(frozen=True, eq=False, repr=False)
class VotesElsewhere(_Facade, Votes):
    """Votes that are in memory in small integers, without their names and labels."""

    kind: ClassVar[str] = "votes"

    @cached_property
    def systems(self) -> tuple[Hashable, ...]:
        """Every system voted on, by name."""
        found: tuple[Hashable, ...] = self.elsewhere.votes.systems
        return found

    @property
    def repeats(self) -> int:
        """Votes beyond a judge's first on the same pair of a task."""
        return int(self.elsewhere.votes.repeats)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What is made of these votes once: their design."""
        return self.elsewhere.votes if name == "design" else super().once(name, make)

    def inside(self) -> str:
        """What is in the panel, in words."""
        ties = self.elsewhere.votes.ties
        said = [(len(self.judges), "judge"), (len(self.systems), "system"), (len(self.tasks), "task")]
        said += [(len(self), "vote"), *([(ties, "tie")] if ties else [])]
        return ", ".join(many(*one) for one in said)

    def __len__(self) -> int:
        return int(self.elsewhere.votes.units)


ROWS: dict[str, type[Elsewhere]] = {"scores": ScoresRows, "votes": VotesRows}
FACADES: dict[str, Callable[..., Panel]] = {
    "orderings": OrderingsElsewhere,
    "groupings": GroupingsElsewhere,
    "scores": ScoresElsewhere,
    "votes": VotesElsewhere,
}


def rows_of(scan: Scan, beside: Any = None) -> Elsewhere:
    """The rows of a scan."""
    return ROWS.get(scan.kind, Elsewhere)(scan, beside=beside)


def facade(elsewhere: Elsewhere) -> Panel:
    """What stands in the panel's place."""
    found = elsewhere.survey
    gone = elsewhere.without
    judges = tuple(j for j in found.judges if j not in gone) if gone else found.judges
    skipped = [f"skipped, for damaged: {what}" for what in elsewhere.scan.skipped]
    tasks, number = found.tasks, 1
    if isinstance(elsewhere, VotesRows):
        number, tasks = elsewhere.votes.units, elsewhere.tasks_as_given
    return FACADES[elsewhere.scan.kind](
        Coded(tasks, NOTHING),
        Coded(judges, NOTHING),
        Coded((), NOTHING),
        Coded((1,), NOTHING),
        NOTHING,
        np.broadcast_to(np.uint8(1), number),
        notes=(*found.notes, *skipped),
        absent=found.source.absent,
        reading=elsewhere.scan.reading,
        elsewhere=elsewhere,
    )
