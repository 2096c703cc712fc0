"""Mutants of our own kernels lose points, except for those that a list gives a reason for."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from mutants import Mutant, mutants, points
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline.harness.session import Session

HERE = Path(__file__).parent
FILES = [
    (loaded, path)
    for loaded in map(lab.load, lab.all_labs())
    for path in (loaded.reference, *loaded.ladder)
    if list(mutants(path.read_text(encoding="utf-8")))
]

# Of one file, if not all tests run.
SAMPLE = 2


def name_of(of: Lab, path: Path) -> str:
    return str(path.relative_to(of.solutions.parent))


@cache
def survivors() -> Mapping[str, frozenset[str]]:
    """The mutants that may survive, by file."""
    listed = tomllib.loads((HERE / "survivors.toml").read_text(encoding="utf-8"))["survivors"]
    found: dict[str, frozenset[str]] = {}
    for group in listed:
        for name, some in group.items():
            if name != "reason":
                found[name] = found.get(name, frozenset()) | frozenset(some)
    return found


def drawn(found: list[Mutant], seed: int | None) -> list[Mutant]:
    """A few of them, or all if the tests have no seed."""
    if seed is None:
        return found
    order = sorted(found, key=lambda one: hashlib.sha256(f"{seed} {one.name}".encode()).digest())
    return order[:SAMPLE]


@pytest.mark.parametrize(
    ("of", "path"),
    [
        pytest.param(
            of,
            path,
            id=name_of(of, path),
            marks=[pytest.mark.judges(lab=of.name), pytest.mark.drawn(pool="mutants", count=1)],
        )
        for of, path in FILES
    ],
)
def test_a_mutant_loses_points(
    of: Lab, path: Path, emulator: Session, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    text = path.read_text(encoding="utf-8")
    may_survive = survivors().get(name_of(of, path), frozenset())
    dying = [one for one in mutants(text) if one.name not in may_survive]
    whole = points(text, of, emulator, tmp_path)
    assert whole > 0
    chosen = drawn(dying, request.config.getoption("--first-tier"))
    survived = [one.name for one in chosen if points(one.text, of, emulator, tmp_path) >= whole]
    assert not survived


def test_the_list_names_only_mutants_that_there_are() -> None:
    made = {
        name_of(of, path): {one.name for one in mutants(path.read_text(encoding="utf-8"))}
        for of, path in FILES
    }
    for name, listed in survivors().items():
        assert listed <= made[name], name


KERNEL = """\
__global__ void kernel(const int* in, int* out, int n) {
  __shared__ volatile int tile[32];
  const int i = threadIdx.x;
  if (i < n) tile[i] = in[i];  // a guard
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 32; ++k) {
    sum += tile[k];
  }
  __threadfence();
  atomicAdd(&out[0], sum);
  if (i >= n) return;
  out[1] = i > 0 ? 1 : 2;
}
void host(int n) { if (n < 1) return; }
"""


def test_what_mutants_there_are() -> None:
    found = {one.name: one.text.splitlines() for one in mutants(KERNEL)}
    assert set(found) == {
        "2 volatile removed",
        "4 guard removed",
        "5 __syncthreads removed",
        "5 __syncthreads moved up",
        "5 __syncthreads moved down",
        "5 __syncthreads narrowed",
        "10 __threadfence removed",
        "10 __threadfence moved up",
        "10 __threadfence moved down",
        "10 __threadfence narrowed",
        "11 atomic removed",
        "12 guard removed",
        "13 guard removed",
    }
    assert found["4 guard removed"][3] == "  if (true) tile[i] = in[i];  // a guard"
    assert found["5 __syncthreads moved down"][4:6] == ["  int sum = 0;", "  __syncthreads();"]
    assert re.search(r"__threadfence\(\);\s+for", "\n".join(found["10 __threadfence moved up"]))
    assert found["11 atomic removed"][10] == "  *(&out[0]) += sum;"
    assert found["12 guard removed"][11] == "  if (false) return;"
    assert found["2 volatile removed"][1] == "  __shared__  int tile[32];"
    assert all(len(lines) == len(KERNEL.splitlines()) for lines in found.values())
