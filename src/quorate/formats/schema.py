"""A study's schema: what its files hold, written down once (TOML) and checked on every run.

kind = "scores"
missing = ["NA"]
absent = "not-shown"

[columns]            # what a column is
worker = "judge"

[scale]              # of numbers; labels = ["low", "medium", "high"] of labels, lowest first
low = 1
high = 5
direction = "higher"

[expected]           # a number, or the names
judges = ["ann", "bob"]
items = 40
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.errors import SHOWN, InputError, suggest
from quorate.formats.files import File, PathLike
from quorate.formats.registry import READING, pins
from quorate.panel.base import listed, many
from quorate.panel.kinds import PANELS, Panel, Scores

ABSENT = ("below", "left-out", "not-shown", "unknown")
KEYS = ("kind", "format", "absent", "columns", "scale", "expected", "options", *READING)
COUNTED = ("judges", "items", "tasks", "systems", "criteria")


def load(source: PathLike | Mapping[str, Any]) -> dict[str, Any]:
    """A schema from a TOML file or a dict; what it may not hold is an error."""
    if isinstance(source, Mapping):
        where, found = "schema", dict(source)
    else:
        file = File(source)
        where = file.name
        with file.text() as stream:
            try:
                found = tomllib.loads(stream.read())
            except (tomllib.TOMLDecodeError, RecursionError) as error:
                raise InputError(
                    f"{where}: not TOML: {error}.", "`quorate inspect --write-schema` makes one."
                ) from None
    for key in found:
        if key not in KEYS:
            raise InputError(f"{where}: a schema has no '{key}'.", suggest(key, KEYS, "Keys"))
    for key, kind in (("columns", Mapping), ("scale", Mapping), ("expected", Mapping), ("options", Mapping)):
        if not isinstance(found.get(key, {}), kind):
            raise InputError(f"{where}: '{key}' is no table.", f"write [{key}] and its keys below.")
    _check_keys(where, found)
    return found


def _check_keys(where: str, found: Mapping[str, Any]) -> None:
    for name, known in (("expected", COUNTED), ("scale", ("low", "high", "labels", "direction"))):
        for key in found.get(name, {}):
            if key not in known:
                raise InputError(f"{where}: [{name}] has no '{key}'.", suggest(key, known, "Keys"))
    for name, words in (("kind", tuple(PANELS)), ("absent", ABSENT)):
        if name in found and found[name] not in words:
            raise InputError(f"{where}: no {name} '{found[name]}'.", suggest(str(found[name]), words, "There are"))
    direction = found.get("scale", {}).get("direction", "higher")
    if direction not in ("higher", "lower"):
        raise InputError(f"{where}: no direction '{direction}'.", "the better scores are higher or lower.")
    if direction == "lower" and not {"low", "high"} <= set(found["scale"]):
        raise InputError(f"{where}: scores of which lower is better need both ends of the scale.", "give low and high.")


def options(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a schema tells the reader."""
    out: dict[str, Any] = {key: schema[key] for key in (*READING, "kind", "format") if key in schema}
    out |= dict(schema.get("options", {}))
    if schema.get("columns"):
        out["rename"] = dict(schema["columns"])
    if schema.get("scale", {}).get("labels"):
        out["scale"] = [str(label) for label in schema["scale"]["labels"]]
    return out


def checked(panel: Panel, schema: Mapping[str, Any]) -> Panel:
    """The panel as the schema has it; every breach is told."""
    breaches = list(_breaches(panel, schema))
    if breaches:
        where = listed(panel.reading.files) or "input"
        fact = f"not as the schema says ({len(breaches)} breach{'es' if len(breaches) > 1 else ''})"
        hint = "mend the file, or the schema."
        raise InputError(fact, hint, source=where, problems=[(None, b) for b in breaches], count=len(breaches))
    if schema.get("absent"):
        panel = replace(panel, absent=schema["absent"])
    scale = schema.get("scale", {})
    if scale.get("direction") == "lower" and isinstance(panel, Scores) and not panel.scale:
        turned = np.asarray(scale["low"] + scale["high"] - panel.value)
        turned.flags.writeable = False
        note = f"lower scores are better, so they are turned round: {scale['low']} counts as {scale['high']}"
        panel = replace(panel, value=turned, notes=(*panel.notes, note))
    return panel


