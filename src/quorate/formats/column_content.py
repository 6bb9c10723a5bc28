"""What columns are by what is in them, where no name tells: columns of like values, items, labels, totals and means.

Of a matrix, last rows and columns called as totals are left out, which is a guess; one amid the others is asked about.
In a long table a judge or item may well be called so: it stays, and that is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import SHOWN
from quorate.formats import wide
from quorate.formats.cells import is_index, is_missing_code, is_numeral
from quorate.formats.file_parts import Part
from quorate.formats.names import KNOWN, NUMBERS, SYNONYMS, is_confidence, no_score, standing_for, stands_for, taken
from quorate.formats.word_scales import scales_of
from quorate.panel.base import listed, many
from quorate.panel.columns import Coded, encode, is_blank, keys, numbers
from quorate.panel.reading import Guess, option
from quorate.panel.votes import NEEDED

DATE = re.compile(r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d).*", re.DOTALL)
# Words for what numbers the rows.
ID_WORDS = ("id", "nr", "no", "number", "case", "row", "index", "name", "patient", "object", "target", "stimulus")

CARDS = ("card", "cards", "cardlabel", "cardname", "cardtitle", "cardtext", "cardid")  # names of a column of cards
RATER = re.compile(r"([a-z]+?)[ _.-]?(\d+|[a-z])(?:[ _.-](?:score|rating|grade|label))?", re.IGNORECASE)
TOTALS = (  # names of rows and columns of totals, without case and marks
    *("total", "totals", "subtotal", "grandtotal", "mean", "means", "average", "averages", "avg", "sum", "median"),
    *("sd", "stdev", "std", "stddev", "standarddeviation", "variance"),
    *("gesamt", "summe", "mittelwert", "durchschnitt", "standardabweichung"),  # as German spreadsheets do,
    *("moyenne", "somme", "écarttype", "promedio", "suma", "desviaciónestándar"),  # French and Spanish ones
)

# Names of columns that hold what was decided after the judges, without case and marks.
DECIDED = (
    *("gold", "goldlabel", "goldstandard", "truth", "groundtruth", "reference", "adjudicated", "adjudication"),
    *("consensus", "majority", "majorityvote", "majoritylabel", "final", "finallabel", "finalscore", "resolved"),
)

# Names of columns of a leaderboard, without case and marks.
FIGURES = (
    *("winrate", "discretewinrate", "lengthcontrolledwinrate", "standarderror", "lcstandarderror", "stderr", "nwins"),
    *("ntotal", "ndraws", "avglength", "elo", "elorating", "arenaelo", "ratingq025", "ratingq975", "cilow", "cihigh"),
    *("finalranking", "numbattles", "alpha", "ci95low", "ci95high", "percentagreement"),
)


def word(name: str) -> str:
    """A name without case, blanks and marks."""
    return re.sub(r"[\W_]+", "", name).lower()


def dates(column: Coded) -> bool:
    """Whether a column holds dates and nothing else."""
    filled = [i for i in column.ids if not is_blank(i)]
    return bool(filled) and all(isinstance(i, str) and DATE.fullmatch(i.strip()) for i in filled)


def of_one_sort(columns: Mapping[str, Coded], unnamed: bool) -> list[str]:
    """The columns that hold values like those of most others: numbers of about the same size, or the same words.

    Columns that number the rows are left out: by their name, or the first of a table whose rows are ``unnamed``.
    """
    number = {n: c for n, c in columns.items() if share_of_numbers(c) >= 0.5}
    worded = {n: c for n, c in columns.items() if n not in number}
    if len(worded) > len(number):
        shared = {n for n in worded if _shares(n, worded)} | _of_one_scale(worded)
        return [n for n in worded if n in shared] or list(worded)
    spans = {n: _span(c) for n, c in number.items()}
    kept = []
    lows, highs = sorted(s[0] for s in spans.values()), sorted((s[2] for s in spans.values()), reverse=True)
    for n, (bottom, middle, top) in spans.items():
        if len(spans) < 3 or len(columns[n]) < 3:
            kept.append(n)
            continue
        low, high = lows[lows[0] == bottom], highs[highs[0] == top]  # of the others
        margin = max(high - low, abs(low) / 2, abs(high) / 2, 1)
        if low - margin <= middle <= high + margin:
            kept.append(n)
    index = [n for n in kept if is_index(columns[n]) and len(columns[n]) > 2 and len(kept) > 2]
    numbers = [n for n in index if word(n) in ID_WORDS or (unnamed and n == next(iter(columns)))]
    return [n for n in kept if n not in numbers or len(index) == len(kept)]


def _span(column: Coded) -> tuple[float, float, float]:
    found = values(column)
    found = found[~np.isnan(found)]
    return (float(found.min()), float(np.median(found)), float(found.max())) if len(found) else (0.0, 0.0, 0.0)


def share_of_numbers(column: Coded) -> float:
    """How many of a column's different values are numbers, from 0 to 1; missing ones do not count."""
    filled = [i for i in column.ids if not is_blank(i) and not is_missing_code(i)]
    return sum(map(is_numeral, filled)) / len(filled) if filled else 1.0


