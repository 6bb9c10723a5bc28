"""Which figures are drawn: they move with the seed, all others may not move at all."""

from __future__ import annotations

DRAWN = {}
