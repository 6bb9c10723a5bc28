"""What takes a while and several tests look at: computed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.reproduce import clusters, qsupport
from quorate.reproduce.rows import How, Reproduced


@pytest.fixture(scope="session")
def clusters_simulated() -> Reproduced:
    return clusters.reproduce(How())


@pytest.fixture(scope="session")
def q_support_of_data(data: Path) -> Reproduced:
    return qsupport.reproduce(How(data))
