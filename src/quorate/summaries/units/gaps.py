"""What autoPyramid found: manual against automatic scores by item, task and judge, and the strings that were missed."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from quorate.document.blocks import Column, Table, Text, columns, with_notes
from quorate.errors import BadParameter, suggest
from quorate.inference.resample import Interval, mean_interval, stream
from quorate.inference.results import clean
from quorate.kernels.clearly_worse import clearly_worse, mean_of_sums
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.summaries.units.model import ContentUnits

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


@dataclass(frozen=True)
class AutoPyramid:
    """The gaps item by item; on demand the strings that were missed (worst first) and the automatic annotation."""

    items: tuple[Gap, ...]
    list_missed: Callable[[], tuple[Missed, ...]] = field(repr=False, compare=False)
    annotation: Callable[[], ContentUnits] = field(repr=False, compare=False)  # the automatic one, made when asked for
    table: ContentUnits = field(repr=False, compare=False)  # what was annotated by hand
    notes: tuple[str, ...] = ()

    @cached_property
    def missed(self) -> tuple[Missed, ...]:
        """Strings accepted elsewhere whose units are not marked here, those that would add most first."""
        return self.list_missed()

    def tasks(self) -> list[tuple[Hashable, Hashable, float, int]]:
        """Task, judge, mean gap over its items, and how many these are; items without a score do not count."""
        found: dict[tuple[Hashable, Hashable], list[float]] = {}
        for g in self.items:
            found.setdefault((g.task, g.judge), []).append(g.gap)
        out = []
        for (task, judge), gaps in found.items():
            known = [g for g in gaps if not math.isnan(g)]
            out.append((task, judge, float(np.mean(known)) if known else math.nan, len(known)))
        return out

    def task_intervals(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> list[Interval | None]:
        """A bootstrap interval over items for every row of :meth:`tasks`."""
        found: dict[tuple[Hashable, Hashable], list[float]] = {}
        for g in self.items:
            found.setdefault((g.task, g.judge), []).append(g.gap)
        out = []
        for (task, judge), gaps in found.items():
            rng = stream(seed, "auto_pyramid", "task", task, judge)
            out.append(mean_interval(np.array(gaps), rng, level, resamples, "items"))
        return out

    def judges(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> list[JudgeGap]:
        """Each judge's mean over tasks with a bootstrap interval over them; the lowest, who missed most, first."""
        by_task: dict[Hashable, list[tuple[float, int]]] = {}
        for _, judge, gap, n in self.tasks():
            by_task.setdefault(judge, []).append((gap, n))
        units = {(m.task, m.item, m.judge, m.unit) for m in self.missed}
        missed = Counter(judge for _, _, judge, _ in units)
        out = []
        for judge, listed in by_task.items():
            gaps = np.array([g for g, _ in listed if not math.isnan(g)])
            by, drawn = "tasks", gaps
            if len(gaps) == 1:
                by, drawn = "items", np.array([g.gap for g in self.items if g.judge == judge])
            inside = mean_interval(drawn, stream(seed, "auto_pyramid", judge), level, resamples, by)
            mean = float(gaps.mean()) if len(gaps) else math.nan
            out.append(JudgeGap(judge, mean, inside, len(gaps), sum(n for _, n in listed), missed[judge]))
        return sorted(out, key=lambda j: (math.isnan(j.gap), j.gap, str(j.judge)))

    def named(self, *, seed: int = 0, level: float = 0.05) -> list[Hashable]:
        """Judges who clearly miss more than the others, the worst first: by a permutation test, and below 0."""
        known = [(judge, gap) for _, judge, gap, _ in self.tasks() if not math.isnan(gap)]
        judges = list(dict.fromkeys(judge for judge, _ in known))
        code = {judge: k for k, judge in enumerate(judges)}
        parts = np.array([(1.0, gap) for _, gap in known]).reshape(-1, 2)
        who = np.array([code[judge] for judge, _ in known], np.int64)
        rng = stream(seed, "auto_pyramid", "clearly worse")
        _, clear = clearly_worse(parts, who, len(judges), mean_of_sums, rng, level)
        gaps = self.gaps()
        return sorted((j for j in judges if clear[code[j]] and gaps[j] < 0), key=lambda j: (gaps[j], str(j)))

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
        judges = []
        for j in self.judges(**how):
            row = {**asdict(j), "interval": [j.interval.low, j.interval.high] if j.interval else None}
            judges.append({**row, "interval_by": j.interval.by if j.interval else None})
        inside = self.task_intervals(**how)
        tasks: list[dict[str, Any]] = [
            dict(zip(("task", "judge", "gap", "items"), t, strict=True)) for t in self.tasks()
        ]
        for row, found in zip(tasks, inside, strict=True):
            row["interval"] = [found.low, found.high] if found else None
        items = [{**asdict(g), "gap": g.gap} for g in self.items]
        out = {"judges": judges, "tasks": tasks, "items": items, "missed": [asdict(m) for m in self.missed]}
        return dict(clean({**out, "notes": list(self.notes)}))

    def to_json(self, **how: Any) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(**how), ensure_ascii=False, indent=1, default=str, allow_nan=False)

    def to_csv(self, rows: str = "missed", **how: Any) -> str:
        """One of the tables as CSV text: the ``missed`` strings, which a judge can act on; judges, tasks or items."""
        if rows not in TABLES:
            raise BadParameter(f"rows={rows} is not known.", suggest(rows, TABLES, "Choices"))
        listed = [{k: _cell(v) for k, v in row.items()} for row in self.to_dict(**how)[rows]]
        out = io.StringIO()
        heads = TABLES[rows]
        writer = csv.DictWriter(out, heads, lineterminator="\n")
        writer.writeheader()
        writer.writerows({h: row[h] for h in heads} for row in (_ends(row) for row in listed))
        return out.getvalue()

    def to_html(self, judges: Sequence[Hashable] = (), **how: Any) -> str:
        """One page to mail to the judges: what each of them (or of those named) missed, and where they accepted it."""
        from quorate.reports.missed import missed_strings

        return missed_strings(self, judges, **how).page()

    def text(self, width: int = 80, shown: int = SHOWN, **how: Any) -> str:
        """For people: who missed most, every judge, and the strings that cost most."""
        from quorate.document.terminal import render

        judges = self.judges(**how)
        tables = [_gap_table(judges), *self._by_task(shown, how), *self._strings(shown, judges)]
        over = {j.interval.by for j in judges if j.interval}
        alone = "intervals of judges with one task are over its items, the others over tasks"
        notes = (*self.notes, *([alone] if len(over) > 1 else []))
        said = Text((self._sentence(judges, how.get("seed", 0)),), "lead")
        return render(with_notes([said, *tables], notes), width, rows=max(shown, len(judges)))

    def _strings(self, shown: int, judges: list[JudgeGap]) -> Iterator[Table]:
        """The strings that were accepted elsewhere and missed here."""
        if not self.missed or not shown:
            return
        place = {j.judge: k for k, j in enumerate(judges)}
        heads = columns("judge", "task", "item", "unit", "weight:place", "string:text", "accepted_in:text")
        rows = []
        for m in sorted(self.missed, key=lambda m: place[m.judge])[:shown]:
            more = f" +{len(m.accepted_in) - 3}" if len(m.accepted_in) > 3 else ""
            where = ", ".join(m.accepted_in[:3]) + more
            rows.append((m.judge, m.task, m.item, m.unit, m.weight, m.string, where))
        yield Table("Accepted elsewhere, missed here", heads, tuple(rows), of=len(self.missed), keys=4)

    def _by_task(self, shown: int, how: dict[str, Any]) -> Iterator[Table]:
        rows = list(zip(self.tasks(), self.task_intervals(**how), strict=True))
        if len(rows) < 2 or not shown:
            return
        rows.sort(key=lambda row: (math.isnan(row[0][2]), row[0][2], str(row[0][0]), str(row[0][1])))
        within = _within([inside for _, inside in rows])
        cells = tuple((task, judge, gap, inside, items) for (task, judge, gap, items), inside in rows[:shown])
        note = "All are in --rows tasks." if len(rows) > shown else ""
        heads = columns("task", "judge", "gap:figure", within, "items:count")
        yield Table("By task, lowest first", heads, cells, note, of=len(rows), keys=2)

    def _sentence(self, judges: list[JudgeGap], seed: int) -> str:
        known = [j for j in judges if not math.isnan(j.gap)]
        if not known:
            return "No item has both a manual and an automatic score."
        worst = known[0]
        units = {(m.task, m.item, m.judge, m.unit) for m in self.missed}
        if not units:
            return f"No judge missed a string accepted elsewhere, in {many(len(self.items), 'item')}."
        return (
            f"Judge {worst.judge} misses most: manual scores lie {abs(worst.gap):.3f} "
            f"{'below' if worst.gap < 0 else 'above'} automatic ones. In {many(len(self.items), 'item')} "
            f"{many(len(units), 'unit')} {'was' if len(units) == 1 else 'were'} missed though their words were "
            f"accepted elsewhere. {self._told(seed)}"
        )

    def _told(self, seed: int) -> str:
        clear = ", ".join(map(str, self.named(seed=seed)))
        return f"Clearly below the other judges: {clear}." if clear else "No judge is clearly below the others."


def _gap_table(judges: Sequence[JudgeGap]) -> Table:
    within = _within([j.interval for j in judges])
    heads = columns("judge", "gap:figure", within, "tasks:count", "items:count", "missed:count")
    rows = tuple((j.judge, j.gap, j.interval, j.tasks, j.items, j.missed) for j in judges)
    return Table("Manual minus automatic pyramid score, lowest first", heads, rows)


def _within(intervals: Sequence[Interval | None]) -> Column:
    """The column of these intervals: their level, and what was resampled."""
    known = [i for i in intervals if i]
    by = " or ".join(sorted({i.by for i in known}, reverse=True))
    return Column("interval", f"{known[0].level:.0%} interval ({by})" if known else "interval", "interval")


def _cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) and value and isinstance(value[0], str) else value


def _ends(row: dict[str, Any]) -> dict[str, Any]:
    """An interval as two cells."""
    low, high = row.get("interval") or (None, None)
    return {**row, "low": low, "high": high}
