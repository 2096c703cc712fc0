"""An NVIDIA GPU: nvcc compiles, the driver runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.backends.base import Backend, Device, Part, SymbolRules
from tilelab.backends.nsight_compute import NsightCompute


class Cuda(Backend):
    preset = "cuda"
    is_referee = True
    gpu = "an NVIDIA GPU"
    profiler = NsightCompute()

    def symbols(self) -> SymbolRules:
        return SymbolRules(
            # The runtime, and what nvcc's own code calls to register and launch kernels.
            runtime=(r"cuda[A-Z]\w*", r"__cuda\w+"),
            # Registers the object's kernels with the runtime.
            startup=frozenset(("_ZL24__sti____cudaRegisterAllv",)),
            # For nvcc's separate compilation.
            kept=("__fatbinwrap_*", "__cudaRegisterLinkedBinary_*"),
        )

    def missing_tool(self) -> str | None:
        if nvidia.nvcc() is None:
            return "nvcc: install the CUDA Toolkit"
        return nvidia.missing_driver()

    def devices(self) -> Sequence[Device]:
        return nvidia.gpus()

    def capability(self) -> tuple[int, int] | None:
        found = (one.partition(".") for one in nvidia.capabilities())
        return min(((int(major), int(minor)) for major, _, minor in found), default=None)

    def only(self, device: Device) -> Mapping[str, str]:
        # With a single one, what the user's environment says may be more exact: a MIG instance.
        alone = len(self.devices()) == 1
        return os.environ if alone else {**os.environ, "CUDA_VISIBLE_DEVICES": device.uuid}

    def device_files(self) -> list[Path]:
        return sorted([*Path("/dev").glob("nvidia*"), *Path("/dev").glob("dxg")])

    def environment(self) -> Mapping[str, str]:
        """Puts nvcc on the PATH, where CMake looks for it, and numbers GPUs as nvidia-smi does."""
        result = {**os.environ, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
        if compiler := nvidia.nvcc():
            result["PATH"] = f"{result.get('PATH', '/usr/bin:/bin')}:{compiler.parent}"
            # Before an older one that may be on the PATH, too.
            for folder in nvidia.installation(compiler):
                result["CUDAToolkit_ROOT"] = str(folder)
        return result

    def parts(self) -> Iterator[Part]:
        yield Part("nvcc", nvidia.nvcc_name(), _without_nvcc())
        without = "no time is estimated, and `profile --sass` shows no machine code"
        yield Part("nvdisasm", nvidia.nvdisasm_version(), without)
        device = self.device()
        found = f"{device.name}, driver {device.driver}" if device else None
        yield Part("NVIDIA GPU", found, "speed is not graded (NOT RUN)")


def _without_nvcc() -> str:
    why = "declined by TILELAB_NVCC=none" if nvidia.is_declined() else "it could not be downloaded"
    return f"labs run on the emulator only, which accepts some files that nvcc refuses ({why})"
