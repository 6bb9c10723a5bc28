"""Room for the charts' JavaScript: its engine sets aside far more addresses than it ever fills, or ends the process.

A limit on addresses (``ulimit -v``, as on some shared machines) would end it without a word that Python could catch.
"""

from __future__ import annotations

from quorate.errors import LimitReached

NEEDED = 80 << 30  # bytes of addresses; the memory filled is some 0.2 GB


def check_room() -> None:
    """An error where a limit on addresses is too low for a page with charts; nothing where there is none."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < NEEDED:
        raise LimitReached(
            f"a page with charts needs {NEEDED >> 30} GB of addresses (not of memory), and only "
            f"{limit / 2**30:.1f} GB are allowed here.",
            "lift the limit (ulimit -v unlimited), or take --format text, md or json.",
        )
