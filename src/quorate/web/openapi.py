"""The API's description: OpenAPI 3.1 from the declarations of the routes."""

from __future__ import annotations

import re
from typing import Any

from starlette.responses import Response

from quorate import __version__
from quorate.web.routing import ROUTES, Call, Declared, json_response, route
from quorate.web.shapes import ID, TEXT, obj

PROBLEM = obj("error", error=TEXT, hint=TEXT, more=True)
REFUSALS = {
    400: "not JSON",
    401: "not signed in",
    403: "not allowed",
    404: "not there",
    410: "closed",
    413: "too large",
}
REFUSALS |= {421: "not our name", 422: "not right", 429: "too many requests", 503: "the database does not answer"}


@route("GET", "/api/openapi.json", "nobody", gives={200: {"type": "object"}})
async def description(call: Call) -> Response:
    """This description."""
    return json_response(described(call.bench.settings.root))


def described(root: str = "") -> dict[str, Any]:
    """All routes under /api."""
    paths: dict[str, dict[str, Any]] = {}
    for declared in ROUTES:
        if declared.path.startswith("/api/"):
            paths.setdefault(declared.path, {})[declared.method.lower()] = _operation(declared)
    schemes = {"token": {"type": "http", "scheme": "bearer"}}
    for name in ("q_judge", "q_lead"):
        schemes[name] = {"type": "apiKey", "in": "cookie", "name": name}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Quorate workbench", "version": __version__},
        "servers": [{"url": root or "/"}],
        "paths": paths,
        "components": {"securitySchemes": schemes, "schemas": {"Problem": PROBLEM}},
    }


def _operation(declared: Declared) -> dict[str, Any]:
    out: dict[str, Any] = {"operationId": declared.name, "summary": declared.summary, "tags": [declared.who]}
    named = re.findall(r"{(\w+)}", declared.path)
    number = {"type": "string", "pattern": "^[0-9]{1,9}$"}
    parameters = [{"name": n, "in": "path", "required": True, "schema": number if n == "number" else ID} for n in named]
    parameters += [{"name": n, "in": "query", "required": False, "schema": s} for n, s in declared.query.items()]
    if parameters:
        out["parameters"] = parameters
    if declared.body is not None:
        out["requestBody"] = {"required": True, "content": {"application/json": {"schema": declared.body}}}
    refused = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    answers: dict[str, Any] = {str(s): {"description": said, **refused} for s, said in REFUSALS.items()}
    for status, shape in declared.gives.items():
        told = answers.get(str(status), {}).get("description", "done" if status < 300 else "refused")
        if shape is None:
            answers[str(status)] = {"description": told}
        else:
            answers[str(status)] = {"description": told, "content": {"application/json": {"schema": shape}}}
    out["responses"] = dict(sorted(answers.items()))
    if declared.who != "nobody":
        out["security"] = [{"token": []}, {"q_judge" if declared.who == "judge" else "q_lead": []}]
        out["description"] = f"A token needs the scope `{declared.scope}`."
    return out
