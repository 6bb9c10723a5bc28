"""The tables as they were first."""

from alembic import op

from quorate.store.schema import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    metadata.create_all(op.get_bind())
