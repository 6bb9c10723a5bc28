"""Texts to tokens as ROUGE-1.5.5 makes them: small letters and digits, one sentence a line, stems where asked for.

Two ways: ``ascii``, as ROUGE does (anything but A-Z, a-z and 0-9 is a blank, so ``café`` is ``caf``), and ``unicode``
(letters, marks and digits of any script; characters of Chinese and Japanese are a token each).

Its stems are Porter's as the package ``snowballstemmer`` gives them, then four things that Porter did not mean: the
script goes on after it has taken off an ending (*incidental*: *incid*), tries the shorter endings where a long one
cannot go (*agreement*: *agreem*), knows *-bly* and *-logy* (*crumbly*: *crumbl*), and makes every double letter but l,
s and z single (*trekked*: *trek*; the package does so for some letters only).
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, AnyStr

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, MissingExtra, suggest
from quorate.summaries.declarations import ROUGE

Array = NDArray[Any]
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


LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789\n"
ASCII = bytes(c if (c := bytes([b]).lower()[0]) in LETTERS else 32 for b in range(256))
SHORT = 3  # tokens up to this length are not stemmed
_STOP_WORDS = """
a about above after again against all also although am among an and any are as at be because been before being below
between both but by can could did do does doing down during each either else few for from further had has have having
he her here hers herself him himself his how however i if in into is it its itself just may me might mine more most
much must my myself neither no nor not now of off on once one only onto or other ought our ours ourselves out over own
per same shall she should since so some such than that the their theirs them themselves then there these they this
those though through to too under until up upon us very was we were what when where whether which while who whom whose
why will with within without would yet you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


class _Unicode(dict[int, str | int | None]):
    """What each character becomes; looked up once."""

    def __missing__(self, code: int) -> str | int | None:
        letter = chr(code)
        kind = unicodedata.category(letter)
        made: str | int | None
        if letter == "\n" or kind[0] in "LMN":
            made = code
            if unicodedata.name(letter, "").startswith(("CJK", "HIRAGANA", "KATAKANA")):
                made = f" {letter} "
        else:
            made = None if kind == "Cf" else " "  # joiners and soft hyphens stand inside words
        self[code] = made
        return made


@dataclass(frozen=True, eq=False)
class Tokenised:
    """Texts as numbers: sentence s is ``tokens[sentences[s]:sentences[s + 1]]``; ``texts`` holds sentences likewise."""

    tokens: Array
    sentences: Array  # where each sentence begins, and the end
    texts: Array  # the first sentence of each text, and the end
    words: tuple[str, ...]  # what the numbers stand for

    @property
    def starts(self) -> Array:
        """Where each text's tokens begin, and the end."""
        return self.sentences[self.texts]

    def numbered_as(self, other: Tokenised) -> Array:
        """The tokens with the numbers that they have in ``other``; what is not in it comes after."""
        if self.words == other.words:
            return self.tokens
        numbers = {word: k for k, word in enumerate(other.words)}
        return np.array([numbers.setdefault(word, len(numbers)) for word in self.words], np.int64)[self.tokens]

    def followed_by(self, other: Tokenised) -> Tokenised:
        """These texts and then others, in one numbering."""
        tokens = np.concatenate([self.tokens, other.numbered_as(self)])
        words = tuple(dict.fromkeys((*self.words, *other.words)))
        sentences = np.concatenate([self.sentences, other.sentences[1:] + self.sentences[-1]])
        return Tokenised(tokens, sentences, np.concatenate([self.texts, other.texts[1:] + self.texts[-1]]), words)

    def of(self, text: int) -> list[str]:
        """The tokens of one text."""
        start, end = self.starts[text : text + 2]
        return [self.words[t] for t in self.tokens[start:end].tolist()]


