"""What autoPyramid found: manual against automatic scores by item, task and judge, and the strings that were missed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from quorate.document.blocks import Block, Column, Table, Text, columns, with_notes
from quorate.document.html import page
from quorate.document.result import Result, csv_text
from quorate.errors import BadParameter, suggest
from quorate.inference.estimate import Interval
from quorate.inference.findings import judges as judges_by
from quorate.inference.results import Options
from quorate.inference.weights import mean_interval, stream
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.summaries.units.missed_strings import missed_strings
from quorate.summaries.units.model import ContentUnits
from quorate.table import parse
from quorate.words.numbers import three

SHOWN = 20
TABLES = {  # what can be written as CSV, and its columns
    "missed": ("task", "item", "judge", "unit", "text", "weight", "gain", "string", "start", "end", "accepted_in"),
    "judges": ("judge", "gap", "low", "high", "interval_by", "tasks", "items", "missed"),
    "tasks": ("task", "judge", "gap", "low", "high", "items"),
    "items": ("task", "item", "judge", "manual", "auto", "gap"),
}


@dataclass(frozen=True, slots=True)
class Gap:
    """The modified pyramid scores of one item: by hand, and by the strings accepted elsewhere."""

    task: Hashable
    item: Hashable
    judge: Hashable
    manual: float
    auto: float

    @property
    def gap(self) -> float:
        """Manual minus automatic: below 0 the judge missed something."""
        return self.manual - self.auto


@dataclass(frozen=True, slots=True)
class Missed:
    """A string that the judge accepted for a unit elsewhere, is here too, and the unit is not marked here."""

    task: Hashable
    item: Hashable
    judge: Hashable
    unit: Hashable
    text: str  # of the unit
    weight: float
    gain: float  # what the unit would add to the score
    string: str
    start: int
    end: int
    accepted_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgeGap:
    """A judge's mean of manual minus automatic scores: first over the items of a task, then over tasks."""

    judge: Hashable
    gap: float
    interval: Interval | None
    tasks: int
    items: int
    missed: int  # units that were missed, each counted once in an item
    clear: bool = False  # whether the judge clearly misses more than the others


@dataclass(frozen=True, slots=True)
class TaskGap:
    """The mean over the items of one task by one judge; items without a score do not count."""

    task: Hashable
    judge: Hashable
    gap: float
    interval: Interval | None
    items: int


