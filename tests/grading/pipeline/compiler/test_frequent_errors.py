"""What a submission is told whose first error is one that beginners make often."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support import inspected
from tilelab.base.errors import CompileError, Rejected
from tilelab.labs import lab
from tilelab.pipeline import texts
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.stages import Source
from tilelab.pipeline.texts import braces
from tilelab.pipeline.texts.tokens import parse
from tilelab.pipeline.workers import making

KERNEL = """#include "diff.h"

constexpr int block_size = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block_size];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) {
    int left = 0;
    if (i > 0) left = in[i - 1];
    out[i] = tile[threadIdx.x] - left;
  }
}

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  diff_kernel<<<(n + block_size - 1) / block_size, block_size>>>(in, out, n);
}
"""

# The text that is replaced, what by, and the line and words that come first.
EDITS = [
    ("= in[i];", "= in[i]", 8, "expected ';' before '__syncthreads'"),
    ("threadIdx.x;", "threadIdx.x", 7, "expected ',' or ';' before 'if'"),
    ("diff_kernel<<<", "diffKernel<<<", 19, "did you mean 'diff_kernel'?"),
    ("out[i] = ", "out[I] = ", 13, "did you mean 'i'?"),
    ("threadIdx.x;", "threadIdx.w;", 7, "there is no .w: threadIdx,"),
    ("blockDim.x +", "blockDim +", 7, "add .x, .y or .z."),
    ("__shared__", "_shared_", 6, "did you mean '__shared__'?"),
    ("__global__", "_global_", 5, "did you mean '__global__'?"),
    ("__syncthreads()", "_syncthreads()", 9, "did you mean '__syncthreads'?"),
    ("kernel<<<", "kernel<<", 19, "a launch begins with <<<"),
    (">>>", ">>", 19, "`>>>(arguments)`"),
    ("if (i > 0) left", "if (i > 0 left", 12, "the ( after this if has no )"),
    ("- left;\n  }\n}", "- left;\n  }\n", 5, "this { has no } before line 17"),
    (
        "const int* in, int* out, int n) {\n  __s",
        "int* in, int* out, int n) {\n  __s",
        19,
        "only reads",
    ),
    ("block_size>>>", "dim3(block_size, 1, 1, 1)>>>", 19, "Write dim3(x, y, z)."),
    ("diff_kernel<<<", "const dim3 g(n); g.y = 1; diff_kernel<<<", 19, "its y cannot change"),
    ("__global__ ", "template <int k> __global__ ", 19, "template parameter k needs a value"),
    ("out[i] = ", "out[I_] = ", 13, "did you mean 'i'?"),
    ("blockDim", "blockdim", 7, "did you mean 'blockDim'?"),
    ("i < n) tile", "i < m) tile", 8, "'m' was not declared"),
    ("int left = 0;", "", 12, "'left' was not declared"),
    ("(in, out, n);\n}", "(in, out);\n}", 19, "too few arguments to function 'void diff_kernel("),
    ("out[i] = ", "in[i] = ", 13, "the values that 'in' points to are const"),
    ("tile[block_size];", "tile[n];", 6, "the size of 'tile' is not a constant. Make it constexpr"),
    ("if (n <=", "int* d; cudaMalloc(d, n); if (n <=", 18, "Pass the pointer's address"),
    ("if (n <=", "vector<int> v; if (n <=", 18, "Write std::vector, and #include <vector>."),
    ("if (n <=", "std::cout << n; if (n <=", 18, "Add #include <iostream>."),
    ("if (n <=", "int k; cudaMemcpy(&k, in, 4); if (n <=", 18, "cudaMemcpyKind"),
    ("void diff(", "int diff(", 17, "It is declared as void diff(const int*, int*, int)."),
    ("i < n) {", "i < n)", 14, "this } ends the { in line 5."),
    ("i < n) {", "i < n) {{", 15, "this } ends the { in line 10."),
    ("if (n <= 0)", "if (n + 1 = 0)", 18, "= stores a value, == compares two."),
    ("<<<(n + block_size - 1) / block_size, block_size>>>", "", 19, "<<<blocks, threads>>>"),
    ("__global__ ", "", 6, "is its __global__ or __device__ missing?"),
]


@pytest.mark.drawn(pool="frequent compile errors", count=3)
@pytest.mark.parametrize(("old", "new", "line", "says"), EDITS, ids=[edit[3] for edit in EDITS])
def test_the_first_error_helps(
    old: str, new: str, line: int, says: str, emulator: Session, work: Path
) -> None:
    text = inspected(KERNEL.replace(old, new, 1))
    assert text.text != KERNEL
    with pytest.raises(CompileError) as caught, making.make(text, emulator.toolchains, work):
        pass
    first, *others = caught.value.messages
    assert first.startswith(f"diff.cu:{line}: error: ")
    assert says in first
    told = [re.sub(r"^\S+ ", "", one) for one in (first, *others)]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        # A { is missing, or a } too many: the kernel ends where the condition should.
        (KERNEL.replace("i < n) {", "i < n)"), 14, "this } ends the { in line 5."),
        (KERNEL.replace("= 0;\n", "= 0;\n  }\n"), 15, "this } ends the { in line 5."),
        # A } is missing: what should close the kernel closes the condition.
        (KERNEL.replace("  }\n}", "}"), 14, "this } ends the { in line 10."),
        (KERNEL.replace("  }\n}\n", "  }\n"), 5, "this { has no }"),
        (KERNEL + "}\n", 21, "this } ends nothing"),
        # Braces of strings and comments are none.
        ('// {\n/* { */ const char* s = "{";\n' + KERNEL.removesuffix("}\n"), 19, "has no }"),
    ],
)
def test_a_brace_without_a_partner_is_looked_for(text: str, line: int, says: str) -> None:
    found = braces.problem(text, parse(text))
    assert found
    assert found.line == line
    assert says in found.says


@pytest.mark.parametrize(
    "text",
    [
        KERNEL,
        KERNEL.replace("\n", "\r\n"),
        KERNEL.replace("  if (i < n) {", "  if (i < n)\n    {"),
        KERNEL.replace("    out", "\tout").replace("  }\n}", "    } }"),
        # Which of them count depends on the condition.
        "#if 1\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n",
    ],
)
def test_braces_that_match_are_no_problem(text: str) -> None:
    assert braces.problem(text, parse(text)) is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("__syncthreads", "__syncthread", "nearest name that is allowed is __syncthreads."),
        ("__shared__", "__Shared__", "nearest name that is allowed is __shared__."),
        ("__global__", "__gloabl__", "nearest name that is allowed is __global__."),
        ('"diff.h"', '"dif.h"', "nearest header that is allowed is diff.h."),
        ('"diff.h"', "<cuda_runtme.h>", "nearest header that is allowed is cuda_runtime.h."),
        ('"diff.h"', "<map>", "a submission may include"),
        ("__syncthreads", "__frobnicate", "belong to the compiler"),
    ],
)
def test_a_misspelled_name_gets_the_nearest_one(old: str, new: str, says: str) -> None:
    with pytest.raises(Rejected) as caught:
        texts.inspect(Source(KERNEL.replace(old, new, 1), ""), lab.load("diff"))
    assert says in caught.value.messages[0]


def test_a_misspelled_function_of_the_contract_is_named(emulator: Session, work: Path) -> None:
    text = KERNEL.replace("void diff(", "void dif(")
    with pytest.raises(Rejected) as caught:
        making.make_one(inspected(text), emulator.toolchains[0], work)
    (message,) = caught.value.messages
    assert message == (
        "diff.cu does not define diff(int const*, int*, int), but dif(int const*, int*, int)."
    )
