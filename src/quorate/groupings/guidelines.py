"""The guidelines for judges who cluster, as rules that a machine can check, with messages that a judge can act on.

A cluster has at least two items, from at least two sources; an item is in one cluster; left-out items are explicit;
every cluster has one sentence as its label; the clusters are ranked by importance (Geiss, section 4.1). Rules about
sources, labels and ranks need the columns ``source``, ``label`` and ``importance``, and are not checked without them.
Card sorts have a profile of their own: groups have names (which may be what tells them apart, in ``group``), no group
takes everything, few cards are left over.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from quorate.errors import BadParameter, InputError, suggest
from quorate.groupings.group_names import are_words, normal_name
from quorate.panel.base import ONE_TASK, Panel
from quorate.panel.columns import is_blank
from quorate.panel.kinds import Groupings

RULES = {
    "two_items": "a cluster has at least two items",
    "two_sources": "a cluster has items of at least two sources",
    "one_cluster": "an item is in one cluster",
    "left_out": "left-out items are explicit",
    "label": "a cluster has one sentence as its label",
    "ranked": "the clusters are ranked by importance",
}
CARDS = {
    "one_cluster": "a card is in one group",
    "left_out": "every card is in a group, or set aside explicitly",
    "enough_cards": "at least half of the cards are in a group",
    "two_groups": "there are two groups or more",
    "not_alone": "some cards are together",
    "no_catch_all": "no group holds more than half of the cards, and none is a place for the rest",
    "named": "every group has a name",
    "own_names": "no two groups have the same name",
}
PROFILES = {"clusters": RULES, "cards": CARDS}
SAYS = RULES | {rule: says for rule, says in CARDS.items() if rule not in RULES}
NAMES = ("label", "category")  # columns that may hold what a judge calls a group
NEEDS: Mapping[str, tuple[str, ...]] = {
    "two_sources": ("source",),
    "label": ("label",),
    "ranked": ("importance",),
    "named": NAMES,
    "own_names": NAMES,
}  # columns, any of which will do
SHOWN = 5  # items named in a message
LEAST = 8  # cards in all, from which on half of them in one group are too many
REST = ("misc", "miscellaneous", "other", "others", "rest", "various", "dont know", "unsure", "leftover", "leftovers")


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that a judge broke, where, and what to do about it."""

    rule: str
    task: Hashable
    judge: Hashable
    group: Hashable | None
    message: str


@dataclass(frozen=True)
class Check:
    """Every breach, and the rules that could not be checked."""

    breaches: tuple[Breach, ...]
    judgments: int  # one judge on one task
    unchecked: Mapping[str, str]  # rule -> the column it needs
    rules: tuple[str, ...] = tuple(RULES)

    @property
    def broken(self) -> int:
        """Judgments that break a rule."""
        return len({(b.task, b.judge) for b in self.breaches})

    @property
    def sentences(self) -> tuple[str, ...]:
        """The outcome in words."""
        count = len(self.breaches)
        if not count:
            said = f"All {self.judgments:,} judgments keep the rules." if self.judgments > 1 else "All rules are kept."
        else:
            them = "1 mistake" if count == 1 else f"{count:,} mistakes"
            said = f"{them} to mend, in {self.broken:,} of {self.judgments:,} judgments."
        return (said, *(f"Not checked, since there is no column '{c}': {SAYS[r]}." for r, c in self.unchecked.items()))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dicts."""
        counts = {r: None if r in self.unchecked else sum(b.rule == r for b in self.breaches) for r in self.rules}
        return {
            "judgments": self.judgments,
            "broken": self.broken,
            "rules": [{"rule": r, "says": SAYS[r], "breaches": n} for r, n in counts.items()],
            "breaches": [asdict(b) for b in self.breaches],
        }

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, default=str)

    def to_csv(self) -> str:
        """The breaches as CSV text."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["rule", "task", "judge", "group", "message"])
        writer.writerows(asdict(b).values() for b in self.breaches)
        return out.getvalue()


