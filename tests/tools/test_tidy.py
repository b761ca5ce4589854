"""tools/tidy.py finds in sources checked together what it finds in each alone."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import tidy

CLEAN = "namespace { int doubled(int x) { return 2 * x; } }\nint four() { return doubled(2); }\n"
MISTAKES = {
    "clang-analyzer": "int read(bool b) { int* p = nullptr; if (b) return 0; return *p; }\n",
    "identifier-naming": "int BadName() { return 1; }\n",
    "use-after-move": "#include <string>\n#include <utility>\nstd::string twice(std::string s) {\n"
    "  std::string t = std::move(s);\n  return t + s;\n}\n",
    "clang-diagnostic": '#include "tertium/missing.hpp"\n',
}


def checked(folder, monkeypatch, **sources):
    """Checks the sources together; for each, whether it passed and what was said."""
    monkeypatch.setattr(tidy, "TOGETHER", folder)
    (folder / "tertium").mkdir()
    paths = [folder / "tertium" / f"{name}.cpp" for name in sources]
    for path, text in zip(paths, sources.values(), strict=True):
        path.write_text(text)
    results = tidy.check(paths, ["-std=c++20", "-Wall"])
    assert [path for path, *_ in results] == paths
    return {path.stem: (passed, output) for path, passed, output in results}


@pytest.mark.parametrize("check", MISTAKES)
def test_a_mistake_is_found_in_the_file_that_has_it(tmp_path, monkeypatch, check):
    found = checked(tmp_path, monkeypatch, clean=CLEAN, wrong=MISTAKES[check])
    assert found["clean"] == (True, "")
    assert not found["wrong"][0]
    assert check in found["wrong"][1]


def test_files_may_use_a_name_for_different_things(tmp_path, monkeypatch):
    other = 'namespace { const char* doubled = "aa"; }\nchar two() { return doubled[1]; }\n'
    found = checked(tmp_path, monkeypatch, clean=CLEAN, other=other)
    assert all(passed for passed, _ in found.values())


def test_the_files_of_a_folder_are_one_group(tmp_path):
    flags = {}
    for number in range(11):
        path = tmp_path / "ab"[number % 2] / f"{number}.cpp"
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
        flags[path] = ["-O1"] if number < 9 else ["-O2"]
    groups = tidy.groups(list(flags), flags)
    assert sorted(path for group in groups for path in group) == sorted(flags)
    kinds = [{(path.parent, *flags[path]) for path in group} for group in groups]
    assert all(len(kind) == 1 for kind in kinds)
    assert len(groups) == len(set().union(*kinds)) == 4
