"""A lead's way: password, study, items, judges, figures, adjudication, freeze, verify, export, import."""

from __future__ import annotations

import io
import json
import os
import signal
import time
import zipfile

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.store import bundle, leads
from quorate.store.definition import PANELS
from quorate.store.ids import canonical, digest
from quorate.table import QUESTIONS, declarations
from tests.web.client import site
from tests.workbench import USUALLY_ONE, complete, on

pytestmark = pytest.mark.usefixtures("in_small")


def judged(bench, judges: int = 4) -> None:
    """Judges who have done everything; the last one backwards."""
    study = bench.study
    for k in range(judges):
        judge = study.judge(f"judge {k}")
        while (one := study.next(judge)) is not None:
            state = complete(study.view(one["id"], judge), backwards=k == judges - 1)
            study.submit(one["id"], judge, study.save(one["id"], judge, state)["seq"])


@pytest.fixture(scope="module", params=USUALLY_ONE)
def full(request):
    with site(on=on(request.param, request), judges_per_task=9, items=5, tasks=2) as made:
        judged(made)
        yield made


def test_a_password_is_set_once_by_a_link_and_then_asked_for():
    with site() as bench:
        client = bench.client
        secret = bench.database.now(leads.first_link)
        page = client.get(f"/lead/first/{secret}")
        token = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        assert page.status_code == 200
        assert token
        form = {"csrf": token, "password": "long enough 1", "again": "long enough 1"}
        assert client.post(f"/lead/first/{secret}", data={**form, "csrf": "x"}).status_code == 403
        assert client.post(f"/lead/first/{secret}", data={**form, "again": "other"}).status_code == 422
        assert client.post(f"/lead/first/{secret}", data={**form, "password": "s", "again": "s"}).status_code == 422
        done = client.post(f"/lead/first/{secret}", data=form, follow_redirects=False)
        assert (done.status_code, done.headers["location"]) == (303, "/lead")
        assert client.post(f"/lead/first/{secret}", data=form).status_code == 422
        assert bench.database.now(leads.first_link) is None
        client.cookies.clear()
        token = client.get("/lead/login").text.partition('name="csrf" value="')[2].partition('"')[0]
        wrong = client.post("/lead/login", data={"csrf": token, "password": "wrong"}, follow_redirects=False)
        right = client.post("/lead/login", data={"csrf": token, "password": "long enough 1"}, follow_redirects=False)
        assert (wrong.status_code, right.status_code) == (401, 303)
        for _ in range(12):
            last = client.post("/lead/login", data={"csrf": token, "password": "wrong"})
        assert last.status_code == 429


def test_a_study_from_the_browser_in_a_few_calls():
    with site() as bench:
        lead = bench.lead
        given = {"title": "New", "kind": "order", "guidelines": "**Do** <b>it</b>", "settings": {"ties": False}}
        made = lead.post("/api/studies", given).json()["id"]
        text = "task,text,system,colour\na,one,x,red\na,two,y,blue\n"
        dry = lead.post(f"/api/studies/{made}/items?dry=1", {"text": text, "format": "csv"}).json()
        assert (dry["items"], dry["tasks"], dry["notes"]) == (2, 1, ["column 'colour' is not used"])
        assert lead.post(f"/api/studies/{made}/items", {"text": text, "format": "csv"}).json()["items"] == 2
        links = lead.post(f"/api/studies/{made}/invite", {"judges": ["ann", "bob"]}).json()["links"]
        assert [link["name"] for link in links] == ["ann", "bob"]
        shown = lead.get(f"/api/studies/{made}").json()
        assert (shown["items"], shown["judges"], shown["definition"]["pages"]["order"]["ties"]) == (2, 2, False)
        assert lead.ask("PATCH", f"/api/studies/{made}", {"title": "Newer"}).json() == {"version": 2}
        wrong = lead.post("/api/studies", {"title": "x", "pages": {"odrer": {}}})
        assert (wrong.status_code, "order" in wrong.json()["hint"]) == (422, True)
        lone = lead.post(f"/api/studies/{made}/items", {"text": "text\n=1+1\n", "format": "csv"})
        assert lone.json()["items"] == 1


