"""Errors of a launch's arguments, without the emulator's templates."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support import REPO
from tilelab.pipeline.compiler import messages
from tilelab.pipeline.harness.session import Session

SWAPPED = """__global__ void k(const int* in, int* out, int n) {}
void f(const int* in, int* out, int n) {
  k<<<1, n>>>(out, in, n);
}
"""


def test_swapped_arguments_are_named(emulator: Session, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SWAPPED)
    tool = emulator.toolchains[0]
    rewriter = tool.folder / "bin" / "launch_rewriter"
    script = REPO / "common" / "emulator" / "compile.sh"
    output = subprocess.run(
        ["sh", script, tool.cxx, rewriter, "k.cu", "k.o"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    ).stderr
    lines = [line for line in output.splitlines() if line.startswith("k.cu:3: error: no match")]
    assert [messages.explained(line) for line in lines] == [
        "k.cu:3: error: the launch passes (int*, const int*, int), but the kernel takes "
        "(const int*, int*, int)"
    ]


@pytest.mark.parametrize(
    ("said", "means"),
    [
        (
            "k.cu:3: error: no matching function for call to object of type "
            "'Launch<(lambda at k.cu:3:3), const int *, int>'",
            "k.cu:3: error: the launch's arguments do not fit: the kernel takes (const int*, int)",
        ),
        ("k.cu:3: error: expected ';'", "k.cu:3: error: expected ';'"),
        (
            "k.cu:3: error: conflicting declaration 'float tilelab_extern_shared_tile []'",
            "k.cu:3: error: extern __shared__ tile has another type here than before: a file has "
            "one array of that name, so use two names or one type",
        ),
        (
            "k.cu:3: error: redeclaration of 'tilelab_extern_shared_tile' with a different type: "
            "'float[]' vs 'int[]'",
            "k.cu:3: error: extern __shared__ tile has another type here than before: a file has "
            "one array of that name, so use two names or one type",
        ),
        (
            "k.cu:2: note: previous declaration as 'int tilelab_extern_shared_tile []'",
            "k.cu:2: note: previous declaration as 'int tile []'",
        ),
    ],
)
def test_other_words(said: str, means: str) -> None:
    assert messages.explained(said) == means
