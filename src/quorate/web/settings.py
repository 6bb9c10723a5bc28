"""What the server is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Where the server listens and what it allows."""

    database: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    hosts: tuple[str, ...] = ()  # names by which it may be called, beside loopback's
    root: str = ""  # path before every page, behind a proxy
    secure: bool = False  # behind HTTPS: cookies are sent over it alone
    judge_bytes: int = 1_000_000  # of a judge's request
    lead_bytes: int = 50_000_000  # of a lead's request
    saves: int = 20  # a second, of one judge, in the long run
    logins: int = 10  # a minute, of one address
