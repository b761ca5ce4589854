"""tools/check_stages.py on small trees: what it accepts and what it refuses."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "tools" / "check_stages.py"
README = """# Stages

1. `core/` – types
2. `answers/` – what people said
3. `sdp/` – solver
4. `verify/` – checks. It knows only `core/` and `answers/`: nothing else.
5. `report/` – text
"""
PUBLIC = """
## Public headers

What is installed.

- `error.hpp` belongs to `core/`
- `report.hpp` belongs to `report/`
- `sdp.hpp` belongs to `sdp/`
- `verify.hpp` belongs to `verify/`
- `version.hpp` belongs to `core/`

## The walk

- `core/` comes first
"""


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
        "tertium/sdp/a.cpp": "#include <Eigen/Core>\n" + include("tertium/core/a.hpp"),
        "tertium/verify/a.hpp": include("tertium/answers/a.hpp"),
        "tertium/verify/a.cpp": "#include <zlib.h>\n"
        + include("tertium/verify/a.hpp")
        + include("tertium/core/a.hpp")
        + include("tertium/version.hpp"),
        "tertium/report/a.cpp": include("tertium/verify/a.hpp") + include("tertium/sdp/a.hpp"),
        "tertium/cluster.hpp": include("tertium/sdp/a.hpp") + include("tertium/verify/a.hpp"),
        "cli/main.cpp": include("tertium/cluster.hpp") + include("cli/options.hpp"),
    }
    assert run(files) == (0, "")


def test_accepts_a_listed_stage_that_does_not_exist_yet(run):
    assert run({"tertium/core/a.hpp": ""}) == (0, "")


@pytest.mark.parametrize(
    ("path", "included", "reason"),
    [
        ("tertium/core/a.hpp", "tertium/sdp/b.hpp", "`sdp/` comes after it"),
        ("tertium/core/deep/a.hpp", "tertium/sdp/b.hpp", "`sdp/` comes after it"),
        ("tertium/sdp/a.cpp", "tertium/cluster.hpp", "stands after all stages"),
        ("tertium/sdp/a.cpp", "tertium/new/b.hpp", "in no stage listed"),
        ("tertium/sdp/a.cpp", "cli/options.hpp", "includes the command line"),
        ("tertium/cluster.cpp", "cli/options.hpp", "includes the command line"),
        ("tertium/sdp/a.cpp", "b.hpp", "name it from the root"),
        ("tertium/sdp/a.cpp", "../core/b.hpp", "name it from the root"),
        ("tertium/verify/a.cpp", "tertium/sdp/b.hpp", "knows only `core/`, `answers/`"),
        ("tertium/verify/deep/a.hpp", "tertium/sdp/b.hpp", "knows only `core/`, `answers/`"),
        ("tertium/verify/a.cpp", "tertium/report/b.hpp", "knows only `core/`, `answers/`"),
        ("tertium/verify/a.cpp", "tertium/cluster.hpp", "stands after all stages"),
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


@pytest.mark.parametrize("stage", ["similarity", "spectral", "partition", "certificate", "sdp"])
def test_the_verifier_of_this_repository_shares_nothing_with_what_made_the_claim(run, stage):
    readme = (CHECK.parents[1] / "tertium" / "README.md").read_text(encoding="utf-8")
    code, output = run({"tertium/verify/a.cpp": include(f"tertium/{stage}/a.hpp")}, readme)
    assert code == 1
    assert f'tertium/verify/a.cpp:1: stage `verify/` includes "tertium/{stage}/a.hpp"' in output


def test_reports_every_offence(run):
    code, output = run({"tertium/core/a.hpp": include("tertium/sdp/b.hpp") * 2})
    assert code == 1
    assert [line.split(":")[1] for line in output.splitlines()] == ["1", "2"]


# ---- public headers

PUBLIC_FILES = {
    "tertium/error.hpp": "#include <string>\n" + include("tertium/version.hpp"),
    "tertium/report.hpp": include("tertium/verify.hpp"),
    "tertium/sdp.hpp": "#include <Eigen/Core>\n" + include("tertium/error.hpp"),
    "tertium/verify.hpp": include("tertium/error.hpp"),
}


def test_accepts_public_headers_as_part_of_their_stage(run):
    files = PUBLIC_FILES | {
        "tertium/core/a.cpp": include("tertium/error.hpp"),
        "tertium/verify/a.cpp": include("tertium/verify.hpp") + include("tertium/error.hpp"),
        "tertium/report/a.cpp": include("tertium/sdp.hpp"),
    }
    assert run(files, README + PUBLIC) == (0, "")


@pytest.mark.parametrize(
    ("path", "line", "reason"),
    [
        ("tertium/core/a.cpp", '"tertium/sdp.hpp"', "`sdp/` comes after it"),
        ("tertium/verify/a.cpp", '"tertium/sdp.hpp"', "knows only `core/`, `answers/`"),
        ("tertium/error.hpp", '"tertium/verify.hpp"', "`verify/` comes after it"),
        ("tertium/report.hpp", '"tertium/sdp.hpp"', "and Eigen with it"),
        ("tertium/error.hpp", '"tertium/core/a.hpp"', "which is internal"),
        ("tertium/sdp.hpp", "<tertium/sdp/a.hpp>", "which is internal"),
        ("tertium/verify.hpp", "<Eigen/Core>", "its users would need"),
        ("tertium/sdp.hpp", "<fmt/format.h>", "its users would need"),
        ("tertium/error.hpp", "<unistd.h>", "its users would need"),
        ("tertium/error.hpp", '"cli/options.hpp"', "includes the command line"),
        ("tertium/error.hpp", '"sdp.hpp"', "name it from the root"),
        ("tertium/sdp/a.cpp", '"tertium/cluster.hpp"', "no public header listed"),
        ("tertium/sdp.hpp", '"tertium/cluster.hpp"', "no public header listed"),
    ],
)
def test_refuses_include_with_public_headers(run, path, line, reason):
    files = PUBLIC_FILES | {path: f"\n\n#include {line}\n"}
    code, output = run(files, README + PUBLIC)
    assert code == 1
    assert output.startswith(f"{path}:3: ")
    assert reason in output
    assert output.count("\n") == 1


@pytest.mark.parametrize("name", ["cluster.hpp", "cluster.cpp", "error.cpp"])
def test_refuses_what_is_no_public_header_beside_them(run, name):
    code, output = run(PUBLIC_FILES | {f"tertium/{name}": ""}, README + PUBLIC)
    assert code == 1
    assert output.startswith(f"tertium/{name}:1: only public headers")
    assert output.count("\n") == 1


def test_refuses_a_public_header_that_does_not_exist(run):
    files = {name: text for name, text in PUBLIC_FILES.items() if name != "tertium/sdp.hpp"}
    code, output = run(files, README + PUBLIC)
    assert code == 1
    assert output.endswith("README.md:1: there is no public header tertium/sdp.hpp\n")


@pytest.mark.parametrize(
    ("readme", "reason"),
    [
        (None, "missing"),
        ("# Stages\n\n- core\n", "no stage list"),
        ("1. `core/` – types\n2. `core/` – again\n", "listed twice"),
        ("1. `core/` – types\n2. `sdp/` – knows only `cone/`\n", "`cone/` is mentioned"),
        ("1. `core/` – types\n2. `sdp/` – knows only core/\n", "what `sdp/` knows"),
        (README + "## Public headers\n", "not like"),
        (README + "## Public headers\n\n- `error.hpp` in `core/`\n", "not like"),
        (README + "## Public headers\n\n- `a.hpp` belongs to `cone/`\n", "`cone/` is mentioned"),
        (
            README + "## Public headers\n\n" + "- `a.hpp` belongs to `core/`\n" * 2,
            "a public header is listed twice",
        ),
    ],
)
def test_refuses_a_bad_list(run, readme, reason):
    code, output = run({}, readme=readme)
    assert code == 1
    assert "README.md:1: " in output
    assert reason in output
