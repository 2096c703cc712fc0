"""What `tilelab run --checked` says of blocks and warps whose signals lack something."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import typed

pytestmark = pytest.mark.thorough

NO_FENCE_AFTER = "passed no __threadfence() after it"
SCOPE = "in the scope of a block, which other blocks do not see"
OF_BLOCK_ONLY = "is atomic for its own block only"
NO_FENCE = "the other passed no __threadfence() between its access and the signal"
NARROW_BEFORE = "but the fence before the signal is in the scope of a block"
NARROW_AFTER = "but its fence after the signal is in the scope of a block"
NO_LANES_BEFORE = "another lane of its warp signals that the earlier access is done, with no"
NO_LANES_AFTER = "another lane of its warp has waited for the signal, and no __syncwarp() follows"
NO_BARRIER_BEFORE = "another thread signals that the earlier access is done, with no __syncthr"
NO_BARRIER_AFTER = "another thread has waited for the signal, and no __syncthreads() follows"
THIRD = "the signal of a third block, which had seen the other's, but "
BARRIER = "let all threads of the block meet at __syncthreads()"

HEAD = """
#define WAIT(flag, value) while (atomicAdd(flag, 0) < value) {}
#define LOCKED(take, first, second, give) \\
  if (t == 0) { while (take(f, 0, 1) != 0) {} first; d[0] += 1; second; give(f, 0); }
