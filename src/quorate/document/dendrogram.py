"""A tree of items as a picture: names down the side, joins to the right as items are put together less often."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from quorate.groupings.linkage_tree import Tree

STEP = 18  # pixels of a name


def segments(tree: Tree, joins: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """The lines of a tree: two that lead to a join, and one between them, which says what is below it."""
    place: dict[int, tuple[float, float]] = {leaf: (float(k), 0.0) for k, leaf in enumerate(tree.leaves())}
    rows: list[dict[str, Any]] = []
    for step, ((a, b), height) in enumerate(zip(tree.merges.tolist(), tree.heights.tolist(), strict=True)):
        (ya, xa), (yb, xb) = place[a], place[b]
        x, join = round(height, 6), joins[step]
        rows += [{"x": xa, "y": ya, "x2": x, "y2": ya}, {"x": xb, "y": yb, "x2": x, "y2": yb}]
        stays = join["stays"] if step < len(joins) - 1 else None  # all are below the last one, whoever judges
        told = {"branch": ", ".join(map(str, join["items"])), "together": round(1 - height, 6), "stays": stays}
        rows.append({"x": x, "y": ya, "x2": x, "y2": yb, **told})
        place[tree.items + step] = ((ya + yb) / 2, x)
    return tuple(rows)


def drawn(alt: Any, base: Any, order: Sequence[str]) -> Any:
    """The tree as a chart of its lines; at each join how often resampled judges make the same branch."""
    label = f"{json.dumps(list(order), ensure_ascii=False)}[datum.value]"
    places = alt.Axis(
        values=list(range(len(order))),
        labelExpr=label,
        grid=False,
        ticks=False,
        domain=False,
        labelLimit=160,
        labelOverlap=False,
    )
    y = alt.Y(
        "y:Q", title=None, axis=places, scale=alt.Scale(reverse=True, domain=[-0.5, len(order) - 0.5], nice=False)
    )
    x = alt.X("x:Q", title="share of judges who put them apart", scale=alt.Scale(domain=[0, 1]))
    tips = [alt.Tooltip("branch:N"), alt.Tooltip("together:Q", format=".0%"), alt.Tooltip("stays:Q", format=".0%")]
    lines = base.mark_rule(size=1.6, opacity=0.7).encode(x=x, y=y, x2="x2:Q", y2="y2:Q", tooltip=tips)
    middle = base.transform_filter("isValid(datum.stays)").transform_calculate(at="(datum.y + datum.y2) / 2")
    text = middle.mark_text(dx=3, dy=-6, align="left", fontSize=10).encode(
        x=x,
        y=alt.Y("at:Q", title=None, axis=places, scale=alt.Scale(reverse=True)),
        text=alt.Text("stays:Q", format=".0%"),
    )
    return alt.layer(lines, text).properties(width="container", height=max(STEP * len(order), 80))
