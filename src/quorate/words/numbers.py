"""How a number reads: one format for tables, sentences, terminal, Markdown and page.

Figures have three decimals in tables and two in sentences, from 100 on one in both; a p-value has two digits and is
never 0; a share is a percentage that is 0% or 100% only if it is none or all. A figure that cannot be computed is
"undefined", and "-" stands where a column does not apply.

>>> figure(0.12345), figure(1234.5), figure(7), figure(float("nan"))
('0.123', '1,234.5', '7', 'undefined')
>>> figure(1.2345e-9), two(1.2345e-9), figure(1e-16)
('1.235e-09', '1.235e-09', '0.000')
>>> shown([0.1, 0.25], "interval"), shown(0.0001, "p"), shown(["a", "b"], "names"), shown(None, "figure")
('0.100 to 0.250', '< 0.001', 'a, b', '-')
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

LONG = 1e9  # from which on a number is told by its first digits
LARGE = 100  # from which on one decimal is enough
TINY = (1e-12, 1e-6)  # between which it is too; what is smaller is rounding
DECIMALS = 3  # of a figure in a table
DIGITS = 12  # of a value that are no rounding
NAMES = 40  # names in a cell, before "and so many more"
UNDEFINED, NOTHING, NO_LIMIT = "undefined", "-", "no limit"
ANYTHING = "any value"  # an interval as wide as the scale


def finite(value: Any) -> bool:
    """Whether it is a number with an end."""
    return isinstance(value, int | float) and math.isfinite(value)


def two(value: float) -> str:
    """With two decimals, and no minus before zero: for sentences."""
    return plain(value, 2)


def three(value: float) -> str:
    """With three decimals, and no minus before zero."""
    return plain(value, 3)


def plain(value: float, decimals: int) -> str:
    """With so many decimals, large numbers with one, and no minus before zero; NaN is undefined, and what nobody reads
    is short.

    >>> plain(99.987, 2), plain(100.123, 2), plain(-988.568, 3)
    ('99.99', '100.1', '-988.6')
    """
    if value != value:
        return UNDEFINED
    value = settled(value)
    if abs(value) >= LONG or TINY[0] < abs(value) < TINY[1]:
        return f"{value:.4g}"
    decimals = decimals if abs(value) < LARGE else min(decimals, 1)
    return f"{round(value, decimals) + 0.0:,.{decimals}f}"


def settled(value: float) -> float:
    """A value less what rounding left: half a digit is told one way, whatever processor added it up.

    >>> plain(settled(2.3625000000000003), 3) == plain(settled(2.3624999999999998), 3)
    True
    """
    return float(f"{value:.{DIGITS}g}")


def between(low: float, high: float) -> tuple[float, float]:
    """Both ends of an interval as they are told: one that is next to nothing beside the other is 0.

    >>> between(5.2e-8, 1.0), between(2e-9, 5e-9), between(23, math.inf)
    ((0.0, 1.0), (2e-09, 5e-09), (23, inf))
    """
    least = TINY[1] * max(abs(low), abs(high))
    if math.isinf(least):
        return low, high
    low, high = (0.0 if 0 < abs(end) < least else end for end in (low, high))
    return low, high


def figure(value: Any) -> str:
    """A figure of a table: whole numbers as they are, others with three decimals."""
    if value is None:
        return UNDEFINED
    if isinstance(value, int):
        return count(value)
    if math.isinf(value):
        return "too large"
    return plain(value, DECIMALS)


def count(value: float) -> str:
    """A whole number with its thousands apart; one of more digits than people read by its size.

    >>> count(12345), count(10**13), count(2**2000), count(math.inf)
    ('12,345', '1e+13', '2^2000', 'no limit')
    """
    if isinstance(value, int) and abs(value) >= 10**12:
        return f"{float(value):.4g}" if value.bit_length() < 1000 else f"2^{value.bit_length() - 1}"
    if value == math.inf:
        return "no limit"
    return UNDEFINED if value != value else NO_LIMIT if math.isinf(value) else f"{value:,.0f}"


def rough(value: float) -> int:
    """A number of judges or votes that it takes, to two digits: as rough as it is.

    >>> rough(7.0), rough(83), rough(1648)
    (7, 83, 1600)
    """
    return int(value) if value < 100 else int(float(f"{settled(value):.2g}"))


def about(value: float) -> str:
    """How many there are on average: a whole number as such, others to one decimal.

    >>> about(5.0), about(5.97), about(2.5)
    ('5', 'about 6', '2.5')
    """
    value = settled(value)
    near = f"{value:.1f}".removesuffix(".0")
    return near if "." in near or value == round(value) else f"about {near}"


def share(value: float) -> str:
    """As a percentage that is 0% or 100% only if it is none or all.

    >>> share(0.999), share(1.0), share(0.001), share(0.5), share(-0.001)
    ('over 99%', '100%', 'under 1%', '50%', '0%')
    """
    if value != value:
        return UNDEFINED
    value = settled(value)
    if 0.995 <= value < 1 - 1e-12:
        return "over 99%"
    if 1e-12 < value < 0.005:
        return "under 1%"
    return f"{value:.0%}" if abs(value) >= 0.005 else "0%"


def p_value(p: float) -> str:
    """Two digits; never 0, nor a number that only machines read; '-' where nothing was tested."""
    return NOTHING if p != p else "< 0.001" if p < 0.001 else f"{settled(p):.2g}"


def p_is(p: float) -> str:
    """A p-value in a sentence."""
    return f"p {p_value(p)}" if p < 0.001 else f"p = {p_value(p)}"


def place(value: float) -> str:
    """A place, a setting or a weight: as short as it is.

    >>> place(2.0), place(2.5)
    ('2', '2.5')
    """
    return UNDEFINED if value != value else f"{settled(value):g}"


def digits(value: float) -> str:
    """With four decimals: to hold against what others printed."""
    return plain(value, 4)


def _signed(value: float) -> str:
    return UNDEFINED if value != value else f"{settled(value):+.4f}"


def _yes(value: Any) -> str:
    return "yes" if value else "no"


def _flag(value: Any) -> str:
    return "yes" if value else ""


def _names(value: Sequence[Any]) -> str:
    more = f" and {len(value) - NAMES:,} more" if len(value) > NAMES else ""
    return ", ".join(map(str, value[:NAMES])) + more


def _order(value: Sequence[Sequence[Any]]) -> str:
    """A ranking, tied items joined by an equal sign.

    >>> _order([["a"], ["b", "c"]])
    'a > b = c'
    """
    return " > ".join(" = ".join(map(str, tied)) for tied in value[:NAMES]) + (" > ..." if len(value) > NAMES else "")


def _marked(value: Sequence[tuple[str, str, str]]) -> str:
    """Stretches of text in which words are marked, each as before, words and after.

    >>> _marked([("So ", "a dam", " broke.")])
    'So [a dam] broke.'
    """
    return " / ".join(f"{before}[{words}]{after}" for before, words, after in value)


def _whisker(value: Any) -> str:
    """An estimate with its interval in one cell; a page draws it too."""
    inside = f" ({shown(value.interval, 'interval')})" if value.interval else ""
    return f"{figure(value.value)}{inside}"


FORMS: dict[str, Callable[[Any], str]] = {
    "name": str,
    "text": str,
    "names": _names,
    "pair": "-".join,
    "order": _order,
    "figure": figure,
    "count": count,
    "place": place,
    "share": share,
    "p": p_value,
    "digits": digits,
    "signed": _signed,
    "letters": str,
    "flag": _flag,
    "yes": _yes,
    "marked": _marked,
    "whisker": _whisker,
}
NUMBERS = ("figure", "count", "place", "share", "p", "digits", "signed", "whisker")  # forms that stand at the right


def numeric(form: str) -> bool:
    """Whether a form is that of numbers, intervals included."""
    return form.partition(":")[0] in (*NUMBERS, "interval")


def shown(value: Any, form: str) -> str:
    """A raw value as people read it; the ends of an interval have a form of their own, as in ``interval:count``."""
    name, _, inside = form.partition(":")
    if value is None:
        return "" if name == "flag" else NOTHING
    if isinstance(value, str):
        return value
    if name == "interval":
        ends = (value.low, value.high) if hasattr(value, "low") else tuple(value)
        return NOTHING if None in ends else " to ".join(FORMS[inside or "figure"](end) for end in between(*ends))
    return FORMS[name](value)
