"""Shapes of JSON bodies: the part of JSON Schema that the API's description uses, checked here with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Shape = dict[str, Any]
_TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
_TYPES |= {"integer": int, "number": (int, float)}
DEEPEST = 30

TEXT: Shape = {"type": "string", "maxLength": 10_000}
ID: Shape = {"type": "string", "format": "uuid", "minLength": 36, "maxLength": 36}
COUNT: Shape = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
ANY: Shape = {}


def obj(*needed: str, more: bool = False, **fields: Shape) -> Shape:
    """An object with these fields; those named first are needed."""
    out: Shape = {"type": "object", "properties": fields, "additionalProperties": more}
    return {**out, "required": list(needed)} if needed else out


def array(of: Shape, most: int = 100_000) -> Shape:
    """A list."""
    return {"type": "array", "items": of, "maxItems": most}


def maybe(shape: Shape) -> Shape:
    """The same, or null."""
    return {**shape, "type": [shape["type"], "null"]}


def parsed(data: bytes) -> Any:
    """JSON as we take it: no NaN, nothing that a database cannot hold, not too deep."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("the body is not JSON.") from None
    _harmless(value, 0)
    return value


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _harmless(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError("the body is too deep.")
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= c <= "\udfff" for c in value):
            raise ValueError("a text holds a character that is none.")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _harmless(key, depth)
            _harmless(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _harmless(inner, depth + 1)
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("a number is too large.")


def wrong(value: Any, shape: Mapping[str, Any], where: str = "body") -> Iterator[str]:
    """What does not fit, in words.

    >>> list(wrong({"name": 3}, obj("name", "age", name=TEXT, age=COUNT)))
    ['body: age is missing', 'body.name: not a string']
    """
    kinds = shape.get("type")
    if kinds is not None:
        named = kinds if isinstance(kinds, list) else [kinds]
        if not any(_is(value, kind) for kind in named):
            yield f"{where}: not {' or '.join('an ' + k if k[0] in 'aio' else 'a ' + k for k in named)}"
            return
    if "enum" in shape and value not in shape["enum"]:
        yield f"{where}: not one of {', '.join(map(str, shape['enum']))}"
    if isinstance(value, str) and not shape.get("minLength", 0) <= len(value) <= shape.get("maxLength", 10**9):
        yield f"{where}: of the wrong length"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and not shape.get("minimum", value) <= value <= shape.get("maximum", value):
        yield f"{where}: out of range"
    if isinstance(value, dict):
        yield from _fields(value, shape, where)
    if isinstance(value, list):
        if len(value) > shape.get("maxItems", 10**9):
            yield f"{where}: too long a list"
            return
        for k, inner in enumerate(value):
            yield from wrong(inner, shape.get("items", {}), f"{where}[{k}]")


def _fields(value: dict[str, Any], shape: Mapping[str, Any], where: str) -> Iterator[str]:
    fields = shape.get("properties", {})
    for name in shape.get("required", ()):
        if name not in value:
            yield f"{where}: {name} is missing"
    for name, inner in value.items():
        if name in fields:
            yield from wrong(inner, fields[name], f"{where}.{name}")
        elif shape.get("additionalProperties") is False:
            yield f"{where}: there is no field '{name[:60]}'"


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
