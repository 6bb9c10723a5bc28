"""Panels: judgments of one kind over tasks, as columns, and as the arrays that formulas read."""
