"""The API: what its description promises holds for whatever is sent; a language model judges through it, blind."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quorate.store.ids import uuid7
from quorate.web.openapi import described
from tests.family import LONG
from tests.web.client import site
from tests.workbench import USUALLY_ONE, on

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", params=USUALLY_ONE)
def bench(request):
    with site(on=on(request.param, request)) as made:
        yield made


def operations():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import schemathesis

        schema = schemathesis.openapi.from_dict(described())
        return [found.ok() for found in schema.get_all_operations()]


SKIPPED = {"stream", "withdraw"}  # the first ends when the reader goes, after the other the judge is gone
LASTING = {"revoke_judge", "erase_judge", "close_study"}  # sent to what is not there only


def test_every_route_is_described_with_who_may_call_it():
    paths = described()["paths"]
    assert "/api/assignments/{assignment}/events/{op}" in paths
    for path, methods in paths.items():
        for method, about in methods.items():
            assert about["summary"], (method, path)
            assert "security" in about or about["operationId"] == "description"


@pytest.mark.parametrize("operation", operations(), ids=lambda o: f"{o.method} {o.path}")
def test_whatever_is_sent_is_answered_as_described(bench, operation):
    """Made-up requests in the shape that is described, by a judge and a lead: never a 500, always as described."""
    declared = operation.definition.raw
    if declared["operationId"] in SKIPPED:
        return
    who = bench.judge if "judge" in declared["tags"] else bench.lead
    bench.client.app.state.bench.saves.rate = bench.client.app.state.bench.visits.rate = 1e9
    one = bench.study.next(bench.judge_id)
    known = {"study": bench.study.id, "judge": bench.judge_id, "assignment": one["id"] if one else uuid7()}

    @settings(
        max_examples=60 if LONG else 3,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=operation.as_strategy(), own=st.booleans())
    def send(case, own):
        path = case.path
        for name in case.path_parameters or {}:
            mine = own and declared["operationId"] not in LASTING and name in known
            value = known[name] if mine else str(case.path_parameters[name])
            path = path.replace(f"{{{name}}}", "".join(c for c in value if c.isalnum() or c == "-") or "0")
        body = case.body if isinstance(case.body, dict | list | str | int | float | bool) else None
        query = {k: str(v) for k, v in (case.query or {}).items()}
        found = who.ask(case.method, path, body, params=query)
        assert str(found.status_code) in declared["responses"], (found.status_code, found.text[:300])
        assert found.status_code < 500
        assert "hidden-system" not in found.text or "judge" not in declared["tags"]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        send()


def client():
    spec = importlib.util.spec_from_file_location("model_judge", ROOT / "examples" / "model_judge.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_model_judges_blind_beside_people():
    module = client()
    with site() as bench:
        lead = bench.lead
        links = lead.post(f"/api/studies/{bench.study.id}/invite", {"judges": ["some-model"], "kind": "model"}).json()
        about = {"scopes": ["judge"], "judge": links["links"][0]["judge"]}
        token = lead.post("/api/tokens", about).json()["token"]
        prompts = []

        def ask(text: str) -> str:
            prompts.append(text)
            return "2, 1, 3"

        class Here(module.Workbench):
            def call(self, method, path, body=None):
                found = bench.client.request(method, path, json=body, headers={"Authorization": f"Bearer {self.token}"})
                assert found.status_code < 300, found.text
                return found.json() if found.content else None

        assert module.judge_all(Here("http://127.0.0.1:8000", token), ask) == 4
        assert len(prompts) == 1 + 1 + 3 + 3
        assert not any("hidden-system" in p for p in prompts)
        assert module.judge_all(Here("http://127.0.0.1:8000", token), ask) == 0
        rows = lead.get(f"/api/studies/{bench.study.id}/judges").json()["judges"]
        assert [(r["kind"], r["submitted"]) for r in rows if r["name"] == "some-model"] == [("model", 4)]
        who = {r["judge_kind"] for r in _rows(lead.get(f"/api/studies/{bench.study.id}/export?kind=scores").text)}
        assert who == {"model"}


def _rows(text):
    import csv
    import io

    return list(csv.DictReader(io.StringIO(text)))
