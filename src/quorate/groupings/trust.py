"""How far can the result be trusted? Which measures to trust, and whether others would say the same.

* :mod:`~quorate.groupings.sensitivity`: measures along random splits and merges;
* :mod:`~quorate.groupings.agreement_stability`: the agreement table with judges, tasks and items drawn anew.

Whether a leaderboard of systems would stay the same is told with their quality.
"""

from __future__ import annotations

from quorate.groupings.agreement_stability import agreement_stability
from quorate.groupings.sensitivity import Sensitivity, made_up, sensitivity

__all__ = ["Sensitivity", "agreement_stability", "made_up", "sensitivity"]
