"""The emulator and the estimator without the course: their READMEs, followed to the letter."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

import bare_copy
from support import REPO

pytestmark = [pytest.mark.long, pytest.mark.thorough]


def blocks(room: str) -> list[str]:
    """What a README says to type or to write into a file, without the indentation."""
    text = (REPO / "common" / room / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", text, re.MULTILINE)
    return [re.sub(r"^ {4}", "", block, flags=re.MULTILINE).strip() + "\n" for block in found]


def block(room: str, begin: str) -> str:
    """The one that begins so."""
    (found,) = [one for one in blocks(room) if one.startswith(begin)]
    return found


def type_in(folder: Path, lines: str, prefix: Path, room: str) -> str:
    """What the lines print, if all of them succeed."""
    finished = subprocess.run(
        ["bash", "-ec", lines.replace(f"~/{room}", str(prefix))],
        cwd=folder,
        env={**os.environ, **bare_copy.remembering()},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    return finished.stdout


def install(room: str, folder: Path) -> Path:
    """A prefix that holds nothing else, and that was moved to another folder afterwards."""
    lines = re.sub(r"build/\w+", str(folder / "build"), block(room, f"cmake -S common/{room}"))
    type_in(REPO, lines, folder / "first", room)
    return (folder / "first").rename(folder / "moved")


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install("emulator", tmp_path_factory.mktemp("emulator"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "reverse.cu").write_text(block("emulator", "#include <cstdio>"))
    (tmp_path / "CMakeLists.txt").write_text(block("emulator", "cmake_minimum_required"))
    return tmp_path


def test_another_project_builds_a_program_and_learns_of_its_race(
    emulator: Path, project: Path
) -> None:
    printed = type_in(project, block("emulator", "cmake -S . -B build"), emulator, "emulator")
    report = json.loads(printed.splitlines()[-1])
    assert [one["text"] for one in report["findings"] if "Data race" in one["text"]], printed
    assert len(type_in(project, "build/reverse", emulator, "emulator").split()) == 2


def test_a_script_compiles_a_program_without_cmake(emulator: Path, project: Path) -> None:
    lines = block("emulator", "~/emulator/share")
    assert len(type_in(project, f"{lines}./reverse", emulator, "emulator").split()) == 2


def test_an_object_of_either_build_joins_a_program_of_the_host(
    emulator: Path, tmp_path: Path
) -> None:
    (tmp_path / "twice.cu").write_text(
        "__global__ void twice(int* a) { a[threadIdx.x] *= 2; }\n"
        "void run(int* a) { twice<<<1, 4>>>(a); }\n"
    )
    (tmp_path / "main.cpp").write_text(
        "#include <cuda_runtime.h>\n#include <cstdio>\n#include <emulator/emulator.h>\n"
        "void run(int*);\n"
        "int main() {\n  int host[4] = {1, 2, 3, 4};\n  int* a;\n  cudaMalloc(&a, sizeof host);\n"
        "  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);\n  run(a);\n"
        "  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);\n"
        '  std::printf("%d\\n", host[3]);\n}\n'
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(mine LANGUAGES CXX)\n"
        "find_package(TileLabEmulator 2 REQUIRED)\n"
        "tilelab_emulated_object(twice twice.cu)\nadd_executable(fast main.cpp)\n"
        "target_link_libraries(fast PRIVATE twice)\n"
        "tilelab_checked_object(checked_twice twice.cu)\nadd_executable(checked main.cpp)\n"
        "target_link_libraries(checked PRIVATE checked_twice)\n"
    )
    build = block("emulator", "cmake -S . -B build").split("TILELAB_REPORT")[0]
    lines = f"({build}) >/dev/null; build/fast; build/checked"
    assert type_in(tmp_path, lines, emulator, "emulator") == "8\n8\n"


def test_the_estimator_works_alone(tmp_path: Path) -> None:
    prefix = install("estimator", tmp_path)
    (tmp_path / "job").write_text(block("estimator", '{"type"'))
    line = block("estimator", "~/estimator/bin").replace("tests/", f"{REPO}/tests/")
    estimate = json.loads(type_in(tmp_path, line, prefix, "estimator").splitlines()[-1])
    assert estimate["cycles"] > 0

    (tmp_path / "mine.cpp").write_text(
        "#include <cstdio>\n#include <sstream>\n#include <estimator/code/disassembly.h>\n"
        "#include <estimator/estimate/estimate.h>\n"
        'int main() {\n  std::istringstream none("");\n'
        '  std::printf("%zu\\n", tilelab::estimator::read_disassembly(none).size());\n}\n'
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(mine LANGUAGES CXX)\n"
        "add_executable(mine mine.cpp)\n" + block("estimator", "find_package")
    )
    lines = "(cmake -S . -B b -DCMAKE_PREFIX_PATH=~/estimator; cmake --build b) >/dev/null; b/mine"
    assert type_in(tmp_path, lines, prefix, "estimator") == "0\n"
