"""Tables from entries: what a row is about, the group of columns (mostly a method), and the values in them.

>>> value = Column("value", "value", "figure")
>>> entries = [(("ann",), "tau_b", {value: 0.5}), (("ann",), "rho", {value: 0.6})]
>>> [c.group for c in pivot("By judge", [Column("judge", "judge")], entries).columns]
['', 'tau_b', 'rho']
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate.document.blocks import Column, Table
from quorate.document.columns import CHANCE, HIDDEN, KEYS, LABELS, OUTLIERS, VALUES, P, ci_column, column
from quorate.inference.results import Answer, Finding, Overall
from quorate.words.numbers import ANYTHING
from quorate.words.wording import vacuous

MOST = 2000  # rows of a table; all are in the JSON of the answer
VALUE = Column("value", "value", "figure")
BEFORE = ("merge_loss", "split_loss")  # labels of which the figure is made, and which stand before it
NOTHING = 5e-4  # share of a value that chance hardly is: it is shown as 0
Key = tuple[Any, ...]
Entry = tuple[Key, str, Mapping[Column, Any]]


def pivot(
    title: str,
    keys: Sequence[Column | str],
    entries: Iterable[Entry],
    *,
    groups: Iterable[str] = (),
    name: str = "",
    of: int = 0,
    note: str = "",
) -> Table:
    """A row for each key, columns by groups, in the order given or found; columns without any value are left out."""
    rows: dict[Key, dict[int, Any]] = {}
    place: dict[Column, int] = {}
    found: dict[str, dict[int, None]] = {group: {} for group in groups}
    known: dict[tuple[int, str], tuple[Column, int]] = {}  # most cells have a column in common with others
    for key, group, cells in entries:
        row, here = rows.setdefault(key, {}), found.setdefault(group, {})
        for c, value in cells.items():
            if (id(c), group) not in known:
                known[id(c), group] = c, place.setdefault(replace(c, group=group), len(place))
            k = known[id(c), group][1]
            row[k], here[k] = value, None
    inside = [k for each in found.values() for k in each if any(row.get(k) is not None for row in rows.values())]
    every = list(place)
    columns = [every[k] for k in inside]
    several = len({c.group for c in columns if c.group}) > 1
    shown = columns if several else [replace(c, group="", minor=0) for c in columns]
    heads = tuple(column(k) if isinstance(k, str) else k for k in keys)
    table = tuple((*key, *(row.get(k) for k in inside)) for key, row in list(rows.items())[:MOST])
    return Table(title, (*heads, *shown), table, note=note, name=name, of=max(of, len(rows)), keys=len(keys))


def interval_column(overall: Iterable[Overall]) -> Column:
    """The column of intervals: their level, and what was resampled."""
    found = [o.interval for o in overall if o.interval is not None]
    by = list(dict.fromkeys([i.over for i in found]))
    if not found:
        return Column("interval", "CI", "interval", minor=2)
    return ci_column(found[0].level, over=" or ".join(by) if len(by) < 3 else "", minor=2)


def figures(
    f: Finding, inside: Column, labels: Collection[str] | None = None, *, ends: bool = True
) -> Iterator[tuple[Overall, dict[Column, Any]]]:
    """The cells of every overall figure of a method: value, interval, chance, p, and all labels or those named.

    With ``ends`` the interval's ends have the form of the value; else all intervals stand in one column.
    """
    own = f.method.question == "trust" or f.method.name != "noise"  # which is another thing in points
    value = VALUES.get(f.method.name, VALUE) if own else VALUE
    whole = bool(f.overall) and all(isinstance(o.value, int) for o in f.overall)
    same = value.form if value.form in ("count", "share") else "count" if whole else ""
    inside = replace(inside, form=f"interval:{same}") if same and ends else inside
    told = [_labels(o, labels) for o in f.overall]
    place = {c.key: k for k, c in enumerate(LABELS)}
    names = sorted(dict.fromkeys(n for each in told for n in each), key=lambda n: place.get(n, -1))
    columns = [column(n, (each.get(n) for each in told)) for n in names]
    if f.method.name in OUTLIERS:
        columns = [replace(c, head="outlier") if c.key == "flag" else c for c in columns]
    if on_items(f):
        columns = [replace(c, head="items") if c.key == "tasks" else c for c in columns]
    for o, each in zip(f.overall, told, strict=True):
        before = {c: each.get(c.key) for c in columns if c.key in BEFORE}
        ci = ANYTHING if vacuous(o, f.method) else o.interval
        figure = {value: o.value, inside: ci, CHANCE: _chance(o), P: _p(o)}
        yield o, before | figure | {c: each.get(c.key) for c in columns if c.key not in BEFORE}


def _chance(o: Overall) -> float | None:
    """What chance gives; next to nothing beside the value is nothing."""
    if o.chance is None:
        return None
    return 0.0 if abs(o.chance.value) < NOTHING * abs(o.value) else o.chance.value


def _p(o: Overall) -> float | None:
    """How surprising a figure is: corrected for the number of judges where it is."""
    p = o.labels.get("p_holm", o.chance.p if o.chance else None)
    return None if p is None or p != p else float(p)


def _labels(o: Overall, only: Collection[str] | None) -> dict[str, Any]:
    """The labels that are shown; two ends of a range as one."""
    about = {c.key for c in KEYS}
    out: dict[str, Any] = {}
    for name, value in o.labels.items():
        stem = name.removesuffix("_low")
        if name.endswith("_low") and f"{stem}_high" in o.labels:
            name, value = f"{stem}_range", [value, o.labels[f"{stem}_high"]]
            value = None if any(x != x for x in value) else value
        hidden = name in HIDDEN or name in about or name.endswith("_high") or isinstance(value, dict)
        if not hidden and (only is None or name in only):
            out[name] = None if value != value or value == "" else value  # a label that is undefined does not apply
    return out


# -- what layouts ask of findings: headings, keys of rows, and the order of figures that are undefined -----------------


def about_keys(o: Overall, without: str = "") -> tuple[str, ...]:
    """What a figure is about: the names of those labels."""
    return tuple(c.key for c in KEYS if c.key in o.labels and c.key != without)


def method_headings(findings: Sequence[Finding]) -> dict[str, str]:
    """Methods as headings of columns: by their names, and where one is there twice by what tells them apart."""
    out = {}
    for m in (f.method for f in findings):
        alike = [f.method for f in findings if f.method.name == m.name]
        out[str(m)] = ", ".join([m.name, *(str(m[n]) for n in m.parameters if len({str(x[n]) for x in alike}) > 1)])
    return out


def distinct_findings(answer: Answer) -> list[Finding]:
    """The findings; of treatments of left-out items that all give the same, one."""
    seen: dict[Any, Finding] = {}
    for f in answer.findings:
        given = tuple(s for s in f.method.settings if s[0] != "left_out")
        same = tuple((*(str(o.labels[k]) for k in about_keys(o)), str(o.value)) for o in f.overall)
        seen.setdefault((f.method.name, given, same) if f.method.has("left_out") else id(f), f)
    return list(seen.values())


def every_figure(findings: Iterable[Finding]) -> list[Overall]:
    """All overall figures."""
    return [o for f in findings for o in f.overall]


def row_keys(f: Finding, names: Sequence[str]) -> list[Key]:
    """What each row is about, by these keys."""
    return list(zip(*(f.keys[n] for n in names), strict=True))


def as_number(value: Any) -> Any:
    """A figure that is undefined as a table has it."""
    return math.nan if value is None else value


def undefined_last(value: Any, sign: int = 1) -> tuple[bool, float]:
    """A key to sort figures by, what is undefined last."""
    undefined = value is None or value != value
    return undefined, 0.0 if undefined else sign * float(value)


def on_items(f: Finding) -> bool:
    """Whether items of a single task are what figures of systems are means over, and not tasks."""
    drawn = {o.interval.over for o in f.overall if o.interval is not None and "group" in o.labels}
    return any("items" in over.split("x") for over in drawn)


def did_all_tasks(f: Finding, answer: Answer) -> bool:
    """Whether everyone did all tasks, or all items of the only one: their number then goes without saying."""
    every = answer.items if on_items(f) else answer.tasks
    return {o.labels.get("tasks", every) for o in f.overall} <= {every}
