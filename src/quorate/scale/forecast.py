"""What a question will take, before anything runs; the same figures decide how much is looked at in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quorate.inference.engine import budget_of
from quorate.inference.results import Options
from quorate.inference.samples import TASKS
from quorate.panel.base import many
from quorate.panel.by_name import MANY
from quorate.panel.many_names import ManyNames
from quorate.scale.free_memory import free_memory
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.scale.files import Scan
    from quorate.scale.survey import Survey

PROCESS = 160 * 10**6  # bytes of a process that has loaded all it needs
ROW = 400  # bytes that a row takes at most while its piece is worked on
ROW_IN_MEMORY = {  # bytes of a row of a panel in memory, at the most of its way, measured on 300,000 to ten million
    "orderings": 250,
    "groupings": 400,
    "scores": 550,
    "scores agreement": 170,
    "scores judges": 370,
    "scores consensus": 150,
    "scores quality": 130,
    "votes": 140,
}
ITEM_IN_MEMORY = {  # bytes more of an item of one task, or a few, measured on 3 x 100,000 to 3 x 1,000,000
    "orderings consensus": 800,
    "groupings": 2100,
    "scores agreement": 250,
    "scores consensus": 1900,
    "scores quality": 1500,
    "scores trust": 600,
}
DRAWN = {"votes": 400 * 10**6}  # bytes of what is drawn of very many rows at a time; of few it is less
EXTRA = {"report": 120 * 10**6, "trust": 100 * 10**6}  # bytes of pages and drawings, and of curves, at any size
TOLD = {  # bytes of a row of a panel in memory while all rows of an answer are written as JSON or CSV
    "orderings": 900,
    "groupings": 900,
    "groupings agreement": 6000,  # every two judges of every task
    "groupings report": 7500,
    "scores": 400,
    "votes": 0,
}
FEW_DRAWN = 1500  # bytes of a row, and of what is drawn of few rows
NAME = 150  # bytes of a task's name in all tables of names
FIGURE = 40  # bytes of a value of a method on a task
JUDGED = 75  # the same of a judge, where they are drawn and averaged
SHEET = 500  # bytes of what is told of a judge's grouping of a task
AGREED = {  # bytes of what is agreed on by a method, by the items of a task
    "orderings": lambda items: 300 * items,
    "groupings": lambda items: (1500 + 30 * items) * items,
}
OUTPUT = {"quality": 200, "consensus": 500}  # bytes of a system's output, beside those of a value
VOTED_ON = 70  # bytes of a task of votes beside its name: numbers, and what is drawn
AGREED_ON = 40  # bytes more of its rows by two methods
VOTES = 300 * 10**6  # bytes of votes that are looked at together
IN_PAIRS = dict.fromkeys(("quality", "consensus"), 200 * 10**6)  # the same where they are only counted by pairs
VOTE = {"judges": 2, "trust": 10}  # bytes of every vote; all else of it is on disk
ROW_VOTED = 150  # bytes that a vote takes while its piece is worked on
WHERE = 50  # bytes of the task and judge of a sum, and of its place
DRAWING = 5e-9  # CPU seconds of a vote in a draw
PASSES = {"quality": 1, "consensus": 1, "judges": 3, "trust": 1}  # of scores, beside that for agreement
LEAST, MOST = 20_000, 500_000  # rows that are looked at in one go
READ, VALUED = 0.25e-6, 0.3e-6  # CPU seconds of reading a row, and of a method on it
AGREEING = 2e-3  # CPU seconds of a method of consensus on a task


@dataclass(frozen=True)
class Forecast:
    """Rows, tasks, CPU seconds, bytes and draws."""

    rows: int
    tasks: int
    values: int
    pieces: int
    seconds: float
    memory: int
    in_memory: int
    draws: int
    sampled: int
    groups: int = 0  # of judges that are drawn, where they are very many

    def text(self) -> str:
        """For people."""
        rest = f", of {self.groups:,} groups of judges" if self.groups else f"; chance from {self.sampled:,} tasks"
        return "\n".join(
            [
                f"{many(self.rows, 'row')} of {many(self.tasks, 'task')} in {many(self.pieces, 'piece')}",
                f"about {self.seconds:,.0f} CPU seconds and {self.memory / 1e9:.2f} GB of memory in all processes",
                f"{self.draws:,} draws for intervals{rest}",
            ]
        )


def in_memory(rows: int, kind: str, question: str = "", told: bool = False, items: int = 0) -> int:
    """Bytes that a panel of so many rows takes in memory, at the most of its way to an answer, whose rows may be
    ``told``. Of one task with so many ``items`` that few judges have seen each, what is told of items is the most."""
    each = ROW_IN_MEMORY.get(f"{kind} {question}", ROW_IN_MEMORY[kind])
    drawn = DRAWN.get(kind, 0)
    more = items * of_items(kind, question)
    more += EXTRA.get(question, 0) + (rows * TOLD.get(f"{kind} {question}", TOLD[kind]) if told else 0)
    return PROCESS + more + (min(rows * FEW_DRAWN, drawn + rows * each) if drawn else rows * each)


def of_items(kind: str, question: str) -> int:
    """Bytes more of an item of very large tasks."""
    return ITEM_IN_MEMORY.get(f"{kind} {question}", ITEM_IN_MEMORY.get(kind, 0))


def short_of_memory(rows: int, kind: str, question: str = "", told: bool = False, items: int = 0) -> str:
    """What reading so many rows would take, in words, where less memory is free here; else empty."""
    needed, free = in_memory(rows, kind, question, told, items), free_memory()
    if free is None or needed <= free:
        return ""
    return f"{rows:,} rows take about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free"


def rows_at_once(memory: int, workers: int) -> int:
    """How many rows a worker may look at in one go."""
    free = memory - (workers + 1) * PROCESS
    return max(LEAST, min(MOST, int(free * 0.5 / workers / ROW)))


def forecast(scan: Scan, question: str, methods: Sequence[Method], options: Options) -> Forecast:
    """What a question will take of a scan."""
    # Here, for a warning about memory needs no more than the above.
    from quorate.panel.judge_cells import FIRST, by_judge
    from quorate.panel.pairs import STEPS
    from quorate.scale.judge_cells import cell_bytes, passes
    from quorate.scale.survey import names_of_a_task

    found, number = scan.survey, max(len(methods), 1)
    each: float = len(found.judges) if question == "judges" and scan.kind != "votes" else 1
    if scan.kind == "scores" and question != "agreement":  # a row for every system or item, or for every judge
        each = names_of_a_task(found, "judge" if question == "judges" else "item")
    each = 0 if question == "trust" else each  # no rows by task
    rows = round(len(found.tasks) * each)
    figure = JUDGED if question == "judges" else FIGURE
    held = len(found.tasks) * NAME + rows * number * figure
    if scan.kind == "groupings" and question != "quality":
        held += len(found.tasks) * len(found.judges) * SHEET
    seconds = found.rows * (2 * READ + number * VALUED)
    at_once = min(scan.rows, found.rows) * (ROW_VOTED if scan.kind == "votes" else ROW) * scan.workers
    if scan.kind == "votes":
        held = _votes_held(found, question, number, scan.workers * PROCESS + at_once)
        seconds += found.rows * DRAWING * budget_of(options).draws(found.rows * STEPS) * number
    elif scan.kind == "scores":
        held += round(rows * number * OUTPUT.get(question, 0))
        seconds += found.rows * 3 * READ * PASSES.get(question, 0)
        if question == "judges":
            found_in = passes([str(m) for m in methods if by_judge(m)], rows, scan.memory)
            most = max((sum(map(cell_bytes, some)) for some in found_in), default=0)
            held += rows * (max(most, 8 * FIRST) + WHERE) - rows * number * figure
            seconds += found.rows * 3 * READ * max(len(found_in) - 1, 0)
    elif question == "consensus":
        held += round(rows * number * AGREED[scan.kind](names_of_a_task(found)))
        seconds += rows * number * AGREEING
    return Forecast(
        found.rows,
        len(found.tasks),
        rows * number,
        len(found.pieces),
        seconds + 3.0,
        (scan.workers + 1) * PROCESS + at_once + held,
        in_memory(found.rows, scan.kind, question, items=scan.items if of_items(scan.kind, question) else 0),
        budget_of(options).draws(rows),
        min(TASKS, len(found.tasks)),
    )


def _votes_held(found: Survey, question: str, methods: int, workers: int) -> int:
    """Bytes of votes on so many tasks: of names twice, as given and in order, and of rows by task. Of very many tasks
    these take the place of what workers held, who have gone by then."""
    tasks, column = len(found.tasks), isinstance(found.tasks, ManyNames)
    names = 2 * found.tasks.size if isinstance(found.tasks, ManyNames) else NAME * tasks
    each = {"agreement": AGREED_ON * methods / 2 + NAME * (not column), "trust": FIGURE}.get(question, 0)
    made = round(tasks * (VOTED_ON + each)) + IN_PAIRS.get(question, VOTES) + found.rows * VOTE.get(question, 0)
    return names + (max(tasks * VOTED_ON, made - workers) if tasks > MANY else made)
