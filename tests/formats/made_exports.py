"""Small made-up exports of every tool, in the variants that tools have written over the years.

``EXPORTS`` maps a name, ``format/variant``, to the files of an export and to what a panel of it holds: its kind, how
many judges, items and tasks, and notes that must be there. A file is a line here, however long.
"""
# ruff: noqa: E501

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

J, N = ("ann", "bob", "cat"), range(4)
LABEL = (("pos", "neg", "pos", "neg"), ("pos", "neg", "pos", "pos"), ("pos", "pos", "pos", "neg"))
STARS = ((5, 2, 4, 3), (4, 1, 5, 3), (5, 3, 4, 2))
TEXTS = ("Fine film, really", "Too long; I left", 'A "classic"\nin two lines', "Größe: ☃")


@dataclass(frozen=True)
class Export:
    files: dict[str, str]
    kind: str
    judges: int
    items: int = 0
    tasks: int = 1
    notes: tuple[str, ...] = ()  # parts of notes that must be there
    options: dict[str, Any] = field(default_factory=dict)

    def put(self, folder: Path) -> Path:
        """Writes the files; the path to read."""
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        first = next(iter(self.files))
        return folder / first.partition("/")[0]


def lines(records: Any) -> str:
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def table(names: list[str], rows: Any, mark: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


def ls_result(name: str, kind: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"id": "x", "from_name": name, "to_name": "text", "type": kind, "value": {kind: value, **more}}


def ls_task(i: int, annotations: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"id": 10 + i, "data": {"text": TEXTS[i]}, "annotations": annotations, **more}


def ls_done(j: int, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 7, "completed_by": j + 1, "was_cancelled": False, "result": list(results), **more}


def choice(j: int, i: int) -> dict[str, Any]:
    return ls_result("mood", "choices", [LABEL[j][i]])


def json_min(i: int, j: int, **controls: Any) -> dict[str, Any]:
    made = {"annotator": j + 1, "annotation_id": 9, "created_at": "t", "updated_at": "t", "lead_time": 4.2}
    return {"text": TEXTS[i], "id": 10 + i, **controls, **made}


ALL = [(i, j) for i in N for j in range(3)]
# fmt: off
EXPORTS: dict[str, Export] = {
    # -- Label Studio
    "labelstudio/choices": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, choice(j, i)) for j in range(3)]) for i in N], indent=1)},
        "scores", 3, 4,
    ),
    "labelstudio/users and two controls": Export(
        {"ls.json": json.dumps([ls_task(i, [{**ls_done(j, choice(j, i), ls_result("stars", "rating", STARS[j][i])), "completed_by": {"id": j, "email": f"{J[j]}@example.org", "first_name": "", "last_name": ""}} for j in range(3)], drafts=[], predictions=[]) for i in N])},
        "scores", 3, 4, notes=("stars is a number",),
    ),
    "labelstudio/one control of two": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, choice(j, i), ls_result("stars", "rating", STARS[j][i])) for j in range(3)]) for i in N])},
        "scores", 3, 4, options={"criteria": "stars"},
    ),
    "labelstudio/cancelled, empty, text and spans": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(0, choice(0, i), ls_result("why", "text", ["because"])), ls_done(1, choice(1, i), {"from_name": "ner", "type": "labels", "value": {"start": 0, "end": 3, "labels": ["X"]}}), ls_done(2, choice(2, i), was_cancelled=True), ls_done(2)], drafts=[{"id": 1}]) for i in N])},
        "scores", 2, 4,
        notes=("4 cancelled annotations left out", "4 empty annotations left out", "4 free texts ('why') left out", "4 marks on a region ('ner') left out", "4 drafts left out"),
    ),
    "labelstudio/several choices": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, ls_result("topics", "choices", ["a", "b"][: 1 + (i + j) % 2])) for j in range(3)]) for i in N])},
        "scores", 3, 4, notes=("topics is a choice of several",),
    ),
    "labelstudio/taxonomy": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, ls_result("kind", "taxonomy", [["Animals", "Dogs" if i else "Cats"]])) for j in range(3)]) for i in N])},
        "scores", 3, 4,
    ),
    "labelstudio/number": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, ls_result("n", "number", STARS[j][i])) for j in range(3)]) for i in N])},
        "scores", 3, 4,
    ),
    "labelstudio/completions of old": Export(
        {"ls.json": json.dumps([{"id": i, "data": {"text": "x"}, "completions": [{"id": j, "result": [choice(j, i)], "completed_by": j} for j in range(3)]} for i in N])},
        "scores", 3, 4,
    ),
    "labelstudio/predictions": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, choice(j, i)) for j in range(3)], predictions=[{"model_version": "m1", "result": [choice(0, i)], "score": 0.9}]) for i in N])},
        "scores", 3, 4, notes=("4 predictions of a model left out",),
    ),
    "labelstudio/predictions as judges": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, choice(j, i)) for j in range(3)], predictions=[{"model_version": "m1", "result": [choice(0, i)], "score": 0.9}, 17]) for i in N])},
        "scores", 4, 4, options={"models": "yes"},
    ),
    "labelstudio/pairwise": Export(
        {"ls.json": json.dumps([{"id": i, "data": {"left_model": "alpha", "right_model": "beta"}, "annotations": [ls_done(j, {"type": "pairwise", "from_name": "pw", "to_name": "a,b", "value": {"selected": ("left", "right")[(i + j) % 2]}}) for j in range(3)]} for i in N])},
        "votes", 3, 1, 4,
    ),
    "labelstudio/pairwise without names": Export(
        {"ls.json": json.dumps([{"id": i, "data": {"x": "1"}, "annotations": [ls_done(j, {"type": "pairwise", "from_name": "pw", "to_name": "one,two", "value": {"selected": "left"}}) for j in range(3)]} for i in N])},
        "votes", 3, 1, 4, notes=("called one and two",),
    ),
    "labelstudio/ranker": Export(
        {"ls.json": json.dumps([{"id": i, "data": {}, "annotations": [ls_done(j, {"type": "ranker", "from_name": "r", "to_name": "l", "value": {"ranker": {"rank": list(("abc", "bac", "acb")[j])}}}) for j in range(3)]} for i in range(2)])},
        "orderings", 3, 3, 2,
    ),
    "labelstudio/ranker with buckets": Export(
        {"ls.json": json.dumps([{"id": 1, "data": {}, "annotations": [ls_done(j, {"type": "ranker", "from_name": "r", "to_name": "l", "value": {"ranker": {"_": ["d"], "good": ["a"], "bad": ["b", "c"]}}}) for j in range(3)]}])},
        "groupings", 3, 4, 1,
    ),
    "labelstudio/JSON_MIN": Export(
        {"ls.json": json.dumps([json_min(i, j, mood=LABEL[j][i]) for i, j in ALL])}, "scores", 3, 4,
    ),
    "labelstudio/JSON_MIN with ratings, several choices and marks": Export(
        {"ls.json": json.dumps([json_min(i, j, mood=LABEL[j][i], topics={"choices": ["a", "b"]}, stars=[{"rating": STARS[j][i]}], ner=[{"start": 0, "end": 2, "labels": ["X"]}]) for i, j in ALL])},
        "scores", 3, 4, notes=("12 marks on a region ('ner')",),
    ),
    "labelstudio/CSV": Export(
        {"ls.csv": table(["text", "id", "mood", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"], [[TEXTS[i], 10 + i, LABEL[j][i], j + 1, 9, "t", "t", 4.2] for i, j in ALL])},
        "scores", 3, 4,
    ),
    "labelstudio/CSV in the order of the alphabet": Export(
        {"ls.csv": table(["annotation_id", "annotator", "created_at", "id", "lead_time", "mood", "stars", "text", "updated_at"], [[9, f"{J[j]}@example.org", "t", 10 + i, 4.2, LABEL[j][i], json.dumps([{"rating": STARS[j][i]}]), TEXTS[i], "t"] for i, j in ALL])},
        "scores", 3, 4, notes=("stars is a number",),
    ),
    "labelstudio/TSV": Export(
        {"ls.tsv": table(["annotation_id", "annotator", "created_at", "id", "lead_time", "mood", "text", "updated_at"], [[9, j, "t", 10 + i, 4.2, LABEL[j][i], "t", "t"] for i, j in ALL], "\t")},
        "scores", 3, 4,
    ),
    # -- Argilla
    "argilla/version 2": Export(
        {"a.json": json.dumps([{"id": f"r{i}", "fields": {"text": TEXTS[i]}, "metadata": {}, "suggestions": {"q": {"value": 3, "score": None, "agent": "m"}}, "responses": {"q": [{"value": STARS[j][i], "user_id": J[j]} for j in range(3)]}, "status": "completed"} for i in N])},
        "scores", 3, 4, notes=("4 suggestions of a model left out",),
    ),
    "argilla/suggestions as judges": Export(
        {"a.json": json.dumps([{"id": f"r{i}", "fields": {}, "suggestions": {"q": {"value": 3, "agent": "m"}}, "responses": {"q": [{"value": STARS[j][i], "user_id": J[j]} for j in range(3)]}} for i in N])},
        "scores", 4, 4, options={"models": "yes"},
    ),
    "argilla/rows of a data set": Export(
        {"a.jsonl": lines({"id": f"r{i}", "text": "t", "q.responses": [STARS[j][i] for j in range(3)], "q.responses.users": list(J), "q.responses.status": ["submitted", "submitted", "discarded" if i == 0 else "submitted"], "q.suggestion": None, "w.responses": None} for i in N)},
        "scores", 3, 4, notes=("1 discarded response left out",),
    ),
    "argilla/version 1": Export(
        {"a.json": json.dumps([{"id": f"r{i}", "fields": {}, "responses": [{"user_id": J[j], "status": "draft" if (i, j) == (0, 0) else "submitted", "values": {"mood": {"value": LABEL[j][i]}}} for j in range(3)], "suggestions": [{"question_name": "mood", "value": "pos", "agent": "m"}]} for i in N])},
        "scores", 3, 4, notes=("1 draft response left out", "4 suggestions of a model"),
    ),
    "argilla/version 1, rows": Export(
        {"a.jsonl": lines({"text": TEXTS[i], "external_id": f"r{i}", "mood": {"user_id": list(J), "value": [LABEL[j][i] for j in range(3)], "status": ["submitted"] * 3}, "mood-suggestion": "pos", "mood-suggestion-metadata": {"agent": "m", "score": 1}} for i in N)},
        "scores", 3, 4, notes=("4 suggestions of a model",),
    ),
    "argilla/ranking": Export(
        {"a.json": json.dumps([{"id": f"r{i}", "fields": {}, "suggestions": {}, "responses": {"rank": [{"value": [{"value": v, "rank": 1 + k // 2} for k, v in enumerate(("abc", "bac", "cab")[j])], "user_id": J[j]} for j in range(3)]}} for i in N])},
        "orderings", 3, 3, 4,
    ),
    "argilla/ranking as lists": Export(
        {"a.json": json.dumps([{"id": f"r{i}", "fields": {}, "suggestions": {}, "responses": {"rank": [{"value": list(("abc", "bac", "cab")[j]), "user_id": J[j]} for j in range(3)]}} for i in N])},
        "orderings", 3, 3, 4,
    ),
    "argilla/several labels, text and spans": Export(
        {"a.json": json.dumps([{"id": f"r{i}", "fields": {}, "suggestions": {}, "responses": {"topics": [{"value": ["a", "b", "c"][: (i + j) % 3 + 1], "user_id": J[j]} for j in range(3)], "ner": [{"value": [{"start": 0, "end": 1, "label": "X"}], "user_id": "ann"}], "note": [{"value": f"text number {i} {j} {k}", "user_id": J[j]} for j in range(3) for k in range(3)]}} for i in N])},
        "scores", 3, 4, notes=("topics is a choice of several", "4 span annotations ('ner')", "note is left out as free text"),
    ),
    "argilla/version 0": Export(
        {"a.jsonl": lines({"text": "t", "prediction": [{"label": "pos", "score": 0.9}], "prediction_agent": "m", "annotation": LABEL[0][i], "annotation_agent": "ann", "id": i, "status": "Validated"} for i in N)},
        "scores", 1, 4, notes=("4 suggestions of a model",),
    ),
    # -- Prodigy
    "prodigy/choice": Export(
        {"p.jsonl": lines({"text": TEXTS[i], "options": [{"id": "pos"}, {"id": "neg"}], "_input_hash": i, "_task_hash": i, "_view_id": "choice", "accept": [LABEL[j][i]], "answer": ("accept", "ignore", "reject")[0 if i else j], "_annotator_id": f"d-{J[j]}", "_session_id": f"d-{J[j]}"} for i, j in ALL)},
        "scores", 3, 4, notes=("1 ignored example left out", "1 rejected choice left out"),
    ),
    "prodigy/several choices": Export(
        {"p.jsonl": lines({"text": "t", "options": [{"id": "a"}, {"id": "b"}], "config": {"choice_style": "multiple"}, "_input_hash": i, "_task_hash": i, "accept": ["a", "b"][: (i + j) % 3], "answer": "accept", "_session_id": J[j]} for i, j in ALL)},
        "scores", 3, 4, notes=("choice of several",),
    ),
    "prodigy/binary": Export(
        {"p.jsonl": lines({"text": "t", "label": "SPORT", "_input_hash": i, "_task_hash": i, "answer": "accept" if LABEL[j][i] == "pos" else "reject", "_session_id": J[j]} for i, j in ALL)},
        "scores", 3, 4,
    ),
    "prodigy/without a session": Export(
        {"ann.jsonl": lines({"text": "t", "label": "SPORT", "_input_hash": i, "_task_hash": i, "answer": "accept", "_session_id": None} for i in N)},
        "scores", 1, 4, notes=("by the judge 'ann'",),
    ),
    "prodigy/comparison": Export(
        {"p.jsonl": lines({"id": i, "input": {"text": "t"}, "accept": {"text": "x"}, "reject": {"text": "y"}, "mapping": {"accept": "A", "reject": "B"}, "_input_hash": i, "_task_hash": i, "answer": ("accept", "reject")[(i + j) % 2], "_session_id": J[j]} for i, j in ALL)},
        "votes", 3, 1, 4,
    ),
    "prodigy/review": Export(
        {"p.jsonl": lines({"text": "t", "label": "SPORT", "_input_hash": i, "_task_hash": i, "answer": "accept", "_session_id": "boss", "view_id": "review", "versions": [{"text": "t", "label": "SPORT", "answer": "accept", "sessions": ["ann", "bob"]}, {"text": "t", "label": "SPORT", "answer": "reject", "sessions": ["cat"]}]} for i in N)},
        "scores", 3, 4, notes=("reviewed examples",),
    ),
    "prodigy/spans": Export(
        {"p.jsonl": lines([{"text": "t", "label": "X", "_input_hash": 1, "_task_hash": 1, "answer": "accept", "_session_id": "ann"}, {"text": "t", "spans": [], "_input_hash": 2, "_task_hash": 2, "answer": "accept", "_session_id": "ann"}])},
        "scores", 1, 1, notes=("1 example annotated by hand",),
    ),
    # -- doccano
    "doccano/folder": Export(
        {f"doccano/{J[j]}.jsonl": lines({"id": i + 1, "text": TEXTS[i], "label": [LABEL[j][i]] if i or j else [], "Comments": []} for i in N) for j in range(3)},
        "scores", 3, 4, notes=("1 text without a label left out",),
    ),
    "doccano/json": Export(
        {f"doccano/{J[j]}.json": json.dumps([{"id": i + 1, "text": "t", "cats": [LABEL[j][i]], "entities": []} for i in N]) for j in range(3)},
        "scores", 3, 4,
    ),
    "doccano/csv": Export(
        {f"doccano/{J[j]}.csv": table(["id", "text", "label", "Comments"], [[i + 1, "t", LABEL[j][i] + ("#late" if i == 3 else ""), ""] for i in N]) for j in range(3)},
        "scores", 3, 4, notes=("choice of several",),
    ),
    "doccano/one file": Export(
        {"ann.jsonl": lines({"id": i, "text": "t", "labels": [LABEL[0][i]], "meta": {}} for i in N)}, "scores", 1, 4,
    ),
    "doccano/all annotators of old": Export(
        {"all.jsonl": lines({"id": i, "text": "t", "annotations": [{"label": 1 + (i + j) % 2, "user": j + 1} for j in range(3)], "meta": {}} for i in N)},
        "scores", 3, 4,
    ),
    # -- Potato
    "potato/instances": Export(
        {f"potato/{J[j]}/annotated_instances.jsonl": lines([{"id": "consent.html", "displayed_text": "c", "label_annotations": {"agree": {"Yes": "true"}}, "span_annotations": {}, "behavioral_data": {}}, *({"id": str(i), "displayed_text": "t", "label_annotations": {"mood": {LABEL[j][i]: "true"}, "why": {"text_box": "so"}}, "span_annotations": {}, "behavioral_data": {}} for i in N)]) for j in range(3)} | {"potato/ann/annotation_order.txt": "0\n1\n"},
        "scores", 3, 4, notes=("3 pages of a survey left out", "12 free texts ('why') left out"),
    ),
    "potato/scales and boxes": Export(
        {f"potato/{J[j]}/annotated_instances.jsonl": lines({"id": str(i), "displayed_text": "t", "label_annotations": {"stars": {f"scale_{STARS[j][i]}": str(STARS[j][i])}}, "span_annotations": {}} for i in N) for j in range(3)},
        "scores", 3, 4,
    ),
    "potato/user state": Export(
        {f"potato/{J[j]}/user_state.json": json.dumps({"user_id": J[j], "instance_id_ordering": ["0"], "instance_id_to_label_to_value": {str(i): [[{"schema": "mood", "name": LABEL[j][i]}, True]] for i in N}, "instance_id_to_span_to_value": {}}, indent=2) for j in range(3)},
        "scores", 3, 4,
    ),
    "potato/user state by scheme": Export(
        {f"potato/{J[j]}/user_state.json": json.dumps({"user_id": J[j], "instance_id_to_label_to_value": {str(i): {"mood": {LABEL[j][i]: "true"}} for i in N}}) for j in range(3)},
        "scores", 3, 4,
    ),
    "potato/table": Export(
        {"annotated_instances.tsv": table(["user", "instance_id", "displayed_text", "mood:::pos", "mood:::neg"], [[J[j], i, "t", *("true" if LABEL[j][i] == w else "" for w in ("pos", "neg"))] for i, j in ALL], "\t")},
        "scores", 3, 4,
    ),
    # -- crowds
    "mturk/ratings": Export(
        {"m.csv": table(["HITId", "WorkerId", "AssignmentId", "AssignmentStatus", "Input.id", "Input.text", "Answer.stars", "Answer.comment", "Approve", "Reject"], [[f"H{i}", J[j], "A", "Rejected" if (i, j) == (0, 0) else "Approved", f"r{i}", TEXTS[i], STARS[j][i], "", "x", ""] for i, j in ALL])},
        "scores", 3, 4, notes=("1 rejected assignment left out", "11 empty answers left out"),
    ),
    "mturk/rejected too": Export(
        {"m.csv": table(["HITId", "WorkerId", "AssignmentStatus", "Answer.stars"], [[f"H{i}", J[j], "Rejected", STARS[j][i]] for i, j in ALL])},
        "scores", 3, 4, options={"rejected": "yes"},
    ),
    "mturk/taskAnswers": Export(
        {"m.csv": table(["HITId", "WorkerId", "AssignmentStatus", "Input.text", "Answer.taskAnswers"], [[f"H{i}", J[j], "Submitted", "t", json.dumps([{"mood": {"label": LABEL[j][i]}, "stars": {str(s): s == STARS[j][i] for s in range(1, 6)}}])] for i, j in ALL])},
        "scores", 3, 4, notes=("stars is a number",),
    ),
    "mturk/options": Export(
        {"m.csv": table(["HITId", "WorkerId", "AssignmentStatus", "Answer.mood.pos", "Answer.mood.neg"], [[f"H{i}", J[j], "Approved", *(str(LABEL[j][i] == w).lower() for w in ("pos", "neg"))] for i, j in ALL])},
        "scores", 3, 4,
    ),
    "mturk/Toloka": Export(
        {"t.tsv": table(["INPUT:image", "OUTPUT:result", "GOLDEN:result", "ASSIGNMENT:task_id", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"], [[f"i{i}.png", LABEL[j][i], "", f"t{i}", J[j], "APPROVED"] for i, j in ALL], "\t")},
        "scores", 3, 4,
    ),
    "crowdkit/labels": Export(
        {"c.csv": table(["task", "worker", "label"], [[f"r{i}", J[j], LABEL[j][i]] for i, j in ALL])}, "scores", 3, 4,
    ),
    "crowdkit/performers": Export(
        {"c.tsv": table(["performer", "task", "label"], [[J[j], f"r{i}", STARS[j][i]] for i, j in ALL], "\t")}, "scores", 3, 4,
    ),
    "crowdkit/pairs": Export(
        {"c.csv": table(["worker", "left", "right", "label"], [[J[j], "x", f"y{i}", "x" if (i + j) % 2 else f"y{i}"] for i, j in ALL])},
        "votes", 3, 4, 1,
    ),
    # -- arenas and judges
    "arena/battles": Export(
        {"b.json": json.dumps([{"question_id": f"q{k}", "model_a": "alpha", "model_b": "beta", "winner": ("model_a", "model_b", "tie", "tie (bothbad)", "both_bad")[k % 5], "judge": f"u{k % 3}", "conversation_a": [{"role": "user", "content": "hi"}], "turn": 1, "language": "English"} for k in range(10)], indent=2)},
        "votes", 3, 1, 10,
    ),
    "arena/judge as a list": Export(
        {"b.jsonl": lines({"question_id": 81 + k, "model_a": "alpha", "model_b": "beta", "winner": ("model_a", "tie (inconsistent)")[k % 2], "judge": ["gpt-4", "pair-v2"], "turn": 1, "conversation_a": []} for k in range(4))},
        "votes", 1, 1, 4,
    ),
    "arena/nobody named": Export(
        {"b.json": json.dumps([{"id": k, "model_a": "alpha", "model_b": "beta", "winner": None if k == 0 else "model_a"} for k in range(4)])},
        "votes", 1, 1, 3, notes=("by 'unknown'", "1 battle without a winner left out"),
    ),
    "arena/flags": Export(
        {"b.csv": table(["id", "model_a", "model_b", "prompt", "response_a", "response_b", "winner_model_a", "winner_model_b", "winner_tie"], [[k, "alpha", "beta", "p", "x", "y", *(int(k % 3 == w) for w in range(3))] for k in range(6)])},
        "votes", 1, 1, 6,
    ),
    "arena/log": Export(
        {"b.json": lines({"tstamp": 1.0, "type": ("leftvote", "rightvote", "tievote", "bothbad_vote", "chat")[k % 5], "models": ["", ""], "states": [{"model_name": "alpha"}, {"model_name": "beta"}], "ip": f"h{k % 3}"} for k in range(10))},
        "votes", 3, 1, 1, notes=("2 events other than a vote ('chat')",),
    ),
    "mtbench/pairs": Export(
        {"mt.jsonl": lines({"question_id": 81 + k, "model_1": "alpha", "model_2": "beta", "g1_winner": "model_1", "g2_winner": ("model_1", "model_2", "tie", "error")[k], "judge": ["gpt-4", "pair-v2"], "turn": 1, "g1_judgment": "[[A]]"} for k in range(4))},
        "votes", 1, 1, 4, notes=("1 game without a winner left out",),
    ),
    "mtbench/single": Export(
        {"mt.jsonl": lines({"question_id": 81 + k // 2, "model": ("alpha", "beta")[k % 2], "judge": ["gpt-4", "single-v1"], "judgment": "Rating: [[8]]", "score": -1 if k == 0 else 5 + k % 4, "turn": 1} for k in range(8))},
        "scores", 1, 7, 4, notes=("1 judgment without a rating left out",),
    ),
    "mtbench/games of Arena-Hard": Export(
        {"ah.jsonl": lines({"uid": f"u{k}", "category": "hard_prompt", "judge": "gpt-4.1", "model": "mine", "baseline": "base", "games": [{"score": ("A>>B", "B>A", "A=B")[k], "judgment": {"answer": "x"}}, {"score": "B>A", "judgment": {"answer": "x"}} if k else None]} for k in range(3))},
        "votes", 1, 1, 3, notes=("1 game without a winner left out",),
    ),
    "alpacaeval/preferences": Export(
        {"al.json": json.dumps([{"instruction": f"do {k}", "generator_1": "base", "output_1": "x", "generator_2": "mine", "output_2": "y", "annotator": "gpt4", "preference": (1, 2.0, 1.5, 1.97, None, 0)[k]} for k in range(6)])},
        "votes", 1, 1, 5, notes=("1 comparison without a preference left out", "1 preference between 1 and 2"),
    ),
    # -- translations
    "mqm/errors": Export(
        {"mqm.tsv": "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n" + "".join(f'{s}\tnews\t1\t{i}\tr{r}\t"Oh\tt\t{c}\t{v}\n' for s in "AB" for i in range(3) for r in range(2) for c, v in ([("Accuracy/Mistranslation", "Major"), ("Fluency/Punctuation", "Minor")] if (i + r) % 2 else [("No-error", "No-error")]))},
        "scores", 2, 6, 3, notes=("minor/fluency/punctuation 0.1",),
    ),
    "mqm/newer columns": Export(
        {"mqm.tsv": "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n" + "".join(f"{s}\tn\t1\t{i}\tr{r}\ts\tt\tNon-translation!\tMajor\t{{}}\nS\tn\t1\t{i}\tr{r}\ts\tt\tx\tHOTW-test\t{{}}\n" for s in "AB" for i in range(2) for r in range(2))},
        "scores", 2, 4, 2, notes=("8 rows to check the rater left out",),
    ),
    "mtme/one file": Export({"en-de.mqm.seg.score": "A\t-1.0\nA\tNone\nB\t0\nB\t-2\n"}, "scores", 1, 3, 2, notes=("1 empty answer left out",)),
    "mtme/folder": Export(
        {"wmt/human-scores/en-de.mqm.seg.score": "A\t-1.0\nA\t-3\nB\t0\nB\t-2\n", "wmt/human-scores/en-de.mqm.sys.score": "A\t-2\nB\t-1\n", "wmt/metric-scores/en-de/BLEU-refA.seg.score": "A\t10\nA\t30\nB\t1\nB\t2\n", "wmt/metric-scores/en-de/BLEU-refA.sys.score": "A 10\nB 1\n", "wmt/documents/en-de.docs": "x\n"},
        "scores", 2, 4, 2, notes=("2 files of other levels or languages left out",),
    ),
    "mtme/systems": Export(
        {"wmt/en-de.mqm.sys.score": "A\t-2\nB\t-1\n", "wmt/BLEU-refA.sys.score": "A 10\nB 1\n"}, "scores", 2, 2, 1, options={"level": "sys"},
    ),
    "appraise/ESA": Export(
        {"esa.csv": "".join(f'{J[j]},S{i % 2},{i},{"BAD" if i == 3 else "TGT"},eng,deu,{20 * STARS[j][i]},doc#{i},False,"[{{""start_i"": 1}}]",1.0,2.0\n{J[j]},S{i % 2},{i},TGT,eng,deu,50,doc#{i},True,,1.0,2.0\n' for i, j in ALL)},
        "scores", 3, 3, 3, notes=("3 rows to check the annotator left out", "12 scores of a whole document left out"),
    ),
    "appraise/compiled data": Export(
        {"wmt.jsonl": lines({"langs": "en-es", "line_id": i, "src": "s", "tgt": "t", "system": f"S{k}", "domain": "news", "annotator": J[j], "esa_score": None if i + j + k == 0 else 20.0 * STARS[j][i], "esa_spans": []} for i, j in ALL for k in range(2))},
        "scores", 3, 8, 4, notes=("1 segment without a score or an annotator left out",),
    ),
    # -- harnesses
    "lm-eval/samples": Export(
        {"out/org__model/samples_arc_2024-05-01T10-00-00.123.jsonl": lines({"doc_id": i, "doc": {"q": "x"}, "target": "a", "arguments": [["x"]], "resps": [[["y"]]], "filtered_resps": ["y"], "filter": "none", "metrics": ["acc", "acc_norm"], "acc": float(i % 2), "acc_norm": 1.0} for i in N)},
        "scores", 2, 4, 4,
    ),
    "inspect/json": Export(
        {"log.json": json.dumps({"version": 2, "status": "success", "eval": {"task": "qa", "model": "m/a"}, "samples": [{"id": i + 1, "epoch": e, "input": "x", "scores": {"one": {"value": "CIIC"[i]}, "two": {"value": bool(i % 2)}}} for i in N for e in (1, 2)]})},
        "scores", 2, 4, 4, notes=("C, P, I and N are taken as 1, 0.5, 0 and 0",),
    ),
    "inspect/several values": Export(
        {"log.json": json.dumps({"version": 2, "status": "error", "eval": {"task": "qa", "model": "m/a"}, "samples": [{"id": i, "epoch": 1, "scores": {"one": {"value": {"clear": i, "true": 1}}} if i else {}} for i in N]})},
        "scores", 1, 3, 3, notes=("1 sample without a score left out", "status 'error'"),
    ),
    # -- card sorts
    "cardsort/kardSort": Export(
        {"k.csv": table(["card_id", "card_label", "category_id", "category_label", "user_id"], [[c, f"Card {c}", (c + u) % 3, ("Animals", "animals ", "Plants")[(c + u) % 3], u] for u in range(5) for c in range(6)])},
        "groupings", 5, 6,
    ),
    "cardsort/participants": Export(
        {"k.csv": table(["Participant ID", "Card", "Category", "Comment"], [[f"P{u}", f"Card {c}", "" if c == 5 else ("Animals", "Plants")[(c + u) % 2], ""] for u in range(5) for c in range(6)])},
        "groupings", 5, 6,
    ),
}
# fmt: on
