"""Runs of HELM: ``per_instance_stats.json``, or ``display_predictions.json`` with the metrics of HELM's own schema.

A metric is a judge, an instance of a scenario a task of the panel, the model of the run (``run_spec.json``, or else the
folder's name) the system. Of a folder of runs each run is read, and its display predictions where it has them.
Figures of tokens, time and probability, which tell nothing of an answer's quality, are left out and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import PurePath
from typing import Any

from quorate.formats.archives import Member, inside
from quorate.formats.files import File
from quorate.formats.json_records import Record, at, records, whole
from quorate.formats.judgments import Judgments, export
from quorate.formats.registry import ENCODING, Option, text

STATS, DISPLAYED = "per_instance_stats.json", "display_predictions.json"
RUN_SPEC = "run_spec.json"
BESIDE = re.compile(
    r"num_.*|finish_reason_.*|inference_.*|training_.*|batch_size|logprob.*|bits_per_byte|max_prob|prompt_truncated"
    r"|predicted_index|.*_tokens|.*_runtime"
)  # names of figures that are no judgment of an answer
OF_MODEL = re.compile(r",?\bmodel(?:_deployment)?=(?P<model>[^,]+)")
MODEL = Option("model", "the system, where neither run_spec.json nor the name of the folder tells it", text)


def walk(file: File, found: Judgments, encoding: str, model: str | None = None) -> None:
    """What is in one file, one run or a folder of runs."""
    members = inside(file)
    runs: dict[PurePath, dict[str, File]] = {}
    for member in members:
        runs.setdefault(PurePath(member.name).parent, {})[member.base] = member
    for folder, files in runs.items():
        chosen = files.get(DISPLAYED) or files.get(STATS) or (file if members == (file,) else None)
        if chosen is not None:
            found.begin(chosen)
            spec = files.get(RUN_SPEC) or File(folder / RUN_SPEC, file.most)
            scenario, system = _run(folder, spec, found, model)
            found.each(records(chosen, encoding), partial(_instance, found, scenario, system))
    found.became("judge", "stats")
    found.became("task", "instance_id")


def _run(folder: PurePath, spec: File, found: Judgments, model: str | None) -> tuple[str, str]:
    """The scenario and the model of a run."""
    told: Any = whole(spec) if isinstance(spec, Member) or (spec.path and spec.path.exists()) else None
    name = str(told["name"]) if isinstance(told, dict) and "name" in told else folder.name
    named = OF_MODEL.search(name) or OF_MODEL.search(folder.name)
    system = model or at(told, "adapter_spec.model") or (named["model"] if named else None)
    if system is None:
        system = folder.name or "model"
        found.guess(f"the system is called {system}, after its folder", f"--input-option model={system}")
    return OF_MODEL.sub("", name).rstrip(":,"), str(system)


def _instance(found: Judgments, scenario: str, system: str, number: int, record: Record) -> None:
    if record.get("perturbation"):
        found.skip("perturbed instance")
        return
    task = f"{scenario}:{record.get('instance_id', number)}" if scenario else str(record.get("instance_id", number))
    for metric, value in _figures(record["stats"]):
        if BESIDE.fullmatch(metric):
            found.became("", metric)
            found.skip("figure* of tokens, time or probability")
        elif isinstance(value, bool | int | float):
            again = found.occasion(metric, task, system)
            cells = {"judge": metric, "task": task, "item": f"{task}: {system}", "system": system}
            found.score(number, float(value), occasion=again, **cells)
        else:
            found.skip(f"value* of a metric that is no number ('{metric}')")


def _figures(stats: Any) -> Iterator[tuple[str, Any]]:
    """Names and means of an instance's figures, however they are laid out."""
    if isinstance(stats, dict):
        yield from ((str(name), value) for name, value in stats.items())
    else:
        yield from ((str(stat["name"]["name"]), stat.get("mean")) for stat in stats)


HELM = export(
    "helm",
    "runs of HELM, per instance: a metric a judge, a model a system",
    ("scores",),
    walk,
    (MODEL, ENCODING),
    why="requests and references are not in a panel",
    keys=("instance_id stats[].name.name", "instance_id predicted_text stats"),
    folders=True,
)
