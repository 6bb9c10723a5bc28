"""Simulated judges: for planning a study, for tests and for the documentation.

Two models of judges who look for one true order, and three kinds of judges who do not:

* ``mallows``: swaps of neighbours; with dispersion 0 every judge gives the true order, with 1 any order is as likely;
* ``plackett_luce``: each item has a worth, and the next item is drawn by worth among those left;
* ``random``: any order is as likely; ``reversed``: the true order backwards; ``lazy``: a copy of the first judge.

The functions give ``positions[task, judge, item]``, the true order being 1, 2, 3, ...; :func:`simulate` gives a panel.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, suggest
from quorate.kernels.streams import stream
from quorate.panel.kinds import ONE_TASK, Orderings

Array = NDArray[Any]
Shape = tuple[int, int, int]  # tasks, judges, items
MODELS = ("mallows", "plackett_luce")


def mallows(shape: Shape, dispersion: float, rng: np.random.Generator) -> Array:
    """Orders around 1, 2, 3, ... by repeated insertion: each item goes in before k others with odds dispersion ** k.

    >>> mallows((1, 2, 4), 0.0, np.random.default_rng(0)).tolist()
    [[[1, 2, 3, 4], [1, 2, 3, 4]]]
    """
    tasks, judges, items = shape
    out = np.zeros(shape, np.int16 if items < 32000 else np.int32)
    for i in range(items):
        odds = dispersion ** np.arange(i + 1.0)
        jump = np.searchsorted(np.cumsum(odds / odds.sum())[:-1], rng.random((tasks, judges)), side="right")
        place = (i + 1 - jump)[:, :, None]
        out[:, :, :i] += out[:, :, :i] >= place
        out[:, :, i] = place[:, :, 0]
    return out


def plackett_luce(shape: Shape, steepness: float, rng: np.random.Generator) -> Array:
    """Orders drawn by worth, each item ``e ** steepness`` times as worthy as the next; 0 is random.

    The items in order of worth times exponential noise: Gumbel noise on the logarithms.

    >>> plackett_luce((1, 1, 4), 100.0, np.random.default_rng(0)).tolist()
    [[[1, 2, 3, 4]]]
    """
    return _places(rng.gumbel(size=shape) - steepness * np.arange(shape[2]))


def random_orders(shape: Shape, rng: np.random.Generator) -> Array:
    """Orders of which any is as likely.

    >>> random_orders((1, 1, 3), np.random.default_rng(1)).tolist()
    [[[2, 1, 3]]]
    """
    return _places(rng.random(shape))


def _places(worth: Array) -> Array:
    """Positions by falling worth."""
    order = np.argsort(-worth, axis=2)
    out = np.empty(worth.shape, np.int16 if worth.shape[2] < 32000 else np.int32)
    np.put_along_axis(out, order, np.arange(1, worth.shape[2] + 1, dtype=out.dtype)[None, None, :], axis=2)
    return out


def simulate(
    model: str = "mallows",
    *,
    judges: int = 10,
    items: int = 9,
    tasks: int = 1,
    dispersion: float = 0.5,
    steepness: float = 1.0,
    random: int = 0,
    reversed: int = 0,
    lazy: int = 0,
    seed: int = 0,
) -> Orderings:
    """A panel of simulated judges; ``random``, ``reversed`` and ``lazy`` ones come on top of ``judges``.

    Items are numbered in the true order. The judges who do not look for it are named after what they do.

    >>> panel = simulate(judges=3, items=5, tasks=2, random=1, lazy=1)
    >>> panel, panel.judges
    (<Orderings: 5 judges, 5 items, 2 tasks>, (1, 2, 3, 'random-1', 'lazy-1'))
    """
    _check(model, judges, items, tasks, dispersion, steepness, random, reversed, lazy)
    rng = stream(seed, "simulate", model)
    honest = (
        mallows((tasks, judges, items), dispersion, rng)
        if model == "mallows"
        else plackett_luce((tasks, judges, items), steepness, rng)
    )
    backwards = np.broadcast_to(np.arange(items, 0, -1, dtype=honest.dtype), (tasks, reversed, items))
    # A stream of their own, so that adding a random judge leaves the others as they were.
    guesses = random_orders((tasks, random, items), stream(seed, "simulate", "random"))
    copies = np.repeat(honest[:, :1], lazy, axis=1)
    names = [
        *range(1, judges + 1),
        *(f"random-{k}" for k in range(1, random + 1)),
        *(f"reversed-{k}" for k in range(1, reversed + 1)),
        *(f"lazy-{k}" for k in range(1, lazy + 1)),
    ]
    return as_panel(np.concatenate([honest, guesses, backwards, copies], axis=1), names)


def as_panel(positions: Array, names: list[Any] | None = None) -> Orderings:
    """A panel of ``positions[task, judge, item]``, 0 being absent; tasks and items are numbered from 1."""
    tasks, judges, _ = positions.shape
    t, j, i = np.nonzero(positions)
    named = list(range(1, judges + 1)) if names is None else names
    task: Any = [ONE_TASK] * len(t) if tasks == 1 else t + 1
    columns = {"task": task, "judge": [named[k] for k in j.tolist()], "item": i + 1}
    return Orderings.build({**columns, "position": positions[t, j, i].astype(float)})


def _check(model: str, judges: int, items: int, tasks: int, dispersion: float, steepness: float, *others: int) -> None:
    if model not in MODELS:
        raise BadParameter(f"model={model} is not known.", suggest(model, MODELS, "Models"))
    for name, size in (("judges", judges), ("items", items), ("tasks", tasks)):
        if size < 1:
            raise BadParameter(f"{name}={size} is out of range.", f"{name} is a whole number from 1.")
    if any(k < 0 for k in others):
        raise BadParameter("a number of judges is below 0.", "random, reversed and lazy are whole numbers from 0.")
    if not 0 <= dispersion <= 1:
        raise BadParameter(f"dispersion={dispersion} is out of range.", "dispersion is a number from 0 to 1.")
    if not 0 <= steepness < math.inf:
        raise BadParameter(f"steepness={steepness} is out of range.", "steepness is a number from 0.")
