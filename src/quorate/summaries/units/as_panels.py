"""Panels from DUCView's files: annotated peers as scores, pyramids of the same models as groupings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

from quorate.errors import InputError
from quorate.formats.ducview import Pyramid, read_pyramid
from quorate.formats.files import File, PathLike
from quorate.panel.base import ONE_TASK
from quorate.panel.kinds import Groupings, Scores
from quorate.summaries.units.agreement import as_groupings
from quorate.summaries.units.auto import auto_pyramid
from quorate.summaries.units.gathering import topic
from quorate.summaries.units.reading import annotated_in, folders, peers_of, read_judges


def scores_of(paths: Sequence[PathLike], header: str | None = None, judges: str | None = None) -> Scores:
    """Modified pyramid scores of annotated peers, with what autoPyramid gives as the label ``auto``."""
    who = read_judges(judges) if judges else None
    return auto_pyramid(peers_of([Path(p) for p in paths], header, who)).panel()


def groupings_of(paths: Sequence[PathLike], header: str | None = None, items: str = "words") -> Groupings:
    """What the models say grouped into units, by each judge's pyramid; of annotated peers, the pyramids inside them.

    The judge is the file's name; of peers, and where files of one name are in several folders, the folder.
    """
    tasks: dict[Hashable, dict[Hashable, Pyramid]] = {}
    stems = [File(p).stem for p in paths]
    apart = len(set(stems)) < len(stems) or any(File(p).extension != "pyr" for p in paths)
    judges = folders(paths) if apart else stems
    for path, judge in zip(paths, judges, strict=True):
        pyramid = read_pyramid(path, header=header)
        task = topic(pyramid.text) or ONE_TASK
        first = tasks.setdefault(task, {}).setdefault(judge, pyramid)
        if first != pyramid:
            raise InputError(
                f"{path}: judge {judge} has two pyramids for task {task}.",
                "put each judge's files into a folder of their own.",
            )
    return as_groupings(tasks, items)


def files_for(paths: Sequence[PathLike], grouped: bool) -> list[Path]:
    """Files, and of folders the pyramids (``grouped``) or else the annotated peers in them."""
    out: list[Path] = []
    for path in map(Path, paths):
        inside = sorted(p for p in path.rglob("*.pyr")) if grouped and path.is_dir() else []
        out += inside or annotated_in(path)
    return out
