"""DUCView files: the grammar, every known way in which real files break it, what is refused, and round trips."""

from __future__ import annotations

import json
import math

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from quorate.cli import main
from quorate.errors import InputError
from quorate.formats.ducview import (
    Contributor,
    Part,
    Peer,
    Pyramid,
    Scu,
    read_peer,
    read_pyramid,
    write_peer,
    write_pyramid,
)
from quorate.formats.ducview_places import Repairs
from quorate.summaries.units.reading import from_peers

REGEX = r"<startDocumentRegEx><![CDATA[[-]*\n D[0-9]*-[A-Z]\.M\.100\.[A-Z]\.[A-Z]\n[-]*\n]]></startDocumentRegEx>"
PYRAMID = f"""<pyramid>
{REGEX}
 <text>
  <line>-----</line>
  <line> D9901-A.M.100.K.P</line>
  <line>-----</line>
  <line></line>
  <line>The dam broke on Monday.</line>
  <line>Nine villages flooded.</line>
  <line></line>
  <line>-----</line>
  <line> D9901-A.M.100.K.Q</line>
  <line>-----</line>
  <line></line>
  <line>On Monday a dam failed, flooding nine villages.</line>
 </text>
 <scu uid="1" label="A dam broke">
  <contributor label="The dam broke"><part label="The dam broke" start="32" end="45"/></contributor>
  <contributor label="a dam failed"><part label="a dam failed" start="123" end="135"/></contributor>
 </scu>
 <scu uid="2" label="Nine villages were flooded">
  <contributor label="Nine villages flooded"><part label="Nine villages flooded" start="57" end="78"/></contributor>
  <contributor label="flooding nine villages"><part label="flooding nine villages" start="137" end="159"/></contributor>
 </scu>
 <scu uid="3" label="It happened on Monday">
  <contributor label="on Monday"><part label="on Monday" start="46" end="55"/></contributor>
  <contributor label="On Monday"><part label="On Monday" start="113" end="122"/></contributor>
 </scu>
 <scu uid="4" label="The failure caused the flood">
  <contributor label="a dam failed...flooding nine villages">
   <part label="flooding nine villages" start="137" end="159"/>
   <part label="a dam failed" start="123" end="135"/>
  </contributor>
 </scu>
</pyramid>"""
PEER = f"""<peerAnnotation>
{PYRAMID}
<annotation>
 <text><line>The dam broke on Monday.</line><line>Aid is on the way.</line></text>
 <peerscu uid="1" label="(2) A dam broke">
  <contributor label="The dam broke"><part label="The dam broke" start="0" end="13"/></contributor>
 </peerscu>
 <peerscu uid="2" label="(2) Nine villages were flooded"></peerscu>
 <peerscu uid="3" label="(2) It happened on Monday">
  <contributor label="on Monday"><part label="on Monday" start="14" end="23"/></contributor>
 </peerscu>
 <peerscu uid="4" label="(1) The failure caused the flood"></peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="Aid is on the way"><part label="Aid is on the way" start="25" end="42"/></contributor>
 </peerscu>
</annotation>
</peerAnnotation>"""


def pyramid(tmp_path, xml=PYRAMID, name="D9901-A.pyr", **options):
    path = tmp_path / name
    path.write_bytes(xml if isinstance(xml, bytes) else xml.encode())
    return read_pyramid(path, **options)


def peer(tmp_path, xml=PEER, name="D9901-A.M.100.K.7.pan", **options):
    path = tmp_path / name
    path.write_bytes(xml if isinstance(xml, bytes) else xml.encode())
    return read_peer(path, **options)


def test_a_pyramid_has_models_units_and_places(tmp_path):
    found = pyramid(tmp_path)
    assert found.models == ("P", "Q")
    assert [len(s.contributors) for s in found.scus] == [2, 2, 2, 1]
    assert [found.model(c) for c in found.scus[0].contributors] == ["P", "Q"]
    for scu in found.scus:
        for p in (p for c in scu.contributors for p in c.parts):
            assert found.text[p.start : p.end] == p.label
    assert found.notes == ()


def test_parts_of_one_contributor_may_be_stored_in_any_order(tmp_path):
    (contributor,) = pyramid(tmp_path).scus[3].contributors
    assert contributor.start == 123
    assert pyramid(tmp_path).model(contributor) == "Q"


