"""Takes the pictures of the workbench's pages from its demo: ``python docs/workbench/pictures.py`` (needs chromium)."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

HERE = Path(__file__).resolve().parent


@contextmanager
def demo() -> Iterator[dict[str, str]]:
    """The demo's server, and its links by kind."""
    command = [str(Path(sys.executable).with_name("quorate")), "serve", "--demo", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    links: dict[str, str] = {}
    try:
        for line in server.stdout:
            if found := re.match(r"(\w+) +(http\S+)", line):
                links[found[1]] = found[2]
            if "vote" in links:
                break
        answering(links["vote"])
        yield links
    finally:
        server.terminate()
        server.wait(20)


def answering(link: str, seconds: float = 20) -> None:
    """Wait until the server takes connections."""
    address = urlsplit(link)
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((address.hostname, address.port), 1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def begin(page: Any, link: str) -> None:
    """Follow a judge's link to the first task."""
    page.goto(link)
    agree = page.get_by_role("button", name="I agree")
    start = page.get_by_role("button", name="Begin")
    agree.or_(start).first.wait_for()
    if agree.count():
        agree.click()
    start.click()
    page.wait_for_selector(".bar .status")


def order(page: Any, link: str) -> None:
    """Four placed, two of them tied."""
    begin(page, link)
    page.locator(".card").first.focus()
    for key in ("Enter", "1", "2", "Enter"):
        page.keyboard.press(key)
    page.locator("ol.cards .card").nth(2).focus()
    page.keyboard.press("=")


def group(page: Any, link: str) -> None:
    """Two groups, one with advice, and a card that is unsure."""
    begin(page, link)
    page.locator(".chip button.text").first.focus()
    for key in ("n", "1", "n", "u"):
        page.keyboard.press(key)
    page.get_by_role("textbox", name="Name of group 1").fill("The same news")
    page.keyboard.press("Enter")


def vote(page: Any, link: str) -> None:
    """The second pair, after one choice."""
    begin(page, link)
    page.keyboard.press("1")


def dashboard(page: Any, link: str) -> None:
    """The dashboard of the demo's orderings."""
    page.goto(link)
    page.locator("a.task", has_text="Which sights first?").click()
    page.locator(".tile").first.wait_for()
    page.get_by_role("button", name="How sure is it?").click()
    page.get_by_text("Intervals as of event").wait_for()


PICTURES = {  # name: kind of link, what is done, width, height
    "order": ("order", order, 1100, 640),
    "order-phone": ("order", order, 390, 760),
    "group": ("group", group, 1100, 620),
    "vote": ("vote", vote, 1100, 460),
    "dashboard": ("lead", dashboard, 1100, 620),
}


def take(folder: Path = HERE) -> None:
    """Take every picture."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (kind, act, width, height) in PICTURES.items():
            with demo() as links:  # anew each time: a judge begins with nothing judged
                page = browser.new_page(viewport={"width": width, "height": height})
                act(page, links[kind])
                page.wait_for_timeout(900)
                page.evaluate("scrollTo(0, 0)")
                page.screenshot(path=folder / f"{name}.png")
                page.close()
        browser.close()


if __name__ == "__main__":
    take()
