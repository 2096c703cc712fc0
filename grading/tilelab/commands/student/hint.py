"""`tilelab hint`: gives the next hint."""

from __future__ import annotations

from pathlib import Path

from tilelab import backends
from tilelab.base.errors import CompileError, InfraError, Rejected, UserError
from tilelab.commands import options
from tilelab.commands.console import console, working
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.model.profile import Profile
from tilelab.pipeline.profiling.profile import profile_file
from tilelab.pipeline.profiling.resources import figures_for, gpu_of
from tilelab.screens import estimate
from tilelab.screens.hint import show_hint
from tilelab.tutor import advice, progress


def hint(lab_name: options.LabName) -> None:
    """Gives the next hint for what failed last, or for more speed."""
    the_lab = lab.load(lab_name)
    state = progress.load(lab_name)
    path = Path(state.file) if state.file else the_lab.skeleton
    found = _profile(path, the_lab) if advice.wants_speed(the_lab, state) else None
    calls = found.calls if found else ()
    lines, state = advice.hint(the_lab, state, advice.text_of(path), calls)
    show_hint(console, [*lines, *estimate.limits(found.estimate if found else None)])
    progress.save(lab_name, state)


def _profile(path: Path, the_lab: Lab) -> Profile | None:
    """What the kernels of a file do, None if it cannot be counted: a hint is still of use then."""
    if not any(task.metric for task in the_lab.speed):
        return None
    counting = next(one for one in backends.BACKENDS if one.has_checked_build)
    try:
        session = options.session(counting.preset, None, [the_lab])
        with working("Counting what your kernels do"):
            gpu = gpu_of(None)
            return profile_file(path, the_lab, session, gpu, figures=figures_for(gpu, None))
    except (Rejected, CompileError, UserError, InfraError, OSError):
        return None
