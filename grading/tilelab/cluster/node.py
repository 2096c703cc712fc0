"""What runs on a node: `python -m tilelab.cluster.node prepare|examine FILE ...`."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tilelab.base import limits
from tilelab.base.errors import InfraError, UserError
from tilelab.base.files import work_folder, write_atomically
from tilelab.base.records import decoded
from tilelab.cluster import files
from tilelab.cluster.files import Batch, Found, Harness, Order, Prepared, Refused, Request
from tilelab.labs import lab as labs
from tilelab.labs.course import lab_of
from tilelab.model import evidence as evidences
from tilelab.model.course import Assignment, Course
from tilelab.model.evidence import Evidence
from tilelab.model.lab import Lab
from tilelab.pipeline import batch as batches
from tilelab.pipeline.batch import Task
from tilelab.pipeline.harness import session as sessions
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Machine, Session
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import own
from tilelab.record import fingerprint
from tilelab.sandbox import seccomp


def main(arguments: Sequence[str]) -> None:
    # scancel and a time limit send SIGTERM: it must remove work folders, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    doing, path = arguments[0], Path(arguments[1])
    if doing == "prepare":
        prepare(decoded(arguments[2], Request), path)
    else:
        index = int(os.environ.get("SLURM_ARRAY_TASK_ID", "0"))
        examine(files.read_batch(path), index, path.parents[1] / "evidence")


def prepare(request: Request, answer: Path) -> None:
    """Builds all that the tasks share, so that no two of them build it, and describes this node."""
    try:
        loaded = [labs.load(name) for name in request.labs]
        tools = sessions.prepare(
            request.backend,
            request.labs,
            without_seccomp=request.without_seccomp,
            estimates=any(lab.is_estimated for lab in loaded),
        )
        for lab in loaded:
            for tool in tools:
                _build_own_workers(lab, tool)
    except (UserError, InfraError, OSError) as error:
        said: Prepared | Refused = Refused(str(error), platform.node())
    else:
        harnesses = tuple(map(_harness, tools))
        said = Prepared(Session(tools, 0).machine(), harnesses)
    write_atomically(answer, json.dumps(dataclasses.asdict(said)))


def _harness(tool: Toolchain) -> Harness:
    return Harness(tool.preset, str(tool.folder), tool.filters_calls, tuple(sorted(tool.broken)))


def _build_own_workers(lab: Lab, tool: Toolchain) -> None:
    if lab.name in tool.broken:
        return
    own.own_workers(lab, tool)
    for criterion in lab.criteria:
        if criterion.curve and tool.serves(criterion):
            own.ladder_workers(lab, tool, criterion.curve.ladder)


def examine(batch: Batch, index: int, folder: Path) -> None:
    """Examines a chunk, and writes the evidence of each file as soon as it is complete."""
    orders = {one.name: one for one in batch.chunks[index] if not _path(folder, one).exists()}
    try:
        session = _session(batch.prepared)
        machine = session.machine()
    except (UserError, InfraError, OSError) as error:
        failed = evidences.infra_error(f"the node {platform.node()} cannot grade: {error}")
        for order in orders.values():
            _write(folder, order, batch.prepared.machine, failed, 0)
        return

    def done(task: Task, evidence: Evidence, seconds: float) -> None:
        order = orders[task.name]
        if evidence.verdict == "missing":
            evidence = evidences.infra_error(
                f"the node {platform.node()} does not see {order.path}: put the class on a file "
                "system that all nodes share."
            )
        _write(folder, order, machine, evidence, seconds)

    with work_folder() as shared:
        session = session.sharing(shared)
        tasks = [_task(order, session) for order in orders.values()]
        at_once = int(os.environ.get("SLURM_CPUS_PER_TASK", "1"))
        batches.examine(tasks, at_once, Path(batch.log), done)


def _session(prepared: Prepared) -> Session:
    """Raises InfraError if this node lacks something that the prepared one has."""
    limits.ensure()
    session = Session([_toolchain(one) for one in prepared.harnesses], seed=0)
    if prepared.machine["sandbox"] != "unsandboxed" == session.machine()["sandbox"]:
        raise InfraError("it has no sandbox: install bubblewrap there.")
    return session


def _toolchain(harness: Harness) -> Toolchain:
    tool = toolchain.load(harness.preset, Path(harness.folder))
    if missing := tool.backend.missing():
        raise InfraError(f"the backend {tool.preset} needs {missing}.")
    if harness.filters_calls and not seccomp.works(tool.confine):
        raise InfraError("it cannot filter system calls (seccomp).")
    broken = frozenset(harness.broken)
    return dataclasses.replace(tool, filters_calls=harness.filters_calls, broken=broken)


def _task(order: Order, session: Session) -> Task:
    lab = lab_of(Course(assignments={order.lab: Assignment(dict(order.points))}), order.lab)
    return Task(order.name, Path(order.path), lab, dataclasses.replace(session, seed=order.seed))


def _write(
    folder: Path, order: Order, machine: Machine, evidence: Evidence, seconds: float
) -> None:
    lab = labs.load(order.lab)
    inputs = fingerprint.Inputs(
        evidence.sha256 or "",
        fingerprint.of_lab(lab),
        fingerprint.of_harness(),
        fingerprint.of_tools(machine, lab),
        order.seed,
    )
    found = Found(inputs, machine, platform.node(), seconds, evidence)
    files.write_found(_path(folder, order), found)


def _path(folder: Path, order: Order) -> Path:
    return folder / f"{order.key}.json"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
