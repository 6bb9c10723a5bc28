"""The sheet that judges are given: what they do, step by step, and the guidelines, those that ``check`` knows marked.

After the guidelines and the recommended procedure of the Clusters paper (Geiss, section 4.1); for card sorts, the
usual instructions of an open sort.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate.errors import BadParameter, suggest
from quorate.groupings.guidelines import PROFILES

ADVICE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "clusters": {
        "guidelines": (
            "Keep to one topic in a cluster: one sentence should be able to say what it is about.",
            "The more alike the items of a cluster are, the better; near paraphrases are ideal.",
            "Prefer clusters whose items come from many documents.",
            "More than two items are better than two.",
            "Numbers may differ within a cluster: rough and exact figures, earlier and later counts.",
            "If part of a cluster is much more alike than the rest, make it a cluster of its own.",
            "Go by what is said; infer little.",
            "An item that fits two clusters goes to the more important one.",
            "You may generalise as long as the items are about the same person, fact or event.",
        ),
        "steps": (
            "Read all documents. Then go through the list from the top: put an item that will attract others into a "
            "first cluster, set aside at once one that will not, and let the clusters grow.",
            "Rearrange clusters whenever you like.",
            "At the end, see whether everything important in the documents has its cluster; if a topic is missing, "
            "look for it, also in the minor parts of sentences.",
            "Go through what you set aside, and see whether some of it has a cluster now.",
            "Check yourself: each cluster has its sentence, and its items are from two documents or more.",
            "Rank the clusters by importance, 1 first.",
        ),
    },
    "cards": {
        "guidelines": (
            "There is no right or wrong: sort as it makes sense to you.",
            "Put together what you would look for in the same place.",
            "Make as many groups as you need, of any size.",
            "Name a group by what its cards have in common, in your own words.",
            "If a card could go to two groups, choose where you would look first.",
        ),
        "steps": (
            "Look through all cards before you begin.",
            "Put cards that belong together into groups.",
            "Move cards, split and join groups until you are content.",
            "Give every group a name.",
            "Set aside cards that you do not understand or that belong nowhere.",
        ),
    },
}


@dataclass(frozen=True)
class Sheet:
    """What judges are given: guidelines, rules that are checked, steps, and the items, if there are some."""

    profile: str
    guidelines: tuple[str, ...]
    rules: Mapping[str, str]  # rule -> what it says; all of them are checked
    steps: tuple[str, ...]
    items: tuple[Mapping[str, Any], ...] = ()


def sheet(profile: str = "clusters", items: Sequence[Mapping[str, Any]] = ()) -> Sheet:
    """The sheet of a profile, ``clusters`` or ``cards``; ``items`` are rows with at least ``item``, shown as they are.

    >>> found = sheet()
    >>> len(found.steps), found.rules["two_items"]
    (6, 'a cluster has at least two items')
    """
    if profile not in PROFILES:
        raise BadParameter(f"no profile '{profile}'.", suggest(profile, PROFILES, "Profiles"))
    own = ADVICE[profile]
    return Sheet(profile, own["guidelines"], PROFILES[profile], own["steps"], tuple(items))
