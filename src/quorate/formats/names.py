"""Column names: known ones are found in any case and with blanks around; all others are labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from quorate.errors import InputError, suggest
from quorate.panel.kinds import ONE_TASK, Panel, Scores, Votes
from quorate.panel.votes import NEEDED

KNOWN = (
    *("task", "judge", "item", "position", "group", "score", "label", "count", "occasion"),
    *("source", "importance", "system", "criterion", "text", "year", "judge_kind"),
    *NEEDED,
)


def clean(name: object) -> str:
    """A column's name without blanks around it or a byte order mark; known names in small letters.

    >>> clean(" Judge "), clean("Word Count")
    ('judge', 'Word Count')
    """
    bare = str(name).strip().lstrip("\ufeff").strip()
    return bare.lower() if bare.lower() in KNOWN else bare


def understood(where: str, columns: Sequence[object], rename: Mapping[str, str]) -> list[str]:
    """The names after cleaning and renaming, all different."""
    found = [clean(c) for c in columns]
    new = {clean(a): clean(b) for a, b in rename.items()}
    for old in new:
        if old not in found:
            raise InputError(f"{where}: no column '{old}' to rename.", suggest(old, found, "Columns found"))
    names = [new.get(n, n) for n in found]
    if "judge" not in names and "system" in names and {"position", "group"} & set(names):
        names[names.index("system")] = "judge"  # a system's list or groups, to be held against those of judges
    if "" in names:
        at = ", ".join(str(k) for k, n in enumerate(names, 1) if not n)
        raise InputError(f"{where}: a column has no name (column {at}).", "name every column in the first line.")
    twice = sorted(n for n, often in Counter(names).items() if often > 1)
    if twice:
        raise InputError(
            f"{where}: two columns have the same name: {', '.join(twice)}.",
            "a name is taken without blanks around it; known names in any case.",
        )
    return names


def panel_columns(panel: Panel) -> dict[str, Any]:
    """The columns a file gets, each Coded or an array; what is the same everywhere and optional is left out."""
    own = {"task", "judge", "item", "occasion", "count", panel.value_name}
    for name in panel.labels if not isinstance(panel, Votes) else set(panel.labels) - set(NEEDED):
        if clean(name) != name or name in own or not name:
            raise InputError(f"a label column cannot be called '{name}' in a file.", "rename the label.")
    out: dict[str, Any] = {} if panel.tasks == (ONE_TASK,) else {"task": panel.task}
    value = panel.label_column if isinstance(panel, Scores) and panel.scale else panel.value
    if isinstance(panel, Votes):
        out |= {"judge": panel.judge, **{n: panel.labels[n] for n in NEEDED[:2]}, "winner": panel.winner}
    else:
        out |= {"judge": panel.judge, "item": panel.item, panel.value_name: value}
    if panel.occasion.ids != (1,):
        out["occasion"] = panel.occasion
    if (panel.count != 1).any():
        out["count"] = panel.count
    return out | dict(panel.labels)
