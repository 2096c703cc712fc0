"""Times all of a lab's own kernels on a GPU: baseline, ladder, reference solution, and peers."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import InfraError
from tilelab.bench import peers, results_file
from tilelab.bench.results_file import Timed
from tilelab.model.lab import Lab
from tilelab.model.measurement import Measurement
from tilelab.pipeline import judge
from tilelab.pipeline.harness import needs
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import own

Found = dict[str, Measurement]


def run(
    labs: Sequence[Lab],
    session: Session,
    command_of_peers: str | None,
    timed: Callable[[Lab], None],
) -> Path:
    """Times the labs' kernels, writes docs/results/GPU.json and returns its path.

    The file keeps what it has on other labs. Raises UserError or InfraError.
    """
    (tool,) = session.toolchains
    device = tool.backend.device()
    assert device is not None
    path = results_file.RESULTS / f"{results_file.slug(device.name)}.json"
    results = results_file.load(path) if path.exists() else {}
    others = peers.read(command_of_peers, tool.backend.environment()) if command_of_peers else {}
    for lab in labs:
        timing = Timed(
            machine={**session.machine(), "driver": device.driver},
            date=datetime.date.today().isoformat(),
            problems={},
            peers=others.get(lab.name, {}),
        )
        for part, found in _time(lab, tool, session.seed):
            timing = replace(timing, **{part: {**getattr(timing, part), **found}})
            results[lab.name] = timing
            # Saved at once, so that a later failure does not lose minutes of measuring.
            results_file.save(path, results)
        timed(lab)
    return path


def _time(lab: Lab, tool: Toolchain, seed: int) -> Iterator[tuple[str, Found]]:
    """Yields each part of the results as soon as it is measured.

    The ladder is compared with the baseline, entries for the challenge with the reference solution.
    Only the ends of the ladder are timed against n, because a plot with more lines is unreadable.
    What needs a newer GPU is left out.
    """
    steps, challengers = (
        [path for path in paths if needs.able(path, [tool])]
        for paths in (lab.ladder, lab.challengers)
    )
    built = _build([lab.baseline, lab.reference, *steps, *challengers], lab, tool)
    peaks = {"peaks": tool.peaks}
    ends = {"baseline": built[lab.baseline], "reference": built[lab.reference]}
    ladder = ends | {path.stem: built[path] for path in steps}
    ends |= {path.stem: ladder[path.stem] for path in steps[-1:]}
    yield "problems", _run(lab, tool, "bench", ladder | peaks, seed)
    if challengers:
        entries = {path.stem: built[path] for path in challengers}
        entries["baseline"] = ends["reference"]
        found = _run(lab, tool, "challenge", entries | peaks, seed)
        # The ladder may be timed with the same problem.
        yield "problems", {results_file.in_challenge(name): one for name, one in found.items()}
    yield "scaling", _run(lab, tool, "scaling", ends, seed)


def _build(paths: Sequence[Path], lab: Lab, tool: Toolchain) -> dict[Path, Path]:
    """Builds the workers of the lab's own kernels. nvcc takes seconds for each."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        built = pool.map(lambda path: own.own_worker(path, lab, tool), paths)
        return dict(zip(paths, built, strict=True))


def _run(lab: Lab, tool: Toolchain, tag: str, programs: Mapping[str, Path], seed: int) -> Found:
    judgment = judge.run(lab, tool, tag, Workers(programs), seed)
    if failed := [case for case in judgment.cases if not case.passed]:
        raise InfraError(f"{failed[0].name}: {' '.join(failed[0].texts)}")
    return judgment.measurements
