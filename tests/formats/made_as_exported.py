"""More made-up exports, field for field as the tools' own exporters write them: what their documentation leaves out.

They join ``EXPORTS``, so that they are read, cut short and damaged like the others.
"""
# ruff: noqa: E501

from __future__ import annotations

import json

from tests.formats.made_exports import (
    ALL,
    EXPORTS,
    LABEL,
    STARS,
    TEXTS,
    Export,
    J,
    N,
    json_min,
    lines,
    ls_done,
    ls_result,
    ls_task,
    table,
)

CONVERSATION = [{"role": "user", "content": 'Say "hi", please'}, {"role": "assistant", "content": "Hi"}]
SAID = [
    f"I think so, for {n} reasons"
    for n in ("two", "ten", "no", "good", "bad", "some", "many", "few", "six", "old", "new", "all")
]
TIMES = ("1716000000.1", "1716000042.9")


def rec(i: int) -> dict[str, object]:
    """A record of Argilla, version 2."""
    answers = {
        "mood": [{"value": LABEL[j][i], "user_id": J[j]} for j in range(3)],
        "why": [{"value": SAID[3 * i + j], "user_id": J[j]} for j in range(3)],
    }
    return {
        "id": f"r{i}",
        "fields": {"text": "t"},
        "metadata": {},
        "suggestions": {},
        "responses": answers,
        "vectors": {},
        "status": "completed",
    }


def flat(i: int) -> dict[str, object]:
    """The same, flattened."""
    return {
        "id": f"r{i}",
        "text": "t",
        "mood.responses": [LABEL[j][i] for j in range(3)],
        "mood.responses.users": list(J),
        "mood.responses.status": ["submitted"] * 3,
    }


