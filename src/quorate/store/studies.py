"""Studies: made from a definition, changed by a new version of it, filled with items and tasks."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from quorate.errors import InputError, UnknownId, suggest
from quorate.store import rows
from quorate.store.definition import checked
from quorate.store.ids import canonical, digest, now, uuid7
from quorate.store.schema import assignment, audit, item, study, study_version, task, task_item

MOST_ITEMS = 100_000
Definition = Mapping[str, Any]  # read by many at once: never changed
ROLES = ("task", "gold", "training")


def create(connection: Connection, lead_id: str, raw: Mapping[str, Any]) -> str:
    """A new study without items."""
    definition = checked(raw)
    study_id = uuid7()
    row = {"id": study_id, "lead_id": lead_id, "title": definition["title"], "state": "open"}
    connection.execute(insert(study).values({**row, "version": 1, "created": now()}))
    _version(connection, study_id, 1, definition)
    return study_id


def _version(connection: Connection, study_id: str, number: int, definition: Mapping[str, Any]) -> None:
    text = canonical(definition)
    row = {"id": uuid7(), "study_id": study_id, "number": number, "definition": text, "hash": digest(text)}
    connection.execute(insert(study_version).values({**row, "created": now()}))


def change(connection: Connection, study_id: str, changes: Mapping[str, Any]) -> int:
    """A new version of a study's settings; what pages ask stays as it is once work was handed out."""
    row = found(connection, study_id)
    old = definition_of(connection, study_id)
    if "pages" in changes and "sequence" not in changes:
        changes = {**changes, "sequence": {**old["sequence"], "pages": []}}
    new = checked({**old, **changes})
    begun = connection.execute(select(func.count()).where(assignment.c.study_id == study_id)).scalar_one()
    if begun and any(new[name] != old[name] for name in ("pages", "sequence", "seed")):
        hint = "make another study; titles, guidelines, deadline and quota can be changed."
        raise InputError("judges are at work: pages, their sequence and seed stay as they are.", hint)
    if new["stopping"] != old["stopping"] and begun:
        raise InputError("a stopping rule is declared before the first judgment, and stays.")
    if not begun and (new["stopping"], new["pages"]) != (old["stopping"], old["pages"]):
        _pair_anew(connection, study_id, new)
    number = int(row["version"]) + 1
    _version(connection, study_id, number, new)
    connection.execute(update(study).where(study.c.id == study_id).values(version=number, title=new["title"]))
    return number


def found(connection: Connection, study_id: str) -> dict[str, Any]:
    """A study's row."""
    row = rows.one(connection, select(study).where(study.c.id == study_id))
    if row is None:
        raise UnknownId("there is no such study.")
    return row


def definition_of(connection: Connection, study_id: str) -> Definition:
    """A study's newest definition."""
    query = (
        select(study_version.c.hash)
        .join(study, (study.c.id == study_version.c.study_id) & (study.c.version == study_version.c.number))
        .where(study.c.id == study_id)
    )
    mark = connection.execute(query).scalar_one_or_none()
    if mark is None:
        raise UnknownId("there is no such study.")
    return by_hash(connection, mark)


_known: dict[str, Definition] = {}  # definitions by their hashes: a version never changes


def by_hash(connection: Connection, mark: str) -> Definition:
    """The definition with this hash; it is read once."""
    if mark not in _known:
        query = select(study_version.c.definition).where(study_version.c.hash == mark).limit(1)
        if len(_known) > 500:
            _known.clear()
        _known[mark] = checked(json.loads(connection.execute(query).scalar_one()))  # settings that came later, too
    return _known[mark]


