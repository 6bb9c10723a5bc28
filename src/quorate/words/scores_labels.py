"""That methods were left out because scores are labels."""

from __future__ import annotations

from collections.abc import Sequence

from quorate.panel.kinds import Scores
from quorate.scores.labels import allowed
from quorate.table import Method


def left_out(panel: Scores, methods: Sequence[Method]) -> list[str]:
    """Which of the methods asked for need numbers."""
    off = [str(m) for m in methods if not allowed(m, panel.ordered)] if panel.scale else []
    why = "they need numbers" if panel.ordered else "they need numbers, or a scale"
    return [f"scores are labels, so left out: {', '.join(off)} ({why})"] if off else []
