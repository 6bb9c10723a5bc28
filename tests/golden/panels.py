"""The panels of the golden outputs: odd ones, the demo's, the documentation's, and public data where they are.

Nothing here is stored but how a panel is made; ``PANELS`` has a maker by name.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import quorate as q

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
ABC = ("ann", "bob", "cat")


@dataclass(frozen=True)
class Case:
    """A panel with what is held against it, and how it is asked."""

    panel: Any
    systems: Any = None
    metrics: Any = None
    every: bool = False  # asked by the methods that are not the usual ones, one by one; no report
    private: bool = False  # of public data nothing but figures is kept
    options: Mapping[str, Any] = field(default_factory=dict)


def rows(names: Sequence[str], cells: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    """Columns by name from rows."""
    return dict(zip(names, map(list, zip(*cells, strict=True)), strict=True))


# -- orderings ---------------------------------------------------------------------------------------------------------


def orders(given: Any) -> Case:
    """Orders with two systems: one that has the items as they come, one the other way round."""
    panel = q.Orderings.from_orders(given)
    return Case(panel, lists_of(panel))


def lists_of(panel: Any) -> Any:
    """Two systems' lists of the panel's items."""
    items = sorted(panel.items, key=str)
    lists = {"new": items, "old": items[::-1]}
    return q.Orderings.from_orders(lists if len(panel.tasks) == 1 else dict.fromkeys(panel.tasks, lists))


def built(names: Sequence[str], cells: Sequence[Sequence[Any]]) -> Case:
    """Orderings from rows, with systems."""
    panel = q.Orderings.build(rows(names, cells))
    return Case(panel, lists_of(panel))


def counted_orders() -> Case:
    """Rows that stand for several judges."""
    given = {"x": ("abcd", 10), "y": ("bacd", 5), "z": ("dcba", 1)}
    return built(
        ("judge", "item", "position", "count"),
        [(j, i, k, n) for j, (order, n) in given.items() for k, i in enumerate(order, 1)],
    )


def counted_tasks() -> Case:
    """Counts that differ from task to task."""
    given = {1: {"x": ("abcd", 4), "y": ("bacd", 2)}, 2: {"x": ("abdc", 7), "z": ("dcba", 1), "y": ("acbd", 3)}}
    cells = [(t, j, i, k, n) for t, of in given.items() for j, (order, n) in of.items() for k, i in enumerate(order, 1)]
    return built(("task", "judge", "item", "position", "count"), cells)


def repeated_orders() -> Case:
    """A judge who answered twice."""
    given = (("ann", 1, "abc"), ("ann", 2, "acb"), ("bob", 1, "abc"), ("cat", 1, "bac"))
    cells = [(j, i, k, o) for j, o, order in given for k, i in enumerate(order, 1)]
    return built(("judge", "item", "position", "occasion"), cells)


def noisy(
    tasks: int, judges: int, items: int, noise: float, seed: int, kept: int | None = None
) -> list[tuple[Any, ...]]:
    """Rows of orders near a common one on each task; ``kept``: only the first places."""
    rng = np.random.default_rng(seed)
    cells = []
    for t in range(tasks):
        true = rng.permutation(items)
        for j in range(judges):
            places = (true + rng.normal(0, noise, items)).argsort().argsort() + 1
            cells += [(f"t{t + 1}", f"j{j + 1}", f"i{i + 1}", int(p)) for i, p in enumerate(places) if p <= (kept or p)]
    return cells


PLACED = ("task", "judge", "item", "position")


def copied_orders() -> Case:
    """Three judges who hand in the same orders beside four who do not."""
    cells = noisy(6, 5, 6, 2.0, 1)
    first = [(t, i, p) for t, j, i, p in cells if j == "j1"]
    return built(PLACED, cells + [(t, f"copy{k}", i, p) for k in (1, 2) for t, i, p in first])


def gaps_in_orders() -> Case:
    """Items and whole judgments left out here and there."""
    rng = np.random.default_rng(2)
    cells = [c for c in noisy(5, 6, 7, 2.0, 2) if rng.random() > 0.25]
    return built(PLACED, [c for c in cells if (c[0], c[1]) not in {("t2", "j3"), ("t4", "j1")}])


def tied_orders() -> Case:
    """Places in steps of three: ties everywhere."""
    return built(PLACED, [(t, j, i, (p + 2) // 3) for t, j, i, p in noisy(4, 5, 9, 2.0, 3)])


UNICODE = {"Żółć": "ñ日é", "Ångström": "é日ñ", "李": "日ñé", "e\u0301va": "日éñ"}

ORDERINGS: dict[str, Callable[[], Case]] = {
    "one judge": lambda: orders({"ann": "abcd"}),
    "two judges": lambda: orders({"ann": "abcd", "bob": "bacd"}),
    "two opposite": lambda: orders({"ann": "abcd", "bob": "dcba"}),
    "three alike": lambda: orders(dict.fromkeys(ABC, "abcd")),
    "all tied": lambda: orders({j: [list("abcd")] for j in ABC}),
    "one item": lambda: orders(dict.fromkeys(ABC, "a")),
    "nothing in common": lambda: orders({"ann": "ab", "bob": "cd", "cat": "ef"}),
    "a circle": lambda: orders({"ann": "abc", "bob": "bca", "cat": "cab"}),
    "one is off": lambda: orders({**dict.fromkeys("stuvw", "abcdef"), "off": "fedcba"}),
    "one judge a task": lambda: orders({1: {"ann": "abc"}, 2: {"bob": "bca"}}),
    "two tasks": lambda: orders({t: {"ann": "abc", "bob": "acb", "cat": "abc"} for t in (1, 2)}),
    "counts": counted_orders,
    "counts by task": counted_tasks,
    "a repeat": repeated_orders,
    "copies": copied_orders,
    "gaps": gaps_in_orders,
    "ties": tied_orders,
    "first places": lambda: built(PLACED, noisy(6, 5, 12, 3.0, 4, kept=5)),
    "many judges": lambda: built(PLACED, noisy(3, 24, 5, 2.0, 5)),
    "many tasks": lambda: built(PLACED, noisy(20, 4, 5, 1.5, 6)),
    "at random": lambda: built(PLACED, noisy(8, 5, 6, 50.0, 7)),
    "unicode": lambda: orders(UNICODE),
}

# -- groupings ---------------------------------------------------------------------------------------------------------

ALIKE = {i: g for g, some in enumerate(("ab", "cd", "ef")) for i in some}


def groups(given: Mapping[Any, Any]) -> Case:
    """Groups with two systems."""
    panel = q.Groupings.from_groups(given)
    return Case(panel, grouped_by_systems(panel))


def grouped_by_systems(panel: Any) -> Any:
    """Two systems: one puts pairs together, one all."""
    items = sorted(panel.items, key=str)
    made = {"new": {i: k // 2 for k, i in enumerate(items)}, "old": dict.fromkeys(items, 1)}
    return q.Groupings.from_groups(made if len(panel.tasks) == 1 else dict.fromkeys(panel.tasks, made))


def counted_groups() -> Case:
    """Two rows that stand for eleven judges."""
    cells = [(j, i, g if j == "x" else i in "abc", n) for j, n in (("x", 9), ("y", 2)) for i, g in ALIKE.items()]
    panel = q.Groupings.build(rows(("judge", "item", "group", "count"), cells))
    return Case(panel, grouped_by_systems(panel))


def noisy_groups(tasks: int, judges: int, items: int, stray: float, left: float, seed: int) -> Case:
    """Judges who put some items elsewhere and leave some out; items differ from task to task."""
    rng = np.random.default_rng(seed)
    given: dict[str, Any] = {}
    for t in range(tasks):
        topic = rng.integers(4, size=items)
        for j in range(judges):
            other = np.where(rng.random(items) < stray, rng.integers(4, size=items), topic)
            out = rng.random(items) < left
            of = {f"t{t + 1}.{i + 1}": None if out[i] else int(g) for i, g in enumerate(other)}
            given.setdefault(f"t{t + 1}", {})[f"j{j + 1}"] = of
    panel = q.Groupings.from_groups(given)
    made = {
        t: {
            "new": {i: k % 4 for k, i in enumerate(of["j1"])},
            "near": {i: "none" if g is None else g for i, g in of["j2"].items()},
            "old": dict.fromkeys(of["j1"], 1),
        }
        for t, of in given.items()
    }
    return Case(panel, q.Groupings.from_groups(made))


GROUPINGS: dict[str, Callable[[], Case]] = {
    "one judge": lambda: groups({"ann": ALIKE}),
    "two judges": lambda: groups({"ann": ALIKE, "bob": {i: i in "abc" for i in ALIKE}}),
    "three alike": lambda: groups(dict.fromkeys(ABC, ALIKE)),
    "all alone": lambda: groups({j: {i: i for i in ALIKE} for j in ABC}),
    "all together": lambda: groups({j: dict.fromkeys(ALIKE, 1) for j in ABC}),
    "all left out": lambda: groups({j: dict.fromkeys(ALIKE) for j in ABC}),
    "one item": lambda: groups({j: {"a": 1} for j in ABC}),
    "one judge a task": lambda: groups({1: {"ann": ALIKE}, 2: {"bob": ALIKE}}),
    "nothing in common": lambda: groups({"ann": {"a": 1, "b": 1}, "bob": {"c": 1, "d": 2}}),
    "counts": counted_groups,
    "several tasks": lambda: noisy_groups(5, 4, 8, 0.25, 0.0, 8),
    "left out": lambda: noisy_groups(3, 5, 9, 0.2, 0.25, 9),
    "many judges": lambda: noisy_groups(1, 10, 9, 0.3, 0.05, 10),
}

# -- scores ------------------------------------------------------------------------------------------------------------

SCORED = ("task", "judge", "item", "system", "score")


def matrix(given: Any, **names: Any) -> Case:
    """Scores with judges in rows."""
    return Case(q.Scores.from_matrix(given, **names))


def of_systems(score: Callable[[str, str, int], float], judges: Sequence[str] = ABC, tasks: int = 1) -> Case:
    """``score(judge, system, task)`` of systems A, B, C."""
    cells = [(t, j, f"{s}{t}", s, score(j, s, t)) for t in range(tasks) for s in "ABC" for j in judges]
    return Case(q.Scores.build(rows(SCORED, cells)))


def noisy_scores(
    tasks: int, judges: int, systems: int, seed: int, missing: float = 0.0, fine: bool = False
) -> list[tuple[Any, ...]]:
    """Rows of scores from 1 to 5 of systems that differ, by judges of whom the last is erratic."""
    rng = np.random.default_rng(seed)
    worth, cells = np.linspace(4.2, 2.2, systems), []
    for t in range(tasks):
        true = worth + rng.normal(0, 0.5, systems)
        for j in range(judges):
            seen = true + rng.normal(0.1 * j, 2.0 if j == judges - 1 else 0.5, systems)
            for s, score in enumerate(seen if fine else np.clip(np.rint(seen), 1, 5)):
                if rng.random() >= missing:
                    cells.append((f"t{t + 1}", f"j{j + 1}", f"t{t + 1}-{s + 1}", f"s{s + 1}", float(score)))
    return cells


def scored(*given: Any, **more: Any) -> Case:
    """A panel of ``noisy_scores``."""
    return Case(q.Scores.build(rows(SCORED, noisy_scores(*given, **more))))


def criteria() -> Case:
    """Two criteria, of which the second is harder."""
    cells = [(*c, n) for n, seed in (("ease", 20), ("truth", 21)) for c in noisy_scores(6, 3, 3, seed)]
    return Case(q.Scores.build(rows((*SCORED, "criterion"), cells)))


def occasions() -> Case:
    """Every judge scores twice, with times."""
    made = {o: noisy_scores(4, 3, 3, 22 + o) for o in (1, 2)}
    cells = [(*c, o, 100 * o + k) for o, of in made.items() for k, c in enumerate(of)]
    return Case(q.Scores.build(rows((*SCORED, "occasion", "time"), cells)))


def copied_scores() -> Case:
    """A judge who copies another one's scores."""
    cells = noisy_scores(8, 4, 3, 24)
    return Case(q.Scores.build(rows(SCORED, cells + [(t, "copy", i, s, x) for t, j, i, s, x in cells if j == "j1"])))