def _breaches(panel: Panel, schema: Mapping[str, Any]) -> Iterator[str]:
    if "kind" in schema and panel.kind != schema["kind"]:
        yield f"kind: {panel.kind}, not {schema['kind']}"
    expected = schema.get("expected", {})
    for name in COUNTED:
        if name in expected:
            yield from _unexpected(name, ids_of(panel, name), expected[name])
    scale = schema.get("scale", {})
    if isinstance(panel, Scores) and not panel.scale:
        there = panel.value[~np.isnan(panel.value)]
        for end, off in (("low", there < scale.get("low", -np.inf)), ("high", there > scale.get("high", np.inf))):
            if off.any():
                shown = listed([f"{v:g}" for v in np.unique(there[off])[:SHOWN]], 5)
                side = "below" if end == "low" else "above"
                yield f"scale: {many(int(off.sum()), 'score')} {side} {scale[end]}: {shown}"


def _unexpected(name: str, found: Sequence[Any], wanted: Any) -> Iterator[str]:
    if isinstance(wanted, int):
        if len(found) != wanted:
            yield f"{name}: {len(found):,}, not {wanted:,}"
        return
    names, have = {str(w) for w in wanted}, {str(f) for f in found}
    if have - names:
        yield f"{name}: not expected: {listed(sorted(have - names), 5)}"
    if names - have:
        yield f"{name}: expected but not there: {listed(sorted(names - have), 5)}"


def ids_of(panel: Panel, name: str) -> tuple[Any, ...]:
    """The judges, items, tasks, systems or criteria of a panel; of votes both sides are systems."""
    if name in ("judges", "items", "tasks"):
        return tuple(getattr(panel, name))
    label = {"systems": "system", "criteria": "criterion"}[name]
    if label == "system" and hasattr(panel, "systems"):
        return tuple(panel.systems)
    return tuple(i for i in panel.labels[label].ids if i is not None) if label in panel.labels else ()


# -- out -------------------------------------------------------------------------------------------------------------


def written(panel: Panel) -> str:
    """A schema that pins how a panel was read, guesses included."""
    reading = panel.reading
    pinned = pins((*reading.options, *(g.option for g in reading.guesses)))
    columns = pinned.pop("rename", {})
    pinned.pop("scale", None)  # it is in the table of the scale
    lines = [f"# How {listed(reading.files) or 'the judgments'} was read. `--schema` reads it so again, and checks it."]
    told = {"kind": panel.kind, "format": reading.format if reading.format != "frame" else "", "absent": panel.absent}
    lines += [f"{key} = {_toml(value)}" for key, value in (told | pinned).items() if value and key in KEYS]
    more = {key: value for key, value in pinned.items() if key not in KEYS}
    lines += ["", "[options]", *(f"{_key(k)} = {_toml(v)}" for k, v in more.items())] if more else []
    if columns:
        lines += ["", "[columns]", *(f"{_key(old)} = {_toml(new)}" for old, new in columns.items())]
    if isinstance(panel, Scores):
        lines += ["", "[scale]", *_scale_lines(panel)]
    counts = {name: len(ids_of(panel, name)) for name in COUNTED}
    return "\n".join([*lines, "", "[expected]", *(f"{n} = {k}" for n, k in counts.items() if k)]) + "\n"


def _scale_lines(panel: Scores) -> list[str]:
    if panel.scale:
        return [f"labels = {_toml([str(i) for i in panel.scale])}"] if panel.ordered else ["# labels have no order"]
    there = panel.value[~np.isnan(panel.value)]
    ends = (float(there.min()), float(there.max())) if len(there) else (0.0, 0.0)
    return [f"low = {ends[0]:g}", f"high = {ends[1]:g}", 'direction = "higher"']


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").replace("-", "").isalnum() else _toml(name)


def _toml(value: Any) -> str:
    """A value in TOML, whose texts and lists are those of JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
