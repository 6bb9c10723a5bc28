"""Tables for answers about groupings, in the forms of the Clusters paper: its Table 2 (who made what) and 3 (pairs)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from quorate.inference.results import Answer, Finding
from quorate.terminal.text import TASKS, between, figure, plain_table, shown_of
from quorate.words.groupings_agreement import SAME

SHORT = {  # column heads
    "adjusted_mutual_information": "ami",
    "adjusted_rand": "ari",
    "fowlkes_mallows": "fm",
    "together_outliers": "together",
}


def agreement(answer: Answer, width: int) -> Iterator[Any]:
    """The overall figures; every two judges with the treatments side by side; what the judges made."""
    yield _overall(_distinct(answer), answer.tasks)
    if any("pair" in f.keys and f.values for f in answer.findings):
        yield ""
        yield _pairs(answer, width)
    if answer.tasks > 1:
        yield ""
        yield _tasks(answer, width)
    yield ""
    yield described(answer.more["description"], width)


def _two(value: Any) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.2f}"


def _distinct(answer: Answer) -> list[Finding]:
    """The findings, of one treatment only where all are the same."""
    if SAME not in answer.notes:
        return list(answer.findings)
    seen: dict[str, Finding] = {}
    for f in answer.findings:
        seen.setdefault(_name(f), f)
    return list(seen.values())


def _name(f: Finding) -> str:
    """The method without its treatment of left-out items."""
    given = ", ".join(f"{k}={v}" for k, v in f.method.settings if k != "left_out")
    return f"{f.method.name}({given})" if given else f.method.name


def _overall(findings: Sequence[Finding], tasks: int) -> Table:
    seen = next((f.overall[0].interval for f in findings if f.overall[0].interval), None)
    table = plain_table()
    table.add_column("method", overflow="fold")
    ways = len({f.method["left_out"] for f in findings}) > 1
    if ways:
        table.add_column("left out as")
    table.add_column("value" if tasks == 1 else "mean", justify="right")
    table.add_column(f"{seen.level:.0%} interval ({seen.by})" if seen else "interval", justify="right")
    table.add_column("chance", justify="right")
    table.add_column("p", justify="right")
    before = ""
    for f in findings:
        o = f.overall[0]
        chance, p = (figure(o.chance.value), f"{o.chance.p:.2g}") if o.chance else ("-", "-")
        name, before = ("" if _name(f) == before else _name(f)), _name(f)
        way = [str(f.method["left_out"])] if ways else []
        table.add_row(name, *way, figure(o.value), between(o.interval), chance, p)
    return table


def _heads(findings: Sequence[Finding], room: int, name: str = "") -> list[tuple[Finding, str]]:
    """The findings ordered by treatment with their column heads, as many as there is room for."""
    ways = list(dict.fromkeys(str(f.method["left_out"]) for f in findings))
    out: list[tuple[Finding, str]] = []
    before = ""
    for f in sorted(findings, key=lambda f: ways.index(str(f.method["left_out"]))):
        way = str(f.method["left_out"])
        called = str(f.method[name]) if name and f.method.has(name) else f.method.name
        given = [f"{k}={v}" for k, v in f.method.settings if k not in ("left_out", name)]
        lines = [SHORT.get(called, called), *given]
        head = "\n".join(([way if way != before else ""] if len(ways) > 1 else []) + lines)
        before = way
        room -= max(5, *map(len, head.split("\n"))) + 2
        if room < 0 and out:
            break
        out.append((f, head))
    return out


def _pairs(answer: Answer, width: int) -> Table:
    """A row per task and pair, the mean of both ways; what chance gives in the last row, as in Table 3."""
    found = [f for f in _distinct(answer) if "pair" in f.keys and f.values]
    first = found[0]
    values, cut = _both_ways(first), ""  # the pairs of all methods are the same, in the same order
    some = np.arange(len(values))
    if len(values) > TASKS:
        sign = -1 if first.method.declaration.higher == "less agreement" else 1
        cut = f": the {TASKS} of {len(values):,} that agree least"
        some = np.argsort(np.where(np.isnan(values), np.inf, sign * values), kind="stable")[:TASKS]
    at = (some * _ways(first)).tolist()
    rows = [(str(first.keys["task"][k]), "-".join(map(str, first.keys["pair"][k]))) for k in at]
    names = [max(8, *(len(task) + 2 for task, _ in rows)) if answer.tasks > 1 else 0, max(len(x) for _, x in rows)]
    heads = _heads(found, width - min(sum(names), 40))
    cells = [_both_ways(f)[some].tolist() for f, _ in heads]
    both = all(f.method.declaration.properties["symmetric"] for f, _ in heads)
    table = plain_table(f"Every two judges{'' if both else ', mean of both ways'}{cut}")
    if answer.tasks > 1:
        table.add_column("task", overflow="fold")
    table.add_column("judges", overflow="fold")
    for _, head in heads:
        table.add_column(head, justify="right")
    before = ""
    for (task, pair), *each in zip(rows, *cells, strict=True):
        table.add_row(*([task if task != before else ""] if answer.tasks > 1 else []), pair, *map(_two, each))
        before = task
    chance = [f.overall[0].chance for f, _ in heads]
    if any(chance):
        blank = [""] if answer.tasks > 1 else []
        table.add_row("chance", *blank, *("-" if c is None else _two(c.value) for c in chance))
    return table


def _both_ways(f: Finding) -> NDArray[Any]:
    """The value of each task and pair, the mean of both ways: there may be millions."""
    return np.asarray(np.asarray(f.values, float).reshape(-1, _ways(f)).mean(axis=1))


def _ways(f: Finding) -> int:
    """How many rows a pair has, one below the other."""
    pairs = f.keys["pair"]
    return 2 if len(pairs) > 1 and list(pairs[1]) == list(pairs[0])[::-1] else 1


def _tasks(answer: Answer, width: int) -> Table:
    """The means of the tasks, those with least agreement first by the first method."""
    cells = {(r["task"], r["method"]): r["value"] for r in answer.more["by_task"]}
    tasks = list(dict.fromkeys(t for t, _ in cells))
    heads = _heads(_distinct(answer), width - min(max(len(str(t)) for t in tasks), 30))
    first = heads[0][0].method
    sign = -1 if first.declaration.higher == "less agreement" else 1
    tasks.sort(key=lambda t: _key(sign * cells[t, str(first)]))
    cut = f": {TASKS} of {len(tasks):,}" if len(tasks) > TASKS else ""
    table = plain_table(f"Tasks, least agreement first{cut}")
    table.add_column("task", overflow="fold")
    for _, head in heads:
        table.add_column(head, justify="right")
    for t in tasks[:TASKS]:
        table.add_row(str(t), *(_two(cells[t, str(f.method)]) for f, _ in heads))
    return table


def _key(value: float) -> float:
    return math.inf if value is None or math.isnan(value) else value


def described(rows: Sequence[Mapping[str, Any]], width: int) -> Table:
    """Items used, clusters, items per cluster by judge: of a few tasks each, as in Table 2; of more their means."""
    tasks = list(dict.fromkeys(r["task"] for r in rows))
    judges = list(dict.fromkeys(r["judge"] for r in rows))
    cut = f" (first {TASKS} of {len(judges)})" if len(judges) > TASKS else ""
    few = 14 + 19 * len(tasks) <= width
    table = plain_table(f"What the judges made{'' if few else ', mean over their tasks'}{cut}")
    table.add_column("judge", overflow="fold")
    cells = {(r["judge"], r["task"]): r for r in rows}
    if few:
        for t in tasks:
            top = f"{t}\n" if len(tasks) > 1 else ""
            gap = "\n" if len(tasks) > 1 else ""
            for head in (f"{top}used", f"{gap}clusters", f"{gap}per"):
                table.add_column(head, justify="right")
        for j in judges[:TASKS]:
            table.add_row(str(j), *(c for t in tasks for c in _made(cells.get((j, t)))))
        return table
    for head in ("tasks", "used", "clusters", "per cluster", "left out"):
        table.add_column(head, justify="right")
    for j in judges[:TASKS]:
        own = [cells[j, t] for t in tasks if (j, t) in cells]
        mean = {n: _mean([r[n] for r in own]) for n in ("used", "clusters", "per_cluster", "left_out")}
        left = f"{mean['left_out']:.0%}"
        table.add_row(str(j), str(len(own)), *(f"{mean[n]:.1f}" for n in ("used", "clusters", "per_cluster")), left)
    return table


def _made(row: Mapping[str, Any] | None) -> list[str]:
    if row is None:
        return ["", "", ""]
    per = row["per_cluster"]
    return [str(row["used"]), str(row["clusters"]), "-" if math.isnan(per) else f"{per:.1f}"]


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if not math.isnan(v)]
    return sum(known) / len(known) if known else math.nan


def judges(answer: Answer, width: int) -> Iterator[Any]:
    """A row per judge, least agreement first; then what the judges made."""
    yield _judged(answer, width)
    if len({_name(f) for f in answer.findings}) == 1:
        for f in _distinct(answer):
            yield ""
            yield _with_intervals(f)
    yield ""
    yield described(answer.more["description"], width)


def _judged(answer: Answer, width: int) -> Table:
    places = {r["judge"]: r for r in answer.more.get("ranks", ())}
    found, off = _distinct(answer), {f["judge"] for f in answer.more.get("flagged", ())}
    order = list(places) or [o.labels["judge"] for o in found[0].overall]
    by = [{o.labels["judge"]: o for o in f.overall} for f in found]
    heads = [
        (by[found.index(f)], head)
        for f, head in _heads([f for f in found if f.method.name != "leaning"], width - 43, "measure")
    ]
    leans = next((b for b, f in zip(by, found, strict=True) if f.method.name == "leaning"), None)
    cut = f": {TASKS} of {len(order):,}" if len(order) > TASKS else ""
    table = plain_table(f"Judges, least agreement first{cut}")
    table.add_column("judge", overflow="fold")
    columns = [("rank", bool(places)), *((head, True) for _, head in heads), ("left out", bool(places))]
    for head, shown in columns:
        if shown:
            table.add_column(head, justify="right")
    if leans:
        table.add_column("leans")
    table.add_column("flag")
    for j in order[:TASKS]:
        rank, left = ([_one(places[j]["mean_rank"])], [f"{places[j]['left_out']:.0%}"]) if places else ([], [])
        flag = "yes" if j in off else ""
        lean = [leans[j].labels["leans"] or "-"] if leans else []
        table.add_row(str(j), *rank, *(_two(b[j].value) for b, _ in heads), *left, *lean, flag)
    return table


def comparison_text(panel: Any, names: str, output: str, width: int) -> str:
    """Two judges of a panel of groupings compared, in the format asked for; ``names`` is A,B."""
    from quorate.errors import InputError, UnknownId, suggest
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
    found = compare(panel, *(known[n] for n in wanted))
    made = {"json": lambda: found.to_json() + "\n", "csv": found.to_csv}
    return made[output]() if output in made else found.text(width)


def _one(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1f}"


def _with_intervals(f: Finding) -> Table:
    seen = next((o.interval for o in f.overall if o.interval), None)
    table = plain_table(f"{f.method}{shown_of(len(f.overall))}")
    table.add_column("judge", overflow="fold")
    for head in ("value", f"{seen.level:.0%} interval ({seen.by})" if seen else "interval", "chance", "p"):
        table.add_column(head, justify="right")
    for o in f.overall[:TASKS]:
        chance, p = (figure(o.chance.value), f"{o.chance.p:.2g}") if o.chance else ("-", "-")
        table.add_row(str(o.labels["judge"]), figure(o.value), between(o.interval), chance, p)
    return table


LAYOUTS: dict[str, Callable[[Answer, int], Iterator[Any]]] = {
    "groupings x agreement": agreement,
    "groupings x judges": judges,
}
