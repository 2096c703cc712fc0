"""Runs load.cu, another process that uses the GPU, while a block of code runs."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

from tilelab.backends import nvidia

SOURCE = Path(__file__).with_name("load.cu")

_SECONDS_TO_STOP = 30


class LoadEnded(Exception):
    """The load ended too early, so part of the block ran without it."""


class Load:
    """A context manager. Raises LoadEnded if the load does not begin, or ends before the block."""

    def __init__(self, program: Path | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tilelab-load-")
        self._program = program

    def __enter__(self) -> Load:
        try:
            self._start(self._program or build(Path(self._folder.name)))
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def _start(self, program: Path) -> None:
        # Its error messages go to our own stderr.
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            self._stop()
            raise LoadEnded("the load on the GPU did not begin")

    def assert_running(self) -> None:
        if self._process.poll() is not None:
            raise LoadEnded(
                f"the load on the GPU ended too early, with status {self._process.returncode}"
            )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.assert_running()
        finally:
            self._stop()
            self._folder.cleanup()

    def _stop(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def build(folder: Path) -> Path:
    """Compiles the program with nvcc for this machine's GPU."""
    nvcc, program = nvidia.nvcc(), folder / "load"
    assert nvcc is not None
    command = [nvcc, "-std=c++17", "-O3", "-arch=native", SOURCE, "-o", program]
    subprocess.run(command, check=True)
    return program
