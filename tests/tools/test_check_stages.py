"""tools/check_stages.py on small trees: what it accepts and what it refuses."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "tools" / "check_stages.py"
README = "# Stages\n\n1. `core/` – types\n2. `sdp/` – solver\n3. `certificate/` – witness\n"


@pytest.fixture
def run(tmp_path):
    """Writes the given files (path: text) beside a stage list; returns exit code and output."""

    def run(files: dict[str, str], readme: str | None = README) -> tuple[int, str]:
        (tmp_path / "tertium").mkdir()
        if readme is not None:
            files = {"tertium/README.md": readme, **files}
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, CHECK, tmp_path], capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        return done.returncode, done.stdout

    return run


def include(name: str, line: int = 1) -> str:
    return "\n" * (line - 1) + f'#include "{name}"\n'


def test_accepts_own_stage_and_stages_above(run):
    files = {
        "tertium/core/a.hpp": "#include <vector>\n" + include("tertium/core/b.hpp"),
        "tertium/core/b.hpp": include("tertium/version.hpp"),
        "tertium/sdp/a.cpp": include("tertium/core/a.hpp"),
        "tertium/certificate/witness.hpp": include("tertium/sdp/a.hpp"),
        "tertium/certificate/verify.cpp": include("tertium/core/a.hpp")
        + include("tertium/certificate/verify_file.hpp"),
        "tertium/cluster/cluster.hpp": include("tertium/certificate/witness.hpp"),
        "cli/main.cpp": include("tertium/cluster/cluster.hpp") + include("cli/options.hpp"),
    }
    assert run(files) == (0, "")


def test_accepts_a_listed_stage_that_does_not_exist_yet(run):
    assert run({"tertium/core/a.hpp": ""}) == (0, "")


@pytest.mark.parametrize(
    ("path", "included", "reason"),
    [
        ("tertium/core/a.hpp", "tertium/sdp/b.hpp", "`sdp/` comes after it"),
        ("tertium/core/deep/a.hpp", "tertium/sdp/b.hpp", "`sdp/` comes after it"),
        ("tertium/sdp/a.cpp", "tertium/cluster/cluster.hpp", "stands after all stages"),
        ("tertium/sdp/a.cpp", "tertium/new/b.hpp", "in no stage listed"),
        ("tertium/sdp/a.cpp", "cli/options.hpp", "includes the command line"),
        ("tertium/cluster.cpp", "cli/options.hpp", "includes the command line"),
        ("tertium/sdp/a.cpp", "b.hpp", "name it from the root"),
        ("tertium/sdp/a.cpp", "../certificate/b.hpp", "name it from the root"),
        ("tertium/certificate/verify.cpp", "tertium/sdp/b.hpp", "must not know the solver"),
        ("tertium/certificate/verify_file.hpp", "tertium/sdp/b.hpp", "must not know the solver"),
        ("tertium/certificate/verify.cpp", "tertium/spectral/b.hpp", "must not know the solver"),
        ("tertium/certificate/verify.cpp", "tertium/certificate/b.hpp", "must not know the solver"),
        ("tertium/certificate/verify.cpp", "tertium/cluster/cluster.hpp", "must not know the solver"),
    ],
)
def test_refuses_include(run, path, included, reason):
    code, output = run({path: include(included, line=3)})
    assert code == 1
    assert output.startswith(f"{path}:3: ")
    assert reason in output
    assert output.count("\n") == 1


def test_refuses_include_in_angle_brackets_and_with_spaces(run):
    code, output = run({"tertium/core/a.hpp": "#  include <tertium/sdp/b.hpp>\n"})
    assert code == 1
    assert output.startswith("tertium/core/a.hpp:1: ")


def test_refuses_stage_missing_from_the_list_once(run):
    code, output = run({"tertium/extra/a.hpp": "", "tertium/extra/b.hpp": ""})
    assert code == 1
    assert output == "tertium/extra/a.hpp:1: stage `extra/` is not listed in tertium/README.md\n"


def test_reports_every_offence(run):
    code, output = run({"tertium/core/a.hpp": include("tertium/sdp/b.hpp") * 2})
    assert code == 1
    assert [line.split(":")[1] for line in output.splitlines()] == ["1", "2"]


@pytest.mark.parametrize(
    ("readme", "reason"),
    [
        (None, "missing"),
        ("# Stages\n\n- core\n", "no stage list"),
        ("1. `core/` – types\n2. `core/` – again\n", "listed twice"),
    ],
)
def test_refuses_a_bad_list(run, readme, reason):
    code, output = run({}, readme=readme)
    assert code == 1
    assert "README.md:1: " in output
    assert reason in output
