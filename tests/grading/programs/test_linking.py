"""What `tilelab run` says of files that make no program, and whom it blames."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import typed
from tilelab.backends import nvidia
from tilelab.programs import tools

pytestmark = pytest.mark.drawn(pool="programs that do not link", count=2)

LACKS = "tilelab: nvcc accepts this program, but the emulator lacks something that it uses"
ALL_FILES = "in none of these files: give all files of the program"


def said(folder: Path, texts: Mapping[str, str], *options: str) -> list[str]:
    """The lines of a run that ends early, all of it ours."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    tools.prepare("emulator")
    ended = typed.run("run", *options, *texts, cwd=folder, env=typed.environment())
    assert ended.returncode == 2, ended.stderr
    lines = [line for line in ended.stderr.splitlines() if "tilelab: compiling, " not in line]
    assert any("undefined reference" in line or "multiple" in line for line in lines), lines
    return [line for line in lines if line.startswith("tilelab: ")]


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ({"a.cu": "int more(int);\nint main() { return more(2); }"}, f"more(int) is {ALL_FILES}"),
        (
            {
                "a.cu": "void f(), g();\n__global__ void k();\n"
                "int main() { f(), g(), k<<<1, 1>>>(); }"
            },
            f"f(), g() and k() are {ALL_FILES}",
        ),
        (
            {
                "a.cu": 'extern int n;\nextern "C" int f();\nnamespace s { int g(); int h(); }\n'
                "__device__ int d();\n__global__ void k(int* a) { *a = d(); }\n"
                "int main() { k<<<1, 1>>>(nullptr); return n + f() + s::g() + s::h(); }"
            },
            f" and 2 more are {ALL_FILES}",
        ),
        (
            {
                "a.cu": "#include <map>\n#include <string>\nvoid f(std::map<std::string, int>);\n"
                "int main() { f({}); }"
            },
            f": f(...) is {ALL_FILES}",
        ),
        # A program's names may begin as CUDA's do.
        (
            {"a.cu": "int cudaFill(int*);\nint main() { return cudaFill(nullptr); }"},
            f"cudaFill(int*) is {ALL_FILES}",
        ),
        (
            {"a.cu": 'extern "C" void cudaNew(), f();\nint main() { cudaNew(), f(); }'},
            f"f is {ALL_FILES}",
        ),
        (
            {"a.cu": "int more(int);\nint main() { return more(2); }", "b.c": "int more(int a);"},
            f"more(int) is {ALL_FILES}",
        ),
        (
            {"a.cu": "int f(int);\nint main() { f(2); }", "b.c": "int f(int a) { return a; }"},
            'b.c defines f() in C: declare it extern "C" where C++ calls it',
        ),
        (
            {"a.c": "int f(int);\nint main(void) { f(2); }", "b.cu": "int f(int) { return 0; }"},
            'b.cu defines f(int) in C++: make it extern "C", as it is called',
        ),
        (
            {
                "a.cu": "void f(float*);\nint main() { f(nullptr); }",
                "b.cpp": "void f(double*) {}\n",
            },
            "f(float*) is in none of these files, but b.cpp has f(double*)",
        ),
        ({"a.cu": "__global__ void k() {}"}, "none of these files has a main()"),
    ],
)
def test_what_is_missing_is_named(texts: Mapping[str, str], says: str, tmp_path: Path) -> None:
    (line,) = said(tmp_path, texts)
    assert line.startswith("tilelab: ") and line.endswith(says)
    assert said(tmp_path, texts, "--checked") == [line]


needs_nvcc = pytest.mark.skipif(nvidia.nvcc() is None, reason="nvcc tells who is to blame")


@needs_nvcc
@pytest.mark.parametrize(
    ("texts", "lacks"),
    [
        # A function of CUDA.
        ({"a.cu": 'extern "C" int cudaNew(int);\nint main() { return cudaNew(2); }'}, True),
        # A variable of a kernel belongs to its file alone.
        ({"a.cu": "__device__ int n;\nint main() {}", "b.cu": "__device__ int n;"}, True),
        ({"a.cu": "int n;\nint main() {}", "b.cu": "int n;"}, False),
        ({"a.cu": "void f() {}\nint main() {}", "b.cpp": "void f() {}"}, False),
        ({"a.cu": "int main() {}", "b.c": "int main(void) { return 0; }"}, False),
    ],
)
def test_the_emulator_is_blamed_for_what_nvcc_does(
    texts: Mapping[str, str], lacks: bool, tmp_path: Path
) -> None:
    assert said(tmp_path, texts) == ([LACKS] if lacks else [])
