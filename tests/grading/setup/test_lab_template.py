"""A new lab works as written, and a bad name is refused with one line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import bare_copy
from bare_copy import tilelab
from tilelab.base.errors import UserError
from tilelab.labs import lab
from tilelab.setup import lab_template
from tilelab.setup.lab_choices import Choices
from tilelab.verify import consistency

CHOICES = Choices("Triples", 1, "float", {"correctness": 50, "safety": 20, "memory": 30})


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Scale", "use up to 32 lower-case letters"),
        ("", "use up to 32 lower-case letters"),
        ("1st", "use up to 32 lower-case letters"),
        ("a-b", "use up to 32 lower-case letters"),
        ("../x", "use up to 32 lower-case letters"),
        ("a__b", "use up to 32 lower-case letters"),
        ("a_", "use up to 32 lower-case letters"),
        ("a\n", "use up to 32 lower-case letters"),
        ("a" * 33, "use up to 32 lower-case letters"),
        ("class", "means something else here"),
        ("main", "means something else here"),
        ("sinf", "means something else here"),
        ("malloc", "means something else here"),
        ("float4", "means something else here"),
        ("baseline", "means something else here"),
        ("taken", "labs/taken already exists"),
        ("solved", "solutions/solved already exists"),
        ("tested", "tests/labs/tested already exists"),
    ],
)
def test_a_bad_name_is_refused(tmp_path: Path, name: str, sentence: str) -> None:
    for folder in ("labs/taken", "solutions/solved", "tests/labs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tests" / "labs" / "tested").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError) as caught:
        lab_template.make(name, CHOICES, tmp_path)
    assert sentence in str(caught.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "labs").touch()
    with pytest.raises(UserError, match=r"labs.*: "):
        lab_template.make("triple", CHOICES, tmp_path)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return bare_copy.make(tmp_path)


# Each answer comes up, and a name as long as names get.
LABS = {
    "triple_it": [],
    "a_name_of_two_and_thirty_letters": ["--no-speed", "--element", "double"],
    "i": ["--element", "int", "--points", "25 25 25 25", "--title", "Whole numbers: 1, 2 & 3"],
}


@pytest.mark.long
@pytest.mark.thorough
def test_a_new_lab_is_complete_and_works(copy: Path) -> None:
    for name, answers in LABS.items():
        made = tilelab(copy, "new-lab", name, *answers)
        assert made.returncode == 0, made.stderr
        assert f"Wrote labs/{name}/{name}.cu\n" in made.stdout
        assert f"run ./tilelab verify {name}" in made.stdout
        assert consistency.problems(lab.load(name, copy)) == []

    # They build, their skeletons fail as they should, and each mistake gets its diagnosis.
    verified = tilelab(copy, "verify", *LABS, "--backend", "emulator")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    for name in LABS:
        (row,) = (one for one in verified.stdout.splitlines() if one.startswith(f"{name} "))
        assert row.replace(" ", "") == f"{name}│1/1│1/1│1/1│1/1│10/10│agree"

    written = lab.load("triple_it", copy)
    shutil.copy(written.reference, written.skeleton)
    checked = tilelab(copy, "check", "triple_it", "--backend", "emulator")
    assert checked.returncode == 0, checked.stdout
    assert "70 / 70 (+30 not run)" in checked.stdout

    # The exit status says whether verify found anything.
    verified = tilelab(copy, "verify", "triple_it", "--backend", "emulator")
    assert verified.returncode == 1
    assert "labs/triple_it/triple_it.cu: the skeleton passes" in verified.stdout
    assert tilelab(copy, "new-lab", "triple_it").returncode == 2
