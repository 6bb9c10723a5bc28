"""The store of the workbench: studies, assignments and an append-only log of judgments, in SQLite or PostgreSQL.

Read :mod:`quorate.store.schema` first, then :mod:`quorate.store.events`: what is saved, and when it counts as saved.
"""
