"""What the backends say of themselves, and that nothing else decides by a backend's name."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from pathlib import Path

import pytest

import rooms
from support import REPO
from tilelab import backends
from tilelab.backends import BACKENDS, nvidia
from tilelab.backends.base import Backend, Device
from tilelab.base import system
from tilelab.base.errors import UserError
from tilelab.pipeline.objects import symbols

RUNTIME = REPO / "common" / "emulator" / "runtime" / "abi_symbols.txt"
LIBRARY = REPO / "build" / "emulator" / "lib" / "libtilelab_emulator.a"
HEADERS = REPO / "common" / "emulator" / "include"

EMULATOR, CLANG, CUDA = (backends.named(one) for one in ("emulator", "emulator-clang", "cuda"))

NVCC = Path("/opt/cuda/bin/nvcc")
GPU = Device("NVIDIA Thing", "1.0", "GPU-1")


def machine(monkeypatch: pytest.MonkeyPatch, *, nvcc: Path | None, gpu: Device | None) -> None:
    monkeypatch.setattr(nvidia, "nvcc", lambda: nvcc)
    monkeypatch.setattr(nvidia, "gpus", lambda: (gpu,) if gpu else ())


def test_every_backend_is_a_preset_of_cmake() -> None:
    presets = json.loads((REPO / "CMakePresets.json").read_text())["buildPresets"]
    others = ["sanitize", "fuzz"]  # which grade nothing
    assert [*backends.presets(), *others] == [one["name"] for one in presets]


@pytest.mark.parametrize(
    ("nvcc", "gpu", "names"),
    [
        (None, None, ["emulator"]),
        (NVCC, None, ["emulator"]),
        (None, GPU, ["emulator"]),
        (NVCC, GPU, ["emulator", "cuda"]),
    ],
)
def test_a_gpu_counts_where_it_can_be_used(
    nvcc: Path | None, gpu: Device | None, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, nvcc=nvcc, gpu=gpu)
    assert [one.preset for one in backends.default()] == names


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def sentence(one: Backend) -> str:
        with pytest.raises(UserError) as caught:
            backends.assert_usable(one)
        return str(caught.value)

    machine(monkeypatch, nvcc=None, gpu=None)
    monkeypatch.setattr(system, "version", lambda _: None)
    assert sentence(EMULATOR) == "the backend emulator needs a C++ compiler: install g++"
    assert sentence(CLANG) == "the backend emulator-clang needs clang++: install clang"
    assert sentence(CUDA) == "the backend cuda needs nvcc: install the CUDA Toolkit"
    machine(monkeypatch, nvcc=NVCC, gpu=None)
    has_none = "the backend cuda needs an NVIDIA GPU; this machine has none"
    assert sentence(CUDA) == has_none
    with pytest.raises(UserError, match=has_none):
        backends.timing()
    with pytest.raises(UserError, match="there is no backend 'abacus': emulator, emulator-clang, "):
        backends.named("abacus")


def test_what_measures_time_needs_a_gpu_and_the_others_have_a_checked_build() -> None:
    assert CUDA.measures_time and not EMULATOR.measures_time
    assert all(one.has_checked_build != one.needs_gpu for one in BACKENDS)


def test_no_other_room_decides_by_a_name() -> None:
    decided = [
        f"{path.relative_to(rooms.PACKAGE)}:{node.lineno}"
        for path in sorted(rooms.PACKAGE.rglob("*.py"))
        if path.parent.name != "backends"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in backends.presets()
    ]
    assert decided == []


def test_a_submission_may_ask_for_what_its_own_backend_has() -> None:
    run_grid = "_ZN7tilelab8emulator8run_gridERKNS0_10KernelCallE"
    for name, backend, other in (
        (run_grid, EMULATOR, CUDA),
        ("threadIdx", EMULATOR, CUDA),
        ("__cudaRegisterFatBinary", CUDA, EMULATOR),
    ):
        assert symbols.is_allowed(name, backend.symbols()), name
        assert symbols.is_allowed("cudaMalloc", backend.symbols())
        assert not symbols.is_allowed(name, other.symbols()), name
    for backend in BACKENDS:
        assert not symbols.is_allowed("cudaIpcOpenMemHandle", backend.symbols())
        assert not symbols.is_allowed("threadIdx2", backend.symbols())
        assert not symbols.is_allowed("__tsan_read4", backend.symbols())
    assert symbols.is_allowed("__tsan_read4", EMULATOR.symbols(), checked=True)
    assert not symbols.is_allowed("__tsan_read4", CUDA.symbols(), checked=True)


@pytest.mark.skipif(not LIBRARY.exists(), reason="the preset emulator is not built")
def test_the_list_of_the_runtimes_symbols_agrees_with_its_library() -> None:
    fast = re.search(r"^\[fast\]$(.*?)^\[", RUNTIME.read_text(), re.MULTILINE | re.DOTALL)
    assert fast
    lines = [line for line in fast[1].splitlines() if line and line[0] != "#"]
    listing = subprocess.run(
        ["nm", "--defined-only", "--extern-only", "--format=posix", LIBRARY],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    defined = {line.split()[0] for line in listing.splitlines() if line.count(" ") > 1}

    def is_listed(name: str) -> bool:
        return any(
            name == line or (line[-1] == "*" and name.startswith(line[:-1])) for line in lines
        )

    gone = [line for line in lines if not any(one.startswith(line.rstrip("*")) for one in defined)]
    assert gone == [], "listed, but the runtime does not define it"
    # A lab's functions have no graphs.
    headers = [one for one in HEADERS.rglob("*") if one.is_file() and "graphs" not in one.parts]
    included = "\n".join(path.read_text() for path in headers)
    own = {name: re.fullmatch(r"_ZN7tilelab8emulator\d+(\w+?)E\w*", name) for name in defined}
    used = [name for name, found in own.items() if found and f"{found[1]}(" in included]
    assert used and [name for name in used if not is_listed(name)] == [], "the headers use it"


def test_the_wheels_of_nvcc_need_a_new_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    wheels = nvidia.WHEELS / "nvidia" / "cu13" / "bin" / "nvcc"
    old, new = Device("NVIDIA Thing", "535.1", "GPU-1"), Device("NVIDIA Thing", "580.1", "GPU-1")
    for nvcc, gpu, is_missing in ((wheels, old, True), (wheels, new, False), (NVCC, old, False)):
        machine(monkeypatch, nvcc=nvcc, gpu=gpu)
        assert (CUDA.missing() is not None) is is_missing
    machine(monkeypatch, nvcc=wheels, gpu=old)
    with pytest.raises(UserError, match=r"an NVIDIA driver from version 580 on, or the CUDA Tool"):
        backends.assert_usable(CUDA)
