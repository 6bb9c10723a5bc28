"""What every page shares: ``page/frame.html`` with style, script and the charts' JavaScript, all inside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import quorate
from quorate.document.fitting import unturned
from quorate.document.library import library
from quorate.errors import MissingExtra


def framed(
    template: str,
    charts: Mapping[str, Any],
    *,
    scripts: tuple[str, ...] = (),
    **values: Any,
) -> str:
    """A page from a template such as 'document/page/page.html', which extends 'document/page/frame.html'.

    Charts are in Vega-Lite, by name; more scripts are named as templates are.
    """
    page = _templates().get_template(template)
    text = page.render(
        version=quorate.__version__,
        charts=script(charts),
        style=_read("document/page/page.css"),
        script="".join(map(_read, ("document/page/page.js", *scripts))),
        library=library() if charts else "",
        **values,
    )
    return unturned(text)


@cache
def _templates() -> Any:
    """The templates, each compiled once."""
    try:
        import jinja2
    except ImportError:
        raise MissingExtra("jinja2", "report", "An HTML page") from None
    loader = jinja2.FunctionLoader(_read)
    templates = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=loader)
    templates.filters["script"] = script
    return templates


def script(value: Any) -> str:
    """A value as JSON inside a script: no name in it can end the script or start a tag."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).replace("<", "\\u003c")


def _read(name: str) -> str:
    return resources.files("quorate").joinpath(*name.split("/")).read_text("utf-8")
