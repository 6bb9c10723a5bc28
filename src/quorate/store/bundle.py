"""A frozen gold standard as one file, and what recomputing it from its raw judgments says. No database is needed.

The bundle is a zip with the study's settings, items, every event of every assignment (the raw judgments and their chain
of hashes), exclusions with reasons, decisions, the judgments that count, the consensus with its support, the figures,
the report, and judgments and consensus in other formats. Its manifest holds the hash of each file; the hash of the
manifest is the hash of the gold standard.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.errors import InputError, MissingExtra
from quorate.store import chain, gold_formats, panels
from quorate.store.definition import PANELS
from quorate.store.gold_formats import Panels
from quorate.store.ids import canonical, digest

FORMAT = "quorate gold standard, version 1"
MANIFEST = "manifest.json"
Raw = dict[str, Any]  # study, items, assignments, events, exclusions, decisions
Files = dict[str, Any]  # by their names: texts, and bytes in the folder of other formats


def lines(given: Iterable[Mapping[str, Any]]) -> str:
    """JSON Lines."""
    return "".join(canonical(dict(row)) + "\n" for row in given)


def _read_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n") if line]


def judgments(raw: Raw) -> list[dict[str, Any]]:
    """The judgments that count: of every assignment the event that was submitted last, unless it is excluded."""
    held = {e["judge_id"] or e["assignment_id"] for e in raw["exclusions"]}
    states = {(e["assignment_id"], e["seq"]): e["state"] for e in raw["events"]}
    out = []
    for one in raw["assignments"]:
        state = states.get((one["id"], one["submitted"]))
        if state is not None and one["id"] not in held and one["judge_id"] not in held:
            out.append({**one, "state": json.loads(state)})
    return out


def computed(raw: Raw, methods: Mapping[str, str], options: Mapping[str, Any]) -> tuple[dict[str, str], Panels]:
    """What follows from the raw judgments: tables, consensus and figures by the names of their files; and the panels
    that are written in other formats."""
    from quorate.verbs import agreement, consensus

    found, items = judgments(raw), {i["id"]: i for i in raw["items"]}
    decided = {(d["task"], d["state"]["kind"]): {"state": d["state"], "reason": d["reason"]} for d in raw["decisions"]}
    out: dict[str, str] = {}
    made: dict[str, Any] = {}
    for kind, method in methods.items():
        name = PANELS[kind]
        panel = panels.panel(panels.columns(found, items, kind), kind).by_name
        out[f"judgments-{name}.csv"] = _written(panel, "csv")
        gold = consensus(panel, method, **options).to_dict()
        for row in gold["results"]:
            row["decision"] = decided.get((row["task"], kind))
        out[f"gold-{name}.json"] = _json(gold)
        out[f"gold-{name}.csv"] = _table(gold["results"])
        out[f"agreement-{name}.json"] = _json(agreement(panel, **options).to_dict())
        made[f"judgments-{name}"] = panel
        made[f"gold-{name}"] = gold_formats.gold_panel(gold["results"], f"gold-{name}")
    return out, {name: panel for name, panel in made.items() if panel is not None}


def _written(panel: Any, format: str) -> str:
    from quorate.formats import write

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"judgments.{format}"
        write(panel, file, format=format)
        return file.read_text(encoding="utf-8")


def _table(found: list[dict[str, Any]]) -> str:
    """The gold standard as a table: one row per task and item, with its place, group or value, and its support:

    of a place the interval over resampled judges, of a group the share of judges, of a score how many gave one.
    """
    from quorate.formats.cells import no_formula

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["task", "item", "gold", "support"])
    for row in found:
        for item, value, support in _rows(row):
            cells = (row["task"], item, value, support)
            writer.writerow([no_formula(x) if isinstance(x, str) else x for x in cells])
    return stream.getvalue()


def _rows(row: Mapping[str, Any]) -> Iterable[tuple[Any, Any, Any]]:
    details = row["details"]
    if "ranking" in row:
        for place, group in enumerate(row["ranking"], 1):
            for item in group:
                ends = (details.get("rank_interval") or {}).get(str(item))
                yield item, place, f"place {ends[0]:g} to {ends[1]:g}" if ends else None
    elif "groups" in row:
        for number, group in enumerate(row["groups"], 1):
            for item in group:
                yield item, f"group {number}", ((details.get("items") or {}).get(str(item)) or {}).get("support")
    else:
        what = next((row[n] for n in ("value", "label") if n in row), None)
        yield row.get("item"), what, details.get("judges")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, default=str, allow_nan=False) + "\n"


def report(raw: Raw, kind: str, title: str, seed: int) -> str | None:
    """The report of one kind as a page; none where the packages for it are not installed."""
    from quorate.reports import report as make

    items = {i["id"]: i for i in raw["items"]}
    try:
        page = make(panels.panel(panels.columns(judgments(raw), items, kind), kind), title=title, seed=seed)
        with tempfile.TemporaryDirectory() as folder:
            return Path(page.save(Path(folder) / "report.html")).read_text(encoding="utf-8")
    except MissingExtra:
        return None


def packed(
    raw: Raw, about: Mapping[str, Any], *, with_report: bool = True, formats: Sequence[str] | None = None
) -> tuple[bytes, dict[str, Any]]:
    """The zip and its manifest: the same input gives the same bytes. Other formats: those named, or all that can."""
    from quorate import __version__

    options = {"seed": about["seed"]}
    results, made = computed(raw, about["methods"], options)
    others = gold_formats.written(made, formats)
    files: Files = {
        "study.json": _json(raw["study"]),
        "items.jsonl": lines(raw["items"]),
        "assignments.jsonl": lines(raw["assignments"]),
        "events.jsonl": lines(raw["events"]),
        "exclusions.jsonl": lines(raw["exclusions"]),
        "decisions.jsonl": lines(raw["decisions"]),
        **results,
        **gold_formats.joined(others),
    }
    if with_report:
        for kind in about["methods"]:
            page = report(raw, kind, about["title"], about["seed"])
            if page is not None:
                files[f"report-{PANELS[kind]}.html"] = page
    manifest = {
        "format": FORMAT,
        "quorate": __version__,
        **about,
        "options": options,
        "formats": sorted(others),
        "judges": len({j["judge"] for j in judgments(raw)}),
        "items": len(raw["items"]),
        "exclusions": len(raw["exclusions"]),
        "files": {name: digest(text) for name, text in sorted(files.items())},
    }
    files[MANIFEST] = _json(manifest)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, text.encode() if isinstance(text, str) else text)
    return stream.getvalue(), manifest


def seal(manifest: Mapping[str, Any]) -> str:
    """The hash of a gold standard: that of its manifest."""
    return digest(_json(dict(manifest)))


# -- verifying -------------------------------------------------------------------------------------------------------

MOST_BYTES = 2**31


def opened(path: str | Path) -> Files:
    """The files of a bundle."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
            if sum(i.file_size for i in infos) > MOST_BYTES:
                raise InputError(f"{path}: unpacked it is larger than {MOST_BYTES:,} bytes.")
            files: Files = {i.filename: archive.read(i) for i in infos}
            files |= {n: d.decode("utf-8") for n, d in files.items() if not n.startswith(gold_formats.FOLDER)}
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except (zipfile.BadZipFile, UnicodeDecodeError, OSError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"{path}: this is no gold standard ({error}).", "a .zip that `freeze` wrote.") from None
    if MANIFEST not in files or FORMAT not in files[MANIFEST]:
        raise InputError(f"{path}: there is no manifest of a gold standard in it.")
    return files


