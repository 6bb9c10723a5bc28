"""What DUCView's files may hold. Whatever else is in one is not read, and is told."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

from quorate.formats.plain_xml import words as words_in
from quorate.panel.base import many

CHILDREN = {
    "peerAnnotation": ("pyramid", "annotation", "score"),
    "pyramid": ("startDocumentRegEx", "text", "scu"),
    "annotation": ("text", "peerscu"),
    "text": ("line",),
    "scu": ("contributor", "scu"),  # units inside units are lifted out
    "peerscu": ("contributor", "peerscu"),
    "contributor": ("part",),
}
ONCE = ("pyramid", "annotation", "text", "startDocumentRegEx", "score")
WORDS = ("line", "startDocumentRegEx", "score")  # elements with words directly in them
UNIT = ("uid", "label", "comment")
ATTRIBUTES = {
    "scu": UNIT,
    "peerscu": UNIT,
    "contributor": ("label", "comment"),
    "part": ("label", "start", "end"),
}


def left_out(root: Element) -> list[str]:
    """Notes on what of a file is not read: elements, attributes and words that have no place in it."""
    elements: Counter[str] = Counter()
    attributes: Counter[str] = Counter()
    words = lifted = 0
    todo = [root]
    while todo:
        node = todo.pop()
        attributes.update(a for a in node.attrib if a not in ATTRIBUTES.get(node.tag, ()))
        words += node.tag not in WORDS and bool(words_in(node).strip())
        if node.tag == "score":
            continue
        seen: set[str] = set()
        for child in node:
            if child.tag not in CHILDREN.get(node.tag, ()) or (child.tag in ONCE and child.tag in seen):
                elements[child.tag] += 1
                continue
            lifted += child.tag == node.tag
            seen.add(child.tag)
            todo.append(child)
    out = []
    if lifted:
        out.append(f"{many(lifted, 'unit')} inside others, taken for units of their own")
    if elements:
        out.append(f"{many(elements.total(), 'element')} without a place in such a file left out: {_named(elements)}")
    if attributes:
        out.append(f"{many(attributes.total(), 'attribute')} not known left out: {_named(attributes)}")
    if words:
        out.append(f"words outside of lines left out, in {many(words, 'element')}")
    return out


def _named(found: Counter[str]) -> str:
    return ", ".join(sorted(found)[:5]) + (", ..." if len(found) > 5 else "")


def units_of(node: Element, tag: str) -> list[Element]:
    """The units of a pyramid or an annotation, those inside others after them."""
    out: list[Element] = []
    todo = node.findall(tag)[::-1]
    while todo:
        out.append(todo.pop())
        todo += out[-1].findall(tag)[::-1]
    return out
