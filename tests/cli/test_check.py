"""tertium check: every number on small files where each of them is known, as text and as JSON."""

import math
import re

import pytest
from definitions import rows

# Lines are named in the tests: line 1 is the header.
SURVEY = """participant,anchor,left,right,answer
p1,a,b,c,b
p2,a,c,b,b
p3,a,b,c,c
p1,b,a,c,a
p2,b,a,c,a
p1,a,a,b,b
p1,d,e,f,e
p1,d,e,f,
p2,a,b,c,tie
p3,e,f,f,f
"""
ITEMS = "name\n" + "\n".join("abcdefg") + "\n"


@pytest.fixture
def survey(tertium):
    tertium.file("survey.csv", SURVEY)
    tertium.file("items.csv", ITEMS)
    return tertium.check("survey.csv", "--items", "items.csv")


@pytest.fixture
def survey_text(tertium, survey):
    return tertium.run("check", "survey.csv", "--items", "items.csv").stdout


def test_rows(survey):
    counts = survey["rows"]
    assert counts["read"] == 10
    assert (counts["unanswered"], counts["ties"], counts["bad"]) == (1, 1, 0)
    assert counts["answered"] == 8  # the two self-comparisons among them
    assert survey["comparisons"] == survey["answers"] == 6


def test_questions(survey):
    # a: b or c? (lines 2, 3, 4), b: a or c? (5, 6), d: e or f? (8)
    questions = survey["questions"]
    assert questions == {"distinct": 3, "repeated": 2, "contradicted": 1, "most_asked": 3}
    # b, b, c: one of three pairs of answers agrees; a, a: the only pair does.
    assert survey["repeat_agreement"] == pytest.approx((1 / 3 + 1) / 2)
    assert survey["chance_agreement"] == pytest.approx(1 / 2)
    # If every question had the same chance p of its more frequent answer: p^2 + (1 - p)^2 = 2/3.
    p = survey["prediction_ceiling"]
    assert p**2 + (1 - p) ** 2 == pytest.approx(2 / 3)


def test_self_comparisons_have_line_numbers(survey):
    found = survey["self_comparisons"]
    assert found["count"] == 2
    assert [(place["file"], place["line"]) for place in found["places"]] == [
        ("survey.csv", 7),
        ("survey.csv", 11),
    ]


def test_items(survey):
    assert survey["items"] == 7
    assert survey["unmentioned_items"] == ["g"]
    assert survey["once_mentioned_items"] == ["d", "e", "f"]
    assert survey["never_anchors"] == ["c", "e", "f"]
    assert survey["components"] == [["a", "b", "c"], ["d", "e", "f"]]


def test_participants(survey):
    p1, p2, p3 = survey["participants"]
    assert [p["name"] for p in (p1, p2, p3)] == ["p1", "p2", "p3"]
    assert [p["answers"] for p in (p1, p2, p3)] == [3, 2, 1]
    # p1 said b where the others said b and c, and a where the other said a; d was asked of p1 only.
    assert (p1["shared_answers"], p1["agreement"]) == (2, pytest.approx((1 / 2 + 1) / 2))
    assert (p2["shared_answers"], p2["agreement"]) == (2, pytest.approx((1 / 2 + 1) / 2))
    assert (p3["shared_answers"], p3["agreement"]) == (1, 0)
    sides = [
        (p["placed_answers"], p["favourite_place"], p["favourite_share"]) for p in (p1, p2, p3)
    ]
    assert sides[0] == (3, 1, 1)
    assert (sides[1][0], sides[1][2]) == (2, 0.5)  # once right, once left
    assert sides[2] == (1, 2, 1)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^rows +10 .*1 unanswered.*1 tied",
        r"^comparisons +6 triplets",
        r"^items +7 .*2 groups .*3, 3",
        r"^questions +3 distinct; 2 asked more than once, 1 answered in contradictory ways",
        r"^repeat agreement +0\.67 .*0\.50",
        r"^self-comparisons +2 .*survey\.csv, lines 7, 11",
        r"^never mentioned +1 +\(g\)",
        r"^mentioned once +3 +\(d, e, f\)",
        r"^never an anchor +3 +\(c, e, f\)",
        r"^participants +3",
        r"^ +p3 +1 +0\.00 of 1 +2: 1\.00",
        r"^ +p1 +3 +0\.75 of 2 +1: 1\.00",
        r"row 1: 'a' is more like 'b' than like 'c'",
    ],
)
def test_text_says_the_same(survey_text, pattern):
    assert re.search(pattern, survey_text, re.MULTILINE), survey_text


