"""Where a judge arrives: consent, practice, the list, the code at the end, and all ways of having nothing to do."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from quorate.store.schema import judge, study
from tests.browser.workbench.bench import begin, rows
from tests.browser.workbench.look import clean, fits


def place_all(page):
    while page.locator(".tray .card").count():
        page.locator(".tray .card [data-act=last]").first.click()


def submit(page):
    page.get_by_role("button", name="Submit and go on").click()


def test_consent_first_then_guidelines_tasks_and_the_code(bench, device):
    made = bench.study(
        "order",
        items=[*rows(2), *rows(2, "second")],
        guidelines="# How\n\nPut the **best** first. <script>alert(1)</script>",
        consent="You can stop at any time.",
        completion_code="SELM-17",
    )
    page = device().new_page()
    page.goto(bench.judge(made))
    page.get_by_text("You can stop at any time.").wait_for()
    assert page.get_by_text("Put the").count() == 0
    clean(page)
    page.get_by_role("button", name="I agree").click()
    page.get_by_text("Put the").wait_for()
    assert page.locator(".prose b, .prose strong").text_content() == "best"
    assert page.locator(".prose script").count() == 0
    clean(page, dark=True)
    fits(page)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".card")
    first = page.url
    place_all(page)
    submit(page)
    page.wait_for_url(lambda url: "/judge/a/" in url and url != first)
    page.get_by_role("link", name="Back to the list").click()
    page.get_by_text("1 of 2 tasks submitted.").wait_for()
    assert page.locator(".code").count() == 0  # not before the server holds everything
    page.get_by_role("link", name="Begin").or_(page.get_by_role("link", name="Go on")).click()
    page.wait_for_selector(".card")
    place_all(page)
    submit(page)
    assert page.locator(".code").text_content() == "SELM-17"
    clean(page)


@pytest.mark.long
def test_refusing_consent_records_nothing(bench, device):
    page = device().new_page()
    page.goto(bench.judge(bench.study("order", consent="Do you agree?")))
    page.get_by_role("button", name="I do not agree").click()
    page.get_by_text("nothing was recorded").wait_for()


def test_practice_comes_first_and_says_what_is_wrong(bench, device):
    practice = [{**row, "role": "training", "answer": k + 1} for k, row in enumerate(rows(2, "practice"))]
    page = device().new_page()
    begin(page, bench.judge(bench.study("order", items=[*practice, *rows(2)])))
    page.get_by_text("Practice: this task is for learning").wait_for()
    best = page.locator(".card", has_text=practice[0]["text"][:30])
    page.locator(".card").filter(has_not_text=practice[0]["text"][:30]).locator("[data-act=last]").click()
    best.locator("[data-act=last]").click()
    page.get_by_role("button", name="Check my answer").click()
    page.get_by_role("dialog").wait_for()
    assert page.get_by_text("Not quite yet").is_visible()
    assert page.get_by_text("This belongs further up.").is_visible()
    clean(page)
    page.get_by_role("button", name="Try again").click()
    best.focus()
    page.keyboard.press("Alt+ArrowUp")
    page.get_by_role("button", name="Check my answer").click()
    page.get_by_text("Well done").wait_for()
    before = page.url
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url(lambda url: "/judge/a/" in url and url != before)


@pytest.mark.long
@pytest.mark.parametrize(
    ("state", "words"),
    [("paused", "The study is paused."), ("closed", "This study is closed.")],
)
def test_a_study_that_hands_out_nothing_says_so(bench, device, state, words):
    made = bench.study("order")
    link = bench.judge(made)
    bench.database.now(lambda c: c.execute(update(study).where(study.c.id == made).values(state=state)))
    page = device().new_page()
    page.goto(link)
    page.get_by_text(words).wait_for()
    assert page.get_by_role("button", name="Begin").count() == 0
    clean(page)


@pytest.mark.long
def test_closed_under_a_judges_hands_keeps_the_draft_on_the_device(bench, device):
    made = bench.study("order")
    page = device().new_page()
    begin(page, bench.judge(made))
    bench.database.now(lambda c: c.execute(update(study).where(study.c.id == made).values(state="closed")))
    page.locator(".tray .card [data-act=last]").first.click()
    page.locator(".status.closed").wait_for()
    assert "kept on this device" in page.locator(".bar .status").text_content()


@pytest.mark.long
def test_a_late_judge_is_told_kindly_that_it_is_full(bench, device):
    made = bench.study("order", items=rows(2), judges_per_task=1)
    early, late = bench.judge(made, "early"), bench.judge(made, "late")
    page = device().new_page()
    begin(page, early)
    place_all(page)
    submit(page)
    page.wait_for_url("**/judge")
    page = device().new_page()
    page.goto(late)
    page.get_by_text("already has all the judges it needs").wait_for()
    clean(page)


@pytest.mark.long
def test_withdrawing_erases_and_says_so(bench, device):
    made = bench.study("order", items=rows(2))
    page = device().new_page()
    task = begin(page, bench.judge(made))
    place_all(page)
    submit(page)
    page.wait_for_url("**/judge")
    page.get_by_role("button", name="Withdraw from the study").click()
    clean(page)
    page.get_by_role("button", name="Withdraw and erase my answers").click()
    page.get_by_text("You have withdrawn").wait_for()
    assert {event["state"] for event in bench.events(task)} == {None}


@pytest.mark.long
def test_a_revoked_link_and_a_wrong_one(bench, device):
    made = bench.study("order")
    link = bench.judge(made)
    page = device().new_page()
    page.goto(link)
    page.get_by_role("button", name="Begin").wait_for()
    one = bench.rows(select(judge.c.id).where(judge.c.study_id == made))[0]["id"]
    from quorate.store import judges

    bench.database.now(lambda c: judges.revoke(c, made, one))
    page.reload()
    assert page.get_by_role("heading").count() == 1
    assert page.get_by_role("button", name="Begin").count() == 0
    page.goto(link[:-4] + "xxxx")
    page.get_by_text("this link does not work").wait_for()
    clean(page)


@pytest.mark.long
def test_a_note_reaches_the_lead(bench, device):
    from quorate.store.schema import note

    page = device().new_page()
    begin(page, bench.judge(bench.study("order")))
    page.get_by_role("button", name="Note to the lead").click()
    page.get_by_label("What should the lead know").fill("Two reports are the same.")
    clean(page)
    page.get_by_role("button", name="Send", exact=True).click()
    page.get_by_text("Your note was sent to the lead.").wait_for()
    assert bench.rows(select(note.c.text))[0]["text"] == "Two reports are the same."