def test_a_peer_has_its_pyramid_and_every_unit_found_or_not(tmp_path):
    found = peer(tmp_path)
    assert found.name == "D9901-A.M.100.K.7"
    assert [(s.uid, len(s.contributors)) for s in found.scus] == [("1", 1), ("2", 0), ("3", 1), ("4", 0), ("0", 1)]
    assert found.pyramid == pyramid(tmp_path)


def test_nist_peers_have_no_extension(tmp_path):
    assert peer(tmp_path, name="D9901-A.M.100.K.7").name == "D9901-A.M.100.K.7"


def test_the_pyramid_inside_a_peer_can_be_read_alone(tmp_path):
    assert pyramid(tmp_path, PEER, "x.pan") == pyramid(tmp_path)


def test_a_stretch_across_a_line_end_keeps_its_offsets(tmp_path):
    crossing = '<contributor label="Monday.Aid"><part label="Monday.Aid" start="17" end="28"/></contributor>'
    xml = PEER.replace('label="(2) Nine villages were flooded">', f'label="(2) Nine villages were flooded">{crossing}')
    found = peer(tmp_path, xml)
    (part,) = found.scus[1].contributors[0].parts
    assert found.text[part.start : part.end] == "Monday.\nAid"
    assert found.notes == ()


def test_text_edited_after_annotation_is_repaired_and_told(tmp_path):
    xml = PEER.replace(
        "<line>The dam broke on Monday.</line><line>Aid", "<line>Well. The  dam broke on Monday.</line><line>Aid"
    )
    found = peer(tmp_path, xml)
    first = found.scus[0].contributors[0].parts[0]
    assert found.text[first.start : first.end] == "The  dam broke"
    assert "3 places moved" in found.notes[0]


def test_of_several_hits_the_nearest_is_taken():
    assert Repairs("a dam. a dam. a dam.").place("a dam", 8, 13) == (7, 12)
    assert Repairs("a dam. a dam. a dam.").place("a dam", 15, 20) == (14, 19)


def test_labels_escaped_twice_are_understood(tmp_path):
    xml = PEER.replace("Aid is on the way.</line>", 'Aid "is" on the way.</line>')
    xml = xml.replace(
        '"Aid is on the way" start="25" end="42"', '"Aid &amp;quot;is&amp;quot; on the way" start="25" end="44"'
    )
    found = peer(tmp_path, xml)
    part = found.scus[-1].contributors[0].parts[0]
    assert found.text[part.start : part.end] == 'Aid "is" on the way'
    assert "1 label escaped twice" in found.notes[0]


def test_replacement_characters_that_shift_offsets_are_repaired(tmp_path):
    xml = PEER.replace("<line>Aid is on the way.</line>", "<line>\ufffd\ufffd\ufffdAid is\ufffd on the way.</line>")
    found = peer(tmp_path, xml)
    part = found.scus[-1].contributors[0].parts[0]
    assert found.text[part.start : part.end] == "Aid is\ufffd on the way"
    assert "1 place moved" in found.notes[0]


def test_a_label_that_is_nowhere_leaves_its_offsets_and_is_told(tmp_path):
    found = peer(tmp_path, PEER.replace('part label="on Monday" start="14"', 'part label="on Tuesday" start="14"'))
    assert found.scus[2].contributors[0].parts[0] == Part("on Tuesday", 14, 23)
    assert "1 label not what the text has there" in found.notes[0]
    outside = peer(tmp_path, PEER.replace('"on Monday" start="14" end="23"', '"on Tuesday" start="914" end="923"'))
    assert outside.scus[2].contributors[0].parts[0] == Part("on Tuesday", -1, -1)


def test_without_an_expression_the_usual_headers_are_found(tmp_path):
    found = pyramid(tmp_path, PYRAMID.replace(REGEX, ""))
    assert found.models == ("P", "Q")
    assert "the usual one is tried" in found.notes[0]


def test_a_collection_can_have_headers_of_its_own(tmp_path):
    xml = PYRAMID.replace(REGEX, "").replace("-----", "").replace(" D9901-A.M.100.K.", "Model ")
    assert pyramid(tmp_path, xml).models == ()
    assert pyramid(tmp_path, xml).notes[-1] == "models not found in the text: no modified score"
    assert pyramid(tmp_path, xml, header="Model [A-Z]").models == ("1", "2")


def test_an_expression_that_python_or_patience_cannot_take_is_told(tmp_path):
    for bad in ("((a+)+)+$", "[", "x" * 600):
        found = pyramid(tmp_path, PYRAMID.replace(REGEX, f"<startDocumentRegEx>{bad}</startDocumentRegEx>"))
        assert found.models == ("P", "Q")
        assert "the usual one is tried" in found.notes[0]


