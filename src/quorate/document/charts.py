"""The report's pictures as Altair charts: each function takes rows of plain values and can be used alone.

Channels are written out, ``alt.X("value:Q")`` instead of ``"value:Q"``: Altair takes long to find out what a string is.

>>> chart = bars([{"task": "t1", "value": 0.2}, {"task": "t2", "value": 0.6}], label="task")
>>> chart.to_dict()["mark"]["type"]
'bar'

Needs the extra ``report``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from quorate.document.axes import in_lines, names_across, names_down, same, told_apart, whole, whole_across, within
from quorate.document.blocks import Chart
from quorate.document.dendrogram import drawn as tree_chart
from quorate.errors import MissingExtra

Rows = Sequence[Mapping[str, Any]]
HIGH = 200  # pixels of a chart of curves
ALONE = 560  # pixels of a chart that is not on a page, whose width it would take
WRITTEN = 7  # judges whose agreement is written into the heat map
CELLS = ((7, 36), (9, 28), (12, 21), (30, 18))  # judges, and the pixels of a cell: a square that fits a phone up to 12
LEAST_SPAN = 0.2  # of the heat map's colours, so that hardly any difference does not look like a large one
COLOURS = 10  # that can be told apart
NAMED = 10  # dots whose names have room beside them
BANDS = 4  # of intervals that can be told apart
# On a phone, methods without the names of their parameters.
_BRIEF = "width < 360 ? replace(datum.label, /[a-z_]+=/g, '') : datum.label"


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

    checks: AbstractContextManager[Any] = debug_mode(False)
    return checks


def alone(picture: Chart) -> Any:
    """A picture that is not on a page: with its title and a width of its own."""
    title = {"text": textwrap.wrap(picture.title, 60), "anchor": "start"}
    chart = having(draw(picture), title=title)
    return chart if picture.form in ("heat_map", "surface") else having(chart, width=ALONE)


def draw(picture: Chart) -> Any:
    """A picture as an Altair chart."""
    chart = _FORMS[picture.form](picture.rows, **picture.settings)
    return having(chart, description=f"{picture.title}. {picture.description}")


class Apart(tuple[dict[str, Any], ...]):
    """Rows that a chart only names: Altair copies and hashes what stands inside it, which takes long."""


def specification(picture: Chart) -> dict[str, Any]:
    """A picture as Vega-Lite has it, the same as ``draw(picture).to_dict()`` but for the name of its rows.

    >>> rows = ({"task": "t1", "value": 0.2}, {"task": "t2", "value": 0.6})
    >>> specification(Chart("some", "agreement", "bars", "Some", "Two bars.", rows, {"label": "task"}))["datasets"]
    {'rows': [{'task': 't1', 'value': 0.2}, {'task': 't2', 'value': 0.6}]}
    """
    with unchecked():
        found: dict[str, Any] = draw(replace(picture, rows=Apart(picture.rows))).to_dict(validate=False)
    return {**found, "datasets": {**found.get("datasets", {}), "rows": [dict(row) for row in picture.rows]}}


def having(chart: Any, **properties: Any) -> Any:
    """The chart itself with these properties: Altair's own ``properties`` copies all that is in a chart."""
    for name, value in properties.items():
        chart[name] = value
    return chart


