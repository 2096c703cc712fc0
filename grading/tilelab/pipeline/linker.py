"""The fifth stage: joins an object with a runner, which makes a worker of it."""

from __future__ import annotations

import re
from pathlib import Path

from tilelab.pipeline.records.stages import Checked, Worker
from tilelab.pipeline.records.toolchain import Toolchain, filled
from tilelab.sandbox import binutils, jail


def link(checked: Checked) -> Worker:
    """Raises CompileError or InfraError."""
    toolchain = checked.toolchain
    dispatch = toolchain.dispatch_object(checked.lab.name)
    program = link_with(dispatch, checked.object, toolchain, checked.work)
    write_jail(program, toolchain)
    return Worker(toolchain, program, checked.source)


def link_with(caller: Path, compiled: Path, toolchain: Toolchain, work: Path) -> Path:
    """Makes a program of an object and of one that calls it. Raises CompileError or InfraError."""
    # A folder of its own, because the jail of one worker must not show it another worker.
    folder = work / "worker"
    folder.mkdir()
    program = folder / "worker"
    argv = filled(toolchain.build.link, object=compiled, dispatch=caller, worker=program)
    # The jail shows the system's own files anyway.
    files = [Path(word) for word in argv if re.match(r"/(?!usr/)", word) and word != str(program)]
    binutils.run(argv, folder, [*toolchain.read_only, *files])
    return program


def write_jail(worker: Path, toolchain: Toolchain) -> None:
    """Writes WORKER.jail, the command line that the judge puts before the worker's."""
    argv = jail.run_jail(worker, toolchain.confine, toolchain.read_only, toolchain.backend)
    path = worker.with_name(worker.name + ".jail")
    if argv:
        path.write_text("".join(f"{word}\n" for word in argv), encoding="utf-8")
    else:
        path.unlink(missing_ok=True)
