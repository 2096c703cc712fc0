"""Editors understand the labs: clangd without CUDA, VS Code's tasks, the development container."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import typed
from support import REPO, Write
from tilelab.labs import lab
from tilelab.pipeline.harness.session import Session

KERNELS = [
    pytest.param(
        path,
        marks=[pytest.mark.judges(lab=one.name), pytest.mark.drawn(pool="clang", count=2)],
        id=str(path.relative_to(REPO)),
    )
    for one in lab.course()
    for path in (*sorted(one.skeleton.parent.glob("*.cu")), one.reference, *one.ladder)
]

needs_clang = pytest.mark.skipif(shutil.which("clang++") is None, reason="clang is not installed")
needs_clangd = pytest.mark.skipif(shutil.which("clangd") is None, reason="clangd is not installed")


@pytest.fixture(scope="module")
def commands(emulator: Session) -> dict[Path, list[str]]:
    """The compiler's arguments for each file, as editors read them."""
    listed = json.loads((REPO / "build" / "emulator" / "compile_commands.json").read_text())
    return {Path(one["file"]): shlex.split(one["command"])[1:] for one in listed}


def problems(arguments: list[str], file: Path) -> list[str]:
    """What clang says about a file with the arguments that were made for another one."""
    flags = arguments[: arguments.index("-o")]
    finished = subprocess.run(
        ["clang++", *flags, "-fsyntax-only", str(file)], capture_output=True, text=True
    )
    return [line for line in finished.stderr.splitlines() if "error: " in line]


@needs_clang
@pytest.mark.parametrize("path", KERNELS)
def test_clang_understands_a_kernel_without_cuda(
    commands: dict[Path, list[str]], path: Path
) -> None:
    assert problems(commands[path], path) == []


@needs_clang
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nobody<<<1, 1>>>();", "undeclared identifier 'nobody'"),
        ("kernel<<<1>>>(nullptr);", "too few execution configuration arguments"),
        ("kernel<<<1, 1>>>();", "too few arguments to function call"),
        ("kernel<<<1, 1, 4, nullptr>>>(nullptr); cudaFre(nullptr);", "'cudaFre'"),
    ],
)
def test_clang_sees_a_mistake(
    commands: dict[Path, list[str]], cu: Write, line: str, says: str
) -> None:
    arguments = commands[lab.load("diff").skeleton]
    kernel = "__global__ void kernel(int* a) {\n  a[threadIdx.x] = __shfl_up_sync(~0u, 1, 1);\n}\n"
    assert problems(arguments, cu(f"{kernel}void run() {{ kernel<<<1, 1>>>(nullptr); }}\n")) == []
    found = problems(arguments, cu(f"{kernel}void run() {{ {line} }}\n"))
    assert len(found) == 1 and says in found[0]


@needs_clangd
def test_clangd_finds_the_commands_also_for_a_new_file(commands: dict[Path, list[str]]) -> None:
    new = REPO / "build" / "clangd_test.cu"
    shutil.copyfile(lab.load("diff").reference, new)
    try:
        for file, errors in ((new, 0), (lab.load("diff").skeleton, 0)):
            finished = subprocess.run(
                ["clangd", f"--check={file}"], cwd=REPO, capture_output=True, text=True
            )
            assert f"All checks completed, {errors} errors" in finished.stderr, finished.stderr
    finally:
        new.unlink()


def strict(path: Path) -> Any:
    """A file of settings. VS Code allows comments in them, other programs do not."""
    return json.loads((REPO / path).read_text(encoding="utf-8"))


def test_the_container_needs_no_gpu_and_sets_itself_up() -> None:
    container = strict(Path(".devcontainer/devcontainer.json"))
    assert container["hostRequirements"]["gpu"] == "optional"
    recommended = strict(Path(".vscode/extensions.json"))["recommendations"]
    assert container["customizations"]["vscode"]["extensions"] == recommended
    # What it runs has to exist: a command of ours, and a preset.
    assert container["postCreateCommand"] == "./tilelab --yes doctor && cmake --preset emulator"
    presets = strict(Path("CMakePresets.json"))["configurePresets"]
    assert "emulator" in [preset["name"] for preset in presets]


def matched(output: str) -> list[tuple[str, int, str]]:
    """File, line and message of what the task's problem matchers find, as VS Code applies them."""
    lines = output.split("\n")
    found = []
    (task,) = [one for one in strict(Path(".vscode/tasks.json"))["tasks"] if "check" in one["args"]]
    for matcher in task["problemMatcher"]:
        pattern = matcher["pattern"]
        patterns = pattern if isinstance(pattern, list) else [pattern]
        for start in range(len(lines)):
            values: dict[str, str] = {}
            for one, line in zip(patterns, lines[start:], strict=False):
                match = re.search(one["regexp"], line)
                if match is None:
                    break
                values |= {
                    key: match[one[key]] for key in ("file", "line", "message") if key in one
                }
            else:
                if "file" in values:
                    found.append((values["file"], int(values["line"]), values["message"]))
    return found


def checked(file: Path) -> str:
    """What the task's terminal shows for a file."""
    (task,) = [one for one in strict(Path(".vscode/tasks.json"))["tasks"] if "check" in one["args"]]
    # The interpreter of the tests has what the launcher would install.
    environment = typed.environment(**task["options"]["env"])
    return typed.run("check", "diff", file, "--seed", "7", env=environment).stdout


@pytest.mark.usefixtures("emulator")
@pytest.mark.parametrize(
    ("mistake", "code", "message"),
    [
        ("missing_barrier", "tile[tx] = in[i];", "Data race"),
        ("out_of_bounds_store", "out[i] =", "out"),
    ],
)
def test_the_editor_marks_the_line_of_a_failure(
    cu: Write, mistake: str, code: str, message: str
) -> None:
    text = (lab.load("diff").solutions / "mistakes" / f"{mistake}.cu").read_text()
    file = cu(text)
    output = checked(file)
    first = matched(output)[0]
    assert first[0] == str(file) and message in first[2], output
    assert code in text.split("\n")[first[1] - 1], output


@pytest.mark.usefixtures("emulator")
def test_the_editor_marks_the_line_of_a_compile_error(cu: Write) -> None:
    text = lab.load("diff").reference.read_text().replace("const int group =", "const int groop =")
    file = cu(text)
    output = checked(file)
    line = text[: text.index("group < groups")].count("\n") + 1
    assert [(str(file), line)] == [one[:2] for one in matched(output)][:1], output


@pytest.mark.usefixtures("emulator")
def test_the_editor_marks_nothing_in_a_right_file(cu: Write) -> None:
    output = checked(cu(lab.load("diff").reference.read_text()))
    assert "correctness 40 / 40" in output and matched(output) == []
