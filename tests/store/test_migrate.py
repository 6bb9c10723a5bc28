"""The schema: what the migrations make is what the tables declare; a newer database is refused."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from quorate.errors import InputError
from quorate.store.database import Database, address
from quorate.store.migrate import NEWEST, upgrade, version
from quorate.store.schema import metadata


def test_migrations_make_the_tables_that_are_declared(database):
    assert version(database) == NEWEST
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_an_upgrade_of_what_is_up_to_date_changes_nothing(database):
    upgrade(database)
    assert version(database) == NEWEST


def test_a_database_of_a_newer_quorate_is_refused(database):
    database.now(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    try:
        with pytest.raises(InputError, match="9999"):
            upgrade(database)
    finally:
        back = text(f"UPDATE alembic_version SET version_num = '{NEWEST}'")
        database.now(lambda c: c.execute(back))


def test_sqlite_is_set_up_to_lose_nothing(tmp_path):
    database = Database(str(tmp_path / "a.db"))
    with database.read() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
    database.close()
    assert found == ["wal", 2]  # 2 is FULL


@pytest.mark.parametrize("given", ["mysql://x/y", "/no/such/folder/a.db", "http://x"])
def test_what_cannot_hold_studies_is_an_error_in_words(given):
    with pytest.raises(InputError):
        address(given)


def test_a_file_that_is_none_and_a_server_that_is_not_there_are_errors_in_words(tmp_path):
    (tmp_path / "a.db").write_text("this is no database, but it is long enough to be looked at" * 20)
    for given in (str(tmp_path / "a.db"), "postgresql://nobody@127.0.0.1:1/none"):
        database = Database(given)
        with pytest.raises(InputError, match="cannot be opened"):
            upgrade(database)
        database.close()
