"""Tables, whatever file or frame they come from: column names decide what they mean, and else the cells do.

A :class:`Plan` is made from the column names before any row is read: whether the table is long (one row per judge and
item), has one column per criterion, or is a matrix (one column per judge or per item); and which columns are numbers.
What is not told but taken to be so is a :class:`Guess`; docs/formats/receipt.md lists the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Any

from quorate.errors import InputError
from quorate.formats import matrix, number_forms, vote_tables, word_scales, written_orders
from quorate.formats import wide as wide_tables
from quorate.formats.answers import looks_like_several, several_labels
from quorate.formats.cells import name_all, refuse_missing_codes, tidy, without_codes
from quorate.formats.column_builder import Numeric
from quorate.formats.column_content import (
    WORDS,
    about_judges,
    as_value,
    fixed,
    holds_numbers,
    is_total,
    item_by_content,
    label_by_content,
    left_out,
    of_long_table,
    task_of_votes,
)
from quorate.formats.file_parts import Part, assemble, columns_became
from quorate.formats.matrix_cells import ONCE, places_in_rows
from quorate.formats.names import (
    KNOWN,
    SYNONYMS,
    VALUES,
    WINS,
    WON,
    check_chosen,
    check_places,
    check_winner,
    clean,
    is_confidence,
    is_run,
    no_score,
    standing_for,
    stands_for,
    taken,
    understood,
    votes_by_name,
    with_label,
)
from quorate.formats.repeats import placed_apart, told_apart
from quorate.formats.table_options import TableOptions, check_options, table_options
from quorate.panel.base import constant
from quorate.panel.base import listed as in_words
from quorate.panel.columns import Coded, encode
from quorate.panel.kinds import PANELS, Panel, infer_kind
from quorate.panel.reading import Guess, option
from quorate.panel.votes import NEEDED

BY_FILE = "@file"


@dataclass(frozen=True)
class Plan:
    """What a table's columns mean."""

    where: str
    names: list[str]  # as understood, in the table's order
    given: list[str]  # as they stand in the file
    told: TableOptions
    layout: str  # long, criteria, eliminated, matrix or votes
    kind: str = ""
    guesses: tuple[Guess, ...] = ()
    labels: bool = False  # scores are labels
    judge: str = ""  # whose judgments all are, where no column tells

    @property
    def rename(self) -> Mapping[str, str]:
        """Columns that are taken under another name."""
        return self.told.rename

    def numeric(self, comma: bool | None = False) -> Numeric:
        """Columns of numbers; ``comma`` says whether a decimal comma may be guessed."""
        columns: dict[str, bool] = {}
        if self.layout == "criteria" and not self.labels:
            columns = dict.fromkeys(map(clean, self.told.criteria), True)
        elif self.layout == "long":
            worded = self.kind == "groupings" or self.labels
            columns = {} if worded else {PANELS[self.kind].value_column: self.kind == "scores"}
            columns["count"] = False
        elif self.layout == "votes":
            columns["count"] = False
        settled = None if self.told.decimal is None else self.told.decimal == ","
        return Numeric(columns, self.told.missing, comma if settled is None else settled)

    def shape(self, part: Part) -> Part:
        """The part's columns as one row per judge and item, with its kind, its guesses and what each column became."""
        if not len(part):
            raise InputError(f"{self.where}: no rows below the column names.", "a panel needs at least one judgment.")
        told, exact, task = self.told, self.told.exact, [clean(n) for n in self.told.task]
        part = tidy(part, () if exact else told.missing, exact)
        part = replace(part, guesses=(*self.guesses, *part.guesses))
        layout, orders = self.layout, None
        if layout in ("matrix", "eliminated"):
            part = number_forms.without_commas(part, [n for n in part.raw if n not in KNOWN], told.decimal)
        worded = layout == "long" and isinstance(part.raw.get("position"), Coded)  # they can only be orders
        if layout == "eliminated" or worded:
            before = understood(self.where, self.given, told.rename, unnamed=True)  # words stood for others
            named = {old: part.raw[n] for old, n in zip(before, self.names, strict=True) if n in part.raw}
            found = replace(part, raw=named, guesses=())
            orders = self._orders(found) or self._by_place(found)
            layout = "orders" if orders else layout if worded else self._eliminated(part)
        if orders:
            part = orders
        elif layout == "matrix":
            part = replace(part, raw=vote_tables.with_task(part, task)) if task else part
            asked = told.wide or told.item_columns or told.judge_columns
            if not (asked or told.kind or told.labels):
                check_winner(self.where, list(part.raw), lambda n: holds_numbers(part.raw[n]))
            of_items = None if asked or matrix.of_places(part) else item_by_content(part)
            part = self._orders(part) or (of_items and self._of_items(of_items)) or matrix.long(part, told)
        else:
            part = name_all(part)
            if layout == "votes":
                part = part if "winner" in part.raw else vote_tables.named_winners(part)
                part = part if task else task_of_votes(part)
                part = replace(vote_tables.shape(part, task, told.winner), kind="votes")
            else:
                if task:
                    part = replace(part, raw=vote_tables.with_task(part, task), became=dict.fromkeys(task, "task"))
                part = self._long(of_long_table(part, told.totals), layout)
        if part.kind == "scores" and not (self.labels or told.labels or told.scale or told.several):
            part = word_scales.ordered(part, "score" if "score" in part.raw else "label")
        part = without_codes(part, told.missing)
        if not exact:
            values = [n for n in VALUES if n in part.raw]
            refuse_missing_codes(part, values, told.missing)
        part = word_scales.on_scale(part, told.scale) if told.scale else part
        became = part.columns or columns_became(self.given, self.names, part)
        return replace(part, scale=told.scale or part.scale, columns=became, several=told.several)

    def _orders(self, part: Part) -> Part | None:
        """Orders that are written in single cells, unless something else is asked for."""
        told = self.told
        if told.kind not in (None, "orderings") or told.wide or told.judge_columns or told.item_columns or told.labels:
            return None
        find = partial(matrix.judges, part, told=True)
        return written_orders.long(part, find, told=told.kind is not None)

    def _by_place(self, part: Part) -> Part | None:
        """Orders with a column for each place; what was taken for an item beside them is the task."""
        free = self.told.kind in (None, "orderings") and not self.told.labels
        return matrix.long(part, self.told) if free and matrix.of_places(part) else None

    def _eliminated(self, part: Part) -> str:
        """Criteria, unless every judge has one row and the item was a guess: then each column is an item."""
        guessed = any(g.role == "item" for g in self.guesses)
        judges = encode(part.raw["judge"])
        return "matrix" if guessed and len(judges.ids) == len(judges) > 1 else "criteria"

    def _of_items(self, part: Part) -> Part | None:
        """A table whose items the cells tell: places or groups by the name of a column, else scores or labels."""
        kinds = [k for k in ("orderings", "groupings") if self.told.kind in (None, k) and not self.told.labels]
        for kind in kinds:
            role = PANELS[kind].value_column
            column = role if role in part.raw else standing_for(role, [n for n in part.raw if n not in KNOWN])
            if column and (self.told.kind or holds_numbers(part.raw[column])):
                return replace(self, kind=kind)._long(as_value(part, column, role), "long")
        return self._long(part, "criteria") if self.told.kind in (None, "scores") else None

    def _long(self, part: Part, layout: str) -> Part:
        part = replace(part, raw={**part.raw, "judge": constant(self.judge, len(part))}) if self.judge else part
        if not self.judge and not {"item", "system"} & part.raw.keys():
            part = item_by_content(part) or part
            self._check_named(part)
        if not self.judge:
            self._check_item(part)
            self._check_group(part)
        if layout == "criteria" and not (self.told.criteria or self.told.task):
            part = told_apart(part, "scores", beside_scores=True)  # a segment's number is no score
        if layout == "criteria" and not self.told.criteria:
            check_chosen(self.where, [n for n in part.raw if n not in KNOWN])
        labelled = label_by_content(part) if layout == "criteria" and not self.told.criteria else None
        if labelled:
            part = labelled
        elif layout == "criteria":
            chosen, part = self._criteria(part)
            part = wide_tables.melt_criteria(part, chosen, self.labels)
        raw = dict(part.raw)
        if "item" not in raw and "system" in raw and (self.kind or "scores") == "scores":
            raw["item"] = raw["system"]
        kind = self.kind or "scores"
        part = replace(part, raw=raw, kind=kind)
        return part if self.told.task else placed_apart(told_apart(part, kind))

    def _check_named(self, part: Part) -> None:
        """Judgments of items that no column names are asked about, where one might."""
        free = [n for n in part.raw if n not in KNOWN]
        if "judge" in part.raw and free and not {"item", "system", "task"} & part.raw.keys():
            raise InputError(
                f"{self.where}: the column 'judge' names judges, but which column names the items?",
                f"--rename COLUMN=item. Other columns: {', '.join(free[:40])}.",
            )

    def _check_item(self, part: Part) -> None:
        """A column that was taken as the item because of its name, but is different in every row, numbers the rows."""
        guessed = next((g for g in self.guesses if g.role == "item"), None)
        if (
            guessed
            and len(part) > 3
            and len(encode(part.raw["item"]).ids) == len(part) > len(encode(part.raw["judge"]).ids)
        ):
            name = self.given[self.names.index("item")]
            others = ", ".join(g for g, n in zip(self.given, self.names, strict=True) if n != "item")
            raise InputError(
                f"{self.where}: which column names the items? '{name}' is different in every row.",
                f"--rename COLUMN=item; if it is '{name}', {guessed.option}. Other columns: {others}.",
            )

    def _check_group(self, part: Part) -> None:
        """A column 'group' beside places or scores that tells judges or items apart is no judge's grouping."""
        if self.kind != "groupings" or self.told.kind or not {"judge", "item"} <= part.raw.keys():
            return
        words = {n: role for n in part.raw for role in ("position", "score") if stands_for(n, role) is not None}
        whose = next((n for n in ("judge", "item") if fixed(part.raw, n, "group")), None)
        if whose == "judge" and "label" in part.raw:  # of items it may be the name of a group that all made
            words["label"] = "label"
        if words and whose:
            column, role = next(iter(words.items()))
            meant = "group=team" + (f",{column}={role}" if column != role else "")
            raise InputError(
                f"{self.where}: every {whose} has one group only, so 'group' may not be where judges put items; "
                f"'{column}' may hold their judgments.",
                f"{option('rename', meant)}; or, if judges put items in these groups, --kind groupings.",
            )

    def _criteria(self, part: Part) -> tuple[list[str], Part]:
        """Those named; or else every column of numbers that has no meaning of its own."""
        if self.told.criteria:
            return [clean(c) for c in self.told.criteria], part
        free = [n for n in part.raw if n not in KNOWN]
        apart = about_judges(part, free)
        found = [n for n in free if n not in apart and not no_score(n) and holds_numbers(part.raw[n])]
        sure = [n for n in found if is_confidence(n)]
        found, sure = ([n for n in found if n not in sure], sure) if len(found) > len(sure) else (found, [])
        if not free:
            _infer(list(part.raw), self.where)
        if not found:
            fact = f"{self.where}: no column of scores beside {', '.join(n for n in part.raw if n in KNOWN)}."
            worded = next((n for n in free if word_scales.in_order(filter(None, encode(part.raw[n]).ids))), None)
            asked = [n for n in free if n not in apart] or free
            few = min(asked, key=lambda n: len(encode(part.raw[n]).ids))
            say = option("rename", f"{worded}=score" if worded else f"{few}=label")
            several = [n for n in asked if 1 < len(encode(part.raw[n]).ids) <= WORDS * len(part)]
            more = f", {option('criteria', *several)} --labels those of several columns" if len(several) > 1 else ""
            raise InputError(fact, f"{say} takes words as labels{more}; columns found: {', '.join(free)}.")
        self._check_places(part, found)
        totals = [n for n in found if is_total(n)] if self.told.totals != "keep" else []
        if 0 < len(totals) < len(found) - 1:
            found = [n for n in found if n not in totals]
            are = f"the column{'s' if len(totals) > 1 else ''} {', '.join(totals)}"
            part = replace(part, guesses=(*part.guesses, left_out(are)))
        said = f"the column {found[0]} is taken as a criterion"
        said = f"the columns {', '.join(found)} are taken as criteria" if len(found) > 1 else said
        aside = [n for n in free if n not in (*found, *totals, *apart, *sure) and not no_score(n)]
        said += f", not {in_words(aside)}, which {'holds' if len(aside) == 1 else 'hold'} no numbers" if aside else ""
        for kept, what in ((sure, "how sure judges are"), (apart, "of which a judge has one")):
            said += f"; {in_words(kept)}, {what}, {'is' if len(kept) == 1 else 'are'} kept beside" if kept else ""
        return found, replace(part, guesses=(*part.guesses, Guess(said, option("criteria", *found))))

    def _check_places(self, part: Part, found: Sequence[str]) -> None:
        """Columns whose rows hold the places 1, 2, 3, ... are asked about: of places the smallest is the best."""
        columns = [encode(part.raw[n]) for n in found]
        if len(found) < 3 or len(part) < 3 or places_in_rows(columns) != ONCE:
            return
        about = next((g.column for g in part.guesses if g.role == "item"), "")
        task = f" {option('rename', f'{about}=task')}" if about else ""
        raise InputError(
            f"{self.where}: each row of {in_words(found, 5)} holds the numbers 1, 2, 3, ...: are they places?",
            f"places: {option('item-columns', *found)} --kind orderings{task}; scores of which higher is better: "
            f"{option('criteria', *found)}.",
        )


