"""Votes between two models, as arenas, MT-Bench and AlpacaEval publish them.

* Arenas: JSON with ``model_a, model_b, winner``, logs of votes, tables of flags. The judge may be a name or a list (a
  model and its prompt); conversations and other nested fields are left aside.
* MT-Bench: pairs in both orders (``g1_winner``, ``g2_winner``) as votes, single answers as scores. Both games of a pair
  are kept: the second shows the two answers in the other order, so that a judge's preference for a place can be told.
  The judge is the model; its prompt is the label ``prompt``. Arena-Hard's two games (``games``) are read likewise.
* AlpacaEval: a preference below 1.5 is a vote for the first output, above it for the second; 1.5 and 0 are ties. The
  number itself is the label ``preference``. Files do not say which output was shown first.
"""

from __future__ import annotations

import json
from typing import Any

from quorate.formats.files import File, Sink
from quorate.formats.json_records import Record, records
from quorate.formats.judgments import SHARED, Judgments, export
from quorate.formats.limits import refuse
from quorate.formats.names import clean, panel_columns
from quorate.formats.registry import ENCODING
from quorate.formats.table_records import any_rows
from quorate.formats.vote_tables import WINNER
from quorate.panel.base import many
from quorate.panel.columns import Coded
from quorate.panel.kinds import Panel

EVENTS = {"leftvote": "model_a", "rightvote": "model_b", "tievote": "tie", "bothbad_vote": "tie"}
FLAGS = {"winner_model_a": "model_a", "winner_model_b": "model_b", "winner_tie": "tie"}
FLAGGED = "model_a model_b winner_model_a"
TIES = ("both_bad", "bothbad", "both bad", "tie_both_bad", "both_good")
TASKS = ("task", "question_id", "conversation_id", "conv_id", "prompt_id", "id")
JUDGES = ("judge", "judge_hash", "user_id", "user", "evaluation_session_id", "ip")
LONG = 200  # letters of a text that is not kept beside a vote
UNKNOWN = "unknown"
USED = {*JUDGES, *FLAGS, "model_a", "model_b", "winner", "models", "states", "type", "occasion", "item", "swapped"}


def _arena(file: File, found: Judgments, encoding: str, winner: str | None = None) -> None:
    """What is in one file; ``winner`` says whether winners such as ``a`` are names or places."""
    found.winner = winner
    in_sight = [0]  # votes of judges who saw the models' names

    def take(number: int, battle: Record) -> None:
        vote = _vote(battle, found)
        if vote is not None and vote["winner"] in (None, ""):
            found.skip("battle* without a winner")
        elif vote is not None:
            found.add("votes", number, **vote, **_beside(battle, found))
            in_sight[0] += battle.get("anony") in (False, "false", "False")

    found.each(any_rows(file, encoding), take)
    if in_sight[0]:
        found.note(f"{file.name}: {many(in_sight[0], 'vote')} with the models' names in sight (anony is false)")


def judge_of(given: Any) -> tuple[Any, Any]:
    """The judge and the prompt: MT-Bench writes a model and the name of its prompt.

    >>> judge_of(["gpt-4", "pair-v2"]), judge_of("expert_3")
    (('gpt-4', 'pair-v2'), ('expert_3', None))
    """
    if isinstance(given, list) and given:
        return given[0], given[1] if len(given) > 1 else None
    return given, None


def _vote(battle: Record, found: Judgments) -> Record | None:
    """The sides, the judge and the winner of a battle; nothing of other events in a log."""
    if "states" in battle or ("models" in battle and "type" in battle):
        if battle.get("type") not in EVENTS:
            found.skip(f"event* other than a vote ('{battle.get('type')}')")
            return None
        sides = _log_sides(battle)
        winner: Any = EVENTS[battle["type"]]
    else:
        sides = [battle.get("model_a"), battle.get("model_b")]
        winner = battle.get("winner")
        if "winner" not in battle:
            winner = next((w for n, w in FLAGS.items() if str(battle.get(n)) in ("1", "1.0", "True", "true")), None)
    nobody = f"{found.file.name}: nobody is named as the judge; all votes are by '{UNKNOWN}'"
    judge, prompt = judge_of(found.judge(battle, JUDGES, UNKNOWN, nobody))
    winner = "tie" if str(winner).lower() in TIES else winner
    more = {} if prompt is None else {"prompt": prompt}
    return {"judge": judge, "model_a": sides[0], "model_b": sides[1], "winner": winner, **more}


def _log_sides(battle: Record) -> list[Any]:
    """The models of a logged vote; anonymous ones are named in the states of their conversations."""
    names = list(battle.get("models") or ["", ""])
    states = [s if isinstance(s, dict) else {} for s in battle.get("states") or [{}, {}]]
    return [name or state.get("model_name") for name, state in zip(names, states, strict=False)]


def _beside(battle: Record, found: Judgments) -> Record:
    """The task, made of the question and the turn, and what is kept beside a vote: plain values, no long texts."""
    key = next((n for n in TASKS if battle.get(n) not in (None, "")), None)
    kept: Record = {}
    for name, value in battle.items():
        if isinstance(value, list | dict) or (isinstance(value, str) and len(value) > LONG):
            found.became("", name)
        elif value is not None and name not in USED and name != key:
            kept[clean(name)] = value
    if key is None:
        return kept
    turn = kept.pop("turn", None)
    found.became("task", key, *(["turn"] if turn is not None else []))
    if turn in (None, ""):
        return {**kept, "task": battle[key]}
    return {**kept, "task": f"{battle[key]}-{turn}", "question": battle[key]}


