"""Suites of kernels with and without data races, by others, with their own labels."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from generated_main import with_main
from tilelab.base.repository import BUILD

_FETCHED = BUILD / "suites"


@dataclass(frozen=True)
class Program:
    """A program, whether its authors say that it races, and its arguments by the input's name."""

    name: str
    source: str
    racy: bool
    include: tuple[Path, ...] = ()
    inputs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"none": ()})


@dataclass(frozen=True)
class Suite:
    """Where a suite is from, and its programs, which all have the same inputs."""

    address: str
    commit: str
    programs: Callable[[Path], Iterator[Program]]

    def folder(self, name: str) -> Path:
        """Its files, fetched if they are not here yet."""
        folder = _FETCHED / name
        if not folder.is_dir():
            words = ["git", "clone", "--quiet", self.address, str(folder)]
            subprocess.run(words, check=True)
            subprocess.run(["git", "-C", folder, "checkout", "--quiet", self.commit], check=True)
        return folder


def _indigo(root: Path) -> Iterator[Program]:
    """A bug in the name of a kernel is a race, except for accesses out of bounds.

    The blocks have 256 threads, and there are 1,024 of them, as in the study of HiRace.
    """
    folder = root / "indigo"
    graphs = sorted((folder / "input").glob("*.egr"))
    inputs = {graph.stem: (str(graph), "256", "1024") for graph in graphs}
    for source in sorted((folder / "indigo_sources").rglob("*.cu")):
        racy = "Bug" in source.stem.replace("boundsBug", "")
        text = source.read_text(encoding="utf-8")
        yield Program(source.stem, text, racy, (folder / "indigo_include",), inputs)


def _scor(root: Path) -> Iterator[Program]:
    for source in sorted((root / "microbenchmarks" / "src").glob("*.cu")):
        text = source.read_text(encoding="utf-8")
        yield Program(source.stem, text, source.stem.startswith("race_"))


def _gpuverify(root: Path) -> Iterator[Program]:
    """Those that name a race, and those that pass. Others fail for other reasons."""
    folder = root / "testsuite" / "CUDA"
    for source in sorted(folder.rglob("kernel.cu")):
        text = source.read_text(encoding="utf-8", errors="replace")
        races = bool(re.search(r"possible (?:read-write|write-read|write-write|atomic)", text))
        if not races and not text.startswith("//pass"):
            continue
        if complete := with_main(text):
            name = str(source.parent.relative_to(folder))
            yield Program(name, complete, races, (source.parent,))


SUITES: Mapping[str, Suite] = {
    "Indigo": Suite(
        "https://github.com/JohnJacobsonIII/HiRace-Artifact-SC24",
        "44a935f",
        _indigo,
    ),
    "ScoR": Suite("https://github.com/csl-iisc/ScoR", "HEAD", _scor),
    "GPUVerify": Suite("https://github.com/mc-imperial/gpuverify", "4921977", _gpuverify),
}
