"""How the labels of figures are headed and shown: declared once, for all kinds and questions.

A label that is not declared is shown under its own name, in the form that suits its values; those of ``HIDDEN`` are in
the JSON only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from quorate.document.blocks import Column, form_of
from quorate.words.numbers import numeric

# What a figure can be about; columns in this order say what a row is about.
KEYS = (
    Column("criterion", "criterion"),
    Column("judge", "judge"),
    Column("column", "column"),
    Column("favours", "favours"),
    Column("says", "where it says", "place"),
    Column("system", "system"),
    Column("systems", "systems"),
    Column("metric", "metric"),
    Column("other", "other metric"),
    Column("level", "level"),
    Column("measure", "measure"),
    Column("of", "quality method"),
    Column("by", "resampled"),
    Column("parameter", "parameter"),
    Column("figure", "figure"),
    Column("worst", "worst left out", "count"),
    Column("component", "component"),
    Column("coefficient", "coefficient"),
    Column("effect", "what decides"),
)
# Labels and columns of rows, in the order in which they are shown.
LABELS = (
    Column("task", "task"),
    Column("method", "method"),
    Column("item", "item"),
    Column("pair", "judges", "pair"),
    Column("setting", "setting", "place"),
    Column("judges", "judges", "count"),
    Column("mean_rank", "mean rank", "figure", "the mean of a judge's places by agreement over methods"),
    Column("nearest", "most alike"),
    Column("others", "others", "figure", "the same figure of the other judges"),
    Column("alpha_without", "alpha without", "figure", "agreement without this judge"),
    Column("consensus", "with consensus", "figure", "agreement with the consensus of the others"),
    Column("advantage", "advantage", "share", "how often the model is at least as near to the others as a human"),
    Column("humans", "humans", "count"),
    Column("won", "won against", "count", "humans whom the model could replace"),
    Column("people_only", "people only", "figure", "the mean of what people judged"),
    Column("people", "by people", "count", "inputs that people judged"),
    Column("models", "by models", "count", "inputs that models judged"),
    Column("with_people", "with people", "figure", "correlation of the model with one person"),
    Column("two_people", "two people", "figure", "correlation of two people"),
    Column("people_say", "people say", "figure", "mean of people where the model says so"),
    Column("at_least", "people's score", "place", "that people say, or more"),
    Column("often", "of units", "share", "on which people say so"),
    Column("same_cut", "same score", "share", "right where the model's score is taken as people's"),
    Column("right", "this score", "share", "right on units that it was not chosen on"),
    Column("worth", "worth", "count", "inputs that people alone would have to judge for as small an error"),
    Column("to_halve", "to halve", "count", "inputs that people would have to judge for half the error"),
    Column("leans", "leans", "name", "to finer groups (splitter) or coarser ones (generaliser)"),
    Column("distinct", "distinct", "count", "different scores given"),
    Column("most_common", "most common", "place"),
    Column("share", "share", "share"),
    Column("merge_loss", "merging", "share", "of the measure's range, lost by merging clusters"),
    Column("split_loss", "splitting", "share", "of the measure's range, lost by splitting clusters"),
    Column("middle", "middle", "share", "of the range, used by the middle 80% of the way"),
    Column("range_used", "range", "share", "of the range, used by all of the way"),
    Column("judge_order_tau", "tau of judges", "figure", "how alike the order of judges stays"),
    Column("same_lowest", "same lowest", "share", "how often the same judge is lowest"),
    Column("stays", "stays", "share"),
    Column("lowest", "lowest", "share"),
    Column("first", "first", "share"),
    Column("same_best", "same best", "share"),
    Column("random", "random", "figure", "as many judges left out at random"),
    Column("random_range", "random range", "interval", "the middle of as many random drops"),
    Column("moved", "systems moved", "count"),
    Column("most", "moved most"),
    Column("ed", "ED", "figure"),
    Column("best", "best", "place"),
    Column("best_noisy", "best with noise", "place"),
    Column("ed_noisy", "ED with noise", "figure"),
    Column("noisy", "with noise", "figure"),
    Column("noisy_interval", "its CI", "interval"),
    Column("max-min", "span", "figure"),
    Column("behind", "behind the best", "figure"),
    Column("behind_interval", "its CI", "interval"),
    Column("of_means", "of means", "figure", "share of two systems whose means are ordered alike"),
    Column("williams_p", "Williams' p", "p"),
    Column("left_out", "left out", "share"),
    Column("units", "units", "count"),
    Column("pairs", "pairs", "count"),
    Column("items", "items", "count"),
    Column("tasks", "tasks", "count"),
    Column("ranks", "ranks", "interval:count", "that a system may have, 95% for all systems together, by the letters"),
    Column("win_rate", "win rate", "share", "votes won, a tie counting half"),
    Column("odds", "odds", "figure", "by how much the odds of winning are multiplied"),
    Column("own_votes", "own votes", "count", "votes between a system of the judge's own family and another"),
    Column("ask", "ask", "count", "votes to ask for next"),
    Column("there", "votes", "count", "votes on this pair so far"),
    Column("apart", "apart", "figure", "the difference of the two strengths"),
    Column("error", "error", "figure", "its standard error"),
    Column("to_separate", "to separate", "count", "votes more on the two until the leaderboard tells them apart"),
    Column("evenly", "if asked evenly", "share", "as much narrower by as many votes on all pairs alike"),
    Column("group", "letters", "letters", "systems that share a letter do not differ significantly"),
    Column("v1", "v1", "figure", "how far the share of items that most judges have lies from the mean, in means"),
    Column("flag", "flagged", "flag"),
)
HIDDEN = frozenset(
    (
        *("p", "p_holm", "p_best", "p_value", "cluster", "resamples", "over", "same", "variation", "mean", "baseline"),
        *("consensus_interval", "consensus_p", "consensus_p_holm", "v2", "kappa1", "kappa2", "panel_kappa2"),
        *("covered", "median_pair", "panel", "against", "effective_judges", "effective_interval", "low", "high"),
        *("replaces", "at_singletons", "at_one", "punishes", "saturates", "full_range", "bootstrap_mean", "alpha"),
        *("tau_b", "kendall_w", "interval", "repeats", "noisy_interval", "observed", "consensus_changed", "decided"),
        *("undefined", "another", "another_range", "now"),
    )
)
COLUMNS = {c.key: c for c in (*KEYS, *LABELS)}
OUTLIERS = ("support_outliers", "together_outliers")  # by the paper's rule: nobody need be flagged for it
# What the figure of a method is, where "value" would not say it.
VALUES = {
    "discriminativeness": Column("value", "ED", "figure"),
    "noise": Column("value", "share lost", "figure"),
    "sweep": Column("value", "span of ED", "figure"),
    "tune": Column("value", "nested ED", "figure"),
    "held_out": Column("value", "tau-b", "figure", "of the consensus of the others with the judge left out"),
    "split_half": Column("value", "reliability", "figure"),
    **dict.fromkeys(OUTLIERS, Column("value", "v2", "figure", "the same as v1 of pairs of items")),
    "copies": Column("value", "equal scores", "share", "with the judge most alike"),
    "independence": Column("value", "shared errors", "figure", "correlation of errors with those of the other judges"),
    "judges_needed": Column("value", "judges needed", "count"),
    "swaps": Column("value", "kept", "share", "verdicts that stay when places are swapped"),
    "votes_needed": Column("value", "more votes", "count", "on the two, until the leaderboard tells them apart"),
    "variance_components": Column("value", "share", "share", "of the variance of scores"),
    "prediction_powered": Column("value", "mean", "figure", "as people would have it"),
    "people_worth": Column("value", "people", "figure", "that the model is worth"),
    "model_bias": Column("value", "points", "figure", "that the model scores higher than people do"),
    "calibration": Column("value", "above people", "figure", "points that the model scores higher than people"),
    "majority_stability": Column("value", "same label", "share", "items on which another panel names the same label"),
    "place": Column("value", "first place", "share", "votes for the system shown first, of pairs shown both ways"),
    "effects": Column("value", "log odds", "figure", "of winning, by one typical difference; 0 is nothing"),
    "next_pairs": Column("value", "narrower", "share", "intervals of differences after these votes, on average"),
    "sensitivity": Column("value", "merging less splitting", "share", "how much more merging costs than splitting"),
}
# What must be said of a method's figures before they can be read.
NOTES = {
    "sweep": "max_len and min_len are shares of a task's items; 0 is two items.",
    "sensitivity": "Shares of a measure's range: what merging and splitting cost, how much more merging does than "
    "splitting; what the middle 80% of the way and all of it cover.",
}
# What the rows are that some methods have below their figures.
ROWS = {
    "noise": Column("value", "ED", "figure"),
    "sweep": Column("value", "ED", "figure"),
    "tune": Column("value", "ED", "figure"),
    "judges_needed": Column("value", "stability", "figure"),
    "swaps": Column("value", "kept", "share"),
    "next_pairs": Column("value", "gain", "figure", "information that one vote on the pair is expected to add"),
    "calibration": Column("value", "threshold", "figure", "the model's score from which on people say so much"),
    "votes_needed": Column("value", "power", "share", "how often so many more votes tell the two apart"),
}
_HOLD = (
    Column("same", "others who agree", "count"),
    Column("other", "others who do not", "count"),
    Column("share", "share", "share", "of the others, who say otherwise"),
)
DISSENT = {  # of the page for a judge
    "orderings": (
        Column("task", "task"),
        Column("before", "you put"),
        Column("after", "before"),
        Column("places", "by places", "count"),
        *_HOLD,
    ),
    "groupings": (Column("task", "task"), Column("item", "item"), Column("with", "and"), Column("own", "you"), *_HOLD),
    "scores": (
        Column("task", "task"),
        Column("item", "item"),
        Column("criterion", "criterion"),
        Column("own", "you", "place"),
        Column("others", "the others", "figure"),
        Column("difference", "difference", "figure"),
        Column("above", "others above", "count"),
        Column("below", "below", "count"),
        Column("share", "share", "share", "of the others, who say so"),
        Column("judges", "others", "count"),
    ),
}
OF = {"held_out": "consensus method"}  # what a figure is of, where it is no quality method
BESIDE = {
    "sweep": ("interval", "noisy_interval")
}  # details that stand beside the rows of a method, though elsewhere they are left out
CHANCE = Column("chance", "chance", "figure", "what judges who answer at random give", minor=3)
P = Column("p", "p", "p", "how often chance alone gives as much; corrected where several are compared", minor=1)


def ci_column(level: float, form: str = "interval", key: str = "interval", *, over: str = "", minor: int = 0) -> Column:
    """The column of intervals: headed by their level and what was resampled; ``form`` says how their ends are shown."""
    return Column(key, f"{level:.0%} CI{f' ({over})' if over else ''}", form, minor=minor)


def column(key: str, values: Iterable[Any] = ()) -> Column:
    """The column of a label: as declared, unless its values are words; else in the form that suits them."""
    known = [v for v in values if v is not None]
    declared = COLUMNS.get(key)
    if declared is None:
        return Column(key, key.replace("_", " "), form_of(known))
    words = any(isinstance(v, str) for v in known)
    return (
        replace(declared, form="name") if words and (numeric(declared.form) or declared.form == "names") else declared
    )
