"""How good is an order as a consensus? Candidates beside each other, as the Kappa paper compares GA and CE.

Adding a ranking never increases kappa, so a good candidate makes it decline little. How much kappa then falls with
gamma and with lam says whether items (gamma) or distances between them (lam) sit differently in the candidate.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.document.blocks import Column, Table, Text
from quorate.document.terminal import render
from quorate.errors import InputError, UnknownId, suggest
from quorate.inference.answer import answer
from quorate.inference.budget import BESIDE
from quorate.inference.consensus_panel import as_panel
from quorate.inference.intervals import mean_interval
from quorate.inference.results import Answer, Options, clean
from quorate.inference.weights import stream
from quorate.kernels import majority
from quorate.orderings.consensus import mean_tau, taus
from quorate.orderings.kappa import GRID, Kappa
from quorate.orderings.kappa import measure as kappa_of
from quorate.orderings.rankings import OneTask
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack, stacks
from quorate.table import Method
from quorate.words.numbers import figure

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate on one task."""

    task: Hashable
    candidate: Hashable
    kappa_before: int | float  # of the judges alone
    kappa: int | float  # with the candidate added
    decline: int | float
    to_gamma: float  # share of kappa lost when gamma falls from 1 to the least of the grid
    to_lam: float  # the same for lam
    mean_tau: float  # tau-b with the judges, on average
    distance: int | float  # judges that its pairs contradict, a pair that it ties counting half
    by_length: list[Any] | None  # kappa_1, kappa_2, ... with the candidate added
    surface: list[dict[str, float]]  # kappa over gamma x lam
    by_judge: list[tuple[float, int]]  # tau-b with every judge, and how many the judge stands for
    interval: tuple[float, float] | None = None  # of mean_tau, over the judges
    behind: float = math.nan  # mean_tau less that of the task's best candidate
    behind_interval: tuple[float, float] | None = None  # of that difference, judge by judge


@dataclass(frozen=True)
class Evaluation:
    """Candidates beside each other: a row per task and candidate."""

    rows: tuple[Candidate, ...]
    level: float = 0.95  # of intervals

    @classmethod
    def of(cls, rows: Sequence[Candidate], seed: int = 0, level: float = 0.95) -> Evaluation:
        """The rows with intervals over the judges: of mean_tau, and of how far it is behind the task's best."""
        best: dict[Hashable, Candidate] = {}
        for row in sorted((r for r in rows if not math.isnan(r.mean_tau)), key=lambda r: -r.mean_tau):
            best.setdefault(row.task, row)
        out = []
        for row in rows:
            own = np.array(row.by_judge, float).reshape(-1, 2)
            rng = stream(seed, "candidates", str(row.task), str(row.candidate))
            between = _between(own[:, 0], own[:, 1], rng, level, 1.0)
            first = best.get(row.task)
            apart, behind = math.nan, None
            if first is not None:
                apart = row.mean_tau - first.mean_tau
                if row is not first:
                    gap = own[:, 0] - np.array(first.by_judge, float)[:, 0]
                    behind = _between(gap, own[:, 1], rng, level, 2.0)
            out.append(replace(row, interval=between, behind=apart, behind_interval=behind))
        return cls(tuple(out), level)

    def __getitem__(self, name: Hashable) -> Candidate:
        """The first row of a candidate."""
        for row in self.rows:
            if row.candidate == name:
                return row
        raise UnknownId(f"no candidate '{name}'.", suggest(str(name), {str(r.candidate): 0 for r in self.rows}))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dicts; NaN is None."""
        return {"kind": "orderings", "question": "consensus", "candidates": [clean(asdict(r)) for r in self.rows]}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, default=str, allow_nan=False)

    def to_csv(self) -> str:
        """The figures as CSV text, without the surface."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(FIGURES)
        writer.writerows([getattr(row, name) for name in FIGURES] for row in self.rows)
        return out.getvalue()

    def sentence(self) -> str:
        """Which candidate is nearest to the judges, and which is farthest, by mean tau over tasks."""
        by_name: dict[Hashable, list[Candidate]] = {}
        for row in self.rows:
            if not math.isnan(row.mean_tau):
                by_name.setdefault(row.candidate, []).append(row)
        if not by_name:
            return "No candidate can be compared with the judges."
        means = {name: sum(r.mean_tau for r in rows) / len(rows) for name, rows in by_name.items()}
        # max and min give the first of equals: those given come before ours.
        best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
        tasks = f", on average over {len({r.task for r in self.rows})} tasks" if self._several() else ""
        said = f"Nearest to the judges is {best}: mean tau {means[best]:.2f}{self._kept(by_name[best])}{tasks}"
        if best == worst:
            return said + "."
        return f"{said}; farthest {worst}: {means[worst]:.2f}{self._kept(by_name[worst])}."

    def _several(self) -> bool:
        return len({row.task for row in self.rows}) > 1

    def _kept(self, rows: Sequence[Candidate]) -> str:
        if self._several():
            return ""
        return f", kappa {figure(rows[0].kappa)} of {figure(rows[0].kappa_before)}"

    def text(self, width: int = 80) -> str:
        """For people: which candidate is nearest to the judges, then a table."""
        keys = FIGURES[:2] if self._several() else FIGURES[1:2]
        heads = {"kappa_before": "before", "behind": "behind the best"}
        heads |= {"interval": f"{self.level:.0%} CI", "behind_interval": "its CI"}
        tables = []
        for title, names in (
            ("Candidates: kappa before and with each one added, and how it falls", (*FIGURES[2:7], "distance")),
            ("How near they come to the judges, and how far behind the best (resampled judges)", FIGURES[7:11]),
        ):
            shown = (*keys, *names)
            columns = tuple(Column(n, heads.get(n, n.replace("_", " ")), FORMS.get(n, "figure")) for n in shown)
            rows = tuple(tuple(getattr(row, n) for n in shown) for row in self.rows)
            tables.append(Table(title, columns, rows, keys=len(keys)))
        return render([Text((self.sentence(),), "lead"), *tables], width, rows=len(self.rows))


