"""What a change can break, by the paths of its files."""

from __future__ import annotations

import functools
import subprocess

import pytest

import touched
from support import REPO
from touched import Course, Touched

TESTED = "collect commands estimate exports graph pipeline programs publish screens setup site"
EVERY_LAB = "diff nbody"


@pytest.fixture(scope="module")
def course() -> Course:
    """Two labs; app imports the commands, export imports gradescope, which imports text."""
    package = "grading/tilelab"
    importers = {
        f"{package}/exports/gradescope.py": {f"{package}/commands/export.py"},
        f"{package}/commands/export.py": {f"{package}/app.py"},
        f"{package}/base/text.py": {f"{package}/exports/gradescope.py"},
        f"{package}/score/scale.py": {f"{package}/pipeline/judge.py"},
    }
    return Course(
        labs=frozenset(EVERY_LAB.split()),
        tested=frozenset(TESTED.split()),
        importers={name: frozenset(some) for name, some in importers.items()},
        helpers={"downloads": frozenset(("tests/grading/collect",))},
    )


def folders(names: str) -> frozenset[str]:
    return frozenset(
        f"tests/{'' if one == 'integrity' else 'grading/'}{one}" for one in names.split()
    )


JUDGING = "pipeline screens integrity"
EVERYTHING = f"{TESTED} integrity"


@pytest.mark.parametrize(
    ("path", "labs", "rooms"),
    [
        # A lab, its solutions and its judge.
        ("labs/diff/diff.h", "diff", ""),
        ("labs/diff/lab.toml", "diff", ""),
        ("solutions/diff/mistakes/saturates.cu", "diff", ""),
        ("tests/labs/nbody/judge.cpp", "nbody", ""),
        ("labs/brand_new/brand_new.cu", "brand_new", ""),
        ("tests/labs/CMakeLists.txt", EVERY_LAB, JUDGING),
        # What judges all of them.
        ("common/judge/checks/order.h", EVERY_LAB, f"{JUDGING} programs"),
        ("common/emulator/runtime/abi_symbols.txt", EVERY_LAB, f"{JUDGING} programs"),
        ("common/contract/wire.h", EVERY_LAB, f"{JUDGING} programs"),
        ("common/CMakeLists.txt", EVERY_LAB, f"{JUDGING} programs"),
        ("common/brand_new/a.cpp", EVERY_LAB, f"{JUDGING} programs"),
        ("common/costs/request_cost.cpp", EVERY_LAB, f"{JUDGING} programs estimate"),
        ("common/estimator/main.cpp", "", "estimate pipeline programs"),
        ("common/emulator/README.md", "", "programs site"),
        ("common/settings.cmake", EVERY_LAB, f"{JUDGING} programs"),
        ("common/standalone.cmake", "", "programs"),
        ("common/program/start.cpp", "", "programs"),
        # Rooms, and those that import them.
        ("grading/tilelab/collect/choosing.py", "", "collect"),
        ("grading/tilelab/commands/export.py", "", "commands"),
        ("grading/tilelab/exports/gradescope.py", "", "exports commands"),
        ("grading/tilelab/base/text.py", "", "exports commands"),
        ("grading/tilelab/score/scale.py", EVERY_LAB, JUDGING),
        ("grading/tilelab/app.py", "", "commands"),
        ("grading/tilelab/brand_new/a.py", "", ""),
        # Tests.
        ("tests/grading/collect/test_roster.py", "", "collect"),
        ("tests/grading/downloads.py", "", "collect"),
        ("tests/grading/nobody_imports_it.py", "", EVERYTHING),
        ("tests/integrity/honest/a.cu", "", "integrity"),
        ("tests/common/judge/order_test.cpp", "", ""),
        # What everything begins with.
        ("tilelab", "", "commands publish setup"),
        ("CMakePresets.json", "", "commands publish setup"),
        # Texts.
        ("README.md", "", "site"),
        ("docs/site/style.css", "", "site"),
        ("docs/figures/diff.svg", "", "site"),
        ("labs/diff/README.md", "", "site"),
        ("LICENSE", "", ""),
        (".ruff.toml", "", ""),
        # Whatever is not known.
        ("brand_new", EVERY_LAB, EVERYTHING),
        ("brand/new.py", EVERY_LAB, EVERYTHING),
        ("tests/conftest.py", EVERY_LAB, EVERYTHING),
        (".pytest.ini", EVERY_LAB, EVERYTHING),
    ],
)
def test_a_file_touches(course: Course, path: str, labs: str, rooms: str) -> None:
    assert course.touched([path]) == Touched(frozenset(labs.split()), folders(rooms))


def test_several_files_touch_what_each_of_them_does(course: Course) -> None:
    paths = ["labs/diff/diff.h", "solutions/nbody/nbody.cu", "grading/tilelab/collect/choosing.py"]
    assert course.touched(paths) == Touched(frozenset(("diff", "nbody")), folders("collect"))
    assert course.touched([]) == Touched()


@functools.cache
def ours() -> Course:
    return touched.course()


@pytest.mark.parametrize(
    ("path", "some_rooms"),
    [
        ("grading/tilelab/exports/gradescope.py", "exports commands"),
        ("grading/tilelab/collect/choosing.py", "collect commands"),
        ("grading/tilelab/score/scoring.py", "score pipeline verify integrity"),
        ("grading/tilelab/base/text.py", "base score collect report"),
        ("tests/grading/launched.py", "commands"),
        ("tests/grading/hostile.py", "exports"),
        ("tests/grading/support.py", "exports pipeline integrity"),
    ],
)
def test_the_rooms_of_this_repository_are_found(path: str, some_rooms: str) -> None:
    assert (REPO / path).is_file()
    assert ours().touched([path]).folders >= folders(some_rooms)


def test_nothing_is_unknown_in_this_repository() -> None:
    """So that only new kinds of files cost a run of everything."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=REPO, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("this is no git repository")
    every = ours().everything
    unknown = {path for path in listed.stdout.splitlines() if ours().touched([path]) == every}
    assert unknown == {".pytest.ini", "tests/CMakeLists.txt", "tests/conftest.py"}


def test_each_folder_that_is_named_has_tests() -> None:
    named = touched.JUDGING_ROOMS | touched.BEGINNING_ROOMS | touched.SAMPLE_CLASS_ROOMS | {"site"}
    named |= frozenset().union(*touched.ROOMS_OF_COMMON.values())
    assert named <= ours().tested
