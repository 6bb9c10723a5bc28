"""What variance components are solved from, as sums over blocks of whole tasks that add up to the same in any order.

A facet is a letter: j the judge, t the task, s the system, i the item. A crossing is a word of them; items lie within
tasks, so that no word has both. Levels of a crossing with t or i are within one block; those of j, s and js are tables,
unless these are too large, and then there is one block.
Numbers that are not whole are cut into three that are, so that no order of adding them changes a digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import first_rows, renumbered
from quorate.kernels.variance_components import NEAR, identified

Array = NDArray[Any]
Sums = dict[tuple[str, ...], Array]
DIGITS, MORE, PARTS = 20, 22, 3  # binary, of the first number and of each other: exact sums of up to 2^31 of them
TABLES = ("j", "s", "js")
TABLE = 10**6  # judges x systems at most
ROWS = "rows"


def exact(values: Array, most: float = 1.0) -> Array:
    """Three whole numbers for each value about ``most``, ``[3, ...]``, so small that their sums are exact."""
    of, out = values / _unit(most), np.empty((PARTS, *np.shape(values)))
    for part in out:
        np.rint(of, out=part)
        of = (of - part) * 2.0**MORE
    return out


def inexact(parts: Array, most: float = 1.0) -> Array:
    """The sum that sums of whole numbers stand for.

    >>> round(float(inexact(exact(np.array([0.1, 0.7, 0.2])).sum(axis=1))), 12)
    1.0
    """
    return np.asarray((parts[0] + (parts[1] + parts[2] * 2.0**-MORE) * 2.0**-MORE) * _unit(most))


def _unit(most: float) -> float:
    return float(2.0 ** (math.ceil(math.log2(most or 1.0)) - DIGITS))


def words(letters: str) -> list[str]:
    """Every crossing of some facets, in the order of their number.

    >>> words("jts")
    ['j', 't', 's', 'jt', 'js', 'ts', 'jts']
    """
    every = ("".join(some) for k in range(1, len(letters) + 1) for some in combinations(letters, k))
    return list(dict.fromkeys(word(*each) for each in every))


def word(*facets: str) -> str:
    """The crossing of some facets: with the item the task says nothing more."""
    there = set("".join(facets))
    return "".join(letter for letter in "jtsi" if letter in there and not (letter == "t" and "i" in there))


class Block:
    """The scores of whole tasks with their facets, of every row a code from 0: judges and systems of so many."""

    def __init__(self, x: Array, codes: Mapping[str, Array], judges: int, systems: int, most: float) -> None:
        self.x, self.most, self.system, self.systems = x, most, codes["s"], systems
        self.tables = TABLES if judges * systems <= TABLE else ()
        self.size = {"j": judges, "s": systems, "js": judges * systems}
        self.code = {w: self._codes(w, codes) for w in words("".join(codes))}
        self.row = {w: first_rows(c) for w, c in self.code.items() if w not in self.tables}
        self.size |= {w: len(row) for w, row in self.row.items()}

    def _codes(self, name: str, codes: Mapping[str, Array]) -> Array:
        if name in self.tables:
            return codes[name] if len(name) == 1 else codes["j"] * self.systems + codes["s"]
        out = np.zeros(len(self.x), np.int64)
        for letter in name:
            out = renumbered(out * (int(codes[letter].max(initial=0)) + 1) + codes[letter])
        return out

    def sums(self) -> Sums:
        """Squared sums of levels over their rows, and how often levels of two crossings meet."""
        x, out = self.x, Sums()
        square = self.most**2
        out[ROWS,] = np.array([len(x)])
        out["sum",], out["squares",] = exact(x, self.most).sum(axis=1), exact(x**2, square).sum(axis=1)
        held = {w: np.bincount(c, minlength=self.size[w]) for w, c in self.code.items()}
        for w, code in self.code.items():
            if w in self.tables:
                out["held", w] = held[w]
                out["sum", w] = self._tabled(w, exact(x, self.most), code)
                continue
            out["levels", w] = np.array([len(held[w])])
            out["right", w] = exact(np.bincount(code, x, len(held[w])) ** 2 / held[w], square).sum(axis=1)
            met = held[w].astype(float) ** 2
            out["left", "", w] = met.sum(keepdims=True)
            for f in self.code:
                if f != w and word(f, w) == w:
                    at = self.code[f][self.row[w]]
                    whole = np.bincount(at, met, self.size[f]) if f in self.tables else None
                    out["left", f, w] = exact(met / held[f][at]).sum(axis=1) if whole is None else whole
        return out

    def weights(self, weight: Array) -> Sums:
        """Squared sums of what rows weigh in a task's value of their system, by system; of a table ``js`` the sums."""
        out: Sums = {("weight", ROWS): self._of_systems(exact(weight**2), self.system)}
        for w, code in self.code.items():
            if w in self.tables and w == "js":
                out["weight", w] = self._tabled(w, exact(weight), code)
            elif "s" in w and w != "s":
                total = np.bincount(code, weight, self.size[w])
                out["weight", w] = self._of_systems(exact(total**2), self.system[self.row[w]])
        return out

    def _tabled(self, w: str, parts: Array, code: Array) -> Array:
        return np.stack([np.bincount(code, part, self.size[w]) for part in parts])

    def _of_systems(self, parts: Array, system: Array) -> Array:
        return np.stack([np.bincount(system, part, self.systems) for part in parts])


