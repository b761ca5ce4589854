"""Outputs never land on an input, nor on somebody's other file unless told to."""

import os
import subprocess

import pytest

ANSWERS = "anchor,near,far\n" + "0,1,2\n3,4,0\n1,0,3\n2,4,1\n4,3,0\n" * 3
ITEMS = "index,name\n0,ape\n1,bee\n2,cat\n3,dog\n4,elk\n"
TRUTH = "item,class\nape,1\nbee,1\ncat,2\ndog,2\nelk,2\n"
MODEL = ["--items", 9, "--clusters", 2, "--answers", 30]
READ = ["raw.csv", "--items", "items.csv"]
# How files begin that only this program writes: snapshots and certificates.
OUR_OWN = (b"\x89TERTSIM", b'{\n  "format": "tertium certificate"')
# The call without the output, the flag, and the name of a proper output.
OUTPUTS = {
    "snapshot": (["similarity", *READ], "-o", "s.sim"),
    "npy": (["similarity", *READ], "-o", "s.npy"),
    "csv": (["similarity", *READ], "-o", "s.csv"),
    "mtx": (["similarity", *READ], "-o", "s.mtx"),
    "certificate": (["sdp", *READ, "-k", 2], "--certificate", "c.json"),
    "x": (["sdp", *READ, "-k", 2], "--save-x", "x.npy"),
    "dual": (["sdp", *READ, "-k", 2], "--save-dual", "n.npy"),
    "answers": (["simulate", *MODEL], "-o", "b.csv"),
    "truth": (["simulate", *MODEL, "-o", "b.csv"], "--truth", "t.csv"),
    "svg": (["plan", *MODEL[:4], "--epsilon", 1, "--delta", 1, "--runs", 20], "--svg", "p.svg"),
}
EACH = pytest.mark.parametrize(("call", "flag", "name"), OUTPUTS.values(), ids=OUTPUTS.keys())
WITH_INPUTS = pytest.mark.parametrize(
    ("call", "flag", "name"),
    [row for row in OUTPUTS.values() if row[0][0] in ("similarity", "sdp")],
    ids=[key for key, row in OUTPUTS.items() if row[0][0] in ("similarity", "sdp")],
)


@pytest.fixture
def lab(tertium):
    tertium.file("raw.csv", ANSWERS)
    tertium.file("items.csv", ITEMS)
    tertium.file("truth.csv", TRUTH)
    return tertium


# --- inputs ---


def other_name(lab, way, name, ending):
    """Another name of an input, with the ending that the output must have."""
    new = f"other{ending}"
    if way == "link":
        (lab.folder / new).symlink_to(name)
    elif way == "hard link":
        os.link(lab.folder / name, lab.folder / new)
    else:
        (lab.folder / "loop").symlink_to(".")
        (lab.folder / new).symlink_to(name)
        return f"loop/{new}"
    return new


@pytest.mark.slow_sanitized
@WITH_INPUTS
@pytest.mark.parametrize("way", ["link", "hard link", "link in a linked folder"])
@pytest.mark.parametrize("name_of_input", ["raw.csv", "items.csv"])
def test_inputs_stay_under_every_name(lab, call, flag, name, way, name_of_input):
    ending = os.path.splitext(name)[1]
    output = other_name(lab, way, name_of_input, ending)
    for force in ([], ["--force"]):
        message = lab.refuse(*call, flag, output, *force)
        assert f"{output}: found that it is an input" in message
        assert flag in message


@pytest.mark.parametrize("output", ["raw.csv", "./raw.csv", "items.csv"])
@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "forced"])
@pytest.mark.parametrize("flag", ["--certificate", "--save-x", "--save-dual"])
def test_sdp_does_not_write_its_inputs(lab, flag, output, force):
    assert "input" in lab.refuse("sdp", *READ, "-k", 2, flag, output, *force)


def test_files_of_an_input_folder_are_inputs(lab):
    lab.file("folder/one.csv", ANSWERS)
    lab.file("folder/two.csv", ANSWERS)
    assert "input" in lab.refuse("similarity", "folder", "-o", "folder/two.csv", "--force")
    message = lab.refuse("sdp", "folder", "-k", 2, "--certificate", "folder/two.csv", "--force")
    assert "input" in message


