"""Votes: judges choose between two. A vote is about a pair of systems on a task, and says which of them wins.

Which of the two was shown first is kept: ``model_a`` was. Some judges give one verdict on both orders together, and
"tie (inconsistent)" where the two differ: that is a tie, and the label ``swapped`` says ``changed`` of it and ``same``
of that judge's other votes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, suggest
from quorate.kernels.group_sums import renumbered, used
from quorate.panel.base import Panel, many
from quorate.panel.by_name import ordered_ids
from quorate.panel.columns import Coded, Raw, Source, encode, ids, is_blank, keys, narrow, numbered

Array = NDArray[Any]
NEEDED = ("model_a", "model_b", "winner")
# What a winner is called, in small letters and without marks; a, b, 1 and 2 may follow model, assistant and the like.
FIRST, SECOND = ("a", "1", "left", "first"), ("b", "2", "right", "second")
BEFORE = ("", "model", "assistant", "response", "answer", "output", "system", "option", "candidate")
TIES = (
    *("tie", "ties", "tied", "draw", "drawn", "equal", "equals", "same", "both", "bothgood", "bothbad", "neither"),
    *("nopreference", "undecided", "tiebothbad", "tiebothgood", "equallygood", "equallybad", "aboutthesame", "even"),
    *("botharegood", "botharebad", "bothareequallygood", "bothareequallybad", "bothequallygood", "bothequallybad"),
    *("aboutequal", "nowinner", "theyareequal", "theyarethesame", "atie"),
)  # and "tie" with a reason, such as "tie (inconsistent)"
# Verdicts that say more than who wins: A>>B, [[B>A]], A=B; "A is much better", "slightly prefer B" say how clearly.
SIGNS = re.compile(r"\W*([ab])\s*(>{1,3}|<{1,3}|={1,2}|~|≈)\s*([ab])\W*")
DEGREE = r"(?:much|slightly|significantly|clearly|far|somewhat|marginally|a lot|a bit|a little|strongly|way)"
BETTER = re.compile(rf"([\w ]+?) (?:is|was) (?:{DEGREE} )?better\W*|(?:{DEGREE} )?prefers? ([\w ]+)\W*")
VERDICT = re.compile(r"\[\[([^\[\]]+)\]\]")  # as models are asked to close a judgment: ... [[A]]; [[C]] is a tie
SIGNED = re.compile(r"\s*[-+−]\s*\d+(?:\.\d+)?\s*")  # how clearly, and for whom: no place
_MARKS = re.compile(r"[\W_]+")
NAME_OR_PLACE = "--winner name: it is one of the two names; --winner place: a is the first of the two, b the second."
WORDS = {1.0: "model_a", 0.5: "tie", 0.0: "model_b"}
CHANGED, SAME = "changed", "same"


class Votes(Panel):
    """Judges choose between two systems. ``value`` is what ``model_a``, shown first, gets: 1, 0.5 (a tie) or 0."""

    kind = "votes"
    value_column = "winner"
    repeats_are_occasions = True
    _repeat_fact = "a pair is voted on twice on one occasion"

    @property
    def nameless(self) -> bool:
        """Whether nothing told who voted: all votes are then taken as one judge's, called after the file."""
        columns = self.reading.columns
        return len(self.judges) == 1 and bool(columns) and all(c.role != "judge" for c in columns)

    @classmethod
    def from_votes(cls, votes: Iterable[Any]) -> Votes:
        """From votes: ``(judge, first, second, winner)``, ``(task, judge, first, second, winner)``, or dicts by column.

        The winner is one of the two names, ``a``, ``b``, or ``tie``. Systems may be called ``a`` and ``b``: where every
        winner is one of its two names it is that one, wherever it was shown.

        >>> Votes.from_votes([("ann", "x", "y", "x"), ("bob", "y", "x", "tie")])
        <Votes: 2 judges, 2 systems, 1 task, 2 votes, 1 tie>
        """
        columns = ("judge", *NEEDED)
        rows = []
        for vote in votes:
            if isinstance(vote, Mapping):
                rows.append(dict(vote))
            elif isinstance(vote, Sequence) and len(vote) in (4, 5) and not isinstance(vote, str):
                rows.append(dict(zip(columns if len(vote) == 4 else ("task", *columns), vote, strict=True)))
            else:
                raise InputError(
                    f"{vote!r} is not a vote.", "give (judge, first, second, winner), with the task before if any."
                )
        names = dict.fromkeys(n for row in rows for n in row)
        return cls.build({n: [row.get(n) for row in rows] for n in names or columns})

    @classmethod
    def build(cls, raw: Raw, source: Source | None = None, notes: Sequence[str] = ()) -> Self:
        """From columns by name; every check is made here. Votes without a winner are left aside and counted."""
        source = source or Source()
        for name in ("judge", *NEEDED):
            if name not in raw:
                found = "votes need judge, model_a, model_b, winner; columns found"
                raise InputError(f"{source.name or 'input'}: no column '{name}'.", suggest(name, map(str, raw), found))
        winner = encode(raw["winner"])
        none = np.array([is_blank(w) or w == "error" for w in winner.ids], bool)[winner.codes]
        more = [*notes, *_degrees(winner)]
        if none.any() and not none.all():
            keep = np.flatnonzero(~none)
            more.append(left_aside(int(none.sum())))
            raw, source = {n: encode(v).take(keep) for n, v in raw.items()}, source.some(keep)
        first, second = (ids(raw[n], n, source) for n in NEEDED[:2])
        value, changed = _outcomes(first, second, encode(raw["winner"]), source)
        columns = {n: v for n, v in raw.items() if n not in ("item", *NEEDED)}
        if changed.any():
            columns["swapped"] = _swapped(encode(raw["judge"]), changed)
            more.append(said_changed(int(changed.sum()), len(changed)))
        columns |= {"model_a": first, "model_b": second, "item": _pairs(first, second), "winner": value}
        return super().build(columns, source, more)

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> NDArray[np.float64]:
        return np.asarray(values, np.float64)

    @classmethod
    def _judgments(cls, task: Coded, judge: Coded, occasion: Coded, item: Coded) -> NDArray[np.int64]:
        return keys(task, judge, occasion, item)

    @classmethod
    def _occasions(
        cls, task: Coded, judge: Coded, item: Coded, labels: Mapping[str, Coded], source: Source, notes: list[str]
    ) -> Coded:
        return numbered(keys(task, judge, item))

    # -- what is inside ---------------------------------------------------------------------------------------------

    @cached_property
    def systems(self) -> tuple[Hashable, ...]:
        """Every system voted on, by name."""
        return ordered_ids((*self.labels["model_a"].ids, *self.labels["model_b"].ids))

    @cached_property
    def _made(self) -> dict[str, Any]:
        return {}

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What is made of these votes once, such as their design."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    @property
    def winner(self) -> Coded:
        """Which of the two wins, row by row: model_a, model_b or tie."""
        return Coded(tuple(WORDS.values()), narrow(np.rint(2 - 2 * self.value), 3))

    @property
    def crowd(self) -> NDArray[Any]:
        """Whether each name stands for several judges, whose votes are counted: none of these is a repeat."""
        return np.bincount(self.judge.codes, self.count > 1, len(self.judges)) > 0

    @cached_property
    def repeats(self) -> int:
        """Votes beyond a judge's first on the same pair of a task."""
        one = ~self.crowd[self.judge.codes]
        return int(one.sum()) - len(used(keys(self.task, self.judge, self.item)[one]))

    def _values(self, rows: NDArray[np.int64]) -> Any:
        return self.winner.take(rows)

    def coded_columns(self) -> dict[str, Coded | list[Any]]:
        """The panel's columns, a row per vote; what is the same everywhere and optional is left out."""
        out = super().coded_columns()
        labels = {n: c for n, c in out.items() if n in self.labels and n not in NEEDED}
        order = ("task", "judge", *NEEDED, "occasion", "count")
        return {n: out[n] for n in order if n in out} | labels

    def _plain_values(self) -> Coded | list[Any]:
        return self.winner

    def inside(self) -> str:
        """What is in the panel, in words."""
        votes, ties = int(self.count.sum(dtype=np.int64)), int(self.count[self.value == 0.5].sum(dtype=np.int64))
        said = [many(len(self.judges), "judge"), many(len(self.systems), "system"), many(len(self.tasks), "task")]
        return ", ".join([*said, many(votes, "vote"), *([many(ties, "tie")] if ties else [])])


