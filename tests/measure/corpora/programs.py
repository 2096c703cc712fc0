"""The programs of a collection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MAIN = re.compile(r"^\s*(?:int|void|auto)?\s*\bmain\s*\(", re.MULTILINE)
_INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_HEADERS = ("Common", "common", "include", "inc", "utils", "book")
_KINDS = (".cu", ".cpp", ".cc", ".h", ".hpp", ".cuh")

# What a program needs that is no part of the runtime API.
_MORE_THAN_RUNTIME = re.compile(
    r"\bcu(?:Init|Module\w+|LaunchKernel\w*|Ctx\w+|DeviceGet\w*|MemAlloc\w*|MemCreate)\s*\("
    r"|\bnvrtc\w*\("
    r"|#\s*include\s*[<\"](?:nvrtc|GL/|GLES|EGL|vulkan|GLFW|helper_gl|rendercheck_gl|cudaEGL"
    r"|cuda_(?:gl|egl|vdpau|d3d)\w*interop|nvsci|NvSci|mpi\.h|FreeImage"
    r"|cublas|cufft|cusparse|cusolver|npp|nvjpeg|nvml|thrust/|cub/|nvtx|cuda/std)"
)


@dataclass(frozen=True)
class Program:
    """One program of a collection: its files, and the folders that its headers may be in."""

    collection: str
    name: str
    files: tuple[Path, ...]
    include: tuple[Path, ...]

    @property
    def flags(self) -> list[str]:
        return [f"-I{folder}" for folder in self.include]

    @property
    def folder(self) -> Path:
        return self.files[0].parent


def programs(root: Path) -> Iterator[Program]:
    """The programs of a collection, those with CUDA in them."""
    folders = sorted({path.parent for path in root.rglob("*.cu")})
    for folder in folders:
        sources = list(_sources(folder))
        mains = [one for one in sources if _has_main(one)]
        include = tuple(_header_folders(folder, root))
        name = str(folder.relative_to(root))
        if len(mains) == 1:
            yield Program(
                root.name,
                name,
                (mains[0], *(s for s in sources if s != mains[0])),
                include,
            )
            continue
        for main in mains:
            if main.suffix == ".cu":
                yield Program(root.name, f"{name}/{main.name}", (main,), include)


def _sources(folder: Path) -> Iterator[Path]:
    """The files that are compiled on their own."""
    files = [one for one in sorted(folder.iterdir()) if one.suffix in _KINDS]
    included = {Path(name).name for file in files for name in _INCLUDED.findall(text_of(file))}
    for one in files:
        if one.suffix in (".cu", ".cpp", ".cc") and one.name not in included:
            yield one


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _has_main(path: Path) -> bool:
    return _MAIN.search(text_of(path)) is not None


def _header_folders(folder: Path, root: Path) -> Iterator[Path]:
    """The folder itself, and folders of headers next to it or above it.

    llm.c has one with a <unistd.h> of its own, for Windows.
    """
    while True:
        if not (folder / "unistd.h").exists():
            yield folder
        yield from (folder / name for name in _HEADERS if (folder / name).is_dir())
        if folder == root:
            return
        folder = folder.parent


def uses_only_the_runtime(program: Program) -> bool:
    """Whether neither the driver API nor a library, graphics among them, is part of the program."""
    files = [one for one in program.folder.iterdir() if one.suffix in _KINDS]
    return not any(_MORE_THAN_RUNTIME.search(text_of(file)) for file in files)
