from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from quorate.store.database import Database
from tests.workbench import emptied, opened, postgres, sqlite


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    with postgres() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """An empty database: every test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        with sqlite() as found:
            yield found
    else:
        with opened(emptied(request.getfixturevalue("server"))) as found:
            yield found