def heat_map(
    rows: Rows,
    *,
    order: Sequence[str],
    value: str = "value",
    diverging: bool = False,
    down: str = "judge",
    across: str = "other",
    choose: str | None = None,
) -> Any:
    """A square, judge x judge unless other columns are named; of few with the values written out.

    Correlations are ``diverging``: one colour above 0, another below.
    """
    alt = altair()
    many = len(order) > 30
    names = names_down(alt, order, 30, **({"labelFontSize": 9} if many else {}))
    base = chart_of(rows).encode(
        x=alt.X(f"{across}:N", sort=list(order), title=None, axis=names_across(alt, order, -60)),
        y=alt.Y(f"{down}:N", sort=list(order), title=None, axis=names),
        tooltip=[*map(alt.Tooltip, (f"{down}:N", f"{across}:N")), alt.Tooltip("value:Q", title=value, format=".3f")],
    )
    values = [row["value"] for row in rows if row.get("value") is not None]
    low, high = min(values, default=0), max(values, default=1)
    # Where all are the same, dark is full agreement.
    low, high = (min(low, high - LEAST_SPAN), high) if low < high else (min(low, 0), max(high, 1))
    ramp = alt.Scale(scheme="tealblues", domain=[low, high])
    if diverging:
        ramp = alt.Scale(scheme="redblue", domain=[-1, 1])
    legend = _below(alt, tickCount=4, gradientLength=160)
    cells = base.mark_rect().encode(color=alt.Color("value:Q", title=in_lines(value), scale=ramp, legend=legend))
    if len(order) <= WRITTEN:
        dark = "abs(datum.value) > 0.6" if diverging else f"datum.value > {low + 0.6 * (high - low)!r}"
        ink = alt.condition(dark, alt.value("#fff"), alt.value("#12171e"))
        text = base.mark_text(fontSize=11).encode(text=alt.Text("value:Q", format=".2f"), color=ink)
        cells = alt.layer(cells, text)
    step = next((size for most, size in CELLS if len(order) <= most), 12)
    return having(_choosing(cells, rows, choose), width=alt.Step(step), height=alt.Step(step))


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
    several = colour is not None and len({row[colour] for row in rows}) <= COLOURS
    legend = _below(alt, alt.ExprRef("width < 320 ? 2 : 5")) if several else None
    alone = None if colour is None else alt.Color(f"{colour}:N", legend=legend, sort=None)
    numbered, sort = _numbered(alt, rows, choose)
    chart = numbered.encode(
        x=alt.X("value:Q", title=in_lines(value)),
        y=alt.Y(f"{label}:N", sort=sort, title=None, axis=names_down(alt, [str(row[label]) for row in rows])),
        tooltip=[
            alt.Tooltip(f"{label}:N"),
            *([alt.Tooltip(f"{colour}:N")] if colour else []),
            alt.Tooltip("value:Q", title=value, format=".3f"),
        ],
        **({"color": alone} if alone is not None else {}),
    )
    chart = _choosing(chart.mark_bar(cornerRadiusEnd=2), rows, choose)
    if line is not None:
        across = chart_of([{"chance": line}]).encode(x=alt.X("chance:Q"))
        # On a strip as the background is (page.css), or it would hardly be seen on bars in the dark.
        strip = across.mark_rule(color="white", size=5)
        chart = alt.layer(chart, strip, across.mark_rule(strokeDash=[4, 3], size=1.5))
    return having(chart, width="container", height=alt.Step(18), autosize=_fit())


def dots(
    rows: Rows,
    *,
    label: str,
    value: str = "value",
    mark: str | None = None,
    text: str | None = None,
    choose: str | None = None,
    whole: bool = False,
    limits: tuple[float, float] | None = None,
    until: str = "high",
) -> Any:
    """A dot with its interval a row: judges, systems, or the places of items (whole numbers).

    No value can lie outside of ``limits``, so that the axis does not go on beyond them. The line of an interval is
    drawn from low to the column ``until``, which may end before high.
    """
    alt = altair()
    base, sort = _numbered(alt, rows, choose)
    y = alt.Y(f"{label}:N", sort=sort, title=None, axis=names_down(alt, [str(row[label]) for row in rows]))
    known = [name for name in rows[0] if name not in ("value", "low", "high", until)]
    tips = [*(alt.Tooltip(f"{name}:N") for name in known), *_numbers(alt, rows, "value", "low", "high")]
    drawn = ("value", "low", until)
    ends = same(rows, *drawn) or within(rows, limits, *drawn)
    scale = alt.Scale(zero=False, nice=not (whole or ends), padding=8, **ends)
    given: dict[str, Any] = {"title": in_lines(value), "scale": scale}
    if whole:
        given["axis"] = whole_across(alt, [row[n] for row in rows for n in drawn if row.get(n)])
    line = base.mark_rule(size=2, opacity=0.9 if mark else 0.6)  # its colour is not the page's own: more in the dark
    line = line.encode(y=y, x=alt.X("low:Q", **given), x2=alt.X2(f"{until}:Q"))
    dot = base.mark_point(size=70, filled=True, opacity=1).encode(y=y, x=alt.X("value:Q", **given))
    if mark:
        shown = {"scale": alt.Scale(domain=["not flagged", "flagged"], range=["#2a7f9e", "#d1495b"])}
        legend = _below(alt) if any(row[mark] == "flagged" for row in rows) else None
        colour = alt.Color(f"{mark}:N", title=None, legend=legend, **shown)
        shapes = alt.Scale(domain=["not flagged", "flagged"], range=["circle", "diamond"])
        line = line.encode(color=colour)
        dot = dot.encode(color=colour, shape=alt.Shape(f"{mark}:N", title=None, legend=legend, scale=shapes))
    layers = [line, dot.encode(tooltip=tips)]
    if text:
        layers.append(
            base.mark_text(dy=-5, baseline="bottom", fontSize=10).encode(
                y=y, x=alt.X("value:Q"), text=alt.Text(f"{text}:N")
            )
        )
    chart = _choosing(alt.layer(*layers), rows, choose)
    return having(chart, width="container", height=alt.Step(24), autosize=_fit())


