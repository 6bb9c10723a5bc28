"""Reports in a notebook: several frames in one page, each with all its charts, and links that stay inside."""

from __future__ import annotations

import shutil

import pytest

import quorate as q

for package in ("altair", "vl_convert", "jinja2"):
    pytest.importorskip(package)
api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs the system's chromium"),
    pytest.mark.usefixtures("in_small"),
]


@pytest.fixture(scope="module")
def frames(tmp_path_factory, in_small):
    orders = {"ann": "abcdef", "bob": "abdcfe", "cat": "bacdef", "dan": "fedcba"}
    panel = q.Orderings.from_orders({"t1": orders, "t2": orders})
    shown = q.report(panel, resamples=100, permutations=20)._repr_html_()
    notebook = tmp_path_factory.mktemp("notebook") / "notebook.html"
    notebook.write_text(f"<!doctype html><title>A notebook</title>{shown}<p>Again:</p>{shown}", "utf-8")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(viewport={"width": 1300, "height": 900}, offline=True).new_page()
        page.goto(notebook.as_uri())
        found = [frame for frame in page.frames if frame != page.main_frame]
        for frame in found:
            frame.wait_for_selector("html[data-ready=yes]", state="attached", timeout=20_000)
        yield found
        browser.close()


def test_every_chart_of_every_report_is_drawn(frames):
    assert len(frames) == 2
    for frame in frames:
        assert frame.locator("[data-chart]").count() == frame.locator("[data-chart] svg").count() >= 5


@pytest.mark.parametrize("link", ["nav a[href='#judges']", "a.word >> nth=0"])
def test_a_link_leads_to_its_place_in_the_same_report(frames, link):
    first, second = frames
    wanted = first.get_attribute(link, "href")
    first.click(link)
    assert first.title().startswith("Report on")
    assert first.evaluate("'#' + document.querySelector(':target')?.id") == wanted
    assert second.evaluate("document.querySelector(':target')") is None
