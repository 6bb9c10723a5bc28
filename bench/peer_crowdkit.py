"""Run by the peers' own Python: labels behind crowds' labels by the package crowd-kit."""

import json
import sys
import time
from importlib.metadata import version

import pandas as pd
from crowdkit.aggregation import GLAD, MACE, DawidSkene, OneCoinDawidSkene

given = json.load(sys.stdin)
answers = pd.DataFrame({"task": given["item"], "worker": given["judge"], "label": given["label"]})
models = {
    "dawid_skene": lambda: DawidSkene(n_iter=500, tol=1e-9),
    "one_coin": lambda: OneCoinDawidSkene(n_iter=500, tol=1e-9),
    "mace": lambda: MACE(n_restarts=1, n_iter=50, random_state=0),
    "glad": lambda: GLAD(n_iter=20),
}
found = {}
for name in given["models"]:
    start = time.process_time()
    model = models[name]()
    model.fit(answers)
    seconds = time.process_time() - start
    sure = model.probas_ if model.probas_ is not None else model.predict_proba(answers)
    sure = sure.sort_index().reindex(sorted(sure.columns), axis=1)
    found[name] = {"seconds": seconds, "belief": sure.to_numpy().tolist()}
json.dump({"models": found, "version": version("crowd-kit")}, sys.stdout)
