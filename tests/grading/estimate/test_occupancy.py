"""How many blocks a multiprocessor has room for."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tilelab.backends import nvidia
from tilelab.estimate import gpus, multiprocessor
from tilelab.estimate.multiprocessor import Capability
from tilelab.estimate.occupancy import Block, occupancy


def test_the_large_pencils_of_the_source_on_a_k20() -> None:
    # "each of five blocks": 9,216 bytes of 48 KiB, and 0.63 of the threads.
    found = occupancy(Block(256, 24, 9216), gpus.named("K20").multiprocessor)
    assert found.blocks == 5
    assert found.share == 0.625
    assert found.limiters == ["shared memory"]


@pytest.mark.parametrize(
    ("block", "blocks", "limiters"),
    [
        (Block(256, 32, 0), 8, ["warps", "registers"]),
        (Block(256, 24, 0), 8, ["warps"]),
        (Block(32, 24, 0), 32, ["blocks"]),
        (Block(256, 33, 0), 6, ["registers"]),  # 40 each, since a warp gets 256 at a time
        (Block(33, 24, 0), 32, ["warps", "blocks"]),  # the second warp has one thread
        (Block(256, 24, 100 * 1024), 2, ["shared memory"]),
        (Block(256, 24, 227 * 1024), 1, ["shared memory"]),
        (Block(256, 24, 227 * 1024 + 1), 0, ["shared memory"]),
        (Block(1024, 65, 0), 0, ["registers"]),
        (Block(1025, 24, 0), 0, ["warps"]),
    ],
)
def test_what_limits_the_blocks_of_an_h100(block: Block, blocks: int, limiters: list[str]) -> None:
    found = occupancy(block, gpus.named("H100").multiprocessor)
    assert (found.blocks, found.limiters) == (blocks, limiters)


def test_every_gpu_is_known() -> None:
    assert gpus.names() == ["K20", "T4", "A100", "RTX4090", "H100", "H200", "B200"]
    for name in gpus.names():
        assert gpus.named(name.lower()).multiprocessor.warps in (32, 48, 64)


# Prints what NVIDIA's own calculator says about each line of its input.
CALCULATOR = """
#include <cuda_occupancy.h>

#include <iostream>

int main() {
  int major, minor, most_threads, registers, threads;
  size_t shared_per_sm, shared_per_block, reserved, shared;
  while (std::cin >> major >> minor >> most_threads >> shared_per_sm >> shared_per_block >>
         reserved >> threads >> registers >> shared) {
    cudaOccDeviceProp device;
    device.computeMajor = major;
    device.computeMinor = minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = most_threads;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 * 1024;
    device.sharedMemPerMultiprocessor = shared_per_sm;
    device.sharedMemPerBlockOptin = shared_per_block;
    device.reservedSharedMemPerBlock = reserved;
    device.numSms = 100;
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = registers;
    kernel.sharedSizeBytes = 0;
    kernel.maxDynamicSharedSizeBytes = shared;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads,
                                                shared) != CUDA_OCC_SUCCESS)
      return 1;
    std::cout << result.activeBlocksPerMultiprocessor << "\\n";
  }
}
"""


def header() -> Path | None:
    """The folder of cuda_occupancy.h, which comes with nvcc."""
    nvcc = nvidia.nvcc()
    folders = [nvcc.resolve().parents[1] / "include"] if nvcc else []
    return next((one for one in folders if (one / "cuda_occupancy.h").is_file()), None)


@pytest.mark.skipif(header() is None, reason="cuda_occupancy.h comes with nvcc")
def test_nvidias_calculator_says_the_same(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    assert compiler
    source = tmp_path / "calculator.cpp"
    source.write_text(CALCULATOR)
    program = tmp_path / "calculator"
    subprocess.run([compiler, f"-I{header()}", source, "-o", program], check=True)
    asked = [one for capability in multiprocessor.capabilities() for one in blocks(capability)]
    lines = "".join(f"{line(capability, block)}\n" for capability, block in asked)
    said = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    answers = [int(word) for word in said.stdout.split()]
    assert len(answers) == len(asked)
    for (capability, block), answer in zip(asked, answers, strict=True):
        limits = multiprocessor.of(capability)
        assert limits
        assert occupancy(block, limits).blocks == answer, (capability, block)


def blocks(capability: Capability) -> list[tuple[Capability, Block]]:
    some = random.Random(1)
    return [
        (capability, Block(some.randint(1, 1024), some.randint(16, 255), shared(some)))
        for _ in range(400)
    ]


def shared(some: random.Random) -> int:
    """Bytes of a block, often few, up to what newer GPUs have."""
    return some.choice([0, some.randint(1, 8192), some.randint(1, 240 * 1024)])


def line(capability: Capability, block: Block) -> str:
    limits = multiprocessor.of(capability)
    assert limits
    numbers = (
        *capability,
        *(limits.threads, limits.shared_bytes, limits.shared_bytes_per_block),
        *(limits.reserved_bytes, block.threads, block.registers, block.shared_bytes),
    )
    return " ".join(map(str, numbers))
