"""Makes what replaces the solutions in the students' repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath

from tilelab import backends
from tilelab.backends import nvidia
from tilelab.base import process
from tilelab.model.lab import Lab
from tilelab.pipeline.harness import missing as needs
from tilelab.pipeline.harness import steps, toolchain
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.publish.estimates import estimates
from tilelab.publish.figures import figures
from tilelab.publish.objects import objects

Files = dict[PurePosixPath, bytes]

# Hears which lab begins what, and with "" that it is done.
Tell = Callable[[str, str], None]


def prepare(labs: Sequence[Lab], tell: steps.Tell) -> Toolchain:
    """Builds what measures the labs. Raises UserError or InfraError."""
    counting = next(one for one in backends.BACKENDS if one.has_checked_build)
    backends.assert_usable(counting)
    return toolchain.prepare(counting.preset, [lab.name for lab in labs], tell=tell)


def of_labs(labs: Sequence[Lab], tool: Toolchain, tell: Tell) -> Files:
    """The files that `check` compares a submission with, under labs/NAME/reference.

    Raises InfraError.
    """

    def one(lab: Lab) -> Files:
        made = _of_lab(lab, tool, tell)
        tell(lab.name, "")
        return made

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        made = [process.submit(pool, one, lab) for lab in labs]
        try:
            return {path: data for files in made for path, data in files.result().items()}
        except BaseException:  # Ctrl-C, or a lab that cannot be measured: the others need not wait
            process.stop_all()
            pool.shutdown(cancel_futures=True)
            raise


def _of_lab(lab: Lab, tool: Toolchain, tell: Tell) -> Files:
    if not lab.reference.is_file():
        return {}
    tell(lab.name, "counting accesses")
    text = figures(lab, tool)
    made = {lab.figures: text.encode()} if text else {}
    tell(lab.name, "compiling for GPUs")
    made |= objects(lab, tool)
    tell(lab.name, "estimating times")
    made |= estimates(lab, tool)
    return {PurePosixPath(path.relative_to(lab.repo)): data for path, data in made.items()}


def missing(labs: Sequence[Lab]) -> list[str]:
    """A sentence for each thing that students' copies cannot grade."""
    said = [
        f"{lab.name} has no reference solution here: in the copy, memory and speed are NOT RUN."
        for lab in labs
        if not lab.reference.is_file()
    ]
    if nvidia.nvcc() is None and any(lab.is_timed for lab in labs):
        said.append("Without nvcc, the copy has no kernels to time against: speed is NOT RUN.")
    estimated = [lab.name for lab in labs if lab.is_estimated]
    if estimated and (lacking := needs.for_estimates()):
        said.append(
            f"{', '.join(estimated)}: lab.toml gives points for estimated times, but students' "
            f"`check` cannot: the copy has no estimates of your reference solution. That needs "
            f"{lacking}. Then publish again."
        )
    return said
