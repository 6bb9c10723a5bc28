"""Populations of judges that may be behind a panel: item means as they may be, given those seen and their noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.item_means import NONE, Answers
from quorate.inference.weights import drawn_rows
from quorate.kernels.defined import quotient

Array = NDArray[Any]
# a level, differences from it [task, item], the same as they may be [task, truth, item], their relative errors [task,
# panel], the block that each item is of, [task, item] from 0, and answers of judges who err so, [task, row, item]
Around = tuple[Array, Array, Array, Array, Array, Array]
Expected = Callable[[Answers, np.random.Generator, int], Around]


def voters_of(parts: Sequence[Answers]) -> Array:
    """How many judges each number stands for."""
    out = np.zeros(max(int(p.judges.max(initial=0)) for p in parts) + 1, np.int64)
    for p in parts:
        np.maximum.at(out, p.judges, p.counts.astype(np.int64))
    return out


def _signal(parts: Sequence[Answers]) -> tuple[float, list[Array]]:
    """How far the spread of item means exceeds its noise, of all tasks; and each task's share in that.

    Tasks differ, but less than their estimates do: each is moved towards the whole as far as its own noise asks for.
    """
    spread, noise = (np.concatenate(x) for x in ([p.spread for p in parts], [p.noises.sum(axis=1) for p in parts]))
    items = np.concatenate([p.known.sum(axis=1) for p in parts])
    noisy = noise > NONE * spread
    if not noisy.any():
        return 1.0, [np.ones(len(p.values)) for p in parts]  # nobody differs: there is nothing to shrink
    every = float(spread[noisy].sum() / noise[noisy].sum()) - 1
    own = quotient(spread, noise) - 1
    within = (2 * (1 + 2 * np.maximum(own, 0)) / (items - 1))[noisy].mean()
    between = max(float(own[noisy].var()) - float(within), 0.0)
    moved = every + between / (between + float(within)) * (own - every) if noisy.sum() > 1 else own
    relative = np.maximum(moved, 0.0) / every if every > 0 else np.ones(len(own))
    signal = max(every, 0.0)
    shape = np.sqrt(np.where(noisy, relative * quotient(noise, spread), 1 / max(signal, NONE)))
    return signal, np.split(shape, np.cumsum([len(p.values) for p in parts])[:-1])


def possible_means(parts: Sequence[Answers], rng: np.random.Generator, draws: int, tasks: bool) -> tuple[Array, ...]:
    """Item means as they may be, given those seen: of each part ``[task, truth, item]``.

    How far they spread: at what signal would drawn noise give just the ratio of spread to noise that was seen? The
    share of draws below a signal is then the chance that a population with that signal shows as much, or more. What
    they look like: the means seen less drawn noise, the more of it the less they rise above it, and the less they do so
    the more evenly they may stand.
    """
    voters, (_, shapes) = voters_of(parts), _signal(parts)
    judges = int(voters.sum())
    seen = quotient(*(np.asarray(sum(x)) for x in ([p.spread.sum() for p in parts], [p.noises.sum() for p in parts])))
    spread = np.sqrt((judges - 1) / rng.chisquare(judges - 1, size=(2, draws, 1)))  # the noise is itself estimated
    normal, other = rng.normal(size=(2, draws, len(voters))) * spread
    often = drawn_rows(voters, draws, rng) / np.maximum(voters, 1)
    number = sum(len(p.values) for p in parts)
    times = drawn_rows(np.ones(number), draws, rng) if tasks else np.ones((draws, number))
    square, linear, error, noise = np.zeros((4, draws))
    begin = 0
    for p, shape in zip(parts, shapes, strict=True):
        weight = times[:, begin : begin + len(p.values)]
        begin += len(p.values)
        off = p.error(normal)
        square += weight @ (shape**2 * p.spread)
        linear += (weight * np.einsum("bti,ti->bt", off, p.means * shape[:, None])).sum(axis=1)
        error += (weight * (off**2).sum(axis=2)).sum(axis=1)
        noise += (weight * np.einsum("btj,tj->bt", often[:, p.judges], p.noises)).sum(axis=1)
    degrees = sum(int((p.known.sum(axis=1) - 1).sum()) for p in parts)
    least = 1 + math.sqrt(2 / degrees)  # spread that noise alone often gives: to see less is luck, and tells no more
    left = max(float(seen), least) * noise - error  # what true means have to explain
    root = np.sqrt(np.maximum(linear**2 + square * left, 0.0)) - linear
    signal = np.where((left > 0) & (square > 0), quotient(root, square), 0.0) ** 2
    if not math.isfinite(seen):
        signal = np.ones(draws)
    out = []
    for p, shape in zip(parts, shapes, strict=True):
        rises = (shape**2 * p.spread / np.maximum(p.noises.sum(axis=1), NONE)) * signal[:, None]  # [draw, task]
        kept = (rises / (1 + rises))[:, :, None]
        like = _unit(kept * p.means + np.sqrt(kept) * p.error(other))
        even = _unit(p.centred(np.argsort(np.argsort(np.where(p.known, like, np.inf), axis=2), axis=2).astype(float)))
        like = _unit(like + (1 - kept) * rng.random((draws, 1, 1)) * (even - like))
        out.append((like * np.sqrt(signal[:, None] * shape**2 * p.spread)[:, :, None]).transpose(1, 0, 2))
    return tuple(out)


def means_around(
    parts: Sequence[Answers],
    expected: Sequence[Around],
    rng: np.random.Generator,
    draws: int,
) -> tuple[Array, ...]:
    """The same where item means are expected to differ: of each part ``[task, truth, item]``.

    They are there but for what whole blocks of items are off by, as far as that is more than noise.
    """
    voters = voters_of(parts)
    judges = int(voters.sum())
    luck = rng.chisquare(judges - 1, size=(draws, 1, 1)) / (judges - 1)  # the noise is itself estimated
    normal = rng.normal(size=(draws, len(voters)))
    out = []
    for p, (level, more, drawn, error, blocks, _) in zip(parts, expected, strict=True):
        inside = ((blocks[:, :, None] == np.arange(blocks.max() + 1)) & p.known[:, :, None]).astype(float)
        size = inside.sum(axis=1)  # [task, block]
        off = quotient(np.einsum("ti,tib->tb", p.means - p.centred(level + more), inside), size, otherwise=0.0)
        noise = (quotient(np.matmul(p.errors, inside), size[:, None], otherwise=0.0) ** 2).sum(axis=1)
        rises = np.maximum(quotient(off**2, noise, otherwise=0.0) / luck - 1, 0.0)
        kept = rises / (1 + rises)  # [draw, task, block]
        own = quotient(np.einsum("dti,tib->dtb", p.error(normal), inside), size, otherwise=0.0)
        moved = np.einsum("dtb,tib->dti", kept * off + np.sqrt(kept) * own, inside)
        which = rng.integers(error.shape[1], size=draws)
        times = np.maximum(1 - error.T[which], 0.0)[:, :, None]
        out.append((p.centred(level + times * drawn.transpose(1, 0, 2)) + moved).transpose(1, 0, 2))
    return tuple(out)


def _unit(values: Array) -> Array:
    """Every row made as long as 1."""
    size = np.sqrt((values**2).sum(axis=-1, keepdims=True))
    return quotient(values, size, otherwise=0.0)
