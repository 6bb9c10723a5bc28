"""The group page: open, closed and hybrid sorts by pointer, finger, keyboard and screen reader."""

from __future__ import annotations

import pytest

from tests.browser.workbench.bench import begin, saved
from tests.browser.workbench.look import clean, fits


def ids(page, zone):
    return page.locator(f'[data-zone="{zone}"] .chip').evaluate_all("chips => chips.map((chip) => chip.dataset.id)")


def announced(page):
    return "".join(page.locator(".announce").all_text_contents())


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture(scope="module")
def study(bench):
    rules = [{"rule": "one_per_source"}, {"rule": "max_groups", "n": 1}, {"rule": "named_groups"}]
    return bench.study("group", rules=rules)


def test_pointer_sorts_and_chosen_cards_go_together(bench, study, device):
    page = device().new_page()
    task = begin(page, bench.judge(study, "pointer"))
    assert bench.state(task) is None
    clean(page)
    a, b, c, d, e, f = ids(page, "unsorted")

    def drag(item, to):
        page.mouse.move(*middle(page.locator(f'[data-id="{item}"] .handle')))
        page.mouse.down()
        page.mouse.move(*middle(to), steps=4)
        page.mouse.up()

    drag(a, page.locator("[data-zone=new]"))
    page.locator(f'[data-id="{b}"] button.text').click()
    page.locator(f'[data-id="{c}"] button.text').click()
    assert page.get_by_text("2 chosen").first.is_visible()
    drag(b, page.locator("[data-zone=g1]"))
    assert ids(page, "g1") == [a, b, c]
    drag(d, page.locator("[data-zone=unsure]"))
    drag(e, page.locator("[data-zone=left_out]"))
    page.locator(f'[data-id="{f}"] button.text').click()
    page.get_by_role("button", name="New group of chosen").click()
    page.get_by_role("textbox", name="Name of group 1").fill("Floods, and more")
    page.keyboard.press("Enter")
    assert page.get_by_text("Two from the same source should not be in one group.").is_visible()
    assert page.get_by_text("At most 1 group please; you have 2.").is_visible()
    assert page.get_by_text("Please name this group.").count() == 1
    clean(page, dark=True)
    fits(page)
    saved(page)
    groups = [{"id": "g1", "name": "Floods, and more", "items": [a, b, c]}, {"id": "g2", "name": "", "items": [f]}]
    assert bench.state(task) == {"kind": "group", "groups": groups, "unsure": [d], "left_out": [e]}
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Dissolve").first.click()
    assert ids(page, "unsorted") == [a, b, c]


@pytest.mark.long
def test_keyboard_alone_sorts_in_a_hybrid(bench, device):
    page = device().new_page()
    task = begin(page, bench.judge(bench.study("hybrid")))
    a, b, c, d, e, f = ids(page, "unsorted")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.chip button')"):
            break
    for key in ("1", "n", "2", "u", "o"):
        page.keyboard.press(key)
    assert (ids(page, "f1"), ids(page, "g1"), ids(page, "unsure"), ids(page, "left_out")) == ([a], [b, c], [d], [e])
    assert "Left out. 1 left." in announced(page)
    page.keyboard.press("m")
    assert page.get_by_role("menuitem").all_text_contents()[0] == "1. Facts"
    clean(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert ids(page, "g1") == [b, c, f]
    assert "All cards are sorted." in announced(page)
    page.keyboard.press("Delete")
    assert ids(page, "unsorted") == [f]
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Submit and go on").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/judge")
    assert bench.assignment(task)["state"] == "submitted"


@pytest.mark.long
def test_a_closed_sort_by_screen_reader_and_finger(bench, device):
    page = device(390, 800, has_touch=True, is_mobile=True).new_page()
    task = begin(page, bench.judge(bench.study("closed")))
    assert page.get_by_role("textbox").count() == 0
    assert page.locator("[data-zone=new]").count() == 0
    page.get_by_role("button", name="Move: It rained a lot.").tap()
    page.get_by_role("menuitem", name="2. Opinions").tap()
    assert "In Opinions, 1 card. 5 left." in announced(page)
    for item in ids(page, "unsorted"):
        page.locator(f'[data-id="{item}"] .where').tap()
        page.get_by_role("menuitem", name="1. Facts").tap()
    saved(page)
    assert {g["name"]: len(g["items"]) for g in bench.state(task)["groups"]} == {"Opinions": 1, "Facts": 5}
    page.get_by_role("button", name="Submit and go on").tap()
    page.wait_for_url("**/judge")
