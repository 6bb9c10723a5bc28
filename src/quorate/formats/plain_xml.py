"""XML with nothing behind it: no entities of its own, nothing fetched; UTF-8, Latin-1, or what the file says."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from quorate.errors import InputError
from quorate.formats.files import File

DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,80}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
ONE_BYTE = ("iso-8859-1", "latin-1", "latin1", "iso-8859-15", "windows-1252", "cp1252", "us-ascii", "ascii")
WRONG_ENCODING = (
    expat.errors.codes[expat.errors.XML_ERROR_INCORRECT_ENCODING],
    expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING],
)


def words(element: Element) -> str:
    """The text directly inside an element, also between and behind those that it holds."""
    return "".join([element.text or "", *(inner.tail or "" for inner in element)])


def parse(file: File) -> tuple[Element, list[str]]:
    """The outermost element of a file, and notes on what had to be guessed."""
    with file.binary() as stream:
        content = stream.read()
    try:
        return _best(content)
    except expat.ExpatError as wrong:
        if content.strip() and not content.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \r\n\t").startswith(b"<"):
            raise InputError(
                f"{file.name}: a list or another text, not a file of DUCView's (which is XML).",
                "units in a list or a table have the columns unit, item, support; see the page on pyramids.",
            ) from None
        raise InputError(
            f"{file.name}: not XML ({expat.errors.messages[wrong.code]}, line {wrong.lineno}).",
            "fetch the file again if it is cut off.",
        ) from None
    except (LookupError, ValueError) as error:  # an encoding that nobody knows
        raise InputError(f"{file.name}: cannot be read ({error}).", "save it as UTF-8.") from None
    except _Refused as why:
        raise _refusal(file, why) from None


def _best(content: bytes) -> tuple[Element, list[str]]:
    """The outermost element, by the encoding that the file names unless its bytes say otherwise."""
    named = DECLARED.match(content)
    said = named[1].decode() if named else ""
    plain = not content.isascii() and _is_utf8(content)
    if said.lower() in ONE_BYTE and plain:  # text in one byte a character is hardly ever good UTF-8 by chance
        return _tree(content, "utf-8"), [f"said to be {said}, but UTF-8: read as that"]
    try:
        return _tree(content, None), []
    except expat.ExpatError as wrong:
        if wrong.code in WRONG_ENCODING and _is_utf8(content):
            return _tree(content, "utf-8"), [f"said to be {said}, but UTF-8: read as that"]
        if _is_utf8(content):
            raise
        return _tree(content, "iso-8859-1"), ["not UTF-8: read as Latin-1"]


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Refused(Exception):
    pass


def _refusal(file: File, why: _Refused) -> InputError:
    return InputError(f"{file.name}: {why} are refused.", "a data file needs none; take them out.")


def _tree(content: bytes, encoding: str | None) -> Element:
    tree = TreeBuilder()

    def refuse(what: str) -> Any:
        def handler(*given: Any) -> None:
            raise _Refused(what)

        return handler

    def doctype(name: str, system: str | None, public: str | None, inside: bool) -> None:
        if system or public:
            raise _Refused("external document types")

    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = tree.start, tree.end
    parser.CharacterDataHandler = tree.data
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = refuse("entity declarations")
    parser.ExternalEntityRefHandler = refuse("external entities")
    parser.SkippedEntityHandler = refuse("undeclared entities")
    parser.Parse(content, True)
    return tree.close()
