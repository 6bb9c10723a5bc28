"""The four tiles of the first screen: do the judges agree, is any judge off, what came out, how sure is it?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from quorate.inference.estimate import Estimate
from quorate.panel.base import listed, many
from quorate.panel.kinds import Orderings, Scores, Votes
from quorate.words.camps import camps
from quorate.words.numbers import count, finite, plain, rough, share, two
from quorate.words.outcome import ALONE, NOTHING, Agreed, Off, Outcome
from quorate.words.result import Result
from quorate.words.screen import Picture, Tile, Tone
from quorate.words.wording import agreement_by, brief, ci, on, upper

ROWS = 5  # rows of a picture
DOTS = 60  # judges in a strip
FEW = 2  # judges, or tasks, of which others are hardly drawn
NEAR = 0.05  # chance that is drawn so near to 0 is told as 0
SMALL, LARGE = 0.01, 100  # figures of which two decimals say nothing, or too much

UNKNOWN = {
    "alone": "there is one judge only",
    "nameless": "the file does not say who voted",
    "apart": "no two judges did the same items",
    "one item": "there is one item only",
    "flat": "the answers do not vary, so there is nothing to compare",
    "alike": "all answers to what two judges did are the same",
    "single": "no judge put two items in order",
    "ungrouped": "no judge put two items together",
    "unasked": "it was not computed: see below why",
    "two": "with two judges nobody can tell which one is off",
    "twos": "of the two judges of a task nobody can tell which one is off",
    "many": "so many judges are not looked at one by one",
    "sorted": "the labels of every item are sorted: who gave which is lost",
}
WORDS = {
    "chance": "No more than by chance",
    "unclear": "Not clearly",
    "trivial": "All answers are the same",
    **dict.fromkeys(NOTHING, "Cannot be told"),
}
SURE = ((0.95, "Very sure"), (0.8, "Fairly sure"), (0.6, "Not very sure"), (0.0, "Not sure"))


def tiles(o: Outcome) -> tuple[Tile, ...]:
    """All four."""
    return agreement(o.agreed), judges(o.off), result(o.result), certainty(o)


# -- do the judges agree? ----------------------------------------------------------------------------------------------


def agreement(a: Agreed) -> Tile:
    """The figure with its interval, on a scale from chance to full agreement; of criteria the least and the most."""
    asks, word = "Do the judges agree?", WORDS.get(a.grade, a.grade.capitalize())
    if not a.known:
        figure = UNKNOWN[a.grade]
        return Tile("agreement", asks, word, figure, _unknown("agreement is not known"), "agreement", tone="warn")
    first = a.estimates[0]
    figure, note = interval(replace(first, interval=None) if a.says_nothing else first), _scale(a)
    if a.lacking:
        word = f"{word}, except on {listed([brief(c, what='criterion') for c in a.lacking])}"
    if len(a.estimates) > 1:
        low, high = (find(a.estimates, key=lambda e: e.value) for find in (min, max))
        named = ((e.value, brief(e.labels.get("criterion", ""), what="criterion")) for e in (low, high))
        figure = " to ".join(f"{two(value)} on {name}" for value, name in named)
    if a.grade == "trivial":
        note = "shuffled answers would agree as much, so this says nothing"
    if a.says_nothing:
        note = f"with so few {_over(first)} it might be nearly anything; {note}"
    ends = (min(0.0 if a.chance is None else a.chance, *(x for e in a.estimates for x in _ends(e))), a.full or 1.0)
    ends = (min(ends), max(ends))
    rows = tuple(_row(e, brief(e.labels.get("criterion", ""))) for e in a.estimates[:ROWS])
    picture = Picture("scale", f"{figure}; {note}", rows, ends, a.chance)
    tone: Tone = "plain" if a.enough and not a.lacking else "warn"
    return Tile("agreement", asks, word, figure, picture, "agreement", note, tone)


def _scale(a: Agreed) -> str:
    """What the figure means: where chance is, and full agreement."""
    zero = a.chance is not None and abs(a.chance) < NEAR
    chance = "" if a.chance is None else f"{'0' if zero else _whole(a.chance)} is chance"
    full = "" if a.full is None else f"{_whole(a.full)} is full agreement"
    return ", ".join(filter(None, (chance, full)))


def _whole(value: float) -> str:
    return two(value).removesuffix(".00")


def _over(e: Estimate) -> str:
    return e.interval.over.replace("x", " and ") if e.interval else "judges"


# -- is any judge off? -------------------------------------------------------------------------------------------------


def judges(off: Off) -> Tile:
    """Who is flagged, and what agreement is without the first of them; else why nobody is."""
    asks, names = "Is any judge off?", off.names
    picture = _strip(off)
    if names:
        word = (
            f"{listed([brief(n, what='judge') for n in names])}: look"
            if len(names) < 3
            else f"{len(names)} judges: look"
        )
        flag = off.flagged[0]
        on = f" on {brief(flag['criterion'], what='criterion')}" if "criterion" in flag else ""
        without, found = two(flag["evidence"]["without"]), two(flag["evidence"]["value"])
        called = agreement_by(flag["evidence"])
        figure = f"without {brief(flag['judge'], what='judge')}, {called}{on} is {without} instead of {found}"
        return Tile("judges", asks, word, figure, picture, "off-1", tone="warn")
    if off.camps:
        figure = f"{camps(off.camps)}: each agrees more within itself than across"
        return Tile("judges", asks, f"{count(len(off.camps))} camps", figure, picture, "judges", tone="warn")
    if off.copies:
        copied = sum(map(len, off.copies))
        word = f"{count(copied)} copies"
        figure = f"{many(off.judges - copied + len(off.copies), 'voice')} instead of {many(off.judges, 'judge')}"
        return Tile("judges", asks, word, figure, picture, "judges", tone="warn")
    if off.unsteady:
        first = off.unsteady[0]
        on = f" on {brief(first.labels['criterion'], what='criterion')}" if "criterion" in first.labels else ""
        figure = (
            f"agreement of {brief(first.labels['judge'], what='judge')} with its own scores of identical outputs{on}: "
        )
        word = f"{listed([brief(n, what='judge') for n in off.unsteady_names])}: look"
        return Tile("judges", asks, word, f"{figure}{two(first.value)}", picture, "judges", tone="warn")
    if off.why != "none":
        word = "Cannot be told" if off.why != "many" else "Not looked for"
        return Tile("judges", asks, word, UNKNOWN[off.why], picture, "judges")
    figure = f"none of the {off.judges:,} differs from the others more than these do among themselves"
    return Tile("judges", asks, "Nobody", figure, picture, "judges", tone="good")


def _strip(off: Off) -> Picture:
    """A dot per judge, by how they go with the others."""
    found = [e for e in off.figures if e.labels.get("criterion") == off.figures[0].labels.get("criterion")]
    if len(found) < 2:
        return _unknown("no figure for each judge")
    names = {*off.names, *off.unsteady_names}
    first = sorted(found, key=lambda e: str(e.labels["judge"]) not in names)[:DOTS]
    rows: tuple[dict[str, Any], ...] = tuple(
        {"name": brief(e.labels["judge"], 16), "value": float(e.value), "off": str(e.labels["judge"]) in names}
        for e in first
    )
    values = [r["value"] for r in rows]
    marked = [f"{r['name']} {two(r['value'])}" for r in rows if r["off"]]
    others = [r["value"] for r in rows if not r["off"]]
    rest = f"the others {two(min(others))} to {two(max(others))}" if others and marked else ""
    every = many(len(rows), "judge") + (f" of {len(found):,}" if len(found) > len(rows) else "")
    all_ = f"{every}, {two(min(values))} to {two(max(values))}"
    said = f"How each judge goes with the others: {', '.join(filter(None, [*marked, rest])) or all_}"
    return Picture("strip", said, rows, (min(values), max(values)))


# -- what came out? ----------------------------------------------------------------------------------------------------


def result(r: Result) -> Tile:
    """The leaders with their figure, the first items, the groups or the labels."""
    asks = "What came out?"
    made = {"board": _board, "order": _order, "orders": _orders, "groups": _groups, "labels": _labels}.get(r.form)
    if made is None or (r.form == "board" and not r.rows):
        return Tile("result", asks, "Nothing", "there is nothing to put together", _unknown("nothing"), r.question)
    word, figure, note, picture = made(r)
    return Tile("result", asks, word, figure, picture, r.question, note)


def _board(r: Result) -> tuple[str, str, str, Picture]:
    top = r.rows[0]
    first = brief(top.labels["system"], what=r.what)
    on = f" on {brief(r.criterion, what='criterion')}" if r.criterion is not None else ""
    figure = f"{first}{on}: {interval(top)}"
    rows = tuple(_row(e, brief(e.labels["system"], 12)) for e in r.rows[:ROWS])
    values = [x for e in r.rows[:ROWS] for x in (e.value, *_ends(e))]
    places = ", ".join(f"{x['name']} {two(x['value'])}" for x in rows)
    more = f"; the first {ROWS} of {len(r.rows):,}" if len(r.rows) > ROWS else ""
    picture = Picture("intervals", f"{places}{more}", rows, (min(values), max(values)))
    none = f"{count(r.parts)} parts" if r.parts > 1 else "No clear winner" if r.open_top else ""
    word = none or {"one": f"{first} only", "level": "All level", "untested": f"{first} first"}.get(r.state, "")
    if not word:
        word = _then(r) if r.state == "leads" else f"{_equal(r.leaders, r.what)} first"
    several = f"; the first of {r.criteria:,} criteria" if r.criteria > 1 else ""
    return word, figure, f"{r.figure}{several}", picture


def _then(r: Result) -> str:
    """A, then B = C."""
    first = brief(r.leaders[0], what=r.what)
    return f"{first}, then {_equal(r.second, r.what)}" if r.second else f"{first} leads"


def _equal(names: Sequence[str], what: str, most: int = 3) -> str:
    """Names that cannot be told apart."""
    if len(names) > most:
        return f"{brief(names[0], what=what)} and {len(names) - 1:,} more"
    return " = ".join(brief(n, what=what) for n in names)


def _order(r: Result) -> tuple[str, str, str, Picture]:
    items = r.places[:ROWS]
    rows = tuple({"name": brief(n, 12), "value": v, "low": low, "high": high} for n, v, low, high in items)
    values = [x for _, *xs in items for x in xs if x is not None]
    first, place, low, high = items[0]
    between = ""
    if low is not None and high is not None:
        ends = f"{_whole(low)} to {_whole(high)}" if low < high else "the same"
        between = f", {ends} with other judges like these"
    more = f" of {len(r.places):,}" if len(r.places) > ROWS else ""
    said = f"Places of the first {len(rows)}{more}: {', '.join(n for n, *_ in items)}"
    picture = Picture("intervals", said, rows, (max(values), min(values)))  # place 1 is at the right
    if r.state == "level":
        return "All level", f"{many(len(r.places), 'item')} share one place", "", picture
    if r.state == "one":
        return f"{brief(first, what=r.what)} only", "there is one item", "", picture
    word = f"{_equal(r.leaders, r.what)} first"
    return word, f"{brief(first, what=r.what)}: place {_whole(place)}{between}", "", picture


def _orders(r: Result) -> tuple[str, str, str, Picture]:
    part = r.number / r.of
    rows = ({"name": "one first", "value": part},)
    said = f"{on(r.number, r.of)} one item is first, alone"
    picture = Picture("shares", upper(said), rows)
    often = "each task" if r.number == r.of else "most tasks" if part > 0.5 else "few tasks"
    return f"A leader on {often}" if r.number else "No leader", said, "", picture


def _groups(r: Result) -> tuple[str, str, str, Picture]:
    if r.state == "one":
        return "One item", "there is nothing to put it together with", "", _unknown("there is one item only")
    if not r.number:
        picture = Picture("shares", "no two items are together", ({"name": "together", "value": 0.0},))
        return "No groups", "most judges put no two items together", "", picture
    if r.of == 1:
        items = sum(size for _, size in r.counts)
        most = max(size for _, size in r.counts)
        rows = tuple(
            {"name": f"group {k}", "value": size / most, "said": str(size)}
            for k, (_, size) in enumerate(r.counts[:ROWS], 1)
        )
        sizes = ", ".join(str(size) for _, size in r.counts[:ROWS])
        picture = Picture("shares", f"Items in the largest groups: {sizes}", rows)
        return many(r.number, "group"), f"{many(items, 'item')} in groups of two or more", "", picture
    mean = r.number / r.of
    rows = ({"name": "groups", "value": 1.0},)
    about = plain(mean, 1).removesuffix(".0")
    said = f"{about} {'group' if about == '1' else 'groups'} a task"
    return said, f"on average over {many(r.of, 'task')}", "", Picture("shares", f"{said} on average", rows)


def _labels(r: Result) -> tuple[str, str, str, Picture]:
    total = max(sum(n for _, n in r.counts), 1)
    rows = tuple({"name": brief(name, 12), "value": n / total} for name, n in r.counts[:ROWS])
    said = ", ".join(f"{name}: {n:,}" for name, n in r.counts[:ROWS])
    picture = Picture("shares", f"Items by label: {said}", rows) if rows else _unknown("no label has a majority")
    on = f" on {brief(r.criterion, what='criterion')}" if r.criterion is not None else ""
    items = "the only item has" if r.of == 1 else f"{r.number:,} of {r.of:,} items{on} have"
    left = r.of - r.number
    word = "Every item decided" if not left else "Nothing decided" if not r.number else f"{left:,} undecided"
    return word, f"{items} a label that more judges gave than any other", "", picture


# -- how sure is it? ---------------------------------------------------------------------------------------------------


def certainty(o: Outcome) -> Tile:
    """How often the same comes out with others like these; and how many it would take."""
    asks, r = "How sure is it?", o.result
    stays, note = r.stays, _enough(o)
    anchor = "c-curve-judges-needed" if "curve-judges-needed" in o.charts else "trust"
    if r.form == "labels" and o.same is not None and math.isfinite(o.same.value):
        stays = None if o.agreed.grade == "alone" else float(o.same.value)
    if stays is None or r.parts > 1 or r.state in ("level", "one", "shared") or o.agreed.grade == "trivial":
        figure = _why_unknown(o)
        return Tile("certainty", asks, "Cannot be told", figure, _unknown("not known"), anchor, note)
    word = next(word for least, word in SURE if stays >= least)
    if r.form == "board" and r.state in ("tied", "untested") and stays >= SURE[-2][0]:
        figure = _not_apart(r)  # the test decides where there is one; draws of few tasks may look firm
        return Tile("certainty", asks, SURE[-1][1], figure, _unknown(figure), anchor, note, "warn")
    if o.agreed.grade == "alone":
        word = "By one judge only"
    doubt = o.agreed.grade in ("chance", "unclear") and not o.hidden and r.form in ("order", "orders", "groups")
    if doubt and stays >= SURE[-2][0]:  # few judges may put the same first by chance
        figure = f"{_stays(r)}, but they do not clearly agree"
        return Tile("certainty", asks, SURE[-1][1], figure, _unknown(figure), anchor, note, "warn")
    rows: tuple[dict[str, Any], ...] = ({"name": "the same", "value": stays},)
    figure = _same(o.same) if r.form == "labels" and o.same is not None else _stays(r)
    good = word in (SURE[0][1], SURE[1][1])
    picture = Picture("shares", figure, rows)
    return Tile("certainty", asks, word, figure, picture, anchor, note, "good" if good else "warn")


def _not_apart(r: Result) -> str:
    """Why the first is not told from the next, though it is mostly first when others are drawn."""
    first, next_ = (brief(n, what=r.what) for n in (r.leaders[0], r.rows[1].labels["system"]))
    if not r.tested:
        return f"there are too few {r.over.replace('x', ' and ')} to tell {first} from {next_}"
    return f"that {first} is ahead of {next_} may still be chance"


def _same(e: Estimate) -> str:
    """On how many items another panel would name the same label."""
    return f"another panel would name the same label on {share(e.value)} of items{ci(e, share)}"


def _stays(r: Result) -> str:
    """What would stay the same, as cases of a hundred."""
    stays = r.stays or 0.0
    if r.form == "groups":
        return f"with other judges like these an item keeps {share(stays)} of its group"
    if r.form == "labels":
        return f"on average {share(stays)} of an item's judges gave the label that most gave"
    who = "the first of a task" if r.form == "orders" else brief(r.leaders[0], what=r.what)
    return f"with other {r.over.replace('x', ' and ')} like these {who} is first in {cases(stays)}"


def cases(part: float) -> str:
    """A share as cases of a hundred.

    >>> cases(0.31), cases(0.999), cases(0.0), cases(1.0)
    ('31 of 100 cases', 'over 99 of 100 cases', 'none of 100 cases', 'all cases')
    """
    if part >= 1:
        return "all cases"
    if part > 0.995:
        return "over 99 of 100 cases"
    return f"{round(100 * part)} of 100 cases" if part >= 0.005 else "none of 100 cases"


def _enough(o: Outcome) -> str:
    """Whether there are enough judges or votes."""
    e = o.needed
    if e is None or not finite(e.value) or o.result.state == "level" or o.agreed.grade in (*ALONE, "trivial"):
        return ""
    if o.unit == "vote":
        more = f"about {many(rough(e.value), 'more vote')} on {e.labels['systems']} would tell them apart"
        return f"{more}, if they differ by as much as they seem to" if e.value else ""
    if o.vague:
        if o.result.state == "leads":
            return ""  # it is sure enough without
        return f"how many {o.unit}s it takes cannot be told from so few"
    ends = ci(e, _end) if e.interval and _end(e.interval.low) != _end(e.interval.high) else ""
    each = " an item" if "judges_per_item" in e.labels else ""
    takes = f"{_goal(o)}it takes about {many(max(rough(e.value), 1), o.unit)}{each}"
    return f"{takes}{ends}; there {'is' if o.there == 1 else 'are'} {o.there:,}"


def _end(value: float) -> str:
    return count(rough(value) if finite(value) else value)


def _goal(o: Outcome) -> str:
    """What so many judges would reach: more than the same first place."""
    if isinstance(o.panel, Votes):
        return ""
    if isinstance(o.panel, Scores):
        return "for much the same labels " if o.result.form == "labels" else "for much the same means "
    return f"for much the same {'order' if isinstance(o.panel, Orderings) else 'groups'} "


def _why_unknown(o: Outcome) -> str:
    if o.off.judges == 1:
        return "one judge does not tell what others would say"
    if o.result.parts > 1:
        return f"the order of {o.result.what}s of two parts is not known: nobody compared them"
    if o.agreed.grade == "trivial":
        return "such answers would be the same of any judges"
    if o.result.state == "level":
        return "all are level: other judges might put any first"
    if o.result.state == "shared":
        return f"{_equal(o.result.leaders, o.result.what)} are level"
    if o.result.state == "one":
        return "there is nothing to compare it with"
    if o.agreed.grade in NOTHING and o.agreed.grade != "unasked":
        return UNKNOWN[o.agreed.grade]
    enough = o.off.judges > FEW and len(o.panel.tasks) > FEW
    return f"there {'is too little' if enough else 'are too few judges or tasks'} to draw others from"


# -- small things ------------------------------------------------------------------------------------------------------


def interval(e: Estimate) -> str:
    """A figure with its interval, as papers write it; one without width, as of equal answers, says nothing."""
    size = max(abs(e.value), *(map(abs, e.interval.ends) if e.interval else (0.0,)))
    digits = 4 if 0 < size < SMALL else 2 if size < LARGE else 1
    flat = e.interval is not None and len({plain(end, digits) for end in e.interval.ends}) == 1
    return f"{plain(e.value, digits)}{'' if flat else ci(e, partial(plain, decimals=digits))}"


def _ends(e: Estimate) -> tuple[float, ...]:
    return (float(e.value), e.interval.low, e.interval.high) if e.interval else (float(e.value),)


def _row(e: Estimate, name: str) -> dict[str, Any]:
    low, high = (e.interval.low, e.interval.high) if e.interval else (None, None)
    return {"name": name, "value": float(e.value), "low": low, "high": high}


def _unknown(said: str) -> Picture:
    return Picture("shares", said, ({"name": "?", "value": None},))
