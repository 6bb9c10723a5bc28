"""States of the four pages: what a judge has said so far, checked against what the judge was shown.

A draft may be incomplete, but never wrong: it names items that were shown, each at most once. Complete is asked for
when it is submitted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Problem = dict[str, str]  # where, fact, hint
CHOICES = ("a", "b", "tie", "both_bad")


def _problem(where: str, fact: str, hint: str = "") -> Problem:
    return {"where": where, "fact": fact, "hint": hint}


def problems(state: Any, shown: Mapping[str, Any], settings: Mapping[str, Any], *, complete: bool) -> list[Problem]:
    """What is wrong with a state; with ``complete`` also what is missing. At most ten."""
    kind = shown["kind"]
    if not isinstance(state, dict) or state.get("kind") != kind:
        return [_problem("state", f"this is not the state of a page of kind '{kind}'.")]
    unknown = set(state) - set(EMPTY[kind])
    if unknown:
        return [_problem(str(name), "there is no such part of a state.") for name in sorted(map(str, unknown))[:10]]
    try:
        found = list(_CHECKS[kind](state, shown, settings, complete))
    except (TypeError, AttributeError, KeyError, ValueError):
        found = [_problem("state", "its parts are not of the form that the page saves.", "see the API's description.")]
    return found[:10]


EMPTY: dict[str, dict[str, Any]] = {  # nothing judged yet
    "order": {"kind": "order", "ranked": [], "cannot_place": []},
    "group": {"kind": "group", "groups": [], "unsure": [], "left_out": []},
    "score": {"kind": "score", "scores": {}},
    "vote": {"kind": "vote", "choices": {}},
}


def _ids(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise TypeError
    return values


def _once(placed: Iterable[str], shown: Iterable[str]) -> Iterator[Problem]:
    known = set(shown)
    for item, times in Counter(placed).items():
        if item not in known:
            yield _problem(item, "this item was not shown.")
        elif times > 1:
            yield _problem(item, "this item is in two places.", "put it in one.")


def _order(state: Any, shown: Any, settings: Any, complete: bool) -> Iterator[Problem]:
    groups, aside = [_ids(g) for g in state.get("ranked", [])], _ids(state.get("cannot_place", []))
    ranked = [item for group in groups for item in group]
    yield from _once([*ranked, *aside], shown["items"])
    if not all(groups):
        yield _problem("ranked", "a place in the order is empty.")
    if not settings["ties"]:
        for group in groups:
            if len(group) > 1:
                yield _problem(group[0], "two items share a place.", "this study asks for an order without ties.")
    if aside and not settings["cannot_place"]:
        yield _problem(aside[0], "every item has to be placed in this study.")
    top = settings["top_k"]
    if complete and top:
        if len(ranked) < min(top, len(shown["items"]) - len(aside)):
            yield _problem("ranked", f"{len(ranked)} items are placed.", f"place the best {top}.")
    elif complete:
        yield from _missing(shown["items"], {*ranked, *aside}, "not placed yet.")


def _group(state: Any, shown: Any, settings: Any, complete: bool) -> Iterator[Problem]:
    groups = state.get("groups", [])
    names = [g.get("name", "") for g in groups]
    ids = [g["id"] for g in groups]
    if not all(isinstance(x, str) and len(x) <= 200 for x in (*names, *ids)) or len(set(ids)) < len(ids):
        yield _problem("groups", "a group has no id of its own, or too long a name.")
    unsure, out = _ids(state.get("unsure", [])), _ids(state.get("left_out", []))
    placed = [item for g in groups for item in _ids(g["items"])]
    yield from _once([*placed, *unsure, *out], shown["items"])
    for pile, name in ((unsure, "unsure"), (out, "left_out")):
        if pile and not settings[name]:
            yield _problem(pile[0], f"this study has no pile for items {name.replace('_', ' ')}.")
    if settings["sort"] == "closed":
        for name in names:
            if name not in settings["names"]:
                yield _problem("groups", f"'{name}' is none of the groups of this study.")
    if complete:
        yield from _missing(shown["items"], {*placed, *unsure, *out}, "in no group yet.")


def _score(state: Any, shown: Any, settings: Any, complete: bool) -> Iterator[Problem]:
    known = {c["id"]: c for c in settings["criteria"]}
    scores = state.get("scores", {})
    yield from _once(list(scores), shown["items"])
    for item, given in scores.items():
        for criterion, score in given.items():
            if criterion not in known:
                yield _problem(item, f"there is no criterion '{str(criterion)[:50]}'.")
                continue
            low, high = known[criterion]["low"], known[criterion]["high"]
            if isinstance(score, bool) or not isinstance(score, int) or not low <= score <= high:
                yield _problem(item, f"a score of {criterion} is a whole number from {low} to {high}.")
    if complete:
        for item in shown["items"]:
            if any(c not in scores.get(item, {}) for c in known):
                yield _problem(item, "not scored yet.")


def _vote(state: Any, shown: Any, settings: Any, complete: bool) -> Iterator[Problem]:
    pairs = {p["id"] for p in shown["pairs"]}
    choices = state.get("choices", {})
    allowed = [c for c in CHOICES if c in "ab" or settings["ties" if c == "tie" else "both_bad"]]
    for pair, chosen in choices.items():
        if pair not in pairs:
            yield _problem(pair, "this pair was not shown.")
        elif chosen not in allowed:
            yield _problem(pair, f"a choice is one of {', '.join(allowed)}.")
    if complete:
        yield from _missing([p["id"] for p in shown["pairs"]], set(choices), "not chosen yet.")


def _missing(wanted: Iterable[str], there: set[str], fact: str) -> Iterator[Problem]:
    for one in wanted:
        if one not in there:
            yield _problem(one, fact)


_CHECKS = {"order": _order, "group": _group, "score": _score, "vote": _vote}
