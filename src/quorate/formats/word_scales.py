"""Answers in words of a well-known order: strongly disagree to strongly agree, poor to excellent, never to always.

Words in a column of scores or ratings, or in the grid of a survey, are labels in that order if all of them are of one
such scale, whatever their case and blanks. It is told as a guess, with the option that settles it. A column that is
called ``label`` is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.cells import mapped
from quorate.formats.file_parts import Part
from quorate.panel.columns import encode, is_blank
from quorate.panel.reading import Guess, option

NEITHER = "neither agree nor disagree|neither|neutral|undecided|unsure|no opinion"
# Lowest first; words of one place are parted by a bar.
SCALES = tuple(
    [tuple(place.split("|")) for place in scale]
    for scale in (
        (
            "strongly disagree|completely disagree|totally disagree|fully disagree|disagree strongly",
            *("mostly disagree|disagree", "somewhat disagree|slightly disagree|rather disagree", NEITHER),
            *("somewhat agree|slightly agree|rather agree", "mostly agree|agree"),
            "strongly agree|completely agree|totally agree|fully agree|agree strongly",
        ),
        ("very low", "low", "medium|moderate|mid|average", "high", "very high"),
        (
            *("terrible|awful", "very poor|very bad", "poor|bad", "below average", "fair|average|acceptable|ok|okay"),
            *("above average", "good", "very good", "excellent", "outstanding|perfect"),
        ),
        ("bad", "poor", "fair", "good", "excellent"),  # as listening tests have them
        ("never", "rarely|seldom|hardly ever|almost never", "sometimes|occasionally", "often|frequently|usually",
         "very often|almost always|nearly always", "always"),
        ("very dissatisfied", "dissatisfied", "somewhat dissatisfied", "neither satisfied nor dissatisfied|neutral",
         "somewhat satisfied", "satisfied", "very satisfied"),
        ("very unlikely|extremely unlikely", "unlikely", "somewhat unlikely", "neither likely nor unlikely|neutral",
         "somewhat likely", "likely", "very likely|extremely likely"),
        ("not important|not at all important|unimportant", "slightly important", "moderately important",
         "important", "very important", "extremely important"),
    )
)  # fmt: skip
_BLANKS = re.compile(r"[\s_-]+")


def plain(word: Hashable) -> str:
    """A word in small letters, with one blank between its parts.

    >>> plain(" Strongly  AGREE ")
    'strongly agree'
    """
    return _BLANKS.sub(" ", str(word)).strip().casefold()


def spellings(scale: Iterable[str]) -> dict[str, str]:
    """The labels of a scale by their plain words; none of two that differ in case and blanks alone.

    >>> spellings(["low", "High"])["high"], spellings(["a", "A"])
    ('High', {})
    """
    labels = list(scale)
    often = Counter(map(plain, labels))
    return {plain(label): label for label in labels if often[plain(label)] == 1}


def in_order(words: Iterable[Hashable]) -> tuple[str, ...]:
    """The words in the order of the first scale that has a place for each; none where there is no such scale.

    >>> in_order(["good", "poor", "fair"]), in_order(["good", "fair", "pos"]), in_order(["neutral", "unsure", "agree"])
    (('poor', 'fair', 'good'), (), ())
    """
    there = {plain(w): str(w) for w in sorted(map(str, words), reverse=True)}
    for scale in SCALES if len(there) > 1 else ():
        place = {word: k for k, place in enumerate(scale) for word in place}
        found = {place.get(w, -1) for w in there}
        if -1 not in found and len(found) == len(there):
            return tuple(there[w] for w in sorted(there, key=place.__getitem__))
    return ()


def scales_of(words: Iterable[Hashable]) -> set[int]:
    """The numbers of the scales that have a place for each of the words.

    >>> scales_of(["Neutral", "satisfied"]), scales_of(["satisfied", "cheap"])
    ({5}, set())
    """
    there = {plain(w) for w in words}
    return {k for k, scale in enumerate(SCALES) if there <= {word for place in scale for word in place}}


def ordered(part: Part, column: str) -> Part:
    """The part with words of a well-known order as labels on a scale; others as they are."""
    given = part.raw.get(column)
    if given is None or isinstance(given, np.ndarray):
        return part
    coded = encode(given)
    scale = in_order(i for i in coded.ids if not is_blank(i))
    if not scale:
        return part
    called = {plain(w): w for w in scale}
    label = mapped(coded, lambda i: None if is_blank(i) else called[plain(i)])
    raw: dict[str, Any] = {n: c for n, c in part.raw.items() if n != column}
    notes = part.notes if len(label.ids) == len(coded.ids) else [*part.notes, one_spelling(part.name)]
    return replace(part, raw=raw | {"label": label}, scale=scale, notes=notes, guesses=(*part.guesses, _guess(scale)))


def on_scale(part: Part, scale: Collection[str]) -> Part:
    """The part with every label on the scale, whatever its case and blanks; those that are not are told with lines."""
    if "label" not in part.raw:
        raise InputError(f"{part.name}: no column 'label'.", "a scale is of labels: --rename X=label.")
    coded = encode(part.raw["label"])
    called = spellings(scale)
    label = mapped(coded, lambda i: i if is_blank(i) or str(i) in scale else called.get(plain(i), i))
    off = np.array([not is_blank(i) and str(i) not in scale for i in label.ids], bool)[label.codes]
    if off.any():
        rows = np.flatnonzero(off)
        said = (f"label {label[r]!r}" for r in rows.tolist())
        raise part.source.error("a label is not on the scale", rows, said, f"the scale is {', '.join(scale)}.")
    notes = part.notes if label is coded else [*part.notes, one_spelling(part.name)]
    return replace(part, raw=part.raw | {"label": label}, notes=notes)


def one_spelling(where: str) -> str:
    """What is said where labels were written in several ways."""
    return f"{where}: labels that differ in case and blanks alone are one"


def shared(parts: Sequence[Part]) -> list[Part]:
    """The parts with the words of all of them on one scale."""
    scales = {p.scale for p in parts}
    every = in_order({w for scale in scales for w in scale}) if len(scales) > 1 else ()
    if not every:
        return list(parts)
    return [
        replace(p, scale=every, guesses=tuple(_guess(every) if g == _guess(p.scale) else g for g in p.guesses))
        for p in parts
    ]


def _guess(scale: Sequence[str]) -> Guess:
    said = f"the words are taken as labels in this order: {', '.join(scale)} (without an order: --labels)"
    return Guess(said, option("scale", *scale))
