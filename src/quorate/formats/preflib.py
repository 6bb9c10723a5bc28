"""PrefLib orders: .soc, .soi, .toc, .toi (strict or tied, complete or incomplete).

Lines that begin with ``#`` are the header: a title, the names of the alternatives, how many voters. Then each line is
an order and how many gave it, ``74: 1,{2,3},4``: a judge with that count. A file is a task, named by its title.

Before 2022 there was no header: the number of alternatives, a line for each (``1,name``), how many voters, and then
orders as ``74,1,{2,3},4``. These are read too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import cast

import numpy as np

from quorate.errors import SHOWN, InputError, suggest
from quorate.formats.file_parts import Part, assemble, judgments
from quorate.formats.files import Bad, File, Sink, bad_lines, distinct
from quorate.formats.limits import as_text, one_line, refuse
from quorate.formats.registry import ENCODING, Format, Option, empty, flag, renaming
from quorate.panel.base import listed
from quorate.panel.columns import Coded, narrow
from quorate.panel.kinds import Orderings, Panel

TYPES = ("soc", "soi", "toc", "toi")
OTHERS = {"cat": "categories", "wmd": "weighted matchings"}
SETTABLE = (
    *("MODIFICATION TYPE", "RELATES TO", "DESCRIPTION"),
    *("RELATED FILES", "PUBLICATION DATE", "MODIFICATION DATE"),
)
HEADER = re.compile(r"([A-Z ]+?)(?: (\d+))?")  # before the colon
ORDER = re.compile(r"\s*(\d+)\s*:((?:\s*(?:\d+|\{\s*\d+(?:\s*,\s*\d+)*\s*\})\s*(?:,(?!\s*$)|$))+)")
DIGITS = 15  # what is longer is no count, and no alternative either
LONG = re.compile(rf"\d{{{DIGITS + 1}}}")
PLACE = re.compile(r"\{[^}]*\}|\d+")
ANONYMOUS = Option("anonymous", "judges lose their names, and equal orders are counted together", flag)
HEADER_LINES = Option("header", f"header lines to write: {', '.join(SETTABLE)}", renaming)
Votes = list[tuple[int, int, list[list[int]]]]  # line, count, tie groups of alternatives


@dataclass
class _Content:
    """A file as it stands: header and orders."""

    header: dict[str, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    votes: Votes = field(default_factory=list)


def read(files: Sequence[File], kind: str | None, *, encoding: str = "utf-8") -> Panel:
    """A panel from PrefLib files, each a task."""
    contents = [_parse(f, encoding) for f in files]
    tasks = distinct(files, [c.header.get("TITLE", "") for c in contents])
    return assemble("orderings", [_part(f, c, t) for f, c, t in zip(files, contents, tasks, strict=True)])


def _parse(file: File, encoding: str) -> _Content:
    if file.extension in OTHERS:
        raise _not_orders(file.name, file.extension)
    content = _Content()
    bad: Bad = []
    with file.text(encoding) as stream:
        for number, line in _old(content, enumerate(stream, 1)):
            if line.startswith("#"):
                _header(content, line)
                if content.header.get("DATA TYPE") in OTHERS:
                    raise _not_orders(file.name, content.header["DATA TYPE"])
            elif line.strip():
                match = ORDER.fullmatch(line.strip())
                if match and LONG.search(line):
                    bad.append((number, f"a number has more than {DIGITS} digits: {line.strip()[:60]}"))
                elif match and int(match[1]) > 0:
                    places = [[int(n) for n in re.findall(r"\d+", p)] for p in PLACE.findall(match[2])]
                    content.votes.append((number, int(match[1]), places))
                else:
                    bad.append((number, line.strip()[:60]))
    if bad:
        raise bad_lines(file.name, "not an order", bad, "an order is a count and alternatives: 74: 1,{2,3},4.")
    if not content.votes:
        raise empty(file.name, "no orders")
    _check_numbers(file, content)
    return content


def _old(content: _Content, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines; of a file without a header, as they were before 2022, its orders as they are written today."""
    first = next(lines, None)
    if first is None or not first[1].strip().isdecimal() or LONG.search(first[1]):
        yield from chain([first] if first else [], lines)
        return
    content.header["NUMBER ALTERNATIVES"] = first[1].strip()
    for number, line in islice(lines, int(first[1])):
        place, comma, name = line.partition(",")
        if not comma or not place.strip().isdecimal() or LONG.search(place):
            yield number, line  # which is no order
        else:
            content.names[int(place)] = name.strip()
    counts = next(lines, (0, ""))[1].split(",")
    if len(counts) == 3:
        content.header |= {"NUMBER VOTERS": counts[0].strip(), "NUMBER UNIQUE ORDERS": counts[2].strip()}
    yield from ((number, line.replace(",", ":", 1)) for number, line in lines)


