"""What nvcc makes of a submission, without a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import UNSET, UnsetType

from made_profile import call, launch
from support import inspected, needs_nvcc, needs_nvdisasm
from tilelab.base.errors import UserError
from tilelab.estimate import gpus
from tilelab.model.profile import MachineCode, Taken, Target
from tilelab.pipeline.estimating import machine_code
from tilelab.pipeline.profiling import resources

SOURCE = """\
#include "diff.h"

namespace {
template <int N>
__global__ void tile(const int* in, int* out, int n) {
  __shared__ int values[N];
  extern __shared__ int more[];
  more[threadIdx.x] = in[threadIdx.x];
  values[threadIdx.x] = more[0];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    out[i] = values[i % N] / n;
  }
}
}  // namespace

void diff(const int* in, int* out, int n) {
  tile<64><<<1, 64, 256>>>(in, out, n);
  tile<128><<<1, 128, 512>>>(in, out, n);
}
"""


def look(
    kernel: str, tmp_path: Path, gpu: str = "H100", source: str = SOURCE
) -> tuple[tuple[Taken, ...] | UnsetType, MachineCode]:
    """What a launch of this kernel takes, and what nvcc says."""
    made = call("diff(n)", launch(kernel=kernel, block=(64, 2, 1), dynamic_shared_bytes=1024))
    (found,), code = resources.look(
        inspected(source), [made], gpus.named(gpu), tmp_path, loops=False
    )
    return found.launches[0].resources, code


@needs_nvcc
def test_a_launch_gets_the_resources_of_its_instance(tmp_path: Path) -> None:
    found, code = look("tile<64>", tmp_path)
    (one,) = found or ()
    assert one.kernel == "tile<64>"
    assert one.static_shared_bytes == 256
    assert 8 <= one.registers <= 64
    assert one.stack_bytes == 0
    assert one.occupancy.blocks == 16
    assert code.missing is None
    assert code.compute_capability == "9.0"


@needs_nvcc
def test_a_launch_that_names_no_instance_gets_all_of_them(tmp_path: Path) -> None:
    names = [one.kernel for one in look("tile<SIZE>", tmp_path)[0] or ()]
    assert sorted(names) == ["tile<128>", "tile<64>"]


@needs_nvcc
def test_a_launch_of_something_else_gets_none(tmp_path: Path) -> None:
    assert look("pointer", tmp_path)[0] == ()


@needs_nvcc
def test_for_an_old_gpu_nvcc_compiles_for_the_oldest_that_it_knows(tmp_path: Path) -> None:
    _, said = look("tile<64>", tmp_path, "K20")
    assert said.gpu == Target("Tesla K20", "3.5")
    assert said.compute_capability not in (None, "3.5")


@needs_nvcc
def test_what_nvcc_refuses_has_no_resources_but_a_reason(tmp_path: Path) -> None:
    found, code = look("tile<64>", tmp_path, source=SOURCE + "void diff() { undeclared(); }\n")
    assert code.missing is not None and "undeclared" in code.missing
    assert found is UNSET


@needs_nvcc
@needs_nvdisasm
def test_a_loop_names_the_source_line_of_each_instruction(tmp_path: Path) -> None:
    text = SOURCE.replace("for (int i", "#pragma unroll 1\n  for (int i")
    _, result = resources.look(inspected(text), [], gpus.DEFAULT, tmp_path, loops=True)
    loops = [one for one in result.loops if one.function == "tile<64>"]
    assert len(loops) == 1
    stores = [one for one in loops[0].instructions if one.text.startswith("STG")]
    assert [(one.line, one.source) for one in stores] == [(13, "out[i] = values[i % N] / n;")]
    assert loops[0].by_pipe["LSU"] == 2


def test_the_nearest_compute_capability_is_not_newer() -> None:
    known = [(7, 5), (8, 0), (9, 0), (12, 0)]
    assert machine_code.nearest((9, 0), known) == (9, 0)
    assert machine_code.nearest((8, 9), known) == (8, 0)
    assert machine_code.nearest((3, 5), known) == (7, 5)


def test_without_nvcc_the_reason_is_that(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine_code.nvidia, "nvcc", lambda: None)
    found, code = look("tile<64>", tmp_path)
    assert code.missing is not None and code.missing.startswith("nvcc")
    assert found is UNSET


def test_an_unknown_gpu_is_named_with_those_that_are_known() -> None:
    with pytest.raises(UserError, match="--gpu Voodoo2: choose one of K20, T4"):
        resources.gpu_of("Voodoo2")
    assert resources.gpu_of("rtx 4090").capability == (8, 9)
