"""Battles of two models as arenas publish them: JSON with ``model_a, model_b, winner``, logs of votes, tables of flags.

The judge may be a name or a list (a model and its prompt); conversations and other nested fields are left aside.
"""

from __future__ import annotations

import json
from typing import Any

from quorate.formats.files import File, Sink
from quorate.formats.json_records import Record
from quorate.formats.judgments import Judgments, export
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


def walk(file: File, found: Judgments, encoding: str, winner: str | None = None) -> None:
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
    key = next((n for n in JUDGES if battle.get(n) not in (None, "")), None)
    judge, prompt = judge_of(battle[key]) if key else (UNKNOWN, None)
    if key is None:
        found.note(f"{found.file.name}: nobody is named as the judge; all votes are by '{UNKNOWN}'")
    else:
        found.became("judge", key)
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
    walk,
    (ENCODING, WINNER),
    write=write,
    keys=("model_a model_b winner *[]*|*.*", "type models[] states[]", FLAGGED),
    columns=(FLAGGED,),
)
