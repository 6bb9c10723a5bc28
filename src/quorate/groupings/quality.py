"""How good is a system's clustering, according to the judges? Against every judge, or against their consensus.

The methods are in :mod:`~quorate.groupings.against`. The systems come as a panel of their own, whose judges are the
systems. What to move so that a clustering agrees with most judges is in :mod:`~quorate.groupings.moves`.
"""

from __future__ import annotations

from quorate.groupings.against import against_consensus, against_judges
from quorate.groupings.moves import Advice, Move, explain
from quorate.groupings.variants import fitting

__all__ = ["Advice", "Move", "against_consensus", "against_judges", "explain", "fitting"]
