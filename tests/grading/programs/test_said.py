"""What compilers and linkers say is about the user's files, under the names that they gave."""

from __future__ import annotations

from pathlib import Path

import pytest

import typed
from support import REPO
from tilelab.programs.said import as_given

OURS = "/home/x/tilelab/common/emulator/include/cuda_runtime_api.h"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a.cu:3: error: 'x' was not declared", "a.cu:3: error: 'x' was not declared"),
        (f"{OURS}:56: note: candidate: 'cudaError_t cudaMalloc()'", None),
        (f"{OURS}:9:   required from 'f()'", None),
        (f"In file included from {OURS}:33,", None),
        (f"{OURS}: In substitution of 'f() [with T = int]':", None),
        ("                 from <command-line>:", None),
        ("In file included from <stdin>:12:", None),
        ("In file included from a.cu:1:", "In file included from a.cu:1:"),
        # An error is never lost.
        (f"{OURS}:56: error: static assertion failed", "error: static assertion failed"),
        (f"/usr/bin/ld: {OURS}:40: undefined reference to `k()'", "undefined reference to `k()'"),
        ("/usr/bin/ld: a.cu: in function `tilelab::emulator::run_kernel<int>()':", None),
        (
            "/usr/bin/ld: /tmp/w/0-a.o: in function `main':",
            "/usr/bin/ld: a.cu: in function `main':",
        ),
        ("/home/x/a.cu:3: undefined reference to `f()'", "a.cu:3: undefined reference to `f()'"),
    ],
)
def test_what_is_said_has_no_path_of_ours(said: str, shown: str | None) -> None:
    paths = {"/tmp/w/0-a.o": "a.cu", "/home/x/a.cu": "a.cu"}
    assert as_given([said], paths) == ([] if shown is None else [shown])


@pytest.mark.drawn(pool="words of compilers", count=1)
@pytest.mark.parametrize(
    "line",
    [
        "int* b; cudaMalloc(&b, 4, 5);",
        "return other();",
        "undeclared();",
        "k<<<1, 1>>>(1, 2);",
        "cudaMemcpyToSymbol(3);",
    ],
)
def test_the_compilers_name_the_file_as_the_user_did(line: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    program = (
        f"int other();\n__global__ void k(int* a) {{ a[0] = 1; }}\nint main() {{\n{line}\n}}\n"
    )
    (tmp_path / "folder" / "a.cu").write_text(program)
    ended = typed.run("run", "folder/a.cu", cwd=tmp_path, env=typed.environment())
    assert ended.returncode != 0
    assert "folder/a.cu:4" in ended.stderr, ended.stderr
    for ours in (str(REPO), "/emulator/", str(tmp_path), ".o:"):
        assert ours not in ended.stderr, ended.stderr
