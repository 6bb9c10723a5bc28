"""Panels from DUCView's files: annotated peers as scores, pyramids of the same models as groupings."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

from quorate.errors import InputError
from quorate.formats.ducview import IDENTIFIER, Pyramid, read_peer, read_pyramid
from quorate.formats.files import File, PathLike
from quorate.panels import Groupings, Scores
from quorate.units.agreement import as_groupings
from quorate.units.auto import auto_pyramid
from quorate.units.reading import from_peers, read_judges


def scores_of(paths: Sequence[PathLike], header: str | None = None, judges: str | None = None) -> Scores:
    """Modified pyramid scores of annotated peers, with what autoPyramid gives as the label ``auto``."""
    who = read_judges(judges) if judges else None
    return auto_pyramid(from_peers((read_peer(p, header=header) for p in paths), who)).panel()


def groupings_of(paths: Sequence[PathLike], header: str | None = None) -> Groupings:
    """The words of the models grouped into units, by each judge's pyramid.

    The judge is the file's name; where files of one name are in several folders, the folder.
    """
    tasks: dict[Hashable, dict[Hashable, Pyramid]] = {}
    stems = [File(p).stem for p in paths]
    for path, stem in zip(paths, stems, strict=True):
        pyramid = read_pyramid(path, header=header)
        known = IDENTIFIER.search(pyramid.text)
        task = known.group().split(".")[0] if known else "all"
        folder = Path(path).parent.name
        judge = folder if folder and stems.count(stem) > 1 else stem
        if judge in tasks.setdefault(task, {}):
            raise InputError(f"{path}: judge {judge} has two pyramids for task {task}.", "rename one of the files.")
        tasks[task][judge] = pyramid
    return as_groupings(tasks)
