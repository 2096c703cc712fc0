"""The examples of docs/new_lab.md work as they stand, in a lab that `new-lab` has made."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from support import REPO
from tilelab.labs import lab, parsons
from tilelab.pipeline.harness.session import Session
from tilelab.setup import lab_template
from tilelab.setup.lab_choices import Choices
from tilelab.tutor import detective, quiz
from tilelab.tutor.counts import METRICS
from tilelab.tutor.predict import predictions
from tilelab.verify import mistakes

GUIDE = (REPO / "docs" / "new_lab.md").read_text(encoding="utf-8")
CHOICES = Choices("Rows", 1, "int", {"correctness": 40, "safety": 10, "memory": 20, "speed": 30})

# The functions that the guide's examples are about, besides those that it declares.
DECLARED = """
#include <cuda_runtime.h>

void diff(const int* in, int* out, int n);
int count_bright(const unsigned char* image, int limit, int n);
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n);
"""
LISTED = "FUNCTION(count_bright, image, limit, n) FUNCTION(saxpy_from_host, x, y, out, a, n)"

# What a lab's own reference.h and judge.cpp have.
OWN = """
std::vector<int> random_row(int n);
std::vector<int> adjacent_difference(const std::vector<int>& in);
std::vector<float> row(int n);
std::vector<float> scaled(const std::vector<float>& values, float factor);
int bright_ones(const std::vector<unsigned char>& image, int limit);
bool is_right(const std::vector<int>& in, const tilelab::Slice& slice);
const float factor = 3, a = 2;
const int limit = 100, n = 1000;
const std::vector<unsigned char> image(1000);
const std::vector<float> x(1000), y(1000);
Output<float> out("out", 1000);
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_no_example_is_left_out() -> None:
    heads = [text for text in blocks("cpp") if text.startswith("//")]
    assert len(heads) == 1 and len(contracts()) == 2 and len(judged()) == 8
    assert len(blocks("cpp")) == len([*heads, *contracts(), *judged()])
    assert len(blocks("toml")) == 7
    assert GUIDE.count("\n```") == 2 * len([*blocks("cpp"), *blocks("toml")])


def contracts() -> list[str]:
    return [text for text in blocks("cpp") if "TILELAB_LAB_FUNCTIONS" in text]


def judged() -> list[str]:
    """What judge.cpp may have. Statements belong to a test."""
    found = [text for text in blocks("cpp") if text not in contracts() and text[:2] != "//"]
    return [
        f'TEST_CASE("statements {number}") {{\n{text}}}\n'
        if text.startswith(("const int n", "tilelab::check"))
        else text
        for number, text in enumerate(found)
    ]


def test_the_contracts_and_tests_compile(emulator: Session, tmp_path: Path) -> None:
    made = contracts()
    declared = [line for text in made for line in text.splitlines() if line.startswith("void")]
    listed = re.findall(r"(?m)^ *#define TILELAB_LAB_FUNCTIONS\(FUNCTION\) (FUNCTION.*)$", GUIDE)
    assert len(listed) == len(made) + 1
    contract = "\n".join([DECLARED, *declared])
    functions = f"#define TILELAB_LAB_FUNCTIONS(FUNCTION) {' '.join([*listed, LISTED])}\n"
    (tmp_path / "diff.h").write_text(f"#pragma once\n{contract}\n{functions}")
    (tmp_path / "reference.h").write_text("#pragma once\n#include <vector>\n")
    first, *others = judged()
    judge = tmp_path / "judge.cpp"
    judge.write_text("\n".join([first, OWN, *others]))
    done = subprocess.run(
        [*compiling_the_judge(emulator, tmp_path), "-Werror", "-fsyntax-only", judge],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def compiling_the_judge(emulator: Session, contract: Path) -> list[str]:
    """How CMake compiles the judge of diff, but with another contract."""
    commands = emulator.toolchains[0].folder / "compile_commands.json"
    command = next(
        one["command"]
        for one in json.loads(commands.read_text())
        if one["file"].endswith("tests/labs/diff/judge.cpp")
    )
    words = shlex.split(command.partition(" -o ")[0])
    return [f"-I{contract}" if word.endswith("/labs/diff") else word for word in words]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    lab_template.make("rows", CHOICES, tmp_path)
    return tmp_path


def test_the_tables_can_be_read(repo: Path) -> None:
    of_a_task, of_speed, *others = blocks("toml")
    of_the_quiz, of_a_wrong_answer, of_a_prediction, of_a_case, of_lines = others
    settings = repo / "labs" / "rows" / "lab.toml"
    text = settings.read_text()
    hints = 'title = "A title"\nhints = ["a", "b", "c"]\n'
    text += f"\n[[tasks]]\n{hints}{of_a_task}\n[[speed]]\ntask = 9\n{hints}{of_speed}"
    settings.write_text(text)
    made = lab.load("rows", repo)
    assert made.tasks[-1].patterns and made.tasks[-1].code
    assert made.speed[-1].metric
    with (repo / "labs" / "rows" / "quiz.toml").open("a") as file:
        file.write(of_the_quiz + of_a_wrong_answer)
    assert quiz.load(made)[-1].accepts(2048)
    assert quiz.load(made)[-1].misconception(512)
    with predictions.path_of(made).open("a") as file:
        file.write(of_a_prediction)
    assert predictions.load(made)[-1].id == "loads"
    assert not [*predictions.problems(made, METRICS, '"loads_per_element"')]
    (repo / "labs" / "rows" / "cases.toml").write_text(of_a_case)
    assert detective.load(made)[-1].name == "twins"
    parsons.path_of(made).write_text(of_lines)
    assert len(parsons.load(made).shown) == 4


def test_the_head_of_a_mistake_can_be_read(tmp_path: Path) -> None:
    (head,) = [text for text in blocks("cpp") if text.startswith("//")]
    (tmp_path / "empty.cu").write_text(head)
    mistake = mistakes.read(tmp_path / "empty.cu")
    assert mistake.test.startswith("diff does nothing")
    assert mistake.says and mistake.tasks == (1,)
