"""Estimates how long the calls of a lab's speed test take on a GPU that is not here.

nvcc compiles the submission, the emulator writes its launches down, and the estimator runs their
machine code on the model of a multiprocessor.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import CompileError, Rejected, UserError
from tilelab.base.files import work_folder, write_atomically
from tilelab.estimate import prediction, roof, simulation
from tilelab.estimate.figures import Figures
from tilelab.estimate.prediction import Prediction
from tilelab.model.estimate import EstimatedTime
from tilelab.model.lab import Lab
from tilelab.model.simulation import Simulated
from tilelab.pipeline import intake, texts
from tilelab.pipeline.estimating import estimator, published, recorded_call, recording, refusal
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recording import Recorder, Trial
from tilelab.pipeline.harness import missing
from tilelab.pipeline.records.stages import Inspected
from tilelab.pipeline.records.toolchain import Toolchain


@dataclass(frozen=True)
class Estimated:
    """The predictions of a lab's calls, in their order; `missing` says why there are none.

    That `is_refused` if the GPU would not take a launch. `recorder` is what the launches were
    recorded with. `recorded` and `simulated` have those of each call.
    """

    problem: str
    predictions: tuple[Prediction, ...]
    missing: str | None = None
    is_refused: bool = False
    recorder: Recorder | None = None
    recorded: Sequence[Recording] = ()
    simulated: Sequence[Sequence[Simulated]] = ()

    @property
    def milliseconds(self) -> float | None:
        if self.missing is not None:
            return None
        return sum(one.milliseconds for one in self.predictions)


def compare(inspected: Inspected, gpu: Figures, toolchain: Toolchain, work: Path) -> EstimatedTime:
    """Estimates the time of one file next to the baseline's and the reference solution's.

    Raises InfraError.
    """
    own = estimate(inspected, gpu, toolchain, work)
    return beside_ours(own, inspected.lab, gpu, toolchain)


def beside_ours(own: Estimated, lab: Lab, gpu: Figures, toolchain: Toolchain) -> EstimatedTime:
    """What compare() returns about an estimate. Raises InfraError."""
    known = own.missing is None
    halves = [one.curve.half for one in lab.criteria if one.estimated and one.curve]
    steps = [step for step in halves if step and known]
    return EstimatedTime(
        gpu=gpu.name,
        compared=gpu.is_compared,
        problem=own.problem,
        missing=own.missing,
        is_refused=own.is_refused,
        milliseconds=own.milliseconds,
        least=sum(one.least for one in own.predictions) if known else None,
        most=sum(one.most for one in own.predictions) if known else None,
        baseline_milliseconds=of_ours(lab.baseline, lab, gpu, toolchain) if known else None,
        reference_milliseconds=of_ours(lab.reference, lab, gpu, toolchain) if known else None,
        ladder_milliseconds={step: of_ours(lab.step(step), lab, gpu, toolchain) for step in steps},
        limiters=tuple(one.limiter for one in own.predictions),
        roof_milliseconds=roof.milliseconds(lab.estimate, gpu) if lab.estimate else None,
    )


def of_ours(path: Path, lab: Lab, gpu: Figures, toolchain: Toolchain) -> float | None:
    """The estimate for one of the lab's own files, which is kept. None if there is none.

    Raises InfraError.
    """
    if not path.is_file():
        return published.milliseconds(path, lab, gpu)
    source = intake.of(path.read_text(encoding="utf-8"))
    kept = toolchain.own_workers.parent / "estimates" / _digest(source.text, lab, gpu, toolchain)
    if kept.is_file():
        return _number(kept.read_text(encoding="utf-8"))
    try:
        with work_folder() as work:
            found = estimate(texts.inspect(source, lab), gpu, toolchain, work).milliseconds
    except Rejected:
        found = None
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, json.dumps(found))
    return found


def _digest(text: str, lab: Lab, gpu: Figures, toolchain: Toolchain) -> str:
    digest = hashlib.sha256(toolchain.estimator.read_bytes())
    for part in (text, lab.header.read_text(encoding="utf-8"), gpu.text(), repr(lab.estimate)):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _number(text: str) -> float | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return float(value) if isinstance(value, int | float) else None


def estimate(
    inspected: Inspected, gpu: Figures, toolchain: Toolchain, work: Path, salt: int = 0
) -> Estimated:
    """Estimates the time of one file in the empty folder `work`. Raises InfraError.

    With a salt, nobody knows what arrays hold.
    """
    lab = inspected.lab
    if lab.estimate is None:
        return Estimated("", (), "the lab does not say for which problem")
    problem, calls = lab.estimate.problem, lab.estimate.calls
    if lacking := missing.for_estimates():
        return Estimated(problem, (), f"that needs {lacking}")
    try:
        recorder = recording.compile_calls(
            inspected, calls, gpu, toolchain, work, is_submission=True
        )
        recorded = [_record(recorder, i, gpu, salt) for i in range(len(calls))]
        if refused := refusal.of(recorder, recorded, gpu.capability):
            return Estimated(problem, (), refused.rstrip("."), is_refused=True)
        found = [simulate(recorder, one, gpu, work) for one in recorded]
    except Rejected as error:
        return Estimated(problem, (), f"what nvcc makes of it breaks a rule: {error}".rstrip("."))
    except CompileError as error:
        return Estimated(problem, (), f"nvcc does not compile it: {error}")
    except UserError as error:
        return Estimated(problem, (), str(error))
    simulated = tuple(one for one in found if not isinstance(one, str))
    predicted = [
        prediction.predict(one, gpu, call.moved)
        for one, call in zip(found, recorded, strict=True)
        if not isinstance(one, str)
    ]
    unknown = next((one for one in (*found, *predicted) if isinstance(one, str)), None)
    if unknown is not None:
        return Estimated(problem, (), unknown)
    predictions = tuple(one for one in predicted if isinstance(one, Prediction))
    return Estimated(
        problem, predictions, recorder=recorder, recorded=recorded, simulated=simulated
    )


def _record(recorder: Recorder, call: int, gpu: Figures, salt: int) -> Recording:
    """The launches of a call. With a salt, also what the host stores before them.

    Raises UserError if the host code fails.
    """
    multiprocessors = gpu.values["multiprocessors"]
    recorded = recording.record_steadily(recorder, call, multiprocessors)
    if not salt:
        return recorded
    return recorded_call.record(recorder, call, multiprocessors, recorded, Trial(salt, ()))


def simulate(
    recorder: Recorder, recorded: Recording, gpu: Figures, work: Path
) -> Sequence[Simulated] | str:
    """The launches of a call on the model of a GPU, or why they cannot be simulated.

    Raises UserError if nvcc has no such kernel, or InfraError if the estimator fails.
    """
    job = work / "job.jsonl"
    found = estimator.ask(recorder, gpu.constants(), recorded, job, simulation.read)
    return f"simulating it takes longer than {estimator.SECONDS} s" if found is None else found
