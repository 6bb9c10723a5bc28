"""Consensus measure of rankings (Lin, Li, Guo): everything from the rankings that it prints.

Tables II, III and V are those rankings; Tables IV and VI and the figures follow from them. Figures 3 and 4 are drawn
without numbers: ours are given alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quorate.orderings.kappa import Kappa, kappa
from quorate.reproduce.rows import How, Reproduced, Row, facts

TITLE = "Consensus measure of rankings (Lin, Li, Guo)"
EXAMPLE = ["abcdef", "bdcefa", "bcdeghijkf", "badefc"]
WEIGHTS = tuple(round(1 - 0.05 * k, 2) for k in range(12))
TABLES = {"clustering+CE": "Table IV", "clustering+GA": "Table IV", "google": "Table VI", "bing": "Table VI"}
SLIPS = (
    "An item's deviation is printed as a mean absolute deviation (Eq. 13) and as its root (Algorithm 1); only the "
    "standard deviation gives Tables IV and VI.",
    "The text has Google's kappa_1 above Bing's for gamma <= 0.85; by Table VI it is so from 0.8 on (at 0.85 Google "
    "5.518, Bing 5.620).",
    "Section V-A announces 10 clustering algorithms and names nine: ST, which is in Table II, is left out.",
    "The footrule's normaliser is printed as n(n^2 - 1); the largest value is n^2 / 2, rounded down.",
    "Section IV-D4 has an item count for nothing once one ranking has it after the cut-off; by the formula there it "
    "still counts when mean and deviation together are below (places 1, 1, 1 and 10: 3.25 + 3.90, cut-off 8).",
)


def reproduce(how: How) -> Reproduced:
    """All cells; needs no data."""
    sets = {name: kappa(orders) for name, orders in rankings().items()}
    drawn = list(_curves())
    rows = (*_example(), *_rankings(), *_tables(sets), *drawn, *_read_off(drawn), *_claims(sets))
    return Reproduced("kappa", TITLE, rows, SLIPS, ("Figure 2 has no numbers: it shows where the weights go.",))


def rankings() -> dict[str, list[list[str]]]:
    """The sets of rankings that Tables IV and VI are about, by name."""
    lists: dict[str, dict[str, list[tuple[int, str]]]] = {}
    for row in facts("kappa_rankings"):
        lists.setdefault(row["task"], {}).setdefault(row["judge"], []).append((int(row["position"]), row["item"]))
    orders = {t: {j: [item for _, item in sorted(o)] for j, o in judges.items()} for t, judges in lists.items()}
    more = orders.pop("clustering-aggregates")
    sets = {t: list(judges.values()) for t, judges in orders.items()}
    return sets | {f"clustering+{name}": [*sets["clustering"], order] for name, order in more.items()}


def _example() -> Iterator[Row]:
    """Figure 1 is a graph of the common order: its loops, edges and paths."""
    found = kappa(EXAMPLE)
    for length, (printed, ours) in enumerate(zip("5741", found.by_length or [], strict=True), 1):
        yield Row("Figure 1", f"kappa_{length}", printed, int(ours), "printed")
    yield Row("Figure 1", "kappa", "17", int(found.value), "printed")
    yield Row("Figure 1", "longest", "4", found.longest, "printed")
    edges = sorted("".join(map(str, p)) for p in found.patterns(2))
    yield Row("Figure 1", "edges", "bc bd be bf de df ef", " ".join(edges), "printed")
    threes = sorted("".join(map(str, p)) for p in found.patterns(3))
    yield Row("Figure 1", "paths of three", "bde bdf bef def", " ".join(threes), "printed")


def _rankings() -> Iterator[Row]:
    """Tables II, III and V are input: only their size can be checked."""
    sizes = {"clustering": ("Table II", "7 x 10"), "google": ("Table V", "6 x 25"), "bing": ("Table V", "6 x 25")}
    for name, (table, printed) in sizes.items():
        orders = rankings()[name]
        whole = {len(set(o)) for o in orders} == {len(orders[0])}
        ours = f"{len(orders)} x {len(orders[0])}" if whole else "uneven"
        yield Row(table, f"{name}: rankings x items, none twice", printed, ours, "printed", "input, as printed")
    same = all(set(orders[-1]) == set(orders[0]) for n, orders in rankings().items() if "+" in n)
    yield Row("Table III", "aggregates rank the items of Table II", "yes", "yes" if same else "no", "printed", "input")


def _tables(sets: dict[str, Kappa]) -> Iterator[Row]:
    surfaces = {name: sets[name].surface(WEIGHTS, WEIGHTS) for name in TABLES}
    for row in facts("kappa_tables"):
        name, gamma, lam = row["ranking_set"], row["gamma"], row["lambda"]
        ours = surfaces[name][float(gamma), float(lam)]
        printed = f"{float(row['kappa']):.3f}"  # three digits, of which the paper leaves out zeros at the end
        yield Row(TABLES[name], f"{name}, gamma {gamma}, lambda {lam}", printed, ours, "printed")


def _curves() -> Iterator[Row]:
    """Figures 3 and 4: kappa_1 over gamma, kappa_2 and kappa_3 over lambda."""
    lists = rankings()
    for name in TABLES:
        figure = "Figure 3" if "+" in name else "Figure 4"
        orders = lists[name]
        for weight in WEIGHTS:
            alone = kappa(orders, weight, 1.0).by_length or [0]
            yield Row(figure, f"{name}, kappa_1, gamma {weight:g}", None, float(alone[0]), "printed", "drawn only")
        for weight in WEIGHTS:
            parts = kappa(orders, 1.0, weight).by_length or []
            for length in (2, 3):
                ours = float(parts[length - 1]) if len(parts) >= length else 0.0
                yield Row(figure, f"{name}, kappa_{length}, lambda {weight:g}", None, ours, "printed", "drawn only")


def _read_off(drawn: Sequence[Row]) -> Iterator[Row]:
    """What the text reads off Figures 3 and 4: whose curve falls most, and whose stays above."""
    at = {r.cell: r.ours for r in drawn if isinstance(r.ours, float)}
    for figure, what, weight, names, said in (
        ("Figure 3", "kappa_1", "gamma", ("clustering+CE", "clustering+GA"), "clustering+CE"),
        ("Figure 3", "kappa_2", "lambda", ("clustering+CE", "clustering+GA"), "clustering+GA"),
        ("Figure 4", "kappa_1", "gamma", ("google", "bing"), "bing"),
    ):
        ends = {n: [at[f"{n}, {what}, {weight} {w:g}"] for w in (WEIGHTS[0], WEIGHTS[-1])] for n in names}
        ours = min(ends, key=lambda n: ends[n][1] / ends[n][0])
        yield Row(figure, f"more sensitive to {weight}, by {what}", said, ours, "printed")
    for what in ("kappa_2", "kappa_3"):
        above = sum(at[f"google, {what}, lambda {w:g}"] > at[f"bing, {what}, lambda {w:g}"] for w in WEIGHTS)
        yield Row("Figure 4", f"weights where Google's {what} is above Bing's", str(len(WEIGHTS)), above, "printed")


def _claims(sets: dict[str, Kappa]) -> Iterator[Row]:
    """What the text says of Table VI."""
    first = {name: found.by_length or [0] for name, found in sets.items()}
    yield Row("Section V", "kappa_1 of Google", "7", int(first["google"][0]), "printed")
    yield Row("Section V", "kappa_1 of Bing", "8", int(first["bing"][0]), "printed")
    google, bing = (sets[n].surface(WEIGHTS, WEIGHTS) for n in ("google", "bing"))
    above = sum(google[cell] > bing[cell] for cell in google)
    yield Row("Section V", "cells of Table VI where Google is above Bing", "144", above, "printed")
    lists = rankings()
    alone = {n: [kappa(lists[n], w, 1.0).by_length for w in WEIGHTS] for n in ("google", "bing")}
    pairs = zip(WEIGHTS, alone["google"], alone["bing"], strict=True)
    crossing = next(w for w, g, b in pairs if g and b and g[0] > b[0])
    note = "contradicts the paper's own Table VI"
    yield Row("Section V", "largest gamma with Google's kappa_1 above Bing's", "0.85", crossing, "printed", note)
