"""Small words of sentences: more than by chance, an interval, on how many tasks, and what a method's figure is.

A sentence must hold on any panel: one task is "here" and no "1 of 1 tasks"; two of two are "both", three of three
"all 3".

>>> on(1, 1), on(8, 8), on(3, 8)
('here', 'on all 8 tasks', 'on 3 of 8 tasks')
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.panel.columns import changes
from quorate.panel.kinds import Groupings, Orderings, Scores
from quorate.panel.pairs import VoteDesign
from quorate.panel.partitions import UNSHOWN, absence, sheets
from quorate.panel.score_facts import score_facts
from quorate.panel.stacks import stacks
from quorate.panel.votes import Votes
from quorate.table import Method
from quorate.words.numbers import between, p_is, two

NUMBERS = re.compile(r"\d[\w.]*")  # in names
_OURS = (
    *(
        "another",
        "how",
        "people",
        "people's",
        "too",
        "no",
        "none",
        "of",
        "on",
        "with",
        "there",
        "one",
        "so",
        "most",
        "the",
        "all",
        "what",
    ),
    *(
        "without",
        "in",
        "both",
        "over",
        "that",
        "where",
        "two",
        "deciding",
        "judges",
        "judge",
        "item",
        "system",
        "better",
        "such",
    ),
)
LEFT_OUT = {"singletons": "as singletons", "bucket": "in one bucket", "common": "set aside"}  # items, in groupings
ALL = 0.98  # of a scale: an interval that covers as much says nothing
FIGURES = {  # what the figure of a method is, for people who do not know its name
    "alternative": "share of tests won",
    "average_correlation": "how its order goes with a judge's: 1 is the same, 0 is chance",
    "against_judges": "how its groups go with a judge's: 1 is the same",
    "bradley_terry": "strength in the votes: 0 is the average, 1.1 wins three of four against it",
    "mean": "mean score",
    "mean_score": "mean score",
    "peer_agreement": "agreement with the other judges",
    "peer_correlation": "correlation with the other judges",
    "self_consistency": "agreement with oneself on identical outputs",
    "elo": "Elo rating",
    "strengths": "strength in the votes",
    "support_outliers": "share of orders shared with the others",
    "tau_b": "Kendall's tau-b",
    "alpha": "Krippendorff's alpha",
    "v_beta": "V-measure",
    "win_rate": "share of votes won",
    "with_others": "share of choices that are those of most others",
}
SPARSE = 10  # times as many places as rows, from which on only those in use are numbered


def figure_of(method: Method) -> str:
    """What a method's figure is, in words; its own text form where there are none."""
    return FIGURES.get(method.name, str(method)).partition(":")[0]


def by_chance(p: float, level: float = 0.05) -> str:
    """Whether a figure is more than chance gives; where chance rarely gives as much, that is not clear.

    >>> by_chance(0.01), by_chance(0.2), by_chance(0.8)
    ('more than by chance (p = 0.01)', 'not clearly more than by chance (p = 0.2)', 'no more than by chance (p = 0.8)')
    """
    return f"{above(p, level)} than by chance ({p_is(p)})"


def above(p: float, level: float = 0.05) -> str:
    """More, not clearly more, or no more: by how often chance gives as much."""
    return "more" if p <= level else "not clearly more" if p < 0.5 else "no more"


def beyond(e: Estimate) -> str:
    """The same of an estimate, behind a comma; '' where nothing was tested."""
    return f", {by_chance(e.null.p)}" if e.null else ""


def vacuous(e: Estimate, method: Method, *, difference: bool = False) -> bool:
    """Whether an interval holds nearly all values that the method, or a difference of two of its values, can have.

    A method whose figures may leave the scale on which they are read declares it: ``scale=(0, 1)``.
    """
    declared = method.declaration
    low, high = declared.properties.get("scale") or declared.limits(method, e.labels)
    low, high = (low - high, high - low) if difference else (low, high)
    low = -high if math.isinf(low) else low  # a coefficient that may fall below -1 says no more for it
    if e.interval is None or not math.isfinite(high - low):
        return False
    return min(e.interval.high, high) - max(e.interval.low, low) >= ALL * (high - low) > 0


def ci(e: Estimate, form: Callable[[float], str] = two, *, over: bool = False, sep: str = " (") -> str:
    """An estimate's interval in brackets, and over what it is; '' where there is none."""
    if e.interval is None:
        return ""
    unit = f" over {e.interval.over.replace('x', ' and ')}" if over else ""
    return ci_of(e.interval.ends, e.interval.level, form, unit=unit, sep=sep)


def ci_of(
    ends: Sequence[float] | None,
    level: float,
    form: Callable[[float], str] = two,
    *,
    unit: str = "",
    sep: str = " (",
) -> str:
    """The same of an interval's two ends, as rows have them.

    >>> ci_of([0.25, 0.5], 0.9)
    ' (90% CI 0.25 to 0.50)'
    """
    if not ends:
        return ""
    low, high = between(*ends)
    return f"{sep}{level:.0%} CI {form(low)} to {form(high)}{unit}{')' if sep == ' (' else ''}"


