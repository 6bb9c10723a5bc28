"""Text into columns, chunk by chunk: an id is kept once and a row holds its code, so memory follows the rows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import SHOWN, InputError
from quorate.formats import number_forms
from quorate.formats.cells import is_missing_number, minus, missing_hint
from quorate.formats.file_parts import Part
from quorate.formats.files import Bad, bad_lines
from quorate.formats.word_scales import in_order
from quorate.formats.written_orders import looks_written
from quorate.panel.columns import Coded, Source, encode, is_blank, narrow
from quorate.panel.reading import Guess

WORDED: Mapping[str, Callable[[Sequence[Any]], object]] = {"score": in_order, "position": looks_written}
CHUNK = 2_000  # rows held as Python objects at a time; more is slower, for the garbage collector visits them all


class _Codes(dict[Hashable, int]):
    """Gives each new id the next code."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = code = len(self)
        return code


class Ids:
    """A column of ids, growing."""

    def __init__(self) -> None:
        self._codes = _Codes()
        self._chunks: list[NDArray[np.uint32]] = []

    def add(self, values: Sequence[Hashable], row: int) -> None:
        """The next values; ``row`` is the number of the first. True and false are texts: as keys they were 1 and 0."""
        if bool in set(map(type, values)):
            values = [v if type(v) is not bool else "true" if v else "false" for v in values]
        self._chunks.append(np.fromiter(map(self._codes.__getitem__, values), np.uint32, len(values)))

    def done(self, name: str, source: Source) -> Coded:
        """The column."""
        return Coded(tuple(self._codes), narrow(_joined(self._chunks, np.uint32), len(self._codes)))


