"""What was measured so far, a file for each experiment: a run that was interrupted goes on where it stopped.

Pieces belong to the source they were measured with: another version of it begins again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.calibration.experiment import Experiment
from tests.calibration.experiments import Outcome

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".calibration"


@cache
def version() -> str:
    """What the measured program and the experiments are, in a few letters."""
    files = [p for folder in (ROOT / "src", ROOT / "tests" / "calibration") for p in sorted(folder.rglob("*.py"))]
    return hashlib.sha256(b"".join(p.read_bytes() for p in files)).hexdigest()[:12]


def path(experiment: Experiment) -> Path:
    """The file of an experiment."""
    return FOLDER / version() / (re.sub(r"[^a-z0-9.]+", "-", " ".join(experiment.key)) + ".jsonl")


def read(experiment: Experiment) -> list[Outcome]:
    """What is there; a line that was not finished does not count."""
    file = path(experiment)
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [(s, t, found) for s, t, found in (json.loads(line) for line in lines if line.endswith("}]"))]


def keep(experiment: Experiment, outcomes: Iterable[Outcome]) -> None:
    """Add some."""
    file = path(experiment)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as stream:
        stream.writelines("\n" + json.dumps(outcome) for outcome in outcomes)
