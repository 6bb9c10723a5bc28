"""What every page must hold to: axe finds nothing, nothing is cut off, nothing names a system."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

from tests.browser.workbench.bench import SYSTEMS

AXE = Axe()


def clean(page):
    """No violation of axe's rules in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = AXE.run(page).response["violations"]
        told = [f"{scheme} {v['id']}: {node['html'][:120]}" for v in found for node in v["nodes"]]
        assert not told, told
    page.emulate_media(color_scheme="light")


def fits(page, width=360):
    """Nothing sticks out at the side of a small telephone."""
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(before)


def listen(context):
    """Collects the text of every response, to be searched for what judges must not see."""
    heard = []

    def keep(response):
        if "json" in response.headers.get("content-type", "") or "html" in response.headers.get("content-type", ""):
            heard.append((response.url, response.text() if response.status == 200 else ""))

    context.on("requestfinished", lambda request: keep(request.response()))
    return heard


def blind(heard):
    """No response names a system."""
    assert any("/api/assignments/" in url for url, _ in heard)
    assert [(url, name) for url, text in heard for name in SYSTEMS if name in text] == []
