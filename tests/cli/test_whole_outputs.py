"""What is written is whole, however the run ends: full disks, limits, signals, other runs.

A folder with a result.json holds exactly the files that it names, with the checksums that it names;
files that belong together are of one run. TERTIUM_ATTACK=1 asks for 300 kills.
"""

import fcntl
import json
import os
import random
import resource
import signal
import subprocess
import time
import zlib
from contextlib import contextmanager

import pytest

KILLS = 300 if os.environ.get("TERTIUM_ATTACK") else 24
NAMES = {"labels.csv", "spreadsheet.csv", "pairs.npy", "certificate.json"}
STOPS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}


def answers(groups):
    """Every item is nearer to its group than to any other item."""
    lines = ["anchor,near,far"]
    items = [item for group in groups for item in group]
    for group in groups:
        for x in group:
            for y in group:
                lines += [f"{x},{y},{z}" for z in items if x != y and z not in group]
    return "\n".join(lines) + "\n"


TWO = answers(["abcdef", "ghijkl"])
THREE = answers(["abcd", "efgh", "ijkl"])
# Two runs with different files: one has pairs, the other one not, and their labels differ.
RUNS = [
    ["cluster", "two.csv", "-k", 2, "--quick", "--spreadsheet"],
    ["cluster", "three.csv", "-k", 3, "--resamples", 5],
]


@pytest.fixture
def lab(tertium):
    tertium.file("two.csv", TWO)
    tertium.file("three.csv", THREE)
    return tertium


def leftovers(folder):
    return [path for path in folder.rglob("*") if "part-" in path.name]


def assert_consistent(folder):
    """Whether there is a result, and if so, that it is of one piece."""
    if not (folder / "result.json").exists():
        return False
    result = json.loads((folder / "result.json").read_bytes())
    assert {file["name"] for file in result["files"]} == {
        path.name for path in folder.iterdir() if path.name in NAMES
    }
    for file in result["files"]:
        content = (folder / file["name"]).read_bytes()
        assert len(content) == file["bytes"], file["name"]
        assert f"{zlib.crc32(content):08x}" == file["crc32"], file["name"]
    return True


def start(lab, *arguments, **options):
    return subprocess.Popen(
        lab.command(*arguments),
        cwd=lab.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def limited(size):
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}


# ---- full disks and limits


@pytest.mark.parametrize("size", [0, 40, 300, 700, 1500, 3000])
def test_a_limit_on_files_leaves_the_old_result_whole(lab, size):
    lab.run(*RUNS[0], "-o", "out")
    before = lab.files()
    assert len(before["out/result.json"]) > 1500
    smallest = min(len(before[f"out/{name}"]) for name in ("labels.csv", "certificate.json"))
    assert smallest > 40
    done = start(lab, *RUNS[1], "-o", "out", **limited(size))
    _, says = done.communicate(timeout=60)
    after = lab.files()
    if done.returncode == 0:
        assert max(len(after[name]) for name in after if name.startswith("out/")) <= size
        assert_consistent(lab.folder / "out")
        return
    assert done.returncode == 2
    assert b"impossible to write" in says
    assert b"File too large" in says
    assert after == before


SETS = {
    "certificate": (["sdp", "three.csv", "-k", 2, "--certificate", "c.json"], "c.json"),
    "x": (["sdp", "three.csv", "-k", 2, "--save-x", "x.npy"], "x.npy"),
    "array": (["similarity", "three.csv", "-o", "s.npy"], "s.npy"),
    "table": (["similarity", "three.csv", "-o", "s.csv"], "s.csv"),
    "snapshot": (["similarity", "three.csv", "-o", "s.sim"], "s.sim"),
    "simulation": (
        ["simulate", "--items", 90, "-k", 2, "--answers", 900, "-o", "a.csv", "--truth", "t.csv"],
        "a.csv",
    ),
    "picture": (
        [
            "plan",
            "--items",
            9,
            "-k",
            2,
            "--epsilon",
            1,
            "--delta",
            1,
            "--runs",
            20,
            "--svg",
            "p.svg",
        ],
        "p.svg",
    ),
}


