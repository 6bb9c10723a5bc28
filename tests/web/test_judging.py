"""A judge's way through a study: link, consent, tasks, saving, submitting, completion, leaving."""

from __future__ import annotations

from sqlalchemy import select, update

from quorate.store.ids import uuid7
from quorate.store.schema import assignment, credential, event
from quorate.web.settings import Settings
from tests.web.client import Caller, link_of
from tests.workbench import complete


def through(who: Caller) -> list[str]:
    """Every assignment that there is, submitted."""
    out = []
    while (given := who.post("/api/judge/next")).status_code == 200:
        one = given.json()["assignment"]["id"]
        state = complete(who.get(f"/api/assignments/{one}").json())
        saved = who.ask("PUT", f"/api/assignments/{one}/events/{uuid7()}", {"base_seq": 0, "state": state})
        sent = who.post(f"/api/assignments/{one}/submit", {"op": uuid7(), "base_seq": saved.json()["seq"]})
        assert sent.status_code == 200
        out.append(one)
    assert given.status_code == 204
    return out


def test_a_link_becomes_a_cookie_and_works_on_another_device(bench):
    secret = link_of(bench.database, bench.judge_id)
    for _ in range(2):
        found = bench.client.get(f"/j/{secret}", follow_redirects=False)
        bench.client.cookies.clear()
        assert (found.status_code, found.headers["location"]) == (303, "/judge")
        cookie = found.headers["set-cookie"]
        assert all(word in cookie for word in ("q_judge=", "HttpOnly", "SameSite=lax", "Path=/"))
        assert secret not in cookie
    again = link_of(bench.database, bench.judge_id)
    assert bench.client.get(f"/j/{secret}", follow_redirects=False).status_code == 404
    assert bench.client.get(f"/j/{again}", follow_redirects=False).status_code == 303


def test_an_expired_session_is_401_and_the_queue_can_be_sent_after_the_next_visit(bench):
    who = bench.judge
    one = who.post("/api/judge/next").json()["assignment"]["id"]
    state = complete(who.get(f"/api/assignments/{one}").json())
    bench.database.now(lambda c: c.execute(update(credential).values(expires=0)))
    bench.client.app.state.bench.known.clear()
    path, body = f"/api/assignments/{one}/events/{uuid7()}", {"base_seq": 0, "state": state}
    assert who.ask("PUT", path, body).status_code == 401
    assert bench.judge.ask("PUT", path, body).json() == {"seq": 1, "replayed": False}
    assert bench.judge.ask("PUT", path, body).json() == {"seq": 1, "replayed": True}


def test_the_completion_code_is_given_only_when_everything_is_in(a_site):
    with a_site(completion_code="C0DE", judges_per_task=1) as bench:
        who = bench.judge
        assert who.get("/api/judge").json()["completion"]["code"] is None
        one = who.post("/api/judge/next").json()["assignment"]["id"]
        assert who.get("/api/judge").json()["completion"]["code"] is None
        assert len(through(who)) == 4
        assert who.get("/api/judge").json()["completion"]["code"] == "C0DE"
        who.post(f"/api/assignments/{one}/reopen")
        assert who.get("/api/judge").json()["completion"]["code"] is None
        late = bench.session(judge=bench.study.judge("late"))
        assert late.post("/api/judge/next").status_code == 204
        assert late.get("/api/judge").json()["status"] == "full"


def test_nothing_is_handed_out_before_consent(a_site):
    with a_site(consent="Do you agree?") as bench:
        who = bench.judge
        assert who.post("/api/judge/next").status_code == 403
        assert who.post("/api/judge/consent").status_code == 200
        assert who.post("/api/judge/next").status_code == 200


def test_leaving_erases_everything_and_ends_the_work(bench):
    who = bench.judge
    one = through(who)[0]
    assert who.post("/api/judge/withdraw").status_code == 200
    assert who.get("/api/judge").json()["status"] == "withdrawn"
    assert who.get(f"/api/assignments/{one}").status_code == 410
    assert who.post("/api/judge/next").status_code == 410
    with bench.database.read() as connection:
        assert set(connection.execute(select(event.c.state)).scalars()) == {None}


def test_a_platform_brings_judges_in_under_pseudonyms(a_site):
    with a_site(entry=["prolific"], pages={"order": {}}) as bench:
        url = bench.lead.post(f"/api/studies/{bench.study.id}/entry").json()["url"]
        path = url.removeprefix("http://127.0.0.1:8000").partition("?")[0]
        assert bench.client.get(path).status_code == 400
        names = []
        for person in ("5f3a", "77aa", "5f3a"):
            found = bench.client.get(path, params={"PROLIFIC_PID": person}, follow_redirects=False)
            assert found.status_code == 303
            names.append(bench.client.get("/api/judge").json()["judge"])
            bench.client.cookies.clear()
        assert names[0] == names[2] != names[1]
        assert "5f3a" not in str(names)
        assert bench.client.get(path, params={"workerId": "x"}).status_code == 400


def test_a_note_reaches_the_lead_and_revoking_ends_the_session(bench):
    who = bench.judge
    assert who.post("/api/judge/note", {"text": "item 3 is odd"}).status_code == 200
    told = bench.lead.get(f"/api/studies/{bench.study.id}/progress").json()["notes"]
    assert [n["text"] for n in told] == ["item 3 is odd"]
    bench.lead.post(f"/api/studies/{bench.study.id}/judges/{bench.judge_id}/revoke")
    assert who.get("/api/judge").status_code == 401


def test_bad_bodies_are_refused_in_words(bench):
    who = bench.judge
    one = who.post("/api/judge/next").json()["assignment"]["id"]
    path = f"/api/assignments/{one}/events/{uuid7()}"
    for body in (None, [], {"state": {}}, {"base_seq": -1, "state": {}}, {"base_seq": 0, "state": {}, "x": 1}):
        found = who.ask("PUT", path, body)
        assert found.status_code == 422, body
        assert found.json()["error"]
    for text in (
        b"{",
        b'{"base_seq": 0, "state": {"a": "\\u0000"}}',
        b"[" * 100_000,
        b'{"base_seq": NaN, "state": {}}',
    ):
        headers = {**who.headers, "Cookie": f"q_judge={who.cookies['q_judge']}"}
        assert bench.client.put(path, content=text, headers=headers).status_code == 400
    large = {"base_seq": 0, "state": {"a": "x" * 1_100_000}}
    assert who.ask("PUT", path, large).status_code == 413
    assert who.ask("PUT", f"/api/assignments/{one}/events/not-an-id", {}).status_code == 404
    with bench.database.read() as connection:
        assert connection.execute(select(assignment.c.state).where(assignment.c.id == one)).scalar() == "offered"


def test_too_many_requests_are_told_to_wait(a_site):
    with a_site(Settings(saves=1)) as bench:
        who = bench.judge
        answers = [who.get("/api/judge") for _ in range(15)]
        limited = [a for a in answers if a.status_code == 429]
        assert limited
        assert int(limited[0].headers["retry-after"]) >= 1
        assert bench.stranger.get("/api/judge").status_code == 200
