"""What designs have in common whose rows are in files: every name is one judge."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class OneByOne:
    """Judges of files: every name is one judge, for rows that stand for several are not scanned."""

    judges: tuple[Hashable, ...]

    @cached_property
    def counted(self) -> bool:
        """Whether rows stand for several judges."""
        return False

    @cached_property
    def voters(self) -> Array:
        """How many judges every name stands for."""
        return np.ones(len(self.judges), np.int64)
