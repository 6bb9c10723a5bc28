"""ROUGE of many summaries: recall, precision and F, with several references pooled or the best of them.

All of them lie between 0 and 1. Where there is nothing to divide by (an empty summary, a reference shorter than the
n-gram) the figure is 0, as in ROUGE-1.5.5, and a note says so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.document.blocks import Block, Chart, Column, Table, Text, columns, with_notes
from quorate.document.boards import board_table
from quorate.errors import BadParameter, InputError, UnknownId, suggest
from quorate.formats.rouge_files import Evaluation, output_lines
from quorate.inference.board import cross_table, mean_intervals, mean_over_tasks
from quorate.inference.estimate import Estimate
from quorate.inference.intervals import interval
from quorate.inference.weights import drawn, stream
from quorate.panel.base import many
from quorate.summaries.declarations import ROUGE
from quorate.summaries.leaderboard import Leaderboard
from quorate.summaries.rouge.counts import corpus_figures, count, together
from quorate.summaries.rouge.perl import averages
from quorate.summaries.rouge.tokens import Tokeniser
from quorate.summaries.rouge.variants import NIST, Variant, variants
from quorate.summaries.rouge.views import Views
from quorate.words.numbers import figure, shown

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
WORDS = {"R": "recall", "P": "precision", "F": "F"}
COUNTS = ("reference", "summary", "hits")


@dataclass(frozen=True, eq=False)
class Rouge(Leaderboard):
    """Scores of summaries, ``values[variant, summary, R P F]``, and their systems by the mean of one figure."""

    called: ClassVar[str] = "ROUGE"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    texts: Texts
    variants: tuple[Variant, ...]
    values: Array
    counts: Array  # [variant, summary, reference summary hits]: what the figures are made of
    main: str
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the figures: ROUGE-1_R, ROUGE-1_P, ..."""
        return [f"{v}_{letter}" for v in self.variants for letter in LETTERS]

    @property
    def draws(self) -> tuple[object, ...]:
        """The same for all figures."""
        return ("rouge",)

    def place(self, name: str) -> tuple[int, int]:
        """Variant and letter of a figure such as ``2_R`` or ``ROUGE-2_R``."""
        variant, _, letter = str(name).rpartition("_")
        if not variant or letter not in LETTERS:
            raise UnknownId(f"no figure '{name}'.", "a figure is a ROUGE and R, P or F: ROUGE-2_R.")
        parsed = Variant.parse(variant)
        if parsed not in self.variants:
            raise UnknownId(f"no figure '{name}'.", suggest(f"{parsed}_{letter}", self.names))
        return self.variants.index(parsed), LETTERS.index(letter)

    def __getitem__(self, name: str) -> Array:
        """The scores of all summaries by a figure such as ``2_R`` or ``ROUGE-2_R``."""
        v, c = self.place(name)
        return self.values[v, :, c]

    def by(self, name: str | None) -> Rouge:
        """The same with systems ordered by another figure; None leaves it at recall of ROUGE-2, where it is there.

        >>> rouge(["a b"], [["a b c"]], ["1", "2"]).by("1_F").main
        'ROUGE-1_F'
        """
        if name is None:
            return self
        v, c = self.place(name)
        return replace(self, main=f"{self.variants[v]}_{LETTERS[c]}")

    def cross(self, name: str) -> tuple[Array, tuple[Hashable, ...]]:
        """A figure by task and system, and the systems."""
        return cross_table(self.texts.tasks, self.texts.systems, self[name])

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every summary, which can be read as metrics."""
        each = self.values.swapaxes(0, 1).reshape(len(self.texts.tasks), -1).tolist()
        cells = zip(self.texts.tasks, self.texts.systems, each, strict=True)
        return [{"task": t, "system": s, **dict(zip(self.names, values, strict=True))} for t, s, values in cells]

    def estimates(
        self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000
    ) -> dict[Hashable, dict[str, Estimate]]:
        """Every figure of every system, best first."""
        how: dict[str, Any] = {"seed": seed, "level": level, "resamples": resamples, "range": self.range}
        out: dict[Hashable, dict[str, Estimate]] = {system: {} for system in dict.fromkeys(self.texts.systems)}
        for name in self.names:
            table, systems = self.cross(name)
            for system, mean, tasks, inside in zip(systems, *mean_intervals(table, *self.draws, **how), strict=True):
                out[system][name] = Estimate(float(mean), inside, n=int(tasks))
        return dict(sorted(out.items(), key=lambda one: -one[1][self.main].value))

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Systems from best to worst: means of all figures with intervals; then every summary."""
        names, main = self.board(**how)
        letters, systems = dict(zip(names, main.letters, strict=True)), []
        for system, found in self.estimates(**how).items():
            scores = {str(v): {x: _told("mean", found[f"{v}_{x}"]) for x in LETTERS} for v in self.variants}
            head = {"system": system, "tasks": found[self.main].n, "group": letters[system]}
            systems.append({**head, "scores": scores})
        told = {"score": self.main, "options": dict(self.options), "systems": systems, "summaries": self.rows()}
        return {**told, "notes": list(self.notes)}

    def to_perl(self, *, level: float = 0.95, resamples: int = 1000, **how: Any) -> str:
        """What ROUGE-1.5.5 prints; its draws are its own."""
        return output_lines(averages(self, level, resamples), level)

    def blocks(self, **how: Any) -> list[Block]:
        """The best system in a sentence, then the leaderboard with all variants."""
        names, main = self.board(**how)
        v, c = self.place(self.main)
        best, variant, what = main.order[0], self.variants[v], WORDS[LETTERS[c]]
        inside = main.intervals[best]
        between = f" ({inside.level:.0%} CI {shown(inside, 'interval')})" if inside else ""
        said = f"{many(len(names), 'system')} on {many(len(set(self.texts.tasks)), 'task')}: the best by {variant} "
        said += f"{what} is {names[best]} with {figure(float(main.means[best]))}{between}."
        others = sorted((o for o in self.variants if o != variant), key=lambda o: o.n > 2)  # ROUGE-3 and 4 say least
        more = {
            Column(o.short, o.short, "figure"): mean_over_tasks(self.cross(f"{o}_{LETTERS[c]}")[0])[0].tolist()
            for o in others
        }
        table = board_table(f"Mean {what}, best first", names, main, variant.short, more)
        return with_notes([Text((said,), "lead"), table], self.notes)

    def by_token(self) -> TokenRouge:
        """The same with hits and lengths of all tasks of a system added up before anything is divided (``-t 1``)."""
        if self.options.get("jackknife"):
            raise BadParameter("counting by token cannot be jackknifed.", "leave out one of the two.")
        return TokenRouge(**{f.name: getattr(self, f.name) for f in fields(self)})


