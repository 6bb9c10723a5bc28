"""What a trust method says: rows of values, the overall figures, and what they mean in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.inference.results import Overall


@dataclass(frozen=True, eq=False)
class Believed:
    """Rows by their keys, the overall figures, and what they say."""

    keys: Mapping[str, Sequence[Any]]
    values: Sequence[Any]
    overall: Sequence[Overall]
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
