"""The assignment engine: which judge does what, in which order, and for how long it is theirs.

All of an offer happens in one transaction that holds the study's row, so that a quota is never passed: the count of
those at work and the new assignment are one step. A lease that runs out gives the place back.
"""

from __future__ import annotations

import datetime as dt
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, exists, insert, select, update

from quorate.store import rows
from quorate.store.ids import canonical, digest, now, uuid7
from quorate.store.schema import assignment, judge, study, submission, task, task_item
from quorate.store.studies import definition_of

HELD = ("offered", "active", "submitted")  # states that count towards a quota
OPEN = ("offered", "active")


def sweep(connection: Connection, study_id: str) -> None:
    """Leases that ran out: the place is free again, or, where it was submitted before, stays submitted."""
    late = and_(assignment.c.study_id == study_id, assignment.c.state.in_(OPEN), assignment.c.lease < now())
    done = exists().where(submission.c.assignment_id == assignment.c.id)
    connection.execute(update(assignment).where(late, done).values(state="submitted"))
    connection.execute(update(assignment).where(late, ~done).values(state="expired"))


def offer(connection: Connection, study_id: str, judge_id: str) -> dict[str, Any] | None:
    """The judge's next assignment: the one that is open, or a new one; None where there is nothing for this judge."""
    row = rows.the(connection, select(study).where(study.c.id == study_id).with_for_update())
    sweep(connection, study_id)
    definition = definition_of(connection, study_id)
    own = _own(connection, judge_id)
    for one in own:
        if one["state"] in OPEN:
            return one
    if row["state"] != "open" or over(definition):
        return None
    chosen = _next_task(connection, study_id, judge_id, definition, own)
    if chosen is None:
        return None
    task_row, occasion = chosen
    return _assign(connection, study_id, judge_id, task_row, occasion, definition, own)


def would_offer(connection: Connection, study_id: str, judge_id: str) -> bool:
    """Whether the engine has something for a judge, without handing it out."""
    definition = definition_of(connection, study_id)
    state = connection.execute(select(study.c.state).where(study.c.id == study_id)).scalar_one()
    own = _own(connection, judge_id)
    if any(one["state"] in OPEN and one["lease"] >= now() for one in own):
        return True
    return (
        state == "open"
        and not over(definition)
        and _next_task(connection, study_id, judge_id, definition, own) is not None
    )


def over(definition: Mapping[str, Any]) -> bool:
    """Whether the deadline has passed."""
    at = definition["deadline"]
    return at is not None and dt.datetime.fromisoformat(at).timestamp() * 1000 < now()


def _own(connection: Connection, judge_id: str) -> list[dict[str, Any]]:
    query = (
        select(assignment, task.c.role, task.c.block, task.c.kind, task.c.name)
        .join(task, task.c.id == assignment.c.task_id)
        .where(assignment.c.judge_id == judge_id)
        .order_by(assignment.c.place)
    )
    return rows.every(connection, query)


def _next_task(
    connection: Connection, study_id: str, judge_id: str, definition: Mapping[str, Any], own: list[dict[str, Any]]
) -> tuple[Mapping[str, Any], int] | None:
    """The task that comes next for a judge, and the occasion: page by page, or all pages of a task together."""
    query = select(task).where(task.c.study_id == study_id).order_by(task.c.place)
    tasks = rows.every(connection, query)
    pages = definition["sequence"]["pages"]
    for kinds in [[kind] for kind in pages] if definition["sequence"]["by"] == "page" else [pages]:
        some = [t for t in tasks if t["kind"] in kinds]
        found = _next_of(connection, study_id, judge_id, definition, some, [a for a in own if a["kind"] in kinds])
        if found is not None:
            return found
    return None


