"""The documentation site, built anew: nothing to warn of, all pages are there, and in a browser nothing is amiss."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
WRITTEN = [p.relative_to(DOCS) for p in sorted(DOCS.rglob("*.md")) if "_build" not in p.parts]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE = 360  # pixels wide


def built(folder: Path, form: str) -> Path:
    """A warning, such as a link to a heading that is not there, is an error."""
    for package in ("sphinx", "myst_parser", "furo", "altair", "vl_convert"):
        pytest.importorskip(package)
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-E", "-b", form, str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.long
def test_every_page_is_read_without_a_warning(tmp_path):
    """Without writing HTML; links to pages and headings are followed in test_docs.py too."""
    built(tmp_path, "dummy")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built(tmp_path_factory.mktemp("site"), "html")


def _named(pattern):
    return {p.name for p in DOCS.glob(pattern)}


def pictures():
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {*module.PICTURES, "first-screen.png", *_named("calibration/*.svg"), *_named("workbench/*.png")}


@pytest.mark.long
def test_the_site_has_every_page_and_picture(site):
    assert [p for p in WRITTEN if not (site / p).with_suffix(".html").exists()] == []
    assert {p.name for p in (site / "_images").iterdir()} == pictures()


@pytest.mark.long
def test_the_site_asks_nothing_of_the_network(site):
    """Only links that a reader may follow lead outside: no script, style, font or picture does."""
    asking = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*(?:src|href)=["']?(?:https?:)?//""")
    inside = re.compile(r"""(?:url\(|@import\s+)["']?(?:https?:)?//""")
    assert [p.name for p in site.rglob("*.html") if asking.search(p.read_text("utf-8"))] == []
    assert [p.name for p in site.rglob("*.css") if inside.search(p.read_text("utf-8"))] == []


# -- in a browser ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs the system's chromium")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture
def opened(browser):
    """A page without a network, and a list of everything that goes wrong or outside."""
    context = browser.new_context(offline=True)
    page, amiss = context.new_page(), []
    page.on("console", lambda m: amiss.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: amiss.append(str(e)))
    page.on("request", lambda r: amiss.append(r.url) if not r.url.startswith(("file:", "data:")) else None)
    yield page, amiss
    context.close()


@pytest.mark.long
def test_no_page_is_wider_than_a_phone_lacks_a_picture_or_complains(site, opened):
    page, amiss = opened
    page.set_viewport_size({"width": PHONE, "height": 900})
    for written in WRITTEN:
        page.goto((site / written).with_suffix(".html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, written
        assert page.evaluate("[...document.images].filter(i => !i.naturalWidth).map(i => i.src)") == [], written
    assert amiss == []


@pytest.mark.long
def test_search_works_on_pages_opened_by_double_click(site, opened):
    page, amiss = opened
    page.goto((site / "index.html").as_uri())
    page.fill("input[name=q]", "Kendall")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("#search-results li a")
    assert "Methods for orderings" in page.inner_text("#search-results")
    assert amiss == []
