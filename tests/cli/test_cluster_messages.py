"""What `tertium cluster` says: names, refusals, the line to paste."""

import shlex

import pytest
from clusterings import clear_groups, cluster


@pytest.mark.parametrize("kind", ["adds3", "adds4"])
def test_the_similarity_can_be_named(tertium, kind):
    tertium.file("a.csv", clear_groups(kind, (4, 5, 6), 5000).csv())
    assert cluster(tertium, "a.csv", "--quick", "--similarity", kind)["similarity"] == kind


@pytest.mark.parametrize("flags", [["--clusters", 22], ["--clusters", "4-2"], ["--truth", "o.csv"]])
def test_no_empty_folder_is_left(tertium, clear, flags):
    tertium.file("a.csv", clear.csv())
    tertium.file("o.csv", "item,class\nox,1\nyak,2\n")
    tertium.refuse("cluster", "a.csv", *flags, "-o", "new")
    assert not (tertium.folder / "new").exists()


def test_truth_about_other_items_names_its_flags(tertium, clear):
    tertium.file("a.csv", clear.csv())
    tertium.file("o.csv", "item,class\nox,1\nyak,2\n")
    message = tertium.refuse("cluster", "a.csv", "--truth", "o.csv")
    assert "o.csv" in message
    assert "--truth-item" in message
    assert "--item-a" not in message


def test_an_output_that_is_a_file_is_said_to_be_one(tertium, clear):
    tertium.file("a.csv", clear.csv())
    assert "file" in tertium.refuse("cluster", "a.csv", "-o", "a.csv").split("expected")[0]


@pytest.mark.parametrize(
    ("file", "flags", "folder"),
    [
        ("a.csv", [], "my results"),
        ("my answers.csv", [], "out"),
        ("x.csv", ["--anchor", 1, "--near", 2, "--far", 3, "--header", "yes"], "out"),
    ],
)
def test_the_line_to_check_the_proof_can_be_pasted(tertium, clear, file, flags, folder):
    text = clear.csv()
    tertium.file(file, text.replace("anchor,near,far", "x,y,z") if flags else text)
    says = tertium.run("cluster", file, *flags, "--quick", "-o", folder).stdout
    (line,) = (x for x in says.splitlines() if x.startswith("check the proof"))
    _, *arguments = shlex.split(line.removeprefix("check the proof"))
    tertium.run(*arguments)


def test_a_negative_seed_is_refused(tertium, clear):
    tertium.file("a.csv", clear.csv())
    assert "--seed" in tertium.refuse("cluster", "a.csv", "--quick", "--seed", -1)
