"""The tables. Ids are UUIDv7 texts, times milliseconds since 1970, documents canonical JSON in text columns.

A study's judgments are what its *events* say: an event holds the whole state of an assignment and the hash of the
event before it. ``head`` repeats the newest state that counts, and can be built from the events at any time.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_ROWS = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows by themselves in INTEGER columns only


def _id() -> Column[Any]:
    return Column("id", String(36), primary_key=True)


def _of(table: str, *, null: bool = False, key: bool = False, index: bool = True) -> Column[Any]:
    column = f"{table}_id"
    to = ForeignKey(f"{table}.id")
    return Column(column, String(36), to, nullable=null, primary_key=key, index=index and not key)


def _time(name: str, *, null: bool = False) -> Column[Any]:
    return Column(name, BigInteger, nullable=null)


lead = Table(
    "lead",
    metadata,
    _id(),
    Column("name", String(200), nullable=False, unique=True),
    Column("password", Text),  # argon2; none until it is set by a link that works once
    _time("created"),
)

study = Table(
    "study",
    metadata,
    _id(),
    _of("lead"),
    Column("title", Text, nullable=False),
    Column("state", String(12), nullable=False),  # open, paused, closed
    Column("version", Integer, nullable=False),  # of its settings, the newest
    _time("created"),
)

study_version = Table(  # never changed: settings are changed by a new version
    "study_version",
    metadata,
    _id(),
    _of("study"),
    Column("number", Integer, nullable=False),
    Column("definition", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    _time("created"),
    UniqueConstraint("study_id", "number"),
)

item = Table(
    "item",
    metadata,
    _id(),
    _of("study"),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("source", Text),
    Column("date", Text),
    Column("system", Text),  # never in anything that a judge gets
    UniqueConstraint("study_id", "name"),
)

task = Table(
    "task",
    metadata,
    _id(),
    _of("study"),
    Column("name", Text, nullable=False),
    Column("kind", String(8), nullable=False),  # order, group, score, vote
    Column("role", String(8), nullable=False),  # task, gold, training
    Column("place", Integer, nullable=False),
    Column("block", Integer, nullable=False),
    Column("pairs", Text),  # of votes: which items are compared, [[pair, item, item], ...]
    Column("answer", Text),  # of gold and training: the state that is right
    Column("wanted", Integer),  # judges, where it is not the study's number
    Column("priority", Float, nullable=False),  # higher: handed out first
    UniqueConstraint("study_id", "name", "kind"),
)

task_item = Table(
    "task_item", metadata, _of("task", key=True), _of("item", key=True), Column("place", Integer, nullable=False)
)

judge = Table(
    "judge",
    metadata,
    _id(),
    _of("study"),
    Column("name", Text, nullable=False),  # a pseudonym
    Column("kind", String(8), nullable=False),  # person, model, import
    Column("outside", Text),  # PROLIFIC_PID or workerId
    Column("state", String(12), nullable=False),  # active, revoked, withdrawn
    _time("consented", null=True),
    _time("created"),
    UniqueConstraint("study_id", "name"),
    UniqueConstraint("study_id", "outside"),
)

credential = Table(
    "credential",
    metadata,
    _id(),
    _of("judge", null=True),
    _of("lead", null=True),
    _of("study", null=True),  # what a token is limited to
    Column("kind", String(8), nullable=False),  # link, entry, session, first, token
    Column("hash", String(64), nullable=False, unique=True),
    Column("scopes", Text, nullable=False),
    Column("label", Text),
    _time("expires"),
    _time("created"),
)

assignment = Table(
    "assignment",
    metadata,
    _id(),
    _of("study"),
    _of("task"),
    _of("judge"),
    Column("occasion", Integer, nullable=False),
    Column("place", Integer, nullable=False),  # in the judge's own order of tasks
    Column("shown", Text, nullable=False),  # order of items, or pairs with their sides
    Column("seed", BigInteger, nullable=False),
    _time("lease"),
    Column("state", String(12), nullable=False),  # offered, active, submitted, expired, excluded
    Column("attempts", Integer, nullable=False),
    Column("feedback", Text),
    _time("created"),
    UniqueConstraint("task_id", "judge_id", "occasion"),
)

event = Table(  # append-only; erasure empties `state` and `salt`, which the chain does not need
    "event",
    metadata,
    Column("number", _ROWS, primary_key=True, autoincrement=True),
    _of("study"),
    _of("assignment", index=False),
    Column("seq", Integer, nullable=False),
    Column("op", String(36), nullable=False),
    Column("kind", String(10), nullable=False),  # save, submit, reopen, import
    Column("base", Integer, nullable=False),
    Column("branch", Boolean, nullable=False),  # it lost: the head was another when it came
    Column("device", String(64), nullable=False),
    Column("state", Text),
    Column("salt", String(32)),
    Column("state_hash", String(64), nullable=False),
    Column("client_time", BigInteger),
    Column("elapsed", BigInteger),
    _time("time"),
    Column("before", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("assignment_id", "seq"),
    UniqueConstraint("assignment_id", "op"),
)

head = Table(
    "head",
    metadata,
    Column("assignment_id", String(36), ForeignKey("assignment.id"), primary_key=True),
    Column("seq", Integer, nullable=False),  # the newest event that counts
    Column("last", Integer, nullable=False),  # the newest event, branches included
    Column("hash", String(64), nullable=False),  # of the newest event
    Column("op", String(36), nullable=False),
    Column("device", String(64), nullable=False),
    Column("state", Text),
    _time("time"),
)

submission = Table(
    "submission",
    metadata,
    _id(),
    _of("assignment"),
    Column("seq", Integer, nullable=False),  # the event that was submitted
    _time("time"),
    UniqueConstraint("assignment_id", "seq"),
)

decision = Table(  # of the lead, where judges disagree: a judgment with a reason, never an overwrite
    "decision",
    metadata,
    _id(),
    _of("study"),
    _of("task"),
    _of("lead"),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),
    _time("time"),
)

exclusion = Table(
    "exclusion",
    metadata,
    _id(),
    _of("study"),
    _of("judge", null=True),
    _of("assignment", null=True),
    Column("reason", Text, nullable=False),
    _time("time"),
    _time("lifted", null=True),
)

note = Table(
    "note",
    metadata,
    _id(),
    _of("study"),
    _of("judge"),
    _of("assignment", null=True),
    Column("text", Text, nullable=False),
    _time("time"),
)

freeze = Table(
    "freeze",
    metadata,
    _id(),
    _of("study"),
    Column("number", Integer, nullable=False),
    Column("as_of", BigInteger, nullable=False),
    Column("manifest", Text, nullable=False),
    Column("bundle", LargeBinary, nullable=False),
    Column("hash", String(64), nullable=False),
    _time("time"),
    UniqueConstraint("study_id", "number"),
)

audit = Table(
    "audit",
    metadata,
    Column("number", _ROWS, primary_key=True, autoincrement=True),
    _of("study", null=True),
    Column("who", Text, nullable=False),
    Column("action", String(40), nullable=False),
    Column("detail", Text, nullable=False),
    _time("time"),
)

Index("ix_event_study_number", event.c.study_id, event.c.number)
