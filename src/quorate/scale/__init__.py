"""Panels that are not in memory: partitions of whole tasks, a map over them in processes or on Dask, and a merge.

A method by task is a function of one task at a time, so each partition says what a method gives on its tasks; put
together in the order of names these are the very rows that a panel in memory has, and intervals, chance and flags
follow from them as they do there.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quorate.scale.files import Scan, scan

__all__ = ["Scan", "scan"]


def __getattr__(name: str) -> Any:
    """What scans, loaded when it is first asked for: a warning about memory needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from quorate.scale import files

    return getattr(files, name)
