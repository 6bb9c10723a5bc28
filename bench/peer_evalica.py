"""Run by the peers' own Python: Bradley and Terry's strengths by the package evalica, a tie being half a win each."""

import json
import math
import sys
import time
from importlib.metadata import version

import evalica
import pandas as pd

given = json.load(sys.stdin)
outcomes = (evalica.Winner.X, evalica.Winner.Draw, evalica.Winner.Y)
first, second = ([f"s{k:03d}" for k in given[name]] for name in ("first", "second"))
winners = [outcomes[k] for k in given["outcome"]]
said = dict(zip(("model_a", "tie", "model_b"), outcomes, strict=True))
frame = pd.DataFrame({"a": first, "b": second, "winner": [list(said)[k] for k in given["outcome"]]})


def of_lists():
    return evalica.bradley_terry(first, second, winners, tolerance=1e-12, limit=1000)


def of_frame():
    return evalica.bradley_terry(frame["a"], frame["b"], frame["winner"].map(said), tolerance=1e-12, limit=1000)


def least(fit):
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        found = fit()
        best = min(best, time.process_time() - start)
    return best, found


seconds, found = least(of_lists)
values = {name: math.log(score) for name, score in found.scores.items()}
out = {"seconds": seconds, "frame": least(of_frame)[0], "values": values, "version": version("evalica")}
json.dump(out, sys.stdout)
