"""The first screen of a report: one headline that answers the reader's question, four tiles, and what to do next.

It decides on what came out (:mod:`quorate.words.outcome`), which is read from estimates; no method is named, and
nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quorate.inference.results import Answer
from quorate.panel.base import Panel, listed, many
from quorate.words.camps import camps
from quorate.words.judges import how
from quorate.words.next_steps import steps
from quorate.words.numbers import count, share
from quorate.words.outcome import ALONE, FIRM, HALF, Agreed, Outcome, outcome
from quorate.words.result import Result
from quorate.words.result_without import changes
from quorate.words.screen import FirstScreen
from quorate.words.tiles import tiles
from quorate.words.wording import brief, every, on, upper

LONGEST = 160  # letters of a headline
TOLD = 2  # flagged judges of whom it is said how they are off


def first_screen(panel: Panel, answers: Mapping[str, Answer | None], charts: Sequence[str] = ()) -> FirstScreen:
    """The first screen of the answers to the five questions; ``charts`` are the names of those on the page."""
    o = outcome(panel, answers, charts)
    return FirstScreen(headline(o), sub(o), tiles(o), steps(o))


def headline(o: Outcome) -> str:
    """The answer in a sentence or two: copies first, then how much the judges agree and what comes of it."""
    said = list(_sentences(o))
    return next((s for s in said if len(s) <= LONGEST), said[-1])


def _sentences(o: Outcome) -> Iterator[str]:
    """The headline in full, then shorter."""
    first = f"{upper(_stand_in(o))}. " if o.off.models else ""
    for copies in (_copies(o), _few_copies(o)) if o.off.copies else ("",):
        for said in came(o.result):
            yield f"{first}{copies}{_joined(o, said)}."
    yield f"{first}{_few_copies(o)}{_agree(o)}."


def _stand_in(o: Outcome) -> str:
    """Which models may stand in for a person."""
    return f"{_names(o.off.replaces) if o.off.replaces else 'no model'} may stand in for a person"


def _copies(o: Outcome) -> str:
    group = o.off.copies[0]
    same = "the same" if o.off.exact else "nearly the same"
    more = f" (and {len(o.off.copies) - 1:,} such groups more)" if len(o.off.copies) > 1 else ""
    return f"{_names(group)} gave {same} answers and count as one voice{more}. "


def _few_copies(o: Outcome) -> str:
    return f"{sum(map(len, o.off.copies)):,} judges are copies. " if o.off.copies else ""


def _agree(o: Outcome) -> str:
    """How much the judges agree; all but those who are off, where these hide it."""
    grade = o.agreed.grade
    if o.hidden:
        return f"Without {_names(o.off.names)} the judges agree {o.off.others}"
    if grade == "unclear" and _full(o.agreed):
        return "All judges agree, but on so little that this may be chance"
    return {
        "alone": "There is one judge only",
        "nameless": "The file does not say who voted",
        "apart": "No two judges did the same items",
        "one item": "There is one item only",
        "flat": "The judges' answers do not vary",
        "unasked": "Agreement was not computed here",
        "alike": "All answers to what two judges did are the same",
        "single": "No judge put two items in order",
        "ungrouped": "No judge put two items together",
        "trivial": "All judges gave the same answer, of a kind that would agree by chance as well",
        "chance": "The judges agree no more than by chance",
        "unclear": "It is not clear that the judges agree more than by chance",
        "slightly": f"{_except(o.agreed)} judges agree only slightly",
    }.get(grade, f"{_except(o.agreed)} judges agree {grade}")


def _except(a: Agreed) -> str:
    """The criteria on which judges do not clearly agree, where they do on others."""
    return f"Except on {listed([brief(c, what='criterion') for c in a.lacking])} the" if a.lacking else "The"


def _full(a: Agreed) -> bool:
    """Whether judges agree fully by every figure."""
    return a.full is not None and all(e.value >= a.full for e in a.estimates)


def _joined(o: Outcome, came: str) -> str:
    """How much the judges agree, and what that means for what came out."""
    grade, r, agree = o.agreed.grade, o.result, _agree(o)
    if o.panel.kind == "votes" and came and grade not in ALONE:  # about who leads; few judges vote on the same pair
        if _sure(r) and grade in ("chance", "unclear") and not o.hidden and not _full(o.agreed):
            return upper(f"{came}, though on single votes {agree[:1].lower()}{agree[1:]}")
        return upper(f"{came}. {agree}" if o.agreed.known else came)
    if not o.agreed.known:
        why = (
            "nobody can say what others would think" if grade == "alone" else "nobody can say whether the judges agree"
        )
        more = f"; {came}" if came and r.state not in ("one", "") and grade != "single" else ""
        return f"{agree}, so {why}{more}"
    if grade == "trivial":
        return agree
    if _parted(o):
        return f"The judges fall into {camps(o.off.camps)}, who taken together agree no more than by chance"
    if grade in ("chance", "unclear") and not o.hidden:
        return f"{agree}, yet {came}" if _sure(r) else f"{agree}: what comes out of their answers says little"
    if not came or r.criterion in o.agreed.lacking:
        return agree
    if r.form == "board" and r.state in ("tied", "untested"):
        return f"{agree}, {'and' if grade == 'slightly' and not o.hidden else 'but'} {came}"
    if r.form == "board" and r.state == "leads":
        if o.agreed.enough:
            return f"The judges agree well enough to rank the {r.what}s: {came}"
        return f"{agree}{': ' if o.hidden else ', yet '}{came}"
    return f"{agree}: {came}"


def _parted(o: Outcome) -> bool:
    """Whether it is camps of judges that hide agreement: then the headline says so."""
    return bool(o.off.camps) and o.agreed.grade in ("chance", "unclear") and not o.hidden and o.panel.kind != "votes"


def _sure(r: Result) -> bool:
    return r.form == "board" and r.state == "leads"


def came(r: Result) -> Iterator[str]:
    """What came out, in full and shorter."""
    if r.form == "board":
        about = f" on {brief(r.criterion, what='criterion')}" if r.criterion is not None and r.criteria > 1 else ""
        for said in _board(r):
            yield f"{said}{about}"
    elif r.form == "order":
        yield _order(r)
    elif r.form == "orders":
        often = "" if r.stays is None or r.stays >= FIRM else ", but with other judges often another"
        yield f"{on(r.number, r.of)} one item comes first{often}" if r.number else ""
    elif r.form == "groups":
        yield _groups(r)
    elif r.form == "labels":
        left = r.of - r.number
        some = f"{left:,} of {many(r.of, 'item')} {'is' if left == 1 else 'are'} undecided"
        yield some if left else "every item has a leading label"
    else:
        yield ""


def _board(r: Result) -> Iterator[str]:
    if not r.rows:
        yield f"no {r.what} has a figure"
        return
    first, number = brief(r.leaders[0], what=r.what), len(r.rows)
    if r.parts > 1:
        yield f"the {r.what}s fall into {count(r.parts)} parts that nobody compared with each other"
    elif r.state == "leads":
        if len(r.second) > 1:
            yield f"{first} leads; {_names(r.second, r.what)} cannot be told apart"
        elif r.second:
            yield f"{first} leads, then {_names(r.second, r.what)}"
        yield f"{first} leads"
    elif r.state == "tied":
        if r.open_top:
            yield f"no {r.what} is clearly best"
        else:
            yield f"{_names(r.leaders, r.what)} cannot be told apart at the top"
            yield f"{len(r.leaders):,} {r.what}s cannot be told apart at the top"
    elif r.state == "untested":
        second = brief(r.rows[1].labels["system"], what=r.what)
        yield f"there are too few {r.over.partition('x')[0]} to tell {first} from {second}"
    elif r.state == "shared":
        yield f"{_names(r.leaders, r.what)} share the first place"
        yield f"{len(r.leaders):,} {r.what}s share the first place"
    else:
        yield f"{every(number, r.what)} are level" if number > 1 else f"there is one {r.what} only"


def _order(r: Result) -> str:
    if r.state == "level":
        return "all items are level"
    if r.state == "one":
        return "there is one item only"
    if r.state == "shared":
        return f"{_names(r.leaders, r.what)} share the first place"
    but = "" if r.stays is None or r.stays >= FIRM else ", but with other judges might not"
    return f"{brief(r.leaders[0], what=r.what)} comes first{but}"


def _groups(r: Result) -> str:
    if not r.number:
        return "no two items belong together"
    but = "" if r.stays is None or r.stays >= FIRM else ", but not firmly"
    if r.of > 1:
        about = round(r.number / r.of)
        return f"about {many(about, 'group')} a task {'comes' if about == 1 else 'come'} out{but}"
    alone = f" and {many(r.alone, 'item')} {'stands' if r.alone == 1 else 'stand'} alone" if r.alone else ""
    return f"{many(r.number, 'group')} {'comes' if r.number == 1 else 'come'} out{alone}{but}"


def sub(o: Outcome) -> str:
    """What the headline leaves open: who is off and how, which place is favoured, and which labels are confused."""
    off = o.off
    on: dict[tuple[str, str], list[str]] = {}  # judge and diagnosis: the criteria
    for flag in off.flagged:
        criteria = on.setdefault((str(flag["judge"]), flag["diagnosis"]), [])
        criteria += [str(flag["criterion"])] if "criterion" in flag else []
    alike: dict[tuple[str, str], list[str]] = {}  # diagnosis and criteria: the judges
    for (judge, diagnosis), criteria in on.items():
        alike.setdefault((diagnosis, listed(criteria)), []).append(judge)
    told = list(alike.items())[:TOLD]
    said = [how(o.panel, "'s and ".join(brief(j, what="judge") for j in judges[:TOLD]), *way) for way, judges in told]
    rest = len(off.names) - len({judge for _, judges in told for judge in judges[:TOLD]})
    if rest > 0:
        said.append(f"{rest:,} more {'is' if rest == 1 else 'are'} flagged")
    if o.without and not rest:
        said.append(f"without {_names(off.names) if len(off.names) == 1 else 'them'}, {changes(o.without)}")
    if off.unsteady_names:
        said.append(f"{_names(off.unsteady_names)} gave identical outputs different scores, more than the others did")
    if off.camps and not _parted(o):
        said.insert(0, f"the judges fall into {camps(off.camps)}")
    if o.place:
        which, often = ("first", o.place.value) if o.place.value > HALF else ("second", 1 - o.place.value)
        said.append(f"what is shown {which} is favoured: it wins {share(often)} of the votes on pairs shown both ways")
    if o.result.confused and o.agreed.grade not in ("chance", "unclear"):
        one, other = (brief(label, what="label") for label in o.result.confused)
        said.append(f"the judges mix up {one} and {other} most")
    return f"{upper('; '.join(said))}." if said else ""


def _names(names: Sequence[str], what: str = "judge") -> str:
    return listed([brief(n, what=what) for n in names])
