"""Leads: those who make studies. A password is set by a link that works once; there is no default one."""

from __future__ import annotations

from sqlalchemy import Connection, func, insert, select, update

from quorate.errors import InputError
from quorate.store import credentials
from quorate.store.ids import now, uuid7
from quorate.store.schema import lead

SHORTEST, LONGEST = 10, 500


def add(connection: Connection, name: str) -> str:
    """A lead without a password."""
    name = name.strip()
    if not 0 < len(name) <= 200:
        raise InputError("a lead's name has 1 to 200 characters.")
    if connection.execute(select(lead.c.id).where(lead.c.name == name)).first():
        raise InputError(f"there is a lead '{name}' already.")
    lead_id = uuid7()
    connection.execute(insert(lead).values(id=lead_id, name=name, password=None, created=now()))
    return lead_id


def first_link(connection: Connection) -> str | None:
    """While nobody has a password: a secret with which the first lead sets one."""
    if connection.execute(select(func.count()).where(lead.c.password.is_not(None))).scalar_one():
        return None
    found = connection.execute(select(lead.c.id).order_by(lead.c.created).limit(1)).scalar_one_or_none()
    return credentials.issue(connection, "first", lead_id=found or add(connection, "lead"))


def set_password(connection: Connection, secret: str, password: str) -> str:
    """The lead's password, set by a link that works once."""
    found = credentials.caller(connection, secret, "first")
    if found is None or found.lead is None:
        raise InputError("this link has been used, or is too old.", "start `quorate serve` again for another.")
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(f"a password has at least {SHORTEST} characters.")
    from argon2 import PasswordHasher

    connection.execute(update(lead).where(lead.c.id == found.lead).values(password=PasswordHasher().hash(password)))
    credentials.withdraw(connection, secret)
    return found.lead


def by_password(connection: Connection, password: str, name: str | None = None) -> str | None:
    """The lead with this password: of that name, or the only one."""
    from argon2 import PasswordHasher
    from argon2.exceptions import InvalidHashError, VerificationError

    query = select(lead.c.id, lead.c.password).where(lead.c.password.is_not(None))
    rows = connection.execute(query.where(lead.c.name == name) if name else query).all()
    if len(rows) != 1 or len(password) > LONGEST:
        PasswordHasher().hash("as long as it takes to check one")
        return None
    try:
        PasswordHasher().verify(rows[0].password, password)
    except (VerificationError, InvalidHashError):
        return None
    return str(rows[0].id)
