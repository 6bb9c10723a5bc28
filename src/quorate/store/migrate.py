"""The schema's versions: a new database is made, an old one brought up to date, a newer one refused."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect, text
from sqlalchemy.exc import SQLAlchemyError

from quorate.errors import InputError
from quorate.store.database import Database

NEWEST = "0001"


def upgrade(database: Database) -> None:
    """Bring the tables to the newest version; costs one query where they are."""
    try:
        found = version(database)
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", error)).strip().split("\n")[0]
        raise InputError(f"the database cannot be opened: {said}", "is the file one, is the server up?") from None
    if found == NEWEST:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    known = {s.revision for s in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise InputError(
            f"the database is of version {found}, which this Quorate does not know.", "install a newer Quorate."
        )

    def run(connection: object) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    database.now(run)


def version(database: Database) -> str | None:
    """The version of the tables; None where there are none."""
    with database.read() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found
