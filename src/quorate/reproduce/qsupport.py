"""Quantifying consensus of rankings by q-support patterns (Xue, Lin, Wang, McClean).

Example 1 is printed in full. The rest is about public data: four sets of votes on dots (PrefLib 00024) and the first 20
documents of twelve search runs on 66 queries (CLEF eHealth 2015). Figures are drawn without numbers: of those there is
ours alone, beside what the text says of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from quorate.errors import InputError
from quorate.formats import read
from quorate.orderings.pairwise import PAIRWISE
from quorate.orderings.rankings import one_task
from quorate.orderings.support import Support, support
from quorate.panel.kinds import Orderings
from quorate.reproduce.rows import NEEDS, How, Reproduced, Row, facts

TITLE = "Consensus of rankings by q-support patterns (Xue, Lin, Wang, McClean)"
EXAMPLE = ["abcdef", "bcdefa", "bdaghf", "bacdfe"]
OUTLIERS = ("4321", "4312", "4231", "3421")  # in each data set, by the true order of the candidates
TEAMS = ("CUNI", "ECNU", "FDUSGInfo", "GRIUM", "KISTI", "KUCS", "LIMSI", "Miracl", "TeamHCMUS", "UBML", "USST", "YorkU")
QUERIES = tuple(q for q in range(1, 68) if q != 62)  # the paper leaves out 62, where some teams have nothing
TOPICS = {15: (12, 46, 66), 11: (31, 49, 59), 21: (36, 48, 64), 18: (6, 15, 30)}
LAST = 20  # documents of a run
DRAWN = "drawn only"
SLIPS = (
    "Section 6.1 prints an overall kappa_1 of 4 for the Dots data; it is a share (at most 1 by Property 1), so 1.",
    "Table 2 cuts one cell (ranking 3, data set 4: 0.188 printed as 0.18); Table 5 cuts topic 11 (0.327 and 0.178 as "
    "0.32 and 0.17).",
    "Section 6.2 lists eight queries with kappa_2(6) above 0.15; queries 5, 21, 22 and 55 have 0.164, 0.165, 0.185 and "
    "0.178 too. Table 3 itself gives 55 a discounted 0.15, and discounts only lower it.",
    "The p of its top-k tau is not Fagin's: a pair that one list does not rank counts as p, so p = 1 is Fagin's "
    "penalty 0 and p = 0 is penalty 1/2.",
)
Lists = Mapping[int, Mapping[str, list[str]]]
Key = tuple[str, str]  # table and cell


WANTED = "preflib/00024-dots/*.soc, consensus-papers/top20_CLEFeHealth_data/*.dat"


def has_data(how: How) -> bool:
    """Whether there is anything to compute from."""
    return how.dots is not None or how.clef(TEAMS) is not None


def reproduce(how: How) -> Reproduced:
    """All cells: Example 1 always, the rest where the data is."""
    ours: dict[Key, float | str] = dict(_example())
    missing = ["Figure 8: which queries make up a topic is printed for four topics of 22 (Tables 5 and 6)."]
    more: list[Row] = []
    if how.dots is not None:
        sets = [cast(Orderings, read(f)) for f in how.dots]
        ours |= {**dict(_dots(sets)), **dict(_dots_claims(sets))}
        more += _dots_drawn(sets)
    else:
        missing.append(f"Figures 1-3, Tables 1-2: {NEEDS}, a folder with preflib/00024-dots.")
    files = how.clef(TEAMS)
    if files is not None:
        lists = _read_clef(files)
        ours |= {**dict(_clef(lists)), **dict(_clef_claims(lists))}
        more += _clef_drawn(lists)
    else:
        missing.append(f"Figures 4-8, Tables 3-6: {NEEDS}, a folder with consensus-papers/top20_CLEFeHealth_data.")
    rows = [_row(r, ours) for r in facts("qsupport_tables")]
    return Reproduced("q-support", TITLE, (*rows, *more), SLIPS, tuple(missing))


def _row(fact: Mapping[str, str], ours: Mapping[Key, float | str]) -> Row:
    key = fact["table"], fact["cell"]
    source = "printed" if key[0] == "Example 1" else "data"
    note = NEEDS if key not in ours else "a slip of the paper: the score is a share" if fact["value"] == "4" else ""
    return Row(*key, fact["value"], ours.get(key), source, note).told


def _example() -> Iterator[tuple[Key, float]]:
    found = support(EXAMPLE, 3)
    for k, (one, two) in enumerate(found.individual.values(), 1):
        yield ("Example 1", f"kappa_1 of ranking {k}"), one
        yield ("Example 1", f"kappa_2 of ranking {k}"), two
    yield ("Example 1", "overall kappa_1"), found.kappa1
    yield ("Example 1", "overall kappa_2"), found.kappa2


# -- dots --------------------------------------------------------------------------------------------------------------


def _half(panel: Orderings) -> int:
    return math.ceil(panel.votes / 2)


def _dots(sets: list[Orderings]) -> Iterator[tuple[Key, float]]:
    for k, panel in enumerate(sets, 1):
        for share in (0.5, 0.67):
            yield ("Figure 2", f"data set {k}, q/N {share:g}"), support(panel, share).kappa2
        yield ("Section 6.1", f"data set {k}, kappa_1 without weights"), support(panel, _half(panel)).kappa1
        kept = panel.drop_judges(*_outliers(panel))
        for table, one, more in (("Figure 3", panel, ""), ("Section 6.1", kept, ", without the four outliers")):
            found = support(one, _half(one), 0.5, 0.5)
            for name, value in (("kappa_1", found.kappa1), ("kappa_2", found.kappa2)):
                yield (table, f"data set {k}, {name}, weight 0.5{more}"), value
        for number, deviation in enumerate(_deviations(panel), 1):
            yield ("Table 2", f"ranking {number}, data set {k}"), deviation
    for weight in (1.0, 0.5):
        four = [support(p, _half(p), weight, weight) for p in sets]
        for name, values in (("kappa_1", [s.kappa1 for s in four]), ("kappa_2", [s.kappa2 for s in four])):
            for k in (4, 3, 2):
                cell = f"{name}, weight {weight:g}, data set {k} / data set {k - 1}"
                yield ("Table 1", cell), values[k - 1] / values[k - 2]


def _deviations(panel: Orderings) -> list[float]:
    """Of each distinct ranking's kappa_2 from the overall one; in the order of the file, most votes first."""
    found = support(panel, _half(panel), 1.0, 0.5)
    return [(k2 - found.kappa2) / found.kappa2 for _, k2 in found.individual.values()]


