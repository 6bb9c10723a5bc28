"""How far can the result be trusted? How well quality methods tell good from bad, with noise, and with how many judges.

* :mod:`~quorate.orderings.discriminativeness`: ED, the score of a judge's order less that of its reverse;
* :mod:`~quorate.orderings.noise`: what is left of it when random judges join;
* :mod:`~quorate.orderings.tuning`: what FreSPA's parameters change, and which are best;
* :mod:`~quorate.orderings.held_out`: which consensus predicts judges best who had no part in it;
* :mod:`~quorate.orderings.reliability`: would another panel say the same, and how many judges does it take;
* :mod:`~quorate.orderings.bootstrap`: any method on resampled panels (of any function of a panel, in Python:
  ``quorate.inference.panel_bootstrap``).
"""

from __future__ import annotations

from quorate.orderings.bootstrap import bootstrap
from quorate.orderings.discriminativeness import discriminate, discriminativeness
from quorate.orderings.held_out import held_out
from quorate.orderings.noise import noise
from quorate.orderings.reliability import judges_needed, split_half
from quorate.orderings.tuning import sweep, tune

__all__ = [
    "bootstrap",
    "discriminate",
    "discriminativeness",
    "held_out",
    "judges_needed",
    "noise",
    "split_half",
    "sweep",
    "tune",
]
