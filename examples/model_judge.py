"""A language model as a judge: it works through the same assignments as people do, over the same API, and as blind.

    python examples/model_judge.py http://127.0.0.1:8000 TOKEN --command "llm -m some-model"

TOKEN is a token with the scope `judge` (POST /api/tokens with the judge's id). The command gets a prompt on standard
input and answers on standard output; any program will do. Only Python's standard library is needed.

What the model sees is what the server gives a judge: texts under numbers, in this judge's own random order, without the
names of systems. What it says is saved and submitted like a person's judgment, and refused like one if it is not valid.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any

Ask = Callable[[str], str]  # a prompt in, the model's answer out


class Workbench:
    """The judge's part of the API."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url.rstrip("/"), token

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """A request; an answer without content is None."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}") from None
        return json.loads(text) if text else None


def judge_all(bench: Workbench, ask: Ask) -> int:
    """Work until nothing is left; how many assignments were submitted."""
    about = bench.call("GET", "/api/judge")
    if not about["judge"]["consented"]:
        bench.call("POST", "/api/judge/consent", {})
    done = 0
    while (given := bench.call("POST", "/api/judge/next", {})) is not None:
        one = given["assignment"]["id"]
        task = bench.call("GET", f"/api/assignments/{one}")
        state = STATES[task["kind"]](task, ask)
        base = task["head"]["seq"] if task["head"] else 0
        save = {"base_seq": base, "state": state, "device": "model"}
        saved = bench.call("PUT", f"/api/assignments/{one}/events/{uuid.uuid4()}", save)
        bench.call("POST", f"/api/assignments/{one}/submit", {"op": str(uuid.uuid4()), "base_seq": saved["seq"]})
        done += 1
    return done


def prompt(task: dict[str, Any], wanted: str) -> str:
    """The guidelines, the texts under numbers, and what to answer."""
    rules = re.sub("<[^>]+>", "", task["guidelines_html"]).strip()
    texts = "\n\n".join(f"[{k}]\n{item['text']}" for k, item in enumerate(task["items"], 1))
    return f"{rules}\n\n{task['settings'].get('prompt', '')}\n\n{texts}\n\n{wanted}\n"


def numbers(answer: str, most: int) -> list[int]:
    """The numbers of items in an answer, each once."""
    return list(dict.fromkeys(n for n in map(int, re.findall(r"\d+", answer)) if 1 <= n <= most))


def order(task: dict[str, Any], ask: Ask) -> dict[str, Any]:
    """Best first; what the model leaves out comes last, tied."""
    items = [item["id"] for item in task["items"]]
    said = numbers(ask(prompt(task, "Answer with the numbers in order, the best first: 3, 1, 2")), len(items))
    ranked = [[items[n - 1]] for n in said]
    rest = [i for i in items if [i] not in ranked]
    return {"kind": "order", "ranked": ranked + ([rest] if rest else []), "cannot_place": []}


def group(task: dict[str, Any], ask: Ask) -> dict[str, Any]:
    """One line a group; what the model leaves out stands alone."""
    items = [item["id"] for item in task["items"]]
    answer = ask(prompt(task, "Answer with one line per group, the numbers of its texts: 1 4"))
    groups: list[list[str]] = []
    placed: set[str] = set()
    for line in answer.splitlines():
        members = [items[n - 1] for n in numbers(line, len(items)) if items[n - 1] not in placed]
        placed.update(members)
        if members:
            groups.append(members)
    groups += [[i] for i in items if i not in placed]
    named = [{"id": f"g{k}", "name": "", "items": members} for k, members in enumerate(groups, 1)]
    return {"kind": "group", "groups": named, "unsure": [], "left_out": []}


def score(task: dict[str, Any], ask: Ask) -> dict[str, Any]:
    """Every item on every criterion, one question each."""
    scores: dict[str, dict[str, int]] = {}
    for item in task["items"]:
        for c in task["criteria"]:
            anchors = "; ".join(f"{k} is {v}" for k, v in c["anchors"].items())
            wanted = f"{c['name']} from {c['low']} to {c['high']} ({anchors}). Answer with the number alone."
            found = re.findall(r"-?\d+", ask(prompt({**task, "items": [item]}, wanted)))
            value = int(found[0]) if found else c["low"]
            scores.setdefault(item["id"], {})[c["id"]] = min(max(value, c["low"]), c["high"])
    return {"kind": "score", "scores": scores}


def vote(task: dict[str, Any], ask: Ask) -> dict[str, Any]:
    """Every pair, with the sides as the server drew them."""
    texts = {item["id"]: item for item in task["items"]}
    choices = {}
    for pair in task["pairs"]:
        two = {**task, "items": [texts[pair["a"]], texts[pair["b"]]]}
        said = numbers(ask(prompt(two, "Which is better, 1 or 2? Answer with the number alone, or 0 for a tie.")), 2)
        choices[pair["id"]] = "tie" if not said and task["settings"]["ties"] else "b" if said[:1] == [2] else "a"
    return {"kind": "vote", "choices": choices}


STATES = {"order": order, "group": group, "score": score, "vote": vote}


def main() -> None:
    """Judge with a command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("url")
    parser.add_argument("token")
    parser.add_argument("--command", required=True, help="reads a prompt, writes an answer")
    given = parser.parse_args()

    def ask(text: str) -> str:
        return subprocess.run(shlex.split(given.command), input=text, capture_output=True, text=True, check=True).stdout

    print(f"{judge_all(Workbench(given.url, given.token), ask)} assignments submitted.")


if __name__ == "__main__":
    main()
