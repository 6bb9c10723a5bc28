"""ROUGE: how much of what several people wrote is in a summary. Faithful to ROUGE-1.5.5, for many summaries at once."""

from __future__ import annotations

from quorate.rouge.score import Rouge, rouge
from quorate.rouge.texts import Texts
from quorate.rouge.tokens import STOP_WORDS, Tokeniser
from quorate.rouge.variants import Variant, variants

__all__ = ["STOP_WORDS", "Rouge", "Texts", "Tokeniser", "Variant", "rouge", "variants"]
