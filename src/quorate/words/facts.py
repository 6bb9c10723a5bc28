"""Facts: what an answer says, typed. A program decides on facts, never on their text, which is the last step.

Every sentence of an answer is the text of one fact. Its name says what it is, its data what it rests on; the verdict of
a report, the demo and, later, the workbench choose among facts by name and by how much they matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NAMES: Mapping[str, str] = {
    "size": "how many judges did how much",
    "nothing": "there is nothing to say, and why",
    "agreement": "how much the judges agree, by one method",
    "confused": "which labels judges confuse most",
    "adjudicate": "which items to decide by hand, and what that gains",
    "label_sets": "how much judges agree who may give several labels",
    "category": "which label judges agree on least",
    "by_group": "where groups of judges differ in what they agree on",
    "repeats": "judges who did a task more than once",
    "off": "a judge is off, in which way, and what agreement is without the judge",
    "without": "what comes out without the judges who are off",
    "camps": "judges are of several camps, each with a consensus of its own, and what parts them",
    "judge_kinds": "how much people agree, models do, and people with models",
    "copies": "judges who gave the same answers and count as one voice",
    "stand_in": "which models may stand in for a person",
    "nobody": "nobody is off, or why that cannot be told",
    "judge": "what a method says of the judges",
    "first": "what the judges together put first, group or say",
    "optima": "several orders are equally good, and what all of them share",
    "circle": "majorities go round in a circle",
    "leader": "which system leads, and which cannot be told from it",
    "repeatable": "whether another panel would say the same",
    "needed": "how many judges, tasks or votes it takes",
    "swap": "how often the first two would swap places",
    "dropped": "which judges were left out before agreement was measured again",
    "truth": "how near judges come to a known truth",
    "dissent": "how much a judge holds that most of the others do not",
    "surface": "how a method falls over two of its parameters",
    "crossing": "whether two panels change places as parameters are varied",
    "difference": "two panels differ, or cannot be told apart",
    "verdict": "how far two panels agree on the outcome",
    "effect": "what decides votes beside the systems, and whose rank it changes",
    "own_family": "a judge favours its own family",
    "not_identified": "what these judgments cannot tell, and why",
    "trust": "what a method says of how far the result can be trusted",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that an answer says: what it is, the data behind it, and its sentence."""

    name: str  # one of NAMES
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    expert: bool = False  # left to its section: a reader in a hurry does not need it

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"fact": self.name, "text": self.text, "expert": self.expert, "data": dict(self.data)}


def named(facts: Iterable[Any], *names: str) -> list[Fact]:
    """The facts of these names, in their order."""
    return [f for f in facts if isinstance(f, Fact) and f.name in names]


def chosen(facts: Sequence[Any], *names: str, most: int = 1) -> list[Fact]:
    """So many facts of these names, those for experts left out unless there are no others."""
    found = named(facts, *names)
    return ([f for f in found if not f.expert] or found)[:most]
