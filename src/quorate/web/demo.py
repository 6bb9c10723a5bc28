"""The demo: a study of each kind and one of several, with made-up items and judges already at work."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from quorate.store import assignment as engine
from quorate.store import credentials, events, judges, leads, studies, work
from quorate.store.database import Database
from quorate.store.ids import uuid7
from quorate.store.schema import item

SIGHTS = (
    ("Old harbour", "Walk along the quay at sunset; boats come in until nine."),
    ("Castle hill", "A steep climb, rewarded by the best view over the river."),
    ("City museum", "Three floors of local history; the clock room is worth the ticket."),
    ("Botanic garden", "Quiet, shady, with a glasshouse of ferns from four continents."),
    ("Night market", "Street food from seven; bring cash and an appetite."),
    ("Lighthouse", "Two hundred steps, a keeper with stories, wind in any season."),
)
NEWS = (
    ("The bridge over the Alder was closed on Monday after cracks were found.", "Post"),
    ("Cracks in a pillar forced engineers to shut the Alder bridge.", "Herald"),
    ("Commuters face an hour's detour while the bridge is repaired.", "Post"),
    ("Ferries will run every ten minutes until the bridge opens again.", "Gazette"),
    ("The council promises extra ferries for the time of the works.", "Herald"),
    ("Repairs will cost four million and take until spring.", "Gazette"),
    ("Spring is the earliest date for the reopening, says the council.", "Post"),
)
QUESTIONS = (
    "How do I keep bread fresh?",
    "Why is the sky blue?",
    "What is a good first houseplant?",
    "How can I fall asleep faster?",
)
SYSTEMS = {"ash": 2.0, "elm": 1.0, "fir": 0.6, "oak": -0.6}
CONSENT = "You can stop at any time. We keep what you answer under a pseudonym and nothing else.\n\nDo you agree?"

STUDIES: dict[str, dict[str, Any]] = {
    "order": {
        "title": "Which sights first?",
        "guidelines": "Put the sights in the order in which **you** would send a friend there.\n\nTies are allowed.",
        "consent": CONSENT,
        "pages": {"order": {"prompt": "Best first: where should a friend go?"}},
        "judges_per_task": 12,
        "completion_code": "DEMO-ORDER",
    },
    "group": {
        "title": "Which sentences say the same?",
        "guidelines": "Put sentences that say **the same** in one group.",
        "pages": {"group": {"prompt": "Which of these say the same?"}},
        "judges_per_task": 12,
        "rules": [{"rule": "one_per_source", "text": "Two sentences of one paper are rarely the same."}],
    },
    "score": {
        "title": "How good are these answers?",
        "guidelines": "Score each answer on both scales, from 1 to 5.",
        "pages": {
            "score": {
                "layout": "one",
                "criteria": [
                    {"id": "useful", "name": "Usefulness", "anchors": {"1": "no help", "5": "solves it"}},
                    {"id": "clear", "name": "Clarity", "anchors": {"1": "confusing", "5": "crystal clear"}},
                ],
            }
        },
        "judges_per_task": 8,
    },
    "vote": {
        "title": "Which answer is better?",
        "guidelines": "Choose the answer you would rather get.",
        "pages": {"vote": {"prompt": "Which answer would you rather get?"}},
        "judges_per_task": 8,
    },
    "several": {
        "title": "Three questions about the same answers",
        "guidelines": "First put the answers in order, then score each, then compare two at a time.",
        "pages": {
            "order": {"prompt": "Which answer helps most? Best first."},
            "score": {"layout": "side", "criteria": [{"id": "useful", "name": "Usefulness"}]},
            "vote": {"prompt": "Which answer would you rather get?", "pairs": 2},
        },
        "judges_per_task": 8,
        "stopping": {"method": "bradley_terry", "page": "vote", "width": 1.0, "least": 3, "most": 8},
    },
}
NAMES = ("Amy", "Bob", "Cleo", "Dov", "Esi", "Finn")


def _items(kind: str) -> list[dict[str, Any]]:
    if kind == "order":
        return [{"task": "sights", "item": name, "text": f"{name}\n\n{text}"} for name, text in SIGHTS]
    if kind == "group":
        rows = enumerate(NEWS, 1)
        return [{"task": "bridge", "item": f"s{k}", "text": text, "source": paper} for k, (text, paper) in rows]
    out = []
    for q, question in enumerate(QUESTIONS, 1):
        for k, (system, worth) in enumerate(SYSTEMS.items()):
            short = "Try one thing at a time and keep notes." if worth > 0.8 else "It depends."
            text = f"{question}\n\n{short} (Answer {'ABCD'[k]}.)"
            row = {"task": f"question {q}", "item": f"q{q}-{k + 1}", "text": text, "system": system}
            out.append(row)
    return out


def make(connection: Connection, lead_id: str) -> dict[str, str]:
    """The studies; most judges of each have submitted, one is in the middle, one has just been invited."""
    out = {}
    for kind, definition in STUDIES.items():
        study_id = studies.create(connection, lead_id, definition)
        studies.add_items(connection, study_id, _items(kind))
        rng = random.Random(kind)
        for k, name in enumerate(NAMES):
            judge_id = judges.add(connection, study_id, name)
            judges.consent(connection, judge_id)
            while (one := engine.offer(connection, study_id, judge_id)) is not None:
                backwards = name == "Finn" and kind == "order"
                criteria = [c["id"] for c in definition["pages"].get("score", {}).get("criteria", ())]
                state = _made_up(connection, one, rng, criteria, backwards=backwards)
                saved = work.save(connection, one["id"], judge_id, events.Save(uuid7(), 0, state, "demo"))
                if k == len(NAMES) - 2:
                    break
                work.submit(connection, one["id"], judge_id, uuid7(), saved["seq"])
        out[kind] = judges.link(connection, judges.add(connection, study_id, "Guest"))
    return out


def _made_up(
    connection: Connection, one: Mapping[str, Any], rng: random.Random, criteria: Sequence[str], *, backwards: bool
) -> dict[str, Any]:
    """What a made-up judge says: the truth and some noise."""
    shown = json.loads(one["shown"])
    rows = connection.execute(select(item).where(item.c.id.in_(shown["items"])).order_by(item.c.id)).mappings().all()
    worth = {r["id"]: SYSTEMS.get(r["system"] or "", -k) + rng.gauss(0, 0.7) for k, r in enumerate(rows)}
    if shown["kind"] == "order":
        order = sorted(worth, key=lambda i: worth[i] if backwards else -worth[i])
        return {"kind": "order", "ranked": [[i] for i in order], "cannot_place": []}
    if shown["kind"] == "group":
        topic = {r["id"]: (0, 0, 1, 2, 2, 3, 3)[k] for k, r in enumerate(rows)}
        moved = {i: t if rng.random() < 0.85 else rng.randrange(4) for i, t in topic.items()}
        groups = [{"id": f"g{t}", "name": "", "items": [i for i in moved if moved[i] == t]} for t in range(4)]
        return {"kind": "group", "groups": [g for g in groups if g["items"]], "unsure": [], "left_out": []}
    if shown["kind"] == "score":
        score = {i: min(5, max(1, round(3 + w + rng.gauss(0, 0.4)))) for i, w in worth.items()}
        scores = {i: {"useful": s, "clear": max(1, s - 1)} for i, s in score.items()}
        return {"kind": "score", "scores": {i: {c: own[c] for c in criteria} for i, own in scores.items()}}
    better = {p["id"]: worth[p["a"]] - worth[p["b"]] for p in shown["pairs"]}
    return {"kind": "vote", "choices": {p: "tie" if abs(d) < 0.3 else "a" if d > 0 else "b" for p, d in better.items()}}


def links(database: Database, url: str) -> tuple[str, list[str]]:
    """The demo's studies made, its ways in, and lines that tell them."""

    def job(connection: Connection) -> tuple[str, dict[str, str]]:
        lead_id = leads.add(connection, "demo")
        secret = credentials.issue(connection, "link", lead_id=lead_id, lasts=12 * credentials.HOUR)
        return secret, make(connection, lead_id)

    secret, found = database.now(job)
    page = f"{url}/lead/enter/{secret}"
    lines = [
        "Studies of each kind, and of several, with made-up judges, in a folder that is removed at the end.",
        f"lead    {page}",
    ]
    return page, [*lines, *(f"{kind:<7} {url}/j/{link}" for kind, link in found.items())]