def test_points_are_an_input(lab):
    lab.file("points.csv", "x,y\n" + "".join(f"{i},{i * i}\n" for i in range(9)))
    call = ["simulate", "--points", "points.csv", "--answers", 30]
    assert "input" in lab.refuse(*call, "-o", "points.csv", "--force")


def test_a_matrix_that_was_read_stays(lab):
    lab.run("similarity", *READ, "-o", "s.npy")
    assert "input" in lab.refuse("similarity", "s.npy", "--kind", "matrix", "-o", "s.npy")
    assert "input" in lab.refuse("sdp", "s.npy", "--kind", "matrix", "-k", 2, "--save-x", "s.npy")


def test_the_dual_beside_a_certificate_is_an_output_too(lab):
    lab.run("similarity", *READ, "-o", "s.json.npy")
    call = ["sdp", "s.json.npy", "--kind", "matrix", "-k", 2, "--certificate", "s.json"]
    assert "s.json.npy: found that it is an input" in lab.refuse(*call)


def test_a_snapshot_is_replaced_only_by_its_successor(lab):
    lab.run("similarity", *READ, "-o", "all.sim")
    lab.run("similarity", "all.sim", "all.sim", "-o", "all.sim")
    (lab.folder / "all.csv").symlink_to("all.sim")
    assert "input" in lab.refuse("similarity", "all.sim", "-o", "all.csv")
    assert "input" in lab.refuse("sdp", "all.sim", "-k", 2, "--certificate", "all.sim")


def test_a_pipe_is_read_from_its_first_byte(lab):
    lab.run("similarity", "raw.csv", "-o", "file.sim")
    lab.run("similarity", "-", "-o", "pipe.sim", stdin=ANSWERS.encode())
    lab.run("similarity", "-", "-o", "again.sim", stdin=lab.files()["file.sim"])
    assert lab.files()["pipe.sim"] == lab.files()["again.sim"] == lab.files()["file.sim"]


# --- somebody's other files ---


@EACH
def test_other_files_are_kept_unless_forced(lab, call, flag, name):
    lab.file(name, "Dear diary,\n")
    message = lab.refuse(*call, flag, name)
    assert f"{name}: found a file that " in message
    assert f"another {flag}" in message
    assert "--force" in message
    lab.run(*call, flag, name, "--force")
    assert b"diary" not in lab.files()[name]


@EACH
def test_answers_of_others_are_not_replaced(lab, call, flag, name):
    """Whatever the ending says, and though simulated answers look the same."""
    lab.file(name, ANSWERS)
    assert "--force" in lab.refuse(*call, flag, name)


@EACH
def test_an_earlier_output_and_an_empty_file_are_replaced(lab, call, flag, name):
    lab.file(name, "")
    lab.run(*call, flag, name)
    first = lab.files()
    if not first[name].startswith(OUR_OWN):  # anybody's file could look like that
        assert "somebody's" in lab.refuse(*call, flag, name)
    lab.run(*call, flag, name, *([] if first[name].startswith(OUR_OWN) else ["--force"]))
    assert lab.files() == first
    assert len(first[name]) > 0


def test_standard_input_is_an_input_too(lab):
    for force in ([], ["--force"]):
        with open(lab.folder / "raw.csv", "rb") as answers:
            call = lab.command("similarity", "-", "-o", "raw.csv", *force)
            done = subprocess.run(call, stdin=answers, cwd=lab.folder, capture_output=True)
        assert done.returncode == 2
        assert b"raw.csv: found that it is an input" in done.stderr
    assert lab.files()["raw.csv"].decode() == ANSWERS


def test_the_names_beside_an_array_are_guarded(lab):
    lab.file("s.items.csv", "item,price\nape,3\n")
    message = lab.refuse("similarity", *READ, "-o", "s.npy")
    assert "s.items.csv" in message
    lab.run("similarity", *READ, "-o", "s.npy", "--force")


