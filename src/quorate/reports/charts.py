"""The report's pictures as Altair charts: each function takes rows of plain values and can be used alone.

Channels are written out, ``alt.X("value:Q")`` instead of ``"value:Q"``: Altair takes long to find out what a string is.

>>> chart = bars([{"task": "t1", "value": 0.2}, {"task": "t2", "value": 0.6}], label="task")
>>> chart.to_dict()["mark"]["type"]
'bar'

Needs the extra ``report``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from quorate.errors import MissingExtra
from quorate.reports.picture import Picture

Rows = Sequence[Mapping[str, Any]]


def altair() -> Any:
    """Altair, or an error that says what to install."""
    try:
        import altair as alt
    except ImportError:
        raise MissingExtra("altair", "report", "A chart") from None
    return alt


def unchecked() -> AbstractContextManager[Any]:
    """While inside, Altair does not hold every part of a chart against its schema, which takes most of the time."""
    altair()
    from altair.utils.schemapi import debug_mode

    return debug_mode(False)


def draw(picture: Picture) -> Any:
    """A picture as an Altair chart."""
    chart = _FORMS[picture.form](picture.rows, **picture.settings)
    return chart.properties(description=f"{picture.title}. {picture.description}")


class Apart(tuple[dict[str, Any], ...]):
    """Rows that a chart only names: Altair copies and hashes what stands inside it, which takes long."""


def specification(picture: Picture) -> dict[str, Any]:
    """A picture as Vega-Lite has it, the same as ``draw(picture).to_dict()`` but for the name of its rows.

    >>> rows = ({"task": "t1", "value": 0.2}, {"task": "t2", "value": 0.6})
    >>> specification(Picture("some", "agreement", "bars", "Some", "Two bars.", rows, {"label": "task"}))["datasets"]
    {'rows': [{'task': 't1', 'value': 0.2}, {'task': 't2', 'value': 0.6}]}
    """
    with unchecked():
        found: dict[str, Any] = draw(replace(picture, rows=Apart(picture.rows))).to_dict(validate=False)
    return {**found, "datasets": {**found.get("datasets", {}), "rows": [dict(row) for row in picture.rows]}}


def heat_map(rows: Rows, *, order: Sequence[str], value: str = "value") -> Any:
    """Judge x judge: rows of judge, other, value."""
    alt = altair()
    base = _chart(rows).encode(
        x=alt.X("other:N", sort=list(order), title=None, axis=_names_across(alt, order, -60)),
        y=alt.Y("judge:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=110)),
        tooltip=[alt.Tooltip("judge:N"), alt.Tooltip("other:N"), alt.Tooltip("value:Q", title=value, format=".3f")],
    )
    ramp = alt.Scale(scheme="tealblues")
    cells = base.mark_rect().encode(color=alt.Color("value:Q", title=_title(value), scale=ramp, legend=_below(alt)))
    return cells.properties(width="container", height=alt.Step(22 if len(order) <= 30 else 12), autosize=_fit())


def bars(
    rows: Rows,
    *,
    label: str,
    value: str = "value",
    colour: str | None = None,
    line: float | None = None,
    choose: str | None = None,
) -> Any:
    """A bar a row, in the order of the rows; ``line`` is drawn across, as what chance gives."""
    alt = altair()
    alone = None if colour is None else alt.Color(f"{colour}:N", legend=_below(alt, 3), sort=None)
    chart = _chart(rows).encode(
        x=alt.X("value:Q", title=_title(value)),
        y=alt.Y(f"{label}:N", sort=None, title=None, axis=alt.Axis(labelLimit=130)),
        tooltip=[
            alt.Tooltip(f"{label}:N"),
            *([alt.Tooltip(f"{colour}:N")] if colour else []),
            alt.Tooltip("value:Q", title=value, format=".3f"),
        ],
        **({"color": alone} if alone is not None else {}),
    )
    chart = _choosing(chart.mark_bar(cornerRadiusEnd=2), rows, choose)
    if line is not None:
        rule = _chart([{"chance": line}]).mark_rule(strokeDash=[4, 3], size=1.5).encode(x=alt.X("chance:Q"))
        chart = alt.layer(chart, rule)
    return chart.properties(width="container", height=alt.Step(18), autosize=_fit())


def dots(
    rows: Rows,
    *,
    label: str,
    value: str = "value",
    mark: str | None = None,
    text: str | None = None,
    choose: str | None = None,
    whole: bool = False,
) -> Any:
    """A dot with its interval a row: judges, systems, or the places of items (whole numbers)."""
    alt = altair()
    y = alt.Y(f"{label}:N", sort=None, title=None, axis=alt.Axis(labelLimit=130))
    known = [name for name in rows[0] if name not in ("value", "low", "high")]
    tips = [
        *(alt.Tooltip(f"{name}:N") for name in known),
        *_numbers(alt, rows, "value", "low", "high"),
    ]
    given: dict[str, Any] = {"title": _title(value), "scale": alt.Scale(zero=False, nice=not whole, padding=8)}
    if whole:
        given["axis"] = _whole_axis(alt, [row[n] for row in rows for n in ("value", "low", "high") if row.get(n)])
    base = _chart(rows)
    line = base.mark_rule(size=2, opacity=0.6).encode(y=y, x=alt.X("low:Q", **given), x2=alt.X2("high:Q"))
    dot = base.mark_point(size=70, filled=True, opacity=1).encode(y=y, x=alt.X("value:Q", **given))
    if mark:
        shown = {"scale": alt.Scale(domain=["not flagged", "flagged"], range=["#2a7f9e", "#d1495b"])}
        line = line.encode(color=alt.Color(f"{mark}:N", title=None, legend=_below(alt), **shown))
        shapes = alt.Scale(domain=["not flagged", "flagged"], range=["circle", "diamond"])
        dot = dot.encode(
            color=alt.Color(f"{mark}:N", title=None, legend=_below(alt), **shown),
            shape=alt.Shape(f"{mark}:N", title=None, legend=_below(alt), scale=shapes),
        )
    layers = [line, dot.encode(tooltip=tips)]
    if text:
        layers.append(
            base.mark_text(dy=-5, baseline="bottom", fontSize=10).encode(
                y=y, x=alt.X("value:Q"), text=alt.Text(f"{text}:N")
            )
        )
    chart = _choosing(alt.layer(*layers), rows, choose)
    return chart.properties(width="container", height=alt.Step(24), autosize=_fit())


def curves(
    rows: Rows,
    *,
    x: str,
    along: str | None = None,
    up: str | None = None,
    choose: str | None = None,
    whole: bool = False,
) -> Any:
    """Lines of value against ``x``, one for each value of the column line, with a band from low to high where known."""
    alt = altair()
    axis = _whole_axis(alt, [row[x] for row in rows]) if whole else alt.Undefined
    several = len({row["line"] for row in rows}) > 1
    colour = alt.Color("line:N", title=None, legend=_below(alt, 1) if several else None, sort=None)
    across = alt.X(f"{x}:Q", title=along or x, axis=axis, scale=alt.Scale(nice=False, padding=8))
    tips = [alt.Tooltip("line:N"), alt.Tooltip(f"{x}:Q"), *_numbers(alt, rows, "value", "low", "high")]
    high = {"title": up, "scale": alt.Scale(zero=False)}
    base = _chart(rows).encode(x=across, color=colour)
    layers = [base.mark_line(point={"size": 45}).encode(y=alt.Y("value:Q", **high), tooltip=tips)]
    if any(row.get("low") is not None for row in rows):
        layers.insert(0, base.mark_area(opacity=0.13).encode(y=alt.Y("low:Q", **high), y2=alt.Y2("high:Q")))
    return _choosing(alt.layer(*layers), rows, choose).properties(width="container", height=260)


def beside_random(
    rows: Rows, *, x: str, along: str | None = None, choose: str | None = None, called: str | None = None
) -> Any:
    """Dots with intervals, and beside them the band of what chance does: rows of value, low, high, random low, ..."""
    alt = altair()
    across = alt.X(f"{x}:O", title=along or x, axis=alt.Axis(labelAngle=0))
    up = alt.Scale(zero=False)
    names = ("value", "low", "high", "random", "random low", "random high")
    tips = [*(alt.Tooltip(f"{n}:N") for n in rows[0] if n not in names), *_numbers(alt, rows, *names)]
    base = _chart(rows).encode(x=across)
    y, y2 = alt.Y("random low:Q", title="correlation", scale=up), alt.Y2("random high:Q")
    layers = [
        base.mark_bar(opacity=0.35, color="#8a94a3", width={"band": 0.7}).encode(y=y, y2=y2, tooltip=tips),
        base.mark_tick(color="#8a94a3", thickness=2, width={"band": 0.7}).encode(y=alt.Y("random:Q")),
        base.mark_rule(size=2).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        base.mark_point(size=90, filled=True, opacity=1).encode(y=alt.Y("value:Q"), tooltip=tips),
    ]
    return _choosing(alt.layer(*layers), rows, choose, called).properties(width="container", height=260)


def scatter(rows: Rows, *, choose: str | None = None, called: str | None = None) -> Any:
    """Systems: the judges' mean against a metric's, with the straight line that fits best; names on hover."""
    alt = altair()
    x = alt.X("human:Q", title="judges' mean", scale=alt.Scale(zero=False))
    y = alt.Y("metric:Q", title="metric's mean", scale=alt.Scale(zero=False))
    base = _chart(rows)
    if choose is not None:  # before the line is fitted
        base, chosen = _chosen(alt, base, rows, choose, called)
    tips = [alt.Tooltip("system:N"), *_numbers(alt, rows, "human", "metric")]
    line = base.transform_regression("human", "metric").mark_line(strokeDash=[5, 4], opacity=0.7).encode(x=x, y=y)
    chart = alt.layer(line, base.mark_point(size=80, filled=True, opacity=0.9).encode(x=x, y=y, tooltip=tips))
    if choose is not None and chosen is not None:
        chart = chart.add_params(chosen)
    return chart.properties(width="container", height=300)


def graph(rows: Rows, *, choose: str | None = None) -> Any:
    """Nodes and edges in layers: a row with a column before is an edge, from x, y to x2, y2; else a node."""
    alt = altair()
    hidden = {"axis": None, "scale": alt.Scale(zero=False, padding=28)}
    x, y = alt.X("x:Q", **hidden), alt.Y("y:Q", axis=None, scale=alt.Scale(reverse=True, zero=False, padding=16))
    base = _chart(rows)  # one, so that what is chosen holds for all layers
    edges = base.transform_filter("isValid(datum.before)").mark_rule(size=1.6, opacity=0.55)
    edges = edges.encode(
        x=x,
        y=y,
        x2=alt.X2("x2:Q"),
        y2=alt.Y2("y2:Q"),
        tooltip=[alt.Tooltip("item:N"), alt.Tooltip("before:N"), alt.Tooltip("judges:N")],
    )
    nodes = base.transform_filter("!isValid(datum.before)").encode(x=x, y=y, tooltip=[alt.Tooltip("item:N")])
    dots = nodes.mark_point(size=70, filled=True, opacity=1)
    # Twice, so that a line that runs through a name does not spoil it: the page's style gives the first an outline.
    names = [
        nodes.mark_text(dy=-11, limit=110, fontSize=11, style=style).encode(text=alt.Text("item:N"))
        for style in (["halo"], [])
    ]
    deep = max((row["y"] for row in rows), default=1)
    chart = _choosing(alt.layer(edges, dots, *names), rows, choose)
    return chart.properties(width="container", height=round(min(max(46 * (deep + 1), 120), 720)))


def flow(rows: Rows, *, order: Sequence[str], choose: str | None = None) -> Any:
    """Places of items from judge to judge: rows of judge, item, value, and low and high where there is an interval."""
    alt = altair()
    item = alt.selection_point(name="item", fields=["item"], on="pointerover", clear="pointerout")
    long = max((len(str(row["item"])) for row in rows), default=0) > 16
    colour = alt.Color("item:N", title=None, legend=_below(alt, 1 if long else 2), sort=None)
    lit = alt.condition(item, alt.value(1.0), alt.value(0.12))
    tips = [alt.Tooltip("judge:N"), alt.Tooltip("item:N"), *_numbers(alt, rows, "value", "low", "high")]
    across = alt.X("judge:N", sort=list(order), title=None, axis=_names_across(alt, order, -50))
    ends = [row[n] for row in rows for n in ("value", "low", "high") if row.get(n)]
    place = {
        "title": "place",
        "scale": alt.Scale(reverse=True, zero=False, nice=False, padding=8),
        "axis": _whole_axis(alt, ends),
    }
    base = _chart(rows).encode(x=across, color=colour, opacity=lit)
    y = alt.Y("value:Q", **place)
    layers = [
        base.transform_filter("isValid(datum.low)")  # side by side, or they would hide each other
        .mark_rule(size=2, xOffset=alt.ExprRef("datum.offset"))
        .encode(y=alt.Y("low:Q", **place), y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=2).encode(y=y),
        base.mark_point(size=60, filled=True).encode(y=y, tooltip=tips).add_params(item),
    ]
    room = {"left": 5, "top": 5, "bottom": 5, "right": 30}
    return _choosing(alt.layer(*layers), rows, choose).properties(width="container", height=340, padding=room)


def surface(rows: Rows, *, choose: str | None = None) -> Any:
    """Gamma x lam: rows of gamma, lam, value; the colour is on a logarithmic scale."""
    alt = altair()
    chart = (
        _chart(rows)
        .mark_rect()
        .encode(
            x=alt.X("lam:O", title="lam (gaps)", sort="ascending", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            y=alt.Y("gamma:O", title="gamma (spread)", sort="descending"),
            color=alt.Color(
                "value:Q", title="kappa", scale=alt.Scale(type="symlog", scheme="tealblues"), legend=_below(alt)
            ),
            tooltip=[
                alt.Tooltip("gamma:Q"),
                alt.Tooltip("lam:Q"),
                alt.Tooltip("value:Q", title="kappa", format=",.2f"),
            ],
        )
    )
    return _choosing(chart, rows, choose).properties(width="container", height=alt.Step(20), autosize=_fit())


_FORMS: dict[str, Callable[..., Any]] = {
    "heat_map": heat_map,
    "bars": bars,
    "dots": dots,
    "curves": curves,
    "beside_random": beside_random,
    "scatter": scatter,
    "graph": graph,
    "flow": flow,
    "surface": surface,
}


def _chart(rows: Rows) -> Any:
    alt = altair()
    return alt.Chart(alt.NamedData("rows") if isinstance(rows, Apart) else alt.Data(values=[dict(r) for r in rows]))


def _below(alt: Any, columns: int | None = None) -> Any:
    more = {} if columns is None else {"columns": columns}
    limit = alt.ExprRef(f"max(120, width / {columns or 1} - 30)")
    return alt.Legend(orient="bottom", labelLimit=limit, titleLimit=300, symbolOpacity=1, **more)


def _numbers(alt: Any, rows: Rows, *names: str) -> list[Any]:
    """Tooltips of the numbers that some row has."""
    return [alt.Tooltip(f"{n}:Q", format=".3~f") for n in names if any(row.get(n) is not None for row in rows)]


def _whole_axis(alt: Any, values: Sequence[float]) -> Any:
    """An axis with marks at whole numbers only, at most a dozen of them."""
    low, high = math.floor(min(values, default=1)), math.ceil(max(values, default=1))
    step = max(1, math.ceil((high - low) / 12))
    if step < 5:
        return alt.Axis(values=list(range(low, high + 1, step)), format="d")
    step = 5 * math.ceil(step / 5)  # 2, 10, 20 rather than 2, 12, 22
    return alt.Axis(values=[low, *(n for n in range(0, high + 1, step) if n > low + step / 2)], format="d")


def _names_across(alt: Any, names: Sequence[str], angle: int) -> Any:
    """Slanted names below a chart; many stand upright, and on a narrow page those that would overlap are left out."""
    if len(names) <= 12:
        return alt.Axis(labelAngle=angle, labelLimit=90)
    return alt.Axis(labelAngle=-90, labelLimit=90, labelOverlap="greedy")


def _title(text: str) -> str | list[str]:
    """A long name of a method on several lines, which fit a narrow page."""
    name, bracket, rest = text.partition("(")
    return [name, *(bracket + rest).replace(", ", ",\n").split("\n")] if rest and len(text) > 30 else text


def _choosing(chart: Any, rows: Rows, column: str | None, called: str | None = None) -> Any:
    """The chart for one value of a column, to be chosen from a list; nothing to choose where there is one value."""
    if column is None:
        return chart
    filtered, chosen = _chosen(altair(), chart, rows, column, called)
    return chart if chosen is None else filtered.add_params(chosen)


def _chosen(alt: Any, chart: Any, rows: Rows, column: str, called: str | None = None) -> tuple[Any, Any]:
    """The chart with the rows of one value only, and the parameter that says which, if there are several."""
    values = list(dict.fromkeys(str(row[column]) for row in rows))
    if len(values) < 2:
        return chart, None
    choice = alt.binding_select(options=values, name=f"{called or column}: ")
    chosen = alt.param(name="chosen", value=values[0], bind=choice)
    return chart.transform_filter(f"datum[{column!r}] === chosen"), chosen


def _fit() -> dict[str, str]:
    """As wide as the page; as high as the rows need."""
    return {"type": "fit-x", "contains": "padding"}
