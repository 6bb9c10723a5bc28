"""How much memory is free, as far as the limits of groups of processes go."""

from __future__ import annotations

import pytest

from quorate.scale import free_memory as module
from quorate.scale.free_memory import free_memory

LIMITS = {1: ("memory.limit_in_bytes", "memory.usage_in_bytes"), 2: ("memory.max", "memory.current")}


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A made-up system of 8 GB: groups by path, each with its limit, what it uses and how much of that is cache."""
    monkeypatch.setattr(module, "GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(module, "PROCESSES", tmp_path / "proc")

    def make(own: str, version: int, groups: dict[str, tuple[object, int, int]]) -> None:
        (tmp_path / "proc" / "self").mkdir(parents=True)
        (tmp_path / "proc" / "meminfo").write_text("MemTotal: 9000000 kB\nMemAvailable:    8000000 kB\n")
        (tmp_path / "proc" / "self" / "cgroup").write_text(own)
        root = tmp_path / "cgroup" / ("memory" if version == 1 else "")
        for path, (limit, used, cached) in groups.items():
            folder = root / path
            folder.mkdir(parents=True, exist_ok=True)
            for name, value in zip(LIMITS[version], (limit, used), strict=True):
                (folder / name).write_text(f"{value}\n")
            (folder / "memory.stat").write_text(f"anon 5\ninactive_file {cached}\nactive_file 7\n")

    return make


def test_it_is_a_number_where_the_system_tells():
    free = free_memory()
    assert free is None or 0 <= free < 10**15


def test_nobody_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "GROUPS", tmp_path)
    monkeypatch.setattr(module, "PROCESSES", tmp_path)
    assert free_memory() is None


def test_without_limits_it_is_the_machine_s(system):
    system("0::/\n", 2, {"": ("max", 3 * 10**9, 0)})
    assert free_memory() == 8_192_000_000


@pytest.mark.parametrize(("version", "own"), [(2, "0::/batch/job_7\n"), (1, "9:cpu:/\n4:memory:/batch/job_7\n0::/\n")])
def test_a_job_s_own_group(system, version, own):
    system(own, version, {"batch": (5 * 10**9, 2 * 10**9, 0), "batch/job_7": (2 * 10**9, 10**9, 3 * 10**8)})
    assert free_memory() == 1_300_000_000  # what is cached can be given back


def test_a_limit_further_up(system):
    system("0::/user/shell\n", 2, {"user": (10**9, 6 * 10**8, 0), "user/shell": ("max", 10**8, 0)})
    assert free_memory() == 400_000_000


def test_a_container_that_sees_the_host_s_path_only(system):
    system("4:memory:/docker/ab12\n", 1, {"": (10**9, 10**8, 0)})
    assert free_memory() == 900_000_000


def test_no_limit_of_the_first_version_is_a_huge_one(system):
    system("4:memory:/\n", 1, {"": (9223372036854771712, 10**9, 0)})
    assert free_memory() == 8_192_000_000


def test_more_than_the_limit_in_use_is_nothing_free(system):
    system("0::/\n", 2, {"": (10**9, 2 * 10**9, 0)})
    assert free_memory() == 0
