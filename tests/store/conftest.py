from __future__ import annotations

from collections.abc import Iterator

import pytest

from quorate.store.database import Database
from tests.workbench import DATABASES, on


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """An empty database: every test that asks for it runs on both kinds."""
    with on(request.param, request) as found:
        yield found
