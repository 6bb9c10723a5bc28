"""Columns beside scores that are none: segments, turns and sessions, ids, times; and wide tables of outputs."""

from __future__ import annotations

import itertools

import pytest

import quorate as q
from quorate.errors import InputError

JUDGES, SYSTEMS = ("ann", "bob", "cy"), ("A", "B")


@pytest.fixture
def made(tmp_path):
    def write(head, rows, **options):
        text = "\n".join([head, *(",".join(map(str, row)) for row in rows)])
        (tmp_path / "scores.csv").write_text(text)
        return q.read(tmp_path / "scores.csv", **options)

    return write


def criteria(panel):
    return panel.label("criterion").ids


def test_a_number_of_a_segment_or_turn_makes_the_task_with_its_document(made):
    """It was a criterion on which systems were ranked, and all but a document's first segment were left aside."""
    rows = [
        (j, d, s, m, 1 + k % 5, 1 + k % 4)
        for k, (j, d, s, m) in enumerate(itertools.product(JUDGES, "de", (1, 2, 3), SYSTEMS))
    ]
    for document, segment in (("doc_id", "seg_id"), ("task_id", "turn")):
        panel = made(f"annotator,{document},{segment},system,adequacy,fluency", rows)
        assert criteria(panel) == ("adequacy", "fluency")
        assert len(panel.tasks) == 6
        assert panel.repeats == 0


def test_turns_of_conversations_are_items_of_tasks(made):
    rows = [(c, t, j, 1 + (c + t) % 5) for c in range(3) for t in range(4) for j in JUDGES]
    panel = made("conversation_id,turn_id,annotator,empathy", rows)
    assert (len(panel.tasks), len(panel.items)) == (3, 4)


def test_ids_times_and_ages_are_no_scores(made):
    rows = [(j, i, 7 * k, 31, 1 + k % 5) for k, (j, i) in enumerate(itertools.product(JUDGES, "xyz"))]
    panel = made("rater,item,hit_id,time_seconds,quality", rows)
    assert criteria(panel) == ("quality",)
    assert {"hit_id", "time_seconds"} <= panel.labels.keys()
    chosen = made("rater,item,hit_id,time_seconds,quality", rows, criteria=["time_seconds", "quality"])
    assert criteria(chosen) == ("time_seconds", "quality")


def test_a_time_that_tells_repeated_items_apart_is_asked_about(made):
    rows = [(j, v, t, 1 + (t + k) % 5) for k, j in enumerate(JUDGES) for v in "vw" for t in (0, 10, 20)]
    with pytest.raises(InputError, match="what is the column 'timestamp'") as caught:
        made("annotator,video,timestamp,valence", rows)
    assert "--rename timestamp=task" in caught.value.hint


def test_sessions_beside_criteria_are_occasions(made):
    rows = [(j, w, s, 1 + (s + k) % 5, 3) for k, j in enumerate(JUDGES) for w in ("merlot", "rioja") for s in (1, 2)]
    panel = made("judge,wine,session,aroma,taste", rows)
    assert (panel.occasion.ids, panel.items) == (("1", "2"), ("merlot", "rioja"))
    assert [c.role for c in panel.reading.columns] == ["judge", "item", "occasion", "criterion", "criterion"]


def test_rows_of_outputs_are_tasks_and_systems(made):
    """A segment's number was a judge by the name of segment, without a word."""
    rows = [(m, s, *(1 + (s + k) % 5 for k in range(3))) for m in SYSTEMS for s in range(4)]
    for options in ({"kind": "scores"}, {"kind": "scores", "judge_columns": ["ann", "bob", "cy"]}):
        panel = made("model,segment,ann,bob,cy", rows, **options)
        assert (panel.judges, panel.label("system").ids, len(panel.tasks)) == (JUDGES, SYSTEMS, 4)
    with pytest.raises(InputError, match="nothing says what the columns are") as caught:
        made("model,segment,ann,bob,cy", rows)  # they may be metrics
    assert "Columns found: model, segment, ann, bob, cy" in caught.value.hint
    pinned = made("system,task,ann,bob,cy", rows, kind="scores")
    assert (pinned.judges, pinned.label("system").ids, pinned.reading.guesses) == (JUDGES, SYSTEMS, ())


