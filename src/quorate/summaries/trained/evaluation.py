"""What `quorate metric score` and `evaluate` do, apart from their options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from quorate.document.blocks import Block, Column, Table, Text, columns, with_notes
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.formats.table_records import read_texts
from quorate.summaries.leaderboard import Scored
from quorate.summaries.trained import lock, table5
from quorate.summaries.trained.campaign import plain_name
from quorate.summaries.trained.features import chosen
from quorate.summaries.trained.material import Material
from quorate.summaries.trained.metric import Metric
from quorate.summaries.trained.overlap import Seen, unseen
from quorate.summaries.trained.search import ENOUGH
from quorate.summaries.trained.year import Beside, judgments, read_source, years_of
from quorate.words.numbers import three


def scored(metric: Metric, source: str | None, peers: str | None, given: Beside) -> Scored:
    """The figures of all summaries, with the leaderboard of systems."""
    if (source is None) == (peers is None):
        raise InputError("which texts?", "give a folder or table, or --peers FILE (and --references FILE).")
    beside = replace(given, stem=metric.stem, limit=metric.limit)
    if source is not None:
        keys, material = read_source(source, beside).material(metric.part, metric.population)
    else:
        keys, material = tables(str(peers), beside, metric.population == "AllPeers")
    found = metric.score(material)
    if np.isnan(found).all():
        needs = sorted({n for f in chosen(metric.features) for n in f.needs})
        raise InputError("no summary can be scored.", f"the metric's features need {', '.join(needs)} of each task.")
    name = f"predicted {metric.target}"
    rows = [
        {"task": t, "item": s, "judge": "metric", name: float(v)}
        for (t, s), v in zip(keys, found.tolist(), strict=True)
    ]
    gone = int(np.isnan(found).sum())
    notes = (f"{gone:,} summaries lack what a feature needs and have no figure",) if gone else ()
    return Scored(tuple(rows), name, notes)


def tables(peers: str, beside: Beside, jackknife: bool) -> tuple[list[tuple[str, str]], Material]:
    """Summaries and models from tables; a summary by the writer of a model is held against the other models."""
    rows = read_texts(peers, "system")
    by_task, documents = beside.texts({task for task, _, _ in rows}, Path(peers).name)
    held = tuple(tuple(t for m, t in by_task.get(task, {}).items() if m != who) for task, who, _ in rows)
    own = tuple(who in by_task.get(task, {}) for task, who, _ in rows)
    texts = tuple(text for _, _, text in rows)
    source = tuple(documents.get(task, ()) for task, _, _ in rows)
    how: dict[str, Any] = {"own": own, "jackknife": jackknife, "limit": beside.limit, "stem": beside.stem}
    return [r[:2] for r in rows], Material(texts, held, documents=source, **how)


def evaluated(
    files: Sequence[str],
    source: str,
    given: Beside,
    year: str | None = None,
    seed: int = 0,
    **interval: Any,
) -> Evaluated:
    """Correlations of metrics with a year's judges; the year is opened only after every metric was found unchanged."""
    metrics = [Metric.load(f) for f in files]
    if len({m.stem for m in metrics}) > 1:
        raise InputError("some metrics stem words and some do not.", "evaluate them apart.")
    trained = {str(m.provenance.get(k)) for m in metrics for k in ("fitted_on", "chosen_on")}
    if year is None and Path(source).is_file() and "year" in (panel := judgments(source)).labels:
        raise InputError(f"{Path(source).name} has several years.", f"--year, of {', '.join(years_of(panel, source))}.")
    name = year or (plain_name(source) if Path(source).is_dir() else Path(source).stem)
    if name in trained:
        raise InputError(f"{name} was trained on.", "a metric is tested on a year it has not seen.")
    beside = replace(given, stem=metrics[0].stem, limit=metrics[0].limit)
    test = lock.Sealed(lambda: read_source(source, beside, year)).open(files[0])
    again = [unseen(test.name, test.panel, Seen.read(m.provenance.get("seen")), "was trained on") for m in metrics]
    rows: list[dict[str, Any]] = []
    for file, m in zip(files, metrics, strict=True):
        sheet = test.sheet(m.part, m.population, sorted({*m.features, *metrics[0].features}))
        row: dict[str, Any] = {
            "metric": Path(file).name,
            "target": m.target,
            "part": m.part,
            "population": m.population,
        }
        row |= table5.evaluate(m, sheet, seed=seed, **interval)
        if row["systems"] < 2:
            needs = sorted({n for f in chosen(m.features) for n in f.needs}) or ["texts"]
            raise InputError(
                f"{test.name}: {row['systems']} systems are left to evaluate {Path(file).name} on.",
                f"a system needs scores of {m.target} and, on the same task, {', '.join(needs)}.",
            )
        same = (m.target, m.part, m.population) == (metrics[0].target, metrics[0].part, metrics[0].population)
        if m is not metrics[0] and same:
            row |= table5.compare(m, metrics[0], sheet, seed=seed)
        rows.append(row)
    notes = [n for m, r in zip(metrics, rows, strict=True) for n in _few(r, len(m.features))]
    notes += dict.fromkeys(n for some in again for n in some)
    return Evaluated(test.name, tuple(rows), tuple(notes))


def _few(row: dict[str, Any], size: int) -> list[str]:
    wanted = max(ENOUGH * size, 2 * ENOUGH)  # a line through a handful of systems' means fits by chance
    few = f"{row['metric']}: {row['systems']} systems are few to test on: at least {wanted} are wanted"
    return [few] if row["systems"] < wanted else []


@dataclass(frozen=True)
class Evaluated(Result):
    """How metrics go with the judges of a year that they have not seen: a row of figures for each."""

    year: str
    metrics: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Every metric's figures."""
        return {"year": self.year, "metrics": list(self.metrics), "notes": list(self.notes)}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for each metric, all with the same columns."""
        heads = dict.fromkeys(k for r in self.metrics for k in r)
        return [{h: r.get(h) for h in heads} for r in self.metrics]

    def blocks(self, **how: Any) -> list[Block]:
        """The best metric in a sentence, then all of them."""
        best = max(self.metrics, key=lambda r: -2.0 if np.isnan(r["pearson"]) else r["pearson"])
        low, high = map(three, best["interval"] or (float("nan"), float("nan")))
        said = (
            f"On {self.year} {best['metric']} correlates {three(best['pearson'])} ({low} to {high}) with the judges' "
        )
        said += f"{best['target']} scores of {best['systems']} systems."
        if best["bootstrap_mean"] is not None:
            said += f" Resampled, {best['interval_by'] or 'they'} average {three(best['bootstrap_mean'])}: "
            said += "drawing adds noise of its own." if best["bootstrap_mean"] < best["pearson"] else "no lower."
        inside = Column("interval", "95% CI", "interval")
        figures = ("pearson:figure", inside, "spearman:figure", "kendall:figure", "williams_p:p", "permutation_p:p")
        heads = columns("metric", "target", *figures)
        cells = tuple(tuple(r.get(c.key) for c in heads) for r in self.metrics)
        title = "Correlation with the judges, systems' means; p against the first metric"
        return with_notes([Text((said,), "lead"), Table(title, heads, cells, keys=2)], self.notes)
