"""Running the workbench: uvicorn, links that are printed once, logs in JSON lines, a graceful stop."""

from __future__ import annotations

import json
import logging
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from quorate.errors import InputError
from quorate.store import leads
from quorate.store.database import Database
from quorate.store.migrate import upgrade
from quorate.web.app import make
from quorate.web.settings import Settings


class Lines(logging.Formatter):
    """A log record as one line of JSON; our own are JSON already."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        text = record.getMessage()
        said = json.loads(text) if text.startswith("{") else {"message": text}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        head = {"time": f"{at}.{int(record.msecs):03}Z", "level": record.levelname.lower(), "logger": record.name}
        return json.dumps(head | said, ensure_ascii=False)


def logs(level: str = "INFO") -> None:
    """Structured logs on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    for name in ("quorate.web", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)


def listening(settings: Settings) -> socket.socket:
    """The socket; a port that is taken is an error in words."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
        made.listen(2048)  # whoever calls from now on waits, until the server answers
    except (OSError, OverflowError) as error:
        made.close()
        hint = "another program may have the port: choose one with --port."
        raise InputError(f"cannot listen on {settings.host}:{settings.port}: {error}.", hint) from None
    return made


def address_of(settings: Settings, port: int) -> str:
    """What a browser on this machine is given."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{'127.0.0.1' if host in ('0.0.0.0', '[::]') else host}:{port}{settings.root}"


def run(settings: Settings, say: Callable[[str], None], *, demo: bool = False, open_page: bool = False) -> None:
    """Serve until told to stop; what waits is committed first."""
    import uvicorn

    logs()
    database = Database(settings.database)
    upgrade(database)
    bound = listening(settings)
    url = address_of(settings, bound.getsockname()[1])
    page = f"{url}/lead"
    if demo:
        from quorate.web.demo import links

        page, told = links(database, url)
        for line in told:
            say(line)
    else:
        first = database.now(leads.first_link)
        page = f"{url}/lead/first/{first}" if first else page
        say(f"The workbench is at {url}/lead")
        if first:
            say(f"Set a password first, with this link, which works once: {page}")
    if settings.host in ("127.0.0.1", "localhost", "::1"):
        say("Only this machine can reach it. To let others in, put a proxy with HTTPS before it and say its name:")
        say("  quorate serve --allow-host study.example.org --secure   (docs: the workbench, operation)")
    app = make(settings, database)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        proxy_headers=settings.secure,
        forwarded_allow_ips="127.0.0.1",
        timeout_graceful_shutdown=5,
        limit_concurrency=2000,
        server_header=False,
    )
    server: Any = uvicorn.Server(config)
    if open_page:
        import webbrowser

        webbrowser.open(page)
    try:
        server.run(sockets=[bound])
    finally:
        database.close()
