"""Times every kernel of a lab's own on a GPU: baseline, ladder, reference solution, and peers.

The results file holds, per lab,
{"machine": {...}, "date", "problems": {title: what the judge measured},
 "scaling": {title: the same for few kernels and many sizes},
 "peers": {title: {name: milliseconds}}}.
"scaling" is missing in older files.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tilelab.backends import machine
from tilelab.base import process
from tilelab.base.errors import InfraError, UserError
from tilelab.base.text import printable, shorten
from tilelab.pipeline import judge, submission
from tilelab.pipeline.build import Workers
from tilelab.pipeline.submission import Session
from tilelab.pipeline.toolchain import Toolchain
from tilelab.score import records
from tilelab.score.lab import REPO, Lab

RESULTS = REPO / "docs" / "results"

_PEER_SECONDS = 1800
_PEER_BYTES = 1024 * 1024

Json = dict[str, Any]


def run(
    labs: Sequence[Lab], session: Session, peers: str | None, timed: Callable[[Lab], None]
) -> Path:
    """Times the labs' kernels and writes them to docs/results/GPU.json, which it returns.

    What that file says of other labs stays. Raises UserError or InfraError.
    """
    (tool,) = session.toolchains
    gpu = machine.gpu()
    assert gpu is not None
    path = RESULTS / f"{slug(gpu.name)}.json"
    results = load(path) if path.exists() else {}
    others = read_peers(peers) if peers else {}
    for lab in labs:
        results[lab.name] = {
            "machine": {**session.machine(), "driver": gpu.driver},
            "date": datetime.date.today().isoformat(),
            "problems": {},
            "scaling": {},
            "peers": others.get(lab.name, {}),
        }
        for part, found in _time(lab, tool, session.seed):
            results[lab.name][part] |= found
            # Minutes of measuring are not lost with what comes after them.
            records.write_atomically(path, json.dumps(results, indent=1) + "\n")
        timed(lab)
    return path


def load(path: Path) -> Json:
    """A results file. Raises UserError if it is none."""
    try:
        results: Json = json.loads(path.read_text(encoding="utf-8"))
        for one in results.values():
            if not all(isinstance(it, dict) for it in (one["problems"], one.get("scaling", {}))):
                raise ValueError("problems of a lab are no table")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path} is no results file ({error!r}): remove it and run ./tilelab bench"
        ) from error
    return results


def _time(lab: Lab, tool: Toolchain, seed: int) -> Iterator[tuple[str, Json]]:
    """The ladder against the baseline, and what takes up the challenge against the reference.

    Against n only the ends of the ladder: a plot of more lines could not be read. Each part of the
    results comes as soon as it is there.
    """

    workers = _workers(lab, tool)
    control = {"control": tool.control}
    ends = {"baseline": workers[lab.baseline], "reference": workers[lab.reference]}
    ladder = ends | {path.stem: workers[path] for path in lab.ladder}
    ends |= {path.stem: ladder[path.stem] for path in lab.ladder[-1:]}
    yield "problems", _run(lab, tool, "bench", ladder | control, seed)
    if lab.challengers:
        rivals = {path.stem: workers[path] for path in lab.challengers}
        rivals["baseline"] = ends["reference"]
        yield "problems", _run(lab, tool, "challenge", rivals | control, seed)
    yield "scaling", _run(lab, tool, "scaling", ends, seed)


def _workers(lab: Lab, tool: Toolchain) -> dict[Path, Path]:
    """Of all kernels of the lab's own. nvcc takes seconds for each."""
    paths = [lab.baseline, lab.reference, *lab.ladder, *lab.challengers]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        built = pool.map(lambda path: submission.own_worker(path, lab, tool, tool.fast), paths)
        return dict(zip(paths, built, strict=True))


def _run(lab: Lab, tool: Toolchain, tag: str, programs: Mapping[str, Path], seed: int) -> Json:
    verdict = judge.run(lab, tool, tag, Workers(programs), seed)
    if failed := [case for case in verdict.cases if not case.passed]:
        raise InfraError(f"{failed[0].name}: {' '.join(failed[0].messages)}")
    return verdict.metrics


def read_peers(command: str) -> Mapping[str, Json]:
    """What COMMAND prints as its last line: {lab: {title: {name: milliseconds}}}."""
    # The same GPU as for the workers.
    env = {**os.environ, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    try:
        words = shlex.split(command)
        finished = process.run(words, seconds=_PEER_SECONDS, env=env, keep=_PEER_BYTES)
        if finished.timed_out or finished.status != 0:
            said = shorten(printable(finished.output.strip())[-500:], 500)
            raise UserError(f"'{command}' failed: {said}")
        found: Mapping[str, Json] = json.loads(finished.output.splitlines()[-1])
    except (OSError, ValueError, IndexError) as error:
        raise UserError(f"'{command}' printed no JSON object as its last line: {error}") from error
    return found


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