def curves(
    rows: Rows,
    *,
    x: str,
    along: str | None = None,
    up: str | None = None,
    choose: str | None = None,
    whole: bool = False,
    dash: str | None = None,
    log: bool = False,
) -> Any:
    """Lines of value against ``x``, one for each value of the column line; of a few lines with a band from low to high.

    The first value of the column ``dash`` is drawn in full lines, the second in dashes; ``log`` puts large values of
    ``x`` closer together.
    """
    alt = altair()
    axis = whole_across(alt, [row[x] for row in rows]) if whole else alt.Undefined
    if log:
        axis = alt.Axis(values=sorted({row[x] for row in rows}), format="d" if whole else ".3~g", labelOverlap="greedy")
    several = len({row["line"] for row in rows}) > 1
    legend = _below(alt, 1, labelExpr=_BRIEF) if several else None
    colour = alt.Color("line:N", title=None, legend=legend, sort=None)
    scale = alt.Scale(nice=False, padding=8, **({"type": "symlog"} if log else {}))
    across = alt.X(f"{x}:Q", title=along or x, axis=axis, scale=scale)
    stroke = {"strokeDash": alt.StrokeDash(f"{dash}:N", legend=None, sort=None)} if dash else {}
    tips = [
        alt.Tooltip("line:N"),
        *([alt.Tooltip(f"{dash}:N")] if dash else []),
        alt.Tooltip(f"{x}:Q"),
        *_numbers(alt, rows, "value", "low", "high"),
    ]
    high = {"title": up, "scale": alt.Scale(zero=False, **same(rows, "value", "low", "high"))}
    base = chart_of(rows).encode(x=across, color=colour)
    layers = [base.mark_line(point={"size": 45}).encode(y=alt.Y("value:Q", **high), tooltip=tips, **stroke)]
    if any(row.get("low") is not None for row in rows) and len({row["line"] for row in rows}) <= BANDS:
        layers.insert(0, base.mark_area(opacity=0.13).encode(y=alt.Y("low:Q", **high), y2=alt.Y2("high:Q")))
    return having(_choosing(alt.layer(*layers), rows, choose), width="container", height=HIGH)


def beside_random(
    rows: Rows, *, x: str, along: str | None = None, choose: str | None = None, called: str | None = None
) -> Any:
    """Dots with intervals, and beside them the band of what chance does: rows of value, low, high, random low, ..."""
    alt = altair()
    across = alt.X(f"{x}:O", title=along or x, axis=alt.Axis(labelAngle=0))
    up = alt.Scale(zero=False)
    names = ("value", "low", "high", "random", "random low", "random high")
    tips = [*(alt.Tooltip(f"{n}:N") for n in rows[0] if n not in names), *_numbers(alt, rows, *names)]
    base = chart_of(rows).encode(x=across)
    y, y2 = alt.Y("random low:Q", title="correlation", scale=up), alt.Y2("random high:Q")
    layers = [
        base.mark_bar(opacity=0.35, color="#8a94a3", width={"band": 0.7}).encode(y=y, y2=y2, tooltip=tips),
        base.mark_tick(color="#8a94a3", thickness=2, width={"band": 0.7}).encode(y=alt.Y("random:Q")),
        base.mark_rule(size=2).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        base.mark_point(size=90, filled=True, opacity=1).encode(y=alt.Y("value:Q"), tooltip=tips),
    ]
    return having(_choosing(alt.layer(*layers), rows, choose, called), width="container", height=HIGH)


def scatter(rows: Rows, *, choose: str | None = None, called: str | None = None) -> Any:
    """Systems: the judges' mean against a metric's, with the straight line that fits best; names if they are few."""
    alt = altair()
    x = alt.X("human:Q", title="judges' mean", scale=alt.Scale(zero=False, padding=40))
    y = alt.Y("metric:Q", title="metric's mean", scale=alt.Scale(zero=False))
    base, chosen = chart_of(rows), None if choose is None else _chosen(alt, rows, choose, called)
    if choose is not None and chosen is not None:
        base = base.transform_filter(_is_chosen(choose))  # before the line is fitted
    tips = [alt.Tooltip("system:N"), *_numbers(alt, rows, "human", "metric")]
    line = base.transform_regression("human", "metric").mark_line(strokeDash=[5, 4], opacity=0.7).encode(x=x, y=y)
    dots = base.mark_point(size=80, filled=True, opacity=0.9).encode(x=x, y=y, tooltip=tips)
    few = len({row["system"] for row in rows}) <= NAMED
    text = base.encode(x=x, y=y, text=alt.Text("system:N"))
    limit = alt.ExprRef("width < 360 ? 76 : 110")
    under, over = (text.mark_text(dy=-11, limit=limit, fontSize=11, style=style) for style in (["halo"], []))
    chart = alt.layer(line, under, dots, over) if few else alt.layer(line, dots)
    if chosen is not None:
        chart = having(chart, params=[chosen.param])
    return having(chart, width="container", height=300)


