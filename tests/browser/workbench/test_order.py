"""The order page by pointer, finger, keyboard and screen reader; 200 items; nothing answered beforehand."""

from __future__ import annotations

import pytest

from tests.browser.workbench.bench import PAGES, begin, rows, saved
from tests.browser.workbench.look import clean, fits


@pytest.fixture(scope="module")
def study(bench):
    rules = [{"rule": "max_tie", "n": 2}, {"rule": "text", "text": "Read all reports first."}]
    return bench.study("order", guidelines="Best **first**.", rules=rules)


def order(page):
    return page.locator("ol.cards .card").evaluate_all("cards => cards.map((card) => card.dataset.id)")


def ranks(page):
    return page.locator("ol.cards .rank").evaluate_all("inputs => inputs.map((input) => Number(input.value))")


def unplaced(page):
    return page.locator(".tray > .cards .card").evaluate_all("cards => cards.map((card) => card.dataset.id)")


def announced(page):
    return "".join(page.locator(".announce").all_text_contents())


def middle(box, x=0.5, y=0.5):
    return box["x"] + box["width"] * x, box["y"] + box["height"] * y


def handle(page, item):
    return middle(page.locator(f'[data-id="{item}"] .handle').bounding_box())


def drag(page, item, to):
    page.mouse.move(*handle(page, item))
    page.mouse.down()
    page.mouse.move(*to, steps=4)
    page.mouse.up()


@pytest.mark.long
def test_nothing_is_answered_beforehand(bench, study, device):
    page = device().new_page()
    task = begin(page, bench.judge(study, "nothing yet"))
    assert order(page) == []
    assert page.locator(".count").text_content() == "0 of 6"
    assert page.locator(".status").and_(page.locator(".bar *")).text_content() == "Nothing to save yet"
    assert bench.state(task) is None
    page.get_by_role("button", name="Submit and go on").click()
    assert "6 items are not placed yet" in announced(page)
    assert bench.assignment(task)["state"] != "submitted"
    assert page.get_by_text("Read all reports first.").is_visible()
    fits(page)
    clean(page, dark=True)


def test_pointer_drags_to_places_ties_and_back(bench, study, device):
    page = device().new_page()
    task = begin(page, bench.judge(study, "pointer"))
    a, b, c, d, *_ = unplaced(page)
    drag(page, a, middle(page.locator("[data-zone=ranked]").bounding_box()))
    card = f'ol.cards [data-id="{a}"]'
    drag(page, b, middle(page.locator(card).bounding_box(), y=0.1))
    drag(page, c, middle(page.locator(card).bounding_box(), y=0.9))
    assert order(page) == [b, a, c]
    assert ranks(page) == [1, 2, 3]
    drag(page, d, middle(page.locator(card).bounding_box()))
    assert order(page) == [b, a, d, c]
    assert ranks(page) == [1, 2, 2, 3]
    assert page.get_by_text("Equally good: place 2").is_visible()
    clean(page)
    drag(page, c, middle(page.locator("[data-zone=cannot]").bounding_box()))
    drag(page, b, middle(page.locator(".tray h2").bounding_box()))
    assert order(page) == [a, d]
    saved(page)
    assert bench.state(task) == {"kind": "order", "ranked": [[a, d]], "cannot_place": [c]}
    page.mouse.move(*handle(page, b))
    page.mouse.down()
    page.mouse.move(600, 300, steps=3)
    page.keyboard.press("Escape")  # a drag can be called off
    page.mouse.up()
    assert order(page) == [a, d]


@pytest.mark.long
def test_touch_drags_by_the_handle(bench, study, device):
    context = device(390, 800, has_touch=True, is_mobile=True)
    page = context.new_page()
    task = begin(page, bench.judge(study, "finger"))
    a, b, *_ = unplaced(page)
    page.locator(f'[data-id="{a}"] [data-act=last]').tap()
    page.locator(f'[data-id="{b}"] [data-act=last]').tap()
    assert order(page) == [a, b]
    page.locator(f'[data-id="{a}"]').evaluate("card => card.scrollIntoView({ block: 'center' })")
    touch = context.new_cdp_session(page)
    x, y = handle(page, b)
    to = middle(page.locator(f'[data-id="{a}"]').bounding_box(), y=0.05)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.3, 0.6, 1):
        point = {"x": x + (to[0] - x) * part, "y": y + (to[1] - y) * part}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert order(page) == [b, a]
    saved(page)
    assert bench.state(task)["ranked"] == [[b], [a]]


