"""Counting by token (-t), lists of files (-z), and Nouveau-ROUGE on the command line."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from quorate.cli import main
from quorate.errors import BadParameter, InputError, UnknownId
from quorate.formats.metrics import read_metrics
from quorate.formats.rouge_files import read_list
from quorate.summaries.rouge import Texts, rouge
from quorate.summaries.rouge.nouveau import PUBLISHED, earlier_rows, updates
from quorate.summaries.rouge.perl import averages, draws
from tests.reference import rouge as reference

TEXT = st.lists(st.lists(st.sampled_from("abc"), max_size=5).map(" ".join), min_size=1, max_size=3).map("\n".join)


def run(*words, code=0):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ["rouge", *map(str, words)], prog_name="quorate")
    assert result.exit_code == code, result.output
    return result


@given(tasks=st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_by_token_hits_and_lengths_are_added_up_before_dividing(tasks):
    found = rouge([s for s, _ in tasks], [r for _, r in tasks], ["1", "2", "SU4"]).by_token()
    for v, name in enumerate(("1", "2", "SU4")):
        sums = [0, 0, 0]
        for summary, references in tasks:
            for text in references:
                hits, theirs, ours, _ = reference.grams(name, *map(reference.sentences, (summary, text)))
                sums = [a + b for a, b in zip(sums, (theirs, ours, hits), strict=True)]
        row = found.rows()[v]
        assert [row[n] for n in ("reference", "summary", "hits")] == sums
        assert row["R"] == pytest.approx(sums[2] / sums[0] if sums[0] else 0.0)


def test_by_token_resamples_are_those_of_the_script():
    summaries, references = ["a b c", "b", "c c a d"], [["a b"], ["b c d e"], ["a c d d"]]
    (found,) = averages(rouge(summaries, references, ["1"]), 0.9, 50, by_tokens=True)
    counts = [(2, 3, 2), (4, 1, 1), (4, 4, 3)]
    sums = [[sum(counts[d][c] for d in drawn) for c in range(3)] for drawn in draws(3, 50).tolist()]
    recalls = sorted(h / m for m, _, h in sums)
    precisions = sorted(h / p for _, p, h in sums)
    assert found.figures[0][0] == pytest.approx(sum(recalls) / 50)
    assert found.figures[1][0] == pytest.approx(sum(precisions) / 50)
    assert found.counts == (10, 8, 6)


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "peers.csv").write_text(
        "task,system,text\nD1-B,7,the dog sat\nD2-B,7,a cat\nD1-B,8,no\nD2-B,8,cat ran\n"
    )
    (tmp_path / "models.csv").write_text("task,model,text\nD1-B,P,the dog sat\nD1-B,Q,a dog\nD2-B,P,the cat ran\n")
    (tmp_path / "early.csv").write_text("task,model,text\nD1-A,P,the dog came\nD2-A,Q,a cat came\n")
    return tmp_path


def test_raw_counts_are_printed_as_the_script_prints_them(tables):
    given = ("--peers", tables / "peers.csv", "--models", tables / "models.csv", "--rouge", "1", "--format", "perl")
    lines = run(*given, "--count-by", "raw").output.splitlines()
    assert lines[1] == "7 ROUGE-1 M_count: 8 P_count: 8 H_count: 5"
    assert lines[3] == "7 ROUGE-1 Eval D1-B.7 R:5 P:6 F:4"
    assert "Average_R" in run(*given, "--count-by", "token").output


@pytest.mark.parametrize("output", ["csv", "perl"])
def test_counts_are_never_read_back_as_scores(tables, output):
    given = ("--peers", tables / "peers.csv", "--models", tables / "models.csv", "--rouge", "1", "--rouge", "W")
    path = tables / f"scores.{output}"
    path.write_text(run(*given, "--count-by", "token", "--format", output).output)
    found = read_metrics(path)
    assert found.judges == tuple(f"ROUGE-{r}_{letter}" for r in ("1", "W-1.2") for letter in "RPF")
    assert found.tasks == ("all",)
    assert max(found.value) <= 1
    assert any("counted by token" in n for n in found.notes)


def test_raw_counts_are_no_metrics(tables):
    given = ("--peers", tables / "peers.csv", "--models", tables / "models.csv", "--rouge", "1", "--format", "perl")
    path = tables / "counts.out"
    path.write_text(run(*given, "--count-by", "raw").output)
    with pytest.raises(InputError, match="ROUGE ran with -t 2"):
        read_metrics(path)
    path.write_text("7 ROUGE-1 Eval D1.7 R:1 P:1 F:0\n")  # counts of one word each, and no averages to fall back on
    with pytest.raises(InputError, match="ROUGE ran with -t 1"):
        read_metrics(path)
    path.write_text("7 ROUGE-1 Eval D1.7 R:1.00000 P:1.00000 F:1.00000\n")
    assert read_metrics(path).value.tolist() == [1, 1, 1]


def test_stems_of_the_models_only_leave_n_grams_alone():
    pytest.importorskip("snowballstemmer")
    given = ["the kitten walks", "the kitten walk"], [["the kitten walks"]] * 2
    found = rouge(*given, ["1", "SU4", "L"], stem_models=True)
    assert found["1_R"].tolist() == pytest.approx([1, 2 / 3])
    assert found["SU4_R"][0] < found["SU4_R"][1] == 1
    assert found["L_R"].tolist() == pytest.approx([2 / 3, 1])
    assert found.options["stem_models"] is True
    with pytest.raises(BadParameter, match="leave out one of the two"):
        rouge(*given, stem=True, stem_models=True)


def test_counting_by_token_in_every_format_and_what_it_cannot_do(tables):
    given = ("--peers", tables / "peers.csv", "--models", tables / "models.csv", "--count-by", "token")
    text = run(*given).output
    assert text.startswith("2 systems, counted by token: the best by ROUGE-2_R is ")
    assert max(map(len, text.splitlines())) <= 80
    found = json.loads(run(*given, "--format", "json").output)
    assert found["systems"][0]["scores"]["ROUGE-1"]["counts"] == {"reference": 8, "summary": 8, "hits": 5}
    assert run(*given, "--format", "csv").output.startswith("system,rouge,reference,summary,hits,R,P,F\n7,ROUGE-1,8.0")
    assert "jackknifed" in run(*given, "--jackknife", code=2).stderr
    with pytest.raises(UnknownId):
        rouge(["a"], [["a"]], ["1"]).by("ROUGE-2_R")
    with pytest.raises(BadParameter):
        rouge(["a"], [["a", "b"]], ["1"], jackknife=True).by_token()


def test_a_list_of_files_is_a_set_up_of_one_system(tmp_path):
    for name, text in (("p1", "the dog"), ("p2", "a cat"), ("m1", "the dog sat"), ("m2", "a dog")):
        (tmp_path / name).write_text(text)
    listed = tmp_path / "files"
    listed.write_text("# summaries and models\np1 m1 m2\n\n  p2   m2\n")
    one, two = read_list(listed)
    assert (one.id, one.peers, [m for m, _ in one.models]) == ("1", (("X", "the dog"),), ["M.1", "M.2"])
    assert two.models == (("M.1", "a dog"),)
    found = json.loads(run(listed, "--list", "SPL", "--system", "ours", "--format", "json").output)
    assert found["systems"][0]["system"] == "ours"
    assert [s["task"] for s in found["summaries"]] == ["1", "2"]


def test_isi_and_see_texts_are_read_from_lists_too(tmp_path):
    (tmp_path / "p").write_text('<S SNTNO="1">The dog sat.</S>\n<S SNTNO="2">It barked.</S>\nnot this\n')
    (tmp_path / "s").write_text('<a name="1">[1]</a> <a href="#1" id=1>The dog sat.</a>\nnot this\n')
    (tmp_path / "l").write_text("p p\n")
    assert read_list(tmp_path / "l", "ISI")[0].peers[0][1] == "The dog sat.\nIt barked."
    (tmp_path / "l").write_text("s s\n")
    assert read_list(tmp_path / "l", "SEE")[0].peers[0][1] == "The dog sat."


@pytest.mark.parametrize(
    ("content", "told"), [("p1\n", "no model"), ("", "nothing in it"), ("gone gone\n", "not there")]
)
def test_bad_lists_are_told(tmp_path, content, told):
    (tmp_path / "p1").write_text("x")
    (tmp_path / "files").write_text(content)
    with pytest.raises(InputError, match=told):
        read_list(tmp_path / "files")
    with pytest.raises(InputError, match="input format HTML is not read"):
        read_list(tmp_path / "files", "HTML")


def test_nouveau_rouge_is_the_published_sum_of_both_rouges(tables):
    given = ("--peers", tables / "peers.csv", "--models", tables / "models.csv", "--nouveau", tables / "early.csv")
    found = json.loads(run(*given, "--format", "json").output)
    for row in found["summaries"]:
        for n, c in PUBLISHED.items():
            expected = c.constant + c.old * row[f"ROUGE-{n}_R_earlier"] + c.new * row[f"ROUGE-{n}_R_update"]
            assert row[f"Nouveau-ROUGE-{n}"] == pytest.approx(expected)
    first = next(r for r in found["summaries"] if (r["task"], r["system"]) == ("D1-B", "7"))
    assert (first["ROUGE-1_R_earlier"], first["ROUGE-1_R_update"]) == pytest.approx((2 / 3, 4 / 5))
    text = run(*given, "--by", "1").output
    assert text.startswith("2 systems on 2 tasks: the best by Nouveau-ROUGE-1 is 8")
    assert max(map(len, text.splitlines())) <= 80
    assert run(*given, "--format", "csv").output.startswith("task,system,Nouveau-ROUGE-1,")


def test_coefficients_are_refitted_from_a_table_of_scores(tmp_path):
    rng = random.Random(1)
    summaries, models, early = (
        [(f"T{k}", who, " ".join(rng.choices("abcdefgh", k=6))) for k in range(6) for who in names]
        for names in ((1, 3), ("P",), ("P",))
    )
    plain = updates(Texts.of_rows(summaries, models), earlier_rows(summaries, early), by=1)
    wanted = {
        (str(t), str(s)): 1 - 2 * o + 3 * n
        for (t, s), o, n in zip(plain.cells, plain.old[0], plain.new[0], strict=True)
    }
    for name, rows in (("peers", summaries), ("models", models), ("early", early)):
        who = "system" if name == "peers" else "model"
        lines = [f"task,{who},text", *(f"{t},{w},{x}" for t, w, x in rows)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    (tmp_path / "scores.csv").write_text(
        "task,system,score\n" + "".join(f"{t},{s},{v}\n" for (t, s), v in wanted.items())
    )
    given = (
        "--peers",
        tmp_path / "peers.csv",
        "--models",
        tmp_path / "models.csv",
        "--nouveau",
        tmp_path / "early.csv",
    )
    found = json.loads(run(*given, "--fit", tmp_path / "scores.csv", "--by", "1", "--format", "json").output)
    one = found["coefficients"]["1"]
    assert (one["constant"], one["old"], one["new"]) == pytest.approx((1, -2, 3))
    assert (one["plausible"], one["summaries"], one["r_squared"]) == (True, 12, pytest.approx(1))
    text = run(*given, "--fit", tmp_path / "scores.csv", "--by", "1").output
    assert "R squared 1.00" in " ".join(text.split())


def test_mistakes_with_nouveau_rouge_are_told(tables):
    given = ("--peers", tables / "peers.csv", "--models", tables / "models.csv")
    assert "--fit is for --nouveau" in run(*given, "--fit", tables / "peers.csv", code=2).stderr
    more = (*given, "--nouveau", tables / "early.csv")
    assert "no figure of ROUGE-1.5.5" in run(*more, "--format", "perl", code=2).stderr
    assert "--by 1 or --by 2" in run(*more, "--by", "3", code=2).stderr
    assert "no column 'score'" in run(*more, "--fit", tables / "peers.csv", code=2).stderr
    (tables / "bad.csv").write_text("task,system,score\nD1-B,7,good\n")
    assert "score is not a number" in run(*more, "--fit", tables / "bad.csv", code=2).stderr
    (tables / "few.csv").write_text("task,system,score\nD1-B,7,1\n")
    assert "too few" in run(*more, "--fit", tables / "few.csv", code=2).stderr
    assert "--list is for" in run(*given, "--list", "SPL", code=2).stderr


def test_another_stemmer_is_asked_for_by_its_name(tmp_path):
    (tmp_path / "p.csv").write_text("task,system,text\nT,7,agreement\n")
    (tmp_path / "m.csv").write_text("task,model,text\nT,A,agreem\n")
    given = (
        "--peers",
        str(tmp_path / "p.csv"),
        "--models",
        str(tmp_path / "m.csv"),
        "--rouge",
        "1",
        "--format",
        "json",
    )
    found = [
        json.loads(run(*given, *how).output)["systems"][0]["scores"]["ROUGE-1"]["R"]
        for how in (("--stem",), ("--stemmer", "porter"))
    ]
    assert [r["mean"] for r in found] == [1.0, 0.0]
    assert "porter" in run(*given, "--stemmer", "portre", code=2).stderr
