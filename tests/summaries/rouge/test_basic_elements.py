"""Basic elements (-3, SIMPLE): the six ways of comparing them, and what is told of bad ones."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.formats.rouge_files import element_fields, read_list
from quorate.summaries.rouge import Variant, rouge
from tests.summaries.rouge.set_ups import MODES

field = st.sampled_from(["cat", "Dogs", "two  cats", "NIL", "nil"])
text = st.lists(st.tuples(field, field, field).map("|".join), max_size=6).map("\n".join)


def plain(mode, text):
    """The elements of one text, line by line."""
    out = Counter()
    for line in text.split("\n") if text else ():
        head, modifier, relation = line.lower().split("|")
        if mode == "H" and modifier == "nil":
            out[head] += 1
        elif (mode == "HM" and modifier != "nil") or mode == "HM1":
            out[head, modifier] += 1
        elif mode == "HMR2" or (mode == "HMR" and relation != "nil") or (mode == "HMR1" and modifier != "nil"):
            out[head, modifier, relation] += 1
    return out


@pytest.mark.parametrize("mode", MODES)
@given(summary=text, references=st.lists(text, min_size=1, max_size=3))
def test_shared_elements_are_pooled_over_references(mode, summary, references):
    found = rouge([summary], [references], [f"BE-{mode}"])
    own, theirs = plain(mode, summary), [plain(mode, r) for r in references]
    hits, all_ = sum((own & t).total() for t in theirs), sum(t.total() for t in theirs)
    recall, precision = hits / all_ if all_ else 0, hits / own.total() / len(theirs) if own else 0
    assert found.values[0, 0, :2] == pytest.approx([recall, precision])


def test_words_of_heads_and_modifiers_are_stemmed_and_relations_are_not():
    pytest.importorskip("snowballstemmer")
    given = ["running dogs|cats|names"], [["run dog|cat|names", "run dog|cat|name"]]
    assert rouge(*given, ["BE-HM"], stem=True)["BE-HM_R"][0] == 1
    assert rouge(*given, ["BE-HMR"], stem=True)["BE-HMR_R"][0] == pytest.approx(1 / 2)
    assert rouge(*given, ["BE-HM"])["BE-HM_R"][0] == 0


def test_names_of_the_six_parse_back_and_mix_with_no_other():
    assert [str(Variant.parse(f"be-{m}")) for m in MODES] == [f"ROUGE-BE-{m}" for m in MODES]
    assert Variant.parse("BE") == Variant.parse("BE-HM")
    with pytest.raises(BadParameter, match="at once"):
        rouge(["a|b|c"], [["a|b|c"]], ["BE-HM", "2"])
    with pytest.raises(BadParameter, match="no stop words and no limits"):
        rouge(["a|b|c"], [["a|b|c"]], ["BE-HM"], limit_words=3)


def test_a_line_that_is_no_element_is_told_with_its_file(tmp_path):
    assert element_fields("a|b|c|\r\n|b|c\n") == [("a", "b", "c"), ("", "b", "c")]
    assert element_fields("") == []
    (tmp_path / "good").write_text("cat|big|mod\n")
    (tmp_path / "bad").write_text("cat|big|mod\ncat|big\n\na|b|c|d\n")
    (tmp_path / "list").write_text("good bad\n")
    with pytest.raises(InputError, match=r"bad: not a basic element \(3 lines\)\n  line 2: cat\|big"):
        read_list(tmp_path / "list", "SIMPLE")
    with pytest.raises(InputError, match="a parser makes them"):
        rouge(["a cat"], [["a|b|c"]], ["BE-HM"])


def run(*words, code=0):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ["rouge", *map(str, words)], prog_name="quorate")
    assert result.exit_code == code, result.output
    return result


def test_the_command_compares_files_of_elements_and_says_what_it_cannot(tmp_path):
    (tmp_path / "p").write_text("cat|big|mod\ndog|NIL|NIL\n")
    (tmp_path / "m").write_text("cat|big|subj\n")
    (tmp_path / "list").write_text("p m\n")
    given = (tmp_path / "list", "--list", "SIMPLE")
    found = json.loads(run(*given, "--format", "json").output)
    assert (found["score"], found["summaries"][0]["ROUGE-BE-HM_R"]) == ("ROUGE-BE-HM_R", 1.0)
    assert "X ROUGE-BE-HMR Average_R: 0.00000" in run(*given, "--rouge", "BE-HMR", "--format", "perl").output
    assert "--rouge BE-HM" in run(*given, "--rouge", "2", code=2).stderr
    assert "format SIMPLE" in run(tmp_path / "list", "--list", "SPL", "--rouge", "BE-HM", code=2).stderr
    assert "Nouveau-ROUGE" in run(*given, "--nouveau", tmp_path / "list", code=2).stderr
    folders = "<PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><PEERS><P ID='1'>p</P></PEERS>"
    one = folders + "<MODELS><M ID='1'>m</M></MODELS></EVAL>"
    two = "".join(f"<EVAL ID='{s}'><INPUT-FORMAT TYPE='{s}'/>{one}" for s in ("SPL", "SIMPLE"))
    (tmp_path / "setup.xml").write_text(f"<ROUGE_EVAL>{two}</ROUGE_EVAL>")
    assert "in one set-up" in run(tmp_path / "setup.xml", code=2).stderr
