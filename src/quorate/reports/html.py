"""The report as one self-contained page: style, charts' JavaScript and data inside, no request to anywhere."""

from __future__ import annotations

import base64
import json
from functools import cache
from importlib import resources
from typing import Any

from quorate.errors import MissingExtra
from quorate.reports.charts import altair, specification
from quorate.reports.download import DATA, download
from quorate.reports.model import Report
from quorate.reports.tables import PAGE, Grid, of_picture, overall, shown
from quorate.reports.text import definition, notes
from quorate.reports.words import WORDS, Terms

PAGE_SIZE = 1_950_000  # bytes of the page at most, about


def page(report: Report) -> str:
    """The page; byte-identical for the same report."""
    jinja = _jinja()
    charts = {p.name: specification(p) for p in report.pictures}
    here = resources.files("quorate.reports")
    environment = jinja.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    methods = {str(m): f"method-{k}" for k, m in enumerate(report.methods, 1)}
    terms = Terms({m.name: methods[str(m)] for m in reversed(report.methods)}, report.kind)
    environment.filters |= {"shown": shown, "explained": lambda text, seen: list(terms.explained(text, seen))}
    environment.filters |= {"paged": _paged, "script": _script}
    rendered = str(
        environment.from_string((here / "page.html").read_text("utf-8")).render(
            report=report,
            sections=[
                {"of": s, "grids": overall(s.answer) if s.answer else [], "tables": [of_picture(p) for p in s.pictures]}
                for s in report.sections
            ],
            words=WORDS,
            meanings={f"word-{w.replace(' ', '-')}": m for w, m in WORDS.items()}
            | {methods[str(m)]: m.declaration.summary for m in report.methods},
            methods=methods,
            defined=[(methods[str(m)], str(m), definition(m)) for m in report.methods],
            new_set=set,
            per_page=PAGE,
            notes=notes(report, definitions=False)[1:],
            charts=_script(charts),
            style=(here / "page.css").read_text("utf-8"),
            script=(here / "page.js").read_text("utf-8"),
            library=_safe(library()) if charts else "",
        )
    )
    room = (PAGE_SIZE - len(rendered.encode()) - 100) // 4 * 3  # base64 takes a third more
    data, what = download(report, min(DATA, room))
    return rendered.replace(_DATA, base64.b64encode(data).decode("ascii")).replace(_WHAT, what)


_DATA, _WHAT = "(the data)", "(what is in the data)"  # their places in page.html, filled when the rest is known


@cache
def library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, of the version that Altair writes for."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("vl-convert-python", "report", "A page with charts") from None
    version = ".".join(altair().SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    bundle: Any = vl_convert.javascript_bundle  # its declared signature lacks the defaults
    return str(bundle(vl_version=version))


def _jinja() -> Any:
    try:
        import jinja2
    except ImportError:
        raise MissingExtra("jinja2", "report", "An HTML page") from None
    return jinja2


def _paged(grid: Grid) -> list[list[str]]:
    """The cells of every row as text, for turning pages; nothing where one page holds them all."""
    return [[shown(cell) for cell in row] for row in grid.rows] if len(grid.rows) > PAGE else []


def _script(value: Any) -> str:
    """A value as JSON inside a script: no name in it can end the script or start a tag."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).replace("<", "\\u003c")


def _safe(script: str) -> str:
    """Nothing inside may end the script it stands in."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
