"""What every request has to pass, and what every response carries: deny by default.

A route that names nobody in :data:`ALLOWED` answers 404. Unsafe methods need a CSRF token (or a bearer token, which a
browser never sends by itself) and an Origin that is ours; every request needs a Host that is ours.
"""

from __future__ import annotations

import hmac
import json
import logging
import time
from collections import OrderedDict
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quorate.store.ids import digest
from quorate.web.settings import Settings

log = logging.getLogger("quorate.web")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
SAFE = ("GET", "HEAD", "OPTIONS")


def csrf_of(secret: str) -> str:
    """The CSRF token of a session: it follows from the cookie's secret, which scripts cannot read."""
    return digest("csrf", secret)[:32]


def same(a: str, b: str) -> bool:
    """Whether two secrets are equal, in a time that says nothing."""
    return hmac.compare_digest(a.encode(), b.encode())


class TooMany(Exception):
    """More requests than are allowed; try again after so many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"again in {seconds} s")
        self.seconds = seconds


class Buckets:
    """Requests per caller: so many at once, so many a second in the long run."""

    def __init__(self, rate: float, most: float) -> None:
        self.rate, self.most = rate, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """Count a request, or raise :class:`TooMany`."""
        moment = time.monotonic()
        left, then = self._left.pop(who, (self.most, moment))
        left = min(self.most, left + (moment - then) * self.rate)
        self._left[who] = (max(left - 1, 0.0) if left >= 1 else left, moment)
        if len(self._left) > 100_000:
            self._left.popitem(last=False)
        if left < 1:
            raise TooMany(max(1, round((1 - left) / self.rate)))


def problem(status: int, fact: str, hint: str = "", **more: Any) -> JSONResponse:
    """An answer that says what is wrong."""
    headers = {"Retry-After": str(more.pop("retry"))} if "retry" in more else None
    return JSONResponse({"error": fact, "hint": hint, **more}, status, headers)


class Guard:
    """The outermost layer: Host and Origin, limits of size, headers of every response, one log line a request."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.hosts = {*LOOPBACK, *(h.lower() for h in settings.hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, if it may pass."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = self._under_root(scope)
        began, status = time.perf_counter(), [0]

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                message["headers"] = [*message["headers"], *self._headers(scope, message["headers"])]
            await send(message)

        refused = self._refused(Request(scope))
        try:
            await (refused or self.app)(scope, self._limited(scope, receive), sending)
        finally:
            took = round((time.perf_counter() - began) * 1000, 1)
            said = {"method": scope["method"], "path": _without_secrets(scope["path"]), "status": status[0], "ms": took}
            log.info(json.dumps(said))

    def _under_root(self, scope: Scope) -> Scope:
        """The request under our path, whether or not a proxy has taken it off."""
        root, path = self.settings.root, scope["path"]
        whole = path if path == root or path.startswith(f"{root}/") else f"{root}{path}"
        return {**scope, "path": whole, "root_path": root} if root else scope

    def _headers(self, scope: Scope, there: Any) -> list[tuple[bytes, bytes]]:
        known = {name.lower() for name, _ in there}
        more = dict(HEADERS)
        if not scope["path"].startswith(f"{self.settings.root}/static/"):
            more["Cache-Control"] = "no-store"
        if self.settings.secure:
            more["Strict-Transport-Security"] = "max-age=31536000"
        named = ((n.lower().encode(), v.encode()) for n, v in more.items())
        return [(n, v) for n, v in named if n not in known]

    def _refused(self, request: Request) -> Response | None:
        host = _host_name(request.headers.get("host", ""))
        if host not in self.hosts:
            return problem(421, "this server is not called so.", "say its name with --allow-host when it is started.")
        origin = request.headers.get("origin")
        if request.method not in SAFE and origin is not None:
            ours = urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
            if not ours:
                return problem(403, "this request comes from another site.")
        if request.headers.get("sec-fetch-site") == "cross-site" and request.method not in SAFE:
            return problem(403, "this request comes from another site.")
        length = request.headers.get("content-length", "0")
        if not length.isdigit():
            return problem(400, "the request's length cannot be read.")
        if int(length) > self.settings.lead_bytes:
            return problem(413, "the request is too large.", f"at most {self.settings.lead_bytes:,} bytes.")
        return None

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """A body without a declared length is counted while it comes."""
        seen = [0]

        async def counted() -> Message:
            message = await receive()
            seen[0] += len(message.get("body", b""))
            if seen[0] > self.settings.lead_bytes:
                return {"type": "http.disconnect"}
            return message

        return counted


def _host_name(host: str) -> str:
    """
    >>> _host_name("Localhost:8000"), _host_name("[::1]:80"), _host_name("evil.example@127.0.0.1")
    ('localhost', '[::1]', 'evil.example@127.0.0.1')
    """
    host = host.lower()
    return host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]


def _without_secrets(path: str) -> str:
    """
    >>> _without_secrets("/j/abcdef"), _without_secrets("/api/judge")
    ('/j/...', '/api/judge')
    """
    for before in ("/j/", "/lead/first/", "/lead/enter/"):
        at = path.find(before)
        if at >= 0:
            return path[: at + len(before)] + "..."
    return path
