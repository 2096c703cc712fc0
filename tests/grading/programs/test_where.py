"""What a run says of the place where a program goes wrong, and of the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

import typed

# What the program says, then the program: one statement of a kernel or of main() in line 7 or 11.
PROGRAM = """#include <cstdio>
__constant__ int table[32];
__device__ int sum(int n) {
  return n == 0 ? 0 : n + sum(n - 2);
}
__global__ void k(int* a) {
  KERNEL
}
int main() {
  int* a; cudaMalloc(&a, 256); cudaMemset(a, 0, 256); int host[64] = {};
  MAIN
  k<<<1, 64>>>(a);
  cudaMemcpy(host, a, 256, cudaMemcpyDeviceToHost);
  cudaFree(a);
}
"""
IN_KERNEL = {
    "a[threadIdx.x] = 7 % a[0];": "Fault in a.cu:7 `a[threadIdx.x] = 7 % a[0];`: kernel k,",
    "__syncwarp(0xffff); a[threadIdx.x] = 1;": "Fault in a.cu:7",
    "a[threadIdx.x] = sum(31);": "Fault in a.cu:4 `return n == 0 ? 0 : n + sum(n - 2);`",
    'if (threadIdx.x == 0) printf("%d", 0.5 * a[0]);': "a.cu:7: warning: format",
}
IN_MAIN = {
    "cudaMemcpy(table, host, 128, cudaMemcpyHostToDevice);": "cudaMemcpyToSymbol()",
    "cudaMemcpyToSymbol(table, host, 256);": "256 bytes from byte 0 on do not fit into the "
    "variable, which has 128",
    "cudaMemcpy2D(a, 64, host, 8, 32, 4, cudaMemcpyHostToDevice);": "Rows of 32 bytes do not fit "
    "into the pitch of the source, which is 8 bytes",
    "cudaFree(host);": "The pointer is not from cudaMalloc()",
    "cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float t; cudaEventRecord(e); "
    "cudaEventElapsedTime(&t, e, f);": "The stop event was never recorded",
    "cudaStream_t s; cudaStreamCreate(&s); cudaStreamDestroy(s); k<<<1, 64, 0, s>>>(a);": "The "
    "stream was destroyed before, or never created",
}


@pytest.mark.drawn(pool="places of mistakes", count=2)
@pytest.mark.parametrize(
    ("kernel", "host", "said"),
    [
        *((statement, "", said) for statement, said in IN_KERNEL.items()),
        *(("a[threadIdx.x] = 1;", statement, said) for statement, said in IN_MAIN.items()),
    ],
)
def test_the_place_and_the_reason_are_named(
    kernel: str, host: str, said: str, tmp_path: Path
) -> None:
    program = PROGRAM.replace("KERNEL", kernel).replace("MAIN", host)
    (tmp_path / "a.cu").write_text(program, encoding="utf-8")
    ended = typed.run("run", "--checked", "a.cu", cwd=tmp_path, env=typed.environment())
    assert said in ended.stderr, ended.stderr
    if host:
        assert "a.cu:11" in ended.stderr, ended.stderr


@pytest.mark.drawn(pool="places of mistakes", count=1)
@pytest.mark.parametrize(
    "names",
    [
        "int* p; cudaGetSymbolAddress((void**)&p, table); "
        "cudaMemcpy(p, host, 128, cudaMemcpyHostToDevice);",
        "cudaMemcpyToSymbol(table, host, 128);",
        "cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; "
        "cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); "
        "cudaMemcpyToSymbolAsync(table, host, 128, 0, cudaMemcpyHostToDevice, s); "
        "cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); "
        "cudaStreamSynchronize(s); cudaGraphExecDestroy(e); cudaGraphDestroy(g); "
        "cudaStreamDestroy(s);",
    ],
)
def test_a_constant_is_copied_to_by_its_name(names: str, tmp_path: Path) -> None:
    program = PROGRAM.replace("KERNEL", "a[threadIdx.x] = table[threadIdx.x % 32];")
    (tmp_path / "a.cu").write_text(program.replace("MAIN", names), encoding="utf-8")
    ended = typed.run("run", "--checked", "a.cu", cwd=tmp_path, env=typed.environment())
    assert "no mistakes found" in ended.stderr, ended.stderr