def check(
    judgments: Groupings | Mapping[str, Sequence[Any]],
    rules: Iterable[str] | None = None,
    items: Iterable[Hashable] | None = None,
    profile: str = "clusters",
) -> Check:
    """Check a panel, or plain columns as a judge has filled them so far, against the rules of a profile, or some.

    Profiles are ``clusters`` (the Clusters paper's guidelines) and ``cards`` (card sorts). ``items`` are those that
    every judge must place or leave out; by default all that any judge of the task has.

    >>> found = check({"judge": ["ann"] * 3, "item": ["x", "y", "z"], "group": [1, 1, 2]})
    >>> [b.message for b in found.breaches]
    ["cluster '2' has one item (z): add another, or leave it out"]
    """
    columns = judgments.columns() if isinstance(judgments, Groupings) else judgments
    if profile not in PROFILES:
        raise BadParameter(f"no profile '{profile}'.", suggest(profile, PROFILES, "Profiles"))
    wanted = list(PROFILES[profile] if rules is None else rules)
    for rule in wanted:
        if rule not in SAYS:
            raise BadParameter(f"no rule '{rule}'.", suggest(rule, SAYS, "Rules"))
    _check_columns(columns)
    if not {*NAMES} & set(columns) and are_words(dict.fromkeys(columns["group"])):
        columns = {**columns, "category": columns["group"]}  # what tells groups apart is what they are called
    unchecked = {r: NEEDS[r][0] for r in wanted if r in NEEDS and not set(NEEDS[r]) & set(columns)}
    sheets = _sheets(columns)
    known: dict[Hashable, dict[Hashable, None]] = {}
    for (task, _), rows in sheets.items():
        known.setdefault(task, {}).update(dict.fromkeys(row["item"] for row in rows))
    given = None if items is None else list(items)
    breaches = []
    for (task, judge), rows in sheets.items():
        for rule in wanted:
            if rule not in unchecked:
                for group, message in _CHECKS[rule](rows, list(known[task]) if given is None else given):
                    breaches.append(Breach(rule, task, judge, group, message))
    return Check(tuple(breaches), len(sheets), unchecked, tuple(wanted))


def check_panel(panel: Panel, rules: Iterable[str] | None = None, profile: str = "clusters") -> Check:
    """Check a panel that was read; it must be of groupings."""
    if not isinstance(panel, Groupings):
        raise InputError(f"the judgments are {panel.kind}.", "the guidelines are for groupings: a column 'group'.")
    return check(panel, rules, profile=profile)


def _check_columns(columns: Mapping[str, Sequence[Any]]) -> None:
    """Whether there is all that a rule looks at, of every row."""
    for name in ("judge", "item", "group"):
        if name not in columns:
            raise InputError(f"no column '{name}'.", f"columns: {', '.join(columns) or 'none'}.")
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise InputError(f"the columns are not of one length: {told}.", "give every row a value; None is left out.")


Row = Mapping[str, Any]
Found = Iterator[tuple[Hashable | None, str]]


def _sheets(columns: Mapping[str, Sequence[Any]]) -> dict[tuple[Hashable, Hashable], list[Row]]:
    """The rows of every judge on every task; repeats are sheets of their own."""
    size = len(columns["item"])
    tasks = columns.get("task", [ONE_TASK] * size)
    occasions = columns.get("occasion", [1] * size)
    out: dict[tuple[Hashable, Hashable], list[Row]] = {}
    for k in range(size):
        again = "" if occasions[k] in (1, "1") else f" (occasion {occasions[k]})"
        judge = f"{columns['judge'][k]}{again}" if again else columns["judge"][k]
        out.setdefault((tasks[k], judge), []).append({name: column[k] for name, column in columns.items()})
    return out


def _clusters(rows: Sequence[Row]) -> dict[Hashable, list[Row]]:
    out: dict[Hashable, list[Row]] = {}
    for row in rows:
        if not is_blank(row["group"]):
            out.setdefault(row["group"], []).append(row)
    return out


