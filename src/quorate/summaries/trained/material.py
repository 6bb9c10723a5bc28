"""What features of summaries are computed from, and how one is declared: a small function over text, models, documents.

A feature is a figure for every summary of a :class:`Material`. It declares what it ``needs`` besides the text (models,
earlier models, documents), and whether more of it is ``better`` (1), worse (-1), or neither by itself (0). A correction
is a change of one function: the published description of such metrics does not give the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.summaries.rouge.tokens import Tokeniser
from quorate.summaries.rouge.views import Views
from quorate.summaries.trained.sentences import sentences

Array = NDArray[Any]
Lists = tuple[tuple[str, ...], ...]
Counted = dict[str, dict[tuple[str, str], tuple[float, float]]]  # by ROUGE, text and model: hits, and out of how many
NEEDS = ("models", "earlier", "documents")


@dataclass(frozen=True, eq=False)
class Material:
    """Summaries, and for each of them the models it is held against, earlier models (for updates) and documents.

    A summary's own model is not among its models. ``jackknife`` gives systems a model less, as people have; ``own``
    tells the summaries that are people's.
    """

    texts: tuple[str, ...]
    models: Lists = ()
    earlier: Lists = ()
    documents: Lists = ()
    own: tuple[bool, ...] = ()
    jackknife: bool = False
    limit: int | None = 100  # words that a summary may have
    stem: bool = True
    known: dict[str, list[str]] = field(default_factory=dict, repr=False)  # tokens, may be shared
    counted: Counted = field(default_factory=dict, repr=False)  # what texts and models share, may be shared too

    def __post_init__(self) -> None:
        for name in (*NEEDS, "own"):
            if len(getattr(self, name)) not in (0, len(self.texts)):
                raise InputError(f"{name} are not given for every text.", f"{len(self.texts):,} lists, or none at all.")

    def has(self, need: str) -> bool:
        """Whether some summary has models, earlier models, documents."""
        return any(getattr(self, need))

    def tokens(self, texts: Iterable[str]) -> list[list[str]]:
        """The tokens of each text, as ROUGE makes them; every different text is looked at once."""
        listed = list(texts)
        new = [t for t in dict.fromkeys(listed) if t not in self.known]
        if new:
            found = Tokeniser(stem=self.stem).tokenise(new)
            words, ends = [found.words[k] for k in found.tokens.tolist()], found.starts.tolist()
            self.known.update((text, words[ends[k] : ends[k + 1]]) for k, text in enumerate(new))
        return [self.known[t] for t in listed]

    @cached_property
    def views(self) -> tuple[Views, dict[str, int]]:
        """Summaries and all their models as ROUGE sees them, tokenised once; and the number of each model."""
        every = dict.fromkeys(r for some in (*self.models, *self.earlier) for r in some)
        return Views(Tokeniser(stem=self.stem), self.texts, tuple(every)), {text: k for k, text in enumerate(every)}

    @cached_property
    def sentences(self) -> list[list[list[str]]]:
        """The tokens of every sentence of every text; sentences without any are gone."""
        parts = [sentences(t) for t in self.texts]
        found = iter(self.tokens(s for some in parts for s in some))
        return [[tokens for _ in some if (tokens := next(found))] for some in parts]


Function = Callable[[Material], Array]


@dataclass(frozen=True)
class Feature:
    """A declared feature: a figure for each summary of a material, NaN where what it needs is missing."""

    name: str
    function: Function
    needs: tuple[str, ...]
    better: int
    about: str

    def __call__(self, material: Material) -> Array:
        """The figures of all summaries."""
        if not all(material.has(n) for n in self.needs):
            return np.full(len(material.texts), np.nan)
        return np.asarray(self.function(material), float)


FEATURES: dict[str, Feature] = {}


def feature(name: str, *needs: str, better: int = 0) -> Callable[[Function], Function]:
    """Declare a function of a material as a feature."""

    def declare(function: Function) -> Function:
        add(name, function, needs, better, (function.__doc__ or "").strip().split("\n")[0])
        return function

    return declare


def add(name: str, function: Function, needs: tuple[str, ...], better: int, about: str) -> None:
    """Put a feature into the registry."""
    unknown = set(needs) - set(NEEDS)
    if unknown or name in FEATURES:
        raise BadParameter(f"feature '{name}' is declared twice or needs what there is not.", ", ".join(NEEDS))
    FEATURES[name] = Feature(name, function, needs, better, about)
