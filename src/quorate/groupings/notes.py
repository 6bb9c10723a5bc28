"""When to use each method of groupings, when it misleads, and its formula; for the method reference.

In formulas L are the clusters of one judge and C the classes of the other judge (or gold standard); |L| is how many
there are, H an entropy, I their mutual information, E what is expected of random clusterings with the same sizes, and
n the number of items. Of the pairs of items TP are together in both, FP in the clusters only, FN in the classes only,
TN in neither. Measures of two judges are averaged over all pairs of judges, both ways where the two differ.
"""

from __future__ import annotations

from quorate.table import Note

_WAYS = "Depends on what a left-out item is: singletons flatter, a bucket punishes."

NOTES = {
    # -- agreement
    "agreement.homogeneity": Note(
        "Are the clusters pure? Beside completeness, to see on which side two judges differ.",
        "Singletons are perfectly homogeneous: never use it alone.",
        "h = 1 - H(C|L) / H(C); 1 if H(C) = 0",
    ),
    "agreement.completeness": Note(
        "Are the classes kept whole? Beside homogeneity.",
        "One cluster with everything in it is perfectly complete: never use it alone.",
        "c = 1 - H(L|C) / H(L); 1 if H(L) = 0",
    ),
    "agreement.v": Note(
        "One figure for both sides, well known in natural language processing.",
        "Not corrected for chance: it rises with the number of clusters, so many small clusters look good.",
        "(1 + beta) h c / (beta h + c)",
    ),
    "agreement.v_beta": Note(
        "The default: V without its liking for many clusters, when judges differ in how finely they cluster.",
        "Values with different numbers of clusters are weighted differently, so look at h and c too. " + _WAYS,
        "V with beta = |L| / |C|",
    ),
    "agreement.v_half": Note(
        "Merging unlike items is worse than splitting like ones, as in gold standards for summaries.",
        "Not symmetric: which judge counts as the gold standard matters; the answer gives both ways.",
        "V with beta = 1/2",
    ),
    "agreement.nmi": Note(
        "Comparison with published figures.",
        "There are several normalisations under this name; this one uses the arithmetic mean. Random clusterings "
        "with many clusters score high.",
        "2 I(L; C) / (H(L) + H(C)) = V with beta 1",
    ),
    "agreement.vi": Note(
        "A true distance between clusterings, for averaging or embedding them.",
        "Grows with the number of items: compare within one task only, or use nvi.",
        "H(C|L) + H(L|C)",
    ),
    "agreement.nvi": Note(
        "A distance between 0 and 1 that compares across tasks of about one size.",
        "Random clusterings rarely come near 1, so 0.5 may already be chance: see the baseline.",
        "VI / log n",
    ),
    "agreement.entropy": Note(
        "Comparison with document clustering papers that report it.",
        "Lower is better, and singletons reach 0, the best: look at the number of clusters too.",
        "H(C|L) / log |C|; 0 if |C| = 1",
    ),
    "agreement.adjusted_mutual_information": Note(
        "Clusterings with different numbers of clusters, when 0 should mean chance.",
        "The adjustment assumes that cluster sizes are fixed; with many singletons it becomes unsteady.",
        "(I - E[I]) / ((H(L) + H(C)) / 2 - E[I])",
    ),
    "agreement.purity": Note(
        "A figure that everyone understands.",
        "Cannot fall when clusters are split: singletons are pure. Only for equal numbers of clusters.",
        "1/n sum over clusters of the items of its most frequent class",
    ),
    "agreement.b_cubed": Note(
        "Item by item, so that large clusters do not dominate as in pair counts; usual for coreference.",
        "Never 0, since an item is always with itself: singletons against anything look fair.",
        "precision = mean over items of (items in the same cluster and class) / (items in its cluster); recall = "
        "the same / (items in its class); F = 2 P R / (P + R)",
    ),
    "agreement.rand": Note(
        "Comparison with published figures.",
        "Most pairs are apart in both, so it is near 1 for anything: 0.9 may be worthless. Use adjusted_rand.",
        "(TP + TN) / all pairs",
    ),
    "agreement.precision": Note(
        "Of what one puts together, how much does the other? Beside recall.",
        "Counts pairs, so one large cluster decides it.",
        "TP / (TP + FP); 0 without pairs",
    ),
    "agreement.recall": Note(
        "Of what the other puts together, how much does this one? Beside precision.",
        "One cluster of everything has recall 1.",
        "TP / (TP + FN); 0 without pairs",
    ),
    "agreement.f": Note(
        "Pairs put together by both, in one figure.",
        "Falls to 0 for singletons, however fine the split; large clusters dominate.",
        "2 TP / (2 TP + FP + FN)",
    ),
    "agreement.adjusted_rand": Note(
        "The usual chance-corrected figure: 0 is chance, whatever the number of clusters.",
        "Favours clusterings with large equal clusters; below 0 is possible.",
        "(Rand - E[Rand]) / (1 - E[Rand])",
    ),
    "agreement.fowlkes_mallows": Note(
        "As F, when a geometric mean is wanted.",
        "Not corrected for chance: few large clusters score high at random.",
        "sqrt(precision * recall)",
    ),
    "agreement.together": Note(
        "The whole panel at once: how much of what a judge puts together do most judges?",
        "A judge with one huge cluster makes many pairs that nobody shares. " + _WAYS,
        "mean over judges of (own pairs that at least q judges put together) / (own pairs)",
    ),
    # -- judges
    "judges.peer_agreement": Note(
        "A plain ranking of judges by agreement with each of the others, against the judge's own clusters dealt anew.",
        "A judge who clusters more finely than the rest is last without being careless: see leaning.",
        "mean over the other judges and both ways of the measure",
    ),
    "judges.leaning": Note(
        "Why a judge differs: by splitting more finely, or by generalising more.",
        "Says nothing about quality, and near 0 it means the two balance, not that the judges agree.",
        "h - c of the judge's clusters, each other judge as the gold standard",
    ),
    "judges.together_outliers": Note(
        "Who puts together what hardly anybody does? With many judges.",
        "Relative to the panel: where nobody agrees, nobody is an outlier.",
        "v2 = (share of own pairs that at least q judges put together - mean of all judges) / mean, v1 with used "
        "items; flagged if v1 < -eps1 or v2 < -eps2",
    ),
    # -- consensus
    "consensus.pairs": Note(
        "One clustering that contradicts the judges' pairs least; proven best, or with a gap.",
        "Between a few coarse and many fine judges the majority of pairs decides, and may please neither.",
        "argmax over partitions of the pairs (together or apart) on which judges and partition agree",
    ),
    "consensus.quorum": Note(
        "A gold standard of what at least q judges agree on; the rest stays out.",
        "By components, chains join items that nobody put together (the answer names them); cliques avoid that.",
        "groups of the graph of pairs that at least q judges put together",
    ),
    # -- quality
    "quality.against_judges": Note(
        "Systems against every judge: respects that there is more than one good clustering.",
        "No system can reach 1 when judges differ; compare with the judges' own agreement, given beside it.",
        "mean over judges of measure(system, judge)",
    ),
    "quality.against_consensus": Note(
        "Systems against one gold standard, as shared tasks do.",
        "Hides what judges disagree on, and flatters systems built like the consensus.",
        "measure(system, consensus)",
    ),
    # -- trust
    "trust.agreement_stability": Note(
        "Would other judges, tasks or items give the same agreement and the same order of judges?",
        "Half of the items change cluster sizes, so values shift a little by themselves.",
        "the mean agreement on panels with judges, tasks or items drawn anew",
    ),
    "trust.sensitivity": Note(
        "Choosing a measure: which punishes merging unlike items more than splitting like ones?",
        "Random splits and merges are kinder than what real systems do.",
        "(mean loss by merging - mean loss by splitting, over as many operations of each) / range of the measure",
    ),
}