def test_uids_that_differ_between_files_are_matched_by_label(tmp_path):
    other = PEER
    for old, new in (("1", "91"), ("2", "92"), ("3", "93"), ("4", "94")):
        other = other.replace(f'uid="{old}"', f'uid="{new}"')
    other = other.replace('label="(2) A dam broke"', 'label="(2) A dam broke (2.1)"')
    table = from_peers([peer(tmp_path), peer(tmp_path, other, "D9901-A.M.100.K.8.pan")])
    assert len(table.units) == 5
    assert table.tasks == ("D9901-A",)
    assert any("matched by label" in n for n in table.notes)


def test_notes_behind_labels_are_stripped_for_matching_only():
    scu = Scu("1", "(3) A dam broke (2.1) (NONE)")
    assert scu.bare == "A dam broke"
    assert scu.label == "(3) A dam broke (2.1) (NONE)"


def test_two_pyramids_of_one_task_are_kept_apart(tmp_path):
    other = PEER.replace('<scu uid="4" label="The failure caused the flood">', '<scu uid="4" label="Something else">')
    table = from_peers([peer(tmp_path), peer(tmp_path, other, "D9901-A.M.100.K.8.pan")])
    assert table.tasks == ("D9901-A", "D9901-A (2)")


def test_two_annotators_of_one_peer_are_two_judges(tmp_path):
    found = peer(tmp_path)
    names = iter(["north", "south"])
    table = from_peers([found, found], lambda p: next(names))
    assert table.judges == ("north", "south")
    assert len(table.items) == 1
    with pytest.raises(InputError, match="twice"):
        from_peers([found, found])


def test_a_unit_of_the_peer_that_the_pyramid_lacks_weighs_nothing(tmp_path):
    xml = PEER.replace('<peerscu uid="4" label="(1) The failure', '<peerscu uid="44" label="(1) The failure')
    found = peer(tmp_path, xml)
    assert "1 unit of the peer is not in its pyramid" in found.notes[0]
    assert from_peers([found]).units[-1].weight == 0


def test_latin_1_is_read_with_and_without_saying_so(tmp_path):
    xml = PEER.replace("Aid is on the way", "Größe is on it")
    said = b'<?xml version="1.0" encoding="ISO-8859-1"?>' + xml.encode("latin-1")
    assert "Größe" in peer(tmp_path, said).text
    silent = peer(tmp_path, xml.encode("latin-1"))
    assert "Größe" in silent.text
    assert "not UTF-8: read as Latin-1" in silent.notes
    assert "Größe" in peer(tmp_path, xml.encode("utf-8")).text


