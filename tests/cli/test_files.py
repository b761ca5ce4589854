"""Files as people have them (file_cases.py): read as a person reads them, or refused with a remedy
that works."""

import re
from collections import Counter

import pytest
from conftest import REPOSITORY
from file_cases import CASES, Read

SUGGESTED = re.compile(r"--[a-z-]+ \S+")


def read_as(tertium, case, *flags):
    return tertium.check("answers.csv" if len(case.files) > 1 else next(iter(case.files)), *flags)


def verify(check, expected):
    assert check["items"] == expected.items
    assert check["answers"] == expected.answers
    assert len(check["participants"]) == expected.people
    assert re.sub(r"^row \d+: ", "", check["files"][0]["first_row"]) == expected.first
    notes = "\n".join(check["notes"])
    for part in expected.notes:
        assert part in notes
    if not expected.notes:
        assert "the same item" not in notes


def test_every_case_has_a_name_of_its_own():
    assert max(Counter(case.name for case in CASES).values()) == 1
    assert len(CASES) >= 60


def test_every_tool_is_in_the_documentation():
    page = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
    tools = {case.tool for case in CASES} - {"a script", "a survey", "a crowd", "people", "filters"}
    assert not [tool for tool in tools if tool.removeprefix("a ") not in page]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_file(tertium, case):
    for name, content in case.files.items():
        tertium.file(name, content)
    if isinstance(case.expected, Read):
        verify(read_as(tertium, case, *case.flags), case.expected)
        return
    names = list(case.files)
    message = tertium.refuse("check", names[0].split("/")[0], *case.flags)
    for part in case.expected.says:
        assert part in message
    remedies = case.expected.remedies
    advice = re.split("[Aa]dd ", message, maxsplit=1)[1:]
    suggested = {flag.rstrip(".,") for flag in SUGGESTED.findall("".join(advice))}
    assert suggested <= set(remedies), "a flag is suggested that nobody tried"
    for remedy, expected in remedies.items():
        assert remedy in message
        verify(read_as(tertium, case, *case.flags, *remedy.split()), expected)
