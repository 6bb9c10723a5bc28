"""How far a result can be trusted, in words: what other judges would say, and how many it takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
from quorate.panel.outputs import OutputDesign, in_common
from quorate.words import influence, model_judges, vote_effects
from quorate.words.agreement import size
from quorate.words.facts import Fact
from quorate.words.influence import About, on_criterion
from quorate.words.judges import NOT_IDENTIFIED
from quorate.words.notes import about_panel, fewer_draws
from quorate.words.numbers import place, share, shown, two
from quorate.words.quality import about_scores, how_many
from quorate.words.wording import LEFT_OUT, ci, judges_of_tasks, on

ALIKE = 0.005  # ED below which an order is scored no better than its reverse
SURE = 0.7  # how often another panel says the same, of items that need no word
LITTLE = 0.05  # a preference for a place that is nearer to even than this
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
        out.append(how_many(panel, made) if isinstance(panel, Scores) else size(panel))
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


def takes(goal: str, e: Overall, what: str, there: str, each: str = "") -> str:
    """How many judges or votes a goal takes, with an interval, and how many there are."""
    about = many(rounded(e.value), what)
    return f"{goal} it takes about {about}{each}{_ends(e)}; there are {there}."


def _ends(e: Overall) -> str:
    """The interval of a number; where it has no upper end, that."""
    if e.interval is None:
        return ""
    low = f"{rounded(e.interval.low):,}"
    if math.isinf(e.interval.high):
        least = f"at least {low}; " if e.interval.low > 1 else ""
        return f" ({least}how many at most cannot be told from so few)"
    return f" ({e.interval.level:.0%} CI {low} to {rounded(e.interval.high):,})"


def rounded(value: float) -> int:
    """A number of judges to two digits, as rough as it is.

    >>> rounded(7), rounded(83.0), rounded(1648)
    (7, 83, 1600)
    """
    return int(value) if value < 100 else int(float(f"{value:.2g}"))


def _judges_of_orders(panel: Panel, f: Finding) -> Iterator[str]:
    e, sizes = f.overall[0], judges_of_tasks(panel)
    low, high, target = int(sizes.min()), int(sizes.max()), f"{e.labels['target']:g}"
    there = f"{low} to {high}" if low < high else f"{high}"
    if high < 2:
        yield "How many judges it takes cannot be told from one: at least two are needed on a task."
    elif math.isnan(e.labels["one_judge"]):
        yield "How many judges it takes cannot be told: no two judges have orders, not all tied, of the same items."
    elif math.isnan(e.value) or (e.interval is not None and math.isinf(e.interval.low)):
        yield f"No number of such judges brings the consensus to {target}: their orders do not go together."
    elif math.isinf(e.value):
        least = f": at least {many(rounded(e.interval.low), 'judge')}, as far as they tell" if e.interval else ""
        yield f"How many judges a correlation of {target} takes cannot be told from so few{least}; there are {there}."
    else:
        yield takes(f"For a consensus that correlates {target} with another panel's", e, "judge", there)


def _judges_of_groups(panel: Panel, f: Finding) -> Iterator[str]:
    e, there = f.overall[0], f.overall[0].labels["judges"]
    goal = f"For another panel to make much the same groups (adjusted Rand {e.labels['target']:g})"
    if math.isnan(e.value):
        yield "How many judges it takes for the same groups cannot be told: no two judges used the same items."
    elif math.isinf(e.value):
        least = f": at least {e.interval.low:,.0f}" if e.interval and math.isfinite(e.interval.low) else ""
        yield f"{goal} how many judges it takes cannot be told from so few{least}; there are {there}."
    else:
        yield takes(goal, e, "judge", there)


def _judges_of_scores(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    target, there, where = fact["target"], f"{fact['judges_per_item']:.3g}", on_criterion(fact)
    goal = f"For item means that correlate {target:g} with another panel's{where}"
    if fact.get("labels"):
        goal = f"For the majority to be that of all judges on {share(target)} of items{where}"
    for e in rows:
        if not math.isnan(e.value):
            yield takes(goal, e, "judge", there, " an item")
        elif fact.get("labels"):
            yield f"{goal} it takes more judges an item than can be told; there are {there}."
        elif math.isnan(fact["one_judge"]):
            yield f"How many judges it takes{where} cannot be told: no two judges scored the same items."
        else:
            yield f"No number of such judges brings their means to correlate {target:g}{where}: no two go together."


def _judges_of_votes(panel: Panel, f: Finding) -> Iterator[str]:
    e, often = f.overall[0], share(float(str(f.method["target"])))
    if math.isnan(e.value):
        return  # nobody voted on the same pair: said where agreement is
    if not math.isfinite(e.value):
        yield "Two judges choose alike no more often than by chance: no number of judges would settle a pair."
        return
    judges = f"{many(rounded(e.value), 'judge')} on a pair of a task{_ends(e)}"
    yield f"For a majority that is that of all such judges {often} of the time it takes about {judges}."


def _votes_needed(panel: Panel, f: Finding) -> Iterator[Fact]:
    often = share(float(str(f.method["target"])))
    for k, e in enumerate(f.overall):
        votes = e.labels["wins"] + e.labels["ties"] + e.labels["losses"]
        said = f"{e.labels['systems']} are level: no number of votes would tell them apart."
        if not votes:
            said = f"Nobody compared {e.labels['systems']}."
        elif math.isfinite(e.value):
            there = f"{'' if votes >= e.value else 'only '}{votes:,.0f}"
            said = takes(f"To tell {e.labels['systems']} apart {often} of the time", e, "vote", there)
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
        lost = f"{who} loses {first} of that lead over the reverse{rest}"
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
            yield f"{same}: no two judges scored the same items."
        else:
            panel = f"another panel of {fact['judges_per_item']:.3g} judges an item"
            yield f"The item means of {panel} would correlate {two(e.value)}{ci(e)} with these{on_criterion(fact)}."


def _majority(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """On how many items another panel would name the same label, and which one is least sure."""
    first = [f"{item} of {task}" if fact["tasks"] > 1 else f"{item}" for task, item, p in fact["least"] if p < SURE][:3]
    unsure = f" Least sure: {listed(first)}." if first else ""
    for e in rows:
        same = f"would name the same label on {share(e.value)} of items{on_criterion(fact)}"
        none = f"No item{on_criterion(fact)} has a majority."
        yield none if math.isnan(e.value) else f"Another panel of as many judges {same}.{unsure}"


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
        lean = "first" if o.interval.low > 0.5 else "second" if o.interval.high < 0.5 else ""
        little = ", a little" if abs(o.value - 0.5) < LITTLE else ""
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


# -- panels drawn anew -------------------------------------------------------------------------------------------------


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
    anew, before = f"of {top.labels['resamples']} panels of resampled judges", two_in_order.value
    if len(set(f.keys["task"])) > 1:
        second = f", and it stays before the second in {before:.0%}" if not math.isnan(before) else ""
        return f"By {of}, what is first on a task stays first in {top.value:.0%} {anew}{second}, on average over tasks."
    groups: dict[float, list[Any]] = {}
    for item, rank in zip(f.keys["item"], f.values, strict=True):
        groups.setdefault(rank, []).append(item)
    first, *others = (names for _, names in sorted(groups.items()))
    second = f", and before {listed(others[0])} in {before:.0%}" if others else ""
    return f"By {of}, {listed(first)} {'stays' if len(first) == 1 else 'stay'} first in {top.value:.0%} {anew}{second}."


_SAY: Mapping[tuple[str, str], Callable[[Panel, Finding], Iterator[str | Fact]]] = {
    ("", "discriminativeness"): _discriminativeness,
    ("orderings", "noise"): _noise,
    ("", "sweep"): _sweep,
    ("", "tune"): _tune,
    ("", "held_out"): _held_out,
    ("orderings", "split_half"): _half_of_orders,
    ("orderings", "judges_needed"): _judges_of_orders,
    ("", "bootstrap"): _bootstrap,
    ("", "agreement_stability"): _stability,
    ("groupings", "judges_needed"): _judges_of_groups,
    ("", "sensitivity"): _sensitivity,
    ("", "place"): _place,
    ("votes", "effects"): vote_effects.effects,
    ("votes", "next_pairs"): vote_effects.next_pairs,
    ("", "swaps"): _swaps,
    ("", "votes_needed"): _votes_needed,
    ("votes", "judges_needed"): _judges_of_votes,
    ("", "metric_differences"): lambda panel, f: influence.differences(f),
}


def _of(f: Finding, fact: About) -> list[Overall]:
    """The figures of one criterion."""
    return [o for o in f.overall if o.labels.get("criterion") == fact.get("criterion")]


_SCORES: Mapping[str, Callable[[Finding, OutputDesign, About, Sequence[Overall]], Iterator[str]]] = {
    "variance_components": influence.components,
    "split_half": _half_of_scores,
    "judges_needed": _judges_of_scores,
    "majority_stability": _majority,
    "prediction_powered": influence.prediction_powered,
    "people_worth": model_judges.worth,
    "model_bias": model_judges.model_bias,
    "calibration": model_judges.calibration,
    "without_worst": influence.without_worst,
    "influence": influence.influence,
    "metrics": influence.metrics,
}


# -- notes -------------------------------------------------------------------------------------------------------------

EMPTY = {
    "influence": "without any one judge nothing is left, or nothing changes",
    "variance_components": "variance_components: fewer than two scores",
    "metric_differences": "metric_differences: one metric only, nothing to compare",
}
NO_INTERVALS = "variance_components has no intervals: too few tasks and judges, or too many scores for the time given"
NOTHING = "sensitivity: no judge has two clusters, one of them with two items: there is nothing to split and merge"


def notes(panel: Panel, answer: Answer, *beside: Panel) -> list[str]:
    """What was left aside, limited, or cannot be said."""
    out = about_panel(panel, answer, *beside)
    if isinstance(panel, Scores):
        made = OutputDesign.every(panel, *beside)  # type: ignore[arg-type]
        out += [*about_scores(panel, made, judges=False), *_matched(made)]
        for f in answer.findings:
            out += [note for d, fact in zip(made, f.about, strict=True) for note in _of_scores(f, d, fact)]
            out += [EMPTY[f.method.name]] if f.method.name in EMPTY and not f.overall else []
    else:
        out += [note for f in answer.findings for note in (*_of_groupings(f, answer), *f.notes)]
    if isinstance(panel, Votes) and any(f.method.name == "votes_needed" and any(f.values) for f in answer.findings):
        out.append("votes_needed is of votes on different tasks by different judges: several on one task tell less")
    return list(dict.fromkeys(out + (fewer_draws(answer) if isinstance(panel, Scores) else [])))


def _of_groupings(f: Finding, answer: Answer) -> Iterator[str]:
    about = f.about[0] if f.about and answer.kind == Groupings.kind else {}
    if f.method.name == "sensitivity" and not about["clusterings"]:
        yield NOTHING
    if f.method.name == "agreement_stability":
        told = [o.labels["by"] for o in f.overall]
        if not told:
            yield "agreement_stability: too few judges, tasks and items to draw anew"
        elif answer.options.resamples and "items" not in told and about["items"] > 3:
            yield "agreement_stability: too many judges and items to draw half of the items anew"


def _matched(made: Sequence[OutputDesign]) -> Iterator[str]:
    """What of the metrics does not fit the human scores."""
    if not made or not made[0].beside:
        return
    ours, theirs = made[0], made[0].beside[0]
    for name, mine, others in (("systems", ours.systems, theirs.systems), (ours.by, ours.tasks, theirs.tasks)):
        fit = in_common(others, mine)
        if name != "systems" and len(others) == 1 and len(mine) > 1:
            yield "the metrics have one value per system, so only the system level is known"
        elif fit < len(others) or fit < len(mine):
            yield f"metrics and scores have {fit} {name} in common, of {len(mine)} scored and {len(others)}"


def _of_scores(f: Finding, made: OutputDesign, fact: About) -> Iterator[str]:
    name, said = f.method.name, f"{fact['criterion']}: " if "criterion" in fact else ""
    if name == "without_worst" and "first" in fact:
        if "nothing_left" in fact:
            yield f"{said}without the worst {fact['nothing_left']} nothing is left to compare"
        yield f"{said}worst by {fact['what']}; their {'tasks' if fact['how'] == 'tasks' else 'scores'} are dropped"
    elif name == "influence" and fact["some"]:
        yield f"influence{on_criterion(fact)}: of the {many(fact['some'], 'judge')} with the most scores"
    elif name == "variance_components" and f.overall and not fact["drawn"]:
        yield NO_INTERVALS
    elif name == "soft_pairwise_accuracy":
        yield from (f"soft_pairwise_accuracy needs values per input: {metric} is left out" for metric in fact["left"])
    elif name == "metrics":
        if fact["steps"] == 1:
            yield f"no judge has a value by {fact['by']}, or nothing is left without the worst: nobody is dropped"
        for one in fact["metrics"]:
            if one["undefined"]:
                left, of = one["undefined"]
                rest = "; the mean at input level is over the others" if left < of else ""
                where = f"{on(left, of, made.by[:-1])} (fewer than two systems, or all alike){rest}"
                yield f"{one['metric']}{on_criterion(fact)}: {f.method['coefficient']} is undefined {where}"
