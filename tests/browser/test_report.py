"""Reports of each kind in a real browser with the network blocked: nothing asked for, nothing wrong, all drawn."""

from __future__ import annotations

import csv
import json
import math
import shutil
from functools import cache

import pytest

import quorate as q
from tests.family import some

for package in ("altair", "vl_convert", "jinja2"):
    pytest.importorskip(package)
api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs the system's chromium"),
    pytest.mark.usefixtures("in_small"),
]
QUICK = {"resamples": 100, "permutations": 20}
KINDS = ("orderings", "groupings", "scores")


def panels():
    orders = {"ann": "abcdef", "bob": "abdcfe", "cat": "bacdef", "dan": "fedcba"}
    lists = q.Orderings.from_orders({t: {"new": "abcdef", "old": "fdceba"} for t in ("t1", "t2")})
    groups = {"ann": [1, 1, 2, 2, 3, None], "bob": [1, 1, 2, 2, 2, 3], "cat": [1, 2, 2, 1, 3, 3]}
    sorted_ = {j: dict(zip("uvwxyz", g, strict=True)) for j, g in groups.items()}
    rows = [
        (t, j, s, s, 1 + (t + p * n) % 5) for t in range(6) for p, j in enumerate("ABC") for n, s in enumerate("xyz")
    ]
    names = ("task", "judge", "item", "system", "score")
    automatic = [(t, m, s, s, t + 2 * n + k) for t in range(6) for k, m in enumerate("vw") for n, s in enumerate("xyz")]

    def scores(rows):
        return q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    return {
        "orderings": ((q.Orderings.from_orders({"t1": orders, "t2": orders}), lists), {}),
        "groupings": ((q.Groupings.from_groups({"t1": sorted_, "t2": sorted_}),), {}),
        "scores": ((scores(rows),), {"metrics": scores(automatic)}),
    }


@pytest.fixture(scope="module")
def reports():
    return {kind: q.report(*given, **more, **QUICK) for kind, (given, more) in panels().items()}


@pytest.fixture(scope="module")
def files(reports, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    return {kind: report.save(folder / f"{kind}.html") for kind, report in reports.items()}


def alike(given, found, tolerance):
    if isinstance(given, dict):
        assert given.keys() == found.keys()
        return all(alike(given[k], found[k], tolerance) for k in given)
    if isinstance(given, list):
        return len(given) == len(found) and all(alike(a, b, tolerance) for a, b in zip(given, found, strict=True))
    if isinstance(given, float):
        return math.isclose(given, found, rel_tol=tolerance, abs_tol=1.1e-15)
    return given == found


def test_gold_and_the_items_to_decide_are_tables_of_the_page_of_labels(browser, tmp_path):
    said = {"ann": "xyzxyx", "bob": "xyzxyy", "cat": "xyyxzy", "dan": "xzyxyx"}
    panel = q.Scores.from_labels({j: dict(zip("abcdef", row, strict=True)) for j, row in said.items()})
    page = q.report(panel, resamples=20, permutations=9)
    seen = Seen(browser, page.save(tmp_path / "page.html"), 1400)
    (part,) = page.parts
    for name, button in (("gold", "The gold standard"), ("adjudicate", "The items to decide by hand")):
        with seen.page.expect_download() as got:
            seen.page.get_by_role("button", name=button).click()
        assert got.value.suggested_filename == f"{name}.csv"
        rows = list(csv.DictReader(got.value.path().read_text("utf-8").splitlines()))
        told = part.to_dict()[name]
        assert [r["item"] for r in rows] == [r["item"] for r in told]
        assert list(rows[0]) == list(told[0])
    assert seen.wrong == []


@pytest.mark.parametrize(("kind", "room"), some([(k, r) for r in ("plenty", "little") for k in KINDS], 5))
def test_the_download_is_the_json_of_the_command_and_the_judgments_a_table(
    browser, reports, tmp_path, monkeypatch, kind, room
):
    page = reports[kind]
    if room == "little":  # so that it is packed
        monkeypatch.setattr("quorate.reports.download.DETAILED", 10**9)
    seen = Seen(browser, page.save(tmp_path / "page.html"), 1400)
    with seen.page.expect_download() as got:
        seen.page.click("#data")
    assert got.value.suggested_filename == "report.json"
    found = json.loads(got.value.path().read_text("utf-8"))
    assert found.pop("left_out", []) == []
    judged = found.pop("input")["judgments"]
    assert alike(json.loads(page.to_json()), found, 0 if room == "plenty" else 6e-4)
    with seen.page.expect_download() as got:
        seen.page.get_by_role("button", name="The judgments as a table").click()
    assert got.value.suggested_filename == "judgments.csv"
    rows = list(csv.DictReader(got.value.path().read_text("utf-8").splitlines()))
    assert [r["judge"] for r in rows] == judged["judge"]
    again = got.value.path().rename(tmp_path / "judgments.csv")
    assert q.read(again).judges == page.panels["judgments"].judges
    assert seen.wrong == []


@pytest.fixture(scope="module")
def chromium():
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture
def browser(chromium):
    """A browser whose pages are closed after the test, but for those that others look at too."""
    before = list(chromium.contexts)
    yield chromium
    for context in chromium.contexts:
        if context not in before:
            context.close()


class Seen:
    """A page with everything that it asked for and complained of."""

    def __init__(self, browser, file, width, scheme="light", *, unfolded=False):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
        self.page = context.new_page()
        self.asked, self.wrong = [], []
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.on("console", lambda m: self.wrong.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.wrong.append(str(e)))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-ready=yes]", timeout=20_000)
        self.width = self.page.evaluate("document.documentElement.scrollWidth")
        if unfolded:
            self.unfold()

    def unfold(self):
        """Open every part, as readers do one by one."""
        self.page.evaluate("document.querySelectorAll('details.part').forEach(d => { d.open = true; })")
        self.page.wait_for_timeout(50)
        return self


