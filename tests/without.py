"""Leaving out what takes long and has tests of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any
from unittest.mock import patch


@contextmanager
def no_flags() -> Iterator[None]:
    """Nobody is looked for who might be off: judges' figures alone."""
    with patch("quorate.inference.flags.flagged", lambda *given: []):
        yield


def without_flags(test: Callable[..., Any]) -> Callable[..., Any]:
    """A test of judges' figures alone."""

    @wraps(test)
    def run(*given: Any, **named: Any) -> None:
        with no_flags():
            test(*given, **named)

    return run


@contextmanager
def in_small() -> Iterator[None]:
    """Who is off, camps, copies and how many judges it takes from fewer draws than usual: where words are looked at."""
    fewer = {"flags.ALIKE": 39, "flags.ALIKE_MORE": 99, "flags.TRIALS": 4, "copies.ALIKE": 39, "copies.TRIALS": 4}
    fewer |= {"needed.CELLS": 2000, "camps.NULLS": 99, "branches.BRANCHES": 40, "certainty.LABELS": 300}
    with ExitStack() as stack:
        for name, number in fewer.items():
            stack.enter_context(patch(f"quorate.inference.{name}", number))
        yield
