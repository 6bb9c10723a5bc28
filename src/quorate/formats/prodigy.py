"""Prodigy: an annotated example a line; the session is the judge, the input the item.

A choice is a label, or several; an example that is accepted or rejected is a label (accept, reject) of what it asks
about; a comparison of two outputs is a vote.
"""

from __future__ import annotations

from typing import Any

from quorate.formats.files import File
from quorate.formats.json_records import Record, records
from quorate.formats.judgments import SHARED, Judgments, export, system_of

WHO = ("_annotator_id", "_session_id", "session")
MANUAL = ("spans", "relations", "audio_spans", "arcs", "head", "user_input")


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file."""
    found.became("item", "_input_hash")

    def take(number: int, example: Record) -> None:
        versions = example.get("versions")
        if not isinstance(versions, list):
            _example(number, example, found)
            return
        found.note("reviewed examples: the versions that were reviewed are read, the reviewer's decision is not")
        for version in versions:
            for session in version.get("sessions") or [version.get("session")] if isinstance(version, dict) else []:
                _example(number, {**example, **version, "_annotator_id": session, "_session_id": session}, found)

    found.each(records(file, encoding), take)


def _example(number: int, example: Record, found: Judgments) -> None:
    who = next((n for n in WHO if example.get(n)), None)
    if who:
        found.became("judge", who)
    else:
        found.note(f"{found.file.name}: examples without a session are by the judge '{found.file.stem}'")
    meta = example.get("meta") if isinstance(example.get("meta"), dict) else {}
    judge, item = example[who] if who else found.file.stem, example.get("_input_hash", example.get("_task_hash"))
    about = {"judge": judge, "item": number if item is None else item, **system_of(meta or {}, found)}
    answer = example.get("answer", "accept")
    if answer not in ("accept", "reject", "ignore"):
        found.wrong(number, f"the answer {answer!r} is none of accept, reject and ignore")
    elif answer == "ignore":
        found.skip("ignored example")
    elif isinstance(example.get("mapping"), dict):
        _comparison(number, example["mapping"], answer, found, about)
    elif isinstance(example.get("options"), list):
        _choice(number, example, answer, found, about)
    elif "label" in example:
        found.became("criterion", "label")
        found.score(number, answer, criterion=example["label"], **about)
    elif any(example.get(n) is not None for n in MANUAL):
        found.skip("example* annotated by hand (spans, text)")
    else:
        found.score(number, answer, **about)


def _choice(number: int, example: Record, answer: str, found: Judgments, about: Record) -> None:
    chosen, config = example.get("accept"), example.get("config")
    several = isinstance(config, dict) and config.get("choice_style") == "multiple"
    if answer == "reject":
        found.skip("rejected choice")
    elif not isinstance(chosen, list) or (not chosen and not several):
        found.skip("example* without a choice")
    else:
        found.became("label", "accept")
        found.choice(number, chosen, **about)


def _comparison(number: int, mapping: Any, answer: str, found: Judgments, about: Record) -> None:
    """Which of two outputs was accepted."""
    sides = [mapping.get("accept"), mapping.get("reject")]
    if not all(isinstance(s, str) for s in sides):
        found.wrong(number, "the mapping does not name what is accepted and what is rejected")
        return
    winner = "model_a" if answer == "accept" else "model_b"
    cells = {"task": about["item"], "judge": about["judge"], "model_a": sides[0], "model_b": sides[1]}
    found.add("votes", number, winner=winner, **cells)


PRODIGY = export(
    "prodigy",
    "Prodigy's annotated examples: a session a judge; choices, accept and reject, comparisons",
    ("scores", "votes"),
    walk,
    SHARED,
    why="its hashes and options are not in a panel",
    keys=("_task_hash _input_hash",),
)
