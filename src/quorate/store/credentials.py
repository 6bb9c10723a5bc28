"""Who may come in: links for judges, sessions, tokens of the API. Of every secret only its hash is kept."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from quorate.errors import InputError, suggest
from quorate.store.ids import digest, now, uuid7
from quorate.store.schema import credential, judge, lead

HOUR = 3_600_000
LASTS = {"link": 365 * 24 * HOUR, "entry": 365 * 24 * HOUR, "session": 14 * 24 * HOUR, "first": 24 * HOUR}
LASTS["token"] = 90 * 24 * HOUR
SCOPES = {
    "judge": "work through the assignments of one judge",
    "read": "read studies, progress and exports",
    "write": "make and change studies, items, judges and exclusions",
    "freeze": "freeze a gold standard",
}


@dataclass(frozen=True)
class Caller:
    """Whoever sends a request, as told by a credential."""

    credential: str
    kind: str
    scopes: frozenset[str]
    judge: str | None = None
    lead: str | None = None
    study: str | None = None  # of a judge, or what a token is limited to
    name: str = ""
    judge_state: str = ""


def issue(
    connection: Connection,
    kind: str,
    *,
    judge_id: str | None = None,
    lead_id: str | None = None,
    study_id: str | None = None,
    scopes: Iterable[str] = (),
    label: str = "",
    lasts: int | None = None,
) -> str:
    """A new secret; it is told here once and never again."""
    wanted = sorted(set(scopes))
    for scope in wanted:
        if scope not in SCOPES:
            raise InputError(f"there is no scope '{scope}'.", suggest(scope, SCOPES, "Scopes"))
    secret, time = secrets.token_urlsafe(24), now()
    row = {"id": uuid7(), "judge_id": judge_id, "lead_id": lead_id, "study_id": study_id, "kind": kind}
    row |= {"hash": hashed(secret), "scopes": " ".join(wanted), "label": label}
    expires = time + (LASTS[kind] if lasts is None else lasts)
    connection.execute(insert(credential).values({**row, "expires": expires, "created": time}))
    return secret


def hashed(secret: str) -> str:
    """What is kept of a secret. Secrets are long and random, so that one hash is enough."""
    return digest("credential", secret)


def caller(connection: Connection, secret: str, *kinds: str) -> Caller | None:
    """Who a secret belongs to, if it is of one of these kinds and has not expired."""
    query = (
        select(credential, judge.c.study_id.label("of_study"), judge.c.name.label("judge_name"))
        .add_columns(judge.c.state.label("judge_state"), lead.c.name.label("lead_name"))
        .join(judge, judge.c.id == credential.c.judge_id, isouter=True)
        .join(lead, lead.c.id == credential.c.lead_id, isouter=True)
        .where(credential.c.hash == hashed(secret))
    )
    row: Any = connection.execute(query).one_or_none()
    if row is None or row.kind not in kinds or row.expires < now():
        return None
    whole = {"judge"} if row.judge_id else {"read", "write", "freeze"}
    scopes = frozenset(row.scopes.split()) if row.kind == "token" else frozenset(whole)
    name = row.judge_name or row.lead_name or ""
    study = row.of_study or row.study_id
    return Caller(row.id, row.kind, scopes, row.judge_id, row.lead_id, study, name, row.judge_state or "")


def withdraw(connection: Connection, secret: str) -> None:
    """A secret that works no more."""
    connection.execute(delete(credential).where(credential.c.hash == hashed(secret)))


def tidy(connection: Connection) -> None:
    """Forget what expired more than a day ago."""
    connection.execute(delete(credential).where(credential.c.expires < now() - 24 * HOUR))


def withdraw_all(connection: Connection, *, judge_id: str) -> None:
    """Every link, session and token of a judge."""
    connection.execute(delete(credential).where(credential.c.judge_id == judge_id))
