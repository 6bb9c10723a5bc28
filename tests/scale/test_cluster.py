"""The same bytes from a Dask cluster of processes: with a worker killed, a slow one, and one without the files."""

from __future__ import annotations

import os
import signal
import time

import pytest

import quorate as q
from quorate.errors import InputError
from quorate.scale.pool import Cluster, cluster_of
from tests.scale.made_up import ballots, files, groupings, orderings, scores, votes
from tests.scale.test_scan_tallies import few_are_many

distributed = pytest.importorskip("distributed")
BRIEF = {"resamples": 40, "permutations": 20}


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def pattern(tmp_path_factory) -> str:
    return files(orderings(), tmp_path_factory.mktemp("cluster"))


@pytest.fixture(scope="module")
def expected(pattern) -> str:
    return q.agreement(q.read(*q.scan(pattern).source.files), "tau_b", "rbo", **BRIEF).to_json()


def answer(pattern: str, pool: object) -> str:
    scan = q.scan(pattern, rows=300)
    scan.__dict__["pool"] = pool
    return q.agreement(scan, "tau_b", "rbo", **BRIEF).to_json()


def test_one_task_of_many_judges_is_added_up_on_the_workers(client, tmp_path, monkeypatch):
    few_are_many(monkeypatch)
    ballots(45).write_parquet(tmp_path / "one.parquet")
    found = q.consensus(q.scan(tmp_path / "one.parquet", rows=60, cluster=client), "copeland", resamples=20)
    assert type(found.panel.elsewhere).__name__ == "TallyRows"
    assert found.to_json() == q.consensus(q.read(tmp_path / "one.parquet"), "copeland", resamples=20).to_json()


def both_back(client) -> list[str]:
    """The addresses of two workers that answer: one that was ended may be on its way back, or not be missed yet."""
    end = time.monotonic() + 60
    while True:
        try:
            found = list(client.run(os.getpid))
            if len(found) == 2:
                return found
        except OSError:
            pass
        assert time.monotonic() < end
        time.sleep(0.2)


def test_equal_bytes(client, pattern, expected):
    assert q.agreement(q.scan(pattern, rows=300), "tau_b", "rbo", cluster=client, **BRIEF).to_json() == expected


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "ask", "method"),
    [
        (groupings, q.agreement, "v_beta"),
        (scores, q.agreement, "alpha"),
        (scores, q.judges, "noise"),
        (votes, q.judges, "with_others"),
    ],
)
def test_equal_bytes_of_other_kinds(client, make, ask, method, tmp_path, monkeypatch):
    for home in ("panel.score_design", "scale.scores", "words.agreement_notes"):
        monkeypatch.setattr(f"quorate.{home}.VALUES", 500)
    scan = q.scan(files(make(), tmp_path), rows=400)
    found = ask(scan, method, cluster=client, **BRIEF)
    assert found.panel.elsewhere is not None
    assert found.to_json() == ask(q.read(*scan.source.files), method, **BRIEF).to_json()


@pytest.mark.long
def test_equal_bytes_of_what_judges_agree_on(client, pattern):
    scan = q.scan(pattern, rows=300)
    found = q.consensus(scan, "copeland", cluster=client, **BRIEF)
    assert found.panel.elsewhere is not None
    assert found.to_json() == q.consensus(q.read(*scan.source.files), "copeland", **BRIEF).to_json()


def test_a_worker_killed_in_the_middle(client, pattern, expected):
    class Killing(Cluster):
        killed = False

        def each(self, jobs):
            for done in super().each(jobs):
                if not self.killed:
                    self.killed = True
                    os.kill(next(iter(self.client.run(os.getpid).values())), signal.SIGKILL)
                yield done

    pool = Killing(client)
    assert answer(pattern, pool) == expected
    assert pool.killed


@pytest.mark.long
def test_a_slow_worker(client, pattern, expected):
    def slow():
        import time

        from quorate.scale import jobs

        work = jobs.work

        def slowly(*given):
            time.sleep(0.3)
            return work(*given)

        jobs.work = slowly

    client.run(slow, workers=both_back(client)[:1])
    assert answer(pattern, Cluster(client)) == expected


def test_a_worker_without_the_files(client, pattern, expected):
    def without():
        from quorate.scale import source

        def nowhere(file):
            raise FileNotFoundError(f"{file} is not on this machine")

        source.local = nowhere

    first, *others = both_back(client)
    client.run(without, workers=[first])
    assert answer(pattern, Cluster(client)) == expected
    client.run(without, workers=others)
    with pytest.raises(InputError, match="is not on this machine, or on no worker"):
        answer(pattern, Cluster(client))


def test_a_cluster_that_is_not_there(monkeypatch):
    monkeypatch.setattr("quorate.scale.pool.PATIENCE", 1)
    with pytest.raises(InputError, match="names no cluster"):
        cluster_of("local:none")
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        cluster_of("tcp://127.0.0.1:9")