class Numbers:
    """A column of numbers, growing; what is not a number is remembered and told at the end.

    ``missing`` are texts for an empty cell; ``comma`` says whether a decimal comma may be (None: it is a guess).
    """

    def __init__(
        self, blank_allowed: bool, missing: Collection[str] = (), comma: bool | None = False, nan: bool = False
    ) -> None:
        self._blank_allowed = blank_allowed
        self._nan = nan
        self._missing = missing
        self._comma = comma
        self._chunks: list[NDArray[np.float64]] = []
        self._bad: list[tuple[int, object]] = []
        self._commas: dict[str, int] = {}  # texts with one, and the first row of each
        self._points: dict[str, int] = {}  # with a decimal point, where commas may be
        self._percents: dict[str, int] = {}  # texts with such a sign, and the first row of each
        self._plain = 0  # others
        self.guesses: list[Guess] = []
        self.notes: list[str] = []

    def add(self, values: Sequence[Any], row: int) -> None:
        """The next values; ``row`` is the number of the first."""
        try:
            numbers = np.fromiter(map(float, values), np.float64, len(values))
            plain = np.isfinite(numbers).all() and (self._comma is False or not any("." in str(v) for v in values))
        except (ValueError, TypeError, OverflowError):
            plain = False
        if not plain or any(isinstance(v, str) and "_" in v for v in values):
            numbers = np.array([self._number(v, row + k) for k, v in enumerate(values)], np.float64)
        else:
            self._plain += len(values)
        self._chunks.append(numbers)

    def _number(self, value: Any, row: int) -> float:
        if is_blank(value) or (isinstance(value, str) and value.strip() in self._missing):
            if not self._blank_allowed:
                self._bad.append((row, value))
            return math.nan
        if not isinstance(value, str):
            return _float(value, lambda: self._bad.append((row, value)))
        text = minus(value.strip())
        if self._nan and text.lower() == "nan":
            return math.nan
        if self._comma is not False and number_forms.COMMA.fullmatch(text.removesuffix("%").rstrip()):
            self._commas.setdefault(text, row)
            text = text.replace(",", ".")
        elif self._comma is not False and "." in text:
            self._points.setdefault(text, row)
        if text.endswith("%") and len(text) > 1:
            self._percents.setdefault(text, row)
            text = text[:-1].rstrip()
        else:
            self._plain += 1
        if NOT_NUMBERS.search(text):  # words that Python takes for numbers: nan, inf, 1_000
            self._bad.append((row, value))
            return math.nan
        return _float(text, lambda: self._bad.append((row, value)))

    def done(self, name: str, source: Source) -> NDArray[np.float64] | Coded:
        """The column; as the words where all are words of a well-known order, or written orders."""
        if name in WORDED and self._bad and not any(np.isfinite(c).any() for c in self._chunks):
            words = encode([None, *(v for _, v in self._bad)])
            if WORDED[name](words.ids[1:]):
                return self._in_rows(words)
        places = number_forms.places_of([v for _, v in self._bad]) if name == "position" and self._bad else None
        if places:
            self.notes.append(f"places such as {self._bad[0][1]} are taken as the number alone")
            values = _joined(self._chunks, np.float64)
            values[[row for row, _ in self._bad]] = places
            return values
        if self._commas:
            self._settle_commas(name, source)
        if name not in ("position", "count") and self._bad and all(isinstance(v, str) for _, v in self._bad):
            values = _joined(self._chunks, np.float64)
            forms = number_forms.numbers_of([str(v) for _, v in self._bad], int(np.isfinite(values).sum()))
            if forms:
                self.notes.append(forms[1])
                values[[row for row, _ in self._bad]] = forms[0]
                return values
        if self._percents and self._plain:
            self._bad += [(row, text) for text, row in self._percents.items()]
        elif self._percents:
            self.notes.append(
                f"the percentages of '{name}', such as {next(iter(self._percents))}, are taken as numbers"
            )
        if self._bad:
            rows = np.array([r for r, _ in self._bad])
            what = (f"the column '{name}' is empty" if is_blank(v) else f"{name} {v!r}" for _, v in self._bad)
            raise source.error(f"{name} is not a number", rows, what, _number_hint(name, self._bad))
        return _joined(self._chunks, np.float64)

    def _in_rows(self, words: Coded) -> Coded:
        """What was given where there is no number, row by row; the first of the words is nothing."""
        codes = np.zeros(sum(map(len, self._chunks)), np.int64)
        codes[[row for row, _ in self._bad]] = words.codes[1:]
        return Coded(words.ids, narrow(codes, len(words.ids)))

    def _settle_commas(self, name: str, source: Source) -> None:
        """Decimal commas are a guess; beside decimal points, or where thousands may be meant, they are asked about."""
        if self._comma:
            odd = self._points
        else:
            thousands = all(number_forms.THOUSANDS.fullmatch(t) for t in self._commas)
            odd = self._points or (self._commas if thousands else {})
        if odd:
            rows = np.array(sorted(odd.values()))
            text = {r: t for t, r in (odd | self._commas).items()}
            fact = f"{name}: is the comma a decimal sign or between thousands?"
            hint = "--decimal , takes commas as the decimal sign; thousands are written without a sign."
            raise source.error(fact, rows, (f"{name} {text[r]!r}" for r in rows.tolist()), hint)
        if self._comma is None:
            said = f"the numbers of '{name}' have a decimal comma, such as {next(iter(self._commas))}"
            self.guesses.append(Guess(said, "--decimal ,"))


NOT_NUMBERS = re.compile(r"[_a-df-zA-DF-Z]")  # an e may be an exponent


def _float(value: Any, bad: Callable[[], None]) -> float:
    try:
        return float(value)
    except (ValueError, TypeError, OverflowError):
        bad()
        return math.nan


def _number_hint(name: str, bad: list[tuple[int, object]]) -> str:
    codes = list(dict.fromkeys(v.strip() for _, v in bad if isinstance(v, str) and is_missing_number(v)))
    if codes:
        more = "" if all(is_missing_number(v) or is_blank(v) for _, v in bad) else f" {name} takes numbers otherwise."
        return missing_hint(",".join(codes), name) + more
    if all(isinstance(v, str) and not is_blank(v) for _, v in bad):
        hint = number_forms.hint(name, [str(v) for _, v in bad])
        if hint:
            return hint
    if any("," in str(v) for _, v in bad[:SHOWN]):
        return f"'{name}' takes numbers such as 1 or 2.5; the decimal sign is a point (--decimal , says otherwise)."
    if name == "score" and all(isinstance(v, str) and not is_blank(v) for _, v in bad):
        return "'score' takes numbers such as 1 or 2.5; if these are labels: --labels, or --scale lowest,...,highest."
    blank = (
        "leave out the row of an absent item." if name == "position" else "leave the cell empty where it is missing."
    )
    return f"'{name}' takes numbers such as 1 or 2.5; {blank}"


