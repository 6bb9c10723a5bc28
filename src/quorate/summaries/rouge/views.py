"""What each ROUGE sees of the texts: n-grams, skip-bigrams, lines and basic elements are not always of the same tokens.

In ROUGE-1.5.5 a limit in bytes holds for n-grams, but for L and W only line by line; and where just the models are
stemmed (``-M``), n-grams do not know of it.

Basic elements are a head, its modifier and the relation between them, compared as wholes. A line is
``HEAD|MODIFIER|RELATION``, where ``NIL`` stands for none. Making them takes a parser, which is not here; the files of
another program's are read, as ROUGE-1.5.5 does with ``-3``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from quorate.errors import BadParameter
from quorate.formats.rouge_files import element_fields
from quorate.summaries.rouge.tokens import SHORT, Tokenised, Tokeniser, split_words, stemmer
from quorate.summaries.rouge.variants import Variant

NIL = "nil"


def elements(texts: Sequence[str], mode: str, stem: Callable[[str], str] | None = None) -> Tokenised:
    """The elements of every text as numbers, one token each.

    ``H`` takes heads without a modifier, ``HM`` heads with one, ``HMR`` all three where there is a relation. ``HM1``
    and ``HMR2`` take every line, ``HMR1`` every line with a modifier.

    >>> elements(["cat|big|mod\\ndog|NIL|NIL"], "HM").of(0), elements(["cat|big|mod\\ndog|NIL|NIL"], "HM1").of(0)
    (['cat|big'], ['cat|big', 'dog|nil'])
    """
    numbers: dict[str, int] = {}
    tokens: list[int] = []
    starts = [0]
    for text in texts:
        for fields in element_fields(text):
            unit = _unit(fields, mode, stem)
            if unit is not None:
                tokens.append(numbers.setdefault(unit, len(numbers)))
        starts.append(len(tokens))
    return Tokenised(np.array(tokens, np.int64), np.array(starts), np.arange(len(texts) + 1), tuple(numbers))


def _unit(fields: tuple[str, str, str], mode: str, stem: Callable[[str], str] | None) -> str | None:
    """What is compared of one line, or None where the mode leaves it out."""
    head, modifier, relation = (_small(f) for f in fields)
    wanted = {"H": modifier == NIL, "HM": modifier != NIL, "HMR": relation != NIL, "HMR1": modifier != NIL}
    if not wanted.get(mode, True):
        return None
    parts = [head, modifier][: 1 if mode == "H" else 2]
    if stem is not None:
        parts = [" ".join(w if len(w) <= SHORT else stem(w) for w in split_words(p)) for p in parts]
    return "|".join([*parts, relation] if mode.startswith("HMR") else parts)


def _small(text: str) -> str:
    """Small letters; as in ROUGE-1.5.5, of A to Z only."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


class Views:
    """Summaries, then references, as numbers; each view is made when it is asked for."""

    def __init__(
        self, how: Tokeniser, summaries: Sequence[str], references: Sequence[str], stem_models: bool = False
    ) -> None:
        if stem_models and how.stem:
            raise BadParameter("stems of all texts and of the models only.", "leave out one of the two.")
        self.how = how
        self.texts = (summaries, references)
        self.stem_models = stem_models

    def of(self, variant: Variant) -> Tokenised:
        """The texts as a variant sees them."""
        if variant.family == "BE":
            return self._elements(variant.mode)
        if variant.family in ("L", "W") and not variant.whole:
            return self.lines
        return self.skips if variant.family in ("S", "SU") else self.grams

    @cached_property
    def grams(self) -> Tokenised:
        """For n-grams."""
        return self.how.tokenise([*self.texts[0], *self.texts[1]])

    @cached_property
    def skips(self) -> Tokenised:
        """For skip-bigrams, and for how often a token may make a hit in L and W."""
        return self._with_models(self.how) if self.stem_models else self.grams

    @cached_property
    def lines(self) -> Tokenised:
        """For longest common subsequences of lines."""
        if self.how.limit_bytes is None:
            return self.skips
        forgetful = replace(self.how, forgetful=True)
        if self.stem_models:
            return self._with_models(forgetful)
        return forgetful.tokenise([*self.texts[0], *self.texts[1]])

    def _with_models(self, how: Tokeniser) -> Tokenised:
        summaries, references = self.texts
        return how.tokenise(summaries).followed_by(replace(how, stem=True).tokenise(references))

    def _elements(self, mode: str) -> Tokenised:
        if self.how.stop_words or self.how.limit_words or self.how.limit_bytes:
            raise BadParameter(
                "basic elements have no stop words and no limits.", "they are compared whole: leave the option out."
            )
        both: list[Callable[[str], str] | None] = [None, None]
        if self.how.stem:
            both = [stemmer(self.how.stem, self.how.exceptions)] * 2
        elif self.stem_models:
            both[1] = stemmer(True, self.how.exceptions)
        one, two = (elements(texts, mode, stem) for texts, stem in zip(self.texts, both, strict=True))
        return one.followed_by(two)
