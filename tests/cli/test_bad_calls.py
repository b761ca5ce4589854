"""What is asked for and cannot be done is refused: snapshots, flags, outputs; bad rows are skipped
only when told to; stopping, and what is printed."""

import signal
import struct
import subprocess
import time
import zlib

import pytest
from bad_cases import FLAGS
from definitions import OLDER_SNAPSHOT, rows

HEADER = "anchor,near,far\n"
ITEMS = "index,name\n0,zebra\n1,apple\n2,yak\n"

# --- snapshots ---


@pytest.fixture
def snapshot(tertium):
    tertium.file("a.csv", rows("0 1 2; 1 2 0; 3 0 1"))
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    return (tertium.folder / "a.sim").read_bytes()


def with_checksum(content):
    """The file ends in the CRC-32 of all before; a wrong content with a right checksum."""
    return content[:-4] + struct.pack("<I", zlib.crc32(content[:-4]))


@pytest.mark.parametrize("command", ["check", "similarity"])
def test_truncated_snapshots(tertium, snapshot, command):
    output = ["-o", "out.sim"] if command == "similarity" else []
    for length in range(8, len(snapshot)):
        tertium.file("bad.sim", snapshot[:length])
        message = tertium.refuse(command, "bad.sim", *output)
        assert "bad.sim" in message
        assert "cut off" in message


def test_every_changed_byte_of_a_snapshot_is_noticed(tertium, snapshot):
    for at in range(len(snapshot)):
        changed = bytearray(snapshot)
        changed[at] ^= 0x10
        tertium.file("bad.sim", bytes(changed))
        assert "bad.sim" in tertium.refuse("check", "bad.sim")


def test_wrong_snapshots_with_a_right_checksum_are_refused_or_read(tertium, snapshot):
    for at in range(12, len(snapshot) - 12):
        for value in (0x00, 0x7F, 0xFF):
            changed = bytearray(snapshot)
            changed[at] = value
            tertium.file("bad.sim", with_checksum(bytes(changed)))
            done = tertium.run("similarity", "bad.sim", "-q", "-o", "out.csv", code=None)
            assert done.returncode in (0, 2), (at, value, done.stderr)


def test_newer_snapshot(tertium, snapshot):
    newer = bytearray(snapshot)
    newer[8] = 77
    tertium.file("bad.sim", with_checksum(bytes(newer)))
    message = tertium.refuse("check", "bad.sim")
    assert "version 77" in message
    assert "newer" in message


@pytest.mark.parametrize("repeats", ["once", "majority"])
def test_snapshots_without_repeats_do_not_add_up(tertium, repeats):
    tertium.file("a.csv", rows("0 1 2"))
    tertium.run("similarity", "a.csv", "--repeats", repeats, "-o", "a.sim")
    message = tertium.refuse("similarity", "a.sim", "a.csv", "-o", "b.sim")
    assert "a.sim" in message
    assert f"--repeats {repeats}" in message
    tertium.run("similarity", "a.csv", "-o", "c.sim")
    message = tertium.refuse("similarity", "c.sim", "--repeats", repeats, "-o", "b.sim")
    assert "c.sim" in message


@pytest.mark.parametrize(
    "flags", [["--items", "none.csv"], ["--where", "a=b"], ["--weight", "w"], ["--ids-from", "1"]]
)
def test_flags_that_a_snapshot_cannot_obey_are_not_ignored(tertium, snapshot, flags):
    assert flags[0] in tertium.refuse("similarity", "a.sim", *flags, "-o", "b.sim")


