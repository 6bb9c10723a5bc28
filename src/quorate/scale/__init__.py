"""Panels that are not in memory: partitions of whole tasks, a map over them in processes or on Dask, and a merge.

A method by task is a function of one task at a time, so each partition says what a method gives on its tasks; put
together in the order of names these are the very rows that a panel in memory has, and intervals, chance and flags
follow from them as they do there.
"""

from quorate.scale.files import Scan, scan

__all__ = ["Scan", "scan"]
