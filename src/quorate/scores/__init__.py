"""Scores: judges give items scores."""
