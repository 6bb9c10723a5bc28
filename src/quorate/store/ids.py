"""Ids and hashes: UUIDv7 as text, canonical JSON, SHA-256."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
import uuid
from typing import Any

_lock = threading.Lock()
_last = [0, 0]  # milliseconds, counter: ids made in one millisecond still rise


def now() -> int:
    """The time in milliseconds since 1970, UTC: every time in the store."""
    return time.time_ns() // 1_000_000


def uuid7() -> str:
    """A new id whose text sorts by the time it was made.

    >>> a, b = uuid7(), uuid7()
    >>> a < b, uuid.UUID(a).version
    (True, 7)
    """
    with _lock:
        moment = max(now(), _last[0])
        count = _last[1] + 1 if moment == _last[0] else secrets.randbits(11)
        if count > 0xFFF:
            moment, count = moment + 1, secrets.randbits(11)
        _last[:] = moment, count
    number = moment << 80 | 0x7 << 76 | count << 64 | 0b10 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=number))


def is_uuid(text: str) -> bool:
    """Whether a text is an id in its usual form.

    >>> is_uuid("0190a1b2-0000-7000-8000-000000000000"), is_uuid("../etc/passwd")
    (True, False)
    """
    try:
        return str(uuid.UUID(text)) == text
    except (ValueError, AttributeError, TypeError):
        return False


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no blanks.

    >>> canonical({"b": 1, "a": [None, "é"]})
    '{"a":[null,"é"],"b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(*texts: str | bytes) -> str:
    """SHA-256 of texts, told apart by their lengths."""
    found = hashlib.sha256()
    for text in texts:
        data = text.encode() if isinstance(text, str) else text
        found.update(f"{len(data)}:".encode())
        found.update(data)
    return found.hexdigest()
