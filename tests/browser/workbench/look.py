"""What every page must hold to: axe finds nothing, nothing is cut off."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

AXE = Axe()


def clean(page, dark=False):
    """No violation of axe's rules; with ``dark`` also none of contrast in the dark."""
    for scheme, options in (("light", None), ("dark", {"runOnly": ["color-contrast"]})):
        if scheme == "dark" and not dark:
            break
        page.emulate_media(color_scheme=scheme)
        found = AXE.run(page, options=options).response["violations"]
        told = [f"{scheme} {v['id']}: {node['html'][:120]}" for v in found for node in v["nodes"]]
        assert not told, told
    page.emulate_media(color_scheme="light")


def fits(page, width=360):
    """Nothing sticks out at the side of a small telephone."""
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(before)
