"""Run by the peers' own Python: alpha of the same made-up scores by the package krippendorff, in 4 GB of memory."""

import json
import resource
import sys
import time
from importlib.metadata import version

import krippendorff
import numpy as np

given = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def made(kind):
    """The scores of bench/alpha.py: the same seed, the same steps."""
    rng = np.random.default_rng(0)
    judges, items = given["judges"], given["items"]
    seen = rng.standard_normal(items) + 0.7 * rng.standard_normal((judges, items))
    gone = rng.random((judges, items)) < 0.8
    if kind == "five":
        seen = np.clip(np.rint(3 + seen), 1, 5)
    elif kind == "hundred":
        seen = np.clip(np.rint(50 + 15 * seen), 0, 100)
    seen[gone] = np.nan
    return seen


out = []
for kind in given["kinds"]:
    scores = made(kind)
    for level in given["levels"]:
        best, value, failed = None, None, None
        try:
            for _ in range(2):
                start = time.process_time()
                value = float(krippendorff.alpha(scores, level_of_measurement=level))
                took = time.process_time() - start
                best = took if best is None else min(best, took)
        except (MemoryError, ValueError) as error:
            failed = f"{type(error).__name__}: {error}"[:120]
        out.append({"kind": kind, "level": level, "seconds": best, "value": value, "failed": failed})
json.dump({"rows": out, "version": version("krippendorff")}, sys.stdout)
