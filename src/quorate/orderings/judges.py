"""Who is off? Each judge against the others, worst first.

Three methods: what most judges share and this one does not (:mod:`~quorate.orderings.outliers`), the correlation with
the others (:mod:`~quorate.orderings.peer_correlation`), and what changes without the judge
(:mod:`~quorate.orderings.influence`). A lower value is a worse judge throughout. Of a judge's repeats on a task the
first is looked at.
"""

from __future__ import annotations

from quorate.orderings.influence import influence
from quorate.orderings.outliers import support_outliers
from quorate.orderings.peer_correlation import peer_correlation

__all__ = ["influence", "peer_correlation", "support_outliers"]
