"""Files that try to break the reader: every command ends in an answer with notes or in a message, never a traceback."""

from __future__ import annotations

import re
import time

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.errors import InputError
from quorate.formats.ducview import read_peer, write_peer
from tests.formats.test_ducview import PEER, PYRAMID, REGEX

UNIT = r'<peerscu uid="[1-4]".*?</peerscu>'
EMPTY = re.sub(r"<scu .*?</scu>", "", re.sub(r"<peerscu .*?</peerscu>", "", PEER, flags=re.S), flags=re.S)
MONDAY = 'label="on Monday" start="14" end="23"'
PLACE = '<contributor label="Monday"><part label="Monday" start="49" end="55"/></contributor>'
INNER = f'<scu uid="9" label="In">{PLACE}</scu>'
READ = {  # what can be read, and what is said of it
    "crlf": (PEER.replace("\n", "\r\n"), None),
    "byte order mark": (b"\xef\xbb\xbf" + PEER.encode(), None),
    "utf-16": (('<?xml version="1.0" encoding="UTF-16"?>' + PEER).encode("utf-16"), None),
    "said to be utf-16": ('<?xml version="1.0" encoding="UTF-16"?>' + PEER, "said to be UTF-16, but UTF-8"),
    "said to be latin-1": (
        '<?xml version="1.0" encoding="ISO-8859-1"?>' + PEER.replace("Aid", "Größe"),
        "said to be ISO-8859-1, but UTF-8",
    ),
    "said to be utf-8": (
        ('<?xml version="1.0" encoding="UTF-8"?>' + PEER.replace("Aid", "Größe")).encode("latin-1"),
        "not UTF-8: read as Latin-1",
    ),
    "unit inside another": (
        PEER.replace('caused the flood">', f'caused the flood">{INNER}', 1),
        "1 unit inside others",
    ),
    "part without a label": (
        PEER.replace('part label="The dam broke" start="0"', 'part start="0"'),
        "1 label not what",
    ),
    "contributor without a place": (
        PEER.replace('<part label="The dam broke" start="0" end="13"/>', ""),
        "1 contributor without a place",
    ),
    "odd labels": (
        PEER.replace("(2) A dam broke", "(2) A &quot;dam&quot;&#10;\u2018\U0001f600&lt;b&gt;&#9;&#13;"),
        None,
    ),
    "comments": (PEER.replace('"(2) A dam broke"', '"(2) A dam broke" comment="so&#10;what"'), None),
    "past the end": (PEER.replace(MONDAY, MONDAY.replace("14", "1400").replace("23", "2300")), "1 place moved"),
    "before the beginning": (PEER.replace(MONDAY, MONDAY.replace("14", "-9").replace("23", "-1")), "1 place moved"),
    "end before start": (PEER.replace(MONDAY, MONDAY[:18] + 'start="23" end="14"'), "1 place moved"),
    "overlapping parts": (
        PEER.replace(f"<part {MONDAY}/>", f'<part {MONDAY}/><part label="on" start="14" end="16"/>'),
        None,
    ),
    "no units": (re.sub(r"<scu .*?</scu>", "", re.sub(UNIT, "", PEER, flags=re.S), flags=re.S), None),
    "nothing annotated": (EMPTY, None),
    "a unit not listed": (
        re.sub(r'<peerscu uid="2".*?</peerscu>', "", PEER, flags=re.S),
        "1 unit of the pyramid not listed",
    ),
    "uid 0 in the pyramid": (PEER.replace('<scu uid="4"', '<scu uid="0"'), "has the uid 0"),
    "two texts": (PEER.replace("<annotation>\n <text>", "<annotation>\n <text/><text>"), "left out: text"),
    "other elements": (PEER.replace("<annotation>", "<foo><bar/></foo><annotation>"), "left out: foo"),
    "other attributes": (PEER.replace('uid="3" label="It', 'uid="3" colour="red" label="It'), "left out: colour"),
    "stray words": (PEER.replace("<annotation>", "stray<annotation>"), "words outside of lines"),
    "no lines": (re.sub(r"<text><line>The dam broke on M.*?</text>", "<text/>", PEER), "3 labels not what"),
    "no expression": (PEER.replace(REGEX, ""), "the usual one is tried"),
    "a bad expression": (PEER.replace(REGEX, "<startDocumentRegEx>[</startDocumentRegEx>"), "not understood"),
    "an expression of nothing": (PEER.replace(REGEX, "<startDocumentRegEx>zz*</startDocumentRegEx>"), "finds none"),
    "an expression that never ends": (
        PEER.replace(REGEX, "<startDocumentRegEx>-*-*-*-*-*-*x</startDocumentRegEx>").replace("-----", "-" * 3000),
        "too involved",
    ),
    "a long line of dashes": (PEER.replace("<line>-----</line>", f"<line>{'-' * 60_000}</line>", 1), "places moved"),
    "figures that are none": (
        PEER.replace("</annotation>", "</annotation><score><totalscu>3</totalscu><averagescu>-</averagescu></score>"),
        None,
    ),
}
REFUSED = {
    "cut off": (PEER[:900], "not XML"),
    "nothing": ("", "not XML"),
    "an unknown encoding": ('<?xml version="1.0" encoding="klingon"?>' + PEER, "cannot be read"),
    "an entity": ('<!DOCTYPE peerAnnotation [<!ENTITY x "y">]>' + PEER, "refused"),
    "an outside entity": ('<!DOCTYPE peerAnnotation [<!ENTITY x SYSTEM "file:///etc/hosts">]>' + PEER, "refused"),
    "one uid twice": (PEER.replace('<scu uid="2"', '<scu uid="1"'), "same uid: 1"),
    "one uid twice in the peer": (PEER.replace('<peerscu uid="2"', '<peerscu uid="1"'), "same uid: 1"),
    "no pyramid": (PEER.replace(PYRAMID, ""), "its pyramid is not there"),
    "no annotation": (PEER.partition("<annotation>")[0] + "</peerAnnotation>", "its annotation is not there"),
    "a number too large": (PEER.replace('end="23"', f'end="{"9" * 5000}"'), "whole numbers"),
    "a control character": (PEER.replace("Aid", "A&#1;d"), "not XML"),
}


