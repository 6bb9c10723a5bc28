"""Nothing is lost: offline, closed and opened again, two tabs, two devices, signed out, refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import quorate
from tests.browser.workbench.bench import begin, rows, saved, until

STATIC = Path(quorate.__file__).parent / "web" / "static"


def first(page):
    """Place the first card that is not placed yet."""
    page.locator(".tray .card [data-act=last]").first.click()


def finish(page):
    while page.locator(".tray .card").count():
        first(page)
    page.get_by_role("button", name="Submit and go on").click()


def told(page, words):
    """Wait for what the bar says."""
    page.locator(".status", has_text=words).and_(page.locator(".bar *")).wait_for()


def ranked(state):
    return [len(place) for place in state["ranked"]] if state else []


@pytest.fixture(scope="module")
def study(bench):
    return bench.study("order")


@pytest.mark.long
def test_saved_is_said_after_the_commit_only(bench, study, device):
    page = device().new_page()
    task = begin(page, bench.judge(study, "commit"))
    held = []
    page.route("**/events/*", lambda route: held.append(route))
    first(page)
    until(lambda: page.locator(".status").text_content() == "Saving…" and held)
    assert bench.state(task) is None
    held[0].continue_()
    saved(page)
    assert ranked(bench.state(task)) == [1]


def test_offline_then_closed_then_opened_again_loses_nothing(bench, study, device):
    context = device(service_workers="allow")
    page = context.new_page()
    task = begin(page, bench.judge(study, "offline"))
    first(page)
    saved(page)
    page.wait_for_selector("html[data-offline=ready]")
    context.set_offline(True)
    first(page)
    first(page)
    told(page, "Offline: 2 changes kept on this device")
    order = page.locator("ol.cards .card").evaluate_all("cards => cards.map((card) => card.dataset.id)")
    page.close()

    page = context.new_page()
    page.goto(f"{bench.url}/judge/a/{task}")  # no network at all: from the device
    page.locator("ol.cards .card").nth(2).wait_for()
    first(page)
    told(page, "Offline: 3 changes kept on this device")
    page.close()
    assert ranked(bench.state(task)) == [1]

    context.set_offline(False)
    page = context.new_page()
    page.goto(f"{bench.url}/judge")  # any page of the judge sends what waits
    until(lambda: ranked(bench.state(task)) == [1, 1, 1, 1])
    assert [place[0] for place in bench.state(task)["ranked"]][:3] == order


@pytest.mark.long
def test_an_answer_that_was_lost_is_asked_for_with_the_same_id(bench, study, device):
    page = device().new_page()
    task = begin(page, bench.judge(study, "lost answer"))
    seen = []

    def swallow(route):
        seen.append(route.request.url)
        if len(seen) < 2:
            route.fetch()  # the server commits, the browser never hears of it
            return route.abort()
        return route.continue_()

    page.route("**/events/*", swallow)
    first(page)
    saved(page)
    assert len(seen) == 2
    assert seen[0] == seen[1]
    assert len(bench.events(task)) == 1


@pytest.mark.long
def test_signed_out_keeps_the_queue_and_sends_it_after_the_link_is_opened_again(bench, study, device):
    context = device()
    page = context.new_page()
    link = bench.judge(study, "signed out")
    task = begin(page, link)
    first(page)
    saved(page)
    context.clear_cookies()
    first(page)
    told(page, "Signed out: 1 change kept on this device")
    assert ranked(bench.state(task)) == [1]
    page.goto(link)
    until(lambda: ranked(bench.state(task)) == [1, 1])


def test_work_never_goes_out_under_another_judges_name(bench, study, device):
    context = device()
    page = context.new_page()
    mine = begin(page, bench.judge(study, "one"))
    other = context.new_page()
    begin(other, bench.judge(study, "two"))
    first(page)
    told(page, "Signed out: 1 change kept on this device")
    assert bench.state(mine) is None
    first(other)
    saved(other)


@pytest.mark.long
def test_a_refused_record_steps_aside_and_the_others_go_on(bench, device):
    study = bench.study("order", items=[*rows(3), *rows(3, "second")])
    context = device()
    page = context.new_page()
    link = bench.judge(study, "refused")
    one = begin(page, link)
    finish(page)
    page.wait_for_url(lambda url: one not in url)
    page.wait_for_selector(".card")
    two = page.url.rsplit("/", 1)[1]
    page.goto(f"{bench.url}/judge/a/{one}")
    page.get_by_role("button", name="Change my answer").click()
    page.locator(".order:not([inert])").wait_for()
    page.locator("ol.cards .card").first.focus()
    said = {"error": "no.", "errors": [{"where": "", "fact": "This is refused.", "hint": "Change it."}]}
    page.route(f"**/{one}/events/*", lambda route: route.fulfill(status=422, json=said))
    page.keyboard.press("Alt+ArrowDown")
    page.locator(".status.refused").wait_for()
    assert page.get_by_text("This is refused.").is_visible()
    page.goto(f"{bench.url}/judge/a/{two}")
    page.wait_for_selector(".card")
    first(page)
    saved(page)
    assert ranked(bench.state(two)) == [1]
    page.unroute(f"**/{one}/events/*")
    before = bench.state(one)
    page.goto(f"{bench.url}/judge/a/{one}")
    page.locator("ol.cards .card").first.focus()
    page.keyboard.press("=")  # the first has none above: nothing changes
    page.locator("ol.cards .card").last.focus()
    page.keyboard.press("=")  # changed: it is tried again
    saved(page)
    assert ranked(bench.state(one)) == [1, 2] != ranked(before)


@pytest.mark.parametrize("choice", ["mine", pytest.param("theirs", marks=pytest.mark.long)])
def test_two_devices_the_judge_sees_both_and_chooses(bench, study, device, choice):
    link = bench.judge(study, f"two devices {choice}")
    here, there = device().new_page(), device().new_page()
    task = begin(here, link)
    there.goto(link)
    there.goto(f"{bench.url}/judge/a/{task}")
    there.wait_for_selector(".card")
    first(here)
    saved(here)
    for _ in range(2):
        first(there)
    there.get_by_role("dialog").wait_for()
    assert there.get_by_text("Which version shall count?").is_visible()
    assert there.locator(".both section").nth(0).locator("li").count() == 2
    assert there.locator(".both section").nth(1).locator("li").count() == 1
    there.get_by_role("button", name="Keep the one on this page" if choice == "mine" else "Take the other").click()
    saved(there)
    assert ranked(bench.state(task)) == ([1, 1] if choice == "mine" else [1])
    kept = [json.loads(e["state"]) for e in bench.events(task)]
    assert [1, 1] in map(ranked, kept)  # the losing state is stored too


@pytest.mark.long
def test_tabs_of_one_device_show_the_same(bench, study, device):
    context = device()
    here, there = context.new_page(), context.new_page()
    task = begin(here, bench.judge(study, "two tabs"))
    there.goto(f"{bench.url}/judge/a/{task}")
    there.wait_for_selector(".card")
    first(here)
    there.locator("ol.cards .card").nth(0).wait_for()
    first(there)
    here.locator("ol.cards .card").nth(1).wait_for()
    saved(here)
    saved(there)
    until(lambda: ranked(bench.state(task)) == [1, 1])


@pytest.mark.long
@pytest.mark.parametrize("choice", [pytest.param("mine", marks=pytest.mark.long), "theirs"])
def test_a_stale_tab_never_overwrites(bench, study, device, choice):
    context = device()
    context.add_init_script("if (location.hash === '#deaf') delete window.BroadcastChannel")
    here, stale = context.new_page(), context.new_page()
    task = begin(here, bench.judge(study, f"stale tab {choice}"))
    stale.goto(f"{bench.url}/judge/a/{task}#deaf")
    stale.wait_for_selector(".card")
    for _ in range(3):
        first(here)
    saved(here)
    first(stale)
    stale.get_by_text("Another tab of this browser changed this task.").wait_for()
    assert ranked(bench.state(task)) == [1, 1, 1]
    stale.get_by_role("button", name="Keep the one on this page" if choice == "mine" else "Take the other").click()
    until(lambda: ranked(bench.state(task)) == ([1] if choice == "mine" else [1, 1, 1]))
    stale.locator("ol.cards .card").nth(0 if choice == "mine" else 2).wait_for()
    saved(stale)


@pytest.mark.long
def test_submitted_offline_is_submitted_when_the_network_is_back(bench, study, device):
    context = device()
    page = context.new_page()
    task = begin(page, bench.judge(study, "submit offline"))
    context.set_offline(True)
    finish(page)
    page.get_by_text("will be submitted as soon as the server can be reached").wait_for()
    assert bench.assignment(task)["state"] != "submitted"
    context.set_offline(False)
    until(lambda: bench.assignment(task)["state"] == "submitted")
    page.wait_for_url("**/judge")
    page.get_by_text("You have done everything that was asked of you.").wait_for()


@pytest.mark.long
def test_a_browser_that_keeps_nothing_says_so(bench, study, device):
    context = device()
    context.add_init_script("Object.defineProperty(window, 'indexedDB', {value: undefined})")
    page = context.new_page()
    task = begin(page, bench.judge(study, "private window"))
    assert page.get_by_text("This browser keeps nothing when it is closed.").is_visible()
    first(page)
    saved(page)
    assert ranked(bench.state(task)) == [1]


def test_the_worker_keeps_every_script_that_judges_pages_need():
    def needed(name, found):
        if name not in found:
            found.add(name)
            for other in re.findall(
                r'(?:from|import\() ?"\./([\w-]+)\.js"', (STATIC / f"{name}.js").read_text("utf-8")
            ):
                needed(other, found)
        return found

    kept = re.search(r"FILES = \[(.*?)\]", (STATIC / "worker.js").read_text("utf-8"), re.DOTALL)[1]
    assert set(re.findall(r'"([\w-]+)"', kept)) == needed("judge", set()) | needed("task", set())
