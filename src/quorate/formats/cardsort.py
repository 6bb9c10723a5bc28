"""Card sorts: who put which card into which category, a row each, as kardSort and other tools export them.

A participant is a judge, a card an item, a category a group; a card without a category is left out. A column of
``cards`` may have all cards of a category in one cell.
"""

from __future__ import annotations

import csv
import re
import shlex
from typing import Any, cast

from quorate.errors import InputError
from quorate.formats.files import File, Sink
from quorate.formats.judgments import Judgments, export
from quorate.formats.limits import as_text, refuse
from quorate.formats.registry import ENCODING, Option
from quorate.formats.table_records import heads, rows
from quorate.panel.kinds import ONE_TASK, Groupings, Panel

# Names of columns without case, blanks and marks; the first that is there is taken.
PARTICIPANT = ("participantid", "participant", "userid", "user", "respondentid", "respondent", "testerid", "tester",
               "sessionid", "session", "subjectid", "subject", "uniqueid", "uniqid", "participantname")  # fmt: skip
CARD = ("cardlabel", "cardname", "card", "cardtitle", "cardtext", "cardid", "cards", "cardlabels", "cardnames")
SEVERAL = ("cards", "cardlabels", "cardnames")  # columns whose cells may have several
SIGNS = ("\n", "|", ";", ",")  # that may stand between them
GROUP = (
    *("categoryid", "category", "categorylabel", "categoryname", "groupid", "group", "groupname", "sortedcategory"),
    *("catid", "catno", "catname"),
)
NAME = ("categorylabel", "categoryname", "groupname", "catname")
ORDER = ("cardindex", "categoryindex", "cardorder", "categoryorder", "index", "order", "row", "sortorder")
UNSORTED = ("", "unsorted", "not sorted", "uncategorized", "uncategorised", "-")


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _columns(names: list[str]) -> dict[str, str]:
    """Which column is the judge, the item, the group, and the group's name."""
    bare = {_bare(n): n for n in reversed(names)}
    wanted = {"judge": PARTICIPANT, "item": CARD, "group": GROUP, "category": NAME}
    found = {role: next((bare[n] for n in words if n in bare), "") for role, words in wanted.items()}
    return {role: n for role, n in found.items() if n}


def _sign(given: Any) -> str:
    return {"newline": "\n", "none": "", "comma": ","}.get(str(given), str(given))


BETWEEN = Option(
    "between", "the sign between cards of one cell: ; or | or comma or newline; none: a card a cell", _sign
)


def walk(file: File, found: Judgments, encoding: str, between: str | None = None) -> None:
    """What is in one file; ``between`` is the sign between the cards of one cell."""
    columns = _columns(heads(file))
    if between is None:
        between = _between(file, found, encoding, columns["item"]) if _bare(columns["item"]) in SEVERAL else ""
    for role, name in columns.items():
        found.became("label" if role == "category" else role, name)
    rest = [n for n in heads(file) if n not in columns.values()]
    own = (*CARD, *GROUP, *PARTICIPANT, *NAME, *ORDER, "judge", "item")
    kept = [n for n in rest if _bare(n) not in own]  # what else is known of a judge
    found.became("beside", *kept)
    found.became("", *(n for n in rest if n not in kept))
    for line, row in rows(file, encoding):
        named = row[columns.get("category", columns["group"])].strip()
        group = None if named.lower() in UNSORTED else row[columns["group"]].strip()
        cells = {"judge": row[columns["judge"]].strip(), "group": group}
        if columns.get("category", columns["group"]) != columns["group"]:
            cells["category"] = named or None
        held = row[columns["item"]]
        for card in held.split(between) if between else [held]:
            if card.strip() or not between:
                found.add("groupings", line, **cells, item=card.strip(), **{n: row[n].strip() or None for n in kept})


def _between(file: File, found: Judgments, encoding: str, column: str) -> str:
    """The sign between cards of one cell: the first of the usual ones that any cell has, which is a guess."""
    texts = [row[column].strip() for _, row in rows(file, encoding)]
    sign = next((s for s in SIGNS if any(s in t for t in texts)), "")
    if sign:
        called = {"\n": "newline", ",": "comma"}.get(sign, sign)
        said = f"the cells of '{column}' hold several cards, with {'a ' * (len(called) > 1)}{called} between them"
        found.guess(said, f"--input-option {shlex.quote(f'between={called}')}")
    return sign


def write(panel: Panel, sink: Sink) -> None:
    """Groupings in the columns of kardSort."""
    refuse(panel, "cardsort", kinds=("groupings",), counts=True, occasions=True)
    panel = cast(Groupings, panel)
    if panel.tasks != (ONE_TASK,) or set(panel.labels) - {"category"}:
        raise InputError("cardsort holds one sort of cards, without labels.", "csv holds several, with labels.")
    cards, users = (as_text(c, n, "cardsort") for c, n in ((panel.item, "item"), (panel.judge, "judge")))
    groups = as_text(panel.value, "group", "cardsort", blank=True)
    names = panel.labels["category"].values() if "category" in panel.labels else None
    codes = zip(panel.item.codes.tolist(), panel.value.codes.tolist(), panel.judge.codes.tolist(), strict=True)
    with sink.text() as stream:
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(["card_id", "card_label", "category_id", "category_label", "user_id"])
        for k, (card, group, user) in enumerate(codes):
            label = groups[group] if names is None else names[k] or ""
            out.writerow([card + 1, cards[card], groups[group], label, users[user]])


def sniff(file: File) -> bool:
    """A participant, a card and a category."""
    columns = _columns(heads(file))
    return {"judge", "item", "group"} <= columns.keys() and "card" in columns["item"].lower()


CARDSORT = export(
    "cardsort",
    "card sorts of kardSort and other tools: participant, card, category",
    ("groupings",),
    walk,
    (BETWEEN, ENCODING),
    write=write,
    sniff=sniff,
)