def plan(where: str, columns: Sequence[object], kind: str | None = None, **layout: Any) -> Plan:
    """What these columns mean; options that cannot be are errors."""
    told = table_options(kind, layout)
    names = understood(where, columns, told.rename, unnamed=True)
    given = [str(c).strip() for c in columns]
    check_options(where, told, names)
    voted, guesses = votes_by_name(names)
    who = any(set(ways) <= set(voted) for ways in (NEEDED, WON[0], (*NEEDED[:2], *WINS[:2])))
    if who and not (told.criteria or told.wide or (told.kind and _values(names, told))):
        return Plan(where, voted, given, told, "votes", "votes", guesses)
    if told.kind in (None, "votes") and not (told.criteria or told.wide or _values(names, told)):
        check_places(where, names)
    as_labels = told.labels or bool(told.scale) or bool(told.several)
    parted = told.criteria and not set(map(clean, told.criteria)) & set(names)  # of the names of a matrix' columns
    if told.wide or told.judge_columns or told.item_columns or parted:
        return Plan(where, names, given, told, "matrix")
    if found := _one_judge(where, names, told):
        names, guesses, judge = found
        names = with_label(names) if as_labels else names
        kind = told.kind or _infer(names, where)
        return Plan(where, names, given, told, "long", kind, guesses, as_labels or "score" not in names, judge)
    names, guesses, complete = _by_name(names, told)
    names = with_label(names) if as_labels else names
    values = _values(names, told)
    place = standing_for("position", [n for n in names if n not in KNOWN]) if values == {"score"} else None
    if place and told.kind is None:
        listed = is_run(given[names.index("judge")]) if "judge" in names else False
        kind, what = ("orderings", "places") if listed else ("scores", "scores")
        said = f"beside scores there are places in '{place}': the {what} are read (--kind orderings or scores)"
        say = f"--kind {kind}" + f" {option('rename', f'{place}=position')}" * listed
        told, guesses = replace(told, kind=kind), (*guesses, Guess(said, say))
        names = ["position" if listed and n == place else n for n in names]
    if as_labels and not values and not told.criteria and complete:
        raise InputError(f"{where}: no column 'score' or 'label'.", f"columns found: {', '.join(names[:40])}.")
    if told.criteria:
        judge = "" if "judge" in names else _of_file(where, told.judge) if told.judge else ""
        return Plan(where, names, given, told, "criteria", "scores", guesses, as_labels, judge)
    if values:
        kind = told.kind or _infer(names, where)
        only_labels = as_labels or ("label" in names and "score" not in names)
        return Plan(where, names, given, told, "long", kind, guesses, only_labels and kind == "scores")
    if complete and told.kind in (None, "scores"):
        return Plan(where, names, given, told, "eliminated", "scores", guesses, as_labels)
    return Plan(where, understood(where, columns, told.rename, unnamed=True), given, told, "matrix")


