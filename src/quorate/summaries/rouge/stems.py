"""The stems of ROUGE-1.5.5: Porter's as the package ``snowballstemmer`` gives them, then what the script does else.

Four things, none of which Porter meant: it goes on after it has taken off an ending (*incidental*: *incid*), tries the
shorter endings where a long one cannot go (*agreement*: *agreem*), knows *-bly* and *-logy* (*crumbly*: *crumbl*), and
makes every double letter but l, s and z single (*trekked*: *trek*; the package does so for some letters only).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from quorate.errors import BadParameter, MissingExtra, suggest

PORTER = "porter"  # the stemmer that ROUGE uses, but for what is below
DOUBLE = re.compile(r"([chjkqvwx])\1")  # those that the package leaves
WAS_Y = re.compile(r"y.*|i|ies|ied")  # what the i at a stem's end was
LAST = ("ent", "ion")  # endings that may follow one that was taken off
SILENT = re.compile(r"e(?!d|r|nce|ncy|nci|ment)")  # an e that stood there when endings were taken off, and went later


def stemmer(name: bool | str, exceptions: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """A function that gives a word's stem; ``exceptions`` go before it.

    ``True`` is ROUGE's, a name is a stemmer of the package as it is.

    >>> [stemmer(True)(w) for w in ("running", "agreement", "professionally")]
    ['run', 'agreem', 'profess']
    >>> stemmer("porter")("agreement")
    'agreement'
    """
    try:
        snowballstemmer: Any = importlib.import_module("snowballstemmer")
    except ImportError:
        raise MissingExtra("snowballstemmer", "text", "stemming") from None
    wanted = PORTER if name is True else str(name)
    if wanted not in snowballstemmer.algorithms():
        raise BadParameter(f"no stemmer '{wanted}'.", suggest(wanted, snowballstemmer.algorithms()))
    plain: Callable[[str], str] = snowballstemmer.stemmer(wanted).stemWord
    found = (lambda word: as_in_rouge(word, plain(word))) if name is True else plain
    if not exceptions:
        return found
    return lambda word: exceptions[word] if word in exceptions else found(word)


def as_in_rouge(word: str, stem: str) -> str:
    """The stem that ROUGE-1.5.5 gives a word, from Porter's."""
    if stem.endswith(LAST):
        return _shorter(word, stem)
    if stem.endswith("bli") and _size(stem[:-3]):
        return _tidy(stem[:-4]) if stem[-4] == "i" and _size(stem[:-4]) > 1 else stem[:-1]
    if stem.endswith("logi") and _size(stem[:-4]) and WAS_Y.fullmatch(word[len(stem) - 1 :]):
        return stem[:-1]
    if DOUBLE.fullmatch(stem[-2:]) and word[len(stem) :].startswith(("ed", "ing")):
        return stem[:-1]
    return stem


def _shorter(word: str, stem: str) -> str:
    """Without *-ment*, then *-ent* or *-ion*, where Porter has taken off an earlier ending of the list, or none."""
    gone = word[len(stem) :]
    if gone.startswith(LAST) or SILENT.match(gone):
        return stem
    out = stem
    if out.endswith("ment") and not gone.startswith("ment") and _size(out[:-4]) > 1:
        out = out[:-4]
    if _size(out[:-3]) > 1 and out.endswith(("ent", "sion", "tion")):
        out = out[:-3]
    return stem if out == stem else _tidy(out)


def _tidy(stem: str) -> str:
    """Porter's last step, for a stem of more than one syllable: no e at the end, and no double l."""
    if stem.endswith("e"):
        return stem[:-1] if _size(stem[:-1]) > 1 else stem
    return stem[:-1] if stem.endswith("ll") and _size(stem) > 1 else stem


def _size(word: str) -> int:
    """Porter's measure: how often consonants come after vowels; a y after a consonant is a vowel."""
    letters = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and letters[-1:] == "c")
        letters += "v" if vowel else "c"
    return letters.count("vc")
