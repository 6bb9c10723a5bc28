"""How far a result can be trusted, in words: what other judges would say, and how many it takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Orderings, Scores, Votes
from quorate.panel.outputs import OutputDesign
from quorate.words import influence, model_judges, vote_effects
from quorate.words.agreement import size
from quorate.words.facts import Fact
from quorate.words.influence import About, on_criterion
from quorate.words.judges_notes import NOT_IDENTIFIED
from quorate.words.needed import (
    judges_of_groups,
    judges_of_orders,
    judges_of_scores,
    judges_of_votes,
    votes_of_pairs,
    why_none,
)
from quorate.words.numbers import about, place, share, shown, two
from quorate.words.outcome import HALF, LITTLE
from quorate.words.quality import how_many
from quorate.words.trust_notes import notes as notes
from quorate.words.wording import LEFT_OUT, called, ci, inside, those

ALIKE = 0.005  # ED below which an order is scored no better than its reverse
SURE = 0.7  # how often another panel says the same, of items that need no word
NAMED = 5  # measures in a sentence
METRICS = 8  # that sentences speak of
NAMES = {
    "split_half": "repeatable",
    "majority_stability": "repeatable",
    "agreement_stability": "repeatable",
    "judges_needed": "needed",
    "votes_needed": "needed",
}
FIRST = {"metrics", *NAMES}  # what another panel would say, before how the methods behave


def facts(panel: Panel, answer: Answer, *beside: Panel) -> list[Fact]:
    """How far the result can be trusted; of orderings a method without a figure says that it has none."""
    out = []
    made = OutputDesign.every(panel, *beside) if isinstance(panel, Scores) else []  # type: ignore[arg-type]
    if isinstance(panel, Votes | Scores):
        out.append(how_many(panel, made, answer) if isinstance(panel, Scores) else size(panel, answer))
    for f in sorted(answer.findings, key=lambda f: f.method.name not in FIRST):
        say = _SAY.get((panel.kind, f.method.name)) or _SAY.get(("", f.method.name))
        told = list(say(panel, f)) if say else []
        if isinstance(panel, Scores):
            designs = zip(made, f.about, strict=True) if f.method.name in _SCORES else ()
            told += [said for d, fact in designs for said in _SCORES[f.method.name](f, d, fact, _of(f, fact))]
            told = told[:METRICS] if f.method.name == "metrics" else told
        if not told and isinstance(panel, Orderings):
            told = [_fact(f, f"{f.method} is undefined here: these judges give it nothing to go by.", name="nothing")]
        out += [t if isinstance(t, Fact) else _fact(f, t) for t in told]
    return out


def _fact(f: Finding, text: str, e: Overall | None = None, *, name: str = "", expert: bool = False) -> Fact:
    estimate = e or (f.overall[0] if f.overall else None)
    data = {"method": str(f.method), "estimate": estimate}
    return Fact(name or NAMES.get(f.method.name, "trust"), text, data, expert)


def _known(f: Finding) -> list[Overall]:
    """The figures that are defined, lowest first."""
    return sorted((o for o in f.overall if not math.isnan(o.value)), key=lambda o: o.value)


# -- how many it takes -------------------------------------------------------------------------------------------------


def _votes_needed(panel: Panel, f: Finding) -> Iterator[Fact]:
    for k, (said, e) in enumerate(votes_of_pairs(f)):
        yield _fact(f, said, e, expert=k > 0)


# -- orderings: telling good orders from bad ones ----------------------------------------------------------------------


def _discriminativeness(panel: Panel, f: Finding) -> Iterator[Fact]:
    known = _known(f)
    if not known:
        nothing = "No quality method can be asked to tell good from bad: no two judges can be compared."
        yield _fact(f, nothing, name="nothing")
        return
    best, least = known[-1], known[0]
    name, top, bottom = best.labels["of"], two(best.value), two(least.value)
    beyond = abs(best.value) > 1
    most = "beyond 1, since judges whom the others contradict weigh less than 0 here" if beyond else "1 at most"
    above = f"scores a judge's order {top} above its reverse ({most})"
    text = f"{name} {above}, the most; {least.labels['of']} the least, {bottom}."
    if len(known) == 1:
        side = f"{two(abs(best.value))} {'below' if best.value < 0 else 'above'} its reverse ({most})"
        text = f"{name} scores a judge's order {'and its reverse alike' if top == '0.00' else side}."
    elif best.value < ALIKE:
        gives = f"all give {top}" if top == bottom else f"{name} comes nearest, {top}"
        text = f"No quality method scores a judge's order above its reverse: {gives}."
    elif top == bottom:
        text = f"Every quality method {above}."
    yield _fact(f, text, best, expert=len(known) == 1 and top == "0.00")


def _noise(panel: Panel, f: Finding) -> Iterator[Fact]:
    known = _known(f)
    if known:
        (a, first), (b, last) = ((o.labels["of"], share_lost(o.value)) for o in (known[0], known[-1]))
        who = "every quality method" if len(known) > 1 and first == last else a
        rest = f", {b} {last}" if who == a and len(known) > 1 else ""
        lost = f"{who} loses {first} of the lead of an order over its reverse{rest}"
        most = max(map(float, f.keys["ratio"]))
        who = "as many" if most == 1 else f"{place(most)} times as many"
        yield _fact(f, f"With {who} random judges {'again' if most == 1 else 'as judges'}, {lost}.", known[0])


def share_lost(value: float) -> str:
    """A share lost, in words where it is none or all: random judges may by luck add a little, or turn the order.

    >>> [share_lost(x) for x in (-0.07, 0.0, 0.47, 0.999, 1.04)]
    ['nothing', 'nothing', '47%', 'all', 'all']
    """
    return "nothing" if value < ALIKE else "all" if value >= 1 - ALIKE else f"{value:.0%}"


def _sweep(panel: Panel, f: Finding) -> Iterator[Fact]:
    if _known(f):
        best = max(f.overall, key=lambda e: -1 if math.isnan(e.value) else e.value)  # the first of equals
        name, told = str(f.method["of"]).partition("(")[0], best.labels
        shares = told["parameter"] in ("max_len", "min_len") and f.about[0]["shares"]
        at = (
            _length(told["best"])
            if shares
            else shown(told["best"], "name" if isinstance(told["best"], str) else "place")
        )
        text = f"{told['parameter']} matters most to {name}: ED is highest, {two(told['ed'])}, at {at}."
        if two(best.value) == "0.00":
            text = f"No parameter matters to {name}: ED is {two(told['ed'])} at every setting."
        yield _fact(f, text, best, expert=True)


def _length(setting: float) -> str:
    """A length of patterns as a sweep has it: a share of the items, and at least two of them."""
    return {0.0: "two items", 1.0: "all items"}.get(setting, f"{setting:g} of the items")


def _tune(panel: Panel, f: Finding) -> Iterator[Fact]:
    e, told = f.overall[0], f.overall[0].labels
    if not math.isnan(e.value):  # one judge tells nothing
        picked = f"Tuned on the panel, {told['best']} has ED {two(told['tuned'])}; picked without what it is tried on, "
        yield _fact(f, f"{picked}{two(e.value)}; untuned, {two(told['untuned'])}.", expert=True)


def _held_out(panel: Panel, f: Finding) -> Iterator[Fact]:
    known = sorted((o for o in f.overall if not math.isnan(o.value)), key=lambda o: -o.value)
    if known:
        best = known[0]
        name, near = best.labels["of"], two(best.value)
        text = f"The consensus by {name} comes nearest to judges who had no part in it: tau-b {near}"
        ends = [o.labels["behind_interval"] for o in known[1:]]
        worse = [o.labels["of"] for o, e in zip(known[1:], ends, strict=True) if e and e[1] < 0]
        rest = f"; {listed(worse)} {'does' if len(worse) == 1 else 'do'} clearly worse" if worse else ""
        alike = "; no other method is clearly worse" if len(known) > 1 and not worse else ""
        yield _fact(f, f"{text}{ci(best)}{rest}{alike}.", best)


# -- another panel -----------------------------------------------------------------------------------------------------


def _half_of_orders(panel: Panel, f: Finding) -> Iterator[str]:
    value = f.overall[0].value
    if not math.isnan(value):
        other = "The consensus of another panel of such judges would"
        unlike = two(value) == "0.00" or value < 0
        yield f"{other} {'not be like this one: it would ' if unlike else ''}correlate {two(value)} with this one."


def _half_of_scores(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    for e in rows:
        if math.isnan(e.value):
            same = f"Whether another panel would say the same{on_criterion(fact)} cannot be told"
            yield f"{same}: {why_none(made)}."
        else:
            each = about(fact["judges_per_item"])
            panel = f"another panel of {each} {'judge' if each == '1' else 'judges'} an item"
            went = f"correlate {two(e.value)}{inside(f, e)} with these"
            if e.value < 0:  # by Spearman and Brown it may be any number below 0, and is no correlation
                went = "not be like these: on average two judges' scores do not go together"
            yield f"The item means of {panel} would {went}{on_criterion(fact)}."


def _majority(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """On how many items another panel would name the same label, and which one is least sure."""
    first = [_unit(task, item, fact["tasks"] > 1) for task, item, p in fact["least"] if p < SURE][:3]
    unsure = f" Least sure: {listed(first)}." if first else ""
    for e in rows:
        same = f"would name the same label on {share(e.value)} of items{on_criterion(fact)}"
        none = f"No item{on_criterion(fact)} has a majority."
        if fact.get("alone"):
            none = "On how many items another panel would name the same label cannot be told: no item has two labels."
        yield none if math.isnan(e.value) else f"Another panel of as many judges {same}.{unsure}"


def _unit(task: object, item: object, several: bool) -> str:
    return f"{called(item, 'item')} of {called(task, 'task')}" if several else called(item, "item")


def _stability(panel: Panel, f: Finding) -> Iterator[str]:
    if not f.overall or math.isnan(f.value):
        return
    how = f" (left-out items {LEFT_OUT[str(f.method['left_out'])]})" if f.about[0]["left_out"] else ""
    start = "The difference" if f.about[0]["sign"] < 0 else "Agreement"
    ends = [(two(o.interval.low), two(o.interval.high), o.interval.over) for o in f.overall if o.interval]
    said = [f"{low} to {high} with other {by}{'' if k else ' like these'}" for k, (low, high, by) in enumerate(ends)]
    between = f"; it would be {listed(said)}" if said else ""
    yield f"{start} of two judges by {f.method['measure']}{how} is {two(f.value)}{between}."
    order = [(o.labels["by"], o.labels["judge_order_tau"]) for o in f.overall]
    taus = [f"{two(tau)} with other {by}" for by, tau in order if tau is not None]
    if taus:
        yield f"The order of the judges by their agreement keeps a tau of {listed(taus)} (1 is the same order)."


def _sensitivity(panel: Panel, f: Finding) -> Iterator[str]:
    def those(key: str, value: Any) -> str:
        """The measures of which it holds; if that is most, the others."""
        named = [o.labels["measure"] for o in f.overall if o.labels[key] == value]
        others = [o.labels["measure"] for o in f.overall if o.labels[key] != value]
        if not others and len(named) > 1:
            return f"all {len(named)} measures"
        if len(named) > NAMED and len(others) <= NAMED:
            return f"{len(named)} measures, all but {', '.join(others)}"
        return ", ".join(named[:NAMED]) + (f" and {len(named) - NAMED} more" if len(named) > NAMED else "")

    if f.overall:
        start = f"Split and merged at random from {many(f.about[0]['clusterings'], 'clustering')}"
        yield f"{start}, these fall more for merging: {those('punishes', 'merging') or 'none'}."
        if those("saturates", True):
            yield f"These hardly move for most of the way (they saturate): {those('saturates', True)}."
        if those("full_range", True):
            yield f"These use their whole range: {those('full_range', True)}."


def _place(panel: Panel, f: Finding) -> Iterator[str]:
    o = f.overall[0]
    if math.isnan(o.value):
        yield f"Whether a place is favoured cannot be told: {NOT_IDENTIFIED}."
        return
    verdict = ""
    if o.interval:
        lean = "first" if o.interval.low > HALF else "second" if o.interval.high < HALF else ""
        little = ", a little" if abs(o.value - HALF) < LITTLE else ""
        verdict = f": the {lean} place is favoured{little}" if lean else ": no sign that a place is favoured"
    said = f"On pairs shown both ways the system shown first wins {share(o.value)} of the votes that are no tie"
    yield f"{said}{ci(o, share)}{verdict}."


def _swaps(panel: Panel, f: Finding) -> Iterator[str]:
    o, d = f.overall[0], f.overall[0].labels
    if math.isnan(o.value):
        yield "No judge saw a pair in both places on a task, so nobody can tell what swapping places would change."
    else:
        kept = f"{d['swapped'] - d['changed']:,.0f} of {d['swapped']:,.0f}{ci(o, share, sep='; ')}"
        yield f"Swapping the places keeps the verdict {share(o.value)} of the time ({kept})."


# -- resampled panels -------------------------------------------------------------------------------------------------


def _bootstrap(panel: Panel, f: Finding) -> Iterator[Fact]:
    e = f.overall[0]
    if "item" in f.keys:
        yield _fact(f, _order(f))
        return
    for kind, first, most in (("judge", "lowest", "lowest"), ("system", "first", "highest")):
        if kind in e.labels:
            yield _fact(f, _keeps(e, kind, first, most))
            return
    known = [o for o in f.overall if not math.isnan(o.value)] or list(f.overall)
    top = known[0] if len(known) == 1 else max(known, key=lambda o: o.value)
    name = e.labels["of"] if len(f.overall) == 1 else f"{e.labels['of']} of {top.labels['figure']}"
    yield _fact(f, _moves(name, top), top)


def _moves(name: str, e: Overall) -> str:
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


def _keeps(e: Overall, kind: str, first: str, most: str) -> str:
    """Who is lowest or best, and how often that stays so."""
    of, told = e.labels["of"], e.labels
    if math.isnan(e.value):
        return f"{of} is undefined here."
    what = f"{kind.capitalize()} {told[kind]} has the {most} {of}, {e.value:.2f}"
    if math.isnan(told[first]):
        return f"{what}; how far that would move cannot be told."
    panels = f"{told['resamples']} panels of resampled {told['over']}"
    return f"{what}, and keeps that place in {told[first]:.0%} of {panels}."


def _order(f: Finding) -> str:
    """How often what is first stays first, and before what is second."""
    (top, two_in_order, *_), of = f.overall, f.overall[0].labels["of"]
    if math.isnan(top.value):
        return f"How far the consensus by {of} would move cannot be told."
    panels, before = f"of {top.labels['resamples']} panels of resampled judges", two_in_order.value
    if len(set(f.keys["task"])) > 1:
        second = f", and it stays before the second in {before:.0%}" if not math.isnan(before) else ""
        return (
            f"By {of}, what is first on a task stays first in {top.value:.0%} {panels}{second}, on average over tasks."
        )
    groups: dict[float, list[Any]] = {}
    for item, rank in zip(f.keys["item"], f.values, strict=True):
        groups.setdefault(rank, []).append(item)
    first, *others = (names for _, names in sorted(groups.items()))
    second = f", and before {those(others[0], 'item')} in {before:.0%}" if others else ""
    stay = "stays" if len(first) == 1 else "stay"
    return f"By {of}, {those(first, 'item')} {stay} first in {top.value:.0%} {panels}{second}."


_SAY: Mapping[tuple[str, str], Callable[[Panel, Finding], Iterator[str | Fact]]] = {
    ("", "discriminativeness"): _discriminativeness,
    ("orderings", "noise"): _noise,
    ("", "sweep"): _sweep,
    ("", "tune"): _tune,
    ("", "held_out"): _held_out,
    ("orderings", "split_half"): _half_of_orders,
    ("orderings", "judges_needed"): judges_of_orders,
    ("", "bootstrap"): _bootstrap,
    ("", "agreement_stability"): _stability,
    ("groupings", "judges_needed"): judges_of_groups,
    ("", "sensitivity"): _sensitivity,
    ("", "place"): _place,
    ("votes", "effects"): vote_effects.effects,
    ("votes", "next_pairs"): vote_effects.next_pairs,
    ("", "swaps"): _swaps,
    ("", "votes_needed"): _votes_needed,
    ("votes", "judges_needed"): judges_of_votes,
    ("", "metric_differences"): lambda panel, f: influence.differences(f),
}


def _of(f: Finding, fact: About) -> list[Overall]:
    """The figures of one criterion."""
    return [o for o in f.overall if o.labels.get("criterion") == fact.get("criterion")]


_SCORES: Mapping[str, Callable[[Finding, OutputDesign, About, Sequence[Overall]], Iterator[str | Fact]]] = {
    "variance_components": influence.components,
    "split_half": _half_of_scores,
    "judges_needed": judges_of_scores,
    "majority_stability": _majority,
    "prediction_powered": influence.prediction_powered,
    "people_worth": model_judges.worth,
    "model_bias": model_judges.model_bias,
    "calibration": model_judges.calibration,
    "without_worst": influence.without_worst,
    "influence": influence.influence,
    "metrics": influence.metrics,
}
