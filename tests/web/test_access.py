"""Every route, and everyone who may not call it: another judge, another lead, a token without the scope, nobody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quorate.store.credentials import hashed
from quorate.store.ids import uuid7
from quorate.web import app  # noqa: F401  (declares the routes)
from quorate.web.routing import ROUTES, Declared
from tests.web.client import Site, site
from tests.workbench import USUALLY_ONE, complete, on

PUBLIC = {  # anyone may call these; whatever else is public fails the test below
    *("/j/{token}", "/s/{token}", "/", "/lead/login", "/lead/first/{token}", "/lead/enter/{token}"),
    *("/static/{path:path}", "/worker.js", "/health", "/api/openapi.json"),
}


@pytest.fixture(scope="module", params=USUALLY_ONE)
def bench(request):
    with site(on=on(request.param, request)) as made:
        yield made


def test_nothing_else_is_public():
    assert {d.path for d in ROUTES if d.who == "nobody"} == PUBLIC
    assert {d.who for d in ROUTES} == {"nobody", "judge", "lead"}


def filled(declared: Declared, bench: Site) -> str:
    """The route's path with ids of the first lead's study and its judge."""
    one = bench.study.next(bench.judge_id)
    known = {"study": bench.study.id, "judge": bench.judge_id, "assignment": one["id"] if one else uuid7()}
    return re.sub(r"{(\w+)}", lambda m: str(known.get(m[1], "1" if m[1] == "number" else uuid7())), declared.path)


CLOSED = [d for d in ROUTES if d.who != "nobody"]


@pytest.mark.parametrize("declared", CLOSED, ids=lambda d: f"{d.method} {d.path}")
def test_nobody_is_let_in(bench, declared):
    path = filled(declared, bench)
    assert bench.nobody.ask(declared.method, path, {}).status_code == 401
    wrong = {"Authorization": "Bearer not-a-token", "Cookie": "q_judge=no; q_lead=no"}
    assert bench.client.request(declared.method, path, json={}, headers=wrong).status_code == 401


@pytest.mark.parametrize("declared", CLOSED, ids=lambda d: f"{d.method} {d.path}")
def test_the_other_role_is_not_let_in(bench, declared):
    who = bench.lead if declared.who == "judge" else bench.judge
    who.cookies = {n: v for pair in who.cookies.items() for n, v in (pair, ("q_judge", pair[1]), ("q_lead", pair[1]))}
    assert who.ask(declared.method, filled(declared, bench), {}).status_code == 401


@pytest.mark.parametrize("declared", [d for d in CLOSED if "{" in d.path], ids=lambda d: f"{d.method} {d.path}")
def test_what_belongs_to_another_is_not_there(bench, declared):
    who = bench.stranger if declared.who == "judge" else bench.other_lead
    body = {"op": uuid7(), "base_seq": 0, "state": {}, "text": "x", "reason": "x", "name": "x", "data": "x"}
    body = {n: body[n] for n in (declared.body or {}).get("properties", {}) if n in body}
    if "task" in ((declared.body or {}).get("properties") or {}):
        body["task"] = uuid7()
    found = who.ask(declared.method, filled(declared, bench), body)
    assert found.status_code == 404, found.text


@pytest.mark.parametrize("declared", CLOSED, ids=lambda d: f"{d.method} {d.path}")
def test_a_token_needs_the_scope_of_the_route(bench, declared):
    scopes = {"read", "write", "freeze"} - {declared.scope}
    if declared.who == "judge":
        who = bench.token(*scopes, judge=bench.judge_id)
    else:
        who = bench.token(*scopes, lead=bench.study.lead)
    assert who.ask(declared.method, filled(declared, bench), {}).status_code == 403


@pytest.mark.parametrize("declared", [d for d in CLOSED if "{study}" in d.path], ids=lambda d: f"{d.method} {d.path}")
def test_a_token_of_one_study_does_not_open_another(bench, declared):
    limited = bench.token("read", "write", "freeze", lead=bench.study.lead, study=bench.other.id)
    assert limited.ask(declared.method, filled(declared, bench), {}).status_code == 404


@pytest.mark.parametrize(
    "declared", [d for d in CLOSED if d.method not in ("GET", "HEAD")], ids=lambda d: f"{d.method} {d.path}"
)
def test_a_session_needs_the_token_of_its_page_and_our_own_origin(bench, declared):
    who, path = bench.judge if declared.who == "judge" else bench.lead, filled(declared, bench)
    for headers in ({"X-CSRF": "0" * 32}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert who.ask(declared.method, path, {}, headers=headers).status_code == 403


def test_another_name_of_the_server_is_refused(bench):
    for host in ("evil.example", "127.0.0.1.evil.example", "", "evil.example:8000"):
        assert bench.client.get("/health", headers={"Host": host}).status_code == 421
    assert bench.client.get("/health", headers={"Host": "localhost:9"}).status_code == 200


def test_the_credential_that_a_page_names_must_be_the_cookies(bench):
    assert bench.judge.get("/api/judge", headers={"X-Credential": bench.judge_id}).status_code == 200
    assert bench.judge.get("/api/judge", headers={"X-Credential": bench.stranger_id}).status_code == 401


def test_every_response_carries_the_headers(bench):
    for path in ("/health", "/api/judge", "/nothing", "/lead/login", "/static/none.js"):
        headers = bench.client.get(path).headers
        assert "'unsafe" not in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"


def test_no_answer_to_a_judge_holds_a_systems_name(bench):
    who = bench.judge
    seen = []
    while True:
        given = who.post("/api/judge/next")
        if given.status_code == 204:
            break
        one = given.json()["assignment"]["id"]
        view = who.get(f"/api/assignments/{one}")
        state = complete(view.json())
        saved = who.ask("PUT", f"/api/assignments/{one}/events/{uuid7()}", {"base_seq": 0, "state": state})
        stale = who.ask("PUT", f"/api/assignments/{one}/events/{uuid7()}", {"base_seq": 0, "state": state})
        wrong = who.ask("PUT", f"/api/assignments/{one}/events/{uuid7()}", {"base_seq": 1, "state": {"kind": "x"}})
        sent = who.post(f"/api/assignments/{one}/submit", {"op": uuid7(), "base_seq": saved.json()["seq"]})
        assert (saved.status_code, stale.status_code, wrong.status_code, sent.status_code) == (200, 409, 422, 200)
        seen += [given, view, saved, stale, wrong, sent, who.get(f"/judge/a/{one}")]
    seen += [who.get("/api/judge"), who.get("/judge")]
    assert len(seen) == 4 * 7 + 2
    for response in seen:
        assert "hidden-system" not in response.text
        assert "agreement" not in response.text.lower()
        assert "Amy" not in response.text


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/.", "/j/"]
)
def test_no_other_file_is_served(bench, path):
    assert bench.client.get(path).status_code == 404


def test_secrets_are_kept_as_hashes_only():
    with site() as bench:
        secret = bench.judge.cookies["q_judge"]
        file = Path(str(bench.database.url.database))
        kept = b"".join(p.read_bytes() for p in file.parent.iterdir())
    assert secret.encode() not in kept
    assert hashed(secret).encode() in kept
