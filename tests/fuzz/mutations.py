"""Changes to files: bytes turned, cut, doubled and strewn in, and the structure of JSON and tables put in disorder."""

from __future__ import annotations

import json
import random
from typing import Any

ODD = [  # values that have surprised readers before
    *(
        None,
        True,
        False,
        0,
        -1,
        1e308,
        -0.0,
        10**30,
        "",
        " ",
        "NA",
        "nan",
        "inf",
        "-",
        "'",
        '"',
        "\0",
        "\u202e",
        "\ufeff",
    ),
    *("=1+1", "1,5", "1_000", "９", "é", "tie", "a" * 500, [], {}, [None], [[1]], {"a": {"b": []}}),
]
PIECES = [
    *(
        b"\0",
        b"\xff",
        b'"',
        b'""',
        b",",
        b";",
        b"\t",
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"NA",
    ),
    *(
        b"nan",
        b"-",
        b"1e999",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xae",
        b"sep=;\n",
        b"PK\x03\x04",
        b"PAR1",
        b"9" * 40,
        b"a" * 300,
    ),
]


def changed(content: bytes, rng: random.Random) -> bytes:
    """The content with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        content = rng.choice((_turned, _cut, _inserted, _doubled, _swapped, _structure, _structure))(content, rng)
    return content


def _place(content: bytes, rng: random.Random) -> int:
    return rng.randrange(len(content) + 1)


def _turned(content: bytes, rng: random.Random) -> bytes:
    if not content:
        return content
    out = bytearray(content)
    for _ in range(rng.choice((1, 1, 3, 20))):
        out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def _cut(content: bytes, rng: random.Random) -> bytes:
    a, b = sorted((_place(content, rng), _place(content, rng)))
    return content[:a] + content[b:] if rng.random() < 0.7 else content[:a]


def _inserted(content: bytes, rng: random.Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + rng.choice(PIECES) * rng.choice((1, 1, 2, 50)) + content[at:]


def _doubled(content: bytes, rng: random.Random) -> bytes:
    a, b = sorted((_place(content, rng), _place(content, rng)))
    return content[:b] + content[a:b] + content[b:]


def _swapped(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _structure(content: bytes, rng: random.Random) -> bytes:
    """A value of JSON or a cell of a table made something else."""
    try:
        text = content.decode()
        if text.lstrip()[:1] == "[":
            return json.dumps(_odd(json.loads(text), rng)).encode()
        if text.lstrip()[:1] == "{":
            lines = text.splitlines() or [""]
            at = rng.randrange(len(lines))
            lines[at] = json.dumps(_odd(json.loads(lines[at]), rng))
            return "\n".join(lines).encode()
    except ValueError:
        pass
    mark = max((b",", b";", b"\t"), key=content.count)
    rows = [line.split(mark) for line in content.split(b"\n")]
    row = rng.choice(rows)
    at = rng.randrange(len(row))
    how = rng.random()
    if how < 0.6:
        row[at] = str(rng.choice(ODD)).encode("utf-8", "replace")
    elif how < 0.8:
        for each in rows:
            del each[at : at + 1]
    else:
        for each in rows:
            each.insert(min(at, len(each)), rng.choice(rows[0]) if rows[0] else b"x")
    return b"\n".join(mark.join(r) for r in rows)


def _odd(value: Any, rng: random.Random) -> Any:
    """The value with one part of it changed, wherever it is."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _odd(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        return [*value[:at], _odd(value[at], rng), *value[at + 1 :]]
    return rng.choice(ODD)
