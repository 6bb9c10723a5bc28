"""When to use each method of scores, when it misleads, and its formula; for the method reference.

A unit is what several judges gave one score each: an item of a task by one criterion. In formulas x_ju is judge j's
score of unit u, a_u the level of the unit and b_j the shift of the judge; N is the number of judges and n of units; P_o
is the share of pairs of judges who agree on a unit, mean over units, and P_e what chance gives.
"""

from __future__ import annotations

from quorate.table import Note

_CHOSEN = "The worst are chosen on the data they are then dropped from, hence the random band beside it."

NOTES = {
    # -- agreement
    "agreement.alpha": Note(
        "The default: any number of judges, missing scores, any level of measurement.",
        "Where nearly all scores are the same it is low or undefined though judges agree: see percent and gwet. The "
        "level must fit the scale.",
        "1 - D_o / D_e; D_o = mean squared difference of two scores of one unit, D_e = of any two scores; nominal: "
        "1 where they differ; ordinal: of their ranks; ratio: of (a - b) / (a + b)",
    ),
    "agreement.percent": Note(
        "Plain language: how often do two judges say the same?",
        "Not corrected for chance: with two labels and one of them frequent, guessing gives a high value. Of few units "
        "that nearly all judges agree on its 95% interval is too narrow (of 6 units and a true value of 0.9 held in 49 "
        "of 100 panels of two judges and 87 of twenty; of 20 units in 85 to 96).",
        "mean over units of (pairs of judges with |difference| <= tolerance) / (pairs)",
    ),
    "agreement.fleiss": Note(
        "Labels without an order, many judges, comparison with published figures.",
        "Falls towards 0 when one label is frequent, whatever the agreement.",
        "(P_o - P_e) / (1 - P_e), P_e = sum over categories of q^2, q = the share of a category",
    ),
    "agreement.gwet": Note(
        "Labels of which one is very frequent, where kappas collapse.",
        "Its chance model is lenient: it can be high when judges only share a habit. Report it beside alpha.",
        "(P_o - P_e) / (1 - P_e), P_e = sum over categories of q (1 - q) / (categories - 1), q = the share of a "
        "category; with weights near scores agree in part, in both",
    ),
    "agreement.cohen": Note(
        "Two judges with labels, or all pairs of more; weights for ordered labels.",
        "Judges with different habits get a higher value than judges with the same ones, other things equal. A mean "
        "over pairs hides a bad judge.",
        "(P_o - P_e) / (1 - P_e), P_e = sum over categories of q_1 q_2, each judge's own shares; mean over pairs of "
        "judges; with weights near scores agree in part, in both",
    ),
    "agreement.icc": Note(
        "Numeric scores and a question like 'how reliable is the mean of our three judges?' (unit=mean).",
        "The models differ much: state which. Low when units hardly differ, even if judges agree to the point.",
        "single, by mean squares: model 1 (U - W) / (U + (N - 1) W), model 2 (U - E) / (U + (N - 1) E + N (J - E) / "
        "n), model 3 (U - E) / (U + (N - 1) E); U between units, W within them, J between judges, E what is left; "
        "mean: (U - W) / U, (U - E) / (U + (J - E) / n), (U - E) / U",
    ),
    "agreement.kendall_w": Note(
        "Judges who use the scale differently: only the order of units counts.",
        "About 1 / judges by chance; needs the units that all judges scored.",
        "12 S / (N^2 (n^3 - n) - N T) of the judges' ranks of units; S = sum over units of (rank sum - mean rank "
        "sum)^2, T = sum over all ties of t units of t^3 - t",
    ),
    # -- judges
    "judges.alternative": Note(
        "May a model stand in for human judges? Tested against each human in turn.",
        "Epsilon is a concession that you choose; with few shared units nothing can be shown.",
        "share of humans j with (share of units where j is nearer to the other humans) - (where the model is) < "
        "epsilon, by one-sided t tests, corrected (Benjamini and Yekutieli)",
    ),
    "judges.auto_pyramid": Note(
        "Annotators of content: do they miss what was accepted elsewhere, word for word?",
        "Finds only exact strings, so it is a lower bound, and below 0 may also mean strictness.",
        "mean over tasks of the mean over items of (score - automatic score)",
    ),
    "judges.copies": Note(
        "Copied work, doubled accounts, or two names of one model.",
        "With few values on the scale honest judges are often equal: look at the number of shared units.",
        "largest share of equal scores with another judge",
    ),
    "judges.independence": Note(
        "Several models as judges: how many independent opinions are they worth?",
        "Without human judges errors are taken against the other judges, so a panel that errs as one looks "
        "independent.",
        "r = mean correlation of the judge's errors with those of the others, an error being a score less the mean "
        "of the humans (without them: of the judges not compared); effective number of judges N / (1 + (N - 1) mean "
        "r)",
    ),
    "judges.bias": Note(
        "Everybody scored the same units: who is lenient, who harsh?",
        "Where judges scored different units, a judge of good work looks lenient only if the others of those units "
        "do not; use severity.",
        "mean over the judge's units of x_ju - mean of the other judges",
    ),
    "judges.severity": Note(
        "Judges scored different units: who is harsh, units held equal?",
        "Judges must be connected through shared units; positive is harsh, the opposite sign of bias.",
        "-b_j in x_ju = a_u + b_j by least squares, mean of b zero",
    ),
    "judges.noise": Note(
        "Who is unpredictable once the level of units and the judge's shift are taken out?",
        "A judge who uses the scale more widely looks noisy; see scale_use.",
        "standard deviation of x_ju - a_u - b_j, a and b by least squares, made up for a_u being a mean of few scores",
    ),
    "judges.peer_correlation": Note(
        "Who goes with the others, whatever their level and range?",
        "Blind to shift and stretch, and undefined for one value throughout.",
        "Pearson's r of x_ju and the mean of the other judges",
    ),
    "judges.influence": Note(
        "Would agreement rise without this judge?",
        "With three judges, leaving one out changes what alpha is about.",
        "alpha of all - alpha without the judge",
    ),
    "judges.peer_agreement": Note(
        "Labels: how often do others say the same as this judge?",
        "Nearly equal numbers count as different; a judge who always says the most frequent label does well.",
        "mean over units of (other judges with the same score) / (other judges)",
    ),
    "judges.scale_use": Note(
        "Who crowds the middle or uses one value only?",
        "A wide use is not an error, and a noisy judge has one too.",
        "standard deviation of the judge's scores / that of the others on the same units",
    ),
    "judges.drift": Note(
        "Does a judge become milder or harsher with time? Needs a column time.",
        "If work was handed out by quality, the drift is that of the work where nobody else scored it.",
        "slope over time of (x_ju - median of the others) * (time from the judge's first score to the last)",
    ),
    "judges.self_consistency": Note(
        "Does a judge give the same score to the same thing again? Plant duplicates for it.",
        "Few units give wide intervals, and one value throughout is undefined, not perfect.",
        "alpha over units of identical outputs scored by the judge on one task",
    ),
    # -- consensus
    "consensus.mean": Note(
        "The usual choice, when every judge scored every unit.",
        "One judge far off moves it, and judges of different severity on different units make it unfair.",
        "1/N sum of x_ju",
    ),
    "consensus.median": Note(
        "Half of the judges may be off without moving it.",
        "Takes few values on a short scale, so systems tie.",
        "the middle of the judges' scores; of an even number the mean of the two middle ones",
    ),
    "consensus.trimmed_mean": Note(
        "Between mean and median, with five judges or more.",
        "With three judges a quarter is nobody: it is the mean.",
        "mean without the floor(share * N) highest and lowest",
    ),
    "consensus.consistency_weighted": Note(
        "Judges of clearly unequal reliability, enough units to measure it.",
        "Weights from few units are noise; a clique of like minds gives itself weight.",
        "sum of w_j x_ju / sum of w_j; w = correlation with the mean of the others, or alpha of own repeats; below "
        "0 it is 0",
    ),
    "consensus.additive": Note(
        "Judges scored different units and differ in severity.",
        "Parts that share no judge or unit cannot be compared; the answer says so.",
        "a_u in x_ju = a_u + b_j by least squares",
    ),
    "consensus.majority": Note(
        "Labels, which have no mean.",
        "Undefined where two labels are equally frequent; a frequent label wins by habit.",
        "the most frequent score",
    ),
    # -- quality
    "quality.mean_score": Note(
        "A leaderboard from scores, with letters for differences that are significant.",
        "Systems scored by different judges or on different tasks are not comparable by it; use of=additive.",
        "mean over tasks of the judges' consensus on the system's output",
    ),
    "quality.bradley_terry": Note(
        "Pairwise votes, or scores from which only 'better than' is trusted.",
        "Assumes one scale for all: circles (rock, paper, scissors) are averaged away. Systems that never lost are "
        "held finite by the prior.",
        "P(a beats b) = 1 / (1 + exp(s_b - s_a)), s of greatest likelihood, with a prior; ties are half a win each way",
    ),
    # -- trust
    "trust.without_worst": Note(
        "Does the leaderboard hang on bad judges?",
        _CHOSEN + " Pearson on a few systems is high for any leaderboard with one clear winner. Where hardly a system "
        "changes places the 95% intervals of Spearman and Kendall are too narrow (held in 81 to 85 of 100 panels of 6 "
        "systems, 15 tasks and no bad judge; elsewhere in 96 or more).",
        "Pearson, Spearman and Kendall correlation of the systems' means with and without the worst judges",
    ),
    "trust.influence": Note(
        "Which single judge moves the leaderboard, and which places?",
        "With drop=tasks the tasks go too, which moves places by itself.",
        "tau-b of the leaderboard with and without the judge",
    ),
    "trust.metrics": Note(
        "Does an automatic metric go with the judges, and does it still without the worst?",
        "Few systems give wide intervals; an outlying system alone can make Pearson high. " + _CHOSEN,
        "correlation of the metric's and the judges' means over systems; per judge and per input beside it",
    ),
    "trust.metric_differences": Note(
        "Is one metric really better than another on these data?",
        "One comparison at a time: with many metrics some p are small by chance.",
        "r(metric 1, judges) - r(metric 2, judges); p by swapping the metrics' standardised scores",
    ),
    "trust.discriminative_power": Note(
        "Does the metric find the differences that people find?",
        "Depends on how many tasks there are: with more of them everything is significant.",
        "(significant pairs found by both, same direction) / (significant pairs by people), Tukey's test",
    ),
    "trust.pairwise_accuracy": Note(
        "Metrics with ties or few values, on single outputs.",
        "The tie threshold is chosen on the same data: held_out says what it is worth on others.",
        "mean over inputs of the share of pairs of its outputs that metric and people order, or tie, alike; the "
        "metric ties what differs by at most epsilon",
    ),
    "trust.soft_pairwise_accuracy": Note(
        "System level with few systems: rewards a metric for being as sure as people are.",
        "A metric that knows nothing has 1/2 or more; only one that contradicts people comes near 0.",
        "mean over pairs of systems of 1 - |p by people - p by the metric|; p = how often flipped signs put one "
        "system as far above the other",
    ),
}
