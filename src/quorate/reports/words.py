"""The glossary's words, for explaining them where they stand; a test holds them against docs/glossary.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORDS = {
    "judge": "who judges: a person, a search engine, a language model",
    "task": "what is judged independently of the rest",
    "item": "what is put in order, in groups, or scored",
    "system": "produces an output on tasks, and is itself judged",
    "criterion": "what a score is about",
    "panel": "the judgments of one kind over tasks",
    "kind": "orderings, groupings or scores",
    "question": "agreement, judges, consensus, quality or trust",
    "method": "what fills a cell of kinds x questions; has a text form",
    "judgment": "one judge's ordering or grouping of a task, or score of an item",
    "ranking": "one ordering as a list of tie groups, best first",
    "tie": "items in the same place of a ranking",
    "absent": "an item that a judge did not rank",
    "left out": "an item that a judge put in no group",
    "count": "how many judges gave the same ordering",
    "occasion": "which time a judge did the same thing",
    "quorum": "how many judges must share a pattern before it counts: a count or a share",
    "pattern": "items in an order, with gaps allowed, that rankings share",
    "content unit": "something that an item may say, with a weight; 0 is what fits none",
    "support": "how far an item says a content unit, by one judge: from 0 to 1",
    "mention": "one place where an item says a content unit",
    "interval": "where a figure would lie on other tasks or judges like these",
    "chance": "what judges who answer at random give",
}
_FORMS = {f"{word}{end}": word for word in WORDS for end in ("", "s")} | {
    "criteria": "criterion",
    "quorums": "quorum",
    "orders": "ranking",
}
_FIND = re.compile(r"\b(" + "|".join(sorted(map(re.escape, _FORMS), key=lambda w: (-len(w), w))) + r")\b")


def explained(text: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    """The text in pieces with the word of the glossary that each stands for, or ''; a word only once for ``seen``.

    >>> list(explained("Two judges agree; no judge is off.", set()))
    [('Two ', ''), ('judges', 'judge'), (' agree; no judge is off.', '')]
    """
    done = 0
    for match in _FIND.finditer(text):
        word = _FORMS[match.group()]
        if word not in seen:
            seen.add(word)
            yield text[done : match.start()], ""
            yield match.group(), word
            done = match.end()
    yield text[done:], ""