@pytest.mark.parametrize(("call", "name"), SETS.values(), ids=SETS.keys())
def test_files_that_belong_together_appear_together(lab, call, name):
    before = lab.files()
    lab.run(*call)
    sizes = [len(content) for path, content in lab.files().items() if path not in before]
    assert leftovers(lab.folder) == []
    for path in set(lab.files()) - set(before):
        (lab.folder / path).unlink()
    # Room for all but the largest.
    done = start(lab, *call, **limited(max(sizes) - 1))
    _, says = done.communicate(timeout=60)
    assert done.returncode == 2, says
    assert b"impossible to write" in says
    assert lab.files() == before


@contextmanager
def small_disk(folder, size):
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small disk is not permitted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_the_old_result_whole(lab):
    with small_disk(lab.folder / "disk", "64k") as disk:
        lab.run(*RUNS[0], "-o", "disk/out")
        before = lab.files()
        free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        for room in range(0, 24576, 4096):  # more and more of the new files fit
            (disk / "ballast").write_bytes(b"x" * (free - room))
            done = start(lab, *RUNS[1], "-o", "disk/out")
            _, says = done.communicate(timeout=60)
            (disk / "ballast").unlink()
            if done.returncode == 0:
                break
            assert done.returncode == 2
            assert b"No space left" in says
            assert lab.files() == before
        assert room > 8192, "the disk was never full in the middle"
        assert assert_consistent(disk / "out")


def test_a_folder_that_cannot_be_written(lab):
    lab.run(*RUNS[0], "-o", "out")
    before = lab.files()
    folder = lab.folder / "out"
    folder.chmod(0o555)
    try:
        done = lab.run(*RUNS[1], "-o", "out", code=None)
        if done.returncode == 0:  # permissions do not bind root
            assert os.geteuid() == 0
            assert assert_consistent(folder)
        else:
            assert done.returncode == 2
            assert lab.files() == before
    finally:
        folder.chmod(0o755)


# ---- standard output

LONG = ["simulate", "--items", 90, "-k", 2, "--answers", 30000, "-o", "-"]
PRINTS = {
    "text": ["check", "two.csv"],
    "JSON": ["cluster", "two.csv", "--quick", "--json"],
    "help": ["help", "cluster"],
    "flag": ["cluster", "--help"],
    "long": LONG,
}


