"""Files that are no judgments at all, or lie in a form that is not read: what they are, and what to do instead."""

from __future__ import annotations

import re

from quorate.errors import InputError
from quorate.formats.files import File

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
