"""The application: declared routes behind the guard, and what starts and stops with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from quorate.store.database import Database, is_up
from quorate.store.migrate import upgrade
from quorate.web import gold_api, judge_api, judges_api, lead_api, openapi, pages, results_api
from quorate.web.routing import Bench, Call, json_response, message_page, route, starlette_routes
from quorate.web.security import Guard, problem
from quorate.web.settings import Settings

PARTS = (judge_api, lead_api, judges_api, results_api, gold_api, openapi, pages)  # imported for their routes


@route("GET", "/health", "nobody", gives={200: {"type": "object"}, 503: {}})
async def health(call: Call) -> Response:
    """Whether the server and its database answer."""
    up = await asyncio.to_thread(is_up, call.bench.database)
    return json_response({"ok": up}, 200 if up else 503)


def make(settings: Settings, database: Database | None = None) -> Starlette:
    """The application over a database that is brought up to date."""
    own = database is None
    database = database or Database(settings.database)
    upgrade(database)
    bench = Bench(settings, database, pages.Templates())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def committed() -> None:
            loop.call_soon_threadsafe(_wake, bench)

        database.committed = committed
        try:
            yield
        finally:
            bench.stopping.set()
            database.committed = lambda: None
            if bench.figures is not None:
                bench.figures.close()
            if own:
                database.close()

    async def missing(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        fact = {404: "there is nothing here.", 405: "this cannot be done here."}.get(status, "something went wrong.")
        if "text/html" in request.headers.get("accept", ""):
            return message_page(bench, status, fact)
        return problem(status, fact)

    app = Starlette(
        routes=starlette_routes(bench),
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={HTTPException: missing, 500: missing},
        lifespan=lifespan,
    )
    app.state.bench = bench
    return app


def _wake(bench: Bench) -> None:
    for waiting in bench.changed:
        waiting.set()
