"""How good is a system's clustering, according to the judges? Against every judge, or against their consensus.

The methods are in :mod:`~quorate.groupings.against`. The systems come as a panel of their own, whose judges are the
systems. What to move so that a clustering agrees with most judges is in :mod:`~quorate.groupings.moves`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate.groupings.against import against_consensus, against_each_other, against_judges
from quorate.groupings.moves import Advice, Move, explain
from quorate.panel.clusterings import ClusteringDesign
from quorate.table import Method

__all__ = ["Advice", "Move", "against_consensus", "against_judges", "explain", "judges_against_each_other"]


def judges_against_each_other(design: ClusteringDesign, methods: Sequence[Method]) -> list[dict[str, Any]]:
    """What a judge reaches against the other judges, averaged over tasks."""
    out = []
    for m in methods:
        if m.name == "against_judges":
            values = np.concatenate([against_each_other(p.labels, p.counts, m) for p in design.parts])
            known = values[~np.isnan(values)]
            out.append({"method": str(m), "value": float(known.mean()) if len(known) else math.nan})
    return out
