"""Votes: judges choose between two systems. One file per question; formulas of votes and of how often each counts."""

from quorate.votes import agreement, consensus, judges, quality, trust  # noqa: F401  (they declare their methods)
