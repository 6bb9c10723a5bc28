"""A trained metric: a line through a few features, kept as a small JSON file with where it comes from.

Scoring is deterministic: the same texts give the same figures, on any machine up to rounding. A file whose content does
not fit its hash is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.summaries.trained import lock
from quorate.summaries.trained.features import chosen, measured
from quorate.summaries.trained.fits import FITS
from quorate.summaries.trained.material import Material
from quorate.summaries.trained.search import Found, prepare
from quorate.summaries.trained.year import Sheet

Array = NDArray[Any]
FORMAT = "quorate trained metric 1"


@dataclass(frozen=True)
class Metric:
    """``intercept + sum of coefficient * (feature - mean) / deviation``, and what it was trained for and on.

    >>> one = Metric("pyramid", "main", "NoModels", "robust", "system", ("longest",), (10.0,), (2.0,), 0.5, (0.1,))
    >>> one.score(Material(("One two three four five six.",), stem=False)).round(3).tolist()
    [0.3]
    """

    target: str
    part: str
    population: str
    fit: str
    level: str
    features: tuple[str, ...]
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    intercept: float
    coefficients: tuple[float, ...]
    stem: bool = True
    limit: int | None = 100  # words that summaries may have
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it predicts and how it was trained, in short."""
        dropped = self.provenance.get("dropped_by")
        return f"{self.target}, {self.part}, {self.population}" + (f", new ({dropped})" if dropped else "")

    def score(self, material: Material) -> Array:
        """The figure of every summary; NaN where a feature cannot be had."""
        return self.line(measured(material, self.features))

    def table(self, sheet: Sheet) -> Array:
        """The figures of a sheet, ``[task, system]``."""
        missing = [f for f in self.features if f not in sheet.features]
        if missing:
            raise InputError(f"no feature {', '.join(missing)} in the sheet.", "compute it, or all of them.")
        return self.line(sheet.x[:, :, [sheet.features.index(f) for f in self.features]])

    def line(self, x: Array) -> Array:
        """The figures from features in order, along the last axis."""
        weight = np.array(self.coefficients) / np.array(self.deviation)
        out = np.full(x.shape[:-1], self.intercept)
        for k, w in enumerate(weight.tolist()):  # added up in order, so that every machine does the same
            out = out + w * (x[..., k] - self.mean[k])
        return np.asarray(out)

    def body(self) -> dict[str, Any]:
        """Plain lists and dicts, without the hash."""
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}
        return {"format": FORMAT, **plain}

    def save(self, path: str | Path) -> str:
        """Write the file; another metric that is there already is not written over. Returns the hash."""
        return lock.write(path, self.body())

    @classmethod
    def load(cls, path: str | Path) -> Metric:
        """Read and check a file."""
        return cls.of(lock.read(path), Path(path).name)

    @classmethod
    def of(cls, body: Mapping[str, Any], where: str = "metric") -> Metric:
        """From plain lists and dicts."""
        if body.get("format") != FORMAT:
            raise InputError(f"{where}: not a trained metric.", "quorate metric train writes one.")
        known = {n: body[n] for n in cls.__dataclass_fields__ if n in body}
        fields: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in known.items()}
        try:
            made = cls(**fields)
            sizes = {len(v) for v in (made.features, made.mean, made.deviation, made.coefficients)}
            numbers = np.array([made.intercept, *made.mean, *made.deviation, *made.coefficients])
        except (TypeError, ValueError):
            sizes, numbers = set(), np.empty(0)
        if len(sizes) != 1 or numbers.dtype.kind not in "if":
            raise InputError(f"{where}: incomplete as a trained metric.", "quorate metric train writes a whole one.")
        chosen(made.features)
        return made


def refit(
    found: Found,
    second: Sheet,
    *,
    stem: bool = True,
    limit: int | None = 100,
    provenance: Mapping[str, Any] | None = None,
    responses: Sequence[str] | None = None,
) -> Metric:
    """The chosen features and fit on the second year: the metric to be tested on a third."""
    together = found.responses if responses is None else tuple(responses)
    here = prepare(second, found.target, found.level, found.features, together)
    every = np.arange(len(here.names))[None]
    intercept, line, settled = FITS[found.fit](here.x, here.y, together.index(found.target), every, here.better)
    unsure = [] if settled[0] else [f"the {found.fit} fit on {second.year} has not converged: do not trust its weights"]
    about = {
        "quorate": _version(),
        "chosen_on": second.year,
        "chosen_value": round(found.value, 6),
        "coefficient": found.coefficient,
        "candidates": len(found.candidates.fit),
        "every_subset_tried": found.complete,
        "tasks": len(second.tasks),
        "systems": len(second.systems),
        "converged": bool(settled[0]),
        "notes": [*unsure, *found.notes, *_gone(found, here.names)],
    }
    return Metric(
        *(found.target, second.part, second.population, found.fit, found.level, here.names),
        *(tuple(here.mean.tolist()), tuple(here.deviation.tolist()), float(intercept[0]), tuple(line[0].tolist())),
        *(stem, limit, {**about, **(provenance or {})}),
    )


def _gone(found: Found, names: Sequence[str]) -> list[str]:
    gone = [n for n in found.features if n not in names]
    return [f"the same throughout on the second year, so left out: {', '.join(gone)}"] if gone else []


def _version() -> str:
    try:
        return version("quorate")
    except PackageNotFoundError:
        return "unknown"
