"""Who is off, in words: flags and copies, the same for every kind, and what each method says of the judges."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate.inference.board import ALPHA
from quorate.inference.flags import JUDGES
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
from quorate.panel.partitions import partitions
from quorate.panel.score_facts import labels_sorted
from quorate.table import Method
from quorate.words import result_without
from quorate.words.camps import camp_facts
from quorate.words.copies import COPIES
from quorate.words.facts import Fact
from quorate.words.items_used import few_used_facts
from quorate.words.judges_notes import GROUPED
from quorate.words.judges_notes import notes as notes
from quorate.words.numbers import p_is, share, two
from quorate.words.wording import (
    above,
    agreement_by,
    as_odds,
    called,
    ci,
    criterion,
    judges_of_tasks,
    on,
    one_item,
    only_one,
    those,
    uncompared,
    upper,
    voters,
)

NAMED = 3  # judges of whom it is said how they are off
SHOWN = 6  # models, or criteria, that a sentence names
ENOUGH = 10  # votes of a judge, from which the judge's share is told by name
OWN_MATTERS = 0.2  # log odds that the own family is worth, below which it is a trifle
CARELESS = 0.5  # of what the average judge's votes follow the strengths by, above which a judge is careful enough
MATTERS = 0.1  # a preference for a place that is nearer to even than this is a trifle

HOW = {
    "orderings": {
        "reversed": "order is nearly the reverse of the others'",
        "random": "order agrees with the others' no more than a random one",
        "differs": "order differs from the others' more than theirs do from each other",
    },
    "groupings": {
        "reversed": "groups have less in common with the others' than random groups",
        "splits": "groups are finer: they split what most others keep together",
        "merges": "groups are coarser: they merge what most others keep apart",
        "random": "groups have no more in common with the others' than random groups",
        "differs": "groups differ from the others' more than theirs do from each other",
    },
    "votes": {
        "reversed": "choices are mostly the opposite of the others'",
        "place": "choices nearly always fall on the same place, whatever is shown there",
        "random": "choices agree with the others' no more than random ones",
        "differs": "choices differ from the others' more than theirs do from each other",
    },
    "scores": {
        "reversed": "scores run against the others'",
        "shifted": "scores go with the others' but lie on another level",
        "drifting": "scores move away from the others' as time goes on",
        "constant": "scores are one value throughout: they tell nothing about the items",
        "compressed": "scores go with the others' but hardly spread",
        "stretched": "scores go with the others' but spread much more",
        "random": "scores go with the others' no more than random ones",
        "differs": "scores differ from the others' more than theirs do from each other",
    },
}
HOW["labels"] = {
    diagnosis: said.replace("scores", "labels").replace("one value", "one label")
    for diagnosis, said in HOW["scores"].items()
}
ONE_ANSWER = {
    "orderings": "tied all items",
    "scores": "gave everything the same score",
    "labels": "gave everything the same label",
    "votes": "called every vote a tie",
}
REVERSED = dict.fromkeys(("orderings", "scores"), " Was the scale flipped?")
REVERSED |= {"votes": " Were the two mixed up?", "labels": " Were labels mixed up?"}


# -- flags and copies --------------------------------------------------------------------------------------------------


def how(panel: Panel, judge: object, diagnosis: str, where: object = "") -> str:
    """How a judge is off, as the beginning of a sentence; ``where`` names criteria."""
    said = HOW["labels" if isinstance(panel, Scores) and panel.scale else panel.kind][diagnosis]
    return f"{called(judge)}'s {said}{f' (on {where})' if where else ''}"


def same_throughout(panel: Panel, answer: Answer) -> list[Fact]:
    """Who gave one answer to everything, unless that is what the judge is flagged for."""
    told = {f["judge"] for f in answer.more.get("flagged", ()) if f["diagnosis"] == "constant"}
    names = [name for name in answer.more.get("one_answer", ()) if name not in told]
    if not names:
        return []
    kind = "labels" if isinstance(panel, Scores) and panel.scale else panel.kind
    did = _one_grouping(panel, names) if isinstance(panel, Groupings) else ONE_ANSWER[kind]
    who = "Every judge" if len(names) == len(panel.judges) > 1 else those(names, shown=COPIES)
    of = "systems" if isinstance(panel, Votes) else "items"
    return [Fact("one_answer", f"{who} {did}: that says nothing about the {of}.", {"one_answer": names})]


def _one_grouping(panel: Groupings, names: Sequence[Hashable]) -> str:
    """Which of the two groupings it is that say nothing, or that it is either."""
    mine = [k for k, judge in enumerate(panel.judges) if judge in names]
    groups = [int(n) for p in partitions(panel) for j, n in zip(p.judges, p.clusters, strict=True) if j in mine]
    alone, together = "put every item in a group of its own", "put all items in one group"
    return together if max(groups) == 1 else alone if min(groups) > 1 else f"{alone}, or all in one"


def _flags(panel: Panel, answer: Answer) -> list[Fact]:
    """Who is off and how, or why nobody is."""
    off, copied = answer.more.get("flagged", ()), len(answer.more.get("one_voice", ()))
    number, rows = voters(panel) - copied, len(panel.judges)
    if off:
        names, of = list(dict.fromkeys(f["judge"] for f in off)), many(rows, "judge")
        if rows != voters(panel):
            several = f"{voters(panel):,} judges" if len(panel.tasks) == 1 else "several judges each"
            of = f"{rows:,} rows, which stand for {several}"
        every = f"Flagged: {those(names, shown=10)} ({len(names)} of {of})."
        flags = [Fact("off", _flag(panel, f), f) for f in off[:NAMED]] + result_without.fact(answer)
        return [*flags, Fact("judge", every, {"flagged": list(off)}), *same_throughout(panel, answer)]
    said = f"None of the {rows:,} {'judges' if number == rows - copied else 'rows'} is flagged."
    if number == 1:
        return []  # said before
    if number == 2:
        said = f"With two {'voices' if copied else 'judges'} nobody can tell which of them is off."
    elif one_item(panel) or all(math.isnan(o.value) for f in answer.findings for o in f.overall):
        said = "Who is off cannot be told: there is nothing to compare."
    elif labels_sorted(panel):
        said = "On every item the labels stand in order across the judges, as if sorted: who gave which is lost, "
        said += "and who is off cannot be told."
    elif why := uncompared(panel):
        said = why
    elif number > JUDGES:
        number = panel.drawn_from or number
        said = f"With {number:,} judges, nobody is singled out: one of so many hardly moves the result."
    return [Fact("nobody", said), *same_throughout(panel, answer)]


def _flag(panel: Panel, flag: Mapping[str, Any]) -> str:
    nominal = isinstance(panel, Scores) and panel.scale and not panel.ordered
    asked = REVERSED.get("labels" if nominal else panel.kind, "") if flag["diagnosis"] == "reversed" else ""
    before, after = (two(flag["evidence"][n]) for n in ("value", "without"))
    without = f"Without {called(flag['judge'])}, {agreement_by(flag['evidence'])} goes from {before} to {after}."
    return f"{how(panel, flag['judge'], flag['diagnosis'], flag.get('criterion', ''))}.{asked} {without}"


# -- facts -------------------------------------------------------------------------------------------------------------


def facts(panel: Panel, answer: Answer) -> list[Fact]:
    """Who is off and how, and what the methods say of the judges."""
    return [replace(fact, text=upper(fact.text)) for fact in _facts(panel, answer)]


def _facts(panel: Panel, answer: Answer) -> list[Fact]:
    alone = [Fact("nothing", f"{only_one(panel)}: nobody to compare with.")] if voters(panel) == 1 else []
    if isinstance(panel, Scores):
        told = [*camp_facts(panel, answer), *(alone or _flags(panel, answer)), *_of_scores(panel, answer)]
        return sorted(told, key=lambda fact: fact.name != "stand_in")  # which is what such a panel is for
    if alone and not isinstance(panel, Votes):
        return alone
    return [*alone, *camp_facts(panel, answer), *_flags(panel, answer), *_by_method(panel, answer)]


def _by_method(panel: Panel, answer: Answer) -> Iterator[Fact]:
    if isinstance(panel, Groupings):
        yield from _ranked(answer)
        yield from few_used_facts(answer)
    for f in answer.findings:
        known, data = [o for o in f.overall if not math.isnan(o.value)], {"method": str(f.method)}
        if not known and isinstance(panel, Orderings):
            said = f"{f.method} is undefined for every judge: there is nothing to compare."
            yield Fact("judge", said, data, expert=True)
        elif known and f.method.name in _SAY:
            yield from _SAY[f.method.name](panel, f, known)


def _support(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    q, worst = f.method["q"], known[0]
    judges = int(judges_of_tasks(panel).max())
    if (q if isinstance(q, int) else max(math.ceil(float(str(q)) * judges - 1e-9), 1)) < 2:
        return  # of a quorum of one everybody shares everything
    most = "most judges" if q == 0.5 else f"at least {q} judges" if isinstance(q, int) else f"{q:.0%} of the judges"
    shared, mean = (share(worst.labels[n]) for n in ("kappa2", "panel_kappa2"))
    said = f"{called(worst.labels['judge'])} shares {shared} of the ordered pairs with {most}"
    said = f"{said}; the mean of the judges is {mean}."
    if len({share(o.labels["kappa2"]) for o in known}) == 1:
        said = f"Every judge shares {shared} of the ordered pairs with {most}."
    off = [str(o.labels["judge"]) for o in known if o.labels.get("flag")]
    if off:
        said += f" {'Outlier' if len(off) == 1 else 'Outliers'} by the bounds of {f.method.name}: {those(off)}."
    yield Fact("judge", said, {"method": str(f.method), "worst": worst, "outliers": off})


def _peers(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    worst, alike = known[0], len({two(o.value) for o in known}) == 1
    if len(known) == 2 and alike:
        said = f"The two judges correlate {two(worst.value)} with each other"
    else:
        who = "Every judge" if alike and len(known) > 1 else called(worst.labels["judge"])
        said = f"{who} correlates {two(worst.value)} with the others"
    if worst.chance is not None:
        p = max(o.labels["p_holm"] for o in known) if alike else worst.labels["p_holm"]
        said += f", {above(p)} than a random order (corrected {p_is(p)})"
    mean = "" if alike else f"; the mean of the judges is {two(sum(o.value for o in known) / len(known))}"
    yield Fact("judge", f"{said}{mean}.", {"method": str(f.method), "worst": worst})


def _influence(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    worst, told = known[0], known[0].labels
    before, after = two(told["tau_b"] + worst.value), two(told["tau_b"])
    moves = f"stays at {after}" if before == after else f"goes from {before} to {after}"
    where = f" {on(told['consensus_changed'], told['tasks'])}" if told["tasks"] > 1 else ""
    order = f"changes{where}" if told["consensus_changed"] else "stays the same"
    said = f"Without {called(told['judge'])} the mean tau-b {moves} and the consensus order {order}."
    yield Fact("judge", said, {"method": str(f.method), "worst": worst})


def _ranked(answer: Answer) -> Iterator[Fact]:
    """Who agrees most and least with the others, by mean rank."""
    known = [r for r in answer.more.get("ranks", ()) if not math.isnan(r["mean_rank"])]
    if len(known) < 3:
        return
    worst, best = known[0], known[-1]
    of = many(len({f.method["measure"] for f in answer.findings if f.method.name == "peer_agreement"}), "measure")
    said = f"All {len(known)} judges agree equally with the others (over {of})."
    if worst["mean_rank"] != best["mean_rank"]:
        rank = f"mean rank {best['mean_rank']:.1f} of {len(known)} over {of}"
        most = f"{called(best['judge'])} agrees most with the others ({rank})"
        said = f"{most}, {called(worst['judge'])} least ({worst['mean_rank']:.1f})."
    yield Fact("judge", said)


def _leaning(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    others = "the other" if len(panel.judges) == 2 else "the others"
    for kind, size in (("splitter", "finer"), ("generaliser", "coarser")):
        names = [o.labels["judge"] for o in f.overall if o.labels["leans"] == kind]
        if names:
            said = f"{kind.capitalize()}{'s' if len(names) > 1 else ''}, with {size} groups than {others}"
            data = {"method": str(f.method), "leans": kind, "judges": names}
            yield Fact("judge", f"{said}: {those(names, shown=GROUPED)}.", data)


def _place(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    favour = [o for o in known if abs(o.value - 0.5) >= MATTERS and o.labels["p_holm"] < ALPHA]
    if favour:
        who = listed([f"{called(o.labels['judge'])} ({share(o.value)})" for o in favour], NAMED)
        said = f"The system shown first is chosen unevenly by {who}; 50% is even."
        yield Fact("judge", said, {"method": str(f.method), "off": favour})
    else:
        a_little = any(o.labels["p_holm"] < ALPHA for o in known)
        said = "No judge clearly favours a place." if len(known) > 1 else "The judge does not clearly favour a place."
        if a_little:
            most = max(known, key=lambda o: abs(o.value - 0.5))
            who = "No judge favours" if len(known) > 1 else "The judge does not favour"
            often = f"{called(most.labels['judge'])} chooses the first {share(most.value)} of the time"
            said = f"{who} a place by much: {often}."
        yield Fact("judge", said, {"method": str(f.method), "worst": known[0]}, expert=True)


def _self_preference(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    favour = [o for o in known if abs(o.value) >= OWN_MATTERS and o.labels["p_holm"] < ALPHA]
    for o in favour[:NAMED]:
        odds, way = as_odds(o), "favours" if o.value > 0 else "is hard on"
        by = f"its odds of winning are {two(odds.value)} times what the other judges' votes give it{ci(odds)}"
        yield Fact(
            "own_family",
            f"{called(o.labels['judge'])} {way} its own family: {by}.",
            {"method": str(f.method), "off": favour},
        )
    if not favour:
        yield Fact(
            "judge",
            "No judge clearly favours its own family.",
            {"method": str(f.method), "worst": known[0]},
            expert=True,
        )


def _discrimination(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    off = [o for o in known if o.value <= CARELESS and o.labels["p_holm"] < ALPHA]
    for o in off[:NAMED]:
        way = "votes against the strengths of the systems" if o.value < 0 and o.interval and o.interval.high < 0 else ""
        way = way or "follows the strengths of the systems less than the others do"
        by = f"{two(o.value)}{ci(o)}, where 1 is the average judge and 0 is at random"
        yield Fact("judge", f"{called(o.labels['judge'])} {way}: {by}.", {"method": str(f.method), "off": off})
    if not off:
        said = "No judge clearly follows the strengths of the systems less than the others do."
        yield Fact("judge", said, {"method": str(f.method), "worst": known[0]}, expert=True)


def _consistency(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    stayed, of = (sum(o.labels[n] for o in known) for n in ("stayed", "swapped"))
    who = f"{called(known[0].labels['judge'])} keeps" if len(known) == 1 else "The judges keep"
    said = f"{who} {share(stayed / of)} of verdicts when places are swapped ({stayed:,.0f} of {of:,.0f})"
    worst = _named(known, "swapped")
    told = f"; {called(worst.labels['judge'])} keeps {share(worst.value)}" if worst and len(known) > 1 else ""
    yield Fact("judge", f"{said}{told}.", {"method": str(f.method), "worst": worst or known[0]}, expert=of < ENOUGH)


def _with_others(panel: Panel, f: Finding, known: list[Overall]) -> Iterator[Fact]:
    worst, mean = _named(known, "votes"), share(sum(o.value for o in known) / len(known))
    said = f"The judges choose as most others do {mean} of the time, on average."
    if worst is not None:
        own = f"{called(worst.labels['judge'])} chooses as most others do {share(worst.value)} of the time"
        said = f"{own}; the mean of the judges is {mean}."
    yield Fact("judge", said, {"method": str(f.method), "worst": worst or known[0]})


def _named(known: list[Overall], of: str) -> Overall | None:
    """The worst judge of those with votes enough to be named; nobody among very many."""
    return next((o for o in known if o.labels[of] >= ENOUGH), None) if len(known) <= JUDGES else None


_SAY: dict[str, Callable[[Panel, Finding, list[Overall]], Iterator[Fact]]] = {
    "support_outliers": _support,
    "peer_correlation": _peers,
    "influence": _influence,
    "leaning": _leaning,
    "place": _place,
    "self_preference": _self_preference,
    "discrimination": _discrimination,
    "consistency": _consistency,
    "with_others": _with_others,
}


# -- scores ------------------------------------------------------------------------------------------------------------


def _of_scores(panel: Scores, answer: Answer) -> Iterator[Fact]:
    for f in answer.findings:
        rows = [o for o in f.overall if not math.isnan(o.value)]
        say, name = _SCORES.get(f.method.name), "stand_in" if f.method.name == "alternative" else "judge"
        yield from (Fact(name, said) for said in (say(f.method, rows) if say and rows else ()))
    yield from (Fact("judge", said) for said in _copies(answer))
    yield from (Fact("judge", said) for said in _independence(answer.more.get("independence", ())))


def _noise(method: Method, rows: Sequence[Overall]) -> Iterator[str]:
    worst = max(rows, key=lambda o: o.value / max(o.labels["others"] or 1e-9, 1e-9))
    usual = worst.labels["others"]
    if worst.value > 0 and usual is not None and worst.value > usual and two(worst.value) != two(usual):
        points = f"{two(worst.value)} points (median of the others {two(usual)})"
        yield f"Most noise: {called(worst.labels['judge'])}{criterion(worst)}, {points}."


def _self(method: Method, rows: Sequence[Overall]) -> Iterator[str]:
    def own(o: Overall) -> str:
        return f"alpha {two(o.value)}{ci(o)} over {many(o.labels['units'], 'unit')}"

    def who(o: Overall) -> str:
        return f"{called(o.labels['judge'])}{criterion(o)}"

    worst, best = (find(rows, key=lambda o: o.value) for find in (min, max))
    if worst is best:
        yield f"{called(worst.labels['judge'])} scored identical outputs{criterion(worst)} with {own(worst)}."
        return
    least = f"{called(worst.labels['judge'])} is least consistent{criterion(worst)}"
    yield f"Of judges who scored identical outputs, {least}: {own(worst)}."
    if two(worst.value) != two(best.value):
        yield f"Most consistent is {who(best)}: {own(best)}."
    named = [who(o) for o in rows if o.labels.get("flag")]
    if named:
        yield f"Clearly less consistent than the others: {', '.join(named)}."
    elif not any(o.labels.get("flag", True) for o in rows):
        yield "Nobody is clearly less consistent than the others."


def _missed(method: Method, rows: Sequence[Overall]) -> Iterator[str]:
    for o in rows:
        if o.labels.get("flag"):
            misses = f"{called(o.labels['judge'])}{criterion(o)} clearly misses more than the others"
            yield f"{misses}: {two(o.value)} on average."


def _alternative(method: Method, rows: Sequence[Overall]) -> Iterator[str]:
    fit = [f"{called(o.labels['judge'])}{criterion(o)}" for o in rows if o.labels["replaces"]]
    if not fit:
        yield f"No model may stand in for a person (epsilon {method['epsilon']})."
    else:
        shown = ", ".join(fit[:SHOWN]) + (", ..." if len(fit) > SHOWN else "")
        yield f"May stand in for a person (epsilon {method['epsilon']}): {shown} ({len(fit)} of {len(rows)})."


_SCORES: dict[str, Callable[[Method, Sequence[Overall]], Iterator[str]]] = {
    "noise": _noise,
    "self_consistency": _self,
    "auto_pyramid": _missed,
    "alternative": _alternative,
}


def _independence(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    out = []
    for r in {r.get("criterion"): r for r in rows}.values():
        ends, where = r["effective_interval"], f" on {called(r['criterion'], 'criterion')}" if "criterion" in r else ""
        between = f" ({ends[0]:.1f} to {ends[1]:.1f})" if ends else ""
        worth = f"worth {r['effective_judges']:.1f}{between} independent judges{where}"
        if r["against"] == "humans":
            models = f"{many(r['panel'], 'model')} {'is' if r['panel'] == 1 else 'are'}"
            out.append(f"Measured against the people, {models} {worth}.")
        else:
            out.append(f"At best, {r['panel']} judges are {worth}: there are no people to tell.")
    return out[:SHOWN]


def _copies(answer: Answer) -> list[str]:
    """Who scores nearly as another does; not of those who count as one voice, which is told first."""
    one = {name: row["copy_of"] for row in answer.more.get("one_voice", ()) for name in (row["judge"], row["copy_of"])}
    rows, out = answer.more.get("copies", ()), []
    for name in dict.fromkeys(r.get("criterion") for r in rows):
        here = [r for r in rows if r.get("criterion") == name]
        where = f" on {called(name, 'criterion')}" if name is not None else ""
        alike: dict[frozenset[Any], Mapping[str, Any]] = {}
        for r in here:
            if r["flag"] and (r["judge"] not in one or one[r["judge"]] != one.get(r["nearest"])):
                alike.setdefault(frozenset((r["judge"], r["nearest"])), r)
        for r in [*alike.values()][:NAMED]:
            both = f"{called(r['judge'])} and {called(r['nearest'])}"
            out.append(f"{both} give {r['value']:.0%} equal scores{where}: near-copies.")
        if alike:
            out.append(f"The {len(here)} judges are then worth {len(here) - _extra(alike)} at most{where}.")
    return out[:GROUPED]


def _extra(pairs: Iterable[frozenset[Any]]) -> int:
    """How many judges fewer there are once near-copies count as one."""
    groups: list[set[Any]] = []
    for pair in pairs:
        joined = [g for g in groups if g & pair]
        groups = [g for g in groups if not g & pair] + [set(pair).union(*joined)]
    return sum(len(g) - 1 for g in groups)
