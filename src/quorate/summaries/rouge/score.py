"""ROUGE of many summaries: recall, precision and F, with several references pooled or the best of them.

All of them lie between 0 and 1. Where there is nothing to divide by (an empty summary, a reference shorter than the
n-gram) the figure is 0, as in ROUGE-1.5.5, and a note says so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, UnknownId, suggest
from quorate.formats.rouge_files import Evaluation
from quorate.kernels.defined import quotient
from quorate.panel.base import many
from quorate.summaries.declarations import ROUGE
from quorate.summaries.rouge.counts import Counts, count
from quorate.summaries.rouge.tokens import Tokeniser
from quorate.summaries.rouge.variants import NIST, Variant, variants
from quorate.summaries.rouge.views import Views

Array = NDArray[Any]
ONE_SYSTEM = "summary"
Row = tuple[Hashable, Hashable, str]  # task, system or model, text


@dataclass(frozen=True, eq=False)
class Texts:
    """Summaries of systems on tasks, references, and pairs of both, summary after summary."""

    tasks: tuple[Hashable, ...]  # of each summary
    systems: tuple[Hashable, ...]
    summaries: tuple[str, ...]
    references: tuple[str, ...]
    summary: Array  # [pair]
    reference: Array  # [pair]
    own: Array  # [summary] its writer's own model is among the references and was left out
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, summaries: Sequence[str], references: Sequence[Sequence[str]]) -> Texts:
        """Summaries of one system, each with references of its own."""
        if len(summaries) != len(references):
            raise InputError(
                f"summaries: {len(summaries):,}, lists of references: {len(references):,}.",
                "give a list of references for each summary.",
            )
        tasks = range(1, len(summaries) + 1)
        peers = [(t, ONE_SYSTEM, s) for t, s in zip(tasks, summaries, strict=True)]
        models = [(t, k, r) for t, group in zip(tasks, references, strict=True) for k, r in enumerate(group)]
        return cls.of_rows(peers, models)

    @classmethod
    def of_rows(cls, peers: Iterable[Row], models: Iterable[Row]) -> Texts:
        """From rows of task, system, text and of task, model, text.

        Every model of a task is a reference for every summary of it, but for the summary of a system with that model's
        name: nobody is measured by his own words.
        """
        by_task: dict[Hashable, dict[Hashable, int]] = {}
        references: list[str] = []
        for task, model, text in models:
            if model in by_task.setdefault(task, {}):
                raise InputError(f"model {model} has two texts for task {task}.", "give each model once a task.")
            by_task[task][model] = len(references)
            references.append(text)
        rows = list(peers)
        seen: set[tuple[Hashable, Hashable]] = set()
        pairs: list[tuple[int, int]] = []
        own = np.zeros(len(rows), bool)
        kept: list[int] = []
        for task, system, _ in rows:
            if (task, system) in seen:
                raise InputError(f"system {system} has two texts for task {task}.", "give each system once a task.")
            seen.add((task, system))
        alone: list[str] = []
        for k, (task, system, _) in enumerate(rows):
            others = [r for m, r in by_task.get(task, {}).items() if m != system]
            if not others:
                alone.append(f"{task}, {system}")
                continue
            own[len(kept)] = system in by_task[task]
            pairs += [(len(kept), r) for r in others]
            kept.append(k)
        if not kept:
            raise InputError("no summary has a reference.", "the tasks of peers and models must have the same names.")
        notes = []
        if alone:
            more = f" and {len(alone) - 1:,} more" if len(alone) > 1 else ""
            notes.append(f"left aside, with nothing to compare with: {alone[0]}{more}")
        tasks, systems, texts = zip(*(rows[k] for k in kept), strict=True)
        own = own[: len(kept)]
        if own.any():
            notes.append(f"{int(own.sum()):,} summaries are models too and are compared with the other models")
        idle = set(by_task) - set(tasks)
        if idle:
            notes.append(f"models without a summary: {many(len(idle), 'task')}")
        table = np.array(pairs, np.int64)
        return cls(tasks, systems, texts, tuple(references), table[:, 0], table[:, 1], own, tuple(notes))

    @classmethod
    def of_evaluations(cls, evaluations: Iterable[Evaluation]) -> Texts:
        """From a set-up file: just the references it lists, a summary's own too if it does."""
        tasks: list[Hashable] = []
        systems: list[Hashable] = []
        summaries: list[str] = []
        references: dict[str, int] = {}
        pairs: list[tuple[int, int]] = []
        notes: dict[str, None] = {}
        for e in evaluations:
            notes |= dict.fromkeys(e.notes)
            numbers = [references.setdefault(text, len(references)) for _, text in e.models]
            for system, text in e.peers:
                pairs += [(len(summaries), r) for r in numbers]
                tasks.append(e.id)
                systems.append(system)
                summaries.append(text)
        if not pairs:
            raise InputError("nothing to score.", "a set-up file lists peers and models.")
        table = np.array(pairs, np.int64)
        own = np.zeros(len(summaries), bool)
        return cls(
            *(tuple(tasks), tuple(systems), tuple(summaries), tuple(references)),
            *(table[:, 0], table[:, 1], own, tuple(notes)),
        )


