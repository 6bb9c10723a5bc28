"""Rates as dots with their intervals beside what is promised: one small SVG for each section of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from quorate.kernels.binomial import wilson

LEFT, RIGHT, WIDE, LINE, TOP = 330, 40, 760, 15, 34  # pixels
GOOD, BAD, PLAIN = "#2f6f9f", "#b5381c", "#444"


def picture(
    rows: Mapping[str, Sequence[tuple[float, int, bool]]], ends: tuple[float, float], promise: float | None
) -> str:
    """``rows`` by name: rates, of how many panels, and whether the promise is missed; ``ends`` of the axis."""

    def across(rate: float) -> float:
        share = (min(max(rate, ends[0]), ends[1]) - ends[0]) / (ends[1] - ends[0])
        return round(LEFT + share * (WIDE - LEFT - RIGHT), 1)

    high = TOP + LINE * len(rows) + 8
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" width="{WIDE}" height="{high}" '
        f'font-family="sans-serif" font-size="11" fill="{PLAIN}"><rect width="100%" height="100%" fill="#fff"/>'
    ]
    for k in range(6):
        at = ends[0] + k * (ends[1] - ends[0]) / 5
        x = across(at)
        out.append(f'<path d="M{x} {TOP - 8}V{high - 6}" stroke="#ddd"/>')
        out.append(f'<text x="{x}" y="{TOP - 14}" text-anchor="middle">{100 * at:.3g}%</text>')
    if promise is not None:
        x = across(promise)
        out.append(f'<path d="M{x} {TOP - 8}V{high - 6}" stroke="{PLAIN}" stroke-dasharray="4 3"/>')
    for k, (name, dots) in enumerate(rows.items()):
        y = TOP + LINE * k + 6
        short = name if len(name) <= 58 else f"{name[:55]}..."
        out.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(short)}</text>')
        for place, (rate, number, missed) in enumerate(dots):
            low, top = wilson(round(rate * number), number) or (rate, rate)
            down, colour = round(y + 8 * ((place + 0.5) / len(dots) - 0.5), 1), BAD if missed else GOOD
            out.append(f'<path d="M{across(low)} {down}H{across(top)}" stroke="{colour}" stroke-opacity=".35"/>')
            out.append(f'<circle cx="{across(rate)}" cy="{down}" r="2.5" fill="{colour}"/>')
    return "\n".join([*out, "</svg>"]) + "\n"