FIGURES = (
    *("task", "candidate", "kappa_before", "kappa", "decline", "to_gamma", "to_lam", "mean_tau", "interval", "behind"),
    *("behind_interval", "distance"),
)
FORMS = {"task": "name", "candidate": "name", "interval": "interval", "behind_interval": "interval"}
Candidates = Orderings | Answer | Mapping[Any, Any] | Sequence[str | Method]


def evaluate_consensus(
    panel: Orderings,
    candidates: Candidates | None = None,
    *,
    gammas: Sequence[float] = GRID,
    lams: Sequence[float] = GRID,
    seed: int = 0,
    level: float = 0.95,
) -> Evaluation:
    """Candidate orders beside each other: kappa with each added, its decline, mean tau-b, distance from the judges.

    Candidates are orders by name, a panel whose judges are the candidates, an answer to ``consensus``, or names of
    methods (by default those of ``consensus``). Candidates of one task may be held against a panel of one task whatever
    the tasks are called.

    >>> judges = Orderings.from_orders(["abcd", "abdc", "bacd"])
    >>> found = evaluate_consensus(judges, {"good": "abcd", "bad": "dcba"})
    >>> [(c.candidate, c.kappa_before, c.kappa, c.distance) for c in found.rows]
    [('good', 8, 8, 2), ('bad', 8, 4, 16)]
    """
    given = _as_orderings(panel, candidates)
    of_task = _tasks(panel, given)
    rows = []
    for part in stacks(panel):
        for t, code in enumerate(part.tasks.tolist()):
            task = panel.tasks[code]
            if task in of_task:
                items = [panel.items[i] for i in part.items[t]]
                for name, order in given.orders(of_task[task]).items():
                    rows.append((code, _evaluated(part, t, task, items, name, order, gammas, lams)))
    rows.sort(key=lambda row: row[0])
    return Evaluation.of([row for _, row in rows], seed, level)


def with_candidates(panel: Orderings, candidates: Candidates | None = None) -> dict[str, Orderings]:
    """The panel with each candidate in turn as one more judge, by the candidate's name: R_GA and R_CE of the paper.

    >>> judges = Orderings.from_orders(["abc", "acb"])
    >>> {name: len(p.judges) for name, p in with_candidates(judges, {"good": "abc", "bad": "cba"}).items()}
    {'good': 3, 'bad': 3}
    """
    given, out = _as_orderings(panel, candidates), dict[str, Orderings]()
    own = {"task": panel.task.values(), "count": panel.count.tolist(), **panel.columns()}
    held = {n: own[n] for n in ("task", "judge", "item", "position", "count")}
    for name in given.judges:
        rows = [
            (task, f"candidate {name}", item, place, 1)
            for task, theirs in _tasks(panel, given).items()
            for place, group in enumerate(given.orders(theirs).get(name, ()), 1)
            for item in group
        ]
        known = dict.fromkeys(map(str, panel.items))
        for _, _, item, *_ in rows:
            if str(item) not in known:
                raise _unknown(name, item, known)
        added = {n: [*c, *(row[k] for row in rows)] for k, (n, c) in enumerate(held.items())}
        out[str(name)] = replace(Orderings.build(added), absent=panel.absent)
    return out


