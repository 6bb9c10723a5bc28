"""Scores as mt-metrics-eval keeps them: ``en-de.mqm.seg.score`` of people, ``BLEU-refA.seg.score`` of metrics.

A line is a system and a score, ``None`` where there is none; of segments, the systems one after the other, each with
all segments. Files may be given alone, or as the folder of a test set. Each file is a judge.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from quorate.errors import InputError
from quorate.formats.archives import inside
from quorate.formats.files import File, Sink
from quorate.formats.judgments import Judgments, export
from quorate.formats.limits import as_text, refuse
from quorate.formats.registry import ENCODING, Option, choice, text
from quorate.panel.base import many
from quorate.panel.kinds import Panel

LANGUAGES = r"[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?"
METRIC = re.compile(r"(?P<name>.+)\.(?P<level>sys|seg|doc|domain)\.score")
PEOPLE = re.compile(rf"(?P<pair>{LANGUAGES})\.{METRIC.pattern}")
WHO = Option("who", "only people, or only metrics", choice("people", "metrics"))
LEVEL = Option("level", "seg (default where there are segments), sys, doc or domain", text)
PAIR = Option("pair", "only this pair of languages, for example en-de", text)


def walk(
    file: File,
    found: Judgments,
    encoding: str,
    level: str | None = None,
    pair: str | None = None,
    who: str | None = None,
) -> None:
    """What is in one file or folder."""
    there = [(f, *_named(f)) for f in inside(file) if f.base.endswith(".score")]
    if who is not None:
        there = [t for t in there if t[4] == (who == "people")]
    other = sum(1 for f, *_ in there if not METRIC.fullmatch(f.base))
    levels = {lv for _, _, _, lv, _ in there if lv}
    chosen = level or next((lv for lv in ("seg", "sys", "doc", "domain") if lv in levels), "seg")
    pairs = sorted({p for _, p, _, _, _ in there if p})
    kept = [t for t in there if t[3] in (chosen, "") and (pair is None or t[1] == pair)]
    if not kept:
        raise InputError(
            f"{file.name}: no scores of level {chosen}{f' for {pair}' if pair else ''}.", _held(levels, pairs)
        )
    if len(there) - other > len(kept):
        others = sorted(levels - {chosen}) + ([p for p in pairs if p != pair] if pair else [])
        read = f"{', '.join(others)}: --input-option level=... or pair=... reads them"
        found.skip("file* of other levels or languages", read, len(there) - other - len(kept))
    both = len({t[4] for t in kept}) > 1
    for member, languages, name, _, human in kept:
        found.begin(member)
        more = {"judge_kind": "human" if human else "metric"} if both else {}
        prefix = f"{languages}:" if len(pairs) > 1 and pair is None and languages else ""
        _scores(member, found, encoding, name, prefix, chosen, more)


def _held(levels: set[str], pairs: list[str]) -> str:
    return f"levels: {', '.join(sorted(levels)) or 'none'}; languages: {', '.join(pairs) or 'none'}."


def _named(file: File) -> tuple[str, str, str, bool]:
    """Languages, judge, level, and whether people gave the scores, by the file's name and folder."""
    if found := PEOPLE.fullmatch(file.base):
        return found["pair"], found["name"], found["level"], True
    found = METRIC.fullmatch(file.base)
    folder = file.path.parent.name if file.path else ""
    return (
        folder if re.fullmatch(LANGUAGES, folder) else "",
        found["name"] if found else file.stem,
        found["level"] if found else "",
        False,
    )


def _scores(file: File, found: Judgments, encoding: str, name: str, prefix: str, level: str, more: Any) -> None:
    place: Counter[str] = Counter()
    domain = level == "domain"
    with file.text(encoding) as stream:
        for line, row in enumerate(stream, 1):
            fields = row.split()
            if not fields:
                continue
            try:
                score = None if fields[-1] == "None" else float(fields[-1])
            except ValueError:
                found.wrong(line, f"no score: {row.strip()[:40]}")
                continue
            if len(fields) != 2 + domain:
                wanted = "a domain, a system and a score" if domain else "a system and a score"
                found.wrong(line, f"{many(len(fields), 'field')}, not {wanted}")
                continue
            system = fields[-2]
            place[system] += 1
            task = (
                prefix.rstrip(":") or "all" if level == "sys" else f"{prefix}{fields[0] if domain else place[system]}"
            )
            item = system if level == "sys" else f"{task}: {system}"
            found.score(line, score, judge=name, task=task, item=item, system=system, **more)
    if level != "sys" and len(set(place.values())) > 1:
        found.note(
            f"{file.name}: systems have different numbers of segments ({min(place.values())} to {max(place.values())})"
        )


def write(panel: Panel, sink: Sink) -> None:
    """Scores of one judge, the systems one after the other; each must have every task once."""
    refuse(panel, "mtme", kinds=("scores",), counts=True, occasions=True)
    if (
        len(panel.judges) > 1
        or "criterion" in panel.labels
        or "system" not in panel.labels
        or panel.value_name != "score"
    ):
        raise InputError("mtme holds the numbers of one judge and criterion on systems.", "write each to a file.")
    systems = as_text(panel.labels["system"], "system", "mtme", lambda s: "it has blanks" if s.split() != [s] else None)
    cells = zip(panel.labels["system"].codes.tolist(), panel.task.codes.tolist(), panel.value.tolist(), strict=True)
    scores = {(s, t): v for s, t, v in cells}
    if len(scores) < len(panel):
        raise InputError("mtme holds one score of a system on a task.", "csv holds several.")
    with sink.text() as stream:
        for s, system in enumerate(systems):
            for t in range(len(panel.tasks)):
                value = scores.get((s, t), float("nan"))
                stream.write(f"{system}\t{'None' if value != value else repr(value)}\n")


MTME = export(
    "mtme",
    "mt-metrics-eval's scores of people and metrics, per segment or system: files or a folder",
    ("scores",),
    walk,
    (LEVEL, PAIR, WHO, ENCODING),
    write=write,
    extensions=("score",),
    packed=lambda file: any(METRIC.fullmatch(f.base) for f in inside(file)),
    folders=True,
)
