"""Reports of each kind in a real browser with the network blocked: nothing asked for, nothing wrong, all drawn."""

from __future__ import annotations

import shutil

import pytest

import quorate as q

for package in ("altair", "vl_convert", "jinja2"):
    pytest.importorskip(package)
api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs the system's chromium")
QUICK = {"resamples": 100, "permutations": 20}


def panels():
    orders = {"ann": "abcdef", "bob": "abdcfe", "cat": "bacdef", "dan": "fedcba"}
    lists = q.Orderings.from_orders({t: {"new": "abcdef", "old": "fdceba"} for t in ("t1", "t2")})
    groups = {"ann": [1, 1, 2, 2, 3, None], "bob": [1, 1, 2, 2, 2, 3], "cat": [1, 2, 2, 1, 3, 3]}
    sorted_ = {j: dict(zip("uvwxyz", g, strict=True)) for j, g in groups.items()}
    rows = [
        (t, j, s, s, 1 + (t + p * n) % 5) for t in range(6) for p, j in enumerate("ABC") for n, s in enumerate("xyz")
    ]
    names = ("task", "judge", "item", "system", "score")
    return {
        "orderings": (q.Orderings.from_orders({"t1": orders, "t2": orders}), lists),
        "groupings": (q.Groupings.from_groups({"t1": sorted_, "t2": sorted_}),),
        "scores": (q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))),),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    return {kind: q.report(*given, **QUICK).save(folder / f"{kind}.html") for kind, given in panels().items()}


@pytest.fixture(scope="module")
def browser():
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Seen:
    """A page with everything that it asked for and complained of."""

    def __init__(self, browser, file, width, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
        self.page = context.new_page()
        self.asked, self.wrong = [], []
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.on("console", lambda m: self.wrong.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda e: self.wrong.append(str(e)))
        self.page.goto(file.as_uri())
        self.ready()

    def ready(self):
        self.page.wait_for_selector("html[data-ready=yes]", timeout=20_000)


@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("kind", ["orderings", "groupings", "scores"])
def test_every_chart_is_drawn_and_nothing_is_asked_for(browser, files, kind, width):
    seen = Seen(browser, files[kind], width)
    assert seen.asked == [files[kind].as_uri()]
    assert seen.wrong == []
    charts = seen.page.query_selector_all("[data-chart]")
    assert len(charts) >= 5
    for chart in charts:
        marks = chart.query_selector_all("svg .mark-rect path, svg .mark-symbol path, svg .mark-line path")
        assert marks, chart.get_attribute("data-chart")
        assert chart.query_selector("svg").bounding_box()["width"] <= width
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("kind", ["orderings", "groupings", "scores"])
def test_every_chart_has_a_title_a_description_and_its_data(browser, files, kind):
    page = Seen(browser, files[kind], 1400).page
    for figure in page.query_selector_all("figure"):
        chart = figure.query_selector("[data-chart]")
        for reference in ("aria-labelledby", "aria-describedby"):
            assert page.query_selector("#" + chart.get_attribute(reference)).inner_text()
        figure.query_selector("summary").click()
        assert figure.query_selector("td").is_visible()
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(set(ids)) == len(ids)


def test_another_task_can_be_chosen(browser, files):
    seen = Seen(browser, files["orderings"], 1400)
    choice = seen.page.locator("#c-places select")
    assert choice.input_value() == "t1"
    choice.select_option("t2")
    assert choice.input_value() == "t2"
    assert seen.page.query_selector_all("#c-places svg .mark-symbol path")
    assert seen.wrong == []


def test_dark_and_light_by_the_system_and_by_the_button(browser, files):
    def back(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = Seen(browser, files["scores"], 1400)
    dark = Seen(browser, files["scores"], 1400, "dark")
    assert back(light.page) == "rgb(255, 255, 255)" != back(dark.page)
    light.page.click("#theme")
    light.ready()
    assert back(light.page) == back(dark.page)
    assert light.page.get_attribute("#theme", "aria-pressed") == "true"
    assert light.wrong == dark.wrong == []


def test_the_keyboard_reaches_the_verdict_first(browser, files):
    page = Seen(browser, files["scores"], 1400).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    page.keyboard.press("Enter")
    assert page.url.endswith("#verdict")
