"""Whether the results of a submission are right where its time is estimated.

The judge compares what its kernels stored with the lab's own reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tilelab.base.errors import InfraError
from tilelab.model import stream
from tilelab.model.estimated_call import EstimatedCall, Scalar
from tilelab.model.recording import Salt
from tilelab.model.stream import End
from tilelab.pipeline import judge
from tilelab.pipeline.estimating import calls
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recording import Recorder
from tilelab.pipeline.judge import Workers

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# What may surround numbers: the name of a type, its braces, and the suffixes of literals.
_AROUND = re.compile(r"(?:[A-Za-z_]\w*(?=\{))?[{},\sfFuUlL]*")


def wrong(recorder: Recorder, call: str, tried: Recording, job: Path) -> str | None:
    """What is wrong with what kernels stored in a call, None if nothing is. Raises InfraError."""
    function, arguments = calls.parts_of(call)
    asked = (
        EstimatedCall(function),
        Salt(tried.salt),
        *_arguments(arguments, tried),
        *(one for trial in tried.trials for one in trial.stored),
        *tried.left,
        End(),
    )
    job.write_text(stream.text_of(asked), encoding="utf-8")
    lab, toolchain = recorder.compiled.lab, recorder.toolchain
    nobody = Workers({})
    judged = judge.run(lab, toolchain, "estimated", nobody, tried.salt, estimated=job)
    said = [one.text for case in judged.cases if not case.passed for one in case.messages]
    return f"at the size whose time is estimated, {said[0].rstrip('.')}" if said else None


def _arguments(arguments: tuple[str, ...], tried: Recording) -> Iterator[Struct]:
    arrays = iter(tried.arrays)
    for one in arguments:
        yield next(arrays) if calls.is_array(one) else Scalar(_numbers(one))


def _numbers(argument: str) -> tuple[float, ...]:
    """Those of a literal, or of a struct in braces. Raises InfraError if it has anything else."""
    text = argument.replace("'", "")
    if not all(map(_AROUND.fullmatch, _NUMBER.split(text))):
        raise InfraError(f"lab.toml: {argument} is not made of numbers alone")
    return tuple(map(float, _NUMBER.findall(text)))
