"""What stands in a panel's place while its rows are in files: names, facts, and what methods say of the pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from quorate.inference.answer import BESIDE, fitting, with_absence
from quorate.inference.engine import TASKS
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.panel.base import Panel
from quorate.panel.by_name import MANY, by_name, name_order
from quorate.panel.columns import Coded
from quorate.panel.design import Design, Values
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import OrderingDesign
from quorate.scale.designs import Scanned, ScannedLists, ScannedOrderings, put_together, renumbered
from quorate.scale.jobs import Ask, Facts, Found, numbers, together, work
from quorate.scale.pool import Job
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.scale.scan import Scan

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

    def less(self, judges: Sequence[Hashable]) -> Elsewhere:
        """The same without some judges."""
        other = Elsewhere(self.scan, (*self.without, *judges), self.beside)
        other.asked = replace(self.asked, without=other.without)
        return other

    # -- what is asked -------------------------------------------------------------------------------------------------

    def expect(self, question: str, methods: Sequence[Method], options: Options, systems: Any) -> None:
        """What will be asked, so that one pass answers it."""
        panel = facade(self)
        chosen = fitting(panel, question, [with_absence(m, options.absent) for m in methods])
        many = [n for n, much in (("item", self.scan.survey.many_items), ("judge", len(self.judges) > MANY)) if much]
        asked = (self.scan.kind, question, tuple(str(m) for m in chosen), options.absent, tuple(many), self.without)
        self.asked = Ask(*asked, seed=options.seed)
        names = self.scan.survey.tasks
        ordered = name_order(names)
        keep = np.sort(stream(options.seed, "tasks").choice(len(names), TASKS, replace=False))
        self.asked = replace(self.asked, sample=frozenset(names[ordered[k]] for k in keep.tolist()))

    def pieces(self, ask: Ask | None = None) -> list[Found]:
        """What every piece gives."""
        ask = ask or self.asked
        if ask not in self._found:
            found = self.scan.survey
            jobs = [Job(work, (found.source, p, ask, self._beside(p.number)), str(p)) for p in found.pieces]
            text = repr((ask.question, ask.methods, ask.absent, ask.plain, ask.without, ask.seed, len(ask.sample)))
            stage = f"work-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"
            given = self.scan.run(stage, jobs, [p.rows for p in found.pieces])
            self._found[ask] = [one for one in given if one is not None]
        return self._found[ask]

    def _beside(self, piece: int) -> Any:
        return None if self.beside is None else self.beside_pieces[piece]

    def values(self, method: Method) -> Values:
        """The rows of a method; of one that nobody expected by another pass."""
        text = str(method)
        ask = self.asked if text in self.asked.methods else replace(self.asked, methods=(text,), sample=frozenset())
        judges, systems = ({name: k for k, name in enumerate(names)} for names in (self.judges, self.systems))
        return put_together(self.pieces(ask), text, self._listed, judges, systems)

    @property
    def systems(self) -> tuple[Hashable, ...]:
        """Systems whose lists are held against the judges'."""
        return () if self.beside is None else Elsewhere(self.beside).judges

    @property
    def _listed(self) -> dict[Hashable, int]:
        return self.number

    # -- designs -------------------------------------------------------------------------------------------------------

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all tasks, without their rows."""
        kind: type[Scanned] = ScannedOrderings if systems is None else ScannedLists
        more: dict[str, Any] = {"absent": absent or ""} if systems is None else {"systems": self.systems, "seed": seed}
        return [kind(self.tasks, self.judges, (), (), elsewhere=self, **more)]

    @cached_property
    def sample(self) -> Panel:
        """The tasks that are looked at themselves, as a panel in the order of names."""
        parts = [part for one in self.pieces() for part in one.sample]
        panel = self.scan.survey.source.panel(parts)
        gone = [j for j in self.without if j in panel.judges]
        return by_name(panel.drop_judges(*gone) if gone else panel, self.asked.plain)

    def sample_design(self, whole: Scanned, keep: Array) -> Design:
        """The design of the tasks of these numbers."""
        names = [self.tasks[k] for k in keep.tolist()]
        panel = self.sample
        if set(names) != set(panel.tasks):
            raise AssertionError("the sample is of other tasks")
        assert isinstance(panel, Orderings)
        if isinstance(whole, ScannedLists):
            raise NotImplementedError
        return renumbered(OrderingDesign.of(panel, whole.absent or None), self.judges)


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
        elsewhere=elsewhere,
    )
