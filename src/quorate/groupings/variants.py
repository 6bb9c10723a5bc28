"""Methods that leave a parameter open which is worth trying in several ways: one for each of them."""

from __future__ import annotations

from collections.abc import Sequence

from quorate.panel.base import Panel
from quorate.table import Method


def fitting(panel: Panel, methods: Sequence[Method]) -> list[Method]:
    """The methods; where one leaves open what left-out items are, or the measure, once in each way it declares."""
    return list({str(m): m for given in methods for m in _variants(given)}.values())


def _variants(method: Method) -> list[Method]:
    out = [method]
    for name, values in method.declaration.properties.get("variants", {}).items():
        if name not in dict(method.settings):
            out = [m.with_(**{name: value}) for m in out for value in values]
    return out