def _two_items(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    for group, members in _clusters(rows).items():
        if len({row["item"] for row in members}) < 2:
            yield group, f"cluster '{group}' has one item ({members[0]['item']}): add another, or leave it out"


def _two_sources(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    for group, members in _clusters(rows).items():
        sources = {row["source"] for row in members if not is_blank(row["source"])}
        without = [row["item"] for row in members if is_blank(row["source"])]
        if without:
            yield group, f"cluster '{group}': no source is given for {_listed(without)}"
        elif len(sources) < 2 and len(members) > 1:
            yield group, f"cluster '{group}' is all from {next(iter(sources))}: a topic needs two sources"


def _one_cluster(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    seen: dict[Hashable, dict[Hashable, None]] = {}
    for row in rows:
        group = None if is_blank(row["group"]) else row["group"]
        seen.setdefault(row["item"], {})[group] = None
    for item, groups in seen.items():
        if len(groups) > 1:
            named = [f"'{g}'" if g is not None else "left out" for g in groups]
            yield None, f"{item} is in {' and '.join(named)}: keep it in the more important cluster"


def _left_out(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    there = {row["item"] for row in rows}
    absent = [item for item in items if item not in there]
    if absent:
        yield None, f"nothing is said of {_listed(absent)}: place them, or leave them out with an empty group"
    known = set(items)
    unknown = [item for item in dict.fromkeys(row["item"] for row in rows) if item not in known]
    if unknown:
        yield None, f"{_listed(unknown)}: no such item in this task"


def _label(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    for group, members in _clusters(rows).items():
        labels = dict.fromkeys(str(row["label"]).strip() for row in members if not is_blank(row["label"]))
        if not labels:
            yield group, f"cluster '{group}' has no label: write the sentence that says what it is about"
        elif len(labels) > 1:
            yield group, f"cluster '{group}' has {len(labels)} labels: write one sentence"


def _ranked(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    ranks: dict[float, Hashable] = {}
    for group, members in _clusters(rows).items():
        given = dict.fromkeys(row["importance"] for row in members if not is_blank(row["importance"]))
        if not given:
            yield group, f"cluster '{group}' has no importance: rank it, 1 is the most important"
            continue
        if len(given) > 1:
            yield group, f"cluster '{group}' has {len(given)} ranks ({_listed(list(given))}): give one"
            continue
        rank = next(iter(given))
        try:
            number = float(rank)
        except (TypeError, ValueError):
            yield group, f"cluster '{group}': importance '{rank}' is not a number"
            continue
        if number in ranks:
            yield group, f"clusters '{ranks[number]}' and '{group}' share rank {rank}: decide between them"
        ranks.setdefault(number, group)


# -- card sorts --------------------------------------------------------------------------------------------------------


def _enough_cards(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    used, of = len({row["item"] for row in rows if not is_blank(row["group"])}), len(set(items))
    if 2 * used < of:
        yield None, f"{used} of {of} cards are in a group: sort the others, or leave this sort out"


def _two_groups(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    found = _clusters(rows)
    if len(found) == 1 and len(rows) > 1:
        yield next(iter(found)), "all cards are in one group: nothing was sorted"


def _not_alone(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    found = _clusters(rows)
    if len(found) > 1 and all(len(members) == 1 for members in found.values()):
        yield None, f"each of {len(found)} cards is alone: no two were put together"


def _no_catch_all(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    used = sum(map(len, _clusters(rows).values()))
    for group, members in _clusters(rows).items():
        name = _name(members)
        if name and normal_name(name) in REST:
            yield group, f"group '{name}' is a place for the rest: set its {len(members)} cards aside"
        elif used >= LEAST and 2 * len(members) > used and len(members) < used:
            yield group, f"group '{name or group}' holds {len(members)} of {used} cards: split it"


def _named(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    for group, members in _clusters(rows).items():
        if not _name(members):
            yield group, f"group '{group}' has no name"


def _own_names(rows: Sequence[Row], items: Sequence[Hashable]) -> Found:
    seen: dict[str, Hashable] = {}
    for group, members in _clusters(rows).items():
        name = _name(members)
        if name and seen.setdefault(normal_name(name), group) != group:
            yield group, f"groups '{seen[normal_name(name)]}' and '{group}' are both called '{name}': one group?"


def _name(members: Sequence[Row]) -> str:
    """What the judge calls a group."""
    given = (row.get(column) for column in NAMES for row in members)
    return next((str(name).strip() for name in given if not is_blank(name)), "")


_CHECKS = {
    "two_items": _two_items,
    "two_sources": _two_sources,
    "one_cluster": _one_cluster,
    "left_out": _left_out,
    "label": _label,
    "ranked": _ranked,
    "enough_cards": _enough_cards,
    "two_groups": _two_groups,
    "not_alone": _not_alone,
    "no_catch_all": _no_catch_all,
    "named": _named,
    "own_names": _own_names,
}


def _listed(names: Sequence[Any]) -> str:
    shown = ", ".join(map(str, names[:SHOWN]))
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
