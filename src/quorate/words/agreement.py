"""How much the judges agree, in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import Panel, many
from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
from quorate.panel.partitions import sheets
from quorate.panel.score_facts import score_facts
from quorate.words.agreement_notes import notes as notes
from quorate.words.facts import Fact
from quorate.words.grouping_agreement import grouping_facts
from quorate.words.numbers import between, figure, share, two
from quorate.words.wording import (
    all_tied,
    at_least,
    beyond,
    called,
    ci,
    ci_of,
    criterion,
    figure_of,
    inside,
    judges_of_tasks,
    only_one,
    said_of_any,
    share_left_out,
    voices,
    voters,
)

LEAST = (0.667, 0.8)  # Krippendorff's thresholds: tentative conclusions, and reliable ones
SHOWN = 6  # criteria that sentences speak of
NEAR = 1e-9  # a difference by rounding alone


# -- facts -------------------------------------------------------------------------------------------------------------


def facts(panel: Panel, answer: Answer) -> list[Fact]:
    """How many judges did what, and how much they agree; or why that cannot be said."""
    out, why = [size(panel, answer)], _nothing(panel, answer)
    if why:
        out.append(Fact("nothing", why))
    else:
        out += grouping_facts(panel, answer) if isinstance(panel, Groupings) else _by_method(panel, answer)
        out += [*_kinds(answer), *_confused(answer), *_label_sets(answer)]
    again = answer.more.get("self_agreement", ())
    if again:
        did = f"{_did(panel)} some items" if isinstance(panel, Scores) else "did a task"
        said = f"{many(len({r['judge'] for r in again}), 'judge')} {did} more than once"
        out.append(Fact("repeats", f"{said}: {_own(again) if isinstance(panel, Scores) else ''}see self-agreement."))
    return out


def size(panel: Panel, answer: Answer | None = None) -> Fact:
    """How many judges did how much."""
    who, tasks = voices(panel, answer), many(len(panel.tasks), "task")
    if isinstance(panel, Votes):
        votes, systems = many(int(panel.count.sum()), "vote"), many(len(panel.systems), "system")
        by = "" if panel.nameless else f" by {who}"
        return Fact("size", f"{votes}{by} between {systems} on {tasks}.")
    if isinstance(panel, Scores):
        parts = score_facts(panel)
        where = f" on {tasks}" if len(panel.tasks) > 1 else ""
        by = f" by {len(parts)} criteria" if len(parts) > 1 else ""
        scored = max((u.size for u in parts), default=0)
        again = scored > len(panel.items)  # an item, such as a system, on several tasks
        times = f", {scored:,} in all{',' if by else ''}" if again else ""
        return Fact("size", f"{who} {_did(panel)} {many(min(scored, len(panel.items)), 'item')}{where}{times}{by}.")
    items, left = many(len(panel.items), "item"), ""
    each = judges_of_tasks(panel)
    if isinstance(panel, Orderings) and len(panel.tasks) > 1 and panel.votes != len(panel.starts) - 1:
        low, high = int(each.min()), int(each.max())  # another task's judges may be other people
        who = f"{low:,} to {high:,} judges a task" if low < high else f"{low:,} judges a task"
    if isinstance(panel, Groupings) and (gone := share_left_out(panel, answer)):
        left = f"; a judge left out {share(gone)} of the items on average"
    return Fact("size", f"{who} {'ordered' if isinstance(panel, Orderings) else 'grouped'} {items} on {tasks}{left}.")


def _did(scores: Scores) -> str:
    return "labelled" if scores.scale and not scores.ordered else "scored"


def _nothing(panel: Panel, answer: Answer) -> str:
    """Why nothing can be said; '' where something can."""
    if voters(panel) == 1:
        return f"{only_one(panel)}: nobody to agree with."
    if isinstance(panel, Votes) and all(math.isnan(o.value) for f in answer.findings for o in f.overall):
        if any(np.sum(f.details.get("pairs", ())) for f in answer.findings):
            return "Every vote is a tie: there is nothing to agree on."
        return "No pair of systems has two judges on a task: there is nothing to agree on."
    if isinstance(panel, Orderings | Groupings) and (judges_of_tasks(panel) == 1).all():
        return "No task has two judges: there is nothing to agree on."
    if isinstance(panel, Orderings) and all_tied(panel):
        return "No judge puts one item before another: there is no order to agree on."
    if isinstance(panel, Groupings) and (sheets(panel).items == 1).all():
        return "There is one item only: it cannot be grouped with another."
    return ""


def _by_method(panel: Panel, answer: Answer) -> Iterator[Fact]:
    """What the methods say; those that say what others said are left to the table."""
    several = sum(f.method.name == "alpha" for f in answer.findings) > 1
    for f in answer.findings:
        name, told = f.method.name, {"method": str(f.method)}
        if isinstance(panel, Scores):
            level = f" ({f.method['level']})" if several and f.method.has("level") else ""
            for o in f.overall[:SHOWN] if name == "alpha" else ():
                yield Fact("agreement", _alpha(f, o, level), {**told, "estimate": o, "interval": True})
            continue
        o = f.overall[0]
        if isinstance(o.value, int | float) and o.value == o.value:  # not NaN; may be a huge int
            tied = name == "tau_b" and isinstance(panel, Orderings) and panel.tied  # then tau-b is no share of pairs
            say = _tied if tied else _SAY.get(name, _nothing_more if _is_pairwise(panel, name) else said_of_any)
            inside = {"interval": True} if isinstance(panel, Votes) else {}
            yield from (Fact("agreement", said, {**told, "estimate": o, **inside}) for said in say(f, o))
    if isinstance(panel, Scores) and any(
        not math.isnan(o.value) and o.labels["units"] > 1
        for f in answer.findings
        for o in f.overall
        if f.method.name == "alpha"
    ):
        asks = f"(Krippendorff asks for {LEAST[0]} at least, and for {LEAST[1]} before data are called reliable.)"
        yield Fact("agreement", asks, expert=True)


def _is_pairwise(panel: Panel, name: str) -> bool:
    """Whether a method says of two judges' orders what others said, and is left to the table."""
    if not isinstance(panel, Orderings):
        return False
    from quorate.orderings.pairwise import PAIRWISE  # here and below: the kinds that a panel is not of stay unloaded

    return name in PAIRWISE or name == "kendall_w"


