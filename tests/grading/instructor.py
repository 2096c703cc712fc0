"""An instructor, who types commands into a copy of the repository that holds one lab."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import bare_copy
import typed
from support import REPO, programs

REFERENCE = (REPO / "solutions" / "diff" / "diff.cu").read_text()
_LEFT_OUT = ("labs/", "solutions/", "tests/labs/", "docs/", "grading/sample_class/")
_KEPT = ("labs/diff/", "solutions/diff/", "tests/labs/diff/", "tests/labs/CMakeLists.txt")


@dataclass(frozen=True)
class Instructor:
    """Types commands in a folder, into a copy of the repository that holds one lab."""

    repo: Path
    desk: Path

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.repo / "grading"), *sys.path])
        own = {"PYTHONPATH": path, "COLUMNS": "100", "TMPDIR": str(self.desk)}
        return {**os.environ, **bare_copy.remembering(), **own, "TILELAB_NVCC": "none"}

    def types(self, *words: str, status: int = 0) -> str:
        done = subprocess.run(
            typed.command(*words),
            cwd=self.desk,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def begins_and_is_killed(self, after: float, *words: str) -> None:
        grader = subprocess.Popen(
            typed.command(*words),
            cwd=self.desk,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        try:
            grader.wait(after)
        except subprocess.TimeoutExpired:
            grader.send_signal(signal.SIGKILL)
            grader.wait()

    def has_nothing_running(self, but: str = "nothing") -> bool:
        """Whether no program of a killed grader is left, after a moment in which they die.

        Programs called `but` may be left.
        """
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            left = [line for line in programs() if str(self.desk / "tilelab-") in line]
            if all(Path(line.split()[0]).name == but for line in left):
                return True
            time.sleep(0.2)
        return False


def copy_with_one_lab(copy: Path) -> None:
    """Copies the repository with one lab, so that its harness is built soon."""
    names = subprocess.run(
        ["git", "ls-files"], cwd=REPO, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in names:
        if not name.startswith(_LEFT_OUT) or name.startswith(_KEPT):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPO / name, copy / name)
    # Some submissions never end, and each test waits for that.
    limits = copy / "labs" / "diff" / "lab.toml"
    text = limits.read_text()
    assert "seconds = 5.0" in text
    limits.write_text(text.replace("seconds = 5.0", "seconds = 1.0"))
