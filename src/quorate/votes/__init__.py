"""Votes: judges choose between two systems. One file per question; formulas of votes and of how often each counts."""

from quorate.votes import agreement, consensus, judges, quality, trust  # noqa: F401  (they declare their methods)

LETTERS = """
In formulas a cell is a pair of systems on a task; N of a cell is its judges, n(c) those who make the choice c (the one
system, the other, or a tie).
"""  # in the formulas of methods
ORDER = {  # of methods, as they are shown; of each question the first default one comes first in answers
    "agreement": "alpha same_choice",
    "judges": "place consistency with_others discrimination self_preference",
    "consensus": "strengths win_rate",
    "quality": "bradley_terry win_rate elo eigenvector",
    "trust": "place effects swaps votes_needed judges_needed next_pairs",
}