def _nothing_more(f: Finding, o: Overall) -> list[str]:
    return []


def headline(answer: Answer, said: Sequence[Fact]) -> list[Fact]:
    """The first figure with its interval and what chance gives, unless it was said, or there is nothing to say.

    Of groupings it was said with what chance gives; its interval is on the tile.
    """
    f = answer.findings[0] if answer.findings else None
    o = f.overall[0] if f and f.overall else None
    if f is None or o is None or any(s.name == "nothing" or s.data.get("interval") for s in said):
        return []
    known = f.method.declaration.kind == "groupings" and any(s.data.get("estimate") is o for s in said)
    if known or (isinstance(o.value, float) and not math.isfinite(o.value)):
        return []
    chance = f"; judges who answer at random give {two(between(o.null.value, o.value)[0])}" if o.null else ""
    text = f"Agreement{criterion(o)} is {two(o.value)} by {figure_of(f.method)}{inside(f, o)}{chance}."
    return [Fact("agreement", text, {"estimate": o, "interval": True})]


def _kappa(f: Finding, o: Overall) -> list[str]:
    longest = max(f.details["longest"], default=0)
    if not longest:
        return [f"No item is ranked by all judges{' of a task' if len(f.values) > 1 else ''}."]
    mean = "on average " if len(f.values) > 1 else ""
    value = f"{o.value:,.4g}" if o.value < 1e15 else f"2^{_log2(f, o):.1f}"
    size = f" of {many(int(str(f.method['length'])), 'item')}" if f.method["length"] else ""
    word = f"common subsequence{'' if value == '1' else 's'}{size}"
    counted = all(f.method[n] == 1 for n in ("gamma", "lam", "p")) and f.method["zeta"] is None
    said = f"All judges share {mean}{value} {word}"
    if not counted:
        said = f"The subsequences{size} that all judges share weigh {mean}{value}"
    return [f"{said}, the longest of {many(longest, 'item')}{beyond(o)}.", *_duplicates(f)]


def _duplicates(f: Finding) -> list[str]:
    """Kappa-hat, where some rankings are given more than once."""
    known = [(float(v), hat) for v, hat in zip(f.values, f.details["hat"], strict=True) if hat < math.inf]
    if not any(hat - value > 1 + NEAR * hat for value, hat in known):  # of distinct rankings it is one more than kappa
        return []
    mean = sum(hat for _, hat in known) / len(known)
    word = "on average " if len(known) > 1 else ""
    return [f"Some rankings are given more than once; kappa-hat, which counts that, is {word}{figure(mean)}."]


def _log2(f: Finding, o: Overall) -> float:
    """Of the overall value, also where a double cannot hold it."""
    if o.value < math.inf:
        return math.log2(o.value)
    return float(max(v for v in f.details["log2"] if v is not None)) - math.log2(len(f.values))


def _support(f: Finding, o: Overall) -> list[str]:
    """How much most share; nothing where a quorum is one judge, which everybody is."""
    if max(f.details["q"], default=0) < 2:
        return []
    pairs = f.method["part"] == "pairs"
    most, of = at_least(f.method["q"]), "ordered pairs" if pairs else "items"
    plain = f.method["lam" if pairs else "gamma"] == 1
    less = "" if plain else f" once differing {'gaps' if pairs else 'places'} are discounted"
    return [f"Of a ranking's {of}, {share(o.value)} are shared by {most}{less}{beyond(o)}."]


