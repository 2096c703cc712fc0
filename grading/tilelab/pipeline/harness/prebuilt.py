"""The lab's own kernels as objects: what a copy without solutions times a submission against.

labs/NAME/reference/kernels has the reference solution and steps of the ladder, compiled by nvcc for
all GPUs that it knows. They are linked here, with the student's own worker.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tilelab.backends import nvidia
from tilelab.base.errors import InfraError
from tilelab.model.lab import Lab


@dataclass(frozen=True)
class MadeBy:
    """What the objects of a lab were compiled with and for."""

    nvcc: str  # its release, as "13.0"
    machine: str  # the processor of the host, as uname names it
    capabilities: tuple[str, ...]  # of GPUs, as "9.0"

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1) + "\n"


def folder(lab: Lab) -> Path:
    return lab.figures.with_name("kernels")


def note(lab: Lab) -> Path:
    return folder(lab) / "made_by.json"


def object_of(path: Path, lab: Lab) -> Path:
    """The object of one of the lab's own source files, whether it exists or not.

    It is not called *.o, because many people have git ignore those.
    """
    return folder(lab) / f"{path.stem}.kernels"


def missing(paths: Sequence[Path], lab: Lab) -> str | None:
    """Why there are no objects of these files that work on this machine, None if there are."""
    if not all(object_of(path, lab).is_file() for path in paths):
        return "needs the reference solution, which this copy of the labs does not have."
    made_by, here = _made_by(lab), platform.machine()
    if made_by.machine != here:
        return f"needs a machine with {made_by.machine}: the reference solution was compiled there."
    if not _can_link(nvidia.nvcc_version(), made_by.nvcc):
        major = made_by.nvcc.partition(".")[0]
        return (
            f"needs CUDA {made_by.nvcc} or a later {major}: the reference solution of this copy "
            "was compiled by that."
        )
    if unknown := [one for one in nvidia.capabilities() if one not in made_by.capabilities]:
        return (
            f"needs another GPU: the reference solution of this copy was not compiled for compute "
            f"capability {unknown[0]}."
        )
    return None


def _made_by(lab: Lab) -> MadeBy:
    path = note(lab)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return MadeBy(str(data["nvcc"]), str(data["machine"]), tuple(data["capabilities"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfraError(f"{path} cannot be used ({error}): get a new copy of the labs.") from error


def _can_link(release: str | None, needed: str) -> bool:
    """Whether the runtime of a release has all that an older nvcc of the same major one calls."""
    if release is None:
        return False
    own, least = (tuple(int(number) for number in text.split(".")) for text in (release, needed))
    return own[0] == least[0] and own >= least
