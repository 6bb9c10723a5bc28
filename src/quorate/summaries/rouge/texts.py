"""What is to be scored: summaries, references, and which reference belongs to which summary."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.formats.rouge_files import Evaluation
from quorate.panel.base import many

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