@dataclass(frozen=True)
class AutoPyramid(Result):
    """The gaps item by item; on demand the strings that were missed (worst first) and the automatic annotation."""

    all_rows: ClassVar[bool] = True

    items: tuple[Gap, ...]
    list_missed: Callable[[], tuple[Missed, ...]] = field(repr=False, compare=False)
    annotation: Callable[[], ContentUnits] = field(repr=False, compare=False)  # the automatic one, made when asked for
    table: ContentUnits = field(repr=False, compare=False)  # what was annotated by hand
    notes: tuple[str, ...] = ()

    @cached_property
    def missed(self) -> tuple[Missed, ...]:
        """Strings accepted elsewhere whose units are not marked here, those that would add most first."""
        return self.list_missed()

    @cached_property
    def units(self) -> set[tuple[Hashable, ...]]:
        """Task, item, judge and unit of what was missed, each once."""
        return {(m.task, m.item, m.judge, m.unit) for m in self.missed}

    def tasks(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> list[TaskGap]:
        """Every task and judge, with a bootstrap interval over items."""
        found: dict[tuple[Hashable, Hashable], list[float]] = {}
        for g in self.items:
            found.setdefault((g.task, g.judge), []).append(g.gap)
        out = []
        for (task, judge), listed in found.items():
            known = np.array([g for g in listed if not math.isnan(g)])
            rng = stream(seed, "auto_pyramid", "task", task, judge)
            inside = mean_interval(known, rng, level, resamples, "items") if resamples else None
            out.append(TaskGap(task, judge, float(known.mean()) if len(known) else math.nan, inside, len(known)))
        return out

    def judges(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> list[JudgeGap]:
        """Each judge's mean over tasks with an interval over them; the lowest, who missed most, first.

        What `quorate judges --method auto_pyramid` says of the same panel. The interval of a judge with one task is
        over its items.
        """
        options = Options(seed=seed, level=level, resamples=resamples, permutations=0)
        missed = Counter(judge for _, _, judge, _ in self.units)
        method, design = parse("auto_pyramid", "scores", "judges"), ScoreDesign.of(self.panel().by_name)[0]
        found = judges_by(method, design, options).overall
        alone = [e.labels["judge"] for e in found if e.interval is None and e.labels["items"] > 1]
        again = judges_by(method, design, replace(options, over="items")).overall if alone and resamples else ()
        over_items = {e.labels["judge"]: e.interval for e in again if e.labels["judge"] in alone}
        out = []
        for e in found:
            who = e.labels["judge"]
            inside, flag = e.interval or over_items.get(who), bool(e.labels.get("flag"))
            out.append(JudgeGap(who, e.value, inside, e.labels["tasks"], e.labels["items"], missed[who], flag))
        return sorted(out, key=lambda j: (math.isnan(j.gap), j.gap, str(j.judge)))

    def named(self, *, seed: int = 0, level: float = 0.05) -> list[Hashable]:
        """Judges who clearly miss more than the others, the worst first: by a permutation test, and below 0."""
        return [j.judge for j in self.judges(seed=seed, level=1 - level) if j.clear]

    def gaps(self) -> dict[Hashable, float]:
        """Each judge's mean gap: what ``judges`` and ``without_worst`` order judges by."""
        return {j.judge: j.gap for j in self.judges(resamples=0)}

    def panel(self) -> Scores:
        """The manual scores as a panel, with the automatic ones as the label ``auto``, and the items' texts."""
        texts = {(i.task, i.id): i.text for i in self.table.items}
        return Scores.build(
            {
                "task": [g.task for g in self.items],
                "item": [g.item for g in self.items],
                "judge": [g.judge for g in self.items],
                "criterion": ["pyramid"] * len(self.items),
                "score": np.array([g.manual for g in self.items]),
                "auto": [g.auto for g in self.items],
                "text": [texts[g.task, g.item] for g in self.items],
            },
            notes=self.notes,
        )

    # -- out --------------------------------------------------------------------------------------------------------

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Plain lists and dicts: judges, tasks, items, and what was missed."""
        judges = [{**_plain(j), "interval_by": j.interval.over if j.interval else None} for j in self.judges(**how)]
        tasks = [_plain(t) for t in self.tasks(**how)]
        items = [{**asdict(g), "gap": g.gap} for g in self.items]
        out = {"judges": judges, "tasks": tasks, "items": items, "missed": [asdict(m) for m in self.missed]}
        return {**out, "notes": list(self.notes)}

    def to_csv(self, rows: str = "missed", **how: Any) -> str:
        """One of the tables as CSV text: the ``missed`` strings, which a judge can act on; judges, tasks or items."""
        return csv_text(self.rows(rows, **how), TABLES[rows])

    def rows(self, which: str = "missed", **how: Any) -> list[dict[str, Any]]:
        """The rows of one of the tables."""
        if which not in TABLES:
            raise BadParameter(f"rows={which} is not known.", suggest(which, TABLES, "Choices"))
        out = []
        for row in self.to_dict(**how)[which]:
            low, high = row.get("interval") or (None, None)
            where = {"accepted_in": " ".join(row["accepted_in"])} if "accepted_in" in row else {}
            out.append({**row, "low": low, "high": high, **where})
        return out

    def to_html(self, judges: Sequence[Hashable] = (), **how: Any) -> str:
        """One page to mail to the judges: what each of them (or of those named) missed, and where they accepted it."""
        return page(missed_strings(self, judges, **how).document())

    def blocks(self, **how: Any) -> list[Block]:
        """Who missed most in a sentence, every judge, and the tasks and strings that cost most."""
        judges = self.judges(**how)
        heads = columns("judge", "gap:figure", _within(judges), "tasks:count", "items:count", "missed:count")
        rows = tuple((j.judge, j.gap, j.interval, j.tasks, j.items, j.missed) for j in judges)
        every = Table("Manual minus automatic pyramid score, lowest first", heads, rows)
        over = {j.interval.over for j in judges if j.interval}
        alone = "intervals of judges with one task are over its items, the others over tasks"
        notes = (*self.notes, *([alone] if len(over) > 1 else []))
        said = Text((self._sentence(judges),), "lead")
        return with_notes([said, every, *self._by_task(self.tasks(**how)), *self._strings(judges)], notes)

    def _strings(self, judges: list[JudgeGap]) -> Iterator[Table]:
        """The strings that were accepted elsewhere and missed here."""
        if not self.missed:
            return
        place = {j.judge: k for k, j in enumerate(judges)}
        heads = columns("judge", "task", "item", "unit", "weight:place", "string:text", "accepted_in:text")
        rows = []
        for m in sorted(self.missed, key=lambda m: place[m.judge])[:SHOWN]:
            more = f" +{len(m.accepted_in) - 3}" if len(m.accepted_in) > 3 else ""
            where = ", ".join(m.accepted_in[:3]) + more
            rows.append((m.judge, m.task, m.item, m.unit, m.weight, m.string, where))
        yield Table("Accepted elsewhere, missed here", heads, tuple(rows), of=len(self.missed), keys=4)

    def _by_task(self, found: list[TaskGap]) -> Iterator[Table]:
        if len(found) < 2:
            return
        found.sort(key=lambda t: (math.isnan(t.gap), t.gap, str(t.task), str(t.judge)))
        cells = tuple((t.task, t.judge, t.gap, t.interval, t.items) for t in found[:SHOWN])
        note = "All are in --rows tasks." if len(found) > SHOWN else ""
        heads = columns("task", "judge", "gap:figure", _within(found), "items:count")
        yield Table("By task, lowest first", heads, cells, note, of=len(found), keys=2)

    def _sentence(self, judges: list[JudgeGap]) -> str:
        known = [j for j in judges if not math.isnan(j.gap)]
        if not known:
            return "No item has both a manual and an automatic score."
        worst, units = known[0], self.units
        if not units:
            return f"No judge missed a string accepted elsewhere, in {many(len(self.items), 'item')}."
        clear = ", ".join(str(j.judge) for j in known if j.clear)
        told = f"Clearly below the other judges: {clear}." if clear else "No judge is clearly below the others."
        return (
            f"Judge {worst.judge} misses most: manual scores lie {three(abs(worst.gap))} "
            f"{'below' if worst.gap < 0 else 'above'} automatic ones. In {many(len(self.items), 'item')} "
            f"{many(len(units), 'unit')} {'was' if len(units) == 1 else 'were'} missed though their words were "
            f"accepted elsewhere. {told}"
        )


def _plain(row: JudgeGap | TaskGap) -> dict[str, Any]:
    return {**asdict(row), "interval": row.interval.ends if row.interval else None}


def _within(rows: Sequence[JudgeGap | TaskGap]) -> Column:
    """The column of their intervals: their level, and what was resampled."""
    known = [row.interval for row in rows if row.interval]
    by = " or ".join(sorted({i.over for i in known}, reverse=True))
    return Column("interval", f"{known[0].level:.0%} interval ({by})" if known else "interval", "interval")
