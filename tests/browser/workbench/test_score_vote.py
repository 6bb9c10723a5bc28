"""The score and vote pages: digits, pointer, names; one at a time and side by side."""

from __future__ import annotations

import pytest

from tests.browser.workbench.bench import begin, rows, saved
from tests.browser.workbench.look import clean, fits


def announced(page):
    return "".join(page.locator(".announce").all_text_contents())


def test_scores_one_at_a_time_by_digits_alone(bench, device):
    study = bench.study("score", items=rows(2))
    page = device().new_page()
    task = begin(page, bench.judge(study))
    assert page.locator("input:checked").count() == 0
    clean(page, dark=True)
    fits(page)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type === 'radio'"):
            break
    page.keyboard.press("4")
    assert "Usefulness: 4." in announced(page)
    page.keyboard.press("9")
    assert page.evaluate("document.activeElement.textContent") == "Next"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("5")
    assert "Usefulness: 5. solves it" in announced(page)
    page.keyboard.press("Delete")
    page.keyboard.press("0")
    clean(page)
    page.get_by_role("button", name="Submit and go on").click()
    page.wait_for_url("**/judge")
    scores = [(given["useful"], given["clear"]) for given in bench.state(task)["scores"].values()]
    assert sorted(scores) == [(4, 9), (5, 0)]


@pytest.mark.long
def test_scores_side_by_side_with_a_long_scale(bench, device):
    page = device().new_page()
    task = begin(page, bench.judge(bench.study("side", items=rows(2))))
    page.get_by_role("spinbutton", name="Share that is right").first.fill("85")
    page.keyboard.press("Tab")
    page.get_by_role("radio", name="5: solves it").first.check(force=True)
    saved(page)
    (only,) = bench.state(task)["scores"].values()
    assert only == {"share": 85, "useful": 5}
    page.get_by_role("spinbutton").first.fill("101")
    page.keyboard.press("Tab")
    assert page.get_by_role("spinbutton").first.evaluate("input => input.validationMessage") != ""
    page.get_by_role("button", name="Clear Usefulness").first.click()
    saved(page)
    assert list(bench.state(task)["scores"].values()) == [{"share": 85}]
    page.get_by_role("button", name="Submit and go on").click()
    assert "5 scores are missing" in announced(page)
    assert page.evaluate("document.activeElement.tagName") == "INPUT"
    clean(page, dark=True)
    fits(page)


def test_votes_by_keyboard_alone_with_undo(bench, device):
    page = device().new_page()
    task = begin(page, bench.judge(bench.study("vote", items=rows(3))))
    assert page.get_by_text("Pair 1 of 3").is_visible()
    assert page.locator("[aria-pressed=true]").count() == 0
    clean(page, dark=True)
    fits(page)
    page.keyboard.press("ArrowLeft")
    assert "A is better. Pair 2 of 3." in announced(page)
    page.keyboard.press("2")
    page.keyboard.press("Control+z")
    assert page.get_by_text("Pair 2 of 3").is_visible()  # undo shows what it undid
    page.keyboard.press("3")
    page.keyboard.press("4")
    assert "All pairs are decided." in announced(page)
    page.keyboard.press("p")
    assert page.get_by_role("button", name="Equally good").get_attribute("aria-pressed") == "true"
    clean(page)
    page.get_by_role("button", name="Submit and go on").click()
    page.wait_for_url("**/judge")
    assert sorted(bench.state(task)["choices"].values()) == ["a", "both_bad", "tie"]


@pytest.mark.long
def test_votes_by_finger_without_ties(bench, device):
    study = bench.study("vote", items=rows(2), pages={"vote": {"ties": False, "both_bad": False}})
    page = device(390, 800, has_touch=True, is_mobile=True).new_page()
    task = begin(page, bench.judge(study))
    assert page.get_by_role("group", name="Your choice").get_by_role("button").count() == 2
    page.keyboard.press("3")  # not offered here
    page.get_by_role("button", name="B is better").tap()
    saved(page)
    assert list(bench.state(task)["choices"].values()) == ["b"]