LETTERS = ("R", "P", "F")


@dataclass(frozen=True, eq=False)
class Rouge:
    """Scores of summaries, ``values[variant, summary, R P F]``."""

    texts: Texts
    variants: tuple[Variant, ...]
    values: Array
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    counts: Array | None = None  # [variant, summary, reference summary hits]: what the figures are made of

    @property
    def names(self) -> list[str]:
        """The names of the figures: ROUGE-1_R, ROUGE-1_P, ..."""
        return [f"{v}_{letter}" for v in self.variants for letter in LETTERS]

    def __getitem__(self, name: str) -> Array:
        """The scores of all summaries by a figure such as ``2_R`` or ``ROUGE-2_R``."""
        variant, _, letter = name.rpartition("_")
        parsed = Variant.parse(variant) if variant else None
        if parsed not in self.variants or letter not in LETTERS:
            raise UnknownId(f"no figure '{name}'.", suggest(name, self.names))
        return self.values[self.variants.index(parsed), :, LETTERS.index(letter)]


def rouge(
    summaries: Sequence[str] | Texts,
    references: Sequence[Sequence[str]] = (),
    kinds: Iterable[str | Variant] = NIST,
    *,
    stem: bool | str = False,
    stem_models: bool = False,
    stop_words: Iterable[str] = (),
    unicode: bool = False,
    limit_words: int | None = None,
    limit_bytes: int | None = None,
    exceptions: Mapping[str, str] | None = None,
    mode: str = "pooled",
    jackknife: bool = False,
    alpha: float = 0.5,
) -> Rouge:
    """ROUGE of each summary against its references.

    ``mode`` pooled adds up hits and lengths of all references (``-f A``), best takes the reference with the highest
    recall (``-f B``). ``jackknife`` is the mean over leaving out one reference after the other, so that systems compare
    with people, who have one reference less. ``alpha`` above 0.5 moves F towards precision. ``stem_models`` stems the
    references only, and not for n-grams, as ``-M`` does; it is there to compare with the script.

    >>> found = rouge(["1 2 1 2"], [["1 2 3 4 5 1 2 6"]], ["2"])
    >>> [round(float(found[f"2_{letter}"][0]), 5) for letter in "RPF"]
    [0.28571, 0.66667, 0.4]
    """
    ROUGE["mode"].check(mode)
    ROUGE["alpha"].check(alpha)
    texts = summaries if isinstance(summaries, Texts) else Texts.of(summaries, references)
    chosen = variants(kinds)
    how = Tokeniser(unicode, stem, tuple(stop_words), limit_words, limit_bytes, exceptions or {})
    views = Views(how, texts.summaries, texts.references, stem_models)
    number = len(texts.summaries)
    values = np.empty((len(chosen), number, len(LETTERS)))
    raw = np.empty(values.shape)
    for k, variant in enumerate(chosen):
        counts = count(variant, views, texts.summary, texts.reference + number)
        values[k], raw[k] = together(counts, texts.summary, number, mode, jackknife, texts.own, variant.weight, alpha)
    lengths = np.diff(views.of(chosen[0]).starts)
    notes = [*texts.notes, *_notes(texts, lengths, jackknife)]
    stop = "yes" if how.stop_words else "no"
    options = {"references": mode, "jackknife": jackknife, "stem": stem, "stop_words": stop, "unicode": unicode}
    options |= {"alpha": alpha, "limit_words": limit_words, "limit_bytes": limit_bytes}
    if stem_models:
        options["stem_models"] = True
    return Rouge(texts, chosen, values, options, tuple(notes), raw)


