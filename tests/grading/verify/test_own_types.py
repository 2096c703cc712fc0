"""A lab may read what it writes, take and return structs, and use arrays of any number."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import bare_copy
from bare_copy import tilelab

# The first test builds a copy of the repository, which the others use.
pytestmark = [pytest.mark.long, pytest.mark.thorough]

LAB = Path(__file__).with_name("own_types")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the lab `own_types` and no other."""
    folder = bare_copy.make(tmp_path_factory.mktemp("own_types"))
    shutil.copytree(LAB, folder, dirs_exist_ok=True)
    return folder


def test_a_lab_of_all_types_judges_its_files_as_it_should(copy: Path) -> None:
    verified = tilelab(copy, "verify", "own_types", "--backend", "emulator")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    (row,) = (line for line in verified.stdout.splitlines() if line.startswith("own_types"))
    assert "17/17" in row


def test_check_gives_the_solution_all_points(copy: Path) -> None:
    solution = "solutions/own_types/own_types.cu"
    checked = tilelab(copy, "check", "own_types", solution, "--backend", "emulator")
    assert checked.returncode == 0, checked.stdout
    assert "100 / 100" in checked.stdout


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("scale_not_launched", ["values[0]", "(as before the call)", "No element was changed."]),
        ("scale_grid_rounded_down", ["The last", "not changed: does the grid cover all of them?"]),
        ("count_includes_limit", ["count_bright returned the wrong value", "expected", "got"]),
        ("pick_keeps_ids", ["keys is wrong at"]),
        ("tint_past_the_end", ["writes odd[", "tint wrote past the end of odd: at [1]"]),
        (
            "blocks_too_large",
            [
                "scale(float[1], 3.000000, 1) failed",
                "laplace(double[20], double[20], Grid(1, 20, 0.5, 7)) failed",
                "count_bright(unsigned char[1], 99, 1) failed",
                "pick(Particle[1], bool[1], Particle[1], unsigned long[1], 1) failed",
            ],
        ),
    ],
)
def test_messages_name_types_and_values(copy: Path, mistake: str, said: list[str]) -> None:
    path = f"solutions/own_types/mistakes/{mistake}.cu"
    checked = tilelab(copy, "check", "own_types", path, "--backend", "emulator", "--all")
    text = " ".join(checked.stdout.split())
    for words in said:
        assert words in text


def test_a_profile_has_the_metric_that_the_lab_defines(copy: Path) -> None:
    values = {}
    for name, path in (
        ("reference", "solutions/own_types/own_types.cu"),
        ("baseline", "labs/own_types/baseline.cu"),
    ):
        profiled = tilelab(copy, "profile", "own_types", path, "--json", f"{name}.json")
        assert profiled.returncode == 0, profiled.stderr
        calls = json.loads((copy / f"{name}.json").read_text())["calls"]
        (metrics,) = (call["metrics"] for call in calls if call["call"].startswith("count_bright"))
        values[name] = metrics["atomics_per_pixel"]["value"]
    assert values["reference"] < 0.01 < values["baseline"]


def test_a_picture_shows_what_an_array_held_before(copy: Path) -> None:
    shown = tilelab(copy, "show", "own_types", "solutions/own_types/own_types.cu", "--text")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "values is right." in shown.stdout