def _header(content: _Content, line: str) -> None:
    before, colon, after = line[1:].partition(":")
    match = HEADER.fullmatch(before.strip()) if colon else None
    if match and match[1] == "ALTERNATIVE NAME" and match[2] and not LONG.search(match[2]):
        content.names[int(match[2])] = after.strip()
    elif match:
        content.header[match[1] + (f" {match[2]}" if match[2] else "")] = after.strip()


def _not_orders(name: str, type_: str) -> InputError:
    return InputError(
        f"{name}: a PrefLib .{type_} file holds {OTHERS[type_]}, not orderings.",
        f"PrefLib orderings are {', '.join('.' + t for t in TYPES)}.",
    )


def _check_numbers(file: File, content: _Content) -> None:
    declared = content.header.get("NUMBER ALTERNATIVES", "")
    limit = int(declared) if declared.isdecimal() and not LONG.search(declared) else None
    bad: Bad = []
    again: Bad = []
    for line, _, places in content.votes:
        odd = [n for p in places for n in p if n < 1 or (limit is not None and n > limit)]
        if odd:
            bad.append((line, f"alternative {odd[0]}"))
        elif twice := [n for n, often in Counter(n for p in places for n in p).items() if often > 1]:
            again.append((line, f"alternative {twice[0]}"))
    if bad:
        known = f"1 to {limit}" if limit is not None else "numbered from 1"
        raise bad_lines(file.name, "no such alternative", bad, f"the alternatives are {known}.")
    if again:
        raise bad_lines(file.name, "an alternative stands twice in an order", again, "an order has each of them once.")


def _part(file: File, content: _Content, task: str) -> Part:
    notes = _remarks(content)
    name = _item_names(content, notes)
    rows = [
        (judge, number, place, count, line)
        for judge, (line, count, places) in enumerate(content.votes)
        for place, numbers in enumerate(places, 1)
        for number in numbers
    ]
    judge, number, place, count, line = (np.array(c, np.int64) for c in zip(*rows, strict=True))
    used, codes = np.unique(number, return_inverse=True)
    judges = tuple(str(k) for k in range(1, len(content.votes) + 1))
    raw = {
        "task": Coded((task,), np.zeros(len(rows), np.uint8)),
        "judge": Coded(judges, narrow(judge, len(judges))),
        "item": Coded(tuple(name[n] for n in used.tolist()), narrow(codes, len(used))),
        "position": place.astype(np.float64),
        "count": count.astype(np.float64),
    }
    return Part(file.name, raw, line, [f"{file.base}: {n}" for n in notes])


def _item_names(content: _Content, notes: list[str]) -> dict[int, str]:
    """The alternatives' names; their numbers where a name is missing or used twice."""
    ranked = sorted({n for _, _, places in content.votes for p in places for n in p})
    often = Counter(content.names.values())
    names = {n: content.names.get(n, "") for n in ranked}
    numbered = [n for n in ranked if not names[n] or often[names[n]] > 1]
    names |= {n: str(n) for n in numbered}
    if len(set(names.values())) < len(names):
        numbered, names = ranked, {n: str(n) for n in ranked}
    if numbered:
        notes.append(f"called by number, for want of names of their own: alternatives {listed(numbered, SHOWN)}")
    unranked = [n for n in content.names if n not in names]
    if unranked:
        notes.append("ranked by nobody: " + listed([content.names[n] or str(n) for n in unranked], SHOWN))
    return names


def _remarks(content: _Content) -> list[str]:
    """Where the header and the orders differ, and what the header says about the data's origin."""
    counted = {
        "NUMBER VOTERS": sum(c for _, c, _ in content.votes),
        "NUMBER UNIQUE ORDERS": len({tuple(tuple(sorted(p)) for p in places) for _, _, places in content.votes}),
    }
    if content.names:
        counted["NUMBER ALTERNATIVES"] = len(content.names)
    header = content.header
    notes = [
        f"the header says {key} {header[key]}, the file has {n}"
        for key, n in counted.items()
        if header.get(key, "").isdecimal() and header[key].lstrip("0") != str(n)
    ]
    type_, found = header.get("DATA TYPE", ""), _type(content)
    if type_ in TYPES and not _fits(found, type_):
        notes.append(f"the header says {type_}, the orders are {found}")
    told = [k for k in SETTABLE[:3] if header.get(k) not in (None, "", "original")]
    if told:
        notes.append("; ".join(f"{k.lower()}: {header[k]}" for k in told))
    return notes