def test_matrix_does_not_add_up_with_answers(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    tertium.file("m.csv", "\n".join(",".join("0" for _ in range(6)) for _ in range(6)) + "\n")
    assert "m.csv" in tertium.refuse("similarity", "a.csv", "m.csv", "-o", "b.sim")


# --- flags ---

# What `check` says to these flags: test_errors.py.


@pytest.mark.parametrize("flags", [flags for flags, _ in FLAGS.values()], ids=" ".join)
def test_flags_that_make_no_sense(tertium, flags):
    tertium.file("a.csv", rows("0 1 2; 1 0 2"))
    message = tertium.refuse("similarity", "a.csv", "-o", "out.sim", *flags)
    assert flags[0] in message
    assert len(message) < 400, "a message is to be read"


def test_more_threads_than_the_machine_has(tertium):
    done = tertium.run("check", tertium.file("a.csv", rows("0 1 2")), "--threads", 10**5, code=None)
    assert done.returncode == 0 or "--threads" in done.stderr
    done = tertium.run("similarity", "a.csv", "--threads", 10**5, "-o", "a.sim", code=None)
    assert done.returncode == 0 or "--threads" in done.stderr


@pytest.mark.parametrize("flags", [[], ["--skip-bad-rows"]], ids=["strict", "skipping"])
def test_weights_too_large_to_add_up(tertium, flags):
    tertium.file("a.csv", "anchor,near,far,weight\n" + "0,1,2,1000000000\n" * 10_000)
    assert "a.csv" in tertium.refuse("similarity", "a.csv", *flags, "-o", "a.sim")


@pytest.mark.parametrize("command", ["check", "similarity", "agreement"])
def test_unknown_flags(tertium, command):
    tertium.file("a.csv", rows("0 1 2"))
    output = ["-o", "out.sim"] if command == "similarity" else []
    assert "--nonsense" in tertium.refuse(command, "a.csv", "a.csv", "--nonsense", *output)


def test_unknown_command_is_named(tertium):
    assert "frobnicate" in tertium.refuse("frobnicate", "a.csv")


@pytest.mark.parametrize("arguments", [[], ["check"], ["similarity"], ["agreement", "a.csv"]])
def test_missing_arguments(tertium, arguments):
    assert "--help" in tertium.refuse(*arguments)


def test_missing_output(tertium):
    assert "--output" in tertium.refuse("similarity", tertium.file("a.csv", rows("0 1 2")))


# --- outputs ---


@pytest.mark.parametrize("output", ["no/such/folder/out.sim", "folder", "folder/", ""])
def test_outputs_that_cannot_be_written(tertium, output):
    tertium.file("a.csv", rows("0 1 2"))
    (tertium.folder / "folder").mkdir()
    tertium.refuse("similarity", "a.csv", "-o", output)


@pytest.mark.parametrize("ending", ["sim", "csv", "npy", "mtx"])
def test_full_disk(tertium, ending):
    tertium.file("a.csv", rows("a b c; b a c"))
    (tertium.folder / f"out.{ending}").symlink_to("/dev/full")
    done = tertium.run("similarity", "a.csv", "--header", "no", "-o", f"out.{ending}", code=2)
    assert f"out.{ending}" in done.stderr
    # Names beside an .npy that could not be written would belong to nothing.
    assert sorted(tertium.files()) == ["a.csv"]


@pytest.mark.parametrize("command", ["check", "agreement"])
def test_output_nobody_can_take(tertium, command):
    tertium.file("a.csv", "item,cluster,anchor,near,far\na,1,a,b,c\n")
    inputs = ["a.csv"] if command == "check" else ["a.csv", "a.csv"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            tertium.command(command, *inputs),
            cwd=tertium.folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode != 0, "the report was lost"
    assert b"internal error" not in done.stderr


# --- bad rows skipped ---


@pytest.mark.parametrize(
    ("name", "content", "bad"),
    [
        ("a.csv", HEADER + "a,b,c\na,b\nb,a,c\nb,,c\nc,a,b,d\n", [3, 5, 6]),
        ("a.csv", "0,1,2\n1,0\n1,0,2\n-1,0,2\n2,0,1\nx\n", [2, 4, 6]),
        ("a.csv", b"anchor,near,far\na,b,c\n\xc3\xa9,caf\xe9,c\nb,a,c\n", [3]),
        ("a.csv", "anchor,near,far,weight\na,b,c,1\na,b,c,-1\nb,a,c,inf\nb,a,c,2\n", [3, 4]),
        ("a.csv", "anchor,left,right,answer\na,b,c,left\na,b,c,up\nb,a,c,right\n", [3]),
        ("a.csv", HEADER + "a,b,c\nb,a,c\na,b", [4]),
        ("a.csv", HEADER + 'a,b,c\nb,a,c\na,"b,c', [4]),
        ("a.jsonl", '["a", "b", "c"]\n["b", "a"]\n["b", "a", "c"]\n', [2]),
        ("a.jsonl", '["a", "b", "c"]\n["b", "a"\n["b", "a", "c"]\n', [2]),
        ("a.jsonl", '["a", "b", "c"]\n["b", "a", "c"]\n["b", "a"', [3]),
    ],
    ids=[
        "cells",
        "numbers",
        "latin-1",
        "weights",
        "answers",
        "cut off",
        "open quote at the end",
        "JSON lines too short",
        "JSON lines broken",
        "JSON lines cut off",
    ],
)
def test_bad_rows_can_be_skipped(tertium, name, content, bad):
    tertium.file(name, content)
    check = tertium.check(name, "--skip-bad-rows")
    assert check["rows"]["bad"] == len(bad)
    assert [row["line"] for row in check["bad_rows"]] == bad
    assert check["rows"]["answered"] == check["rows"]["read"] - len(bad) > 0
    done = tertium.run("similarity", name, "--skip-bad-rows", "-o", "a.sim")
    assert f"{len(bad)} bad row" in done.stderr
    for line in bad:
        assert f"line {line}" in done.stderr
    # What is left gives the same as a file without the bad rows ever did.
    assert tertium.check("a.sim")["comparisons"] == check["comparisons"]


def test_many_bad_rows_are_counted_not_all_listed(tertium):
    tertium.file("a.csv", HEADER + "a,b,c\n" + "a,b\n" * 5000)
    done = tertium.run("check", "a.csv", "--skip-bad-rows")
    assert "5000 bad rows" in done.stdout
    assert len(done.stdout.splitlines()) < 60


def test_unknown_items_are_bad_rows(tertium):
    tertium.file("items.csv", ITEMS)
    tertium.file("a.csv", "0,1,2\n0,1,9\n2,1,0\n")
    check = tertium.check("a.csv", "--items", "items.csv", "--skip-bad-rows")
    assert [row["line"] for row in check["bad_rows"]] == [2]
    assert check["items"] == 3


@pytest.mark.parametrize(
    ("content", "flags"),
    [
        (HEADER + "a,b\nb,c\n", ["--skip-bad-rows"]),
        (HEADER + "a,b,c\n", ["--exclude", "far=c"]),
        (HEADER + "a,a,c\n", []),
        ("anchor,left,right,answer\na,b,c,\n", []),
    ],
    ids=["all bad", "all left out", "all with themselves", "all unanswered"],
)
def test_nothing_left_is_no_similarity(tertium, content, flags):
    tertium.file("a.csv", content)
    tertium.run("check", "a.csv", *flags)  # which says why
    tertium.refuse("similarity", "a.csv", *flags, "-o", "a.sim")


# --- stopping ---


def wait_for_handler(process):
    """Until the program itself answers SIGINT."""
    for _ in range(500):
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            caught = next(line for line in status if line.startswith("SigCgt:"))
        if int(caught.split()[1], 16) & (1 << (signal.SIGINT - 1)):
            return
        time.sleep(0.01)
    pytest.fail("no handler for SIGINT")


@pytest.mark.parametrize("still_open", [True, False], ids=["silent pipe", "pipe with more data"])
@pytest.mark.parametrize("command", ["check", "similarity"])
def test_interrupt_while_reading_a_slow_pipe(tertium, command, still_open):
    tertium.file("out.sim", OLDER_SNAPSHOT)
    before = tertium.files()
    output = ["-o", "out.sim"] if command == "similarity" else []
    process = subprocess.Popen(
        tertium.command(command, "-", *output),
        cwd=tertium.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        process.stdin.write(b"0,1,2\n" * 10)
        process.stdin.flush()
        wait_for_handler(process)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        if not still_open:
            process.stdin.write(b"1,2,0\n" * 1_000_000)
        # One Ctrl-C is enough, whether more data arrive or not.
        assert process.wait(timeout=3) == 130
    except BrokenPipeError:
        assert process.wait(timeout=3) == 130
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
    assert tertium.files() == before


@pytest.mark.parametrize(
    "flags",
    [
        ["check", "-"],
        ["similarity", "-", "-o", "out.sim"],
        ["cluster", "-"],
        ["sdp", "-", "--clusters", "2"],
        ["theory", "-", "--clusters", "2"],
    ],
    ids=lambda flags: flags[0],
)
def test_interrupt_before_the_first_byte(tertium, flags):
    process = subprocess.Popen(
        tertium.command(*flags),
        cwd=tertium.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_handler(process)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=3) == 130
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
    assert tertium.files() == {}


# --- what is printed ---


@pytest.mark.parametrize("command", [[], ["check"], ["similarity"], ["agreement"]])
def test_help(tertium, command):
    done = tertium.run(*command, "--help")
    assert "Usage" in done.stdout
    assert done.stderr == ""
    if command:
        assert "--json" in done.stdout
    else:
        assert all(name in done.stdout for name in ("check", "similarity", "agreement"))


def test_version(tertium):
    assert tertium.run("--version").stdout.strip().count(".") == 2


def test_no_escape_codes_in_a_pipe(tertium):
    # Neither own ones, nor those that a file brings along.
    tertium.file("a.csv", HEADER + "\x1b[31mred,b,c\nb,b,c\nb,\x1b[31mred,c\nb,c\n")
    tertium.file("b.csv", "item,cluster\n\x1b[31mred,1\nx,1\n")
    tertium.file("c.csv", "item,cluster\n\x1b[31mblue,1\nx,1\n")
    for arguments in (
        ["check", "a.csv", "--skip-bad-rows"],
        ["check", "a.csv", "--skip-bad-rows", "--json"],
        ["similarity", "a.csv", "--skip-bad-rows", "-o", "a.sim"],
        ["agreement", "b.csv", "c.csv"],
        ["agreement", "b.csv", "c.csv", "--json"],
        ["check", "--help"],
    ):
        done = tertium.run(*arguments)
        assert "\x1b" not in done.stdout + done.stderr, arguments


def test_file_name_that_is_no_text(tertium):
    name = b"caf\xe9.csv"
    (tertium.folder / name.decode(errors="surrogateescape")).write_text(HEADER + "a,b,c\n")
    for flags in ([], ["--json"]):
        done = subprocess.run(
            [*tertium.command("check"), name, *flags],
            cwd=tertium.folder,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_quiet_prints_nothing(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    done = tertium.run("similarity", "a.csv", "-q", "-o", "a.sim")
    assert done.stdout + done.stderr == ""
