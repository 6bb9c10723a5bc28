"""How long it takes to begin: ``import quorate``, ``quorate --help`` and a small answer, in CPU seconds.

As installed, with compiled modules: where Python may not write them, each process compiles them anew.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.clock import Row


def run(quick: bool) -> list[Row]:
    numpy, quorate, help_ = (_least(c, 3 if quick else 7) for c in ("import numpy", "import quorate", HELP))
    bare = _least("pass", 3 if quick else 7)
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.csv")
        small.write_text("judge,item,position\n" + "".join(f"{j},{i},{p}\n" for j, i, p in SMALL))
        answer = _least(ANSWER.format(str(small)), 3 if quick else 7)
    note = f"fresh processes, least of a few; Python alone takes {bare:.3f} s"
    return [
        Row("import quorate, import numpy", quorate, numpy, at_most=True, unit="x numpy", note=note),
        Row("quorate --help", help_, target=1 / 3, at_most=True, figure=help_, unit="s"),
        Row("quorate agreement small.csv", answer, target=0.6, at_most=True, figure=answer, unit="s"),
    ]


ANSWER = "import sys; sys.argv = ['quorate', 'agreement', {!r}]; from quorate.cli import main; main()"
SMALL = [(j, i, p + 1) for j in "abcd" for p, i in enumerate("vwxyz" if j < "c" else "wvxzy")]
HELP = "import sys; sys.argv = ['quorate', '--help']; from quorate.cli import main; main()"


def _least(code: str, times: int) -> float:
    return min(_once(code) for _ in range(times))


def _once(code: str) -> float:
    """CPU seconds of one child, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
