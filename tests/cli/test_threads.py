"""`--threads 1` is one thread from the beginning to the end, whatever the command does inside."""

import os
import resource
import subprocess

import pytest

MODEL = ["--items", 60, "--clusters", 3]
COMMANDS = {
    "check": ["check", "a.csv"],
    "similarity": ["similarity", "a.csv", "-o", "s.sim"],
    "similarity, repeats once": ["similarity", "a.csv", "--repeats", "once", "-o", "s.sim"],
    "cluster": ["cluster", "a.csv", "--resamples", 20],
    "cluster by the paper": ["cluster", "a.csv", "--method", "paper", "--quick"],
    "sdp": ["sdp", "a.csv", "--clusters", 5, "--certificate", "c.json", "--save-x", "x.npy"],
    "verify": ["verify", "bound.json", "a.csv"],
    "simulate": ["simulate", *MODEL, "--answers", "1e6", "--replacement", "-o", "b.csv"],
    "plan": ["plan", *MODEL, "--epsilon", 1, "--delta", 0.9, "--runs", 20],
    "theory": ["theory", "a.csv", "--truth", "t.csv"],
}
# Those that share their work among threads whenever they may.
PARALLEL = ["similarity", "cluster", "sdp", "simulate", "plan"]


def is_settled(process):
    """The program starts itself again once, to be loaded with one thread of BLAS."""
    with open(f"/proc/{process.pid}/environ", "rb") as environment:
        return b"OPENBLAS_NUM_THREADS=" in environment.read()


def most_threads(tertium, *arguments):
    """The largest number of threads that a run was seen with, and how often one looked."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS")}
    process = subprocess.Popen(
        tertium.command(*arguments, "-q"), cwd=tertium.folder, env=environment
    )
    most = looks = 0
    while process.poll() is None:
        try:
            if is_settled(process):
                most = max(most, len(os.listdir(f"/proc/{process.pid}/task")))
                looks += 1
        except OSError:  # it has just ended
            break
    assert process.wait(timeout=100) == 0
    return most, looks


@pytest.fixture
def survey(tertium):
    """Answers large enough that every part of the work wants threads."""
    tertium.run("simulate", *MODEL, "--answers", 30_000, "--epsilon", 0.3, "--delta", 0.3,
                "-o", "a.csv", "--truth", "t.csv")  # fmt: skip
    tertium.run("sdp", "a.csv", "--clusters", 5, "--certificate", "bound.json")
    return tertium


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS.keys())
def test_one_thread_is_one_thread(survey, arguments):
    for _ in range(20):  # a run may be over before anybody looks
        most, looks = most_threads(survey, *arguments, "--threads", 1)
        if looks > 0:
            break
    assert looks > 0
    assert most == 1


@pytest.mark.parametrize("name", PARALLEL)
def test_more_threads_are_seen(survey, name):
    """Else the test above would prove nothing.

    A second thread may live shorter than the time between two looks on a busy machine, so a run
    that was not seen with two is looked at again."""
    seen = (most_threads(survey, *COMMANDS[name], "--threads", 2)[0] for _ in range(20))
    assert any(most == 2 for most in seen)


@pytest.mark.slow_sanitized
@pytest.mark.parametrize("megabytes", [300, 700])
def test_no_more_threads_than_the_memory_allowed_has_room_for(survey, megabytes):
    """OpenBLAS asks for its buffers for ever where it gets none."""
    space = megabytes << 20
    done = subprocess.run(
        survey.command("cluster", "a.csv", "--quick", "--clusters", 5, "--threads", 16, "-q"),
        cwd=survey.folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (space, space)),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