@dataclass(frozen=True, eq=False)
class TokenRouge(Rouge):
    """ROUGE of systems with their tasks in one, so that a long summary counts for more than a short one.

    >>> found = rouge(["a b c d", "x"], [["a b"], ["x y z w"]], ["1"]).by_token()
    >>> found.rows()[0]["R"]  # 3 of 6, not the mean of 2/2 and 1/4
    0.5
    """

    called: ClassVar[str] = "ROUGE by token"

    @cached_property
    def sums(self) -> dict[Hashable, Array]:
        """Of every system the counts of its tasks, ``[task, variant, reference summary hits]``."""
        places: dict[Hashable, list[int]] = {}
        for k, system in enumerate(self.texts.systems):
            places.setdefault(system, []).append(k)
        return {system: self.counts[:, mine].swapaxes(0, 1) for system, mine in places.items()}

    def estimates(
        self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000
    ) -> dict[Hashable, dict[str, Estimate]]:
        """Every figure of every system, best first, with intervals over tasks."""
        out, alpha = {}, self.options["alpha"]
        for system, own in self.sums.items():
            # The same draws for every system with as many tasks, so that they can be compared.
            times = drawn(len(own), resamples, stream(seed, "bootstrap", "rouge by token"))
            again = corpus_figures(np.tensordot(times, own, axes=1), alpha).reshape(resamples, len(self.names))
            how: dict[str, Any] = {"level": level, "over": "tasks", "units": len(own), "range": self.range}
            values = corpus_figures(own.sum(axis=0), alpha).ravel().tolist()
            out[system] = {
                name: Estimate(value, interval(value, some, **how), n=len(own))
                for name, value, some in zip(self.names, values, again.T, strict=True)
            }
        return dict(sorted(out.items(), key=lambda one: (-one[1][self.main].value, str(one[0]))))

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every system and variant: counts and figures."""
        out = []
        for system, found in self.estimates(resamples=0).items():
            for v, counts in zip(self.variants, self.sums[system].sum(axis=0).tolist(), strict=True):
                figures = {x: found[f"{v}_{x}"].value for x in LETTERS}
                out.append({"system": system, "rouge": str(v), **dict(zip(COUNTS, counts, strict=True)), **figures})
        return out

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Systems from best to worst: figures with intervals, and counts."""
        systems = []
        for system, found in self.estimates(**how).items():
            scores = {}
            for v, counts in zip(self.variants, self.sums[system].sum(axis=0).tolist(), strict=True):
                figures = {x: _told("value", found[f"{v}_{x}"]) for x in LETTERS}
                scores[str(v)] = {**figures, "counts": dict(zip(COUNTS, counts, strict=True))}
            systems.append({"system": system, "tasks": found[self.main].n, "scores": scores})
        told = {"score": self.main, "count_by": "token", "options": dict(self.options)}
        return {**told, "systems": systems, "notes": list(self.notes)}

    def to_perl(self, *, level: float = 0.95, resamples: int = 1000, raw: bool = False, **how: Any) -> str:
        """What ROUGE-1.5.5 prints with ``-t 1``, or ``-t 2`` for raw counts."""
        return output_lines(averages(self, level, resamples, by_tokens=True), level, raw=raw)

    def picture(self, **how: Any) -> Chart:
        """The systems with their intervals, best first."""
        return self.drawn({s: found[self.main] for s, found in self.estimates(**how).items()})

    def blocks(self, **how: Any) -> list[Block]:
        """The best system in a sentence, then all of them with their counts."""
        found = {system: each[self.main] for system, each in self.estimates(**how).items()}
        best = next(iter(found))
        said = f"{many(len(found), 'system')}, counted by token: the best by {self.main} is {best} with "
        said += f"{figure(found[best].value)}."
        head = Column("value", self.main.removeprefix("ROUGE-"), "figure")
        between = Column("interval", f"{how.get('level', 0.95):.0%} CI (tasks)", "interval")
        heads = columns("system", head, between, *(f"{name}:count" for name in (*COUNTS, "tasks")))
        v, rows = self.place(self.main)[0], []
        for system, e in found.items():
            rows.append((system, e.value, e.interval, *self.sums[system].sum(axis=0)[v].tolist(), e.n))
        table = Table(f"{self.main} of the whole corpus, best first", heads, tuple(rows))
        return with_notes([Text((said,), "lead"), table], self.notes)


def _told(name: str, found: Estimate) -> dict[str, Any]:
    return {name: found.value, "interval": found.ends}


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
    main = "ROUGE-2_R" if Variant("N", 2) in chosen else f"{chosen[0]}_R"
    return Rouge(texts, chosen, values, raw, main, options, tuple(notes))


def _notes(texts: Texts, lengths: Array, jackknife: bool) -> Iterable[str]:
    number = len(texts.summaries)
    for what, empty in (("summaries", lengths[:number] == 0), ("references", lengths[number:] == 0)):
        if empty.any():
            yield f"{what} without a word: {int(empty.sum()):,}; what cannot be divided counts as 0, as in ROUGE-1.5.5"
    single = (np.bincount(texts.summary, minlength=number) == 1) & ~texts.own
    if jackknife and single.any():
        yield f"not jackknifed, with one reference only: {int(single.sum()):,} summaries"
