"""The verdict: what a reader in a hurry takes away, in plain sentences with numbers and intervals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quorate import table
from quorate.inference.results import Answer, Overall
from quorate.reports.judge_pictures import flags
from quorate.reports.picture import number
from quorate.words.numbers import two

if TYPE_CHECKING:
    from quorate.reports.model import Section
    from quorate.reports.swaps import Swap

_COUNTS = re.compile(r"[\d,]+ (systems? on |items? on .* scored by [\d,]+ judges?\.$)")
_SAID = re.compile(
    r"Flagged|None of|Judge .* is off|\d[\d,]* of \d[\d,]* judges? (is|are) flagged|With two |Nobody can be told"
)
# What is left to its section: nobody in a hurry needs it.
_EXPERT = re.compile(
    r"The order of the judges by their agreement keeps|Split and merged|These (hardly|use)|"
    r".* scores? a judge's order and its reverse alike"
)
_UNDEFINED = re.compile(r"\S+ is undefined ")  # of a method: only where there is nothing else to say
_EMPTY = re.compile(r"tells nothing|one item only")  # after which no figure need be given
_EQUAL = re.compile(r"have the same|in one place|share the first place|tied")
_PLAIN = re.compile(r"The consensus of another|For a correlation|No number of")  # said before what experts ask
_FORM = re.compile(r"\b([a-z]\w*)\((?:\w+=[^()=,]*(?:, )?)+\)")  # the text form of a method with settings
NAMED = 5  # judges who stand out and are named


def verdict(sections: Sequence[Section], swap: Swap | None = None) -> list[str]:
    """A sentence or two a question, none twice."""
    said: list[str] = []
    ranked = any(s.question == "quality" and s.answer for s in sections)
    for section in sections:
        if section.answer is None:
            said.append(f"{section.heading} No answer: {section.trouble.partition(' Hint:')[0]}")
            continue
        answer = section.answer
        lines = [s for s in answer.sentences if s not in said]
        if section.question == "agreement":
            said += [*lines[:2], *headline(answer, lines[:2])]
        elif section.question == "judges" and answer.judges == 1:
            alone = any(s.startswith("There is one judge only") for s in said)
            said += [] if alone else ["There is one judge only: nobody to be off from."]
        elif section.question == "judges":
            said += [stand_out(answer), *[s for s in _told(lines) if not _SAID.match(s)][:1]]
        elif section.question == "consensus":
            below = ranked and answer.kind == "scores"  # who leads is said of quality
            said += [] if below else [s for s in lines if not _COUNTS.match(s)][:1]
            said += _swapped(swap, said) if not ranked else []
        elif section.question == "quality":
            said += (_told([s for s in lines if not _COUNTS.match(s)]) or lines)[:1]
            said += _swapped(swap, said)
        else:
            plain = [s for s in _told(lines) if not _COUNTS.match(s) and not _EXPERT.match(s)]
            said += sorted(plain, key=lambda s: not _PLAIN.match(s))[:2]
    return list(dict.fromkeys(_by_name(s) for s in said if s))


def _by_name(sentence: str) -> str:
    """A sentence with methods by their names: their settings are left to the sections.

    >>> _by_name("new is best by average_correlation(measure=tau): 0.65 (95% 0.34 to 0.82)")
    'new is best by average_correlation: 0.65 (95% 0.34 to 0.82)'
    """
    names = {m.name for m in table.methods()}
    return _FORM.sub(lambda found: found[1] if found[1] in names else found[0], sentence)


def _told(lines: Sequence[str]) -> list[str]:
    """The lines without those that only say that a method is undefined, if there are others."""
    return [s for s in lines if not _UNDEFINED.match(s)] or list(lines)


def _swapped(swap: Swap | None, said: Sequence[str]) -> list[str]:
    """How often the first two would swap places; nothing where it was just said that all are equal."""
    equal = swap is not None and swap.level and said and _EQUAL.search(said[-1])
    return [swap.sentence()] if swap and not equal else []


def headline(answer: Answer, said: Sequence[str] = ()) -> list[str]:
    """The first figure with its interval and chance, which not every sentence gives; not what was said before."""
    for f in answer.findings[:1]:
        for o in f.overall[:1]:
            if number(o.value) is not None and not any(_EMPTY.search(s) for s in said):
                on = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
                if o.interval and any(f"{two(o.value)} ({two(o.interval.low)} to " in s for s in said):
                    random = number(o.chance.value) if o.chance else None
                    chance = "" if random is None else f"; judges who answer at random give {two(random)}"
                    return [f"In brackets is its {o.interval.level:.0%} interval over {o.interval.by}{chance}."]
                return [f"Agreement{on} by {f.method} is {figure_text(o)}."]
    return []


def stand_out(answer: Answer) -> str:
    """How many judges stand out, who, and by what; '' where nothing was looked at."""
    found = flags(answer)
    tested = [o for f in answer.findings for o in f.overall if o.labels.get("flag") is not None]
    if not tested:
        return next((s for s in answer.sentences if s.startswith("Nobody can be told")), "")
    many = f"{answer.judges:,} judge{'' if answer.judges == 1 else 's'}"
    counted = any(note.startswith("a row that stands for several judges") for note in answer.notes)
    if counted:
        many = f"{answer.judges:,} rows, which stand for several judges each,"
    if not found and answer.judges == 2 and not counted:
        return "With two judges nobody can tell which of them is off."
    if not found and all(number(o.value) is None for o in tested):
        return "Nobody can be told to be off: there is nothing to compare."
    if not found:
        return f"None of the {many} stands out." if answer.judges > 1 else ""
    names = [f"{judge} ({', '.join(dict.fromkeys(m.split('(')[0] for m in by))})" for judge, by in found.items()]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    verb = "stands" if len(names) == 1 else "stand"
    return f"{len(names)} of {many} {verb} out: {', '.join(names[:NAMED])}{more}."


def figure_text(o: Overall) -> str:
    """A figure with its interval and what chance gives, in words."""
    value = number(o.value)
    said = "undefined" if value is None else two(value)
    if o.interval and number(o.interval.low) is not None:
        said += (
            f" ({o.interval.level:.0%} interval {two(o.interval.low)} to {two(o.interval.high)} over {o.interval.by})"
        )
    if o.chance and number(o.chance.value) is not None:
        said += f"; judges who answer at random give {two(o.chance.value)}"
    return said
