"""Which frequent patterns count, and what one weighs: (1 + w_len (length - 1)) (1 + w_sup (support - 1))."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rule:
    """Lengths from ``min_len`` to ``max_len`` (None: any), and how much more further items and judges weigh.

    >>> Rule().by_length(3) * Rule().by_support(4)
    12.0
    """

    min_len: int = 2
    max_len: int | None = None
    w_len: float = 1.0
    w_sup: float = 1.0

    def by_length(self, length: Any) -> Any:
        """The part of the weight that the length gives."""
        return 1 + self.w_len * (length - 1)

    def by_support(self, support: Any) -> Any:
        """The part of the weight that the support gives."""
        return 1 + self.w_sup * (support - 1)
