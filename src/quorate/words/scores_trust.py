"""How far a result from scores can be trusted, in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import listed, many
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign, in_common
from quorate.words.facts import Fact
from quorate.words.limits import fewer_draws
from quorate.words.numbers import p_is, share, three, two
from quorate.words.scores_systems import about_scores, how_many
from quorate.words.wording import all_of
from quorate.words.wording import on as said_on

About = Mapping[str, Any]  # what a method knows of one criterion
ALPHA = 0.05
NEAR = 1e-9  # values that differ by rounding alone
SEEN = 0.005  # share of the variance that is spoken of
SURE = 0.7  # how often another panel says the same, of items that need no word
METRICS = 8  # that sentences speak of


def _on(fact: About, word: str = "on") -> str:
    return f" {word} {fact['criterion']}" if "criterion" in fact else ""


# -- notes -------------------------------------------------------------------------------------------------------------


def notes(panel: Scores, answer: Answer, metrics: Scores | None = None) -> list[str]:
    """What was left aside, or cannot be said."""
    made = OutputDesign.every(panel, metrics)
    out = [*panel.notes, *about_scores(panel, made, judges=False), *_matched(made)]
    for f in answer.findings:
        for design, fact in zip(made, f.about, strict=True):
            out += _NOTES[f.method.name](f, design, fact) if f.method.name in _NOTES else []
        out += [_NOTHING[f.method.name]] if f.method.name in _NOTHING and not f.overall else []
    return list(dict.fromkeys(out + fewer_draws(answer)))


_NOTHING = {
    "influence": "without any one judge nothing is left, or nothing changes",
    "variance_components": "variance_components: fewer than two scores",
    "metric_differences": "metric_differences: one metric only, nothing to compare",
}


def _matched(made: Sequence[OutputDesign]) -> list[str]:
    """What of the metrics does not fit the human scores."""
    if not made or not made[0].beside:
        return []
    ours, theirs, out = made[0], made[0].beside[0], []
    for name, mine, others in (("systems", ours.systems, theirs.systems), (ours.by, ours.tasks, theirs.tasks)):
        fit = in_common(others, mine)
        if name != "systems" and len(others) == 1 and len(mine) > 1:
            out.append("the metrics have one value per system, so only the system level is known")
        elif fit < len(others) or fit < len(mine):
            out.append(f"metrics and scores have {fit} {name} in common, of {len(mine)} scored and {len(others)}")
    return out


def _worst_notes(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    if "first" not in fact:
        return []
    said = f"{fact['criterion']}: " if "criterion" in fact else ""
    out = []
    if "nothing_left" in fact:
        out.append(f"{said}without the worst {fact['nothing_left']} nothing is left to compare")
    dropped = "their tasks" if fact["how"] == "tasks" else "their scores"
    return [*out, f"{said}worst by {fact['what']}; {dropped} are dropped"]


def _influence_notes(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    return [f"influence{_on(fact)}: of the {many(fact['some'], 'judge')} with the most scores"] if fact["some"] else []


def _components_notes(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    if fact["drawn"] or not f.overall:
        return []
    return ["variance_components has no intervals: too few tasks and judges, or too many scores for the time given"]


def _metrics_notes(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    out = []
    if fact["steps"] == 1:
        out.append(f"no judge has a value by {fact['by']}, or nothing is left without the worst: nobody is dropped")
    for one in fact["metrics"]:
        if one["undefined"]:
            left, of = one["undefined"]
            rest = "; the mean at input level is over the others" if left < of else ""
            where = f"{said_on(left, of, made.by[:-1])} (fewer than two systems, or all alike){rest}"
            out.append(f"{one['metric']}{_on(fact)}: {f.method['coefficient']} is undefined {where}")
    return out


def _soft_notes(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    return [f"soft_pairwise_accuracy needs values per input: {name} is left out" for name in fact["left"]]


_NOTES: Mapping[str, Callable[[Finding, OutputDesign, About], list[str]]] = {
    "without_worst": _worst_notes,
    "influence": _influence_notes,
    "metrics": _metrics_notes,
    "variance_components": _components_notes,
    "soft_pairwise_accuracy": _soft_notes,
}


# -- sentences ---------------------------------------------------------------------------------------------------------


def facts(panel: Scores, answer: Answer, metrics: Scores | None = None) -> list[Fact]:
    """How far it can be trusted, for people who read no table."""
    made = OutputDesign.every(panel, metrics)
    out = [how_many(panel, made)]
    for f in answer.findings:
        said = [s for design, fact in zip(made, f.about, strict=True) for s in _said(f, design, fact)]
        said = _say_differences(f) if f.method.name == "metric_differences" else said
        name = _FACTS.get(f.method.name, "trust")
        told = [Fact(name, text, {"method": str(f.method), "estimates": f.overall[:1]}) for text in said]
        out += told[:METRICS] if f.method.name == "metrics" else told
    return out


_FACTS = {"split_half": "repeatable", "majority_stability": "repeatable", "judges_needed": "needed"}


def _of(f: Finding, fact: About) -> list[Overall]:
    """The figures of one criterion."""
    return [o for o in f.overall if o.labels.get("criterion") == fact.get("criterion")]


def _said(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    if f.method.name == "variance_components":
        return _say_components(f, made, fact)
    if f.method.name == "split_half":
        return [_say_half(o, fact) for o in _of(f, fact)]
    if f.method.name == "judges_needed":
        return [_say_needed(o, fact) for o in _of(f, fact)]
    if f.method.name == "majority_stability":
        return [_say_majority(o, fact) for o in _of(f, fact)]
    if f.method.name == "without_worst":
        return [_say_without(made, fact)]
    if f.method.name == "influence":
        return _say_influence(f, made, fact)
    if f.method.name == "metrics":
        return [_say_metric(str(f.method["coefficient"]), made, fact, one) for one in fact["metrics"]]
    return []


def _say_components(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    """Where most of the variance comes from, and what would tell systems apart better."""
    known = sorted((o for o in _of(f, fact) if o.value >= SEEN), key=lambda o: -o.value)[:3]
    if not known:
        return []
    named = [f"{share(o.value)} {'is left over' if o.labels['component'] == 'rest' else _from(o)}" for o in known]
    out = [f"Of the variance of scores{_on(fact)} {listed(named)}."]
    gains = sorted(fact["gains"].items(), key=lambda gain: -gain[1])
    if gains and len(made.systems) > 1:
        best, cut = gains[0]
        others = "".join(f", {what} by {share(less)}" for what, less in gains[1:])
        mean = f"a {made.called}'s mean"
        out.append(
            f"More {best} would help most to tell {made.called}s apart{_on(fact)}: twice as many would cut the error "
            f"variance of {mean} by {share(cut)}{others}."
        )
    return out


def _from(o: Overall) -> str:
    """What a component is, in words."""
    names = str(o.labels["component"]).split(" x ")
    if len(names) == 1:
        return f"comes from {names[0]}s"
    return f"from {listed([f'{n}s' for n in names])} together"


def _say_half(o: Overall, fact: About) -> str:
    if math.isnan(o.value):
        return (
            f"Whether another panel would say the same{_on(fact)} cannot be told: no two judges scored the same items."
        )
    panel = f"another panel of {fact['judges_per_item']:.3g} judges an item"
    return f"The item means of {panel} would correlate {two(o.value)}{_between(o)} with these{_on(fact)}."


def _between(o: Overall) -> str:
    return f" (95% CI {two(o.interval.low)} to {two(o.interval.high)})" if o.interval else ""


def _say_needed(o: Overall, fact: About) -> str:
    """How many judges an item it takes, and how many there are."""
    target, there = fact["target"], f"there are {fact['judges_per_item']:.3g}"
    if fact.get("labels"):
        goal = f"For the majority to be that of all judges on {share(target)} of items{_on(fact)}"
        if math.isnan(o.value):
            return f"{goal} it takes more judges an item than can be told; {there}."
    else:
        goal = f"For item means that correlate {target:g} with another panel's{_on(fact)}"
        if math.isnan(fact["one_judge"]):
            return f"How many judges it takes{_on(fact)} cannot be told: no two judges scored the same items."
        if math.isnan(o.value):
            return (
                f"No number of such judges brings their means to correlate {target:g}{_on(fact)}: no two go together."
            )
    return f"{goal} it takes about {many(int(o.value), 'judge')} an item{_ends(o)}; {there}."


def _ends(o: Overall) -> str:
    """The interval of a number of judges; one without an end is said to have none."""
    if o.interval is None:
        return ""
    low = f"{o.interval.low:,.0f}"
    if math.isinf(o.interval.high):
        return f" ({low} or more: the most cannot be told from so few {o.interval.over})"
    return f" (95% CI {low} to {o.interval.high:,.0f})"


def _say_majority(o: Overall, fact: About) -> str:
    """On how many items another panel would name the same label, and which one is least sure."""
    if math.isnan(o.value):
        return f"No item{_on(fact)} has a majority."
    first = [f"{item} of {task}" if fact["tasks"] > 1 else f"{item}" for task, item, p in fact["least"] if p < SURE][:3]
    unsure = f" Least sure: {listed(first)}." if first else ""
    return f"Another panel of as many judges would name the same label on {share(o.value)} of items{_on(fact)}.{unsure}"


def _say_without(made: OutputDesign, fact: About) -> str:
    """Who is worst, and what moves without the judge."""
    if "first" not in fact:
        said = f"{fact['criterion']}: " if "criterion" in fact else ""
        return f"{said}No judge can be called worst by {fact['by']}: {_why_not(fact)}."
    return f"{_worst(made, fact)} {_moved(made, fact)}" if "rho" in fact else _worst(made, fact)


def _why_not(fact: About) -> str:
    """Why nobody can be called worst."""
    if fact["one_judge"]:
        return "there is one judge only"
    if fact["same"]:
        return "all scores are the same"
    auto = "needs a column auto, the automatic score of each item; `quorate pyramid auto` computes it"
    needs = {
        "alpha": "alpha needs repeats (the same item again, or equal texts) or items that judges share; try by=noise",
        "influence": "without any one judge nothing is left",
        "gap": f"gap {auto}",
        "auto_pyramid": f"auto_pyramid {auto}",
    }
    return needs.get(fact["by"], "there are too few scores")


def _worst(made: OutputDesign, fact: About) -> str:
    """Who is worst; of judges who are all alike somebody is left out first all the same."""
    values = fact["worst"]
    if max(values) - min(values) <= NEAR and len(values) > 1:
        number = len(values)
        who = f"{all_of(number)} judges" if number == len(made.judges) else many(number, "judge")
        return f"By {fact['by']}{_on(fact)} {who} are alike ({two(values[0])}); {fact['first']} is taken first."
    return f"Worst judge{_on(fact)} by {fact['by']}: {fact['first']} ({two(values[0])})."


def _moved(made: OutputDesign, fact: About) -> str:
    """What moves without the judge, and whether as much moves when as many are dropped at random."""
    rho, band, moved = fact["rho"], fact["band"], fact["changed"]
    said = f"Without this judge's {many(fact['dropped'], made.by[:-1] if fact['how'] == 'tasks' else 'score')}"
    if len(made.systems) == 1:
        return f"{said} there is still one {made.called} only: no place can change."
    if not moved:
        sure = band is None or band[0] > 1 - 5e-4
        random = "" if sure else f"; as many dropped at random give correlations down to {three(band[0])}"
        return f"{said} no {made.called} changes places{random}."
    said = f"{said} {_places(moved, many(len(made.systems), made.called))}."
    if math.isnan(rho):
        return said
    said += f" The order correlates {three(rho)} (Spearman) with the full one"
    if not fact["tested"] or band is None:
        return said + "."
    verdict = "no more changes than by chance"
    if rho < band[0] - 1e-12:
        verdict = f"these {made.by if fact['how'] == 'tasks' else 'scores'} matter more than others do"
    return f"{said}; as many dropped at random give {three(band[0])} to {three(band[1])}: {verdict}."


def _places(moved: Sequence[Mapping[str, Any]], systems: str) -> str:
    """How many systems change places, and which one moves furthest."""
    first = moved[0]
    far = f"{'most ' if len(moved) > 1 else ''}{first['system']} from place {first['from']} to {first['to'] or 'none'}"
    return f"{len(moved):,} of {systems} {'changes' if len(moved) == 1 else 'change'} places ({far})"


def _say_influence(f: Finding, made: OutputDesign, fact: About) -> list[str]:
    """On whom the leaderboard depends most: by tau-b, lowest first, undefined ones (all level) last."""
    found = [o for o in f.overall if o.labels.get("criterion") == fact.get("criterion")]
    if not found or len(made.systems) < 2:
        return []
    if not any(o.labels["moved"] for o in found):
        return [f"Whichever judge is left out, no {made.called} changes places{_on(fact)}."]
    first = found[0].labels if found[0].labels["moved"] else max((o.labels for o in found), key=lambda x: x["moved"])
    number = first["moved"]
    changes = f"{number:,} of {many(len(made.systems), made.called)} {'changes' if number == 1 else 'change'} places"
    who = f"The leaderboard{_on(fact)} depends most on judge {first['judge']}"
    return [f"{who}: without this judge {changes} ({first['most']})."]


def _say_metric(coefficient: str, made: OutputDesign, fact: About, one: About) -> str:
    """How a metric goes with the judges, and whether it does so more without the worst of them."""
    on, values = _on(fact, "with"), one["values"]
    if math.isnan(values["system", 0]):
        why = "there is one only" if len(made.systems) == 1 else "they are all alike, or nothing is shared"
        return f"{one['metric']} cannot be correlated{on} over systems: {why}."
    said = f"{one['metric']} correlates{on} {three(values['system', 0])} at system level ({coefficient})"
    if not math.isnan(values.get(("judge", 0), math.nan)):
        said += f", {three(values['judge', 0])} per judge"
    said += ". Of two systems that is always 1 or -1" if len(made.systems) == 2 else ""
    if fact["steps"] > 1 and not math.isnan(values.get(("system", 1), math.nan)):
        random = f"; as many random drops give {three(one['random'][0])}" if one["random"] else ""
        said += f". Without judge {fact['worst']} it is {three(values['system', 1])}{random}"
    return said + "." + _verdict(fact, one)


def _verdict(fact: About, one: About) -> str:
    """Whether dropping the worst judge brings the systems nearer to the metric, and dropping another one does too."""
    if fact["steps"] < 2 or not one["another"]:
        return ""
    before, after = one["values"]["system", 0], one["values"]["system", 1]
    if math.isnan(before) or math.isnan(after):
        return ""
    mean, low, high = one["another"]
    helps, other = after > before + 1e-12, mean > before + 1e-12
    link = "does too" if helps and other else "does not" if helps else "does" if other else "does not either"
    chance = one["random"] is None or one["random"][1] >= ALPHA
    no_more = ", but no more than random drops may" if helps and chance else ""
    return (
        f" Dropping {fact['worst']} {'improves' if helps else 'does not improve'} it{no_more}; dropping one of "
        f"the others instead {link} ({three(mean)} on average, {three(low)} to {three(high)})."
    )


def _say_differences(f: Finding) -> list[str]:
    """How many differences between metrics are significant, each tested alone."""
    told: list[Overall] = [o for o in f.overall if o.null]
    level, sure = f.method["level"], sum(o.null.p < ALPHA for o in told if o.null)
    if not told:
        return []
    if len(told) == 1 and told[0].null:
        o = told[0]
        differ = f"{o.labels['metric']} and {o.labels['other']} differ by {three(abs(o.value))} in correlation"
        return [f"{differ} at {level} level, {'' if sure else 'not '}significantly ({p_is(told[0].null.p)})."]
    number, verb = "None" if not sure else f"{sure:,}", "is" if sure < 2 else "are"
    return [
        f"{number} of {len(told):,} differences between metrics at {level} level {verb} significant (each p alone)."
    ]
