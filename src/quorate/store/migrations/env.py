"""Alembic runs this: the connection is handed in by :mod:`quorate.store.migrate`."""

from alembic import context

from quorate.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