def verified(path: str | Path) -> tuple[dict[str, Any], list[str]]:
    """The manifest, and what differs from it: nothing if the gold standard follows from its raw judgments."""
    files = opened(path)
    try:
        manifest = json.loads(files[MANIFEST])
        differs = [*_hashes(files, manifest), *_chains(files), *_recomputed(files, manifest)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: a file in it cannot be read ({type(error).__name__}: {error}).") from None
    return manifest, differs


def _hashes(files: Files, manifest: Mapping[str, Any]) -> Iterable[str]:
    for name, told in manifest["files"].items():
        if name not in files:
            yield f"{name}: missing"
        elif digest(files[name]) != told:
            yield f"{name}: not the file that was frozen"
    for name in files:
        if name != MANIFEST and name not in manifest["files"]:
            yield f"{name}: not part of what was frozen"


def _chains(files: Files) -> Iterable[str]:
    by: dict[str, list[dict[str, Any]]] = {}
    for row in _read_lines(files["events.jsonl"]):
        by.setdefault(row["assignment_id"], []).append(row)
    for own in by.values():
        yield from chain.broken(sorted(own, key=lambda r: int(r["seq"])))


def _recomputed(files: Files, manifest: Mapping[str, Any]) -> Iterable[str]:
    parts = ("items", "assignments", "events", "exclusions", "decisions")
    raw: Raw = {name: _read_lines(files[f"{name}.jsonl"]) for name in parts}
    again, made = computed(raw, manifest["methods"], manifest["options"])
    for name, text in again.items():
        frozen = files.get(name, "")
        if text != frozen:
            yield f"{name}: recomputed, it is another one: {_first_difference(frozen, text)}"
    yield from gold_formats.differing(files, made, manifest.get("formats", []))


def _first_difference(frozen: str, again: str) -> str:
    before, after = frozen.splitlines(), again.splitlines()
    for number, (a, b) in enumerate(zip(before, after, strict=False), 1):
        if a != b:
            return f"line {number}: frozen {a.strip()[:80]!r}, recomputed {b.strip()[:80]!r}"
    return f"{len(before)} lines frozen, {len(after)} recomputed"
