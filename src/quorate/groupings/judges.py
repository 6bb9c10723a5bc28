"""Who is off? Each judge's groupings against the others'.

Agreement with the others (:func:`~quorate.groupings.peers.peer_agreement`), splitters and generalisers
(:func:`~quorate.groupings.peers.leaning`), and who shares little of what most put together
(:func:`~quorate.groupings.peers.together_outliers`). Asked without a measure, ``peer_agreement`` comes for the three
measures of the Clusters paper. For two judges, :func:`~quorate.groupings.two_judges.compare` shows where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.groupings.agreement import description
from quorate.groupings.peers import leaning, peer_agreement, together_outliers
from quorate.groupings.two_judges import compare
from quorate.groupings.variants import fitting
from quorate.panel.kinds import Groupings
from quorate.table import Method

__all__ = ["compare", "fitting", "leaning", "more", "peer_agreement", "together_outliers"]


def more(panel: Groupings, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """What the judges made."""
    return {"description": description(panel, core.options.absent)}
