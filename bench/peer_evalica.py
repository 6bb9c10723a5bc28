"""Run by the peers' own Python: Bradley and Terry's strengths by the package evalica, a tie being half a win each."""

import json
import math
import sys
import time
from importlib.metadata import version

import evalica

given = json.load(sys.stdin)
outcomes = (evalica.Winner.X, evalica.Winner.Draw, evalica.Winner.Y)
first, second = ([f"s{k:03d}" for k in given[name]] for name in ("first", "second"))
winners = [outcomes[k] for k in given["outcome"]]
best = float("inf")
for _ in range(2):
    start = time.process_time()
    found = evalica.bradley_terry(first, second, winners, tolerance=1e-12, limit=1000)
    best = min(best, time.process_time() - start)
values = {name: math.log(score) for name, score in found.scores.items()}
json.dump({"seconds": best, "values": values, "version": version("evalica")}, sys.stdout)
