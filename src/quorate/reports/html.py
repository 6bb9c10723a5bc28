"""The report as one self-contained page: style, charts' JavaScript and data inside, no request to anywhere."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from importlib import resources
from typing import Any

from quorate.errors import MissingExtra
from quorate.reports.charts import altair, draw
from quorate.reports.model import Report
from quorate.reports.tables import of_picture, overall, shown
from quorate.reports.text import notes
from quorate.reports.words import WORDS, explained

DATA = 500_000  # bytes of the embedded download at most, compressed


def page(report: Report) -> str:
    """The page; byte-identical for the same report."""
    jinja = _jinja()
    charts = {p.name: draw(p).to_dict() for p in report.pictures}
    data, what = download(report)
    here = resources.files("quorate.reports")
    environment = jinja.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"shown": shown, "explained": lambda text, seen: list(explained(text, seen))}
    return str(
        environment.from_string((here / "page.html").read_text("utf-8")).render(
            report=report,
            sections=[
                {"of": s, "grids": overall(s.answer) if s.answer else [], "tables": [of_picture(p) for p in s.pictures]}
                for s in report.sections
            ],
            words=WORDS,
            new_set=set,
            notes=notes(report)[1:],
            charts=_safe(json.dumps(charts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))),
            data=base64.b64encode(data).decode("ascii"),
            data_what=what,
            style=(here / "page.css").read_text("utf-8"),
            script=(here / "page.js").read_text("utf-8"),
            library=_safe(library()) if charts else "",
        )
    )


def download(report: Report) -> tuple[bytes, str]:
    """The report's JSON, compressed, and what is in it: the whole, or what fits without details or rows of tasks."""
    found = report.to_dict()
    data = _packed(found)
    if len(data) <= DATA:
        return data, "every figure, by task, with details"
    for section in found["sections"].values():
        for row in (section["answer"] or {}).get("results", ()):
            row.pop("details", None)
    data = _packed(found)
    if len(data) <= DATA:
        return data, "every figure, by task; details are in --format json"
    for section in found["sections"].values():
        (section["answer"] or {}).pop("results", None)
    return _packed(found), "the overall figures; those by task are in --format json"


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


def _packed(found: dict[str, Any]) -> bytes:
    text = json.dumps(found, ensure_ascii=False, default=str, allow_nan=False, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)


def _safe(script: str) -> str:
    """Nothing inside may end the script it stands in."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
