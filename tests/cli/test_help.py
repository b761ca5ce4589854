"""Help that fits the terminal and whose examples are right; words that were nearly right."""

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import termios

import pytest

COMMANDS = [
    "cluster",
    "check",
    "similarity",
    "embed",
    "sdp",
    "verify",
    "agreement",
    "simulate",
    "plan",
    "theory",
]


def help_of(tertium, *words, columns=80):
    done = subprocess.run(
        tertium.command(*words),
        env={**os.environ, "COLUMNS": str(columns)},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    return done.stdout.decode()


def flags_in(text):
    """The flags that a help explains: the first words of its indented lines."""
    lines = re.findall(r"^ {2,6}(-.*?)(?: {2}|$)", text, re.MULTILINE)
    return {flag for line in lines for flag in re.findall(r"--?[a-zA-Z][\w-]*", line)}


# --- version and help ---


def test_short_version(tertium):
    assert tertium.run("-V").stdout == tertium.run("--version").stdout


def test_all_commands_are_listed(tertium):
    text = help_of(tertium, "help")
    assert text == help_of(tertium, "--help") == help_of(tertium, "-h")
    listed = re.findall(r"^  ([a-z]+) {2,}", text, re.MULTILINE)
    assert listed == [*COMMANDS, "help"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(tertium, command):
    text = help_of(tertium, "help", command)
    assert text == help_of(tertium, command, "--help")
    assert f"Usage: tertium {command}" in text
    assert {"--help", "--json", "--quiet", "-q"} <= flags_in(text)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", [40, 61, 80, 100])
def test_help_fits_the_width_and_loses_no_word(tertium, command, columns):
    text = help_of(tertium, "help", command, columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    assert not any(line.endswith(" ") for line in text.splitlines())

    def words(text):
        return text.replace("\\\n", "\n").split()

    assert words(text) == words(help_of(tertium, "help", command, columns=100))


@pytest.mark.parametrize(("columns", "widest"), [("1000", 100), ("7", 40), ("no", 80), ("", 80)])
def test_widths_that_cannot_be_read_in(tertium, columns, widest):
    lines = help_of(tertium, "help", "cluster", columns=columns).splitlines()
    assert widest - 15 < max(map(len, lines)) <= widest


@pytest.mark.parametrize("columns", [50, 72, 95])
def test_width_of_the_terminal(tertium, columns):
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    process = subprocess.Popen(
        tertium.command("help", "check"), stdout=follower, env=environment, close_fds=True
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # how Linux says that the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(leader)
    assert process.wait(timeout=10) == 0
    widths = [len(line) for line in shown.decode().splitlines()]
    assert columns - 15 < max(widths) <= columns


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", [40, 100])
def test_examples_can_be_pasted(tertium, command, columns):
    text = help_of(tertium, "help", command, columns=columns)
    examples = text.split("Examples:\n")[1].replace("\\\n", " ").splitlines()
    assert len(examples) >= 2
    for example in examples:
        *_, call = example.split("|")
        program, name, *arguments = shlex.split(call)
        assert (program, name) == ("tertium", command)
        used = {word for word in arguments if re.match(r"--?[a-zA-Z]", word)}
        assert used <= flags_in(text)


def test_flags_of_every_command_are_in_groups(tertium):
    for command in COMMANDS:
        text = help_of(tertium, "help", command)
        groups = re.findall(r"^(\S.*):$", text, re.MULTILINE)
        assert len(groups) == len(set(groups)) >= 3, "arguments or flags, options, examples"
        assert groups[-2:] == ["Options", "Examples"]


# --- did you mean ---


@pytest.mark.parametrize(
    ("words", "found", "meant"),
    [
        (["clster"], "'clster'", "'cluster'"),
        (["Check", "a.csv"], "'Check'", "'check'"),
        (["similarty", "a.csv", "-o", "x"], "'similarty'", "'similarity'"),
        (["sim"], "'sim'", "'similarity'"),
        (["help", "clutser"], "'clutser'", "'cluster'"),
        (["cluster", "a.csv", "--cluster", 3], "'--cluster'", "'--clusters'"),
        (["cluster", "a.csv", "--cluster=3"], "'--cluster=3'", "'--clusters'"),
        (["cluster", "a.csv", "--truht", "t.csv"], "'--truht'", "'--truth'"),
        (["similarity", "a.csv", "--otput", "s.sim"], "'--otput'", "'--output'"),
        (["simulate", "--items", 9, "--answer", 5], "'--answer'", "'--answers'"),
        (["verify", "--jsno"], "'--jsno'", "'--json'"),
    ],
)
def test_words_that_were_nearly_right(tertium, words, found, meant):
    message = tertium.refuse(*words)
    assert f"found {found}" in message
    question = message[message.index("Did you mean") :]
    assert meant in question.split("?")[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_flag_is_found_again_without_one_of_its_letters(tertium, command):
    flags = sorted(f for f in flags_in(help_of(tertium, "help", command)) if f.startswith("--"))
    for flag in flags[:: max(1, len(flags) // 6)]:
        typed = flag[: len(flag) // 2 + 1] + flag[len(flag) // 2 + 2 :]
        if typed in flags:
            continue
        message = tertium.refuse(command, "x.csv", typed)
        assert f"found '{typed}'" in message
        assert f"'{flag}'" in message


@pytest.mark.parametrize("words", [["frobnicate"], ["--zzzz"], ["check", "a.csv", "--zzzz"]])
def test_nothing_is_meant_by_nonsense(tertium, words):
    message = tertium.refuse(*words)
    assert "Did you mean" not in message
    assert "--help" in message


def test_help_about_the_command_is_pointed_to(tertium):
    assert "Try 'tertium cluster --help'" in tertium.refuse("cluster")
    assert "Try 'tertium --help'" in tertium.refuse()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["agreement", "a.csv", "b.csv", "c.csv"], "found 'c.csv'; expected nothing more"),
        (["similarity", "a.csv"], "found no --output; expected one"),
        (["check"], "found no INPUT; expected one"),
        (["check", "a.csv", "--threads", "two"], "found --threads 'two'; expected a number"),
        (["cluster", "a.csv", "--clusters"], "found --clusters at the end; expected its value"),
        (["cluster", "a.csv", "--seed", "-1"], "found '-1'; expected a whole number, 0 or more"),
        (["check", ""], "found an empty name; expected the name of a file"),
        (["plan", "--svg", ""], "found an empty name; expected the name of a file"),
        (["cluster", "a.csv", "--truth", ""], "found an empty name; expected the name of a file"),
    ],
)
def test_wrong_calls_get_a_sentence(tertium, words, sentence):
    assert sentence in tertium.refuse(*words)


def test_long_arguments_are_cut(tertium):
    for words in (
        ["x" * 100_000],
        ["check", "a.csv", "--" + "x" * 100_000],
        ["check", "a.csv", "--threads", "9" * 100_000],
        ["agreement", "a", "b", *["c" * 100] * 1000],
    ):
        assert len(tertium.refuse(*words)) < 500