def test_entities_and_outside_files_are_refused(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    for declared in (
        f'<!DOCTYPE pyramid [<!ENTITY x SYSTEM "{secret.as_uri()}">]>',
        '<!DOCTYPE pyramid [<!ENTITY x "aaaa">]>',
        '<!DOCTYPE pyramid [<!ENTITY % x "aaaa">]>',
        f'<!DOCTYPE pyramid SYSTEM "{secret.as_uri()}">',
        '<!DOCTYPE pyramid PUBLIC "-//x//y" "http://example.org/x.dtd">',
    ):
        with pytest.raises(InputError, match="refused"):
            pyramid(tmp_path, declared + PYRAMID.replace("The dam broke on", "&x; broke on"))
        with pytest.raises(InputError, match="refused"):
            pyramid(tmp_path, declared + PYRAMID)


def test_the_document_type_that_ducview_writes_is_fine(tmp_path):
    assert pyramid(tmp_path, "<!DOCTYPE pyramid [<!ELEMENT line (#PCDATA)>]>" + PYRAMID).models == ("P", "Q")


@pytest.mark.parametrize(
    ("xml", "fact"),
    [
        (PYRAMID[:400], "not XML"),
        ("", "not XML"),
        ("<pyramid></pyramid>", "no text"),
        ("<other/>", "no pyramid"),
        (PYRAMID.replace('uid="2"', 'uid="1"'), "same uid"),
        (PYRAMID.replace(' uid="2"', ""), "no uid"),
        (PYRAMID.replace('start="32"', 'start="x"'), "whole numbers"),
        ('<?xml version="1.0" encoding="klingon"?>' + PYRAMID, "cannot be read|not XML"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, xml, fact):
    with pytest.raises(InputError, match=fact):
        pyramid(tmp_path, xml)


def test_a_pyramid_is_no_peer(tmp_path):
    with pytest.raises(InputError, match="not an annotated peer"):
        peer(tmp_path, PYRAMID)


@given(data=st.data())
def test_damaged_files_end_in_a_panel_or_an_input_error(tmp_path_factory, data):
    raw = bytearray(PEER.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        piece = data.draw(st.binary(max_size=6))
        raw[at : at + data.draw(st.integers(0, 30))] = piece
    path = tmp_path_factory.mktemp("fuzz") / "D9901-A.M.100.K.7.pan"
    path.write_bytes(bytes(raw))
    try:
        found = read_peer(path)
    except InputError:
        return
    assert from_peers([found]).items


def test_very_deep_files_do_no_harm(tmp_path):
    with pytest.raises(InputError):
        pyramid(tmp_path, "<pyramid>" + "<a>" * 20_000 + "</a>" * 20_000 + "</pyramid>")


LINES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=12
)


@st.composite
def texts_with_units(draw, prefix=""):
    text = "\n".join(draw(st.lists(LINES, min_size=1, max_size=4)))
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)

    def contributor(places):
        parts = tuple(Part(text[a:b].replace("\n", ""), a, b) for a, b in places)
        return Contributor("...".join(p.label for p in parts), parts, "")

    contributors = st.lists(st.lists(spans, min_size=1, max_size=2).map(contributor), min_size=1, max_size=3)
    units = [Scu(str(k), draw(LINES), tuple(c)) for k, c in enumerate(draw(st.lists(contributors, max_size=3)), 1)]
    return text, tuple(units)


@given(one=texts_with_units(), two=texts_with_units(), header=st.sampled_from(["", "x", "[-]*\\n D"]))
def test_what_is_written_is_read_back(tmp_path_factory, one, two, header):
    folder = tmp_path_factory.mktemp("round")
    made = Pyramid(*one, header)
    write_pyramid(made, folder / "a.pyr")
    assert read_pyramid(folder / "a.pyr") == made
    annotated = Peer(made, *two, "b", {"qualityScore": 0.25})
    write_peer(annotated, folder / "b.pan")
    assert read_peer(folder / "b.pan") == annotated


def test_what_xml_cannot_hold_is_refused(tmp_path):
    with pytest.raises(InputError, match="U\\+0001"):
        write_pyramid(Pyramid("a\x01b", ()), tmp_path / "a.pyr")


def test_scores_that_ducview_wrote_are_kept(tmp_path):
    score = "<score><totalscu>3</totalscu><qualityScore>0.6667</qualityScore><coverageScore>-</coverageScore></score>"
    found = peer(tmp_path, PEER.replace("</annotation>", f"</annotation>{score}"))
    assert found.scores == {"totalscu": 3.0, "qualityScore": 0.6667, "coverageScore": math.nan}  # the very same nan
    write_peer(found, tmp_path / "again.pan")
    assert read_peer(tmp_path / "again.pan") == found


def test_a_list_is_said_to_be_none_of_ducviews_files(tmp_path):
    (tmp_path / "units.pyr").write_text("1. A dam broke\n2. Nine villages flooded\n")
    with pytest.raises(InputError, match="a list or another text, not a file of DUCView's"):
        read_pyramid(tmp_path / "units.pyr")


def test_of_a_pyramid_without_a_peer_it_is_told_what_can_be_asked(tmp_path):
    (tmp_path / "ann.pyr").write_text(PYRAMID)
    with pytest.raises(InputError, match=r"a pyramid alone: quorate agreement ANN\.pyr BOB\.pyr"):
        read_peer(tmp_path / "ann.pyr")


def test_a_pyramid_alone_scores_its_models(tmp_path):
    (tmp_path / "D9901.pyr").write_text(PYRAMID)
    for path in (tmp_path / "D9901.pyr", tmp_path):
        done = CliRunner().invoke(main, ["pyramid", "score", str(path), "--format", "json"])
        assert done.exit_code == 0, done.output
        means = {r["system"]: r["mean"] for r in json.loads(done.output)["systems"]}
        assert means == {"Q": 1.0, "P": 0.75}  # Q says the 3 units of P, P 3 of the 4 of Q
    text = CliRunner().invoke(main, ["pyramid", "score", str(tmp_path)]).output
    assert "their models are scored" in text