def _values(names: Iterable[str], told: TableOptions) -> set[str]:
    """The columns that say what a judge thinks of an item, of the kind asked for if one is."""
    kinds = [k for k in ([told.kind] if told.kind else PANELS) if k != "votes"]
    wanted = {PANELS[k].value_column for k in kinds} | ({"label"} if "scores" in kinds else set())
    return wanted & set(names)


def _by_name(names: list[str], told: TableOptions) -> tuple[list[str], tuple[Guess, ...], bool]:
    """The names with words that stand for others replaced, what was guessed, and whether judge and item are there.

    Nothing is replaced unless a judge is found, and then only what a long table lacks.
    """
    new, guesses = dict(zip(names, names, strict=True)), []

    def find(role: str, among: Sequence[str]) -> bool:
        if role in names:
            return True
        column = standing_for(role, [n for n in among if new[n] == n and n not in (*told.criteria, *told.task)])
        if column:
            new[column] = role
            guesses.append(taken(column, role))
        return bool(column)

    judge = bool(told.judge and told.criteria) or find("judge", names)
    if not judge:
        return names, (), False
    free = [n for n in names if n not in KNOWN or n == "text"]
    weak = ("text", "id") if "task" in names else ()  # a task is more of an item than these
    if not {"item", "system"} & set(names):
        about = [n for n in free if stands_for(n, "task") is not None or stands_for(n, "unit") is not None]
        others = [n for n in free if n not in about and n.lower() not in ("text", "id")]
        beside = about or "task" in names or standing_for("item", free) is None
        if beside and _scored(names, free, told) and standing_for("system", free):
            find("system", free)  # outputs of systems for prompts, documents, ...
            find("item", others)
        elif not find("item", [n for n in free if n.lower() not in weak]):
            system = standing_for("system", free)
            if system:
                new[system] = "item"
                guesses.append(taken(system, "item"))
            elif "task" in names:
                new["task"] = "item"
                said = "the column 'task' is taken as the item, for there is no other"
                guesses.append(Guess(said, option("rename", "task=item")))
    item = bool({"item", "system"} & set(new.values()))
    if item and not told.criteria and not _values(names, told):
        roles = ("position", "group", "score") if told.kind is None else (PANELS[told.kind].value_column,)
        _ = any(find(role, free) for role in roles if role != "winner")
    if item and not told.task and "task" not in new.values() and not (_values(names, told) and "judge" in names):
        left = [n for n in names if new[n] == n]
        task = standing_for("task", left) or ("system" in new.values() and standing_for("unit", left)) or None
        if task:
            new[task] = "task"
            guesses.append(taken(task, "task"))
    return [new[n] for n in names], tuple(guesses), judge and item


