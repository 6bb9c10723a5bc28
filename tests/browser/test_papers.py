"""The page of reproduced papers in the system's Chromium."""

from __future__ import annotations

import shutil

import pytest

from quorate.reproduce import clusters, kappa, qsupport
from quorate.reproduce.rows import How

for package in ("altair", "vl_convert", "jinja2"):
    pytest.importorskip(package)
from quorate.reproduce.page import page  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture
def written(tmp_path):
    target = tmp_path / "papers.html"
    target.write_text(page([paper.reproduce(How()) for paper in (kappa, qsupport, clusters)]), encoding="utf-8")
    return target


@pytest.mark.skipif(CHROMIUM is None, reason="needs the system's chromium")
def test_every_figure_is_drawn_in_a_browser_without_a_network(written):
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        shown = browser.new_context(viewport={"width": 1400, "height": 900}, offline=True).new_page()
        asked, wrong = [], []
        shown.on("request", lambda r: asked.append(r.url))
        shown.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        shown.on("pageerror", lambda e: wrong.append(str(e)))
        shown.goto(written.as_uri())
        shown.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        charts = shown.query_selector_all("[data-chart]")
        assert len(charts) == 4
        assert all(c.query_selector("svg .mark-symbol path, svg .mark-line path") for c in charts)
        assert axe.Axe().run(shown).response["violations"] == []
        for width in (1400, 360):
            shown.set_viewport_size({"width": width, "height": 900})
            shown.wait_for_function(f"document.documentElement.scrollWidth <= {width}", timeout=20_000)
        assert (wrong, asked) == ([], [written.as_uri()])
        browser.close()