def appraised(i: int, j: int, *more: str, kind: str = "TGT") -> str:
    """A row of Appraise: two systems on four segments."""
    return ",".join([f"engdeu0{j}", "AB"[i % 2], str(i // 2), kind, "eng", "deu", str(STARS[j][i] * 10), *more]) + "\n"


def mqm(*last: str) -> list[list[str]]:
    return [["system", "doc", "doc_id", "seg_id", "rater", "source", "target", *last]]


def potato(i: int, j: int) -> dict[str, object]:
    """An instance of Potato's first versions: the value of an option is its number."""
    given = {
        "mood": {LABEL[j][i]: "1" if LABEL[j][i] == "pos" else "2"},
        "stars": {f"scale_{STARS[j][i]}": str(STARS[j][i])},
        "fair": {str(STARS[j][i]): str(STARS[j][i])},
        "why": {"text_box": SAID[3 * i + j]},
    }
    return {
        "id": f"i{i}",
        "displayed_text": "t",
        "label_annotations": given,
        "span_annotations": [],
        "behavioral_data": {},
    }


def sample(i: int, epoch: int = 1) -> dict[str, object]:
    """A sample of Inspect."""
    return {
        "id": i,
        "epoch": epoch,
        "input": "x",
        "target": "y",
        "scores": {"match": {"value": "CI"[i % 2], "answer": "a"}, "graded": {"value": "CPIN"[i], "answer": "a"}},
    }


HEAD = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m/one"}}
CSV_NAMES = [
    "annotation_id",
    "annotator",
    "created_at",
    "id",
    "lead_time",
    "mood",
    "source",
    "text",
    "updated_at",
    "was_cancelled",
    "why",
]
TOLOKA = [
    "INPUT:image",
    "INPUT:caption",
    "OUTPUT:mood",
    "GOLDEN:mood",
    "HINT:text",
    "ASSIGNMENT:link",
    "ASSIGNMENT:assignment_id",
    "ASSIGNMENT:worker_id",
    "ASSIGNMENT:status",
]

# fmt: off
EXPORTS |= {
    "labelstudio/CSV with cancelled rows and words": Export(
        {"ls.csv": table(CSV_NAMES, [[9, j + 1, "t", i, 4.2, LABEL[j][i], "web", "t", "t", str(i == 3 and j == 2), SAID[3 * i + j]] for i, j in ALL])},
        "scores", 3, 4, notes=("1 cancelled annotation left out", "why is left out as free text"),
    ),
    "labelstudio/JSON_MIN of data that have an id": Export(
        {"ls.json": json.dumps([{"id": 10 + i, **{k: v for k, v in json_min(i, j, mood=LABEL[j][i], stars=[{"rating": 3}]).items() if k != "id"}} for i, j in ALL])},
        "scores", 3, 4, notes=("stars is a number",),
    ),
    "labelstudio/choices on regions": Export(
        {"ls.json": json.dumps([ls_task(i, [ls_done(j, {"from_name": "err", "to_name": "text", "type": "choices", "value": {"start": 0, "end": 2, "choices": ["minor"]}}, ls_result("stars", "rating", STARS[j][i])) for j in range(3)]) for i in N])},
        "scores", 3, 4, notes=("12 marks on a region ('err') left out",),
    ),
    "argilla/free text": Export({"a.json": json.dumps([rec(i) for i in N])}, "scores", 3, 4, notes=("why is left out as free text",)),
    "argilla/by name": Export({"a.json": json.dumps({k: [rec(i)[k] for i in N] for k in rec(0)})}, "scores", 3, 4),
    "argilla/by id": Export({"a.json": json.dumps({f"r{i}": rec(i) for i in N})}, "scores", 3, 4),
    "argilla/flat, by name": Export({"a.json": json.dumps({k: [flat(i)[k] for i in N] for k in flat(0)})}, "scores", 3, 4),
    "potato/options by their number": Export(
        {f"out/{J[j]}/annotated_instances.jsonl": lines(potato(i, j) for i in N) for j in range(3)},
        "scores", 3, 4, notes=("12 free texts ('why') left out", "stars, fair are numbers"),
    ),
    "potato/all annotators": Export(
        {"annotated_instances.jsonl": lines({"user_id": J[j], "instance_id": f"i{i}", "displayed_text": "t", "label_annotations": {"mood": {LABEL[j][i]: "true"}}, "span_annotations": []} for i, j in ALL)},
        "scores", 3, 4,
    ),
    "potato/rankings": Export(
        {f"out/{J[j]}/user_state.json": json.dumps({"user_id": J[j], "instance_id_to_label_to_value": {"i1": [[{"schema": "r", "name": "rank_order"}, ("A,B,C", "A=B,C", "B,A,C")[j]]]}}) for j in range(3)},
        "orderings", 3, 3, 1,
    ),
    "potato/pairs": Export(
        {f"out/{J[j]}/user_state.json": json.dumps({"user_id": J[j], "instance_id_to_label_to_value": {f"i{i}": {"p": {"selection": ("A", "B", "tie")[(i + j) % 3]}} for i in N}}) for j in range(3)},
        "votes", 3, 1, 4, notes=("called A and B",),
    ),
    "potato/exported as a table": Export(
        {"annotations.csv": table(["instance_id", "user_id", "mood.pos", "mood.neg", "stars.scale_1", "stars.scale_2", "ner._spans", "why.text_box"], [[f"i{i}", J[j], *(("pos", "") if LABEL[j][i] == "pos" else ("", "neg")), *(("1", "") if i % 2 else ("", "2")), "[]", SAID[3 * i + j]] for i, j in ALL])},
        "scores", 3, 4, notes=("12 free texts ('why') left out", "stars is a number"),
    ),
    "potato/exported as lines": Export(
        {"annotations.jsonl": lines({"instance_id": f"i{i}", "user_id": J[j], "labels": {"mood": {LABEL[j][i]: "true"}}, "spans": {"ner": [{"start": 0}]}, "links": {}} for i, j in ALL)},
        "scores", 3, 4, notes=("12 sets of spans left out",),
    ),
    "doccano/labels that annotators share": Export(
        {"out/all.jsonl": lines({"id": i, "text": TEXTS[i], "label": [LABEL[0][i]], "Comments": []} for i in N)},
        "scores", 1, 4, notes=("the file's name is the judge: all", "labels of annotators who share them"),
    ),
    "doccano/a table alone": Export(
        {"ann.csv": table(["id", "text", "label", "Comments"], [[i, TEXTS[i], LABEL[0][i], ""] for i in N])},
        "scores", 1, 4, notes=("the file's name is the judge: ann",),
    ),
    "prodigy/options called by numbers": Export(
        {"p.jsonl": lines({"text": "t", "options": [{"id": n} for n in range(1, 6)], "_input_hash": i, "_task_hash": i, "accept": [STARS[j][i]], "answer": "accept", "_session_id": J[j]} for i, j in ALL)},
        "scores", 3, 4, notes=("called by numbers, so they are scores",),
    ),
    "alpacaeval/people on the same pairs": Export(
        {"cross.json": json.dumps([{"instruction": f"Do {i}", "output_1": "a", "output_2": "b", "preference": 1 + (i + j) % 2, "annotator_index": j, "dataset": "d", "datasplit": "eval"} for i, j in ALL])},
        "votes", 3, 1, 4, notes=("called output_1 and output_2",),
    ),
    "arena/names in sight": Export(
        {"clean_battle.json": json.dumps([{"model_a": "m1", "model_b": "m2", "winner": ("model_a", "tie (bothbad)", "model_b", "tie")[i], "judge": f"hash{j}", "turn": 1, "anony": j > 0, "language": "English", "tstamp": 1.5, "category_tag": {"if_v0.1": {"if": False}}} for i, j in ALL])},
        "votes", 3, 1, 1, notes=("4 votes with the models' names in sight",),
    ),
    "lm-eval/two filters": Export(
        {"out/m__one/samples_gsm8k_2026-01-16T15-23-47.285735.jsonl": lines({"doc_id": i, "doc": {"question": "q"}, "target": "4", "arguments": {"gen_args_0": {"arg_0": "p", "arg_1": {"until": ["Q:"], "do_sample": False}}}, "resps": [["4"]], "filtered_resps": ["4"], "filter": f, "metrics": ["exact_match"], "doc_hash": "a", "prompt_hash": "b", "target_hash": "c", "exact_match": float(i % 2)} for f in ("strict-match", "flexible-extract") for i in N)},
        "scores", 2, 4, 4, notes=("called after their folders",),
    ),
    "inspect/scores by name, edited and nan": Export(
        {"log.json": json.dumps({**HEAD, "samples": [{"id": f"s{i}", "epoch": 1, "input": "x", "target": "y", "scores": {"match": {"value": "CI"[i % 2], "history": []}, "both": {"value": {"a": 1, "b": 0.5}, "history": []}, "odd": {"value": float("nan"), "history": []}}} for i in N], "reductions": []})},
        "scores", 2, 4, 4, notes=("4 empty answers left out",),
    ),
    "mturk/words beside": Export(
        {"batch.csv": table(["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.text", "Answer.mood", "Answer.comment", "Approve", "Reject"], [[f"H{i}", "x", J[j], "Approved", "t", LABEL[j][i], SAID[3 * i + j], "", ""] for i, j in ALL])},
        "scores", 3, 4, notes=("comment is left out as free text",),
    ),
    "mturk/Toloka without tasks": Export(
        {"pool.tsv": table(TOLOKA, [*([f"im{i // 2}", f"c{i}", LABEL[j][i], "", "", "l", "a", J[j], "APPROVED"] for i, j in ALL), [""] * 9], "\t")},
        "scores", 3, 4,
    ),
    "crowdkit/pairs on tasks": Export(
        {"p.csv": table(["task", "worker", "left", "right", "label"], [[f"t{i}", J[j], "a", "b", "ab"[(i + j) % 2]] for i, j in ALL])}, "votes", 3, 1, 4,
    ),
    "arena/ties that are inconsistent": Export(
        {"b.jsonl": lines({"question_id": i, "model_a": "inconsistent-7b", "model_b": "m2", "winner": ("model_a", "tie (inconsistent)", "tie (bothbad)", "tie")[i], "judge": ["gpt-4", "pair-v2"], "turn": 1, "conversation_a": CONVERSATION} for i in N)},
        "votes", 1, 1, 4,
    ),
    "mqm/CSV": Export(
        {"m.csv": table(mqm("category", "severity")[0], [[s, "d", i, i, J[j], 'a "b"', "c", "Fluency/Punctuation", ("Minor", "Major")[j % 2]] for i, j in ALL for s in "AB"])},
        "scores", 3, 8, 4, notes=("minor/fluency/punctuation 0.1",),
    ),
    "mqm/SQM": Export(
        {"p.tsv": "".join("\t".join(r) + "\n" for r in [*mqm("score"), *([s, "d", str(i), str(i), J[j], 'a "b"', "c", str(STARS[j][i])] for i, j in ALL for s in "AB")])},
        "scores", 3, 8, 4,
    ),
    "mtme/domains beside": Export(
        {"wmt/human-scores/en-de.mqm.seg.score": "A\t-1.0\nB\t0\n", "wmt/human-scores/en-de.mqm.domain.score": "news\tA\t-1\nnews\tB\t0\n", "wmt/metric-scores/en-de/BLEU-refA.seg.score": "A\t1\nB\t2\n"},
        "scores", 2, 2, 1, notes=("1 file of other levels or languages left out (domain",),
    ),
    "mtme/domain": Export({"en-zh_CN.esa.domain.score": "news\tA\t-1\nnews\tB\tNone\ntalks\tA\t0\n"}, "scores", 1, 2, 2),
    "appraise/segments": Export({"a.csv": "".join(appraised(i, j, *TIMES) for i, j in ALL)}, "scores", 3, 4, 2),
    "appraise/segments with batches": Export({"a.csv": "".join(appraised(i, j, *TIMES, "1", "77") for i, j in ALL)}, "scores", 3, 4, 2),
    "appraise/scores alone": Export({"a.csv": "".join(appraised(i, j) for i, j in ALL)}, "scores", 3, 4, 2),
    "appraise/repeated documents": Export(
        {"a.csv": "".join(appraised(i, j, doc, "False", "[]", *TIMES) for i, j in ALL for doc in ("d1", "d1#dup", "d2#incomplete"))},
        "scores", 3, 4, 2, notes=("24 rows to check the annotator left out",),
    ),
    "appraise/lines": Export(
        {"a.jsonl": lines({"annotator": J[j], "source_id": "s", "target_id": "AB"[i % 2], "score": STARS[j][i], "item_id": i // 2, "item_type": "TGT", "source_language": "eng", "target_language": "deu", "document_id": "d", "is_complete_document": False, "task_type": "Document"} for i, j in ALL)},
        "scores", 3, 4, 2,
    ),
    "appraise/pairs": Export(
        {"a.jsonl": lines({"annotator": J[j], "source_id": f"s{i}", "targets": [{"target_id": s, "score": STARS[j][i]} for s in "AB"], "item_id": 7, "item_type": "TGT", "source_language": "eng", "target_language": "deu", "document_id": "d", "task_type": "PairwiseDocument"} for i, j in ALL)},
        "scores", 3, 8, 4,
    ),
    "appraise/segments of a WMT task": Export(
        {"w.jsonl": lines({"scores": {s: [{"score": STARS[j][i], "annotator": J[j], "errors": []} for j in range(3)] for s in "AB"}, "src_text": "x", "tgt_text": {"A": "y", "B": "z"}, "doc_id": f"d_#_{i}"} for i in N)},
        "scores", 3, 8, 4,
    ),
    "lm-eval/models in folders": Export(
        {f"out/{m}/samples_arc_2026-01-01T10-00-00.1.jsonl": lines({"doc_id": i, "doc": {}, "target": "0", "arguments": [], "resps": [["a"]], "filtered_resps": ["a"], "acc": float(i % 2)} for i in N) for m in ("m__one", "m__two")},
        "scores", 1, 8, 4, notes=("called after their folders",),
    ),
    "inspect/two runs": Export(
        {f"logs/{run}.json": json.dumps({**HEAD, "samples": [sample(i) for i in N]}) for run in "ab"}, "scores", 2, 4, 4,
    ),
    "cardsort/WebSort": Export(
        {"w.csv": table(["Uniqid", "Startdate", "Catno", "Catname", "Catid", "Cardno", "Card", "Cardid"], [[J[j], 1, 1, LABEL[j][i], LABEL[j][i], i, f"card {i}", i] for i, j in ALL])},
        "groupings", 3, 4,
    ),
}
# fmt: on
