"""Run by the peers' own Python: bootstrap of input-level correlations by the package nlpstats."""

import json
import sys
import time
from importlib.metadata import version

import numpy as np
from nlpstats.correlations import bootstrap, correlate

given = json.load(sys.stdin)
x, z = np.array(given["x"]), np.array(given["z"])
value = float(correlate(x, z, "input", given["coefficient"]))
start = time.process_time()
found = bootstrap(
    x, z, "input", given["coefficient"], given["by"], confidence_level=0.95, n_resamples=given["resamples"]
)
seconds = time.process_time() - start
json.dump(
    {
        "seconds": seconds,
        "value": value,
        "low": float(found.lower),
        "high": float(found.upper),
        "version": version("nlpstats"),
    },
    sys.stdout,
)