def _shares(name: str, columns: Mapping[str, Coded]) -> bool:
    """Whether at least half of a column's cells hold words that another column has too."""
    own = columns[name]
    others = {i for n, c in columns.items() if n != name for i in c.ids}
    known = np.array([is_blank(i) or i in others for i in own.ids], bool)[own.codes]
    return bool(known.mean() >= 0.5)


def _of_one_scale(columns: Mapping[str, Coded]) -> set[str]:
    """Columns whose words are all of one well-known scale, where there are several: few answers share few words."""
    scales = {n: scales_of(i for i in c.ids if not is_blank(i)) for n, c in columns.items()}
    return {n for n, own in scales.items() if any(own & other for m, other in scales.items() if m != n)}


def each_its_own(column: Coded) -> bool:
    """Whether every row has a value of its own, as notes and names have."""
    return len(column) > 3 and len(column.ids) == len(column)


def values(column: Coded) -> Any:
    """A column's numbers; nan where there is none."""
    return np.array([wide.cell_number(i) if is_numeral(i) else np.nan for i in column.ids], float)[column.codes]


def of_cards(down: str, columns: Sequence[Coded]) -> bool:
    """Whether rows are cards and cells words: the groups into which each judge, a column, put them."""
    return word(down) in CARDS and all(share_of_numbers(c) < 0.5 for c in columns)


def is_rater(name: str) -> bool:
    """Whether a column is called as judges are that have a number or a letter: rater1, Expert B, judge_2_score."""
    found = RATER.fullmatch(name)
    return found is not None and found[1].lower() in SYNONYMS["judge"]


# -- totals, means and figures of leaderboards -------------------------------------------------------------------------


def is_total(name: object) -> bool:
    """Whether a row or column is called as totals and means are.

    >>> is_total("Std. Dev."), is_total("GRAND TOTAL"), is_total("meaning")
    (True, True, False)
    """
    text = str(name)
    return not text[-1:].isdigit() and word(text) in TOTALS  # of very many names most end in a number


def is_decided(name: object) -> bool:
    """Whether a column is called as what was decided after the judges, such as the gold label."""
    return word(str(name)) in DECIDED


def is_figure(name: object) -> bool:
    """Whether a column is called as those of a leaderboard are: no judge is called ``win_rate``."""
    return word(str(name)) in FIGURES


def left_out(what: str) -> Guess:
    """That rows or columns are totals."""
    return Guess(f"{what}: totals, which are left out", "--totals drop")


