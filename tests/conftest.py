"""Fixtures for all tests, and how long they take: ``make long`` has more examples, whole families, larger studies."""

from __future__ import annotations

import fcntl
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests import without
from tests.family import LONG, PROFILE

settings.register_profile("short", max_examples=3, deadline=None, database=None, derandomize=True)  # the same for all
settings.register_profile("long", max_examples=200, deadline=None)
settings.load_profile(PROFILE)


if not LONG:  # which numbers and names stand in our source, of 600 files in every process, three examples need not know
    providers._get_local_constants = lambda: providers._local_constants

gc.disable()  # while tests are collected: all of it stays until the end

ALONE = os.open(__file__, os.O_RDONLY)  # a lock, which ends with the process


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Of several processes one collects before the others, who find the bytecode that it has written."""
    if not hasattr(session.config, "workerinput"):  # this one collects nothing, or is alone
        return
    try:
        fcntl.flock(ALONE, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        fcntl.flock(ALONE, fcntl.LOCK_SH)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Any:
    """Examples in docstrings are in the source; tests have none."""
    return [found for found in (yield) if not isinstance(found, DoctestModule)]


def pytest_collection_finish() -> None:
    """What is there now need not be looked through again and again."""
    fcntl.flock(ALONE, fcntl.LOCK_UN)
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # seldom, as little is left in circles
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Studies whose short form is a test of its own wait for ``make long``."""
    waiting = [] if LONG else [item for item in items if item.get_closest_marker("long")]
    if waiting:
        config.hook.pytest_deselected(items=waiting)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of public data sets."""
    named = os.environ.get("QUORATE_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs the public data sets: set QUORATE_DATA")
    return folder


@pytest.fixture(scope="module")
def in_small() -> Iterator[None]:
    """Few draws, for a module that looks at words and pages: ``pytestmark = pytest.mark.usefixtures("in_small")``."""
    with without.in_small():
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    """A PostgreSQL server, started when a test first asks for it."""
    from tests.workbench import postgres

    with postgres() as found:
        yield found
