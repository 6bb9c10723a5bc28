"""Judgments of MT-Bench: pairs in both orders (``g1_winner``, ``g2_winner``) as votes, single answers as scores.

Both games of a pair are kept: the second shows the two answers in the other order, so that a judge's preference for a
place can be told. The judge is the model; its prompt is the label ``prompt``.
"""

from __future__ import annotations

from typing import Any

from quorate.formats.arena import judge_of
from quorate.formats.files import File
from quorate.formats.json_records import Record, records
from quorate.formats.judgments import SHARED, Judgments, export

FAILED = -1  # the score where no rating was found in what the judge said
WINNERS = {"model_1", "model_2", "tie"}


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file."""
    found.became("judge", "judge")
    found.became("task", "question_id", "turn")

    def take(number: int, record: Record) -> None:
        judge, prompt = judge_of(record.get("judge", file.stem))
        question, turn = record.get("question_id"), record.get("turn")
        about = {"judge": judge, "prompt": prompt, "question": question}
        about["task"] = question if turn is None else f"{question}-{turn}"
        if "g1_winner" in record or "g2_winner" in record:
            _pair(number, record, found, about)
        elif record.get("score") in (FAILED, None):
            found.skip("judgment* without a rating")
        else:
            system = record.get("model")
            found.score(number, record["score"], item=f"{about['task']}: {system}", system=system, **about)

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


MTBENCH = export(
    "mtbench",
    "MT-Bench: pairs judged in both orders as votes, single answers as scores",
    ("votes", "scores"),
    walk,
    SHARED,
    why="what the judge said is not in a panel",
    keys=("model_1 model_2 g1_winner|g2_winner", "question_id model judge score judgment|judge[]"),
)