def duplicate_texts() -> Case:
    """Outputs with the same text, which judges should score alike."""
    cells = [(*c, f"Text {(int(c[0][1:]) + int(c[3][1:])) % 4}.") for c in noisy_scores(6, 3, 3, 25)]
    return Case(q.Scores.build(rows((*SCORED, "text"), cells)))


def counted_scores() -> Case:
    """Rows that stand for several judges."""
    number = {"j1": 6, "j2": 3, "j3": 1}
    return Case(q.Scores.build(rows((*SCORED, "count"), [(*c, number[c[1]]) for c in noisy_scores(5, 3, 3, 26)])))


def models_and_people() -> Case:
    """People and models, with metrics beside."""
    kind = {"j4": "model", "j5": "model"}
    cells = [(*c, kind.get(c[1], "human")) for c in noisy_scores(12, 5, 4, 27)]
    beside = [(t, f"m{j[1:]}", i, s, x) for t, j, i, s, x in noisy_scores(12, 3, 4, 28, fine=True)]
    return Case(q.Scores.build(rows((*SCORED, "judge_kind"), cells)), metrics=q.Scores.build(rows(SCORED, beside)))


def labels(judges: int, items: int, seed: int, letters: str = "abc") -> Case:
    """Labels that mostly agree."""
    rng = np.random.default_rng(seed)
    true = rng.integers(len(letters), size=items)
    cells = [
        (f"j{j + 1}", f"i{i + 1}", letters[int(g if rng.random() < 0.75 else rng.integers(len(letters)))])
        for j in range(judges)
        for i, g in enumerate(true)
    ]
    return Case(q.Scores.build(rows(("judge", "item", "label"), cells)))