def test_the_dual_beside_a_certificate_is_guarded(lab):
    lab.file("c.json.npy", "not an array")
    assert "c.json.npy" in lab.refuse("sdp", *READ, "-k", 2, "--certificate", "c.json")


# --- places ---


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        (["sdp", *READ, "-k", 2, "--save-x", "x.npy", "--save-dual", "./x.npy"], "x.npy"),
        (["sdp", *READ, "-k", 2, "--certificate", "c", "--save-x", "c.npy"], "c.npy"),
        (["simulate", *MODEL, "-o", "b.csv", "--truth", "loop/b.csv"], "loop/b.csv"),
        (["simulate", *MODEL, "-o", "-", "--truth", "-"], "standard output"),
    ],
)
def test_two_outputs_are_two_files(lab, flags, name):
    (lab.folder / "loop").symlink_to(".")
    assert name in lab.refuse(*flags)


@EACH
def test_places_that_do_not_exist_are_refused_before_the_work(lab, call, flag, name):
    message = lab.refuse(*call, flag, f"no/such/{name}")
    assert f"no/such/{name}: found that there is no folder 'no/such'" in message


@EACH
def test_directories_are_no_files(lab, call, flag, name):
    (lab.folder / name).mkdir()
    assert f"{name}: found a directory" in lab.refuse(*call, flag, name)


@EACH
def test_devices_can_be_written(lab, call, flag, name):
    device = f"null{os.path.splitext(name)[1]}"
    (lab.folder / device).symlink_to("/dev/null")
    lab.run(*call, flag, device)


# --- folders of results ---

QUICK = ["cluster", *READ, "--clusters", 2, "--quick"]


def test_a_result_does_not_replace_the_labels_it_was_made_from(lab):
    for force in ([], ["--force"]):
        lab.file("lab/labels.csv", ANSWERS)
        call = ["cluster", "lab/labels.csv", "--quick", "--clusters", 2, "-o", "lab"]
        assert "lab/labels.csv: found that it is an input" in lab.refuse(*call, *force)


def test_truth_and_items_are_inputs_of_a_result(lab):
    lab.run(*QUICK, "-o", "out")
    call = ["cluster", "raw.csv", "--clusters", 2, "--quick", "-o", "out"]
    for flags in (["--items", "items.csv", "--truth", "out/labels.csv"],):
        assert "out/labels.csv: found that it is an input" in lab.refuse(*call, *flags)
    lab.file("list/labels.csv", ITEMS)
    call = ["cluster", "raw.csv", "--items", "list/labels.csv", "--clusters", 2, "--quick"]
    assert "input" in lab.refuse(*call, "-o", "list", "--force")


def test_folders_of_others_are_kept_unless_forced(lab):
    lab.file("theirs/notes.txt", "mine")
    lab.file("theirs/labels.csv", "stimulus;label\n")
    for folder in ("theirs", "."):
        message = lab.refuse(*QUICK, "-o", folder)
        assert "--force" in message
    lab.run(*QUICK, "-o", "theirs", "--force")
    assert lab.files()["theirs/notes.txt"] == b"mine"
    assert lab.files()["theirs/labels.csv"].startswith(b"item,cluster")


def test_a_folder_with_other_files_alone_says_which(lab):
    lab.file("theirs/notes.txt", "mine")
    message = lab.refuse(*QUICK, "-o", "theirs")
    assert "theirs: found other files and no earlier result (notes.txt)" in message


@pytest.mark.parametrize("kept", [["labels.csv"], ["result.json"], ["labels.csv", "result.json"]])
def test_an_earlier_result_is_replaced(lab, kept):
    (lab.folder / "empty").mkdir()
    lab.file("empty/.hidden", "x")
    lab.run(*QUICK, "-o", "empty")
    first = {name for name in lab.files() if name.startswith("empty/")}
    for name in first - {f"empty/{x}" for x in kept} - {"empty/.hidden"}:
        (lab.folder / name).unlink()
    lab.file("empty/notes.txt", "mine")
    lab.run(*QUICK, "-o", "empty")
    assert {name for name in lab.files() if name.startswith("empty/")} == {
        *first,
        "empty/notes.txt",
    }
