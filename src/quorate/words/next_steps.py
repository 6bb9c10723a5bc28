"""What to do next: each step with its reason, linked to its evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.board import tasks_needed
from quorate.inference.estimate import Estimate
from quorate.panel.base import listed, many
from quorate.panel.judge_kinds import people
from quorate.panel.kinds import Scores
from quorate.words import ties
from quorate.words.numbers import finite, rough, share
from quorate.words.outcome import DEGREES, FIRM, Outcome
from quorate.words.screen import Step
from quorate.words.wording import brief

MOST = 4  # steps
LOOKED_AT = 2  # judges that have a step of their own
FAR = 20  # times as many judges as there are: no plan
EQUAL = 0.57  # of votes, that the better of two wins at most: they are as good as equal
NAMED = 3  # tasks or items by name
TALK = 50  # judges, of more nobody can talk with all
SURE = 0.95  # of the panels drawn, with whom the first stays first

ASK = {
    "reversed": "ask whether the scale was flipped",
    "shifted": "ask what the scale's middle is",
    "compressed": "ask what the ends of the scale are for",
    "stretched": "ask what the ends of the scale are for",
    "constant": "ask why every answer is the same",
    "drifting": "ask whether the scale changed on the way",
    "splits": "ask how fine groups should be",
    "merges": "ask how fine groups should be",
    "place": "ask to read both before choosing",
    "random": "ask how the task was understood",
    "differs": "ask how the task was understood",
}
ASK_OF = {  # of what has no scale that could be flipped
    "votes": {"reversed": "ask whether the two were mixed up"},
    "labels": {"reversed": "ask how the labels were understood"},
    "model": {"reversed": "see whether its scale was flipped", "place": "show it every pair both ways round"},
}
PROMPT = "see whether its prompt says what the others were told"  # of a model

DATA = {  # what to do where nothing can be said of agreement, and why
    "alone": ("Ask at least two more judges", "one judge agrees with nobody"),
    "nameless": ("Add a column judge, if it is known who voted", "then it shows how far voters agree, and who is off"),
    "apart": ("Give several judges the same items", "only then can they be compared"),
    "one item": ("Have more items judged", "one item alone can be compared with nothing"),
    "single": ("Say --absent below if items without a row come after", "as it stands each judge compares nothing"),
    "flat": ("Ask for answers that tell items apart", "equal answers say nothing about them"),
    "alike": ("Give several judges more of the same items", "what they share so far says nothing"),
    "ungrouped": ("Ask for groups of more than one item", "items that all stand alone can be compared with nothing"),
    "unasked": ("See why agreement was not computed", "without it nobody can say how far the result holds"),
    "trivial": ("Ask for answers that tell items apart", "one answer to everything says nothing about them"),
}
UNSURE = {  # what the judges agree on may be used though a part of it would change with other judges
    "order": ("Use the order, not the first place alone", "with other judges like these another item may be first"),
    "orders": ("Use the orders, not the first places alone", "with other judges like these others may be first"),
    "groups": ("Use the groups as a draft", "with other judges like these some items may change groups"),
}


def steps(o: Outcome) -> tuple[Step, ...]:
    """A few, the most urgent first; at least one."""
    found = [*_copies(o), *_camps(o), *_judges(o), *_data(o), *_place(o), *_bent(o), *_apart(o), *_more(o), *_items(o)]
    return tuple([*(found or [_use(o)]), *_hard(o)][:MOST])


def _judged(names: Sequence[str]) -> str:
    return listed([brief(n, what="judge") for n in names])


def _copies(o: Outcome) -> Iterator[Step]:
    for group in o.off.copies[:LOOKED_AT]:
        who = _judged(group)
        same = "the same" if o.off.exact else "nearly the same"
        yield Step(f"Find out whether {who} worked apart", f"their answers are {same}", "judges")


def _camps(o: Outcome) -> Iterator[Step]:
    if o.off.camps:
        yield Step("Look at the camps one by one", "one consensus pleases none of them", "judges")


def _judges(o: Outcome) -> Iterator[Step]:
    """A step for each of the first flagged judges; the others together."""
    names = o.off.names
    first: dict[str, Mapping[str, Any]] = {}
    for flag in o.off.flagged:
        first.setdefault(str(flag["judge"]), flag)
    for k, name in enumerate(names[:LOOKED_AT], 1):
        told = len(first[name]["evidence"].get("answers") or ())
        what = "choices" if o.panel.kind == "votes" else "items"
        where = f"; the {what} where it shows most are listed" if told else ""
        ask = _ask(o, name, str(first[name]["diagnosis"]))
        yield Step(f"Look at {brief(name, what='judge')}", f"{ask}{where}", f"off-{k}", name)
    if len(names) > LOOKED_AT:
        rest = names[LOOKED_AT:]
        why = f"{'this judge is' if len(rest) == 1 else 'these are'} flagged as well"
        yield Step(f"Look at {_judged(rest)} too", why, f"off-{LOOKED_AT + 1}")
    if o.off.unsteady_names:
        who = _judged(o.off.unsteady_names)
        yield Step(f"Look at {who}", "identical outputs got different scores", "judges")


def _ask(o: Outcome, judge: str, diagnosis: str) -> str:
    """What to ask a judge who is off; of a model, what to look at."""
    human = people(o.panel)
    if human is not None and not human[[str(j) for j in o.panel.judges].index(judge)]:
        return ASK_OF["model"].get(diagnosis, PROMPT)
    kind = "labels" if isinstance(o.panel, Scores) and o.panel.scale and not o.panel.ordered else o.panel.kind
    return ASK_OF.get(kind, {}).get(diagnosis, ASK[diagnosis])


def _data(o: Outcome) -> Iterator[Step]:
    """What is missing before anything can be said."""
    grade = o.agreed.grade
    if grade in DATA:
        do, why = DATA[grade]
        yield Step(do.replace("items apart", "systems apart") if o.panel.kind == "votes" else do, why, "agreement")
    elif o.off.why == "two" and o.off.copies:
        yield Step("Ask another judge", "with two voices nobody can tell which one is off", "judges")
    elif o.off.why == "twos":
        yield Step("Have some tasks done by three judges", "then it can be seen who is off", "judges")
    elif o.off.why == "two" and not any(_more(o)):
        yield Step("Ask a third judge", "then it can be seen who is off", "judges")
    if o.result.parts > 1:
        yield Step("Collect votes between the parts", "nobody compared them, so their order is not known", "quality")
    elif o.result.few_tasks and o.result.state != "level":
        enough = tasks_needed(len(o.result.rows))
        if enough > o.result.few_tasks:
            by = f"on {many(o.result.few_tasks, 'task')} no difference could be significant, however large"
            yield Step(f"Judge at least {many(enough - o.result.few_tasks, 'more task')}", by, o.result.question)
    if o.agreed.lacking:
        do = f"Read the guidelines on {listed([brief(c, what='criterion') for c in o.agreed.lacking])} again"
        yield Step(f"{do} with the judges", "there they do not clearly agree", "agreement")


def _place(o: Outcome) -> Iterator[Step]:
    """A place that is favoured is shared out by showing every pair both ways."""
    if o.place and not any(f["diagnosis"] == "place" for f in o.off.flagged):
        yield Step("Show every pair both ways round", "the place decides some of the votes", "trust")


def _bent(o: Outcome) -> Iterator[Step]:
    """What else decides votes should not make the leaderboard."""
    if o.bent:
        first = o.bent["moved"][0]
        rank = f"{brief(first['system'], what='system')} would have rank {first['after']}, not {first['before']}"
        why = f"{rank}: quorate quality --covariates {o.bent['covariates']}"
        yield Step(f"Take {o.bent['taken']} out of the leaderboard", why, "trust")


def _agree(o: Outcome) -> bool:
    """Whether the judges agree more than by chance; those who are off, who may hide that, left aside."""
    return o.agreed.grade in DEGREES or o.hidden


def _apart(o: Outcome) -> Iterator[Step]:
    """What would tell the leaders apart, or those behind the leader."""
    r = o.result
    if o.tie and r.form == "board" and r.state in ("tied", "leads") and o.agreed.grade in DEGREES:
        yield ties.step(o.tie, dict(o.gains), r.question)
    elif r.form == "board" and r.state in ("tied", "untested") and not r.few_tasks and o.gains and _agree(o):
        (best, cut), *others = ((what, 1 - math.sqrt(1 - less)) for what, less in o.gains)  # of variance
        rest = "".join(f", twice as many {what} by {share(less)}" for what, less in others)
        do = f"{'Ask' if best == 'judges' else 'Have'} more {best}{'' if best == 'judges' else ' judged'}"
        twice = f"twice as many{f' {best}' if rest else ''} would cut the error by {share(cut)}{rest}"
        why = f"to tell the first {r.what}s apart, {twice}"
        yield Step(do, why, "trust")


def _more(o: Outcome) -> Iterator[Step]:
    """More judges or votes, where that would help."""
    e, r = o.needed, o.result
    if e is None or not (o.agreed.known or o.unit == "vote") or r.state in ("level", "one") or _tells_systems_apart(o):
        return
    anchor = "c-curve-judges-needed" if "curve-judges-needed" in o.charts else "trust"
    if not finite(e.value):
        if o.unit == "judge" and o.agreed.grade in ("chance", "unclear") and not o.hidden:
            yield Step("Make the question sharper", "more judges like these would not agree more", anchor)
        return
    if o.unit == "vote":
        yield from _more_votes(e, int(o.panel.count.sum()), anchor)
        return
    if o.vague or (o.agreed.grade == "chance" and not o.hidden):
        return
    more = rough(e.value) - o.there
    if more > FAR * max(o.there, 1):
        why = f"with judges like these it takes about {rough(e.value):,}"
        yield Step("Make the question sharper before asking more", why, anchor)
    elif more > 0:
        each = " an item" if "judges_per_item" in e.labels else ""
        who = f"{many(more, 'more judge')}{each}"
        yield Step(f"Ask for about {who}", "then another panel would say much the same", anchor)


def _more_votes(e: Estimate, there: int, anchor: str) -> Iterator[Step]:
    """More votes on the first two systems, or none where these are as good as equal, or seem so close that it would
    take many times all votes that there are."""
    systems, votes = e.labels["systems"], rough(e.value)
    most = 1 / (1 + math.exp(-abs(e.labels["apart"]) - 2 * e.labels["error"]))
    if votes and most < EQUAL:
        why = f"one wins at most {share(most)} of votes against the other; to tell them apart takes {votes:,} more"
        yield Step(f"Treat {systems} as equal", why, anchor)
    elif votes > ties.FAR * there:
        why = f"if they differ by as little as they seem to, it takes about {votes:,} more votes to tell them apart"
        yield Step(f"Treat {systems} as equal for now", why, anchor)
    elif votes:
        why = "then they are told apart, if they differ by as much as they seem to"
        yield Step(f"Ask for about {many(votes, 'more vote')} on {systems}", why, anchor)


def _items(o: Outcome) -> Iterator[Step]:
    """Items to adjudicate, and models that may help."""
    if o.result.open:
        number, names = len(o.result.open), listed([brief(n, what="item") for n in o.result.open], NAMED)
        anchor = "c-disputed" if "disputed" in o.charts else "consensus"
        why = f"no more than half of the judges gave one label to {names}"
        yield Step(f"Adjudicate {many(number, 'item')}", why, anchor)
    if o.off.models and o.off.replaces:
        who = _judged(o.off.replaces)
        yield Step(f"Let {who} judge where people are short", "as near to the others as a person is", "judges")


def _hard(o: Outcome) -> Iterator[Step]:
    """Tasks on which judges part, as examples to talk about."""
    if o.hard and o.agreed.known and o.off.judges <= TALK:
        names = listed([brief(t, what="task") for t in o.hard[:NAMED]])
        anchor = "c-by-task" if "by-task" in o.charts else "agreement"
        yield Step(f"Talk over {names} with the judges", "there they agree least", anchor)


def _tells_systems_apart(o: Outcome) -> bool:
    """Whether systems come apart over many tasks, so that it does not matter how far one item's judges agree."""
    r = o.result
    return r.form == "board" and r.what == "system" and r.state == "leads" and len(o.panel.tasks) > 1