def _outcomes(first: Coded, second: Coded, winner: Coded, source: Source) -> tuple[Array, Array]:
    """What the first gets in every vote, and whether the verdict changed with the order; bad votes are an error."""
    place, name = by_place(winner), by_name(first, second, winner)
    value = np.where(np.isnan(name), place, name)
    two = ~np.isnan(name) & ~np.isnan(place) & (name != place)
    bad = np.isnan(value) | (two & (place == 0.5)) | (_same_id(first, second)[first.codes] == second.codes)
    if bad.any():
        rows = np.flatnonzero(bad)
        what = (f"winner {winner[r]!r} of {first[r]!r} and {second[r]!r}" for r in rows.tolist())
        raise source.error(
            "not a vote", rows, what, _vote_hint([(first[r], second[r], winner[r]) for r in rows.tolist()])
        )
    if two.any() and (np.isnan(name) & (place != 0.5)).any():
        rows = np.flatnonzero(two)
        what = (f"winner {winner[r]!r} of {first[r]!r} and {second[r]!r}" for r in rows.tolist())
        raise source.error("is the winner a name or a place?", rows, what, NAME_OR_PLACE)
    changed = np.array([_inconsistent(w) for w in winner.ids], bool)[winner.codes] & (value == 0.5)
    return value, changed


def by_place(winner: Coded) -> Array:
    """What the first gets if the winner is told by place or is a tie; NaN where it is another word."""
    return np.array([math.nan if (s := _side(w)) is None else s for w in winner.ids])[winner.codes]


def by_name(first: Coded, second: Coded, winner: Coded) -> Array:
    """What the first gets if the winner is told by name; NaN where it is neither of the two."""
    one, two = (_same_id(winner, column, any_case=True)[winner.codes] == column.codes for column in (first, second))
    return np.where(one, 1.0, np.where(two, 0.0, math.nan))