def _scored(names: Sequence[str], free: Sequence[str], told: TableOptions) -> bool:
    """Whether what is judged is given scores, as far as names tell: systems are scored, ranked ones are items."""
    arranged = {"position", "group"} & set(names) or any(standing_for(role, free) for role in ("position", "group"))
    return told.kind == "scores" or (told.kind is None and ("score" in names or not arranged))


def _one_judge(where: str, names: list[str], told: TableOptions) -> tuple[list[str], tuple[Guess, ...], str] | None:
    """A table of items and one judgment of each that names no judge: one judge's, called as told or after the file."""
    if "judge" in names or told.criteria or (standing_for("judge", names) and not told.judge):
        return None
    new, guesses = dict(zip(names, names, strict=True)), []
    values = [PANELS[told.kind].value_column] if told.kind else ["position", "group", "score", "label"]
    for roles in (["item"], values):
        if set(roles) & set(names):
            continue
        found = ((r, standing_for(r, [n for n in names if new[n] == n])) for r in roles if r in SYNONYMS)
        role, column = next(((r, c) for r, c in found if c), ("", None))
        if column is None:
            return None
        new[column] = role
        guesses.append(taken(column, role))
    after = [new[n] for n in names]
    if not told.judge and not set(after) <= set(KNOWN) - {"system"}:
        return None
    if not told.judge:
        said = "no column names the judges: the file is taken as one judge's, called after it"
        guesses.append(Guess(said, option("judge", BY_FILE)))
    return after, tuple(guesses), _of_file(where, told.judge)


def _of_file(where: str, judge: str) -> str:
    """The judge that is told, or is called after the file."""
    return PurePath(where).name.partition(".")[0] if judge in ("", BY_FILE) else judge


def _infer(names: list[str], where: str) -> str:
    try:
        return infer_kind(names, where)
    except InputError as error:
        more = "kind=... settles it, rename=... gives a column another name, criteria=... takes columns of scores."
        raise InputError(error.fact, f"{error.hint}. {more}") from None


def together(parts: Sequence[Part], kind: str | None = None) -> Panel:
    """One panel of the tables, which must be of one kind; votes also as orderings or scores, if that is asked for."""
    for part in parts:
        if part.kind != parts[0].kind:
            raise InputError(
                f"{part.name}: {part.kind}, but {parts[0].name} has {parts[0].kind}.",
                "read the two kinds as two panels.",
            )
    parts = word_scales.shared(parts) if len(parts) > 1 else parts
    if parts[0].several:
        parts = several_labels(parts, parts[0].several)
    else:
        parts = [looks_like_several(part) if "label" in part.raw else part for part in parts]
    if parts[0].kind != "votes":
        return assemble(parts[0].kind, parts)
    return vote_tables.as_kind(assemble("votes", vote_tables.even(parts)), kind)