def add_items(connection: Connection, study_id: str, given: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Items and the tasks they make: one task per name in ``task`` and page of the study.

    Where answers are known, only of the pages of which they are.
    """
    definition = definition_of(connection, study_id)
    there = connection.execute(select(func.count()).where(item.c.study_id == study_id)).scalar_one()
    if there + len(given) > MOST_ITEMS:
        raise InputError(f"a study holds at most {MOST_ITEMS:,} items.")
    names = set(connection.execute(select(item.c.name).where(item.c.study_id == study_id)).scalars())
    kinds = definition["sequence"]["pages"]
    made: list[dict[str, Any]] = []
    tasks: dict[tuple[str, str], list[tuple[str, Marks]]] = {}
    for number, row in enumerate(given, 1):
        name = str(row.get("item") or f"item-{there + number}")
        if name in names:
            raise InputError(f"item {number}: there is an item '{name}' already.", "every item has a name of its own.")
        names.add(name)
        text = str(row.get("text") or name)
        about = {n: str(row[n]) if row.get(n) not in (None, "") else None for n in ("source", "date", "system")}
        made.append({"id": uuid7(), "study_id": study_id, "name": name, "text": text, **about})
        marks = _marks(row, kinds, number)
        role = str(row.get("role") or ("gold" if marks else "task"))
        if role not in ROLES:
            raise InputError(f"item {number}: there is no role '{role}'.", suggest(role, ROLES, "Roles"))
        tasks.setdefault((str(row.get("task") or "task-1"), role), []).append((made[-1]["id"], marks))
    if made:
        connection.execute(insert(item), made)
    size = definition["block"]
    own = task.c.study_id == study_id
    place = first = connection.execute(select(func.count()).where(own)).scalar_one()
    before = connection.execute(select(func.count(task.c.name.distinct())).where(own)).scalar_one()
    for number, ((name, role), members) in enumerate(tasks.items(), before):
        known = {kind for _, marks in members for kind in marks}
        for kind in (k for k in kinds if k in known or not known):
            marked = [(one, marks.get(kind)) for one, marks in members]
            block = number // size if size else 0
            page = _page(definition, kind, role)
            add_task(connection, study_id, name, kind, role, place, block, marked, page)
            place += 1
    return {"items": len(made), "tasks": place - first}


def _page(definition: Definition, kind: str, role: str) -> Mapping[str, Any]:
    """The settings of a page; where pairs are chosen as votes come in, a task has all of them."""
    page: Mapping[str, Any] = definition["pages"][kind]
    adaptive = role == "task" and definition["stopping"]["page"] == kind == "vote"
    return {**page, "pairs": 0} if adaptive else page


def _pair_anew(connection: Connection, study_id: str, definition: Definition) -> None:
    """The pairs of votes after their number or the stopping rule was changed, before the first judge."""
    own = select(task).where(task.c.study_id == study_id, task.c.kind == "vote")
    for one in rows.every(connection, own) if "vote" in definition["pages"] else ():
        query = select(task_item.c.item_id).where(task_item.c.task_id == one["id"]).order_by(task_item.c.place)
        most = _page(definition, "vote", one["role"])["pairs"]
        made = _pairs(list(connection.execute(query).scalars()), most, f"{study_id}/{one['name']}")
        connection.execute(update(task).where(task.c.id == one["id"]).values(pairs=canonical(made)))


Marks = Mapping[str, Any]  # what is known of an item, by kind of page


def _marks(row: Mapping[str, Any], kinds: Sequence[str], number: int) -> Marks:
    """The answers that are known of an item: `answer_PAGE`, or `answer` where the study has one page."""
    own = {kind: row.get(f"answer_{kind}") for kind in kinds}
    if row.get("answer") not in (None, ""):
        if len(kinds) > 1:
            hint = f"name the page: {', '.join(f'answer_{kind}' for kind in kinds)}."
            raise InputError(f"item {number}: an answer, but the study has {len(kinds)} pages.", hint)
        own[kinds[0]] = row["answer"]
    return {kind: mark for kind, mark in own.items() if mark not in (None, "")}


def add_task(
    connection: Connection,
    study_id: str,
    name: str,
    kind: str,
    role: str,
    place: int,
    block: int,
    members: Sequence[tuple[str, Any]],
    page: Mapping[str, Any],
) -> str:
    """A task of a study and the items that it shows, each with its mark in the answer if one is known."""
    items = [one for one, _ in members]
    if kind == "vote" and len(items) < 2:
        raise InputError(f"task '{name}': a vote needs two items.", "give the task another item.")
    clash = select(task.c.id).where(task.c.study_id == study_id, task.c.name == name, task.c.kind == kind)
    if connection.execute(clash).first():
        raise InputError(f"there is a task '{name}' already.", "give all items of a task at once.")
    task_id = uuid7()
    pairs = canonical(_pairs(items, page["pairs"], f"{study_id}/{name}")) if kind == "vote" else None
    row = {"id": task_id, "study_id": study_id, "name": name, "kind": kind, "role": role, "place": place}
    row |= {"block": block, "pairs": pairs, "answer": _answer(kind, members), "priority": 0.0}
    connection.execute(insert(task).values(row))
    shown = [{"task_id": task_id, "item_id": one, "place": k} for k, one in enumerate(items)]
    connection.execute(insert(task_item), shown)
    return task_id


def _answer(kind: str, members: Sequence[tuple[str, Any]]) -> str | None:
    """The marks that are known, numbers where they are: a place, a group's name, a score."""
    known = {one: str(mark).strip() for one, mark in members if mark not in (None, "")}
    if not known:
        return None
    if kind == "group":
        return canonical(known)
    try:
        return canonical({one: float(mark) for one, mark in known.items()})
    except ValueError:
        hint = "the answer of an order is the item's place, of scores the score; of votes, the smaller one wins."
        raise InputError("an answer is not a number.", hint) from None


def _pairs(items: Sequence[str], most: int, seed: str) -> list[list[str]]:
    """Every pair of items, or so many of them: in rounds in which each item is met once, so that all come alike."""
    every = list(combinations(items, 2))
    if most and most < len(every):
        ring: list[str | None] = list(items)
        random.Random(seed).shuffle(ring)
        ring += [None] * (len(ring) % 2)
        half, every = len(ring) // 2, []
        for _ in range(len(ring) - 1):
            met = zip(ring[:half], reversed(ring[half:]), strict=True)
            every += [(a, b) for a, b in met if a is not None and b is not None]
            ring[1:] = [ring[-1], *ring[1:-1]]
        del every[most:]
    return [[f"p{k}", a, b] for k, (a, b) in enumerate(every, 1)]


def audited(connection: Connection, study_id: str | None, who: str, action: str, **detail: Any) -> None:
    """A line of the audit log."""
    row = {"study_id": study_id, "who": who, "action": action, "detail": canonical(detail), "time": now()}
    connection.execute(insert(audit).values(row))
