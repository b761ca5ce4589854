"""What cannot be read is refused: exit code 2, a message that says where, what and what to do, and
nothing half-written."""

import pytest
from bad_files import BAD, BAD_ITEMS
from definitions import OLDER_SNAPSHOT, rows

# What `check` says to these files: test_errors.py.


@pytest.mark.slow_sanitized
@pytest.mark.parametrize(("name", "content", "flags", "parts"), BAD.values(), ids=BAD.keys())
def test_bad_files(tertium, name, content, flags, parts):
    tertium.file(name, content)
    tertium.file("out.sim", OLDER_SNAPSHOT)
    message = tertium.refuse("similarity", name, *flags, "-o", "out.sim")
    assert message.startswith(f"tertium: {name}")
    for part in parts:
        assert part in message
    assert message.count("\n") == 1


def test_missing_file(tertium):
    assert "none.csv" in tertium.refuse("check", "none.csv")


def test_directory_without_answers(tertium):
    tertium.file("empty/picture.png", b"\x89PNG")
    message = tertium.refuse("check", "empty")
    assert "empty" in message
    assert ".csv" in message


def test_triplets_and_quadruplets_do_not_mix(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    tertium.file("b.csv", rows("0 1 2 3"))
    tertium.run("similarity", "b.csv", "-o", "b.sim")
    for inputs in (["a.csv", "b.csv"], ["b.csv", "a.csv"], ["a.csv", "b.sim"]):
        message = tertium.refuse("similarity", *inputs, "-o", "out.sim")
        assert inputs[1] in message
        assert "triplets" in message
        assert "quadruplets" in message


# --- lists of items ---


@pytest.mark.slow_sanitized
@pytest.mark.parametrize(
    ("items", "content", "flags", "parts"), BAD_ITEMS.values(), ids=BAD_ITEMS.keys()
)
def test_bad_items(tertium, items, content, flags, parts):
    tertium.file("items.csv", items)
    tertium.file("a.csv", content)
    message = tertium.refuse("similarity", "a.csv", "--items", "items.csv", *flags, "-o", "a.sim")
    for part in parts:
        assert part in message


def test_missing_list_of_items(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    assert "none.csv" in tertium.refuse("check", "a.csv", "--items", "none.csv")


def test_plain_list_of_names(tertium):
    """One name per line, no header: read whole or asked about, but no name may get lost."""
    tertium.file("names.txt", "hog\ncat\ncow\n")
    tertium.file("a.csv", rows("anchor near far; hog cat cow"))
    done = tertium.run("check", "a.csv", "--items", "names.txt", "--item-name", "1", code=None)
    assert done.returncode == 0 or "names.txt" in done.stderr
