"""What larger panels correlate, of what smaller ones do, by Spearman and Brown's formula."""

from __future__ import annotations

from typing import Any


def stepped_up(r: Any, times: Any) -> Any:
    """What two panels correlate that are so many times larger.

    Below 0 the formula runs away; there it is mirrored, so that the result stays between -1 and 1.

    >>> stepped_up(0.5, 2), stepped_up(-0.5, 2)
    (0.6666666666666666, -0.6666666666666666)
    """
    return times * r / (1 + (times - 1) * abs(r))
