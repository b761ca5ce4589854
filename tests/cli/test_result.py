"""The result as a file that others read: its form, its origin, its reader."""

import json
import zlib

import jsonschema
import pytest

RUNS = {
    "default": (),
    "given": ("--clusters", "3"),
    "range": ("--clusters", "2-4"),
    "quick": ("--quick",),
    "paper": ("--method", "paper", "--resamples", "5"),
    "heldout": ("--clusters", "heldout"),
    "lambda": ("--clusters", "spur-lambda"),
    "one": ("--clusters", "1"),
}


@pytest.fixture(scope="session")
def schema(request):
    path = request.config.rootpath / "docs" / "result.schema.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


@pytest.mark.parametrize("flags", RUNS.values(), ids=RUNS.keys())
@pytest.mark.parametrize("kind", ["clear", "hazy", "coins"])
def test_every_result_is_as_the_schema_says(tertium, schema, request, kind, flags):
    answers = tertium.file("answers.csv", request.getfixturevalue(kind).csv())
    result = json.loads(tertium.run("cluster", answers, *flags, "--json").stdout)
    schema.validate(result)
    assert len(result["labels"]) == len(result["confidence"]) == len(result["items"])
    assert len(result["clusters"]) == result["k"]


def test_the_schema_refuses_other_fields(tertium, schema, clear):
    answers = tertium.file("answers.csv", clear.csv())
    result = json.loads(tertium.run("cluster", answers, "--quick", "--json").stdout)
    for key in list(result):
        broken = dict(result)
        del broken[key]
        assert not schema.is_valid(broken), key
    assert not schema.is_valid({**result, "more": 1})


def test_the_result_says_what_it_came_from(tertium, clear):
    answers = tertium.file("answers.csv", clear.csv())
    content = (tertium.folder / answers).read_bytes()
    flags = ("--clusters", "3", "--quick", "--seed", "7")
    result = json.loads(tertium.run("cluster", answers, *flags, "--json").stdout)
    assert result["inputs"] == [
        {"name": answers, "bytes": len(content), "crc32": f"{zlib.crc32(content):08x}"}
    ]
    assert result["options"]["--clusters"] == "3"
    assert result["options"]["--quick"] == "yes"
    assert result["seed"] == 7
    assert result["program"] in tertium.run("--version").stdout
    piped = json.loads(tertium.run("cluster", "-", *flags, "--json", stdin=content).stdout)
    assert piped["inputs"][0]["name"] == "standard input"
    assert piped["inputs"][0]["bytes"] == len(content)
    assert piped["inputs"][0]["crc32"] == result["inputs"][0]["crc32"]
    assert piped["labels"] == result["labels"]
