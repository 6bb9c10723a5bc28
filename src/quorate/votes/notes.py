"""For the method reference: what each method for votes is good for, when it misleads, and its formula.

In formulas a cell is a pair of systems on a task; N of a cell is its judges, n(c) those who make the choice c (the one
system, the other, or a tie); ties are half a win each way.
"""

from __future__ import annotations

from collections.abc import Mapping

from quorate.table import Note

NOTES: Mapping[str, Note] = {
    "agreement.alpha": Note(
        "Agreement beyond chance, comparable between studies with more and with fewer ties.",
        "Where nearly all votes are ties there is next to nothing to disagree on, and it is erratic.",
        "1 - D_o / D_e; D_o = disagreeing pairs of votes in a cell, each over N - 1; "
        "D_e = the same of all votes, each seen from both of its sides",
    ),
    "agreement.same_choice": Note(
        "How often would a second judge choose the same?",
        "Judges who choose at random reach one half; close races keep it low however careful the judges are.",
        "sum over cells of sum_c n(c) (n(c) - 1) / sum over cells of N (N - 1)",
    ),
    "judges.place": Note(
        "Does a judge favour what is shown first? Language models often do.",
        "Says nothing of a judge who saw every pair in one order only; then the figure is undefined.",
        "mean over pairs of systems of (w_ab + w_ba) / 2; w_ab = share won by a of the votes that show a first, "
        "w_ba = share won by b of those that show b first; a pair counts n_ab n_ba / (n_ab + n_ba)",
    ),
    "judges.consistency": Note(
        "Does a judge stand by a verdict when the two change places?",
        "A judge who always ties is perfectly consistent; see the ties beside it.",
        "pairs of a task with the same verdict in both places / pairs of a task seen in both places",
    ),
    "judges.with_others": Note(
        "Who chooses as most others do?",
        "With two or three judges a pair, the others' majority is one or two votes; a panel may err together.",
        "votes equal to the others' most frequent choice / votes on cells where the others have one",
    ),
    "consensus.strengths": Note(
        "One order of systems that did not all meet one another equally often.",
        "Where preferences go round in a circle no strength can tell it; parts that nobody compared are not ordered.",
        "order of theta, P(i beats j) = 1 / (1 + exp(theta_j - theta_i))",
    ),
    "consensus.win_rate": Note(
        "One order that everybody can check by counting.",
        "A system that met only weak ones comes out too high.",
        "order of wins / votes",
    ),
    "quality.bradley_terry": Note(
        "A leaderboard of systems that did not all meet one another equally often.",
        "One number per system cannot hold a circle of preferences; ties are counted as half wins, not modelled.",
        "theta that maximise sum over i, j of (wins_ij + prior) log(1 / (1 + exp(theta_j - theta_i))), summing to 0",
    ),
    "quality.win_rate": Note(
        "A leaderboard in a unit that everybody knows.",
        "Depends on whom a system was up against.",
        "(wins + ties / 2) / votes",
    ),
    "trust.swaps": Note(
        "Before believing votes of a language model: would it say the same with the places swapped?",
        "Only pairs that a judge saw in both places on a task count; a judge who always ties never changes.",
        "pairs with the same verdict in both places / pairs seen in both places, by one judge on one task",
    ),
    "trust.votes_needed": Note(
        "Is the lead of the first system worth anything with as few votes as there are?",
        "Takes votes as independent; those of one judge or one task are not, so it takes more.",
        "z^2 (p + q - (p - q)^2) / (p - q)^2; p, q = shares of votes for either; z = normal quantile of the target",
    ),
}