def labelled(judges: Sequence[str], items: Sequence[Any], given: str) -> Case:
    """Labels as written."""
    return Case(q.Scores.build({"judge": list(judges), "item": list(items), "label": list(given)}))


def ordered_labels() -> Case:
    """Labels on a scale."""
    panel = labels(4, 12, 30, "lmh").panel
    return Case(panel.with_scale(["l", "m", "h"]))


SCORES: dict[str, Callable[[], Case]] = {
    "one judge": lambda: matrix([[1, 2, 3]], judges=["ann"]),
    "two judges": lambda: matrix([[0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]]),
    "three alike": lambda: matrix([[1, 2, 3, 4]] * 3),
    "one value": lambda: matrix([[3, 3, 3, 3]] * 3),
    "one item": lambda: matrix([[1], [2], [3]]),
    "one score": lambda: matrix([[3]]),
    "nothing in common": lambda: matrix([[1, 2, None, None], [None, None, 3, 1]]),
    "one is reversed": lambda: matrix([[1, 2, 3, 4], [1, 2, 3, 4], [4, 3, 2, 1]]),
    "below zero": lambda: matrix([[-1, -2, -0.001], [-1, -3, 0], [-2, -2, 0.001]]),
    "equal systems": lambda: of_systems(lambda j, s, t: 3, tasks=3),
    "two lead": lambda: of_systems(lambda j, s, t: 2 - (s == "C"), tasks=3),
    "one task": lambda: of_systems(lambda j, s, t: "ABC".index(s) + (j == "bob") * (s == "A")),
    "one judge of systems": lambda: of_systems(lambda j, s, t: "CBA".index(s) + t % 2, judges=("ann",), tasks=7),
    "few labels": lambda: labelled(["ann", "bob", "cat"] * 2, [1, 1, 1, 2, 2, 2], "yynnny"),
    "labels": lambda: labels(4, 15, 29),
    "labels on a scale": ordered_labels,
    "systems": lambda: scored(10, 4, 5, 31),
    "gaps": lambda: scored(8, 4, 4, 32, missing=0.3),
    "fine scores": lambda: scored(6, 5, 3, 33, fine=True),
    "many judges": lambda: scored(2, 20, 4, 34),
    "criteria": criteria,
    "occasions": occasions,
    "copies": copied_scores,
    "same texts": duplicate_texts,
    "counts": counted_scores,
    "models and people": models_and_people,
}