def pair_sums(x: Array, unit: Array, judge: Array, judges: int, most: float) -> Sums:
    """The same of units that several judges scored and of judges, with what is left of a unit without each judge."""
    cell = renumbered(unit.astype(np.int64) * judges + judge)
    row, square = first_rows(cell), most**2
    number, total = np.bincount(cell).astype(float), np.bincount(cell, x)
    of, who = unit[row], judge[row]
    held, summed, met = np.bincount(unit).astype(float), np.bincount(unit, x), np.bincount(of, number**2)
    less = held[of] - number
    left = less > 0
    safe = np.where(left, less, 1.0)

    def by_judge(parts: Array, at: Array = who) -> Array:
        return np.stack([np.bincount(at, part, judges) for part in np.atleast_2d(parts)])

    return {
        ("units",): np.array([len(held)]),
        ("held",): (held**2).sum(keepdims=True),
        ("right",): exact(summed**2 / held, square).sum(axis=1),
        ("met",): exact(met / held).sum(axis=1),
        ("judge", "rows"): by_judge(number),
        ("judge", "met"): by_judge(number**2),
        ("judge", "sum"): by_judge(exact(x, most), judge),
        ("judge", "squares"): by_judge(exact(x**2, square), judge),
        ("judge", "gone"): by_judge(~left),
        ("judge", "held"): by_judge(less**2 - held[of] ** 2),
        ("judge", "right"): by_judge(exact(np.where(left, (summed[of] - total) ** 2 / safe, 0.0), square)),
        ("judge", "right with"): by_judge(exact(summed[of] ** 2 / held[of], square)),
        ("judge", "met without"): by_judge(exact(np.where(left, (met[of] - number**2) / safe, 0.0))),
        ("judge", "met with"): by_judge(exact(met[of] / held[of])),
    }


def pair_components(sums: Sums, most: float, greatest: float) -> tuple[Array, Array]:
    """The variance of units, of judges and of what is left, ``[1 + judge, 3]``: of all, and without each of those
    judges who have scores, whose numbers are told."""
    per = {n[1]: v for n, v in sums.items() if n[0] == "judge"}
    rows, met = per["rows"][0], per["met"][0]
    there, square = np.flatnonzero(rows), most**2
    summed, squares = inexact(per["sum"], most), inexact(per["squares"], square)
    keep = np.vstack([np.ones(len(there)), 1.0 - np.eye(len(there))])
    without = np.vstack([np.zeros(len(there)), np.eye(len(there))])

    def kept(column: Array) -> Array:
        return np.asarray(keep @ column[there])

    def changed(whole: float, by: Array) -> Array:
        return np.asarray(whole + without @ by[there])

    number, total = kept(rows), kept(summed)
    units = changed(float(sums["units",][0]), -per["gone"][0])
    held = changed(float(sums["held",][0]), per["held"][0])
    right = changed(
        float(inexact(sums["right",], square)), inexact(per["right"], square) - inexact(per["right with"], square)
    )
    meet = changed(float(inexact(sums["met",])), inexact(per["met without"]) - inexact(per["met with"]))
    over = np.maximum(rows, 1)
    ones, judges = np.ones(len(keep)), kept(np.ones(len(rows)))
    left = [
        [number, held / number, kept(rows**2) / number, ones],
        [number, number, meet, units],
        [number, kept(met / over), number, judges],
        [number, number, number, number],
    ]
    found = np.stack([total**2 / number, right, kept(summed**2 / over), kept(squares)], axis=1)
    return _solved(np.moveaxis(np.array(left), 2, 0), found, number, total, greatest), there


