"""docs/errors.md: a row for every case of bad_cases.py, with what the program says about it."""

import shlex
from itertools import groupby
from pathlib import Path

from bad_cases import CASES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
INTRODUCTION = """\
# What goes wrong, and what tertium says

Made by `tools/errors_page.py` from the tests (`tests/cli/bad_cases.py`), which run every line of
it: edit those, not this page. Messages go to standard error; they say where, what was found, what
was expected and often what to do. Exit code 2 means that the input or the flags cannot be used, 3
that a certificate was read and its claim was refused; nothing is written in either case. Internal
errors have exit code 1, and a run that is stopped has 130.
"""


def shown(text):
    """Text in a cell of a table, as code; long words, such as deep JSON, are cut by the program."""
    return "`" + text.replace("|", "\\|").replace("\n", " ").strip().replace("`", "'") + "`"


def row(case, message):
    call = shlex.join(["tertium", *case.call])
    return f"| {case.wrong} | {shown(call)} | {case.code} | {shown(message)} |"


def page(messages):
    """The whole page; `messages` has what the program says about each case by its name."""
    parts = [INTRODUCTION]
    for section, cases in groupby(CASES, key=lambda case: case.section):
        rows = [row(case, messages[case.name]) for case in cases]
        head = ["| what is wrong | call | code | message |", "|---|---|---|---|"]
        parts.append("\n".join([f"## {section}", "", *head, *rows]) + "\n")
    return "\n".join(parts)
