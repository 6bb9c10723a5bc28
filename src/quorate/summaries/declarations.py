"""What can be chosen about summaries, declared once: keywords of the functions, and options of the commands.

>>> AUTO["match"].check("ducview"), ROUNDINGS
('ducview', ('half_up', 'floor', 'ceil', 'interpolate'))
"""

from __future__ import annotations

from dataclasses import replace

from quorate.table import Parameter, Value, choice, number, whole


def _declared(**given: tuple[Value, Parameter]) -> dict[str, Parameter]:
    """Parameters by name, each with its default."""
    return {name: replace(p, name=name, default=default) for name, (default, p) in given.items()}


RULES = _declared(
    weight=("contributors", choice("What a unit weighs: contributors, or models with one", "contributors", "models")),
    rounding=(
        "half_up",
        choice("Of the contributors of an average model", "half_up", "floor", "ceil", "interpolate"),
    ),
)
ROUNDINGS = RULES["rounding"].choices

AUTO = _declared(
    sources=(
        "peers",
        choice("Whose strings: other peers', the pyramid's models', or both", "peers", "pyramid", "both"),
    ),
    match=(
        "ducview",
        choice("As DUCView 1.4 did, inside words too; or by whole words", "ducview", "normalised"),
    ),
    multi_part=("skip", choice("Interrupted mentions: not searched for, or all their parts", "skip", "all-parts")),
    uid0=("ignore", choice("Block strings that were elsewhere said to be no unit", "ignore", "block")),
    by=("same", choice("Whose strings: of the same judge, or of all", "same", "all")),
)
LEAVE_OUT = _declared(leave_out=("item", choice("Strings of this item, or of its team, are not used", "item", "team")))

GROUPED = _declared(
    items=("words", choice("What is grouped: words, or stretches that a judge selected", "words", "contributors")),
)

ROUGE = _declared(
    mode=("pooled", choice("All references pooled, or the best of them (-f A, -f B)", "pooled", "best")),
    alpha=(0.5, number("Of F: 1 precision (-p)", 0, 1)),
    limit_words=(None, whole("Only so many words of every text (-l)", optional=True)),
    limit_bytes=(None, whole("Only so many bytes (-b)", optional=True)),
)

METRIC = _declared(
    part=("main", choice("Which tasks: the main ones, or updates", "main", "update")),
    population=("NoModels", choice("Systems only, or people too", "NoModels", "AllPeers")),
    size=(3, whole("Features at most")),
    budget=(4000, whole("Subsets at most")),
    level=("system", choice("Fit on systems' means or on single summaries", "system", "summary")),
    by=("alpha", choice("What is worst", "alpha", "gap")),
)

EVALUATION = _declared(
    resample=("both", choice("What the interval resamples: systems, tasks, or both", "both", "systems", "inputs")),
    interval=(
        "percentile",
        choice(
            "Percentiles; corrected for the bias of drawing; or moved to the figure and widened",
            *("percentile", "corrected", "centred"),
        ),
    ),
)

# Of assigning assessors.
DISTANCE = 10
OVERLAP = whole("Assessors of each task")
COPIES = whole("Items that each assessor sees again, of each task", 0)
APART = whole("Other items between identical ones, at least, where there are enough", 0)