def without_total_rows(part: Part, down: str, told: str | None) -> tuple[Part, str]:
    """The rows of a matrix without totals, and what was left out; ``told`` is the option, drop or keep.

    Where it is not told, only the last rows are left out, and one amid the others is an error that asks.
    """
    if not down or told == "keep" or len(part) < 2:
        return part, ""
    names = encode(part.raw[down])
    odd = np.array([is_total(i) for i in names.ids], bool)[names.codes]
    rows = np.flatnonzero(odd)
    if not len(rows) or odd.all():
        return part, ""
    amid = rows[rows < np.flatnonzero(~odd)[-1]]
    if len(amid) and told is None:
        said = (f"the row '{names[r]}'" for r in amid.tolist())
        hint = "--totals drop leaves out rows and columns called so; --totals keep reads them like the others."
        raise part.source.error("is this a total or mean of the others?", amid, said, hint)
    called = [str(names[r]) for r in rows.tolist()]
    return part.take(np.flatnonzero(~odd)), f"the row{'s' * (len(rows) > 1)} {listed(called)}"


def without_notes_below(part: Part, down: str, notes: list[str]) -> Part:
    """The rows of a matrix without the last ones that hold nothing but a name: notes that stand below a table."""
    filled = np.zeros(len(part), bool)
    for name, column in part.raw.items():
        held = encode(column)
        filled |= (name != down) & ~np.array([is_blank(i) for i in held.ids], bool)[held.codes]
    size = int(np.flatnonzero(filled)[-1]) + 1 if filled.any() else len(part)
    if size < len(part):
        said = listed([f"'{i}'" for i in encode(part.raw[down]).values()[size:]], SHOWN)
        rows = many(len(part) - size, "row")
        notes.append(f"{part.name}: {rows} below the table, of a name and nothing else, left aside: {said}")
    return part.take(np.arange(size)) if size < len(part) else part


def of_long_table(part: Part, told: str | None) -> Part:
    """A long table with judges and items called as totals are: they are named, and left out if that is told."""
    odd = np.zeros(len(part), bool)
    found: list[str] = []
    for role in ("judge", "item") if told != "keep" else ():
        if role in part.raw:
            column = encode(part.raw[role])
            called = [is_total(i) for i in column.ids]
            odd |= np.array(called, bool)[column.codes]
            found += [f"the {role} '{i}'" for i, so in zip(column.ids, called, strict=True) if so]
    if not found or odd.all():
        return part
    if told == "drop":
        note = f"{part.name}: {many(int(odd.sum()), 'row')} left out as totals ({listed(found)})"
        return replace(part.take(np.flatnonzero(~odd)), notes=[*part.notes, note])
    read, so = ("is", "it is a total") if len(found) == 1 else ("are", "they are totals")
    said = f"{listed(found)} {read} read like the others (if {so}: --totals drop)"
    return replace(part, guesses=(*part.guesses, Guess(said, "--totals keep")))


# -- items and labels --------------------------------------------------------------------------------------------------

ONCE = 0.95  # of the rows: a judge has an item once, but for a few that come again
SHARED = 0.5  # of the rows are of items that several judges have
WORDS = 0.5  # of the rows at most are different labels
FEW_ROWS = 5  # of a judge on average, of fewer whatever a column says may be the same in all by luck


