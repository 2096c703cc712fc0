"""`tilelab run` compiles a file that ends in .c as C, as nvcc does."""

from __future__ import annotations

from pathlib import Path

import pytest

import typed
from tilelab.programs import tools

pytestmark = pytest.mark.drawn(pool="programs of C files", count=2)

MAIN = """
#include <cstdio>
extern "C" {
#include "part.h"
}
__global__ void square(int* a) { *a *= *a; }
int main() {
  int* a;
  cudaMallocManaged(&a, sizeof(int));
  *a = 0;
  part(a);
  square<<<1, 1>>>(a);
  cudaDeviceSynchronize();
  printf("%d\\n", *a);
  cudaFree(a);
}
"""
HEADER = "void part(int* a);\n"
# What C++ refuses: keywords as names, pointers that nobody cast, initializers in any order.
OF_C = """
#include <stdlib.h>
#include <string.h>
#include "part.h"
static int twice(int class) { return 2 * class; }
void part(int *restrict a) {
  int *p = malloc(4 * sizeof *p), all[] = {[2] = 2, [1] = 1};
  _Bool is_set = memset(p, 0, 4 * sizeof *p) == p;
  p[3] = all[2] - all[0] + is_set - 1;
  *a = twice(p[3]);
  free(p);
}
"""
# The host's side of a program in C.
HOST = """
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "part.h"
int main(void) {
  struct cudaDeviceProp device;
  enum cudaMemcpyKind back = cudaMemcpyDeviceToHost;
  int *a, *host = (int *)malloc(sizeof *host);
  cudaGetDeviceProperties(&device, 0);
  cudaMalloc((void **)&a, sizeof *a);
  part(a);
  cudaMemcpy(host, a, sizeof *a, back);
  printf("%d %d\\n", *host, device.warpSize);
  cudaFree(a);
  free(host);
  return 0;
}
"""
KERNELS = """
#include <cstdio>
#include "part.h"
__global__ void set(int* a) { *a = 16; }
extern "C" void part(int* a) { set<<<1, 1>>>(a); }
"""

OPTIONS = [
    pytest.param(["--backend", preset, *option], marks=mark)
    for preset, mark in (
        ("emulator", ()),
        ("emulator-clang", pytest.mark.preset(name="emulator-clang")),
    )
    for option in ([], ["--checked"])
]


def run(folder: Path, *words: str, **texts: str) -> tuple[str, str, int]:
    """What it prints and says, and its status. NAME_c="..." is the text of the file NAME.c."""
    for name, text in texts.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(text)
    tools.prepare("emulator-clang" if "emulator-clang" in words else "emulator")
    ended = typed.run("run", *words, cwd=folder, env=typed.environment())
    said = [line for line in ended.stderr.splitlines() if "tilelab: compiling, " not in line]
    return ended.stdout, "\n".join(said), ended.returncode


@pytest.mark.parametrize("options", OPTIONS)
def test_a_file_is_c(options: list[str], tmp_path: Path) -> None:
    words = [*options, "main.cu", "part.c"]
    said = run(tmp_path, *words, main_cu=MAIN, part_c=OF_C, part_h=HEADER)
    none = "tilelab: no mistakes found" if "--checked" in options else ""
    assert said == ("16\n", none, 0)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("header", ["cuda_runtime.h", "cuda_runtime_api.h"])
def test_a_file_in_c_may_call_the_runtime(header: str, options: list[str], tmp_path: Path) -> None:
    guarded = f'#ifdef __cplusplus\nextern "C"\n#endif\n{HEADER}'
    text = HOST.replace("cuda_runtime.h", header)
    words = [*options, "host.c", "kernels.cu"]
    said = run(tmp_path, *words, host_c=text, kernels_cu=KERNELS, part_h=guarded)
    none = "tilelab: no mistakes found" if "--checked" in options else ""
    assert said == ("16 32\n", none, 0)


def test_an_unguarded_header_is_c_for_a_file_that_calls_the_runtime(tmp_path: Path) -> None:
    """Its names are C's, whatever compiles it, and g++ takes a pointer that nobody cast."""
    kernels = KERNELS.replace('#include "part.h"', 'extern "C" {\n#include "part.h"\n}')
    text = HOST.replace("(int *)malloc", "malloc").replace("int main", "int *restrict q;\nint main")
    said = run(tmp_path, "host.c", "kernels.cu", host_c=text, kernels_cu=kernels, part_h=HEADER)
    assert said == ("16 32\n", "", 0)


def test_options_and_folders_hold_for_c(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "deep" / "part.h").write_text(HEADER)
    (tmp_path / "other" / "value.h").write_text("#define VALUE 3\n")
    text = '#include "part.h"\n#include <value.h>\nvoid part(int *a) { *a = VALUE + MORE; }\n'
    (tmp_path / "deep" / "part.c").write_text(text)
    main = MAIN.replace("part.h", "deep/part.h")
    words = ["-I", "other", "-D", "MORE=1", "main.cu", "deep/part.c"]
    assert run(tmp_path, *words, main_cu=main) == ("16\n", "", 0)


@pytest.mark.parametrize("option", [[], ["--checked"]])
def test_an_error_in_c_names_its_line(option: list[str], tmp_path: Path) -> None:
    text = "void part(int *a) {\n  *a = undeclared;\n}\n"
    words = [*option, "main.cu", "part.c"]
    _, said, status = run(tmp_path, *words, main_cu=MAIN, part_c=text, part_h=HEADER)
    assert status == 2
    assert "part.c:2: error: 'undeclared' undeclared" in said


@pytest.mark.parametrize("option", [[], ["--checked"]])
def test_c_that_is_no_cpp_and_calls_the_runtime_is_explained(
    option: list[str], tmp_path: Path
) -> None:
    text = HOST.replace("back", "class")
    words = [*option, "host.c", "kernels.cu"]
    _, said, status = run(tmp_path, *words, host_c=text, kernels_cu=KERNELS, part_h=HEADER)
    assert status == 2
    assert "host.c:8: error: expected " in said
    assert "<stdin>" not in said and "/host.c" not in said
    why = "host.c: note: TileLab compiles it as C++, because it includes CUDA's headers"
    assert why in said


def test_findings_name_lines_of_c(tmp_path: Path) -> None:
    """Of a file that calls the runtime, too, which the compiler reads from elsewhere."""
    text = HOST.replace("  cudaFree(a);\n", "")
    _, said, _ = run(
        tmp_path, "--checked", "host.c", "kernels.cu", host_c=text, kernels_cu=KERNELS,
        part_h='#ifdef __cplusplus\nextern "C"\n#endif\n' + HEADER,
    )  # fmt: skip
    assert "Memory leak" in said and "host.c:11" in said