def test_keyboard_alone_completes_it(bench, study, device):
    page = device().new_page()
    task = begin(page, bench.judge(study, "keyboard"))
    ids = unplaced(page)
    for _ in range(12):  # to the first card by Tab alone
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.card')"):
            break
    for key in ("Enter", "1", "2", "Enter"):  # last; first; second; last
        page.keyboard.press(key)
    assert order(page) == [ids[1], ids[2], ids[0], ids[3]]
    assert "Place 4 of 4. 2 not placed yet." in announced(page)
    page.keyboard.press("x")
    assert "Cannot place" in announced(page)
    page.keyboard.press("Enter")
    page.locator(f'[data-id="{ids[0]}"]').focus()
    page.keyboard.press("Alt+ArrowUp")
    assert order(page)[1] == ids[0]
    assert page.evaluate("document.activeElement.dataset.id") == ids[0]  # focus goes with the card
    page.keyboard.press("=")
    assert ranks(page) == [1, 1, 2, 3, 4]
    page.keyboard.press("Alt+ArrowDown")  # out of the tie
    assert ranks(page) == [1, 2, 3, 4, 5]
    page.keyboard.press("Delete")
    assert ids[0] in unplaced(page)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert ranks(page) == [1, 1, 2, 3, 4]
    page.keyboard.press("Control+Shift+z")
    assert ranks(page) == [1, 2, 3, 4, 5]
    page.get_by_role("button", name="Submit and go on").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/judge")
    assert bench.assignment(task)["state"] == "submitted"
    assert bench.events(task)[-1]["elapsed"] is None or bench.events(task)[-2]["elapsed"] > 0


@pytest.mark.long
def test_screen_reader_alone_by_names_and_announcements(bench, study, device):
    page = device().new_page()
    begin(page, bench.judge(study, "reader"))
    page.get_by_role("button", name="Place last: It rained a lot.").click()
    assert "Place 1 of 1. 5 not placed yet." in announced(page)
    page.get_by_role("button", name="Place last: A dam broke").click()
    page.get_by_role("textbox", name="Place of: A dam broke").fill("1")
    page.keyboard.press("Enter")
    assert "Place 1 of 2." in announced(page)
    page.get_by_role("textbox", name="Place of: Floods followed").fill("2=")
    page.keyboard.press("Enter")
    assert "Place 2 of 2, tied with 1 other." in announced(page)
    page.get_by_role("button", name="Untie: Floods followed").click()
    assert "Place 3 of 3" in announced(page)
    page.get_by_role("button", name="Move up: Floods followed").click()
    assert "Place 2 of 3" in announced(page)
    assert page.get_by_role("list", name="Your order").get_by_role("listitem").count() == 3


@pytest.mark.long
def test_rules_advise_beside_the_item_and_never_stop_a_draft(bench, study, device):
    page = device().new_page()
    task = begin(page, bench.judge(study, "rules"))
    page.locator(".card").first.focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    page.locator("ol.cards .card").nth(1).focus()
    page.keyboard.press("=")
    assert page.locator(".advice:visible").count() == 0
    page.locator("ol.cards .card").nth(2).focus()
    page.keyboard.press("=")
    assert page.get_by_text("At most 2 items may share a place.").is_visible()
    saved(page)
    assert [len(place) for place in bench.state(task)["ranked"]] == [3]


@pytest.mark.long
def test_long_texts_fold_and_every_script_has_its_direction(bench, study, device):
    page = device().new_page()
    begin(page, bench.judge(study, "texts"))
    long = page.locator(".card", has_text="Officials said")
    before = long.bounding_box()["height"]
    long.get_by_role("button", name="Show all").click()
    assert long.bounding_box()["height"] > before
    arabic = page.locator(".words", has_text="انهار")
    assert arabic.evaluate("element => getComputedStyle(element).direction") == "rtl"


@pytest.mark.long
def test_the_best_few_are_enough_where_a_study_asks_for_them(bench, device):
    study = bench.study("order", pages={"order": {"top_k": 2, "ties": False, "cannot_place": False}})
    page = device().new_page()
    task = begin(page, bench.judge(study))
    assert page.locator("[data-zone=cannot]").count() == 0
    page.locator(".card").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.locator("ol.cards .card").nth(1).focus()
    page.keyboard.press("=")  # no ties here
    assert ranks(page) == [1, 2]
    page.get_by_role("button", name="Submit and go on").click()
    page.wait_for_url("**/judge")
    assert bench.assignment(task)["state"] == "submitted"


@pytest.mark.long
def test_200_items_stay_fluid(bench, device):
    """Script, style and layout of a move take a small part of a tenth of a second of processor time."""
    study = bench.study("order", items=rows(200), pages=PAGES["order"])
    page = device().new_page()
    begin(page, bench.judge(study))
    page.evaluate("document.querySelectorAll('.tray .card [data-act=last]').forEach((button) => button.click())")
    assert len(order(page)) == 200
    page.locator("ol.cards .card").first.focus()
    measure = page.context.new_cdp_session(page)
    measure.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent():
        found = {m["name"]: m["value"] for m in measure.send("Performance.getMetrics")["metrics"]}
        return sum(found[name] for name in ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration"))

    before, moved = spent(), 20
    for _ in range(moved):
        page.keyboard.press("Alt+ArrowDown")
    assert ranks(page)[:3] == [1, 2, 3]
    assert (spent() - before) / moved < 0.05
    page.keyboard.press("5")  # ten and more: the place is typed
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.querySelector('.rank').value") == "50"