def _solved(left: Array, right: Array, number: Array, total: Array, greatest: float) -> Array:
    """The variances, ``[draw, factor]``; scores are taken about the mean of all, the first draw."""
    mean = total[0] / number[0]
    about = right - (2 * mean * total - mean**2 * number)[:, None]
    scale = math.sqrt(max(float(about[0, -1] / number[0]), 0.0))
    if not scale > NEAR * greatest:
        return np.zeros((len(left), left.shape[2] - 1))
    return np.asarray(identified(left, about / scale**2)[:, 1:] * scale**2)


def levels(sums: Sums, name: str) -> int:
    """How many levels a crossing has."""
    if ("held", name) in sums:
        return int(np.count_nonzero(sums["held", name]))
    return int(sums["levels", name][0])


def components(sums: Sums, names: Sequence[str], most: float, greatest: float) -> Array:
    """The variance of each of these crossings, then that of what is left."""
    every = ["", *names, ROWS]
    rows, square = int(sums[ROWS,][0]), most**2
    left, right = np.zeros((1, len(every), len(every))), np.zeros((1, len(every)))
    total = float(inexact(sums["sum",], most))
    for a, f in enumerate(every):
        right[0, a] = _squared(sums, f, rows, total, most, square)
        for b, g in enumerate(every):
            left[0, a, b] = _meeting(sums, f, ROWS if ROWS in (f, g) else word(f, g), rows)
    return np.asarray(_solved(left, right, np.array([float(rows)]), np.array([total]), greatest)[0])


def _squared(sums: Sums, f: str, rows: int, total: float, most: float, square: float) -> float:
    """Squared sums of a crossing's levels, each over its rows."""
    if f == "":
        return total**2 / rows
    if ("held", f) in sums:
        return float((inexact(sums["sum", f], most) ** 2 / np.maximum(sums["held", f], 1)).sum())
    return float(inexact(sums["squares",] if f == ROWS else sums["right", f], square))


def _meeting(sums: Sums, f: str, both: str, rows: int) -> float:
    """What a variance of 1 of the one crossing adds to the squared sums of the other, where the two are ``both``."""
    if f in (ROWS, both) or both == "":
        return float(rows)
    if both == ROWS:
        return float(levels(sums, f)) if f else 1.0
    if ("held", both) in sums:  # and so is f
        met = sums["held", both].astype(float) ** 2
        if f == "":
            return float(met.sum() / rows)
        met = met.reshape(len(sums["held", "j"]), -1).sum(axis=1 if f == "j" else 0)
    elif f == "" or ("held", f) in sums:
        met = sums["left", f, both]
        if f == "":
            return float(met[0] / rows)
    else:
        return float(inexact(sums["left", f, both]))
    return float((met / np.maximum(sums["held", f], 1)).sum())


def errors(sums: Sums, names: Sequence[str]) -> list[float]:
    """How much of the variance of each crossing with systems (or of rows) stays in a system's mean, averaged."""
    cells = sums["cells",]
    there = cells > 0
    out = []
    for name in names:
        squares = inexact(sums["weight", name])
        if ("held", name) in sums:
            squares = (squares.reshape(-1, len(cells)) ** 2).sum(axis=0)
        out.append(float((squares[there] / cells[there].astype(float) ** 2).sum() / np.count_nonzero(there)))
    return out
