"""Logs of evaluation harnesses: a metric or scorer is a judge, a sample a task of the panel, the model the system.

* lm-evaluation-harness: ``samples_TASK_TIME.jsonl``, a document a line with its metrics. The model is the folder that
  the harness writes to; files of several models make a leaderboard.
* HELM: ``per_instance_stats.json``, or ``display_predictions.json`` with the metrics of HELM's own schema; the model is
  in ``run_spec.json``, or else the folder's name. Of a folder of runs each run is read, and its display predictions
  where it has them. Figures of tokens, time and probability, which tell nothing of an answer's quality, are left out
  and named.
* Inspect: JSON, or ``.eval`` archives. The letters C, P, I and N (correct, partial, incorrect, no answer) are 1, 0.5, 0
  and 0, as Inspect's own metrics take them; ``labels`` keeps the letters. Epochs and runs are occasions. A scorer with
  several values has a criterion for each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import PurePath
from typing import Any

from quorate.errors import InputError
from quorate.formats.archives import ZIP, Member, holds, inside
from quorate.formats.files import File
from quorate.formats.json_records import Record, at, records, whole
from quorate.formats.judgments import SHARED, Judgments, export
from quorate.formats.recognise import tells
from quorate.formats.registry import ENCODING, Option, empty, text

NAME = re.compile(r"(?:.*_)?samples_(?P<task>.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.:-]+)?")
SAMPLES = "doc_id resps|filtered_resps"  # keys of a document
OWN = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "schema_hash"),
}
MODEL = Option("model", "the system, where the folder does not name it", text)


def _lm_eval(file: File, found: Judgments, encoding: str, model: str | None = None) -> None:
    """What is in one file or folder."""
    members = [f for f in inside(file) if tells(f, (SAMPLES,))]
    if not members:
        hint = "run the harness with --log_samples, and give the files samples_TASK_TIME.jsonl."
        raise InputError(f"{file.name}: figures of a run without its samples.", hint)
    for member in members:
        found.begin(member)
        named = NAME.fullmatch(member.stem)
        name = named["task"] if named else member.stem
        system = model or (member.path.resolve().parent.name if member.path and named else member.stem)
        if model is None and file.folder:
            found.note("the systems are called after their folders")
        elif model is None:
            found.guess(f"the system is called {system}, after its folder", f"--input-option model={system}")
        found.each(records(member, encoding), partial(_document, found, name, system))


def _document(found: Judgments, name: str, system: str, number: int, record: Record) -> None:
    task = f"{name}:{record.get('doc_id', number)}"
    listed = record.get("metrics")
    metrics = listed if isinstance(listed, list) else [n for n in record if n not in OWN]
    used = record.get("filter")
    for metric in metrics:
        value: Any = record.get(metric)
        if isinstance(value, bool | int | float):
            judge = metric if used in (None, "none") else f"{metric},{used}"
            found.output(number, float(value), judge=judge, task=task, system=system)
        else:
            found.skip(f"value* of a metric that is no number ('{metric}')")


LM_EVAL = export(
    "lm-eval",
    "samples of lm-evaluation-harness: a metric a judge, a model a system",
    ("scores",),
    _lm_eval,
    (MODEL, ENCODING),
    why="documents and responses are not in a panel",
    keys=(SAMPLES, "results configs versions"),  # of figures alone the reader says what is needed instead
    folders=True,
)


# -- HELM --------------------------------------------------------------------------------------------------------------

STATS, DISPLAYED = "per_instance_stats.json", "display_predictions.json"
RUN_SPEC = "run_spec.json"
BESIDE = re.compile(
    r"num_.*|finish_reason_.*|inference_.*|training_.*|batch_size|logprob.*|bits_per_byte|max_prob|prompt_truncated"
    r"|predicted_index|.*_tokens|.*_runtime"
)  # names of figures that are no judgment of an answer
OF_MODEL = re.compile(r",?\bmodel(?:_deployment)?=(?P<model>[^,]+)")
RUN_MODEL = Option("model", "the system, where neither run_spec.json nor the name of the folder tells it", text)


def _helm(file: File, found: Judgments, encoding: str, model: str | None = None) -> None:
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
            found.output(number, float(value), judge=metric, task=task, system=system, occasion=again)
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
    _helm,
    (RUN_MODEL, ENCODING),
    why="requests and references are not in a panel",
    keys=("instance_id stats[].name.name", "instance_id predicted_text stats"),
    folders=True,
)


# -- Inspect -----------------------------------------------------------------------------------------------------------

SAMPLE = re.compile(r"(.*/)?samples/[^/]+(\.json|/sample\.json)")  # a sample in an archive, whole or in pieces
LOG = ("eval eval.model samples|results|status",)  # of a log
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def _inspect(file: File, found: Judgments, encoding: str) -> None:
    """What is in one log, or in a folder of them."""
    for log in [file] if _archive(file) else [f for f in inside(file) if _archive(f) or tells(f, LOG)]:
        found.begin(log)
        _read_one(log, found, encoding)


def _read_one(file: File, found: Judgments, encoding: str) -> None:
    head, samples = _log(file, encoding)
    about = head.get("eval") if isinstance(head.get("eval"), dict) else {}
    system, name = (about or {}).get("model", "model"), (about or {}).get("task", "")
    status = head.get("status") or "success"
    ended = "" if status == "success" else f"the run ended with status '{status}'"
    if ended:
        found.note(f"{file.name}: {ended}")
    found.became("judge", "scores")
    several = bool(found.label_wanted)
    count = 0

    def take(number: int, sample: Record) -> None:
        nonlocal count
        count = number
        scores = sample.get("scores", {"score": sample["score"]} if sample.get("score") else None)
        if not isinstance(scores, dict) or not scores:
            found.skip("sample* without a score", ended)
            return
        task = f"{name}:{sample.get('id', count)}" if name else str(sample.get("id", count))
        for judge, score in scores.items():
            value = score.get("value") if isinstance(score, dict) else score
            for criterion, one in _values(value):
                more = {} if criterion is None else {"criterion": criterion}
                given = one if several else LETTERS.get(one, one) if isinstance(one, str) else one
                again = found.occasion(judge, task, system, criterion)
                found.output(count, given, judge=judge, task=task, system=system, occasion=again, **more)

    found.each(enumerate(samples, 1), take)
    if not count:
        raise empty(file.name, "no samples in this log (they may have been logged elsewhere)")
    if not several:
        found.note("C, P, I and N are taken as 1, 0.5, 0 and 0 (--labels keeps the letters)")


def _values(value: Any) -> Iterator[tuple[str | None, Any]]:
    """A score's value, or its values by name; true and false are 1 and 0."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield name, float(one) if isinstance(one, bool) else one
    else:
        yield None, float(value) if isinstance(value, bool) else value


def _log(file: File, encoding: str) -> tuple[Record, Iterator[Record]]:
    """The head of a log, and its samples."""
    if not file.head.startswith(ZIP):
        log = whole(file, encoding)
        head = log if isinstance(log, dict) else {}
        return head, iter(head["samples"] if isinstance(head.get("samples"), list) else [])
    members = inside(file)
    head = {}
    for name in ("header.json", "_journal/start.json"):
        for member in members:
            if not head and member.name.endswith(name):
                with member.text() as stream:
                    head = json.load(stream)
    return head, (whole(m) for m in members if isinstance(m, Member) and SAMPLE.fullmatch(m.inner))


def _archive(file: File) -> bool:
    """A log that is an archive."""
    log = not file.folder and file.head.startswith(ZIP)
    return log and any(m.name.endswith(("/header.json", "/_journal/start.json")) for m in inside(file))


INSPECT = export(
    "inspect",
    "logs of Inspect, JSON or .eval: a scorer a judge, a model a system",
    ("scores",),
    _inspect,
    SHARED,
    why="a log holds far more than scores",
    extensions=("eval",),
    keys=LOG,
    packed=lambda file: _archive(file) or holds(file, _archive),
    folders=True,
)
