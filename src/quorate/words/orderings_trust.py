"""How far a result from orderings can be trusted, in words: facts, and notes on what a reader must know."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer, Finding
from quorate.panel.base import many
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import OrderingDesign
from quorate.words.facts import Fact
from quorate.words.numbers import two
from quorate.words.wording import on

SHOWN = 3  # names of items in a row
ALIKE = 0.005  # ED below which an order is scored no better than its reverse


def notes(panel: Orderings, answer: Answer, *beside: Orderings) -> list[str]:
    """What was left aside, limited, or cannot be said."""
    out = [*panel.notes, *(n for b in beside for n in b.notes), *(n for f in answer.findings for n in f.notes)]
    if panel.repeats:
        out.append(f"{many(panel.repeats, 'repeat')} left aside: of a judge's repeats on a task the first counts")
    sizes = OrderingDesign.of(panel).judges_of_task
    single = int((sizes == 1).sum())
    if 0 < single < len(sizes):
        out.append(f"{on(single, len(sizes))} there is one judge only, which says nothing of trust")
    return out


def facts(panel: Orderings, answer: Answer, *beside: Orderings) -> list[Fact]:
    """How far the result can be trusted, for people who read no table; a method without a figure says that."""
    sizes = [int(n) for n in OrderingDesign.of(panel).judges_of_task]
    out = []
    for f in answer.findings:
        said = _SAY[f.method.name](f, sizes) if f.method.name in _SAY else None
        undefined = f"{f.method} is undefined here: these judges give it nothing to go by."
        out.append(said or Fact("nothing", undefined, {"method": str(f.method)}))
    return out


def _fact(f: Finding, text: str, name: str = "trust", *, e: Estimate | None = None, expert: bool = False) -> Fact:
    estimate = e or (f.overall[0] if f.overall else None)
    return Fact(name, text, {"method": str(f.method), "estimate": estimate}, expert)


def _by_value(f: Finding) -> list[Estimate]:
    return sorted((e for e in f.overall if not math.isnan(e.value)), key=lambda e: e.value)


# -- telling good orders from bad ones ---------------------------------------------------------------------------------


def _discriminativeness(f: Finding, sizes: Sequence[int]) -> Fact | None:
    known = _by_value(f)
    if not known:
        nothing = "No quality method can be asked to tell good from bad: no two judges can be compared."
        return _fact(f, nothing, "nothing")
    best, least = known[-1], known[0]
    name, top, bottom = best.labels["of"], two(best.value), two(least.value)
    if len(known) == 1:
        if top == "0.00":
            return _fact(f, f"{name} scores a judge's order and its reverse alike.", e=best, expert=True)
        side = "below" if best.value < 0 else "above"
        text = f"{name} scores a judge's order {two(abs(best.value))} {side} its reverse (1 at most)."
        return _fact(f, text, e=best)
    if best.value < ALIKE:
        gives = f"all give {top}" if top == bottom else f"{name} comes nearest, {top}"
        return _fact(f, f"No quality method scores a judge's order above its reverse: {gives}.", e=best)
    if top == bottom:
        return _fact(f, f"Every quality method scores a judge's order {top} above its reverse (1 at most).", e=best)
    text = f"{name} scores a judge's order {top} above its reverse (1 at most), the most"
    return _fact(f, f"{text}; {least.labels['of']} the least, {bottom}.", e=best)


def _noise(f: Finding, sizes: Sequence[int]) -> Fact | None:
    known = _by_value(f)
    if not known:
        return None
    first, last = (f"{share_lost(e.value)} of that lead over the reverse" for e in (known[0], known[-1]))
    if len(known) > 1 and first == last:
        text = f"With as many random judges again, every quality method loses {first}."
    else:
        text = f"With as many random judges again, {known[0].labels['of']} loses {first}"
        text += f", {known[-1].labels['of']} {share_lost(known[-1].value)}." if len(known) > 1 else "."
    return _fact(f, text, e=known[0])


def share_lost(value: float) -> str:
    """A share lost, in words where it is none or all: random judges may by luck add a little, or turn the order.

    >>> [share_lost(x) for x in (-0.07, 0.0, 0.47, 0.999, 1.04)]
    ['nothing', 'nothing', '47%', 'all', 'all']
    """
    return "nothing" if value < ALIKE else "all" if value >= 1 - ALIKE else f"{value:.0%}"


def _sweep(f: Finding, sizes: Sequence[int]) -> Fact | None:
    known = _by_value(f)
    if not known:
        return None
    best = max(f.overall, key=lambda e: -1 if math.isnan(e.value) else e.value)  # the first of equals
    name, told = str(f.method["of"]).partition("(")[0], best.labels
    if two(best.value) == "0.00":
        text = f"No parameter matters to {name}: ED is {two(told['ed'])} at every setting."
    else:
        text = f"{told['parameter']} matters most to {name}: ED is highest, {two(told['ed'])}, at {told['best']:g}."
    return _fact(f, text, e=best, expert=True)


def _tune(f: Finding, sizes: Sequence[int]) -> Fact | None:
    e = f.overall[0]
    if math.isnan(e.value):  # one judge tells nothing
        return None
    told = e.labels
    picked = f"Tuned on the panel, {told['best']} has ED {two(told['tuned'])}; picked without what it is tried on, "
    return _fact(f, f"{picked}{two(e.value)}; untuned, {two(told['untuned'])}.", expert=True)


# -- another panel -----------------------------------------------------------------------------------------------------


def _split_half(f: Finding, sizes: Sequence[int]) -> Fact | None:
    value = f.overall[0].value
    if math.isnan(value):
        return None
    other = "The consensus of another panel of such judges"
    if two(value) == "0.00" or value < 0:
        text = f"{other} would not be like this one's: it would correlate {two(value)}."
    else:
        text = f"{other} would correlate {two(value)} with this one's."
    return _fact(f, text, "repeatable")


def _judges_needed(f: Finding, sizes: Sequence[int]) -> Fact:
    e = f.overall[0]
    target, between = f"{e.labels['target']:g}", e.interval
    there = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{max(sizes)}"
    if max(sizes) < 2:
        text = "How many judges it takes cannot be told from one: at least two are needed on a task."
    elif math.isnan(e.labels["one_judge"]):
        text = "How many judges it takes cannot be told: no two judges have orders, not all tied, of the same items."
    elif math.isnan(e.value):
        text = f"How many judges a correlation of {target} takes cannot be told from these; there are {there}."
    elif between is not None and math.isinf(between.low):
        text = f"No number of such judges brings the consensus to {target}: their orders do not go together."
    elif math.isinf(e.value):
        least = f": at least {_about(between.low)}, as far as they tell" if between else ""
        so_few = f"cannot be told from so few judges{least}; there are {there}"
        text = f"How many judges a correlation of {target} takes {so_few}."
    else:
        text = f"For a correlation of {target} it takes about {_about(e.value)}"
        if between is not None and math.isinf(between.high):
            text += f", {_about(between.low)} or more: how many at most cannot be told from so few judges"
        elif between is not None:
            text += f" ({between.level:.0%} CI {rounded(between.low):,}-{rounded(between.high):,})"
        text += f"; there are {there}."
    return _fact(f, text, "needed")


def _about(value: float) -> str:
    return many(rounded(value), "judge")


def rounded(value: float) -> int:
    """A number of judges to two digits, as rough as it is.

    >>> rounded(7), rounded(83.0), rounded(1648)
    (7, 83, 1600)
    """
    return int(value) if value < 100 else int(float(f"{value:.2g}"))


# -- panels drawn anew -------------------------------------------------------------------------------------------------


def _bootstrap(f: Finding, sizes: Sequence[int]) -> Fact:
    e = f.overall[0]
    if "item" in f.keys:
        return _fact(f, _order(f))
    for kind, first, most in (("judge", "lowest", "lowest"), ("system", "first", "highest")):
        if kind in e.labels:
            return _fact(f, _place(e, kind, first, most))
    known = [o for o in f.overall if not math.isnan(o.value)] or list(f.overall)
    top = known[0] if len(known) == 1 else max(known, key=lambda o: o.value)
    name = e.labels["of"] if len(f.overall) == 1 else f"{e.labels['of']} of {top.labels['figure']}"
    return _fact(f, _moves(name, top), e=top)


def _moves(name: str, e: Estimate) -> str:
    """Where a figure would lie with other judges or tasks."""
    if math.isnan(e.value):
        return f"{name} is undefined here."
    if e.interval is None:
        return f"{name} is {_short(e.value)}; how far it would move cannot be told."
    ends, drawn = f"{_short(e.interval.low)} and {_short(e.interval.high)}", e.labels["resamples"]
    other = f"with other {e.labels['over']} like these it would lie between {ends}"
    return f"{name} is {_short(e.value)}; {other} ({e.interval.level:.0%}, {drawn} panels drawn)."


def _short(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if abs(value) < 1000 else f"{value:.4g}"


def _place(e: Estimate, kind: str, first: str, most: str) -> str:
    """Who is lowest or best, and how often that stays so."""
    of, told = e.labels["of"], e.labels
    if math.isnan(e.value):
        return f"{of} is undefined here."
    what = f"{kind.capitalize()} {told[kind]} has the {most} {of}, {e.value:.2f}"
    if math.isnan(told[first]):
        return f"{what}; how far that would move cannot be told."
    return (
        f"{what}, and keeps that place in {told[first]:.0%} of {told['resamples']} panels of {told['over']} drawn anew."
    )


def _order(f: Finding) -> str:
    """How often what is first stays first, and before what is second."""
    (top, two_in_order, *_), of = f.overall, f.overall[0].labels["of"]
    if math.isnan(top.value):
        return f"How far the consensus by {of} would move cannot be told."
    anew = f"of {top.labels['resamples']} panels of judges drawn anew"
    before = two_in_order.value
    if len(set(f.keys["task"])) > 1:
        second = f", and it stays before the second in {before:.0%}" if not math.isnan(before) else ""
        return f"By {of}, what is first on a task stays first in {top.value:.0%} {anew}{second}, on average over tasks."
    groups: dict[float, list[Any]] = {}
    for item, rank in zip(f.keys["item"], f.values, strict=True):
        groups.setdefault(rank, []).append(item)
    first, *others = (names for _, names in sorted(groups.items()))
    second = f", and before {_listed(others[0])} in {before:.0%}" if others else ""
    stays = "stays" if len(first) == 1 else "stay"
    return f"By {of}, {_listed(first)} {stays} first in {top.value:.0%} {anew}{second}."


def _listed(names: Sequence[Any]) -> str:
    shown = [*map(str, names[:SHOWN])] + ([f"{len(names) - SHOWN} others"] if len(names) > SHOWN else [])
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


_SAY: dict[str, Callable[[Finding, Sequence[int]], Fact | None]] = {
    "discriminativeness": _discriminativeness,
    "noise": _noise,
    "sweep": _sweep,
    "tune": _tune,
    "split_half": _split_half,
    "judges_needed": _judges_needed,
    "bootstrap": _bootstrap,
}