def _same_id(ids: Coded, column: Coded, *, any_case: bool = False) -> Array:
    """Of each id its number in another column, -1 where it is not there; ``any_case``: words for places in any case."""
    number: dict[Any, int] = {name: k for k, name in enumerate(column.ids)}
    folded = {str(name).casefold(): k for name, k in number.items()} if any_case else {}
    near = [folded.get(str(i).casefold(), -1) if any_case and _side(i) in (0.0, 1.0) else -1 for i in ids.ids]
    return np.array([number.get(i, k) for i, k in zip(ids.ids, near, strict=True)], np.int64)


def _vote_hint(odd: Sequence[tuple[Any, Any, Any]]) -> str:
    """What a winner is; what C, 0 and 0.5 are is for the reader to say."""
    hint = "winner is model_a, model_b, tie, or one of the two names."
    words = {_MARKS.sub("", str(w).lower()) for *_, w in odd}
    if all(a == b for a, b, _ in odd):
        return "model_a and model_b are the same: a vote is between two systems. Leave such lines out."
    near = next(((n, w) for *two, w in odd for n in two if str(n).casefold() == str(w).casefold()), None)
    if near:
        return f"{hint} '{near[1]}' is not '{near[0]}': write names the same throughout."
    if any(SIGNED.fullmatch(str(w)) for *_, w in odd):
        return f"{hint} Numbers below 0 are for one of the two, those above for the other: write which, and 0 as tie."
    if words <= {"c"}:
        return f"{hint} If C is a tie, write tie."
    if words <= {"0", "05", "00", "10", "1"}:
        return (
            f"{hint} If 1, 0.5 and 0 are what the first one gets, write model_a, tie and model_b; if 0 is a tie, tie."
        )
    return hint


def _degrees(winner: Coded) -> list[str]:
    """That verdicts close a text, and that they say how clearly one wins, which is not used."""
    said = [w for w in winner.ids if isinstance(w, str)]
    told = [VERDICT.search(w) for w in said]
    closing = [m[0] for m in told if m and m[0] != m.string.strip()]
    notes = [f"the verdict is what stands in brackets at the end of a text: {closing[0]}"] if closing else []
    short = [m[1] if m else w for m, w in zip(told, said, strict=True)]
    odd = [w for w in short if re.search(rf">>|<<|\b{DEGREE}\b", w.lower()) and _side(w) in (0.0, 1.0)]
    return [*notes, *([f"verdicts such as '{odd[0]}' count as a win; how clear it is, is not used"] if odd else [])]


def _inconsistent(winner: Any) -> bool:
    """A tie because the verdict changed with the order; a model may be called so, but then it wins or loses."""
    word = str(winner).lower()
    return "inconsistent" in word and word.startswith("tie")


def _side(winner: Any) -> float | None:
    """What a word says the first one gets, whatever the two are called."""
    if isinstance(winner, bool) or not isinstance(winner, str | int):
        return None
    said = str(winner).lower()
    if SIGNED.fullmatch(said):
        return None
    closing = {v.strip() for v in VERDICT.findall(said)}
    if len(closing) == 1:
        said = "tie" if closing == {"c"} else closing.pop()
    signs, better = SIGNS.fullmatch(said), BETTER.fullmatch(said)
    if signs and signs[1] != signs[3]:
        return 0.5 if signs[2][0] not in "<>" else float((signs[1] == "a") == (signs[2][0] == ">"))
    word = _MARKS.sub("", better[1] or better[2] if better else said)
    for value, words in ((1.0, FIRST), (0.0, SECOND)):
        if word in words or any(word == before + end for before in BEFORE for end in words[:2]):
            return value
    return 0.5 if word in TIES or re.match(r"tie\s*\(", said) else None


def _pairs(first: Coded, second: Coded) -> Coded:
    """The pair that every vote is about, whichever was shown first."""
    cell = first.codes.astype(np.int64) * len(second.ids) + second.codes
    one, two = (list(map(str, side.ids)) for side in (first, second))
    both = zip(*(part.tolist() for part in np.divmod(used(cell), len(two))), strict=True)
    names = encode([f"{x} vs {y}" if (x := one[a]) <= (y := two[b]) else f"{y} vs {x}" for a, b in both])
    return Coded(names.ids, narrow(names.codes[renumbered(cell)], len(names.ids)))


def _swapped(judge: Coded, changed: Array) -> Coded:
    """Of judges who give one verdict on both orders: whether it changed."""
    both = np.isin(judge.codes, judge.codes[changed])
    return Coded((None, SAME, CHANGED), narrow(np.where(changed, 2, both), 3))


def left_aside(number: int) -> str:
    """That so many votes have no winner."""
    return f"{many(number, 'vote')} without a winner {'is' if number == 1 else 'are'} left aside"


def said_changed(changed: int, votes: int) -> str:
    """That so many verdicts on both orders differ."""
    are = "it is a tie" if changed == 1 else "they are ties"
    return f"{changed:,} of {votes:,} verdicts changed when places were swapped; {are}"
