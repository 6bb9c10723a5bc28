"""Alembic runs this under the name ``env_py``: the connection is handed in by :mod:`quorate.store.migrate`."""

from alembic import context

from quorate.store.schema import metadata

if __name__ == "env_py":
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    context.run_migrations()
