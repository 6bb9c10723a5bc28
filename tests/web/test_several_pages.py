"""A study that asks three things of the same items: order them, score them, vote on pairs. On both databases."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.store.bundle import _json
from quorate.store.ids import digest, uuid7
from tests.web.client import Caller
from tests.workbench import USUALLY_POSTGRES, complete

PAGES = {"order": {}, "score": {"criteria": [{"id": "clear"}]}, "vote": {"judges": 2}}
GIVEN = {"pages": PAGES, "sequence": {"pages": ["order", "score", "vote"]}, "judges_per_task": 4}


def through(who: Caller, judge: int) -> list[str]:
    """All that there is for a judge; the kinds of page in the order they came."""
    met = []
    while (given := who.post("/api/judge/next")).status_code == 200:
        one = given.json()["assignment"]["id"]
        view = who.get(f"/api/assignments/{one}").json()
        assert "judges" not in view["settings"]  # how many others are asked is no judge's business
        state = complete(view)
        if view["kind"] == "order":
            turn = int(judge == 3)
            state["ranked"] = state["ranked"][turn:] + state["ranked"][:turn]
        if view["kind"] == "score":
            items = enumerate(sorted(state["scores"]))  # each judge differs on an item of his own: nobody is a copy
            state["scores"] = {i: {"clear": 1 + (k + (k == judge)) % 5} for k, i in items}
        saved = who.ask("PUT", f"/api/assignments/{one}/events/{uuid7()}", {"base_seq": 0, "state": state})
        who.post(f"/api/assignments/{one}/submit", {"op": uuid7(), "base_seq": saved.json()["seq"]})
        met.append(view["kind"])
    return met


@pytest.mark.parametrize("a_site", USUALLY_POSTGRES, indirect=True)
def test_the_whole_way_of_a_study_of_three_pages(a_site, tmp_path):
    with a_site(items=4, tasks=2, **GIVEN) as bench:
        lead, path = bench.lead, f"/api/studies/{bench.study.id}"
        met = [through(bench.session(judge=bench.study.judge(f"j{k}")), k) for k in range(4)]
        assert met[0] == ["order", "score", "vote"] * 2
        who = bench.session(judge=bench.study.judge("late"))
        assert who.get("/api/judge").json()["status"] == "full"
        assert met[3] == ["order", "score"] * 2  # two judges have voted already
        found = lead.get(f"{path}/progress").json()
        assert [s["kind"] for s in found["screens"]] == ["order", "score", "vote"]
        assert {(t["kind"], t["submitted"], t["wanted"]) for t in found["by_task"]} == {
            *(("order", 4, 4), ("score", 4, 4), ("vote", 2, 2))
        }
        case = next(t for t in lead.get(f"{path}/adjudication").json()["tasks"] if t["kind"] == "score")
        body = {"task": case["id"], "state": case["suggestion"], "reason": "clear enough"}
        assert lead.post(f"{path}/adjudication", body).status_code == 201
        for kind in ("orderings", "scores", "votes"):
            text = lead.get(f"{path}/export?kind={kind}&raw=1").text
            (tmp_path / "one.csv").write_text(text)
            assert q.read(tmp_path / "one.csv").kind == kind
        methods = {"order": "kemeny", "score": "median"}
        made = lead.post(f"{path}/freeze", {"methods": methods, "report": False})
        assert made.status_code == 201, made.text
        data = lead.get(f"{path}/freezes/1/bundle.zip").content
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            manifest = json.loads(archive.read("manifest.json"))
            decided = [r["decision"] for r in json.loads(archive.read("gold-scores.json"))["results"]]
            others = [r["decision"] for r in json.loads(archive.read("gold-orderings.json"))["results"]]
        assert manifest["methods"]["order"] == "kemeny"
        assert sum(d is not None for d in decided) == 4  # every item of one task
        assert set(others) == {None}  # which was decided as scores, not as an order
        for kind in ("orderings", "scores", "votes"):
            for extension in ("jsonl", "json", "tsv", "parquet"):
                assert {f"formats/judgments-{kind}.{extension}", f"formats/gold-{kind}.{extension}"} <= names
        wanted = {"gold-orderings.run", "gold-scores.qrels", "gold-votes.run", "judgments-orderings-1.soc"}
        assert {f"formats/{name}" for name in wanted} <= names
        file = tmp_path / "gold.zip"
        file.write_bytes(data)
        said = CliRunner().invoke(main, ["verify", str(file)])
        assert (said.exit_code, "Nothing differs" in said.output) == (0, True), said.output
        for name, other in (("gold-orderings.parquet", "gold-votes.parquet"), ("gold-scores.qrels", "gold-votes.run")):
            assert forged(file, tmp_path / "forged.zip", name, other) == [name]
        none = lead.post(f"{path}/freeze", {"report": False, "formats": ["mtbench"]})
        assert (none.status_code, "read, not written" in none.json()["error"]) == (422, True)


def forged(file, target, name, other) -> list[str]:
    """What `verify` names after another file was put in place of one in `formats`, and its hash in the manifest."""
    with zipfile.ZipFile(file) as archive:
        files = {i.filename: archive.read(i) for i in archive.infolist()}
    files[f"formats/{name}"] = files[f"formats/{other}"]
    manifest = json.loads(files["manifest.json"])
    manifest["files"][f"formats/{name}"] = digest(files[f"formats/{name}"])
    files["manifest.json"] = _json(manifest).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for called, data in files.items():
            archive.writestr(called, data)
    found = CliRunner().invoke(main, ["verify", str(target)])
    assert found.exit_code == 1
    differs = [line for line in found.output.splitlines() if line.startswith("differs: ")]
    return [line.removeprefix("differs: formats/").partition(":")[0] for line in differs]
