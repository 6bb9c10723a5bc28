"""The page's packed data turned back, value by value: the plain twin of ``unpack.js``."""

from __future__ import annotations

SIGNS = [chr(k) for k in range(35, 126) if k != 92]


def column(place, columns, names):
    """The values of a column."""
    c = columns[place]
    if "planes" in c:
        size = len(c["planes"][0]) if c["planes"] else c["of"]
        found, before = [], 0
        for k in range(size):
            value = 0
            for plane in c["planes"]:
                value = value * 90 + SIGNS.index(plane[k])
            before = value + c["low"] + (before if c.get("steps") else 0)
            found.append(before)
        return found

    def of(where):
        return column(where, columns, names)

    if "power" in c:
        return [float(f"{n}e{c['power']}") for n in of(c["numbers"])]
    if "numbers" in c:
        pairs = zip(of(c["numbers"]), of(c["powers"]), strict=True)
        return [None if (n, p) == (0, 1) else float(f"{n}e{p}") for n, p in pairs]
    if "names" in c:
        among = [names[k] for k in of(c["among"])] if "among" in c else names
        return [among[k] for k in of(c["names"])]
    if "lists" in c:
        inside = iter(of(c["of"]))
        return [[next(inside) for _ in range(n)] for n in of(c["lists"])]
    if "maps" in c:
        inside = zip(of(c["keys"]), of(c["of"]), strict=True)
        return [dict(next(inside) for _ in range(n)) for n in of(c["maps"])]
    if "records" in c:
        found = {name: of(where) for name, where in c["records"].items()}
        return [{name: values[k] for name, values in found.items()} for k in range(c["of"])]
    if "shapes" in c:
        each = [iter(of(where)) for where in c["of"]]
        return [next(each[shape]) for shape in of(c["shapes"])]
    if "some" in c:
        inside = iter(of(c["of"]))
        return [next(inside) if there else None for there in of(c["some"])]
    return c["plain"]


def names_of(shared, rest):
    """The names, of which only what differs from the one before is kept."""
    found, before = [], ""
    for same, text in zip(shared, rest, strict=True):
        name = before[:same] + text if isinstance(text, str) else text
        found.append(name)
        before = name if isinstance(name, str) else ""
    return found