def _type(content: _Content) -> str:
    tied = any(len(p) > 1 for _, _, places in content.votes for p in places)
    size = len(content.names) or len({n for _, _, places in content.votes for p in places for n in p})
    complete = all(sum(map(len, places)) == size for _, _, places in content.votes)
    return ("t" if tied else "s") + "o" + ("c" if complete else "i")


def _fits(found: str, type_: str) -> bool:
    return (found[0] == "s" or type_[0] == "t") and (found[2] == "c" or type_[2] == "i")


# -- out -------------------------------------------------------------------------------------------------------------


def write(panel: Panel, sink: Sink, *, anonymous: bool = False, header: Mapping[str, str] | None = None) -> None:
    """An orderings panel of one task as a PrefLib file; the extension must fit, or is left to us on stdout."""
    refuse(panel, "preflib", kinds=("orderings",), occasions=True, labels=True, tasks=True)
    panel = cast(Orderings, panel)
    _check_judges(panel, anonymous)
    type_ = _fitting_type(panel, sink)
    title = as_text(panel.task, "task", "preflib", one_line)[0]
    names = as_text(panel.item, "item", "preflib", one_line)
    told = _settable(header or {})
    orders = _orders(panel, anonymous)
    with sink.text() as stream:
        lines = {
            "FILE NAME": sink.base if sink.path else "",
            "TITLE": title,
            "DESCRIPTION": told["DESCRIPTION"],
            "DATA TYPE": type_,
            **told,
            "NUMBER ALTERNATIVES": len(names),
            "NUMBER VOTERS": sum(count for _, count in orders),
            "NUMBER UNIQUE ORDERS": len({order for order, _ in orders}),
            **{f"ALTERNATIVE NAME {n}": name for n, name in enumerate(names, 1)},
        }
        stream.writelines(f"# {key}: {value}".rstrip() + "\n" for key, value in lines.items())
        stream.writelines(f"{count}: {order}\n" for order, count in orders)


def _settable(header: Mapping[str, str]) -> dict[str, str]:
    """The header lines that the panel does not say."""
    for key, value in header.items():
        if key.upper() not in SETTABLE or one_line(value):
            raise InputError(f"preflib has no header line '{key}: {value}' to set.", suggest(key, SETTABLE, "Lines"))
    given = {k.upper(): v for k, v in header.items()}
    return {**dict.fromkeys(SETTABLE, ""), "MODIFICATION TYPE": "original", **given}


def _fitting_type(panel: Orderings, sink: Sink) -> str:
    """The type the path asks for, or the tightest one that fits."""
    if sink.type in OTHERS:
        raise _not_orders(sink.name, sink.type)
    complete = bool((np.diff(panel.starts) == len(panel.items)).all())
    tightest = ("t" if panel.tied else "s") + "o" + ("c" if complete else "i")
    if sink.type not in TYPES:
        return tightest
    if not _fits(tightest, sink.type):
        has = [w for w, one in (("ties", "s"), ("incomplete orders", "c")) if one in sink.type and one not in tightest]
        raise InputError(
            f".{sink.type} cannot hold {' and '.join(has)}.", f"these orders fit .{tightest}; .toi holds any."
        )
    return sink.type


def _check_judges(panel: Panel, anonymous: bool) -> None:
    if not anonymous and [str(j) for j in panel.judges] != [str(k) for k in range(1, len(panel.judges) + 1)]:
        raise InputError(
            "preflib has no names for judges; they would become 1, 2, 3, ...",
            "pass anonymous=True if that is meant; csv, jsonl, parquet and lines keep the names.",
        )


def _orders(panel: Orderings, anonymous: bool) -> list[tuple[str, int]]:
    """Each order as text with its count."""
    listed = []
    for row, groups in judgments(panel):
        numbers = [",".join(str(i + 1) for i in sorted(g)) for g in groups]
        said = (n if len(g) == 1 else "{" + n + "}" for n, g in zip(numbers, groups, strict=True))
        listed.append((",".join(said), int(panel.count[row])))
    if not anonymous:
        return listed
    merged: Counter[str] = Counter()
    for order, count in listed:
        merged[order] += count
    return merged.most_common()


def sniff(file: File) -> bool:
    """A header line of PrefLib among the first."""
    return any(
        re.match(r"#\s*(FILE NAME|TITLE|DATA TYPE|NUMBER ALTERNATIVES)\s*:", line) for line in file.head_lines[:12]
    )


PREFLIB = Format(
    "preflib",
    (*TYPES, *OTHERS),
    "PrefLib orders with counts and ties: .soc, .soi, .toc, .toi",
    ("orderings",),
    read,
    write,
    sniff,
    "preflib",
    (ENCODING,),
    (ANONYMOUS, HEADER_LINES),
)
