"""The lead's pages: from a pasted table to links, the dashboard live, adjudication, freezing, settings."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import select

from quorate.store import assignment as engine
from quorate.store import events, judges, leads, work
from quorate.store.ids import uuid7
from quorate.store.schema import assignment, exclusion, freeze, judge, study
from quorate.store.studies import definition_of
from tests.browser.workbench.bench import begin, rows, saved, until
from tests.browser.workbench.look import clean, fits
from tests.workbench import complete


@pytest.fixture(scope="module")
def context(bench, chromium):
    made = chromium.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    made.set_default_timeout(20_000)
    page = made.new_page()
    page.goto(bench.lead_link())
    page.close()
    yield made
    made.close()


@pytest.fixture
def page(context):
    made = context.new_page()
    errors = []
    made.on("pageerror", lambda error: errors.append(str(error)))
    yield made
    made.close()
    assert errors == []


@pytest.fixture(scope="module")
def judged(bench):
    """Four judges agree but for some noise; one says the reverse."""
    made = bench.study("order", items=[*rows(6, "one"), *rows(6, "two")], title="Which report is best?")
    rng = random.Random(1)

    def job(connection):
        for name in ("Amy", "Bob", "Cleo", "Dov", "Finn"):
            one = judges.add(connection, made, name)
            while (given := engine.offer(connection, made, one)) is not None:
                shown = sorted(work.view(connection, given["id"], one)["items"], key=lambda i: i["id"])
                order = [i["id"] for i in shown]
                at = rng.randrange(5)
                order[at], order[at + 1] = order[at + 1], order[at]
                if name == "Finn":
                    order.reverse()
                state = {"kind": "order", "ranked": [[i] for i in order], "cannot_place": []}
                seq = work.save(connection, given["id"], one, events.Save(uuid7(), 0, state, "test"))["seq"]
                work.submit(connection, given["id"], one, uuid7(), seq)

    bench.database.now(job)
    return made


def test_from_a_pasted_table_to_links_that_work(bench, page, device):
    page.goto(f"{bench.url}/lead")
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Title").fill("Which answer helps?")
    page.get_by_label("Or paste here").fill("task,text,system\nq1,Seven,zebra-7b\nq1,Eight,yak-large\n")
    assert page.get_by_text("A table with the columns task,text,system; 2 lines below.").is_visible()
    page.get_by_label("Names, one per line").fill("Amy\nBob")
    page.get_by_label("Guidelines for judges").fill("Be **fair**.")
    clean(page, dark=True)
    fits(page)
    for kind in ("Group", "Score", "Vote"):
        page.get_by_role("checkbox", name=kind).check()
    clean(page)
    page.get_by_role("button", name="Score earlier").click()  # order, score, group, vote
    page.get_by_role("checkbox", name="Group Judges").uncheck()
    page.get_by_label("At most so many items share a place", exact=True).check()
    page.get_by_role("button", name="Create the study").click()
    page.get_by_text("Which answer helps? is ready").wait_for()
    clean(page)
    links = page.locator("td .link").all_text_contents()
    assert len(links) == 2
    made = bench.rows(select(study.c.id).where(study.c.title == "Which answer helps?"))[0]["id"]
    definition = bench.database.now(lambda c: definition_of(c, made))
    assert definition["sequence"] == {"pages": ["order", "score", "vote"], "by": "task"}
    assert [r["rule"] for r in definition["rules"]] == ["max_tie"]
    task = device().new_page()
    begin(task, links[0])
    assert task.locator(".card").count() == 2


@pytest.mark.long
def test_what_is_wrong_with_the_items_is_said_and_can_be_mended(bench, page):
    page.goto(f"{bench.url}/lead/new")
    page.get_by_label("Title").fill("Mended")
    page.get_by_role("button", name="Create the study").click()
    page.get_by_text("There are no items yet.").wait_for()
    page.get_by_label("Or paste here").fill("item,text\na,One\na,Two\n")
    page.get_by_role("button", name="Create the study").click()
    page.locator(".problem").wait_for()
    page.get_by_label("Or paste here").fill("item,text\na,One\nb,Two\n")
    page.get_by_role("button", name="Create the study").click()
    page.get_by_text("Mended is ready").wait_for()
    assert len(bench.rows(select(study.c.id).where(study.c.title == "Mended"))) == 1


def test_the_dashboard_is_live_and_says_who_is_off(bench, page, judged, device):
    page.goto(f"{bench.url}/lead/s/{judged}")
    page.locator(".figures").wait_for()
    assert page.locator(".figure", has_text="submitted").locator("b").text_content() == "10"
    assert page.get_by_text("Was the scale flipped?").is_visible()
    assert "As of event" in page.locator("main p[role=status]").text_content()
    page.locator(".tag", has_text="live").wait_for()
    clean(page, dark=True)
    fits(page)
    before = page.locator("main p[role=status]").text_content()
    task = device().new_page()
    begin(task, bench.judge(judged, "Gil"))
    task.locator(".tray .card [data-act=last]").first.click()
    saved(task)
    page.locator(".figure", has_text="in progress").locator("b", has_text="1").wait_for()  # nobody reloaded
    assert page.locator("main p[role=status]").text_content() != before
    told = page.locator(".tile").all_text_contents()
    assert [t.partition("?")[0] for t in told] == ["Do the judges agree", "Is any judge off", "What came out"]
    assert "tau_b" not in page.locator("main").inner_text()  # until it is unfolded
    page.get_by_role("button", name="How sure is it?").click()
    page.get_by_text("Intervals as of event").wait_for()
    page.locator(".tile", has_text="How sure is it?").wait_for()
    page.get_by_role("heading", name="What to do next").wait_for()
    page.get_by_text("Measures of agreement, by name").click()
    assert page.get_by_text("tau_b", exact=True).is_visible()
    clean(page, dark=True)


@pytest.mark.long
def test_judges_see_no_agreement(bench, judged, device):
    heard = []
    context = device()
    context.on("response", lambda r: heard.append(r.text()) if "/api/" in r.url and r.status == 200 else None)
    page = context.new_page()
    begin(page, bench.judge(judged, "Hana"))
    page.goto(f"{bench.url}/lead/s/{judged}")
    assert "/lead/login" in page.url or page.get_by_text("Sign in").count()
    assert heard
    assert not any(word in text for text in heard for word in ("agreement", "tau", "consensus", "Finn"))


@pytest.mark.long
def test_inviting_renewing_excluding_and_revoking(bench, page, judged):
    page.goto(f"{bench.url}/lead/s/{judged}/invite")
    page.get_by_label("Names, one per line").fill("Ida")
    page.get_by_role("button", name="Make links").click()
    page.get_by_role("button", name="Copy the link of Ida").wait_for()
    clean(page, dark=True)
    fits(page)
    page.get_by_role("button", name="New link: Ida").click()
    page.get_by_role("button", name="Copy the link of Ida").wait_for()
    page.get_by_role("button", name="Exclude: Finn").click()
    page.get_by_label("Reason").fill("Read the scale upside down.")
    page.get_by_role("dialog").get_by_role("button", name="Exclude").click()
    page.get_by_text("Read the scale upside down.").wait_for()
    assert bench.rows(select(exclusion.c.reason))[0]["reason"] == "Read the scale upside down."
    page.get_by_role("button", name="Count Finn again").click()
    page.get_by_text("counted again").wait_for()
    page.get_by_role("button", name="Revoke: Ida").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    page.locator("tr", has_text="Ida").get_by_text("revoked").wait_for()
    assert {r["state"] for r in bench.rows(select(judge.c.state).where(judge.c.name == "Ida"))} == {"revoked"}


@pytest.mark.long
def test_adjudication_shows_every_judgment_and_wants_a_reason(bench, page, judged):
    page.goto(f"{bench.url}/lead/s/{judged}/adjudicate")
    page.get_by_role("button", name="Decide").first.wait_for()
    clean(page)
    page.get_by_role("button", name="Decide").first.click()
    page.get_by_role("heading", name="Your decision").wait_for()
    assert page.locator(".both.said section").count() >= 5
    clean(page)
    page.locator("ol.cards .card").nth(1).focus()
    page.keyboard.press("Alt+ArrowUp")
    page.get_by_role("button", name="Store the decision").click()
    page.get_by_text("Please give a reason").wait_for()
    page.get_by_label("Reason").fill("The second is more precise.")
    page.get_by_role("button", name="Store the decision").click()
    page.get_by_text("The second is more precise.").wait_for()
    assert page.get_by_role("button", name="Decide again").count() == 1


@pytest.mark.long
def test_a_frozen_version_can_be_downloaded(bench, page, judged):
    page.goto(f"{bench.url}/lead/s/{judged}/freeze")
    page.get_by_text("Nothing is frozen yet.").wait_for()
    clean(page)
    page.get_by_role("button", name="Freeze now").click()
    page.get_by_role("link", name="Download version 1").wait_for(timeout=60_000)
    with page.expect_download() as got:
        page.get_by_role("link", name="Download version 1").click()
    assert got.value.path().read_bytes()[:2] == b"PK"
    assert len(bench.rows(select(freeze.c.hash).where(freeze.c.study_id == judged))) == 1


@pytest.mark.long
def test_settings_pause_resume_close_and_reopen(bench, page):
    made = bench.study("order", title="Paused for lunch")

    def state():
        return bench.rows(select(study.c.state).where(study.c.id == made))[0]["state"]

    page.goto(f"{bench.url}/lead/s/{made}/settings")
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("The study is paused").wait_for()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_text("The study is closed").wait_for()
    until(lambda: state() == "closed")
    page.get_by_role("button", name="Open again").click()
    page.get_by_text("The study is open").wait_for()
    page.get_by_label("Title").fill("After lunch")
    page.get_by_label("Open until").fill("2040-01-31T18:00")
    page.get_by_role("button", name="Store").click()
    until(lambda: bench.rows(select(study.c.title).where(study.c.id == made))[0]["title"] == "After lunch")
    clean(page, dark=True)
    fits(page)


@pytest.mark.long
def test_a_stopping_rule_is_declared_before_the_first_judgment(bench, page, judged):
    made = bench.study("order", title="Until it is sure")
    page.goto(f"{bench.url}/lead/s/{made}/settings")
    page.get_by_label("Figure", exact=True).fill("tau_b")
    page.get_by_label("Interval no wider than").fill("0.2")
    page.get_by_label("At most").fill("9")
    page.get_by_role("button", name="Declare").click()
    page.get_by_text("Declared.").wait_for(state="attached")
    rule = bench.database.now(lambda c: definition_of(c, made))["stopping"]
    assert rule == {"method": "tau_b", "page": "order", "width": 0.2, "least": 3, "most": 9}
    page.goto(f"{bench.url}/lead/s/{made}")
    page.get_by_text("at most 0.20 wide, with at least 3 and at most 9 judges a task").wait_for()
    page.get_by_role("button", name="Look now").click()
    page.get_by_text("go on.").wait_for()
    clean(page, dark=True)
    page.goto(f"{bench.url}/lead/s/{judged}/settings")
    page.get_by_label("Figure", exact=True).fill("tau_b")
    page.get_by_role("button", name="Declare").click()
    page.get_by_text("a stopping rule is declared before the first judgment").wait_for()


@pytest.mark.long
def test_a_submitted_task_is_given_back(bench, page, judged):
    page.goto(f"{bench.url}/lead/s/{judged}/invite")
    page.get_by_role("button", name="Tasks: Finn").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Give back").first.click()
    dialog.get_by_text("given back").wait_for()
    clean(page, dark=True)
    states = bench.rows(select(assignment.c.state).join(judge).where(judge.c.name == "Finn"))
    assert sorted(row["state"] for row in states)[0] == "active"


@pytest.mark.long
def test_a_study_of_several_pages_is_told_page_by_page(bench, page):
    made = bench.study("order", title="Three questions", pages={"order": {}, "score": {}, "vote": {}}, items=rows(3))

    def job(connection):
        for name in ("Amy", "Bob", "Cleo"):
            one = judges.add(connection, made, name)
            while (given := engine.offer(connection, made, one)) is not None:
                state = complete(work.view(connection, given["id"], one), backwards=name == "Cleo")
                seq = work.save(connection, given["id"], one, events.Save(uuid7(), 0, state, "test"))["seq"]
                work.submit(connection, given["id"], one, uuid7(), seq)

    bench.database.now(job)
    page.goto(f"{bench.url}/lead/s/{made}")
    page.locator(".tile").first.wait_for()
    assert page.locator("main section[aria-label]").count() == 3
    for kind in ("Order", "Scores", "Votes"):
        assert page.locator(f"section[aria-label={kind}] .tile").count() == 3
    clean(page, dark=True)
    fits(page)
    page.goto(f"{bench.url}/lead/s/{made}/adjudicate")
    page.get_by_role("button", name="Decide: dam, Votes").wait_for()
    clean(page)
    page.goto(f"{bench.url}/lead/s/{made}/freeze")
    page.get_by_label("Scores: consensus by").select_option("median")
    clean(page)
    fits(page)
    assert page.get_by_role("link", name="Votes as Parquet").count() == 1
    page.get_by_role("button", name="Freeze now").click()
    page.get_by_role("link", name="Download version 1").wait_for(timeout=90_000)


@pytest.mark.long
def test_tokens_are_made_shown_once_and_taken_back(bench, page):
    page.goto(f"{bench.url}/lead/tokens")
    page.get_by_label("What it is for").fill("Nightly export")
    page.get_by_role("button", name="Make it").click()
    page.get_by_text("it is not shown again").wait_for()
    secret = page.locator(".link").text_content()
    clean(page, dark=True)
    fits(page)
    asked = {"Authorization": f"Bearer {secret}"}
    assert page.request.get(f"{bench.url}/api/studies", headers=asked).status == 200
    page.get_by_role("button", name="Take back: Nightly export").click()
    page.get_by_text("There is none.").wait_for()
    made = bench.study("order", title="By a model")
    page.goto(f"{bench.url}/lead/s/{made}/invite")
    page.get_by_label("Names, one per line").fill("m1")
    page.get_by_label("They are").select_option("model")
    page.get_by_role("button", name="Make links").click()
    page.get_by_role("button", name="Token: m1").click()
    page.get_by_role("heading", name="Token of m1").wait_for()
    asked = {"Authorization": f"Bearer {page.locator('.link').first.text_content()}"}
    assert page.request.get(f"{bench.url}/api/judge", headers=asked).status == 200
    page.goto(f"{bench.url}/lead/tokens")
    page.get_by_label("Read studies").uncheck()
    page.get_by_role("button", name="Make it").click()
    page.get_by_text("A token that may do nothing").wait_for()


@pytest.mark.long
def test_the_first_password_and_the_door(bench, device):
    secret = bench.database.now(leads.first_link)
    page = device().new_page()
    page.goto(f"{bench.url}/lead/first/{secret}")
    clean(page)
    for label in ("Password", "The same again"):
        page.get_by_label(label).fill("a long enough password")
    page.get_by_role("button", name="Set password").click()
    page.wait_for_url("**/lead")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/lead/login")
    clean(page)
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("This password is not right.").wait_for()
    page.get_by_label("Password").fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/lead")