def test_figures_are_those_of_the_verbs_on_the_exported_panel(full, tmp_path):
    lead, study = full.lead, full.study.id
    found = lead.get(f"/api/studies/{study}/progress").json()
    assert found["counts"]["submitted"] == 4 * 8
    wide = lead.get(f"/api/studies/{study}/intervals").json()
    assert wide["as_of"] == found["as_of"]
    for kind, method in (("orderings", "tau_b"), ("votes", "alpha")):
        file = tmp_path / f"{kind}.csv"
        file.write_bytes(lead.get(f"/api/studies/{study}/export?format=csv&kind={kind}").content)
        (e,) = q.agreement(q.read(file), method).findings[0].overall
        at_once, later = (
            next(a for a in told["agreement"] if (a["kind"], a["method"]) == (kind, method)) for told in (found, wide)
        )
        assert at_once["value"] == later["value"] == pytest.approx(e.value)
        assert ("low" in later) == (e.interval is not None)  # none of judges who all say the same
    looks = [a for a in lead.get(f"/api/studies/{study}/audit").json()["audit"] if a["what"] == "look"]
    assert len(looks) == 2
    assert any((f["judge"], f["kind"]) == ("judge 3", "group") for f in found["flags"])


def test_the_dashboard_speaks_as_the_report_does_and_names_no_method(full):
    lead, study = full.lead, full.study.id
    at_once = lead.get(f"/api/studies/{study}/progress").json()
    wide = lead.get(f"/api/studies/{study}/intervals").json()
    assert [s["kind"] for s in at_once["screens"]] == [s["kind"] for s in wide["screens"]] == list(PANELS)
    page = q.report(_panel(full)).first_screen
    told = next(s for s in wide["screens"] if s["kind"] == "order")
    assert (told["headline"], told["sub"]) == (page.headline, page.sub)
    assert [t["figure"].lower() for t in told["tiles"]] == [t.figure.lower() for t in page.tiles]
    assert [s["do"] for s in told["steps"]] == [s.do for s in page.steps]
    every = {d.name for kind in PANELS.values() for question in QUESTIONS for d in declarations(kind, question)}
    names = {name for name in every if "_" in name} | {"alpha", "icc", "kemeny", "rho", "rbo"}
    for screen in (*at_once["screens"], *wide["screens"]):
        words = {w for t in screen["tiles"] for text in (t["word"], t["figure"], t["note"]) for w in text.split()}
        assert not words & names
    assert [t["name"] for t in at_once["screens"][0]["tiles"]] == ["agreement", "judges", "result"]
    assert not at_once["screens"][0]["steps"]  # what to do is told with how sure it is


def test_adjudication_is_a_judgment_beside_the_others(full):
    lead, study = full.lead, full.study.id
    tasks = lead.get(f"/api/studies/{study}/adjudication").json()["tasks"]
    worst = [t["disagreement"] for t in tasks if t["disagreement"] is not None]
    assert len(worst) > 2
    assert worst == sorted(worst, reverse=True)
    case = next(t for t in tasks if t["kind"] == "order")
    assert len(case["judgments"]) == 4
    body = {"task": case["id"], "state": case["suggestion"], "reason": "as most say"}
    assert lead.post(f"/api/studies/{study}/adjudication", {**body, "reason": ""}).status_code == 422
    assert lead.post(f"/api/studies/{study}/adjudication", body).status_code == 201
    again = lead.get(f"/api/studies/{study}/adjudication").json()["tasks"]
    assert next(t for t in again if t["id"] == case["id"])["decided"]["reason"] == "as most say"
    assert len(next(t for t in again if t["id"] == case["id"])["judgments"]) == 4


