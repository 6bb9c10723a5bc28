"""CSV by whole blocks of bytes: fields are found, ids coded and numbers read with arrays, not row by row.

Only a table in which nothing is odd is read so: UTF-8, quotes where they belong, as many fields in every line, numbers
where numbers belong. Anything else raises :class:`NotPlain`, and the table is read again by the csv module, which tells
what is wrong and on which line. A property test holds the two together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from quorate.formats.cells import NUMBER
from quorate.formats.column_builder import Numeric
from quorate.formats.file_parts import Part
from quorate.panel.columns import Coded, narrow

Array = NDArray[Any]
BLOCK = 2**21  # bytes looked at together: what is made of them fits into the processor's cache
KEPT = 2**25 - 2**16  # bytes; glibc gives more than that back to the system at once, whatever is asked of it before
LONGEST = 2**26  # bytes of one record, beyond which the csv module takes over
QUOTE, NEWLINE, RETURN, POINT, PLUS, MINUS, ZERO = b'"\n\r.+-0'
SLOTS = 17  # bits of the table in which equal ids meet
MIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # odd numbers that spread bits
FEW = 2_000  # different numbers of a block that are read one by one
WIDEST = 2**12  # bytes of an id; the csv module is quicker at longer ones
LOOKED_AT = 4_000  # rows that tell whether equal ids follow one another
AFTER = 64  # bytes of nothing after a block, so that those after an id can be looked at
# Of a word of eight bytes those that belong to an id which ends k bytes after its beginning, from -AFTER on.
OWN = np.array([(1 << 8 * min(max(k, 0), 8)) - 1 for k in range(-AFTER, AFTER)], np.uint64)


class NotPlain(Exception):
    """Something that only the csv module can tell."""


def read(where: str, stream: IO[bytes], line: int, delimiter: str, names: Sequence[str], numeric: Numeric) -> Part:
    """The rows from a line on, as columns."""
    if len(names) < 2 or len(delimiter.encode()) > 1 or numeric.comma is not False or numeric.missing:
        raise NotPlain
    columns: dict[str, _Ids | _Numbers] = {
        n: _Numbers(numeric.blank[n]) if n in numeric.blank else _Ids() for n in names
    }
    lines: list[Array] = []
    np.empty(KEPT, np.uint8)  # made and freed: C's allocator then keeps what a block frees for the next one
    for data in _blocks(stream, line):
        block = _Block(data, ord(delimiter), len(names))
        for k, column in enumerate(columns.values()):
            column.add(block, block.start[k], block.end[k])
        lines.append(line + block.begun)
        line += block.lines
    if not lines:
        raise NotPlain
    return Part(where, {n: c.done() for n, c in columns.items()}, np.concatenate(lines))


def _blocks(stream: IO[bytes], line: int) -> Iterator[bytes]:
    """Blocks of whole records, from a line on."""
    for _ in range(line - 1):
        stream.readline()
    rest = b""
    while True:
        more = stream.read(BLOCK)
        data = rest + more
        if not more:
            data = data.rstrip(b"\r\n")
            if data.strip():
                yield data + b"\n"
            return
        at = _last_end(data)
        if at < 0 and len(data) > LONGEST:
            raise NotPlain
        rest = data[at + 1 :]
        if at >= 0:
            yield data[: at + 1]


def _last_end(data: bytes) -> int:
    """Where the last whole record ends: a line break with an even number of quotes before it; -1 if there is none."""
    at = data.rfind(b"\n")
    odd = int(np.count_nonzero(np.frombuffer(data, np.uint8, max(at, 0)) == QUOTE)) % 2 if b'"' in data else 0
    while at >= 0 and odd:
        end, at = at, data.rfind(b"\n", 0, at)
        odd ^= data.count(b'"', max(at, 0), end) % 2
    return at


class _Block:
    """Some records: where each field begins and ends (``start[column, row]``), and on which line each record begins."""

    def __init__(self, data: bytes, mark: int, width: int) -> None:
        if b"\0" in data:
            raise NotPlain
        self.data = data
        self.bytes = np.frombuffer(data + bytes(AFTER), np.uint8)
        body = self.bytes[: len(data)]
        newline = body == NEWLINE
        ends = (body == mark) | newline
        quoted = b'"' in data
        at = _outside(body, ends) if quoted else np.flatnonzero(ends).astype(np.int32)
        if len(at) % width:
            raise NotPlain
        self.end = np.ascontiguousarray(at.reshape(-1, width).T)
        if not newline[self.end[-1]].all() or (body[self.end[:-1]] != mark).any():
            raise NotPlain
        self.start = np.empty_like(self.end)
        self.start[1:] = self.end[:-1] + 1
        self.start[0, 0] = 0
        self.start[0, 1:] = self.end[-1, :-1] + 1
        if b"\r" in data:
            if data.count(b"\r") != data.count(b"\r\n"):
                raise NotPlain
            self.end[-1] -= (self.end[-1] > self.start[-1]) & (body[self.end[-1] - 1] == RETURN)
        records = self.end.shape[1]
        self.begun, self.lines = np.arange(records), int(np.count_nonzero(newline))
        if self.lines > records:  # a record may run over several lines
            newline[at[width - 1 :: width]] = False
            of = np.searchsorted(self.start[0], np.flatnonzero(newline))  # the record after each such break
            self.begun += np.cumsum(np.bincount(of, minlength=records)[:records])
        if quoted:  # fields without the quotes around them
            inside = body[self.start] == QUOTE
            self.start += inside
            self.end -= inside


def _outside(body: Array, ends: Array) -> Array:
    """The ends of fields, those inside quotes left out; quotes must begin and end fields, or come in pairs.

    A quote stands where it belongs if what comes before it, as it opens, and after it, as it closes, is an end of a
    field or another quote.
    """
    quote = body == QUOTE
    inside = _odd_so_far(quote)
    if inside[-1]:
        raise NotPlain
    alone = ~(ends | quote | (body == RETURN))  # a letter of a field, beside which no quote may stand
    if (quote[1:] & inside[1:] & alone[:-1]).any() or (quote[:-1] & ~inside[:-1] & alone[1:]).any():
        raise NotPlain
    return np.flatnonzero(ends & ~inside).astype(np.int32)


def _odd_so_far(flags: Array) -> Array:
    """Of every place whether the flags up to it, its own included, are odd in number: 64 places at a time.

    >>> _odd_so_far(np.array([True, False, True, False])).tolist()
    [True, True, False, False]
    """
    packed = np.packbits(flags, bitorder="little")
    words = np.append(packed, np.zeros(-len(packed) % 8, np.uint8)).view("<u8")
    for step in (1, 2, 4, 8, 16, 32):
        words ^= words << np.uint64(step)
    before = np.bitwise_xor.accumulate(words >> np.uint64(63))[:-1]
    words[1:] ^= np.uint64(0) - before
    return np.unpackbits(words.view(np.uint8), count=len(flags), bitorder="little").view(bool)


class _Ids:
    """A column of ids, growing block by block."""

    def __init__(self) -> None:
        self._written: dict[bytes, int] = {}  # an id as it is written, a quote in it twice
        self._code: dict[str, int] = {}
        self._chunks: list[Array] = []

    def add(self, block: _Block, start: Array, end: Array) -> None:
        """The ids of a block."""
        own, place = alike(block.bytes, start, end - start)
        data, known, number = block.data, self._written, []
        for a, b in zip(start[own].tolist(), end[own].tolist(), strict=True):
            code = known.get(data[a:b])
            number.append(self._new(data[a:b]) if code is None else code)
        self._chunks.append(np.array(number, np.uint32)[place])

    def _new(self, written: bytes) -> int:
        try:
            text = written.decode()
        except UnicodeDecodeError:
            raise NotPlain from None
        if '"' in text:
            text = text.replace('""', '"')
        self._written[written] = code = self._code.setdefault(text, len(self._code))
        return code

    def done(self) -> Coded:
        """The column."""
        return Coded(tuple(self._code), narrow(np.concatenate(self._chunks), len(self._code)))


def alike(found: Array, start: Array, length: Array) -> tuple[Array, Array]:
    """A row for each different id, the first one that has it, and for every row the number of its id.

    Of rows that follow one another with the same id, as in sorted tables, the first stands for all.
    """
    words = _words(found, start, length)
    if not _runs(words):
        return _alike(words)
    new = np.zeros(len(start), bool)
    new[0] = True
    for word in words:
        new[1:] |= word[1:] != word[:-1]
    rows = np.flatnonzero(new)
    own, number = _alike([word[rows] for word in words])
    return rows[own], np.repeat(number, np.diff(np.append(rows, len(start))))


def _runs(words: Sequence[Array]) -> bool:
    """Whether most rows have the id of the row before, as far as the first thousands tell."""
    some = [word[:LOOKED_AT] for word in words]
    same = np.logical_and.reduce([word[1:] == word[:-1] for word in some])
    return len(same) > 0 and 2 * int(np.count_nonzero(same)) > len(same)


def _alike(words: list[Array]) -> tuple[Array, Array]:
    """The same of ids as words.

    Ids meet in the slots of a table; those that meet another id there go through it again, spread in another way.
    """
    size = len(words[0])
    table = np.empty(1 << SLOTS, np.int32)
    rows = np.arange(size, dtype=np.int32)
    first, left, mine = np.empty(size, np.int32), rows, words
    for turn in range(64):
        spread = np.uint64(MIX[turn % 3] + 2 * turn)
        mixed = mine[0] * spread
        for word in mine[1:]:
            mixed ^= mixed >> np.uint64(32)
            mixed ^= word
            mixed *= spread
        mixed ^= mixed >> np.uint64(32)
        mixed *= spread
        slot = mixed >> np.uint64(64 - SLOTS)
        table[slot[::-1]] = left[::-1]
        found_first = table[slot]
        same = words[0][found_first] == mine[0]
        for every, word in zip(words[1:], mine[1:], strict=True):
            same &= every[found_first] == word
        if same.all():
            first[left] = found_first
            break
        first[left[same]] = found_first[same]
        left, mine = left[~same], [word[~same] for word in mine]
    else:
        raise NotPlain
    own = np.flatnonzero(first == rows)
    number = np.empty(size, np.int32)
    number[own] = np.arange(len(own), dtype=np.int32)
    return own, number[first]


def _words(found: Array, start: Array, length: Array) -> list[Array]:
    """Ids as words of eight bytes, with nothing after the end; no byte of an id is 0, so words tell ids apart."""
    most = int(length.max(initial=0))
    if most > WIDEST:
        raise NotPlain
    every = np.ndarray((len(found) - 7,), "<u8", found.data, strides=(1,))  # the eight bytes from each byte on
    if most < AFTER - 8:
        return [every[start + k] & OWN[length + (AFTER - k)] for k in range(0, max(most, 1), 8)]
    last = len(every) - 1
    return [every[np.minimum(start + k, last)] & OWN[np.clip(length - k, 0, 8) + AFTER] for k in range(0, most, 8)]


class _Numbers:
    """A column of numbers, growing block by block."""

    def __init__(self, blank_allowed: bool) -> None:
        self._blank_allowed = blank_allowed
        self._few = True  # different numbers, so far
        self._known: dict[bytes, float] = {}
        self._chunks: list[Array] = []

    def add(self, block: _Block, start: Array, end: Array) -> None:
        """The numbers of a block."""
        found = block.bytes
        if self._few:
            own, place = alike(found, start, end - start)
            self._few = len(own) <= FEW
            if self._few:
                known, spans = self._known, zip(start[own].tolist(), end[own].tolist(), strict=True)
                texts = [block.data[a:b] for a, b in spans]
                known.update({t: self._one(t) for t in texts if t not in known})
                self._chunks.append(np.array([known[t] for t in texts])[place])
                return
        values, odd = _decimals(found, start, end)
        for k in np.flatnonzero(odd).tolist():
            values[k] = self._one(block.data[start[k] : end[k]])
        self._chunks.append(values)

    def _one(self, text: bytes) -> float:
        if not text.strip() and self._blank_allowed:
            return math.nan
        try:
            plain = text.decode("ascii").strip()
        except UnicodeDecodeError:
            raise NotPlain from None
        if not NUMBER.fullmatch(plain):
            raise NotPlain
        return float(plain)

    def done(self) -> Array:
        """The column."""
        return np.concatenate(self._chunks)


def _decimals(found: Array, start: Array, end: Array) -> tuple[Array, Array]:
    """Numbers such as 3, -2.5 and 0.125, and which rows hold something else.

    With at most fifteen digits the digits and the power of ten are both exact, so their quotient is the nearest number.
    """
    length = end - start
    size, most = len(start), int(min(length.max(initial=0), 18))
    whole, digits, decimals = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
    points = np.zeros(size, np.int64)
    odd, nowhere = (length > most) | (length == 0), np.zeros(size, bool)
    sign = found[start]
    signed = (sign == MINUS) | (sign == PLUS)
    for k in range(most):
        byte = found[np.minimum(start + k, len(found) - 1)]
        there = k < length
        digit = byte.astype(np.int64) - ZERO
        is_digit = there & (digit >= 0) & (digit <= 9)
        is_point = there & (byte == POINT)
        whole = np.where(is_digit, whole * 10 + digit, whole)
        digits += is_digit
        decimals += is_digit & (points > 0)
        points += is_point
        odd |= there & ~is_digit & ~is_point & ~(signed if k == 0 else nowhere)
    odd |= (digits == 0) | (digits > 15) | (points > 1)
    values = np.where(signed & (sign == MINUS), -whole, whole) / 10.0 ** np.minimum(decimals, 22)
    values[(whole == 0) & signed & (sign == MINUS)] = -0.0
    return values, odd