def as_odds(e: Estimate) -> Estimate:
    """An estimate in log odds, as that by which odds are multiplied."""
    ends = e.interval and replace(e.interval, low=math.exp(e.interval.low), high=math.exp(e.interval.high))
    return replace(e, value=math.exp(e.value), interval=ends)


def criterion(e: Estimate, word: str = "on") -> str:
    """On which criterion, where there are some."""
    return f" {word} {called(e.labels['criterion'], 'criterion')}" if "criterion" in e.labels else ""


def on(some: int, of: int, word: str = "task") -> str:
    """On how many tasks: 'here' where there is one only."""
    if of == 1:
        return "here"
    return f"on {all_of(of)} {word}s" if some == of else f"on {some:,} of {many(of, word)}"


def all_of(number: int) -> str:
    """All of them: 'both' of two."""
    return "both" if number == 2 else f"all {number:,}"


def are(number: int) -> str:
    """Is or are."""
    return "is" if number == 1 else "are"


def brief(name: object, most: int = 24, what: str = "") -> str:
    """A name that fits a title: a long one loses its middle, because names often differ at their ends, or in a number.

    Before one without a letter stands ``what`` it is the name of: a sentence about 3 and 20 reads like a sum.

    >>> brief("a name that is much too long to stand in a title")
    'a name that i…in a title'
    >>> brief("meta-llama/Llama-3.1-70B-Instruct-Turbo")
    'meta-lla…3.1-70B…t-Turbo'
    >>> brief(3, what="judge"), brief("run-3", what="judge")
    ('judge 3', 'run-3')
    """
    text, end = str(name), most // 2 - 2
    if what:
        return called(brief(text, most), what)
    if len(text) <= most:
        return text
    lost = [m for m in NUMBERS.finditer(text) if m.end() > most - end - 1 and m.start() < len(text) - end]
    kept = text[lost[0].start() : lost[-1].end()] if lost else ""
    kept = kept if len(kept) <= end else lost[-1][0][:end]
    room = most - 2 - len(kept)
    if kept:
        return f"{text[: room - room // 2]}\u2026{kept}\u2026{text[len(text) - room // 2 :]}"
    return f"{text[: most - end - 1]}\u2026{text[-end:]}"


def called(name: object, what: str = "judge") -> str:
    """A name in a sentence; before one without a letter stands what it is the name of.

    >>> called(3), called("ann"), called("2-1", "task")
    ('judge 3', 'ann', 'task 2-1')
    """
    text = str(name)
    return text if any(map(str.isalpha, text)) else f"{what} {text}"


def those(names: Iterable[object], what: str = "judge", shown: int = 3) -> str:
    """Several names in a sentence.

    >>> those(["ann", 3]), those([1, 2, 3, 4], "system")
    ('ann and judge 3', 'system 1, system 2, system 3 and 1 more')
    """
    return listed([called(name, what) for name in names], shown)


def upper(text: str) -> str:
    """A text with a capital letter at its beginning, unless that belongs to a name: such a text starts with no word
    of ours, so only small words are raised.

    >>> upper("no model"), upper("run-04's order"), upper("with others")
    ('No model', "run-04's order", 'With others')
    """
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if first in _OURS else text


def every(number: int, what: str) -> str:
    """All of so many: the only item, both items, all 5 items."""
    return f"the only {what}" if number == 1 else f"{all_of(number)} {what}s"


def some(number: int, of: int, what: str) -> str:
    """So many of all: no item, 2 of 5 items, all 5 items.

    >>> some(0, 5, "item"), some(1, 1, "item"), some(2, 5, "item"), some(2, 2, "item")
    ('no item', 'the only item', '2 of 5 items', 'both items')
    """
    return every(of, what) if number == of else f"{number:,} of {many(of, what)}" if number else f"no {what}"


def apart(panel: Panel) -> bool:
    """Whether no two judges did the same item of a task."""
    if isinstance(panel, Scores):
        return not any(of.shared for of in score_facts(panel))
    if panel.elsewhere is not None:
        return not bool((panel.elsewhere.facts.judges > 1).any())
    places = panel.task.codes.astype(np.int64) * max(len(panel.items), 1) + panel.item.codes
    judge = panel.judge.codes.astype(np.int64)
    if places.max(initial=0) > SPARSE * len(places):  # of most tasks and items together there is nothing
        places = np.unique(places, return_inverse=True)[1].ravel()
    first = np.empty(int(places.max(initial=-1)) + 1, np.int64)
    first[places] = judge  # of every item of a task one judge
    return bool((first[places] == judge).all() and (panel.count == 1).all())