def test_json_says_how_the_file_was_understood(survey):
    (file,) = survey["files"]
    assert (file["file"], file["kind"], file["header"]) == ("survey.csv", "triplets", True)
    assert file["first_row"] == "row 1: 'a' is more like 'b' than like 'c'"
    assert file["columns"]["anchor"] == "anchor"
    assert file["columns"]["participant"] == "participant"


def test_one_place_reads_well(tertium):
    tertium.file("a.csv", rows("0 1 2; 1 1 2; 1 0 2"))
    text = tertium.run("check", "a.csv").stdout
    assert re.search(r"self-comparisons +1 +\(a\.csv, line 2\)", text)


def test_self_comparisons_never_enter_the_similarity(tertium):
    tertium.file("a.csv", rows("0 1 2; 0 0 2; 0 1 1; 2 1 2"))
    assert tertium.check("a.csv")["self_comparisons"]["count"] == 3
    assert tertium.similarity("a.csv").pairs == {
        frozenset(("0", "1")): 1,
        frozenset(("0", "2")): -1,
    }


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("i,j,k,l\na,a,b,c\na,b,b,a\na,b,a,c\na,b,c,c\n", [2, 3, 5]),
        ("a,b,odd\n1,1,2\n1,2,3\n1,2,2\n", [2, 4]),
        ("central,other1,other2\n1,2,2\n1,2,3\n2,1,2\n", [2, 4]),
    ],
    ids=["quadruplets", "odd one out", "most central"],
)
def test_self_comparisons_of_other_questions(tertium, content, lines):
    found = tertium.check(tertium.file("a.csv", content))["self_comparisons"]
    assert [place["line"] for place in found["places"]] == lines


def test_questions_of_three_have_chance_one_third(tertium):
    # One question in three orders, answered c, c, a: one of three pairs agrees.
    check = tertium.check(tertium.file("a.csv", "a,b,odd\na,b,c\nb,a,c\nb,c,a\n"))
    assert check["questions"]["distinct"] == 1
    assert check["questions"]["contradicted"] == 1
    assert check["repeat_agreement"] == pytest.approx(1 / 3)
    assert check["chance_agreement"] == pytest.approx(1 / 3)
    assert check["prediction_ceiling"] == pytest.approx(math.sqrt(1 / 3))
    assert check["comparisons"] == 6


def test_quadruplets_are_one_question_whatever_the_order(tertium):
    check = tertium.check(tertium.file("a.csv", rows("0 1 2 3; 1 0 2 3; 3 2 0 1; 0 2 1 3")))
    assert check["questions"] == {"distinct": 2, "repeated": 1, "contradicted": 1, "most_asked": 3}
    assert check["repeat_agreement"] == pytest.approx(1 / 3)
    assert check["never_anchors"] == []  # quadruplets have none


def test_votes_are_so_many_answers(tertium):
    # 3 to 1: three of six pairs agree; 2 to 0: the only pair does; 1 to 0 is no repeat.
    content = "anchor,b,c,votes_b_nearer,votes_c_nearer\n0,1,2,3,1\n1,0,2,2,0\n2,0,1,1,0\n"
    check = tertium.check(tertium.file("a.csv", content))
    assert check["questions"] == {"distinct": 3, "repeated": 2, "contradicted": 1, "most_asked": 4}
    assert check["repeat_agreement"] == pytest.approx((3 / 6 + 1) / 2)
    assert check["weight"] == 7


def test_fractional_weights_do_not_hide_repeats(tertium):
    # Two people, half weight each, gave the same answer: asked twice, in full agreement.
    content = "anchor,near,far,weight\na,b,c,0.5\na,b,c,0.5\n"
    check = tertium.check(tertium.file("a.csv", content))
    assert check["questions"]["repeated"] == 1
    assert check["repeat_agreement"] == 1


def test_no_repeats_no_agreement(tertium):
    check = tertium.check(tertium.file("a.csv", rows("0 1 2; 1 0 2")))
    assert check["repeat_agreement"] is None
    assert check["prediction_ceiling"] is None


