"""Names everything that a submission's evidence depends on, so that nothing is examined twice."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path

from tilelab.base.files import checksum
from tilelab.base.repository import REPO
from tilelab.estimate import figures
from tilelab.labs import points
from tilelab.model.course import Assignment
from tilelab.model.lab import Lab
from tilelab.pipeline.harness.session import Machine, Session

# What is the same for all labs and can change a verdict.
_HARNESS = (
    *("common", "tests/labs/CMakeLists.txt", "CMakeLists.txt"),
    *(f"grading/tilelab/{room}" for room in ("pipeline", "sandbox", "backends")),
)

# What a changed part is called on screen.
CALLED = {
    "submission": "the file",
    "lab": "the lab's tests or kernels",
    "harness": "the harness",
    "tools": "the compiler or the GPU",
    "seed": "the seed",
}
OTHER_CRITERIA = "which criteria count"
ESTIMATE = "the estimate"

# The part of `tools` that estimates times.
_ESTIMATOR = "nvdisasm "


@dataclass(frozen=True)
class Inputs:
    """What evidence depends on. All but the seed are SHA-256 in hexadecimal.

    `tools` has several, with a + between them, if several machines contributed. Where times are
    estimated for points, it also names what estimates them, so that having it adds something.
    """

    submission: str
    lab: str
    harness: str
    tools: str
    seed: int

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()

    def include(self, other: Inputs) -> bool:
        """Whether this evidence has everything that the other would have, of the same content."""
        mine, others = self.tools.split("+"), other.tools.split("+")
        return self.is_but_for_tools(other) and set(others) <= set(mine)

    def is_but_for_tools(self, other: Inputs) -> bool:
        return replace(self, tools="") == replace(other, tools="")

    @property
    def estimators(self) -> set[str]:
        """What has estimated times for points."""
        return {one for one in self.tools.split("+") if one.startswith(_ESTIMATOR)}

    def with_tools_of(self, other: Inputs) -> Inputs:
        tools = {*self.tools.split("+"), *other.tools.split("+")}
        return replace(self, tools="+".join(sorted(tools)))

    def differences(self, other: Inputs) -> list[str]:
        """What has changed between two inputs, in words."""
        before, after = asdict(self), asdict(other)
        found = [words for name, words in CALLED.items() if before[name] != after[name]]
        if self._others() == other._others():
            return [ESTIMATE if one == CALLED["tools"] else one for one in found]
        return found

    def _others(self) -> set[str]:
        return set(self.tools.split("+")) - self.estimators


def of(lab: Lab, session: Session) -> Inputs:
    """The inputs of all files for a lab, but for their own checksums."""
    return Inputs("", of_lab(lab), of_harness(), of_tools(session.machine(), lab), session.seed)


@functools.cache
def of_harness(repo: Path = REPO) -> str:
    return checksum(_files(repo, _HARNESS), repo)


def of_lab(lab: Lab) -> str:
    """The lab's tests, its own kernels, and all settings but its points and hints."""
    own = [lab.header, lab.baseline, lab.reference]
    own += [lab.step(name) for one in lab.criteria if one.curve for name in one.curve.ladder]
    names = [str(path.relative_to(lab.repo)) for path in own]
    settings = (
        *(lab.seconds, lab.memory_mib, lab.reads_back, lab.skipped_barriers_fail),
        *(lab.alignment, lab.turns_inputs),
        *((one.name, one.needs, one.after, one.curve and one.curve.ladder) for one in lab.criteria),
        lab.skeleton_sha256,
    )
    files = checksum(_files(lab.repo, [f"tests/labs/{lab.name}", *names]), lab.repo)
    return hashlib.sha256(f"{files}{settings!r}{_of_estimates(lab)}".encode()).hexdigest()


def is_of_other_criteria(lab: Lab, before: str) -> bool:
    """Whether a lab was of the same content `before`, and only other criteria of it counted."""
    names = [one.name for one in lab.criteria]
    subsets = (left_out for count in range(len(names)) for left_out in combinations(names, count))
    others = (Assignment(dict.fromkeys(left_out, 0)) for left_out in subsets)
    return any(of_lab(points.of_course(lab, other)) == before for other in others)


def _of_estimates(lab: Lab) -> str:
    """What estimated points depend on, "" where there are none."""
    if not any(one.estimated for one in lab.criteria):
        return ""
    usual = figures.usual()
    room = checksum(_files(REPO, ["grading/tilelab/estimate"]), REPO)
    return f"{lab.estimate!r}{usual.text() if usual else ''}{room}"


def of_tools(machine: Machine, lab: Lab) -> str:
    parts = [machine[name] for name in ("backend", "compiler", "referee", "gpu")]
    tools = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    estimator = machine.get("nvdisasm")
    return f"{tools}+{_ESTIMATOR}{estimator}" if lab.is_estimated and estimator else tools


def _files(repo: Path, names: Iterable[str]) -> Iterable[Path]:
    for name in names:
        path = repo / name
        if path.is_dir():
            yield from (one for one in path.rglob("*") if one.is_file() and _counts(one))
        elif path.exists():
            yield path


def _counts(path: Path) -> bool:
    return path.suffix != ".md" and "__pycache__" not in path.parts
