"""Columns of a matrix that are called by two things, a judge or item and a criterion: ``fluency_r1``, ``item1 style``.

They are taken apart where every judge (or item) has every criterion, and judges are called as such or numbered, or
where the criteria are told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quorate.formats.column_content import is_rater

SIGNS = ("__", "_", " - ", ": ", ":", "/", ".", " ", "-")  # between the two
_NUMBERED = re.compile(r"(\D+)\d+")


def crossed(columns: Sequence[str], told: Sequence[str] = ()) -> dict[str, tuple[str, str]]:
    """Whose each column is, and its criterion; nothing where columns are not called by two things. Of criteria that are
    told, other columns may stand beside.

    >>> crossed(["fluency_r1", "fluency_r2", "style_r1", "style_r2"])["style_r2"], crossed(["gpt_4", "gpt_3"])
    (('r2', 'style'), {})
    >>> crossed(["age", "ann-style", "bob-style"], ["style"])
    {'ann-style': ('ann', 'style'), 'bob-style': ('bob', 'style')}
    """
    for sign in SIGNS:
        for halves in (str.partition, str.rpartition):
            for who, what in ((0, 2), (2, 0)):
                parts = {c: halves(c, sign) for c in columns}
                made = {c: (p[who].strip(), p[what].strip()) for c, p in parts.items() if p[1]}
                if told:
                    made = {c: pair for c, pair in made.items() if pair[1] in told}
                if _whole(made, len(columns), told):
                    return made
    return {}


def _whole(made: dict[str, tuple[str, str]], columns: int, told: Sequence[str]) -> bool:
    """Whether all of these have all criteria, none of them is nameless, and it is clear which of the two is which."""
    who, what = ({pair[k] for pair in made.values()} for k in (0, 1))
    if "" in who | what or not len(made) == len(who) * len(what) == len(set(made.values())) > 0:
        return False
    if told:
        return what == set(told)
    several = len(made) == columns and len(who) > 1 and len(what) > 1
    stems = {m[1] if (m := _NUMBERED.fullmatch(w)) else "" for w in who}
    numbered = len(stems) == 1 and "" not in stems
    return several and not any(c.isdigit() for w in what for c in w) and (numbered or all(map(is_rater, who)))
