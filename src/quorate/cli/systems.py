"""The files of systems' lists that some commands take beside the judgments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.cli.shared import load
from quorate.errors import InputError, UnknownId, suggest


def systems_of(files: Sequence[str], tasks: Sequence[str], options: dict[str, Any]) -> Any:
    """The systems in some files as one panel, of the tasks asked for; a system has its list on a task in one file."""
    if len(files) > 1:
        _check_apart(files, options)
    lists = load(tuple(files), (), options)
    if not tasks:
        return lists
    shared = [t for t in lists.tasks if str(t) in tasks]
    if not shared:
        hint = suggest("", map(str, lists.tasks), "There are lists on")
        raise UnknownId(f"no system has a list on {', '.join(tasks)}.", hint)
    return lists.select(tasks=shared)


def _check_apart(files: Sequence[str], options: dict[str, Any]) -> None:
    if "-" in files:
        raise InputError("standard input cannot be one of several files of systems.", "write it to a file first.")
    seen: dict[tuple[str, str], str] = {}
    for file in files:
        panel = load((file,), (), options)
        codes = set(zip(panel.judge.codes.tolist(), panel.task.codes.tolist(), strict=True))
        for judge, task in sorted(codes):
            key = str(panel.judges[judge]), str(panel.tasks[task])
            if key in seen:
                where = f"{seen[key]} and in {file}" if seen[key] != file else f"{file}, given twice"
                raise InputError(
                    f"system '{key[0]}' has a list on task '{key[1]}' in {where}.",
                    "a system's list on a task belongs in one file; rename one of the systems.",
                )
        seen |= {(str(panel.judges[j]), str(panel.tasks[t])): file for j, t in codes}
