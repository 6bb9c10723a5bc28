"""Who judged which topic: lists of topics by assessor, as NIST's ``topic_per_assessor.txt``.

A line names an assessor and topics in any order, or one topic and its assessor; an assessor alone on a line is a
heading for the topics below. Topics are told by their form (D0801, D0801-A); the words *assessor* and *topic* mean
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.errors import InputError
from quorate.formats.files import File, bad_lines

TOPIC = re.compile(r"[A-Za-z]\d{3,5}[A-Za-z]?(-[A-Z])?")
EMPTY_WORDS = {"assessor", "assessors", "topic", "topics", "id", "docset", "docsets"}


def read_assessors(given: Any) -> dict[str, str]:
    """Assessor by topic, from a file or a mapping.

    >>> read_assessors({"D0801": "A"})
    {'D0801': 'A'}
    """
    if isinstance(given, Mapping):
        return {str(topic): str(assessor) for topic, assessor in given.items()}
    file = File(Path(given))
    with file.text() as stream:
        return by_topic(file.name, stream)


def by_topic(where: str, lines: Iterable[str]) -> dict[str, str]:
    """Assessor by topic, from lines.

    >>> by_topic("list", ["A: D0801, D0802", "D0803 B", "Assessor C", "D0804"])
    {'D0801': 'A', 'D0802': 'A', 'D0803': 'B', 'D0804': 'C'}
    """
    out: dict[str, str] = {}
    bad: list[tuple[int | None, str]] = []
    heading: str | None = None
    for number, line in enumerate(lines, 1):
        words = [w for w in re.split(r"[\s,:;|]+", line.partition("#")[0]) if w and w.lower() not in EMPTY_WORDS]
        topics = [w for w in words if TOPIC.fullmatch(w)]
        names = [w for w in words if not TOPIC.fullmatch(w)]
        if len(names) > 1:
            bad.append((number, f"which of {', '.join(names)} is the assessor?"))
            continue
        heading = names[0] if names and not topics else heading
        assessor = names[0] if names else heading
        if topics and assessor is None:
            bad.append((number, f"no assessor for {topics[0]}"))
            continue
        for topic in topics:
            if out.setdefault(topic, str(assessor)) != assessor:
                bad.append((number, f"{topic} was {out[topic]}'s before"))
    if bad:
        raise bad_lines(where, "topics by assessor", bad, "a line names one assessor and topics: A D0801 D0802.")
    if not out:
        raise InputError(f"{where}: no topic found.", "a line names one assessor and topics: A D0801 D0802.")
    return out


def assessor_of(task: object, known: Mapping[str, str]) -> str | None:
    """The assessor of a task: by its whole name, or by the topic before the docset letter."""
    name = str(task)
    return known.get(name) or known.get(name.partition("-")[0])


def assessors_of(tasks: Sequence[object], known: Mapping[str, str], where: str) -> list[str]:
    """The assessor of each task; one that is not listed is an error."""
    found = {t: assessor_of(t, known) for t in dict.fromkeys(tasks)}
    gone = [str(t) for t, a in found.items() if a is None]
    if gone:
        shown = ", ".join(gone[:5]) + (", ..." if len(gone) > 5 else "")
        raise InputError(f"{where}: no assessor is listed for {len(gone)} topics: {shown}.", "add them to the list.")
    return [str(found[t]) for t in tasks]
