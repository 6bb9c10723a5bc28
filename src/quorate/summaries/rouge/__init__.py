"""ROUGE: how much of what several people wrote is in a summary. Faithful to ROUGE-1.5.5, for many summaries at once."""

from __future__ import annotations

from quorate.summaries.rouge.score import Rouge, Texts, rouge
from quorate.summaries.rouge.tokens import STOP_WORDS, Tokeniser
from quorate.summaries.rouge.variants import Variant, variants

__all__ = ["STOP_WORDS", "Rouge", "Texts", "Tokeniser", "Variant", "rouge", "variants"]
