"""A first answer about real rankings: the searches for James Bond films printed in the Kappa paper."""

from __future__ import annotations

from importlib import resources
from typing import Any

from quorate import ask
from quorate.orderings import kappa
from quorate.panels import Orderings
from quorate.terminal.text import show


def paper_rankings() -> Orderings:
    """The rankings that the Kappa paper prints: six Google and six Bing searches, and seven orders of clusterings."""
    from quorate.formats import read

    with resources.as_file(resources.files("quorate") / "data" / "kappa_rankings.csv") as path:
        panel = read(path)
    if not isinstance(panel, Orderings):
        raise TypeError("the bundled rankings are orderings")
    return panel


def run(console: Any, seed: int) -> None:
    """Print the demo."""
    panel = paper_rankings().select(tasks=["google", "bing"])
    console.print(
        "Six wordings of one search (Bond films, 007 movies, ...) were sent to Google and to Bing. Do the top-25 "
        "lists of each engine agree, whatever the wording? Each engine is a task, each wording a judge.\n"
    )
    show(ask.agreement(panel, seed=seed), console)
    console.print()
    for task in panel.tasks:
        found = kappa(panel.select(tasks=[task]))
        first = " > ".join(map(str, next(iter(found.patterns()), ())))
        console.print(
            f"{str(task).capitalize()}: {found.value} common subsequences; a longest one: {first}",
            soft_wrap=True,
            markup=False,
        )
    console.print("\nNext: quorate agreement YOUR_FILE.csv     (columns judge, item, position)", soft_wrap=True)
    console.print("      quorate --help, quorate table, quorate formats", soft_wrap=True)
