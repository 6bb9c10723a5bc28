from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest

from tests.web.client import Site, site
from tests.workbench import DATABASES, on


@pytest.fixture(params=DATABASES)
def a_site(request: pytest.FixtureRequest) -> Callable[..., AbstractContextManager[Site]]:
    """A maker of servers: every test that asks for it runs on both kinds of database."""
    return partial(site, on=on(request.param, request))


@pytest.fixture
def bench(a_site: Callable[..., AbstractContextManager[Site]]) -> Iterator[Site]:
    """A server in this process, with a study of two leads and some judges."""
    with a_site() as made:
        yield made
