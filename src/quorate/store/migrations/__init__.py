"""Versions of the schema, run by Alembic."""
