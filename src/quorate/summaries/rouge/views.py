"""What each ROUGE sees of the texts: n-grams, skip-bigrams, lines and basic elements are not always of the same tokens.

In ROUGE-1.5.5 a limit in bytes holds for n-grams, but for L and W only line by line; and where just the models are
stemmed (``-M``), n-grams do not know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from quorate.errors import BadParameter
from quorate.summaries.rouge.basic_elements import elements
from quorate.summaries.rouge.stems import stemmer
from quorate.summaries.rouge.tokens import Tokenised, Tokeniser
from quorate.summaries.rouge.variants import Variant


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