def _next_of(
    connection: Connection,
    study_id: str,
    judge_id: str,
    definition: Mapping[str, Any],
    tasks: list[dict[str, Any]],
    own: list[dict[str, Any]],
) -> tuple[Mapping[str, Any], int] | None:
    done = {(a["task_id"], a["occasion"]) for a in own if a["state"] != "expired"}
    for practice in tasks:
        if practice["role"] == "training" and (practice["id"], 1) not in done:
            return practice, 1
    if any(a["role"] == "training" and not _passed(a) for a in own):
        return None
    mine = [a for a in own if a["role"] != "training" and a["state"] != "expired"]
    number, limit = Counter(a["kind"] for a in mine), definition["tasks_per_judge"]
    tasks = [t for t in tasks if not limit or number[t["kind"]] < limit]
    left = free(connection, study_id, tasks, definition, {t for t, _ in done})
    begun = {a["name"] for a in mine if a["role"] == "task"}
    for other, _ in left:
        if other["name"] in begun:  # the pages that it still has come first
            return other, 1
    again = _repeat(mine, definition, judge_id)
    if again is not None and again in {t["id"] for t in tasks}:
        return next(t for t in tasks if t["id"] == again), 2
    if not left:
        return None
    gold = [t for t in tasks if t["role"] == "gold" and (t["id"], 1) not in done]
    if gold and _gold_is_due(mine, len(left), gold):
        return min(gold, key=lambda t: _lot(definition, judge_id, t["id"])), 1
    first = {one["name"]: (one, held) for one, held in reversed(left)}  # of each its first page that has room
    return _balanced(list(first.values()), mine, definition, judge_id), 1


def _passed(one: Mapping[str, Any]) -> bool:
    return bool(json.loads(one["feedback"] or "{}").get("passed")) if one["state"] == "submitted" else True


def free(
    connection: Connection, study_id: str, tasks: Any, definition: Mapping[str, Any], done: set[str]
) -> list[tuple[Mapping[str, Any], int]]:
    """Tasks that still want judges, with how many they have."""
    query = (
        select(assignment.c.task_id)
        .join(judge, judge.c.id == assignment.c.judge_id)
        .where(
            assignment.c.study_id == study_id,
            assignment.c.occasion == 1,
            assignment.c.state.in_(HELD),
            (assignment.c.state == "submitted") | (assignment.c.lease >= now()),
        )
    )
    held = Counter(connection.execute(query).scalars())
    return [
        (t, held[t["id"]])
        for t in tasks
        if t["role"] == "task" and t["id"] not in done and held[t["id"]] < wanted(t, definition)
    ]


def wanted(one: Mapping[str, Any], definition: Mapping[str, Any]) -> int:
    """How many judges a task is to have: its own number, else its page's, else the study's."""
    own: int | None = one["wanted"]
    return own if own is not None else definition["pages"][one["kind"]]["judges"] or definition["judges_per_task"]


def _balanced(
    free: list[tuple[Mapping[str, Any], int]], mine: list[dict[str, Any]], definition: Mapping[str, Any], judge_id: str
) -> Mapping[str, Any]:
    """The judge's own block first, else the one with the fewest judges; in it what is most wanted, by lot if alike."""
    blocks: dict[int, list[int]] = {}
    for t, held in free:
        blocks.setdefault(t["block"], []).append(held)
    last = next((a["block"] for a in reversed(mine) if a["occasion"] == 1 and a["role"] == "task"), None)
    if last in blocks:
        block = last
    else:
        block = min(blocks, key=lambda b: (min(blocks[b]), _lot(definition, judge_id, f"block {b}")))
    inside = [(t, held) for t, held in free if t["block"] == block]
    return min(inside, key=lambda th: (-th[0]["priority"], th[1], _lot(definition, judge_id, th[0]["id"])))[0]


