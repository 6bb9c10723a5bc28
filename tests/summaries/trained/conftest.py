"""One made-up collection for all tests of trained metrics: the generator's defaults, as small as the issue asks."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from quorate.cli import main


@pytest.fixture(scope="session")
def collection(tmp_path_factory):
    """Three years of 8 topics and 12 systems, written by the command; F is careless, C erratic."""
    folder = tmp_path_factory.mktemp("tac")
    done = CliRunner().invoke(main, ["metric", "made-up", "--topics", "8", "--systems", "12", str(folder)])
    assert done.exit_code == 0
    return folder
