"""How good the systems are according to the judges, in words: who leads, and who cannot be told from the leader.

>>> from quorate.inference.results import Overall
>>> rows = [Overall(v, labels={"system": s, "p_best": p}) for s, v, p in (("new", 0.9, None), ("old", 0.2, 0.4))]
>>> leads(rows, "new is best by frespa", "frespa")
'new is best by frespa: 0.90; it does not differ significantly from old.'
>>> leads(rows[:1], "new is best by frespa", "frespa")
'new has frespa 0.90.'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from quorate.inference.board import ALPHA
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.panel.by_name import ordered_ids
from quorate.panel.kinds import Groupings, Scores, Votes
from quorate.panel.outputs import OutputDesign
from quorate.table import Method
from quorate.words import ties
from quorate.words.agreement import size
from quorate.words.facts import Fact
from quorate.words.numbers import plain, two
from quorate.words.quality_notes import DRAWN, by_criterion, clusterings_of, drawn_over, too_few
from quorate.words.quality_notes import notes as notes
from quorate.words.wording import LEFT_OUT, all_of, are, called, ci, figure_of, those, voices

SHOWN = 6  # criteria that sentences speak of
SMALL = 0.01  # of which two decimals say nothing
SAME = 1e-12  # values that differ by rounding alone


# -- who leads ---------------------------------------------------------------------------------------------------------


def facts(panel: Panel, answer: Answer, systems: Panel | None = None) -> list[Fact]:
    """How many systems there are, and who leads by each method."""
    if isinstance(panel, Votes):
        by = DRAWN.get(drawn_over(panel, answer), "task")
        told = set[str]()
        return [size(panel, answer), *(leader(f, how=figure_of, by=by, told=told) for f in answer.findings)]
    if isinstance(panel, Scores):
        made = OutputDesign.every(panel)
        return [how_many(panel, made, answer), *who_leads(made, answer), *_ties(answer)]
    number = f"{many(len(systems.judges), 'system')} on {many(answer.tasks, 'task')}" if systems else ""
    out = [Fact("size", f"{number}, judged by {voices(panel, answer)}.")]
    if isinstance(panel, Groupings) and isinstance(systems, Groupings):
        return [*out, *_of_clusterings(panel, answer, systems), *_ties(answer)]
    told = set[str]()
    return [*out, *(leader(f, told=told) for f in answer.findings), *_ties(answer)]


def _ties(answer: Answer) -> list[Fact]:
    return ties.facts(answer.findings[0]) if answer.findings else []


def leader(
    f: Finding,
    *,
    how: Callable[[Method], str] = str,
    also: str = "",
    what: str = "system",
    by: str = "task",
    where: str = "",
    told: set[str] | None = None,
) -> Fact:
    """Who leads by a method, and who cannot be told from the leader; ``how`` puts the method in words.

    ``by`` is what systems are compared on, ``where`` names the criterion, ``told`` is what earlier methods said.
    """
    known = [o for o in f.overall if not math.isnan(o.value)]
    data = {"method": str(f.method), "estimates": known[:2], "undefined": not known}
    if known:
        near = SAME * max(abs(known[0].value), 1.0)
        data["equal"] = len(known) > 1 and abs(known[1].value - known[0].value) <= near
    has = how(f.method)
    best = f"{called(f.overall[0].labels['system'], what)} is best{where} by {has}"
    text = leads(f.overall, best, f"{has}{where}", also=also, what=what, by=by, told=told)
    return Fact("leader", _of_parts(f, has) or text, data, not known)


def _of_parts(f: Finding, has: str) -> str:
    """Who leads in each of the parts of systems that nobody compared; '' where there is one part."""
    part = f.about[0].get("part", ()) if f.about else ()
    if max(part, default=0) < 1:
        return ""
    number = dict(zip(ordered_ids(o.labels["system"] for o in f.overall), part, strict=True))
    first: dict[int, str] = {}
    for o in f.overall:
        first.setdefault(int(number[o.labels["system"]]), o.labels["system"])
    leaders = [name for k, name in first.items() if k >= 0]
    parts = f"The systems fall into {len(leaders):,} parts that nobody compared"
    return f"{parts}: {those(leaders, 'system')} are each first in their own by {has}."


def leads(
    rows: Sequence[Overall],
    best: str,
    has: str,
    *,
    what: str = "system",
    also: str = "",
    by: str = "task",
    told: set[str] | None = None,
) -> str:
    """The sentence of ``rows``, best first: ``best`` says so of the first, ``has`` is what each has so much of.

    ``also`` is added to the end; systems without a value are not spoken of. ``by`` is what they are compared on. Who
    cannot be told from the leader is left out where it is in ``told``; otherwise it is added there.
    """
    rows = [o for o in rows if not math.isnan(o.value)]
    if not rows:
        return f"{has} is undefined for every {what}."
    top, others = rows[0], rows[1:]
    digits = partial(plain, decimals=4 if 0 < abs(top.value) < SMALL else 2)
    figure = f"{digits(top.value)}{ci(top, digits)}"
    if not others:
        return f"{called(top.labels['system'], what)} has {has} {figure}{also}."
    near = SAME * max(abs(top.value), 1.0)
    equal = [o.labels["system"] for o in rows if abs(o.value - top.value) <= near]
    if len(equal) == len(rows):
        every = f"{all_of(len(rows)).capitalize()} {what}s"
        return f"{every} have the same {has}, {digits(top.value)}: none is better{also}."
    if len(equal) > 1:
        rest = len(rows) - len(equal)
        return f"{those(equal, what)} share the first place by {has}: {figure}; {rest:,} {are(rest)} behind{also}."
    differs = too_few(rows, what, by) or _differs(others, what)
    if told is not None:
        said = f"{top.labels['system']}: {differs}"
        if said in told:
            return f"{best} too: {figure}{also}."
        told.add(said)
    return f"{best}: {figure}; {differs}{also}."


def _differs(others: Sequence[Overall], what: str) -> str:
    """Who cannot be told from the first."""
    p = [o.labels["p_best"] for o in others]
    if all(x is None for x in p):
        return "there are too few judges or tasks to test a difference"
    same = [o.labels["system"] for o, x in zip(others, p, strict=True) if x is None or x >= ALPHA]
    if same:
        return f"it does not differ significantly from {those(same, what)}"
    return (
        f"it differs significantly from {'all others' if len(others) > 1 else called(others[0].labels['system'], what)}"
    )


# -- scores ------------------------------------------------------------------------------------------------------------


def how_many(panel: Panel, made: Sequence[OutputDesign], answer: Answer) -> Fact:
    """How many systems there are, and by whom they were scored."""
    if not made:
        return Fact("nothing", "There are no scores.")
    inputs, systems = many(len(made[0].tasks), made[0].by[:-1]), many(len(made[0].systems), made[0].called)
    return Fact("size", f"{systems} on {inputs}, scored by {voices(panel, answer)}.")


def who_leads(made: Sequence[OutputDesign], answer: Answer) -> list[Fact]:
    """Who leads by the first method on each criterion."""
    if not made or not answer.findings:
        return []
    first, what, by = answer.findings[0], made[0].called, made[0].by[:-1]
    return [
        leader(
            replace(first, overall=tuple(rows)),
            how=figure_of,
            what=what,
            by=by,
            where=f" on {name}" if name is not None else "",
        )
        for name, rows in list(by_criterion(first).items())[:SHOWN]
    ]


# -- clusterings -------------------------------------------------------------------------------------------------------


def _of_clusterings(panel: Groupings, answer: Answer, systems: Groupings) -> Iterator[Fact]:
    top = {r["method"]: r["value"] for r in answer.more.get("judges_against_each_other", ())}
    gone = not clusterings_of(panel, systems, answer).complete
    told = set[str]()
    for f in answer.findings:
        reached, undefined = top.get(str(f.method), math.nan), all(math.isnan(o.value) for o in f.overall)
        judge = "" if math.isnan(reached) else f"; a judge against the others has {two(reached)}"
        yield _beyond_chance(f, str if undefined else partial(_against, gone=gone), judge, told)


def _beyond_chance(f: Finding, how: Callable[[Method], str], also: str, told: set[str]) -> Fact:
    """Who leads of the systems that are better than their own groups permuted: the others cannot lead."""
    known = [o for o in f.overall if not math.isnan(o.value)]
    first = next((k for k, o in enumerate(known) if o.null is None or o.null.p < ALPHA), len(known))
    if first == 0 or not known:
        return leader(f, how=how, also=also, told=told)
    if first == len(known):
        one = called(known[0].labels["system"], "system")
        them = f"{one} is no" if first == 1 else f"None of the {first} systems is"
        luck = f"{them} better than with its items shuffled among its groups"
        said = f"{luck}, by {how(f.method)}."
        if luck in told:
            said = f"By {how(f.method)} {'it is no' if first == 1 else 'none is'} better either."
        told.add(luck)
        return Fact("leader", said, {"method": str(f.method), "estimates": known[:2], "equal": True})
    top, rest = known[first], known[first + 1 :]
    after = [replace(o, labels={**o.labels, "p_best": _apart(top, o)}) for o in rest]
    worse = listed([f"{called(o.labels['system'], 'system')} ({two(o.value)})" for o in known[:first]])
    luck = f"{also}; {worse} {'does' if first == 1 else 'do'} no better than the same groups with items shuffled"
    return leader(replace(f, overall=(top, *after)), how=how, also=luck, told=told)


def _apart(top: Overall, other: Overall) -> float | None:
    """p as far as the letters of the board tell it: below the level where the two share none."""
    if not top.labels["group"]:
        return None
    return 1.0 if set(top.labels["group"]) & set(other.labels["group"]) else 0.0


def _against(by: Method, gone: bool) -> str:
    """What a method does, in words; what becomes of left-out items only where there are some."""
    if not by.has("measure"):
        return str(by)
    left = f" with left-out items {LEFT_OUT[str(by['left_out'])]}" if gone else ""
    if by.name == "against_judges":
        return f"{by['measure']} against every judge{left}"
    usual = by.declaration.parameters["consensus"].default
    made = "" if by["consensus"] == usual else f" by {by['consensus']}"
    return f"{by['measure']} against the consensus{made}{left}"
