"""Who leads a leaderboard, in a sentence: also of one system, of equal ones, and where nothing can be tested.

>>> from quorate.inference.results import Finding, Overall
>>> rows = [Overall(v, labels={"system": s, "p_best": p}) for s, v, p in (("new", 0.9, None), ("old", 0.2, 0.4))]
>>> leads(rows, "new is best by frespa", "frespa")
'new is best by frespa: 0.90; it does not differ significantly from old.'
>>> leads(rows[:1], "new is best by frespa", "frespa")
'new has frespa 0.90.'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from quorate.inference.board import ALPHA, tasks_needed
from quorate.inference.results import Finding, Overall
from quorate.panel.base import listed, many
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.numbers import plain
from quorate.words.wording import all_of

SMALL = 0.01  # of which two decimals say nothing
SAME = 1e-12  # values that differ by rounding alone


def leads(
    rows: Sequence[Overall], best: str, has: str, *, what: str = "system", also: str = "", by: str = "task"
) -> str:
    """The sentence of ``rows``, best first: ``best`` says so of the first, ``has`` is what each has so much of.

    ``also`` is added to the end; systems without a value are not spoken of. ``by`` is what they are compared on.
    """
    rows = [o for o in rows if not math.isnan(o.value)]
    if not rows:
        return f"{has} is undefined for every {what}."
    top, others = rows[0], rows[1:]
    digits = 4 if 0 < abs(top.value) < SMALL else 2
    figure = f"{plain(top.value, digits)}{_between(top, digits)}"
    if not others:
        return f"{top.labels['system']} has {has} {figure}{also}."
    near = SAME * max(abs(top.value), 1.0)
    equal = [o.labels["system"] for o in rows if abs(o.value - top.value) <= near]
    if len(equal) == len(rows):
        every = f"{all_of(len(rows)).capitalize()} {what}s"
        return f"{every} have the same {has}, {plain(top.value, digits)}: none is better{also}."
    if len(equal) > 1:
        rest = len(rows) - len(equal)
        return f"{listed(equal)} share the first place by {has}: {figure}; {rest:,} {_are(rest)} behind{also}."
    return f"{best}: {figure}; {too_few(rows, what, by) or _differs(others)}{also}."


def leader(
    f: Finding,
    *,
    how: Callable[[Method], str] = str,
    also: str = "",
    what: str = "system",
    by: str = "task",
    on: str = "",
) -> Fact:
    """Who leads by a method, and who cannot be told from the leader; ``how`` puts the method in words.

    ``by`` is what systems are compared on, ``on`` names the criterion.
    """
    known = [o for o in f.overall if not math.isnan(o.value)]
    data = {"method": str(f.method), "estimates": known[:2], "undefined": not known}
    if known:
        near = SAME * max(abs(known[0].value), 1.0)
        data["equal"] = len(known) > 1 and abs(known[1].value - known[0].value) <= near

    has = how(f.method)
    best = f"{f.overall[0].labels['system']} is best{on} by {has}"
    said = leads(f.overall, best, f"{has}{on}", also=also, what=what, by=by)
    return Fact("leader", said, data, not known)


def too_few(rows: Sequence[Overall], what: str = "system", by: str = "task") -> str:
    """That no difference could be significant on so few tasks, however large; '' where one could, or was found.

    >>> labels = {"tasks": 5, "p_best": 0.1}
    >>> too_few([Overall(value, labels=labels, least=0.0625) for value in (1, 0)])
    'on 5 tasks no difference between 2 systems could be significant: it takes at least 6 tasks'
    """
    rows = [o for o in rows if not math.isnan(o.value)]
    found = any((p := o.labels.get("p_best")) is not None and p < ALPHA for o in rows)
    found = found or len({o.labels.get("group") for o in rows}) > 1  # between others than the best
    if found or len(rows) < 2 or not max(o.least for o in rows) >= ALPHA:
        return ""
    tasks = [int(o.labels["tasks"]) for o in rows]
    most = "at most " if len(set(tasks)) > 1 else ""
    between = f"no difference between {many(len(rows), what)} could be significant"
    enough = tasks_needed(len(rows))
    if enough is None:
        return f"{between}: compare fewer of them at a time"
    more = f"it takes at least {many(enough, by)}" if max(tasks) < enough else f"they share too few {by}s"
    return f"on {most}{many(max(tasks), by)} {between}: {more}"


def _differs(others: Sequence[Overall]) -> str:
    """Who cannot be told from the first."""
    p = [o.labels["p_best"] for o in others]
    if all(x is None for x in p):
        return "there are too few judges or tasks to test a difference"
    same = [o.labels["system"] for o, x in zip(others, p, strict=True) if x is None or x >= ALPHA]
    if same:
        return f"it does not differ significantly from {listed(same)}"
    return f"it differs significantly from {'all others' if len(others) > 1 else others[0].labels['system']}"


def _between(o: Overall, digits: int) -> str:
    if o.interval is None:
        return ""
    low, high = (plain(x, digits) for x in (o.interval.low, o.interval.high))
    return f" ({o.interval.level:.0%} {low} to {high})"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