def graph(rows: Rows, *, choose: str | None = None) -> Any:
    """Nodes and edges in layers: a row with a column before is an edge, from x, y to x2, y2; else a node."""
    alt = altair()
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.5, 0.5], nice=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(reverse=True, zero=False, nice=False, padding=18))
    base = chart_of(rows)  # one, so that what is chosen holds for all layers
    edges = base.transform_filter("isValid(datum.before)").mark_rule(size=1.6, opacity=0.55)
    tips = [alt.Tooltip(f"{name}:N") for name in ("item", "before", "judges")]
    edges = edges.encode(x=x, y=y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"), tooltip=tips)
    nodes = base.transform_filter("!isValid(datum.before)").encode(x=x, y=y, tooltip=[alt.Tooltip("item:N")])
    dots = nodes.mark_point(size=70, filled=True, opacity=1)
    # Twice, so that a line that runs through a name does not spoil it: the page's style gives the first an outline.
    space = alt.ExprRef("max(44, (datum.room || 1) * width - 8)")
    names = [
        nodes.mark_text(dy=-11, limit=space, fontSize=11, style=style).encode(text=alt.Text("item:N"))
        for style in (["halo"], [])
    ]
    deep = max((row["y"] for row in rows), default=1)
    step = 54 if any(row.get("room", 1) < 1 for row in rows) else 42  # lines that cross need more
    chart = _choosing(alt.layer(edges, names[0], dots, names[1]), rows, choose)  # no outline over a dot
    return having(chart, width="container", height=round(min(max(step * (deep + 1), 120), 800)))


def flow(rows: Rows, *, order: Sequence[str], choose: str | None = None) -> Any:
    """Places of items from judge to judge: rows of judge, item, value, and low, high where there is an interval.

    The line of an interval is drawn from low down to the column ``to``, which may end before high.
    """
    alt = altair()
    item = alt.selection_point(name="item", fields=["item"], on="pointerover", clear="pointerout")
    items = [str(row["item"]) for row in rows]
    columns = 1 if max(map(len, items), default=0) > 16 else 2
    legend = _below(alt, columns, labelExpr=told_apart(items, 28, 80))
    colour = alt.Color("item:N", title=None, legend=legend, sort=None)
    lit = alt.condition(item, alt.value(1.0), alt.value(0.12))
    tips = [alt.Tooltip("judge:N"), alt.Tooltip("item:N"), *_numbers(alt, rows, "value", "low", "high")]
    across = alt.X("judge:N", sort=list(order), title=None, axis=names_across(alt, order, -50))
    ends = [row[n] for row in rows for n in ("value", "low", "to") if row.get(n)]
    place = {
        "title": "place",
        "scale": alt.Scale(reverse=True, zero=False, nice=False, padding=8),
        "axis": whole(alt, ends),
    }
    base = chart_of(rows).encode(x=across, color=colour, opacity=lit)
    y = alt.Y("value:Q", **place)
    layers = [
        base.transform_filter("isValid(datum.low)")  # side by side, or they would hide each other
        .mark_rule(size=2, xOffset=alt.ExprRef("datum.offset"))
        .encode(y=alt.Y("low:Q", **place), y2=alt.Y2("to:Q")),
        base.mark_line(strokeWidth=2).encode(y=y),
        base.mark_point(size=60, filled=True).encode(y=y, tooltip=tips).add_params(item),
    ]
    border = {"left": 5, "top": 5, "bottom": 5, "right": 30}
    return having(_choosing(alt.layer(*layers), rows, choose), width="container", height=340, padding=border)


def surface(
    rows: Rows, *, choose: str | None = None, down: str = "gamma", across: str = "lam", value: str = "kappa"
) -> Any:
    """One parameter by another, gamma x lam unless others are named; the colour is on a logarithmic scale."""
    alt = altair()
    values = [row["value"] for row in rows if row["value"] is not None]
    large = max(values, default=0) > 1000 and min(values) > 0  # whose marks would stand on each other
    ramp = alt.Scale(type="log" if large else "symlog", scheme="tealblues")
    legend = _below(alt, labelExpr=_THOUSANDS, labelOverlap="greedy", labelSeparation=4)
    cells, marks = chart_of(rows).mark_rect(), alt.Axis(labelAngle=0, labelOverlap=True)
    chart = cells.encode(
        x=alt.X(f"{across}:O", title=_AXES.get(across, across), sort="ascending", axis=marks),
        y=alt.Y(f"{down}:O", title=_AXES.get(down, down), sort="descending"),
        color=alt.Color("value:Q", title=in_lines(value), scale=ramp, legend=legend),
        tooltip=[
            *map(alt.Tooltip, (f"{down}:Q", f"{across}:Q")),
            alt.Tooltip("value:Q", title=value, format=",.2f"),
            *_numbers(alt, rows, "low", "high"),
        ],
    )
    side = max((len({row[axis] for row in rows}) for axis in (down, across)), default=0)
    step = alt.Step(next((size for most, size in CELLS if side <= most), 20))
    return having(_choosing(chart, rows, choose), width=step, height=step)


def dendrogram(rows: Rows, *, order: Sequence[str]) -> Any:
    """A tree of items, whose names stand down the side in this order."""
    return tree_chart(altair(), chart_of(rows), order)


_AXES = {"lam": "lam (gaps)", "gamma": "gamma (spread)"}
_THOUSANDS = "datum.value >= 10000 ? format(datum.value, '~s') : datum.label"  # 20k: large marks stand close together
_FORMS: dict[str, Callable[..., Any]] = {
    form.__name__: form
    for form in (heat_map, bars, dots, curves, beside_random, scatter, graph, flow, surface, dendrogram)
}


def chart_of(rows: Rows) -> Any:
    """A chart of the rows; their intervals in words, because a missing end would be told as 0."""
    alt = altair()
    chart = alt.Chart(alt.NamedData("rows") if isinstance(rows, Apart) else alt.Data(values=[dict(r) for r in rows]))
    for before in ("", "random "):
        if any(row.get(f"{before}low") is not None for row in rows):
            low, high = (f"datum['{before}{end}']" for end in ("low", "high"))
            said = f"isValid({low}) ? format({low}, '.3~f') + ' to ' + format({high}, '.3~f') : 'none'"
            chart = chart.transform_calculate(**{f"{before}interval": said})
    return chart


def _below(alt: Any, columns: Any = None, **more: Any) -> Any:
    if columns is not None:
        more["columns"] = columns
    limit = alt.ExprRef(f"max(120, width / {columns if isinstance(columns, int) else 1} - 30)")
    return alt.Legend(orient="bottom", labelLimit=limit, titleLimit=300, symbolOpacity=1, **more)


def _numbered(alt: Any, rows: Rows, choose: str | None) -> tuple[Any, Any]:
    """A chart and how to keep the rows' order in it: when other rows are chosen, names would stay where they were."""
    if choose is None:
        return chart_of(rows), None
    return chart_of(rows).transform_window(at="row_number()"), alt.EncodingSortField("at", op="min")


def _numbers(alt: Any, rows: Rows, *names: str) -> list[Any]:
    """Tooltips of the numbers that some row has; the ends of intervals together."""
    known = [n for n in names if any(row.get(n) is not None for row in rows)]
    return [
        alt.Tooltip(f"{n.removesuffix('low')}interval:N") if n.endswith("low") else alt.Tooltip(f"{n}:Q", format=".3~f")
        for n in known
        if not n.endswith("high")
    ]


def _choosing(chart: Any, rows: Rows, column: str | None, called: str | None = None) -> Any:
    """The chart for one value of a column, to be chosen from a list; nothing to choose where there is one value."""
    if column is None:
        return chart
    alt = altair()
    chosen = _chosen(alt, rows, column, called)
    if chosen is None:
        return chart
    transforms, params = ([] if x is alt.Undefined else x for x in (chart.transform, chart.params))
    shown = alt.FilterTransform(_is_chosen(column))
    return having(chart, transform=[*transforms, shown], params=[*params, chosen.param])


def _chosen(alt: Any, rows: Rows, column: str, called: str | None = None) -> Any:
    """The parameter that says which value of a column is chosen, if there are several."""
    values = list(dict.fromkeys(str(row[column]) for row in rows))
    if len(values) < 2:
        return None
    choice = alt.binding_select(options=values, name=f"{called or column}: ")
    return alt.param(name="chosen", value=values[0], bind=choice)


def _is_chosen(column: str) -> str:
    return f"datum[{column!r}] === chosen"


def _fit() -> dict[str, str]:
    """As wide as the page; as high as the rows need."""
    return {"type": "fit-x", "contains": "padding"}