def test_documents_of_queries_and_segments_of_documents_name_rows_together(made):
    rows = [(f"q{k // 3}", f"u{k}", 1 + k % 5, 1 + k % 4) for k in range(9)]
    panel = made("query,url,rater1,rater2", rows)
    assert (len(panel.tasks), panel.items[:2]) == (3, ("u0", "u1"))
    rows = [(m, d, s, 1 + k % 5, 3) for k, (m, d, s) in enumerate(itertools.product(SYSTEMS, "de", (1, 2)))]
    panel = made("system,doc,segment,rater1,rater2", rows)
    assert (len(panel.tasks), panel.label("system").ids) == (4, SYSTEMS)


def test_a_folder_of_runs_is_read_whatever_its_files_are_called(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for name, order in {"input.alpha": "xyz", "beta.txt": "zyx"}.items():
        lines = [f"1 Q0 {d} {k} {9 - k} {name[:5]}" for k, d in enumerate(order, 1)]
        (folder / name).write_text("\n".join(lines))
    assert q.read(folder).orders() == q.read(folder / "beta.txt", folder / "input.alpha").orders()
    (folder / "readme").write_text("two runs of three documents")
    with pytest.raises(InputError, match="this is a folder") as caught:
        q.read(folder)
    assert "give the files in it" in caught.value.hint


def test_ranks_in_columns_of_places_are_of_tasks_where_judges_have_several_rows(made):
    """``rank_1`` was taken for a criterion without numbers."""
    rows = [(j, f"p{k}", *order) for j in JUDGES for k, order in enumerate(("xyz", "zyx"))]
    for column in ("prompt", "document_id"):
        panel = made(f"annotator,{column},rank_1,rank_2,rank_3", rows)
        assert (panel.kind, panel.tasks, panel.judges) == ("orderings", ("p0", "p1"), JUDGES)
        assert panel.select(tasks=["p1"]).orders()["ann"] == [["z"], ["y"], ["x"]]
        assert panel.notes == ()
    panel = made(
        "annotator,prompt,rank_1,rank_2", [("ann", "p", "x", "y"), ("ann", "q", "", ""), ("bob", "p", "y", "x")]
    )
    assert any("1 judge put nothing in order" in n for n in panel.notes)


def test_which_of_two_texts_was_chosen_is_no_score(made):
    rows = [(f"p{k}", "Hello.", "Good day.", 1 + (k + j) % 2, name) for j, name in enumerate(JUDGES) for k in range(4)]
    with pytest.raises(InputError, match="no columns name the two systems") as caught:
        made("prompt,response_1,response_2,preferred,annotator", rows)
    assert "--rename preferred=label" in caught.value.hint
    panel = made("prompt,response_1,response_2,preferred,annotator", rows, rename={"preferred": "label"})
    assert panel.scale
    rows = [(k, "A", "B", "AB"[k % 2], j) for j in JUDGES for k in range(4)]
    assert made("id,model_1,model_2,winner_model,judge_model", rows).kind == "votes"


def test_columns_called_after_raters_and_what_they_gave_are_judges(made):
    panel = made("essay_id,rater1_score,rater2_score", [(k, 1 + k % 6, 1 + (k + 1) % 6) for k in range(8)])
    assert (panel.kind, len(panel.judges), len(panel.items)) == ("scores", 2, 8)


def test_totals_beside_criteria_are_left_out_and_told(made):
    rows = [(j, c, k, 2, k + 2) for k, j in enumerate(JUDGES, 1) for c in "PQR"]
    panel = made("judge,contestant,presentation,technique,total", rows)
    assert criteria(panel) == ("presentation", "technique")
    assert any(g.option == "--totals drop" for g in panel.reading.guesses)
    kept = made("judge,contestant,presentation,technique,total", rows, totals="keep")
    assert criteria(kept) == ("presentation", "technique", "total")


def test_words_in_several_columns_may_all_be_labels(made):
    rows = [(j, k, "pos" if k % 2 else "neg", "joy" if k % 3 else "fear") for j in JUDGES for k in range(9)]
    with pytest.raises(InputError, match="no column of scores") as caught:
        made("annotator,sentence_id,sentiment,emotion", rows)
    assert "--criteria sentiment,emotion --labels" in caught.value.hint


def test_piles_of_cards_are_groups(made):
    panel = made("participant,card,pile", [(j, c, k % 2) for j in JUDGES for k, c in enumerate("uvwxyz")])
    assert panel.kind == "groupings"


# -- what is said of judges, or of items, alone ------------------------------------------------------------------------


def test_what_is_the_same_wherever_a_judge_is_or_an_item_is_no_label(made):
    """A table of tickets with what kind of judge labelled them could not be read."""
    rows = [
        (i, "abc"[(i + 1) % 3], j, kind, "yes" if (i + k) % 3 else "no")
        for i in range(12)
        for k, (j, kind) in enumerate([("ann", "human"), ("bob", "human"), ("gpt", "model"), ("dan", "human")])
    ]
    panel = made("ticket_id,queue,annotator,annotator_type,category", rows)
    assert panel.scale == ("no", "yes")
    assert {"queue", "annotator_type"} <= panel.labels.keys()
    assert [g.role for g in panel.reading.guesses] == ["judge", "item", "label"]


def test_numbers_of_judges_are_no_scores(made):
    rows = [(j, i, 3 + 7 * k, 1 + (i + k * i) % 5) for k, j in enumerate(JUDGES) for i in range(6)]
    panel = made("rater,item,experience_in_years,quality", rows)
    assert criteria(panel) == ("quality",)
    assert panel.reading.guesses[-1].said.endswith("; experience_in_years, of which a judge has one, is kept beside")
    assert criteria(made("rater,item,a,b", [(j, i, k, k) for k, j in enumerate(JUDGES) for i in range(6)])) == (
        "a",
        "b",
    )


def test_labels_of_sentences_of_documents_are_read(made):
    rows = [
        (d, f"{d}{s}", j, "yes" if (s + k) % 3 else "no") for d in "de" for s in range(6) for k, j in enumerate(JUDGES)
    ]
    panel = made("doc,sentence,annotator,verdict", rows)
    assert (len(panel.tasks), len(panel.items), panel.scale) == (2, 12, ("no", "yes"))


def test_how_sure_judges_are_and_which_trial_it_was_are_no_scores(made):
    rows = [(j, i, i, ("yes", "no")[(i + k) % 2], 50 + i) for k, j in enumerate(JUDGES) for i in range(8)]
    assert made("participant,trial,stimulus,response,confidence", rows).scale == ("no", "yes")
    scored = [(j, i, 1 + (i + k) % 5, 1 + i % 3) for k, j in enumerate(JUDGES) for i in range(1, 9)]
    panel = made("reviewer,submission,overall,confidence", scored)
    assert criteria(panel) == ("overall",)
    assert panel.reading.guesses[-1].said.endswith("; confidence, how sure judges are, is kept beside")
    assert criteria(made("reviewer,submission,confidence", [row[:3] for row in scored])) == ("confidence",)


def test_columns_called_by_numbers_hold_places_if_each_row_has_the_same_words(made):
    rows = [(f"v{k}", *order) for k, order in enumerate(itertools.permutations(("Ann", "Ben", "Cat")))]
    panel = made("ballot,1,2,3", rows)
    assert (panel.kind, panel.items, len(panel.judges)) == ("orderings", ("Ann", "Ben", "Cat"), 6)
    assert panel.reading.guesses[0].option == "--kind orderings"
    assert made("ballot,1,2,3", rows, kind="scores").scale == ("Ann", "Ben", "Cat")
    assert made("ballot,1,2,3", [*rows, ("v7", "Ann", "Ann", "Cat")]).kind == "scores"