@pytest.fixture(scope="module")
def frozen(full, tmp_path_factory):
    lead, study = full.lead, full.study.id
    made = lead.post(
        f"/api/studies/{study}/freeze", {"methods": {"order": "kemeny"}, "report": False, "formats": ["jsonl"]}
    )
    assert made.status_code == 201, made.text
    file = tmp_path_factory.mktemp("gold") / "gold.zip"
    file.write_bytes(lead.get(f"/api/studies/{study}/freezes/{made.json()['n']}/bundle.zip").content)
    return file, made.json()


def run(*words):
    return CliRunner().invoke(main, [str(w) for w in words])


def test_a_gold_standard_is_recomputed_from_its_raw_judgments(frozen):
    file, made = frozen
    found = run("verify", file)
    assert found.exit_code == 0, found.output
    assert made["sha256"] in found.output
    assert "Nothing differs" in found.output


def changed(file, target, name: str, change) -> None:
    """A bundle with one file changed, and its hash in the manifest with it, as a careful forger would."""
    with zipfile.ZipFile(file) as archive:
        files = {i.filename: archive.read(i) for i in archive.infolist()}
    files[name] = change(files[name].decode()).encode()
    manifest = json.loads(files["manifest.json"])
    manifest["files"][name] = digest(files[name])
    files["manifest.json"] = bundle._json(manifest).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for called, text in files.items():
            archive.writestr(called, text)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("gold-orderings.json", lambda t: t.replace('"t0-i0"', '"t0-i1"', 1), "gold-orderings.json: recomputed"),
        ("judgments-orderings.csv", lambda t: t.replace("judge 0", "judge 9", 1), "judgments-orderings.csv: recomp"),
        ("agreement-votes.json", lambda t: t.replace("0.", "0.9", 1), "agreement-votes.json: recomputed"),
        ("events.jsonl", lambda t: t.replace('"device":""', '"device":"x"', 1), "its hash is not that"),
        ("events.jsonl", lambda t: t.partition("\n")[2], "is missing"),
    ],
)
def test_whatever_was_changed_is_named(frozen, tmp_path, name, change, said):
    target = tmp_path / "forged.zip"
    changed(frozen[0], target, name, change)
    found = run("verify", target)
    assert (found.exit_code, said in found.output) == (1, True), found.output


def test_a_file_that_was_swapped_without_its_hash_is_named(frozen, tmp_path):
    target = tmp_path / "forged.zip"
    with zipfile.ZipFile(frozen[0]) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, old.read(info) + (b" " if info.filename == "study.json" else b""))
        new.writestr("extra.txt", "x")
    found = run("verify", target)
    assert "study.json: not the file that was frozen" in found.output
    assert "extra.txt: not part of what was frozen" in found.output


def test_what_is_no_bundle_is_refused_in_words(tmp_path):
    (tmp_path / "no.zip").write_bytes(b"nothing")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a", "b")
    (tmp_path / "empty.zip").write_bytes(stream.getvalue())
    for name in ("no.zip", "empty.zip", "none.zip"):
        found = run("verify", tmp_path / name)
        assert (found.exit_code, "Error" in found.output) == (2, True)


def test_exclusions_are_kept_with_reasons_and_change_the_next_gold_standard(full):
    lead, study = full.lead, full.study.id
    off = next(j["id"] for j in lead.get(f"/api/studies/{study}/judges").json()["judges"] if j["name"] == "judge 3")
    made = lead.post(f"/api/studies/{study}/exclusions", {"judge": off, "reason": "turned the scale round"})
    assert made.status_code == 201
    before = lead.get(f"/api/studies/{study}/freezes").json()["freezes"]
    assert lead.post(f"/api/studies/{study}/freeze", {"report": False, "formats": []}).status_code == 201
    after = lead.get(f"/api/studies/{study}/freezes").json()["freezes"]
    assert after[: len(before)] == before
    assert (after[-1]["exclusions"], after[-1]["judges"]) == (1, 3)
    assert lead.ask("DELETE", f"/api/studies/{study}/exclusions/{made.json()['id']}").status_code == 204
    assert lead.get(f"/api/studies/{study}/progress").json()["counts"]["submitted"] == 32