@pytest.fixture(scope="module")
def looked_at(chromium, files):
    """Pages of a kind and a width that several tests look at, unfolded or as they come: left as they are, but for the
    first two tests of a page of scores, which the keyboard meets as it comes."""
    return cache(lambda kind, width, unfolded: Seen(chromium, files[kind], width, unfolded=unfolded))


def test_the_keyboard_reaches_the_verdict_first(looked_at):
    page = looked_at("scores", 1400, unfolded=False).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    page.keyboard.press("Enter")
    page.wait_for_url("**#verdict")


def test_a_link_into_a_folded_part_opens_it(looked_at):
    page = looked_at("scores", 1400, unfolded=False).page
    word = page.locator("#agreement a.word").first
    place = word.get_attribute("href")
    assert not page.locator(place).is_visible()
    word.click()
    page.wait_for_function("p => document.querySelector(p).closest('details').open", arg=place)
    assert page.locator(place).is_visible()


@pytest.mark.parametrize("width", some([360, 1400], 2))
@pytest.mark.parametrize("kind", KINDS)
def test_every_chart_is_drawn_and_nothing_is_asked_for(looked_at, files, kind, width):
    seen = looked_at(kind, width, unfolded=True)
    assert seen.asked == [files[kind].as_uri()]
    assert seen.wrong == []
    assert seen.width <= width
    charts = seen.page.query_selector_all("[data-chart]")
    assert len(charts) >= 5
    for chart in charts:
        marks = chart.query_selector_all("svg .mark-rect path, svg .mark-symbol path, svg .mark-line path")
        assert marks, chart.get_attribute("data-chart")
        assert chart.query_selector("svg").bounding_box()["width"] <= width
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "scheme"), some([(360, "dark"), (1400, "light")], 2))
@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_axe_finds_no_violation_in_light_and_dark(looked_at, kind, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    page = looked_at(kind, width, unfolded=True).page
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.emulate_media(color_scheme=scheme)
    found = axe.run(page).response
    assert found["passes"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == [], scheme


def test_long_tables_are_turned_page_by_page_with_the_keyboard(browser, files):
    seen = Seen(browser, files["groupings"], 1400)
    seen.unfold()
    figure = seen.page.locator("figure:has(#c-curve-sensitivity)")
    figure.locator("summary").press("Enter")
    status, rows = figure.locator(".pages [role=status]"), figure.locator("tbody tr")
    first = rows.first.inner_text()
    assert status.inner_text().startswith("Rows 1 to 20 of ")
    figure.get_by_role("button", name="Previous").press("Enter")
    assert rows.first.inner_text() == first
    figure.get_by_role("button", name="Next").press("Enter")
    assert status.inner_text().startswith("Rows 21 to 40 of ")
    assert rows.count() == 20
    assert rows.first.inner_text() != first
    assert rows.first.locator("td.n").count() > 1
    figure.get_by_role("button", name="Previous").press("Enter")
    assert rows.first.inner_text() == first
    assert seen.wrong == []


@pytest.mark.long
def test_on_paper_there_are_no_buttons_and_colours_are_those_of_paper(browser, files):
    page = Seen(browser, files["groupings"], 1400, "dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator("#theme").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    label = "#c-by-task svg .role-axis-label text"
    assert page.evaluate(f"getComputedStyle(document.querySelector('{label}')).fill") == "rgb(0, 0, 0)"
    assert not page.locator("#data").is_visible()  # nothing can be downloaded from paper
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    figure = page.locator("figure:has(#c-curve-sensitivity)")
    assert figure.locator("svg").bounding_box()["width"] > 300
    assert not figure.locator(".pages").is_visible()
    assert "The first 20 of" in figure.locator(".paper").inner_text()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 5


@pytest.mark.long
def test_a_long_leaderboard_is_readable_on_paper(browser, tmp_path):
    rows = [(t, j, f"{t} {s}", f"system {s}", (t * j + s) % 7) for t in range(3) for j in range(2) for s in range(40)]
    names = ("task", "judge", "item", "system", "score")
    panel = q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    page = Seen(browser, q.report(panel, **QUICK).save(tmp_path / "long.html"), 700).page
    page.emulate_media(media="print")
    label = page.locator("#c-leaderboard svg .role-axis-label text").first.bounding_box()
    assert label["height"] >= 9  # pixels, of which 96 are an inch


def test_a_word_is_explained_where_it_stands(looked_at):
    page = looked_at("scores", 360, unfolded=True).page
    word = page.locator("#agreement a.word").first
    word.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # by the keyboard, so that the focus is seen
    said = word.evaluate("w => getComputedStyle(w, '::after').content")
    assert said.strip('"') == word.get_attribute("data-means")
    assert page.locator("#" + word.get_attribute("aria-describedby")).text_content() == word.get_attribute("data-means")
    shown = "w => getComputedStyle(w, '::after').display"
    assert word.evaluate(shown) != "none"
    page.keyboard.press("Escape")  # what it covers can be seen again
    assert word.evaluate(shown) == "none"
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert word.evaluate(shown) != "none"


def test_hovering_shows_names_and_values(looked_at):
    page = looked_at("scores", 360, unfolded=True).page
    page.locator("#c-metrics-humans svg .mark-symbol path").first.hover()
    tip = page.locator("#vg-tooltip-element.visible")
    assert "system" in tip.inner_text()
    assert "human" in tip.inner_text()


@pytest.mark.long
def test_a_chart_of_many_judges_is_moved_sideways_in_its_own_box(browser, tmp_path):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    panel = q.Orderings.from_orders({"t": {f"judge {n}": "abcd" if n % 3 else "dcab" for n in range(20)}})
    seen = Seen(browser, q.report(panel, **QUICK).save(tmp_path / "many.html"), 360)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    seen.unfold()
    for chart in ("judge-by-judge", "flow"):
        box = seen.page.locator(f".wide:has(#c-{chart})")
        box.focus()
        seen.page.keyboard.press("ArrowRight")
        seen.page.wait_for_function("b => b.scrollLeft > 0", arg=box.element_handle())
    assert [v["id"] for v in axe.run(seen.page).response["violations"]] == []
    assert seen.wrong == []


def test_hovering_over_a_judges_place_tells_no_interval_that_is_not_there(looked_at):
    page = looked_at("orderings", 360, unfolded=True).page
    page.locator("#c-flow svg .mark-symbol path").first.hover()
    said = page.locator("#vg-tooltip-element.visible").inner_text()
    assert "none" in said
    assert "NaN" not in said


@pytest.mark.long
def test_two_reports_in_a_notebook_stand_side_by_side_in_its_sandbox(browser, reports, tmp_path):
    from html import escape

    both = [reports[kind] for kind in ("orderings", "scores")]
    cells = escape("".join(f"<div>{page._repr_html_()}</div>" for page in both))
    (tmp_path / "notebook.html").write_text(f'<iframe sandbox="allow-scripts" srcdoc="{cells}"></iframe>', "utf-8")
    page = browser.new_context(offline=True).new_page()
    wrong = []
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.goto((tmp_path / "notebook.html").as_uri())
    outer = page.frames[0].child_frames[0]
    for _ in range(200):  # frames inside a frame may come after the page is loaded
        if len(outer.child_frames) == 2:
            break
        page.wait_for_timeout(50)
    frames = outer.child_frames
    assert len(frames) == 2
    for frame, made in zip(frames, both, strict=True):
        frame.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        assert frame.title() == made.title
        assert len(frame.query_selector_all("[data-drawn=yes] svg")) == len(made.pictures)
    assert wrong == []


@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_every_chart_has_a_title_a_description_and_its_data(looked_at, kind):
    page = looked_at(kind, 1400, unfolded=True).page
    for figure in page.query_selector_all("figure"):
        chart = figure.query_selector("[data-chart]")
        for reference in ("aria-labelledby", "aria-describedby"):
            assert page.query_selector("#" + chart.get_attribute(reference)).inner_text()
        figure.query_selector("summary").press("Enter")
        assert figure.query_selector("td").is_visible()
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("chart", some(["places", "shared-by-most"], 2))
def test_another_task_can_be_chosen(looked_at, chart):
    seen = looked_at("orderings", 1400, unfolded=True)
    choice = seen.page.locator(f"#c-{chart} select")
    assert choice.input_value() == "t1"
    choice.select_option("t2")
    assert choice.input_value() == "t2"
    dots = seen.page.query_selector_all(f"#c-{chart} svg .mark-symbol path")
    assert 0 < len(dots) <= 6  # of one task, not of both
    choice.select_option("t1")
    assert seen.wrong == []


@pytest.mark.long
def test_items_of_another_task_stand_in_that_tasks_order(browser, tmp_path):
    orders = {"t1": dict.fromkeys("xyz", "abcd"), "t2": dict.fromkeys("xyz", "dbca")}
    file = q.report(q.Orderings.from_orders(orders), **QUICK).save(tmp_path / "page.html")
    seen = Seen(browser, file, 1400)
    seen.page.locator("#c-places select").select_option("t2")
    seen.page.wait_for_timeout(100)
    labels = seen.page.query_selector_all("#c-places svg .role-axis-label text")
    names = sorted((text.bounding_box()["y"], text.text_content()) for text in labels if text.text_content() in "abcd")
    assert "".join(name for _, name in names) == "dbca"
    assert seen.wrong == []


def test_dark_and_light_by_the_system_and_by_the_button(browser, looked_at, files):
    def back(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = looked_at("scores", 1400, unfolded=False)
    dark = Seen(browser, files["scores"], 1400, "dark")
    assert back(light.page) == "rgb(255, 255, 255)" != back(dark.page)
    light.page.click("#theme")
    assert back(light.page) == back(dark.page)
    assert light.page.inner_text("#theme") == "Light"
    light.page.click("#theme")
    assert light.wrong == dark.wrong == []


@pytest.mark.parametrize("width", some([390, 1400], 2))
@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_the_first_screen_is_on_the_first_screen(looked_at, kind, width):
    page = looked_at(kind, width, unfolded=False).page
    assert page.locator(".headline").bounding_box()["y"] < 120
    assert page.locator(".tile").count() == 4
    last = page.locator(".tile").last.bounding_box()
    assert last["y"] + last["height"] < 900  # of a laptop, and of a phone
    for tile in page.locator(".tile").all():
        box = tile.bounding_box()
        assert box["x"] + box["width"] <= width
        assert tile.locator("svg").bounding_box()["height"] > 5


@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_what_is_not_folded_takes_about_four_screens(looked_at, kind):
    page = looked_at(kind, 1400, unfolded=False).page
    assert page.evaluate("document.documentElement.scrollHeight") <= 4.4 * 900


def test_a_step_leads_to_its_evidence_and_on_to_two_judges_side_by_side(looked_at):
    seen = looked_at("orderings", 1400, unfolded=False)
    page = seen.page
    assert not page.locator("#off-1").evaluate("d => d.open")
    page.locator(".next a", has_text="Look at dan").click()
    page.wait_for_function("() => document.getElementById('off-1').open")
    assert page.locator("#off-1 tbody tr").count() == 3
    page.locator("#off-1").get_by_role("button", name="Side by side").click()
    page.wait_for_function("() => document.querySelectorAll('#compare tbody tr').length > 0")
    assert page.locator("#compare select").first.input_value() == "dan"
    page.locator("#compare select").nth(1).select_option("ann")
    page.wait_for_function("() => document.querySelector('#compare th:last-child').textContent === 'ann'")
    heads = page.locator("#compare th").all_inner_texts()
    assert heads == ["task", "item", "dan", "ann"]
    first = page.locator("#compare tbody tr").first.locator("td").all_inner_texts()
    assert abs(int(first[2]) - int(first[3])) == 5  # the first item of one is the last of the other
    assert page.locator("#compare [role=status]").inner_text().startswith("They differ on 12 of 12")
    page.locator("#compare select").nth(1).select_option("dan")
    page.wait_for_function(
        "() => document.querySelector('#compare [role=status]').textContent.startsWith('They differ on 0')"
    )
    assert seen.wrong == []


@pytest.mark.long
@pytest.mark.parametrize(("kind", "differ"), [("groupings", "of 12"), ("scores", "of 18")])
def test_judges_of_every_kind_stand_side_by_side(browser, files, kind, differ):
    page = Seen(browser, files[kind], 390).page
    page.locator("#compare > summary").click()
    page.wait_for_function("() => document.querySelectorAll('#compare tbody tr').length > 0")
    assert differ in page.locator("#compare [role=status]").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
