"""When to use each method of orderings, when it misleads, and its formula; for the method reference.

In formulas N is the number of judges, n of items and m of the items in one ranking; C and D are the pairs of items that
two rankings order alike and the other way round; r is an item's rank, 1 the best. Indices of two rankings are averaged
over all pairs of judges.
"""

from __future__ import annotations

from quorate.table import Note

NOTES = {
    # -- agreement: two rankings at a time, then the mean over pairs of judges
    "agreement.tau": Note(
        "Rankings without ties, when every exchange of two items counts the same.",
        "With ties it cannot reach 1, even between equal rankings: use tau_b or tau_x.",
        "(C - D) / (n (n - 1) / 2)",
    ),
    "agreement.tau_b": Note(
        "The usual choice for rankings with or without ties.",
        "Ties are taken out of the scale, so a judge who ties nearly everything can still reach a high value by the "
        "few pairs left. The last places count as much as the first.",
        "(C - D) / sqrt((C + D + tied in the first only) (C + D + tied in the second only))",
    ),
    "agreement.tau_x": Note(
        "Ties that mean 'equally good': two judges who tie the same items then agree on them.",
        "If ties mean 'I cannot tell', it credits shared ignorance as agreement.",
        "sum over ordered pairs of items of a b / (n (n - 1)); a, b = 1 if the first is not worse in a ranking, "
        "else -1",
    ),
    "agreement.tau_ap": Note(
        "Search results and other lists in which errors near the top matter most.",
        "With side=first it depends on which ranking is called the truth. A few swaps at the top outweigh a long tail.",
        "2 / (n - 1) * sum over places i = 2 ... n of (items above place i that the truth puts above too) / (i - 1) "
        "- 1; mean of both ways",
    ),
    "agreement.tau_shieh": Note(
        "Only the first few places matter, and both items of a pair should be near the top to count.",
        "The product of two small weights makes nearly all pairs worthless: the value hangs on very few of them.",
        "sum of w s over pairs of items / sum of w; w = 1 / (r_i r_j), s = 1 alike, -1 not; ties as in tau_b; mean of "
        "two values, ranks by the first ranking and by the second",
    ),
    "agreement.tau_vigna": Note(
        "The top matters more, but a fall from the top to the bottom should count too; handles ties.",
        "Values cannot be compared with plain tau: a reversed tail barely shows.",
        "as tau_b, each pair of items weighing 1 / r_i + 1 / r_j; mean of two values, ranks by the first ranking and "
        "by the second",
    ),
    "agreement.rho": Note(
        "A quick overall picture, and where large moves should count more than small ones.",
        "One item that jumps from first to last moves it a lot. Of short lists it takes only a few values.",
        "Pearson's r of the ranks; without ties 1 - 6 sum d^2 / (n (n^2 - 1))",
    ),
    "agreement.rho_top": Note(
        "Agreement on who is best, when the order of the rest is mostly noise.",
        "The first item alone carries much of the variance: two judges with the same winner look alike.",
        "Pearson's r of Savage scores S_r = sum from i = r to n of 1 / i",
    ),
    "agreement.footrule": Note(
        "A figure that can be explained: how many places items move.",
        "Random orders give about 1/3, not 0; and not only the reverse is farthest: many other orders have 0 too.",
        "1 - sum |r1 - r2| / floor(n^2 / 2)",
    ),
    "agreement.fagin_tau": Note(
        "Top-k lists that hold different items, where being absent says something.",
        "The penalty for pairs that one list lacks is a choice: with 0 short lists without overlap look better than "
        "with 0.5. State it.",
        "1 - 2 K / (pairs of items of the union); K = contradicted pairs + penalty * pairs that one list holds and "
        "the other lacks altogether; an absent item is below all that are listed",
    ),
    "agreement.fagin_footrule": Note(
        "Top-k lists, when the size of moves should count, entering and leaving the list included.",
        "The place given to absent items (location) decides most of it when lists overlap little.",
        "1 - sum over the union of |r1 - r2| / (the same sum for lists without a common item), absent items at "
        "location",
    ),
    "agreement.fagin_rho": Note(
        "Comparison with work that reports rho of top-k lists.",
        "Lists that share few items are strongly negative by construction, since what is high in one is absent in "
        "the other.",
        "Pearson's r of positions over the union, absent items at location",
    ),
    "agreement.rbo": Note(
        "Search results of any length, cut anywhere, that need not hold the same items.",
        "p decides how deep it looks: at 0.9 the first ten places carry about 86% of the weight. It is not "
        "corrected for chance, so look at the chance column, above all when judges rank the same few items.",
        "(1 - p) sum over depths d of p^(d - 1) * (items shared by the first d of both) / d; beyond the lists' ends "
        "as at the last depth seen (part=ext)",
    ),
    "agreement.kendall_w": Note(
        "One figure for the whole panel on one scale, with a classical test behind it.",
        "It is about 1 / N by chance, so small panels look agreed. It cannot tell two camps from a lukewarm whole.",
        "12 S / (N^2 (n^3 - n) - N T); S = sum over items of (rank sum - mean rank sum)^2, T = sum over all ties of "
        "t items of t^3 - t; with absent items (1 + (N - 1) mean rho) / N",
    ),
    "agreement.kappa": Note(
        "What do ALL judges share: the common subsequences themselves, their number and the longest.",
        "One stray judge wipes it out, and it grows like 2^n, so compare only panels with the same items; see "
        "support for 'most judges'. A few tasks carry its mean: with 3 to 5 tasks of mixed agreement its 95% intervals "
        "hold the true mean about 80 times in 100.",
        "sum over subsequences that all rankings share of their weights: of a single item gamma^(standard deviation "
        "of its positions), of a longer one lam^(mean position of its last item - of its first); gamma = lam = 1 "
        "counts them",
    ),
    "agreement.support": Note(
        "What do MOST judges share: withstands a few bad judges, handles partial lists and counted votes.",
        "With q at half, two opposite camps of equal size support every pair both ways. Look at several q.",
        "kappa_2 = mean over judges of sum over the ranking's ordered pairs that at least q judges share of "
        "lam^|gap - mean gap| / (m (m - 1) / 2); kappa_1 likewise: single items, gamma^|position - mean position| / "
        "m",
    ),
    # -- judges
    "judges.support_outliers": Note(
        "Many judges, partial lists or votes: who shares little of what most share?",
        "Relative to the panel's mean: if most judges are bad, the good one is the outlier. On a panel that agrees "
        "on nothing it is undefined.",
        "v2 = (kappa_2 of the judge - mean of all judges) / mean, v1 with kappa_1; flagged if v1 < -eps1 or v2 < -eps2",
    ),
    "judges.peer_correlation": Note(
        "A plain ranking of judges from most to least in step with the others, with a test against random orders.",
        "Being different is not being wrong: an expert among laymen is last.",
        "mean over the other judges of tau-b (or rho) with the judge",
    ),
    "judges.influence": Note(
        "What would change if this judge had not been asked: agreement and the consensus itself.",
        "With few judges anybody moves the consensus; look at how far, not whether.",
        "mean tau-b of all pairs - mean tau-b of the pairs without the judge",
    ),
    # -- consensus
    "consensus.rank_sum": Note(
        "A fast, transparent default; also as baseline for the others.",
        "Items ranked by few judges and clones of an item move it; one extreme judge pulls a whole item.",
        "items by sum over judges of r, lowest first; tied items share the mean of their ranks",
    ),
    "consensus.reciprocal_rank": Note(
        "Fusing search runs of different depth, where only the top counts.",
        "k is a convention (60), and the score has no meaning beyond the order.",
        "items by sum over judges of 1 / (k + r), highest first",
    ),
    "consensus.copeland": Note(
        "Majority decisions that should not depend on how far apart items are.",
        "Ties are frequent with few items, and the size of a majority does not count.",
        "items by (items beaten by a majority) + 1/2 (draws), highest first",
    ),
    "consensus.schulze": Note(
        "Majorities that go round in a circle, when a rule used in real elections is wanted.",
        "Hard to explain by hand, and wins along long chains may surprise.",
        "strength of a chain = judges behind its weakest majority; a beats b if the strongest chain from a to b is "
        "stronger than that from b to a; items by (items beaten) + 1/2 (draws)",
    ),
    "consensus.supported_order": Note(
        "An order of what at least q judges share, with what is left open known.",
        "With a high q little is settled and the rest is filled by rank sums; with a low q circles have to be broken.",
        "an order that keeps every pair (a before b) with at least q judges; of a circle the pair with fewest "
        "judges goes",
    ),
    "consensus.common_extension": Note(
        "Nothing that all judges agree on may be contradicted.",
        "With many judges nothing is common and it falls back on the rank sums.",
        "an order that keeps every pair (a before b) that all N judges share; the rest by rank sums",
    ),
    "consensus.kemeny": Note(
        "The best compromise in the sense of fewest contradicted pairs; the reference for the others.",
        "Several orders may be equally good (the answer says so), and large tasks may end without proof; see the gap.",
        "argmin over orders of the sum over judges of pairs ordered the other way",
    ),
    "consensus.mallows": Note(
        "Kemeny's order plus one number for how widely the judges scatter.",
        "The model knows one true order: of two camps it finds the middle, which nobody holds.",
        "P(order) proportional to phi^(pairs of items that contradict the centre); centre and phi of greatest "
        "likelihood; phi = 0: all judges alike, 1: random orders",
    ),
    "consensus.plackett_luce": Note(
        "Strengths with distances between items, from full or partial rankings.",
        "Strengths of items that are always first or last are set by the prior; choices are taken as independent of "
        "what else is on offer.",
        "P(next = i) = w_i / sum of w over the items left; the w of greatest likelihood, when each item has also won "
        "and lost prior = 0.1 contests against an average one",
    ),
    # -- quality
    "quality.average_correlation": Note(
        "A simple score of a list against judges who mostly agree.",
        "Bad judges count as much as good ones: it loses most when noise joins the panel.",
        "AC = mean over judges of the correlation (tau or rho) of list and judge",
    ),
    "quality.weighted_correlation": Note(
        "Judges of unequal reliability: those in step with the others count more.",
        "A judge whom the others contradict has a negative weight and is believed in reverse, unless negative=clip. "
        "Where judges hardly agree the weights nearly cancel out, and its value and 95% intervals mislead (true value "
        "held 68 to 98 times in 100; 95 to 98 with negative=clip). A clique of like minds gives itself weight.",
        "WCA = sum of w_i c_i / sum of w_i; c_i = correlation of the list with judge i, w_i = mean correlation of "
        "judge i with the others",
    ),
    "quality.rank_based": Note(
        "A score against one reference order that many judges made together.",
        "What judges disagree on is decided by the rank sums and then counts as if it were certain.",
        "RBA = correlation (tau or rho) of the list with the judges' order by rank sums",
    ),
    "quality.frespa": Note(
        "A score by what judges demonstrably share, robust to bad judges; list length may differ.",
        "Not 0 by chance: short patterns are kept by luck. With few judges min_sup is a step: 0.75 of 3 is 3.",
        "sum of weights of the patterns that the list contains / sum of weights of all; weight = (1 + w_len (items "
        "- 1)) (1 + w_sup (judges - 1)); patterns are orders of min_len to max_len items that at least min_sup of "
        "the judges hold",
    ),
    "quality.frequent_sets": Note(
        "What should be in the list at all, whatever the order: content instead of sequence.",
        "A long list contains every set: compare lists of one length.",
        "as frespa, with sets of items that enough judges hold instead of sequences",
    ),
    # -- trust
    "trust.discriminativeness": Note(
        "Choosing among quality methods on your own panel: which tells good orders from bad?",
        "It asks only for the easiest distinction, an order and its reverse; a high ED does not mean fine "
        "differences are seen.",
        "ED = mean over judges of S(the judge's order) - S(that order reversed); S = the score by the other judges, "
        "correlations c as (c + 1) / 2",
    ),
    "trust.noise": Note(
        "Would the quality method survive careless judges?",
        "Random orders are the mildest bad judges: colluding or reversed ones hurt more.",
        "(ED - ED with N random judges added) / ED",
    ),
    "trust.split_half": Note(
        "Reliability of the consensus in one number, as psychologists report it.",
        "Stepping up assumes that judges are exchangeable; two camps split unevenly are not.",
        "2 r / (1 + r), r = mean correlation of the consensus orders of two random halves; an odd judge is left out "
        "of a split, and N / floor(N / 2) takes the place of 2",
    ),
    "trust.judges_needed": Note(
        "Planning: how many judges until another panel would say the same?",
        "An extrapolation from the judges at hand: with few of them the number is rough.",
        "Spearman-Brown: k = target (1 - r) / (r (1 - target)), r the reliability of one judge",
    ),
    "trust.bootstrap": Note(
        "How far would any figure move with other judges or tasks like these?",
        "A resample has fewer different judges than the panel, so some figures shift; few judges give rough intervals.",
        "the method on panels drawn with replacement from the judges or tasks",
    ),
    "trust.sweep": Note(
        "Does the verdict hang on a parameter of FreSPA?",
        "Random judges are drawn, so small differences between settings are noise.",
        "largest less smallest ED over the range of each parameter",
    ),
    "trust.tune": Note(
        "Choosing FreSPA's parameters with an honest estimate of what they are worth.",
        "Settings chosen on one panel need not be best on another; the nested figure is the one to report.",
        "ED on the task (or judge) left out, of the settings with the largest ED on the others",
    ),
}
