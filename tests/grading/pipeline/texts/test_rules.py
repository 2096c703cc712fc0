"""The scan of a submission's text."""

from __future__ import annotations

import time

import pytest

from tilelab.base.repository import REPO
from tilelab.pipeline.texts import rules
from tilelab.pipeline.texts.tokens import parse


def problems(text: str) -> list[str]:
    return rules.check(parse(text), "diff")


@pytest.mark.parametrize(
    "text",
    [
        '#include "diff.h"\n#include <cstdio>\n#  include <vector>\n',
        "#include <cuda_runtime.h> // fine\n#include /* why */ <cmath>\n",
        "#include <cuda/ptx>\n#include <cuda_pipeline.h>\nvoid f() { __pipeline_commit(); }\n",
        "#include <cuda_runtime_api.h>\n#include <cuda/atomic>\n#include <cuda/std/array>\n",
        "#include <memory>\n#include <stdexcept>\n#include <string>\n",
        "// #include <iostream>\n/* asm\n#include <fstream>\n*/\n",
        'const char* s = "asm __has_include exit("; const char c = \'"\'; // asm\n',
        'const char* s = R"x(\n#include <iostream>\nasm)" )x";\n',
        "int n = 1'000'000; const char* s = \"'\"; int m = 0xA'B;\n",
        "#define asm_free 1\nint basm, asm2, exit_code;\n",
        "#error don't worry\nint a; // it's fine\n",
        "int x = 5 # 3;\n",
        "#\n# pragma unroll\n#if 0\n#endif\n",
    ],
)
def test_honest_text_passes(text: str) -> None:
    assert problems(text) == []


def test_the_emulator_has_every_header_of_cuda_that_is_allowed() -> None:
    of_cuda = {h for h in rules.ALLOWED_HEADERS if h.startswith(("cuda", "cooperative_groups"))}
    assert {h for h in of_cuda if not (REPO / "common/emulator/include" / h).is_file()} == set()
    assert "cuda/std/array" in of_cuda


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("#include <fstream>\n", 1, "printf"),
        ("\n#include <thrust/sort.h>\n", 2, "write the kernel yourself"),
        ("\n#include <cuda/std/chrono>\n", 2, "write the kernel yourself"),
        ("#include <chrono>\n", 1, "the tests measure time"),
        ('#include "/etc/passwd"\n', 1, "/etc/passwd"),
        ('#include "../../solutions/diff/diff.cu"\n', 1, "not allowed"),
        ('#include "nbody.h"\n', 1, "not allowed"),
        ("#define H <cstdio>\n#include H\n", 2, "needs a header's name"),
        ("#inc\\\nlude <fstream>\n", 1, "fstream"),
        ("%:include <fstream>\n", 1, "fstream"),
        ("/* */ # /* */ include /**/ <fstream>\n", 1, "fstream"),
        ('int a;\n#line 1 "other.cu"\n', 2, "#line"),
        ('# 7 "other.cu"\n', 1, "line markers"),
        ("#include_next <cstdio>\n", 1, "include_next"),
        ('#embed "/etc/passwd"\n', 1, "#embed"),
        ('#if __has_include("/etc/passwd")\n#endif\n', 1, "__has_include"),
        ('void f() { asm("nop"); }\n', 1, "assembly"),
        ('void f() {\n  __asm__ volatile ("");\n}\n', 2, "assembly"),
        ('int n = 1\'0; __asm("")\n', 1, "assembly"),
        ('const char* s = "a\\"b"; asm("");\n', 1, "assembly"),
        ('const char* s = R"(\\)"; asm("");\n', 1, "assembly"),
        ('const char* s = R"x()y" )x"; as\\\nm("");\n', 1, "assembly"),
        # A raw string does not join lines. A scanner that does would miss its end.
        ('const char* s = R"ab(\n)a\\\nb" )ab"; asm("");\n', 3, "assembly"),
        ("void f() {\n  _exit (1);\n}\n", 2, "return from the function instead"),
        ("auto* b = std::cout.rdbuf();\n", 1, "print with << or printf()"),
    ],
)
def test_rules_are_named_with_their_line(text: str, line: int, word: str) -> None:
    (problem,) = problems(text)
    assert problem.startswith(f"diff.cu:{line}: ")
    assert word in problem


@pytest.mark.parametrize(
    "text",
    [
        "/**/" * 60_000 + "#include",
        "#include " + "/**/" * 60_000,
        'R"a(' * 60_000,
        "\\\n" * 120_000,
        "'" * 250_000,
        "1'" * 120_000,
        "/*" * 120_000,
        "exit " * 50_000,
    ],
)
def test_hostile_text_costs_no_time(text: str) -> None:
    start = time.process_time()
    problems(text)
    assert time.process_time() - start < 5
