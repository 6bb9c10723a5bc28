"""Made-up panels for the demo: search runs with two bad ones among them, and a small panel of each kind.

Nothing is read from a file: the same seed gives the same panels.

>>> runs = search_runs(0)
>>> runs.panel
<Orderings: 10 judges, 360 items, 30 tasks>
>>> runs.planted
{'run-04': 'its documents are in random order', 'run-09': 'it sorts the wrong way round'}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from quorate.kernels.streams import stream
from quorate.orderings.simulate import mallows, random_orders
from quorate.panel.kinds import Groupings, Orderings, Panel, Scores, Votes

QUERIES, RUNS, DOCUMENTS, FIRST = 30, 10, 12, 8  # a run lists the first 8 of a query's 12 documents
SPREAD, ALIKE = 0.45, 0.25  # of Mallows: how far good runs, and lovers of films, stray from the true order


@dataclass(frozen=True)
class MadeUp:
    """A panel with the judges who were made to be bad, and how."""

    name: str
    about: str
    panel: Panel
    planted: Mapping[str, str]


def search_runs(seed: int) -> MadeUp:
    """Ten runs on 30 queries; two of them are useless."""
    rng = stream(seed, "demo", "search runs")
    places = mallows((QUERIES, RUNS, DOCUMENTS), SPREAD, rng)
    places[:, 3] = random_orders((QUERIES, 1, DOCUMENTS), rng)[:, 0]
    places[:, 8] = DOCUMENTS + 1 - places[:, 8]
    query, run, document = np.nonzero(places <= FIRST)
    columns: dict[str, Any] = {
        "task": [f"query-{q + 1:02}" for q in query.tolist()],
        "judge": [f"run-{r + 1:02}" for r in run.tolist()],
        "item": [f"doc-{q + 1:02}-{d + 1:02}" for q, d in zip(query.tolist(), document.tolist(), strict=True)],
        "position": places[query, run, document].astype(float),
    }
    return MadeUp(
        "search-runs",
        "Ten search runs each list their first 8 documents for 30 queries. A run is a judge, a query a task.",
        Orderings.build(columns),
        {"run-04": "its documents are in random order", "run-09": "it sorts the wrong way round"},
    )


def film_orders(seed: int) -> MadeUp:
    """Eight people put the same nine films in order; one begins with the worst."""
    rng = stream(seed, "demo", "film orders")
    judges = ("Amy", "Bob", "Cleo", "Dov", "Esi", "Finn", "Gus", "Hana")
    films = ("Anchor", "Bellows", "Candle", "Dune", "Ember", "Fable", "Garnet", "Harbour", "Island")
    places = mallows((1, len(judges), len(films)), ALIKE, rng)[0]
    places[5] = len(films) + 1 - places[5]
    rows = [(j, f, int(places[k, i])) for k, j in enumerate(judges) for i, f in enumerate(films)]
    return MadeUp(
        "film-orders",
        "Eight people put nine films in order, the best first.",
        Orderings.build(_columns(rows, "judge", "item", "position")),
        {"Finn": "he began with the worst"},
    )


def sentence_clusters(seed: int) -> MadeUp:
    """Five judges sort the sentences of two events into clusters; one of them guesses."""
    rng = stream(seed, "demo", "sentence clusters")
    rows: list[tuple[str, str, str, str]] = []
    for event in ("flood", "election"):
        topic = rng.integers(5, size=18)
        for judge in ("Ann", "Ben", "Cat", "Dan", "Eve"):
            strays = rng.random(len(topic)) < (0.9 if judge == "Dan" else 0.12)
            groups = np.where(strays, rng.integers(5, size=len(topic)), topic)
            rows += [(event, judge, f"{event}-{s + 1:02}", f"group-{g + 1}") for s, g in enumerate(groups.tolist())]
    return MadeUp(
        "sentence-clusters",
        "Five judges sort 18 sentences about each of two events into groups that say the same.",
        Groupings.build(_columns(rows, "task", "judge", "item", "group")),
        {"Dan": "he guesses"},
    )


def summary_scores(seed: int) -> MadeUp:
    """Four judges score the summaries of five systems on ten tasks from 1 to 5; one of them is erratic."""
    rng = stream(seed, "demo", "summary scores")
    worth = np.linspace(4.4, 2.0, 5)
    rows: list[tuple[str, str, str, str, int]] = []
    for task in range(10):
        true = worth + rng.normal(0, 0.5, len(worth))
        for judge in ("Ida", "Jon", "Kim", "Lea"):
            seen = true + rng.normal(0, 2.0 if judge == "Kim" else 0.4, len(worth))
            for system, score in zip("ABCDE", np.clip(np.rint(seen), 1, 5).astype(int).tolist(), strict=True):
                rows.append((f"set-{task + 1:02}", judge, f"set-{task + 1:02}-{system}", system, score))
    return MadeUp(
        "summary-scores",
        "Four judges score the summaries of five systems on ten document sets from 1 to 5.",
        Scores.build(_columns(rows, "task", "judge", "item", "system", "score")),
        {"Kim": "her scores have little to do with the summaries"},
    )


def model_votes(seed: int) -> MadeUp:
    """Six judges vote between the answers of four models to twenty prompts; one of them takes what is shown first."""
    rng = stream(seed, "demo", "model votes")
    strength = {"ash": 1.2, "elm": 0.4, "fir": 0.3, "oak": -0.8}
    rows: list[tuple[str, str, str, str, str]] = []
    for prompt in range(20):
        for first, second in combinations(strength, 2):
            near = rng.normal(strength[first] - strength[second], 0.6)
            for judge in ("Mia", "Noa", "Omar", "Pia", "Quin", "Rosa"):
                wins = rng.random() < 1 / (1 + np.exp(-2 * near))
                a, b = (first, second) if rng.random() < 0.5 else (second, first)
                winner = a if judge == "Quin" or wins == (a == first) else b
                rows.append((f"prompt-{prompt + 1:02}", judge, a, b, winner))
    return MadeUp(
        "model-votes",
        "Six judges vote between the answers of four language models to 20 prompts.",
        Votes.from_votes(rows),
        {"Quin": "takes whatever is shown first"},
    )


def _columns(rows: list[Any], *names: str) -> dict[str, list[Any]]:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
