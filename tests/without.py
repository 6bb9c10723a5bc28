"""Leaving out what takes long and has tests of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
