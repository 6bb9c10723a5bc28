"""What a study is: its title, guidelines, pages and rules of assignment, from TOML or JSON, checked word by word."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from quorate.errors import InputError, UnknownMethod, suggest

KINDS = ("order", "group", "score", "vote")
PANELS = {"order": "orderings", "group": "groupings", "score": "scores", "vote": "votes"}
LONGEST = 200_000  # characters of guidelines or consent

# What may be said, with its default; a type where there is none.
STUDY: dict[str, Any] = {
    "title": str,
    "guidelines": "",
    "consent": "",
    "deadline": None,  # when no more work is handed out
    "judges_per_task": 3,
    "tasks_per_judge": 0,  # 0: as many as there are
    "lease_minutes": 1440,
    "seed": 0,
    "completion_code": None,
    "entry": (),  # prolific, worker: names of the parameters that bring judges in
    "rules": (),  # of the guidelines, shown beside the items while a judge works
    "block": 0,  # tasks in a block; 0: all tasks are one
    "pages": dict,
    "sequence": {"pages": (), "by": "task"},  # in which a judge meets them
    "repeats": {"count": 0, "distance": 3},
    "training": {"attempts": 3, "pass": 0.8},
    "stopping": {"method": "", "page": "", "width": 0.0, "most": 0, "least": 3},  # of adaptive collection
}
PAGE = {"prompt": "", "judges": 0}  # the question above the task; judges per task, 0: as many as the study says
PAGES: dict[str, dict[str, Any]] = {
    "order": {**PAGE, "ties": True, "top_k": 0, "cannot_place": True},
    "group": {**PAGE, "sort": "open", "names": (), "left_out": True, "unsure": True},
    "score": {**PAGE, "layout": "one", "criteria": ()},
    "vote": {**PAGE, "ties": True, "both_bad": True, "pairs": 0},
}
CHOICES = {"sort": ("open", "closed", "hybrid"), "layout": ("one", "side")}
TURNS = ("task", "page")  # all pages of a task before the next task, or all tasks of a page before the next page
CRITERION: dict[str, Any] = {"id": str, "name": "", "low": 1, "high": 5, "anchors": {}}
RULE: dict[str, Any] = {"rule": str, "n": 0, "text": ""}
RULES = (  # those that the pages check; `text` is only shown
    *("text", "max_tie", "no_ties_of_same_source", "max_groups", "min_group", "max_group", "one_per_source"),
    "named_groups",
)


def load(path: str | Path) -> tuple[dict[str, Any], Path | None]:
    """A study file: its definition, and the file of its items."""
    file = Path(path)
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{file}: there is no such file.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}.", "a study is a TOML file; see the workbench's pages.") from None
    for name in ("guidelines", "consent"):
        if other := raw.pop(f"{name}_file", None):
            raw[name] = _beside(file, other, f"{name}_file").read_text(encoding="utf-8")
    items = raw.pop("items", None)
    return checked(raw), _beside(file, items, "items") if items is not None else None


def _beside(file: Path, name: Any, what: str) -> Path:
    found = file.parent / str(name)
    if not found.is_file():
        raise InputError(f"{file}: {what} = {str(name)!r}: there is no such file beside it.")
    return found


def checked(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The definition with its defaults; what is not known, or of the wrong type, is an error that says where."""
    if "kind" in raw:  # one page and its settings, in short
        raw = {n: v for n, v in raw.items() if n not in ("kind", "settings")} | {
            "pages": {str(raw["kind"]): raw.get("settings") or {}}
        }
    out = _fields(raw, STUDY, "")
    out["title"] = out["title"].strip()
    _rule(0 < len(out["title"]) <= 300, "title", "has 1 to 300 characters")
    for name in ("guidelines", "consent"):
        _rule(len(out[name]) <= LONGEST, name, f"has at most {LONGEST:,} characters")
    out["deadline"] = _deadline(out["deadline"])
    for name in ("sequence", "repeats", "training", "stopping"):
        out[name] = _fields(out[name], STUDY[name], name)
    _rule(1 <= out["judges_per_task"] <= 10_000, "judges_per_task", "is from 1 to 10,000")
    _rule(1 <= out["lease_minutes"] <= 525_600, "lease_minutes", "is from 1 to 525,600, a year")
    _rule(out["tasks_per_judge"] >= 0 and out["block"] >= 0, "tasks_per_judge and block", "are 0 or more")
    _rule(0 <= out["seed"] < 2**63, "seed", "is from 0 to 2**63 - 1")
    _rule(1 <= out["training"]["attempts"] <= 100, "training.attempts", "is from 1 to 100")
    _rule(0 <= out["training"]["pass"] <= 1, "training.pass", "is a share, from 0 to 1")
    _rule(0 <= out["repeats"]["count"] <= 1000, "repeats.count", "is from 0 to 1,000")
    _rule(out["repeats"]["distance"] >= 1, "repeats.distance", "is 1 or more")
    entry = [str(e) for e in out["entry"]]
    _rule(set(entry) <= {"prolific", "worker"}, "entry", "names prolific (PROLIFIC_PID), worker (workerId), or both")
    out["entry"] = entry
    out["rules"] = [_one_rule(r, f"rules[{k}]") for k, r in enumerate(out["rules"], 1)]
    _rule(bool(out["pages"]), "pages", f"names at least one of {', '.join(KINDS)}")
    out["pages"] = {kind: _page(kind, page) for kind, page in out["pages"].items()}
    order = [str(kind) for kind in out["sequence"]["pages"] or out["pages"]]
    _rule(sorted(order) == sorted(out["pages"]), "sequence.pages", f"names each page once: {', '.join(out['pages'])}")
    _rule(out["sequence"]["by"] in TURNS, "sequence.by", f"is one of {', '.join(TURNS)}")
    out["sequence"]["pages"] = order
    out["stopping"] = _stopping(out["stopping"], order)
    return out