@dataclass(frozen=True)
class Tokeniser:
    """How texts become tokens. ``stem`` is True for ROUGE's stems, or a stemmer that ``snowballstemmer`` knows.

    >>> Tokeniser().tokens("The cat's 2 mats: café!")
    ['the', 'cat', 's', '2', 'mats', 'caf']
    >>> Tokeniser(unicode=True).tokens("Café 東京")
    ['café', '東', '京']
    """

    unicode: bool = False
    stem: bool | str = False
    stop_words: Collection[str] = ()
    limit_words: int | None = None  # only so many of a text's words, as blanks part them
    limit_bytes: int | None = None  # only so many of its bytes, line ends not counted
    exceptions: Mapping[str, str] = field(default_factory=dict)  # stems that go before the stemmer's
    forgetful: bool = False  # lines shorter than the limit are not taken off it: L and W in ROUGE-1.5.5, with bytes

    def __post_init__(self) -> None:
        if self.limit_words is not None and self.limit_bytes is not None:
            raise BadParameter("a limit in words and one in bytes.", "ROUGE takes one of the two.")
        for name in ("limit_words", "limit_bytes"):
            ROUGE[name].check(getattr(self, name))

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text."""
        return self.tokenise([text]).of(0)

    def tokenise(self, texts: Sequence[str]) -> Tokenised:
        """All texts at once: every different word is looked at once, so stemming costs little."""
        encoded = [self._limited(text) for text in texts]
        lines = np.array([text.count(b"\n") + 1 for text in encoded], np.int64)
        plain = b"\n".join(encoded)
        plain = self._as_unicode(plain) if self.unicode else plain.translate(ASCII)
        given = plain.split()
        numbers: defaultdict[bytes, int] = defaultdict(count().__next__)
        tokens = np.fromiter(map(numbers.__getitem__, given), np.int64, len(given))
        kinds, words = self._kinds([w.decode() for w in numbers])
        tokens = kinds[tokens] if len(tokens) else tokens
        kept = tokens >= 0
        sentences = _words_before_lines(plain) if texts else np.zeros(1, np.int64)
        if not kept.all():
            tokens, sentences = tokens[kept], np.concatenate([[0], np.cumsum(kept)])[sentences]
        return Tokenised(tokens, sentences, np.concatenate([[0], np.cumsum(lines)]), words)

    def _limited(self, text: str) -> bytes:
        """The text up to the limit."""
        encoded = text.encode("utf-8", "replace")
        if self.limit_words is None and self.limit_bytes is None:
            return encoded
        return b"\n".join(self._cut(encoded.split(b"\n")))

    def _as_unicode(self, texts: bytes) -> bytes:
        """Small letters, marks and digits of any script, with blanks of ASCII between them."""
        plain = unicodedata.normalize("NFC", texts.decode("utf-8", "ignore")).lower().translate(UNICODE)
        return plain.encode()

    def _cut(self, lines: list[bytes]) -> list[bytes]:
        """The lines up to the limit."""
        limit = self.limit_words if self.limit_bytes is None else self.limit_bytes
        if limit is None:
            return lines
        out: list[bytes] = []
        for line in lines:
            parts = split_words(line) if self.limit_bytes is None else line
            if len(parts) >= limit:
                return [*out, b" ".join(parts[:limit]) if isinstance(parts, list) else parts[:limit]]
            if not self.forgetful:
                limit -= len(parts)
            out.append(line)
        return out

    def _kinds(self, words: list[str]) -> tuple[Array, tuple[str, ...]]:
        """Number of the stem of each word, -1 for stop words; and the stems."""
        stem = stemmer(self.stem, self.exceptions) if self.stem else None
        stems: defaultdict[str, int] = defaultdict(count().__next__)
        stop = frozenset(self.stop_words)
        kinds = [-1 if w in stop else stems[w if stem is None or len(w) <= SHORT else stem(w)] for w in words]
        return np.array(kinds, np.int64), tuple(stems)


def _words_before_lines(text: bytes) -> Array:
    """How many words come before every line, and in all; blanks and line ends part them."""
    letter = np.frombuffer(text, np.uint8)
    inside = letter > 32
    begins = np.flatnonzero(inside[1:] > inside[:-1]) + 1
    before = np.searchsorted(begins, np.flatnonzero(letter == 10)) + inside[:1].sum()
    return np.concatenate([[0], before, [len(begins) + inside[:1].sum()]])


def split_words(line: AnyStr) -> list[AnyStr]:
    """What blanks part. As in ROUGE-1.5.5, a line that begins with a blank has a word of no letters before it."""
    words: list[AnyStr] = line.split()
    return ([line[:0]] if words and line[:1].isspace() else []) + words


UNICODE = _Unicode()