def holds_numbers(values: Any) -> bool:
    """Whether a column holds numbers alone, and at least one."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "iuf"
    filled = [i for i in encode(values).ids if not is_blank(i)]
    return bool(filled) and all(map(is_numeral, filled))


def item_by_content(part: Part) -> Part | None:
    """The part with judges and items, where a column is called after judges and one other alone can name the items.

    Judges have several rows each, an item once each, and items in common.
    """
    raw = part.raw
    free = [n for n in raw if n not in KNOWN]
    judge = "judge" if "judge" in raw else standing_for("judge", free)
    if judge is None or "item" in raw or "system" in raw:
        return None
    judges = encode(raw[judge])
    if len(judges.ids) in (1, len(judges)):
        return None
    task = "task" if "task" in raw else standing_for("task", [n for n in free if n != judge])
    found = _items(part, judge, task) or _items(part, judge, "task" if "task" in raw else None)
    if not found or len(np.unique(keys(*(encode(raw[n]) for n in found)))) > len(encode(raw[found[0]]).ids):
        return None  # none, or several that are not the same by other names
    new = {judge: "judge", **({task: "task"} if task else {}), found[0]: "item"}
    guesses = [taken(old, role) for old, role in new.items() if old != role]
    columns = {new.get(n, n): c for n, c in raw.items()}
    return replace(part, raw=columns, guesses=(*part.guesses, *guesses), became=new)


def _items(part: Part, judge: str, task: str | None) -> list[str]:
    """The columns that may name the items, on a task and else on an occasion: words rather than numbers."""
    raw, judges = part.raw, encode(part.raw[judge])
    free = [n for n in raw if n not in KNOWN and n not in (judge, task)]
    again = [n for n in free if stands_for(n, "occasion") is not None]
    on_task = [encode(raw[n]) for n in (task,) if n is not None]
    if task and _different(judges, *on_task) == len(part):
        return []  # it is what is judged
    for apart in (on_task, [*on_task, *(encode(raw[n]) for n in again)]):
        found = [n for n in free if n not in again and _names_items(encode(raw[n]), judges, apart)]
        worded = [n for n in found if not holds_numbers(raw[n])]
        if found := worded or [n for n in found if n.lower().endswith(("id", "no", "number", "nr"))]:
            return found
    return []


def _names_items(column: Coded, judges: Coded, apart: list[Coded]) -> bool:
    """Whether every judge has each of these once, on a task and an occasion, and most of them are had by several."""
    items = keys(column, *apart)
    once = len(np.unique(np.stack([items, judges.codes.astype(np.int64)]), axis=1)[0])
    return bool(once >= ONCE * len(items) and had_by_several(items, judges) >= SHARED)


def task_of_votes(part: Part) -> Part:
    """The part with a task, where no column is called so and one alone tells a judge's votes on a pair apart, and is
    about what several judges voted on, or numbers the votes of the only judge; else votes again on a pair are told."""
    if {"task", "question", "question_id"} & part.raw.keys() or "judge" not in part.raw:
        return part
    pair, judge = [encode(part.raw[n]) for n in NEEDED[:2]], encode(part.raw["judge"])
    again = len(part) - _different(judge, *pair)
    free = {n: encode(c) for n, c in part.raw.items() if n not in KNOWN} if again else {}
    apart = {n: c for n, c in free.items() if len(part) - _different(judge, *pair, c) <= (1 - ONCE) * again}
    found = {n: c for n, c in apart.items() if had_by_several(keys(*pair, c), judge) >= SHARED}
    if not found and len(judge.ids) == 1:
        found = {n: c for n, c in apart.items() if NUMBERS.search(n)}
    if not found or _different(*found.values()) > len(next(iter(found.values())).ids):
        if not apart:
            return part  # else there is none, or several that are not the same by other names
        said = f"{part.name}: {many(again, 'vote')} on a pair that the judge has voted on before, without a task"
        likely = next((n for n in apart if NUMBERS.search(n)), next(iter(apart)))
        return replace(part, notes=[*part.notes, f"{said} ({option('rename', f'{likely}=task')})"])
    name = next(iter(found))
    raw = {"task" if n == name else n: c for n, c in part.raw.items()}
    return replace(part, raw=raw, guesses=(*part.guesses, taken(name, "task")), became={**part.became, name: "task"})


def _different(*columns: Coded) -> int:
    """How many rows of columns differ."""
    return len(np.unique(keys(*columns)))


def had_by_several(what: NDArray[Any], judges: Coded) -> float:
    """The share of rows about something that more than one judge has a row about."""
    _, thing = np.unique(what, return_inverse=True)
    both = np.unique(np.stack([thing.ravel(), judges.codes.astype(np.int64)]), axis=1)[0]
    return float((np.bincount(both)[thing.ravel()] > 1).mean())


def one_row_each(part: Part) -> str:
    """The option that makes a long table of one whose names nobody knows: two columns that tell all rows apart."""
    if {"judge", "item"} & part.raw.keys():
        return ""
    columns = {n: encode(c) for n, c in list(part.raw.items())[:8]}
    again = [n for n, c in columns.items() if 1 < len(c.ids) < len(c) and not holds_numbers(part.raw[n])]
    for pair in combinations(again, 2):
        judge, item = sorted(pair, key=lambda n: len(columns[n].ids))
        rest = [n for n in columns if n not in pair and len(columns[n].ids) > 1]
        shared = set(columns[judge].ids) & set(columns[item].ids)  # columns of labels, each a judge's
        if rest and not shared and _names_items(columns[item], columns[judge], []):
            number = [n for n in rest if holds_numbers(part.raw[n]) and not each_its_own(columns[n])]
            value = next(iter(number), rest[-1])
            role = _said_in(columns[value], columns[judge]) if number else "label"
            return option("rename", f"{judge}=judge", f"{item}=item", f"{value}={role}")
    return ""


def _said_in(column: Coded, judges: Coded) -> str:
    """What a column of numbers is likely to hold: places, where every judge has 1, 2, 3, ... once, else scores."""
    number, rows = values(column), judges.codes
    often = np.bincount(rows)
    start = np.repeat(np.cumsum(often) - often, often)
    placed = number[np.lexsort((number, rows))] == np.arange(1, len(rows) + 1) - start
    return "position" if often.min() > 1 and placed.all() else "score"


def label_by_content(part: Part) -> Part | None:
    """The part with labels: no column beside judge and item holds numbers, and one holds words that come again, which
    are not the same wherever a judge is, or an item."""
    free = [n for n in part.raw if n not in KNOWN]
    if not {"judge", "item"} <= part.raw.keys():
        return None
    apart = about_judges(part, free)
    beside = [n for n in free if n in apart or no_score(n) or is_confidence(n)]
    if any(holds_numbers(part.raw[n]) for n in free if n not in beside):
        return None
    found = [n for n in free if n not in beside and 1 < len(encode(part.raw[n]).ids) <= WORDS * len(part)]
    shown = [n for n in found if fixed(part.raw, "item", n)]
    found = [n for n in found if n not in shown] or found
    if len(found) != 1 or _words(part, found) & _words(part, (n for n in free if n != found[0])):  # choice of a text
        return None
    raw = {"label" if n == found[0] else n: c for n, c in part.raw.items()}
    guesses = (*part.guesses, taken(found[0], "label"))
    return replace(part, raw=raw, guesses=guesses, became={**part.became, found[0]: "label"})


def _words(part: Part, columns: Iterable[str]) -> set[Any]:
    return {i for n in columns for i in encode(part.raw[n]).ids if not is_blank(i)}


def as_value(part: Part, column: str, role: str) -> Part:
    """The part with a column as that of places or groups."""
    raw = {role if n == column else n: c for n, c in part.raw.items()}
    raw[role] = numbers(raw[role], column, part.source) if role == "position" else encode(raw[role])
    guesses = part.guesses if column == role else (*part.guesses, taken(column, role))
    return replace(part, raw=raw, guesses=guesses, became={**part.became, column: role})


def about_judges(part: Part, free: Sequence[str]) -> list[str]:
    """The columns that say something of judges, such as their age or country: each of several judges with several rows
    has one of a few, unless that is so of all columns."""
    if "judge" not in part.raw or len(part) < FEW_ROWS * len(encode(part.raw["judge"]).ids):
        return []
    found = [n for n in free if fixed(part.raw, "judge", n)]
    return found if len(found) < len(free) else []


def fixed(raw: Mapping[str, Any], of: str, column: str) -> bool:
    """Whether a column says the same wherever a judge (or item) is, of several, and not the same of all."""
    whole, value = encode(raw[of]), encode(raw[column])
    if not 1 < len(value.ids) <= len(whole.ids) < len(whole):
        return False
    said = np.empty(len(whole.ids), np.int64)
    said[whole.codes] = value.codes
    return bool((said[whole.codes] == value.codes).all())
