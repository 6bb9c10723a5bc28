"""Files in a bucket, by their s3:// URLs: the same bytes as from a folder, in processes and on a Dask cluster."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import quorate as q
from quorate.errors import InputError
from tests.scale.made_up import files, orderings

boto3 = pytest.importorskip("boto3")
server = pytest.importorskip("moto.server")
BRIEF = {"resamples": 40, "permutations": 20}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bucket")
    files(orderings(), folder)
    return folder


@pytest.fixture(scope="module")
def bucket(folder):
    """A bucket with the files, on a server of this process that speaks S3."""
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    url = f"http://{host}:{port}"
    with pytest.MonkeyPatch.context() as patch:
        told = {"ACCESS_KEY_ID": "made-up", "SECRET_ACCESS_KEY": "made-up", "ENDPOINT_URL": url, "REGION": "us-east-1"}
        for name, value in {**told, "ALLOW_HTTP": "true"}.items():
            patch.setenv(f"AWS_{name}", value)
        client = boto3.client("s3", endpoint_url=url, region_name="us-east-1")
        client.create_bucket(Bucket="panel")
        for file in sorted(folder.glob("*.parquet")):
            client.upload_file(str(file), "panel", f"rows/{file.name}")
        yield "s3://panel/rows/*.parquet"
    running.stop()


@pytest.fixture(scope="module")
def expected(folder) -> str:
    return q.agreement(q.read(*sorted(map(str, folder.glob("*.parquet")))), "tau_b", **BRIEF).to_json()


def test_a_pattern_of_objects_in_processes(bucket, expected):
    found = q.agreement(q.scan(bucket, rows=400, workers=1), "tau_b", **BRIEF)
    assert found.panel.elsewhere is not None
    assert found.to_json() == expected


def test_an_object_that_is_not_there(bucket):
    with pytest.raises(InputError, match=r"s3://panel/rows/none\.parquet: not there"):
        q.agreement(q.scan("s3://panel/rows/none.parquet"), "tau_b")


@pytest.mark.long
def test_on_a_cluster(bucket, expected):
    distributed = pytest.importorskip("distributed")
    assert os.environ["AWS_ENDPOINT_URL"]  # which workers inherit
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert q.agreement(q.scan(bucket, rows=400), "tau_b", cluster=client, **BRIEF).to_json() == expected