def _stopping(rule: dict[str, Any], pages: Sequence[str]) -> dict[str, Any]:
    """A rule whose method is known, and the page that it is about: the first with such a method, if none is named."""
    _rule(rule["width"] >= 0, "stopping.width", "is 0 or more")
    if not rule["method"]:
        return rule
    _rule(rule["least"] >= 1, "stopping.least", "is 1 or more")
    _rule(not rule["most"] or rule["most"] >= rule["least"], "stopping.most", "is 0 (no limit), or least or more")
    _rule(not rule["page"] or rule["page"] in pages, "stopping.page", f"is one of {', '.join(pages)}")
    for page in [rule["page"]] if rule["page"] else pages:
        with suppress(UnknownMethod):
            rule_question(rule["method"], page)
            return {**rule, "page": page}
    rule_question(rule["method"], rule["page"] or pages[0])  # which says what there is
    return rule


def rule_question(method: str, page: str) -> str:
    """The question that a rule's method answers: agreement, or of scores and votes how good the systems are."""
    from quorate.table import parse

    if page in ("score", "vote"):
        with suppress(UnknownMethod):
            parse(method, PANELS[page], "quality")
            return "quality"
    parse(method, PANELS[page], "agreement")
    return "agreement"


def _page(kind: str, raw: Any) -> dict[str, Any]:
    if kind not in PAGES:
        raise InputError(f"pages.{kind}: there is no such page.", suggest(kind, PAGES, "Pages"))
    where = f"pages.{kind}"
    out = _fields(raw, PAGES[kind], where)
    _rule(0 <= out["judges"] <= 10_000, f"{where}.judges", "is from 0 (as the study says) to 10,000")
    for name, words in CHOICES.items():
        if name in out:
            _rule(out[name] in words, f"{where}.{name}", f"is one of {', '.join(words)}")
    if kind == "order":
        _rule(out["top_k"] >= 0, f"{where}.top_k", "is 0 (all items) or more")
    if kind == "group":
        out["names"] = [str(n) for n in out["names"]]
        _rule(len(set(out["names"])) == len(out["names"]), f"{where}.names", "are all different")
        _rule(out["sort"] == "open" or bool(out["names"]), f"{where}.names", f"are needed by a {out['sort']} sort")
    if kind == "score":
        out["criteria"] = [_criterion(c, f"{where}.criteria[{k}]") for k, c in enumerate(out["criteria"], 1)]
        out["criteria"] = out["criteria"] or [_criterion({"id": "score"}, where)]
        ids = [c["id"] for c in out["criteria"]]
        _rule(len(set(ids)) == len(ids), f"{where}.criteria", "have different ids")
    if kind == "vote":
        _rule(out["pairs"] >= 0, f"{where}.pairs", "is 0 (every pair) or more")
    return out


def _one_rule(raw: Any, where: str) -> dict[str, Any]:
    out = _fields({"rule": "text", "text": raw} if isinstance(raw, str) else raw, RULE, where)
    if out["rule"] not in RULES:
        raise InputError(f"{where}: there is no rule '{out['rule']}'.", suggest(out["rule"], RULES, "Rules"))
    return out


def _criterion(raw: Any, where: str) -> dict[str, Any]:
    out = _fields(raw, CRITERION, where)
    out["name"] = out["name"] or out["id"]
    _rule(out["low"] < out["high"] <= out["low"] + 1000, where, "goes from low to high, at most 1,000 steps")
    out["anchors"] = {str(k): str(v) for k, v in out["anchors"].items()}
    return out


def _fields(raw: Any, known: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The values of a table, each of the type of its default."""
    at = f"{where}." if where else ""
    if not isinstance(raw, Mapping):
        raise InputError(f"{where or 'the study'}: not a table of names and values.")
    for name in raw:
        if name not in known:
            raise InputError(f"{at}{name}: there is no such setting.", suggest(str(name), known, "Settings"))
    return {name: _typed(raw.get(name), usual, f"{at}{name}") for name, usual in known.items()}


def _typed(value: Any, usual: Any, where: str) -> Any:
    if value is None:
        if isinstance(usual, type):
            raise InputError(f"{where}: missing.", "every study names it.")
        return usual
    if usual is None:
        return value
    wanted = usual if isinstance(usual, type) else type(usual)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if wanted is tuple and isinstance(value, list):
        return value
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        words = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", tuple: "a list"}
        raise InputError(f"{where}: {value!r} is not {words.get(wanted, 'a table')}.")
    return value


def _deadline(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        value = dt.datetime.combine(value, dt.time(23, 59, 59))
    if not isinstance(value, dt.datetime):
        try:
            value = dt.datetime.fromisoformat(str(value))
        except ValueError:
            hint = "write it as 2027-01-31T18:00:00Z."
            raise InputError(f"deadline: {str(value)!r} is not a date and time.", hint) from None
    if value.tzinfo is None:
        value = value.replace(tzinfo=dt.UTC)
    return str(value.astimezone(dt.UTC).isoformat().replace("+00:00", "Z"))


def _rule(holds: bool, where: str, rule: str) -> None:
    if not holds:
        raise InputError(f"{where}: out of range.", f"{where} {rule}.")
