"""Two plain partitions, as people write them, as rows of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.kernels.partition_labels import dense
from quorate.panel.columns import encode, is_blank

Array = NDArray[Any]
Partition = Mapping[Any, Any] | Sequence[Any] | Array


def two_partitions(clusters: Partition, classes: Partition) -> Array:
    """Two plain partitions, ``{item: group}`` or one label an item, as ``labels[2, item]``; None is left out."""
    if isinstance(clusters, Mapping) != isinstance(classes, Mapping):
        raise InputError(
            "one partition is {item: group}, the other is not.", "give both as dicts, or both as lists of labels."
        )
    if isinstance(clusters, Mapping) and isinstance(classes, Mapping):
        items = dict.fromkeys((*clusters, *classes))
        return np.stack([_labels([p.get(i) for i in items]) for p in (clusters, classes)])
    if len(clusters) != len(classes):
        raise InputError(
            f"the partitions have {len(clusters)} and {len(classes)} items.",
            "two lists of labels are compared place by place; use {item: group} where items differ.",
        )
    return np.stack([_labels(clusters), _labels(classes)])


def _labels(values: Any) -> Array:
    """One label per item as dense integers; nothing there is left out."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub":
        low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
        if low >= 0 and high <= 2 * values.size + 16:  # dense enough as they are
            return values.astype(np.int64)
        return np.unique(values, return_inverse=True)[1].ravel()
    coded = encode(values)
    blank = np.array([is_blank(i) for i in coded.ids], bool)
    codes = coded.codes.astype(np.int64)
    if blank.any():
        codes[blank[coded.codes]] = -1
        codes = dense(codes)
    return codes
