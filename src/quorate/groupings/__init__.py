"""Groupings: judges put items in groups."""