# -- the demo's and the documentation's --------------------------------------------------------------------------------


def demo(name: str) -> Case:
    """A panel of the demo."""
    from quorate.demo import panels as demo_panels

    return Case(getattr(demo_panels, name)(0).panel)


def example(file: str, systems: str = "", metrics: str = "", every: bool = False, **how: Any) -> Case:
    """Files of the documentation, read from their folder so that notes name them without it."""
    with contextlib.chdir(EXAMPLES):
        panel = q.read(file, **how)
        lists = q.read(systems) if systems else None
        beside = q.formats.read_metrics(metrics) if metrics else None
    return Case(panel, lists, beside, every)


DEMO: dict[str, Callable[[], Case]] = {
    "search runs": lambda: demo("search_runs"),
    "film orders": lambda: demo("film_orders"),
    "sentence clusters": lambda: demo("sentence_clusters"),
    "summary scores": lambda: demo("summary_scores"),
}
EXAMPLE: dict[str, Callable[[], Case]] = {
    "films": lambda: example("films.csv"),
    "clusterings": lambda: example("clusterings.csv", "candidates.csv"),
    "panel": lambda: example("panel.csv"),
    "runs": lambda: example("runs.csv"),
    "sentences": lambda: example("sentences.csv", "summarizers.csv"),
    "votes": lambda: example("votes.csv"),
    "clusters": lambda: example("clusters.csv"),
    "volcano": lambda: example("volcano.csv", "volcano_systems.csv"),
    "diagnoses": lambda: example("diagnoses.csv", kind="scores"),
    "llm judges": lambda: example("llm_judges.csv"),
    "readings": lambda: example("readings.csv", criteria=["readability", "content"]),
    "reviews": lambda: example("reviews.csv", metrics="reviews_metrics.csv"),
    "sittings": lambda: example("sittings.csv"),
    "votes as orderings": lambda: example("votes.csv", kind="orderings"),
    "votes as scores": lambda: example("votes.csv", kind="scores"),
}
EVERY: dict[str, Callable[[], Case]] = {
    "films": lambda: example("films.csv", every=True),
    "sentences": lambda: example("sentences.csv", "summarizers.csv", every=True),
    "clusters": lambda: example("clusters.csv", every=True),
    "volcano": lambda: example("volcano.csv", "volcano_systems.csv", every=True),
    "diagnoses": lambda: example("diagnoses.csv", kind="scores", every=True),
    "sittings": lambda: example("sittings.csv", every=True),
    "llm judges": lambda: example("llm_judges.csv", every=True),
    "reviews": lambda: example("reviews.csv", metrics="reviews_metrics.csv", every=True),
}

