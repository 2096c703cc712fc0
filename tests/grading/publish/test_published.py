"""The students' repository: what is in it, and that it grades as the instructor's does."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

import markdown_files
import typed
from support import REPO
from tilelab.labs import lab
from tilelab.labs.course import lab_of
from tilelab.model.course import Assignment, Course, Late
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.publish import readme, repository, worth

pytestmark = pytest.mark.drawn(pool="published repositories", count=5)

LABS = ("diff", "first_kernel")
HEADING = "## What you get points for\n\n"
FILES = [
    "labs/diff/.skeleton.cu",
    "solutions/diff/diff.cu",
    "solutions/diff/ladder/01_naive.cu",
    "solutions/diff/mistakes/missing_barrier.cu",
    "solutions/first_kernel/mistakes/neighbors_far_apart.cu",
]


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def run(published: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return typed.run(*arguments, cwd=published, env=typed.environment(published, columns=80))


def test_viva_is_there_for_practice_only(published: Path) -> None:
    for arguments in (["--sheet", "x.html"], ["--format", "moodle"], [str(published)]):
        finished = run(published, "viva", "diff", *arguments)
        assert finished.returncode == 2
        assert finished.stderr == (
            "tilelab: this copy of TileLab is for students: viva asks you about one file\n"
        )
    assert not list(published.rglob("viva_files.py")) and not list(
        published.rglob("quiz/moodle.py")
    )


def test_parsons_would_give_solutions_away(published: Path) -> None:
    finished = run(published, "parsons", "diff")
    assert finished.returncode == 2
    assert finished.stderr == "tilelab: this copy of TileLab is for students and has no parsons\n"
    shown = run(published, "--help").stdout
    assert "To test yourself: quiz, progress, viva, detective.\n" in shown


def test_it_holds_what_a_student_needs_and_nothing_else(published: Path) -> None:
    found = names(published)
    for name in (
        "tilelab",
        "README.md",
        "AGENTS.md",
        "grading/tilelab/commands/student/viva.py",
        "LICENSE",
        "CMakePresets.json",
        "pyproject.toml",
        "requirements.lock",
        "grading/tilelab/base/requirements.py",
        "grading/tilelab/setup/launcher/python.sh",
        "grading/tilelab/setup/nvcc.py",
        "grading/tilelab/setup/packages.py",
        ".devcontainer/devcontainer.json",
        ".vscode/tasks.json",
        "labs/diff/diff.cu",
        "labs/diff/reference/figures.txt",
        "tests/labs/diff/judge.cpp",
        "docs/student.md",
        "docs/figures/show/diff-dark.png",
        "grading/tilelab/pipeline/texts/compilers/nvcc.h",
    ):
        assert name in found, name
    assert os.access(published / "tilelab", os.X_OK)
    assert os.access(published / "common/emulator/compile.sh", os.X_OK)
    hidden = (
        "solutions sample_class instructor templates nbody CONTRIBUTING first_hour "
        "parsons.toml student/parsons"
    )
    for part in (*hidden.split(), "docs/screens"):
        assert not [name for name in found if part in name], part
    assert not [name for name in found if name.startswith(("tests/common", "tests/grading"))]


def test_no_code_of_the_solutions_is_in_it(published: Path) -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in published.rglob("*")
        if path.suffix in (".cu", ".h", ".md", ".txt", ".py", ".json")
    )
    # Skeletons, baselines, handouts and hints have a line or two of code.
    for_students = "\n".join(
        path.read_text(encoding="utf-8") for path in (REPO / "labs").rglob("*") if path.is_file()
    )
    for name in LABS:
        solutions = REPO / "solutions" / name
        for path in (solutions / f"{name}.cu", *solutions.glob("ladder/*.cu")):
            code = [line.strip() for line in path.read_text(encoding="utf-8").split("\n")]
            own = [line for line in code if len(line) > 40 and line not in for_students]
            assert own, path
            assert [line for line in own if line in text] == []


def test_no_link_leads_nowhere(published: Path) -> None:
    for page in published.rglob("*.md"):
        for link in markdown_files.links(page.read_text(encoding="utf-8"), page):
            assert link.target is None or link.target.exists(), (page, link)


def test_an_edited_skeleton_is_not_given_away(published: Path) -> None:
    for name in LABS:
        folder = published / "labs" / name
        assert (folder / f"{name}.cu").read_text() == (folder / ".skeleton.cu").read_text()


def graded(path: Path, name: str, repo: Path, emulator: Session) -> Result:
    return submission.grade(path, lab.load(name, repo), emulator)


@pytest.mark.parametrize("file", FILES)
def test_it_gives_the_instructors_score_and_messages(
    file: str, published: Path, emulator: Session
) -> None:
    path = REPO / file
    name = next(one for one in LABS if one in path.parts)
    here = graded(path, name, REPO, emulator)
    there = graded(path, name, published, emulator)
    assert here.verdict == "graded"
    # Only the speed of the reference is not here: nothing was compiled for it.
    assert json.dumps(here.to_json()) == json.dumps(there.to_json())


def test_without_figures_only_memory_is_not_run(
    published: Path, emulator: Session, tmp_path: Path
) -> None:
    copy = replace(lab.load("diff", published), repo=tmp_path)
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs" / "diff").mkdir()
    for name in ("baseline.cu", "diff.h"):
        (tmp_path / "labs/diff" / name).write_text((published / "labs/diff" / name).read_text())
    result = submission.grade(REPO / "solutions/diff/diff.cu", copy, emulator)
    said = {one.name: (one.status, one.points) for one in result.criteria}
    assert said["correctness"] == ("pass", 40)
    assert said["safety"] == ("pass", 10)
    assert said["memory"] == ("not_run", 0)
    assert result.criteria[2].messages == [
        "NOT RUN: this copy of the labs has neither the reference solution nor its figures."
    ]


def test_cmake_configures_it(published: Path) -> None:
    finished = subprocess.run(
        ["cmake", "--preset", "emulator", "-B", str(published / "build" / "test")],
        cwd=published,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr


def test_its_help_has_only_what_students_use(published: Path) -> None:
    said = run(published, "--help").stdout
    assert "  check " in said
    assert "docs" in said
    assert "instructors" not in said
    assert "bench" not in said


@pytest.mark.parametrize("command", ["grade", "test", "bench", "verify", "publish", "lint"])
def test_a_command_for_instructors_is_one_line(command: str, published: Path) -> None:
    finished = run(published, command)
    assert finished.returncode == 2
    assert (
        finished.stderr == f"tilelab: this copy of TileLab is for students and has no {command}\n"
    )


def test_the_solution_is_one_line(published: Path) -> None:
    finished = run(published, "solution", "diff")
    assert finished.returncode == 2
    assert finished.stderr.startswith("tilelab: this copy of the labs has no solutions")


@pytest.mark.parametrize("arguments", [["list"], ["doctor"], ["reset", "diff"], ["hint", "diff"]])
def test_students_commands_work(arguments: list[str], published: Path, tmp_path: Path) -> None:
    finished = run(published, *arguments)
    assert finished.returncode == 0, finished.stderr


def test_the_front_page_has_points_and_deadlines() -> None:
    deadline = datetime.datetime(2027, 3, 1, 22, 59, tzinfo=datetime.UTC)
    zone = datetime.timezone(datetime.timedelta(hours=1), "CET")
    course = Course("GPU 2027", zone, {"diff": Assignment({"memory": 30.0}, deadline)})
    text = readme.text(
        [lab_of(course, "first_kernel"), lab_of(course, "diff")], course, has_wheel=True
    )
    assert text.startswith("# GPU 2027\n")
    assert "| 110: correctness 40, safety 10, memory 30, speed 30 | 2027-03-01 23:59 CET |" in text
    assert "late file" not in text


@pytest.mark.parametrize(
    ("assignment", "says"),
    [
        (Assignment(), ""),
        (Assignment({"memory": 20}), ""),
        (
            Assignment({"speed": 0}),
            "In this course, the lab has 70 points: correctness 40, safety 10, memory 20. There "
            "are none for speed, whatever this page says.\n\n",
        ),
        (
            Assignment(total=20),
            "In this course, the lab has 20 points: correctness 8, safety 2, memory 4, speed "
            "6.\n\n",
        ),
    ],
)
def test_a_handout_says_what_its_lab_is_worth(assignment: Assignment, says: str) -> None:
    course = Course(assignments={"diff": assignment})
    made = repository.files(REPO, [lab_of(course, "diff")], course, {})
    text = made[PurePosixPath("labs/diff/README.md")].data.decode()
    assert f"{HEADING}{says}`./tilelab check diff` prints your points." in text


def test_a_handout_without_that_heading_gets_one() -> None:
    course = Course(assignments={"diff": Assignment({"speed": 0})})
    text = worth.handout("# Mine\n\nDo it.\n", lab_of(course, "diff"))
    assert text.startswith(f"# Mine\n\nDo it.\n\n{HEADING}In this course") and text[-1] == "\n"


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ({"speed": 0.0}, "whatever a handout says: speed in `diff`.\n"),
        ({"speed": 0.0, "memory": 0.0}, "a handout says: memory in `diff`, speed in `diff`.\n"),
        ({"speed": 10.0}, None),
    ],
)
def test_the_front_page_names_what_a_course_left_out(
    points: dict[str, float], says: str | None
) -> None:
    course = Course("", None, {"diff": Assignment(points)})
    text = readme.text([lab_of(course, "diff")], course, has_wheel=True)
    assert says in text if says else "whatever a handout says" not in text


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("GPU & <Speicher>", r"# GPU \& \<Speicher\>"),
        ("C++ *fast* [1] `x` a_b #2", r"# C++ \*fast\* \[1\] \`x\` a\_b \#2"),
        ("", "# TileLab"),
    ],
)
def test_nothing_of_a_title_is_markup(title: str, line: str) -> None:
    course = Course(title)
    text = readme.text([lab_of(course, "diff")], course, has_wheel=True)
    assert text.splitlines()[0] == line


@pytest.mark.parametrize(
    ("late", "says"),
    [
        (
            Late(0.125, 3, datetime.timedelta(minutes=15)),
            "A late file loses 12.5% of its points for each day that has begun, and all after "
            "3 days. Files up to 15 minutes late count as in time.\n",
        ),
        (Late(0.1, 1), "for each day that has begun, and all after 1 day.\n"),
        (Late(0.1, 0), "A late file gets no points.\n"),
    ],
)
def test_the_front_page_says_what_a_late_file_loses(late: Late, says: str) -> None:
    deadline = datetime.datetime(2027, 3, 1, 22, 59, tzinfo=datetime.UTC)
    course = Course("", None, {"diff": Assignment(deadline=deadline)}, late)
    assert says in readme.text([lab_of(course, "diff")], course, has_wheel=True)
    course = Course("", None, {"diff": Assignment()}, late)
    assert "late file" not in readme.text([lab_of(course, "diff")], course, has_wheel=True)
