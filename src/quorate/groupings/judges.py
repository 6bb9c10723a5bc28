"""Who is off? Each judge's groupings against the others'.

Agreement with the others (:func:`~quorate.groupings.peers.peer_agreement`), splitters and generalisers
(:func:`~quorate.groupings.peers.leaning`), and who shares little of what most put together
(:func:`~quorate.groupings.peers.together_outliers`). Asked without a measure, ``peer_agreement`` comes for the three
measures of the Clusters paper. For two judges, :func:`~quorate.groupings.two_judges.compare` shows where they differ.
"""

from __future__ import annotations

from quorate.groupings.agreement import description
from quorate.groupings.peers import leaning, peer_agreement, together_outliers
from quorate.groupings.two_judges import compare

__all__ = ["compare", "description", "leaning", "peer_agreement", "together_outliers"]
