"""Labels in words: how many are right, which are confused, who labels well, and what to decide by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from quorate.panel.base import listed, many
from quorate.words.facts import Fact
from quorate.words.numbers import share
from quorate.words.result import MIXED
from quorate.words.screen import FirstScreen, Picture, Step, Tile, Tone
from quorate.words.wording import brief, called, ci_of, every, some

GAIN = 0.01  # of the labels, from which on deciding some by hand is worth a headline
NAMED = 3  # items or judges by name
ROWS = 5  # of a picture
WEIGH = "too few labels a judge to weigh judges"
DOUBT = "The judges do not clearly agree more than by chance, so which labels are right cannot be told"
ALONE = "No two judges labelled the same item, so how many labels are right cannot be told"
ONE_ITEM = "There is one item only, so whether its label is right cannot be told"
ENOUGH = 10  # labels of a judge, from which on it is told by name how often they are right
LOW = 0.75  # how often a judge is right, below which nobody is said to label well


def label_facts(q: Any) -> Iterator[Fact]:
    """All facts, the most important first."""
    data = {"right": q.right, "items": q.items, "doubtful": q.doubtful}
    yield Fact("first", f"{_doubt(q) if q.doubtful else _begun(_expected(q))}.", data)
    if q.disputes:
        first = named(q, q.disputes)
        text = f"Decide by hand first: {first}.{'' if q.doubtful else f' {_begun(_gain(q))}.'}"
        if not q.doubtful and _little(q):
            text = f"Least certain: {first}. Deciding more by hand would gain little."
        yield Fact("adjudicate", text, {"items": [r["item"] for r in q.disputes], "gain": q.gain})
    if q.confused and q.confused[0]["value"] >= MIXED:
        row = q.confused[0]
        most = " most" if len(q.confused) > 1 else ""
        often = f"where one judge says either, another says the other in {share(row['value'])}"
        yield Fact("confused", f"Judges mix up {_pair(row)}{most}: {often}.", dict(row))
    yield from (f for f in q.agreement.facts if f.name == "label_sets")
    yield from _judges(q)
    if q.preferences:
        row = q.preferences[0]
        more = "more" if row["value"] > 0 else "less"
        both = row["interval"] and sorted(end if row["value"] > 0 else -end for end in row["interval"])
        ends = ci_of(both, q.agreement.options.level, share)
        who = brief(row["judge"], what="judge")
        text = f"{who} says {_label(row['label'])} {more} often than the others do of the same items"
        where = f" on {brief(row['criterion'], what='criterion')}" if row.get("criterion") is not None else ""
        apart = f"in {share(row['said'])} of answers, {share(abs(row['value']))} {more} than they do{ends}"
        yield Fact("preference", f"{text}{where}: {apart}.", dict(row))
    if q.categories and q.categories[0]["value"] < 1:
        worst = q.categories[0]
        said = f"The label judges agree on least is {brief(worst['label'])}"
        ends = ci_of(worst.get("interval"), q.agreement.options.level, share)
        text = f"{said}: who gives it meets another judge who does in {share(worst['value'])} of cases{ends}."
        yield Fact("category", text, dict(worst))
    yield from _groups(q)


def named(q: Any, rows: Iterable[Any]) -> str:
    """Items, with the criterion where there are several, and with the task where items of several are called alike."""
    tasks, items = (q.gold.get(n, ()) for n in ("task", "item"))
    several = len(set(items)) < len(set(zip(tasks, items, strict=False)))
    return listed([f"{_on(r)}{brief(r['item'], what='item')}{_of(r) if several else ''}" for r in rows], NAMED)


def _label(name: object) -> str:
    return brief(name, what="label")


def _pair(row: Any) -> str:
    return f"{_label(row['label'])} and {_label(row['other_label'])}"


def _of(row: Any) -> str:
    return f" of {brief(row['task'], what='task')}"


def _on(row: Any) -> str:
    return f"{brief(row['criterion'], what='criterion')} of " if row.get("criterion") is not None else ""


def _expected(q: Any) -> str:
    if q.method != "majority":
        return f"{share(q.right)} of the {q.items:,} labels are expected to be right (by {q.method})"
    most = f"{share(q.right)} of an item's judges gave the label that most gave, on average"
    return f"{most}; how many are right cannot be told: {_unweighed(q)}"


def _doubt(q: Any) -> str:
    """Why nobody knows which labels are right."""
    return ALONE if q.alone else ONE_ITEM if q.items == 1 else DOUBT


def _unweighed(q: Any) -> str:
    """Why judges are not weighed by how often they are right."""
    return "the labels of each item are sorted, so who gave which is lost" if q.sorted else WEIGH


def _gain(q: Any) -> str:
    """What deciding the first items by hand is expected to gain."""
    few = q.first
    if q.method == "majority":
        return f"judges differ on {some(q.disputed, q.items, 'item')}"
    better = q.after(few)
    them = f"the first {few:,}" if few > 1 else "the first" if len(q.disputes) > 1 else "it"
    return f"deciding {them} is expected to make {share(better)} right"


def _begun(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _known(q: Any) -> list[Any]:
    """How often judges are right, the least first; of a few labels, all right, nobody knows."""
    return [r for r in q.judges if not math.isnan(r["value"]) and q.labels_of.get(r["judge"], 0) >= ENOUGH]


def _judges(q: Any) -> Iterator[Fact]:
    rows = _known(q)
    if len(rows) < 2 or rows[0]["value"] == rows[-1]["value"]:
        return
    best, worst = rows[-1], rows[0]
    text = f"Most often right is {called(best['judge'])} ({share(best['value'])}), least {called(worst['judge'])}"
    mix = next((r for r in q.confusion if r["judge"] == worst["judge"] and r["truth"] != r["label"]), None)
    does = f", who says {_label(mix['label'])} for {_label(mix['truth'])} in {share(mix['share'])}" if mix else ""
    yield Fact("judge", f"{text} ({share(worst['value'])}){does}.", {"best": best, "worst": worst})


def _groups(q: Any) -> Iterator[Fact]:
    yield from q.by.facts if q.by else ()


# -- the first screen of its page --------------------------------------------------------------------------------------


def first_screen(q: Any, usual: FirstScreen) -> FirstScreen:
    """The first screen of labels: how many are right, what is confused, who labels well, what to decide."""
    kept = {t.name: t for t in usual.tiles}
    tiles = (_right_tile(q), _confused_tile(q, kept["agreement"]), _judge_tile(q, kept["judges"]), _list_tile(q))
    own = tuple(_steps(q))
    off = tuple(s for s in usual.steps if s.anchor.startswith(("off", "judges")))
    copied = [str(f) for f in q.consensus.facts if f.name == "copies"]
    sub = " ".join(filter(None, (*copied, usual.sub)))
    return FirstScreen(headline(q), sub, tiles, (*off[:2], *own)[:4] or usual.steps)


def headline(q: Any) -> str:
    """How many labels are right, and what deciding a few by hand would do."""
    several = f" on {q.criteria:,} questions" if q.criteria > 1 else ""
    if q.doubtful:
        return f"{_doubt(q)}."
    if q.method == "majority":
        if not q.disputed and q.shared < q.items:
            left = q.items - q.shared
            both = "the only item" if q.shared == 1 else every(q.shared, "item")
            alone = f"{left:,} {'has' if left == 1 else 'have'} one label only"
            return f"The judges agree on the label of {both} that two or more labelled{several}; {alone}."
        if not q.disputed:
            return f"All judges agree on the label of {every(q.items, 'item')}{several}."
        first = "decide it by hand" if q.disputed == 1 else f"decide {many(q.first, 'item')} by hand first"
        return f"The judges differ on {some(q.disputed, q.items, 'item')}{several}; {first}."
    said = _begun(f"{share(q.right)} of the {q.items:,} labels{several} are expected to be right")
    if not q.disputes:
        return f"{said}: the judges differ on none."
    better = share(q.after(q.first))
    if _little(q):
        return f"{said}; deciding more by hand would gain little."
    return f"{said}; deciding {many(q.first, 'item')} by hand would make it {better}."


def _little(q: Any) -> bool:
    """Whether deciding items by hand gains little."""
    return bool(q.method != "majority" and q.after(q.first) - q.right < GAIN)


def _right_tile(q: Any) -> Tile:
    asks = "Are the labels right?"
    rows = tuple({"name": brief(label, 12), "value": n / max(q.items, 1)} for label, n in q.counts[:ROWS])
    said = ", ".join(f"{label}: {n:,}" for label, n in q.counts[:ROWS])
    picture = Picture("shares", f"Items by label: {said}", rows or ({"name": "?", "value": None},))
    if q.method == "majority" and not q.doubtful:
        same = q.shared - q.disputed
        of = (
            some(same, q.shared, "item") if q.shared == q.items else f"{same:,} of {q.shared:,} labelled by two or more"
        )
        figure = f"{of} {'was' if same < 2 else 'were'} given one label by all judges"
        word = "Not told" if q.disputed else "All agree"
        return Tile("right", asks, word, figure, picture, "labels", _unweighed(q))
    if q.doubtful:
        figure = "no two judges labelled the same" if q.alone else "judges who label at random would agree as much"
        figure = "there is one item only" if q.items == 1 else figure
        return Tile("right", asks, "Cannot be told", figure, picture, "agreement", tone="warn")
    figure = f"of {many(q.items, 'item')}, judges weighed by how often they are right"
    tone: Tone = "good" if q.right >= 0.95 else "plain" if q.right >= 0.85 else "warn"
    return Tile("right", asks, f"{share(q.right)} expected", figure, picture, "labels", tone=tone)


def _confused_tile(q: Any, agreement: Tile) -> Tile:
    asks = "Which labels are confused?"
    rows = tuple(
        {"name": f"{brief(r['label'], 6)}/{brief(r['other_label'], 6)}", "value": r["value"]} for r in q.confused[:ROWS]
    )
    if not rows:
        return agreement
    first = q.confused[0]
    figure = f"where one judge says either, another says the other in {share(first['value'])}"
    said = "; ".join(f"{r['name']} {share(r['value'])}" for r in rows)
    mixed = first["value"] >= MIXED
    word = f"{brief(first['label'], 14)} and {brief(first['other_label'], 14)}" if mixed else "Hardly any"
    note = f"agreement {agreement.figure}" if agreement.figure[:1].isdigit() else ""
    return Tile(
        "confused", asks, word, figure, Picture("shares", said, rows), "labels", note, "warn" if mixed else "good"
    )


def _judge_tile(q: Any, usual: Tile) -> Tile:
    rows = _known(q)
    if len(rows) < 2:
        return usual
    off = set(q.flagged)
    drawn = tuple(
        {"name": brief(r["judge"], 16), "value": r["value"], "off": str(r["judge"]) in off} for r in rows[:60]
    )
    ends = (min(r["value"] for r in rows), max(r["value"] for r in rows))
    told = [f"{brief(r['judge'], 16)} {share(r['value'])}" for r in rows[:ROWS]]
    said = f"How often each judge is right: {', '.join(told)}"
    low = rows[0]["value"] < LOW
    word = usual.word if off else "Nobody is off" if low else "All of them"
    (worst, least), (best, most) = ((brief(r["judge"], 16, "judge"), share(r["value"])) for r in (rows[0], rows[-1]))
    figure = f"{worst} is right on {least}, {best} on {most}"
    tone: Tone = "warn" if off else "plain" if low else "good"
    return Tile(
        "judges", "Who labels well?", word, figure, Picture("strip", said, drawn, ends), usual.anchor, tone=tone
    )


def _list_tile(q: Any) -> Tile:
    asks = "What to decide by hand?"
    rows = tuple(
        {"name": brief(r["item"], 12), "value": r["gain"], "said": share(r["gain"])} for r in q.disputes[:ROWS]
    )
    if not q.disputes:
        picture = Picture("shares", "nothing", ({"name": "nothing", "value": 0.0},))
        if q.alone:
            return Tile("decide", asks, "Cannot be told", "no item has two labels to compare", picture, "labels")
        return Tile("decide", asks, "Nothing", "no two judges differ on an item", picture, "labels", tone="good")
    said = "Chance that the label is wrong: " + ", ".join(f"{r['name']} {r['said']}" for r in rows)
    if q.doubtful and q.items > 1:
        figure = f"judges differ on {some(q.disputed, q.items, 'item')}; first make sure that they mean the same"
        return Tile("decide", asks, "The guidelines", figure, Picture("shares", said, rows), "labels", tone="warn")
    if _little(q):
        figure = f"judges differ on {some(q.disputed, q.items, 'item')}, but deciding a few would gain little"
        return Tile("decide", asks, "Nothing urgent", figure, Picture("shares", said, rows), "labels", tone="good")
    word = many(q.first, "item")
    note = "" if q.method == "majority" else f"judges differ on {q.disputed:,}"
    return Tile("decide", asks, word, _gain(q), Picture("shares", said, rows), "labels", note)


def _steps(q: Any) -> Iterator[Step]:
    if q.alone:
        yield Step("Have a second judge label some of the items", "so that it shows how far they agree", "agreement")
        return
    if q.items == 1:
        yield Step("Have more items labelled", "one item does not tell how far the judges agree", "agreement")
        return
    if q.doubtful:
        why = "they may not understand the labels alike"
        yield Step("Read the guidelines again with the judges", why, "agreement")
        return
    if q.disputes and not _little(q):
        yield Step(f"Decide {named(q, q.disputes[: q.first])} by hand", _gain(q), "labels")
    if q.mixed and q.mixed[0]["value"] >= MIXED:
        row = q.mixed[0]
        often = share(row["value"])
        often = f"the other judges mix up {often}" if q.flagged else f"{often} are mixed up"
        yield Step(f"Say in the guidelines what tells {_pair(row)} apart", often, "labels")
    if q.camps == 1 and (q.right >= 0.95 or not q.disputes):
        yield Step("Take the labels as gold", "the table of gold has how certain each is", "labels")
