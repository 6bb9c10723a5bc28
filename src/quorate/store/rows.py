"""Rows as plain dicts."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select


def every(connection: Connection, query: Select[Any]) -> list[dict[str, Any]]:
    """All rows of a query."""
    return [{str(k): v for k, v in row.items()} for row in connection.execute(query).mappings()]


def one(connection: Connection, query: Select[Any]) -> dict[str, Any] | None:
    """The only row of a query, or None."""
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else {str(k): v for k, v in row.items()}


def the(connection: Connection, query: Select[Any]) -> dict[str, Any]:
    """The row of a query that has exactly one."""
    return {str(k): v for k, v in connection.execute(query).mappings().one().items()}