def written(tmp_path, xml):
    path = tmp_path / "D9901-A.M.100.K.7.pan"
    path.write_bytes(xml if isinstance(xml, bytes) else xml.encode())
    return path


def run(*words):
    result = CliRunner().invoke(main, ["pyramid", *map(str, words)])
    assert result.exit_code in (0, 2), (words, result.output, result.exception)
    return result


@pytest.mark.parametrize("name", READ)
def test_what_can_be_read_is_read_told_and_written_again_without_loss(tmp_path, name):
    xml, note = READ[name]
    begun = time.process_time()
    found = read_peer(written(tmp_path, xml))
    assert time.process_time() - begun < 5
    assert note in " ".join(found.notes) if note else not found.notes, found.notes
    write_peer(found, tmp_path / "again.pan")
    assert read_peer(tmp_path / "again.pan") == found


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_told_with_the_name_of_the_file(tmp_path, name):
    xml, why = REFUSED[name]
    path = written(tmp_path, xml)
    with pytest.raises(InputError, match=why) as told:
        read_peer(path)
    assert str(path) in str(told.value)


@pytest.mark.parametrize("name", ["no units", "nothing annotated", "no lines", "uid 0 in the pyramid", "odd labels"])
def test_every_command_ends_well(tmp_path, name):
    path = written(tmp_path, READ[name][0])
    (tmp_path / "published").write_text("D9901-A 7 0.5\n")
    for words in (
        ("score", path),
        ("score", path, "--models"),
        ("score", path, "--scheme", "rubric"),
        ("auto", path),
        ("auto", path, "--html"),
        ("agreement", path, "--resamples", 100),
        ("agreement", path, "--on", "groupings", "--resamples", 100),
        ("convert", path, tmp_path / "back"),
        ("convert", path, tmp_path / "u.csv", "--texts", tmp_path / "t.csv"),
        ("score", tmp_path / "u.csv", "--texts", tmp_path / "t.csv"),
        ("calibrate", path, tmp_path / "published"),
    ):
        run(*words)


def test_a_peer_in_which_nothing_was_found_scores_nothing_and_is_not_lost(tmp_path):
    bare = re.sub(r"<peerscu .*?</peerscu>", "", PEER, flags=re.S)
    rows = run("score", written(tmp_path, bare), "--format", "csv").stdout.splitlines()
    assert dict(zip(rows[0].split(","), rows[1].split(","), strict=True))["modified"] == "0.0"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("unit,item,support,start\na,x,1,zz\n", "line 2: start 'zz'"),
        ("unit,item,support\n", "no rows"),
        ("unit,item,support\na,x\n", "line 2: 2 fields"),
        ("unit,item,support\na,x,1,2\n", "line 2: 4 fields"),
        ("unit,unit,item,support\na,b,x,1\n", "same name: unit"),
        ("unit,item,support,weight\na,x,1,inf\n", "weight is not a number"),
        ("", "no column 'unit'"),
    ],
)
def test_bad_tables_are_told_by_line(tmp_path, text, why):
    (tmp_path / "u.csv").write_text(text)
    for command in ("score", "agreement", "auto"):
        assert why in run(command, tmp_path / "u.csv").stderr


@pytest.mark.parametrize("line", ['{"unit": "a", "item": ["x"], "support": 1}', '{"unit": "a"', "[1]"])
def test_bad_lines_of_json_are_told(tmp_path, line):
    (tmp_path / "u.jsonl").write_text(f'{{"unit": "a", "item": "x", "support": 1}}\n{line}\n')
    assert "line 2" in run("score", tmp_path / "u.jsonl").stderr


def test_odd_characters_in_tables_do_not_break_lines(tmp_path):
    (tmp_path / "u.csv").write_text("unit,item,support,text\na,x,1,one\u2028two\nb,x,0,three\x0bfour\n")
    assert "mean share score 0.500" in " ".join(run("score", tmp_path / "u.csv").stdout.split())
    (tmp_path / "l.csv").write_bytes("unit,item,support\nGröße,x,1\n".encode("latin-1"))
    assert "encoding=latin-1" in run("score", tmp_path / "l.csv").stderr
    assert run("score", tmp_path / "l.csv", "--encoding", "latin-1").exit_code == 0


def test_a_very_long_text_in_a_table_is_read(tmp_path):
    (tmp_path / "u.csv").write_text("unit,item,support,models,evidence\na,x,1,P,dam\na,y,0,P,\n")
    (tmp_path / "t.csv").write_text(f"item,text\nx,a dam\ny,{'dam ' * 50_000}\n")
    assert "1 unit was not marked" in run("auto", tmp_path / "u.csv", "--texts", tmp_path / "t.csv").stdout
