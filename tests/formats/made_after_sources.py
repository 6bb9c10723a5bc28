"""More made-up exports, laid out as the sources of the tools lay them out: folders, storages, parts put together."""
# ruff: noqa: E501

from __future__ import annotations

import json

from tests.formats.made_as_exported import EXPORTS
from tests.formats.made_exports import (
    ALL,
    LABEL,
    Export,
    J,
    N,
    choice,
    ls_done,
    ls_task,
    table,
)

RUN = "runs/v1/mmlu:subject=anatomy,method=joint,model={}"


def stat(name: str, value: float) -> dict[str, object]:
    """A figure of HELM's: of one instance, all of its means are the same."""
    figures = dict.fromkeys(("sum", "sum_squared", "min", "max", "mean"), value)
    return {"name": {"name": name, "split": "test"}, "count": 1, **figures, "variance": 0.0, "stddev": 0.0}


def instance(i: int, model: str, **more: object) -> dict[str, object]:
    """An instance of HELM's with its figures."""
    figures = [stat("num_prompt_tokens", 120 + i), stat("exact_match", float((i + len(model)) % 2)), stat("f1", i / 4)]
    return {"instance_id": f"id{i}", "train_trial_index": 0, **more, "stats": figures}


def helm(model: str) -> dict[str, str]:
    """The files of a run."""
    changed = instance(0, model, perturbation={"name": "typos", "robustness": True, "computed_on": "perturbed"})
    spec = {
        "name": "mmlu:subject=anatomy,method=joint",
        "adapter_spec": {"model": f"maker/{model}"},
        "groups": ["mmlu"],
    }
    folder = RUN.format(f"maker_{model}")
    return {
        f"{folder}/per_instance_stats.json": json.dumps([*(instance(i, model) for i in N), changed], indent=2),
        f"{folder}/run_spec.json": json.dumps(spec),
        f"{folder}/stats.json": json.dumps([stat("exact_match", 0.5)]),
        f"{folder}/scenario_state.json": json.dumps({"adapter_spec": {"model": model}, "request_states": []}),
    }


def displayed(i: int) -> dict[str, object]:
    """A prediction as HELM shows it, with the metrics of its schema."""
    return {
        "instance_id": f"id{i}",
        "train_trial_index": 0,
        "predicted_text": "B",
        "mapped_output": "b",
        "stats": {"exact_match": i % 2, "predicted_index": 1},
    }


def stored(i: int, j: int) -> str:
    """An annotation in a storage of Label Studio: its task is in it, without annotations."""
    task = {n: v for n, v in ls_task(i, []).items() if n != "annotations"}
    user = {"id": j, "first_name": "", "last_name": "", "email": f"{J[j]}@x.org"}
    return json.dumps({**ls_done(j, choice(j, i)), "completed_by": user, "task": task})


# fmt: off
EXPORTS |= {
    "labelstudio/arrays in an array": Export(
        {"ls.json": json.dumps([[ls_task(i, [ls_done(j, choice(j, i)) for j in range(3)]) for i in N[:2]], [ls_task(i, [ls_done(j, choice(j, i)) for j in range(3)]) for i in N[2:]]])},
        "scores", 3, 4,
    ),
    "labelstudio/a file per task": Export(
        {f"tasks/{i}.json": json.dumps(ls_task(i, [ls_done(j, choice(j, i)) for j in range(3)])) for i in N} | {"tasks/notes.txt": "hello\n"},
        "scores", 3, 4, notes=("1 other file passed over (notes.txt)",),
    ),
    "labelstudio/annotations of a storage": Export({f"target/{10 * i + j}": stored(i, j) for i, j in ALL}, "scores", 3, 4),
    "helm/two runs": Export(
        helm("one") | helm("three"), "scores", 2, 8, 4, notes=("8 figures of tokens, time or probability left out", "2 perturbed instances left out"),
    ),
    "helm/display predictions": Export(
        helm("one") | {f"{RUN.format('maker_one')}/display_predictions.json": json.dumps([displayed(i) for i in N])}, "scores", 1, 4, 4,
    ),
    "helm/a file alone": Export({"per_instance_stats.json": json.dumps([instance(i, "m") for i in N])}, "scores", 2, 4, 4, options={"model": "m"}),
    "cardsort/all cards of a category": Export(
        {"sort.csv": table(["Participant #", "Category", "Cards"], [[J[j], label, "; ".join(f"card {i}" for i in N if LABEL[j][i] == label)] for j in range(3) for label in ("pos", "neg")])},
        "groupings", 3, 4,
    ),
}
# fmt: on
