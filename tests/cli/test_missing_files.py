"""Files that are not there, or are something else: a sentence with what to do."""

import os

import pytest

ANSWERS = "anchor,near,far\na,b,c\nb,c,a\nc,a,b\na,c,b\n"
# Every way to name a file that is read; FILE stands for it.
READERS = {
    "check": ["check", "FILE"],
    "second of two": ["check", "a.csv", "FILE"],
    "items": ["check", "a.csv", "--items", "FILE"],
    "similarity": ["similarity", "FILE", "-o", "s.sim"],
    "sdp": ["sdp", "FILE", "-k", 2],
    "verify": ["verify", "FILE", "a.csv"],
    "verify, answers": ["verify", "claim.json", "FILE"],
    "cluster": ["cluster", "FILE", "--quick"],
    "truth": ["cluster", "a.csv", "--quick", "--truth", "FILE"],
    "theory": ["theory", "a.csv", "--truth", "FILE"],
    "agreement": ["agreement", "FILE", "t.csv"],
    "agreement, the other": ["agreement", "t.csv", "FILE"],
    "points": ["simulate", "--points", "FILE", "--answers", 5, "-o", "b.csv"],
}
EACH = pytest.mark.parametrize("call", READERS.values(), ids=READERS.keys())


@pytest.fixture
def lab(tertium):
    tertium.file("a.csv", ANSWERS)
    tertium.file("t.csv", "item,cluster\na,1\nb,1\nc,2\n")
    tertium.run("sdp", "a.csv", "-k", 2, "--certificate", "claim.json")
    return tertium


def with_file(call, name):
    return [name if word == "FILE" else word for word in call]


@pytest.mark.slow_sanitized
@EACH
def test_a_similar_name_is_offered(lab, call):
    lab.file("monday_answers.csv", ANSWERS)
    message = lab.refuse(*with_file(call, "monday_anwsers.csv"))
    assert message == (
        "tertium: monday_anwsers.csv: found no such file; expected a file that exists. "
        "Did you mean 'monday_answers.csv'?\n"
    )


@pytest.mark.slow_sanitized
@EACH
def test_a_name_like_no_other(lab, call):
    message = lab.refuse(*with_file(call, "elephants_of_the_world.tsv"))
    assert "elephants_of_the_world.tsv: found no such file; expected a file that exists" in message
    assert f"looked for in {lab.folder.resolve()}" in message


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("survey/answers", "survey/answers.csv"),
        ("survey/answers.tsv", "survey/answers.csv"),
        ("survey/Answers.CSV", "survey/answers.csv"),
        ("servey/answers.csv", "survey"),
        ("./survey/answer.csv", "./survey/answers.csv"),
    ],
)
def test_names_in_folders(lab, asked, meant):
    lab.file("survey/answers.csv", ANSWERS)
    message = lab.refuse("check", asked)
    assert message.startswith(f"tertium: {asked}: found ")
    assert f"Did you mean '{meant}'?" in message


def test_no_such_folder_on_the_way(lab):
    message = lab.refuse("check", "none/of/these/answers.csv")
    assert "found that there is no folder 'none'" in message


@pytest.mark.parametrize(
    "call",
    [READERS[name] for name in ("items", "verify", "truth", "theory", "agreement", "points")],
)
def test_a_directory_for_a_file(lab, call):
    lab.file("folder/x.csv", "x")
    lab.file("folder/y.csv", "y")
    message = lab.refuse(*with_file(call, "folder"))
    assert "folder: found a directory; expected a file" in message
    assert "x.csv, y.csv" in message


def test_a_file_for_a_directory(lab):
    message = lab.refuse("check", "a.csv/b.csv")
    assert "a.csv/b.csv: found a file where a folder should be" in message


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_files_that_may_not_be_read(lab):
    (lab.folder / "a.csv").chmod(0)
    assert "a.csv: found that you are not permitted to read it" in lab.refuse("check", "a.csv")
    (lab.folder / "closed").mkdir(mode=0)
    assert "not permitted" in lab.refuse("check", "closed")
    assert "not permitted" in lab.refuse("check", "closed/a.csv")


def test_a_link_to_nothing(lab):
    (lab.folder / "link.csv").symlink_to("gone.csv")
    assert "link.csv: found no such file" in lab.refuse("check", "link.csv")


def test_a_huge_folder_is_not_listed(lab):
    for i in range(2000):
        lab.file(f"many/file{i:04}.txt", "")
    message = lab.refuse("agreement", "many", "t.csv")
    assert "2000 in all" in message
    assert len(message) < 500
