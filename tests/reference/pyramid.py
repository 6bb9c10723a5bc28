"""Pyramid scores, substring search and autoannotation, slowly and by the definitions."""

from __future__ import annotations

import math


def best_by_tiers(weights, size):
    """The heaviest weight of ``size`` units, tier by tier (Nenkova and Passonneau 2004); whole sizes and weights."""
    left, total = size, 0
    for tier in sorted(set(weights), reverse=True):
        number = min(left, weights.count(tier))
        total += number * tier
        left -= number
    return total


def average_size(weights, models, rounding):
    size = sum(weights) / models
    whole = int(size)
    return {
        "floor": whole,
        "ceil": whole if size == whole else whole + 1,
        "half_up": whole if size - whole < 0.5 else whole + 1,
        "interpolate": size,
    }[rounding]


def modified(observed, weights, models, rounding):
    size = average_size(weights, models, rounding)
    low = best_by_tiers(weights, math.floor(size))
    high = best_by_tiers(weights, math.floor(size) + 1)
    best = low + (size - math.floor(size)) * (high - low)
    return observed / best if best else math.nan


def original(observed, weights, found, repetitions, outside):
    if not sum(weights):
        return math.nan
    size = found + repetitions + outside
    return observed / best_by_tiers(weights, size) if size else 0.0


def jackknife(found, contributors, models, rounding):
    """``contributors``: unit -> models that say it. Mean score of the found units without each model."""
    scores = []
    for m in models:
        left = {u: [x for x in who if x != m] for u, who in contributors.items()}
        weights = [len(who) for who in left.values() if who]
        observed = sum(len(left[u]) for u in found)
        scores.append(modified(observed, weights, len(models) - 1, rounding))
    return sum(scores) / len(scores)


def places(text, string):
    """Every place, overlaps included."""
    return [k for k in range(len(text)) if string and text[k : k + len(string)] == string]


def autoannotate(text, strings):
    """DUCView's loop: string -> units in, (unit, start, end) out, each string from left to right without overlaps."""
    found = []
    for string, units in strings.items():
        at = 0
        while at <= len(text) - len(string):
            if text[at : at + len(string)] == string:
                found += [(u, at, at + len(string)) for u in units]
                at += len(string)
            else:
                at += 1
    return found


def auto_units(peers, name):
    """Units found in one peer by the single strings of all others; peers: name -> (text, [(unit, string)])."""
    strings = {}
    for other, (_, accepted) in peers.items():
        if other != name:
            for unit, string in accepted:
                strings.setdefault(string, set()).add(unit)
    return {u for u, _, _ in autoannotate(peers[name][0], strings)}


def auto_by_choices(texts, mentions, item, judge, *, by, uid0, multi_part, teams):
    """Units of one item, judged by one judge, by the choices; mentions: (unit, item, judge, strings of its parts)."""
    found = []
    for unit, where, who, strings in mentions:
        if len(strings) > 1 and multi_part == "skip":
            continue
        if by == "same" and (who != judge or where == item):
            continue
        if by == "all" and (where, who) == (item, judge):
            continue
        if where != item and teams and teams.get(where, where) == teams.get(item, item):
            continue
        if all(s.strip() and s in texts[item] for s in strings):
            found.append((unit, tuple(strings)))
    if uid0 == "block":
        bad = {strings for unit, strings in found if unit == "0"}
        found = [(u, s) for u, s in found if s not in bad]
    return {u for u, _ in found if u != "0"}


def share(supports, threshold=None):
    """The share of units that an item says; with a threshold every one is said or not."""
    said = [float(s >= threshold) if threshold else s for s in supports]
    return sum(said) / len(said)


def with_penalty(value, words, reference, alpha):
    return value if words <= reference else value * math.exp((1 - words / reference) / alpha)