# -- public data -------------------------------------------------------------------------------------------------------


QUICK = {"resamples": 200, "permutations": 50}


class NoData(Exception):
    """The public data set is not here."""


def public(*parts: str, **how: Any) -> Case:
    """A file of the public data, of which only figures are kept."""
    named = os.environ.get("QUORATE_DATA")
    file = (Path(named) if named else ROOT.parent / "shared" / "data").joinpath(*parts)
    if not file.exists():
        raise NoData(f"needs the public data set {parts[0]}: set QUORATE_DATA")
    return Case(q.read(file, **how), private=True, options=QUICK)


def some_documents() -> Case:
    """The first documents of SummEval, two criteria."""
    panel = public(
        "summeval", "summeval_experts.csv", rename={"doc": "task"}, criteria=["coherence", "relevance"]
    ).panel
    return Case(panel.select(tasks=sorted(panel.tasks)[:12]), private=True, options=QUICK)


PUBLIC: dict[str, Callable[[], Case]] = {
    "dots": lambda: public("preflib", "00024-dots", "00024-00000003.soc"),
    "skate": lambda: public("preflib", "00006-skate", "00006-00000003.soc"),
    "skate ties": lambda: public("preflib", "00006-skate", "00006-00000020.toc"),
    "beers": lambda: public("free-sorting", "beers_DistatisR.csv", kind="groupings"),
    "aromas": lambda: public("free-sorting", "aromas_FreeSortR.csv", kind="groupings"),
    "anxiety": lambda: public("irr", "anxiety.csv", kind="scores"),
    "diagnoses": lambda: public("irr", "diagnoses.csv", kind="scores"),
    "video": lambda: public("irr", "video.csv", kind="scores"),
    "experts": some_documents,
}

PANELS: dict[str, Callable[[], Case]] = {
    f"{group} {name}".replace(" ", "-"): make
    for group, of in (
        ("orderings", ORDERINGS),
        ("groupings", GROUPINGS),
        ("scores", SCORES),
        ("demo", DEMO),
        ("example", EXAMPLE),
        ("every", EVERY),
        ("public", PUBLIC),
    )
    for name, make in of.items()
}
