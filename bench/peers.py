"""Peers in a virtual environment of their own, since some need versions that we do not.

The environment is made on first use in bench/.peers/ (not kept in git). A peer is a script beside this file that reads
JSON on standard input and writes JSON; it measures its own CPU time, so that starting it does not count.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


class NotAvailable(Exception):
    """The peer cannot be installed or run here; the message says why."""


def run(script: str, given: Any, *requirements: str) -> Any:
    """What the script in bench/ answers, run with these packages."""
    python = _environment(Path(script).stem, requirements)
    # Isolated, else a file of bench/ would be imported in place of the package of that name.
    done = subprocess.run([python, "-I", HERE / script], input=json.dumps(given), capture_output=True, text=True)
    if done.returncode:
        raise NotAvailable(_last(done.stderr))
    return json.loads(done.stdout)


def _environment(name: str, requirements: tuple[str, ...]) -> Path:
    folder = HERE / ".peers" / name
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    ready = folder / "ready"
    if ready.exists() and ready.read_text() == " ".join(requirements):
        return python
    try:
        venv.create(folder, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotAvailable(f"no virtual environment: {error}") from None
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        raise NotAvailable(f"pip install {' '.join(requirements)}: {_last(done.stderr)}")
    ready.write_text(" ".join(requirements))
    return python


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no message"
