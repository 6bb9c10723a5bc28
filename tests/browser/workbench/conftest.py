"""One Chromium and one server per module, a fresh device per test; nothing of Playwright's is left to other modules."""

from __future__ import annotations

import shutil

import pytest

for package in ("starlette", "uvicorn", "sqlalchemy", "jinja2"):
    pytest.importorskip(package)
api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def chromium():
    if CHROMIUM is None:
        pytest.skip("needs the system's chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def bench(chromium, tmp_path_factory):
    from tests.browser.workbench.bench import Workbench

    made = Workbench(tmp_path_factory.mktemp("workbench"))
    yield made
    made.close()
    made.blind()


@pytest.fixture
def device(chromium):
    """A maker of devices: each has a browser's storage of its own, and fails the test if a page reports an error."""
    made, errors = [], []

    def new(width=1280, height=800, **more):
        more = {"service_workers": "block", **more}
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(20_000)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
        made.append(context)
        return context

    yield new
    for context in made:
        context.close()
    assert errors == []
