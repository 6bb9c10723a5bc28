"""autoPyramid at TAC's size, beside a plain loop that searches every summary for every string of the others."""

from __future__ import annotations

import random
from typing import Any

from bench.clock import Row, cpu

WORDS = "abcdefghijklmnopqrstuvwxyz"


def run(quick: bool) -> list[Row]:
    from quorate.units.auto import auto_pyramid

    docsets, peers = (8, 20) if quick else (96, 58)
    table = collection(docsets, peers)
    ours, found = cpu(lambda: auto_pyramid(table))
    tasks = [_tasks(table) for _ in range(3)]
    searching, _ = cpu(lambda: [task.search for task in tasks.pop()])
    plain, (hits, seconds) = cpu(lambda: plain_loop(table), 1)
    same = all(abs(g.auto - hits[g.task, g.item]) < 1e-9 for g in found.items)
    strings = sum(len({s.noted for s in spans}) for spans in _accepted(table).values()) / docsets
    note = f"{strings:.0f} strings a doc set; scores {'agree' if same else 'DIFFER'}"
    name = f"autoPyramid of {docsets} doc sets x {peers} peers"
    return [
        Row(f"{name}, searching, a plain loop", searching, seconds, target=5, note=note),
        Row(f"{name}, all of it, a plain loop with scores only", ours, plain),
    ]


def _tasks(table: Any) -> Any:
    from quorate.units import auto

    return auto._tasks(table, auto.Choices(), {})


def plain_loop(table: Any) -> tuple[dict[Any, float], float]:
    """Automatic scores by str.find, and the CPU seconds that the searching alone took."""
    import time

    from quorate.units.pyramid import pyramids

    known = pyramids(table)
    by_item: dict[int, list[Any]] = {}
    items: dict[Any, list[int]] = {}
    for number, item in enumerate(table.items):
        items.setdefault(item.task, []).append(number)
    for u, i, _, support, spans in table.rows():
        if support and len(spans) == 1:
            by_item.setdefault(i, []).append((spans[0].noted, u))
    out, searching = {}, 0.0
    for task, numbers in items.items():
        for item in numbers:
            strings: dict[str, set[int]] = {}
            for other in numbers:
                if other != item:
                    for string, unit in by_item.get(other, ()):
                        strings.setdefault(string, set()).add(unit)
            text = table.items[item].text
            start = time.process_time()
            hits = {s: _places(text, s) for s in strings}
            searching += time.process_time() - start
            found = {u for s, places in hits.items() if places for u in strings[s]}
            out[task, table.items[item].id] = known[task].modified([table.units[u].id for u in found], "half_up")
    return out, searching


def _places(text: str, string: str) -> list[int]:
    out = []
    at = text.find(string)
    while at >= 0:
        out.append(at)
        at = text.find(string, at + len(string))
    return out


def _accepted(table: Any) -> dict[Any, list[Any]]:
    out: dict[Any, list[Any]] = {}
    for u, _, _, support, spans in table.rows():
        if support:
            out.setdefault(table.units[u].task, []).extend(spans)
    return out


def collection(docsets: int, peers: int, seed: int = 0) -> Any:
    """Extractive summaries of about 100 words, about 290 different strings a doc set."""
    from quorate.units.model import ContentUnits

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
