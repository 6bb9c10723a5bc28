"""Scores that are labels: which methods they allow.

Labels (yes and no, names of diagnoses) are the same or not; there is no distance between them and no mean. With an
ordered scale (low, medium, high) one can be above another too. What needs numbers is left out of the usual methods,
and is an error where it is asked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence

from quorate import table
from quorate.errors import InputError
from quorate.panel.kinds import Scores
from quorate.panel.score_facts import labels_sorted
from quorate.table import Method

LATENT = ("dawid_skene", "ordinal", "one_coin", "mace", "glad")  # the label behind the judges' labels
FEW = 20  # labels a judge, of fewer what judges are like is guessed
NOMINAL = {
    "agreement": ("alpha(level=nominal)", "percent", "fleiss", "gwet", "cohen"),
    "judges": ("peer_agreement", "label_bias", "influence(level=nominal)", "self_consistency(level=nominal)", "copies"),
    "consensus": ("majority", "dawid_skene"),
    "trust": ("majority_stability", "judges_needed"),
}
ORDERED = {
    "agreement": ("alpha(level=ordinal)", *NOMINAL["agreement"], "cohen(weights=linear)", "kendall_w"),
    "judges": ("peer_agreement", "label_bias", "influence(level=ordinal)", "self_consistency(level=ordinal)", "copies"),
    "consensus": ("majority", "ordinal"),
    "trust": NOMINAL["trust"],
}


def allowed(method: Method, ordered: bool) -> bool:
    """Whether a method makes sense on labels.

    >>> [allowed(table.parse(m, "scores", "agreement"), False) for m in ("fleiss", "icc", "alpha(level=nominal)")]
    [True, False, True]
    """
    levels = ("nominal", "ordinal") if ordered else ("nominal",)
    if method.has("level"):
        return method["level"] in levels
    if method.has("align"):
        return method["align"] == "accuracy"
    if method.name in ("cohen", "gwet"):
        return ordered or method["weights"] == "none"
    if method.name == "percent":
        return ordered or method["tolerance"] == 0
    if method.question == "trust":
        return method.name in (*NOMINAL["trust"], "people_worth")
    if method.question == "consensus":
        return method.name == "majority" or (method.name in LATENT and (ordered or method.name != "ordinal"))
    return method.name in ("fleiss", "label_sets", "copies", "peer_agreement", "label_bias") or (
        ordered and method.name == "kendall_w"
    )


def fitting(panel: Scores, question: str, methods: Sequence[Method]) -> list[Method]:
    """The methods to use on a panel: of numbers those given.

    Of labels, instead of the cell's usual methods those that labels allow; any other list was asked for by name, so
    what labels do not allow in it is an error.
    """
    off = [m for m in methods if not allowed(m, panel.ordered)] if panel.scale else []
    if not off:
        return list(methods)
    known = (ORDERED if panel.ordered else NOMINAL).get(question, ())
    usual = table.methods("scores", question, default=True)
    if [str(m) for m in methods[: len(usual)]] != [str(m) for m in usual] or not known:
        raise _not_on_labels(question, off, known, panel.ordered)
    chosen = [table.parse(m, "scores", question) for m in known]
    few = len(panel) < FEW * len(panel.judges) or labels_sorted(panel)  # then judges cannot be weighed
    return [m for m in chosen if not few or m.name not in LATENT]


def _not_on_labels(question: str, off: Sequence[Method], known: Sequence[str], ordered: bool) -> InputError:
    names = ", ".join(str(m) for m in off)
    verb = "needs" if len(off) == 1 else "need"
    wanted = "labels in order" if all(m.name == "ordinal" for m in off) else "numbers"
    fact = f"{names} {verb} {wanted}, but the scores are labels{' on a scale' if ordered else ''}."
    if not known:
        return InputError(fact, f"scores x {question} takes numbers; labels have the other four questions.")
    more = "" if ordered else "; labels in order, lowest first: --scale low,medium,high"
    return InputError(fact, f"on these, use {', '.join(known)}{more}.")
