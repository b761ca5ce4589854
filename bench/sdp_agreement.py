"""The optima of small programs: tertium and SCS must agree. run() is called by bench/run.py."""

import json
import os
from pathlib import Path
from subprocess import CalledProcessError

from processes import HERE, Tertium, require, scs, worker

TITLE = "Optima of small programs: tertium and SCS agree"
DATA = Path(os.environ.get("TERTIUM_DATA", HERE.parents[1] / "shared" / "data"))
LIMITS = ["--most-iterations", 1_000_000, "--most-seconds", 120]
AGREEMENT = 1e-6  # relative; absolute for values below 1
KNOWN_WITHIN = 1e-5  # relative; known optima are given with so many digits
ROUNDING = 1e-9  # relative; in what is recomputed


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    folder = work / "problems"
    folder.mkdir(exist_ok=True)
    problems = worker("sdp_problems.py", folder, *([DATA] if DATA.is_dir() else []))
    solved, complaints = [], []
    for problem in problems:
        try:
            solved.append((problem, solve(Tertium(binary), problem, folder)))
        except CalledProcessError as error:
            complaints.append(f"{problem['title']}: tertium fails, exit code {error.returncode}")
    todo = folder / "todo.json"
    todo.write_text(json.dumps([line for problem, _ in solved for line in checks(problem, folder)]))
    answers = iter(scs("each", todo))

    rows = []
    for problem, result in solved:
        claims, reference = next(answers), next(answers)
        difference = relative_difference(result, reference)
        rows.append(
            {
                "problem": problem["title"],
                "solved to": f"{problem['tolerance']:g}",
                "tertium objective": f"{result['objective']:.10g}",
                "tertium upper bound": f"{result['upper_bound']:.10g}",
                "tertium status": result["status"],
                "SCS": f"{reference['objective']:.10g}",
                "difference": f"{difference:.1e}",
                f"goal <= {AGREEMENT:g}": "met" if difference <= AGREEMENT else "not met",
            }
        )
        complaints += [
            f"{problem['title']}: {complaint}"
            for complaint in disagreements(problem, result, claims, reference)
        ]
    require(not complaints, "\n".join(complaints))
    missing = "" if DATA.is_dir() else f" No data sets at {DATA}: Car and Food are left out."
    about = (
        "Optima of SDP-k or SDP-lambda. Solved to: relative gap of tertium, absolute and relative "
        f"eps of SCS {scs('version')} on S divided by its norm. The difference is that of SCS to "
        "the objective or the upper bound, whichever is further; relative, absolute for optima "
        "below 1. Objective and bound were recomputed from X and N with numpy, as was that these "
        f"are feasible.{missing}"
    )
    return about, rows


def solve(tertium: Tertium, problem: dict, folder: Path) -> dict:
    flags = [f"--{problem['program']}", problem["value"], "--tolerance", problem["tolerance"]]
    flags += LIMITS
    if problem["input"].endswith(".npy"):
        flags += ["--kind", "matrix"]
    x, dual = saved(problem, folder)
    return tertium.sdp(problem["input"], *flags, "--save-x", x, "--save-dual", dual, "--force")[0]


def checks(problem: dict, folder: Path) -> list[list]:
    program = [problem["input"], problem["program"], problem["value"]]
    return [
        ["claims", *program, *saved(problem, folder)],
        ["optimum", *program, problem["tolerance"]],
    ]


def saved(problem: dict, folder: Path) -> list[str]:
    return [str(folder / f"{name}-{problem['number']}.npy") for name in ("x", "dual")]


def relative_difference(result: dict, reference: dict) -> float:
    value = reference["objective"]
    ends = [result["objective"], result["upper_bound"]]
    return max(abs(end - value) for end in ends) / max(abs(value), 1)


def disagreements(problem: dict, result: dict, claims: dict, reference: dict) -> list[str]:
    value = reference["objective"]
    found = []
    if reference["status"] != "solved":
        found.append(f"SCS: {reference['status']}")
    if result["status"] not in ("solved", "certified"):
        found.append(f"tertium: {result['status']}, gap {result['gap']}")
    if not relative_difference(result, reference) <= AGREEMENT:
        ends = [result["objective"], result["upper_bound"]]
        found.append(f"SCS finds {value!r}, tertium {ends[0]!r} to {ends[1]!r}")
    if problem["known"] and abs(value - problem["known"]) > KNOWN_WITHIN * value:
        found.append(f"SCS finds {value!r}, known is {problem['known']}")
    return found + broken_claims(result, claims)


def broken_claims(result: dict, claims: dict) -> list[str]:
    """What X and N do not bear out. The bound may be larger than what N proves, never smaller."""
    objective, bound = result["objective"], result["upper_bound"]
    rounding = ROUNDING * max(abs(objective), 1)
    found = []
    if not abs(claims["objective"] - objective) <= rounding:
        found.append(f"objective is {objective!r}, but recomputed {claims['objective']!r}")
    if not claims["upper_bound"] <= bound + rounding:
        found.append(f"upper bound is {bound!r}, but N proves {claims['upper_bound']!r}")
    if not claims["violation"] <= ROUNDING:
        found.append(f"X or N breaks its constraints by {claims['violation']:.1e}")
    return found