def write(panel: Panel, sink: Sink) -> None:
    """Votes as one JSON array of battles."""
    refuse(panel, "arena", kinds=("votes",), counts=True)
    columns = {n: c for n, c in panel_columns(panel).items() if n not in ("swapped", "occasion")}
    names = {"task": "question_id"} | ({"question": "question_of_turn"} if "question" in columns else {})
    values = [c.values() if isinstance(c, Coded) else c.tolist() for c in columns.values()]
    with sink.text() as stream:
        battles = (dict(zip([names.get(n, n) for n in columns], row, strict=True)) for row in zip(*values, strict=True))
        stream.write("[" + ",\n".join(json.dumps(b, ensure_ascii=False) for b in battles) + "]\n")


ARENA = export(
    "arena",
    "battles of two models as arenas publish them: JSON, logs of votes, tables of flags",
    ("votes",),
    _arena,
    (ENCODING, WINNER),
    write=write,
    keys=("model_a model_b winner *[]*|*.*", "type models[] states[]", FLAGGED),
    columns=(FLAGGED,),
)


# -- MT-Bench ----------------------------------------------------------------------------------------------------------

FAILED = -1  # the score where no rating was found in what the judge said
WINNERS = {"model_1", "model_2", "tie"}
BASELINE = "baseline"  # as older judgments of Arena-Hard leave it unnamed


def _mtbench(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file."""
    found.became("judge", "judge")
    found.became("task", "question_id", "turn")

    def take(number: int, record: Record) -> None:
        judge, prompt = judge_of(record.get("judge", file.stem))
        question, turn = record.get("question_id", record.get("uid")), record.get("turn")
        about = {"judge": judge, "prompt": prompt, "question": question}
        about["task"] = question if turn is None else f"{question}-{turn}"
        if "games" in record:
            _games(number, record, found, about)
        elif "g1_winner" in record or "g2_winner" in record:
            _pair(number, record, found, about)
        elif record.get("score") in (FAILED, None):
            found.skip("judgment* without a rating")
        else:
            found.output(number, record["score"], system=record.get("model"), **about)

    found.each(records(file, encoding), take)


def _pair(number: int, record: Record, found: Judgments, about: dict[str, Any]) -> None:
    sides = [record.get("model_1"), record.get("model_2")]
    for game, shown in (("g1_winner", sides), ("g2_winner", sides[::-1])):
        winner = record.get(game)
        if winner in (None, "error"):
            found.skip("game* without a winner")
        elif winner not in WINNERS:
            found.wrong(number, f"{game} is {winner!r}, not model_1, model_2 or tie")
        else:
            first = "model_1" if game == "g1_winner" else "model_2"
            word = winner if winner == "tie" else "model_a" if winner == first else "model_b"
            found.add("votes", number, model_a=shown[0], model_b=shown[1], winner=word, **about)


def _games(number: int, record: Record, found: Judgments, about: dict[str, Any]) -> None:
    """Both games of Arena-Hard: the first shows the baseline first, the second the model."""
    if "baseline" not in record:
        found.note(f"{found.file.name}: the model that others are compared with is not named: it is called {BASELINE}")
    sides = [record.get("baseline", BASELINE), record.get("model")]
    for game, shown in zip(record["games"], (sides, sides[::-1]), strict=False):
        verdict = (game or {}).get("score")
        if verdict is None:
            found.skip("game* without a winner")
        else:
            found.add("votes", number, model_a=shown[0], model_b=shown[1], winner=verdict, **about)


MTBENCH = export(
    "mtbench",
    "MT-Bench and Arena-Hard: pairs judged in both orders as votes, single answers as scores",
    ("votes", "scores"),
    _mtbench,
    SHARED,
    why="what the judge said is not in a panel",
    keys=(
        *("model_1 model_2 g1_winner|g2_winner", "question_id model judge score judgment|judge[]"),
        "question_id|uid model judge games[].score",
    ),
)


# -- AlpacaEval --------------------------------------------------------------------------------------------------------

ANNOTATORS = ("annotator", "annotator_index")  # of a model, and of people who annotated the same pairs


def _alpacaeval(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file."""
    found.became("task", "instruction")
    found.became("winner", "preference")
    between = unnamed = 0
    for number, record in records(file, encoding):
        preference = record.get("preference")
        if preference is None or preference != preference:
            found.skip("comparison* without a preference")
            continue
        if isinstance(preference, bool) or not isinstance(preference, int | float) or not 0 <= preference <= 2:
            found.wrong(number, f"the preference is {preference!r}, not between 1 and 2")
            continue
        between += preference not in (0, 1, 1.5, 2)
        winner = "tie" if preference in (0, 1.5) else "model_a" if preference < 1.5 else "model_b"
        unnamed += not record.get("generator_1")
        sides = [record.get(f"generator_{k}") or f"output_{k}" for k in (1, 2)]
        nobody = f"{file.name}: nobody is named as the annotator; the judge is the file, {file.stem}"
        judge = found.judge(record, ANNOTATORS, file.stem, nobody)
        cells = {"judge": judge, "task": record.get("instruction", number)}
        cells |= {n: record[n] for n in ("dataset",) if isinstance(record.get(n), str)}
        found.add("votes", number, model_a=sides[0], model_b=sides[1], winner=winner, preference=preference, **cells)
    if between:
        count = "counts" if between == 1 else "count"
        found.note(f"{file.name}: {many(between, 'preference')} between 1 and 2 {count} for the nearer side")
    if unnamed:
        found.note("no field names the two systems: they are called output_1 and output_2")
    found.note("AlpacaEval does not say which output was shown first: preferences for a place cannot be told")


ALPACAEVAL = export(
    "alpacaeval",
    "AlpacaEval's annotations: preferences between two outputs",
    ("votes",),
    _alpacaeval,
    (ENCODING,),
    why="its instructions and outputs are not in a panel",
    keys=("preference generator_1|output_1 generator_2|output_2",),
)