@pytest.mark.parametrize("call", PRINTS.values(), ids=PRINTS.keys())
def test_standard_output_that_nobody_takes(lab, call):
    with open("/dev/full", "wb") as full:
        to_full = subprocess.run(
            lab.command(*call), cwd=lab.folder, stdout=full, stderr=subprocess.PIPE, check=False
        )
    reader, writer = os.pipe()
    os.close(reader)
    to_nobody = subprocess.run(
        lab.command(*call), cwd=lab.folder, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    closed = subprocess.run(
        ["bash", "-c", 'exec "$0" "$@" >&-', *lab.command(*call)],
        cwd=lab.folder,
        stderr=subprocess.PIPE,
        check=False,
    )
    for done in (to_full, to_nobody, closed):
        assert done.returncode == 2, done.stderr
        assert b"standard output: found that it" in done.stderr


def test_a_pipe_that_closes_early(lab):
    done = start(lab, *LONG)
    assert done.stdout.readline() == b"anchor,near,far\n"
    done.stdout.close()
    assert b"standard output" in done.stderr.read()
    assert done.wait(timeout=60) == 2


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-", "2>&- >&- <&-"])
def test_standard_error_that_nobody_takes(lab, redirection):
    command = ["bash", "-c", f'"$0" "$@" {redirection}']
    missing = [*command, *lab.command("check", "nowhere.csv")]
    assert subprocess.run(missing, cwd=lab.folder, check=False).returncode == 2
    # No message ends up in a file that took the place of a stream.
    work = [*command, *lab.command("cluster", "two.csv", "--quick", "-o", "out")]
    subprocess.run(work, cwd=lab.folder, stdout=subprocess.DEVNULL, check=False)
    assert assert_consistent(lab.folder / "out")


# ---- signals


def written_soon(folder):
    """Whether a run has begun to write into the folder; asked as fast as possible."""
    try:
        return any("part-" in name for name in os.listdir(folder))
    except FileNotFoundError:
        return False


def stop_while_writing(lab, run, number, rng, twice=False):
    """Sends a signal at a moment that is spread over the whole run, or over its writing."""
    done = start(lab, *RUNS[run], "-o", "out", "--threads", 1)
    if rng.random() < 0.3:
        time.sleep(rng.random() * 0.06)
    else:
        while done.poll() is None and not written_soon(lab.folder / "out"):
            pass
        time.sleep(rng.random() ** 2 * 0.004)
    for _ in range(2 if twice else 1):
        done.send_signal(number)
    done.communicate(timeout=60)
    return done.returncode


@pytest.mark.slow_sanitized
def test_a_killed_run_leaves_no_mixture(lab):
    rng = random.Random(1)
    folder = lab.folder / "out"
    seen = set()
    for kill in range(KILLS):
        stop_while_writing(lab, kill % 2, signal.SIGKILL, rng)
        whole = folder.exists() and assert_consistent(folder)
        seen.add((whole, bool(leftovers(lab.folder))))
        if kill % 8 == 7:
            lab.run(*RUNS[kill % 2], "-o", "out")
            assert assert_consistent(folder)
            assert leftovers(lab.folder) == []
    assert any(left for _, left in seen), "no kill hit the writing"


@pytest.mark.parametrize("number", STOPS.values(), ids=STOPS.keys())
@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
def test_a_stopped_run_leaves_nothing_behind(lab, number, twice):
    rng = random.Random(2)
    lab.run(*RUNS[0], "-o", "out")
    for stop in range(max(4, KILLS // 12)):
        code = stop_while_writing(lab, stop % 2, number, rng, twice)
        assert code in (0, 130, -number), code
        assert leftovers(lab.folder) == []
        assert assert_consistent(lab.folder / "out") or twice


@pytest.mark.parametrize("number", STOPS.values(), ids=STOPS.keys())
def test_signals_that_the_parent_ignores_stay_ignored(lab, number):
    """As under nohup, or in the background of a shell."""
    command = ["bash", "-c", f'trap "" {number:d}; exec "$0" "$@"', *lab.command(*LONG)]
    done = subprocess.Popen(command, cwd=lab.folder, stdout=subprocess.PIPE)
    done.stdout.readline()
    done.send_signal(number)
    assert len(done.stdout.read().splitlines()) == 30000
    assert done.wait(timeout=60) == 0


# ---- other runs


def test_of_two_runs_at_once_one_wins_whole(lab):
    for _ in range(max(3, KILLS // 10)):
        both = [start(lab, *run, "-o", "out", "--threads", 1) for run in RUNS + RUNS]
        for done in both:
            _, says = done.communicate(timeout=60)
            assert done.returncode == 0, says
        assert assert_consistent(lab.folder / "out")
        assert leftovers(lab.folder) == []


def test_leftovers_of_killed_runs_are_no_other_files(lab):
    lab.file("out/.tertium.part-abcdefgh", "half of a result")
    lab.file("out/pairs.npy", b"\x93NUMPY of an earlier result")
    lab.run(*RUNS[0], "-o", "out")
    assert leftovers(lab.folder) == []
    assert assert_consistent(lab.folder / "out")


def test_a_folder_that_another_program_locks(lab):
    """It is waited for, but not for ever."""

    lab.run(*RUNS[0], "-o", "out")
    folder = os.open(lab.folder / "out", os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    done = start(lab, *RUNS[1], "-o", "out")
    while not written_soon(lab.folder / "out"):
        assert done.poll() is None
    os.close(folder)
    assert done.wait(timeout=60) == 0
    assert assert_consistent(lab.folder / "out")
