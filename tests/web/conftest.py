from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.client import Site, site


@pytest.fixture
def bench() -> Iterator[Site]:
    """A server in this process, with a study of two leads and some judges."""
    with site() as made:
        yield made
