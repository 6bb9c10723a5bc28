"""Do annotators agree on units? Their work as panels, so that the questions of groupings and scores can be asked.

As groupings: which words of the models belong to one unit, by each annotator's pyramid. As scores: how far each judge
finds each unit in each item; or the pyramid scores of annotated peers.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.ducview import Pyramid, read_pyramid, sort_of
from quorate.formats.files import File, PathLike
from quorate.panel.base import ONE_TASK
from quorate.panel.kinds import Groupings, Orderings, Scores
from quorate.summaries.declarations import GROUPED
from quorate.summaries.units.auto_pyramid import auto_pyramid
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.reading import annotated_in, folders, found_in, peers_of, read_judges, topic

WORD = re.compile(r"\w+")
SHARED = 0.5  # of the words that all texts must have, at least, to be of the same models
Place = tuple[int, int]  # where a word begins and ends


def as_groupings(pyramids: Mapping[Hashable, Pyramid | Mapping[Hashable, Pyramid]], items: str = "words") -> Groupings:
    """Pyramids of the same models as groupings: ``{judge: pyramid}`` or ``{task: {judge: pyramid}}``.

    Items are the ``words`` of the models; a word in no unit is left out, a word in several units is in the heaviest. Or
    they are ``contributors``: stretches of text that at least one judge selected; one that a judge did not select
    exactly so is left out by that judge.

    >>> from quorate.formats.ducview import Contributor, Part, Scu
    >>> one = Pyramid("A dam broke.", (Scu("1", "broke", (Contributor("dam broke", (Part("dam broke", 2, 11),)),)),))
    >>> panel = as_groupings({"ann": one, "bob": one})
    >>> panel.judges, len(panel.items)
    (('ann', 'bob'), 3)
    """
    GROUPED["items"].check(items)
    nested = isinstance(next(iter(pyramids.values()), None), Mapping)
    tasks: Mapping[Hashable, Any] = pyramids if nested else {"all": pyramids}
    groups: dict[Hashable, dict[Hashable, dict[Hashable, Hashable]]] = {}
    notes: list[str] = []
    for task, judges in tasks.items():
        found, common, said = aligned([p.text for p in judges.values()], f"task {task}")
        notes += said
        groups[task] = _grouped(judges, items, dict(zip(judges, found, strict=True)), common, notes)
        notes += [f"judge {judge}, task {task}: {n}" for judge, p in judges.items() for n in p.notes]
    made = Groupings.from_groups(groups)
    return Groupings(
        *(made.task, made.judge, made.item, made.occasion, made.value, made.count, made.labels),
        notes=(*made.notes, *dict.fromkeys(notes)),
    )


def _grouped(
    judges: Mapping[Hashable, Pyramid],
    items: str,
    same: Mapping[Hashable, Mapping[Place, Place] | None],
    common: Sequence[Place],
    notes: list[str],
) -> dict[Hashable, dict[Hashable, Hashable]]:
    places: dict[Hashable, dict[tuple[int, int], str]] = {}
    for judge, pyramid in judges.items():
        mine: dict[tuple[int, int], str] = {}
        twice = 0
        # The heaviest unit last, so that it stays.
        for scu in sorted(pyramid.scus, key=lambda s: (len(s.contributors), s.uid)):
            for c in scu.contributors:
                spans: Sequence[Place] = [(p.start, p.end) for p in c.parts if p.start >= 0]
                if items == "words" or same[judge] is not None:
                    spans = _words(pyramid.text, spans, same[judge])
                for place in spans if items == "words" else _whole(spans):
                    twice += mine.get(place, scu.uid) != scu.uid
                    mine[place] = scu.uid
        if twice:
            notes.append(f"judge {judge}: {twice} {items} in several units are in the heaviest")
        places[judge] = mine
    every = common if items == "words" else sorted({p for mine in places.values() for p in mine})
    return {j: {f"{a}-{b}": mine.get((a, b)) for a, b in every} for j, mine in places.items()}


def _words(text: str, spans: Sequence[Place], same: Mapping[Place, Place] | None) -> tuple[Place, ...]:
    """Where the words of some stretches are; of texts that differ, in the text that all are held against."""
    found = (m.span() for a, b in spans for m in WORD.finditer(text, a, b))
    return tuple(found) if same is None else tuple(same[w] for w in found if w in same)


def _whole(spans: Sequence[Place]) -> list[Place]:
    return [(min(a for a, _ in spans), max(b for _, b in spans))] if spans else []


# -- texts that were typed again, with blanks or headers put in --------------------------------------------------------


def words(text: str) -> list[Place]:
    """Where the words of a text are."""
    return [m.span() for m in WORD.finditer(text)]


def same_words(text: str, other: str) -> dict[Place, Place]:
    """Where words of a text are in another one, by the longest runs of words that both have in the same order.

    >>> same_words("a dam broke", "Model P: a dam  broke")
    {(0, 1): (9, 10), (2, 5): (11, 14), (6, 11): (16, 21)}
    """
    mine, theirs = words(text), words(other)
    said = [[t[a:b].lower() for a, b in places] for t, places in ((text, mine), (other, theirs))]
    blocks = SequenceMatcher(None, said[0], said[1], autojunk=False).get_matching_blocks()
    return {mine[b.a + k]: theirs[b.b + k] for b in blocks for k in range(b.size)}


def aligned(texts: Sequence[str], what: str) -> tuple[list[Mapping[Place, Place] | None], list[Place], list[str]]:
    """Of each text where its words are in the shortest one, the words that all have, and what is to be said of it.

    Texts that are the same need no such map: it is None. Texts that share too little are an error: they are not of the
    same models.
    """
    reference = min(set(texts), key=lambda t: (len(words(t)), t))
    every = words(reference)
    if len(set(texts)) == 1:
        return [None] * len(texts), every, []
    found = [same_words(t, reference) for t in texts]
    common = sorted(set(every).intersection(*(f.values() for f in found)))
    if len(common) < SHARED * len(every):
        fact = f"{what}: the judges' pyramids are of different texts: {len(common)} of {len(every)} words are the same."
        raise InputError(fact, "compare pyramids of the same models.")
    longest = max(len(words(t)) for t in texts)
    aside = f"up to {longest - len(common)} others are left aside"
    said = f"{what}: the judges' texts differ; the {len(common)} words that all have in the same order are compared"
    return list(found), common, [f"{said}, {aside}"]


def as_scores(table: ContentUnits) -> Scores:
    """Support as scores: an item is a unit in an item (``item / unit``), the score how far the judge finds it there.

    >>> raw = {"unit": ["a", "a"], "item": ["x", "x"], "judge": ["ann", "bob"], "support": [1, 0.5]}
    >>> as_scores(ContentUnits.build(raw)).columns()["item"]
    ['x / a', 'x / a']
    """
    unit, item, judge, support, _ = table.cells()
    real = np.flatnonzero(~table.outside[unit])
    if not len(real):
        raise InputError("no units were looked for in any item.", "support is how far an item says a unit.")
    rows = [(table.units[u], table.items[i]) for u, i in zip(unit[real].tolist(), item[real].tolist(), strict=True)]
    return Scores.build(
        {
            "task": [i.task for _, i in rows],
            "item": [f"{i.id} / {u.id}" for u, i in rows],
            "judge": [table.judges[j] for j in judge[real].tolist()],
            "score": support[real],
        },
        notes=table.notes,
    )


def read_annotated(
    files: Sequence[File], kind: str | None, *, header: str | None = None, judges: str | None = None
) -> Scores | Groupings:
    """Scores of annotated peers, or groupings of pyramids; all files of one sort."""
    paths = [f.path or "-" for f in files]
    sorts = {sort_of(p) for p in paths}
    if len(sorts) > 1:
        raise InputError("pyramids and annotated peers cannot be read together.", "read .pan and .pyr files apart.")
    peers = sorts != {"pyr"}
    found = "scores" if peers else "groupings"
    if kind not in (None, found):
        raise InputError(
            f"{files[0].name}: {'annotated peers give' if peers else 'pyramids give'} {found}, not {kind}.",
            f"leave out the kind, or say kind={found} (--kind {found}).",
        )
    return scores_of(paths, header, judges) if peers else groupings_of(paths, header)


def scores_of(paths: Sequence[PathLike], header: str | None = None, judges: str | None = None) -> Scores:
    """Modified pyramid scores of annotated peers, with what autoPyramid gives as the label ``auto``."""
    who = read_judges(judges) if judges else None
    return auto_pyramid(peers_of([Path(p) for p in paths], header, who)).panel()


def groupings_of(paths: Sequence[PathLike], header: str | None = None, items: str = "words") -> Groupings:
    """What the models say grouped into units, by each judge's pyramid; of annotated peers, the pyramids inside them.

    The judge is the file's name; of peers, and where files of one name are in several folders, the folder.
    """
    tasks: dict[Hashable, dict[Hashable, Pyramid]] = {}
    stems = [File(p).stem for p in paths]
    apart = len(set(stems)) < len(stems) or any(sort_of(p) != "pyr" for p in paths)
    judges = folders(paths) if apart else stems
    for path, judge in zip(paths, judges, strict=True):
        pyramid = read_pyramid(path, header=header)
        task = topic(pyramid.text) or ONE_TASK
        first = tasks.setdefault(task, {}).setdefault(judge, pyramid)
        if first != pyramid:
            raise InputError(
                f"{path}: judge {judge} has two pyramids for task {task}.",
                "put each judge's files into a folder of their own.",
            )
    return as_groupings(tasks, items)


def files_for(paths: Sequence[PathLike], grouped: bool) -> list[Path]:
    """Files, and of folders the pyramids (``grouped``) or else the annotated peers in them."""
    out: list[Path] = []
    for path in map(Path, paths):
        out += (found_in(path, "pyr") if grouped and path.is_dir() else []) or annotated_in(path)
    return out


def as_sets(table: ContentUnits) -> tuple[Orderings, Orderings]:
    """Who holds which units: the models as judges, and the annotated items as systems, for methods of sets.

    Only membership counts; all units of one list are tied. A unit that models do not say is in no judge's set. An item
    has a unit that at least half of its judges find there.

    >>> raw = {"unit": ["a", "b"], "item": ["x", "x"], "support": [1, 0], "models": ["A B", "B"]}
    >>> judges, systems = as_sets(ContentUnits.build(raw))
    >>> judges.judges, systems.items
    (('A', 'B'), ('a',))
    """
    rows = [(u.task, m, u.id) for u in table.units for m in dict.fromkeys(u.models)]
    if not rows:
        raise InputError("no models are known.", "a table of units names them in the column models.")
    unit, item, _, support, _ = table.cells()
    looked = np.bincount(table.judged[0], minlength=len(table.items))
    total = np.zeros((len(table.items), len(table.units)))
    np.add.at(total, (item, unit), support)
    peers = [
        (table.items[i].task, table.items[i].id, table.units[u].id)
        for i, u in np.argwhere(total * 2 >= np.maximum(looked, 1)[:, None]).tolist()
        if total[i, u] > 0 and table.units[u].models
    ]
    if not peers:
        raise InputError("no item says a unit of the models.", "were the items annotated against this pyramid?")
    return _held(rows), _held(peers)


def _held(rows: Sequence[tuple[Hashable, Hashable, Hashable]]) -> Orderings:
    task, judge, item = (list(column) for column in zip(*rows, strict=True))
    return Orderings.build({"task": task, "judge": judge, "item": item, "position": [1] * len(rows)})
