"""Run by the peers' own Python: ROUGE-2 with stemming by the package rouge-score, on the texts of bench/rouge.py."""

import json
import sys
import time
from importlib.metadata import version

from rouge_score import rouge_scorer

given = json.load(sys.stdin)
scorer = rouge_scorer.RougeScorer(["rouge2"], use_stemmer=given["stem"])
start = time.process_time()
recall = [
    [scorer.score(reference, summary)["rouge2"].recall for reference in references]
    for summary, references in zip(given["summaries"], given["references"], strict=True)
]
json.dump({"seconds": time.process_time() - start, "recall": recall, "version": version("rouge-score")}, sys.stdout)
