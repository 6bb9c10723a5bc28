"""Run by the peers' own Python: frequent sequential patterns by the package prefixspan."""

import json
import sys
import time
from importlib.metadata import version

from prefixspan import PrefixSpan

given = json.load(sys.stdin)
miner = PrefixSpan(given["lists"])
miner.minlen = given["least"]
start = time.process_time()
found = miner.frequent(given["need"])
seconds = time.process_time() - start
json.dump({"seconds": seconds, "patterns": len(found), "version": version("prefixspan")}, sys.stdout)
