"""What a leaderboard of scores rests on, in words: variance, single judges, the worst of them, and metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.board import ALPHA
from quorate.inference.results import Finding, Overall
from quorate.panel.base import listed, many
from quorate.panel.outputs import OutputDesign
from quorate.words.numbers import p_is, share, three, two
from quorate.words.wording import all_of, called, ci

About = Mapping[str, Any]  # what a method knows of one criterion
NEAR = 1e-9  # values that differ by rounding alone
SEEN = 0.005  # share of the variance that is spoken of


def on_criterion(fact: About, word: str = "on") -> str:
    """On which criterion, where there are some."""
    return f" {word} {called(fact['criterion'], 'criterion')}" if "criterion" in fact else ""


def components(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """Where most of the variance comes from, and what would tell systems apart better."""

    def source(o: Overall) -> str:
        if o.labels["component"] == "rest":
            return "is left over"
        names = [f"{n}s" for n in str(o.labels["component"]).split(" x ")]
        return f"comes from {names[0]}" if len(names) == 1 else f"from {listed(names)} together"

    known = sorted((o for o in rows if o.value >= SEEN), key=lambda o: -o.value)[:3]
    if not known:
        return
    yield f"Of the variance of scores{on_criterion(fact)} {listed([f'{share(o.value)} {source(o)}' for o in known])}."
    gains = sorted(fact["gains"].items(), key=lambda gain: -gain[1])
    if gains and len(made.systems) > 1:
        (best, cut), *others = gains
        rest = "".join(f", twice as many {what} by {share(less)}" for what, less in others)
        one = f"{'an' if made.called[:1] in 'aeiou' else 'a'} {made.called}'s mean"
        many_ = f"twice as many{f' {best}' if rest else ''}"
        twice = f"{many_} would cut the error variance of {one} by {share(cut)}{rest}"
        yield f"More {best} would help most to tell {made.called}s apart{on_criterion(fact)}: {twice}."


def without_worst(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """Who is worst, and what moves without the judge."""
    if "first" not in fact:
        said = f"{fact['criterion']}: " if "criterion" in fact else ""
        yield f"{said}No judge can be called worst by {fact['by']}: {_why_not(fact)}."
        return
    values, number = fact["worst"], len(fact["worst"])
    worst = f"Worst judge{on_criterion(fact)} by {fact['by']}: {fact['first']} ({two(values[0])})."
    if max(values) - min(values) <= NEAR and number > 1:  # somebody is left out first all the same
        who = f"{all_of(number)} judges" if number == len(made.judges) else many(number, "judge")
        worst = (
            f"By {fact['by']}{on_criterion(fact)} {who} are alike ({two(values[0])}); {fact['first']} is taken first."
        )
    yield f"{worst} {_moved(made, fact)}" if "rho" in fact else worst


def _why_not(fact: About) -> str:
    """Why nobody can be called worst."""
    if fact["one_judge"] or fact["same"]:
        return "there is one judge only" if fact["one_judge"] else "all scores are the same"
    auto = "needs a column auto, the automatic score of each item; `quorate pyramid auto` computes it"
    needs = {
        "alpha": "alpha needs repeats (the same item again, or equal texts) or items that judges share; try by=noise",
        "influence": "without any one judge nothing is left",
        "gap": f"gap {auto}",
        "auto_pyramid": f"auto_pyramid {auto}",
    }
    return needs.get(fact["by"], "there are too few scores")


def _moved(made: OutputDesign, fact: About) -> str:
    """What moves without the judge, and whether as much moves when as many are dropped at random."""
    rho, band, moved = fact["rho"], fact["band"], fact["changed"]
    what = made.by if fact["how"] == "tasks" else "scores"
    said = f"Without this judge's {many(fact['dropped'], what[:-1])}"
    if len(made.systems) == 1:
        return f"{said} there is still one {made.called} only: no place can change."
    if not moved:
        sure = band is None or band[0] > 1 - 5e-4
        random = "" if sure else f"; as many dropped at random give correlations down to {three(band[0])}"
        return f"{said} no {made.called} changes places{random}."
    first, many_moved = moved[0], len(moved) > 1
    far = f"{'most ' if many_moved else ''}{first['system']} from place {first['from']} to {first['to'] or 'none'}"
    said = f"{said} {_change(len(moved), made)} ({far})."
    if math.isnan(rho):
        return said
    said += f" The order correlates {three(rho)} (Spearman) with the full one"
    if not fact["tested"] or band is None:
        return said + "."
    verdict = f"these {what} matter more than others do" if rho < band[0] - 1e-12 else "no more changes than by chance"
    return f"{said}; as many dropped at random give {three(band[0])} to {three(band[1])}: {verdict}."


def _change(number: int, made: OutputDesign) -> str:
    return f"{number:,} of {many(len(made.systems), made.called)} {'changes' if number == 1 else 'change'} places"


def influence(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """On whom the leaderboard depends most: by tau-b, lowest first, undefined ones (all level) last."""
    if not rows or len(made.systems) < 2:
        return
    if not any(o.labels["moved"] for o in rows):
        yield f"Whichever judge is left out, no {made.called} changes places{on_criterion(fact)}."
        return
    first = rows[0].labels if rows[0].labels["moved"] else max((o.labels for o in rows), key=lambda x: x["moved"])
    who = f"The leaderboard{on_criterion(fact)} depends most on judge {first['judge']}"
    yield f"{who}: without this judge {_change(first['moved'], made)} ({first['most']})."


def prediction_powered(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """Who leads as people would have it, and how many judgments of people the models save."""
    if not rows:
        return
    first, labels = rows[0], rows[0].labels
    told = f"From people's scores of {labels['people']:,} {made.by} and models' of {labels['models']:,}"
    told = f"{told}, {called(labels['system'], 'system')} comes first{on_criterion(fact)} as people would have it"
    yield f"{told}: {three(first.value)}{ci(first, three)}."
    known = [o.labels for o in rows if math.isfinite(o.labels["worth"])]
    if not known:
        return
    worth, people, halve = (sum(o[n] for o in known) / len(known) for n in ("worth", "people", "to_halve"))
    saved = round(worth - people)
    if saved < 1:
        yield "The models' scores save no judgments of people: they hardly go with theirs."
    else:
        more = (
            f" Half the error takes people's scores of about {round(halve):,} {made.by}."
            if math.isfinite(halve)
            else ""
        )
        yield f"Models save people about {saved:,} of {round(worth):,} {made.by} a system for the same error.{more}"


def metrics(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """How each metric goes with the judges, and whether it does so more without the worst of them."""
    for one in fact["metrics"]:
        values, where = one["values"], on_criterion(fact, "with")
        if math.isnan(values["system", 0]):
            why = "there is one only" if len(made.systems) == 1 else "they are all alike, or nothing is shared"
            yield f"{one['metric']} cannot be correlated{where} over systems: {why}."
            continue
        coefficient = f.method["coefficient"]
        said = f"{one['metric']} correlates{where} {three(values['system', 0])} at system level ({coefficient})"
        if not math.isnan(values.get(("judge", 0), math.nan)):
            said += f", {three(values['judge', 0])} per judge"
        said += ". Of two systems that is always 1 or -1" if len(made.systems) == 2 else ""
        if fact["steps"] > 1 and not math.isnan(values.get(("system", 1), math.nan)):
            random = f"; as many random drops give {three(one['random'][0])}" if one["random"] else ""
            said += f". Without judge {fact['worst']} it is {three(values['system', 1])}{random}"
        yield f"{said}.{_helps(fact, one)}"


def _helps(fact: About, one: About) -> str:
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


def differences(f: Finding) -> Iterator[str]:
    """How many differences between metrics are significant, each tested alone."""
    told = [(o, o.null.p) for o in f.overall if o.null]
    level, sure = f.method["level"], sum(p < ALPHA for _, p in told)
    if len(told) == 1:
        (o, p), *_ = told
        differ = f"{o.labels['metric']} and {o.labels['other']} differ by {three(abs(o.value))} in correlation"
        yield f"{differ} at {level} level, {'' if sure else 'not '}significantly ({p_is(p)})."
    elif told:
        number, verb = f"{sure:,}" if sure else "None", "is" if sure < 2 else "are"
        what = f"{len(told):,} differences between metrics at {level} level"
        yield f"{number} of {what} {verb} significant (each p alone)."
