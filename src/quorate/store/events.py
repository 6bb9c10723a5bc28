"""Saving: an append-only chain of events for each assignment, and a head that can be built from it.

Saving is compare-and-set. An event says on which event it builds (``base``); if that is the head, it becomes the head;
else it is kept as a *branch* and the judge is shown both. The same operation id again is the same save: it is answered
as before and stored once. Each event holds the whole state and the hash of the event before it; the hash is over a
salted hash of the state, so that a state can be erased and the chain still be verified.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Update, bindparam, insert, select, update

from quorate.store import rows
from quorate.store.chain import FIRST, broken, link
from quorate.store.ids import canonical, digest, now
from quorate.store.schema import assignment, event, head

__all__ = ["Save", "Saved", "append", "broken", "locked", "rebuild", "replayed", "save"]


@dataclass(frozen=True)
class Save:
    """What a client sends."""

    op: str
    base: int
    state: Any
    device: str = ""
    client_time: int | None = None
    elapsed: int | None = None
    kind: str = "save"


@dataclass(frozen=True)
class Saved:
    """What became of it."""

    seq: int
    replayed: bool
    won: bool  # it is, or was, the head; else it is a branch
    same: bool = True  # a replay says what was said before


def locked(connection: Connection, assignment_id: str) -> dict[str, Any] | None:
    """An assignment's row; in PostgreSQL nobody else changes it until the transaction ends."""
    query = select(assignment).where(assignment.c.id == assignment_id).with_for_update()
    return rows.one(connection, query)


def save(connection: Connection, target: Mapping[str, Any], given: Save) -> Saved:
    """Append an event to an assignment that is locked, or find that it is there; compare-and-set against its head."""
    columns = (event.c.seq, event.c.branch, event.c.state_hash, event.c.salt, event.c.kind)
    query = select(*columns).where(event.c.assignment_id == target["id"], event.c.op == given.op)
    before = rows.one(connection, query)
    if before is not None:
        return replayed(before, given)
    top = rows.one(connection, select(head).where(head.c.assignment_id == target["id"]))
    return append(connection, target, given, top)


def replayed(before: Mapping[str, Any], given: Save) -> Saved:
    """What became of an operation that is stored already."""
    same = before["salt"] is None or before["state_hash"] == digest(before["salt"], canonical(given.state))
    return Saved(before["seq"], True, not before["branch"], same and before["kind"] == given.kind)


def append(connection: Connection, target: Mapping[str, Any], given: Save, top: Mapping[str, Any] | None) -> Saved:
    """Append a new event after the head ``top``: it becomes the head if it builds on it, else it is a branch."""
    text, time, salt = canonical(given.state), now(), secrets.token_hex(16)
    seq = (top["last"] if top else 0) + 1
    won = given.base == (top["seq"] if top else 0)
    row = {
        "study_id": target["study_id"],
        "assignment_id": target["id"],
        "seq": seq,
        "op": given.op,
        "kind": given.kind,
        "base": given.base,
        "branch": not won,
        "device": given.device,
        "state": text,
        "salt": salt,
        "state_hash": digest(salt, text),
        "client_time": given.client_time,
        "elapsed": given.elapsed,
        "time": time,
        "before": top["hash"] if top else FIRST,
    }
    row["hash"] = link(row)
    connection.execute(_INSERT, row)
    newest = {"last": seq, "hash": row["hash"]}
    if won:
        newest |= {"seq": seq, "op": given.op, "device": given.device, "state": text, "time": time}
    if top:
        connection.execute(_MOVE if won else _STAY, {"of": target["id"], **{f"new_{n}": v for n, v in newest.items()}})
    else:
        empty = {"seq": 0, "op": "", "device": "", "state": None, "time": time}
        connection.execute(insert(head).values({"assignment_id": target["id"], **empty, **newest}))
    return Saved(seq, False, won)


def _set(*names: str) -> Update:
    return update(head).where(head.c.assignment_id == bindparam("of")).values({n: bindparam(f"new_{n}") for n in names})


_INSERT = insert(event).inline()
_STAY = _set("last", "hash")
_MOVE = _set("last", "hash", "seq", "op", "device", "state", "time")


def rebuild(connection: Connection, assignment_id: str) -> dict[str, Any] | None:
    """The head that the events give, and the head's row set to it."""
    query = select(event).where(event.c.assignment_id == assignment_id).order_by(event.c.seq)
    log = rows.every(connection, query)
    connection.execute(head.delete().where(head.c.assignment_id == assignment_id))
    if not log:
        return None
    counted = [r for r in log if not r["branch"]]
    empty = {"seq": 0, "op": "", "device": "", "state": None, "time": log[0]["time"]}
    own = {name: counted[-1][name] for name in empty} if counted else empty
    made = {"assignment_id": assignment_id, **own, "last": log[-1]["seq"], "hash": log[-1]["hash"]}
    connection.execute(insert(head).values(made))
    return made
