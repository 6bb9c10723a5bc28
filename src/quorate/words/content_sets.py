"""Content by frequent sets, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from quorate.panel.base import many
from quorate.words.facts import Fact
from quorate.words.numbers import two
from quorate.words.wording import ci


def content_facts(found: Any) -> Iterator[Fact]:
    """How many models and systems there are, what the method is worth, and how far it agrees with pyramid scores."""
    models, tasks = many(len(found.judges.judges), "model writer"), many(len(found.judges.tasks), "task")
    yield Fact("size", f"{models} and {many(len(found.systems.judges), 'system')} on {tasks}.")
    if not math.isnan(found.ed.value):
        how = "chosen without the tasks they are tried on" if found.tuned else "as given"
        told = f"A model's own units score {two(found.ed.value)}{ci(found.ed)} more than as many drawn at random"
        yield Fact("trust", f"{told} ({found.method}; settings {how}).", {"estimate": found.ed})
    if not math.isnan(found.tau):
        said = f"The order of systems by sets and by {found.score} pyramid scores correlates {two(found.tau)} (tau-b)."
        yield Fact("verdict", said, {"tau_b": found.tau})
