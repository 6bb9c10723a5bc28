"""Families of tests that are alike: every so many of them in ``make test``, all of them in ``make long``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Member = TypeVar("Member")
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "short")
LONG = PROFILE == "long"


def few(short: int, long: int) -> int:
    """How often a simulation is done: in ``make test``, and in the long form."""
    return long if LONG else short


def some(family: Iterable[Member], every: int) -> list[Member]:
    """Every so many of a family, the first among them; all of it in the long form."""
    return list(family)[:: 1 if LONG else every]
