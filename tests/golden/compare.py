"""Golden outputs against those of now: what changed, what moved by chance, what is gone or added."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.golden import drawn
from tests.golden.answers import Row, Rows, bare, whole
from tests.golden.stored import Golden

EQUAL = 1e-12  # relative
TINY = 1e-15  # what is left of zero when figures are added up in another order
SEARCHED = {"glad": 1e-5}  # relative, of what a search ends near: where depends on how a processor rounds

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Change:
    """A figure that is not what it was."""

    what: str  # changed (a point figure), moved (a drawn one, further than chance moves it), gone, added
    question: str
    method: str
    field: str
    row: str
    old: Any = None
    new: Any = None


@dataclass
class Comparison:
    """A panel's outputs held against the golden ones."""

    panel: str
    changes: list[Change] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=dict)  # question: lines of a diff, numbers aside
    counts: Counter[str] = field(default_factory=Counter)  # point, drawn, and redrawn figures
    skipped: str = ""
    seconds: float = 0.0

    def only(self, what: str) -> list[Change]:
        """The changes of one sort."""
        return [c for c in self.changes if c.what == what]


def compare(panel: str, golden: Golden, found: Golden) -> Comparison:
    """Every question's figures and words."""
    result = Comparison(panel)
    for question in dict.fromkeys((*golden["answers"], *found["answers"])):
        old, new = (_of(made["answers"], question) for made in (golden, found))
        spread = golden["spread"].get(question, {})
        for change in _of_rows(golden["kind"], question, old["figures"], new["figures"], spread, result.counts):
            result.changes.append(change)
        if old["words"] != new["words"]:
            result.counts["texts"] += 1
            lines = list(_reworded(old["words"], new["words"]))
            if lines:
                result.words[question] = lines
    return result


def _reworded(old: list[str], new: list[str]) -> Iterator[str]:
    """Lines that differ by more than numbers and the space they take."""
    plain = [[re.sub(r"[-\d.,%]+|\s+|p [<=]", " ", line).split() for line in lines] for lines in (old, new)]
    before, after = (list(map(" ".join, lines)) for lines in plain)
    for what, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what != "equal":
            yield from (f"- {line}" for line in old[a:b])
            yield from (f"+ {line}" for line in new[c:d])


def _of(answers: Mapping[str, Any], question: str) -> dict[str, Any]:
    found = answers.get(question, {"figures": {}, "words": []})
    return {**found, "figures": whole(found["figures"], answers)} if question == "report" else found


def _of_rows(
    kind: str, question: str, old: Rows, new: Rows, spread: Mapping[str, Any], counts: Counter[str]
) -> Iterator[Change]:
    for name in dict.fromkeys((*old, *new)):
        asked, method = of_row(question, name)
        if name not in new or name not in old:
            yield Change("gone" if name in old else "added", question, method, "(row)", name)
            continue
        for of in dict.fromkeys((*old[name], *new[name])):
            if of not in new[name] or of not in old[name]:
                what = "gone" if of in old[name] else "added"
                yield Change(what, question, method, of, name, old[name].get(of), new[name].get(of))
                continue
            yield from (
                Change(what, question, method, ".".join(map(str, at)), name, a, b)
                for what, at, a, b in _of_field(kind, asked, method, of, old[name], new[name], spread, counts)
            )


def of_row(question: str, name: str) -> tuple[str, str]:
    """The question and the bare method of a row; a report's rows are of the sections' questions."""
    section = re.match(r"(?:order of )?overall of (\w+)", name) if question == "report" else None
    parts = name.split(" | ")
    method = parts[1] if len(parts) > 1 and parts[1] else parts[0]
    return section[1] if section else question, bare(method)


def _of_field(
    kind: str, question: str, method: str, of: str, old: Row, new: Row, spread: Mapping[str, Any], counts: Counter[str]
) -> Iterator[tuple[str, Place, Any, Any]]:
    """What is different inside a field."""
    before, after = dict(leaves(old[of], (of,))), dict(leaves(new[of], (of,)))
    for at in dict.fromkeys((*before, *after)):
        is_drawn = drawn.is_drawn(kind, question, method, of, last_name(at))
        counts["drawn" if is_drawn else "point"] += 1
        nothing = 0.0 if is_drawn and of == "first" else None  # shares of nought are not listed
        a, b = before.get(at, nothing), after.get(at, nothing)
        if same(a, b, SEARCHED.get(method, EQUAL)):
            continue
        counts["redrawn"] += is_drawn
        if not is_drawn:
            yield "changed", at, a, b
        elif drawn.leaps(kind, question, method, of):
            continue
        elif not within(a, b, of, old[of], spread.get(f"{method} {_called(of, at)}", 0.0)):
            yield "moved", at, a, b


def leaves(value: Any, at: Place) -> Iterator[tuple[Place, Any]]:
    """Every single value with its place; an empty list or dict is one too."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not members:
        yield at, value
    for name, member in members:
        yield from leaves(member, (*at, name))


def last_name(at: Place) -> str:
    """The innermost name of a place that is no number."""
    return next(str(name) for name in reversed(at) if not isinstance(name, int))


def _called(of: str, at: Place) -> str:
    """The name that a spread is kept by: that of the field, and ``stays`` inside of one."""
    return last_name(at) if last_name(at) == "stays" else of


def is_number(value: Any) -> bool:
    """Whether a value can be near another one."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(a: Any, b: Any, near: float = EQUAL) -> bool:
    """Whether two values are one, but for the last digit."""
    if is_number(a) and is_number(b):
        return math.isclose(a, b, rel_tol=near, abs_tol=TINY)
    return type(a) is type(b) and bool(a == b)


def within(a: Any, b: Any, name: str, field: Any, spread: Any) -> bool:
    """Whether chance alone may have moved a drawn figure from a to b."""
    if not (is_number(a) and is_number(b)):
        return spread == "varies"
    reach = spread if is_number(spread) else 0.0
    return abs(a - b) <= drawn.TIMES * reach + drawn.SHARE * _size(a, field) + drawn.least(name)


def _size(value: float, field: Any) -> float:
    """The width of an interval, or how far a figure is from zero."""
    if isinstance(field, list) and len(field) == 2 and all(map(is_number, field)):
        return float(abs(field[1] - field[0]))
    return abs(value)


def spread_of(kind: str, made: list[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Of every question how far each method's drawn fields move over seeds; ``varies`` where they are no numbers."""
    found: dict[str, dict[str, Any]] = {}
    for question in made[0]:
        rows = [_of(answers, question)["figures"] for answers in made]
        for name in rows[0]:
            asked, method = of_row(question, name)
            for of in rows[0][name]:
                every = [dict(leaves(row[name][of], (of,))) for row in rows if of in row.get(name, {})]
                for at in {at for places in every for at in places}:
                    if drawn.is_drawn(kind, asked, method, of, last_name(at)):
                        moved = _moved([places.get(at, 0.0 if of == "first" else None) for places in every])
                        _keep(found.setdefault(question, {}), f"{method} {_called(of, at)}", moved)
    return found


def _moved(values: list[Any]) -> Any:
    if all(map(is_number, values)):
        return float(f"{max(values) - min(values):.2e}")
    return "varies" if any(v != values[0] for v in values) else 0.0


def _keep(found: dict[str, Any], name: str, moved: Any) -> None:
    """The largest spread; words that vary win over numbers."""
    known = found.get(name, 0.0)
    if moved and known != "varies":
        found[name] = moved if moved == "varies" else max(known, moved)
