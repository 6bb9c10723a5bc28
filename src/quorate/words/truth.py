"""How near judges come to a known truth, in words."""

from __future__ import annotations

from quorate.inference.estimate import Estimate
from quorate.panel.base import many
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.numbers import two
from quorate.words.wording import ci


def truth_fact(method: Method, mean: Estimate, voters: int) -> Fact:
    """The mean over voters."""
    said = f"The mean {method} of {many(voters, 'judge')} with the true order is {two(mean.value)}{ci(mean)}."
    return Fact("truth", said, {"estimate": mean})
