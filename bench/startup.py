"""How long it takes to begin: ``import quorate`` and ``quorate --help``, in CPU seconds of a fresh process."""

from __future__ import annotations

import resource
import subprocess
import sys

from bench.clock import Row


def run(quick: bool) -> list[Row]:
    numpy, quorate, help_ = (_least(c, 3 if quick else 7) for c in ("import numpy", "import quorate", HELP))
    bare = _least("pass", 3 if quick else 7)
    note = f"fresh processes, least of a few; Python alone takes {bare:.3f} s"
    return [
        Row("import quorate, import numpy", quorate, numpy, at_most=True, unit="x numpy", note=note),
        Row("quorate --help", help_, target=1 / 3, at_most=True, figure=help_, unit="s"),
    ]


HELP = "import sys; sys.argv = ['quorate', '--help']; from quorate.cli import main; main()"


def _least(code: str, times: int) -> float:
    return min(_once(code) for _ in range(times))


def _once(code: str) -> float:
    """CPU seconds of one child, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
