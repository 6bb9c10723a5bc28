"""The registry of features: those of content, then those of language; :mod:`~quorate.summaries.trained.material`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from quorate.errors import BadParameter, suggest
from quorate.summaries.trained import content, linguistic
from quorate.summaries.trained.material import FEATURES, Array, Feature, Material

__all__ = ["FEATURES", "chosen", "content", "linguistic", "measured"]  # both declare theirs when they are imported


def chosen(names: Iterable[str] | None = None) -> tuple[Feature, ...]:
    """Features by name; all of them by default."""
    wanted = list(FEATURES) if names is None else list(dict.fromkeys(names))
    for name in wanted:
        if name not in FEATURES:
            raise BadParameter(f"no feature '{name}'.", suggest(name, FEATURES))
    return tuple(FEATURES[n] for n in wanted)


def measured(material: Material, names: Iterable[str] | None = None) -> Array:
    """The figures of a material, ``[summary, feature]``.

    >>> measured(Material(("A dam broke. Nine died.",), stem=False), ["sentences", "longest"]).tolist()
    [[2.0, 3.0]]
    """
    columns = [f(material) for f in chosen(names)]
    return np.stack(columns, axis=1) if columns else np.empty((len(material.texts), 0))
