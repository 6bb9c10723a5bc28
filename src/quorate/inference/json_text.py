"""Plain data as JSON text, one space deeper a level: the bytes of ``json.dumps(indent=1)``, in a fifth of its time.

>>> print(json_text({"judge": "ann", "interval": [0.5, None], "labels": {}}))
{
 "judge": "ann",
 "interval": [
  0.5,
  null
 ],
 "labels": {}
}
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

ROWS = 1000  # of a list of rows that are one piece of text


def json_text(data: Any) -> str:
    """The text in one piece."""
    return _text(data, "\n")


def json_pieces(data: Mapping[str, Any]) -> Iterator[str]:
    """The same piece by piece; a value that is an iterator is a list whose rows are made as they are written."""
    before = "{"
    for name, value in data.items():
        yield f"{before}\n {_key(name)}: "
        yield from _rows(value) if isinstance(value, Iterator) else (_text(value, "\n "),)
        before = ","
    yield "\n}" if data else "{}"


def _rows(rows: Iterator[Any]) -> Iterator[str]:
    before = "[\n  "
    while some := list(islice(rows, ROWS)):
        yield before + ",\n  ".join([_text(row, "\n  ") for row in some])
        before = ",\n  "
    yield "[]" if before.startswith("[") else "\n ]"


def _text(value: Any, pad: str) -> str:
    """A value; ``pad`` is the line end and the indent of what it stands in."""
    kind = type(value)
    if plain := _PLAIN.get(kind):
        return plain(value)
    if (kind is dict or kind is list or kind is tuple) and not value:
        return "{}" if kind is dict else "[]"
    inner = pad + " "
    if kind is dict:
        cells = [f"{_key(k)}: {_text(v, inner)}" for k, v in value.items()]
        return f"{{{inner}{f',{inner}'.join(cells)}{pad}}}"
    if kind is list or kind is tuple:
        return f"[{inner}{f',{inner}'.join([_text(v, inner) for v in value])}{pad}]"
    return _usual(value).replace("\n", pad)  # a text has no line ends of its own


def _key(name: Any) -> str:
    if type(name) is str:
        return _string(name)
    return _usual({name: 0})[3:-5]


def _number(value: float) -> str:
    return float.__repr__(value) if math.isfinite(value) else _usual(value)


def _usual(value: Any) -> str:
    """As the standard library writes it, which refuses what is not finite."""
    return json.dumps(value, ensure_ascii=False, indent=1, default=str, allow_nan=False)


_string = json.encoder.encode_basestring
_PLAIN: dict[type, Callable[[Any], str]] = {
    str: _string,
    float: _number,
    int: int.__repr__,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): lambda none: "null",
}
