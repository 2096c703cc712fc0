"""The emulator calls no function of the standard library that a program brings along."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from support import REPO

LIBRARIES = REPO / "build" / "emulator" / "lib"
# A function of the standard library that the linker would join with another file's.
_SHARED = re.compile(r" [Wn] (_ZN?K?(?:St|Sa|9__gnu_cxx)\w+)$", re.MULTILINE)

SOURCE = """
#include <string>
#include <vector>
std::string repeated(const char* text, int n) {
  std::vector<std::string> all(n, text);
  all.push_back(text);
  return all.back() + all.front();
}
"""


def functions(library: Path) -> str:
    argv = ["nm", "--defined-only", library]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["emulator", "observer", "report"])
def test_no_function_is_shared_with_programs(name: str) -> None:
    found = functions(LIBRARIES / f"libtilelab_{name}.a")
    assert "tilelab_own._Z" in found
    assert _SHARED.findall(found) == []


def test_a_library_gets_names_of_its_own(tmp_path: Path) -> None:
    source, library = tmp_path / "a.cpp", tmp_path / "liba.a"
    source.write_text(SOURCE)
    subprocess.run(["g++", "-std=c++20", "-O1", "-c", source, "-o", tmp_path / "a.o"], check=True)
    subprocess.run(["ar", "rcs", library, tmp_path / "a.o"], check=True)
    shared = _SHARED.findall(functions(library))
    assert shared
    subprocess.run(["sh", REPO / "common" / "own_functions.sh", library], check=True)
    now = functions(library)
    assert _SHARED.findall(now) == []
    assert all(f"tilelab_own.{one}" in now for one in shared)
    assert "repeated" in now
