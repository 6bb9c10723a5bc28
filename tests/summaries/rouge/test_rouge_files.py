"""ROUGE's set-up files, tables of texts, and its output lines; the command line on both."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.errors import InputError
from quorate.formats import read
from quorate.formats.metrics import read_metrics
from quorate.formats.rouge_files import Average, output_lines, read_setup, read_words
from quorate.formats.table_records import read_texts
from quorate.summaries.rouge import Texts, rouge
from quorate.summaries.rouge.perl import averages, draws

SETUP = """<ROUGE_EVAL version="1.55">
 <EVAL ID="D9901-A.M.100.K">
  <PEER-ROOT> peers
  </PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT>
  <INPUT-FORMAT TYPE="{style}"></INPUT-FORMAT>
  <PEERS><P ID="7">D9901-A.7</P><P ID="12">D9901-A.12</P></PEERS>
  <MODELS><M ID="P">D9901-A.P</M><M ID="Q">D9901-A.Q</M></MODELS>
 </EVAL>
</ROUGE_EVAL>
"""
TEXTS = {
    "peers/D9901-A.7": "The dog sat on the mat.\nIt barked.",
    "peers/D9901-A.12": "A cat ran.",
    "models/D9901-A.P": "The dog sat.\nIt barked loudly.",
    "models/D9901-A.Q": "Dogs bark.",
}


@pytest.fixture
def setup(tmp_path):
    def write(texts=TEXTS, style="SPL", content=SETUP):
        for name, text in texts.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        path = tmp_path / "rouge.xml"
        path.write_text(content.replace("{style}", style))
        return path

    return write


def run(*words):
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, ["rouge", *map(str, words)], prog_name="quorate")


def test_a_set_up_file_brings_the_texts_it_names(setup):
    (found,) = read_setup(setup())
    assert found.id == "D9901-A.M.100.K"
    assert found.peers[0] == ("7", TEXTS["peers/D9901-A.7"])
    assert [m for m, _ in found.models] == ["P", "Q"]


def test_isi_and_see_texts_are_their_sentences(setup):
    isi = '<S SNTNO="1">The dog sat.</S>\n<X>left out</X>\n<S SNTNO="2a">It barked.</S>\n'
    see = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>The dog sat.</a>\n'
    see += '<a size="9" name="2">[2]</a> <a href="#2" id=2>It barked.</a>'
    for style, text in (("ISI", isi), ("SEE", see)):
        (found,) = read_setup(setup(dict.fromkeys(TEXTS, text), style))
        assert found.peers[0][1] == "The dog sat.\nIt barked."
    with pytest.raises(InputError, match="input format HTML is not read"):
        read_setup(setup(style="HTML"))


def test_latin_1_texts_and_small_tags_are_read(setup):
    texts = {**TEXTS, "peers/D9901-A.7": "caf\xe9".encode("latin-1")}
    (found,) = read_setup(
        setup(texts, content=SETUP.replace("PEERS", "peers").replace("<EVAL", "<eval").replace("/EVAL", "/eval"))
    )
    assert found.peers[0][1] == "café"
    assert found.notes == ("not UTF-8 and read as Latin-1: 1 texts",)


def test_a_set_up_may_be_called_with_a_hyphen_as_most_programs_write_it(setup):
    content = SETUP.replace("ROUGE_EVAL", "ROUGE-EVAL")
    assert read_setup(setup(content=content)) == read_setup(setup())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><ROUGE_EVAL>&e;</ROUGE_EVAL>', "refused"),
        ("<ROUGE_EVAL><EVAL ID='1'>", "not XML"),
        ("<other/>", "no ROUGE set-up"),
        ("<ROUGE_EVAL/>", "no <EVAL>"),
        ("<ROUGE_EVAL><EVAL/></ROUGE_EVAL>", "without ID"),
        ("<ROUGE_EVAL><EVAL ID='1'/></ROUGE_EVAL>", "no peers"),
        (SETUP.replace("D9901-A.Q", "nowhere"), "models/nowhere"),
        (SETUP.replace('ID="12"', 'ID="7"'), "7 is there twice"),
    ],
)
def test_bad_set_ups_are_told(setup, content, told):
    path = setup(content=content.replace("{style}", "SPL"))
    with pytest.raises(InputError, match=told):
        read_setup(path)


def test_tables_of_texts_are_csv_or_json_lines(tmp_path):
    (tmp_path / "a.csv").write_text('Task,text,System\nT,"one\ntwo",7\n')
    (tmp_path / "a.jsonl").write_text(
        '{"task": 1, "system": "7", "text": "x"}\n\n{"text": null, "task": 2, "system": 8}\n'
    )
    assert read_texts(tmp_path / "a.csv", "system") == [("T", "7", "one\ntwo")]
    assert read_texts(tmp_path / "a.jsonl", "system") == [("1", "7", "x"), ("2", "8", "")]
    with pytest.raises(InputError, match="no column 'model'"):
        read_texts(tmp_path / "a.csv", "model")
    (tmp_path / "b.jsonl").write_text('{"task": 1}\n[]\nnot json\n')
    with pytest.raises(InputError, match="2 lines"):
        read_texts(tmp_path / "b.jsonl", "system")
    (tmp_path / "c.csv").write_text('task,system,text\nT,7,"one\ntwo"\nT,8\n')
    with pytest.raises(InputError, match="line 4: 2 fields"):
        read_texts(tmp_path / "c.csv", "system")
    (tmp_path / "d.csv").write_text('task,system,text\nT,7,"one\nT,8,two\n')
    with pytest.raises(InputError, match="line 2: a quote is not closed"):
        read_texts(tmp_path / "d.csv", "system")
    (tmp_path / "words").write_text("mice mouse\nThe\n")
    assert read_words(tmp_path / "words") == {"mice": "mouse", "the": "the"}


def test_output_lines_are_those_of_rouge_to_the_letter():
    given = Average(
        "7", "ROUGE-2", [(0.10382, 0.09741, 0.11064)] * 3, [("D9901-A.M.100.K.7", (0.1134, 0.11211, 0.11275))]
    )
    assert output_lines([given]).splitlines() == [
        "-" * 45,
        "7 ROUGE-2 Average_R: 0.10382 (95%-conf.int. 0.09741 - 0.11064)",
        "7 ROUGE-2 Average_P: 0.10382 (95%-conf.int. 0.09741 - 0.11064)",
        "7 ROUGE-2 Average_F: 0.10382 (95%-conf.int. 0.09741 - 0.11064)",
        "." * 45,
        "7 ROUGE-2 Eval D9901-A.M.100.K.7 R:0.11340 P:0.11211 F:0.11275",
    ]


def test_resamples_are_drawn_with_perls_own_random_numbers():
    # perl -e 'srand(3); print join(" ", map {int(rand(10))} 1..10)', and srand(0) with rand(44)
    assert draws(10, 4)[3].tolist() == [7, 8, 3, 2, 5, 4, 1, 2, 5, 6]
    assert draws(44, 1)[0, :5].tolist() == [7, 32, 4, 38, 25]


def test_averages_are_those_of_a_plain_loop_in_the_order_of_the_script():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefgh"), 12)) for _ in range(30)]
    rows = [(f"{'D' if k % 2 else ''}{k}", "7", t) for k, t in enumerate(texts)]
    models = [(t, "P", texts[(k + 1) % 30]) for k, (t, _, _) in enumerate(rows)]
    (found,) = averages(rouge(Texts.of_rows(rows, models), kinds=["1"]), 0.95, 200)
    by_name = dict(found.each)
    values = [by_name[n][0] for n in sorted(by_name)]
    means = sorted(sum(values[d] for d in drawn) / 30 for drawn in draws(30, 200).tolist())
    assert found.figures[0] == pytest.approx((sum(means) / 200, means[5], means[194]))
    numbered = [n for n, _ in found.each][:15]
    assert numbered == sorted(numbered, key=lambda n: int(n.split(".")[0]))


def test_the_command_scores_a_set_up_and_its_lines_are_read_back(setup, tmp_path):
    path = setup()
    done = run(path, "--format", "perl", "--n", 2)
    assert done.exit_code == 0, done.output
    assert "12 ROUGE-1 Eval D9901-A.M.100.K.12 R:0.00000 P:0.00000 F:0.00000" in done.output
    assert done.output.index("12 ROUGE-1") < done.output.index("7 ROUGE-1")
    out = tmp_path / "out.rouge"
    out.write_text(done.output)
    panel = read(out, measure="R")
    assert panel.judges == ("ROUGE-1_R", "ROUGE-2_R", "ROUGE-L_R", "ROUGE-W-1.2_R", "ROUGE-SU4_R")
    assert panel.tasks == ("D9901-A",)


def test_the_command_scores_tables_in_every_format(tmp_path):
    (tmp_path / "peers.csv").write_text("task,system,text\nT1,7,the dog sat\nT2,7,a cat\nT1,8,no\nT2,8,cat ran\n")
    (tmp_path / "models.csv").write_text("task,model,text\nT1,P,the dog sat\nT1,Q,a dog\nT2,P,the cat ran\n")
    given = ("--peers", tmp_path / "peers.csv", "--models", tmp_path / "models.csv")
    text = run(*given)
    assert text.exit_code == 0, text.output
    assert text.output.startswith("2 systems on 2 tasks: the best by ROUGE-2 recall is ")
    assert max(map(len, text.output.splitlines())) <= 80
    found = json.loads(run(*given, "--format", "json", "--references", "best", "--by", "ROUGE-1_F").output)
    assert found["score"] == "ROUGE-1_F"
    assert found["options"]["references"] == "best"
    assert len(found["summaries"]) == 4
    assert set(found["systems"][0]["scores"]["ROUGE-SU4"]) == {"R", "P", "F"}
    csv = run(*given, "--format", "csv").output
    (tmp_path / "scores.csv").write_text(csv)
    assert "ROUGE-2_R" in read_metrics(tmp_path / "scores.csv").judges
    assert run(*given, "--seed", 3, "--format", "json").output == run(*given, "--seed", 3, "--format", "json").output
    for options in (("--stop-words",), ("--jackknife",), ("--limit-words", 2), ("--unicode",), ("--limit-bytes", 3)):
        assert run(*given, *options).exit_code == 0, options
    assert run(*given, "--limit-words", 2, "--limit-bytes", 3).exit_code == 2
    assert run().exit_code == 2
    assert run("--peers", tmp_path / "peers.csv").exit_code == 2


def test_what_the_script_complains_of_may_stand_in_its_output_and_names_may_have_blanks(tmp_path):
    lines = [
        "*ROUGE Warning: test instance for peer s 1 does not exist for evaluation D2",
        "readText: models/D1.Q -> empty text",
        "-" * 45,
        "s 1 ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.50000 - 0.50000)",
        "." * 45,
        "s 1 ROUGE-1 Eval D 1.s 1 R:0.50000 P:0.25000 F:0.33333",
    ]
    (tmp_path / "out").write_text("\n".join(lines))
    found = read_metrics(tmp_path / "out")
    assert (found.tasks, found.items, found.value.tolist()) == (("D 1",), ("s 1",), [0.5, 0.25, 0.33333])
    assert any("2 warnings of ROUGE" in n for n in found.notes)


def test_one_task_has_no_interval_and_boards_are_seeded():
    found = rouge(["a b", "b c"], [["a b c"], ["b d"]], ["1", "2"])
    assert found.to_json(seed=1) == found.to_json(seed=1)
    assert rouge(["a"], [["a"]], ["1"]).to_dict()["systems"][0]["scores"]["ROUGE-1"]["R"] == (
        {"mean": 1.0, "interval": None}
    )
    assert found.main == "ROUGE-2_R"
    shown, told = (
        found.board(seed=1)[1].intervals[0],
        found.to_dict(seed=1)["systems"][0]["scores"]["ROUGE-2"]["R"]["interval"],
    )
    assert told == pytest.approx([shown.low, shown.high])