def _written(panel: Orderings) -> dict[Any, str]:
    """Each judge's ranking as the paper writes it: candidates by their number in the true order."""
    number = {item: str(k) for k, item in enumerate(panel.items, 1)}
    return {j: "".join(number[group[0]] for group in o) for j, o in panel.orders().items()}


def _outliers(panel: Orderings) -> list[Any]:
    return [j for j, order in _written(panel).items() if order in OUTLIERS]


def _dots_drawn(sets: list[Orderings]) -> Iterator[Row]:
    """Figure 1: votes by rho with the true order; Figures 2 and 3: curves over q and over the weight."""
    for k, panel in enumerate(sets, 1):
        for rho, part in sorted(_shares(panel).items()):
            yield Row("Figure 1", f"data set {k}, share with rho {rho:g}", None, part, "data", DRAWN)
        for share in (round(0.5 + 0.05 * s, 2) for s in range(11)):
            yield Row(
                "Figure 2", f"data set {k}, q/N {share:g}, drawn", None, support(panel, share).kappa2, "data", DRAWN
            )
        for weight in (round(1 - 0.1 * s, 1) for s in range(10)):
            found = support(panel, _half(panel), weight, weight)
            for name, value in (("kappa_1", found.kappa1), ("kappa_2", found.kappa2)):
                yield Row("Figure 3", f"data set {k}, {name}, weight {weight:g}, drawn", None, value, "data", DRAWN)


def _shares(panel: Orderings) -> dict[float, float]:
    """The share of votes with each rho to the true order."""
    out: dict[float, float] = {}
    task, orders = one_task(panel), _written(panel)
    for judge, votes in zip(task.judges, task.counts[0].tolist(), strict=True):
        rho = round(PAIRWISE["rho"](orders[judge], "1234"), 1)
        out[rho] = out.get(rho, 0.0) + votes / panel.votes
    return out


def _dots_claims(sets: list[Orderings]) -> Iterator[tuple[Key, str]]:
    """What the text reads off Figure 1, and which voters and pairs it names."""
    shares = [_shares(panel) for panel in sets]
    for rho in (0.4, 0.8, 1.0):
        steps = np.diff([part.get(rho, 0.0) for part in shares])
        ours = "rises" if (steps > 0).all() else "falls" if (steps < 0).all() else "neither"
        yield ("Figure 1", f"share with rho {rho:g} from data set 1 to 4"), ours
    for k, panel in enumerate(sets, 1):
        orders = list(_written(panel).values())
        worst = np.argsort(_deviations(panel), kind="stable")[:4].tolist()
        ours = " ".join(sorted((orders[i] for i in worst), reverse=True))
        yield ("Section 6.1", f"data set {k}, the four outliers"), ours
        number = {item: str(n) for n, item in enumerate(panel.items, 1)}
        pairs = support(panel).counts.supported_pairs(_half(panel))
        ours = " ".join(sorted(number[a] + number[b] for a, b in pairs))
        yield ("Section 6.1", f"data set {k}, supported pairs"), ours