def _gold_is_due(mine: list[dict[str, Any]], free: int, gold: list[Any]) -> bool:
    """Gold tasks are spread over the judge's tasks."""
    plain = sum(1 for a in mine if a["role"] == "task")
    met = sum(1 for a in mine if a["role"] == "gold")
    apart = max(1, (plain + free) // (len(gold) + met + 1))
    return plain >= apart * (met + 1)


def _repeat(mine: list[dict[str, Any]], definition: Mapping[str, Any], judge_id: str) -> str | None:
    """A task to be judged again, so many others in between."""
    rule = definition["repeats"]
    planted = {a["task_id"] for a in mine if a["occasion"] == 2}
    first = [a for a in mine if a["occasion"] == 1 and a["role"] == "task" and a["state"] == "submitted"]
    if len(planted) >= rule["count"] or len(first) < rule["distance"] + 1 + len(planted):
        return None
    far = max((a["place"] for a in mine), default=0) - rule["distance"]
    ready = [a["task_id"] for a in first if a["place"] <= far and a["task_id"] not in planted]
    return min(ready, key=lambda t: _lot(definition, judge_id, f"repeat {t}")) if ready else None


def _lot(definition: Mapping[str, Any], *what: str) -> str:
    return digest(str(definition["seed"]), *what)


def _assign(
    connection: Connection,
    study_id: str,
    judge_id: str,
    chosen: Mapping[str, Any],
    occasion: int,
    definition: Mapping[str, Any],
    own: list[dict[str, Any]],
) -> dict[str, Any]:
    lease = now() + definition["lease_minutes"] * 60_000
    for one in own:  # the judge's own that ran out: it goes on where it was
        if one["task_id"] == chosen["id"] and one["occasion"] == occasion:
            again = update(assignment).where(assignment.c.id == one["id"])
            connection.execute(again.values(state="active", lease=lease))
            return {**one, "state": "active", "lease": lease}
    seed = int(_lot(definition, judge_id, chosen["id"], str(occasion))[:15], 16)
    row = {
        "id": uuid7(),
        "study_id": study_id,
        "task_id": chosen["id"],
        "judge_id": judge_id,
        "occasion": occasion,
        "place": max((a["place"] for a in own), default=0) + 1,
        "shown": canonical(shown(connection, chosen, seed, _asked(chosen, seed, definition, own))),
        "seed": seed,
        "lease": lease,
        "state": "offered",
        "attempts": 0,
        "feedback": None,
        "created": now(),
    }
    connection.execute(insert(assignment).values(row))
    return {**row, **{name: chosen[name] for name in ("role", "block", "kind", "name")}}


def pairs_each(definition: Mapping[str, Any]) -> int:
    """Pairs that a judge gets of a task where they are chosen as votes come in; 0 where every judge gets the same."""
    rule = definition["stopping"]
    return int(definition["pages"]["vote"]["pairs"]) if rule["method"] and rule["page"] == "vote" else 0


def _asked(
    chosen: Mapping[str, Any], seed: int, definition: Mapping[str, Any], own: list[dict[str, Any]]
) -> list[str] | None:
    """The pairs that a judge is asked about, all if None: those before in a repeat, by lot before the first plan."""
    before = next((a for a in own if a["task_id"] == chosen["id"]), None)
    most = pairs_each(definition) if chosen["kind"] == "vote" else 0
    if before is not None and chosen["kind"] == "vote":
        return [p["id"] for p in json.loads(before["shown"])["pairs"]]
    if not most:
        return None
    every = [pair for pair, *_ in json.loads(chosen["pairs"])]
    if chosen["wanted"] is None:
        random.Random(seed).shuffle(every)
    return every[:most]


def shown(
    connection: Connection, chosen: Mapping[str, Any], seed: int, asked: Sequence[str] | None = None
) -> dict[str, Any]:
    """What a judge sees of a task: its items in an order of their own, or its pairs (all, or some) with their sides."""
    query = select(task_item.c.item_id).where(task_item.c.task_id == chosen["id"]).order_by(task_item.c.place)
    items = list(connection.execute(query).scalars())
    rng = random.Random(seed)
    rng.shuffle(items)
    out: dict[str, Any] = {"kind": chosen["kind"], "items": items}
    if chosen["kind"] == "vote":
        pairs = [[p, *rng.sample(two, 2)] for p, *two in json.loads(chosen["pairs"]) if asked is None or p in asked]
        rng.shuffle(pairs)
        out["pairs"] = [{"id": p, "a": a, "b": b} for p, a, b in pairs]
    return out
