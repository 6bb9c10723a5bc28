"""Run by the peers' own Python: Bradley and Terry's strengths by the package choix, of votes without ties."""

import json
import sys
import time
from importlib.metadata import version

import choix

given = json.load(sys.stdin)
won = [(a, b) if o == 0 else (b, a) for a, b, o in zip(given["first"], given["second"], given["outcome"], strict=True)]
start = time.process_time()
found = choix.ilsr_pairwise(given["systems"], won, tol=1e-10, max_iter=1000)
seconds = time.process_time() - start
values = {f"s{k:03d}": float(x) for k, x in enumerate(found)}
json.dump({"seconds": seconds, "values": values, "version": version("choix")}, sys.stdout)