def test_exports_escape_formulas_and_imports_bring_judgments_in():
    with site(pages={"order": {}}, items=2) as bench:
        lead, study = bench.lead, bench.study.id
        rows = "task,judge,item,position\nt0,=cmd(),t0-i0,1\nt0,=cmd(),t0-i1,2\nnew,ann,x,1\nnew,ann,y,2\n"
        found = lead.post(f"/api/studies/{study}/import", {"name": "j.csv", "data": rows})
        assert found.status_code == 201, found.text
        assert (found.json()["judgments"], found.json()["judges"], found.json()["items"]) == (2, 2, 2)
        assert "'=cmd()" in lead.get(f"/api/studies/{study}/export?format=csv").text
        assert ",=cmd()," in lead.get(f"/api/studies/{study}/export?format=csv&raw=1").text
        again = lead.post(f"/api/studies/{study}/import", {"name": "j.csv", "data": rows})
        assert (again.status_code, "already" in again.json()["error"]) == (422, True)
        bad = lead.post(f"/api/studies/{study}/import", {"name": "j.csv", "data": "judge,item,score\na,b,3\n"})
        assert (bad.status_code, "no page" in bad.json()["error"]) == (422, True)


@pytest.mark.parametrize("format", ["csv", "jsonl", "tsv", "json", "preflib"])
def test_every_export_is_read_back_alike(full, tmp_path, format):
    lead, study = full.lead, full.study.id
    data = lead.get(f"/api/studies/{study}/export?format={format}&kind=orderings&raw=1")
    if format == "preflib":
        assert data.status_code == 422  # several tasks are several files
        return
    file = tmp_path / f"a.{format}"
    file.write_bytes(data.content)
    assert q.read(file, kind="orderings").by_name.orders("t0") == _panel(full).by_name.orders("t0")


def _panel(full):
    from quorate.store.exports import panel

    with full.database.read() as connection:
        return panel(connection, full.study.id, "order")


def test_a_closed_study_takes_nothing_and_can_be_opened_again():
    with site() as bench:
        lead, who = bench.lead, bench.judge
        assert lead.post(f"/api/studies/{bench.study.id}/close").json() == {"state": "closed"}
        assert who.post("/api/judge/next").status_code == 204
        assert who.get("/api/judge").json()["status"] == "closed"
        lead.post(f"/api/studies/{bench.study.id}/reopen")
        assert who.post("/api/judge/next").status_code == 200


def test_figures_go_on_after_the_child_process_was_killed():
    with site(pages={"order": {}}, judges_per_task=9, child=True) as bench:
        judged(bench)
        lead, path = bench.lead, f"/api/studies/{bench.study.id}/progress"
        before = lead.get(path).json()["agreement"]
        assert before
        pids = list(bench.client.app.state.bench.figures._pool._processes)
        assert pids
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        assert lead.get(path).json()["agreement"] == before


def test_events_are_streamed_and_resumed(full):
    from starlette.testclient import TestClient

    assert isinstance(full.client, TestClient)
    who, study = full.lead, full.study
    headers = {**who.headers, "Cookie": f"q_lead={who.cookies['q_lead']}", "Last-Event-ID": "3"}
    bench = full.client.app.state.bench
    bench.stopping.clear()
    import threading

    threading.Timer(1.5, bench.stopping.set).start()
    found = full.client.get(f"/api/studies/{study.id}/events", headers=headers)
    bench.stopping.clear()
    assert found.headers["content-type"].startswith("text/event-stream")
    numbers = [int(line[4:]) for line in found.text.splitlines() if line.startswith("id: ")]
    assert numbers[0] == 3
    assert numbers[1] > 3
    told = json.loads(found.text.partition("event: progress\ndata: ")[2].partition("\n")[0])
    assert canonical(told["counts"])
    assert told["as_of"] == numbers[1]