# -- search runs -------------------------------------------------------------------------------------------------------


def _read_clef(files: Iterable[Path]) -> Lists:
    """Query -> team -> its documents."""
    panel = cast(Orderings, read(*files))
    if sorted(map(int, map(str, panel.tasks))) != list(QUERIES):
        wanted = f"a line for each of {len(QUERIES)} queries: 1 to 67 without 62."
        raise InputError(f"{panel.reading.files[0]}: {len(panel.tasks)} lines.", wanted)
    return {
        int(str(t)): {str(j): [str(g[0]) for g in o] for j, o in panel.select(tasks=[t]).orders().items()}
        for t in panel.tasks
    }


def _queries(lists: Lists, weight: float) -> dict[int, Support]:
    return {q: support(lists[q], len(TEAMS) // 2, weight, weight) for q in QUERIES}


def _clef(lists: Lists) -> Iterator[tuple[Key, float]]:
    found = _queries(lists, 0.9)
    for table, queries in (("Table 3", (58, 25, 24, 55)), ("Table 4", (64, 48, 11, 33))):
        for q in queries:
            yield (table, f"query {q}, kappa_1"), found[q].kappa1
            yield (table, f"query {q}, kappa_2"), found[q].kappa2
    for table, topics in (("Table 5", (15, 11)), ("Table 6", (21, 18))):
        for t in topics:
            one, two = _topic(lists, TOPICS[t])
            yield (table, f"topic {t}, kappa_1"), one
            yield (table, f"topic {t}, kappa_2"), two


def _topic(lists: Lists, queries: Iterable[int]) -> tuple[float, float]:
    """Each team's consensus with itself over three wordings of one condition, averaged over teams."""
    found = [support([lists[q][team] for q in queries], 2, 0.9, 0.9) for team in TEAMS]
    return float(np.mean([s.kappa1 for s in found])), float(np.mean([s.kappa2 for s in found]))


def _clef_drawn(lists: Lists) -> Iterator[Row]:
    """Figures 4 to 8 as numbers; of Figure 8 the topics whose queries are printed."""
    plain, weighed = _queries(lists, 1.0), _queries(lists, 0.9)
    tau, rho = PAIRWISE["fagin_tau"], PAIRWISE["fagin_rho"]
    for q in QUERIES:
        figures = {
            "Figure 4, tau, p = 1 (optimistic)": tau.mean(lists[q], penalty=0.0),
            "Figure 4, tau, p = 0 (neutral)": tau.mean(lists[q], penalty=0.5),
            "Figure 5, rho": rho.mean(lists[q], location=LAST + 1),
            "Figure 6, kappa_1": plain[q].kappa1,
            "Figure 6, kappa_2": plain[q].kappa2,
            "Figure 7, kappa_1": weighed[q].kappa1,
            "Figure 7, kappa_2": weighed[q].kappa2,
        }
        for name, value in figures.items():
            table, _, what = name.partition(", ")
            yield Row(table, f"query {q}, {what}", None, value, "data", DRAWN)
    for t, queries in TOPICS.items():
        for name, value in zip(("kappa_1", "kappa_2"), _topic(lists, queries), strict=True):
            yield Row("Figure 8", f"topic {t}, {name}", None, value, "data", DRAWN)


def _clef_claims(lists: Lists) -> Iterator[tuple[Key, str]]:
    """What the text reads off Figures 6 and 7."""
    plain, weighed = _queries(lists, 1.0), _queries(lists, 0.9)
    ours = " ".join(str(q) for q in QUERIES if plain[q].kappa1 > 0.5)
    yield ("Figure 6", "queries with kappa_1 above 0.5"), ours
    ours = " ".join(str(q) for q in QUERIES if plain[q].kappa2 > 0.15)
    yield ("Figure 6", "queries with kappa_2 above 0.15"), ours
    first = sorted(QUERIES, key=lambda q: -weighed[q].kappa2)[:4]
    yield ("Figure 7", "four queries with most kappa_2"), " ".join(map(str, sorted(first)))
    last = sorted(QUERIES, key=lambda q: weighed[q].kappa1)[:4]
    yield ("Figure 7", "four queries with least kappa_1"), " ".join(map(str, sorted(last)))