def _tasks(panel: Orderings, given: Orderings) -> dict[Hashable, Hashable]:
    """The panel's tasks that candidates have orders of, and what these call them: where each has one, that."""
    if len(panel.tasks) == len(given.tasks) == 1:
        return {panel.tasks[0]: given.tasks[0]}
    for task in given.tasks:
        if task not in panel.tasks:
            raise UnknownId(f"no task '{task}'.", suggest(str(task), map(str, panel.tasks), "The panel's tasks"))
    return {task: task for task in given.tasks}


def _as_orderings(panel: Orderings, candidates: Candidates | None) -> Orderings:
    if isinstance(candidates, Orderings):
        return candidates
    if isinstance(candidates, Answer):
        return as_panel(candidates)
    if isinstance(candidates, Mapping):
        return Orderings.from_orders(candidates)
    chosen = [table.as_method(m, "orderings", "consensus") for m in candidates or ()]
    chosen = chosen or table.methods("orderings", "consensus", default=True)
    return as_panel(answer("consensus", panel, chosen, Options(resamples=0)))


def _evaluated(
    part: Stack,
    t: int,
    task: Hashable,
    items: list[Hashable],
    name: Hashable,
    order: list[list[Hashable]],
    gammas: Sequence[float],
    lams: Sequence[float],
) -> Candidate:
    positions, counts = part.positions[t : t + 1], part.counts[t : t + 1]
    own = _positions(items, name, order)
    both = np.concatenate([positions, own.astype(positions.dtype)[None, None]], axis=1)
    with_it = np.concatenate([counts, np.ones((1, 1), counts.dtype)], axis=1)
    alone, joined = kappa_of(positions, counts), kappa_of(both, with_it)
    told = Kappa(joined.told[0], None, 0, None, 0.0, OneTask(both, with_it, (), tuple(items)))
    surface = told.surface(gammas, lams)
    top, least_gamma, least_lam = (
        surface[k] for k in ((gammas[0], lams[0]), (gammas[-1], lams[0]), (gammas[0], lams[-1]))
    )
    before = majority.before(positions, counts)[0]
    held = (own[:, None] > 0) & (own[None, :] > 0)
    distance = float((before * ((own[:, None] > own[None, :]) + 0.5 * (own[:, None] == own[None, :])) * held).sum())
    return Candidate(
        task,
        name,
        alone.told[0],
        joined.told[0],
        alone.told[0] - joined.told[0],
        1 - least_gamma / top if top else math.nan,
        1 - least_lam / top if top else math.nan,
        mean_tau(positions[0], counts[0], own),
        int(distance) if distance.is_integer() else distance,
        joined.details["by_length"][0],
        [{"gamma": g, "lam": lam, "kappa": value} for (g, lam), value in surface.items()],
        list(zip(taus(positions[0], own).tolist(), counts[0].tolist(), strict=True)),
    )


def _between(
    values: Array, counts: Array, rng: np.random.Generator, level: float, far: float
) -> tuple[float, float] | None:
    """The interval of a mean over judges, where it is defined."""
    use = np.isfinite(values) & (counts > 0)
    if counts[use].sum() < 3:
        return None
    found = mean_interval(values[use], rng, level, BESIDE, "judges", (-far, far), counts[use].astype(np.int64))
    return (found.low, found.high) if found else None


def _positions(items: list[Hashable], name: Hashable, order: list[list[Hashable]]) -> Array:
    number = {str(item): k for k, item in enumerate(items)}
    out = np.zeros(len(items), np.int32)
    for position, group in enumerate(order, 1):
        for item in group:
            if str(item) not in number:
                raise _unknown(name, item, number)
            out[number[str(item)]] = position
    return out


def _unknown(name: Hashable, item: Hashable, known: Iterable[str]) -> InputError:
    said = f"candidate {name!r} has the item '{item}', which no judge ranked."
    return InputError(said, suggest(str(item), known, "The task's items"))
