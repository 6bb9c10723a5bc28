"""The chain of an assignment's events: each holds the hash of the one before. No database is needed to verify it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quorate.store.ids import canonical, digest

FIRST = "0" * 64  # the hash before the first event
LINKED = ("assignment_id", "seq", "op", "kind", "base", "branch", "device", "state_hash", "time", "before")


def link(row: Mapping[str, Any]) -> str:
    """The hash of an event: of all that it says, its state by its hash, and of the hash before it."""
    return digest(canonical({name: row[name] if name != "branch" else bool(row[name]) for name in LINKED}))


def broken(chain: Iterable[Mapping[str, Any]]) -> list[str]:
    """What is wrong with the chain of one assignment, its events by ``seq``; nothing if it holds."""
    out, before, number = [], FIRST, 0
    for row in chain:
        number += 1
        where = f"assignment {row['assignment_id']}, event {row['seq']}"
        if row["seq"] != number:
            out.append(f"{where}: event {number} is missing")
            number = row["seq"]
        if row["before"] != before:
            out.append(f"{where}: it does not follow the event before it")
        if link(row) != row["hash"]:
            out.append(f"{where}: its hash is not that of what it says")
        if row["state"] is not None and digest(row["salt"], row["state"]) != row["state_hash"]:
            out.append(f"{where}: its state is not the one that was saved")
        before = row["hash"]
    return out