def _notes(texts: Texts, lengths: Array, jackknife: bool) -> Iterable[str]:
    number = len(texts.summaries)
    for what, empty in (("summaries", lengths[:number] == 0), ("references", lengths[number:] == 0)):
        if empty.any():
            yield f"{what} without a word: {int(empty.sum()):,}; what cannot be divided counts as 0, as in ROUGE-1.5.5"
    single = (np.bincount(texts.summary, minlength=number) == 1) & ~texts.own
    if jackknife and single.any():
        yield f"not jackknifed, with one reference only: {int(single.sum()):,} summaries"


def together(
    counts: Counts, summary: Array, number: int, mode: str, jackknife: bool, own: Array, weight: float, alpha: float
) -> tuple[Array, Array]:
    """Recall, precision and F of every summary, from the counts of its pairs with references, ``[summary, 3]``.

    And the counts of all its references, or of the best: in the reference, in the summary, and in both.
    """
    parts = np.stack([counts.hits, counts.reference, counts.summary]).astype(float)
    references = np.bincount(summary, minlength=number)
    if mode == "best":
        top, second = _best(counts.chosen_by, summary, number)
        whole = parts[:, top]
        without = np.where(np.arange(len(summary)) == top[summary], second[summary], top[summary])
        left = parts[:, without]
    else:
        whole = np.stack([np.bincount(summary, weights=p, minlength=number) for p in parts])
        left = whole[:, summary] - parts
    out = _figures(whole, weight, alpha)
    if jackknife:
        each = _figures(left, weight, alpha)
        mean = np.stack([np.bincount(summary, weights=e, minlength=number) for e in each.T], axis=1)
        many = (references > 1) & ~own  # people already have a reference less
        out[many] = mean[many] / references[many, None]
    return out, whole[[1, 2, 0]].T


def _best(score: Array, summary: Array, number: int) -> tuple[Array, Array]:
    """The best and the second best pair of every summary, the earlier one first; the best again where it is alone."""
    order = np.lexsort((np.arange(len(score)), -score, summary))
    first = np.searchsorted(summary[order], np.arange(number))
    again = np.minimum(first + 1, len(order) - 1)
    again = np.where(summary[order][again] == np.arange(number), again, first)
    return order[first], order[again]


def _figures(counts: Array, weight: float, alpha: float) -> Array:
    """Recall, precision and F, ``[..., 3]``; a weight is taken out again by its root."""
    hits, reference, summary = counts
    recall, precision = (quotient(hits, of, otherwise=0.0) ** (1 / weight) for of in (reference, summary))
    return np.stack([recall, precision, f_measure(recall, precision, alpha)], axis=-1)


def f_measure(recall: Array, precision: Array, alpha: float) -> Array:
    """The weighted harmonic mean of both; 0 where both are."""
    below = (1 - alpha) * precision + alpha * recall
    out: Array = quotient(precision * recall, below, otherwise=0.0)
    return out
