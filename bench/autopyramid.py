"""autoPyramid at TAC's size, beside a plain loop that searches every summary for every string of the others."""

from __future__ import annotations

import random
from typing import Any

from bench.clock import Row, cpu

WORDS = "abcdefghijklmnopqrstuvwxyz"


def run(quick: bool) -> list[Row]:
    from quorate.summaries.units.auto_pyramid import auto_pyramid

    docsets, peers = (8, 20) if quick else (96, 58)
    table = collection(docsets, peers)
    ours, found = cpu(lambda: auto_pyramid(table), 5)
    plain, (gaps, _) = cpu(lambda: plain_loop(table, False), 2)
    same = all(
        abs(g.auto - gaps[g.task, g.item][1]) + abs(g.manual - gaps[g.task, g.item][0]) < 1e-9 for g in found.items
    )
    both, listed = cpu(lambda: auto_pyramid(table).missed, 5)
    longer, (_, missed) = cpu(lambda: plain_loop(table, True), 2)
    equal = {(m.task, m.item, m.unit, m.string, m.accepted_in) for m in listed} == set(missed)
    strings = sum(map(len, _strings_of(table).values())) / docsets
    name = f"autoPyramid of {docsets} doc sets x {peers} peers"
    note = f"{strings:.0f} strings a doc set; scores {'agree' if same and len(gaps) == len(found.items) else 'DIFFER'}"
    more = f"{len(listed):,} missed strings; the lists {'agree' if equal and len(listed) == len(missed) else 'DIFFER'}"
    return [
        Row(f"{name}: scores, a plain loop", ours, plain, target=1, note=note),
        Row(f"{name}: scores and missed strings, a plain loop", both, longer, target=1, note=more),
    ]


def plain_loop(table: Any, listing: bool) -> tuple[dict[Any, tuple[float, float]], list[Any]]:
    """Manual and automatic scores by str.find; when ``listing`` also missed strings and where they were accepted."""
    from quorate.summaries.units.pyramid import pyramids

    known = pyramids(table)
    by_item: dict[int, list[Any]] = {}
    by_hand: dict[int, set[int]] = {}
    items: dict[Any, list[int]] = {}
    for number, item in enumerate(table.items):
        items.setdefault(item.task, []).append(number)
    for u, i, _, support, spans in table.rows():
        if support:
            by_hand.setdefault(i, set()).add(u)
            if len(spans) == 1:
                by_item.setdefault(i, []).append((spans[0].noted, u))
    gaps, missed = {}, []
    for task, numbers in items.items():
        pyramid = known[task]
        for item in numbers:
            strings: dict[str, set[int]] = {}
            for other in numbers:
                if other != item:
                    for string, unit in by_item.get(other, ()):
                        strings.setdefault(string, set()).add(unit)
            about = table.items[item]
            hits = {s: _places(about.text, s) for s in strings}
            found = {u for s, places in hits.items() if places for u in strings[s]}
            manual = by_hand.get(item, set())
            gaps[task, about.id] = tuple(
                pyramid.modified([table.units[u].id for u in units], "half_up") for units in (manual, found)
            )
            if listing:
                for string, places in hits.items():
                    for u in strings[string] - manual if places else ():
                        where = [o for o in numbers if o != item and (string, u) in by_item.get(o, ())]
                        names = tuple(str(table.items[o].id) for o in where)
                        missed.append((task, about.id, table.units[u].id, string, names))
    return gaps, missed  # type: ignore[return-value]


def _places(text: str, string: str) -> list[int]:
    out = []
    at = text.find(string)
    while at >= 0:
        out.append(at)
        at = text.find(string, at + len(string))
    return out


def _strings_of(table: Any) -> dict[Any, set[str]]:
    out: dict[Any, set[str]] = {}
    for u, _, _, support, spans in table.rows():
        if support:
            out.setdefault(table.units[u].task, set()).update(s.noted for s in spans)
    return out


def collection(docsets: int, peers: int, seed: int = 0) -> Any:
    """Extractive summaries of about 100 words, about 290 different strings a doc set."""
    from quorate.summaries.units.model import ContentUnits

    rng = random.Random(seed)
    vocabulary = ["".join(rng.choice(WORDS) for _ in range(rng.randint(2, 9))) for _ in range(2000)]
    raw: dict[str, list[Any]] = {n: [] for n in ("task", "unit", "item", "judge", "support", "models", "weight")}
    raw |= {"evidence": [], "start": [], "end": []}
    texts = {}
    for d in range(docsets):
        sentences = [" ".join(rng.choice(vocabulary) for _ in range(20)) + "." for _ in range(120)]
        strings = [_strings(rng, s) for s in sentences]
        for p in range(peers):
            chosen = rng.sample(range(120), 5)
            text = "\n".join(sentences[c] for c in chosen)
            texts[f"D{d}", str(p)] = text
            for c in chosen:
                for k, string in enumerate(strings[c]):
                    if rng.random() < 0.8:
                        at = text.index(string)
                        row = (f"D{d}", f"u{c % 60}-{k}", str(p), "ABCDEFGH"[d % 8], 1, "P Q", 2, string)
                        for column, value in zip(raw.values(), (*row, at, at + len(string)), strict=True):
                            column.append(value)
    return ContentUnits.build(raw, texts=texts)


def _strings(rng: random.Random, sentence: str) -> list[str]:
    words = sentence.rstrip(".").split(" ")
    out = []
    for _ in range(rng.choice((2, 3, 3, 3))):
        a = rng.randrange(12)
        out.append(" ".join(words[a : a + rng.randint(4, 8)]))
    return list(dict.fromkeys(out))
