"""What autoPyramid found: manual against automatic scores by item, task and judge, and the strings that were missed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from quorate.document.blocks import Block, Chart, Table, Text, columns, with_notes
from quorate.document.html import page
from quorate.document.pivot import interval_column
from quorate.document.result import Result, csv_text
from quorate.errors import BadParameter, suggest
from quorate.inference.estimate import Estimate
from quorate.inference.findings import judges as judges_by
from quorate.inference.intervals import mean_interval
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.summaries.leaderboard import dots
from quorate.summaries.units.missed_strings import missed_strings
from quorate.summaries.units.model import ContentUnits
from quorate.table import parse
from quorate.words.numbers import three

SHOWN = 20
TITLES = {  # how a string that was accepted elsewhere reads where its unit is not marked, likeliest to be a lapse first
    "missed": "Accepted in most items with these words, missed here",
    "open": "Accepted in half of the items with these words: missed here, or accidental there",
    "accidental": "Accepted in few of the items with these words: accidental there",
}
READINGS = tuple(TITLES)
COUNTS = tuple(f"{reading}:count" for reading in READINGS)
EXPLAINED = "Units not marked though their words were accepted elsewhere: missed, accidental there, or open."
TABLES = {  # what can be written as CSV, and its columns
    "missed": (
        *("task", "item", "judge", "unit", "text", "weight", "gain", "string", "start", "end", "accepted_in"),
        *("marked", "there", "reading"),
    ),
    "judges": ("judge", "gap", "low", "high", "interval_by", "tasks", "items", *READINGS),
    "tasks": ("task", "judge", "gap", "low", "high", "items"),
    "items": ("task", "item", "judge", "criterion", "score", "auto", "gap"),
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
    marked: int  # items with the string in which this judge marked the unit
    there: int  # items with the string

    @property
    def reading(self) -> str:
        """What is likelier: ``missed`` here, or accepted elsewhere by accident; ``open`` where as many say so."""
        times = 2 * self.marked - self.there
        return "missed" if times > 0 else "accidental" if times < 0 else "open"


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
    def units(self) -> dict[tuple[Hashable, ...], str]:
        """Task, item, judge and unit of what was not marked, and how it reads: by its likeliest lapse."""
        found: dict[tuple[Hashable, ...], str] = {}
        for m in self.missed:
            key = (m.task, m.item, m.judge, m.unit)
            found[key] = min(found.get(key, m.reading), m.reading, key=READINGS.index)
        return found

    def tasks(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> list[Estimate]:
        """Every task and judge: the mean over items, with a bootstrap interval over them."""
        found: dict[tuple[Hashable, Hashable], list[float]] = {}
        for g in self.items:
            found.setdefault((g.task, g.judge), []).append(g.gap)
        out = []
        for (task, judge), listed in found.items():
            known = np.array([g for g in listed if not math.isnan(g)])
            rng = stream(seed, "auto_pyramid", "task", task, judge)
            inside = mean_interval(known, rng, level, resamples, "items") if resamples else None
            mean = float(known.mean()) if len(known) else math.nan
            out.append(Estimate(mean, inside, labels={"task": task, "judge": judge, "items": len(known)}, n=len(known)))
        return out

    def judges(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> list[Estimate]:
        """Each judge's mean over tasks with an interval over them; the lowest, who missed most, first.

        What `quorate judges --method auto_pyramid` says of the same panel, with how many units were missed, accepted
        elsewhere by accident, or either. The interval of a judge with one task is over its items.
        """
        options = Options(seed=seed, level=level, resamples=resamples, permutations=0)
        counts = Counter((judge, reading) for (_, _, judge, _), reading in self.units.items())
        method, design = parse("auto_pyramid", "scores", "judges"), ScoreDesign.of(self.panel().by_name)[0]
        found = judges_by(method, design, options).overall
        alone = [e.labels["judge"] for e in found if e.interval is None and e.labels["items"] > 1]
        again = judges_by(method, design, replace(options, over="items")).overall if alone and resamples else ()
        over_items = {e.labels["judge"]: e.interval for e in again if e.labels["judge"] in alone}
        out = []
        for e in found:
            who = e.labels["judge"]
            labels = {**e.labels, **{r: counts[who, r] for r in READINGS}, "clear": bool(e.labels.get("flag"))}
            out.append(replace(e, interval=e.interval or over_items.get(who), labels=labels))
        return sorted(out, key=lambda e: (math.isnan(e.value), e.value, str(e.labels["judge"])))

    def gaps(self) -> dict[Hashable, float]:
        """Each judge's mean gap: what ``judges`` and ``without_worst`` order judges by."""
        return {e.labels["judge"]: float(e.value) for e in self.judges(resamples=0)}

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
        judges, tasks = ([_plain(e) for e in found] for found in (self.judges(**how), self.tasks(**how)))
        items = [{**asdict(g), "gap": g.gap} for g in self.items]
        missed = [{**asdict(m), "reading": m.reading} for m in self.missed]
        return {"judges": judges, "tasks": tasks, "items": items, "missed": missed, "notes": list(self.notes)}

    def to_csv(self, rows: str = "missed", **how: Any) -> str:
        """One of the tables as CSV text: the ``missed`` strings, which a judge can act on; judges, tasks or items."""
        return csv_text(self.rows(rows, **how), TABLES[rows])

    def rows(self, which: str = "missed", **how: Any) -> list[dict[str, Any]]:
        """The rows of one of the tables; those of items are scores that any question can be asked of."""
        if which not in TABLES:
            raise BadParameter(f"rows={which} is not known.", suggest(which, TABLES, "Choices"))
        out = []
        for row in self.to_dict(**how)[which]:
            low, high = row.get("interval") or (None, None)
            where = {"accepted_in": " ".join(row["accepted_in"])} if "accepted_in" in row else {}
            full = {**row, "low": low, "high": high, "score": row.get("manual"), "criterion": "pyramid", **where}
            out.append({name: full[name] for name in TABLES[which]})
        return out

    def picture(self, **how: Any) -> Chart:
        """Every judge's mean difference with its interval, who missed most first."""
        said = "Manual minus automatic scores: far below 0 is who missed what was accepted elsewhere."
        judges = {e.labels["judge"]: e for e in self.judges(**how)}
        return dots(
            "auto-pyramid", "judge", "manual - automatic", "Manual minus automatic score by judge", said, judges
        )

    def to_html(self, judges: Sequence[Hashable] = (), **how: Any) -> str:
        """One page to mail to the judges: what each of them (or of those named) missed, and where they accepted it."""
        return page(missed_strings(self, judges, **how).document())

    def blocks(self, **how: Any) -> list[Block]:
        """Who missed most in a sentence, every judge, and the tasks and strings that cost most."""
        judges = self.judges(**how)
        heads = columns("judge", "gap:figure", interval_column(judges), "tasks:count", "items:count", *COUNTS)
        named = ("tasks", "items", *READINGS)
        rows = tuple((e.labels["judge"], e.value, e.interval, *(e.labels[n] for n in named)) for e in judges)
        every = Table("Manual minus automatic pyramid score, lowest first", heads, rows, EXPLAINED)
        over = {e.interval.over for e in judges if e.interval}
        alone = "intervals of judges with one task are over its items, the others over tasks"
        notes = (*self.notes, *([alone] if len(over) > 1 else []))
        said = Text((self._sentence(judges),), "lead")
        return with_notes([said, every, *self._by_task(self.tasks(**how)), *self._strings(judges)], notes)

    def _strings(self, judges: list[Estimate]) -> Iterator[Table]:
        """The strings that were accepted elsewhere and not here: those missed, then those accepted by accident."""
        place = {e.labels["judge"]: k for k, e in enumerate(judges)}
        heads = columns("judge", "task", "item", "unit", "weight:place", "string:text", "accepted_in:text", "marked")
        for reading, title in TITLES.items():
            listed = sorted((m for m in self.missed if m.reading == reading), key=lambda m: place[m.judge])
            rows = []
            for m in listed[:SHOWN]:
                more = f" +{len(m.accepted_in) - 3}" if len(m.accepted_in) > 3 else ""
                where = ", ".join(m.accepted_in[:3]) + more
                head = (m.judge, m.task, m.item, m.unit, m.weight, m.string, where)
                rows.append((*head, f"{m.marked} of {m.there}"))
            if rows:
                yield Table(title, heads, tuple(rows), of=len(listed), keys=4)

    def _by_task(self, found: list[Estimate]) -> Iterator[Table]:
        if len(found) < 2:
            return
        found.sort(key=lambda e: (math.isnan(e.value), e.value, str(e.labels["task"]), str(e.labels["judge"])))
        cells = tuple((e.labels["task"], e.labels["judge"], e.value, e.interval, e.n) for e in found[:SHOWN])
        note = "All are in --rows tasks." if len(found) > SHOWN else ""
        heads = columns("task", "judge", "gap:figure", interval_column(found), "items:count")
        yield Table("By task, lowest first", heads, cells, note, of=len(found), keys=2)

    def _sentence(self, judges: list[Estimate]) -> str:
        known = [e for e in judges if not math.isnan(e.value)]
        if not known:
            return "No item has both a manual and an automatic score."
        worst, read = known[0], Counter(self.units.values())
        if not read:
            return f"No judge missed a string accepted elsewhere, in {many(len(self.items), 'item')}."
        clear = ", ".join(str(e.labels["judge"]) for e in known if e.labels["clear"])
        told = f"Clearly below the other judges: {clear}." if clear else "No judge is clearly below the others."
        return (
            f"Judge {worst.labels['judge']} misses most: manual scores lie {three(abs(worst.value))} "
            f"{'below' if worst.value < 0 else 'above'} automatic ones. In {many(len(self.items), 'item')} "
            f"{many(read.total(), 'unit')} {'was' if read.total() == 1 else 'were'} not marked though their words were "
            f"accepted elsewhere: {read['missed']:,} missed (most items with these words are marked), "
            f"{read['accidental']:,} accidental (few are), {read['open']:,} open. {told}"
        )


def _plain(e: Estimate) -> dict[str, Any]:
    """An estimate as plain data: whose it is, the gap, its interval, and what was counted."""
    kept = {n: v for n, v in e.labels.items() if n in ("task", "judge", "tasks", "items", *READINGS, "clear")}
    return {**kept, "gap": e.value, "interval": e.ends, "interval_by": e.interval.over if e.interval else None}
