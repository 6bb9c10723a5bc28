"""What stands in a panel's place while its rows are in files: names, facts, and what methods say of the pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.answer import fitting, with_absence
from quorate.inference.engine import TASKS
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.panel.base import Panel
from quorate.panel.by_name import MANY, by_name, name_order
from quorate.panel.columns import Coded
from quorate.panel.design import Design, Values
from quorate.panel.kinds import Orderings
from quorate.panel.lists import list_design
from quorate.panel.stacks import OrderingDesign
from quorate.scale.designs import Scanned, ScannedLists, ScannedOrderings, put_together, renumbered
from quorate.scale.jobs import Ask, Facts, Found, numbers, some_tasks, together, work
from quorate.scale.pool import Job
from quorate.scale.survey import beside
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.scale.files import Scan

Array = NDArray[Any]
NOTHING = np.zeros(0, np.uint8)


class Elsewhere:
    """The rows of a scan, and what is asked of them: one pass over the files answers all methods of a question."""

    def __init__(self, scan: Scan, without: tuple[Hashable, ...] = (), beside: Any = None) -> None:
        self.scan = scan
        self.without = without
        self.beside = beside  # systems' lists, a scan too
        self.asked = Ask(scan.kind, "agreement", ())
        self._found: dict[Ask, list[Found]] = {}
        self._values: dict[str, Values] = {}

    # -- names ---------------------------------------------------------------------------------------------------------

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
    def notes(self) -> tuple[str, ...]:
        """What was repaired while pieces were read: the first of such notes, and how many there are."""
        told = self.facts.notes
        return told if len(told) < 2 else (f"{told[0]}; and so in {len(told) - 1:,} more pieces",)

    def less(self, judges: Sequence[Hashable]) -> Elsewhere:
        """The same without some judges."""
        other = Elsewhere(self.scan, (*self.without, *judges), self.beside)
        other.asked = replace(self.asked, without=other.without)
        return other

    # -- what is asked -------------------------------------------------------------------------------------------------

    def expect(self, question: str, methods: Sequence[Method], options: Options, systems: Any) -> None:
        """What will be asked, so that one pass answers it."""
        chosen = fitting(facade(self), question, [with_absence(m, options.absent) for m in methods])
        found = [self.scan.survey, *([self.beside.survey] if self.beside else [])]
        many = [
            n for n, much in (("item", any(s.many_items for s in found)), ("judge", len(self.judges) > MANY)) if much
        ]
        wanted = {name for names in (self.tasks, self.listed) for name in _drawn(names, options.seed)}
        texts, sample = tuple(str(m) for m in chosen), frozenset(wanted)
        more = (options.absent, tuple(many), self.without, options.seed, sample)
        self.asked = Ask(self.scan.kind, question, texts, *more)

    def pieces(self, ask: Ask | None = None) -> list[Found]:
        """What every piece gives."""
        ask = ask or self.asked
        if ask not in self._found:
            found = self.scan.survey
            others = [None] * len(found.pieces) if self.beside is None else beside(found, self.beside.survey)
            jobs = [
                Job(work, (found.source, p, ask, other and (self.beside.survey.source, other)), str(p))
                for p, other in zip(found.pieces, others, strict=True)
            ]
            of = self.beside and self.beside.fingerprint
            text = repr((ask.question, ask.methods, ask.absent, ask.plain, ask.without, ask.seed, len(ask.sample), of))
            stage = f"work-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"
            given = self.scan.run(stage, jobs, [p.rows for p in found.pieces])
            self._found[ask] = [one for one in given if one is not None]
        return self._found[ask]

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
        unlisted = [t for t in self.tasks if t not in there]
        unjudged = [t for t in Elsewhere(self.beside).tasks if t not in there]
        return ListsElsewhere(
            len(there), unlisted, unjudged, sum(f.unranked for f in own), sum(f.rows for f in own), done
        )

    # -- designs -------------------------------------------------------------------------------------------------------

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all tasks, without their rows."""
        if systems is None:
            return [ScannedOrderings(self.tasks, self.judges, (), (), elsewhere=self, absent=absent or "")]
        return [ScannedLists(self.listed, self.judges, (), (), elsewhere=self, systems=self.systems, seed=seed)]

    def _sample(self, names: frozenset[Hashable], *, of_systems: bool = False) -> Orderings:
        """Some tasks as a panel in the order of names."""
        parts = [part for one in self.pieces() for part in (one.sample_beside if of_systems else one.sample)]
        source = self.beside.survey.source if of_systems else self.scan.survey.source
        panel = source.panel([some_tasks(p, names) for p in parts if names.intersection(p.raw["task"].ids)])
        gone = [] if of_systems else [j for j in self.without if j in panel.judges]
        return cast("Orderings", by_name(panel.drop_judges(*gone) if gone else panel, self.asked.plain))

    def sample_design(self, whole: Scanned, keep: Array) -> Any:
        """The design of the tasks of these numbers."""
        names = frozenset(whole.tasks[k] for k in keep.tolist())
        panel = self._sample(names)
        if isinstance(whole, ScannedOrderings):
            return renumbered(OrderingDesign.of(panel, whole.absent or None), self.judges)
        return renumbered(
            list_design(panel, self._sample(names, of_systems=True), whole.seed), self.judges, self.systems
        )


def _drawn(names: Sequence[Hashable], seed: int) -> list[Hashable]:
    """The tasks that are looked at themselves: those that a design in memory draws."""
    if len(names) <= TASKS:
        return list(names)
    keep = np.sort(stream(seed, "tasks").choice(len(names), TASKS, replace=False))
    return [names[k] for k in keep.tolist()]


def _numbered(names: Sequence[Hashable]) -> dict[Hashable, int]:
    return {name: k for k, name in enumerate(names)}


@dataclass(frozen=True, eq=False)
class ListsElsewhere:
    """What notes say of systems' lists: as of those in memory."""

    tasks: int
    unlisted: Sequence[Hashable]
    unjudged: Sequence[Hashable]
    unranked: int
    rows: int
    done: Array


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
        return int(self.elsewhere.scan.survey.rows)


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


def facade(elsewhere: Elsewhere) -> Panel:
    """What stands in the panel's place."""
    found = elsewhere.scan.survey
    judges = tuple(j for j in found.judges if j not in elsewhere.without)
    skipped = [f"skipped, for damaged: {what}" for what in elsewhere.scan.skipped]
    return OrderingsElsewhere(
        Coded(found.tasks, NOTHING),
        Coded(judges, NOTHING),
        Coded((), NOTHING),
        Coded((1,), NOTHING),
        NOTHING,
        np.ones(1, np.uint8),
        notes=(*found.notes, *skipped),
        absent=found.source.absent,
        reading=elsewhere.scan.reading,
        elsewhere=elsewhere,
    )