#define FIRST_BLOCK(fence) if (b == 0) { d[0] = 5; fence; atomicExch(f, 1); }
#define MIDDLE_BLOCK(fence) else if (b == 1) { WAIT(f, 1) fence; atomicExch(f + 1, 1); }
#define LAST_BLOCK(fence) else if (b == 2) { WAIT(f + 1, 1) fence; o[0] = d[0]; }
#define FILL if (b == 0) d[t] = 5
#define SUM_UP int s = 0; for (int i = 0; i < 32; ++i) s += d[i]; o[0] = s
__device__ void meet(int* f, int goal, bool before, bool after) {
  if (before) __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(f, 1);
    WAIT(f, goal)
    __threadfence();
  }
  if (after) __syncthreads();
}
"""

ROUNDS = (
    "d[i] = i; meet(f, 3, true, {});\n"
    "o[i] = d[n - 1 - i]; meet(f, 6, {}, {});\n"
    "d[i] = o[n - 1 - i];"
)
SWAPS = "for (int r = 1; r < 4; ++r) {{ o[i] = d[n - 1 - i]; meet(f, 3 * r, {}, {}); swap(d, o); }}"
SLOT = (
    "if (b == 0) {{ if (atomicCAS(f, 0, 2) == 0) {{ d[0] = 7; {} atomicExch(f, 1); }} }}\n"
    "else {{ while (atomicCAS(f, 0, 2) != 1) {{}} {} o[0] = d[0]; }}"
)
LANES = "FILL; if (b == 0) {{ {} if (t == 0) {{ {} atomicExch(f, 1); }} }}"
READ = "else if (t == 0) { WAIT(f, 1) __threadfence(); SUM_UP; }"
READ_BY_LANES = (
    "else {{ if (t == 0) {{ WAIT(f, 1) __threadfence(); }} {} o[t] = d[t]; d[t + 64] = 1; }}"
)

# The launch, the body, and what each race of it says: "" for none.
KERNELS = [
    # A lock of several blocks is taken or given back in the scope of one.
    ("3, 64", "LOCKED(atomicCAS, __threadfence(), __threadfence(), atomicExch)", ""),
    ("3, 64", "LOCKED(atomicCAS_block, __threadfence(), __threadfence(), atomicExch)", SCOPE),
    ("3, 64", "LOCKED(atomicCAS_block, , , atomicExch)", SCOPE),
    ("3, 64", "LOCKED(atomicCAS, __threadfence(), __threadfence(), atomicExch_block)", SCOPE),
    (
        "3, 64",
        "f += b; d += b;\nLOCKED(atomicCAS_block, __threadfence_block(), __threadfence_block(),"
        " atomicExch_block)",
        "",
    ),
    # A slot is taken by a swap, filled, and published. Who finds it full swaps nothing.
    ("2, 1", SLOT.format("__threadfence();", "__threadfence();"), ""),
    ("2, 1", SLOT.format("", "__threadfence();"), NO_FENCE),
    ("2, 1", SLOT.format("__threadfence();", ""), NO_FENCE_AFTER),
    ("2, 1", SLOT.format("__threadfence_block();", "__threadfence();"), NARROW_BEFORE),
    ("2, 1", SLOT.format("__threadfence();", "__threadfence_block();"), NARROW_AFTER),
    # Blocks meet twice.
    ("3, 64", ROUNDS.format("true", "true", "true"), ""),
    ("3, 64", ROUNDS.format("false", "true", "false"), NO_BARRIER_AFTER),
    ("3, 64", ROUNDS.format("true", "true", "false"), NO_BARRIER_AFTER),
    ("3, 64", ROUNDS.format("false", "true", "true"), NO_BARRIER_AFTER),
    ("3, 64", ROUNDS.format("true", "false", "true"), NO_BARRIER_BEFORE),
    ("3, 64", SWAPS.format("true", "true"), ""),
    ("3, 64", SWAPS.format("true", "false"), NO_BARRIER_AFTER),
    ("3, 64", SWAPS.format("false", "true"), NO_BARRIER_BEFORE),
    # A signal must be set up before it is one, and so must what it protects.
    (
        "1, 64",
        "__shared__ int head; if (t == 0) head = 0;\n"
        "for (;;) { int i = atomicAdd(&head, 1); if (i > 99) break; o[i] = i; }",
        BARRIER,
    ),
    (
        "1, 64",
        "__shared__ int head; if (t == 0) head = 0; __syncthreads();\n"
        "for (;;) { int i = atomicAdd(&head, 1); if (i > 99) break; o[i] = i; }",
        "",
    ),
    (
        "1, 64",
        "__shared__ int lock, sum; if (t == 0) lock = sum = 0;\nif (t % 32 == 0) {\n"
        "while (atomicCAS(&lock, 0, 1) != 0) {} __threadfence_block(); sum += 1;\n"
        "__threadfence_block(); atomicExch(&lock, 0); o[t] = 1; }",
        BARRIER,
    ),
    # Lanes of the warp that signals, or waits.
    ("2, 32", LANES.format("", "__threadfence();") + READ, NO_LANES_BEFORE),
    ("2, 32", LANES.format("__threadfence();", "") + READ, NO_LANES_BEFORE),
    ("2, 32", LANES.format("__syncwarp();", "__threadfence();") + READ, ""),
    ("2, 32", LANES.format("__threadfence(); __syncwarp();", "") + READ, ""),
    ("2, 32", LANES.format("__syncwarp();", "") + READ, NO_FENCE),
    ("2, 32", LANES.format("__syncwarp();", "__threadfence_block();") + READ, NARROW_BEFORE),
    (
        "2, 32",
        LANES.format("__syncwarp();", "__threadfence();") + READ_BY_LANES.format(""),
        NO_LANES_AFTER,
    ),
    (
        "2, 32",
        LANES.format("__syncwarp();", "__threadfence();") + READ_BY_LANES.format("__syncwarp();"),
        "",
    ),
    (
        "2, 64",
        LANES.format("", "__threadfence();") + READ_BY_LANES.format("__syncthreads();"),
        NO_BARRIER_BEFORE,
    ),
    # A chain of three blocks.
    (
        "3, 1",
        "FIRST_BLOCK(__threadfence()) MIDDLE_BLOCK(__threadfence()) LAST_BLOCK(__threadfence())",
        "",
    ),
    (
        "3, 1",
        "FIRST_BLOCK(__threadfence_block()) MIDDLE_BLOCK(__threadfence())"
        " LAST_BLOCK(__threadfence())",
        THIRD + "the fence before the other's signal is in the scope of a block",
    ),
    (
        "3, 1",
        "FIRST_BLOCK() MIDDLE_BLOCK(__threadfence()) LAST_BLOCK(__threadfence())",
        THIRD + "the other passed no __threadfence() between its access and its signal",
    ),
    (
        "3, 1",
        "FIRST_BLOCK(__threadfence()) MIDDLE_BLOCK(__threadfence_block())"
        " LAST_BLOCK(__threadfence())",
        THIRD + "the third block's fence between the two signals is in the scope of a block",
    ),
    (
        "3, 1",
        "FIRST_BLOCK(__threadfence()) MIDDLE_BLOCK() LAST_BLOCK(__threadfence())",
        THIRD + "passed no __threadfence() between the two signals",
    ),
    (
        "3, 1",
        "FIRST_BLOCK(__threadfence()) MIDDLE_BLOCK(__threadfence())"
        " LAST_BLOCK(__threadfence_block())",
        NARROW_AFTER,
    ),
    # The reader's fence, in the thread that reads and before a barrier.
    (
        "2, 1",
        "FIRST_BLOCK(__threadfence()) else { WAIT(f, 1) __threadfence_block(); o[0] = d[0]; }",
        NARROW_AFTER,
    ),
    (
        "2, 1",
        "FIRST_BLOCK(__threadfence()) else { WAIT(f, 1) o[0] = d[0]; __threadfence(); }",
        "but passed no __threadfence() after it",
    ),
    (
        "2, 64",
        "if (b == 0 && t == 0) { d[0] = 5; __threadfence(); atomicExch(f, 1); }\n"
        "if (b == 1) { if (t == 0) { WAIT(f, 1) __threadfence_block(); }\n"
        "__syncthreads(); if (t == 40) o[0] = d[0]; }",
        NARROW_AFTER,
    ),
]


def _program() -> tuple[str, list[int]]:
    """All kernels, and the line on which each begins."""
    text = HEAD + "__device__ void swap(int*& a, int*& b) { int* c = a; a = b; b = c; }\n"
    lines, launches = [], ""
    for number, (launch, body, _) in enumerate(KERNELS):
        lines.append(text.count("\n") + 1)
        text += f"__global__ void k{number}(int* d, int* f, int* o) {{\n"
        text += "int t = threadIdx.x, b = blockIdx.x, n = gridDim.x * blockDim.x;\n"
        text += f"int i = b * blockDim.x + t; (void)t, (void)b, (void)i, (void)n;\n{body}\n}}\n"
        launches += "cudaMemset(d, 0, 4096), cudaMemset(f, 0, 4096), cudaMemset(o, 0, 4096);\n"
        launches += f"k{number}<<<{launch}>>>(d, f, o);\n"
    text += "int main() {\nint *d, *f, *o;\n"
    text += "cudaMalloc(&d, 4096), cudaMalloc(&f, 4096), cudaMalloc(&o, 4096);\n"
    return f"{text}{launches}cudaFree(d), cudaFree(f), cudaFree(o);\n}}\n", lines


def _findings(program: Path) -> list[tuple[str, tuple[int, ...]]]:
    """The text and the lines of each."""
    words = ["--format", "sarif", "--checked", program]
    ended = typed.run("run", *words, env=typed.environment())
    assert ended.stdout, ended.stderr
    found = []
    for one in json.loads(ended.stdout)["runs"][0]["results"]:
        places = [*one["locations"], *one.get("relatedLocations", [])]
        lines = (place["physicalLocation"]["region"]["startLine"] for place in places)
        found.append((one["message"]["text"], tuple(lines)))
    return found


def test_a_race_names_what_a_signal_lacks(tmp_path: Path) -> None:
    text, begins = _program()
    (tmp_path / "a.cu").write_text(text)
    said: list[list[str]] = [[] for _ in KERNELS]
    for finding, lines in _findings(tmp_path / "a.cu"):
        assert finding.startswith("Data race"), finding
        said[sum(begin <= lines[0] for begin in begins) - 1].append(finding)
    for (_, body, says), findings in zip(KERNELS, said, strict=True):
        wanted = (says, OF_BLOCK_ONLY) if says == SCOPE else (says,)
        assert bool(findings) == bool(says), (body, findings)
        assert all(any(one in finding for one in wanted) for finding in findings), (body, findings)
        # Each two lines have one reason.
        sides = [
            tuple(sorted(re.findall(r"(?:reads|writes|updates) \S+ in a\.cu:\d+", one)))
            for one in findings
        ]
        assert len(sides) == len(set(sides)), (body, findings)


@pytest.mark.parametrize("launch", ["2, 64", "3, 320"])
@pytest.mark.parametrize("fence", ["", "__threadfence();"])
def test_a_thread_that_has_got_a_lock_itself_does_not_wait_for_another_lane(
    launch: str, fence: str, tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text(f"""
__device__ int lock, sum;
__global__ void k(int* last) {{
  bool done = false;
  do {{
    if (!done && atomicCAS(&lock, 0, 1) == 0) {{
      {fence} sum += threadIdx.x + 1;
      __threadfence();
      last[threadIdx.x] = atomicExch(&lock, 0);
      done = true;
    }}
  }} while (__syncthreads_count(!done) != 0);
}}
int main() {{
  int* last; cudaMalloc(&last, 4096);
  k<<<1, 320>>>(last); k<<<{launch}>>>(last + 512); cudaFree(last);
}}
""")
    said = [text for text, _ in _findings(tmp_path / "a.cu") if " sum[0] " in text]
    assert bool(said) == (fence == ""), said
    assert all("after it" in text for text in said), said