def _tau(f: Finding, o: Overall) -> list[str]:
    return [f"Two judges order {share((1 + o.value) / 2)} of their common pairs of items alike{beyond(o)}."]


def _tied(f: Finding, o: Overall) -> list[str]:
    return [f"Two judges' orders, ties included, correlate {two(o.value)} (tau-b; 1 is the same order){beyond(o)}."]


WAYS = ("alike", "pairs", "decided_alike", "decided_pairs")  # pairs of judges, of each task


def _same_choice(f: Finding, o: Overall) -> list[str]:
    alike, pairs, same, decided = (int(np.sum(f.details[n])) for n in WAYS)
    said = f"Two judges of the same pair choose alike {share(o.value)} of the time ({alike:,.0f} of {pairs:,.0f}"
    less = f", and {share(same / decided)} with ties left out" if 0 < decided < pairs else ""
    return [f"{said}{ci(o, share, sep='; ')}){less}{beyond(o)}."]


_SAY: dict[str, Callable[[Finding, Overall], list[str]]] = {
    "kappa": _kappa,
    "support": _support,
    "tau": _tau,
    "tau_b": _tau,
    "same_choice": _same_choice,
}


def _alpha(f: Finding, o: Overall, level: str) -> str:
    where = level + criterion(o)
    if math.isnan(o.value):
        why = "the scores do not vary" if o.labels["units"] else "no item has two scores"
        return f"Alpha{where} is undefined: {why}."
    if o.labels["units"] == 1:
        return f"Alpha{where} is {two(o.value)}, as of any single item: it tells nothing."
    low, high = LEAST
    said = "reliable" if o.value >= high else "enough for tentative conclusions" if o.value >= low else f"below {low}"
    if o.interval and o.value >= low > o.interval.low:
        said += f", but its interval reaches below {low}"
    return f"Alpha{where} is {two(o.value)}{inside(f, o)}: {said}."


def _kinds(answer: Answer) -> Iterator[Fact]:
    """How much people agree, models do, and models with people, criterion by criterion."""
    who = {"people": "People agree with one another", "models": "Models agree with one another"}
    for row in answer.more.get("by_kind", ())[: 3 * SHOWN]:
        if not math.isnan(row["value"]):
            where = f" on {called(row['criterion'], 'criterion')}" if "criterion" in row else ""
            ends = ci_of(row["interval"], answer.options.level)
            said = who.get(row["judges"], "Models agree with people")
            yield Fact("agreement", f"{said}{where}: alpha {two(row['value'])}{ends}.", row)
    rows = answer.more.get("judge_kinds", ())
    two_of = {"people": "two people", "models": "two models", "across": "a person and a model"}
    told = [
        f"{two_of[r['judges']]} {share(r['value'])}{ci_of(r['interval'], answer.options.level, share)}"
        for r in rows
        if not math.isnan(r["value"])
    ]
    if told:
        yield Fact("judge_kinds", f"How often they choose alike: {'; '.join(told)}.", {"rows": rows})


def _label_sets(answer: Answer) -> Iterator[Fact]:
    """Where judges may give several labels, how much the sets they give agree."""
    for row in answer.more.get("label_sets", ())[:1]:
        if not math.isnan(row["value"]):
            ends = ci_of(row["interval"], answer.options.level)
            text = f"Taken as sets of labels, of which some may be shared, alpha is {two(row['value'])}{ends} (MASI)."
            yield Fact("label_sets", text, row)


def _confused(answer: Answer) -> list[Fact]:
    """The two labels that are confused most, on each criterion."""
    first: dict[Any, dict[str, Any]] = {}
    for row in () if "label_sets" in answer.more else answer.more.get("confused", ()):
        first.setdefault(row.get("criterion"), row)
    return [
        Fact(
            "confused",
            f"Most confused{f' on {name}' if name is not None else ''}: {row['label']} and {row['other_label']}. "
            f"Where one judge says {row['label']}, {row['of_label']:.0%} of the others say {row['other_label']}.",
            row,
        )
        for name, row in [*first.items()][:SHOWN]
    ]


def _own(repeated: Sequence[Mapping[str, Any]]) -> str:
    """How far judges agree with themselves, from the least to the most."""
    known = sorted((r for r in repeated if not math.isnan(r["value"])), key=lambda r: r["value"])
    if not known:
        return "their alpha with themselves is undefined; "
    ends = [f"{two(r['value'])} ({r['judge']}{', ' + str(r['criterion']) if 'criterion' in r else ''})" for r in known]
    return f"with themselves they have alpha {ends[0]}{f' to {ends[-1]}' if len(ends) > 1 else ''}; "