def test_numbers_that_are_not_used(tertium):
    check = tertium.check(tertium.file("a.csv", rows("1 2 7; 2 1 4")))
    assert check["unused_numbers"] == [3, 5, 6]


def test_sides_of_salmon_exports(tertium):
    # head, winner, loser with the places on the screen: left, left, right.
    content = (
        "head,winner,loser,left,right,puid\na,b,c,b,c,u\nb,c,a,c,a,u\nc,a,b,b,a,u\na,c,b,c,b,v\n"
    )
    u, v = tertium.check(tertium.file("a.csv", content))["participants"]
    assert (u["favourite_place"], u["favourite_share"]) == (1, pytest.approx(2 / 3))
    assert (v["favourite_place"], v["favourite_share"]) == (1, 1)


PARTICIPANTS = """worker_id worker puid participant participation Participant.ID subject_id sub_id
pid user sessionID participant_uid survey_round"""


@pytest.mark.parametrize("column", PARTICIPANTS.split())
def test_names_of_the_participant_column(tertium, column):
    check = tertium.check(tertium.file("a.csv", f"anchor,near,far,{column}\na,b,c,who\n"))
    assert [p["name"] for p in check["participants"]] == ["who"]


def test_example_survey_gives_away_its_two_bad_participants(tertium, repository):
    # examples/cities/README.md: p13 answers at random, p28 always chooses the left city.
    check = tertium.check(repository / "examples" / "cities" / "answers.csv")
    assert [p["name"] for p in check["participants"] if p["one_sided"]] == ["p28"]
    assert "p13" in [p["name"] for p in check["participants"] if p["looks_random"]]


def test_catch_trials_are_left_out_and_counted(tertium):
    content = "anchor,near,far,is_catchtrial\na,b,c,false\na,c,b,true\na,c,b,True\nb,a,c,0\n"
    check = tertium.check(tertium.file("a.csv", content))
    assert check["rows"]["catch_trials"] == 2
    assert check["comparisons"] == 2


@pytest.mark.parametrize("empty", ["", "NA", "null", "None", "nan", "N/A"])
def test_unanswered_rows_are_counted(tertium, empty):
    content = f"anchor,left,right,answer\nhog,cat,cow,cat\nhog,cat,cow,{empty}\n"
    assert tertium.check(tertium.file("a.csv", content))["rows"]["unanswered"] == 1


def test_without_any_answer_nothing_is_linked(tertium):
    tertium.file("a.csv", "anchor,left,right,answer\na,b,c,\na,c,b,NA\n")
    text = tertium.run("check", "a.csv").stdout
    assert re.search(r"items +0  \(no answer links any\)", text)


@pytest.mark.parametrize("word", ["tie", "equal", "Same", "both", "neither"])
def test_ties_are_counted(tertium, word):
    content = f"anchor,left,right,answer\nhog,cat,cow,cat\nhog,cat,cow,{word}\n"
    assert tertium.check(tertium.file("a.csv", content))["rows"]["ties"] == 1


def test_items_called_like_no_answer(tertium):
    # Sodium and Namibia are items too: at least the message must show what stands there.
    tertium.file("a.csv", rows("anchor near far; Na K Li; K Na Li"))
    done = tertium.run("check", "a.csv", code=None)
    assert done.returncode == 0 or "'Na'" in done.stderr


def test_skipped_rows_are_listed(tertium):
    tertium.file("a.csv", "anchor,near,far\na,b,c\na,b\nb,a,c\nb,,c\n")
    check = tertium.check("a.csv", "--skip-bad-rows")
    assert check["rows"]["bad"] == 2
    assert [bad["line"] for bad in check["bad_rows"]] == [3, 5]
    text = tertium.run("check", "a.csv", "--skip-bad-rows").stdout
    assert re.search(r"2 bad rows skipped", text)
    assert "a.csv, line 3:" in text
    assert "a.csv, line 5, column 2 (near):" in text


def test_several_files_are_one_survey(tertium):
    tertium.file("a.csv", "anchor,near,far\na,b,c\n")
    tertium.file("b.csv", "anchor,near,far\na,c,b\nb,b,c\n")
    check = tertium.check("a.csv", "b.csv")
    assert [file["rows"] for file in check["files"]] == [1, 2]
    assert check["questions"]["contradicted"] == 1
    assert check["self_comparisons"]["places"] == [{"file": "b.csv", "line": 3}]