def in_twos(panel: Panel) -> bool:
    """Whether no task of orders or groups has a third judge, who would tell which of two is off."""
    if not isinstance(panel, Orderings | Groupings) or panel.elsewhere is not None or (panel.count > 1).any():
        return False
    first, judges = panel.starts[:-1], max(len(panel.judges), 1)  # of every judgment
    who = panel.task.codes[first].astype(np.int64) * judges + panel.judge.codes[first]
    return bool(np.bincount(np.unique(who) // judges).max(initial=0) <= 2)


def uncompared(panel: Panel) -> str:
    """Why no judge can be told from two others on the same task; nothing where some can."""
    if apart(panel):
        return "No two judges did the same items, so none can be compared with the others."
    return "Who is off cannot be told: of the two judges of a task it may be either." if in_twos(panel) else ""


def one_item(panel: Panel) -> bool:
    """Whether there is one item only, which has nothing to be compared with; of votes one pair is enough."""
    return panel.kind != "votes" and len(panel.items) == 1 and len(panel.tasks) == 1


def ungrouped(panel: Panel) -> bool:
    """Whether no judge put two items in one group, left-out items being in none, and not all used the same items."""
    if not isinstance(panel, Groupings) or panel.elsewhere is not None:
        return False
    used, judgments = ~panel.left_out, len(panel.starts) - 1
    judgment = np.repeat(np.arange(judgments), np.diff(panel.starts))[used]
    group = judgment * len(panel.group_ids) + panel.value.codes[used]
    if len(np.unique(group)) < len(group):
        return False
    task = panel.task.codes.astype(np.int64)
    items = np.unique(task[used] * len(panel.items) + panel.item.codes[used]) // len(panel.items)
    every = np.bincount(items, minlength=len(panel.tasks))[task[panel.starts[:-1]]]
    return bool((np.bincount(judgment, minlength=judgments) < every).any())


def only_one(panel: Panel) -> str:
    """That nobody can be compared, as far as is known."""
    if isinstance(panel, Votes) and panel.nameless:
        return "The file does not say who voted"
    return "There is one judge only"


def voters(panel: Panel) -> int:
    """How many judges there are; one whose count is 10 stands for as many, on the task where that is most.

    >>> from quorate import Orderings
    >>> voters(Orderings.from_orders(["ab", "ba"]))
    2
    """
    if (panel.count == 1).all():
        return len(panel.judges)
    if isinstance(panel, Votes):
        return int(VoteDesign.of(panel).voters.sum())
    most = np.zeros(len(panel.judges), np.int64)
    np.maximum.at(most, panel.judge.codes, panel.count.astype(np.int64))
    return int(most.sum())


def voices(panel: Panel, answer: Answer | None) -> str:
    """How many judges were heard; where copies count as one voice, they are called voices."""
    copied = answer is not None and bool(answer.more.get("one_voice"))
    return many(voters(panel), "voice" if copied else "judge")


def has_gaps(panel: Orderings) -> bool:
    """Whether some judge left out an item that others of the task ranked."""
    if panel.elsewhere is not None:
        return bool(panel.elsewhere.facts.gaps)
    return any(bool((p.positions == 0).any()) for p in stacks(panel))


def all_tied(panel: Orderings) -> bool:
    """Whether nobody put one item above another."""
    if panel.elsewhere is not None:
        return int(panel.elsewhere.facts.deepest) < 2
    return all(int(p.positions.max()) < 2 for p in stacks(panel))


def judges_of_tasks(panel: Panel) -> NDArray[np.int64]:
    """How many judges did each task; one whose count is 10 stands for as many."""
    if panel.elsewhere is not None:
        found: NDArray[np.int64] = panel.elsewhere.facts.judges
        return found
    first = np.flatnonzero(changes(panel.task, panel.judge))
    weights = panel.count[first].astype(np.int64)
    return np.bincount(panel.task.codes[first], weights, len(panel.tasks)).astype(np.int64)


AMONG = {"all": "", "people": " of the people", "model": " of people and this model", "camp": " within the camp"}


def agreement_by(evidence: Mapping[str, Any]) -> str:
    """What the agreement is called that a flag rests on: whose it is, where not of all judges, and whether it is
    corrected for chance, since another method's may be beside it.

    >>> agreement_by({"method": "adjusted_rand(left_out=bucket)"}), agreement_by({"method": "tau_b", "among": "people"})
    ('agreement beyond chance', 'agreement of the people')
    """
    beyond = " beyond chance" if evidence["method"].startswith("adjusted") else ""
    return f"agreement{beyond}{AMONG[evidence.get('among', 'all')]}"


def share_left_out(panel: Groupings, answer: Answer | None) -> float:
    """The share of items that a judge was shown and put in no group."""
    found, unshown = sheets(panel), absence(panel, answer.options.absent if answer else None) == UNSHOWN
    return 1 - int(found.used.sum()) / int(found.shown(unshown).sum())


def at_least(q: Any) -> str:
    """How many judges a quorum asks for."""
    return f"at least {many(q, 'judge')}" if isinstance(q, int) else f"at least {q:.0%} of the judges"


def inside(f: Finding, o: Overall) -> str:
    """An interval, or that it says nothing."""
    if o.interval and vacuous(o, f.method):
        return f" (so few {o.interval.over.replace('x', ' and ')} that any value fits)"
    return ci(o, over=True)


def said_of_any(f: Finding, o: Overall) -> list[str]:
    """The sentence of any figure of agreement."""
    return [f"Agreement by {f.method} is {two(o.value)}{inside(f, o)}{beyond(o)}."]
