"""Limits of the shell, tried in processes of their own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support import REPO

PROGRAM = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from tilelab.base import limits
limits.ensure()
print(resource.getrlimit(resource.RLIMIT_AS)[0])
"""


def under(limits: str) -> subprocess.CompletedProcess[str]:
    script = f'{limits}; exec "$@"'
    argv = ["sh", "-c", script, "sh", sys.executable, "-P", "-c", PROGRAM, str(REPO / "grading")]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_the_usual_limits_are_enough() -> None:
    assert under(":").returncode == 0


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ("ulimit -v 4000000", "limits the address space to 3,906 MiB (ulimit -v), but 24,576 are"),
        ("ulimit -f 2000", "limits the size of a file"),
        ("ulimit -t 100", "limits the processor time to 100 s (ulimit -t), but 3,600 are"),
        ("ulimit -n 40", "limits the number of open files to 40 files (ulimit -n)"),
    ],
)
def test_a_limit_that_is_too_low_is_named(limit: str, says: str) -> None:
    result = under(limit)
    assert result.returncode == 1
    assert "InfraError: this shell" in result.stderr
    assert says in result.stderr


def test_a_limit_that_may_be_raised_is_raised() -> None:
    result = under("ulimit -S -v 4000000")
    assert (result.returncode, result.stdout.strip()) == (0, str(24 << 30))