def _use(o: Outcome) -> Step:
    """Nothing is in the way, or nothing helps."""
    if o.unit == "vote" and o.result.form == "board" and o.result.state == "tied":
        who = listed([brief(n, what=o.result.what) for n in o.result.leaders], 4)
        return Step(f"Collect more votes between {who}", "these do not tell them apart", o.result.question)
    if not o.agreed.enough and _tells_systems_apart(o):
        return Step("Use the ranking, not single answers", "over all tasks the systems come apart", o.result.question)
    if o.agreed.grade == "unclear" and o.agreed.little:
        return Step("Read the guidelines again with the judges", "at best they agree only slightly", "agreement")
    if o.agreed.grade == "unclear":
        return Step("Collect more judgments", "from these, agreement cannot be told from chance", "agreement")
    if o.agreed.grade == "chance":
        return Step("Read the guidelines again with the judges", "they may not understand them alike", "agreement")
    if not o.agreed.enough and o.result.form == "order" and (o.result.stays or 0) >= SURE:
        first = listed([brief(n, what=o.result.what) for n in o.result.leaders])
        why = f"{first} comes first with nearly all panels of so many judges"
        return Step("Use the result, not single answers", why, o.result.question)
    if not o.agreed.enough:
        return Step("Go on with care", "the judges agree, but not much", "agreement")
    if o.result.state in ("tied", "untested") and o.result.form == "board":
        what = (
            "Ask more judges" if o.result.over.startswith("judges") else f"Judge more {o.result.over.partition('x')[0]}"
        )
        return Step(what, "so far the first cannot be told from the next", o.result.question)
    if o.result.stays is not None and o.result.stays < FIRM and o.result.form in UNSURE:
        return Step(*UNSURE[o.result.form], o.result.question)
    if o.result.state == "shared":
        who = listed([brief(n, what=o.result.what) for n in o.result.leaders], NAMED)
        return Step("Use the result, but not to choose one of the first", f"{who} are level", o.result.question)
    if o.result.state == "level":
        return Step("Ask what would tell them apart", "by these answers all are level", o.result.question)
    return Step("Use the result", "nothing here speaks against it", o.result.question)