def _joined(chunks: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate(chunks) if chunks else np.zeros(0, kind)


@dataclass(frozen=True)
class Numeric:
    """Which columns are numbers, and how a number may be written."""

    blank: Mapping[str, bool] = field(default_factory=dict)  # columns of numbers, and whether a cell may be blank
    missing: Collection[str] = ()
    comma: bool | None = False
    nan: bool = False  # the word NaN is a number that is missing, as formats with a grammar of their own have it

    def column(self, name: str) -> Ids | Numbers:
        """An empty column."""
        return Numbers(self.blank[name], self.missing, self.comma, self.nan) if name in self.blank else Ids()


def collect(
    where: str,
    records: Iterable[tuple[int, list[str]]],
    names: Sequence[str],
    numbers: Mapping[str, bool] | Numeric,
    word: str = "line",
) -> Part:
    """Records (line number, fields) as columns; empty ones are passed over, too few or too many fields are an error."""
    numeric = numbers if isinstance(numbers, Numeric) else Numeric(numbers, nan=True)
    columns = {n: numeric.column(n) for n in names}
    lines: list[NDArray[np.int64]] = []
    wrong: list[tuple[int, int]] = []  # line and number of fields
    size = trimmed = right = 0
    for batch in _batches(records):
        good = [r for r in batch if len(r[1]) == len(names)]
        if len(good) < len(batch):
            right += len(good)
            fits = [_fitting(r, len(names)) for r in batch]
            trimmed += len([r for r in fits if r is not None]) - len(good)
            wrong.extend((r[0], len(r[1])) for r, fit in zip(batch, fits, strict=True) if r[1] and fit is None)
            good = [r for r in fits if r is not None]
        if good and not wrong:
            for store, values in zip(columns.values(), zip(*(fields for _, fields in good), strict=True), strict=True):
                store.add(values, size)
            lines.append(np.array([line for line, _ in good], np.int64))
            size += len(good)
    if wrong:
        raise uneven(where, names, wrong, all_of_them=not size and not right)
    part = filled(where, columns, _joined(lines, np.int64), word)
    said = f"{where}: {trimmed:,} {word}{'s' * (trimmed > 1)} end in empty fields beyond the last column, left out"
    return replace(part, notes=[*part.notes, said]) if trimmed else part


def between_blanks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line, parted by blanks, with its number."""
    return ((number, line.split()) for number, line in enumerate(lines, 1))


def _fitting(record: tuple[int, list[str]], width: int) -> tuple[int, list[str]] | None:
    """The record without empty fields beyond the last column; None where it has too few or too many all the same."""
    line, fields = record
    if len(fields) > width and not any(str(f or "").strip() for f in fields[width:]):
        fields = fields[:width]
    return (line, fields) if len(fields) == width else None


def uneven(where: str, names: Sequence[str], wrong: Sequence[tuple[int, int]], all_of_them: bool = False) -> InputError:
    """Lines with too few or too many fields."""
    shown = ", ".join(n if n[:1] != "\0" else f"(column {n[1:]})" for n in names[:12])
    hint = f"each line has {len(names)} field{'s' * (len(names) != 1)}: {shown}{', ...' * (len(names) > 12)}."
    if all_of_them and {n for _, n in wrong} == {len(names) + 1}:
        hint += (
            " Every line has one field more than there are names: row names, as R writes them? Name that column too."
        )
    problems: Bad = [(line, f"{n} field{'s' * (n != 1)}") for line, n in wrong]
    return bad_lines(where, f"the number of fields is not {len(names)}", problems, hint)


def filled(where: str, columns: Mapping[str, Ids | Numbers], lines: NDArray[np.int64], word: str = "line") -> Part:
    """Columns that have all their values, as a part; ``word`` is what the lines are called."""
    source = Source(where, lines, word)
    raw = {n: c.done(n, source) for n, c in columns.items()}
    numbers = [c for c in columns.values() if isinstance(c, Numbers)]
    guesses, notes = (g for c in numbers for g in c.guesses), [f"{where}: {n}" for c in numbers for n in c.notes]
    return Part(where, raw, lines, notes=notes, guesses=tuple(guesses), word=word)


def _batches(records: Iterable[tuple[int, list[str]]]) -> Iterator[list[tuple[int, list[str]]]]:
    iterator = iter(records)
    while batch := list(islice(iterator, CHUNK)):
        yield batch
