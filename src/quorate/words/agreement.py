"""How much the judges agree, in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.inference.engine import TASKS
from quorate.inference.judge_pairs import SIGNIFICANT
from quorate.inference.judge_pairs import beyond as above_chance
from quorate.inference.results import Answer, Finding, Overall
from quorate.kernels.pair_support import quorum
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
from quorate.panel.partitions import UNSHOWN, absence, sheets
from quorate.panel.score_design import VALUES
from quorate.panel.score_facts import ScoreFacts, score_facts
from quorate.panel.sheets import Sheets
from quorate.panel.units import criteria, repeats
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.notes import about_panel, fewer_draws, need_numbers
from quorate.words.numbers import figure, share, two
from quorate.words.wording import (
    LEFT_OUT,
    all_tied,
    are,
    beyond,
    ci,
    criterion,
    figure_of,
    judges_of_tasks,
    on,
    upper,
    vacuous,
    voters,
)

FEW_ITEMS = 0.5  # of the usual share of items used, below which a judge used few
NAMED = 5  # judges named
UNITS = 20  # below which an interval over units is rough
LEAST = (0.667, 0.8)  # Krippendorff's thresholds: tentative conclusions, and reliable ones
COUNTS = ("alpha", "percent", "fleiss", "gwet", "label_sets")  # know of a row that stands for several judges
SHOWN = 6  # criteria that sentences speak of
NEAR = 1e-9  # a difference by rounding alone
PAIRS = 3  # pairs of judges named
SAME = "no judge left an item out: singletons, bucket and common are the same"
COMPONENTS = {"unit": "units", "judge": "judges", "residual": "what is left"}  # of the variance


# -- facts -------------------------------------------------------------------------------------------------------------


def facts(panel: Panel, answer: Answer) -> list[Fact]:
    """How many judges did what, and how much they agree; or why that cannot be said."""
    out, why = [size(panel, answer)], _nothing(panel, answer)
    if why:
        out.append(Fact("nothing", why))
    else:
        out += _groupings(panel, answer) if isinstance(panel, Groupings) else _by_method(panel, answer)
        out += [*_kinds(answer), *_confused(answer), *_label_sets(answer)]
    again = answer.more.get("self_agreement", ())
    if again:
        did = "scored some items" if isinstance(panel, Scores) else "did a task"
        said = f"{many(len({r['judge'] for r in again}), 'judge')} {did} more than once"
        out.append(Fact("repeats", f"{said}: {_own(again) if isinstance(panel, Scores) else ''}see self-agreement."))
    return out


def size(panel: Panel, answer: Answer | None = None) -> Fact:
    """How many judges did how much."""
    who, tasks = many(voters(panel), "judge"), many(len(panel.tasks), "task")
    if isinstance(panel, Votes):
        votes, systems = many(int(panel.count.sum()), "vote"), many(len(panel.systems), "system")
        return Fact("size", f"{votes} by {who} between {systems} on {tasks}.")
    if isinstance(panel, Scores):
        parts = score_facts(panel)
        where = f" on {tasks}" if len(panel.tasks) > 1 else ""
        by = f" by {len(parts)} criteria" if len(parts) > 1 else ""
        return Fact("size", f"{who} scored {many(max((u.size for u in parts), default=0), 'item')}{where}{by}.")
    items, left = many(len(panel.items), "item"), ""
    each = judges_of_tasks(panel)
    if isinstance(panel, Orderings) and len(panel.tasks) > 1 and panel.votes != len(panel.starts) - 1:
        low, high = int(each.min()), int(each.max())  # another task's judges may be other people
        who = f"{low:,} to {high:,} judges a task" if low < high else f"{low:,} judges a task"
    if isinstance(panel, Groupings) and (gone := _left_out(panel, answer)):
        left = f"; a judge left out {share(gone)} of the items on average"
    return Fact("size", f"{who} {'ordered' if isinstance(panel, Orderings) else 'grouped'} {items} on {tasks}{left}.")


def _left_out(panel: Groupings, answer: Answer | None) -> float:
    """The share of items that a judge was shown and put in no group."""
    found, unshown = sheets(panel), absence(panel, answer.options.absent if answer else None) == UNSHOWN
    return 1 - int(found.used.sum()) / int(found.shown(unshown).sum())


def _nothing(panel: Panel, answer: Answer) -> str:
    """Why nothing can be said; '' where something can."""
    if voters(panel) == 1:
        return "There is one judge only: nobody to agree with."
    if isinstance(panel, Votes) and all(math.isnan(o.value) for f in answer.findings for o in f.overall):
        if any(sum(f.details.get("pairs", ())) for f in answer.findings):
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


def said_of_any(f: Finding, o: Overall) -> list[str]:
    """The sentence of any figure of agreement."""
    return [f"Agreement by {f.method} is {two(o.value)}{_inside(f, o)}{beyond(o)}."]


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
    chance = f"; judges who answer at random give {two(o.null.value)}" if o.null else ""
    text = f"Agreement{criterion(o)} is {two(o.value)} by {figure_of(f.method)}{_inside(f, o)}{chance}."
    return [Fact("agreement", text, {"estimate": o, "interval": True})]


def _inside(f: Finding, o: Overall) -> str:
    """An interval, or that it says nothing."""
    if o.interval and vacuous(o, f.method):
        return f" (so few {o.interval.over.replace('x', ' and ')} that any value fits)"
    return ci(o, over=True)


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


def _quorum(q: Any) -> str:
    return f"at least {many(q, 'judge')}" if isinstance(q, int) else f"at least {q:.0%} of the judges"


def _support(f: Finding, o: Overall) -> list[str]:
    """How much most share; nothing where a quorum is one judge, which everybody is."""
    if max(f.details["q"], default=0) < 2:
        return []
    pairs = f.method["part"] == "pairs"
    most, of = _quorum(f.method["q"]), "ordered pairs" if pairs else "items"
    plain = f.method["lam" if pairs else "gamma"] == 1
    less = "" if plain else f" once differing {'gaps' if pairs else 'places'} are discounted"
    return [f"Of a ranking's {of}, {share(o.value)} are shared by {most}{less}{beyond(o)}."]


def _tau(f: Finding, o: Overall) -> list[str]:
    return [f"Two judges order {share((1 + o.value) / 2)} of their common pairs of items alike{beyond(o)}."]


def _tied(f: Finding, o: Overall) -> list[str]:
    return [f"Two judges' orders, ties included, correlate {two(o.value)} (tau-b; 1 is the same order){beyond(o)}."]


def _same_choice(f: Finding, o: Overall) -> list[str]:
    alike, pairs, same, decided = (sum(f.details[n]) for n in ("alike", "pairs", "decided_alike", "decided_pairs"))
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
    return f"Alpha{where} is {two(o.value)}{_inside(f, o)}: {said}."


def _kinds(answer: Answer) -> Iterator[Fact]:
    """How much people agree, models do, and models with people, criterion by criterion."""
    who = {"people": "People agree with one another", "models": "Models agree with one another"}
    for row in answer.more.get("by_kind", ())[: 3 * SHOWN]:
        if not math.isnan(row["value"]):
            where = f" on {row['criterion']}" if "criterion" in row else ""
            ends = f" (95% CI {two(row['interval'][0])} to {two(row['interval'][1])})" if row["interval"] else ""
            said = who.get(row["judges"], "Models agree with people")
            yield Fact("agreement", f"{said}{where}: alpha {two(row['value'])}{ends}.", row)
    rows = answer.more.get("judge_kinds", ())
    two_of = {"people": "two people", "models": "two models", "across": "a person and a model"}
    told = [
        f"{two_of[r['judges']]} {share(r['value'])}"
        + (f" (95% CI {share(r['interval'][0])} to {share(r['interval'][1])})" if r["interval"] else "")
        for r in rows
        if not math.isnan(r["value"])
    ]
    if told:
        yield Fact("judge_kinds", f"How often they choose alike: {'; '.join(told)}.", {"rows": rows})


def _label_sets(answer: Answer) -> Iterator[Fact]:
    """Where judges may give several labels, how much the sets they give agree."""
    for row in answer.more.get("label_sets", ())[:1]:
        if not math.isnan(row["value"]):
            ends = f" (95% CI {two(row['interval'][0])} to {two(row['interval'][1])})" if row["interval"] else ""
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


# -- groupings ---------------------------------------------------------------------------------------------------------


def _groupings(panel: Groupings, answer: Answer) -> Iterator[Fact]:
    """The first measure with all its treatments of left-out items, every two judges by it, and the other methods."""
    from quorate.groupings.pairwise import MEASURES

    gone, by_name = _left_out(panel, answer), dict[str, list[Finding]]()
    for f in answer.findings:
        by_name.setdefault(f.method.name, []).append(f)
    first = next((fs for n, fs in by_name.items() if n in MEASURES), [])
    if first and not math.isnan(first[0].value):
        yield _fact(first[0], _measure(first if gone else first[:1], bool(gone)))
        last = first[-1]
        rows = [r for r in answer.more.get("by_pair", ()) if r["method"] == str(last.method)]
        rows = rows or (_one_task(last) if "chance" in last.details else [])
        how = f"by {last.method.name}" + (f", left-out items {LEFT_OUT[str(last.method['left_out'])]}" if gone else "")
        yield from (_fact(last, said) for said in _pairs(rows, len(panel.tasks) > 1, how))
    for name, fs in by_name.items():
        if name not in MEASURES and fs[0].value == fs[0].value:
            say = _together(fs[0], panel) if name == "together" else said_of_any(fs[0], fs[0].overall[0])
            yield from (_fact(fs[0], said) for said in say)


def _fact(f: Finding, said: str) -> Fact:
    return Fact("agreement", said, {"method": str(f.method), "estimate": f.overall[0]})


def _measure(findings: Sequence[Finding], treatments: bool) -> str:
    pieces = []
    for k, f in enumerate(findings):
        o = f.overall[0]
        random = f" ({'random' if k else 'random clusterings'} {two(o.null.value)})" if o.null else ""
        them = "them" if k else "left-out items"
        how = f" with {them} {LEFT_OUT[str(f.method['left_out'])]}" if treatments else ""
        pieces.append(f"{two(o.value)}{random}{how}")
    name, sure = findings[0].method.name, beyond(findings[0].overall[0])
    if findings[0].method.sign < 0:  # a distance: less is more agreement
        return f"Two judges differ by {name} {listed(pieces)}{sure.replace(', ', ': they agree ', 1)}."
    return f"Two judges agree by {name} {listed(pieces)}{sure}."


def _together(f: Finding, panel: Groupings) -> list[str]:
    q, most = f.method["q"], int(judges_of_tasks(panel).max())
    if quorum(q, most) < 2:  # type: ignore[arg-type]  # met by everything that a judge puts together
        return []
    o = f.overall[0]
    return [f"Of the pairs that a judge puts together, {share(o.value)} are put together by {_quorum(q)}{beyond(o)}."]


def _one_task(f: Finding) -> list[dict[str, Any]]:
    """The rows of one task, counted like those of two judges over several."""
    above = above_chance(f.method, np.array(f.values, float), np.array(f.details["chance"], float))
    columns = above > 0, above <= 0, np.array(f.details["p_holm"], float) <= SIGNIFICANT
    return [
        {"pair": pair, "more_than_chance": more, "no_more_than_chance": below, "significant": sure}
        for pair, more, below, sure in zip(f.keys["pair"], *(c.astype(int).tolist() for c in columns), strict=True)
    ]


def _pairs(rows: Sequence[Mapping[str, Any]], several: bool, how: str) -> list[str]:
    """How often two judges agree no more than random clusterings do, who most often, and how many agree for sure."""
    above, below, sure = (sum(r[n] for r in rows) for n in ("more_than_chance", "no_more_than_chance", "significant"))
    known, pairs = above + below, {frozenset(r["pair"]) for r in rows}
    if known < 2 or (len(pairs) < 2 and not several):  # of one pair all is said
        return []
    start, what = (
        ("In ", "comparisons of two judges on a task they agree") if several else ("", "pairs of judges agree")
    )
    some = "none" if not sure else "all" if sure == known else f"{sure:,}"
    told = f"{some} of them significantly (Holm)" if not below else f"{some} agree significantly more (Holm)"
    if below == known:
        return [f"No two judges agree more than random clusterings do{' on any task' if several else ''} ({how})."]
    if not below:
        return [f"{upper(f'{start}all {known:,} {what}')} more than random clusterings do, {told} ({how})."]
    what = f"{below:,} of {known:,} {what}{'s' if below == 1 and not several else ''}"
    return [f"{start}{what} no more than random clusterings do{_most(rows)}; {told} ({how})."]


def _most(rows: Sequence[Mapping[str, Any]]) -> str:
    """The two judges who most often agree no more than chance, the first three such pairs."""
    often: dict[frozenset[Any], tuple[int, str]] = {}
    for r in rows:
        if r["no_more_than_chance"]:
            number, name = often.get(frozenset(r["pair"]), (0, "-".join(map(str, r["pair"]))))
            often[frozenset(r["pair"])] = number + r["no_more_than_chance"], name
    if len({frozenset(r["pair"]) for r in rows}) < 2:
        return ""
    first = sorted(often.values(), key=lambda one: -one[0])[:PAIRS]
    more = ", ..." if len(often) > PAIRS else ""
    if first[0][0] == 1:
        return f": {', '.join(name for _, name in first)}{more}"
    times = (f"{name} ({number:,}{'' if k else ' times'})" for k, (number, name) in enumerate(first))
    return f", most often {', '.join(times)}{more}"


# -- notes -------------------------------------------------------------------------------------------------------------


def notes(panel: Panel, answer: Answer) -> list[str]:
    """What was left aside, limited, or cannot be said."""
    own: dict[str, Callable[..., Iterator[str]]]
    own = {"orderings": _of_orderings, "groupings": _of_groupings, "scores": _of_scores}
    out = [*about_panel(panel, answer), *(own[panel.kind](panel, answer) if panel.kind in own else ())]
    return list(dict.fromkeys([*out, *fewer_draws(answer)]))


def _of_orderings(panel: Orderings, answer: Answer) -> Iterator[str]:
    tasks, single = len(panel.tasks), int((judges_of_tasks(panel) == 1).sum())
    by: dict[int, list[str]] = {}
    for f in answer.findings:
        undefined = sum(1 for v in f.values if isinstance(v, float) and math.isnan(v)) - (
            single if single < tasks else 0
        )
        by.setdefault(undefined, []).append(str(f.method))
    for undefined, methods in by.items():
        rest = f", which {are(undefined)} left out of the mean" if undefined < tasks else ""
        if undefined:
            yield f"{', '.join(methods)}: undefined {on(undefined, tasks)}{rest}"
    sampled = [str(f.method) for f in answer.findings if "judges_sampled" in f.details]
    if sampled:
        from quorate.orderings.pairwise import JUDGES

        yield f"{', '.join(sampled)}: over {JUDGES:,} judges drawn at random, since there are more"


def _of_groupings(panel: Groupings, answer: Answer) -> Iterator[str]:
    from quorate.groupings import q_support

    found, unshown = sheets(panel), absence(panel, answer.options.absent) == UNSHOWN
    nothing = int((found.used == 0).sum())
    if nothing:
        yield f"{many(nothing, 'grouping')} left out every item"
    if not found.left_out(unshown):
        yield SAME
    yield from _used_few(panel, found, unshown)
    _, judges = np.unique(found.task[found.items > q_support.ITEMS], return_counts=True)
    if len(judges) and any(f.method.name == "together" for f in answer.findings):
        told = f"{many(len(judges), 'task')} with more than {q_support.ITEMS:,} items"
        drawn = min(map(q_support.sample, judges.tolist()))
        yield f"together: on {told}, from {drawn:,} pairs of each judge drawn at random"
    if (judges_of_tasks(panel) == 1).all():
        return
    if "by_pair" in answer.more and len(panel.tasks) > TASKS:
        yield f"every two judges are compared on {TASKS:,} of {len(panel.tasks):,} tasks, drawn at random"
    if any(o.interval and o.interval.over == "judges" for f in answer.findings for o in f.overall):
        yield "where one judge in ten or more answers at random, intervals over judges are too narrow"
    out: dict[str, list[str]] = {}
    for f in answer.findings:
        undefined = int(np.isnan(np.array(f.values, float)).sum())
        if undefined and "pair" in f.keys:
            some = "every pair" if undefined == len(f.values) else f"{undefined:,} of {len(f.values):,} pairs"
            rest = "" if undefined == len(f.values) else ", left out of the mean"
            out.setdefault(f"undefined for {some}{rest}", []).append(str(f.method))
        elif "pair" not in f.keys and f.overall and math.isnan(f.overall[0].value):
            out.setdefault("undefined, no judge put two items together", []).append(str(f.method))
    yield from (f"{', '.join(methods)}: {why}" for why, methods in out.items())


def _used_few(panel: Groupings, found: Sheets, unshown: bool) -> Iterator[str]:
    """Judges who used less than half as large a share of the items as the others: what they left out decides."""
    used, shown = (np.bincount(found.judge, n, len(panel.judges)) for n in (found.used, found.shown(unshown)))
    part = np.divide(used, shown, out=np.full(len(used), np.nan), where=shown > 0)
    usual = float(np.nanmedian(part))
    few = [k for k in np.flatnonzero(part < FEW_ITEMS * usual).tolist() if used[k] > 0]
    if few and len(part) > 2:
        named = [f"{panel.judges[k]} ({share(float(part[k]))})" for k in few]
        said = f"{listed(named, NAMED)} used few items, a judge usually {share(usual)}"
        yield f"{said}: what was left out decides their figures; left_out=common compares what both used"


def _of_scores(panel: Scores, answer: Answer) -> Iterator[str]:
    parts = score_facts(panel)
    yield from need_numbers(panel, answer.left)
    missing = panel.missing
    if missing:
        yield f"{many(missing, 'missing score')} left out"
    again = 0 if panel.elsewhere is not None else _repeated(panel)
    if again:
        yield f"{many(again, 'repeat')} {are(again)} not compared with other judges; see self-agreement"
    for facts in parts:
        yield from _of_units(facts, "" if facts.criterion is None else f" on {facts.criterion}", panel.scale)
    apart = [str(f.method) for f in answer.findings if not _counts(f.method)]
    if apart and any(u.counted for u in parts):
        yield f"{', '.join(apart)}: a row that stands for several judges is taken as one"
    if any(u.values > VALUES for u in parts) and any(o.null for f in answer.findings for o in f.overall):
        yield f"chance and p are from about {VALUES:,} scores of units drawn at random"
    for f in answer.findings:
        undefined = sum(1 for v in f.values if math.isnan(v))
        if undefined and len(f.values) > 1:
            yield f"{f.method}: undefined {on(undefined, len(f.values))}"
        yield from (note for o in f.overall for note in _rests_on(f, o))


def _rests_on(f: Finding, o: Overall) -> Iterator[str]:
    """What a method could not use, or only in part."""
    told = o.labels
    if told.get("components"):
        shares = ", ".join(f"{two(v)} of {COMPONENTS[name]}" for name, v in told["components"].items())
        if not math.isnan(o.value):
            yield f"{f.method}{criterion(o)}: judges scored different units, so it rests on variances: {shares}"
    elif "complete_units" in told and told["complete_units"] < told["units"]:
        used, of = told["complete_units"], told["units"]
        yield f"{f.method}{criterion(o)}: rests on the {used:,} of {of:,} units that every judge scored"
    if told.get("pairs_sampled"):
        yield f"{f.method}: over {told['pairs']:,} pairs of judges drawn at random"


def _counts(method: Method) -> bool:
    """Whether a method knows of a row that stands for several judges."""
    return method.name in COUNTS or (method.name == "icc" and method["model"] == 1)


def _repeated(panel: Scores) -> int:
    """Scores of units that the judge had scored before."""
    every = (row for _, rows in criteria(panel) for row in repeats(panel, rows))
    return sum(len(mine) - int(unit.max()) - 1 for _, unit, mine in every)


def _of_units(facts: ScoreFacts, where: str, scale: Sequence[Any]) -> Iterator[str]:
    """That units have one score, that scores do not vary, or that units are few."""
    if facts.single:
        some = "every unit" if facts.single == facts.size else f"{facts.single:,} of {many(facts.size, 'unit')}"
        has = "has" if facts.single in (1, facts.size) else "have"
        yield f"{some}{where} {has} one score only: there is nothing to agree with"
    if facts.same is not None:
        same = f"'{scale[int(facts.same)]}'" if scale else f"{facts.same:g}"
        yield f"no variation{where}: every score is {same}, so agreement beyond chance is undefined"
    elif 1 < facts.shared < UNITS:
        yield f"{facts.shared} units{where} are few: the intervals are rough"
