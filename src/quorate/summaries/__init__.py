"""Evaluation of summaries: content units, ROUGE, trained metrics."""
