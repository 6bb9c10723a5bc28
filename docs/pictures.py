"""Draws the pictures of the documentation from the examples, as SVG, when the site is built. Nothing is downloaded.

``python docs/pictures.py`` writes them to ``docs/images``, which is not kept under version control.
``python docs/pictures.py page`` takes a picture of the first screen of a made-up report, for README: it needs chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from quorate import read, reports
from quorate import verbs as ask
from quorate.document.charts import draw as chart_of
from quorate.reports.pictures import pictures

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
WIDE = 560  # pixels
# File of docs/images: example, question, picture of the report.
PICTURES = {
    "runs-pairs.svg": ("runs.csv", "agreement", "judge-by-judge"),
    "runs-tasks.svg": ("runs.csv", "agreement", "by-task"),
    "runs-judges.svg": ("runs.csv", "judges", "each-judge"),
    "headlines-pairs.svg": ("headlines.csv", "agreement", "judge-by-judge"),
    "headlines-judges.svg": ("headlines.csv", "judges", "each-judge"),
    "reviews-judges.svg": ("reviews.csv", "judges", "each-judge"),
    "reviews-board.svg": ("reviews.csv", "quality", "leaderboard"),
}


def draw(folder: Path = IMAGES) -> list[Path]:
    """Write every picture that is not there or out of date."""
    out = []
    for name, (example, question, picture) in PICTURES.items():
        target = folder / name
        if outdated(target, DOCS / "examples" / example):
            folder.mkdir(parents=True, exist_ok=True)
            target.write_text(svg(chart_of(_found(example, question)[picture])), encoding="utf-8")
        out.append(target)
    return out


def outdated(target: Path, example: Path) -> bool:
    """Whether a picture is not there, or older than its example, this file or what draws it."""
    made_from = [example, Path(__file__), *Path(reports.__file__).parent.glob("*.py")]
    return not target.exists() or target.stat().st_mtime < max(p.stat().st_mtime for p in made_from)


@cache
def _found(example: str, question: str) -> dict[str, Any]:
    panel = read(DOCS / "examples" / example)
    return {p.name: p for p in pictures(panel, getattr(ask, question)(panel))}


def svg(chart: Any) -> str:
    """A chart as it looks on a white page of the usual width."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart.properties(width=WIDE, background="white").to_dict()))


def first_screen(target: Path = DOCS / "first-screen.png") -> Path:
    """The first screen of the report on the demo's summary scores, in light colours, as a laptop shows it."""
    from playwright.sync_api import sync_playwright

    from quorate.demo.panels import summary_scores

    made = summary_scores(0)
    page = reports.report(made.panel, title=made.about.partition(".")[0])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = page.save(Path(folder) / "page.html")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        seen = browser.new_page(viewport={"width": 1060, "height": 900}, color_scheme="light")
        seen.goto(file.as_uri())
        end = seen.locator("#verdict").bounding_box() or {"y": 0, "height": 900}
        seen.screenshot(path=target, clip={"x": 0, "y": 0, "width": 1060, "height": end["y"] + end["height"] + 4})
        browser.close()
    return target


if __name__ == "__main__":
    for path in [first_screen()] if sys.argv[1:] == ["page"] else draw():
        print(path.relative_to(DOCS.parent))
