"""Which format a file has: by its extension, by the names that it holds, or else by its first lines.

A format that is told for sure declares so, in lines of names: of keys of the first record, or of columns of a table.
All words of a line must be there: ``a|b`` is either of two, ``*`` any letters, ``!a`` is not there, and ``[]`` stands
for an array of records. The first format that is told for sure ends the search. What is no judgments at all, or lies in
a form that is not read, is refused with what it is and what to do instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from quorate.errors import InputError
from quorate.formats.archives import MANY, ZIP, holds, inside
from quorate.formats.files import File
from quorate.formats.json_records import is_array, keys
from quorate.formats.registry import Format, by_extension, empty, named
from quorate.formats.table_records import heads
from quorate.panel.base import many

BY_FIRST_LINES = "by its first lines"
JSON_START = re.compile(rb'\s*(\{\s*"|\[\s*[\{\[])')
TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson", "json", "zip")  # extensions that say how, but not what


def parts(file: File, formats: Sequence[Format]) -> list[File]:
    """The files of a folder that holds one table in parts: all of one extension, which names a format, and no tool's
    export; or several runs, by their first lines. Of anything else the file itself."""
    if not file.folder or any(f.folders and is_of(f, file) for f in formats):
        return [file]
    files = [f for f in inside(file) if not f.base.startswith("_")]  # such as _SUCCESS, beside the parts of a table
    if not files or len(files) >= MANY:
        return [file]
    one = len({f.extension for f in files}) == 1 and by_extension(files[0].extension, formats)
    sniffs = [f.sniff for f in formats if f.of_one_judge and f.sniff is not None]
    return files if one or any(all(not f.folder and sniff(f) for f in files) for sniff in sniffs) else [file]


def recognise(file: File, formats: Sequence[Format]) -> tuple[Format, str]:
    """The format of a file, by its extension or else its first lines, and how it is known."""
    if file.folder:
        for format in formats:
            if format.folders and is_of(format, file):
                return format, "by the files in the folder"
        names = ", ".join(f.name for f in formats if f.folders)
        raise _several(
            file, "a folder, not a file", f"folders are read whose files are runs or have one extension, and of {names}"
        )
    found = by_extension(file.extension, formats)
    if found and (file.extension not in TABLES or tells(file, columns=found.columns)):
        return found, f"by its extension .{file.extension}"
    telling = next((f for f in formats if f.telling and is_of(f, file)), None)
    if telling:
        return telling, "by its content"
    if file.head.startswith(ZIP):
        raise _several(file, "a zip archive", "unzip it first")
    foreign = refusal(file, xml=found is not None)
    if foreign:
        raise foreign
    if found:
        other = _otherwise(file, found, formats)
        return (other, BY_FIRST_LINES) if other else (found, f"by its extension .{file.extension}")
    if not file.head.strip():
        raise empty(file.name)
    likely = [f for f in formats if not f.telling and is_of(f, file)]
    if likely:  # tables have the same columns, whatever is between them
        return next((f for f in likely if f.sniff is None or f.sniff(file)), likely[0]), BY_FIRST_LINES
    blanks = {len(line.split()) for line in file.head_lines[1:20] if line.strip()}
    hint = f"say format=... (--input-format); formats: {', '.join(f.name for f in formats)}."
    if len(blanks) == 1 and max(blanks) > 1:
        hint = f"are its fields parted by blanks? --input-format csv --delimiter ' '. Or else {hint}"
    raise refusal(file, xml=True) or InputError(
        f"{file.name}: neither its name nor its first lines tell the format.", hint
    )


def is_of(format: Format, file: File) -> bool:
    """Whether a file, or of a folder or an archive a file in it, is of a format by its content."""
    if file.folder or file.head.startswith(ZIP):
        inner = format.folders and holds(file, lambda f: tells(f, format.keys, format.columns))
        return inner or (format.packed is not None and format.packed(file))
    return tells(file, format.keys, format.columns) or (format.sniff is not None and format.sniff(file))


def tells(file: File, of_records: Collection[str] = (), columns: Collection[str] = ()) -> bool:
    """Whether the keys of the first record, or the columns of a table, are as one of these lines says."""
    there = keys(file) if of_records else frozenset()
    if there:
        there |= {"[]"} if is_array(file) else set()
        return any(_fit(there, line) for line in of_records)
    names = set(heads(file)) if columns else set()
    return bool(names) and any(_fit(names, line) for line in columns)


def _fit(names: Collection[str], line: str) -> bool:
    """Whether names are as a line says.

    >>> _fit({"model_a", "winner", "turn.id"}, "model_a winner *.* !judge|item")
    True
    """
    return all(_there(names, word.lstrip("!")) != word.startswith("!") for word in line.split())


def _there(names: Collection[str], word: str) -> bool:
    if "*" not in word:
        return any(w in names for w in word.split("|"))
    form = re.compile(re.escape(word).replace(r"\*", ".*").replace(r"\|", "|"))
    return any(form.fullmatch(name) for name in names)


def unpacked(file: File, format: str | None, formats: Sequence[Format]) -> File:
    """The file; of a zip archive that is no format of its own and holds one file, that file."""
    if file.folder or not file.head.startswith(ZIP) or (format and named(format, formats).telling):
        return file
    known = by_extension(file.extension, formats)
    members = inside(file) if known is None and not any(f.telling and is_of(f, file) for f in formats) else ()
    return members[0] if len(members) == 1 else file


def _several(file: File, what: str, more: str) -> InputError:
    """A folder or an archive that is no export: the files in it are to be named."""
    names = [f.base for f in inside(file)]
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    held = f" ({many(len(names), 'file')}: {shown})" if names else " (with nothing in it)"
    return InputError(
        f"{file.name}: this is {what}{held}.", f"give the files in it, by name{f'; {more}' * bool(more)}."
    )


def _otherwise(file: File, found: Format, formats: Sequence[Format]) -> Format | None:
    """The format of a table whose content says otherwise than its extension: JSON called .csv, or the reverse."""
    start = file.head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    json = "json" in found.name
    if not start or b"\0" in file.head or json == (start in (b"{", b"[", b"/")):
        return None
    if not json and not JSON_START.match(file.head.removeprefix(b"\xef\xbb\xbf")):
        return None
    wanted = ("csv", "tsv") if json else ("json", "jsonl")
    return next((f for f in formats if f.name in wanted and is_of(f, file)), None)


# -- files that are not read -------------------------------------------------------------------------------------------

# How the file begins, what it is, and what to do.
BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old workbook (.xls)", "save it as .xlsx or as CSV."),
    (b"%PDF", "a PDF", "export the table that it shows as CSV."),
    (b"SQLite format 3\0", "a database of SQLite", "write its table to CSV: sqlite3 -csv -header FILE 'select ...'."),
    (b"ARROW1\0\0", "an Arrow (Feather) file", "write it as Parquet, or give the frame to quorate.read."),
    (b"\x28\xb5\x2f\xfd", "packed with Zstandard", "unpack it: zstd -d FILE."),
    (b"\xfd7zXZ\0", "packed with xz", "unpack it: xz -d FILE."),
    (b"BZh", "packed with bzip2", "unpack it: bzip2 -d FILE."),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it and give the file inside."),
    (b"Rar!", "a RAR archive", "unpack it and give the file inside."),
    (b"$FL2", "a file of SPSS (.sav)", "save it as CSV, or give the frame of pandas.read_spss to quorate.read."),
    (
        b"<stata_dta>",
        "a file of Stata (.dta)",
        "save it as CSV, or give the frame of pandas.read_stata to quorate.read.",
    ),
    (b"RDX", "a workspace of R", "write the table in R: write.csv(x, 'x.csv', row.names = FALSE)."),
    (b"X\n\0\0\0", "an object of R (.rds)", "write the table in R: write.csv(x, 'x.csv', row.names = FALSE)."),
    (b"\x89PNG", "a picture", "give the table behind it."),
    (b"\xff\xd8\xff", "a picture", "give the table behind it."),
    (b"\x80\x04\x95", "a pickle of Python", "write it as Parquet or CSV, or give the object to quorate.read."),
    (b"\x80\x05\x95", "a pickle of Python", "write it as Parquet or CSV, or give the object to quorate.read."),
    (b"version https://git-lfs", "a pointer of Git LFS, not the file itself", "git lfs pull fetches it."),
)
PAGE = re.compile(rb"\s*(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
TITLE = re.compile(rb"<title[^>]*>\s*(.*?)\s*</title>", re.IGNORECASE | re.DOTALL)
XML = re.compile(rb"\s*<\?xml\b")
TAR = slice(257, 262)  # where an archive of tar says so


def refusal(file: File, xml: bool) -> InputError | None:
    """An error that says what a file is, if it is one of these; ``xml`` if it cannot be XML that is read."""
    head = file.head
    for begin, what, hint in BEGINNINGS:
        if head.startswith(begin):
            return InputError(f"{file.name}: this is {what}.", hint)
    if head[TAR] == b"ustar":
        return InputError(f"{file.name}: this is a tar archive.", "unpack it (tar -xf FILE) and give the files inside.")
    text = head.removeprefix(b"\xef\xbb\xbf")
    if PAGE.match(text):
        title = TITLE.search(head)
        named = f", '{title[1].decode('utf-8', 'replace')[:60]}'" if title else ""
        hint = "the download may have asked to sign in or failed; fetch the file again."
        return InputError(f"{file.name}: this is a web page{named}.", hint)
    if xml and XML.match(text):
        return InputError(f"{file.name}: this is XML.", "export the judgments as CSV or JSON; is it an error message?")
    return None
