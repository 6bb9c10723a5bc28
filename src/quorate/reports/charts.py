"""The report's pictures as Altair charts: each function takes rows of plain values and can be used alone.

>>> chart = bars([{"task": "t1", "value": 0.2}, {"task": "t2", "value": 0.6}], label="task")
>>> chart.to_dict()["mark"]["type"]
'bar'

Needs the extra ``report``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quorate.errors import MissingExtra
from quorate.reports.pictures import Picture

Rows = Sequence[Mapping[str, Any]]


def altair() -> Any:
    """Altair, or an error that says what to install."""
    try:
        import altair as alt
    except ImportError:
        raise MissingExtra("altair", "report", "A chart") from None
    return alt


def draw(picture: Picture) -> Any:
    """A picture as an Altair chart."""
    chart = _FORMS[picture.form](picture.rows, **picture.settings)
    return chart.properties(description=f"{picture.title}. {picture.description}")


def heat_map(rows: Rows, *, order: Sequence[str], value: str = "value") -> Any:
    """Judge x judge: rows of judge, other, value."""
    alt = altair()
    base = _chart(rows).encode(
        x=alt.X("other:N", sort=list(order), title=None, axis=alt.Axis(labelAngle=-60, labelLimit=90)),
        y=alt.Y("judge:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=110)),
        tooltip=["judge:N", "other:N", alt.Tooltip("value:Q", title=value, format=".3f")],
    )
    ramp = alt.Scale(scheme="tealblues")
    cells = base.mark_rect().encode(color=alt.Color("value:Q", title=value, scale=ramp, legend=_below(alt)))
    return cells.properties(width="container", height=alt.Step(22 if len(order) <= 30 else 12), autosize=_fit())


def bars(
    rows: Rows,
    *,
    label: str,
    value: str = "value",
    colour: str | None = None,
    line: float | None = None,
    choose: str | None = None,
    sorted: bool = True,
) -> Any:
    """A bar a row, in the order of the rows; ``line`` is drawn across, as what chance gives."""
    alt = altair()
    alone = None if colour is None else alt.Color(f"{colour}:N", legend=_below(alt), sort=None)
    chart = _chart(rows).encode(
        x=alt.X("value:Q", title=value),
        y=alt.Y(f"{label}:N", sort=None, title=None, axis=alt.Axis(labelLimit=130)),
        tooltip=[f"{label}:N", *([f"{colour}:N"] if colour else []), alt.Tooltip("value:Q", title=value, format=".3f")],
        **({"color": alone} if alone is not None else {}),
    )
    chart = _choosing(chart.mark_bar(cornerRadiusEnd=2), rows, choose)
    if line is not None:
        rule = _chart([{"chance": line}]).mark_rule(strokeDash=[4, 3], size=1.5).encode(x="chance:Q")
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
) -> Any:
    """A dot with its interval a row: judges, systems, or the places of items."""
    alt = altair()
    y = alt.Y(f"{label}:N", sort=None, title=None, axis=alt.Axis(labelLimit=130))
    known = [name for name in rows[0] if name not in ("value", "low", "high")]
    tips = [
        *(f"{name}:N" for name in known),
        *(alt.Tooltip(f"{n}:Q", format=".3f") for n in ("value", "low", "high")),
    ]
    scale = alt.Scale(zero=False)
    base = _chart(rows)
    line = base.mark_rule(size=2, opacity=0.6).encode(y=y, x=alt.X("low:Q", title=value, scale=scale), x2="high:Q")
    dot = base.mark_point(size=70, filled=True, opacity=1).encode(y=y, x=alt.X("value:Q", title=value, scale=scale))
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
        layers.append(base.mark_text(dy=-8, fontSize=10).encode(y=y, x="value:Q", text=f"{text}:N"))
    chart = _choosing(alt.layer(*layers), rows, choose)
    return chart.properties(width="container", height=alt.Step(24), autosize=_fit())


def curves(rows: Rows, *, x: str, along: str | None = None, choose: str | None = None) -> Any:
    """Lines of value against ``x``, one for each value of the column line."""
    alt = altair()
    chart = (
        _chart(rows)
        .mark_line(point=True)
        .encode(
            x=alt.X(f"{x}:Q", title=along or x),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
            color=alt.Color("line:N", title=None, legend=_below(alt, 1), sort=None),
            tooltip=["line:N", f"{x}:Q", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    return _choosing(chart, rows, choose).properties(width="container", height=260)


def flow(rows: Rows, *, order: Sequence[str], choose: str | None = None) -> Any:
    """Places of items from judge to judge: rows of judge, item, value."""
    alt = altair()
    chart = (
        _chart(rows)
        .mark_line(point={"size": 60}, strokeWidth=2)
        .encode(
            x=alt.X("judge:N", sort=list(order), title=None, axis=alt.Axis(labelAngle=-50, labelLimit=90)),
            y=alt.Y("value:Q", title="place", scale=alt.Scale(reverse=True, zero=False)),
            color=alt.Color("item:N", title=None, legend=_below(alt, 2), sort=None),
            tooltip=["judge:N", "item:N", alt.Tooltip("value:Q", title="place")],
        )
    )
    return _choosing(chart, rows, choose).properties(width="container", height=320)


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
            tooltip=["gamma:Q", "lam:Q", alt.Tooltip("value:Q", title="kappa", format=",.2f")],
        )
    )
    return _choosing(chart, rows, choose).properties(width="container", height=alt.Step(20), autosize=_fit())


_FORMS: dict[str, Callable[..., Any]] = {
    "heat_map": heat_map,
    "bars": bars,
    "dots": dots,
    "curves": curves,
    "flow": flow,
    "surface": surface,
}


def _chart(rows: Rows) -> Any:
    alt = altair()
    return alt.Chart(alt.Data(values=[dict(row) for row in rows]))


def _below(alt: Any, columns: int | None = None) -> Any:
    more = {} if columns is None else {"columns": columns}
    return alt.Legend(orient="bottom", labelLimit=260, **more)


def _choosing(chart: Any, rows: Rows, column: str | None) -> Any:
    """The chart for one value of a column, to be chosen from a list; nothing to choose where there is one value."""
    if column is None:
        return chart
    values = list(dict.fromkeys(str(row[column]) for row in rows))
    if len(values) < 2:
        return chart
    alt = altair()
    select = alt.binding_select(options=values, name=f"{column}: ")
    chosen = alt.param(name="chosen", value=values[0], bind=select)
    return chart.add_params(chosen).transform_filter(f"datum[{column!r}] === chosen")


def _fit() -> dict[str, str]:
    """As wide as the page; as high as the rows need."""
    return {"type": "fit-x", "contains": "padding"}
